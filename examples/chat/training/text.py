"""The King James Bible as Debian's `bible-kjv` prints it: one document per chapter, one line per verse."""

import random
import re
import subprocess

BOOKS = {
    "Ge": "Genesis", "Exo": "Exodus", "Lev": "Leviticus", "Num": "Numbers", "Deu": "Deuteronomy", "Josh": "Joshua",
    "Jdgs": "Judges", "Ruth": "Ruth", "1Sm": "1 Samuel", "2Sm": "2 Samuel", "1Ki": "1 Kings", "2Ki": "2 Kings",
    "1Chr": "1 Chronicles", "2Chr": "2 Chronicles", "Ezra": "Ezra", "Neh": "Nehemiah", "Est": "Esther", "Job": "Job",
    "Psa": "Psalms", "Prv": "Proverbs", "Eccl": "Ecclesiastes", "SSol": "Song of Solomon", "Isa": "Isaiah",
    "Jer": "Jeremiah", "Lam": "Lamentations", "Eze": "Ezekiel", "Dan": "Daniel", "Hos": "Hosea", "Joel": "Joel",
    "Amos": "Amos", "Obad": "Obadiah", "Jonah": "Jonah", "Mic": "Micah", "Nahum": "Nahum", "Hab": "Habakkuk",
    "Zep": "Zephaniah", "Hag": "Haggai", "Zec": "Zechariah", "Mal": "Malachi", "Mat": "Matthew", "Mark": "Mark",
    "Luke": "Luke", "John": "John", "Acts": "Acts", "Rom": "Romans", "1Cor": "1 Corinthians", "2Cor": "2 Corinthians",
    "Gal": "Galatians", "Eph": "Ephesians", "Phi": "Philippians", "Col": "Colossians", "1Th": "1 Thessalonians",
    "2Th": "2 Thessalonians", "1Tim": "1 Timothy", "2Tim": "2 Timothy", "Titus": "Titus", "Phmn": "Philemon",
    "Heb": "Hebrews", "Jas": "James", "1Pet": "1 Peter", "2Pet": "2 Peter", "1Jn": "1 John", "2Jn": "2 John",
    "3Jn": "3 John", "Jude": "Jude", "Rev": "Revelation",
}

VERSE = re.compile(r"(\d?[A-Za-z]+)(\d+):\d+ (.*)")


def passages():
    """The name of the book and the text of each chapter."""
    printed = subprocess.run(["bible", "-f", "-l4000", "gen1:1-rev22:21"], capture_output=True, text=True, check=True)
    verses = {}
    for line in printed.stdout.splitlines():
        book, chapter, verse = VERSE.fullmatch(line.rstrip()).groups()
        verses.setdefault((book, chapter), []).append(verse)
    return [(book, "\n".join(lines) + "\n") for (book, _), lines in verses.items()]


def chapters():
    """Each chapter, with the name of its book as its first line."""
    return [f"{BOOKS[book]}\n{text}" for book, text in passages()]


def split(documents, held_out=0.04, seed=1611):
    """Chapters for training and for validation."""
    shuffled = random.Random(seed).sample(documents, len(documents))
    count = round(len(shuffled) * held_out)
    return shuffled[count:], shuffled[:count]

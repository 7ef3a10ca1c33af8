"""Byte-pair encoding, trained on the text and written as a tokenizer.json for Hugging Face's libraries."""

import json
import re
from collections import Counter, defaultdict
from functools import lru_cache

END = "<|endoftext|>"

# GPT-2's pre-tokenization, with `\p{L}` written without Unicode properties.
PIECES = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")


def byte_letters():
    """A printable letter for each byte, as in GPT-2."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + n) for n, byte in enumerate(others)}}


LETTERS = byte_letters()


def spelled(piece):
    return tuple(LETTERS[byte] for byte in piece.encode())


def joined(word, pair):
    merged, at = [], 0
    while at < len(word):
        width = 2 if word[at : at + 2] == pair else 1
        merged.append("".join(word[at : at + width]))
        at += width
    return tuple(merged)


def learn_merges(text, count):
    """The first `count` merges; each joins the most frequent pair of neighbors."""
    words = {spelled(piece): n for piece, n in Counter(PIECES.findall(text)).items()}
    pairs, holders = Counter(), defaultdict(set)

    def tally(word, sign):
        for pair in zip(word, word[1:]):
            pairs[pair] += sign * words[word]
            (holders[pair].add if sign > 0 else holders[pair].discard)(word)

    for word in words:
        tally(word, 1)
    merges = []
    while len(merges) < count:
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        for word in list(holders[best]):
            tally(word, -1)
            after = joined(word, best)
            words[after] = words.pop(word)
            tally(after, 1)
    return merges


class Tokenizer:
    def __init__(self, merges):
        self.merges = merges
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.tokens = [END, *LETTERS.values(), *("".join(pair) for pair in merges)]
        self.ids = {token: id for id, token in enumerate(self.tokens)}
        self.bytes = {letter: byte for byte, letter in LETTERS.items()}
        self.piece_ids = lru_cache(maxsize=None)(self.piece_ids)

    def piece_ids(self, piece):
        word = spelled(piece)
        while known := [pair for pair in zip(word, word[1:]) if pair in self.ranks]:
            word = joined(word, min(known, key=self.ranks.__getitem__))
        return [self.ids[token] for token in word]

    def encode(self, text):
        return [id for piece in PIECES.findall(text) for id in self.piece_ids(piece)]

    def decode(self, ids):
        letters = "".join(self.tokens[id] for id in ids if id)
        return bytes(self.bytes[letter] for letter in letters).decode(errors="replace")

    def save(self, path):
        ended = {"id": 0, "content": END, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
        model = {
            "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "",
            "fuse_unk": False, "byte_fallback": False, "vocab": self.ids, "merges": [" ".join(pair) for pair in self.merges],
        }
        tokenizer = {
            "version": "1.0", "truncation": None, "padding": None, "added_tokens": [ended], "normalizer": None,
            "pre_tokenizer": byte_level, "post_processor": None, "decoder": byte_level, "model": model,
        }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(tokenizer, file, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def load(path):
        with open(path, encoding="utf-8") as file:
            return Tokenizer([tuple(merge.split(" ")) for merge in json.load(file)["model"]["merges"]])

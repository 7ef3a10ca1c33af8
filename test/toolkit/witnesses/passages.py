"""A small encoder in BERT's manner that says from which part of the Bible sixty-four words are.

apt install python3-torch bible-kjv
python3 passages.py     # some 4 minutes of one core
"""

import math
import random
import re
from collections import Counter

import torch
from torch import nn
from torch.nn import functional as F

from kept import begin, keep, schedule
from scripture import chapters

PARTS = [
    "Ge Exo Lev Num Deu", "Josh Jdgs Ruth 1Sm 2Sm 1Ki 2Ki 1Chr 2Chr Ezra Neh Est", "Job Psa Prv Eccl SSol",
    "Isa Jer Lam Eze Dan Hos Joel Amos Obad Jonah Mic Nahum Hab Zep Hag Zec Mal", "Mat Mark Luke John Acts",
    "Rom 1Cor 2Cor Gal Eph Phi Col 1Th 2Th 1Tim 2Tim Titus Phmn Heb Jas 1Pet 2Pet 1Jn 2Jn 3Jn Jude Rev",
]
VOCABULARY, LENGTH, WIDTH, HEADS, LAYERS = 1024, 64, 64, 4, 2
STEPS, BATCH = 1500, 64
JUDGED, CALIBRATION = 1500, 128


class Layer(nn.Module):
    """Norms follow what is added, as in BERT."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.dropout = nn.Dropout(0.1)

    def attended(self, x):
        def heads(y): return y.view(-1, LENGTH, HEADS, WIDTH // HEADS).transpose(1, 2)
        q, k, v = heads(self.q(x)), heads(self.k(x)), heads(self.v(x))
        weights = (q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS)).softmax(-1)
        return self.o((weights @ v).transpose(1, 2).reshape(-1, LENGTH, WIDTH))

    def forward(self, x):
        x = self.first(x + self.dropout(self.attended(x)))
        return self.second(x + self.dropout(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Parameter(torch.randn(LENGTH, WIDTH) * 0.1)
        self.norm, self.layers = nn.LayerNorm(WIDTH), nn.Sequential(*(Layer() for _ in range(LAYERS)))
        self.dropout, self.pooled, self.answer = nn.Dropout(0.2), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, len(PARTS))

    def forward(self, x):
        x = self.layers(self.dropout(self.norm(self.words(x) + self.places)))
        return self.answer(torch.tanh(self.pooled(x.mean(1))))


def words(text):
    return re.findall(r"[a-z']+", text.lower())


def texts():
    """Of each part, its words as numbers: to learn from, and of other chapters. 0 is any rare word."""
    shuffled = random.Random(1611).sample(chapters(), 1189)
    common = Counter(word for _, text in shuffled[120:] for word in words(text)).most_common(VOCABULARY - 1)
    code = {word: number for number, (word, _) in enumerate(common, 1)}
    def of(part, some): return torch.tensor([code.get(w, 0) for book, text in some if book in part.split() for w in words(text)])
    return [of(part, shuffled[120:]) for part in PARTS], [of(part, shuffled[:120]) for part in PARTS]


def drawn(parts, count):
    """Passages, and the numbers of the parts that they are from."""
    labels = torch.randint(len(parts), (count,))
    starts = (torch.rand(count) * torch.tensor([len(part) - LENGTH for part in parts])[labels]).long()
    return torch.stack([parts[label][start : start + LENGTH] for label, start in zip(labels, starts)]), labels


def main():
    begin(66)
    learnt, held = texts()
    judged, labels = drawn(held, JUDGED)
    calibration, _ = drawn(learnt, CALIBRATION)
    model = Encoder().train()
    optimizer, rate = schedule(model.parameters(), STEPS, 3e-3, 0.05)
    for step in range(STEPS):
        x, y = drawn(learnt, BATCH)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
        if step % 200 == 0:
            print(step, loss.item(), flush=True)
    with torch.no_grad():
        right = (model.eval()(judged).argmax(1) == labels).float().mean().item()
    stored = {
        "judged": judged.short().numpy(), "judgedLabels": labels.to(torch.uint8).numpy(),
        "calibration": calibration.short().numpy(),
    }
    keep("passages", model, judged[:2], "logits", stored, {"accuracy": right})


main()

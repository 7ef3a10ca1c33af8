"""A transformer that goes on with a text letter by letter, in GPT-2's layout.

apt install python3-torch bible-kjv
python3 letters.py     # some 8 minutes of one core
"""

import math
import random

import torch
from torch import nn
from torch.nn import functional as F

from kept import begin, keep, schedule
from scripture import chapters

WIDTH, HEADS, LAYERS, CONTEXT = 64, 4, 3, 96
STEPS, BATCH = 3000, 32
JUDGED, CALIBRATION = 192, 64


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def attended(self, x, later):
        def heads(y): return y.view(-1, CONTEXT, HEADS, WIDTH // HEADS).transpose(1, 2)
        q, k, v = heads(self.q(x)), heads(self.k(x)), heads(self.v(x))
        weights = (q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + later).softmax(-1)
        return self.o((weights @ v).transpose(1, 2).reshape(-1, CONTEXT, WIDTH))

    def forward(self, x, later):
        x = x + self.attended(self.before(x), later)
        return x + self.down(F.gelu(self.up(self.between(x))))


class Letters(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.letters, self.places = nn.Embedding(vocabulary, WIDTH), nn.Parameter(torch.randn(CONTEXT, WIDTH) * 0.02)
        self.layers, self.norm = nn.ModuleList(Layer() for _ in range(LAYERS)), nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, vocabulary, bias=False)
        self.register_buffer("later", torch.full((CONTEXT, CONTEXT), -1e9).triu(1))

    def forward(self, x):
        x = self.letters(x) + self.places
        for layer in self.layers:
            x = layer(x, self.later)
        return self.head(self.norm(x))


def nats(model, passages):
    """The mean loss of a letter; perplexity is e to it."""
    x = passages.long()
    return F.cross_entropy(model(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())


def passages(text, starts):
    return text[starts[:, None] + torch.arange(CONTEXT + 1)]


def texts():
    """Letters as numbers: chapters to learn from, and others."""
    shuffled = random.Random(1611).sample(chapters(), 1189)
    alphabet = sorted({letter for _, text in shuffled for letter in text})
    code = {letter: number for number, letter in enumerate(alphabet)}
    def coded(some): return torch.tensor([code[letter] for _, text in some for letter in text], dtype=torch.uint8)
    return coded(shuffled[60:]), coded(shuffled[:60]), len(alphabet)


def main():
    begin(26)
    learnt, held, vocabulary = texts()
    model = Letters(vocabulary)
    optimizer, rate = schedule(model.parameters(), STEPS, 4e-3, 0.01)
    for step in range(STEPS):
        loss = nats(model, passages(learnt, torch.randint(len(learnt) - CONTEXT - 1, (BATCH,))))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
        if step % 200 == 0:
            print(step, loss.item(), flush=True)
    stride = (len(held) - CONTEXT - 1) // JUDGED
    judged = passages(held, torch.arange(JUDGED) * stride)
    calibration = passages(learnt, torch.randint(len(learnt) - CONTEXT - 1, (CALIBRATION,)))
    with torch.no_grad():
        scores = {"nats": nats(model, judged).item()}
    stored = {"judged": judged.numpy(), "calibration": calibration[:, :-1].numpy()}
    keep("letters", model, judged[:2, :-1].long(), "logits", stored, scores)


main()

"""What AdaRound as its paper has it comes to: Adam on a relaxed rounding, in double precision by torch.

apt install python3-torch
python3 ada_round.py     # writes ada-round.json: losses of layers that the test makes by the same numbers
"""

import json
from pathlib import Path

import torch

ROWS, WIDTH, RANK, SAMPLES, STEPS = 16, 48, 10, 300, 10000


def evenly(count, seed):
    """Numbers between -1 and 1, those of the tests."""
    found, state = [], seed
    for _ in range(count):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        found.append((state - (1 << 32) if state >> 31 else state) / 2**31)
    return torch.tensor(found).float().double()


def inputs(seed):
    mixture, directions, noise = evenly(SAMPLES * RANK, seed), evenly(RANK * WIDTH, 11), evenly(SAMPLES * WIDTH, seed + 2)
    return mixture.view(SAMPLES, RANK) @ directions.view(RANK, WIDTH) + 0.1 * noise.view(SAMPLES, WIDTH)


def learnt(weights, scale, bits, gram):
    """The losses of rounding to the nearest, and of what is learnt."""
    most = 2 ** (bits - 1)
    floor = (weights / scale).floor()
    rest = weights / scale - floor
    v = torch.nn.Parameter(-torch.log(1.2 / (rest + 0.1) - 1))
    optimizer = torch.optim.Adam([v], 1e-2)

    def loss_of(steps):
        error = steps.clamp(-most, most - 1) * scale - weights
        return ((error @ gram) * error).sum(1)

    def stretched():
        return (1.2 * torch.sigmoid(v) - 0.1).clamp(0, 1)

    for step in range(STEPS):
        h, done = stretched(), max(0.0, (step / STEPS - 0.2) / 0.8)
        beta = 20 - 18 * done
        loss = loss_of(floor + h).mean() / SAMPLES
        if step > 0.2 * STEPS:
            loss = loss + 0.01 * (1 - (2 * h - 1).abs() ** beta).sum() / ROWS
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return loss_of((weights / scale).round()).sum().item(), loss_of(floor + (stretched() > 0.5)).sum().item()


def main():
    torch.set_num_threads(1)
    found = []
    x = inputs(1)
    for bits in (2, 3, 4, 8):
        weights = evenly(ROWS * WIDTH, 5).view(ROWS, WIDTH)
        scale = weights.abs().amax(1, keepdim=True) / (2 ** (bits - 1) - 1)
        nearest, relaxed = learnt(weights, scale.float().double(), bits, x.T @ x)
        found.append({"bits": bits, "nearest": nearest, "learnt": relaxed})
        print(found[-1])
    Path(__file__).with_name("ada-round.json").write_text(json.dumps(found, indent=2) + "\n")


main()

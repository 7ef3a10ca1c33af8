"""Asks numpy and torch what halves numbers become, clamped as onnxruntime's float16 converter does it, for rounding.test.ts.

  python witness.py > rounding.json       with numpy and torch
"""
import base64
import json

import numpy as np
import torch

MANTISSAS = [0, 1, 0x1000, 0x1001, 0x2FFF, 0x3000, 0x8000, 0x8001, 0x18000, 0x7FEFFF, 0x7FF000, 0x7FFFFF]


def numbers():
    """Every exponent with the mantissas at which roundings to 10 and to 7 bits turn, and random bits of both signs."""
    edges = np.array([e << 23 | m for e in range(255) for m in MANTISSAS], np.uint32)
    ties = np.array([(2 * k + 1) * 2.0**-25 for k in range(64)], np.float32).view(np.uint32)
    infinite = np.array([0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF, 0x7FA00000], np.uint32)
    chance = np.random.default_rng(5).integers(0, 2**31, 512).astype(np.uint32)
    positive = np.concatenate([edges, ties, infinite, chance])
    return np.concatenate([positive, positive[-1024:] | np.uint32(0x80000000)]).view(np.float32)


def clamped(x, least, most):
    between = lambda a, b: (a < x) & (x < b)
    y = np.where(between(0, least), least, x)
    y = np.where(between(-least, 0), -least, y)
    y = np.where(between(most, np.inf), most, y)
    return np.where(between(-np.inf, -most), -most, y).astype(np.float32)


def text(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def in_float16(x):
    return x.astype(np.float16).view(np.uint16)


def in_bfloat16(x):
    return torch.from_numpy(x).to(torch.bfloat16).view(torch.int16).numpy().view(np.uint16)


with np.errstate(all="ignore"):
    x = numbers()
    most = torch.finfo(torch.bfloat16).max
    print(
        json.dumps(
            {
                "numbers": text(x),
                "float16": text(in_float16(x)),
                "bfloat16": text(in_bfloat16(x)),
                "clampedFloat16": text(in_float16(clamped(x, np.float32(2.0**-24), np.float32(65504)))),
                "clampedBfloat16": text(in_bfloat16(clamped(x, np.float32(2.0**-133), np.float32(most)))),
                "clampedNarrowly": text(in_float16(clamped(x, np.float32(1e-7), np.float32(1e4)))),
            },
            indent=1,
        )
    )

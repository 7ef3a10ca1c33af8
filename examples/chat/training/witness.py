"""Writes the reference data for check.mjs, `witness.py OUT`: the validation chapters, their tokens, and PyTorch's logits of some."""

import json
import sys
from pathlib import Path

import torch

from decoder import Decoder, Shape
from text import chapters, split
from tokenizer import Tokenizer
from weights import load_weights, save_weights

WINDOWS = 4


def main():
    out = Path(sys.argv[1])
    tokenizer = Tokenizer.load(out / "tokenizer.json")
    _, held_out = split(chapters())
    ids = [[0, *tokenizer.encode(text)] for text in held_out]
    (out / "held-out.json").write_text(json.dumps({"texts": held_out, "ids": ids}))
    model = Decoder(Shape()).eval()
    model.load_state_dict(load_weights(out / "weights.safetensors"))
    context = model.shape.context
    windows = torch.tensor([document[:context] for document in ids if len(document) >= context][:WINDOWS])
    with torch.no_grad():
        save_weights({"ids": windows, "logits": model(windows)}, out / "witness.safetensors")


if __name__ == "__main__":
    main()

"""Trains the decoder: `/usr/bin/python3 examples/chat/training/train.py OUT --steps 6000`. Run it again to resume."""

import argparse
import math
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn import functional as F

from decoder import Decoder, Shape
from text import chapters, split
from tokenizer import END, Tokenizer, learn_merges
from weights import save_weights

BATCH = 16
PEAK_RATE, LAST_RATE, WARM_UP = 2e-3, 2e-5, 0.02
JUDGED_EVERY = 250


@dataclass
class Progress:
    step: int = 0
    seconds: float = 0.0
    best: float = math.inf

    def fraction(self, steps, minutes):
        return max(self.step / steps, self.seconds / (60 * minutes))


def stream(tokenizer, documents):
    end = tokenizer.ids[END]
    return torch.tensor([id for text in documents for id in [end, *tokenizer.encode(text)]])


def windows(ids, context, generator):
    """Endless batches [BATCH, context + 1] that tile the text, with a new offset in each epoch."""
    while True:
        offset = torch.randint(context, (), generator=generator)
        starts = torch.arange(offset, len(ids) - context - 1, context)
        order = starts[torch.randperm(len(starts), generator=generator)]
        for batch in order.split(BATCH):
            yield torch.stack([ids[start : start + context + 1] for start in batch])


def rate(fraction):
    if fraction < WARM_UP:
        return PEAK_RATE * fraction / WARM_UP
    cooled = (fraction - WARM_UP) / (1 - WARM_UP)
    return LAST_RATE + (PEAK_RATE - LAST_RATE) * (1 + math.cos(math.pi * cooled)) / 2


def loss_of(model, batch, reduction="mean"):
    logits = model(batch[:, :-1]).float()
    return F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten(), reduction=reduction)


@torch.no_grad()
def bits_per_character(model, ids, characters):
    """Every token after the first counts once, after at least half a context."""
    context, nats = model.shape.context, 0.0
    for start in range(0, len(ids) - 1, context // 2):
        window = ids[start : start + context + 1]
        skipped = context // 2 if start else 0
        if len(window) > skipped + 1:
            logits = model(window[None, :-1]).float()[0, skipped:]
            nats += F.cross_entropy(logits, window[1 + skipped :], reduction="sum").item()
    return nats / math.log(2) / characters


def groups(model):
    """Weight decay applies to matrices only."""
    parameters = list(model.parameters())
    return [
        {"params": [p for p in parameters if p.dim() == 2], "weight_decay": 0.1},
        {"params": [p for p in parameters if p.dim() == 1], "weight_decay": 0.0},
    ]


def prepared(out):
    learnt, held_out = split(chapters())
    if not (out / "tokenizer.json").exists():
        Tokenizer(learn_merges("".join(learnt), Shape.vocabulary - 257)).save(out / "tokenizer.json")
    return Tokenizer.load(out / "tokenizer.json"), learnt, held_out


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=float, default=math.inf)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--bfloat16", action="store_true", help="products in bfloat16, for processors that have them")
    chosen = parser.parse_args()
    if math.isinf(chosen.steps) and math.isinf(chosen.minutes):
        parser.error("--steps or --minutes must say when to end")
    return chosen


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    torch.manual_seed(1611)
    tokenizer, learnt, held_out = prepared(options.out)
    ids, judged = stream(tokenizer, learnt), stream(tokenizer, held_out)
    characters = sum(map(len, held_out))
    model = Decoder(Shape(), options.dropout)
    optimizer = torch.optim.AdamW(groups(model), betas=(0.9, 0.98))
    progress, checkpoint = Progress(), options.out / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        progress = Progress(**saved["progress"])
    shape = model.shape
    tokens_a_step, characters_a_token = BATCH * shape.context, sum(map(len, learnt)) / len(ids)
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {len(ids)} tokens of {characters_a_token:.2f} characters", flush=True)

    def judge(loss):
        model.eval()
        with torch.autocast("cpu", torch.bfloat16, enabled=options.bfloat16):
            bits = bits_per_character(model, judged, characters)
        model.train()
        if bits < progress.best:
            progress.best = bits
            save_weights(model.state_dict(), options.out / "weights.safetensors")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "progress": vars(progress)}, f"{checkpoint}.new")
        Path(f"{checkpoint}.new").rename(checkpoint)
        learnt_bits = loss / math.log(2) / characters_a_token
        speed = progress.step * tokens_a_step / progress.seconds
        print(
            f"step {progress.step}, {progress.seconds / 60:.1f} min, {progress.step * tokens_a_step / len(ids):.1f} times the text, "
            f"{speed:.0f} tokens/s: {learnt_bits:.3f} bits a character in training, {bits:.3f} held out",
            flush=True,
        )

    smooth = None
    for batch in windows(ids, shape.context, torch.Generator().manual_seed(progress.step)):
        fraction = progress.fraction(options.steps, options.minutes)
        if fraction >= 1:
            break
        started = time.monotonic()
        for group in optimizer.param_groups:
            group["lr"] = rate(fraction)
        with torch.autocast("cpu", torch.bfloat16, enabled=options.bfloat16):
            loss = loss_of(model, batch)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
        progress.step += 1
        progress.seconds += time.monotonic() - started
        if progress.step % JUDGED_EVERY == 0:
            judge(smooth)
    judge(smooth)


if __name__ == "__main__":
    main()

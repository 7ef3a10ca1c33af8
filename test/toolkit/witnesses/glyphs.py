"""A network of depthwise convolutions in MobileNetV2's manner: letters and digits of Debian's fonts, 62 classes.

apt install python3-torch python3-pil fonts-dejavu-core fonts-dejavu-extra fonts-liberation fonts-freefont-ttf
python3 glyphs.py     # some 5 minutes of one core
"""

import string
from pathlib import Path

import torch
from PIL import Image, ImageDraw, ImageFont
from torch import nn
from torch.nn import functional as F

from kept import begin, keep, levelled, nibbles, schedule

CLASSES = string.digits + string.ascii_uppercase + string.ascii_lowercase
SIZE, DRAWN = 24, 48
STEPS, BATCH = 2400, 128
JUDGED, CALIBRATION = 1000, 96


def faces():
    found = sorted(Path("/usr/share/fonts/truetype").glob("*/*.ttf"))
    return [path for path in found if path.parent.name in ("dejavu", "liberation", "freefont") and "Math" not in path.name]


def drawn(face, letter):
    image = Image.new("L", (DRAWN, DRAWN))
    ImageDraw.Draw(image).text((DRAWN / 2, 36), letter, 255, ImageFont.truetype(str(face), 34), anchor="ms")
    return torch.frombuffer(bytearray(image.tobytes()), dtype=torch.uint8).float().view(DRAWN, DRAWN) / 255


def distorted(glyphs):
    """Turned, stretched, slanted, shifted, of other contrast, with noise."""
    count = len(glyphs)
    def around(spread): return (torch.rand(count) * 2 - 1) * spread
    angle, slant = around(0.2), around(0.2)
    wide, high = 1 + around(0.15), 1 + around(0.15)
    rows = [angle.cos() * wide, slant - angle.sin(), around(0.12), angle.sin(), angle.cos() * high, around(0.12)]
    grid = F.affine_grid(torch.stack(rows, 1).view(-1, 2, 3), (count, 1, SIZE, SIZE), align_corners=False)
    images = F.grid_sample(glyphs[:, None], grid, align_corners=False)
    contrast = 0.6 + 0.4 * torch.rand(count, 1, 1, 1)
    return levelled((images * contrast + 0.06 * torch.randn_like(images)).clamp(0, 1))


def normed(into, out, size, stride=1, groups=1):
    return [nn.Conv2d(into, out, size, stride, size // 2, groups=groups, bias=False), nn.BatchNorm2d(out)]


class Block(nn.Module):
    """Widened, filtered channel by channel, narrowed without an activation."""

    def __init__(self, into, out, stride=1, times=4):
        super().__init__()
        wide = into * times
        self.added = stride == 1 and into == out
        self.layers = nn.Sequential(
            *normed(into, wide, 1), nn.ReLU6(), *normed(wide, wide, 3, stride, wide), nn.ReLU6(), *normed(wide, out, 1))

    def forward(self, x):
        return x + self.layers(x) if self.added else self.layers(x)


def network():
    model = nn.Sequential(
        *normed(1, 16, 3, 2), nn.ReLU6(), *normed(16, 16, 3, 1, 16), nn.ReLU6(), *normed(16, 16, 1),
        Block(16, 24, 2), Block(24, 24), Block(24, 32), Block(32, 32),
        *normed(32, 96, 1), nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(96, len(CLASSES)))
    for layer in model.modules():
        # Scales begin as far apart as MobileNets' end, with most channels faint and few strong.
        if isinstance(layer, nn.BatchNorm2d):
            layer.weight.data = torch.exp(torch.randn_like(layer.weight) - 1.2).clamp(0.02, 1.5)
    return model


def accuracy(model, images, labels):
    with torch.no_grad():
        return (model.eval()(images).argmax(1) == labels).float().mean().item()


def main():
    begin(62)
    glyphs = torch.stack([drawn(face, letter) for face in faces() for letter in CLASSES])
    labels = torch.arange(len(CLASSES)).repeat(len(glyphs) // len(CLASSES))
    picked = torch.randint(len(glyphs), (JUDGED + CALIBRATION,))
    images, answers = distorted(glyphs[picked]), labels[picked]
    model = network().train()
    optimizer, rate = schedule(model.parameters(), STEPS, 5e-3)
    for step in range(STEPS):
        batch = torch.randint(len(glyphs), (BATCH,))
        loss = F.cross_entropy(model(distorted(glyphs[batch])), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
        if step % 200 == 0:
            print(step, loss.item(), flush=True)
    stored = {
        "judged": nibbles(images[:JUDGED]), "judgedLabels": answers[:JUDGED].to(torch.uint8).numpy(),
        "calibration": nibbles(images[JUDGED:]),
    }
    keep("glyphs", model, images[:2], "logits", stored, {"accuracy": accuracy(model, images[:JUDGED], answers[:JUDGED])})


main()

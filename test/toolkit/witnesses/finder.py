"""A detector in YOLO's manner: scikit-learn's handwritten digits, enlarged and strewn, found by a network without anchors.

apt install python3-torch python3-sklearn
python3 finder.py     # some 5 minutes of one core

Pictures are a tenth of what they stand for, 480 by 480; boxes are said in pixels of that, beside scores from 0 to 1.
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F

from kept import begin, keep, levelled, nibbles, schedule

SIZE, SCALE, CLASSES, SLOTS = 48, 10, 10, 4
STRIDES = (8, 16)
STEPS, BATCH = 2000, 48
JUDGED, CALIBRATION = 160, 48


def scenes(digits, labels, count):
    """Pictures, and in each quarter of them a digit or none: boxes [count, 4, x y width height], classes, -1 for none."""
    picked = torch.randint(len(digits), (count, SLOTS))
    side = 12 + 14 * torch.rand(count, SLOTS)
    free = torch.rand(count, SLOTS, 2) * (SIZE / 2 - side[..., None] + 6) + side[..., None] / 2 - 3
    centre = free + torch.tensor([[0, 0], [1, 0], [0, 1], [1, 1]]) * SIZE / 2
    shown = torch.rand(count, SLOTS) < 0.6
    zoom = (SIZE / side).flatten()
    shift = ((SIZE / 2 - centre) * 2 / SIZE).flatten(0, 1) * zoom[:, None]
    nothing = torch.zeros_like(zoom)
    theta = torch.stack([zoom, nothing, shift[:, 0], nothing, zoom, shift[:, 1]], 1).view(-1, 2, 3)
    grid = F.affine_grid(theta, (count * SLOTS, 1, SIZE, SIZE), align_corners=False)
    drawn = F.grid_sample(digits[picked].view(-1, 1, 8, 8), grid, align_corners=False).view(count, SLOTS, SIZE, SIZE)
    ink = (drawn * shown[..., None, None]).amax(1, keepdim=True)
    ground = 0.4 * torch.rand(count, 1, 1, 1)
    images = ground + (1 - ground) * ink * (0.7 + 0.3 * torch.rand(count, 1, 1, 1)) + 0.05 * torch.randn_like(ink)
    box = torch.cat([centre, side[..., None].expand(-1, -1, 2)], -1)
    return levelled(images.clamp(0, 1)), box * SCALE, torch.where(shown, labels[picked], torch.tensor(-1))


def conv(into, out, stride=1, size=3):
    return nn.Sequential(nn.Conv2d(into, out, size, stride, size // 2, bias=False), nn.BatchNorm2d(out), nn.SiLU())


class Finder(nn.Module):
    """Rows of x, y, width, height, and a score for each class, one row for each place of two grids."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(conv(1, 12, 2), conv(12, 24, 2), conv(24, 24))
        self.levels = nn.ModuleList([nn.Sequential(conv(24, 48, 2), conv(48, 48)), nn.Sequential(conv(48, 48, 2), conv(48, 48))])
        self.heads = nn.ModuleList(nn.Sequential(conv(48, 32), nn.Conv2d(32, 4 + CLASSES, 1)) for _ in STRIDES)
        for (_, last) in self.heads:
            last.bias.data[4:] = -4
        for index, stride in enumerate(STRIDES):
            rows, columns = torch.meshgrid(torch.arange(SIZE // stride), torch.arange(SIZE // stride), indexing="ij")
            self.register_buffer(f"places{index}", torch.stack([columns, rows]).view(1, 2, -1).float() * stride * SCALE)

    def forward(self, x):
        x, found = self.stem(x), []
        for index, (level, head, stride) in enumerate(zip(self.levels, self.heads, STRIDES)):
            x = level(x)
            y = head(x).flatten(2)
            unit = stride * SCALE
            centre = y[:, :2].sigmoid() * (2 * unit) + (getattr(self, f"places{index}") - unit / 2)
            size = (y[:, 2:4].sigmoid() * 2) ** 2 * unit
            found.append(torch.cat([centre, size, y[:, 4:].sigmoid()], 1))
        return torch.cat(found, 2).transpose(1, 2)


def wanted(boxes, classes):
    """Of each place of both grids, the box whose centre is in it and whose size suits it, and scores."""
    count, rows = len(boxes), sum((SIZE // stride) ** 2 for stride in STRIDES)
    targets, scores = torch.zeros(count, rows, 4), torch.zeros(count, rows, CLASSES)
    fine = boxes[..., 2] < 18 * SCALE
    for stride, suits, first in ((8, fine, 0), (16, ~fine, (SIZE // 8) ** 2)):
        wide = SIZE // stride
        at = (boxes[..., :2] / (stride * SCALE)).long().clamp(0, wide - 1)
        picture, slot = torch.nonzero(suits & (classes >= 0), as_tuple=True)
        row = first + at[picture, slot, 1] * wide + at[picture, slot, 0]
        targets[picture, row] = boxes[picture, slot]
        scores[picture, row, classes[picture, slot]] = 1
    return targets, scores


def corners(boxes):
    return torch.cat([boxes[..., :2] - boxes[..., 2:4] / 2, boxes[..., :2] + boxes[..., 2:4] / 2], -1)


def overlap(a, b):
    """Shared area by joint area, of boxes as corners."""
    span = (torch.minimum(a[..., 2:], b[..., 2:]) - torch.maximum(a[..., :2], b[..., :2])).clamp(min=0)
    area = lambda box: (box[..., 2:] - box[..., :2]).prod(-1)
    return span.prod(-1) / (area(a) + area(b) - span.prod(-1) + 1e-9)


def loss_of(found, boxes, classes):
    targets, scores = wanted(boxes, classes)
    at = scores.amax(-1) > 0
    missed = F.binary_cross_entropy(found[..., 4:].clamp(1e-6, 1 - 1e-6), scores, reduction="sum")
    apart = (1 - overlap(corners(found[at][:, :4]), corners(targets[at]))).sum() * 3
    return (missed + apart) / at.sum().clamp(min=1)


def kept_boxes(rows, least=0.05, most=0.5):
    """Of one picture: (class, score, corners), the best first, without those that overlap a better one of their class."""
    score, kind = rows[:, 4:].max(1)
    kept = []
    for i in score.argsort(descending=True).tolist():
        box = corners(rows[i, :4])
        if score[i] >= least and all(k != kind[i].item() or overlap(b, box) <= most for k, _, b in kept):
            kept.append((kind[i].item(), score[i].item(), box))
    return kept


def mean_precision(outputs, boxes, classes):
    """The mean over classes of the area below precision by recall, where boxes must overlap by half."""
    areas = []
    for kind in range(CLASSES):
        found = sorted(((s, p, b) for p, rows in enumerate(outputs) for k, s, b in kept_boxes(rows) if k == kind), key=lambda f: -f[0])
        open_slots = {(p, s) for p, s in torch.nonzero(classes == kind).tolist()}
        total, hits, area = len(open_slots), 0, 0.0
        for rank, (_, picture, box) in enumerate(found, 1):
            mine = [(overlap(corners(boxes[p, s]), box).item(), (p, s)) for p, s in open_slots if p == picture]
            best = max(mine, default=(0, None))
            if best[0] >= 0.5:
                open_slots.remove(best[1])
                hits += 1
                area += hits / rank / total
        areas.append(area)
    return sum(areas) / len(areas)


def main():
    begin(10)
    loaded = load_digits()
    digits, labels = torch.tensor(loaded.images / 16).float(), torch.tensor(loaded.target)
    learnt = 1300
    model = Finder().train()
    optimizer, rate = schedule(model.parameters(), STEPS, 4e-3, 0.01)
    for step in range(STEPS):
        images, boxes, classes = scenes(digits[:learnt], labels[:learnt], BATCH)
        loss = loss_of(model(images), boxes, classes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
        if step % 200 == 0:
            print(step, loss.item(), flush=True)
    images, boxes, classes = scenes(digits[learnt:], labels[learnt:], JUDGED)
    calibration, _, _ = scenes(digits[:learnt], labels[:learnt], CALIBRATION)
    with torch.no_grad():
        precision = mean_precision(model.eval()(images), boxes, classes)
    stored = {
        "judged": nibbles(images), "judgedBoxes": boxes.numpy(), "judgedClasses": classes.to(torch.int8).numpy(),
        "calibration": nibbles(calibration),
    }
    keep("finder", model, images[:2], "found", stored, {"meanPrecision": precision})


main()

# What PyTorch's grid_sample makes of a picture and of a volume, in all its modes: python3 grid-sample-torch.py > grid-sample-torch.json
import json

import torch
import torch.nn.functional as F

torch.manual_seed(7)


def sampled(sizes, modes):
    x = torch.randint(-8, 9, (1, 2, *sizes)).float()
    # Beyond the borders, and away from the middles between pixels, where rounding decides.
    grid = torch.randint(-230, 231, (1, 3, *[1] * (len(sizes) - 2), 8, len(sizes))).float() / 128 + 1 / 1024
    results = []
    for mode in modes:
        for padding in ("zeros", "border", "reflection"):
            for align in (False, True):
                y = F.grid_sample(x, grid, mode=mode, padding_mode=padding, align_corners=align)
                own = [round(v, 5) for v in y.flatten().tolist()]
                results.append({"mode": mode, "padding": padding, "align": int(align), "y": own})
    picture = {"x": x.flatten().tolist(), "dims": list(x.shape), "grid": grid.flatten().tolist()}
    return {**picture, "gridDims": list(grid.shape), "results": results}


pictures = [sampled((4, 5), ("bilinear", "nearest", "bicubic")), sampled((3, 4, 5), ("bilinear", "nearest"))]
print(json.dumps({"torch": torch.__version__, "pictures": pictures}, separators=(",", ":")))

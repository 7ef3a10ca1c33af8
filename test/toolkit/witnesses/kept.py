"""Keeps a trained model beside its data: NAME.onnx, NAME.bin.gz with arrays one behind the other, NAME.json that says which and how well torch does."""

import gzip
import json
import warnings
from pathlib import Path

import torch

HERE = Path(__file__).parent


def keep(name, model, example, output, arrays, scores):
    """`arrays` by name, of bytes or 16-bit words; `scores` are torch's own on the arrays that begin with `judged`."""
    data = b"".join(array.tobytes() for array in arrays.values())
    (HERE / f"{name}.bin.gz").write_bytes(gzip.compress(data, 9, mtime=0))
    described = [{"name": key, "type": str(array.dtype), "dims": list(array.shape)} for key, array in arrays.items()]
    (HERE / f"{name}.json").write_text(json.dumps({"scores": scores, "arrays": described}, indent=2) + "\n")
    export(name, model, example, output)
    print(name, scores, {path.name: path.stat().st_size for path in sorted(HERE.glob(f"{name}.*"))})


def export(name, model, example, output):
    """With batch normalisations as nodes of their own: only a model without any is exported for inference, which folds."""
    folds = not any(isinstance(layer, torch.nn.BatchNorm2d) for layer in model.modules())
    mode = torch.onnx.TrainingMode.EVAL if folds else torch.onnx.TrainingMode.PRESERVE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model.eval(), example, str(HERE / f"{name}.onnx"), opset_version=17, input_names=["x"],
            output_names=[output], dynamic_axes={"x": {0: "batch"}, output: {0: "batch"}},
            training=mode, do_constant_folding=folds,
        )


def nibbles(images):
    """Grey levels 0 to 15, two to a byte, the first in the low bits."""
    flat = (images * 15).round().to(torch.uint8).flatten(1).numpy()
    return flat[:, 0::2] | flat[:, 1::2] << 4


def levelled(images):
    """As they are once they have been stored."""
    return (images * 15).round() / 15


def begin(seed):
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)


def schedule(parameters, steps, rate, decay=0.0):
    """AdamW whose rate rises for a twentieth of the steps and falls to 0 along a cosine."""
    optimizer = torch.optim.AdamW(parameters, rate, weight_decay=decay)
    return optimizer, torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.05)

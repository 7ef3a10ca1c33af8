"""Writes small files of weights by the libraries that define them, and what these read.

  python witness.py > files.json     with safetensors, gguf, ml_dtypes and numpy; with torch and peft, an adapter too
"""
import base64
import json
import os
import tempfile

import gguf
import ml_dtypes
import numpy as np
from gguf import GGMLQuantizationType as Q
from safetensors.numpy import save_file

random = np.random.default_rng(5)
text = lambda data: base64.b64encode(bytes(data)).decode()


def of_safetensors():
    """Every type that numpy and ml_dtypes have, an empty tensor and one without dimensions."""
    arrays = {
        "BOOL": np.array([True, False, True]),
        "U8": np.array([0, 255], np.uint8),
        "I8": np.array([-128, 127], np.int8),
        "I16": np.array([[-32768], [32767]], np.int16),
        "U16": np.array([65535], np.uint16),
        "I32": np.array([-(2**31)], np.int32),
        "U32": np.array([2**32 - 1], np.uint32),
        "I64": np.array([-(2**63), 2**53 + 1]),
        "U64": np.array([2**64 - 1], np.uint64),
        "F16": np.array([1.5, -65504], np.float16),
        "BF16": np.array([1.5, -3e38], ml_dtypes.bfloat16),
        "F32": random.standard_normal((2, 3)).astype(np.float32),
        "F64": random.standard_normal((2, 2)),
        "F8_E4M3": np.array([0.5, -448], ml_dtypes.float8_e4m3fn),
        "F8_E5M2": np.array([0.5, -57344], ml_dtypes.float8_e5m2),
        "scalar": np.array(7, np.float32),
        "empty": np.zeros((0, 4), np.float32),
    }
    path = os.path.join(tempfile.mkdtemp(), "model.safetensors")
    save_file(arrays, path, {"format": "pt", "note": "été"})
    file = open(path, "rb").read()
    return {"file": text(file), "tensors": {k: {"dims": list(v.shape), "data": text(v.tobytes())} for k, v in arrays.items()}}


def of_gguf():
    """Every form that is read: rows of one and of two blocks, quantised or, where gguf cannot, of any bytes with small scales."""
    path = os.path.join(tempfile.mkdtemp(), "model.gguf")
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint64("count", 2**63)
    writer.add_int32("negative", -5)
    writer.add_bool("yes", True)
    writer.add_float32("third", 1 / 3)
    writer.add_string("name", "Grüße")
    writer.add_array("tokens", ["a", "bc", ""])
    writer.add_array("scores", [0.5, -1.5])
    tensors = {}
    for form in ["F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K"]:
        block, size = gguf.GGML_QUANT_SIZES[Q[form]]
        dims = (3, 2 * block if block > 1 else 5)
        if form.endswith("_K"):
            stored = random.integers(0, 256, (3, 2 * size), dtype=np.uint8).reshape(-1, size)
            for at in [208] if form == "Q6_K" else [0, 2]:
                stored[:, at : at + 2] = random.uniform(0.01, 0.1, (6, 1)).astype(np.float16).view(np.uint8)
            stored = stored.reshape(3, -1)
        else:
            stored = gguf.quants.quantize(random.standard_normal(dims).astype(np.float32), Q[form])
        writer.add_tensor(form, stored, raw_dtype=Q[form])
        tensors[form] = {"dims": list(dims), "data": text(gguf.quants.dequantize(stored, Q[form]).astype(np.float32).tobytes())}
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return {"file": text(open(path, "rb").read()), "tensors": tensors}


def of_peft():
    """An adapter of two layers and a convolution, and the weights that PEFT merges it into."""
    import torch
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(0)

    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.q_proj = torch.nn.Linear(6, 4, bias=False)
            self.o_proj = torch.nn.Linear(4, 6, bias=False)
            self.conv = torch.nn.Conv2d(3, 5, 3)

        def forward(self, x):
            return self.o_proj(self.q_proj(x))

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleList([Block(), Block()])

        def forward(self, x):
            return self.layers[1](self.layers[0](x))

    weights = lambda model: {n: {"dims": list(p.shape), "data": text(p.detach().numpy().tobytes())} for n, p in model.named_parameters() if "weight" in n}
    base = Model()
    before = weights(base)
    settings = LoraConfig(r=2, lora_alpha=6, target_modules=["q_proj", "o_proj", "conv"], alpha_pattern={"layers.1.q_proj": 5}, use_rslora=True, init_lora_weights=False)
    model = get_peft_model(base, settings)
    folder = tempfile.mkdtemp()
    model.save_pretrained(folder)
    after = weights(model.merge_and_unload())
    file = open(os.path.join(folder, "adapter_model.safetensors"), "rb").read()
    return {"file": text(file), "config": json.load(open(os.path.join(folder, "adapter_config.json"))), "before": before, "after": after}


print(json.dumps({"safetensors": of_safetensors(), "gguf": of_gguf(), "peft": of_peft()}, separators=(",", ":")))

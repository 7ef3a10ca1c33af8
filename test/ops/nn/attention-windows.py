"""Runs ONNX's reference of Attention 25 and prints the cases of attention-windows.json.

  PYTHONPATH=FOLDER_OF_ONNX_1.23 python attention-windows.py > attention-windows.json
"""
import importlib.util
import json
import sys
import types

import numpy as np

# The reference imports the compiled package, of which it needs a name to inherit from.
for name, parts in {"onnx": {}, "onnx.reference": {}, "onnx.reference.op_run": {"OpRun": object}}.items():
    sys.modules[name] = types.SimpleNamespace(**parts, __path__=[])
sys.modules["onnx"].TensorProto = types.SimpleNamespace(FLOAT=1)
[folder] = [path for path in sys.path if path.endswith("onnx-suites") or path.endswith("onnx")][:1]
spec = importlib.util.spec_from_file_location("op_attention", f"{folder}/onnx/reference/ops/op_attention.py")
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

random = np.random.default_rng(25)
CASES = [
    dict(left=1),
    dict(right=1),
    dict(left=0, right=0),
    dict(left=2, right=1, mask="flags"),
    dict(left=1, causal=1),
    dict(left=1, causal=1, past=3),
    dict(left=2, right=0, past=4, mask="numbers", queries=1),
    dict(left=1, right=1, lengths=[3, 5], keys=6),
    dict(left=1, causal=1, lengths=[2, 6], keys=6, queries=2),
    dict(left=1, right=2, softcap=2.0, mode=2),
    dict(left=1, causal=1, past=2, mode=3),
    dict(left=0, right=0, queries=5, keys=2),
    dict(left=9, right=9, heads=4),
]


def case(left=-1, right=-1, causal=0, past=0, mask="", lengths=None, queries=4, keys=4, heads=2, softcap=0.0, mode=0):
    numbers = lambda *dims: random.standard_normal(dims).astype(np.float32)
    q, k, v = numbers(2, heads, queries, 3), numbers(2, 2, keys, 3), numbers(2, 2, keys, 2)
    before = [numbers(2, 2, past, 3), numbers(2, 2, past, 2)] if past else [None, None]
    shown = None
    if mask == "flags":
        shown = random.random((queries, keys + past)) < 0.7
    if mask == "numbers":
        shown = numbers(queries, keys + past)
    counts = None if lengths is None else np.array(lengths, np.int64)
    attributes = dict(is_causal=causal, softcap=softcap, qk_matmul_output_mode=mode, left_window_size=left, right_window_size=right)
    with np.errstate(invalid="ignore"):
        y, *_, scores = reference._compute_attention(q, k, v, shown, *before, counts, **attributes)
    inputs = [q, k, v, shown, *before, counts]
    wanted = [y, scores] if mode else [y]
    return {"attributes": attributes, "inputs": [text(x) for x in inputs], "outputs": [text(x) for x in wanted]}


def text(array):
    if array is None:
        return None
    data = [float(f"{x:.9g}") if np.isfinite(x) else "-inf" for x in array.astype(np.float64).ravel()]
    return {"type": {"bool": "bool", "int64": "int64"}.get(array.dtype.name, "float32"), "dims": array.shape, "data": data}


print("[\n" + ",\n".join(json.dumps(case(**c), separators=(",", ":")) for c in CASES) + "\n]")

"""Asks onnxruntime's quantiser how it rounds blocks of weights, and prints what block-methods.test.ts holds ours to.

  python witness.py blocks > blocks.json                    with onnxruntime 1.30 (pip install onnxruntime onnx onnx_ir)
  python witness.py hqq FILE < blocks.json > hqq.json       with torch; FILE is onnxruntime's matmul_nbits_quantizer.py
"""
import base64
import json
import sys

import numpy as np

K, N = 80, 6


def text(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def weights():
    """Long tails; blocks that are zero, constant, of one sign."""
    w = np.random.default_rng(7).standard_t(3, size=(K, N)).astype(np.float32)
    w[:32, 0], w[:32, 1] = 0, 0.37
    w[:32, 2], w[:32, 3] = np.abs(w[:32, 2]), -np.abs(w[:32, 3])
    return w


def by_default(w, bits, block, symmetric):
    from onnxruntime.capi import _pybind_state as native

    blocks, per_byte = -(-K // block), 8 // bits
    codes = np.zeros((N, blocks, block // per_byte), np.uint8)
    zeros = np.zeros((N, -(-blocks // per_byte)), np.uint8)
    scales = np.zeros((N, blocks), np.float32)
    getattr(native, f"quantize_matmul_{bits}bits")(codes, w, scales, zeros, block, N, K, symmetric)
    unpacked = lambda bytes: np.stack([(bytes >> (bits * i)) & (2**bits - 1) for i in range(per_byte)], -1)
    rows = lambda bytes, width: unpacked(bytes).reshape(N, -1)[:, :width]
    return rows(codes, blocks * block), scales, rows(zeros, blocks)


def blocks():
    from onnxruntime.quantization.neural_compressor import weight_only

    w = weights()
    cases = []

    def add(method, bits, block, symmetric, codes, scales, zeros):
        arrays = {"codes": text(codes.astype(np.uint8)), "scales": text(scales.astype(np.float32))}
        if not symmetric:
            arrays["zeros"] = text(zeros.astype(np.uint8))
        cases.append({"method": method, "bits": bits, "block": block, "symmetric": symmetric, **arrays})

    for bits, block in [(4, 16), (4, 32), (8, 16), (8, 32), (2, 16)]:
        padded = np.pad(w, ((0, -K % block), (0, 0))).T
        for symmetric in (False, True):
            scheme = "sym" if symmetric else "asym"
            add("rtn", bits, block, symmetric, *weight_only.quant_tensor(padded, bits, block, scheme, "uint", 1))
            add("default", bits, block, symmetric, *by_default(w, bits, block, symmetric))
        add("kquant", bits, block, False, *weight_only.quant_tensor_k_quant_cpu(padded, bits, block))
    return {"k": K, "n": N, "weight": text(w), "cases": cases}


def hqq(path):
    """Runs the class out of its file, as torch and onnxruntime need not be there together."""
    import torch

    source = open(path).read()
    body = source[source.index("class HQQWeightOnlyQuantizer") : source.index("    def quantize(self, node: NodeProto")]
    names = {"np": np}
    exec(body.replace("config: HQQWeightOnlyQuantConfig", "config"), names)
    quantizer = names["HQQWeightOnlyQuantizer"](None)
    found = json.load(sys.stdin)
    w = torch.from_numpy(np.frombuffer(base64.b64decode(found["weight"]), np.float32).reshape(K, N).copy())
    cases = []
    for bits, block in [(4, 16), (4, 32), (8, 32), (2, 16)]:
        codes, scales, zeros = (t.numpy() for t in quantizer.quantize_internal(w.T, bits=bits, group_size=block))
        arrays = {"codes": text(codes.astype(np.uint8)), "scales": text(scales), "zeros": text(zeros)}
        cases.append({"method": "hqq", "bits": bits, "block": block, "symmetric": False, **arrays})
    return {**found, "cases": cases}


made = blocks() if sys.argv[1] == "blocks" else hqq(sys.argv[2])
head = {name: value for name, value in made.items() if name != "cases"}
lines = ",\n".join(json.dumps(case) for case in made["cases"])
print(json.dumps({**head, "cases": []}).replace("[]", f"[\n{lines}\n]"))

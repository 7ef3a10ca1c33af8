"""Asks onnxruntime's quantiser how it rounds blocks of weights, and prints what block-methods.test.ts holds ours to.

  python witness.py blocks > blocks.json                    with onnxruntime 1.30 (pip install onnxruntime onnx onnx_ir)
  python witness.py hqq FILE < blocks.json > hqq.json       with torch; FILE is onnxruntime's matmul_nbits_quantizer.py
  python witness.py dynamic MODELS > dynamic.json           with onnxruntime; MODELS is the folder of shared models
  python witness.py static MODELS > static.json             the same
  python witness.py ranges > ranges.json                    with onnxruntime: what its calibrators make of arrays
"""
import base64
import contextlib
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


def operators():
    """onnxruntime's own operators, and a Gemm whose weights are transposed, as a model in bytes."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(3)
    wide, vocabulary = 16, 24
    made = lambda *dims: rng.standard_normal(dims).astype(np.float32)
    weights = {
        "words": made(vocabulary, wide), "positions": made(8, wide), "gamma": made(wide), "beta": made(wide),
        "projections": made(wide, 3 * wide), "bias": made(3 * wide), "w": made(12, wide), "c": made(12),
    }
    nodes = [
        helper.make_node("EmbedLayerNormalization", ["ids", "", "words", "positions", "", "gamma", "beta"],
                         ["embedded", ""], domain="com.microsoft", epsilon=1e-5),
        helper.make_node("Attention", ["embedded", "projections", "bias"], ["attended"], domain="com.microsoft", num_heads=2),
        helper.make_node("Reshape", ["attended", "rows"], ["flat"]),
        helper.make_node("Gemm", ["flat", "w", "c"], ["y"], transB=1),
    ]
    constants = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    constants.append(numpy_helper.from_array(np.array([-1, wide]), "rows"))
    graph = helper.make_graph(
        nodes, "operators", [helper.make_tensor_value_info("ids", TensorProto.INT32, [1, 6])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [6, 12])], constants,
        value_info=[helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 6, wide]) for name in ("embedded", "attended")],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def digest(tensor):
    from hashlib import sha256

    import onnx

    array = onnx.numpy_helper.to_array(tensor)
    head = f"{array.dtype} {','.join(map(str, array.shape))} ".encode()
    return sha256(head + array.tobytes()).hexdigest()[:8]


def dynamic(folder):
    """Digests of all that quantize_dynamic made of weights: integers, scales, zero points."""
    import pathlib
    import tempfile

    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    cases = []
    own = operators()
    names = ["", "bert_mini", "digits_cnn_trained", "gpt_mini", "gru", "lstm", "mobilenet_v2", "vit_tiny6"]
    with tempfile.TemporaryDirectory() as temporary:
        source, target = pathlib.Path(temporary, "source.onnx"), pathlib.Path(temporary, "target.onnx")
        for name in names:
            source.write_bytes(pathlib.Path(folder, name, "model.onnx").read_bytes() if name else own)
            for kind, per_channel, reduced in [("int8", False, False), ("int8", True, True), ("uint8", True, False), ("uint8", False, True)]:
                weights = QuantType.QInt8 if kind == "int8" else QuantType.QUInt8
                options = {"DefaultTensorType": onnx.TensorProto.FLOAT}
                quantize_dynamic(source, target, weight_type=weights, per_channel=per_channel, reduce_range=reduced, extra_options=options)
                made = [t for t in onnx.load(target).graph.initializer if t.name.endswith(("_quantized", "_scale", "_zero_point"))]
                found = " ".join(sorted(map(digest, made)))
                cases.append({"model": name, "weightType": kind, "perChannel": per_channel, "reduceRange": reduced, "tensors": found})
    return {"operators": base64.b64encode(own).decode(), "cases": cases}


def given_range(name):
    """Any range, by the name of a value."""
    from zlib import crc32

    seed = crc32(name.encode())
    return np.float32(-(1 + (seed & 65535) / 65536)), np.float32(1 + (seed >> 16) / 65536)


def told(node, constants):
    """A digest of an operator with all that is constant about it."""
    from hashlib import sha256

    from onnx import numpy_helper

    told = sha256(node.op_type.encode())
    for name in node.input:
        array = numpy_helper.to_array(constants[name]) if name in constants else None
        if array is None:
            told.update(b" -")
            continue
        entries = array.astype(np.int8) if array.dtype.name.endswith("int4") else array
        told.update(f" {array.dtype} ".encode() + entries.tobytes())
    return told.hexdigest()[:6]


STATIC = {
    "QDQ": ["bert_mini", "digits_cnn_trained", "mobilenet_v2", "squeezenet1_1", "unet_small", "vit_tiny6"],
    "QOperator": ["bert_mini", "digits_cnn_trained", "gpt_mini", "lstm", "mobilenet_v2", "unet_small"],
}

#: Options by our names.
LAYINGS = [
    {},
    {"perChannel": True, "activationType": "int8"},
    {"perChannel": True, "weightType": "uint8", "reduceRange": True},
    {"activationType": "uint16", "weightType": "int16", "symmetricActivations": True},
    {"weightType": "int4", "perChannel": True, "reduceRange": True},
    {"weightType": "uint4", "force": True, "quantizeBias": False, "keepActivations": True},
]


def static(folder):
    """Digests of operators on integers, and between integers and floats, with their constants."""
    import pathlib
    import tempfile

    import onnx
    from onnxruntime.quantization import CalibrationMethod, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.calibrate import TensorData, TensorsData, save_tensors_data
    from onnxruntime.quantization.quant_utils import load_model_with_shape_infer

    types = {"int8": "QInt8", "uint8": "QUInt8", "int16": "QInt16", "uint16": "QUInt16", "int4": "QInt4", "uint4": "QUInt4"}
    extras = {"symmetricActivations": "ActivationSymmetric", "force": "ForceQuantizeNoInputCheck",
              "quantizeBias": "QuantizeBias", "keepActivations": "QDQKeepRemovableActivations"}
    small = ["digits_cnn_trained", "unet_small"]
    cases = []
    for form, names in STATIC.items():
        for name in names:
            layings = LAYINGS if name in small else LAYINGS[:2]
            for laying in layings if form == "QDQ" else layings[:3]:
                with tempfile.TemporaryDirectory() as temporary:
                    target, cache = pathlib.Path(temporary, "target.onnx"), pathlib.Path(temporary, "ranges.json")
                    source = pathlib.Path(temporary, "source.onnx")
                    source.write_bytes(pathlib.Path(folder, name, "model.onnx").read_bytes())
                    graph = load_model_with_shape_infer(source).graph
                    values = [v for v in [*graph.value_info, *graph.input, *graph.output] if v.type.tensor_type.elem_type == 1]
                    ends = {v.name: given_range(v.name) for v in values}
                    ranges = {v: TensorData(lowest=np.array(a), highest=np.array(b)) for v, (a, b) in ends.items()}
                    save_tensors_data(TensorsData(CalibrationMethod.MinMax, ranges), cache)
                    quantize_static(
                        source, target, None, quant_format=QuantFormat[form], per_channel=laying.get("perChannel", False),
                        activation_type=QuantType[types[laying.get("activationType", "uint8")]],
                        weight_type=QuantType[types[laying.get("weightType", "int8")]],
                        reduce_range=laying.get("reduceRange", False), calibration_cache_path=cache,
                        extra_options={theirs: laying[ours] for ours, theirs in extras.items() if ours in laying},
                    )
                    graph = onnx.load(target).graph
                    constants = {t.name: t for t in graph.initializer}
                    made = [n for n in graph.node if n.op_type.startswith(("Q", "Dequantize"))]
                    found = " ".join(sorted(told(n, constants) for n in made))
                    cases.append({"model": name, "options": {"format": form, **laying}, "operators": found})
    return {"cases": cases}


def heavy_tails(count, seed):
    """Ninth powers of what is even between -2 and 2, by a generator that is easily written down."""
    numbers, state = np.zeros(count, np.float32), seed
    for i in range(count):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        numbers[i] = (state - ((state >> 31) << 32)) / 2**30
    cubes = numbers * numbers * numbers
    return cubes * cubes * cubes


def ranges():
    """What calibrators make of three samples, positive numbers alone in one of the values."""
    from onnxruntime.quantization.calibrate import HistogramCollector

    samples = [heavy_tails(3000, seed) for seed in (1, 2, 3)]
    values = {"x": samples, "sizes": [np.abs(sample) for sample in samples]}
    cases = []
    for options in [
        {"method": "entropy", "bins": 128},
        {"method": "entropy", "bins": 512},
        {"method": "entropy", "bins": 512, "levels": 64},
        {"method": "percentile", "percentile": 99, "symmetric": True},
        {"method": "percentile", "percentile": 99.9, "symmetric": False},
        {"method": "percentile", "percentile": 90, "symmetric": False, "bins": 100},
    ]:
        collector = HistogramCollector(
            options["method"], options.get("symmetric", False), options.get("bins", 2048), options.get("levels", 128),
            options.get("percentile", 99.999), "same",
        )
        collector.collect(values)
        found = {name: [float(end) for end in ends[:2]] for name, ends in collector.compute_collection_result().items()}
        cases.append({"options": options, "ranges": found})
    return {"cases": cases}


MODES = {"blocks": blocks, "hqq": hqq, "dynamic": dynamic, "static": static, "ranges": ranges}
with contextlib.redirect_stdout(sys.stderr):
    made = MODES[sys.argv[1]](*sys.argv[2:])
head = {name: value for name, value in made.items() if name != "cases"}
lines = ",\n".join(json.dumps(case) for case in made["cases"])
print(json.dumps({**head, "cases": []}).replace("[]", f"[\n{lines}\n]"))

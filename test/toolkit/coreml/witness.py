"""Holds packages that toCoreML has written to coremltools, and to what onnxruntime makes of the ONNX models.

  python witness.py FOLDER                        NAME.mlpackage beside NAME.onnx, as write-cases.ts writes them
  python witness.py signatures > signatures.json  what operations take, which package.test.ts holds all packages to

coremltools (its Python sources with the messages of mlmodel/format compiled by protoc; no macOS) reads each program as its own
MIL: names, constants and types of inputs of every operation are checked, and types of results are inferred and compared with those
written. Then the operations are done one after the other by torch, as MIL's documentation describes them, on the same inputs.
"""
import os
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F
from coremltools import proto
from coremltools.converters.mil.frontend.milproto import load as milproto
from coremltools.converters.mil.mil import types


class BlobReader:
    """What libmilstoragepython does, by StorageFormat.hpp."""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        count, version = struct.unpack("<II", self.data[:8])
        assert version == 2 and len(self.data) % 64 == 0, (count, version)

    def read_float_data(self, offset):
        sentinel, kind, size, begin = struct.unpack("<IIQQ", self.data[offset : offset + 24])
        assert sentinel == 0xDEADBEEF and kind == 2 and offset % 64 == 0 and begin % 64 == 0, offset
        return np.frombuffer(self.data[begin : begin + size], np.float32)


milproto.BlobReader = BlobReader


def program_of(package):
    model = proto.Model_pb2.Model()
    model.ParseFromString(open(f"{package}/Data/com.apple.CoreML/model.mlmodel", "rb").read())
    assert model.specificationVersion == 6
    program = milproto.load_mil_proto(model.mlProgram, 6, f"{package}/Data/com.apple.CoreML/weights")
    return model, program


def check_types(model, program):
    """What coremltools infers is what is written."""
    block = model.mlProgram.functions["main"].block_specializations["CoreML5"]
    written = {o.name: o.type.tensorType for op in block.operations for o in op.outputs}
    kinds = {types.fp32: 11, types.int32: 23, types.bool: 1, types.str: 2}
    for op in program.functions["main"].operations:
        for var in op.outputs:
            if var.name not in written:
                continue
            dims = [d.constant.size for d in written[var.name].dimensions]
            assert list(var.shape) == dims, (op.op_type, var.name, var.shape, dims)
            assert kinds[var.dtype] == written[var.name].dataType, (op.op_type, var.name, var.dtype)
    assert [o.name for o in program.functions["main"].outputs] == [o.name for o in model.description.output]


def padded(x, pad, value):
    """Before and behind, axis by axis, the last axes of all."""
    pairs = [tuple(pad[i : i + 2]) for i in range(0, len(pad), 2)]
    return F.pad(x, [n for pair in reversed(pairs) for n in pair], value=value)


def conv(x, weight, strides, pad, dilations, groups, bias=None, pad_type=None):
    f = {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}[x.ndim]
    return f(padded(x, list(pad), 0), weight, bias, tuple(strides), 0, tuple(dilations), int(groups))


def conv_transpose(x, weight, strides, pad, dilations, groups, bias=None, pad_type=None):
    f = {3: F.conv_transpose1d, 4: F.conv_transpose2d}[x.ndim]
    y = f(x, weight, bias, tuple(strides), 0, 0, int(groups), tuple(dilations))
    for axis in range(x.ndim - 2):
        before, behind = int(pad[2 * axis]), int(pad[2 * axis + 1])
        y = y.narrow(axis + 2, before, y.shape[axis + 2] - before - behind)
    return y


def windows(x, kernel, strides, pad, value):
    x = padded(x, list(pad), value)
    for i, (k, s) in enumerate(zip(kernel, strides)):
        x = x.unfold(i + 2, int(k), int(s))
    return x.flatten(-len(kernel))


def max_pool(x, kernel_sizes, strides, pad, pad_type=None):
    return windows(x, kernel_sizes, strides, pad, -np.inf).max(-1).values


def avg_pool(x, kernel_sizes, strides, pad, exclude_padding_from_average, pad_type=None):
    sums = windows(x, kernel_sizes, strides, pad, 0).sum(-1)
    ones = torch.ones_like(x) if exclude_padding_from_average else padded(torch.ones_like(x), list(pad), 1)
    counted = windows(ones, kernel_sizes, strides, pad if exclude_padding_from_average else [0] * len(pad), 0).sum(-1)
    return sums / counted


def slice_by_index(x, begin, end, stride, end_mask):
    index = []
    for b, e, s, masked in zip(begin, end, stride, end_mask):
        index.append(slice(int(b), None if masked else int(e), int(s)))
    return torch.from_numpy(x.numpy()[tuple(index)].copy())


def resize_bilinear(x, target_size_height, target_size_width, sampling_mode):
    return F.interpolate(x, (int(target_size_height), int(target_size_width)), mode="bilinear", align_corners=sampling_mode == "STRICT_ALIGN_CORNERS")


def reduction(f):
    return lambda x, axes, keep_dims: f(x, tuple(int(a) for a in axes), bool(keep_dims))


def pad(x, pad, mode, constant_val):
    if mode == "constant":
        return padded(x, list(pad), float(constant_val))
    whole = [0] * (4 - len(pad)) + list(pad)
    return torch.from_numpy(np.pad(x.numpy(), [(0, 0)] * (x.ndim - 2) + [tuple(whole[:2]), tuple(whole[2:])], {"reflect": "reflect", "replicate": "edge"}[mode]))


def over_channels(x, v):
    return v.reshape([1, -1] + [1] * (x.ndim - 2))


def instance_norm(x, gamma, beta, epsilon):
    axes = tuple(range(2, x.ndim))
    return (x - x.mean(axes, True)) / torch.sqrt(x.var(axes, False, keepdim=True) + epsilon) * over_channels(x, gamma) + over_channels(x, beta)


def pow_(x, y):
    return torch.pow(x, y)


DTYPES = {"fp32": torch.float32, "int32": torch.int32, "bool": torch.bool}
BINARY = dict(add=torch.add, sub=torch.sub, mul=torch.mul, real_div=torch.div, pow=pow_, equal=torch.eq, greater=torch.gt, greater_equal=torch.ge, less=torch.lt, less_equal=torch.le, logical_and=torch.logical_and, logical_or=torch.logical_or, logical_xor=torch.logical_xor, maximum=torch.maximum, minimum=torch.minimum)
UNARY = {name: getattr(torch, name) for name in "relu sigmoid tanh exp sqrt abs floor ceil round erf sin cos tan asin acos atan sinh cosh atanh sign".split()}
OPERATIONS = {
    **{name: (lambda f: lambda x, y: f(x, y))(f) for name, f in BINARY.items()},
    **{name: (lambda f: lambda x: f(x))(f) for name, f in UNARY.items()},
    "identity": lambda x: x,
    "logical_not": lambda x: ~x,
    "log": lambda x, epsilon: torch.log(x + epsilon),
    "inverse": lambda x, epsilon: 1 / (x + epsilon),
    "softplus": lambda x: F.softplus(x),
    "softsign": lambda x: F.softsign(x),
    "leaky_relu": lambda x, alpha: F.leaky_relu(x, float(alpha)),
    "elu": lambda x, alpha: F.elu(x, float(alpha)),
    "thresholded_relu": lambda x, alpha: torch.where(x > alpha, x, torch.zeros_like(x)),
    "sigmoid_hard": lambda x, alpha, beta: torch.clip(alpha * x + beta, 0, 1),
    "prelu": lambda x, alpha: torch.where(x > 0, x, x * over_channels(x, alpha)),
    "gelu": lambda x, mode: F.gelu(x, approximate="none" if mode == "EXACT" else "tanh"),
    "clip": lambda x, alpha, beta: torch.clip(x, float(alpha), float(beta)),
    "select": lambda cond, a, b: torch.where(cond, a, b),
    "cast": lambda x, dtype: x.to(DTYPES[dtype]),
    "conv": conv,
    "conv_transpose": conv_transpose,
    "max_pool": max_pool,
    "avg_pool": avg_pool,
    "matmul": lambda x, y, transpose_x, transpose_y: (x.mT if transpose_x else x) @ (y.mT if transpose_y else y),
    "batch_norm": lambda x, mean, variance, gamma, beta, epsilon: F.batch_norm(x, mean, variance, gamma, beta, eps=float(epsilon)),
    "instance_norm": instance_norm,
    "layer_norm": lambda x, axes, gamma, epsilon, beta=None: F.layer_norm(x, [x.shape[a] for a in axes], gamma, beta, float(epsilon)),
    "local_response_norm": lambda x, size, alpha, beta, k: F.local_response_norm(x, int(size), float(alpha), float(beta), float(k)),
    "softmax": lambda x, axis: torch.softmax(x, int(axis)),
    "reshape": lambda x, shape: x.reshape([int(s) for s in shape]),
    "transpose": lambda x, perm: x.permute([int(p) for p in perm]),
    "concat": lambda values, axis, interleave: torch.cat(values, int(axis)),
    "split": lambda x, split_sizes, axis: torch.split(x, [int(s) for s in split_sizes], int(axis)),
    "slice_by_index": slice_by_index,
    "gather": lambda x, indices, axis: torch.from_numpy(np.take(x.numpy(), indices.numpy(), int(axis))),
    "tile": lambda x, reps: x.repeat([int(r) for r in reps]),
    "pad": pad,
    "cumsum": lambda x, axis, exclusive, reverse: cumsum(x, int(axis), exclusive, reverse),
    "depth_to_space": lambda x, block_size: depth_to_space(x, int(block_size)),
    "space_to_depth": lambda x, block_size: space_to_depth(x, int(block_size)),
    "pixel_shuffle": lambda x, upscale_factor: F.pixel_shuffle(x, int(upscale_factor)),
    "resize_bilinear": resize_bilinear,
    "upsample_nearest_neighbor": lambda x, scale_factor_height, scale_factor_width: x.repeat_interleave(int(scale_factor_height), 2).repeat_interleave(int(scale_factor_width), 3),
    "reduce_mean": reduction(lambda x, a, k: x.mean(a, k)),
    "reduce_sum": reduction(lambda x, a, k: x.sum(a, k, dtype=x.dtype)),
    "reduce_max": reduction(lambda x, a, k: x.amax(a, k)),
    "reduce_min": reduction(lambda x, a, k: x.amin(a, k)),
    "reduce_prod": reduction(lambda x, a, k: torch.from_numpy(np.prod(x.numpy(), axis=a, keepdims=k, dtype=x.numpy().dtype))),
    "reduce_l1_norm": reduction(lambda x, a, k: x.abs().sum(a, k)),
    "reduce_l2_norm": reduction(lambda x, a, k: (x * x).sum(a, k).sqrt()),
    "reduce_sum_square": reduction(lambda x, a, k: (x * x).sum(a, k)),
    "reduce_log_sum": reduction(lambda x, a, k: x.sum(a, k).log()),
    "reduce_log_sum_exp": reduction(lambda x, a, k: x.logsumexp(a, k)),
    "reduce_argmax": lambda x, axis, keep_dims: torch.from_numpy(np.argmax(x.numpy(), int(axis), keepdims=bool(keep_dims)).astype(np.int32)),
    "reduce_argmin": lambda x, axis, keep_dims: torch.from_numpy(np.argmin(x.numpy(), int(axis), keepdims=bool(keep_dims)).astype(np.int32)),
}


def cumsum(x, axis, exclusive, reverse):
    x = x.flip(axis) if reverse else x
    y = torch.cumsum(x, axis, dtype=x.dtype)
    y = y - x if exclusive else y
    return y.flip(axis) if reverse else y


def depth_to_space(x, b):
    n, c, h, w = x.shape
    return x.reshape(n, b, b, c // b**2, h, w).permute(0, 3, 4, 1, 5, 2).reshape(n, c // b**2, h * b, w * b)


def space_to_depth(x, b):
    n, c, h, w = x.shape
    return x.reshape(n, c, h // b, b, w // b, b).permute(0, 3, 5, 1, 2, 4).reshape(n, c * b**2, h // b, w // b)


def run(model, weights, feeds):
    """The operations as they are written, one after the other."""
    values = dict(feeds)
    reader = BlobReader(f"{weights}/weight.bin")
    block = model.mlProgram.functions["main"].block_specializations["CoreML5"]
    for op in block.operations:
        if op.type == "const":
            values[op.outputs[0].name] = constant(op.attributes["val"], reader)
            continue
        inputs = {}
        for name, argument in op.inputs.items():
            given = [values[binding.name] for binding in argument.arguments]
            inputs[name] = given if name == "values" else given[0]
        results = OPERATIONS[op.type](**inputs)
        for output, result in zip(op.outputs, results if isinstance(results, (tuple, list)) else [results]):
            values[output.name] = result
    return [values[o.name] for o in model.description.output]


def constant(value, reader):
    tensor = value.type.tensorType
    dims = [d.constant.size for d in tensor.dimensions]
    if value.WhichOneof("value") == "blobFileValue":
        return torch.from_numpy(reader.read_float_data(value.blobFileValue.offset).reshape(dims).copy())
    held = value.immediateValue.tensor
    if tensor.dataType == 2:
        return held.strings.values[0]
    kind, field = {11: (torch.float32, held.floats), 23: (torch.int32, held.ints), 1: (torch.bool, held.bools)}[tensor.dataType]
    return torch.tensor(list(field.values), dtype=kind).reshape(dims)


def given(model, path):
    """Feeds of the ONNX model and of the program, in the order of its inputs."""
    import onnx

    random = np.random.default_rng(1)
    constants = {t.name for t in onnx.load(path, load_external_data=False).graph.initializer}
    infos = [i for i in onnx.load(path, load_external_data=False).graph.input if i.name not in constants]
    feeds, own = {}, {}
    for info, feature in zip(infos, model.description.input, strict=True):
        array = feature.type.multiArrayType
        if array.dataType == 65568:
            x = random.standard_normal(array.shape).astype(np.float32)
        else:
            x = random.integers(0, 2, array.shape).astype(np.int32)
        kind = onnx.helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type)
        feeds[info.name], own[feature.name] = x.astype(kind), torch.from_numpy(x)
    return feeds, own


def main(folder):
    for package in sorted(name for name in os.listdir(folder) if name.endswith(".mlpackage")):
        try:
            print(package, judged(folder, package))
        except Exception as error:
            print(package, "WRONG:", type(error).__name__, error)


def judged(folder, package):
    import onnxruntime

    model, program = program_of(f"{folder}/{package}")
    check_types(model, program)
    path = f"{folder}/{package[:-10]}.onnx"
    feeds, own = given(model, path)
    expected = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, feeds)
    found = run(model, f"{folder}/{package}/Data/com.apple.CoreML/weights", own)
    apart = 0.0
    for e, f in zip(expected, found, strict=True):
        assert e.shape == tuple(f.shape), (package, e.shape, f.shape)
        difference = np.abs(e.astype(np.float64) - f.numpy().astype(np.float64))
        apart = max(apart, float(np.nanmax(difference, initial=0)) / max(1.0, float(np.abs(e.astype(np.float64)).max(initial=0))))
    assert apart < 1e-5, apart
    return f"{len(program.functions['main'].operations)} operations, apart by {apart:.1e}"


def signatures():
    """For each operation its inputs, by name: types, and whether they must be constants and may be left out."""
    import json

    from coremltools.converters.mil.mil.ops.registry import SSAOpRegistry

    found = {}
    for name in sorted(OPERATIONS):
        versions = SSAOpRegistry.core_ops[name]
        op = versions[min(versions)]
        inputs = {}
        for own, spec in op.input_spec.input_types.items():
            domain = getattr(spec, "type_domain", None) or op.type_domains.get(getattr(spec, "type_domain_id", None))
            kinds = sorted({types.builtin_to_string(t) for t in domain} & {"fp32", "int32", "bool", "string", "str"}) if domain else None
            inputs[own] = {"types": kinds, "const": bool(spec.const), "optional": bool(spec.optional)}
        found[name] = inputs
    print(json.dumps(found))


signatures() if sys.argv[1] == "signatures" else main(sys.argv[1])

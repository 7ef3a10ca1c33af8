"""Writes float32 tensors as safetensors: the length of a JSON header, the header, the data."""

import json
import struct

import torch


def save_weights(tensors, path):
    header, parts, at = {}, [], 0
    for name, tensor in tensors.items():
        data = tensor.detach().float().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


def load_weights(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = bytearray(file.read())
    return {
        name: torch.frombuffer(data, dtype=torch.float32, count=(to - start) // 4, offset=start).view(entry["shape"])
        for name, entry in header.items()
        for start, to in [entry["data_offsets"]]
    }

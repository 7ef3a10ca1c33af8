"""Writes logs as PyTorch, TensorBoard's summaries and VisualDL do, and expected.json, what was logged.
usage: VISUALDL=CHECKOUT python write.py
with torch, tensorboard 2.21.0, numpy, pillow, and https://github.com/PaddlePaddle/VisualDL at 2c25994 in CHECKOUT"""
import json
import os
import shutil
import sys
import types

import numpy as np

np.float = float  # which VisualDL still calls so
here = os.path.dirname(os.path.abspath(__file__))
place = lambda name: os.path.join(here, name)  # noqa: E731
random = np.random.RandomState(7)
WALL = 1700000000.5
STEPS = [0, 1, 2, 300, 70000]

losses = [float(np.float32(x)) for x in [2.5, 0.1, -3e-5, 1e30, 0]]
weights = [random.randn(200) * (1 + step) for step in range(3)]
pixels = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3) * 4
labels = random.rand(50) > 0.4
predictions = np.clip(labels * 0.3 + random.rand(50) * 0.7, 0, 1)
sound = np.sin(np.arange(80) / 5).astype(np.float32)
vectors = random.randn(6, 4).astype(np.float32)
names = ["a", "b", "c", "d", "e", "f"]
HPARAMS = {"rate": 0.01, "optimizer": "adam", "layers": 3}

expected = {
    "wall": WALL,
    "steps": STEPS,
    "losses": losses,
    "weights": [{"count": len(w), "least": float(w.min()), "largest": float(w.max())} for w in weights],
    "picture": {"width": 5, "height": 4, "pixels": pixels.reshape(-1).tolist()},
    "text": "**bold** <script>alert(1)</script> ä",
    "hparams": HPARAMS,
    "labels": names,
    "vectors": vectors.reshape(-1).tolist(),
}


def write_torch():
    from torch.utils.tensorboard import SummaryWriter

    folder = place("torch")
    shutil.rmtree(folder, ignore_errors=True)
    with SummaryWriter(folder) as writer:
        for step, loss in zip(STEPS, losses):
            writer.add_scalar("loss", loss, step, WALL)
            writer.add_scalar("loss/tensor", loss, step, WALL, new_style=True)
            writer.add_scalar("loss/double", loss, step, WALL, new_style=True, double_precision=True)
        for step, values in enumerate(weights):
            writer.add_histogram_raw("weights", *raw_histogram(values), step, walltime=WALL)
        writer.add_image("picture", pixels, 3, WALL, dataformats="HWC")
        writer.add_text("note", expected["text"], 4, WALL)
        writer.add_pr_curve("curve", labels, predictions, 5, num_thresholds=11, walltime=WALL)
        writer.add_audio("sound", sound, 6, 8000, WALL)
        writer.add_hparams(HPARAMS, {"accuracy": 0.75}, run_name="tuned")
    gather(folder, "torch.tfevents")
    gather(os.path.join(folder, "tuned"), "torch-tuned.tfevents")
    shutil.rmtree(folder)


def raw_histogram(values):
    """As TensorFlow's C++: the last bucket reaches as far as numbers go, the first is empty."""
    counts, edges = np.histogram(values, bins=20)
    limits = [*edges[:-1].tolist(), sys.float_info.max]
    sums = [len(values), values.sum(), (values * values).sum()]
    return [values.min(), values.max(), *sums, limits, [0, *counts.tolist()]]


def gather(folder, name):
    [found] = [file for file in os.listdir(folder) if "tfevents" in file]
    shutil.copy(os.path.join(folder, found), place(name))


def write_tensors():
    """As TensorFlow 2 does: tensors of which the first of a tag alone says what it is."""
    from tensorboard.compat.proto import event_pb2, summary_pb2, tensor_pb2, tensor_shape_pb2, types_pb2
    from tensorboard.plugins.histogram import summary_v2 as histogram
    from tensorboard.plugins.hparams import summary_v2 as hparams
    from tensorboard.plugins.image import metadata as image
    from tensorboard.plugins.pr_curve import metadata as pr_curve
    from tensorboard.plugins.scalar import summary_v2 as scalar
    from tensorboard.plugins.text import summary_v2 as text
    from tensorboard.summary.writer.record_writer import RecordWriter

    dim = tensor_shape_pb2.TensorShapeProto.Dim
    file = open(place("tensors.tfevents"), "wb")
    records = RecordWriter(file)
    records.write(event_pb2.Event(wall_time=WALL, file_version="brain.Event:2").SerializeToString())
    seen = set()

    def write(step, summary):
        for value in summary.value:
            if value.tag in seen:
                value.ClearField("metadata")
            seen.add(value.tag)
        records.write(event_pb2.Event(wall_time=WALL, step=step, summary=summary).SerializeToString())

    def otherwise(summary):
        """The elements in `tensor_content` if they were listed, and the other way around."""
        [value] = summary.value
        tensor = value.tensor
        listed = {types_pb2.DT_FLOAT: tensor.float_val, types_pb2.DT_DOUBLE: tensor.double_val}[tensor.dtype]
        number = tensor_types[tensor.dtype]
        if tensor.tensor_content:
            listed.extend(np.frombuffer(tensor.tensor_content, number).tolist())
            tensor.ClearField("tensor_content")
        else:
            tensor.tensor_content = np.array(listed, number).tobytes()
            del listed[:]
        return summary

    tensor_types = {types_pb2.DT_FLOAT: np.float32, types_pb2.DT_DOUBLE: np.float64}
    for step, loss in zip(STEPS, losses):
        write(step, scalar.scalar_pb("loss", loss))
        write(step, otherwise(scalar.scalar_pb("loss/otherwise", loss)))
    for step, values in enumerate(weights):
        write(step, histogram.histogram_pb("weights", values))
        write(step, otherwise(histogram.histogram_pb("weights/otherwise", values)))
    shape = tensor_shape_pb2.TensorShapeProto(dim=[dim(size=3)])
    picture = tensor_pb2.TensorProto(dtype=types_pb2.DT_STRING, tensor_shape=shape, string_val=[b"5", b"4", png()])
    about = image.create_summary_metadata(display_name=None, description=None)
    write(3, summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag="picture", metadata=about, tensor=picture)]))
    write(4, text.text_pb("note", expected["text"]))
    write(0, hparams.hparams_pb({**HPARAMS, "bias": True}, start_time_secs=WALL))
    metrics = [hparams.Metric("loss")]
    write(0, hparams.hparams_config_pb([hparams.HParam("rate")], metrics, time_created_secs=WALL))
    records.write(event_pb2.Event(wall_time=WALL, graph_def=b"\x0a\x00").SerializeToString())
    records.flush()
    file.close()


def png():
    import io

    from PIL import Image

    written = io.BytesIO()
    Image.fromarray(pixels).save(written, "PNG")
    return written.getvalue()


def write_visualdl():
    """By VisualDL's own components and record writer, without the package that starts its server."""
    checkout = os.environ["VISUALDL"]
    package = types.ModuleType("visualdl")
    package.__path__ = [os.path.join(checkout, "visualdl")]
    sys.modules["visualdl"] = package
    sys.modules["visualdl.io"] = types.ModuleType("visualdl.io")
    sys.modules["visualdl.io"].bfile = None
    from visualdl.component import base_component as of
    from visualdl.writer.record_writer import RecordWriter

    milliseconds = round(WALL * 1000)
    file = open(place("vdlrecords.1700000000.log"), "wb")
    records = RecordWriter(file)
    write = lambda record: records.write(record.SerializeToString())  # noqa: E731
    write(of.meta_data(display_name="by VisualDL", walltime=milliseconds))
    for step, loss in zip(STEPS, losses):
        write(of.scalar("loss", loss, step, milliseconds))
        for record in of.scalars("several", {"one": loss, "two": 1}, step, milliseconds):
            write(record)
    for step, values in enumerate(weights):
        counts, edges = np.histogram(values, bins=10)
        write(of.histogram("weights", counts, edges, step, milliseconds))
    write(of.image("picture", pixels, 3, milliseconds))
    write(of.text("note", expected["text"], 4, milliseconds))
    write(of.pr_curve("curve", labels, predictions, 5, milliseconds, num_thresholds=11))
    write(of.roc_curve("roc", labels, predictions, 5, milliseconds, num_thresholds=11))
    write(of.audio("sound", sound, 8000, 6, milliseconds))
    write(of.hparam("run", HPARAMS, ["loss"], milliseconds))
    write(of.embedding("words", names, vectors, 0, walltime=milliseconds))
    file.close()


def curve():
    """Precision and recall by counting, threshold by threshold."""
    buckets = np.floor(predictions * 10)
    taken = buckets >= np.arange(11)[:, None]
    tp, fp, fn = (taken & labels).sum(1), (taken & ~labels).sum(1), (~taken & labels).sum(1)
    precision, recall, false_rate = tp / np.maximum(tp + fp, 1e-7), tp / (tp + fn), fp / (~labels).sum()
    return {"precision": precision.tolist(), "recall": recall.tolist(), "falseRate": false_rate.tolist()}


expected["curve"] = curve()
write_torch()
write_tensors()
write_visualdl()
json.dump(expected, open(place("expected.json"), "w"))

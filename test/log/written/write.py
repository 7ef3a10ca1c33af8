"""Writes log.tfevents, what TensorBoard's own messages and record writer make of values.json.
usage: python write.py   with tensorboard 2.21.0, numpy and pillow"""
import base64
import json
import os

import numpy as np

from tensorboard.compat.proto import event_pb2, histogram_pb2, summary_pb2, tensor_pb2, tensor_shape_pb2, types_pb2
from tensorboard.plugins.hparams import api_pb2, metadata, plugin_data_pb2
from tensorboard.plugins.pr_curve import metadata as pr_metadata
from tensorboard.plugins.text import metadata as text_metadata
from tensorboard.summary.writer.record_writer import RecordWriter
from tensorboard.util import tensor_util

here = os.path.dirname(os.path.abspath(__file__))
given = json.load(open(os.path.join(here, "values.json")))
file = open(os.path.join(here, "log.tfevents"), "wb")
records = RecordWriter(file)


def write(step, *values, wall_time=given["wallTime"]):
    event = event_pb2.Event(wall_time=wall_time, step=step, summary=summary_pb2.Summary(value=values))
    records.write(event.SerializeToString(deterministic=True))


def tensor_class(value):
    value.metadata.data_class = summary_pb2.DATA_CLASS_TENSOR
    value.metadata.display_name = ""
    return value


def histogram(values):
    counts, edges = np.histogram(values, bins=6) if len(set(values)) > 1 else ([0] * 5 + [len(values)], values[:1] * 7)
    return histogram_pb2.HistogramProto(
        min=min(values),
        max=max(values),
        num=len(values),
        sum=sum(values),
        sum_squares=sum(x * x for x in values),
        bucket_limit=edges[1:],
        bucket=counts,
    )


def text(strings):
    shape = tensor_shape_pb2.TensorShapeProto(dim=[tensor_shape_pb2.TensorShapeProto.Dim(size=len(strings))])
    content = [one.encode() for one in strings]
    return tensor_pb2.TensorProto(dtype=types_pb2.DT_STRING, tensor_shape=shape, string_val=content)


def curve(thresholds):
    labels = np.array(given["labels"], dtype=bool)
    buckets = np.floor(np.array(given["predictions"]) * (thresholds - 1))
    taken = buckets >= np.arange(thresholds)[:, None]
    tp, fp = (taken & labels).sum(1), (taken & ~labels).sum(1)
    tn, fn = (~taken & ~labels).sum(1), (~taken & labels).sum(1)
    rows = np.stack([tp, fp, tn, fn, tp / np.maximum(tp + fp, 1e-7), tp / (tp + fn)])
    return tensor_util.make_tensor_proto(rows.astype(np.float32))


def hparams(tag, **data):
    message = plugin_data_pb2.HParamsPluginData(**data)
    about = metadata.create_summary_metadata(message)
    about.plugin_data.content = message.SerializeToString(deterministic=True)
    return tensor_class(summary_pb2.Summary.Value(tag=tag, metadata=about, tensor=metadata.NULL_TENSOR))


def session_start():
    start = plugin_data_pb2.SessionStartInfo(start_time_secs=given["wallTime"])
    for name, value in given["hparams"].items():
        if isinstance(value, bool):
            start.hparams[name].bool_value = value
        elif isinstance(value, str):
            start.hparams[name].string_value = value
        else:
            start.hparams[name].number_value = value
    return start


TYPES = {bool: api_pb2.DATA_TYPE_BOOL, str: api_pb2.DATA_TYPE_STRING}
experiment = api_pb2.Experiment(
    hparam_infos=[
        api_pb2.HParamInfo(name=name, type=TYPES.get(type(value), api_pb2.DATA_TYPE_FLOAT64))
        for name, value in given["hparams"].items()
    ],
    metric_infos=[api_pb2.MetricInfo(name=api_pb2.MetricName(tag=tag)) for tag in given["metrics"]],
)

version = event_pb2.Event(wall_time=given["wallTime"], file_version="brain.Event:2")
records.write(version.SerializeToString())
write(
    0,
    hparams(metadata.EXPERIMENT_TAG, experiment=experiment),
    hparams(metadata.SESSION_START_INFO_TAG, session_start_info=session_start()),
)
for step, value in zip(given["steps"], given["scalars"]):
    write(step, summary_pb2.Summary.Value(tag="loss/test", simple_value=np.float32(value)))
write(3, summary_pb2.Summary.Value(tag="weights", histo=histogram(given["histogram"])))
write(3, summary_pb2.Summary.Value(tag="same", histo=histogram(given["same"])))
png = base64.b64decode(given["png"])
write(4, summary_pb2.Summary.Value(tag="picture", image=summary_pb2.Summary.Image(
    height=3, width=2, colorspace=3, encoded_image_string=png)))
about_text = text_metadata.create_summary_metadata(display_name=None, description=None)
write(5, tensor_class(summary_pb2.Summary.Value(tag="note", metadata=about_text, tensor=text(given["text"]))))
about_curve = pr_metadata.create_summary_metadata(display_name="", description="", num_thresholds=11)
write(6, tensor_class(summary_pb2.Summary.Value(tag="curve", metadata=about_curve, tensor=curve(11))))
end = plugin_data_pb2.SessionEndInfo(status=api_pb2.STATUS_SUCCESS, end_time_secs=given["endTime"])
write(0, hparams(metadata.SESSION_END_INFO_TAG, session_end_info=end), wall_time=given["endTime"])
records.flush()
file.close()

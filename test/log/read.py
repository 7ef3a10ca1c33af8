"""Prints as JSON what TensorBoard's EventAccumulator finds in a folder.
usage: python read.py FOLDER"""
import json
import sys

from google.protobuf.json_format import MessageToDict
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import plugin_data_pb2
from tensorboard.util import tensor_util

kinds = ["scalars", "histograms", "images", "tensors"]
found = EventAccumulator(sys.argv[1], size_guidance={kind: 0 for kind in kinds})
found.Reload()
tags = found.Tags()


def plugin(tag):
    return found.SummaryMetadata(tag).plugin_data


def hparams():
    tag = "_hparams_/session_start_info"
    if tag not in tags["tensors"]:
        return {}
    data = plugin_data_pb2.HParamsPluginData.FromString(plugin(tag).content)
    return {name: MessageToDict(value) for name, value in data.session_start_info.hparams.items()}


def texts(tag):
    return [one.decode() for one in tensor_util.make_ndarray(found.Tensors(tag)[0].tensor_proto)]


images = {tag: found.Images(tag)[0] for tag in tags["images"]}
json.dump(
    {
        "scalars": {tag: [[at.step, at.value] for at in found.Scalars(tag)] for tag in tags["scalars"]},
        "histograms": {tag: sum(found.Histograms(tag)[0].histogram_value.bucket) for tag in tags["histograms"]},
        "texts": {tag: texts(tag) for tag in tags["tensors"] if plugin(tag).plugin_name == "text"},
        "images": {tag: [image.width, image.height] for tag, image in images.items()},
        "hparams": hparams(),
    },
    sys.stdout,
)

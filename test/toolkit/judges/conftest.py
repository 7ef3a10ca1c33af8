"""ONNX's extension raises by kind: InferenceError from a full check and from the printer, ValidationError from the inliner. Its
stand-in raises ValidationError or RuntimeError for all; the judge's answers begin with the kind. pytest loads this where
PYTEST_ADDOPTS names this folder."""

import ast
import base64
import json
import pathlib

import onnx.defs
from onnx import helper
from onnx.onnx_cpp2py_export import _judge, checker, defs, inliner, printer, shape_inference

KINDS = {
    "InferenceError": shape_inference.InferenceError,
    "ValidationError": checker.ValidationError,
    "ValueError": ValueError,
}


def by_kind(check):
    def checked(*arguments, **options):
        try:
            return check(*arguments, **options)
        except (checker.ValidationError, shape_inference.InferenceError, RuntimeError) as error:
            kind = KINDS.get(str(error).split(":")[0])
            if kind is None:
                raise
            raise kind(str(error)) from None

    return checked


checker.check_model = by_kind(checker.check_model)
checker.check_model_path = by_kind(checker.check_model_path)
for name in ("model_to_text", "function_to_text", "graph_to_text", "node_to_text"):
    setattr(printer, name, by_kind(getattr(printer, name)))
for name in ("inline_local_functions", "inline_selected_functions", "inline_selected_functions2"):
    setattr(inliner, name, by_kind(getattr(inliner, name)))

shape_inference.infer_shapes = by_kind(shape_inference.infer_shapes)


@by_kind
def infer_node_outputs(schema, node, types, data, sparse, opsets, ir_version):
    """The types of one node's outputs, under the version of its operator that a schema is of."""
    answer = _judge.call(
        "infer_node_outputs",
        node=node,
        since=schema.since_version,
        input_types=types,
        input_data=data,
        opset_imports=opsets,
        ir_version=ir_version,
    )
    return {name: base64.b64decode(text) for name, text in answer.items()}


defs.OpSchema._infer_node_outputs = infer_node_outputs


def deregister_schema(name, version, domain, deregister=defs.deregister_schema):
    """The stand-in raises KeyError where nothing is registered."""
    try:
        deregister(name, version, domain)
    except KeyError as error:
        raise defs.SchemaError(str(error)) from None


onnx.defs.deregister_schema = deregister_schema


def fill_defaults(schemas):
    """The stand-in's schemas have no defaults, without which ONNX's reference evaluator cannot run a ReduceSum."""
    for entry in json.loads(schemas.read_text())["schemas"]:
        schema = onnx.defs.get_schema(entry["op"], entry["since"], entry["domain"])
        for given in entry["attributes"]:
            if "default" in given:
                attribute = helper.make_attribute(given["name"], READERS[given["type"]](given["default"]))
                schema.attributes[given["name"]]._default_value = attribute.SerializeToString()


READERS = {
    "int": int,
    "float": lambda text: float(text.strip("()")),
    "string": str,
    "list of ints": lambda text: [int(item) for item in ast.literal_eval(text)],
    "list of strings": ast.literal_eval,
}

fill_defaults(pathlib.Path(onnx.__file__).parents[2] / "onnx-schemas" / "schemas.json")

"""Writes public/operators/DOMAIN.json: what the schemas of ONNX and onnxruntime say of every version of every operator.

usage: python3 tools/operator-docs.py     (with the packages onnx and onnxruntime: 1.23.1 and 1.30.0 wrote what is there)

Texts stand once, in `texts`; everything else names them by their index.
"""
import inspect
import json
import pathlib
import sys

import onnx
import onnxruntime
from onnx.defs import OpSchema
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

OUT = pathlib.Path(__file__).parent.parent / "public" / "operators"
SOURCES = {
    "com.microsoft": f"onnxruntime {onnxruntime.__version__}, MIT",
    "": f"ONNX {onnx.__version__}, Apache-2.0",
}


class Texts(dict):
    def index(self, text):
        return self.setdefault(inspect.cleandoc(text or "").strip(), len(self))


def plain(value):
    """A default as JSON has it; None for what has no short form."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value if isinstance(value, (int, str)) else None


def default_of(attribute):
    """onnxruntime gives a default as the bytes of its message."""
    message = onnx.AttributeProto()
    if hasattr(attribute, "_default_value"):
        message.ParseFromString(attribute._default_value)
    else:
        message = attribute.default_value
    return plain(onnx.helper.get_attribute_value(message)) if message.type else None


def option_of(parameter):
    return str(parameter.option).split(".")[-1].lower()


def formals(parameters, texts):
    return [[p.name, p.typeStr if hasattr(p, "typeStr") else p.type_str, option_of(p), texts.index(p.description)] for p in parameters]


def entry(schema, texts):
    attributes = {}
    for name, attribute in sorted(schema.attributes.items()):
        kind = str(attribute.type).split(".")[-1].lower()
        told = [kind, texts.index(attribute.description)]
        default = default_of(attribute)
        attributes[name] = told + (["required"] if attribute.required else [] if default is None else ["optional", default])
    return {
        "since": schema.since_version,
        **({"deprecated": True} if schema.deprecated else {}),
        "text": texts.index(schema.doc),
        "attributes": attributes,
        "inputs": formals(schema.inputs, texts),
        "outputs": formals(schema.outputs, texts),
    }


def write(domain, schemas, source):
    texts = Texts({"": 0})
    operators = {}
    for schema in sorted(schemas, key=lambda each: (each.name, each.since_version)):
        operators.setdefault(schema.name, []).append(entry(schema, texts))
    data = {"source": source, "operators": operators, "texts": list(texts)}
    (OUT / f"{domain}.json").write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    domains = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        domains.setdefault(schema.domain or "ai.onnx", []).append(schema)
    domains["com.microsoft"] = [each for each in runtime.get_all_operator_schema() if each.domain == "com.microsoft"]
    for domain, schemas in domains.items():
        write(domain, schemas, SOURCES.get(domain, SOURCES[""]))


sys.exit(main())

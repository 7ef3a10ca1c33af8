"""ONNX's extension raises by kind: InferenceError from a full check and from the printer, ValidationError from the inliner. Its
stand-in raises ValidationError or RuntimeError for all; the judge's answers begin with the kind. pytest loads this where
PYTEST_ADDOPTS names this folder."""

from onnx.onnx_cpp2py_export import checker, inliner, printer, shape_inference

KINDS = {"InferenceError": shape_inference.InferenceError, "ValidationError": checker.ValidationError,
         "ValueError": ValueError}


def by_kind(check):
    def checked(*arguments, **options):
        try:
            return check(*arguments, **options)
        except (checker.ValidationError, RuntimeError) as error:
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

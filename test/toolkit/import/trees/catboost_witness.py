"""Writes models in the form of CatBoost's JSON, and what a plain walk in double precision makes of them.

  python catboost_witness.py > catboost.json     with numpy

CatBoost itself is not asked: fields and their meaning are those of its json_model_helpers.cpp, and the walk is that of the
appliers that it exports (apply_catboost_model.py): bit d of a leaf's place says whether the feature of split d is above its border.
"""
import json

import numpy as np

random = np.random.default_rng(11)
FLAT = [0, 2, 3]  # Feature 1 is categorical, and no split asks for it.
BORDERS = {f: sorted(set(np.round(random.standard_normal(6), 4).astype(np.float32).tolist())) for f in range(3)}
TREATMENT = ["AsIs", "AsFalse", "AsTrue"]


def split():
    feature = int(random.integers(3))
    return {"float_feature_index": feature, "border": BORDERS[feature][random.integers(len(BORDERS[feature]))], "split_index": 0, "split_type": "FloatFeature"}


def is_above(s, x):
    value = x[FLAT[s["float_feature_index"]]]
    if np.isnan(value):
        return TREATMENT[s["float_feature_index"]] == "AsTrue"
    return value > np.float32(s["border"])


def oblivious(width):
    depth = int(random.integers(0, 4))
    return {"splits": [split() for _ in range(depth)] or None, "leaf_values": random.standard_normal(width * 2**depth).tolist()}


def branching(width, depth=3):
    if depth == 0 or random.random() < 0.3:
        return {"value": random.standard_normal(width).tolist() if width > 1 else float(random.standard_normal()), "weight": 1}
    return {"split": split(), "left": branching(width, depth - 1), "right": branching(width, depth - 1)}


def leaf_of(tree, x, width):
    if "leaf_values" in tree:
        place = sum(is_above(s, x) << d for d, s in enumerate(tree["splits"] or []))
        return np.array(tree["leaf_values"][place * width : (place + 1) * width])
    while "split" in tree:
        tree = tree["right"] if is_above(tree["split"], x) else tree["left"]
    return np.atleast_1d(tree["value"])


def sigmoid(s):
    return 1 / (1 + np.exp(-s))


def softmax(s):
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


LINKS = {
    "RMSE": lambda s: s,
    "Poisson": np.exp,
    "Logloss": lambda s: np.concatenate([1 - sigmoid(s), sigmoid(s)], 1),
    "MultiClass": softmax,
    "MultiClassOneVsAll": sigmoid,
}


def case(name, loss, width, kind=oblivious, labels=None, bias=None):
    trees = [kind(width) for _ in range(5)]
    scale, bias = 0.5, bias or random.standard_normal(width).tolist()
    floats = [{"feature_index": i, "flat_feature_index": FLAT[i], "borders": BORDERS[i], "has_nans": i > 0, "feature_id": "", "nan_value_treatment": TREATMENT[i]} for i in range(3)]
    model = {
        "features_info": {"float_features": floats, "categorical_features": [{"feature_index": 0, "flat_feature_index": 1, "feature_id": ""}]},
        "model_info": {"params": {"loss_function": {"type": loss, "params": {}}}, **({"class_params": {"class_label_type": "String", "class_names": labels}} if labels else {})},
        "oblivious_trees" if kind is oblivious else "trees": trees,
        "scale_and_bias": [scale, bias],
    }
    x = random.standard_normal((40, 4)).astype(np.float32)
    for row in range(24):
        feature = row % 3
        border = np.float32(BORDERS[feature][row % len(BORDERS[feature])])
        x[row, FLAT[feature]] = [border, np.nextafter(border, np.float32(9)), np.nextafter(border, np.float32(-9))][row // 3 % 3]
    x[random.random(x.shape) < 0.1] = np.nan
    sums = np.array([scale * sum(leaf_of(t, row, width) for t in trees) for row in x]) + np.array(bias)
    y = LINKS[loss](sums)
    names = labels or list(range(y.shape[1]))
    told = {"labels": [names[i] for i in y.argmax(1)]} if loss not in ("RMSE", "Poisson") else {}
    return {"name": name, "model": model, "x": [None if np.isnan(v) else float(v) for v in x.ravel()], "width": y.shape[1], "y": [float(f"{v:.8g}") for v in y.ravel()], **told}


cases = [
    case("a number", "RMSE", 1),
    case("counts", "Poisson", 1),
    case("two classes", "Logloss", 1, labels=["no \"thanks\"", "yes"]),
    case("two classes without names", "Logloss", 1),
    case("three classes", "MultiClass", 3, labels=["a", "b", "c"]),
    case("three classes, one bias", "MultiClass", 3, bias=[0.0]),
    case("one against all", "MultiClassOneVsAll", 3),
    case("several numbers, not symmetric", "RMSE", 2, branching),
    case("two classes, not symmetric", "Logloss", 1, branching),
]
lines = ",\n".join(json.dumps(case, separators=(",", ":"), ensure_ascii=False) for case in cases)
print(f'{{"features":{4},"cases":[\n{lines}\n]}}')

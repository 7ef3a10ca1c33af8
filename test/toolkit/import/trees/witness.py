"""Trains small models by XGBoost and LightGBM and writes them down with what these libraries predict.

  python witness.py > trained.json     with xgboost 1.7 (Debian's python3-xgboost), lightgbm 4 and numpy

XGBoost and LightGBM are asked with float32 features: near thresholds, missing, zero, categories that training has not seen.
"""
import base64
import json
import re
import warnings

import lightgbm as lgb
import numpy as np
import xgboost as xgb

warnings.simplefilter("ignore")
random = np.random.default_rng(3)
ROWS, FEATURES = 160, 5


def features(rows):
    x = random.standard_normal((rows, FEATURES)).astype(np.float32)
    x[:, 3] = random.integers(0, 40, rows)
    x[random.random((rows, FEATURES)) < 0.1] = np.nan
    x[random.random((rows, FEATURES)) < 0.1] = 0
    return x


X = features(ROWS)
filled = np.nan_to_num(X)
NUMBER = filled[:, 0] * 2 - filled[:, 1] ** 2 + (filled[:, 3] % 3) + random.standard_normal(ROWS) * 0.1
COUNT = np.exp(np.clip(NUMBER / 4, -2, 2))
BINARY = (NUMBER > 0.5).astype(int)
CLASS = np.digitize(NUMBER, [0, 1.5])


def asked(thresholds):
    """New rows, some of them at thresholds and at the float32 numbers beside them."""
    x = features(44)
    for row, (feature, value) in enumerate(thresholds[:28]):
        with np.errstate(over="ignore"):
            near = np.float32(value)
        x[row, feature] = [near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf))][row % 3]
    x[31:34, 3] = [41, 1000, -1]
    x[34, :], x[35, 0], x[36, 1] = np.nan, np.inf, -np.inf
    return x


def listed(array):
    """NaN and infinities as text."""
    return [None if np.isnan(v) else "inf" if v == np.inf else "-inf" if v == -np.inf else float(v) for v in np.ravel(array).tolist()]


cases = []
STATISTICS = ["base_weights", "loss_changes", "sum_hessian", "parents", "split_gain", "leaf_weight", "leaf_count", "internal_value", "internal_weight", "internal_count"]


def without_statistics(text):
    """What no prediction depends on; the first file of each library stays whole."""
    for name in STATISTICS:
        text = re.sub(rf'"{name}":\[[^\]]*\],', "", text)
        text = re.sub(rf"\n{name}=.*", "", text)
    return text


def add(name, library, text, x, predicted, classes=False, **more):
    predicted = np.asarray(predicted, np.float64).reshape(len(x), -1)
    if classes and predicted.shape[1] == 1:
        predicted = np.concatenate([1 - predicted, predicted], 1)
    is_first = library not in [case["library"] for case in cases]
    case = dict(name=name, library=library, model=text if is_first else without_statistics(text), x=listed(x), width=predicted.shape[1], classes=classes)
    cases.append({**case, "y": [float(f"{v:.8g}") for v in predicted.ravel()], **more})


def splits_of_xgboost(booster):
    trees = json.loads(booster.save_raw("json").decode())["learner"]["gradient_booster"]
    trees = trees.get("gbtree", trees)["model"]["trees"]
    return [(f, v) for t in trees for f, v, left in zip(t["split_indices"], t["split_conditions"], t["left_children"]) if left >= 0 and f != 3]


def xgboost(name, parameters, target, rounds=3, categorical=False, classes=False, **more):
    kinds = ["q"] * 3 + ["c" if categorical else "q"] + ["q"]
    data = lambda x, y=None: xgb.DMatrix(x, y, feature_types=kinds, enable_categorical=True)
    booster = xgb.train({"max_depth": 3, "seed": 1, **parameters}, data(X, target), rounds)
    x = np.nan_to_num(asked(splits_of_xgboost(booster)), nan=np.nan, posinf=3e38, neginf=-3e38)  # it takes no infinities
    if categorical:
        x[np.isin(x[:, 3], [-1.0]), 3] = 41
    add(name, "xgboost", booster.save_raw("json").decode(), x, booster.predict(data(x)), classes, **more)
    return booster, x


xgboost("squared error", {"objective": "reg:squarederror"}, NUMBER)
xgboost("squared error from 0.3", {"objective": "reg:squarederror", "base_score": 0.3}, NUMBER)
xgboost("logistic", {"objective": "binary:logistic", "base_score": 0.2}, BINARY, classes=True)
xgboost("logistic, leaves above 0 only", {"objective": "binary:logistic", "base_score": 0.01, "max_depth": 1, "eta": 0.05}, BINARY, 2, classes=True)
xgboost("raw logits", {"objective": "binary:logitraw", "base_score": 0.2}, BINARY)
xgboost("hinge", {"objective": "binary:hinge"}, BINARY)
xgboost("logistic regression", {"objective": "reg:logistic"}, BINARY)
xgboost("poisson", {"objective": "count:poisson"}, np.round(COUNT))
xgboost("gamma", {"objective": "reg:gamma"}, COUNT)
xgboost("tweedie", {"objective": "reg:tweedie"}, COUNT)
xgboost("pairwise", {"objective": "rank:pairwise"}, BINARY)
xgboost("softprob", {"objective": "multi:softprob", "num_class": 3}, CLASS, classes=True)
xgboost("softprob, two trees at once", {"objective": "multi:softprob", "num_class": 3, "num_parallel_tree": 2, "subsample": 0.5}, CLASS, 2, classes=True)
xgboost("dart", {"objective": "reg:squarederror", "booster": "dart", "rate_drop": 0.5, "one_drop": 1}, NUMBER, 6)
xgboost("categories", {"objective": "reg:squarederror", "tree_method": "hist" if xgb.__version__ >= "1.8" else "approx", "max_cat_to_onehot": 1}, NUMBER, categorical=True)
xgboost("categories one by one", {"objective": "reg:squarederror", "tree_method": "approx", "max_cat_to_onehot": 100}, NUMBER, categorical=True)
xgboost("several targets", {"objective": "reg:squarederror"}, np.stack([NUMBER, COUNT], 1))
booster, x = xgboost("no trees", {"objective": "reg:squarederror", "base_score": 0.25}, NUMBER, 0)
booster, x = xgboost("binary JSON", {"objective": "reg:squarederror"}, NUMBER, 3)
cases[-1]["ubj"] = base64.b64encode(booster.save_raw("ubj")).decode()


def splits_of_lightgbm(node):
    if "threshold" not in node:
        return []
    own = [(node["split_feature"], node["threshold"])] if node["decision_type"] == "<=" else []
    return own + splits_of_lightgbm(node["left_child"]) + splits_of_lightgbm(node["right_child"])


def lightgbm(name, parameters, target, rounds=3, categorical=False, classes=False, **more):
    settings = dict(num_leaves=6, min_data_in_leaf=4, verbose=-1, seed=1, num_threads=1, max_bin=31, min_data_per_group=5, cat_smooth=1)
    data = lgb.Dataset(X, target, categorical_feature=[3] if categorical else [], params={**settings, **parameters}, free_raw_data=False)
    booster = lgb.train({**settings, **parameters}, data, rounds)
    splits = [s for tree in booster.dump_model()["tree_info"] for s in splits_of_lightgbm(tree["tree_structure"])]
    x = asked(splits)
    if categorical:
        x[40:43, 3] = [2.7, -0.5, 3.999]
    add(name, "lightgbm", booster.model_to_string().split("\nfeature_importances")[0], x, booster.predict(x), classes, **more)


lightgbm("regression", {"objective": "regression"}, NUMBER)
lightgbm("regression of roots", {"objective": "regression", "reg_sqrt": True}, NUMBER)
lightgbm("l1", {"objective": "regression_l1"}, NUMBER)
lightgbm("poisson", {"objective": "poisson"}, COUNT)
lightgbm("tweedie", {"objective": "tweedie"}, COUNT)
lightgbm("cross entropy", {"objective": "cross_entropy"}, BINARY)
lightgbm("cross entropy lambda", {"objective": "cross_entropy_lambda"}, BINARY)
lightgbm("binary", {"objective": "binary"}, BINARY, classes=True)
lightgbm("binary, steeper", {"objective": "binary", "sigmoid": 2.5}, BINARY, classes=True)
lightgbm("multiclass", {"objective": "multiclass", "num_class": 3}, CLASS, classes=True)
lightgbm("one against all", {"objective": "multiclassova", "num_class": 3}, CLASS, classes=True)
lightgbm("random forest", {"objective": "regression", "boosting": "rf", "bagging_fraction": 0.6, "bagging_freq": 1}, NUMBER)
lightgbm("dart", {"objective": "regression", "boosting": "dart", "drop_rate": 0.5}, NUMBER)
lightgbm("zero is missing", {"objective": "regression", "zero_as_missing": True}, NUMBER)
lightgbm("nothing is missing", {"objective": "regression", "use_missing": False}, NUMBER)
lightgbm("categories", {"objective": "regression", "max_cat_to_onehot": 1}, NUMBER, categorical=True)
lightgbm("categories, zero is missing", {"objective": "binary", "zero_as_missing": True, "max_cat_to_onehot": 1}, BINARY, categorical=True, classes=True)

lines = ",\n".join(json.dumps(case, separators=(",", ":"), ensure_ascii=False) for case in cases)
print(f'{{"features":{FEATURES},"cases":[\n{lines}\n]}}')

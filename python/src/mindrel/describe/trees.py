"""scikit-learn's trees, forests and gradient boosting."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline
from .linear import plain

SINGLE = ({"step": "single"},)
SHARE = {"link": "share"}


def tree(model: Any) -> Pipeline:
    """One tree: a vote of one."""
    return _votes(model)


def forest(model: Any) -> Pipeline:
    """A forest: the mean of the votes of its trees, added up in their order."""
    return _votes(model)


def bag(model: Any) -> Pipeline:
    """Trees on samples of rows and columns: the mean of their votes."""
    rows = [_bagged(model, one, chosen) for one, chosen in zip(model.estimators_, model.estimators_features_)]
    n_classes = len(model.classes_)
    return ensemble(rows, np.zeros(n_classes), model.n_features_in_, SINGLE, combine="mean", probability=SHARE)


def boosted_votes(model: Any) -> Pipeline:
    """Trees that each vote with a weight of their own for one class, and in equal shares against the others."""
    n_classes = len(model.classes_)
    rows = []
    for one, weight in zip(model.estimators_, model.estimator_weights_):
        shares = one.tree_.value[:, 0, :]
        codes = np.searchsorted(model.classes_, one.classes_)[shares.argmax(axis=1)]
        is_own = codes[:, None] == np.arange(n_classes)
        rows.append(_arrays(one.tree_, np.where(is_own, weight, -1 / (n_classes - 1) * weight)))
    return ensemble(rows, np.zeros(n_classes), model.n_features_in_, SINGLE)


def is_merged(model: Any) -> bool:
    """Whether a model of several estimators is one ensemble of trees."""
    if type(model).__name__ not in ("AdaBoostClassifier", "BaggingClassifier"):
        return False
    return all(_is_tree(one) for one in model.estimators_)


def are_votes(model: Any) -> bool:
    """Whether a model's probabilities are the mean shares of trees."""
    made_here = type(model).__module__.partition(".")[0] == "sklearn"
    forests = ("RandomForestClassifier", "ExtraTreesClassifier")
    return made_here and (
        _is_tree(model)
        or type(model).__name__ in forests
        or (type(model).__name__ == "BaggingClassifier" and is_merged(model))
    )


def _is_tree(model: Any) -> bool:
    return type(model).__name__ in ("DecisionTreeClassifier", "ExtraTreeClassifier")


def shares(model: Any) -> Pipeline:
    """The mean shares of trees: of two classes those of the second, otherwise of each."""
    rows = [_second_of_two(row) for row in _rows_of_votes(model)]
    n_outputs = rows[0][5].shape[1]
    return ensemble(rows, np.zeros(n_outputs), model.n_features_in_, SINGLE, combine="mean", positive_at_zero=True)


def shares_over_values(model: Any) -> dict[str, Any]:
    """The same as trees of the core, over values."""
    rows = [_second_of_two(row) for row in _rows_of_votes(model)]
    return _core_ensemble(rows, np.zeros(rows[0][5].shape[1]), model.n_features_in_, "mean")


def boosting_over_values(model: Any) -> dict[str, Any]:
    """Boosted trees as trees of the core, over values."""
    rows, start = _rows_of_boosting(model)
    return _core_ensemble(rows, start, model.n_features_in_, "sum")


def _core_ensemble(rows: list[tuple], start: np.ndarray, n_columns: int, combine: str) -> dict[str, Any]:
    return {
        "n_columns": n_columns,
        "n_outputs": len(start),
        "start": [float(value) for value in start],
        "trees": [_core_tree(row) for row in rows],
        "combine": combine,
        "arithmetic": "double",
        "threshold": 0.0,
        "positive_at_zero": True,
    }


def _core_tree(row: tuple) -> dict[str, Any]:
    output, left, right, feature, threshold, values, _, _ = row
    nodes: list[dict[str, Any]] = []
    for node in range(len(left)):
        if left[node] < 0:
            nodes.append({"leaf": {"value": node * values.shape[1]}})
            continue
        condition = {"at-most": {"column": int(feature[node]), "threshold": float(threshold[node])}}
        nodes.append({"split": {"condition": condition, "left": int(left[node]), "right": int(right[node])}})
    tree: dict[str, Any] = {"nodes": nodes, "values": values.ravel().tolist()}
    return tree if output is None else {"class": output, **tree}


def _second_of_two(row: tuple) -> tuple:
    values = row[5]
    return (*row[:5], np.ascontiguousarray(values[:, 1:]) if values.shape[1] == 2 else values, *row[6:])


def _rows_of_votes(model: Any) -> list[tuple]:
    if getattr(model, "n_outputs_", 1) != 1:
        raise NotDescribed(f"{type(model).__name__} of several outputs")
    if type(model).__name__ == "BaggingClassifier":
        return [_bagged(model, one, chosen) for one, chosen in zip(model.estimators_, model.estimators_features_)]
    n_classes = len(model.classes_)
    return [_arrays(one.tree_, one.tree_.value[:, 0, :n_classes]) for one in getattr(model, "estimators_", [model])]


def _bagged(model: Any, one: Any, chosen: Any) -> tuple:
    """A tree on some of the columns, grown on the codes of some of the classes."""
    values = np.zeros((one.tree_.node_count, len(model.classes_)))
    values[:, np.asarray(one.classes_, dtype=np.int64)] = one.tree_.value[:, 0, :]
    row = _arrays(one.tree_, values)
    feature = np.where(row[1] < 0, row[3], np.asarray(chosen, dtype=np.int64)[np.maximum(row[3], 0)])
    return (*row[:3], np.ascontiguousarray(feature, dtype=np.int64), *row[4:])


def _votes(model: Any) -> Pipeline:
    # The label is the first of the largest votes.
    rows, n_classes = _rows_of_votes(model), len(model.classes_)
    return ensemble(rows, np.zeros(n_classes), model.n_features_in_, SINGLE, combine="mean", probability=SHARE)


def gradient_boosting(model: Any) -> Pipeline:
    """Boosted trees: a constant start and the learning rate times every leaf."""
    rows, start = _rows_of_boosting(model)
    link = {"link": "logistic", "slope": 2.0 if model.loss == "exponential" else 1.0}
    return ensemble(rows, start, model.n_features_in_, SINGLE, positive_at_zero=True, probability=link)


def _rows_of_boosting(model: Any) -> tuple[list[tuple], np.ndarray]:
    if model.init_ != "zero" and type(model.init_).__name__ != "DummyClassifier":
        raise NotDescribed("GradientBoostingClassifier that starts from another model (init)")
    start = model._raw_predict_init(np.zeros((1, model.n_features_in_), dtype=np.float32))[0]
    rows = [
        _arrays(one.tree_, model.learning_rate * one.tree_.value[:, 0, :1], place if len(start) > 1 else None)
        for stage in model.estimators_
        for place, one in enumerate(stage)
    ]
    return rows, start


def _arrays(one: Any, values: np.ndarray, output: Optional[int] = None) -> tuple:
    missing = getattr(one, "missing_go_to_left", None)
    return (
        output,
        np.ascontiguousarray(one.children_left, dtype=np.int64),
        np.ascontiguousarray(one.children_right, dtype=np.int64),
        np.ascontiguousarray(one.feature, dtype=np.int64),
        np.ascontiguousarray(one.threshold, dtype=np.float64),
        np.ascontiguousarray(values, dtype=np.float64),
        None if missing is None else np.ascontiguousarray(missing, dtype=np.int64),
        None,
    )


def ensemble(
    trees: list[tuple],
    start: np.ndarray,
    n_features: int,
    steps: Any = (),
    *,
    combine: str = "sum",
    positive_at_zero: bool = False,
    probability: Optional[dict[str, Any]] = None,
) -> Pipeline:
    """A sum or a mean of trees over features that all take the same steps."""
    predictor = {
        "family": "trees",
        "n_outputs": len(start),
        "start": [float(value) for value in start],
        "combine": combine,
        "single": False,
        "positive_at_zero": positive_at_zero,
        "trees": [],
    }
    # The trees are passed as arrays: writing a large forest as text would take longer than fitting it.
    return plain(predictor, n_features, steps, probability).with_trees(trees)

"""CatBoost's models, from Python objects and from files, to the last bit."""

from __future__ import annotations

import warnings

import numpy
import pytest
from catboost import CatBoostClassifier, Pool
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning
from sklearn.base import clone
from sklearn.datasets import load_wine

from attacks import counterexamples
from data import categories
from estimators import numbers, people, with_boolean_categories

QUIET = {"iterations": 15, "verbose": 0, "allow_writing_files": False, "random_seed": 0}
KINDS = {
    "symmetric": {"depth": 4},
    "by leaves": {"grow_policy": "Lossguide", "max_leaves": 12},
    "by depth": {"grow_policy": "Depthwise", "depth": 4},
    "weighted": {"depth": 3, "auto_class_weights": "Balanced"},
}


def certified(model, columns, **options) -> Minimizer:
    with warnings.catch_warnings():
        warnings.simplefilter("error", BlackBoxWarning)
        warnings.simplefilter("error", MismatchWarning)
        return Minimizer(model, **options).fit(columns)


def assert_is_read(model, columns) -> None:
    minimizer = certified(model, columns, public=list(columns.columns[4:]))
    assert (minimizer.scores(columns) == model.predict(columns, prediction_type="RawFormulaVal")).all()
    some = columns.iloc[:40]
    decisions = minimizer.decide(some)
    assert set(decisions.guarantees) <= {"proved", "complete"}
    assert (decisions.labels == model.predict(some).ravel()).all()
    assert counterexamples(minimizer, model, columns, n_people=4) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_catboosts_to_the_last_bit(kind):
    columns, classes = numbers()
    assert_is_read(CatBoostClassifier(**QUIET, **KINDS[kind]).fit(columns, classes), columns)


@pytest.mark.parametrize("loss", ["MultiClass", "MultiClassOneVsAll"])
def test_three_classes_are_read(loss):
    columns, classes = load_wine(return_X_y=True, as_frame=True)
    assert_is_read(CatBoostClassifier(**QUIET, depth=3, loss_function=loss).fit(columns, classes), columns)


def test_missing_numbers_are_where_catboost_puts_them():
    """Holes where the model was trained; nobody who is asked has one."""
    columns, classes = numbers()
    holes = columns.assign(Income=columns.Income.where(columns.index % 9 > 0))
    for mode in ("Min", "Max"):
        assert_is_read(CatBoostClassifier(**QUIET, depth=3, nan_mode=mode).fit(holes, classes), columns)


@pytest.mark.parametrize("kind", ["texts", "categories", "booleans", "whole numbers"])
def test_one_hot_categories_are_the_hashes_of_their_texts(kind):
    columns, classes = people()
    names = categories(columns)
    if kind == "categories":
        columns = columns.assign(**{name: columns[name].astype("category") for name in names})
    if kind == "booleans":
        columns, _ = with_boolean_categories()
        columns["Records"] = columns.Records.astype(bool)
    if kind == "whole numbers":
        names = [*names, "Time"]
    model = CatBoostClassifier(**QUIET, depth=4, one_hot_max_size=100, cat_features=names).fit(columns, classes)
    assert_is_read(model, columns)


def test_ordered_statistics_of_categories_are_refused_by_name():
    columns, classes = people()
    model = CatBoostClassifier(**QUIET, one_hot_max_size=2, cat_features=categories(columns)).fit(columns, classes)
    with pytest.warns(BlackBoxWarning, match=r"ordered statistics of categories \(CTR\).*one_hot_max_size"):
        Minimizer(model).fit(columns)


@pytest.mark.parametrize("ending", ["json", "cbm"])
def test_files_are_the_model(ending, tmp_path):
    columns, classes = people()
    names = categories(columns)
    model = CatBoostClassifier(**QUIET, depth=4, one_hot_max_size=100, cat_features=names).fit(columns, classes)
    path = tmp_path / f"model.{ending}"
    model.save_model(path, format=ending, pool=Pool(columns, classes, cat_features=names))
    minimizer = certified(str(path), columns, public=["Price"])
    assert (minimizer.scores(columns) == model.predict(columns, prediction_type="RawFormulaVal")).all()
    assert (minimizer.predict(columns[:40]) == model.predict(columns[:40])).all()


def test_its_own_threshold_and_one_of_ones_own_are_met():
    columns, classes = numbers()
    model = CatBoostClassifier(**QUIET, depth=4).fit(columns, classes)
    public = {"public": list(columns.columns)}
    expected = model.classes_[(model.predict_proba(columns)[:, 1] >= 0.7).astype(int)]
    assert (certified(model, columns, threshold=0.7, **public).predict(columns) == expected).all()
    model.set_probability_threshold(0.7)
    assert (certified(model, columns, **public).predict(columns) == model.predict(columns)).all()
    assert (model.predict(columns) == expected).mean() > 0.99 and clone(model) is not model
    assert numpy.unique(expected).size == 2

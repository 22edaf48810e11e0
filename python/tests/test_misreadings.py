"""Columns whose form here is not the one in which a library sees them."""

from __future__ import annotations

import warnings

import numpy
import pandas
import pytest
from lightgbm import LGBMClassifier
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning
from sklearn.ensemble import HistGradientBoostingClassifier
from xgboost import XGBClassifier

RANDOM = numpy.random.default_rng(0)
N = 1500
YES = RANDOM.random(N) < 0.5
LETTERS = RANDOM.choice(list("abc"), N)
NUMBERS = RANDOM.normal(size=N)
CLASSES = (YES * 1.5 + (LETTERS == "b") + NUMBERS > 1.2).astype(int)

COLUMNS = {
    "booleans": pandas.Series(YES),
    "booleans that may be missing": pandas.Series(YES).astype("boolean"),
    "categories of booleans": pandas.Series(YES).astype("category"),
    "categories of booleans, yes first": pandas.Series(pandas.Categorical(YES, categories=[True, False])),
    "categories of 0 and 1": pandas.Series(YES.astype(int)).astype("category"),
    "categories of 1 and 0": pandas.Series(pandas.Categorical(YES.astype(int), categories=[1, 0])),
    "categories of True and False as texts": pandas.Series(numpy.where(YES, "True", "False")).astype("category"),
    "categories of numbers": pandas.Series(RANDOM.integers(3, 9, N) + YES).astype("category"),
    "categories with one that nobody has": pandas.Series(pandas.Categorical(LETTERS, categories=list("zcba"))),
}
LIBRARIES = {
    "HistGradientBoosting": HistGradientBoostingClassifier(max_iter=10, categorical_features="from_dtype"),
    "LightGBM": LGBMClassifier(n_estimators=10, verbose=-1),
    "XGBoost": XGBClassifier(n_estimators=10, enable_categorical=True),
}


def assert_is_read(model, X):
    with warnings.catch_warnings():
        warnings.simplefilter("error", BlackBoxWarning)
        warnings.simplefilter("error", MismatchWarning)
        minimizer = Minimizer(model).fit(X)
    decisions = minimizer.decide(X[:300])
    assert set(decisions.guarantees) <= {"proved", "complete"}
    assert (decisions.labels == model.predict(X[:300])).all()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("column", COLUMNS)
def test_booleans_and_categories_reach_the_trees_as_in_the_library(column, library):
    """A threshold of a histogram is a value of the table, which once fell to its other side."""
    if library == "XGBoost" and column.startswith("categories of booleans"):
        pytest.skip("XGBoost does not take them")
    X = pandas.DataFrame({"x": NUMBERS, "b": COLUMNS[column], "letter": pandas.Categorical(LETTERS)})
    assert_is_read(LIBRARIES[library].fit(X, CLASSES), X)


@pytest.mark.parametrize("options", [{"max_cat_to_onehot": 1}, {}])
def test_xgboosts_types_of_the_columns_of_an_array_make_them_categories(options):
    codes = RANDOM.integers(0, 6, N)
    X = numpy.column_stack([NUMBERS, codes, YES]).astype(float)
    classes = (numpy.isin(codes, [1, 4]) * 1.5 + NUMBERS > 0.8).astype(int)
    types = ["q", "c", "i"]
    model = XGBClassifier(n_estimators=10, enable_categorical=True, feature_types=types, **options).fit(X, classes)
    assert_is_read(model, X)


def test_the_levels_of_a_question_of_booleans_are_those_of_a_category_of_booleans():
    X = pandas.DataFrame({"x": NUMBERS, "b": pandas.Series(YES).astype("category")})
    model = LGBMClassifier(n_estimators=10, verbose=-1).fit(X, CLASSES)
    minimizer = Minimizer(model, questions={"b": {"kind": "category"}}).fit(X)
    assert (minimizer.predict(X[:300]) == model.predict(X[:300])).all()

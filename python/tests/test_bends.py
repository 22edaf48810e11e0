"""Functions that bend or mix columns, in front of the models that take them in."""

from __future__ import annotations

import warnings

import numpy
import pandas
import pytest
from lightgbm import LGBMClassifier
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning
from mindrel.describe.bends import LARGEST, Bend, applied, staircase
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA, FastICA, TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    StandardScaler,
    TargetEncoder,
)
from xgboost import XGBClassifier

from attacks import counterexamples
from data import categories, load
from zoo import fit

DATA_SETS = ["loan", "adult", "fetal"]
N_ROWS = 1200
BENDS = {
    "bins": KBinsDiscretizer(4, quantile_method="averaged_inverted_cdf", encode="onehot-dense"),
    "codes of bins": KBinsDiscretizer(6, strategy="uniform", encode="ordinal"),
    "quantiles": QuantileTransformer(n_quantiles=40),
    "normal quantiles": QuantileTransformer(n_quantiles=40, output_distribution="normal"),
    "powers": PowerTransformer(),
    "roots of scaled numbers": make_pipeline(
        FunctionTransformer(numpy.abs), FunctionTransformer(numpy.sqrt), StandardScaler()
    ),
    "logarithms": make_pipeline(FunctionTransformer(numpy.square), FunctionTransformer(numpy.log1p)),
    "squares of scaled numbers": make_pipeline(StandardScaler(), FunctionTransformer(numpy.square), PowerTransformer()),
}
TREES = {
    "forest": RandomForestClassifier(8, max_depth=6, random_state=0),
    "boosting": GradientBoostingClassifier(n_estimators=8, random_state=0),
    "histograms": HistGradientBoostingClassifier(max_iter=8, random_state=0),
    "LightGBM": LGBMClassifier(n_estimators=8, verbose=-1),
    "XGBoost": XGBClassifier(n_estimators=8, max_depth=4),
}
MIXTURES = {
    "principal components": make_pipeline(StandardScaler(), PCA(5, whiten=True), StandardScaler()),
    "singular vectors": make_pipeline(StandardScaler(), TruncatedSVD(5)),
    "independent components": make_pipeline(StandardScaler(), FastICA(4, random_state=0, whiten="unit-variance")),
    "discriminants": make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()),
    "components of components": make_pipeline(StandardScaler(), PCA(6), PCA(3)),
}
LAYERS = {
    "linear": LogisticRegression(max_iter=300),
    "network": MLPClassifier((6,), max_iter=40, random_state=0),
}
ENCODERS = {
    "infrequent levels": OneHotEncoder(min_frequency=60, handle_unknown="infrequent_if_exist", sparse_output=False),
    "few levels, one dropped": OneHotEncoder(max_categories=3, drop="first", sparse_output=False),
    "codes of groups": OrdinalEncoder(min_frequency=60),
    "means of the target": TargetEncoder(random_state=0),
}


def rows(name: str):
    columns, classes = load(name)
    columns = columns.iloc[:N_ROWS]
    varying = [column for column in columns if columns[column].nunique() > 1]
    return columns[varying], classes.iloc[:N_ROWS].astype("category").cat.codes


def assert_certified(model, columns) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", BlackBoxWarning)
        warnings.simplefilter("error", MismatchWarning)
        minimizer = Minimizer(model, public=list(columns.columns[4:])).fit(columns)
        everything = Minimizer(model, public=list(columns.columns)).fit(columns)
    assert (everything.predict(columns) == model.predict(columns)).all()
    some = columns.iloc[:60]
    decisions = minimizer.decide(some)
    assert set(decisions.guarantees) <= {"proved", "complete"}
    assert (decisions.labels == model.predict(some)).all()
    assert counterexamples(minimizer, model, columns, n_people=5) == 0


@pytest.mark.parametrize(
    "data_set, trees", [*((name, "forest") for name in DATA_SETS), *(("loan", one) for one in list(TREES)[1:])]
)
@pytest.mark.parametrize("bend", BENDS)
def test_trees_behind_bent_columns_are_certified(bend, trees, data_set):
    columns, classes = rows(data_set)
    columns = columns.drop(columns=categories(columns))
    assert_certified(fit(make_pipeline(clone(BENDS[bend]), clone(TREES[trees])), columns, classes), columns)


@pytest.mark.parametrize("data_set, layer", [("loan", "network"), ("adult", "linear"), ("fetal", "linear")])
@pytest.mark.parametrize("mixture", MIXTURES)
def test_sums_of_columns_become_part_of_the_first_layer(mixture, layer, data_set):
    columns, classes = rows(data_set)
    columns = columns.drop(columns=categories(columns))
    assert_certified(fit(make_pipeline(clone(MIXTURES[mixture]), clone(LAYERS[layer])), columns, classes), columns)


@pytest.mark.parametrize("data_set", ["loan", "adult"])
@pytest.mark.parametrize("last", ["linear", "network", "forest", "histograms"])
@pytest.mark.parametrize("encoder", ENCODERS)
def test_a_number_for_each_level_becomes_part_of_the_model(encoder, last, data_set):
    columns, classes = rows(data_set)
    front = make_column_transformer((clone(ENCODERS[encoder]), categories(columns)), remainder=StandardScaler())
    model = make_pipeline(front, clone({**TREES, **LAYERS}[last]))
    assert_certified(fit(model, columns, classes), columns)


def test_components_of_numbers_beside_categories_are_one_layer():
    columns, classes = rows("loan")
    texts = categories(columns)
    numbers = [name for name in columns if name not in texts]
    front = make_column_transformer((make_pipeline(StandardScaler(), PCA(3)), numbers), (OneHotEncoder(), texts))
    assert_certified(fit(make_pipeline(front, LogisticRegression()), columns, classes), columns)


def test_missing_texts_have_the_ordinal_encoders_own_code():
    columns, classes = rows("loan")
    columns = columns[["Home", "Job"]].assign(Home=columns.Home.where(columns.index % 5 > 0))
    for encoder in (OrdinalEncoder(), OrdinalEncoder(encoded_missing_value=-2)):
        for last in ("forest", "histograms"):
            model = fit(make_pipeline(clone(encoder), clone(TREES[last])), columns, classes)
            minimizer = Minimizer(model).fit(columns)
            assert minimizer.certifiable_
            assert (minimizer.predict(columns) == model.predict(columns)).all()


@pytest.mark.parametrize("scale", [1.0, 0.37, -3.1])
@pytest.mark.parametrize(
    "function, ends",
    [
        (numpy.square, (-1e150, 0.0, 1e150)),
        (numpy.sqrt, (0.0, LARGEST)),
        (numpy.floor, (-LARGEST, LARGEST)),
        (lambda numbers: numpy.searchsorted([-1.0, 0.5], numbers, side="right") == 1.0, (-LARGEST, -1.0, LARGEST)),
    ],
)
def test_a_staircase_lies_where_the_function_does(function, ends, scale):
    """Everywhere within the ends, on thresholds, and one number to either side of where it changes.

    Behind a scaler, the piece below the first end was once left out.
    """
    random = numpy.random.default_rng(0)
    splits = [(float(value), bool(random.integers(2))) for value in random.normal(0, 2, 20)]
    splits += [(0.25, True), (4.0, False)]
    bend = [{"step": "divide", "value": scale}, Bend("it", function, ends)]
    step = staircase(bend, [], splits)
    cuts = numpy.array(step["cuts"])
    near = numpy.concatenate([cuts, numpy.nextafter(cuts, LARGEST), numpy.nextafter(cuts, -LARGEST)])
    numbers = numpy.concatenate([random.normal(0, 3, 2000), random.integers(-5, 6, 50) / 2, near])
    numbers = numbers[(numbers / scale >= ends[0]) & (numbers / scale <= ends[-1])]
    found = numpy.array(step["values"])[numpy.searchsorted(cuts, numbers)]
    expected = applied(bend, numbers)
    for threshold, stays in splits:
        left = (found <= threshold, expected <= threshold) if stays else (found < threshold, expected < threshold)
        assert (left[0] == left[1]).all()


def test_a_function_that_is_not_known_says_which_are():
    columns = pandas.DataFrame({"x": numpy.arange(50.0), "y": numpy.arange(50.0)[::-1]})
    model = make_pipeline(FunctionTransformer(lambda x: x + 1), LogisticRegression()).fit(columns, columns.x > 20)
    with pytest.warns(BlackBoxWarning, match="one of numpy's is, by itself: absolute, arcsinh"):
        Minimizer(model).fit(columns)

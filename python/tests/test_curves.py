"""Functions of one number in front of linear models: sums of trees and tables, certified."""

from __future__ import annotations

import warnings

import numpy
import pandas
import pytest
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    PowerTransformer,
    QuantileTransformer,
    SplineTransformer,
    StandardScaler,
)

from attacks import counterexamples
from data import categories, load
from estimators import numbers
from zoo import fit

BINS = {"quantile_method": "averaged_inverted_cdf"}
TRANSFORMERS = {
    "bins": lambda: KBinsDiscretizer(5, **BINS),
    "bins in order": lambda: KBinsDiscretizer(5, encode="ordinal", **BINS),
    "quantiles": lambda: QuantileTransformer(n_quantiles=40),
    "normal quantiles": lambda: QuantileTransformer(n_quantiles=40, output_distribution="normal"),
    "powers": lambda: PowerTransformer(),
    "splines": lambda: SplineTransformer(n_knots=4),
    "splines, lines beyond": lambda: SplineTransformer(n_knots=5, degree=2, extrapolation="linear", include_bias=False),
    "log1p": lambda: FunctionTransformer(numpy.log1p),
    "sqrt": lambda: FunctionTransformer(numpy.sqrt),
    "square": lambda: make_pipeline(StandardScaler(), FunctionTransformer(numpy.square)),
    "rounded": lambda: make_pipeline(MinMaxScaler((0, 8)), FunctionTransformer(numpy.rint)),
    "clipped": lambda: make_pipeline(FunctionTransformer(numpy.sqrt), MinMaxScaler(clip=True)),
    "components of bends": lambda: make_pipeline(PowerTransformer(), PCA(4)),
}


def fractions():
    """Numbers that are not whole; a quarter of each column is one and the same number."""
    columns, classes = numbers()
    random = numpy.random.default_rng(3)
    shifted = columns + random.random(columns.shape)
    return shifted.where(random.random(columns.shape) > 0.25, columns.median(), axis=1), classes


def certified(model, columns, **options) -> Minimizer:
    with warnings.catch_warnings():
        warnings.simplefilter("error", BlackBoxWarning)
        warnings.simplefilter("error", MismatchWarning)
        return Minimizer(model, **options).fit(columns)


def check(model, columns, **options) -> Minimizer:
    """Every label is the model's, with everything revealed and as asked, and attacks find nothing."""
    minimizer = certified(model, columns, public=list(columns.columns[-2:]), **options)
    everything = certified(model, columns, public=list(columns.columns), **options)
    assert (everything.predict(columns) == model.predict(columns)).all()
    some = columns.iloc[:60]
    decisions = minimizer.decide(some)
    assert set(decisions.guarantees) <= {"proved", "complete"}
    assert (decisions.labels == model.predict(some)).all()
    assert decisions.leakage < 1
    assert counterexamples(minimizer, model, columns, n_people=5) == 0
    return everything


@pytest.mark.parametrize("people", [numbers, fractions], ids=["whole numbers", "fractions"])
@pytest.mark.parametrize("make", TRANSFORMERS.values(), ids=TRANSFORMERS)
def test_a_linear_model_over_functions_of_its_columns_is_certified(make, people):
    columns, classes = people()
    model = fit(make_pipeline(make(), LogisticRegression(C=0.1, max_iter=2000)), columns, classes)
    everything = check(model, columns)
    scores = model.decision_function(columns)
    off = numpy.abs(everything.scores(columns) - scores)
    assert off.max() <= 1e-6 * numpy.ptp(scores)


def test_whole_numbers_and_bins_are_exact():
    """But for the order in which a score is added up."""
    columns, classes = numbers()
    model = fit(make_pipeline(PowerTransformer(), LogisticRegression()), columns[["Age", "Time"]], classes)
    everything = certified(model, columns[["Age", "Time"]], public=["Age", "Time"])
    off = numpy.abs(everything.scores(columns[["Age", "Time"]]) - model.decision_function(columns[["Age", "Time"]]))
    assert off.max() < 1e-12


@pytest.mark.parametrize("name", ["bins", "quantiles", "powers", "splines"])
def test_three_classes(name):
    columns, classes = load("wine")
    columns = columns.iloc[:, :6]
    model = fit(make_pipeline(TRANSFORMERS[name](), LogisticRegression(max_iter=2000)), columns, classes)
    check(model, columns)


def test_bent_numbers_beside_categories_and_imputed_ones():
    columns, classes = load("loan")
    columns, classes = columns.iloc[:800], classes.iloc[:800]
    holes = columns.assign(Income=columns.Income.where(columns.index % 9 > 0))
    front = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), categories(columns)),
        (make_pipeline(SimpleImputer(), KBinsDiscretizer(4, **BINS)), ["Income", "Age"]),
        (FunctionTransformer(numpy.log1p), ["Amount"]),
        remainder=StandardScaler(),
    )
    check(fit(make_pipeline(front, RidgeClassifier()), holes, classes), holes)


def test_the_mean_of_whole_numbers_that_is_imputed_is_bent_as_it_is():
    """It lies between two whole numbers, and once became the next."""
    columns, classes = numbers()
    some = columns[["Age", "Time", "Amount", "Price"]]
    holes = some.mask(numpy.arange(len(some))[:, None] % 3 == numpy.arange(4) % 3)
    model = fit(make_pipeline(SimpleImputer(), SplineTransformer(n_knots=4), LogisticRegression()), holes, classes)
    everything = check(model, holes)
    scores = model.decision_function(holes)
    assert numpy.abs(everything.scores(holes) - scores).max() <= 1e-6 * numpy.ptp(scores)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
def test_bent_numbers_in_a_model_that_is_part_of_another(method):
    columns, classes = numbers()
    inner = make_pipeline(KBinsDiscretizer(5, **BINS), LogisticRegression())
    check(fit(CalibratedClassifierCV(inner, method=method, cv=2), columns, classes), columns)


def test_bounds_that_are_given_are_covered():
    columns, classes = fractions()
    model = fit(make_pipeline(PowerTransformer(), LogisticRegression()), columns, classes)
    questions = {"Age": {"lower": 0.0, "upper": 300.0}}
    everything = certified(model, columns, public=list(columns.columns), questions=questions)
    older = columns.assign(Age=numpy.linspace(0, 300, len(columns)))
    assert (everything.predict(older) == model.predict(older)).all()


def test_what_cannot_be_certified_says_why():
    columns, classes = numbers()
    own = make_pipeline(FunctionTransformer(lambda table: table**2), StandardScaler(), LogisticRegression())
    with pytest.raises(ValueError, match="one of numpy's is"):
        Minimizer(fit(own, columns, classes), certify="require").fit(columns)
    table = pandas.DataFrame({"a": columns.Age / 7.0, "b": columns.Income * 5.3 + 0.1})
    often = fit(make_pipeline(FunctionTransformer(numpy.floor), LogisticRegression()), table, classes)
    with pytest.raises(ValueError, match="bends too often"):
        Minimizer(often, certify="require").fit(table)

"""What stands in front of a model becomes part of the encoding, however it is put together."""

from __future__ import annotations

import warnings

import numpy
import pytest
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC

from zoo import fit

TEXTS = ["Home", "Marital", "Records", "Job"]
NUMBERS = ["Seniority", "Time", "Age", "Expenses", "Income", "Assets", "Debt", "Amount", "Price"]
HOME = make_column_transformer((OneHotEncoder(sparse_output=False), ["Home"]))

FRONTS = {
    "a level dropped": make_column_transformer((OneHotEncoder(drop="first"), TEXTS), remainder=StandardScaler()),
    "one of two levels dropped": make_column_transformer(
        (OneHotEncoder(drop="if_binary", handle_unknown="ignore"), TEXTS), remainder="passthrough"
    ),
    "codes, and a column dropped": make_column_transformer(
        (
            OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), TEXTS
        ), ("drop", ["Age"]), remainder="passthrough"
    ),
    "columns by type": make_column_transformer(
        (OneHotEncoder(), make_column_selector(dtype_exclude="number")),
        (make_pipeline(SimpleImputer(), MinMaxScaler()), make_column_selector(dtype_include="number")),
    ),
    "columns by place": make_column_transformer(
        (OneHotEncoder(), [1, 4, 5, 6]), (RobustScaler(), slice(7, 9)), remainder=MaxAbsScaler()
    ),
    "one within the other, and a selection": make_pipeline(
        make_column_transformer((make_pipeline(HOME), ["Home", "Job"]), (StandardScaler(), NUMBERS)),
        SelectKBest(k=8),
        StandardScaler(),
    ),
    "side by side": make_column_transformer(
        (FeatureUnion([("a", StandardScaler()), ("b", MinMaxScaler())]), NUMBERS), (OneHotEncoder(), TEXTS)
    ),
    "without means": make_column_transformer(
        (StandardScaler(with_mean=False), NUMBERS[:4]), (StandardScaler(with_std=False), NUMBERS[4:])
    ),
    "cut off where nobody is": make_column_transformer((MinMaxScaler(clip=True), NUMBERS)),
}
NOT_DESCRIBED = {
    "PolynomialFeatures": make_column_transformer((PolynomialFeatures(), NUMBERS[:2])),
    "the function of FunctionTransformer": make_column_transformer((FunctionTransformer(numpy.sin), NUMBERS[:2])),
}
LAST = [LogisticRegression(max_iter=500), RandomForestClassifier(10, max_depth=5, random_state=0)]


@pytest.mark.parametrize("last", LAST, ids=lambda last: type(last).__name__)
@pytest.mark.parametrize("name", FRONTS)
def test_questions_stay_the_raw_columns(name, last, loan):
    columns, classes = loan
    model = fit(make_pipeline(clone(FRONTS[name]), clone(last)), columns, classes)
    with warnings.catch_warnings():
        warnings.simplefilter("error", BlackBoxWarning)
        warnings.simplefilter("error", MismatchWarning)
        minimizer = Minimizer(model, sensitive=["Seniority", "Home", "Job"]).fit(columns)
    assert list(minimizer.feature_names_in_) == list(columns.columns)
    votes = model.predict_proba(columns)
    own = votes[:, 1] - votes[:, 0] if last is LAST[1] else model.decision_function(columns)
    numpy.testing.assert_allclose(minimizer.scores(columns), own, rtol=0, atol=1e-9)
    assert (minimizer.predict(columns.iloc[:100]) == model.predict(columns.iloc[:100])).all()


@pytest.mark.parametrize("name", NOT_DESCRIBED)
def test_what_mixes_or_bends_columns_is_run_and_named(name, loan):
    columns, classes = loan
    model = fit(make_pipeline(clone(NOT_DESCRIBED[name]), LogisticRegression()), columns, classes)
    with pytest.warns(BlackBoxWarning, match=name):
        minimizer = Minimizer(model).fit(columns)
    numpy.testing.assert_allclose(
        minimizer.scores(columns.iloc[:50]), model.decision_function(columns.iloc[:50]), atol=1e-9
    )


@pytest.mark.parametrize(
    "model", [
        CalibratedClassifierCV(KNeighborsClassifier()),
        VotingClassifier([("a", LogisticRegression()), ("b", KNeighborsClassifier())]),
        SVC(kernel="rbf"),
    ]
)
def test_a_model_around_models_is_not_taken_for_one_of_them(model, loan):
    columns, classes = loan
    fit(model, columns[NUMBERS], classes)
    with pytest.warns(BlackBoxWarning, match="KNeighborsClassifier is not known|SVC"):
        Minimizer(model).fit(columns[NUMBERS])


def test_a_level_the_model_never_saw_is_named_by_its_question(loan):
    columns, classes = loan
    known = columns.Home != "ignore"
    front = make_column_transformer((OneHotEncoder(), ["Home"]), remainder="drop")
    model = make_pipeline(front, LogisticRegression()).fit(columns[known], classes[known])
    with pytest.raises(ValueError, match="question `Home`: the model never saw its level `ignore`"):
        Minimizer(model).fit(columns)
    tolerant = clone(model).set_params(columntransformer__onehotencoder__handle_unknown="ignore").fit(
        columns[known], classes[known]
    )
    assert (Minimizer(tolerant).fit(columns).predict(columns) == tolerant.predict(columns)).all()


def test_a_function_in_front_of_a_network_is_run_and_named(loan):
    columns, classes = loan
    front = make_column_transformer((FunctionTransformer(numpy.log1p), NUMBERS[:2]))
    network = MLPClassifier((4,), max_iter=30, random_state=0)
    model = fit(make_pipeline(front, StandardScaler(), network), columns, classes)
    with pytest.warns(BlackBoxWarning, match="np.log1p is not linear"):
        minimizer = Minimizer(model).fit(columns)
    assert (minimizer.predict(columns.iloc[:50]) == model.predict(columns.iloc[:50])).all()


def test_a_number_that_is_cut_off_within_its_bounds_is_refused_in_front_of_a_network(loan):
    columns, classes = loan
    narrow = columns[columns.Age < 50]
    model = make_pipeline(MinMaxScaler(clip=True), MLPClassifier((4,), max_iter=30, random_state=0)).fit(
        narrow[["Age", "Time"]], classes[columns.Age < 50]
    )
    with pytest.raises(ValueError, match="`Age`: the model clips the number"):
        Minimizer(model).fit(columns[["Age", "Time"]])


def test_a_stand_in_for_missing_values_that_the_model_sends_its_own_way_is_refused_by_name(loan):
    from sklearn.ensemble import HistGradientBoostingClassifier

    columns, classes = loan
    table = columns[["Age", "Income"]].assign(Income=columns.Income.where(columns.index % 7 > 0))
    model = HistGradientBoostingClassifier(max_iter=5).fit(table, classes)
    with pytest.raises(ValueError, match="`Income`: the model handles missing values itself"):
        Minimizer(model, questions={"Income": {"missing": 100}}).fit(table)


def test_a_table_in_another_order_is_put_in_the_models(loan):
    """A frame in another order than the model's is put in the model's order."""
    columns, classes = loan
    front = ColumnTransformer([("n", StandardScaler(), NUMBERS)])
    model = make_pipeline(front, LogisticRegression()).fit(columns, classes)
    shuffled = columns[list(columns.columns[::-1])].assign(more=1)
    assert (Minimizer(model).fit(shuffled).predict(shuffled) == model.predict(columns)).all()

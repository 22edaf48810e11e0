"""Tables with holes: a missing number is an answer of its own, and goes where the model sends it."""

from __future__ import annotations

import attacks
import data
import mindrel
import numpy
import pandas
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def knock_out(columns: pandas.DataFrame, share: float = 0.12) -> pandas.DataFrame:
    """The same table with holes: more of them where the first number is large, so that being missing says something."""
    random = numpy.random.default_rng(4)
    holes = columns.copy()
    numbers = [name for name in columns if name not in data.categories(columns)]
    large = (columns[numbers[0]] > columns[numbers[0]].median()).to_numpy()
    for name in columns:
        is_hole = random.random(len(columns)) < share * (1 + large)
        if name in numbers:
            holes[name] = holes[name].astype(float)
            holes.loc[is_hole, name] = numpy.nan
        else:
            holes.loc[is_hole, name] = None
    return holes


def numbers_of(columns: pandas.DataFrame) -> pandas.DataFrame:
    return columns[[name for name in columns if name not in data.categories(columns)]]


def with_categories(columns: pandas.DataFrame) -> pandas.DataFrame:
    return columns.astype({name: "category" for name in data.categories(columns)})


def hist(**options):
    return HistGradientBoostingClassifier(max_iter=12, random_state=0, **options)


def xgboost():
    library = pytest.importorskip("xgboost")
    return library.XGBClassifier(n_estimators=12, enable_categorical=True, tree_method="hist")


def lightgbm():
    library = pytest.importorskip("lightgbm")
    return library.LGBMClassifier(n_estimators=12, verbose=-1)


BOOSTERS = {
    "HistGradientBoosting": lambda: hist(categorical_features="from_dtype"),
    "XGBoost": xgboost,
    "LightGBM": lightgbm,
}


def loan_with_holes():
    columns, classes = data.load("loan")
    return with_categories(knock_out(columns)), (classes == sorted(set(classes))[1]).astype(int)


def check(model, columns, classes, **options):
    """Labels are the model's, nothing flips, no point around people has another label, and certificates verify."""
    model.fit(columns, classes)
    sensitive = list(columns.columns[:4]) + list(columns.columns[-3:])
    minimizer = mindrel.Minimizer(model, sensitive=sensitive, certify="require", **options).fit(columns, classes)
    predicted = numpy.asarray(model.predict(columns)).ravel()
    decided = minimizer.decide(columns)
    assert set(decided.guarantees) <= {"proved", "complete"}
    assert (decided.labels == predicted).all()
    assert attacks.counterexamples(minimizer, model, columns, n_people=8, n_points=200) == 0
    return minimizer


@pytest.mark.parametrize("make", BOOSTERS.values(), ids=BOOSTERS)
def test_a_booster_with_holes_and_categories_is_exact(make):
    columns, classes = loan_with_holes()
    minimizer = check(make(), columns, classes)
    kinds = {question["name"]: question for question in minimizer.questions_}
    assert kinds["Income"]["missing"] == "answer"


@pytest.mark.parametrize("make", BOOSTERS.values(), ids=BOOSTERS)
def test_a_booster_of_numbers_alone_with_holes_is_exact(make):
    columns, classes = loan_with_holes()
    check(make(), numbers_of(columns), classes)


def test_a_forest_sends_missing_numbers_as_it_learned_to():
    columns, classes = loan_with_holes()
    check(RandomForestClassifier(n_estimators=8, max_depth=5, random_state=0), numbers_of(columns), classes)


@pytest.mark.parametrize(
    "imputer",
    [
        SimpleImputer(),
        SimpleImputer(strategy="median", add_indicator=True),
        SimpleImputer(strategy="constant", fill_value=-999.0),
    ],
    ids=["mean", "indicator", "constant"],
)
@pytest.mark.parametrize(
    "predictor",
    [LogisticRegression(max_iter=500), MLPClassifier((6,), max_iter=60, random_state=0), hist()],
    ids=["logistic", "network", "trees"],
)
def test_what_an_imputer_makes_of_a_hole_is_exact(imputer, predictor):
    columns, classes = data.load("loan")
    columns, classes = numbers_of(knock_out(columns)), (classes == sorted(set(classes))[1]).astype(int)
    check(make_pipeline(imputer, StandardScaler(), predictor), columns, classes)


def test_an_imputer_fills_holes_that_the_fitting_rows_did_not_have():
    columns, classes = data.load("loan")
    columns = numbers_of(columns)
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression(max_iter=500)).fit(columns, classes)
    minimizer = mindrel.Minimizer(model, certify="require").fit(columns)
    holes = knock_out(columns)
    assert (minimizer.decide(holes).labels == model.predict(holes)).all()


def test_a_session_takes_missing_for_an_answer_and_its_certificate_verifies():
    columns, classes = loan_with_holes()
    model = hist(categorical_features="from_dtype").fit(columns, classes)
    minimizer = mindrel.Minimizer(model, certify="require").fit(columns)
    random = numpy.random.default_rng(1)
    for row in random.choice(len(columns), 12, replace=False):
        person = columns.iloc[row]
        session = minimizer.session()
        for question in session:
            value = person[question.name]
            session.answer(None if pandas.isna(value) else value)
        decision = session.decision
        assert decision.label == model.predict(columns.iloc[[row]])[0]
        minimizer.verify(decision.certificate)


def booleans_with_holes(kind: str):
    """Two numbers and booleans of which some are missing, which says something; as pandas' types have them."""
    random = numpy.random.default_rng(6)
    numbers = random.normal(size=(500, 2))
    cells = [None if cell == 2 else bool(cell) for cell in random.choice(3, 500, p=[0.5, 0.35, 0.15])]
    score = numbers[:, 0] + numpy.array([0.6 if cell is None else 1.8 * cell for cell in cells])
    flags = pandas.Series(cells, dtype=object)
    if kind == "category":
        flags = flags.astype("category")
    elif kind == "boolean":
        flags = pandas.Series(pandas.array(cells, dtype="boolean"))
    columns = pandas.DataFrame({"one": numbers[:, 0], "two": numbers[:, 1], "flag": flags})
    return columns, (score + random.normal(size=500) / 4 > 0.9).astype(int)


def before_logistic(*steps):
    encoded = make_column_transformer((make_pipeline(*steps), ["flag"]), remainder=StandardScaler())
    return make_pipeline(encoded, LogisticRegression())


@pytest.mark.parametrize(
    "kind, make, asked",
    [
        ("object", lambda: hist(), "integer"),
        ("boolean", lambda: hist(), "integer"),
        ("boolean", xgboost, "integer"),
        ("boolean", lightgbm, "integer"),
        ("category", lambda: hist(categorical_features="from_dtype"), "category"),
        ("category", lightgbm, "category"),
        ("object", lambda: make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()), "integer"),
        ("object", lambda: before_logistic(OneHotEncoder()), "category"),
        ("boolean", lambda: before_logistic(OneHotEncoder()), "category"),
        ("category", lambda: before_logistic(OneHotEncoder(handle_unknown="ignore")), "category"),
        ("boolean", lambda: before_logistic(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), "category"),
        ("object", lambda: before_logistic(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), "category"),
    ],
)
def test_booleans_with_holes_become_a_category_or_a_number_that_may_be_missing(kind, make, asked):
    columns, classes = booleans_with_holes(kind)
    model = make().fit(columns, classes)
    minimizer = mindrel.Minimizer(model, public=["two"], certify="require").fit(columns)
    flag = minimizer.questions_[2]
    assert flag["kind"] == asked and flag.get("missing", "answer") == "answer"
    decided = minimizer.decide(columns)
    assert set(decided.guarantees) <= {"proved", "complete"}
    assert (decided.labels == model.predict(columns)).all()
    assert attacks.counterexamples(minimizer, model, columns, n_people=8, n_points=200) == 0


@pytest.mark.parametrize("kind", ["object", "boolean"])
def test_a_black_box_gets_booleans_with_holes_as_it_knows_them(kind):
    columns, classes = booleans_with_holes(kind)

    def model(rows):
        assert rows["flag"].dtype == columns["flag"].dtype
        flags = [0.6 if pandas.isna(flag) else 1.8 * (flag is True) for flag in rows["flag"]]
        return numpy.asarray(rows["one"] + flags) - 0.9

    minimizer = mindrel.Minimizer(model, public=["two"], certify="ignore", output="scores").fit(columns)
    everything = minimizer.set_params(public=list(columns)).fit(columns)
    assert (everything.predict(columns) == (model(columns) > 0)).all()


def test_a_column_of_one_number_and_one_the_model_does_not_use_are_no_obstacle():
    columns, classes = data.load("loan")
    columns = numbers_of(columns).assign(Branch=7.0)
    model = hist().fit(columns, classes)
    minimizer = mindrel.Minimizer(model, certify="require").fit(columns)
    decided = minimizer.decide(columns)
    assert (decided.labels == model.predict(columns)).all()
    never = minimizer.sensitive_.index("Branch")
    assert (numpy.asarray(decided.order)[:, never] == 0).all()

"""Tables of every make give the same, and bad ones a clear word."""

from __future__ import annotations

import numpy
import pandas
import polars
import pyarrow
import pytest
from mindrel import Minimizer
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from data import LOAN
from zoo import fitted, fitted_bare

PUBLIC = ["Time", "Amount", "Price"]


@pytest.fixture(scope="module")
def minimizer(loan):
    return Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(loan[0])


def of_every_make(columns: pandas.DataFrame):
    texts = [name for name in columns if columns[name].dtype.kind not in "if"]
    yield "polars", polars.from_pandas(columns)
    yield "polars enums", polars.from_pandas(columns).with_columns(
        [polars.col(name).cast(polars.Enum(sorted(columns[name].unique(), reverse=True))) for name in texts]
    )
    yield "polars categories", polars.from_pandas(columns).with_columns(
        [polars.col(name).cast(polars.Categorical) for name in texts]
    )
    yield "pyarrow", pyarrow.Table.from_pandas(columns)
    yield "pandas categories", columns.astype({name: "category" for name in texts})
    yield "pandas nullable", columns.convert_dtypes()
    yield "pandas objects", columns.astype(object)
    yield "numpy", columns.to_numpy()
    yield "other order", columns[columns.columns[::-1]]


def test_every_make_of_table_gives_the_same(minimizer, loan):
    expected = minimizer.decide(loan[0])
    for make, table in of_every_make(loan[0]):
        found = minimizer.decide(table)
        assert (found.order == expected.order).all() and (found.labels == expected.labels).all(), make
        fitted_to = Minimizer(minimizer.model, public=PUBLIC).fit(table)
        assert (fitted_to.decide(table).order == expected.order).all(), make


def test_booleans_are_taken_as_such(loan):
    columns, classes = loan
    columns = columns[["Age", "Time"]].assign(
        Records=columns.Records == "yes", Owner=(columns.Home == "owner").astype(int)
    )
    model = RandomForestClassifier(10, max_depth=4, random_state=0).fit(columns, classes)
    for table in (columns, polars.from_pandas(columns), columns.astype({"Records": "boolean"})):
        minimizer = Minimizer(model, public=["Time"]).fit(table)
        kinds = [question["kind"] for question in minimizer.questions_]
        assert kinds == ["integer", "integer", "boolean", "boolean"]
        assert (minimizer.predict(table) == model.predict(columns)).all()


def test_columns_of_arrays_are_named_by_the_model_or_by_place(loan):
    columns, classes = loan
    numbers = columns[["Age", "Time", "Amount"]]
    model = LogisticRegression().fit(numbers, classes)
    assert list(Minimizer(model).fit(numbers.to_numpy()).feature_names_in_) == ["Age", "Time", "Amount"]
    model = LogisticRegression().fit(numbers.to_numpy(), classes)
    minimizer = Minimizer(model, public=[1]).fit(numbers.to_numpy())
    assert list(minimizer.feature_names_in_) == ["x0", "x1", "x2"] and minimizer.sensitive_ == ["x0", "x2"]
    assert (minimizer.predict(numbers.to_numpy()) == model.predict(numbers.to_numpy())).all()


def test_imputed_cells_are_what_the_imputer_puts_there():
    table = pandas.read_csv(LOAN)
    table.loc[5:40, "Home"] = None
    classes = table.pop("label")
    texts, numbers = ["Home", "Marital", "Records", "Job"], [
        c for c in table if c not in ("Home", "Marital", "Records", "Job")
    ]
    assert table[numbers].isna().any().any() and table[texts].isna().any().any()
    for encoder in (OneHotEncoder(), OrdinalEncoder()):
        front = make_column_transformer(
            (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
            (make_pipeline(SimpleImputer(strategy="most_frequent"), encoder), texts),
        )
        for last in (LogisticRegression(max_iter=2000), RandomForestClassifier(10, max_depth=6, random_state=0)):
            model = make_pipeline(front, last).fit(table, classes)
            minimizer = Minimizer(model, public=PUBLIC).fit(table)
            assert minimizer.certifiable_
            some = table.iloc[:60]
            assert (minimizer.predict(some) == model.predict(some)).all()


def test_a_missing_level_is_a_level_of_its_own():
    table = pandas.read_csv(LOAN)[["Home", "Marital", "Age", "label"]]
    table.loc[5:40, "Home"] = None
    classes = table.pop("label")
    front = make_column_transformer((OneHotEncoder(), ["Home", "Marital"]), remainder="passthrough")
    model = make_pipeline(front, LogisticRegression(max_iter=2000)).fit(table, classes)
    minimizer = Minimizer(model).fit(table)
    assert "" in minimizer.questions_[0]["levels"]
    assert (minimizer.predict(table) == model.predict(table)).all()


@pytest.mark.parametrize("rows", [3, 12, 500])
def test_an_identifier_among_the_models_categories_is_refused_unless_declared(rows):
    age = numpy.arange(rows) * 37 % 61
    columns = pandas.DataFrame({"age": age, "customer": [f"c{row}" for row in range(rows)]})
    model = make_pipeline(
        make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["customer"]), remainder="passthrough"),
        LogisticRegression(),
    ).fit(columns, age > 20)
    with pytest.raises(ValueError, match="column `customer`: nearly every row has a value of its own") as refused:
        Minimizer(model).fit(columns)
    assert "{'customer': {'kind': 'category'}}" in str(refused.value) and "c0" not in str(refused.value)
    declared = Minimizer(model, questions={"customer": {"kind": "category"}}).fit(columns)
    assert len(declared.decide(columns).labels) == rows


def test_whole_numbers_can_be_categories(loan):
    columns, classes = loan
    table = columns[["Time", "Age", "Income"]]
    front = make_column_transformer((OneHotEncoder(), ["Time"]), remainder="passthrough")
    model = make_pipeline(front, LogisticRegression(max_iter=2000)).fit(table, classes)
    minimizer = Minimizer(model).fit(table)
    assert minimizer.questions_[0]["kind"] == "category"
    assert minimizer.questions_[0]["levels"] == [str(value) for value in sorted(table.Time.unique())]
    numpy.testing.assert_allclose(minimizer.scores(table), model.decision_function(table), atol=1e-9)
    for make in (table.astype(float), polars.from_pandas(table), table.to_numpy()):
        assert (minimizer.predict(make) == model.predict(table)).all()


@pytest.mark.parametrize(
    ("spoil", "error", "says"),
    [
        (lambda table: table.drop(columns="Age"), ValueError, "no column `Age`"),
        (lambda table: table.to_numpy()[:, 1:], ValueError, "12 columns, but 13"),
        (lambda table: table.to_numpy()[0], ValueError, "1 dimensions"),
        (
            lambda table: table.assign(Age=[31.5] * len(table)),
            ValueError,
            "row 0: the answer to `Age` is not a whole number",
        ),
        (
            lambda table: table.assign(Age=[numpy.nan, *table.Age[1:]]),
            ValueError,
            "row 0: the answer to `Age` is missing",
        ),
        (
            lambda table: table.assign(Age=[numpy.inf, *table.Age[1:]]),
            ValueError,
            "row 0: the answer to `Age` is too large",
        ),
        (lambda table: table.assign(Age="old"), TypeError, "`Age` holds texts"),
        (lambda table: table.assign(Age=pandas.Timestamp("2020-01-01")), TypeError, "`Age` is of type datetime64"),
        (lambda table: table.assign(Age=1j), TypeError, "`Age` is of type complex"),
        (
            lambda table: table.assign(Home=["castle", *table.Home[1:]]),
            ValueError,
            "row 0: the answer to `Home` is not one of its",
        ),
        (
            lambda table: table.assign(Home=[None, *table.Home[1:]]),
            ValueError,
            "row 0: the answer to `Home` is missing",
        ),
        (
            lambda table: table.assign(Home=pandas.Series([("a", "b")] * len(table))),
            TypeError,
            "`Home` is of type object",
        ),
        (
            lambda table: table.convert_dtypes().assign(Age=pandas.array([pandas.NA] * len(table), "Int64")),
            ValueError,
            "`Age` is missing",
        ),
    ],
)
def test_bad_tables_get_a_clear_word_without_a_value(minimizer, loan, spoil, error, says):
    with pytest.raises(error, match=says) as refused:
        minimizer.decide(spoil(loan[0]))
    assert not any(value in str(refused.value) for value in ("castle", "31.5", "2020-01-01"))


def test_a_level_only_a_later_table_has_is_named_by_its_question_alone(minimizer, loan):
    table = polars.from_pandas(loan[0]).with_columns(polars.lit("castle").alias("Home"))
    with pytest.raises(ValueError, match="`Home` is not one of its levels") as refused:
        minimizer.decide(table)
    assert "castle" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"public": ["Agee"]}, ValueError, "no column `Agee` to be public"),
        ({"public": ["Age"], "sensitive": ["Age"]}, ValueError, "as public and as sensitive"),
        ({"public": ["Age"], "sensitive": ["Time"]}, ValueError, "neither public nor sensitive"),
        ({"delta": 0.5}, ValueError, "delta must be a number from 0 to less than 0.5"),
        ({"selector": "best"}, ValueError, "best"),
        ({"belief": "hope"}, ValueError, "gaussian, copula, bayes-nn"),
        ({"belief": {"kind": "bayes-nn", "parts": 3}}, ValueError, "parts"),
        ({"costs": {"Age": 0}}, ValueError, "cost must be a positive number"),
        ({"costs": {"Aeg": 1}}, ValueError, "no column `Aeg`"),
        ({"questions": {"Age": {"bounds": [1, 2]}}}, ValueError, "question `Age`: unknown field `bounds`"),
        ({"questions": {"Age": {"lower": 99}}}, ValueError, "lower bound"),
        ({"label": "Age"}, ValueError, "`Age` is the label"),
        ({"certify": "maybe"}, ValueError, "warn, require, ignore"),
    ],
)
def test_bad_parameters_get_a_clear_word(loan, options, error, says):
    with pytest.raises(error, match=says):
        Minimizer(fitted("LogisticRegression", "loan"), **options).fit(loan[0])


def test_what_cannot_be_fitted_to_is_refused(loan):
    columns, _ = loan
    model = fitted_bare("LogisticRegression", "loan")
    numbers = columns[list(model.feature_names_in_)]
    for spoiled, says in [
        (numbers.iloc[:0], "no rows"),
        (numbers.assign(Age=[numpy.nan, *numbers.Age[1:]]), "`Age`: .* the model does not accept missing values"),
        (numbers.drop(columns="Age"), "no column `Age`"),
        (numbers.to_numpy()[:, 1:], "8 columns"),
    ]:
        with pytest.raises(ValueError, match=says):
            Minimizer(model).fit(spoiled)
    with pytest.raises(ValueError, match="X is missing"):
        Minimizer(model).fit()
    with pytest.raises(TypeError, match="is a class; give a fitted model"):
        Minimizer(LogisticRegression).fit(numbers)
    with pytest.raises(ValueError, match="not fitted"):
        Minimizer(LogisticRegression()).fit(numbers)


def test_classes_that_are_none_of_the_models_are_refused(minimizer, loan):
    columns, classes = loan
    with pytest.raises(ValueError, match="none of the model's classes: bad, good") as refused:
        minimizer.audit(columns, classes.replace("bad", "terrible"))
    assert "terrible" not in str(refused.value)


def test_nobody_is_decided_about_in_an_empty_table(minimizer, loan):
    decisions = minimizer.decide(loan[0].iloc[:0])
    assert len(decisions) == 0 and decisions.order.shape == (0, 10)

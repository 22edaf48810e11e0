"""Levels that the fitting rows did not have, and columns of one level."""

from __future__ import annotations

import attacks
import data
import mindrel
import numpy
import pandas
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler, TargetEncoder


def behind(encoder, predictor=None):
    columns, _ = data.load("loan")
    front = make_column_transformer((encoder, data.categories(columns)), remainder=StandardScaler())
    return make_pipeline(front, LogisticRegression(max_iter=500) if predictor is None else predictor)


def forest():
    return RandomForestClassifier(8, max_depth=5, random_state=0)


ENCODERS = {
    "ignored": lambda: behind(OneHotEncoder(handle_unknown="ignore")),
    "infrequent": lambda: behind(OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=200)),
    "coded": lambda: behind(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), forest()),
    "mean of the target": lambda: behind(TargetEncoder(random_state=0)),
    "before trees": lambda: behind(OneHotEncoder(handle_unknown="ignore", sparse_output=False), forest()),
}


@pytest.mark.parametrize("make", ENCODERS.values(), ids=ENCODERS)
def test_levels_that_nobody_had_go_where_the_encoder_sends_them(make):
    columns, classes = data.load("loan")
    model = make().fit(columns, (classes == "good").astype(int))
    minimizer = mindrel.Minimizer(model, certify="require", public=["Time", "Price"]).fit(columns)
    home = next(question for question in minimizer.questions_ if question["name"] == "Home")
    # The table has a level that is called so.
    assert "other" in home["levels"] and home["levels"][home["other"]] == "any other"
    strangers = columns.iloc[:80].assign(Home="a boat", Job="none that you know")
    decided = minimizer.decide(strangers)
    assert (decided.labels == model.predict(strangers)).all()
    assert set(decided.guarantees) <= {"proved", "complete"} and not decided.outside.any()
    assert attacks.counterexamples(minimizer, model, strangers, n_people=5) == 0


def test_a_new_category_is_a_missing_one_to_histogram_gradient_boosting():
    columns, classes = data.load("loan")
    kinds = columns.astype({name: "category" for name in data.categories(columns)})
    model = HistGradientBoostingClassifier(max_iter=12, categorical_features="from_dtype", random_state=0)
    model.fit(kinds, classes)
    minimizer = mindrel.Minimizer(model, certify="require").fit(kinds)
    strangers = columns.iloc[:80].assign(Home="a boat").astype({name: "category" for name in data.categories(columns)})
    assert (minimizer.decide(strangers).labels == model.predict(strangers)).all()


def test_levels_that_are_given_are_all_there_are():
    columns, classes = data.load("loan")
    model = ENCODERS["ignored"]().fit(columns, classes)
    levels = sorted(columns.Home.unique())
    minimizer = mindrel.Minimizer(model, certify="require", questions={"Home": {"levels": levels}}).fit(columns)
    assert next(question for question in minimizer.questions_ if question["name"] == "Home")["levels"] == levels
    with pytest.raises(ValueError, match="row 0"):
        minimizer.decide(columns.iloc[:5].assign(Home="a boat"))


def test_a_level_that_the_model_refuses_is_an_error():
    columns, classes = data.load("loan")
    model = behind(OneHotEncoder()).fit(columns, classes)
    minimizer = mindrel.Minimizer(model, certify="require").fit(columns)
    with pytest.raises(ValueError, match="row 0"):
        minimizer.decide(columns.iloc[:5].assign(Home="a boat"))


@pytest.mark.parametrize("unknown", ["error", "ignore"])
def test_a_column_of_one_text_is_no_obstacle_and_hardly_asked(unknown):
    columns, classes = data.load("loan")
    columns = columns.assign(Branch="north")
    front = make_column_transformer(
        (OneHotEncoder(handle_unknown=unknown), [*data.categories(columns)]), remainder=StandardScaler()
    )
    model = make_pipeline(front, LogisticRegression(max_iter=500)).fit(columns, classes)
    minimizer = mindrel.Minimizer(model, certify="require").fit(columns)
    some = columns.iloc[:200]
    decided = minimizer.decide(some)
    assert (decided.labels == model.predict(some)).all()
    if unknown == "error":
        asked = numpy.asarray(decided.order)[:, minimizer.sensitive_.index("Branch")]
        assert (asked[numpy.asarray(decided.guarantees) == "proved"] == 0).all()


def test_a_column_of_one_text_is_no_obstacle_to_a_black_box():
    columns = pandas.DataFrame({"a": numpy.arange(60.0), "branch": "north"})

    def model(rows):
        assert set(rows["branch"]) == {"north"}
        return rows["a"].to_numpy() - 30.0

    minimizer = mindrel.Minimizer(model, certify="ignore", output="scores", delta=0).fit(columns)
    assert (minimizer.predict(columns) == (columns.a > 30)).all()

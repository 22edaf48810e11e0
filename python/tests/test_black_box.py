"""Models that can only be run."""

from __future__ import annotations

import json
import pickle
import warnings

import numpy
import pandas
import polars
import pytest
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC, OneClassSVM

from zoo import fit, fitted

PUBLIC = ["Time", "Amount", "Price"]
NUMBERS = ["Seniority", "Age", "Expenses", "Amount"]


def quiet(model, **options) -> Minimizer:
    return Minimizer(model, **{"certify": "ignore", "samples": 500, "delta": 0, **options})


def steep(rows) -> numpy.ndarray:
    """A model nobody knows the inside of: one score."""
    rows = numpy.asarray(rows, dtype=float)
    return numpy.tanh(rows[:, 0] - 8) - 0.01 * (rows[:, 1] - 40) + 0.001 * rows[:, 2]


def test_a_model_that_is_only_run_warns_that_nothing_can_be_certified(loan):
    columns, classes = loan
    model = MultinomialNB().fit(columns[NUMBERS], classes)
    with pytest.warns(BlackBoxWarning, match="nothing can be certified.*MultinomialNB.*at most 0.05.*calibrate delta"):
        minimizer = Minimizer(model).fit(columns[NUMBERS])
    assert not minimizer.certifiable_
    with pytest.warns(BlackBoxWarning, match="no counterexample is found, which is no proof.*Choose a delta above 0"):
        Minimizer(model, delta=0).fit(columns[NUMBERS])
    with pytest.raises(ValueError, match="nothing can be certified about this model"):
        Minimizer(model, certify="require").fit(columns[NUMBERS])
    with pytest.raises(ValueError, match="certif"):
        Minimizer(model, certify="ignore", delta=0, test="certified").fit(columns[NUMBERS])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quiet(model).fit(columns[NUMBERS])


def test_without_a_delta_decisions_are_probable_and_those_of_other_models_proved(loan):
    columns, classes = loan[0][NUMBERS].iloc[:300], loan[1].iloc[:300]
    box = Minimizer(MultinomialNB().fit(columns, classes), certify="ignore").fit(columns)
    assert box.delta is None and json.loads(box.plan_.rules)["delta"] == 0.05
    assert set(box.decide(columns.iloc[:20]).guarantees) <= {"probable", "complete"}
    assert box.audit(columns.iloc[:20]).runs[0]["delta"] == 0.05
    known = Minimizer(LogisticRegression(max_iter=1000).fit(columns, classes)).fit(columns)
    assert json.loads(known.plan_.rules)["delta"] == 0
    # What was fitted before does not decide about the next model.
    box.set_params(model=known.model).fit(columns)
    assert json.loads(box.plan_.rules)["delta"] == 0


def test_what_was_not_proved_is_not_called_sampled_where_people_read_it(loan):
    columns, classes = loan[0][NUMBERS].iloc[:300], loan[1].iloc[:300]
    minimizer = quiet(MultinomialNB().fit(columns, classes)).fit(columns)
    decisions = minimizer.decide(columns)
    settled = decisions.guarantees == "sampled"
    assert f"{settled.sum()} no counterexample found" in repr(decisions) and "sampled" not in repr(decisions)
    row = columns.iloc[int(numpy.flatnonzero(settled)[0])]
    session = minimizer.session()
    for question in session:
        session.answer(row[question.name])
    assert "no counterexample found" in repr(session.decision) and "sampled" not in repr(session.decision)


def test_answers_in_a_corner_do_not_turn_a_settled_decision(loan):
    """Draws from the belief never came to a corner, and most decisions that were settled could be turned there."""
    columns = loan[0][NUMBERS].iloc[:300]
    low, high = columns.min(), columns.max()

    def rich_and_old(rows):
        return ((rows - low) / (high - low)).sum(axis=1) - 3.5

    minimizer = quiet(rich_and_old, output="scores", classes=[0, 1]).fit(columns)
    decisions = minimizer.decide(columns.iloc[:40])
    for place in range(40):
        corner = columns.iloc[[place]].copy()
        for index, name in enumerate(decisions.questions):
            corner[name] = corner[name] if decisions.order[place, index] else high[name]
        assert (rich_and_old(corner).iloc[0] > 0) == decisions.labels[place]


@pytest.mark.parametrize(
    "model", [MultinomialNB(), KNeighborsClassifier(), MLPClassifier((4,), activation="tanh", max_iter=50)]
)
def test_scores_are_the_models_own_and_nothing_is_said_to_be_proved(model, loan):
    columns, classes = loan[0][NUMBERS].iloc[:300], loan[1].iloc[:300]
    fit(model, columns, classes)
    minimizer = quiet(model).fit(columns)
    votes = model.predict_proba(columns)
    numpy.testing.assert_allclose(minimizer.scores(columns), votes[:, 1] - votes[:, 0], atol=1e-9)
    decisions = minimizer.decide(columns.iloc[:20])
    assert set(decisions.guarantees) <= {"sampled", "complete"}
    probable = minimizer.set_params(delta=0.1).decide(columns.iloc[:20])
    assert set(probable.guarantees) <= {"probable", "complete"}
    assert probable.leakage <= 1.0


def test_a_pipeline_that_is_only_run_gets_the_columns_it_was_fitted_on(loan):
    columns, _ = loan
    model = fitted("LogisticRegression", "loan")
    seen = []

    def run(rows):
        seen.append(rows)
        return model.predict(rows)

    minimizer = quiet(run, public=PUBLIC).fit(columns)
    assert list(minimizer.classes_) == ["bad", "good"]
    assert all(list(rows.columns) == list(columns.columns) for rows in seen)
    assert all((rows.dtypes == columns.dtypes).all() for rows in seen)
    assert ((minimizer.scores(columns) >= 0) == (model.predict(columns) == "good")).all()
    assert max(len(rows) for rows in seen) == len(columns), "everybody is scored at once"


@pytest.mark.parametrize("make", ["pandas", "polars", "numpy", "categories"])
def test_a_function_gets_the_make_of_table_it_was_fitted_with(loan, make):
    columns = loan[0][["Age", "Home", "Amount"]].iloc[:200]
    table = {
        "pandas": columns,
        "polars": polars.from_pandas(columns),
        "numpy": columns.to_numpy(),
        "categories": columns.astype({"Home": "category"}),
    }[make]
    kinds = []

    def owners(rows):
        kinds.append(type(rows))
        home = rows[:, 1] if make == "numpy" else rows["Home"].to_numpy()
        return (numpy.asarray(home) == "owner").astype(int)

    minimizer = quiet(owners).fit(table)
    assert set(kinds) == {type(table)}
    decisions = minimizer.decide(table)
    assert (decisions.labels == (columns.Home == "owner")).all()
    assert (decisions.n_asked <= 3).all()


def test_scores_and_probabilities_must_be_told_apart(loan):
    columns = loan[0][NUMBERS].iloc[:200]
    with pytest.raises(ValueError, match="say output='scores'"):
        quiet(steep).fit(columns)
    scores = quiet(steep, output="scores").fit(columns)
    assert (scores.scores(columns) == steep(columns)).all() or numpy.allclose(scores.scores(columns), steep(columns))
    certain = quiet(lambda rows: 1 / (1 + numpy.exp(-steep(rows))), output="probabilities").fit(columns)
    assert ((certain.scores(columns) >= 0) == (steep(columns) > 0)).all()
    three = quiet(lambda rows: numpy.stack([steep(rows), -steep(rows), 0 * steep(rows)], axis=1)).fit(columns)
    assert list(three.classes_) == [0, 1, 2] and three.scores(columns).shape == (200, 3)


def test_what_a_function_raises_is_raised(loan):
    columns = loan[0][NUMBERS].iloc[:50]
    calls = []

    def fails(rows):
        calls.append(len(rows))
        if len(calls) > 1:
            raise KeyError("the model's own trouble")
        return steep(rows)

    minimizer = quiet(fails, output="scores", classes=[0, 1]).fit(columns)
    calls.append(0)
    for use in (minimizer.decide, minimizer.scores, minimizer.audit):
        with pytest.raises(KeyError, match="the model's own trouble"):
            use(columns)
    with pytest.raises(KeyError, match="the model's own trouble"):
        minimizer.session({})
    with pytest.raises(TypeError, match="is not a model"):
        quiet(3.5).fit(columns)


def test_a_black_box_is_pickled_with_its_model_and_saved_without(loan, tmp_path):
    columns, classes = loan[0][NUMBERS].iloc[:200], loan[1].iloc[:200]
    model = MultinomialNB().fit(columns, classes)
    minimizer = quiet(model, delta=0.1).fit(columns)
    expected = minimizer.decide(columns.iloc[:10])
    copy = pickle.loads(pickle.dumps(minimizer))
    assert (copy.decide(columns.iloc[:10]).order == expected.order).all()
    minimizer.save(tmp_path / "box.plan")
    loaded = Minimizer.load(tmp_path / "box.plan", model=model)
    assert (loaded.decide(columns.iloc[:10]).order == expected.order).all()
    assert not loaded.certifiable_
    with pytest.raises(ValueError, match="callable"):
        Minimizer.load(tmp_path / "box.plan")


def test_a_label_that_was_not_announced_is_refused(loan):
    columns = loan[0][NUMBERS].iloc[:50]
    with pytest.raises(ValueError, match="none of its classes"):
        quiet(lambda rows: numpy.arange(len(rows)) % 3, classes=[0, 1]).fit(columns).scores(columns)


@pytest.mark.parametrize("delta", [0, 0.1])
def test_sessions_with_a_function_end_as_decide_does(loan, delta):
    columns = loan[0][NUMBERS].iloc[:12]
    sizes = []

    def counted(rows):
        sizes.append(len(rows))
        return steep(rows)

    minimizer = quiet(counted, output="scores", delta=delta).fit(loan[0][NUMBERS].iloc[:200])
    sizes.clear()
    decisions = minimizer.decide(columns)
    assert len(sizes) < len(columns) * 2, "the model is called for many people at once"
    alone = [minimizer.decide(columns.iloc[[place]]).order[0] for place in range(len(columns))]
    assert (decisions.order == alone).all()
    for place, (_, row) in enumerate(columns.iterrows()):
        session = minimizer.session()
        for question in session:
            session.answer(row[question.name])
        assert session.decision.label == decisions.labels[place]
        assert len(session.decision.asked) == decisions.n_asked[place]
        assert minimizer.verify(session.decision)["guarantee"] == decisions.guarantees[place]


@pytest.mark.parametrize(
    "model",
    [
        FixedThresholdClassifier(LogisticRegression(max_iter=1000), threshold=0.8),
        OneClassSVM(nu=0.2),
        SVC(decision_function_shape="ovo"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_model_with_its_own_threshold_is_decided_as_it_predicts(model, loan):
    """Scores were cut at 0 or 0.5, whatever the model's own threshold."""
    columns, classes = loan[0][NUMBERS].iloc[:300], loan[1].iloc[:300]
    if isinstance(model, SVC):
        classes = pandas.qcut(columns["Age"] + columns["Amount"] / 50, 4, labels=False)
    model = model.fit(columns) if isinstance(model, OneClassSVM) else model.fit(columns, classes)
    minimizer = quiet(model, sensitive=["Age"]).fit(columns)
    said = model.predict(columns)
    complete = minimizer.decide(columns)
    assert set(numpy.unique(said)) <= set(minimizer.classes_)
    is_complete = complete.guarantees == "complete"
    assert is_complete.any() and (complete.labels == said)[is_complete].all()


def test_a_model_that_was_misread_is_refused_or_only_run(loan):
    """There was a warning, and then decisions about the wrong model were called proved."""
    columns, classes = loan[0][NUMBERS].iloc[:300], loan[1].iloc[:300]
    model = LogisticRegression(max_iter=1000).fit(columns, classes)
    own = model.predict

    def predict(rows):
        return numpy.where(rows["Age"] < 30, model.classes_[0], own(rows))

    model.predict = predict
    with pytest.raises(ValueError, match="disagrees with its own predictions on .* of 300 rows"):
        Minimizer(model).fit(columns)
    with pytest.warns(MismatchWarning, match="nothing is proved"):
        minimizer = quiet(model, sensitive=["Age"], mismatch="warn").fit(columns)
    decisions = minimizer.decide(columns)
    assert not minimizer.certifiable_ and "proved" not in set(decisions.guarantees)
    is_complete = decisions.guarantees == "complete"
    assert (decisions.labels == predict(columns))[is_complete].all()
    with pytest.raises(ValueError, match="there is no mismatch="):
        Minimizer(model, mismatch="ignore").fit(columns)

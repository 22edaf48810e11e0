"""What is saved and loaded decides as before, and people outside the domain are flagged."""

from __future__ import annotations

import warnings

import numpy
import pandas
import pytest
from mindrel import EverythingAskedWarning, Minimizer
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

from zoo import fitted

PUBLIC = ["Time", "Amount", "Price"]


@pytest.mark.parametrize(
    "classes",
    [[0.0, 1.0], [1.0, 2.0], ["007", "008"], ["0", "1"], [False, True], [0, 1], [-1, 1], ["no", "yes"]],
    ids=repr,
)
def test_labels_keep_their_type(classes, tmp_path):
    """`0.0` came back as a text, and "007" as 7."""
    X = numpy.random.default_rng(0).normal(size=(200, 3))
    model = LogisticRegression().fit(X, numpy.array(classes)[(X[:, 0] > 0).astype(int)])
    minimizer = Minimizer(model).fit(X)
    minimizer.save(tmp_path / "some.plan")
    loaded = Minimizer.load(tmp_path / "some.plan")
    assert loaded.classes_.tolist() == classes and loaded.classes_.dtype == minimizer.classes_.dtype
    assert [type(label) for label in loaded.predict(X[:5]).tolist()] == [type(classes[0])] * 5
    assert (loaded.predict(X) == model.predict(X)).all()


def test_imputation_survives(loan, tmp_path):
    """Also of texts that had no hole when the minimizer was fitted."""
    columns, classes = loan[0][["Income", "Debt", "Home", "Age"]].copy(), loan[1]
    columns.loc[3, "Income"] = numpy.nan
    front = make_column_transformer(
        (SimpleImputer(strategy="median"), ["Income", "Debt", "Age"]),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), ["Home"]),
    )
    model = make_pipeline(front, LogisticRegression(max_iter=2000)).fit(columns, classes)
    minimizer = Minimizer(model, public=["Age"]).fit(columns)
    holes = columns.iloc[:300].copy()
    holes.loc[5:60, "Income"] = numpy.nan
    holes.loc[30:90, "Home"] = None
    minimizer.save(tmp_path / "holes.plan")
    loaded = Minimizer.load(tmp_path / "holes.plan")
    for each in (minimizer, loaded):
        assert (each.predict(holes) == model.predict(holes)).all()
    assert numpy.array_equal(loaded.decide(holes).order, minimizer.decide(holes).order)


def test_people_outside_the_domain_are_flagged_and_nothing_is_proved_about_them(loan):
    model = fitted("RandomForestClassifier", "loan")
    minimizer = Minimizer(model, public=PUBLIC).fit(loan[0])
    people = loan[0].iloc[:200].copy()
    people.loc[3:50, "Income"] = 10_000_000
    people.loc[60:70, "Amount"] = 10_000_000
    decisions = minimizer.decide(people)
    is_outside = numpy.zeros(len(people), dtype=bool)
    is_outside[3:51] = is_outside[60:71] = True
    assert (decisions.outside == is_outside).all()
    assert set(decisions.guarantees[is_outside]) <= {"none", "complete"}
    assert set(decisions.guarantees[~is_outside]) <= {"proved", "complete"}
    assert "none" in decisions.guarantees and "outside its range" in decisions._repr_html_()
    assert decisions.outside.mean() == minimizer.audit(people).runs[0]["outside_domain"]


def test_what_lies_outside_may_be_accepted_if_it_is_known(loan):
    """A proof is about what is open: an accepted answer that was revealed, or was public, leaves it a proof."""
    model = fitted("LogisticRegression", "loan")
    accepting = {name: {"outside": "accept"} for name in ("Income", "Amount")}
    minimizer = Minimizer(model, public=PUBLIC, questions=accepting).fit(loan[0])
    people = loan[0].iloc[:200].copy()
    people["Income"] = 4000 + people.Income
    decisions = minimizer.decide(people)
    asked = decisions.asked[:, decisions.questions.index("Income")]
    assert decisions.outside.all() and asked.any() and not asked.all()
    assert set(decisions.guarantees[asked]) <= {"proved", "complete"}
    assert set(decisions.guarantees[~asked]) == {"none"}
    known = loan[0].iloc[:200].copy()
    known["Amount"] = 1_000_000
    assert "none" not in minimizer.decide(known).guarantees


def test_score_is_the_accuracy_of_predict(loan):
    columns, classes = loan
    model = fitted("LogisticRegression", "loan")
    minimizer = Minimizer(model, public=PUBLIC).fit(columns)
    assert minimizer.score(columns, classes) == model.score(columns, classes)
    with pytest.raises(ValueError, match="y has 5 entries"):
        minimizer.score(columns, classes[:5])


def test_probabilities_are_the_models_own_and_warn_of_what_they_read(loan):
    columns, _ = loan
    model = fitted("LogisticRegression", "loan")
    minimizer = Minimizer(model, public=PUBLIC).fit(columns)
    with pytest.warns(EverythingAskedWarning, match="every answer"):
        assert (minimizer.predict_proba(columns) == model.predict_proba(columns)).all()
    X = columns[["Age", "Income"]]
    assert not hasattr(Minimizer(LinearSVC().fit(X, loan[1])).fit(X), "predict_proba")


def test_tables_may_come_in_pieces_or_be_planned_only(loan):
    import polars
    import pyarrow

    columns, _ = loan
    minimizer = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(columns)
    expected = minimizer.decide(columns).order
    arrow = pyarrow.Table.from_pandas(columns, preserve_index=False)
    forms = {
        "a lazy frame": polars.from_pandas(columns).lazy(),
        "a reader of record batches": arrow.to_reader(max_chunksize=100),
        "record batches": iter(arrow.to_batches(max_chunksize=100)),
        "chunks": (columns.iloc[start : start + 700] for start in range(0, len(columns), 700)),
    }
    for form, table in forms.items():
        assert numpy.array_equal(minimizer.decide(table).order, expected), form
    fitted_lazily = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(polars.from_pandas(columns).lazy())
    assert numpy.array_equal(fitted_lazily.decide(columns).order, expected)
    with pytest.raises(ValueError, match="no chunks"):
        minimizer.decide(iter([]))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"selector": "decisiv"}, "selector='decisiv'.*did you mean decisive"),
        ({"test": "proved"}, "choose from certified, sampled"),
        ({"belief": "gausian"}, "belief='gausian'.*did you mean gaussian"),
        ({"delta": 0.7}, "delta must be"),
        ({"delta": "0.1"}, "delta must be"),
        ({"samples": 1.5}, "samples must be a whole number"),
        ({"estimate": "monte carlo"}, "estimate"),
    ],
)
def test_wrong_options_are_refused_by_name_with_the_right_ones(options, says, loan):
    with pytest.raises(ValueError, match=says) as refused:
        Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC, **options).fit(loan[0])
    assert "line 1" not in str(refused.value)
    minimizer = Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(loan[0])
    with pytest.raises(ValueError, match=says):
        minimizer.set_params(**options).decide(loan[0]) if "belief" not in options else minimizer.set_params(
            **options
        ).fit(loan[0])


@pytest.mark.parametrize("options", [{"costs": ["Age"]}, {"questions": {"Age": 99}}])
def test_options_of_the_wrong_type_are_refused_by_name(options, loan):
    with pytest.raises(TypeError, match=next(iter(options))):
        Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC, **options).fit(loan[0])


def test_a_torch_module_alone_is_refused_with_what_to_do():
    """It takes tensors; the error came from within torch. Torch is large, so that a stand-in has to do here."""
    module = type("Sequential", (), {"__module__": "torch.nn.modules.container", "__call__": lambda self, X: X})()
    with pytest.raises(TypeError, match="takes tensors.*give a function around it"):
        Minimizer(module, certify="ignore").fit(numpy.ones((5, 2)) * numpy.arange(5)[:, None])


def test_forests_and_frames_are_left_as_they_are(loan):
    """Deciding changes neither the model nor the table."""
    columns = loan[0].copy()
    before = columns.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = fitted("RandomForestClassifier", "loan")
        Minimizer(model, public=PUBLIC).fit(columns).decide(columns.iloc[:50])
    pandas.testing.assert_frame_equal(columns, before)
    assert isinstance(model[-1], RandomForestClassifier)

"""scikit-learn's conventions, and what is kept in files."""

from __future__ import annotations

import hashlib
import inspect
import json
import pickle
import subprocess
import sys

import pytest
import rfc8785
from mindrel import Minimizer, NotFittedError
from mindrel._mindrel import Plan
from sklearn.base import clone
from sklearn.exceptions import NotFittedError as SklearnNotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from zoo import fitted

PUBLIC = ["Time", "Amount", "Price"]


@pytest.fixture(scope="module")
def minimizer(loan):
    return Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC, delta=0.05).fit(loan[0])


def test_init_only_stores_its_arguments():
    model = LogisticRegression()
    minimizer = Minimizer(model, delta=7, selector="no such", costs={"x": -1})
    assert minimizer.model is model and minimizer.delta == 7
    assert list(minimizer.get_params(deep=False)) == list(inspect.signature(Minimizer).parameters)


def test_rules_have_the_same_defaults_as_in_the_library():
    """A budget once counted branches here and elementary operations there, so that trees were hardly tested at all."""
    defaults = json.loads(Plan.default_rules())
    parameters = inspect.signature(Minimizer).parameters
    for name in ("delta", "selector", "samples", "estimate", "budget", "draws", "seed"):
        assert parameters[name].default in (None, defaults[name]), name


def test_parameters_are_got_and_set_by_name():
    minimizer = Minimizer(LogisticRegression(C=2.0))
    assert minimizer.get_params()["model__C"] == 2.0 and "model__C" not in minimizer.get_params(deep=False)
    assert minimizer.set_params(delta=0.1, model__C=3.0) is minimizer
    assert minimizer.delta == 0.1 and minimizer.model.C == 3.0
    with pytest.raises(ValueError, match="no parameter `detla`"):
        minimizer.set_params(detla=0.1)


def test_a_clone_is_not_fitted_and_keeps_the_fitted_model(minimizer, loan):
    copy = clone(minimizer)
    assert copy is not minimizer and not hasattr(copy, "plan_")
    assert copy.get_params(deep=False) == minimizer.get_params(deep=False)
    assert copy.fit(loan[0]).plan_.fingerprint == minimizer.plan_.fingerprint


def test_a_minimizer_that_is_not_fitted_says_so(loan):
    assert NotFittedError is SklearnNotFittedError
    minimizer = Minimizer(fitted("LogisticRegression", "loan"))
    for use in (
        minimizer.decide, minimizer.predict, minimizer.scores, minimizer.audit, minimizer.session, minimizer.verify
    ):
        with pytest.raises(NotFittedError, match="not fitted yet; call `fit`"):
            use(loan[0])
    with pytest.raises(NotFittedError):
        minimizer.save("nowhere.plan")
    with pytest.raises(SklearnNotFittedError):
        check_is_fitted(minimizer)


def test_fitted_attributes_end_in_an_underscore(minimizer, loan):
    check_is_fitted(minimizer)
    assert minimizer.n_features_in_ == 13 and list(minimizer.feature_names_in_) == list(loan[0].columns)
    assert list(minimizer.classes_) == ["bad", "good"]
    assert len(minimizer.sensitive_) == 10


def test_the_rules_can_change_without_fitting_again(minimizer, loan):
    loose = minimizer.decide(loan[0])
    strict = clone(minimizer).fit(loan[0]).set_params(delta=0.0).decide(loan[0])
    assert loose.leakage < strict.leakage
    assert set(strict.guarantees) == {"proved", "complete"} and "probable" in loose.guarantees


def test_repr_shows_what_is_not_as_usual():
    assert repr(Minimizer(LogisticRegression(), delta=0.05)) == "Minimizer(model=LogisticRegression(), delta=0.05)"


def test_a_pickled_minimizer_decides_alike(minimizer, loan):
    copy = pickle.loads(pickle.dumps(minimizer))
    assert (copy.decide(loan[0]).order == minimizer.decide(loan[0]).order).all()
    assert copy.plan_.fingerprint == minimizer.plan_.fingerprint


def test_a_saved_plan_decides_alike(minimizer, loan, tmp_path):
    minimizer.save(tmp_path / "loan.plan")
    for copy in (Minimizer.load(tmp_path / "loan.plan"), Minimizer(tmp_path / "loan.plan", delta=0.05).fit()):
        decisions = copy.decide(loan[0])
        assert copy.delta == 0.05
        assert (decisions.order == minimizer.decide(loan[0]).order).all()
        assert (decisions.labels == minimizer.predict(loan[0])).all()


def test_anybody_can_compute_the_fingerprint_of_a_plan_file(minimizer, tmp_path):
    """By another library's canonical JSON, whatever the order of the keys in the file."""
    minimizer.save(tmp_path / "loan.plan")
    file = json.loads((tmp_path / "loan.plan").read_text())
    digest = hashlib.sha256(rfc8785.dumps(file["plan"])).hexdigest()
    assert file["fingerprint"] == f"sha256:{digest}" == minimizer.plan_.fingerprint


def test_classes_come_back_as_they_were(loan, tmp_path):
    columns, classes = loan
    numbers = columns[["Time", "Age", "Amount"]]
    for labels in (classes == "good", (classes == "good").astype(int)):
        model = LogisticRegression().fit(numbers, labels)
        Minimizer(model).fit(numbers).save(tmp_path / "some.plan")
        found = Minimizer.load(tmp_path / "some.plan").predict(numbers)
        assert found.dtype.kind == labels.to_numpy().dtype.kind and (found == model.predict(numbers)).all()


def test_a_file_that_is_no_plan_is_refused(tmp_path):
    (tmp_path / "no.plan").write_text('{"format": "mindrel-plan", "version": 4, "plan"')
    with pytest.raises(ValueError, match="ends too early"):
        Minimizer.load(tmp_path / "no.plan")
    with pytest.raises(FileNotFoundError):
        Minimizer.load(tmp_path / "none.plan")
    with pytest.raises(OSError):
        Minimizer.load(tmp_path)


def test_only_numpy_is_needed_to_import():
    script = """
import sys
for name in ("sklearn", "pandas", "polars", "pyarrow", "xgboost", "lightgbm", "scipy"):
    sys.modules[name] = None
import mindrel, numpy
minimizer = mindrel.Minimizer(lambda rows: rows @ [1.0, -1.0], output="scores", certify="ignore")
try:
    minimizer.decide(numpy.zeros((1, 2)))
except mindrel.NotFittedError:
    print("not fitted")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "not fitted\n", done.stderr

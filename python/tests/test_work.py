"""Long work: forked processes, Ctrl-C, progress, threads, time limits, and rows that are not people."""

from __future__ import annotations

import io
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time

import numpy
import pytest
from mindrel import Minimizer
from mindrel._progress import ProgressLine
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier

from zoo import fitted

PUBLIC = ["Time", "Amount", "Price"]


@pytest.fixture(scope="module")
def linear(loan):
    return Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC).fit(loan[0])


def forked(minimizer, X, answers):
    answers.put(minimizer.decide(X).order)


def forked_after_loading(path, X, answers):
    answers.put(Minimizer.load(path).decide(X).order)


def in_a_child(decide, *arguments):
    """What a forked process answers; it is not waited for longer than a minute."""
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=decide, args=(*arguments, answers))
    child.start()
    try:
        return answers.get(timeout=60)
    finally:
        child.kill()
        child.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_process_that_has_decided_can_fork_and_its_child_decides_too(linear, loan):
    """As `multiprocessing.Pool` and servers that load the model before they fork do; the child waited for ever."""
    some = loan[0].iloc[:200]
    expected = linear.decide(some).order
    assert numpy.array_equal(in_a_child(forked, linear, some), expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_graph_that_has_been_run_is_run_in_a_forked_child_too(loan, tmp_path):
    from test_files import graph_of

    numbers = loan[0][["Seniority", "Time", "Age", "Expenses", "Income", "Amount"]]
    scaled = ((numbers - numbers.mean()) / numbers.std()).astype(numpy.float32)
    model = MLPClassifier((4,), activation="tanh", max_iter=20, random_state=0).fit(scaled, loan[1] == "good")
    path = tmp_path / "tanh.onnx"
    path.write_bytes(graph_of(model).SerializeToString())
    minimizer = Minimizer(path, delta=0.05, sensitive=[0, 1], certify="ignore").fit(scaled)
    some = scaled.iloc[:10]
    expected = minimizer.decide(some).order
    assert numpy.array_equal(in_a_child(forked, minimizer, some), expected)
    minimizer.save(tmp_path / "tanh.plan")
    assert numpy.array_equal(in_a_child(forked_after_loading, tmp_path / "tanh.plan", some), expected)


SETUP = """
    import os, signal, threading, time, warnings
    import numpy
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.svm import SVC
    from mindrel import Minimizer

    warnings.simplefilter("ignore")
    random = numpy.random.default_rng(0)
    X = random.normal(size=(3000, 14))
    y = X[:, :7].sum(axis=1) * X[:, 7] > 0

    def network(**options):
        model = MLPClassifier((40, 40), max_iter=30, random_state=0).fit(X, y)
        return Minimizer(model, **{"budget": 10**11, **options}).fit(X)
"""
LONG = {
    "decide": "network().decide",
    "audit": "lambda X, m=network(budget=10**10): m.audit(X, baselines=['all', 'optimal'])",
    "calibrate": "lambda X, m=network(selector='f-score'): m.calibrate(X, flips=0.05)",
    "fit": "lambda X: Minimizer(LogisticRegression().fit(X, y), belief='bayes-nn').fit(numpy.tile(X, (20, 1)))",
    "black box": "Minimizer(SVC().fit(X[:800], y[:800])).fit(X[:500]).decide",
}


@pytest.mark.parametrize("call", LONG)
def test_long_work_ends_at_ctrl_c(call):
    """Each of these takes minutes when it is left alone."""
    script = f"""{SETUP}
    long = {LONG[call]}
    threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        long(X)
    except KeyboardInterrupt:
        print("interrupted")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "interrupted", done.stderr


@pytest.fixture
def interruptible():
    """Interrupts raise, also where whoever started the tests ignores them, as shells do in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_answer_was_not_taken(loan):
    """The model interrupts the second step; the session then stands where it stood."""
    model = fitted("LogisticRegression", "loan")
    calls = {"interrupt": False}

    def function(table):
        if calls["interrupt"]:
            signal.raise_signal(signal.SIGINT)
            time.sleep(0.3)
        return model.predict_proba(table)

    minimizer = Minimizer(
        function, public=PUBLIC, delta=0.01, classes=["bad", "good"], output="probabilities", certify="ignore"
    ).fit(loan[0].iloc[:300])
    row = loan[0].iloc[2]
    session = minimizer.session(row[PUBLIC])
    first = session.question
    calls["interrupt"] = True
    with pytest.raises(KeyboardInterrupt):
        session.answer(row[first.name])
    calls["interrupt"] = False
    assert session.question == first and session.asked == []
    session.answer(row[first.name])
    assert session.asked == [first.name]


def test_a_signal_handler_may_raise_what_it_likes(linear, loan):
    class Enough(Exception):
        pass

    def handler(*_):
        raise Enough

    before = signal.signal(signal.SIGALRM, handler)
    try:
        network = Minimizer(fitted("MLPClassifier", "loan"), public=PUBLIC, selector="f-score-mc", draws=1000)
        network.fit(loan[0])
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Enough):
            network.decide(loan[0])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_progress_is_told_to_a_function_and_ends_the_work_if_that_raises(loan):
    seen = []
    network = Minimizer(
        fitted("MLPClassifier", "loan"), public=PUBLIC, selector="f-score", progress=lambda *at: seen.append(at)
    ).fit(loan[0])
    network.decide(loan[0])
    assert seen and all(total == len(loan[0]) and done <= total for done, total in seen)
    assert seen == sorted(seen)

    def enough(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        network.set_params(progress=enough).decide(loan[0])


def test_a_line_of_progress_is_shown_on_terminals_alone_and_wiped(monkeypatch, capsys, linear, loan):
    linear.decide(loan[0])
    assert capsys.readouterr().err == "", "piped output holds no progress"
    stream = io.StringIO()
    times = iter([0.0, 0.5, 2.0, 2.1, 4.0])
    monkeypatch.setattr("mindrel._progress.time.monotonic", lambda: next(times))
    with ProgressLine("deciding", stream) as line:
        for done in (10, 20, 21, 50):
            line(done, 100)
    lines = stream.getvalue().split("\r")
    assert lines[1:3] == ["deciding: 20 %, about 8 s left", "deciding: 50 %, about 4 s left"]
    assert lines[3].strip() == "" and lines[4] == "", "the line is wiped"


@pytest.mark.parametrize("n_jobs", [1, 2, -1, None])
def test_the_number_of_threads_changes_nothing(n_jobs, loan):
    minimizer = Minimizer(fitted("RandomForestClassifier", "loan"), public=PUBLIC, n_jobs=n_jobs).fit(loan[0])
    one = Minimizer(fitted("RandomForestClassifier", "loan"), public=PUBLIC, n_jobs=1).fit(loan[0])
    assert numpy.array_equal(minimizer.decide(loan[0][:300]).order, one.decide(loan[0][:300]).order)


def test_a_deadline_asks_for_more_and_is_never_wrong(loan):
    model = fitted("MLPClassifier", "loan")
    some = loan[0].iloc[:50]
    hurried = Minimizer(model, public=PUBLIC, deadline=1e-9).fit(loan[0])
    decisions = hurried.decide(some)
    assert (decisions.labels == model.predict(some)).all() and (decisions.out_of_budget > 0).any()
    assert decisions.n_asked.mean() > Minimizer(model, public=PUBLIC).fit(loan[0]).decide(some).n_asked.mean()
    session = hurried.session(some.iloc[0][PUBLIC])
    for question in session:
        session.answer(some.iloc[0][question.name])
    assert hurried.verify(session.decision)["label"] == session.decision.label


def test_a_hurried_session_that_was_pickled_or_undone_still_verifies(loan):
    """Its certificate states the steps that were cut short; those before the last were lost."""
    row = loan[0].iloc[2]
    minimizer = Minimizer(fitted("MLPClassifier", "loan"), public=PUBLIC, deadline=1e-9).fit(loan[0])
    session = minimizer.session(row[PUBLIC])
    while session.question is not None:
        name = session.question.name
        session = pickle.loads(pickle.dumps(session.answer(row[name])))
        if len(session.asked) == 3:
            session.undo().answer(row[name])
    assert minimizer.verify(session.decision)["label"] == session.decision.label


@pytest.mark.parametrize("bad", [{"n_jobs": 0}, {"n_jobs": 1.5}, {"deadline": -1}, {"deadline": "soon"}])
def test_threads_and_deadlines_that_are_none_are_refused_by_name(bad, loan):
    with pytest.raises(ValueError, match=next(iter(bad))):
        Minimizer(fitted("LogisticRegression", "loan"), public=PUBLIC, **bad).fit(loan[0])


@pytest.fixture
def odd(loan):
    """Two people without an income, one with a home that nobody has, far apart."""
    columns = loan[0].copy()
    columns.loc[[1500, 2500], "Income"] = numpy.nan
    columns.loc[700, "Home"] = "a secret castle"
    return columns


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_first_row_that_is_no_person_is_named_every_time(n_jobs, linear, odd):
    linear.set_params(n_jobs=n_jobs)
    for _ in range(5):
        with pytest.raises(ValueError, match=r"^row 700: .*`Home`.*2 more such rows: 1500, 2500") as refused:
            linear.decide(odd)
        assert "castle" not in str(refused.value)


def test_one_odd_row_does_not_lose_the_others(linear, odd, loan):
    decisions = linear.decide(odd, errors="skip")
    assert list(decisions.skipped) == [700, 1500, 2500] and len(decisions) == len(odd) - 3
    assert "castle" not in repr(decisions.skipped)
    everyone = linear.decide(loan[0])
    assert numpy.array_equal(decisions.order, everyone.order[decisions.rows])
    assert list(decisions.to_frame().index) == list(decisions.rows)
    audit = linear.audit(odd, loan[1], by="Home", errors="skip")
    assert audit.outcome["people"] == len(odd) - 3 and list(audit.skipped) == [700, 1500, 2500]
    with pytest.raises(ValueError, match="errors=`ignore`"):
        linear.decide(odd, errors="ignore")


def test_draws_for_a_person_stay_the_same_when_others_are_skipped(odd, loan):
    model = fitted("LogisticRegression", "loan")
    minimizer = Minimizer(model, public=PUBLIC, selector="random").fit(loan[0])
    kept = odd.drop(index=[700, 1500, 2500])
    whole = minimizer.audit(odd, errors="skip").runs[0]
    assert whole["mean_asked"] != minimizer.audit(kept.reset_index(drop=True)).runs[0]["mean_asked"]


def test_a_belief_is_fitted_in_a_thread_of_its_own_too():
    """Only the main thread sees signals; another one works all the same."""
    import threading

    random = numpy.random.default_rng(0)
    X = random.normal(size=(300, 3))
    model = LogisticRegression().fit(X, X[:, 0] > 0)
    found = []
    thread = threading.Thread(target=lambda: found.append(Minimizer(model).fit(X).decide(X)))
    thread.start()
    thread.join()
    assert len(found[0]) == 300

"""The table of estimators in docs/import.md says what becomes of each.

``pytest python/tests/test_estimators.py --write-table`` writes it anew.
"""

from __future__ import annotations

import copy
import re
import warnings

import numpy
import pytest
from mindrel import BlackBoxWarning, Minimizer, MismatchWarning
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from attacks import counterexamples
from data import ROOT
from estimators import BEHIND, FRONTS, MODELS
from zoo import fit

DOCUMENT = ROOT / "docs/import.md"
CERTIFIED, BLACK_BOX, REFUSED = "certified", "black box", "refused"


def verdict(model, columns) -> tuple[str, str]:
    """What mindrel makes of a fitted model, and why it is not certified; what is certified must be true."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            minimizer = Minimizer(model, public=list(columns.columns[-2:])).fit(columns)
        except ValueError as error:
            return REFUSED, str(error)
    reasons = [str(one.message) for one in said if issubclass(one.category, (BlackBoxWarning, MismatchWarning))]
    labels = numpy.asarray(model.predict(columns)).ravel()
    if not minimizer.certifiable_:
        return BLACK_BOX, reasons[-1].partition("since ")[2].partition(". Questions ")[0]
    assert not reasons
    some = columns.iloc[:60]
    decisions = minimizer.decide(some)
    assert set(decisions.guarantees) <= {"proved", "complete"}
    assert (decisions.labels == labels[:60]).all()
    assert (Minimizer(model, public=list(columns.columns)).fit(columns).predict(columns) == labels).all()
    assert counterexamples(minimizer, model, columns, n_people=4) == 0
    return CERTIFIED, ""


def named(reasons: list[str]) -> str:
    """Why something is not certified, in one cell: the first half of the sentence, without what a remedy adds."""
    short = [re.split(r"; ", reason)[0].replace("|", "\\|") for reason in reasons if reason]
    return ". ".join(dict.fromkeys(sentence[:1].upper() + sentence[1:] for sentence in short))


def code(name: str) -> str:
    """The name of an estimator, and what is said of it, as Markdown."""
    first, comma, rest = name.partition(", ") if "(" not in name else (name, "", "")
    return f"`{first}`{comma}{rest}"


def row_of_model(name: str) -> str:
    entry = MODELS[name]
    columns, classes = entry.people()
    outcome, reason = verdict(fit(copy.deepcopy(entry.model), columns, classes), columns)
    return f"| {code(name)} | {outcome} | {named([reason])} |"


def row_of_front(name: str) -> str:
    entry = FRONTS[name]
    columns, classes = entry.people()
    found = []
    for last in BEHIND.values():
        found.append(verdict(fit(make_pipeline(clone(entry.transformer), clone(last)), columns, classes), columns))
    return f"| {code(name)} | {' | '.join(outcome for outcome, _ in found)} | {named([why for _, why in found])} |"


def lines_between(marker: str, text: str) -> list[str]:
    return re.search(rf"<!-- {marker} -->\n(.*?)<!-- end -->", text, flags=re.DOTALL)[1].splitlines()[2:]


def agrees(marker: str, name: str, row: str, write: bool) -> None:
    """The document has this row; or gets it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = lines_between(marker, text)
    names = list(MODELS if marker == "models" else FRONTS)
    if write:
        kept = {line.split(" | ")[0]: line for line in rows}
        kept[row.split(" | ")[0]] = row
        ordered = [kept[f"| {code(one)}"] for one in names if f"| {code(one)}" in kept]
        head = re.search(rf"<!-- {marker} -->\n(.*\n.*\n)", text)[1]
        whole = f"<!-- {marker} -->\n{head}" + "".join(f"{line}\n" for line in ordered) + "<!-- end -->"
        pattern = re.compile(rf"<!-- {marker} -->\n.*?<!-- end -->", flags=re.DOTALL)
        DOCUMENT.write_text(pattern.sub(lambda _: whole, text), encoding="utf-8")
        return
    assert row in rows, "docs/import.md says something else; run this test with --write-table"


@pytest.mark.parametrize("name", MODELS)
def test_the_table_says_what_becomes_of_a_model(name, request):
    agrees("models", name, row_of_model(name), request.config.getoption("--write-table"))


@pytest.mark.parametrize("name", FRONTS)
def test_the_table_says_what_becomes_of_a_transformer(name, request):
    agrees("transformers", name, row_of_front(name), request.config.getoption("--write-table"))


@pytest.mark.parametrize("marker, entries", [("models", MODELS), ("transformers", FRONTS)])
def test_the_table_has_a_row_for_each_and_no_other(marker, entries):
    named_there = [line.split(" | ")[0] for line in lines_between(marker, DOCUMENT.read_text(encoding="utf-8"))]
    assert named_there == [f"| {code(name)}" for name in entries]

"""Deciding with models that can only be run: how many people a second, and where the time goes, in one run.

Three models of scikit-learn behind a one-hot encoder, as functions of a table, on `loan` (in the repository) and 4,000
people of `adult`; 5 and 12 sensitive questions; delta 0 and 0.05. Beside the speed stand the rows and calls that reached the
model for each person, how many questions were asked, how many decisions are not the model's own, and how many of those
that settled early a search around the person can turn: 2,000 people with the same revealed answers are tried.

"one by one" decides the same people in sessions of their own; the answers are compared.

    python python/benches/black_boxes.py [people] [loan|adult] [svc|neighbours|forest] [delta] [sensitive] [samples]
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy
import pandas
from mindrel import Minimizer
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

ROOT = Path(__file__).resolve().parents[2]
TABLES = {
    "loan": ROOT / "crates/mindrel-cli/data/loan.csv",
    "adult": Path(os.environ.get("MINDREL_DATA", ROOT.parent / "shared/data")) / "adult.csv",
}
MODELS = {
    "svc": SVC(),
    "neighbours": KNeighborsClassifier(15),
    "forest": RandomForestClassifier(100, random_state=0),
}
N_ROWS, ATTACKED, ATTACKS = 4_000, 100, 2_000


class Counted:
    """A function of a table that counts its calls, rows and seconds."""

    def __init__(self, model) -> None:
        self.model, self.classes_ = model, model.classes_
        self.calls = self.rows = 0
        self.seconds = 0.0

    def decision_function(self, rows) -> numpy.ndarray:
        start = time.perf_counter()
        if hasattr(self.model, "decision_function"):
            scores = self.model.decision_function(rows)
        else:
            # A half is the second class in some libraries and the first in others; here it is the first.
            scores = self.model.predict_proba(rows)[:, 1] - 0.5
        self.calls, self.rows = self.calls + 1, self.rows + len(rows)
        self.seconds += time.perf_counter() - start
        return scores

    def predict(self, rows) -> numpy.ndarray:
        return self.classes_[(self.decision_function(rows) > 0).astype(int)]


def load(name: str) -> tuple[pandas.DataFrame, pandas.Series]:
    table = pandas.read_csv(TABLES[name]).dropna().sample(N_ROWS, random_state=0).reset_index(drop=True)
    classes = table.pop("label")
    return table, classes


def fitted(kind: str, columns: pandas.DataFrame, classes: pandas.Series) -> Counted:
    words = list(columns.select_dtypes(exclude="number"))
    numbers = [name for name in columns if name not in words]
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), words), (StandardScaler(), numbers)
    )
    return Counted(make_pipeline(encoder, MODELS[kind]).fit(columns, classes))


def turned(model: Counted, people: pandas.DataFrame, decisions, table: pandas.DataFrame) -> tuple[int, int]:
    """Of people whose decision settled early: how many a search turns, and how many there are."""
    random = numpy.random.default_rng(1)
    found = tried = 0
    for place in numpy.flatnonzero(decisions.n_asked < len(decisions.questions))[:ATTACKED]:
        rows = pd_repeat(people.iloc[[place]], ATTACKS)
        others = table.sample(ATTACKS, replace=True, random_state=int(place))
        way = numpy.arange(ATTACKS) % 4
        one = random.integers(len(decisions.questions), size=ATTACKS)
        for index, name in enumerate(decisions.questions):
            if decisions.order[place, index] == 0:
                value = others[name].to_numpy().copy()
                if pandas.api.types.is_numeric_dtype(table[name]):
                    low, high = table[name].min(), table[name].max()
                    corners = numpy.where(random.random(ATTACKS) < 0.5, low, high)
                    inside = low + numpy.floor(random.random(ATTACKS) * (high - low + 1)).clip(0, high - low)
                    value = numpy.where(way == 1, corners, numpy.where(way == 2, inside, value))
                else:
                    any_level = random.choice(table[name].unique(), size=ATTACKS)
                    value = numpy.where((way == 1) | (way == 2), any_level, value)
                keep = (way == 3) & (one != index)
                rows[name] = numpy.where(keep, rows[name].to_numpy(), value)
        tried += 1
        found += bool((model.predict(rows.astype(people.dtypes)) != decisions.labels[place]).any())
    return found, tried


def pd_repeat(row: pandas.DataFrame, times: int) -> pandas.DataFrame:
    return row.loc[row.index.repeat(times)].reset_index(drop=True)


def one_by_one(minimizer: Minimizer, people: pandas.DataFrame, decisions) -> tuple[float, bool]:
    """Seconds per person in sessions, and whether everything is as it was together."""
    start, same = time.perf_counter(), True
    for place, (_, row) in enumerate(people.iterrows()):
        session = minimizer.session({name: row[name] for name in minimizer.feature_names_in_
                                     if name not in minimizer.sensitive_})
        for question in session:
            session.answer(row[question.name])
        order = numpy.zeros(len(decisions.questions), dtype=int)
        for turn, name in enumerate(session.decision.asked):
            order[decisions.questions.index(name)] = turn + 1
        same &= session.decision.label == decisions.labels[place] and (order == decisions.order[place]).all()
        same &= session.decision.guarantee == decisions.guarantees[place]
    return (time.perf_counter() - start) / len(people), bool(same)


def main() -> None:
    given = sys.argv[1:]
    n_people = int(given[0]) if given else 200
    names = [given[1]] if len(given) > 1 else list(TABLES)
    kinds = [given[2]] if len(given) > 2 else list(MODELS)
    deltas = [float(given[3])] if len(given) > 3 else [0.0, 0.05]
    sizes = [int(given[4])] if len(given) > 4 else [5, 12]
    options = {"samples": int(given[5])} if len(given) > 5 else {}
    print("table  model      sensitive  delta  people/s  one by one/s  same  rows/person  calls/person  us/row  "
          "asked  complete  flips  turned")
    for name in names:
        columns, classes = load(name)
        for kind in kinds:
            model = fitted(kind, columns, classes)
            people = columns.iloc[:n_people]
            own = model.predict(people)
            for n_sensitive in sizes:
                sensitive = list(numpy.random.default_rng(0).permutation(columns.columns)[:n_sensitive])
                for delta in deltas:
                    minimizer = Minimizer(model, sensitive=sensitive, certify="ignore", delta=delta, **options)
                    minimizer.fit(columns)
                    model.calls = model.rows = 0
                    model.seconds, start = 0.0, time.perf_counter()
                    decisions = minimizer.decide(people)
                    seconds = time.perf_counter() - start
                    rows, calls, us = model.rows, model.calls, 1e6 * model.seconds / model.rows
                    few = people.iloc[:20]
                    each, same = one_by_one(minimizer, few, decisions)
                    found, tried = turned(model, people, decisions, columns)
                    print(
                        f"{name:5}  {kind:10} {n_sensitive:9}  {delta:5}  {n_people / seconds:8.2f}  {1 / each:12.2f}  "
                        f"{'yes' if same else 'NO':4}  {rows / n_people:11.0f}  {calls / n_people:12.2f}  {us:6.1f}  "
                        f"{decisions.n_asked.mean():5.2f}  {(decisions.guarantees == 'complete').mean():8.2f}  "
                        f"{(decisions.labels != own).mean():5.3f}  {found}/{tried}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()

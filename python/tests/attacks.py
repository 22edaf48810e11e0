"""Looks for people about whom a certified decision is wrong."""

from __future__ import annotations

from typing import Any

import numpy
import pandas


def counterexamples(minimizer: Any, model: Any, columns: pandas.DataFrame, n_people: int = 10, n_points: int = 200):
    """How many points around some people, alike in all that a session revealed, the model itself labels otherwise.

    Half of the points mix the rows' own answers, the others put numbers anywhere in their bounds, also at both ends.
    """
    people = columns.sample(n_people, random_state=1)
    decisions = minimizer.decide(people)
    assert set(decisions.guarantees) <= {"proved", "complete"}
    random = numpy.random.default_rng(2)
    found = 0
    for row, (label, order) in enumerate(zip(decisions.labels, decisions.order)):
        hidden = [name for name, when in zip(minimizer.sensitive_, order) if when == 0]
        points = points_around(people.iloc[[row]], hidden, columns, minimizer.questions_, n_points, random)
        found += int((numpy.asarray(model.predict(points)).ravel() != label).sum())
    return found


def points_around(person, hidden, columns, questions, n_points, random):
    points = pandas.concat([person] * n_points, ignore_index=True)
    by_name = {question["name"]: question for question in questions}
    for name in hidden:
        drawn = columns[name].sample(n_points, replace=True, random_state=random.integers(1 << 30))
        values = drawn.reset_index(drop=True)
        question = by_name[name]
        if question["kind"] in ("number", "integer") and columns[name].dtype.kind in "if":
            lower, upper = question["lower"], question["upper"]
            anywhere = random.choice([lower, upper, numpy.nan], n_points)
            anywhere = numpy.where(numpy.isnan(anywhere), random.uniform(lower, upper, n_points), anywhere)
            if question["kind"] == "integer":
                anywhere = numpy.round(anywhere)
            values = values.where(random.random(n_points) < 0.5, anywhere).astype(columns[name].dtype)
        points[name] = values
    return points

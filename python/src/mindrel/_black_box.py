"""Models that can only be run: answers are turned into rows for the model, and its output into scores."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from ._frame import Column, python_value
from .describe.thresholds import Costed, Cut

OUTPUTS = ("auto", "labels", "probabilities", "scores")
# A score of zero means the second of two classes here, and the first in nearly every other library.
JUST_BELOW = -np.nextafter(0.0, 1.0)


class Runner:
    """Calls a model with people's answers and returns scores: one for two classes, otherwise one per class."""

    def __init__(
        self, model: Any, make: str, columns: list[Template], classes: Optional[list[Any]], output: str
    ) -> None:
        if output not in OUTPUTS:
            raise ValueError(f"there is no output `{output}`; choose from {', '.join(OUTPUTS)}")
        self.model, self.wanted = model, output
        self.make, self.columns, self.classes = make, columns, classes

    @property
    def function(self) -> Any:
        return _function(self.model, self.wanted)[0]

    @property
    def output(self) -> str:
        return _function(self.model, self.wanted)[1]

    def payload(self) -> str:
        """Everything but the model, as JSON for a plan file, which cannot contain functions."""
        name = getattr(self.model, "__qualname__", type(self.model).__qualname__)
        columns = [column.__dict__ for column in self.columns]
        classes = [python_value(label) for label in self.classes or []]
        kept = {"model": name, "make": self.make, "output": self.wanted, "classes": classes, "columns": columns}
        if isinstance(self.model, Cut):
            kept["threshold"] = self.model.threshold
        if isinstance(self.model, Costed):
            kept["costs"] = self.model.costs.tolist()
        return json.dumps(kept)

    @staticmethod
    def of_payload(model: Any, payload: str) -> Runner:
        """A runner from its payload in a plan and the model to run."""
        kept = json.loads(payload)
        if kept.get("threshold") is not None:
            model = Cut(model, kept["threshold"])
        if kept.get("costs") is not None:
            model = Costed(model, kept["costs"])
        columns = [Template(**column) for column in kept["columns"]]
        return Runner(model, kept["make"], columns, kept["classes"], kept["output"])

    def __call__(self, answers: list[np.ndarray]) -> np.ndarray:
        return np.ascontiguousarray(self.scores(self.rows(answers)), dtype=np.float64).ravel()

    def rows(self, answers: list[np.ndarray]) -> Any:
        """Answers, one array per question, as a table of the type and column types the model was fitted on."""
        columns = {column.name: column.values(codes) for column, codes in zip(self.columns, answers)}
        if self.make == "pandas":
            import pandas

            return pandas.DataFrame({column.name: column.typed(columns[column.name]) for column in self.columns})
        if self.make == "arrow":
            import pyarrow

            table = pyarrow.table(columns)
            return _polars(table)
        if any(values.dtype.kind == "O" for values in columns.values()):
            return np.array([values.astype(object) for values in columns.values()], dtype=object).T
        return np.column_stack(list(columns.values()))

    def find_classes(self, rows: Any, y: Any) -> list[Any]:
        """The classes: those given, those of y, those the model returns, or 0, 1 and so on."""
        if self.classes is not None:
            return list(self.classes)
        if y is not None:
            return list(np.unique(np.asarray(y)))
        said = np.asarray(self.function(rows))
        if self._says_labels(said):
            return list(np.unique(said))
        return list(range(said.shape[1] if said.ndim == 2 and said.shape[1] > 1 else 2))

    def follow_predict(self, rows: Any) -> None:
        """Goes by the model's ``predict`` from now on if its scores, cut where scores usually are, say otherwise."""
        if self.wanted != "auto" or self.output == "labels" or not hasattr(self.model, "predict"):
            return
        said = np.asarray(self.model.predict(rows)).ravel()
        scores = self.scores(rows)
        one_each = scores.ndim == 1 or scores.shape[1] == len(self.classes)
        if one_each and np.array_equal(np.asarray(self.classes)[places_of_scores(scores)], said):
            return
        self.wanted = "labels"
        if not set(said.tolist()) <= {python_value(label) for label in self.classes}:
            self.classes = np.unique(said).tolist()

    def scores(self, rows: Any) -> np.ndarray:
        said = np.asarray(self.function(rows))
        if self._says_labels(said):
            return self._scores_of_labels(said)
        if said.ndim == 2 and said.shape[1] == 1:
            said = said[:, 0]
        if said.ndim == 1:
            if self.output == "auto":
                raise ValueError(
                    "the model gives one number for each row; say output='scores' (above 0 is the second class) or "
                    "output='probabilities' (of the second class)"
                )
            said = said.astype(np.float64) - (0.5 if self.output == "probabilities" else 0.0)
            return np.where(said == 0.0, JUST_BELOW, said)
        if said.shape[1] == 2:
            difference = said[:, 1].astype(np.float64) - said[:, 0]
            return np.where(difference == 0.0, JUST_BELOW, difference)
        return said

    def _says_labels(self, said: np.ndarray) -> bool:
        return self.output == "labels" or self.output == "auto" and said.ndim == 1 and said.dtype.kind != "f"

    def _scores_of_labels(self, said: np.ndarray) -> np.ndarray:
        assert self.classes is not None, "the classes are found before scores are"
        is_class = np.stack([said.ravel() == label for label in self.classes], axis=1)
        if not is_class.any(axis=1).all():
            raise ValueError("the model gave a label that is none of its classes; give all of them with classes=[…]")
        return is_class[:, 1] * 2.0 - 1.0 if len(self.classes) == 2 else is_class.astype(np.float64)


def places_of_scores(scores: np.ndarray) -> np.ndarray:
    """The places of the classes that scores decide for."""
    if scores.ndim == 1 or scores.shape[1] == 1:
        return (scores.ravel() >= 0).astype(int)
    return scores.argmax(axis=1)


@dataclass
class Template:
    """How the answers to a question become a column of the model's table."""

    name: str
    kind: str
    levels: Optional[list[Any]] = None
    """The levels as the model expects them, in the question's order."""
    categories: Optional[list[Any]] = None
    """The categories of a categorical column, in its own order."""
    dtype: str = ""

    @staticmethod
    def of(column: Column, question: dict) -> Template:
        kind, dtype = question["kind"], str(column.dtype)
        if kind != "category":
            # Booleans with holes are asked for as a number from 0 to 1 that may be missing.
            return Template(column.name, "boolean" if column.kind == "boolean" else kind, dtype=dtype)
        raw = dict(zip(column.levels or [], column.raw_levels or []))
        # In a column of one level, the one for all others stands for it too: the model saw no other.
        only = next(iter(raw.values())) if len(raw) == 1 else None
        levels = [None if level == "" else raw.get(level, only or level) for level in question["levels"]]
        if column.kind == "number":
            return Template(
                column.name, "numbers", [None if level is None else float(level) for level in levels], dtype=dtype
            )
        return Template(column.name, kind, levels, column.raw_levels if dtype == "category" else None, dtype)

    def values(self, codes: np.ndarray) -> np.ndarray:
        """The column, given the codes of answers: a number itself, 0 and 1 for no and yes, the index of a level."""
        if self.levels is not None:
            return np.array(self.levels, dtype=float if self.kind == "numbers" else object)[codes.astype(int)]
        if self.kind != "boolean":
            return codes
        return np.where(np.isnan(codes), None, codes == 1.0) if np.isnan(codes).any() else codes == 1.0

    def typed(self, values: np.ndarray) -> Any:
        """The values in the type of the original pandas column, if they fit it."""
        import pandas

        if self.categories is not None:
            return pandas.Categorical(values, categories=self.categories)
        if self.kind == "number":
            return values
        try:
            return pandas.Series(values).astype(self.dtype)
        except (TypeError, ValueError):
            return values


def _function(model: Any, output: str) -> tuple[Any, str]:
    """The function to call, and what it returns."""
    wanted = {"labels": ["predict"], "probabilities": ["predict_proba"], "scores": ["decision_function"]}
    for name in wanted.get(output, ["decision_function", "predict_proba", "predict"]):
        if hasattr(model, name):
            given = {"predict": "labels", "predict_proba": "probabilities", "decision_function": "scores"}[name]
            return getattr(model, name), given
    if callable(model):
        return model, output
    raise TypeError(f"{type(model).__name__} is not a model: it has no predict method and cannot be called")


def _polars(table: Any) -> Any:
    try:
        import polars
    except ImportError:
        return table
    return polars.from_arrow(table)

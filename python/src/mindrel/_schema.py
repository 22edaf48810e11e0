"""Questions: what they are for a table, and a table's columns as their answers."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from ._frame import Column, Frame, level_name

NO = {"no", "n", "false", "f", "0", "0.0"}
YES = {"yes", "y", "true", "t", "1", "1.0"}
OVERRIDES = ("kind", "lower", "upper", "missing", "levels", "encoding", "prompt", "help", "cost")


def visibilities(names: list[str], public: Any, sensitive: Any) -> list[str]:
    """Which columns are known beforehand; with neither list given, all are asked for."""
    given_public, given_sensitive = _named(names, public, "public"), _named(names, sensitive, "sensitive")
    both = set(given_public or []) & set(given_sensitive or [])
    if both:
        raise ValueError(f"`{sorted(both)[0]}` is given as public and as sensitive; choose one")
    if given_public is not None and given_sensitive is not None:
        left = [name for name in names if name not in given_public and name not in given_sensitive]
        if left:
            raise ValueError(f"`{left[0]}` is neither public nor sensitive; name it, or give only one of the two lists")
    if given_public is not None:
        return ["public" if name in given_public else "sensitive" for name in names]
    if given_sensitive is not None:
        return ["sensitive" if name in given_sensitive else "public" for name in names]
    return ["sensitive"] * len(names)


def _named(names: list[str], given: Any, role: str) -> Optional[list[str]]:
    if given is None:
        return None
    found = []
    for entry in [given] if isinstance(given, str) else list(given):
        if isinstance(entry, (int, np.integer)) and not isinstance(entry, bool) and 0 <= entry < len(names):
            found.append(names[entry])
        elif str(entry) in names:
            found.append(str(entry))
        else:
            raise ValueError(f"there is no column `{entry}` to be {role}; the columns are: {', '.join(names)}")
    return found


def infer_question(column: Column, visibility: str, levels: Optional[dict], imputed: Any, given: dict) -> dict:
    """The question of a column: its kind and domain from the rows, and what was given in their place."""
    unknown = sorted(set(given) - set(OVERRIDES))
    if unknown:
        raise ValueError(f"`{unknown[0]}` says nothing of question `{column.name}`; say one of {', '.join(OVERRIDES)}")
    question = {"name": column.name, "prompt": column.name, "help": "", "visibility": visibility, "cost": 1.0}
    question.update(_kind(column, levels, imputed, given))
    question.update({key: given[key] for key in ("prompt", "help") if key in given})
    if "cost" in given:
        question["cost"] = float(given["cost"])
    return question


def _kind(column: Column, levels: Optional[dict], imputed: Any, given: dict) -> dict:
    kind = given.get("kind")
    if kind not in (None, "number", "integer", "boolean", "category"):
        raise ValueError(f"question `{column.name}`: there is no kind `{kind}`; choose number, integer, boolean, category")
    if kind == "category" or kind is None and (column.kind == "category" or levels is not None or "levels" in given):
        return _category(column, levels, imputed, given)
    if column.kind == "category":
        raise TypeError(f"column `{column.name}` holds texts, so that question `{column.name}` is no {kind}")
    if kind == "boolean" or kind is None and _is_boolean(column) and not {"lower", "upper", "missing"} & set(given):
        return {"kind": "boolean"}
    return _numeric(column, kind, imputed, given)


def _is_boolean(column: Column) -> bool:
    if column.kind == "boolean":
        return True
    some = column.values[:1000]
    return bool(np.isin(some, (0.0, 1.0)).all()) and set(np.unique(column.values)) == {0.0, 1.0}


def _numeric(column: Column, kind: Optional[str], imputed: Any, given: dict) -> dict:
    known = column.values[np.isfinite(column.values)]
    missing = given.get("missing", imputed if len(known) < len(column.values) else None)
    seen = np.append(known, [] if missing is None else [float(missing)])
    if len(seen) == 0 and not {"lower", "upper"} <= set(given):
        raise ValueError(f"column `{column.name}` holds no numbers; give bounds with questions={{{column.name!r}: …}}")
    lower = float(given["lower"]) if "lower" in given else float(seen.min())
    upper = float(given["upper"]) if "upper" in given else float(seen.max())
    if lower == upper and not {"lower", "upper"} & set(given):
        raise ValueError(
            f"column `{column.name}` has the same value in every row, so that there is nothing to ask; give the bounds it can "
            f"have with questions={{{column.name!r}: {{'lower': …, 'upper': …}}}}"
        )
    if kind is None:
        whole = bool((known == np.floor(known)).all()) and lower.is_integer() and upper.is_integer()
        kind = "integer" if whole else "number"
    return {"kind": kind, "lower": lower, "upper": upper, "missing": None if missing is None else float(missing)}


def _category(column: Column, levels: Optional[dict], imputed: Any, given: dict) -> dict:
    encoding = given.get("encoding", "onehot")
    if "levels" in given:
        return {"kind": "category", "levels": [level_name(level) for level in given["levels"]], "encoding": encoding}
    codes, seen = category_codes(column)
    found = {seen[code] for code in np.unique(codes) if code >= 0}
    known = [category_name(level) for level in levels["known"]] if levels else []
    if (codes < 0).any() and imputed is None:
        found.add("")
    names = found | set(known)
    order = sorted(names, key=_level_order)
    return {"kind": "category", "levels": order, "encoding": encoding}


def category_name(category: Any) -> str:
    """A level as a description writes it, as a question names it."""
    return level_name(category)


def _level_order(name: str) -> tuple:
    try:
        return (name != "", 0, float(name), name)
    except ValueError:
        return (name != "", 1, 0.0, name)


def category_codes(column: Column) -> tuple[np.ndarray, list[str]]:
    """A column as codes of named levels, also where its levels are numbers."""
    if column.kind == "category":
        return np.asarray(column.values, dtype=np.int64), list(column.levels or [])
    missing = np.isnan(column.values)
    values, codes = np.unique(column.values[~missing], return_inverse=True)
    all_codes = np.full(len(column.values), -1, dtype=np.int64)
    all_codes[~missing] = codes
    names = [level_name(bool(value)) if column.kind == "boolean" else level_name(float(value)) for value in values]
    return all_codes, names


def answers(frame: Frame, questions: Sequence[dict], fills: dict[str, Any]) -> list[np.ndarray]:
    """One array of numbers for each question: what the compiled half takes."""
    by_name = {column.name: column for column in frame.columns}
    missing = [question["name"] for question in questions if question["name"] not in by_name]
    if missing:
        raise ValueError(f"X has no column `{missing[0]}`; its columns are: {', '.join(frame.names)}")
    return [_answers(by_name[question["name"]], question, fills.get(question["name"])) for question in questions]


def _answers(column: Column, question: dict, fill: Any) -> np.ndarray:
    if question["kind"] == "category":
        return _levels(column, question, fill)
    if column.kind != "category":
        return column.values
    if question["kind"] == "boolean":
        words = [1.0 if level.lower() in YES else 0.0 if level.lower() in NO else 2.0 for level in column.levels or []]
        return np.array([*words, np.nan])[column.values]
    raise TypeError(f"column `{column.name}` holds texts where question `{column.name}` takes numbers; convert it to numbers")


def _levels(column: Column, question: dict, fill: Any) -> np.ndarray:
    codes, seen = category_codes(column)
    places = {level: place for place, level in enumerate(question["levels"])}
    stand_in = places.get("" if fill is None else level_name(fill), -1)
    table = np.array([places.get(level, -1) for level in seen] + [stand_in], dtype=np.float64)
    found = table[codes]
    wrong = np.flatnonzero(found < 0)
    if len(wrong):
        row = int(wrong[0])
        if codes[row] < 0:
            raise ValueError(f"row {row}: the answer to `{column.name}` is missing; fill it in")
        named = " / ".join(level for level in question["levels"] if level)
        raise ValueError(f"row {row}: the answer to `{column.name}` is not one of its levels; choose from: {named}")
    return found


def places_of(values: Any, classes: Sequence[Any]) -> np.ndarray:
    """The place of each class among the classes."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"y has {array.ndim} dimensions; give one class for each row")
    places = {_plain(label): place for place, label in enumerate(classes)}
    distinct, inverse = np.unique(array, return_inverse=True)
    found = np.array([places.get(_plain(label), -1) for label in distinct], dtype=np.int64)
    if (found < 0).any():
        raise ValueError(f"y holds something that is none of the model's classes: {', '.join(map(str, classes))}")
    return found[inverse]


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label

"""Models in files: ONNX, XGBoost and LightGBM, told apart by their content."""

from __future__ import annotations

import json
from typing import Any

from .._errors import NotDescribed
from .._mindrel import Pipeline
from ._described import Described


def described_file(path: str, names: list[str]) -> Described:
    """The model of a file on columns of these names: by name if it has names, otherwise by position."""
    with open(path, "rb") as file:
        content = file.read()
    try:
        pipeline, why = Pipeline.read_model(content)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if pipeline is None:
        raise NotDescribed(f"{path}: {why}")
    own, stand_ins = json.loads(pipeline.inputs()), pipeline.stand_ins()
    keys = [entry.get("name") or names[place] if place < len(names) else None for place, entry in enumerate(own)]
    places: dict[Any, int] = {key: place for place, key in enumerate(keys)}
    inputs = [own[places[name]] if name in places else {} for name in names]
    fills = {place: stand_ins[places[name]] for place, name in enumerate(names) if name in places}
    classes = json.loads(pipeline.classes())
    return Described(pipeline, inputs, {place: value for place, value in fills.items() if value is not None}, classes)

"""PyTorch's sequences of layers, described by their names and attributes, so that PyTorch need not be there."""

from __future__ import annotations

import copy
from typing import Any, Optional

import numpy as np

from .._errors import NotDescribed
from .._mindrel import Pipeline
from .linear import LOGISTIC, plain

UNCHANGED = ("Dropout", "AlphaDropout", "Identity")
# What keeps the order of the outputs, as the last layer.
LAST = ("Sigmoid", "Softmax", "LogSoftmax", "LogSigmoid")


def is_module(model: Any) -> bool:
    """Whether a model is a module of PyTorch, or of the same make."""
    return hasattr(model, "state_dict") and hasattr(model, "forward") and hasattr(model, "eval")


def sequence(module: Any) -> Pipeline:
    """A sequence of linear layers and rectifiers, as it computes once trained: dropout does nothing."""
    layers, rectified = _layers(module)
    if not layers or rectified[-1]:
        raise NotDescribed("Sequential that does not end with a linear layer")
    merged = [layers[0]]
    for (weights, biases), is_bent in zip(layers[1:], rectified[:-1]):
        if is_bent:
            merged.append((weights, biases))
        else:
            below, offsets = merged[-1]
            merged[-1] = (weights @ below, weights @ offsets + biases)
    weights, biases = merged[-1]
    if len(biases) == 2:
        # Of two outputs, the difference decides.
        merged[-1] = (weights[1:] - weights[:1], biases[1:] - biases[:1])
    n_features = merged[0][0].shape[1]
    last = LOGISTIC if len(merged[-1][1]) == 1 else None
    if len(merged) == 1:
        weights, biases = merged[0]
        predictor = {"family": "linear", "weights": weights.tolist(), "intercepts": biases.tolist()}
        return plain(predictor, n_features, probability=last)
    described = [{"weights": weights.tolist(), "biases": biases.tolist()} for weights, biases in merged]
    return plain({"family": "network", "layers": described}, n_features, probability=last)


def _layers(module: Any) -> tuple[list[tuple[np.ndarray, np.ndarray]], list[bool]]:
    """The linear layers in order, and whether a rectifier follows each."""
    layers: list[tuple[np.ndarray, np.ndarray]] = []
    rectified: list[bool] = []
    steps = list(_steps(module))
    for place, step in enumerate(steps):
        name = type(step).__name__
        if name in UNCHANGED or name in LAST and place == len(steps) - 1:
            continue
        if name == "ReLU":
            if not layers:
                raise NotDescribed("a ReLU before any linear layer")
            rectified[-1] = True
        elif name == "Linear":
            weights = _array(step.weight)
            layers.append((weights, np.zeros(len(weights)) if step.bias is None else _array(step.bias)))
            rectified.append(False)
        elif name == "BatchNorm1d":
            factors, offsets = _normalisation(step)
            layers.append((np.diag(factors), offsets))
            rectified.append(False)
        else:
            raise NotDescribed(
                f"a layer of the kind {name}; linear layers, ReLU, BatchNorm1d, Dropout and Identity could be certified"
            )
    return layers, rectified


def _steps(module: Any) -> Any:
    if type(module).__name__ != "Sequential":
        raise NotDescribed(f"the structure of the module {type(module).__name__} is not known here; a Sequential's is")
    for step in module:
        if type(step).__name__ == "Sequential":
            yield from _steps(step)
        else:
            yield step


def _normalisation(step: Any) -> tuple[np.ndarray, np.ndarray]:
    """What batch normalisation does once trained: ``(x - mean) / sqrt(variance + eps) * weight + bias``."""
    if step.running_mean is None:
        raise NotDescribed("BatchNorm1d without running statistics")
    factors = 1.0 / np.sqrt(_array(step.running_var) + step.eps)
    if step.weight is not None:
        factors = factors * _array(step.weight)
    offsets = -_array(step.running_mean) * factors
    return factors, offsets if step.bias is None else offsets + _array(step.bias)


def _array(tensor: Any) -> np.ndarray:
    for step in ("detach", "cpu", "numpy"):
        tensor = getattr(tensor, step)() if hasattr(tensor, step) else tensor
    return np.asarray(tensor, dtype=np.float64)


def as_network(model: Any, classes: Optional[Any]) -> Any:
    """A module, or a pair of a preprocessor and a module, as an estimator; anything else as it is."""
    if isinstance(model, (tuple, list)) and len(model) == 2 and is_module(model[1]):
        return Network(model[0], model[1], classes)
    return Network(None, model, classes) if is_module(model) and not hasattr(model, "predict") else model


class Network:
    """A module behind preprocessing, with the ``predict`` of an estimator; given as ``(preprocessor, module)``.

    With one output, a positive one is the second class, or one of at least a half behind a sigmoid. Otherwise the
    largest decides.
    """

    def __init__(self, preprocessor: Optional[Any], module: Any, classes: Optional[Any] = None) -> None:
        self.preprocessor, self.module = preprocessor, module
        names = getattr(preprocessor, "feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names
        if classes is None:
            sizes = [len(step.weight) for step in module if type(step).__name__ == "Linear"]
            classes = range(max(2, sizes[-1] if sizes else 2))
        self.classes_ = np.asarray(list(classes))

    def outputs(self, X: Any) -> np.ndarray:
        """The module's outputs once trained, in double precision; its own state is left alone."""
        rows = X if self.preprocessor is None else self.preprocessor.transform(X)
        rows = np.ascontiguousarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)
        module = copy.deepcopy(self.module).cpu().double().eval()
        try:
            import torch
        except ImportError:
            return np.asarray(module(rows), dtype=np.float64).reshape(len(rows), -1)
        with torch.no_grad():
            return module(torch.as_tensor(rows)).numpy().reshape(len(rows), -1)

    def predict(self, X: Any) -> np.ndarray:
        """The classes."""
        outputs = self.outputs(X)
        if outputs.shape[1] == 1:
            steps = list(self.module)
            least = 0.5 if steps and type(steps[-1]).__name__ == "Sigmoid" else 0.0
            places = (outputs[:, 0] >= least).astype(int)
        else:
            places = outputs.argmax(axis=1)
        return self.classes_[places]

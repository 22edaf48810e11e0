"""scikit-learn's conventions for parameters, without scikit-learn."""

from __future__ import annotations

import inspect
from typing import Any


class Parameters:
    """Parameters are the arguments of ``__init__``, which only stores them."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; with ``deep``, those of the model too, as ``model__name``."""
        parameters = {name: getattr(self, name) for name in self._parameter_names()}
        if deep:
            for name, value in list(parameters.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    parameters.update({f"{name}__{inner}": part for inner, part in value.get_params().items()})
        return parameters

    def set_params(self, **parameters: Any) -> Parameters:
        """Sets parameters by name; ``model__name`` sets one of the model."""
        known = self._parameter_names()
        inner: dict[str, dict[str, Any]] = {}
        for name, value in parameters.items():
            outer, _, rest = name.partition("__")
            if outer not in known:
                raise ValueError(f"there is no parameter `{outer}`; the parameters are: {', '.join(known)}")
            if rest:
                inner.setdefault(outer, {})[rest] = value
            else:
                setattr(self, name, value)
        for outer, values in inner.items():
            getattr(self, outer).set_params(**values)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn wants to know of a classifier before it asks whether it is fitted."""
        from sklearn.utils import ClassifierTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier", target_tags=TargetTags(required=False), classifier_tags=ClassifierTags()
        )

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        shown = []
        for name in self._parameter_names():
            value, default = getattr(self, name), defaults[name].default
            if default is inspect.Parameter.empty or not (value is default or repr(value) == repr(default)):
                shown.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

"""What can go wrong, by name."""

from __future__ import annotations

try:
    from sklearn.exceptions import NotFittedError
except ImportError:

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """Something was asked of a minimizer that has not been fitted."""


class NotDescribed(ValueError):
    """A model whose structure is not known here: it can only be run."""


class BlackBoxWarning(UserWarning):
    """A model is only run, never looked into: nothing can be certified."""


class MismatchWarning(UserWarning):
    """What was made of a model does not agree with the model on every row."""

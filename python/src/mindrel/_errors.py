"""Errors and warnings."""

from __future__ import annotations

try:
    from sklearn.exceptions import NotFittedError
except ImportError:

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """The minimizer has not been fitted."""


class NotDescribed(ValueError):
    """The structure of a model is unknown, so it can only be run."""


class BlackBoxWarning(UserWarning):
    """A model can only be run, so nothing can be certified."""


class MismatchWarning(UserWarning):
    """The imported model disagrees with the original on some rows."""


class EverythingAskedWarning(UserWarning):
    """A result takes all answers of everybody, not as few as possible."""

"""How long work is done: on how many threads, how long each step may take, and who is told how far it is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

from ._progress import ProgressLine, is_watched

Progress = Union[bool, Callable[[int, int], Any], None]


@dataclass(frozen=True)
class Work:
    """What the compiled half wants to know about long work."""

    threads: int
    """How many threads; 0 for one on each core."""
    deadline: Optional[float]
    """How many seconds each step may take."""
    tell: Optional[Callable[[int, int], Any]]
    """Called now and then with what is done and what there is to do."""


@contextmanager
def working(n_jobs: Optional[int], deadline: Optional[float], progress: Progress, doing: str) -> Iterator[Work]:
    """The work of the parameters of a minimizer; ``doing`` says what is done, for the line of progress."""
    threads, seconds = _threads(n_jobs), checked_seconds("deadline", deadline)
    if progress is not None and not isinstance(progress, bool):
        if not callable(progress):
            raise TypeError(f"progress is of type {type(progress).__name__}; give True, False, None or a function")
        yield Work(threads, seconds, progress)
    elif is_watched() if progress is None else progress:
        with ProgressLine(doing) as line:
            yield Work(threads, seconds, line)
    else:
        yield Work(threads, seconds, None)


def work_of(minimizer: Any, doing: str) -> AbstractContextManager[Work]:
    """The work of a minimizer."""
    return working(minimizer.n_jobs, minimizer.deadline, minimizer.progress, doing)


def _threads(n_jobs: Optional[int]) -> int:
    if n_jobs is None:
        return 0
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0:
        raise ValueError(
            f"n_jobs must be a whole number other than 0, or None for all cores, not {n_jobs!r}; -1 means all cores, "
            "-2 all but one"
        )
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def checked_seconds(name: str, seconds: Optional[float]) -> Optional[float]:
    """A time limit, which is called by the name of its parameter if it cannot be one."""
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < float("inf"):
        raise ValueError(f"{name} must be a number of seconds from 0 on, or None for no limit, not {seconds!r}")
    return float(seconds)

"""A line that says how far long work is, where somebody sees it."""

from __future__ import annotations

import sys
import time
from typing import Optional, TextIO

# Work that ends sooner shows no line.
QUIET_SECONDS = 1.0
# How often the line changes.
EVERY_SECONDS = 0.25


def is_watched() -> bool:
    """Whether somebody reads along: standard error is a terminal, or this is a notebook."""
    try:
        if sys.stderr.isatty():
            return True
    except (AttributeError, ValueError):  # There is no standard error, or it is closed.
        return False
    return "ipykernel" in sys.modules and type(sys.stderr).__module__.startswith("ipykernel")


class ProgressLine:
    """One line on standard error, written again and again, and wiped when the work is done.

    Used as ``with line:`` around the work, and called with what is done and what there is to do.
    """

    def __init__(self, doing: str, stream: Optional[TextIO] = None) -> None:
        self.doing, self.stream = doing, stream
        self.start = self.shown_at = 0.0
        self.width = 0

    def __enter__(self) -> ProgressLine:
        self.start, self.shown_at, self.width = time.monotonic(), 0.0, 0
        return self

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        elapsed = now - self.start
        if elapsed < QUIET_SECONDS or now - self.shown_at < EVERY_SECONDS:
            return
        self.shown_at = now
        text = f"{self.doing}: {100 * done // max(total, 1)} %"
        # An estimate from the first few is worth little.
        if 20 * done >= total > done:
            text += f", about {_duration(elapsed * (total - done) / done)} left"
        self._write("\r" + text.ljust(self.width))
        self.width = len(text)

    def __exit__(self, *_: object) -> None:
        if self.width:
            self._write("\r" + " " * self.width + "\r")

    def _write(self, text: str) -> None:
        stream = self.stream if self.stream is not None else sys.stderr
        stream.write(text)
        stream.flush()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

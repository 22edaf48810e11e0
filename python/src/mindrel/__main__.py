"""The command ``mindrel``, also as ``python -m mindrel``."""

from __future__ import annotations

import signal
import sys

from . import _mindrel


def main() -> int:
    """Runs the command line of this process and returns its exit code."""
    # Python would only take note of Ctrl-C, and hand it on when the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _mindrel.run_command_line(["mindrel", *sys.argv[1:]])
    if code is None:
        print(
            "mindrel was built without its command line; install a wheel of `make wheels`, or build with "
            "--features command-line",
            file=sys.stderr,
        )
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())

"""``python -m volition`` and the script ``volition``: the program, with a quiet end for Ctrl-C before it is there."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Runs the program.

    Importing it takes a moment, so that Ctrl-C may come before its own handler is in place: the same line, the same exit code.
    """
    try:
        from volition.cli import main as program

        program(prog_name="volition")
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()

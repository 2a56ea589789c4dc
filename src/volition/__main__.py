"""``python -m volition`` and the script ``volition``: the program, with a quiet end for Ctrl-C before it is there.

Nothing is imported here before the folder where the user stands is off the path, not even ``__future__``: a file in it may have any name.
"""

import os
import site
import sys

__all__ = ["main"]


def main() -> None:
    """Runs the program.

    Importing it takes a moment, so that Ctrl-C may come before its own handler is in place: the same line, the same exit code.
    """
    _leave_the_folder()
    try:
        from volition.cli import main as program

        program(prog_name="volition")
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except Exception as error:  # what happens after the import is told by the program itself
        print(f"volition cannot start: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(70)


def _leave_the_folder() -> None:
    """Take the folder where the user stands off the path: ``python -m`` and an empty entry in PYTHONPATH put it there.

    Modules of this package are found beside this one, wherever it is.
    """
    here = os.path.realpath(os.getcwd())
    libraries = {os.path.realpath(each) for each in (os.path.dirname(os.__file__), *site.getsitepackages(), site.getusersitepackages())}
    sys.path[:] = [each for each in sys.path if each and (os.path.realpath(each) != here or here in libraries)]


if __name__ == "__main__":
    main()

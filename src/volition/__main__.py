"""``python -m volition`` and the script ``volition``: the program, with a quiet end for Ctrl-C
before it is there.

Nothing is imported here before the folder where the user stands is off the path, not even
``__future__``: a file in it may have any name.
"""

import os
import site
import sys

__all__ = ["main"]


def main() -> None:
    """Runs the program.

    Importing it takes a moment, so that Ctrl-C may come before its own handler is in place: the
    same line, the same exit code.
    """
    try:
        _reopen_closed_streams()
        _remove_cwd_from_path()
        from volition.cli import main as program
        from volition.cli.exit_and_files import leave_threads

        try:
            program(prog_name="volition")
        except SystemExit as ended:  # only this program's own process may end with work left behind
            leave_threads(ended.code if isinstance(ended.code, int) else 0)
            raise
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except Exception as error:  # what happens after the import is told by the program itself
        print(f"volition cannot start: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(70)


def _reopen_closed_streams() -> None:
    """Give a number to a stream that the caller has closed: the next file that is opened would take
    it.

    Standard error forgets what is written to it.  Standard output refuses it: an answer that is
    lost must not look like a success.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        if number == 1:
            os.dup2(os.open(os.devnull, os.O_RDONLY), number)
    os.close(number)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8")  # noqa: SIM115
    for name, mode in (("stdin", "r"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _remove_cwd_from_path() -> None:
    """Take the folder where the user stands off the path: ``python -m`` and an empty entry in
    PYTHONPATH put it there.

    Modules of this package are found beside this one, wherever it is.
    """
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # it was removed
        here = None
    libraries = {
        os.path.realpath(each)
        for each in (
            os.path.dirname(os.__file__),
            *site.getsitepackages(),
            site.getusersitepackages(),
        )
    }
    os.environ["PYTHONSAFEPATH"] = (
        "1"  # the processes that are started from here stand in the same folder
    )
    if "PYTHONPATH" in os.environ:
        os.environ["PYTHONPATH"] = os.pathsep.join(
            filter(None, os.environ["PYTHONPATH"].split(os.pathsep))
        )
    sys.path[:] = [
        each for each in sys.path if each and (os.path.realpath(each) != here or here in libraries)
    ]


if __name__ == "__main__":
    main()

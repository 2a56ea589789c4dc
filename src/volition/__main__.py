"""Entry point of ``python -m volition`` and of the script ``volition``.

The current folder is removed from ``sys.path`` before any module other than ``os``, ``site`` and
``sys`` is imported. Otherwise a file in the current folder could be imported in place of a module
with the same name. For this reason not even ``__future__`` is imported. This module also handles
Ctrl-C that arrives while the command line program is still being imported.
"""

import os
import site
import sys

__all__ = ["main"]


def main() -> None:
    """Import and run the command line program.

    The import takes a moment. If Ctrl-C arrives before the program has installed its Ctrl-C
    handler, this function does what that handler does: it prints ``interrupted`` and exits with
    code 130.
    """
    try:
        _reopen_closed_streams()
        _remove_cwd_from_path()
        from volition.cli import main as program
        from volition.cli.exit_and_files import leave_threads

        try:
            program(prog_name="volition")
        except SystemExit as ended:  # may abandon threads, since this process is ours
            leave_threads(ended.code if isinstance(ended.code, int) else 0)
            raise
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except Exception as error:  # errors after the import are reported by the program
        print(f"volition cannot start: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(70)


def _reopen_closed_streams() -> None:
    """Open a file descriptor for each standard stream that is closed when the program starts.

    Otherwise the next file that is opened would get the descriptor number of that stream. Writes to
    a replaced standard error are discarded. Writes to a replaced standard output fail, because a
    lost answer must not look like a success.
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
    """Remove the current folder from ``sys.path``.

    ``python -m`` adds the current folder, and so does an empty entry in PYTHONPATH. The current
    folder stays if it is a folder of Python libraries. Subprocesses inherit the restriction through
    environment variables.
    """
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:  # the folder was removed
        here = None
    libraries = {
        os.path.realpath(each)
        for each in (
            os.path.dirname(os.__file__),
            *site.getsitepackages(),
            site.getusersitepackages(),
        )
    }
    os.environ["PYTHONSAFEPATH"] = "1"  # subprocesses run in the same current folder
    if "PYTHONPATH" in os.environ:
        os.environ["PYTHONPATH"] = os.pathsep.join(
            filter(None, os.environ["PYTHONPATH"].split(os.pathsep))
        )
    sys.path[:] = [
        each for each in sys.path if each and (os.path.realpath(each) != here or here in libraries)
    ]


if __name__ == "__main__":
    main()

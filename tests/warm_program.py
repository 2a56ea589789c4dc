"""The program ``volition`` without its start: each command runs in a process of its own, forked
from one that has imported everything.

Importing takes longer than most commands of the documents.  What a command does is the same: its
own folder, environment, streams and exit code.  How the program starts is tested where it is
started as users do, in ``tests/cli``.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from volition.__main__ import main
from volition.languages import LANGUAGES

__all__ = ["Ran", "run_warm"]

PRELOADED = (
    "volition.cli.check",
    "volition.api.checks",
    "volition.reporting",
    *dict.fromkeys(each.package for each in LANGUAGES),
)


class Ran(NamedTuple):
    """How a command ended, and what it printed."""

    exit_code: int
    stdout: str
    stderr: str


def run_warm(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Ran:
    """Run ``volition`` with some arguments in a folder, and nobody at the keyboard."""
    with TemporaryDirectory() as position:
        streams = [Path(position, "stdout"), Path(position, "stderr")]
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        queried = {
            "arguments": arguments,
            "folder": str(folder),
            "environment": dict(environment),
            "streams": list(map(str, streams)),
        }
        print(json.dumps(queried), file=server.stdin, flush=True)
        exit_code = int(server.stdout.readline())
        return Ran(exit_code, *(each.read_text() for each in streams))


@cache
def _server() -> subprocess.Popen[str]:
    """One for each process of tests; it ends when that one does, whose end of the pipe is closed
    then."""
    return subprocess.Popen(
        [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def _serve() -> None:
    for each in PRELOADED:
        importlib.import_module(each)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _become(**json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _become(
    arguments: list[str], folder: str, environment: dict[str, str], streams: list[str]
) -> None:
    """Run the program in this process, and end it without a way back into the loop."""
    ended: object = 0
    try:
        for number, name in enumerate((os.devnull, *streams)):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        sys.argv = ["volition", *arguments]
        main()
    except SystemExit as stopped:
        ended = stopped.code
    except BaseException:  # whatever it is belongs to the command, and not to who waits for it
        traceback.print_exc()
        ended = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended if isinstance(ended, int) else int(ended is not None))


if __name__ == "__main__":
    _serve()

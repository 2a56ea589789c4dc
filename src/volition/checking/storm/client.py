"""Client for Storm: sends models in bulk and formulas as text. A call cannot hang or crash the
caller.

Storm runs in a separate process (:mod:`volition.checking.storm.worker`), which is started for the
first call and kept for the next ones. A timeout or Ctrl-C kills the process; the next call starts a
new one. The process does not import from the current folder. Otherwise a file ``random.py`` beside
a program would be executed instead of the standard library's.
"""

from __future__ import annotations

import atexit
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Collection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.checking.mdp.mdp import Mdp
from volition.checking.storm.umb import write_umb
from volition.checking.storm.worker import NOT_INSTALLED, EngineAnswer
from volition.diagnostics import Diagnostic, InputError, plural

__all__ = ["EngineAnswer", "EngineError", "EngineStopped", "StormModel", "call_storm"]

_log = logging.getLogger(__name__)


class EngineError(Exception):
    """Raised if an engine has no result. The message says why, in Volition's terms.

    ``raw_output`` is the message of the engine itself, for debugging.
    """

    def __init__(self, message: str, raw_output: str | None = None) -> None:
        super().__init__(message)
        self.raw_output = raw_output


class EngineStopped(EngineError):
    """Raised if Storm timed out or crashed."""


class _StormProcess:
    """Connection to the process that runs Storm. It starts and kills the process.

    ``generation`` counts the starts of the process; models loaded by an earlier process are lost.
    ``discarded`` are the numbers of models that are no longer used. They are dropped before the
    next call, because garbage collection may run in the middle of a call.
    """

    def __init__(self) -> None:
        self.generation = 0
        self.discarded: list[int] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._owner = os.getpid()
        self._lock = threading.RLock()

    def call(
        self,
        method: str,
        *arguments: Any,
        seconds: float | None = None,
        since: float | None = None,
        **options: Any,
    ) -> Any:
        """Call a method of :class:`volition.checking.storm.worker.StormWorker` in the process and
        return its result.

        The time limit ``seconds`` counts from the time ``since``, or from the start of the call if
        it is None.
        """
        with self._lock:
            connection = self._running()
            discarded, self.discarded = self.discarded, []
            answered = False
            try:
                connection.send((discarded, method, arguments, options))
                _log.debug("calling %s", method)
                passed = 0.0 if since is None else time.perf_counter() - since
                left = None if seconds is None else seconds - passed
                if (left is not None and left <= 0) or not connection.poll(left):
                    raise EngineStopped(
                        f"Storm was stopped after {seconds:.4g} {plural(seconds or 0, 'second')}"
                    )
                outcome, answer = connection.recv()
                answered = True
            except (EOFError, BrokenPipeError, ConnectionResetError):
                raise self._why_it_ended() from None
            finally:
                # Kill the process if it has not answered, also after Ctrl-C. Otherwise a late
                # answer would be taken for the answer to the next call.
                if not answered:
                    self.stop()
        if outcome == "failed":
            _log.debug("Storm failed in %s%r: %s", method, arguments, answer)
            raise EngineError(_user_message(answer), answer)
        return answer

    @property
    def is_running(self) -> bool:
        """Whether the process was started. It may not be ready yet."""
        return self._connection is not None and self._owner == os.getpid()

    def ensure_running(self) -> int:
        """Start the process if it is not running, and return its generation."""
        with self._lock:
            self._running()
            return self.generation

    def stop(self) -> None:
        """Kill the process. Do nothing if it is not running, or if it belongs to the parent process
        (after a fork)."""
        process, self._process = self._process, None
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()

    def _running(self) -> Connection:
        if self._owner != os.getpid():
            self._process, self._connection, self._owner = None, None, os.getpid()
        if self._connection is None:
            ours, theirs = socket.socketpair()
            self._process = _start_python(_START, str(theirs.fileno()), pass_fds=[theirs.fileno()])
            theirs.close()
            self._connection = Connection(ours.detach())
            self.generation += 1
            self.discarded = []
        return self._connection

    def _why_it_ended(self) -> EngineStopped | InputError:
        code = self._process.wait() if self._process is not None else 0
        if code == NOT_INSTALLED:
            hint = (
                "install it with 'pip install stormpy', or estimate the value with 'volition "
                "simulate'"
            )
            return InputError(
                [
                    Diagnostic(
                        "CHK104",
                        "cannot run Storm: the Python package 'stormpy' cannot be imported",
                        hint=hint,
                    )
                ]
            )
        if code == -signal.SIGKILL:
            how = "killed, perhaps because memory ran out"
        else:
            how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return EngineStopped(f"Storm ended unexpectedly ({how})")


_START = "from volition.checking.storm.worker import main; main()"

_engine = _StormProcess()
atexit.register(_engine.stop)


def call_storm(method: str, *arguments: Any, seconds: float | None = None, **options: Any) -> Any:
    """Call a method of the Storm worker that does not need a loaded model. Raise
    :class:`EngineError` if it fails."""
    return _engine.call(method, *arguments, seconds=seconds, **options)


class StormModel:
    """MDP that is loaded into Storm on first use, and the named sets of states that formulas refer
    to."""

    def __init__(self, mdp: Mdp, *, exact: bool) -> None:
        self.mdp = mdp
        self.exact = exact
        self._names: dict[bytes, str] = {}
        self._bits: dict[str, str] = {}
        self._sent: set[str] = set()
        self._generation = 0
        self._number = 0

    def label(self, states: npt.NDArray[np.bool_]) -> str:
        """Return the quoted label of a set of states, for use in formulas.

        The set of all states and the empty set get labels too. Between path operators, Storm would
        take ``true`` and ``false`` for unknown labels.
        """
        words = np.packbits(np.pad(states, (0, -len(states) % 64))).view(">u8")
        name = self._names.setdefault(words.tobytes(), f"set{len(self._names)}")
        self._bits.setdefault(name, f"{len(states)} {' '.join(map(str, words.tolist()))}")
        return f'"{name}"'

    def check(
        self,
        prop: str,
        *,
        strategy: bool = False,
        everywhere: bool = True,
        precision: float = 1e-10,
        seconds: float | None = None,
    ) -> EngineAnswer:
        """Return Storm's result for a query. Raise :class:`EngineError` if there is none.

        With ``everywhere`` the result has the values of all states, otherwise only that of the
        initial state. With ``strategy`` it also has the optimal choices.
        """
        answer: EngineAnswer = self.ask(
            "check",
            prop,
            strategy=strategy,
            everywhere=everywhere,
            precision=precision,
            seconds=seconds,
        )
        return answer

    def holds(self, prop: str, *, seconds: float | None = None) -> npt.NDArray[np.bool_]:
        """Return the states in which a formula with the threshold 0 or 1 holds, by graph
        analysis."""
        states: npt.NDArray[np.bool_] = self.ask("holds", prop, seconds=seconds)
        return states

    def ask(
        self, method: str, *arguments: Any, seconds: float | None = None, **options: Any
    ) -> Any:
        """Call a method of the Storm worker on this model and return its result. The time limit
        includes loading the model, but not starting Storm."""
        if self._generation != _engine.generation or not _engine.is_running:
            _engine.call("forget", (), seconds=seconds)
        start = time.perf_counter()
        self._load(seconds, start)
        return _engine.call(
            method, self._number, *arguments, seconds=seconds, since=start, **options
        )

    def _load(self, seconds: float | None, start: float) -> None:
        if self._generation != _engine.ensure_running():
            handle, name = tempfile.mkstemp(suffix=".umb")
            os.close(handle)
            try:
                try:
                    write_umb(Path(name), self.mdp, exact=self.exact)
                except OSError as error:
                    raise EngineError(
                        f"cannot send the model to Storm: cannot write '{name}': "
                        f"{error.strerror or error}"
                    ) from None
                self._number = _engine.call(
                    "load", Path(name), self.exact, seconds=seconds, since=start
                )
            finally:
                os.unlink(name)
            self._generation = _engine.generation
            self._sent.clear()
            weakref.finalize(self, _forget, self._generation, self._number)
        for name in self._bits.keys() - self._sent:
            _engine.call(
                "label", self._number, name, self._bits[name], seconds=seconds, since=start
            )
            self._sent.add(name)


def _forget(generation: int, number: int) -> None:
    if generation == _engine.generation:
        _engine.discarded.append(number)


_REASONS = {
    "negative reward": "Storm does not support negative rewards for this formula",
    "no algorithm": "Storm does not support this formula",
    "not implemented": "Storm does not support this formula",
    "not supported": "Storm does not support this formula",
    "bad_alloc": "Storm ran out of memory",
    "out of memory": "Storm ran out of memory",
}
"""Explanations for users why Storm has no result. Each key is a text that occurs in Storm's error
message."""


def _user_message(storm_message: str) -> str:
    """Return an explanation for users why Storm has no result. Storm's own messages mention its
    classes and settings, which mean nothing to a user of Volition."""
    lowered = storm_message.lower()
    return next(
        (reason for part, reason in _REASONS.items() if part in lowered),
        "Storm could not solve this formula",
    )


# --- start of the Storm process -------------------------------------------------------------------

_VOLITION = Path(__file__).parents[2] / "__init__.py"

_FIND_VOLITION = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("volition", sys.argv.pop(1))
sys.modules["volition"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["volition"])
"""
"""Python code that imports the same copy of Volition as this process uses. Only the dependencies of
Volition are found through the import path."""


def _start_python(code: str, *arguments: str, pass_fds: Collection[int]) -> subprocess.Popen[bytes]:
    """Start a Python process that runs ``code``, which may import from Volition. Its working
    directory is the root folder and it has no standard input."""
    command = [sys.executable, "-P", "-c", _FIND_VOLITION + code, str(_VOLITION), *arguments]
    return subprocess.Popen(
        command, pass_fds=pass_fds, stdin=subprocess.DEVNULL, cwd=Path("/"), env=_environment()
    )


def _environment() -> dict[str, str]:
    """Return the environment variables of this process with ``PYTHONPATH`` made absolute. Empty
    entries, which mean the current folder, are dropped."""
    environment = dict(os.environ)
    entries = [
        os.path.abspath(each)
        for each in environment.pop("PYTHONPATH", "").split(os.pathsep)
        if each
    ]
    return environment | ({"PYTHONPATH": os.pathsep.join(entries)} if entries else {})

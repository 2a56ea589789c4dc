"""Asking Storm: models go over in bulk, questions as text, and no question can hang or crash the
caller.

Storm runs in a process of its own (:mod:`volition.checking.storm.worker`), started at the first
question and kept for the next.  A question that takes too long, or Ctrl-C, ends that process; the
next question starts a new one.  It imports nothing from where the user stands: the current folder
would be at the head of its path, and a file ``random.py`` beside a program would be executed in the
place of the library's.
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
    """There is no answer; the message says why in words of ours.  ``said`` is what the engine
    itself said, for who looks into it."""

    def __init__(self, message: str, said: str | None = None) -> None:
        super().__init__(message)
        self.raw_output = said


class EngineStopped(EngineError):
    """Storm was stopped before it could answer, because time was up, or it crashed."""


class _StormProcess:
    """The process that runs Storm.

    ``generation`` counts its restarts: what an earlier one had loaded is gone.  ``discarded`` are
    models that nobody uses any more; they are dropped before the next question, because garbage
    collection may happen in the middle of one.
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
        """The answer of one of :class:`volition.checking.storm.worker.Worker`'s methods.

        ``seconds`` count from the moment ``since``, or from now.
        """
        with self._lock:
            connection = self._running()
            discarded, self.discarded = self.discarded, []
            answered = False
            try:
                connection.send((discarded, method, arguments, options))
                _log.debug("asked for %s", method)
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
                # also on Ctrl-C: an answer that nobody waits for must not meet the next question
                if not answered:
                    self.stop()
        if outcome == "failed":
            _log.debug("Storm was asked for %s%r and said: %s", method, arguments, answer)
            raise EngineError(_user_message(answer), answer)
        return answer

    @property
    def is_running(self) -> bool:
        """Whether there is a process to be asked, which may be about to answer its first
        question."""
        return self._connection is not None and self._owner == os.getpid()

    def ensure_running(self) -> int:
        """The generation of the process that will be asked next; it is started if there is none."""
        with self._lock:
            self._running()
            return self.generation

    def stop(self) -> None:
        """End the process; harmless if there is none or it belongs to another process (after a
        fork)."""
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
                "install it with 'pip install stormpy', or ask for an estimate with 'volition "
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
    """A question of the worker's that is about no loaded model; raises :class:`EngineError`."""
    return _engine.call(method, *arguments, seconds=seconds, **options)


class StormModel:
    """A process loaded into Storm, and the sets of states that questions about it name."""

    def __init__(self, mdp: Mdp, *, exact: bool) -> None:
        self.mdp = mdp
        self.exact = exact
        self._names: dict[bytes, str] = {}
        self._bits: dict[str, str] = {}
        self._sent: set[str] = set()
        self._generation = 0
        self._number = 0

    def label(self, states: npt.NDArray[np.bool_]) -> str:
        """The name of a set of states for questions, in quotation marks.

        All states and none are sets like any other: between operators on paths, Storm takes its own
        words for them for unknown labels.
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
        """Storm's answer; raises :class:`EngineError`.

        ``everywhere`` asks for the values in all states, and not only in the initial one.
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
        """Where a formula with the threshold 0 or 1 holds, decided on the graph."""
        states: npt.NDArray[np.bool_] = self.ask("holds", prop, seconds=seconds)
        return states

    def ask(
        self, method: str, *arguments: Any, seconds: float | None = None, **options: Any
    ) -> Any:
        """Any question of the worker's about this model; the time to load the model counts, that to
        start Storm does not."""
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
                        f"the model cannot be given to Storm: cannot write '{name}': "
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
    "negative reward": "Storm has no method for rewards that are negative somewhere",
    "no algorithm": "Storm has no method for this question",
    "not implemented": "Storm has no method for this question",
    "not supported": "Storm has no method for this question",
    "bad_alloc": "memory ran out in Storm",
    "out of memory": "memory ran out in Storm",
}
"""What Storm's messages contain, and what that means to somebody who never saw Storm."""


def _user_message(said: str) -> str:
    """Why there is no answer.  Storm speaks of its own classes and settings, which mean nothing to
    a user of ours."""
    words = said.lower()
    return next(
        (reason for part, reason in _REASONS.items() if part in words),
        "Storm found no answer to this question",
    )


# --- its process ----------------------------------------------------------------------------------

_VOLITION = Path(__file__).parents[2] / "__init__.py"

_FIND_VOLITION = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("volition", sys.argv.pop(1))
sys.modules["volition"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["volition"])
"""
"""The same Volition as here, wherever it was found; only its libraries come from the path."""


def _start_python(code: str, *arguments: str, pass_fds: Collection[int]) -> subprocess.Popen[bytes]:
    """A process that runs code, which may import from Volition; it stands in the root folder and
    reads nothing from the keyboard."""
    command = [sys.executable, "-P", "-c", _FIND_VOLITION + code, str(_VOLITION), *arguments]
    return subprocess.Popen(
        command, pass_fds=pass_fds, stdin=subprocess.DEVNULL, cwd=Path("/"), env=_environment()
    )


def _environment() -> dict[str, str]:
    """That of this process, with the path for imports made absolute; an empty entry in it is the
    current folder."""
    environment = dict(os.environ)
    entries = [
        os.path.abspath(each)
        for each in environment.pop("PYTHONPATH", "").split(os.pathsep)
        if each
    ]
    return environment | ({"PYTHONPATH": os.pathsep.join(entries)} if entries else {})

"""Spin's tool chain: ``spin`` generates a verifier in C from a Promela model, a C compiler compiles
it, and the verifier checks the model."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from volition.diagnostics import Diagnostic, InputError
from volition.subprocesses import run_subprocess

__all__ = ["SpinRun", "Verifier", "compiler", "verifier"]

FIRST_DEPTH = 1_000_000
MAX_DEPTH = 100_000_000
"""Largest search depth of Spin's verifier, at which it gives up. ``FIRST_DEPTH`` is the depth at
which it starts."""

EVERY_STATE = ("-DNOREDUCE", "-DCOLLAPSE", "-DVECTORSZ=32768")
FOR_CLAIMS = (*EVERY_STATE, "-DNFAIR=8")
FOR_STATES = (*EVERY_STATE, "-DSAFETY", "-DNOCLAIM")
"""Options with which Spin's verifier is compiled: ``FOR_STATES`` to count all states,
``FOR_CLAIMS`` to check claims. Both switch partial-order reduction off, so that the states are
those of the Promela model, and use lossless state compression."""

_ERRORS = re.compile(
    r"^pan:1: (acceptance cycle|end state in claim|assertion violated|claim violated)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class SpinRun:
    """Result of running Spin's verifier.

    ``trail`` has the lines printed by the steps of a counterexample; they repeat from ``loop`` on.
    ``exceeded`` names a bound of the Promela model that was too small; the model must then be
    rebuilt.
    """

    states: int
    violated: bool
    unknown: str | None
    seconds: Mapping[str, float]
    trail: Sequence[str] = ()
    loop: int | None = None
    exceeded: str | None = None


@dataclass
class Verifier:
    """Compiled verifier of a Promela model, in the folder where it was built. ``seconds`` is the
    total time of each phase."""

    folder: Path
    deadline: float | None
    seconds: dict[str, float] = field(default_factory=dict)

    def check(self, claim: str | None = None, *, fair: bool = False) -> SpinRun:
        """Check a claim of the Promela model, by default its only one. With ``fair``, consider only
        runs that are weakly fair to every process."""
        chosen = [] if claim is None else ["-N", claim]
        output = self._run_verifier(["-a", *chosen, *(["-f"] if fair else [])])
        if _ERRORS.search(output):
            return self._counterexample(_states(output), chosen)
        return SpinRun(
            _states(output), violated=False, unknown=_why_unknown(output), seconds=self.seconds
        )

    def count(self) -> SpinRun:
        """Count all states of the Promela model. The verifier must be compiled with the options
        ``FOR_STATES``."""
        output = self._run_verifier(["-E"])
        if _ERRORS.search(output):
            return self._counterexample(_states(output), [])
        return SpinRun(
            _states(output), violated=False, unknown=_why_unknown(output), seconds=self.seconds
        )

    def _run_verifier(self, options: Sequence[str]) -> str:
        depth = FIRST_DEPTH
        while True:
            output = self.run(
                "verify", ["./pan", *options, f"-m{depth}", "-w22"], must_succeed=False
            )
            if "max search depth too small" not in output or depth >= MAX_DEPTH:
                return output
            depth *= 10

    def _counterexample(self, states: int, chosen: Sequence[str]) -> SpinRun:
        """Return the counterexample that the verifier found, or the bound of the model that was
        exceeded. The verifier replays its trail, and the model prints its steps."""
        trail: list[str] = []
        loop = None
        for line in self.run("replay", ["./pan", "-r", *chosen], must_succeed=False).splitlines():
            if line.startswith("@ exceeded "):
                return SpinRun(
                    states,
                    violated=False,
                    unknown=None,
                    seconds=self.seconds,
                    exceeded=line.removeprefix("@ exceeded "),
                )
            if line.startswith("@ "):
                trail.append(line.removeprefix("@ "))
            elif line.startswith("@+ "):
                trail[-1] += line.removeprefix("@+ ")
            elif line.startswith("@= "):
                trail[-1] += f"|{line.removeprefix('@= ')}"
            elif "START OF CYCLE" in line:
                loop = len(trail)
        return SpinRun(
            states, violated=True, unknown=None, seconds=self.seconds, trail=trail, loop=loop
        )

    def run(self, phase: str, command: Sequence[str], *, must_succeed: bool = True) -> str:
        """Run a command in the folder of the verifier and return its output. The time it takes is
        added to the time of ``phase``.

        Raise :class:`InputError` if the command is missing or, with ``must_succeed``, fails.
        """
        start = time.perf_counter()
        left = None if self.deadline is None else max(0.01, self.deadline - start)
        try:
            done = run_subprocess(command, folder=self.folder, seconds=left)
        except FileNotFoundError:
            hint = (
                "install Spin (the package 'spin' of many systems) and a C compiler, or use "
                "another engine"
            )
            raise InputError(
                [
                    Diagnostic(
                        "CHK100", f"cannot run Spin: '{command[0]}' is not installed", hint=hint
                    )
                ]
            ) from None
        finally:
            self.seconds[phase] = self.seconds.get(phase, 0.0) + time.perf_counter() - start
        if must_succeed and done.returncode != 0:
            raise InputError(
                [
                    Diagnostic(
                        "CHK101",
                        f"'{command[0]}' rejected the model: "
                        f"{_error_tail(done.stdout + done.stderr)}",
                    )
                ]
            )
        return done.stdout


@contextmanager
def verifier(
    model: str,
    *,
    optimise: str = "-O2",
    options: Sequence[str] = FOR_CLAIMS,
    deadline: float | None = None,
) -> Iterator[Verifier]:
    """Build the verifier of a Promela model in a temporary folder and yield it.

    Raise :class:`subprocess.TimeoutExpired` when the deadline (a time of ``time.perf_counter``) has
    passed.
    """
    with TemporaryDirectory() as name:
        made = Verifier(Path(name), deadline)
        (made.folder / "model.pml").write_text(model, encoding="utf-8")
        made.run("generate", ["spin", "-a", "model.pml"])
        made.run("compile", [compiler(), optimise, *options, "-w", "-o", "pan", "pan.c"])
        yield made


def compiler() -> str:
    """Return the name of a C compiler that is installed on this machine, or ``cc`` if none is
    found."""
    return next((tool for tool in ("cc", "gcc", "clang") if shutil.which(tool)), "cc")


def _states(output: str) -> int:
    stored = re.search(r"^\s*([\d.e+]+) states, stored", output, re.MULTILINE)
    return round(float(stored[1])) if stored else 0


def _why_unknown(output: str) -> str | None:
    if "errors: 0" in output and "max search depth too small" not in output:
        return None
    return f"Spin gave up: {_error_tail(output)}"


def _error_tail(output: str) -> str:
    lines = [
        line.strip() for line in output.splitlines() if "rror" in line or line.startswith("pan:")
    ]
    return lines[0] if lines else "no reason given"

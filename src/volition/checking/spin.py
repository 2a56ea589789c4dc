"""Spin as an engine: runs ``spin``, a C compiler and the verifier that they make, and tells the trail in the agents' words.

Spin explores a translation of the program, not our states, so it is also a check on them.  The translation is handed in, since
checkers know nothing of languages; what this module relies on are the lines that the model prints, one for each step::

    @ ag1|0                                   the first choice of component ag1
    @ environment|drop (X = #103)             what a component does,
    @+ , alternative 2                        more of it,
    @= 0                                      and which outcome of chance it has
    @ exceeded M_Ev                           a bound was too small; the model is made again with more room

Numbers behind ``#`` stand for identifiers, which the model defines as macros.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from volition.checking.guided import guided_run
from volition.checking.verdict import Run, Verdict
from volition.diagnostics import Diagnostic, InputError
from volition.languages.model import Program
from volition.logic.shape import is_ltl
from volition.logic.syntax import Formula, Next, Not, PathQuantifier
from volition.logic.tree import subformulas

__all__ = ["Spin", "SpinRun", "Translator"]

FIRST_DEPTH = 1_000_000
MOST_DEPTH = 100_000_000
LARGEST_ROOM = 255


class Translator(Protocol):
    """Makes the Promela model of a program with one ``ltl`` block."""

    def __call__(self, program: Program, formula: Formula, room: Mapping[str, int], /) -> str:
        """``room`` is the least room in channels, by the names of bounds; raises :class:`InputError` for what has no translation."""


@dataclass(frozen=True, slots=True)
class SpinRun:
    """What the verifier said.  ``trail`` are the lines that the steps of a counterexample printed; from ``loop`` on they repeat."""

    states: int
    violated: bool
    unknown: str | None
    seconds: Mapping[str, float]
    trail: Sequence[str] = ()
    loop: int | None = None
    exceeded: str | None = None


@dataclass(frozen=True)
class Spin:
    """The engine.  ``fair`` considers only runs that are weakly fair to every process (``pan -f``)."""

    translator: Translator
    fair: bool = False
    name: str = "Spin"
    compiler_options: Sequence[str] = field(default=("-O2", "-DNOREDUCE", "-DNFAIR=8", "-DVECTORSZ=32768"))

    def why_not(self, program: Program, formula: Formula) -> str | None:
        """Why Spin cannot answer this; None if it can."""
        if not is_ltl(_path(formula)) or any(isinstance(part, Next) for part in subformulas(formula)):
            return "it answers formulas of LTL without the next operator"
        missing = [tool for tool in ("spin", _compiler()) if shutil.which(tool) is None]
        if missing:
            return f"it needs {' and '.join(missing)}, which cannot be found here"
        try:
            self.translator(program, _universal(formula), {})
        except InputError as error:
            return "; ".join(each.message for each in error.diagnostics)
        return None

    def check(self, program: Program, formula: Formula, *, seconds: float | None = None) -> Verdict:
        """Spin's answer, with its run where there is one."""
        start = time.perf_counter()
        room: dict[str, int] = {}
        while True:
            model = self.translator(program, _universal(formula), room)
            found = self.run(model, seconds)
            if found.exceeded is None:
                break
            room[found.exceeded] = _more_room(found.exceeded, room.get(found.exceeded, 8))
        existential = isinstance(formula, PathQuantifier) and formula.quantifier == "E"
        told = f"{found.states:,} states; " + ", ".join(f"{phase} {duration:.1f} s" for phase, duration in found.seconds.items())
        return Verdict(
            formula,
            method="Spin, on a Promela translation of the program",
            seconds=time.perf_counter() - start,
            holds=None if found.unknown else found.violated is existential,
            run=self._run(program, model, found) if found.violated else None,
            notes=(told,),
            unknown=found.unknown,
        )

    @staticmethod
    def _run(program: Program, model: str, found: SpinRun) -> Run:
        section = model.partition("/* Identifiers")[2].partition("\n\n")[0]
        defined = re.findall(r"^#define (\w+) (\d+)(?:   /\* (.*) \*/)?$", section, re.MULTILINE)
        identifiers: dict[str, str] = {number: name or macro for macro, number, name in defined}
        lines = [re.sub(r"#(-?\d+)", lambda each: identifiers.get(each.group(1), each.group(1)), line) for line in found.trail]
        return guided_run(program.model().system, lines, found.loop)

    # --- running the tools ---------------------------------------------------------------------------------------------------------

    def run(self, model: str, seconds: float | None = None) -> SpinRun:
        """What the verifier of a model with one ``ltl`` block says; raises :class:`InputError` where a tool is missing or fails."""
        deadline = None if seconds is None else time.perf_counter() + seconds
        took: dict[str, float] = {}
        with TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "model.pml").write_text(model, encoding="utf-8")
            try:
                _timed(took, "generate", ["spin", "-a", "model.pml"], folder, deadline)
                _timed(took, "compile", [_compiler(), *self.compiler_options, "-w", "-o", "pan", "pan.c"], folder, deadline)
                return self._verify(folder, took, deadline)
            except subprocess.TimeoutExpired:
                return SpinRun(0, violated=False, unknown="the time was over before Spin had an answer", seconds=took)

    def _verify(self, folder: Path, took: dict[str, float], deadline: float | None) -> SpinRun:
        depth = FIRST_DEPTH
        while True:
            options = ["-a", f"-m{depth}", "-w22", *(["-f"] if self.fair else [])]
            output = _timed(took, "verify", ["./pan", *options], folder, deadline, must_succeed=False)
            if "max search depth too small" not in output or depth >= MOST_DEPTH:
                break
            depth *= 10
        stored = re.search(r"^\s*([\d.e+]+) states, stored", output, re.M)
        states = round(float(stored[1])) if stored else 0
        if re.search(r"^pan:1: (acceptance cycle|end state in claim|assertion violated|claim violated)", output, re.MULTILINE):
            return self._told(folder, states, took, deadline)
        if stored is None or "errors: 0" not in output or "max search depth too small" in output:
            return SpinRun(states, violated=False, unknown=f"Spin gave up: {_last_words(output)}", seconds=took)
        return SpinRun(states, violated=False, unknown=None, seconds=took)

    @staticmethod
    def _told(folder: Path, states: int, took: dict[str, float], deadline: float | None) -> SpinRun:
        """A counterexample, or the bound that was exceeded: the trail is run again, and the model tells its steps."""
        output = _timed(took, "replay", ["./pan", "-r"], folder, deadline, must_succeed=False)
        trail: list[str] = []
        loop = None
        for line in output.splitlines():
            if line.startswith("@ exceeded "):
                return SpinRun(states, violated=False, unknown=None, seconds=took, exceeded=line.removeprefix("@ exceeded "))
            if line.startswith("@ "):
                trail.append(line.removeprefix("@ "))
            elif line.startswith("@+ "):
                trail[-1] += line.removeprefix("@+ ")
            elif line.startswith("@= "):
                trail[-1] += f"|{line.removeprefix('@= ')}"
            elif "START OF CYCLE" in line:
                loop = len(trail)
        return SpinRun(states, violated=True, unknown=None, seconds=took, trail=trail, loop=loop)


def _compiler() -> str:
    return next((tool for tool in ("cc", "gcc", "clang") if shutil.which(tool)), "cc")


def _timed(
    took: dict[str, float], phase: str, command: Sequence[str], folder: Path, deadline: float | None, *, must_succeed: bool = True
) -> str:
    """The output of a command; its time is added to the phase."""
    start = time.perf_counter()
    left = None if deadline is None else max(0.01, deadline - start)
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=left, check=False)
    except FileNotFoundError:
        hint = "install the package 'spin' of your system and a C compiler, or use another engine"
        raise InputError([Diagnostic("CHK100", f"Spin cannot run: there is no program '{command[0]}' here", hint=hint)]) from None
    finally:
        took[phase] = took.get(phase, 0.0) + time.perf_counter() - start
    if must_succeed and done.returncode != 0:
        raise InputError([Diagnostic("CHK101", f"{command[0]} refused the model: {_last_words(done.stdout + done.stderr)}")])
    return done.stdout


def _last_words(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip() and ("rror" in line or line.startswith("pan"))]
    return lines[-1] if lines else "no reason given"


def _more_room(bound: str, room: int) -> int:
    if room >= LARGEST_ROOM or bound not in ("M_Bel", "M_Ev", "M_Int", "M_Msg", "M_Act", "percepts", "facts"):
        raise InputError([Diagnostic("CHK102", f"the Promela model exceeds {bound}: the system grows, or Spin's cells are too small")])
    return min(2 * room, LARGEST_ROOM)


def _path(formula: Formula) -> Formula:
    return formula.path if isinstance(formula, PathQuantifier) else formula


def _universal(formula: Formula) -> Formula:
    """What Spin is asked: ``A [f]`` itself, for ``E [f]`` whether all runs violate f."""
    if isinstance(formula, PathQuantifier) and formula.quantifier == "E":
        return PathQuantifier("A", Not(formula.path, span=formula.span), span=formula.span)
    return formula

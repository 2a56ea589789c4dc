"""Spin as an engine: it checks a Promela translation of the program, and its trail is replayed in
Volition's model of the program.

Spin explores the translation instead of Volition's state space, so it also cross-checks Volition's
semantics. The translator is a parameter, because checkers know nothing about languages. This module
relies on the lines that the Promela model prints in each step::

    @ ag1|0                          the first choice of component ag1
    @ environment|drop (X = #103)    the action of a component;
    @+ , alternative 2               more text that is appended to the line before,
    @= 0                             and the number of the action's probabilistic outcome
    @ exceeded M_Ev                  a bound was too small; the model is rebuilt with a larger one
    @ exceeded ag1.M_Inst            a bound of one agent

Numbers after ``#`` stand for identifiers, which the model defines as macros in its first section.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from volition.checking.spin.tools import SpinRun, compiler, verifier
from volition.checking.spin.trail_replay import replay_trail
from volition.checking.verdict import Evidence, Lazy, Run, Verdict
from volition.diagnostics import Diagnostic, InputError, plural
from volition.languages.protocols import Program
from volition.logic.syntax import Formula, Next, Not, PathQuantifier
from volition.logic.traversal import is_ltl, subformulas

__all__ = ["Spin", "Translator"]

INITIAL_CAPACITY = 8
MAX_CAPACITY = 255


class Translator(Protocol):
    """Function that translates a program and a formula to a Promela model with one ``ltl``
    block."""

    def __call__(self, program: Program, formula: Formula, room: Mapping[str, int], /) -> str:
        """Return the Promela model of a program with a formula to check. ``room`` gives minimum
        capacities for channels of the model: it maps the name of a bound to the capacity.

        Raise :class:`InputError` if the program or formula has no translation.
        """


@dataclass(frozen=True)
class Spin:
    """Engine that runs Spin on a Promela translation of a program.

    With ``fair``, only runs that are weakly fair to every process are considered. ``optimise`` is
    an option of the C compiler. For small models ``-O0`` is faster, because compiling takes longer
    than checking.
    """

    translator: Translator
    fair: bool = False
    optimise: str = "-O2"
    name: str = "Spin"

    def unsupported_reason(self, program: Program, formula: Formula) -> str | None:
        """Return why Spin cannot check this formula; None if it can."""
        path = formula.path if isinstance(formula, PathQuantifier) else formula
        if not is_ltl(path) or any(isinstance(part, Next) for part in subformulas(formula)):
            return "it only supports LTL without the next operator"
        missing = [tool for tool in ("spin", compiler()) if shutil.which(tool) is None]
        if missing:
            return f"it needs {' and '.join(missing)}, which could not be found"
        try:
            self.translator(program, _as_universal(formula), {})
        except InputError as error:
            return "; ".join(each.message for each in error.diagnostics)
        return None

    def check(self, program: Program, formula: Formula, *, seconds: float | None = None) -> Verdict:
        """Return Spin's verdict on a formula, with Spin's counterexample or witness as a run if
        there is one. Raise :class:`InputError` if a tool is missing."""
        start = time.perf_counter()
        deadline = None if seconds is None else start + seconds
        room: dict[str, int] = {}
        while True:
            model = self.translator(program, _as_universal(formula), room)
            found = self._answer(model, deadline)
            if found.exceeded is None:
                break
            room[found.exceeded] = _next_capacity(
                found.exceeded, room.get(found.exceeded, INITIAL_CAPACITY)
            )
        existential = isinstance(formula, PathQuantifier) and formula.quantifier == "E"
        times = ", ".join(f"{phase} {duration:.1f} s" for phase, duration in found.seconds.items())
        run = _run(program, model, found) if found.violated else None
        text = f"{found.states:,} {plural(found.states, 'state')}; {times}"
        return Verdict(
            formula,
            method="Spin, on a Promela translation of the program",
            seconds=time.perf_counter() - start,
            holds=None if found.unknown else found.violated is existential,
            fixed_notes=(text,),
            evidence=Evidence(run=Lazy(lambda: run)),
            unknown=found.unknown,
        )

    def _answer(self, model: str, deadline: float | None) -> SpinRun:
        try:
            with verifier(model, optimise=self.optimise, deadline=deadline) as made:
                return made.check(fair=self.fair)
        except subprocess.TimeoutExpired:
            return SpinRun(0, violated=False, unknown="Spin timed out", seconds={})


def _run(program: Program, model: str, found: SpinRun) -> Run:
    """Return Spin's trail as a run of Volition's model of the program."""
    section = model.partition("/* Identifiers")[2].partition("\n\n")[0]
    defined = re.findall(r"^#define (\w+) (\d+)(?:   /\* (.*) \*/)?$", section, re.MULTILINE)
    identifiers: dict[str, str] = {number: name or macro for macro, number, name in defined}
    lines = [
        re.sub(r"#(-?\d+)", lambda each: identifiers.get(each.group(1), each.group(1)), line)
        for line in found.trail
    ]
    return replay_trail(program, lines, found.loop)


def _next_capacity(bound: str, room: int) -> int:
    if room >= MAX_CAPACITY or bound.rpartition(".")[2] not in (
        "M_Bel",
        "M_Ev",
        "M_Inst",
        "M_Int",
        "M_Msg",
        "M_Act",
        "percepts",
        "facts",
    ):
        raise InputError(
            [
                Diagnostic(
                    "CHK102",
                    f"the Promela model exceeds the bound {bound}: the system may be unbounded, or "
                    "Spin's integers may be too small",
                )
            ]
        )
    return min(2 * room, MAX_CAPACITY)


def _as_universal(formula: Formula) -> Formula:
    """Return the formula that Spin checks instead of ``formula``: ``A [!f]`` for ``E [f]``, and any
    other formula unchanged."""
    if isinstance(formula, PathQuantifier) and formula.quantifier == "E":
        return PathQuantifier("A", Not(formula.path, span=formula.span), span=formula.span)
    return formula

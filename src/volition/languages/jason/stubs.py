"""What stands in for chance, for the clock, and for intentions that are only printed, so that
programs with them can be verified.

* ``.random(X)`` gives any of the numbers that the project lists (``random = [0, 0.5]``), and
  ``math.random(N)`` N times as much.  In ``math.floor``, ``math.round`` and ``math.ceil`` of a
  ``math.random`` of a whole number all results are known without such a list.
* A step with ``math.random`` in it gets one before it, in which the number is drawn; both are
  executed at once, as one.
* While a timer may end at any time, it does not matter how long ``.wait`` waits.
* ``.date``, ``.time`` and ``system.time`` show the time that the project gives (``clock = ..``).
* ``.current_intention(I)`` does nothing where I is only printed.
* A function in Java has the value that the project gives the last argument of an internal action of
  that name.

What is left is refused by :mod:`volition.languages.jason.checks`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from volition.languages.jason.settings import InternalActionModel, Settings
from volition.languages.jason.syntax import (
    AgentProgram,
    BeliefRule,
    Body,
    For,
    Fork,
    If,
    InternalAction,
    Plan,
    Step,
    While,
)
from volition.languages.jason.terms import TRUE, Arithmetic, List, Literal, Number, Term, Variable
from volition.languages.jason.traversal import map_tree, steps_in, subterms, terms_of, variables_in
from volition.languages.jason.vocabulary import DRAW, RANDOM

__all__ = ["with_stubs"]

_ROUNDING = ("math.floor", "math.round", "math.ceil")
_PRINTS = (".print", ".println", ".log", ".puts")
_MAX_RESULTS = 1000


def with_stubs(program: AgentProgram, settings: Settings) -> tuple[AgentProgram, Settings]:
    """The program and how it runs, with everything that has one replaced by its stand-in."""
    internal = dict(settings.internal)
    if settings.clock is not None:
        program = _with_clock(program, settings.clock, internal)
    if settings.random:
        program = _with_numbers(program, settings.random)
    plans = tuple(_PlanRewriter(plan, settings, internal).plan() for plan in program.plans)
    return replace(program, plans=plans, functions=_functions(program, settings)), replace(
        settings, internal=internal
    )


def _functions(program: AgentProgram, settings: Settings) -> tuple[tuple[str, int, str], ...]:
    """Those of the program, and those in Java that the project declares as internal actions: their
    value is the last argument."""
    declared = [
        settings.internal[name] for name, _ in program.java_functions if name in settings.internal
    ]
    found = [
        (each.name, len(rule.head.arguments) - 1, each.name)
        for each in declared
        for rule in each.rules
    ]
    known = {(name, arity) for name, arity, _ in program.functions}
    return (*program.functions, *dict.fromkeys(each for each in found if each[:2] not in known))


def _with_clock(
    program: AgentProgram, clock: datetime, internal: dict[str, InternalActionModel]
) -> AgentProgram:
    """``.date`` and ``.time`` become tables of one row, ``system.time`` a number: the milliseconds
    since 1970."""
    rows = {
        ".date": (clock.year, clock.month, clock.day),
        ".time": (clock.hour, clock.minute, clock.second),
    }
    for name, row in rows.items():
        internal[name] = InternalActionModel(
            name, (BeliefRule(Literal(name, row), TRUE, span=program.source.span(0, 0)),)
        )
    milliseconds = round(clock.replace(tzinfo=UTC).timestamp() * 1000)

    def told(node: object) -> object:
        return milliseconds if node == Literal("system.time") else node

    return _rebuilt(program, told)


def _with_numbers(program: AgentProgram, numbers: tuple[Number, ...]) -> AgentProgram:
    """``.random(X)`` gives one of these, wherever it stands."""

    def told(node: object) -> object:
        match node:
            case Literal(".random", (result,)):
                return Literal(".random", (List(numbers), result))
        return node

    return _rebuilt(program, told)


def _rebuilt(program: AgentProgram, change: Callable[[object], object]) -> AgentProgram:
    """The program with each part of what it says changed, and of what the project says of how it
    begins."""
    return replace(
        program,
        beliefs=map_tree(program.beliefs, change),
        goals=map_tree(program.goals, change),
        plans=map_tree(program.plans, change),
        project_beliefs=map_tree(program.project_beliefs, change),
        project_goals=map_tree(program.project_goals, change),
    )


@dataclass
class _PlanRewriter:
    """Rewrites one plan; internal actions that it needs go to ``internal``."""

    whole: Plan
    settings: Settings
    internal: dict[str, InternalActionModel]
    drawn: int = 0

    def plan(self) -> Plan:
        body = self._body(self.whole.body)
        return self.whole if body == self.whole.body else replace(self.whole, body=body)

    def _body(self, body: Body) -> Body:
        return tuple(each for step in body for each in self._step(step))

    def _step(self, step: Step) -> Body:
        match step:
            case If(_, then, otherwise):
                return (replace(step, then=self._body(then), otherwise=self._body(otherwise)),)
            case For(_, inside) | While(_, inside):
                return (replace(step, body=self._body(inside)),)
            case Fork(_, branches):
                return (replace(step, branches=tuple(map(self._body, branches))),)
            case InternalAction(Literal(".current_intention", (Variable(name),))) if (
                self._is_only_printed(name)
            ):
                return (replace(step, action=Literal(".print")),)
        return (
            self._chance(step)
            if any(_is_random(part) for term in terms_of(step) for part in subterms(term))
            else (step,)
        )

    def _is_only_printed(self, name: str) -> bool:
        uses = [
            step
            for step in steps_in(self.whole.body)
            if any(name in variables_in(term) for term in terms_of(step))
        ]
        printing = [
            step
            for step in uses
            if isinstance(step, InternalAction)
            and step.action.functor in (*_PRINTS, ".current_intention")
        ]
        return len(printing) == len(uses) and name not in variables_in(self.whole.context)

    # --- math.random ------------------------------------------------------------------------------

    def _chance(self, step: Step) -> Body:
        """A step with ``math.random`` in it; as it is where the results are too many, or not
        known."""
        if (
            isinstance(step, InternalAction)
            and step.action.functor == ".wait"
            and self.settings.time == "free"
        ):
            return (map_tree(step, lambda node: 0 if _is_random(node) else node),)
        draws: dict[str, Term] = {}

        def drawn(node: object) -> object:
            match node:
                case Literal(name, (Literal("math.random", (int(maximum),)),)) if (
                    name in _ROUNDING and 1 <= maximum <= _MAX_RESULTS
                ):
                    middles = tuple(number + 0.5 for number in range(maximum))
                    return Literal(name, (self._draw(draws, (0, *middles)),))
                case Literal("math.random", arguments) if (
                    self.settings.random and len(arguments) < 2
                ):
                    one = self._draw(draws, self.settings.random)
                    return Arithmetic("*", one, arguments[0]) if arguments else one
            return node

        changed = map_tree(step, drawn, before=True)
        return (
            *(
                InternalAction(Literal(DRAW, (numbers, Variable(name))), span=step.span)
                for name, numbers in draws.items()
            ),
            changed,
        )

    def _draw(self, draws: dict[str, Term], numbers: tuple[Number, ...]) -> Variable:
        self.drawn += 1
        name = f"Random__{self.drawn}"
        draws[name] = List(numbers)
        self.internal[DRAW] = InternalActionModel(DRAW)
        return Variable(name)


def _is_random(node: object) -> bool:
    return isinstance(node, Literal) and node.functor == RANDOM

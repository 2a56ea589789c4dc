"""Stubs for random numbers, the clock, printed intentions and functions in Java, so that programs
that use them can be verified.

- ``.random(X)`` gives any of the numbers that the options file lists (``random = [0, 0.5]``), and
  ``math.random(N)`` gives N times one of them. If ``math.floor``, ``math.round`` or ``math.ceil``
  is applied to ``math.random`` of an integer, the results are known without such a list.
- A step that contains ``math.random`` is preceded by a step that chooses the number. Both are
  executed together.
- With ``time = free`` the argument of ``.wait`` does not matter, since the timer may end at any
  moment.
- ``.date``, ``.time`` and ``system.time`` return the time that the options file gives (``clock =
  ..``).
- ``.current_intention(I)`` does nothing if I is only printed.
- A function that is written in Java is computed by the internal action of the same name that the
  options file declares. The last argument of the action is the value of the function.

Other uses are rejected by :mod:`volition.languages.jason.checks`.
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
    """Return the program and its settings with all calls of random numbers, the clock and similar
    functions replaced by stubs, as far as they are supported."""
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
    """Return the functions of the program, each as a triple of its name, its arity, and the
    predicate that computes it. Functions written in Java are included if the options file declares
    an internal action of the same name. The last argument of such an action is the value of the
    function."""
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
    """Return the program with the fixed time ``clock`` in place of the current time. ``.date`` and
    ``.time`` are added to ``internal`` as internal actions with this time as their only solution.
    ``system.time`` is replaced by a number, the milliseconds since 1970."""
    rows = {
        ".date": (clock.year, clock.month, clock.day),
        ".time": (clock.hour, clock.minute, clock.second),
    }
    for name, row in rows.items():
        internal[name] = InternalActionModel(
            name, (BeliefRule(Literal(name, row), TRUE, span=program.source.span(0, 0)),)
        )
    milliseconds = round(clock.replace(tzinfo=UTC).timestamp() * 1000)

    def replace_call(node: object) -> object:
        return milliseconds if node == Literal("system.time") else node

    return _map_program(program, replace_call)


def _with_numbers(program: AgentProgram, numbers: tuple[Number, ...]) -> AgentProgram:
    """Return the program with each ``.random(X)`` replaced by a choice of one of ``numbers``."""

    def replace_call(node: object) -> object:
        match node:
            case Literal(".random", (result,)):
                return Literal(".random", (List(numbers), result))
            case _:
                pass
        return node

    return _map_program(program, replace_call)


def _map_program(program: AgentProgram, change: Callable[[object], object]) -> AgentProgram:
    """Return the program with ``change`` applied to every node of its syntax tree, including the
    initial beliefs and goals from the project file."""
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
    """Rewriter that inserts stubs into one plan. The declarations of internal actions that the plan
    then needs are added to ``internal``."""

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
            case _:
                pass
        return (
            self._replace_random(step)
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

    # --- stubs for math.random --------------------------------------------------------------------

    def _replace_random(self, step: Step) -> Body:
        """Return the steps that replace a step with ``math.random``. The step stays unchanged if
        the possible results are unknown or too many."""
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
                case _:
                    pass
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

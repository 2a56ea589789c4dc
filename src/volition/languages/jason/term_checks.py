"""What can be wrong with the terms of a program: internal actions and functions that nobody knows, and what cannot be computed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from volition.diagnostics import Diagnostics, Span, did_you_mean, plural
from volition.languages.jason.arithmetic import FUNCTIONS
from volition.languages.jason.settings import Settings
from volition.languages.jason.syntax import AgentProgram, Plan, Rule
from volition.languages.jason.terms import Arithmetic, Block, Compare, List, Literal, Negative, Term, Text
from volition.languages.jason.vocabulary import ACTIONS, CLOCK, RANDOM, why_refused
from volition.languages.jason.walk import parts_of

__all__ = ["TermCheck", "place_of"]


class TermCheck:
    """Checks terms of one agent."""

    def __init__(self, program: AgentProgram, settings: Settings, diagnostics: Diagnostics) -> None:
        self._program, self._settings = program, settings
        self._error = diagnostics.error

    def check(self, term: Term, span: Span) -> None:
        """Names of internal actions and functions, arithmetic, and what stands in braces."""
        for part in parts_of(term):
            match part:
                case Literal() if part.is_internal:
                    self._internal(part, span)
                case Arithmetic(_, left, right):
                    self._numbers((left, right), span)
                case Negative(operand):
                    self._numbers((operand,), span)
                case Compare("=..", _, _):
                    hint = "write the cases that there are, one rule or plan for each"
                    self._error("JSN003", "'=..' (programs that look at themselves) cannot be verified", span, hint=hint)
                case Block(Plan() | Rule()):
                    hint = "write them in the program, with a belief as condition"
                    self._error("JSN003", "plans and rules that come and go at run time cannot be verified", span, hint=hint)

    def _numbers(self, operands: Iterable[Term], span: Span) -> None:
        """Only numbers can be computed with; a name in their place is probably a variable with a small letter."""
        for operand in operands:
            is_function = isinstance(operand, Literal) and operand.is_internal
            if isinstance(operand, Literal | Text | List | Block) and not is_function:
                name = str(operand)
                hint = f"a variable starts with a capital letter: {name[:1].upper()}{name[1:]}" if name.isidentifier() else None
                self._error("JSN039", f"'{name}' is not a number", span, hint=hint)

    def _is_function(self, literal: Literal) -> bool:
        return (literal.functor, len(literal.arguments)) in {(name, arity) for name, arity, _ in self._program.functions}

    def _internal(self, call: Literal, span: Span) -> None:
        name, given = call.functor, len(call.arguments)
        span = place_of(name, span)
        if name in CLOCK and self._settings.clock is None and why_refused(name) is None:
            hint = "give the project a time that stands still: clock = 2026-03-01 12:00:00"
            self._error("JSN003", f"the time of this machine ({name}) cannot be verified", span, hint=hint)
        elif name == RANDOM or (name == ".random" and given == 1):
            self._random(call, span)
        elif name in self._settings.internal or self._is_function(call) or (name in FUNCTIONS and given in FUNCTIONS[name][0]):
            return
        elif reason := why_refused(name):
            self._error("JSN003", f"{reason} ({name}) cannot be verified", span, hint=_HINTS.get(reason))
        elif name in ACTIONS:
            least, most = ACTIONS[name]
            if not least <= given <= most:
                wanted = f"{least}" if least == most else f"at least {least}" if most > given else f"{least} to {most}"
                self._error("JSN048", f"{name} has {wanted} {plural(most, 'argument')}, not {given}", span)
        elif name in FUNCTIONS:
            wanted = " or ".join(map(str, FUNCTIONS[name][0]))
            self._error("JSN048", f"{name} has {wanted} {plural(max(FUNCTIONS[name][0]), 'argument')}, not {given}", span)
        elif name not in CLOCK:
            self._unknown_internal(call, span)

    def _unknown_internal(self, call: Literal, span: Span) -> None:
        name = call.functor
        if name.startswith((".", "math.")):
            hint = did_you_mean(name, [*ACTIONS, *FUNCTIONS])
            self._error("JSN030", f"unknown internal action {name}", span, hint=hint)
            return
        hint = did_you_mean(name, self._settings.internal)
        variables = ", ".join("ABCDEFGH"[: len(call.arguments)])
        shown = f"{name}({variables})" if variables else name
        say = f"say in the file beside the program what it does: 'internal {name} = nothing', or 'internal {shown} :- ..'"
        self._error("JSN030", f"the internal action {name} is written in Java", span, hint=hint or say)

    def _random(self, call: Literal, span: Span) -> None:
        """Real numbers at random are infinitely many, and what a context finds is not chosen."""
        hint = "list the numbers that it may give: random = [0, 0.5] in the file beside the program"
        if self._settings.random:
            hint = "write it as a step, X = .., before it is used: nobody decides what a context, a rule or a test finds"
        self._error("JSN003", f"real numbers at random ({call.functor}) cannot be verified", span, hint=hint)


_HINTS = {
    "agents that come and go at run time": "name all agents in the project, and let those sleep that are not there yet",
    "plans and rules that come and go at run time": "write them in the program, with a belief as condition",
    "objects that change inside of terms": "use lists, or beliefs",
    "programs that look at themselves": "write the cases that there are, one plan for each",
    "sub-plans": "write them beside the plan, with a belief in their contexts that holds while it runs",
}


def place_of(name: str, span: Span) -> Span:
    """Where a name stands in a part of a program; all of the part if it does not."""
    found = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)").search(span.source.text, span.start, span.end)
    return span if found is None else span.source.span(*found.span())

"""What can be wrong with the terms of a program: internal actions and functions that nobody knows,
and what cannot be computed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from volition.diagnostics import Diagnostics, Span, did_you_mean, plural
from volition.languages.jason.arithmetic import FUNCTIONS
from volition.languages.jason.settings import Settings
from volition.languages.jason.syntax import AgentProgram, BeliefRule, Plan
from volition.languages.jason.terms import (
    Arithmetic,
    BracedTerm,
    List,
    Literal,
    Negative,
    Term,
    Text,
    indicator,
)
from volition.languages.jason.traversal import subterms
from volition.languages.jason.vocabulary import ACTIONS, CLOCK, RANDOM, why_refused

__all__ = ["TermCheck", "span_of_name"]


class TermCheck:
    """Checks terms of one agent.

    ``undeclared`` are the internal actions about which was told already, by name and arity, for
    whatever agent: one line in the file beside the program declares each of them for all.
    """

    def __init__(
        self,
        program: AgentProgram,
        settings: Settings,
        diagnostics: Diagnostics,
        undeclared: set[str],
    ) -> None:
        self._program, self._settings, self._undeclared = program, settings, undeclared
        self._error = diagnostics.error

    def check(self, term: Term, span: Span) -> None:
        """Names of internal actions and functions, arithmetic, and what stands in braces."""
        for part in subterms(term):
            match part:
                case Literal() if part.is_internal:
                    self._internal(part, span)
                case Arithmetic(_, left, right):
                    self._numbers((left, right), span)
                case Negative(operand):
                    self._numbers((operand,), span)
                case BracedTerm(Plan() | BeliefRule()):
                    hint = "write them in the program, with a belief as condition"
                    self._error(
                        "JSN003",
                        "plans and rules that come and go at run time cannot be verified",
                        span,
                        hint=hint,
                    )

    def functions(self) -> None:
        """Functions that a class in Java computes are declared as internal actions, whose last
        argument is their value."""
        for name, span in self._program.java_functions:
            if name not in self._settings.internal:
                hint = did_you_mean(name, self._settings.internal)
                hint = hint or (
                    f"say in the file beside the program what it gives: 'internal {name}(A, "
                    "Value) :- Value = ..'"
                )
                self._error("JSN030", f"the function {name} is written in Java", span, hint=hint)

    def _numbers(self, operands: Iterable[Term], span: Span) -> None:
        """Only numbers can be computed with; a name in their place is probably a variable with a
        small letter."""
        for operand in operands:
            is_function = isinstance(operand, Literal) and operand.is_internal
            if isinstance(operand, Literal | Text | List | BracedTerm) and not is_function:
                name = str(operand)
                hint = (
                    f"a variable starts with a capital letter: {name[:1].upper()}{name[1:]}"
                    if name.isidentifier()
                    else None
                )
                self._error("JSN039", f"'{name}' is not a number", span, hint=hint)

    def _is_function(self, literal: Literal) -> bool:
        return (literal.functor, len(literal.arguments)) in {
            (name, arity) for name, arity, _ in self._program.functions
        }

    def _internal(self, call: Literal, span: Span) -> None:
        name, given = call.functor, len(call.arguments)
        span = span_of_name(name, span)
        if name in CLOCK and self._settings.clock is None and why_refused(name) is None:
            hint = "give the project a time that stands still: clock = 2026-03-01 12:00:00"
            self._error(
                "JSN003", f"the time of this machine ({name}) cannot be verified", span, hint=hint
            )
        elif name == RANDOM or (name == ".random" and given == 1):
            self._random(call, span)
        elif self._is_function(call) or (name in FUNCTIONS and given in FUNCTIONS[name][0]):
            return
        elif name in self._settings.internal:
            self._declared(call, span)
        elif reason := why_refused(name):
            self._error(
                "JSN003", f"{reason} ({name}) cannot be verified", span, hint=_HINTS.get(reason)
            )
        elif name in ACTIONS:
            minimum, maximum = ACTIONS[name]
            if not minimum <= given <= maximum:
                requested = (
                    f"{minimum}"
                    if minimum == maximum
                    else f"at least {minimum}"
                    if maximum > given
                    else f"{minimum} to {maximum}"
                )
                self._error(
                    "JSN048",
                    f"{name} has {requested} {plural(maximum, 'argument')}, not {given}",
                    span,
                )
        elif name in FUNCTIONS:
            requested = " or ".join(map(str, FUNCTIONS[name][0]))
            self._error(
                "JSN048",
                f"{name} has {requested} {plural(max(FUNCTIONS[name][0]), 'argument')}, not "
                f"{given}",
                span,
            )
        elif name not in CLOCK:
            self._unknown_internal(call, span)

    def _declared(self, call: Literal, span: Span) -> None:
        """What is said about an internal action with other numbers of arguments says nothing about
        this one."""
        name, given = call.functor, len(call.arguments)
        known = {len(rule.head.arguments) for rule in self._settings.internal[name].rules}
        if known and given not in known:
            requested = " or ".join(map(str, sorted(known)))
            hint = f"say what it does with {given}: 'internal {_declaration_template(call)} :- ..'"
            self._error(
                "JSN048",
                f"{name} is declared with {requested} {plural(max(known), 'argument')}, not "
                f"{given}",
                span,
                hint=hint,
            )

    def _unknown_internal(self, call: Literal, span: Span) -> None:
        name = call.functor
        if name.startswith((".", "math.")):
            hint = did_you_mean(name, [*ACTIONS, *FUNCTIONS])
            self._error("JSN030", f"unknown internal action {name}", span, hint=hint)
            return
        if indicator(call) in self._undeclared or name in {
            function for function, _ in self._program.java_functions
        }:
            return
        self._undeclared.add(indicator(call))
        shown, last = _declaration_template(call), _VARIABLES[: len(call.arguments)][-1:]
        choice = f", 'internal {shown} = choice {last} in [..]'" if last else ""
        say = (
            f"say in the file beside the program what it does: 'internal {name} = "
            f"nothing'{choice}, or 'internal {shown} :- ..'"
        )
        self._error(
            "JSN030",
            f"the internal action {name} is written in Java",
            span,
            hint=did_you_mean(name, self._settings.internal) or say,
        )

    def _random(self, call: Literal, span: Span) -> None:
        """Real numbers at random are infinitely many, and what a context finds is not chosen."""
        hint = "list the numbers that it may give: random = [0, 0.5] in the file beside the program"
        if self._settings.random:
            hint = (
                "write it as a step, X = .., before it is used: nobody decides what a context, "
                "a rule or a test finds"
            )
        self._error(
            "JSN003", f"real numbers at random ({call.functor}) cannot be verified", span, hint=hint
        )


_HINTS = {
    "agents that come and go at run time": "name all agents in the project, and let those sleep "
    "that are not there yet",
    "plans and rules that come and go at run time": "write them in the program, with a belief as "
    "condition",
    "objects that change inside of terms": "use lists, or beliefs",
    "programs that look at themselves": "write the cases that there are, one plan for each",
    "sub-plans": "write them beside the plan, with a belief in their contexts that holds while it "
    "runs",
}


_VARIABLES = "ABCDEFGHIJKL"


def _declaration_template(call: Literal) -> str:
    """An internal action as a line of the file beside the program begins with it."""
    variables = ", ".join(_VARIABLES[: len(call.arguments)])
    return f"{call.functor}({variables})" if variables else call.functor


def span_of_name(name: str, span: Span) -> Span:
    """Where a name stands in a part of a program; all of the part if it does not."""
    found = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)").search(
        span.source.text, span.start, span.end
    )
    return span if found is None else span.source.span(*found.span())

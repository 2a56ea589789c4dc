"""Static checks of terms: unknown internal actions and functions, wrong numbers of arguments, and
expressions that cannot be computed."""

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
from volition.languages.jason.vocabulary import ACTIONS, CLOCK, RANDOM, REFUSAL_REASONS, why_refused

__all__ = ["TermCheck", "span_of_name"]


class TermCheck:
    """Static checks of the terms in one agent's program.

    ``undeclared`` contains the internal actions, by name and arity, that have already been reported
    as not declared, for any agent. It is shared by all agents, because one line in the options file
    declares an action for all of them.
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
        """Report errors in a term at ``span``: in internal actions, functions, arithmetic, and the
        content of braces."""
        for part in subterms(term):
            match part:
                case Literal() if part.is_internal:
                    self._check_internal(part, span)
                case Arithmetic(_, left, right):
                    self._check_operands((left, right), span)
                case Negative(operand):
                    self._check_operands((operand,), span)
                case BracedTerm(Plan() | BeliefRule()):
                    message = (
                        "plans and rules that change at run time cannot be verified, because the "
                        "program itself would be part of the state"
                    )
                    hint = "write them in the program, with a belief as condition"
                    self._error("JSN003", message, span, hint=hint)
                case _:
                    pass

    def functions(self) -> None:
        """Report functions written in Java that the options file does not declare as internal
        actions. The last argument of such a declared action is the value of the function."""
        for name, span in self._program.java_functions:
            if name not in self._settings.internal:
                hint = did_you_mean(name, self._settings.internal)
                hint = hint or (
                    f"declare its value in the .volition file: 'internal {name}(A, Value) :- "
                    "Value = ..'"
                )
                message = f"the function {name} is written in Java, which Volition cannot run"
                self._error("JSN030", message, span, hint=hint)

    def _check_operands(self, operands: Iterable[Term], span: Span) -> None:
        """Report operands of arithmetic that cannot be numbers. If an operand is a name, the hint
        suggests a variable with a capital letter."""
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

    def _check_internal(self, call: Literal, span: Span) -> None:
        name, given = call.functor, len(call.arguments)
        span = span_of_name(name, span)
        if name in CLOCK and self._settings.clock is None and why_refused(name) is None:
            hint = "set a constant time in the .volition file: clock = 2026-03-01 12:00:00"
            self._refuse("the current time", name, span, hint)
        elif name == RANDOM or (name == ".random" and given == 1):
            self._report_random(call, span)
        elif self._is_function(call) or (name in FUNCTIONS and given in FUNCTIONS[name][0]):
            return
        elif name in self._settings.internal:
            self._check_declared(call, span)
        elif feature := why_refused(name):
            self._refuse(feature, name, span, _HINTS.get(feature))
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
                    f"{name} takes {requested} {plural(maximum, 'argument')}, not {given}",
                    span,
                )
        elif name in FUNCTIONS:
            requested = " or ".join(map(str, FUNCTIONS[name][0]))
            self._error(
                "JSN048",
                f"{name} takes {requested} {plural(max(FUNCTIONS[name][0]), 'argument')}, not "
                f"{given}",
                span,
            )
        elif name not in CLOCK:
            self._unknown_internal(call, span)

    def _check_declared(self, call: Literal, span: Span) -> None:
        """Report a call of a declared internal action if no declaration has this number of
        arguments."""
        name, given = call.functor, len(call.arguments)
        known = {len(rule.head.arguments) for rule in self._settings.internal[name].rules}
        if known and given not in known:
            requested = " or ".join(map(str, sorted(known)))
            hint = f"declare it with {given} too: 'internal {_declaration_template(call)} :- ..'"
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
            self._error("JSN029", f"unknown internal action {name}", span, hint=hint)
            return
        if indicator(call) in self._undeclared or name in {
            function for function, _ in self._program.java_functions
        }:
            return
        self._undeclared.add(indicator(call))
        shown, last = _declaration_template(call), _VARIABLES[: len(call.arguments)][-1:]
        choice = f", 'internal {shown} = choice {last} in [..]'" if last else ""
        say = (
            f"declare what it does in the .volition file: 'internal {name} = "
            f"nothing'{choice}, or 'internal {shown} :- ..'"
        )
        self._error(
            "JSN030",
            f"the internal action {name} is written in Java, which Volition cannot run",
            span,
            hint=did_you_mean(name, self._settings.internal) or say,
        )

    def _report_random(self, call: Literal, span: Span) -> None:
        """Report a call of ``.random`` or ``math.random`` that may return any real number in a
        range, because infinitely many values are possible. ``math.random`` in contexts and rules is
        reported even if the options file lists values."""
        hint = "list the numbers that it may return in the .volition file: random = [0, 0.5]"
        if self._settings.random:
            hint = (
                "compute it in a step before it is used, such as X = math.random(3): contexts and "
                "rules cannot contain it"
            )
        self._refuse("random real numbers", call.functor, span, hint)

    def _refuse(self, feature: str, name: str, span: Span, hint: str | None) -> None:
        """Report that a feature of Jason cannot be verified, and why. ``name`` is the internal
        action or function that needs the feature."""
        message = f"{feature} ({name}) cannot be verified, because {REFUSAL_REASONS[feature]}"
        self._error("JSN003", message, span, hint=hint)


_HINTS = {
    "agents that are created or removed at run time": "declare all agents in the project, and let "
    "those that are not needed yet wait for a message",
    "plans and rules that change at run time": "write them in the program, with a belief as "
    "condition",
    "mutable objects inside terms": "use lists, or beliefs",
    "reflection": "write one plan for each case",
    "sub-plans": "write them as ordinary plans, with a belief in their contexts that holds while "
    "the main plan runs",
}


_VARIABLES = "ABCDEFGHIJKL"


def _declaration_template(call: Literal) -> str:
    """Return a call of an internal action with its arguments replaced by variables: ``my.plot(A,
    B)`` for the call ``my.plot(1, x)``. Hints use it to show how to declare the action in the
    options file."""
    variables = ", ".join(_VARIABLES[: len(call.arguments)])
    return f"{call.functor}({variables})" if variables else call.functor


def span_of_name(name: str, span: Span) -> Span:
    """Return the position of a name within ``span``, or the whole ``span`` if the name does not
    occur in it."""
    found = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)").search(
        span.source.text, span.start, span.end
    )
    return span if found is None else span.source.span(*found.span())

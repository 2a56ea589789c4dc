"""Directives of a program: ``include``, ``register_function`` and goal patterns.

``namespace`` is processed by the parser, see :mod:`.namespaces`.

The goal patterns ``dg``, ``bdg``, ``ebdg``, ``bc`` and ``smc`` rewrite the plans between ``{begin
..}`` and ``{end}`` (Hübner, Bordini and Wooldridge, *Programming Declarative Goals Using Plan
Patterns*, DALT 2006). The plans that they add are generated as Jason text and parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean
from volition.languages.jason.namespaces import DEFAULT, has_local_names, new_name
from volition.languages.jason.syntax import (
    AddBelief,
    BeliefRule,
    InitialBelief,
    InitialGoal,
    Plan,
    Test,
)
from volition.languages.jason.terms import TRUE, And, Literal, Not, Text, Variable, indicator

__all__ = ["Directive", "ExpandedProgram", "Includes", "Statement", "apply_directives"]

Includes = Callable[[str, Span], Source | None]
"""Function that returns the source of an included file, given its name and the position of the
``include`` directive. It returns None if there is no such file."""


@dataclass(frozen=True, slots=True)
class Directive:
    """Directive of a program: a single one such as ``{ include("f.asl") }``, or a pair ``{ begin
    dg(g) } .. { end }`` with the statements between them in ``inside``."""

    call: Literal
    inside: tuple[Statement, ...] | None
    namespace: str | None
    """Namespace of unqualified names at the position of the directive, or None for the default
    namespace."""
    span: Span


Statement = InitialBelief | BeliefRule | InitialGoal | Plan | Directive


@dataclass
class Included:
    """Count of the included files of one program and their total size. A file that is included
    repeatedly counts each time."""

    files: int = 0
    characters: int = 0

    def take(self, source: Source) -> bool:
        """Count an included file. Return whether the number of files and characters is still within
        the limits."""
        self.files += 1
        self.characters += len(source.text)
        return self.files <= _MAX_FILES and self.characters <= _MAX_CHARACTERS

    @property
    def is_over(self) -> bool:
        return self.files > _MAX_FILES or self.characters > _MAX_CHARACTERS


_MAX_FILES = 1_000
_MAX_CHARACTERS = 20_000_000
_MAX_INCLUDE_DEPTH = 100
"""Maximum depth of nested inclusions."""


@dataclass
class ExpandedProgram:
    """Result of processing the directives of a program: its beliefs, goals and plans, including
    those from other files and from goal patterns."""

    diagnostics: Diagnostics
    read: Callable[[Source, str | None], list[Statement]]
    """Parser for included files and generated text. It takes a source and the namespace of its
    unqualified names (None for the default namespace), and returns the statements of the source."""
    find: Includes | None
    numbers: Iterator[int]
    """Numbers that make the generated names of local namespaces unique."""
    beliefs: list[InitialBelief | BeliefRule] = field(default_factory=list)
    goals: list[InitialGoal] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    functions: list[tuple[str, int, str]] = field(default_factory=list)
    java_functions: list[tuple[str, Span]] = field(default_factory=list)
    including: list[Source] = field(default_factory=list)
    included: Included = field(default_factory=lambda: Included())

    def add(self, statement: InitialBelief | BeliefRule | InitialGoal | Plan) -> None:
        match statement:
            case Plan():
                self.plans.append(statement)
            case InitialGoal():
                self.goals.append(statement)
            case InitialBelief() | BeliefRule():
                self.beliefs.append(statement)
            case _:
                assert_never(statement)

    def plans_in(self, span: Span, text: str) -> list[Plan]:
        """Parse the Jason text that a directive generates, and return its plans. Their source is
        named after the directive at ``span``."""
        source = Source(f"{span.source.name}:{span.line} {span.text}", text)
        return [each for each in self.read(source, None) if isinstance(each, Plan)]


def apply_directives(statements: Iterable[Statement], outcome: ExpandedProgram) -> None:
    """Add the statements of a program to ``outcome`` in order. Each directive is replaced by the
    statements that it expands to."""
    for statement in statements:
        if not isinstance(statement, Directive):
            outcome.add(statement)
        elif statement.inside is None:
            _apply_single(statement, outcome)
        else:
            _apply_pattern(statement, outcome)


# --- single directives ----------------------------------------------------------------------------


def _apply_single(directive: Directive, outcome: ExpandedProgram) -> None:
    match directive.call:
        case Literal("include", (Text(file),)):
            _include(file, directive.namespace, directive, outcome)
        case Literal("include", (Text(file), Variable())):
            _include(file, new_name(outcome.numbers), directive, outcome)
        case Literal("include", (Text(file), Literal(module, (), (), False, None) as name)) if (
            not name.is_internal
        ):
            _include(file, None if module == DEFAULT else module, directive, outcome)
        case Literal("include"):
            hint = 'write {include("file.asl")} or {include("file.asl", namespace)}'
            outcome.diagnostics.error(
                "JSN005",
                f"missing or wrong arguments in the directive '{directive.call}'",
                directive.span,
                hint=hint,
            )
        case Literal("register_function", (Text(name), int(arity), Text(predicate))):
            outcome.functions.append((name, arity, predicate))
            outcome.java_functions += [(predicate, directive.span)] if "." in predicate else []
            if "." not in name:
                hint = f'call it by a name with a dot, here and where it is used: "my.{name}"'
                outcome.diagnostics.error(
                    "JSN003",
                    f"the function '{name}' cannot be verified, because its name has no dot",
                    directive.span,
                    hint=hint,
                )
        case Literal("register_function", (Text(name),)):
            outcome.java_functions.append((name, directive.span))
        case Literal("register_function"):
            hint = 'write {register_function("name", arity, "predicate")}, both names in quotes'
            outcome.diagnostics.error(
                "JSN005",
                f"missing or wrong arguments in the directive '{directive.call}'",
                directive.span,
                hint=hint,
            )
        case Literal(name):
            hint = did_you_mean(name, _SINGLE) or f"known directives are {', '.join(_SINGLE)}"
            if name in _PATTERNS:
                hint = (
                    f"write {{ begin {directive.call} }} before its plans and {{ end }} after them"
                )
            outcome.diagnostics.error(
                "JSN005",
                f"unknown directive '{directive.call}'",
                directive.span,
                hint=hint,
            )
        case _:
            assert_never(directive.call)


def _include(file: str, module: str | None, directive: Directive, outcome: ExpandedProgram) -> None:
    source = outcome.find(file, directive.span) if outcome.find is not None else None
    if outcome.find is None:
        message = f"the file '{file}' cannot be included: this text does not belong to a file"
        outcome.diagnostics.error("JSN006", message, directive.span)
    if source is None:
        return
    if any(
        each is source or each.name == source.name
        for each in [*outcome.including, directive.span.source]
    ):
        outcome.diagnostics.error("JSN006", f"the file '{file}' includes itself", directive.span)
        return
    if outcome.included.is_over:
        return
    if len(outcome.including) >= _MAX_INCLUDE_DEPTH:
        message = f"inclusions are nested more than {_MAX_INCLUDE_DEPTH} levels deep"
        outcome.diagnostics.error(
            "JSN057",
            message,
            directive.span,
            hint="include the files one after the other in one file",
        )
        return
    if not outcome.included.take(source):
        message = (
            f"the program includes more than {_MAX_FILES:,} files or {_MAX_CHARACTERS:,} characters"
        )
        hint = "a file that includes another one twice doubles what is read: include each file once"
        outcome.diagnostics.error("JSN057", message, directive.span, hint=hint)
        return
    outcome.including.append(directive.span.source)
    apply_directives(outcome.read(source, module), outcome)
    outcome.including.pop()


# --- goal patterns --------------------------------------------------------------------------------


def _apply_pattern(directive: Directive, outcome: ExpandedProgram) -> None:
    """Add the statements inside a goal pattern to ``outcome``, with the plans rewritten as the
    pattern prescribes. Statements that are not plans are added unchanged."""
    if directive.namespace is not None or has_local_names(directive.call):
        message = (
            "goal patterns inside modules cannot be verified, because Volition does not support "
            "them yet"
        )
        hint = "write the pattern outside modules, with the namespace before its goal: dg(n::g)"
        outcome.diagnostics.error("JSN003", message, directive.span, hint=hint)
    inner = ExpandedProgram(
        outcome.diagnostics,
        outcome.read,
        outcome.find,
        outcome.numbers,
        including=outcome.including,
        included=outcome.included,
    )
    apply_directives(directive.inside or (), inner)
    outcome.beliefs += inner.beliefs
    outcome.goals += inner.goals
    outcome.functions += inner.functions
    outcome.java_functions += inner.java_functions
    outcome.plans += _rewrite_plans(directive.call, inner.plans, directive.span, outcome)


def _rewrite_plans(
    call: Literal, plans: Sequence[Plan], span: Span, outcome: ExpandedProgram
) -> list[Plan]:
    pattern = _PATTERNS.get(call.functor)
    if call.functor in _UNSUPPORTED_PATTERNS:
        message = (
            f"the goal pattern '{call.functor}' cannot be verified, because Volition does not "
            "support it"
        )
        hint = "write the plans that it generates"
        outcome.diagnostics.error("JSN003", message, span, hint=hint)
        return list(plans)
    if pattern is None:
        known = (
            f"known patterns are {', '.join(_PATTERNS)}; if it is a class in Java, write the "
            "plans that it generates"
        )
        hint = did_you_mean(call.functor, _PATTERNS) or known
        outcome.diagnostics.error("JSN005", f"unknown directive '{call}'", span, hint=hint)
        return list(plans)
    minimum, maximum, rewrite = pattern
    if not minimum <= len(call.arguments) <= maximum or not all(
        isinstance(each, Literal) for each in call.arguments
    ):
        shown = f"{call.functor}(goal{', ..' if maximum > 1 else ''})"
        outcome.diagnostics.error(
            "JSN005",
            f"missing or wrong arguments in the directive '{call}': expected {shown}",
            span,
            hint="its arguments are literals",
        )
        return list(plans)
    return rewrite(call, plans, span, outcome)


def _declarative(
    call: Literal, plans: Sequence[Plan], span: Span, outcome: ExpandedProgram
) -> list[Plan]:
    """Expand the goal pattern ``dg(g)`` (declarative goal): g is achieved if and only if it is
    believed."""
    goal = _goal(call)
    tested = [_with_test(plan, span) if _is_for(plan, goal) else plan for plan in plans]
    before = outcome.plans_in(span, f"+!{goal} : {goal}.\n+!{goal} : .intend({goal}).")
    return [*before, *tested, *outcome.plans_in(span, f"+{goal} <- .succeed_goal({goal}).")]


def _backtracking(
    call: Literal, plans: Sequence[Plan], span: Span, outcome: ExpandedProgram
) -> list[Plan]:
    """Expand the goal pattern ``bdg(g)`` (backtracking declarative goal): after a plan has failed,
    the goal g is tried again."""
    goal = _goal(call)
    return [
        *_declarative(call, plans, span, outcome),
        *outcome.plans_in(span, f"-!{goal} <- !{goal}."),
    ]


def _exclusive(
    call: Literal, plans: Sequence[Plan], span: Span, outcome: ExpandedProgram
) -> list[Plan]:
    """Expand the goal pattern ``ebdg(g)`` (exclusive backtracking declarative goal): as ``bdg(g)``,
    but each plan is tried only once."""
    goal = _goal(call)
    rewritten, number = [], 0
    for plan in plans:
        if _is_for(plan, goal):
            number += 1
            tried = Literal("p__f", (number, goal))
            tested = _with_test(plan, span)
            marked = AddBelief(tried, span=_text(span, f"+{tried}"))
            context = Not(tried) if plan.context == TRUE else And(Not(tried), plan.context)
            plan = replace(tested, context=context, body=(marked, *tested.body))
        rewritten.append(plan)
    forget = f".abolish(p__f(_,{goal}))"
    text = (
        f"-!{goal} <- !{goal}.\n+{goal} <- {forget}; .succeed_goal({goal}).\n-{goal} <- {forget}."
    )
    return [
        *outcome.plans_in(span, f"+!{goal} : {goal}."),
        *rewritten,
        *outcome.plans_in(span, text),
    ]


def _blind(
    call: Literal, plans: Sequence[Plan], span: Span, outcome: ExpandedProgram
) -> list[Plan]:
    """Expand the goal pattern ``bc(g)`` or ``bc(g, pattern)`` (blind commitment): the goal g is
    never given up. The plans are first rewritten by ``pattern``, which is ``bdg(g)`` by default."""
    goal = _goal(call)
    inner = call.arguments[1] if len(call.arguments) > 1 else Literal("bdg", (goal,))
    assert isinstance(inner, Literal), "arguments of patterns are literals"
    return [
        *_rewrite_plans(inner, plans, span, outcome),
        *outcome.plans_in(span, f"+!{goal} <- !{goal}."),
    ]


def _single_minded(
    call: Literal, plans: Sequence[Plan], span: Span, outcome: ExpandedProgram
) -> list[Plan]:
    """Expand the goal pattern ``smc(g, f)`` (single-minded commitment): the goal g is given up when
    f is believed."""
    goal, failure = _goal(call), call.arguments[1]
    blind = _blind(Literal("bc", (goal,)), plans, span, outcome)
    return [*blind, *outcome.plans_in(span, f"+{failure} <- .fail_goal({goal}).")]


def _goal(call: Literal) -> Literal:
    goal = call.arguments[0]
    assert isinstance(goal, Literal), "arguments of patterns are literals"
    return goal


def _is_for(plan: Plan, goal: Literal) -> bool:
    """Return whether a plan handles ``goal`` with any arguments. ``goal`` is the argument of a goal
    pattern such as ``dg(goal)``."""
    literal = plan.trigger.literal
    if plan.trigger.kind != "achieve" or isinstance(literal, Variable):
        return False
    return indicator(literal) == indicator(goal)


def _with_test(plan: Plan, span: Span) -> Plan:
    """Return the plan with ``?g`` at the end of its body, where g is the goal of its trigger."""
    goal = plan.trigger.literal
    return replace(plan, body=(*plan.body, Test(goal, span=_text(span, f"?{goal}"))))


def _text(span: Span, text: str) -> Span:
    """Return a span that covers generated Jason text. Its source contains only this text and is
    named after the directive at ``span``."""
    source = Source(f"{span.source.name}:{span.line} {span.text}", text)
    return source.span(0, len(text))


_Rewriting = Callable[[Literal, Sequence[Plan], Span, ExpandedProgram], list[Plan]]
_PATTERNS: dict[str, tuple[int, int, _Rewriting]] = {
    "dg": (1, 1, _declarative),
    "bdg": (1, 1, _backtracking),
    "ebdg": (1, 1, _exclusive),
    "bc": (1, 2, _blind),
    "smc": (2, 2, _single_minded),
}
"""Map from the name of a goal pattern to its least and greatest number of arguments, and the
function that rewrites the plans inside it."""

_UNSUPPORTED_PATTERNS = ("mg", "omc", "rc", "sga")
"""Goal patterns of Jason that are not supported."""

_SINGLE = ("include", "register_function", "namespace")

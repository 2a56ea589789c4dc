"""Warnings about what is legal and probably a slip: names that occur once, sources that do not
exist, goals that cannot be made to fail."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from itertools import chain

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean
from volition.languages.common.duplicates import DiagnosticDeduplicator
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefRule,
    InitialBelief,
    InitialGoal,
    InternalAction,
    Plan,
    ReplaceBelief,
    Trigger,
)
from volition.languages.jason.term_checks import span_of_name
from volition.languages.jason.terms import List, Literal, Variable, indicator
from volition.languages.jason.traversal import all_steps
from volition.languages.jason.vocabulary import PERFORMATIVES, UNSUPPORTED_PERFORMATIVES

__all__ = ["check_slips"]

_Statement = InitialBelief | BeliefRule | InitialGoal | Plan
_Position = tuple[str, int]
"""Name and arity of a literal, and a place among its arguments."""

_SOURCES = ("self", "percept", "df")
_SHORTEST = 4
"""Shorter names are often alike and meant."""
_SHORTEST_BELIEF = 3
"""A belief that nothing reads is a stronger sign."""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ANNOTATION: _Position = ("[]", 0)
_OF_PLAN: _Position = ("@[]", 0)
_ITEM: _Position = ("[..]", 0)
_PERFORMATIVES = frozenset((*PERFORMATIVES, *UNSUPPORTED_PERFORMATIVES))
_STANDARD: Mapping[_Position, frozenset[str]] = {
    _ANNOTATION: frozenset(
        [
            "source",
            "error",
            "error_msg",
            "code",
            "code_src",
            "code_line",
            "state",
            "reason",
            "hard_deadline",
        ]
    ),
    _OF_PLAN: frozenset(
        ["atomic", "all_unifs", "breakpoint", "hide_in_mind_inspector", "priority"]
    ),
    ("error/1", 0): frozenset(
        (
            "action_failed",
            "ask_failed",
            "constraint_failed",
            "deadline_reached",
            "ia_failed",
            "no_applicable",
            "no_option",
            "no_relevant",
        )
    ).union(("test_goal_failed", "unknown", "wait_timeout", "wrong_arguments")),
    **{(f".send/{arity}", 1): _PERFORMATIVES for arity in (3, 4, 5)},
    (".broadcast/2", 0): _PERFORMATIVES,
}
"""Position ▶ the names that have a meaning of their own there."""
_SHOWS = (".print", ".println", ".printf", ".puts", ".log")
"""Internal actions whose arguments are for people."""


def check_slips(
    agents: Mapping[str, AgentProgram], others: Iterable[Source], diagnostics: Diagnostics
) -> None:
    """Add the warnings; ``others`` are the texts of the system that are not programs: its project,
    its options and its world."""
    names = _Names(agents, others)
    once = DiagnosticDeduplicator(diagnostics)
    for program in agents.values():
        found = Diagnostics()
        for statement in _statements(program):
            _check_variables(statement, program, found)
            _check_sources(statement, names, found)
            names.check_constants(statement, found)
        _check_fail_goal(program, agents, found)
        once.add(found)


def _statements(program: AgentProgram) -> Iterator[_Statement]:
    yield from (
        *program.beliefs,
        *program.project_beliefs,
        *program.goals,
        *program.project_goals,
        *program.plans,
    )


def _nodes(node: object) -> Iterator[object]:
    """A part of a program and all that is in it, also what stands in braces."""
    yield node
    if isinstance(node, tuple):
        for each in node:
            yield from _nodes(each)
    elif is_dataclass(node):
        for each in fields(node):
            if each.name != "span":
                yield from _nodes(getattr(node, each.name))


# --- variables ------------------------------------------------------------------------------------


def _check_variables(statement: _Statement, program: AgentProgram, found: Diagnostics) -> None:
    """A variable that occurs once in a plan or a rule is ``_``, or misspelt."""
    if not isinstance(statement, Plan | BeliefRule) or not _is_written(statement.span, program):
        return
    times = Counter(each.name for each in _nodes(statement) if isinstance(each, Variable))
    for name, amount in times.items():
        if amount == 1 and name[0].isupper():
            hint = (
                _near(name, (each for each in times if each[0].isupper()))
                or f"write _{name} or _, if it does not matter"
            )
            found.warning(
                "JSN060",
                f"the variable {name} occurs once",
                span_of_name(name, statement.span),
                hint=hint,
            )


def _is_written(span: Span, program: AgentProgram) -> bool:
    """Whether a statement stands in a file: directives add others."""
    return span.source is program.source or span.source.name.endswith(".asl")


def _near(name: str, known: Iterable[str]) -> str | None:
    """A hint that names a known name which differs in one letter: another, a missing, an additional
    one, or two that are swapped."""
    near = [each for each in known if min(len(name), len(each)) > 1 and _is_slip(name, each)]
    return f"did you mean '{min(near)}'?" if near else None


def _is_slip(one: str, other: str) -> bool:
    if (
        one == other
        or abs(len(one) - len(other)) > 1
        or re.sub(r"\d+", "", one) == re.sub(r"\d+", "", other)
    ):
        return False
    start = next(
        (
            index
            for index, (left, right) in enumerate(zip(one, other, strict=False))
            if left != right
        ),
        min(len(one), len(other)),
    )
    left, right = one[start:], other[start:]
    swapped = left[:2] == right[1::-1] and left[2:] == right[2:]
    return left[1:] == right[1:] or left[1:] == right or left == right[1:] or swapped


# --- sources --------------------------------------------------------------------------------------


def _source_of(node: object) -> str | None:
    match node:
        case Literal("source", (Literal(name, (), ()),)):
            return name
    return None


def _check_sources(statement: _Statement, names: _Names, found: Diagnostics) -> None:
    if isinstance(statement, InitialBelief | InitialGoal):
        return
    for name in dict.fromkeys(map(_source_of, _nodes(statement))):
        if name is not None and name not in names.sources:
            hint = (
                did_you_mean(name, names.agents)
                or f"a source is self, percept or an agent: {', '.join(names.agents)}"
            )
            span = span_of_name(f"source({name})", statement.span)
            found.warning(
                "JSN061", f"there is no agent '{name}', so nothing comes from it", span, hint=hint
            )


# --- constants and functors -----------------------------------------------------------------------


class _Names:
    """Names that the texts of a system mention."""

    def __init__(self, agents: Mapping[str, AgentProgram], others: Iterable[Source]) -> None:
        self.agents = tuple(agents)
        self._seen: set[str] = set()
        self._programs = tuple({id(each.source): each for each in agents.values()}.values())
        self._words = {
            word
            for source in others
            for word in re.findall(r"[a-z]\w*", _COMMENT.sub(" ", source.text))
        }

    @cached_property
    def sources(self) -> frozenset[str]:
        """Where beliefs may come from: agents, and what some agent makes up itself."""
        added = (
            step
            for each in self._programs
            for plan in each.plans
            for step in all_steps(plan)
            if isinstance(step, _SAYS)
        )
        stated = (
            node
            for each in self._programs
            for node in _nodes((each.beliefs, each.project_beliefs, each.goals))
        )
        made_up = (_source_of(node) for node in chain(stated, *map(_nodes, added)))
        return frozenset((*self.agents, *_SOURCES, *filter(None, made_up)))

    @cached_property
    def _mentioned(self) -> Counter[str]:
        """How often names occur anywhere in the programs."""
        every = (
            node
            for each in self._programs
            for statement in _statements(each)
            for node in _nodes(statement)
        )
        return Counter(node.functor for node in every if isinstance(node, Literal))

    @cached_property
    def _at(self) -> Mapping[_Position, set[str]]:
        """Position ▶ names that stand there."""
        found: dict[_Position, set[str]] = {
            position: set(names) for position, names in _STANDARD.items()
        }
        for program in self._programs:
            for statement in _statements(program):
                for position, term in _arguments(statement):
                    found.setdefault(position, set()).add(term.functor)
                for term in _read(statement):
                    found.setdefault(_belief(term), set()).add(term.functor)
        return found

    def check_constants(self, statement: _Statement, found: Diagnostics) -> None:
        """A constant or functor that nothing else mentions is misspelt if a name like it stands at
        the same place elsewhere.

        Of two names that occur once the second is reported.  A belief that nothing reads is
        misspelt if one like it is read.
        """
        added = ((_belief(term), term) for term in _added(statement))
        for position, term in chain(_arguments(statement), added):
            name, standard = term.functor, _STANDARD.get(position, frozenset())
            is_belief = position == _belief(term)
            if (
                len(name) < (_SHORTEST_BELIEF if is_belief else _SHORTEST)
                or self._mentioned[name] > 1
                or name in (*self._words, *self.agents, *standard)
            ):
                continue
            self._seen.add(name)
            at = self._at.get(position, set())
            known = (
                at
                if is_belief
                else {
                    each
                    for each in at
                    if self._mentioned[each] > 1 or each in self._seen | standard
                }
            )
            hint = _near(name, known - {name}) or _near(name, self._words)
            if hint is not None:
                span = span_of_name(name, statement.span)
                found.warning("JSN062", f"'{name}' occurs nowhere else", span, hint=hint)


_SAYS = (AddBelief, ReplaceBelief, InternalAction)
"""Steps that give a belief a source of the agent's choice."""


def _arguments(statement: _Statement) -> Iterator[tuple[_Position, Literal]]:
    """The constants and structures that are arguments, annotations or items of lists, each with its
    position."""
    for node in _nodes(statement):
        if isinstance(node, List):
            yield from (
                (_ITEM, each)
                for each in node.items
                if isinstance(each, Literal) and not each.is_internal
            )
        if isinstance(node, Literal | Plan):
            annotations = node.known_annotations if isinstance(node, Literal) else node.annotations
            position = _ANNOTATION if isinstance(node, Literal) else _OF_PLAN
            yield from ((position, each) for each in annotations if isinstance(each, Literal))
        if isinstance(node, Literal) and node.functor not in (*_SHOWS, "source"):
            for index, each in enumerate(node.arguments):
                if isinstance(each, Literal) and not each.is_internal:
                    yield (indicator(node), index), each


def _belief(literal: Literal) -> _Position:
    """The position of beliefs with so many arguments."""
    return (f"/{len(literal.arguments)}", 0)


def _added(statement: _Statement) -> Iterator[Literal]:
    """The beliefs that a statement gives to its agent."""
    match statement:
        case InitialBelief(literal) | BeliefRule(literal, _):
            yield literal
        case Plan():
            added = (
                step.belief
                for step in all_steps(statement)
                if isinstance(step, AddBelief | ReplaceBelief)
            )
            yield from (each for each in added if isinstance(each, Literal))


def _read(node: object) -> Iterator[Literal]:
    """What queries, events of beliefs and internal actions ask for."""
    match node:
        case Literal():
            yield from _read(node.arguments) if node.is_internal else (node,)
        case (
            Achieve()
            | Act()
            | AddBelief()
            | ReplaceBelief()
            | InitialBelief()
            | InitialGoal()
            | Trigger(kind="achieve")
        ):
            return
        case BeliefRule():
            yield from _read(node.body)
        case tuple():
            yield from (each for part in node for each in _read(part))
        case _ if is_dataclass(node):
            yield from (
                each
                for part in fields(node)
                if part.name != "span"
                for each in _read(getattr(node, part.name))
            )


# --- goals at the bottom --------------------------------------------------------------------------


def _check_fail_goal(
    program: AgentProgram, agents: Mapping[str, AgentProgram], found: Diagnostics
) -> None:
    """``.fail_goal(g)``, or a deadline, for a goal that may be at the bottom of an intention: an
    exception in Jason."""
    own = [step for plan in program.plans for step in all_steps(plan)]
    bottom = {indicator(each.literal) for each in (*program.goals, *program.project_goals)}
    bottom |= {
        indicator(step.goal)
        for step in own
        if isinstance(step, Achieve) and step.new_intention and isinstance(step.goal, Literal)
    }
    sent = (
        step.action
        for each in agents.values()
        for plan in each.plans
        for step in all_steps(plan)
        if isinstance(step, InternalAction)
    )
    bottom |= {indicator(each) for action in sent for each in _achieved(action)}
    hint = "let another goal pursue it: +!start <- !g."
    for step in own:
        match step:
            case InternalAction(Literal(".fail_goal", (Literal() as goal, *_))) if (
                indicator(goal) in bottom
            ):
                message = (
                    f"at the bottom of an intention !{indicator(goal)} cannot be made to "
                    "fail: Jason throws a NullPointerException"
                )
                found.warning("JSN063", message, step.span, hint=hint)


def _achieved(action: Literal) -> Iterator[Literal]:
    """The goals that a message asks for."""
    if action.functor in (".send", ".broadcast") and Literal("achieve") in action.arguments:
        yield from (
            each
            for each in action.arguments[-2:]
            if isinstance(each, Literal) and each != Literal("achieve")
        )

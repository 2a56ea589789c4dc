"""Lint warnings about legal Jason code that is probably wrong: names that occur only once, sources
of beliefs that do not exist, and calls of ``.fail_goal`` that make Jason throw an exception."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from itertools import chain
from typing import assert_never

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

__all__ = ["check_style"]

_Statement = InitialBelief | BeliefRule | InitialGoal | Plan
_Position = tuple[str, int]
"""Place where a name can occur: the name and arity of a literal, such as ``at/1``, and the index of
one of its arguments. Special values stand for places that are not arguments: ``_ANNOTATION`` for
annotations of literals, ``_OF_PLAN`` for annotations of plans, ``_ITEM`` for items of lists, and
the result of ``_belief`` for names of beliefs."""

_SOURCES = ("self", "percept", "df")
_SHORTEST = 4
"""Minimum length of names that are compared to find misspellings. Shorter names are often similar
on purpose."""
_SHORTEST_BELIEF = 3
"""Minimum length of the name of a belief that no plan or rule reads, for this name to be compared
with others. It is less than ``_SHORTEST``, because a belief that nothing reads is stronger evidence
of a misspelling."""
_SHORTEST_ANY_START = 6
"""Minimum length of names that are compared even if their first letters differ."""
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
"""Map from a position in a term to the names that have a predefined meaning in Jason at this
position."""
_PRINT_ACTIONS = (".print", ".println", ".printf", ".puts", ".log")
"""Internal actions that only print their arguments."""


def check_style(
    agents: Mapping[str, AgentProgram], others: Iterable[Source], diagnostics: Diagnostics
) -> None:
    """Add the lint warnings about all agents to ``diagnostics``. ``others`` are the sources of the
    system that are not agent programs: the project file, the options file and the world."""
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
    """Yield a node of a syntax tree and all nodes inside it, including those in braces."""
    yield node
    if isinstance(node, tuple):
        for each in node:
            yield from _nodes(each)
    elif is_dataclass(node):
        for each in fields(node):
            if each.name != "span":
                yield from _nodes(getattr(node, each.name))


# --- variables that occur only once ---------------------------------------------------------------


def _check_variables(statement: _Statement, program: AgentProgram, found: Diagnostics) -> None:
    """Warn about each variable that occurs only once in a plan or rule. It is misspelt, or should
    be written as ``_``."""
    if not isinstance(statement, Plan | BeliefRule) or not _is_written(statement.span, program):
        return
    times = Counter(each.name for each in _nodes(statement) if isinstance(each, Variable))
    for name, amount in times.items():
        if amount == 1 and name[0].isupper():
            hint = (
                _similar_name_hint(name, (each for each in times if each[0].isupper()))
                or f"write _{name} or _, if its value does not matter"
            )
            found.warning(
                "JSN060",
                f"the variable {name} occurs only once",
                span_of_name(name, statement.span),
                hint=hint,
            )


def _is_written(span: Span, program: AgentProgram) -> bool:
    """Return whether a statement with this span is written in a program file, and was not generated
    by a directive."""
    return span.source is program.source or span.source.name.endswith(".asl")


def _similar_name_hint(name: str, known: Iterable[str]) -> str | None:
    """Return a hint with a known name that differs by one letter (replaced, missing, added, or two
    swapped), or None."""
    near = [
        each
        for each in known
        if min(len(name), len(each)) > 1 and _differs_by_one_letter(name, each)
    ]
    return f"did you mean '{min(near)}'?" if near else None


def _misspelling_hint(name: str, known: Iterable[str], shortest: int) -> str | None:
    """Return a hint with a known name of which ``name`` is probably a misspelling, or None.

    Known names with fewer than ``shortest`` letters are left out. A short name must also begin with
    the same letter: ``ball`` and ``wall`` are two names, and typing errors rarely affect the first
    letter.
    """
    return _similar_name_hint(
        name,
        (
            each
            for each in known
            if len(each) >= shortest
            and (each[0] == name[0] or min(len(each), len(name)) >= _SHORTEST_ANY_START)
        ),
    )


def _differs_by_one_letter(one: str, other: str) -> bool:
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


# --- sources of beliefs that do not exist ---------------------------------------------------------


def _source_of(node: object) -> str | None:
    match node:
        case Literal("source", (Literal(name, (), ()),)):
            return name
        case _:
            pass
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
            message = f"there is no agent '{name}', so source({name}) never matches"
            found.warning("JSN061", message, span, hint=hint)


# --- constants and functors that are probably misspelt --------------------------------------------


class _Names:
    """Names that occur in the programs and the other sources of a system, to find names that are
    misspelt."""

    def __init__(self, agents: Mapping[str, AgentProgram], others: Iterable[Source]) -> None:
        self.agents = tuple(agents)
        self._seen: set[str] = set()
        self._programs = tuple({id(each.source): each for each in agents.values()}.values())
        self._other_names = {
            word
            for source in others
            for word in re.findall(r"[a-z]\w*", _COMMENT.sub(" ", source.text))
        }

    @cached_property
    def sources(self) -> frozenset[str]:
        """Possible sources of beliefs: the agents, the predefined sources, and names that some
        program uses as a source when it adds a belief."""
        added = (
            step
            for each in self._programs
            for plan in each.plans
            for step in all_steps(plan)
            if isinstance(step, _SOURCE_STEPS)
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
        """Number of occurrences of each functor in all programs."""
        every = (
            node
            for each in self._programs
            for statement in _statements(each)
            for node in _nodes(statement)
        )
        return Counter(node.functor for node in every if isinstance(node, Literal))

    @cached_property
    def _names_at(self) -> Mapping[_Position, set[str]]:
        """Map from a position in a term to the names that occur at this position in any program, or
        are predefined there."""
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
        """Warn about a constant or functor that occurs nowhere else, if a similar name occurs at
        the same position of another term.

        If both names occur only once, the second is reported. A belief that nothing reads is
        reported if a belief with a similar name is read.
        """
        added = ((_belief(term), term) for term in _added(statement))
        for position, term in chain(_arguments(statement), added):
            name, standard = term.functor, _STANDARD.get(position, frozenset())
            is_belief = position == _belief(term)
            shortest = _SHORTEST_BELIEF if is_belief else _SHORTEST
            if (
                len(name) < shortest
                or self._mentioned[name] > 1
                or name in (*self._other_names, *self.agents, *standard)
            ):
                continue
            self._seen.add(name)
            at = self._names_at.get(position, set())
            known = (
                at
                if is_belief
                else {
                    each
                    for each in at
                    if self._mentioned[each] > 1 or each in self._seen | standard
                }
            )
            hint = _misspelling_hint(name, known - {name}, shortest) or _misspelling_hint(
                name, self._other_names, shortest
            )
            if hint is not None:
                span = span_of_name(name, statement.span)
                found.warning("JSN062", f"the name '{name}' occurs only here", span, hint=hint)


_SOURCE_STEPS = (AddBelief, ReplaceBelief, InternalAction)
"""Kinds of steps that can give a belief any source."""


def _arguments(statement: _Statement) -> Iterator[tuple[_Position, Literal]]:
    """Yield the constants and structures in a statement that are arguments, annotations or list
    items, each with its position."""
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
        if isinstance(node, Literal) and node.functor not in (*_PRINT_ACTIONS, "source"):
            for index, each in enumerate(node.arguments):
                if isinstance(each, Literal) and not each.is_internal:
                    yield (indicator(node), index), each


def _belief(literal: Literal) -> _Position:
    """Return the special position that stands for the names of all beliefs with as many arguments
    as ``literal``."""
    return (f"/{len(literal.arguments)}", 0)


def _added(statement: _Statement) -> Iterator[Literal]:
    """Yield the literals that a statement adds to the belief base."""
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
        case InitialGoal():
            pass
        case _:
            assert_never(statement)


def _read(node: object) -> Iterator[Literal]:
    """Yield the literals that a part of a syntax tree reads. Queries, belief events and internal
    actions read literals. Goals, actions and additions of beliefs do not."""
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
        case _:
            pass


# --- calls of .fail_goal for goals at the bottom of an intention ----------------------------------


def _check_fail_goal(
    program: AgentProgram, agents: Mapping[str, AgentProgram], found: Diagnostics
) -> None:
    """Warn about ``.fail_goal(g)`` if g may be at the bottom of an intention: g is an initial goal,
    or is posted with ``!!g`` or by a message. Jason 3.3.2 throws a NullPointerException in this
    case."""
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
    hint = "post it as a subgoal of another goal: +!start <- !g."
    for step in own:
        match step:
            case InternalAction(Literal(".fail_goal", (Literal() as goal, *_))) if (
                indicator(goal) in bottom
            ):
                message = (
                    f"!{indicator(goal)} may be the goal that started its intention, at the bottom "
                    "of the stack: .fail_goal then makes Jason throw a NullPointerException"
                )
                found.warning("JSN063", message, step.span, hint=hint)
            case _:
                pass


def _achieved(action: Literal) -> Iterator[Literal]:
    """Yield the goals that a message with the performative ``achieve`` asks its receiver to
    achieve. ``action`` is the call of ``.send`` or ``.broadcast``."""
    if action.functor in (".send", ".broadcast") and Literal("achieve") in action.arguments:
        yield from (
            each
            for each in action.arguments[-2:]
            if isinstance(each, Literal) and each != Literal("achieve")
        )

"""Warnings about variables, constants and beliefs that occur once and are probably misspelt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from volition.diagnostics import Diagnostics, Source, Span
from volition.languages.common.duplicates import DiagnosticDeduplicator
from volition.languages.gwendolen.syntax import (
    AddBelief,
    AgentProgram,
    DropGoal,
    Plan,
    ReasoningRule,
)
from volition.languages.world.names import count_words, misspelt_name, place_in
from volition.languages.world.terms import Structure, Variable, variables

__all__ = ["check_slips"]

_Statement = ReasoningRule | Plan


def check_slips(
    agents: Mapping[str, AgentProgram], sources: Iterable[Source], diagnostics: Diagnostics
) -> None:
    """Add a warning to ``diagnostics`` for each variable, constant or belief that is probably
    misspelt. ``sources`` are all files of the system; names are counted in all of them."""
    words = count_words(sources)
    deduplicator = DiagnosticDeduplicator(diagnostics)
    for program in agents.values():
        found = Diagnostics()
        statements: list[_Statement] = [*program.rules, *program.plans]
        for statement in statements:
            _check_variables(statement, found)
        _check_names(program, words, found)
        deduplicator.add(found)


def _check_variables(statement: _Statement, found: Diagnostics) -> None:
    """Warn about variables that occur once in a rule or plan: they should be ``_``, or are
    misspelt.

    A variable in the rule's head or the plan's trigger is reported only if it is similar to another
    variable of the statement.
    """
    head = statement.head if isinstance(statement, ReasoningRule) else statement.trigger.content
    count = Counter(name for term in _terms(statement) for name in variables(term))
    for name, amount in count.items():
        near = misspelt_name(name, count.keys() - {name})
        if amount == 1 and not name.startswith("_") and (near or name not in variables(head)):
            hint = f"did you mean '{near}'?" if near else "write _ for any value"
            found.warning(
                "GWN037",
                f"the variable {name} occurs only once",
                place_in(statement.span, name),
                hint=hint,
            )


def _check_names(program: AgentProgram, words: Counter[str], found: Diagnostics) -> None:
    """Warn about constants and beliefs that occur only once and are similar to another name.

    ``words`` counts the occurrences of each name in all files of the system.
    """
    stated: list[tuple[object, Span]] = [
        *program.beliefs,
        *((goal.atom, span) for goal, span in program.goals),
    ]
    stated += [(each, each.span) for each in (*program.rules, *program.plans)]
    outer = {
        term.functor for part, _ in stated for term in _terms(part) if isinstance(term, Structure)
    }
    predicates = {
        each for each in outer if words[each] > 1
    }  # a belief that is read once and never added has its own warning
    changed = [*program.beliefs, *((rule.head, rule.span) for rule in program.rules)]
    for plan in program.plans:
        changed += [
            (each.atom, each.span)
            for each in plan.body
            if isinstance(each, AddBelief) and isinstance(each.atom, Structure)
        ]
    names = [("belief", atom.functor, span, predicates) for atom, span in changed]
    names += [
        ("goal", each.goal.atom.functor, each.span, predicates)
        for plan in program.plans
        for each in plan.body
        if isinstance(each, DropGoal) and isinstance(each.goal.atom, Structure)
    ]
    names += [
        ("constant", name, span, set(words))
        for part, span in stated
        for term in _terms(part)
        for name in _constants(term)
    ]
    for kind, name, span, known in names:
        if words[name] == 1 and (meant := misspelt_name(name, known - {name})):
            found.warning(
                "GWN038",
                f"the {kind} '{name}' occurs only here",
                place_in(span, name),
                hint=f"did you mean '{meant}'?",
            )


def _terms(node: object) -> Iterator[Structure | Variable]:
    """Yield the terms in a syntax tree, without the terms nested in them."""
    if isinstance(node, Structure | Variable):
        yield node
    elif isinstance(node, tuple):
        yield from (each for part in node for each in _terms(part))
    elif is_dataclass(node):
        yield from (
            each
            for part in fields(node)
            if part.name != "span"
            for each in _terms(getattr(node, part.name))
        )


def _constants(term: Structure | Variable) -> Iterator[str]:
    """Yield the constants among the arguments of a term, at any depth."""
    for each in term.arguments if isinstance(term, Structure) else ():
        if isinstance(each, Structure) and not each.arguments:
            yield each.functor
        if isinstance(each, Structure):
            yield from _constants(each)

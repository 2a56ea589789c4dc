"""Warnings about names in a world that are probably misspelt.

A name without arguments that is neither a parameter nor a variable is a constant, so a misspelling
creates a new constant. It becomes visible if a condition expects a value that nothing produces, or
if a value is produced that nothing mentions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean, nearest
from volition.languages.world.syntax import (
    COUNT,
    ActionRule,
    Add,
    And,
    Assign,
    BooleanLiteral,
    Compare,
    Condition,
    Domain,
    Effects,
    FactCondition,
    Fail,
    If,
    NondeterministicChoice,
    Not,
    Or,
    OutputAssignment,
    ProbabilisticChoice,
    Quantified,
    RangeDomain,
    Remove,
    WorldTree,
)
from volition.languages.world.terms import (
    EMPTY_LIST,
    FALSE,
    TRUE,
    Structure,
    Term,
    Variable,
    predicate,
    variables,
)

__all__ = ["check_names", "count_words", "misspelt_name", "place_in", "words_in"]

_Role = Literal["head", "read", "removed", "written"]
_SHORTEST = 3
"""Minimum length of a name for the spelling check; shorter names are similar to too many others."""

_WORD = re.compile(r"(?<!\w)[a-z]\w*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NUMBERS = re.compile("[0-9]+")


@dataclass(frozen=True, slots=True)
class _Use:
    """Occurrence of terms in a rule of a world. ``role`` says whether they occur in the head of an
    action, in a condition, or in an effect.

    If the terms are the arguments of an atom, ``atom`` is that atom, otherwise None.
    """

    role: _Role
    span: Span
    terms: tuple[Term, ...]
    atom: Structure | None = None


def words_in(sources: Iterable[Source]) -> frozenset[str]:
    """Return the set of names with a lower-case initial in some texts, without those in
    comments."""
    return frozenset(count_words(sources))


def count_words(sources: Iterable[Source]) -> Counter[str]:
    """Return how often each name with a lower-case initial occurs in some texts, without
    comments."""
    return Counter(
        word for source in sources for word in _WORD.findall(_COMMENT.sub(" ", source.text))
    )


def check_names(
    tree: WorldTree,
    agents: Collection[str],
    values: Iterable[Term],
    words: Collection[str],
    diagnostics: Diagnostics,
) -> None:
    """Warn about names in a world that are probably misspelt, because nothing else mentions them.

    ``values`` are the parameter values; ``words`` are the names in the agents' programs and in the
    project.
    """
    _NameChecker(tree, agents, values, words, diagnostics).check()


class _NameChecker:
    def __init__(
        self,
        tree: WorldTree,
        agents: Collection[str],
        values: Iterable[Term],
        words: Collection[str],
        diagnostics: Diagnostics,
    ) -> None:
        self._tree, self._words, self._warning = tree, words, diagnostics.warning
        self._values = {
            *(each.name for each in tree.parameters),
            *(each.name for each in tree.variables),
        }
        self._uses = [*_declared(tree), *(use for rule in tree.actions for use in _of_action(rule))]
        self._uses += [
            use
            for step in tree.steps
            for use in (*_condition(step.condition), *_effects(step.effects))
        ]
        self._uses += [use for label in tree.labels for use in _condition(label.condition)]
        given = [term for use in self._uses if use.role == "written" for term in use.terms]
        self._given = {*agents, *words, *self._constants((*given, *values))}
        self._count = Counter(name for use in self._uses for name in self._constants(use.terms))

    def check(self) -> None:
        self._check_constants()
        self._check_variables()
        self._check_read()

    def _check_constants(self) -> None:
        known = {*self._count, *self._given, *self._values, "true", "false"}
        for use in self._uses:
            for name in dict.fromkeys(self._constants(use.terms)):
                if use.role != "written":
                    if name not in self._given:
                        what = "no agent uses" if use.role == "head" else "nothing ever has"
                        hint = (
                            did_you_mean(name, known - {name})
                            or "constants start with a lower-case letter, variables with a capital"
                        )
                        self._warning(
                            "WLD038",
                            f"{what} the value '{name}'",
                            place_in(use.span, name),
                            hint=hint,
                        )
                elif (
                    self._count[name] == 1
                    and name not in self._words
                    and (meant := misspelt_name(name, known - {name}))
                ):
                    hint = f"did you mean '{meant}'?"
                    self._warning(
                        "WLD039",
                        f"the value '{name}' occurs only here",
                        place_in(use.span, name),
                        hint=hint,
                    )

    def _constants(self, terms: Iterable[Term]) -> Iterator[str]:
        """Yield the names of the constants in some terms, including repetitions."""
        for term in terms:
            if isinstance(term, Structure) and term not in (TRUE, FALSE, EMPTY_LIST):
                if not term.arguments and term.functor not in self._values:
                    yield term.functor
                counted = _counted(term)
                yield from self._constants(term.arguments if counted is None else counted.arguments)

    def _check_variables(self) -> None:
        """Warn about variables that occur only once in a rule, because they have no effect there.

        A variable in the head of a rule may occur only once. It is reported only if the rule
        contains a similar variable, so that it is probably misspelt. Variables whose names start
        with ``_`` are not reported.
        """
        rules = [[*_of_action(rule)] for rule in self._tree.actions]
        rules += [
            [*_condition(each.condition), *_effects(each.effects)] for each in self._tree.steps
        ]
        rules += [[*_condition(each.condition)] for each in self._tree.labels]
        for uses in rules:
            count = Counter(name for use in uses for term in use.terms for name in variables(term))
            for use in uses:
                for name in (each for term in use.terms for each in variables(term)):
                    near = did_you_mean(name, set(count) - {name, "_"})
                    if (
                        count[name] == 1
                        and (near or use.role != "head")
                        and not name.startswith("_")
                    ):
                        hint = near or "write _ for any value"
                        self._warning(
                            "WLD040",
                            f"the variable {name} occurs only once in this rule",
                            place_in(use.span, name),
                            hint=hint,
                        )

    def _check_read(self) -> None:
        """Warn about facts that no condition reads, and percepts that neither a condition nor an
        agent reads."""
        queried = {
            predicate(use.atom) for use in self._uses if use.role == "read" and use.atom is not None
        }
        queried |= {
            predicate(counted)
            for use in self._uses
            for term in use.terms
            for counted in _all_counted(term)
        }
        for declared in self._tree.predicates:
            name = predicate(declared.signature)
            functor = declared.signature.functor.removeprefix("~")
            if name not in queried and functor not in self._words:
                kind = (
                    "no agent reads the percept" if declared.perceived else "nothing reads the fact"
                )
                hint = did_you_mean(functor, self._words)
                self._warning(
                    "WLD041", f"{kind} {name}", place_in(declared.span, functor), hint=hint
                )


def _declared(tree: WorldTree) -> Iterator[_Use]:
    yield from (_Use("written", each.span, (each.value,)) for each in tree.parameters)
    yield from (_Use("written", each.span, (each.value,)) for each in tree.variables)
    for declared in tree.predicates:
        for fact in declared.initially:
            yield _Use("written", declared.span, fact.arguments, fact)
        for _, domain in declared.domains:
            yield _Use("written", declared.span, _members(domain))


def _of_action(rule: ActionRule) -> Iterator[_Use]:
    received: tuple[Term, ...] = () if rule.agent is None else (Variable(rule.agent),)
    yield _Use("head", rule.span, (*rule.action.arguments, *received))
    yield from _condition(rule.condition)
    yield from _effects(rule.effects)


def _condition(condition: Condition) -> Iterator[_Use]:
    match condition:
        case BooleanLiteral():
            pass
        case FactCondition(pattern):
            yield _Use("read", condition.span, pattern.arguments, pattern)
        case Compare(_, left, right):
            yield _Use("read", condition.span, (left, right))
        case Not(operand):
            yield from _condition(operand)
        case And(one, other) | Or(one, other):
            yield from _condition(one)
            yield from _condition(other)
        case Quantified(_, variable, domain, operand):
            yield _Use("written", condition.span, (Variable(variable), *_members(domain)))
            yield from _condition(operand)
        case _:
            assert_never(condition)


def _members(domain: Domain) -> tuple[Term, ...]:
    return (domain.first, domain.last) if isinstance(domain, RangeDomain) else domain.items or ()


def _effects(effects: Effects) -> Iterator[_Use]:
    for effect in effects:
        match effect:
            case Assign(_, value):
                yield _Use("written", effect.span, (value,))
            case OutputAssignment(variable, value):
                yield _Use("written", effect.span, (Variable(variable), value))
            case Add(fact):
                yield _Use("written", effect.span, fact.arguments, fact)
            case Remove(pattern):
                yield _Use("removed", effect.span, pattern.arguments, pattern)
            case If(condition, then, otherwise):
                yield from _condition(condition)
                yield from _effects((*then, *otherwise))
            case NondeterministicChoice(branches):
                yield from (use for branch in branches for use in _effects(branch))
            case ProbabilisticChoice(branches):
                for weight, branch in branches:
                    yield _Use("written", effect.span, (weight,))
                    yield from _effects(branch)
            case Fail():
                pass
            case _:
                assert_never(effect)


def _counted(term: Structure) -> Structure | None:
    """Return the atom that ``count(p(_))`` counts, or None for any other term."""
    counted = term.arguments[0] if term.functor == COUNT and len(term.arguments) == 1 else None
    return counted if isinstance(counted, Structure) else None


def _all_counted(term: Term) -> Iterator[Structure]:
    if isinstance(term, Structure):
        if (counted := _counted(term)) is not None:
            yield counted
        yield from (each for argument in term.arguments for each in _all_counted(argument))


def misspelt_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that ``name`` probably misspells, or None. Names that differ only in
    digits are considered intentional."""
    if len(name) < _SHORTEST:
        return None
    return nearest(
        name,
        [each for each in known if _NUMBERS.sub("#", each) != _NUMBERS.sub("#", name)],
        letters=4,
    )


def place_in(span: Span, name: str) -> Span:
    """Return the span of the first occurrence of a name inside another span. If the name does not
    occur there, return that other span."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", span.text)
    return (
        span
        if found is None
        else span.source.span(span.start + found.start(), span.start + found.end())
    )

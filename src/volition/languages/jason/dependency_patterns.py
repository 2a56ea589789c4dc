"""Patterns that stand for the beliefs and events of an agent in the dependency analysis.
:mod:`volition.languages.jason.dependencies` uses them to find out which plans influence which
beliefs.

Annotations are omitted. A subterm whose value is known only at run time, such as a variable or ``N
+ 1``, matches anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from volition.languages.common.dependencies import SymbolPattern
from volition.languages.jason.arithmetic import FUNCTIONS
from volition.languages.jason.library import PURE_ACTIONS
from volition.languages.jason.syntax import GOAL_PREFIXES, TriggerKind
from volition.languages.jason.terms import List, Literal, Term, Text, Variable
from volition.languages.jason.traversal import QUERY_ARGUMENTS, atoms_of, subterms
from volition.languages.world import terms as worldly

__all__ = ["AgentNames"]

_ANYTHING = worldly.Variable("_")
_PURE_CALLS = frozenset({*PURE_ACTIONS, *FUNCTIONS}) - {".belief", ".eval", *QUERY_ARGUMENTS}
"""Internal actions and functions whose values depend only on their arguments, not on beliefs."""


@dataclass(frozen=True)
class AgentNames:
    """Builder of the patterns that stand for the beliefs and events of one agent in the dependency
    analysis."""

    agent: str

    @property
    def any_belief(self) -> SymbolPattern:
        return SymbolPattern("belief", _ANYTHING, self.agent)

    @property
    def any_event(self) -> SymbolPattern:
        return SymbolPattern("event", _ANYTHING, self.agent)

    def beliefs(self, term: Term) -> Iterator[SymbolPattern]:
        """Yield the belief pattern of a literal, or of each literal in a list. For any other term,
        yield a pattern that matches all beliefs."""
        yield from (SymbolPattern("belief", each, self.agent) for each in self._patterns(term))

    def of_one_predicate(self, term: Term) -> Iterator[SymbolPattern]:
        """Yield a pattern for all beliefs with the name and arity of a literal."""
        yield from (
            SymbolPattern("belief", _general(each), self.agent) for each in self._patterns(term)
        )

    def events(self, operators: str, kind: TriggerKind, term: Term) -> Iterator[SymbolPattern]:
        """Yield the patterns of the events about a literal, or about each literal in a list: one
        pattern for each character of ``operators``, such as ``"+-"``."""
        for pattern in self._patterns(term):
            if isinstance(pattern, worldly.Variable):
                yield self.any_event
            else:
                yield from (
                    SymbolPattern(
                        "event",
                        worldly.Structure(f"{each}{GOAL_PREFIXES[kind]}", (pattern,)),
                        self.agent,
                    )
                    for each in operators
                )

    def trigger(self, operator: str, kind: TriggerKind, literal: Term) -> SymbolPattern:
        """Return the pattern of the events that may trigger a plan: those with the name and arity
        of the plan's trigger."""
        (name,) = self.events(operator, kind, literal)
        if isinstance(name.pattern, worldly.Variable):
            return name
        assert isinstance(name.pattern, worldly.Structure)
        return SymbolPattern(
            "event",
            worldly.Structure(name.pattern.functor, tuple(map(_general, name.pattern.arguments))),
            self.agent,
        )

    def queried_by(self, query: Term) -> Iterator[SymbolPattern]:
        """Yield patterns for the beliefs and events that the result of a query depends on. These
        are the beliefs that the query names. If the query calls an internal action that inspects
        the agent, they are all beliefs and all events."""
        for atom in atoms_of(query):
            if isinstance(atom, Variable):
                yield self.any_belief
            elif isinstance(atom, Literal) and not atom.is_internal:
                yield from self.beliefs(atom)
            yield from self._inside(atom)

    def _inside(self, term: Term) -> Iterator[SymbolPattern]:
        """Yield patterns for the beliefs and events that the functions and internal actions inside
        a term read."""
        for part in subterms(term):
            if not isinstance(part, Literal):
                continue
            index = QUERY_ARGUMENTS.get(part.functor)
            if index is not None:
                yield from (
                    name
                    for each in part.arguments[index : index + 1]
                    for name in self.queried_by(each)
                )
            elif part.is_internal and part.functor not in _PURE_CALLS:
                yield from (self.any_belief, self.any_event)

    def _patterns(self, term: Term) -> Iterator[worldly.Term]:
        match term:
            case Literal():
                yield self._pattern(term)
            case List(items, None):
                for each in items:
                    yield from self._patterns(each)
            case _:
                yield _ANYTHING

    def _pattern(self, term: Term) -> worldly.Term:
        match term:
            case int() | Text():
                return term
            case List(items, tail):
                end = worldly.EMPTY_LIST if tail is None else self._pattern(tail)
                return worldly.list_of([self._pattern(each) for each in items], end)
            case Literal(functor, arguments) if not term.is_internal:
                prefix = f"{'' if term.namespace is None else f'{term.namespace}::'}{'~' if term.negated else ''}"  # noqa: E501
                return worldly.Structure(f"{prefix}{functor}", tuple(map(self._pattern, arguments)))
            case _:
                pass
        return _ANYTHING


def _general(pattern: worldly.Term) -> worldly.Term:
    """Return a structure with all its arguments replaced by wildcards."""
    if not isinstance(pattern, worldly.Structure):
        return _ANYTHING
    return worldly.Structure(pattern.functor, (_ANYTHING,) * len(pattern.arguments))

"""Terms, belief bases and queries from text, for tests of the pure part of Jason's semantics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from volition.diagnostics import Diagnostics, Source
from volition.languages.jason import beliefs as base
from volition.languages.jason.beliefs import Beliefs
from volition.languages.jason.library import NONDETERMINISTIC_ACTIONS, PURE_ACTIONS
from volition.languages.jason.parsing.statements import read_statements, read_term
from volition.languages.jason.queries import QueryContext, solutions
from volition.languages.jason.substitution import apply
from volition.languages.jason.syntax import BeliefRule, InitialBelief
from volition.languages.jason.terms import Bindings, Literal, Term, Variable

__all__ = [
    "Believer",
    "annotations_of",
    "answers",
    "beliefs_of",
    "believer",
    "literal",
    "term",
    "values",
]


def term(text: str) -> Term:
    """A term or formula."""
    diagnostics = Diagnostics()
    found = read_term(Source("<term>", text), diagnostics, 0, len(text))
    assert not list(diagnostics), list(diagnostics)
    return found


def annotations_of(one: Literal) -> tuple[Term, ...]:
    """Its annotations, which have no tail."""
    assert isinstance(one.annotations, tuple)
    return one.annotations


def literal(text: str) -> Literal:
    found = term(text)
    assert isinstance(found, Literal)
    return found


def beliefs_of(text: str) -> Beliefs:
    """The initial belief base of a program that consists of beliefs and rules."""
    diagnostics = Diagnostics()
    statements = read_statements(Source("<beliefs>", text), diagnostics)
    assert not list(diagnostics), list(diagnostics)
    entries = [
        each.literal if isinstance(each, InitialBelief) else each
        for each in statements
        if isinstance(each, InitialBelief | BeliefRule)
    ]
    return base.add_all((), reversed(entries))[0]


@dataclass(frozen=True)
class Believer(QueryContext):
    """An agent that has beliefs and nothing else in its mind."""

    beliefs: Beliefs = ()
    agent: str = "bob"
    agents: tuple[str, ...] = ("bob", "maria")
    functions: Mapping[tuple[str, int], str] = field(default_factory=dict)

    def candidates(self, query: Literal | Variable) -> Iterable[Literal | BeliefRule]:
        return base.entries_for(self.beliefs, query)

    def call(self, action: Literal, bindings: Bindings) -> Iterator[Bindings]:
        return {**PURE_ACTIONS, **NONDETERMINISTIC_ACTIONS}[action.functor](
            action.arguments, bindings, self
        )

    def function(self, name: str, arity: int) -> str | None:
        return self.functions.get((name, arity))


def believer(text: str = "") -> Believer:
    return Believer(beliefs_of(text))


def answers(query: str, knowledge: Believer | str = "") -> list[dict[str, str]]:
    """The values of the query's own variables, but for anonymous ones, in each solution in
    order."""
    knows = believer(knowledge) if isinstance(knowledge, str) else knowledge
    return [
        {name: str(apply(Variable(name), found)) for name in found if name[0].isalpha()}
        for found in solutions(term(query), {}, knows)
    ]


def values(query: str, knowledge: Believer | str = "", name: str = "X") -> list[str]:
    """The value of one variable in each solution in order."""
    return [each[name] for each in answers(query, knowledge)]

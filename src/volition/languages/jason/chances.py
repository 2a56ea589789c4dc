"""Queries that need chance: what may come first where internal actions give one of their solutions and nobody knows which.

Such an internal action gives its solutions in any order, as one does that draws again whenever it is asked again.  A query is run once for
each way in which that can turn out: the solutions of each call begin with another one.
"""

from __future__ import annotations

from volition.languages.jason.intentions import settle
from volition.languages.jason.knowledge import MindKnowledge
from volition.languages.jason.queries import first_solution
from volition.languages.jason.terms import Bindings, Term
from volition.languages.kit.steps import BoundExceeded

__all__ = ["first_solutions"]

_MOST_RUNS = 10_000


def first_solutions(query: Term, bindings: Bindings, knowledge: MindKnowledge, needed: tuple[str, ...]) -> list[Bindings | None]:
    """The first solution of a query for each way in which chance can turn out, None where there is none.

    Two are the same if they give the same values to the variables that are ``needed`` later.
    """
    found: dict[object, Bindings | None] = {}
    waiting: list[tuple[int, ...]] = [()]
    runs = 0
    while waiting:
        decided = waiting.pop()
        draws, sizes = list(decided), list[int]()
        knowledge.draws, knowledge.sizes = draws, sizes
        first = first_solution(query, bindings, knowledge)
        found.setdefault(None if first is None else settle(first, needed), first)
        for place in range(len(decided), len(sizes)):
            waiting += [(*draws[:place], other) for other in range(1, sizes[place])]
        runs += 1
        if runs > _MOST_RUNS:
            message = f"a query of {knowledge.agent} can turn out in more than {_MOST_RUNS:,} ways"
            raise BoundExceeded("JSN055", message, "let fewer internal actions choose in it, or among less")
    knowledge.draws = None
    return list(found.values())

"""``for``: solutions one after the other, while the body of the loop changes what they are looked for in.

Jason computes the next solution when the next round begins.  A list of beliefs is gone through from where it was: beliefs that were added
meanwhile are in front and not seen, those that were removed are not visited.  So what has not been tried is a part of the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeVar

from volition.languages.jason.queries import Choice, Goal, Goals, Knowledge, Return, State, among, search
from volition.languages.jason.substitution import without_annotations
from volition.languages.jason.syntax import Rule
from volition.languages.jason.terms import Bindings, Literal, Term, Variable

__all__ = ["Untried", "first_of", "next_of"]

_MOST_CALLS = 50
"""Inside of more rules than that all solutions are computed at once: what is untried of so many would be too much of a state."""


@dataclass(frozen=True, slots=True)
class Untried:
    """Ways to go on that have not been tried: as a value, unlike :class:`volition.languages.jason.queries.Choice`."""

    ways: tuple[State, ...]
    entries: tuple[Literal | Rule, ...] = ()
    query: Literal | Variable | None = None
    after: State | None = None

    def __str__(self) -> str:
        told = [*(str(dict(each.bindings)) for each in self.ways), *map(str, self.entries)]
        return f"{'' if self.query is None else f'{self.query} among '}{', '.join(told)}"


def first_of(formula: Term, bindings: Bindings, knowledge: Knowledge) -> tuple[Bindings | None, tuple[Untried, ...]]:
    """The first solution of a formula, if it has any, and what is left to try."""
    return _next([Choice(iter([State(Goals(formula, None), bindings, 0)]))], knowledge)


def next_of(untried: Sequence[Untried], knowledge: Knowledge) -> tuple[Bindings | None, tuple[Untried, ...]]:
    """The next one, as things are now."""
    return _next([_taken_up(each, knowledge) for each in untried], knowledge)


def _next(stack: list[Choice], knowledge: Knowledge) -> tuple[Bindings | None, tuple[Untried, ...]]:
    found = next(search(stack, knowledge), None)
    if found is None:
        return None, ()
    left = [each for each in map(_put_aside, stack) if each.ways or each.entries]
    states = [state for each in left for state in (*each.ways, each.after) if state is not None]
    if any(each.calls > _MOST_CALLS for each in states):
        others = search([_taken_up(each, knowledge) for each in left], knowledge)
        left = [Untried(tuple(State(None, _fixed(each), 0) for each in others))]
    return found, tuple(left)


def _taken_up(untried: Untried, knowledge: Knowledge) -> Choice:
    query, after = untried.query, untried.after
    if query is None or after is None:
        return Choice(iter(untried.ways))
    rest = among(query, _still_believed(untried.entries, list(knowledge.candidates(query))), after)
    return rest._replace(ways=chain(untried.ways, rest.ways))


def _still_believed(entries: Sequence[Literal | Rule], believed: Sequence[Literal | Rule]) -> Iterator[Literal | Rule]:
    """Entries that are still there; a belief may have got or lost annotations."""
    now = {without_annotations(each): each for each in believed if isinstance(each, Literal)}
    for each in entries:
        if isinstance(each, Rule):
            yield each
        elif (belief := now.get(without_annotations(each))) is not None:
            yield belief


# --- as a value --------------------------------------------------------------------------------------------------------------

_Value = TypeVar("_Value")


class _Fixed(dict[str, _Value]):
    """What names stand for, as a part of a state; in the order of the names."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


def _fixed(values: Mapping[str, _Value]) -> _Fixed[_Value]:
    return values if isinstance(values, _Fixed) else _Fixed(sorted(values.items()))


def _put_aside(choice: Choice) -> Untried:
    """What is left of it; the entries first, so that its ways are those of the entry that it is at."""
    entries = tuple(choice.entries)
    return Untried(tuple(map(_state, choice.ways)), entries, choice.query, None if choice.after is None else _state(choice.after))


def _state(state: State) -> State:
    """At the end of the body of a rule stands who asked for it, and so on: from the last of these up."""
    asked = [state]
    while (end := _end(asked[-1])) is not None:
        asked.append(end.caller)
    fixed: State | None = None
    while asked:
        fixed = _with_caller(asked.pop(), fixed)
    assert fixed is not None
    return fixed


def _with_caller(state: State, caller: State | None) -> State:
    *goals, last = _goals(state) or (None,)
    if isinstance(last, Return) and caller is not None:
        last = replace(last, names=_fixed(last.names), caller=caller)
    fixed = None if last is None else Goals(last, None)
    for each in reversed(goals):
        fixed = Goals(each, fixed)
    return State(fixed, _fixed(state.bindings), state.calls)


def _end(state: State) -> Return | None:
    *_, last = _goals(state) or (None,)
    return last if isinstance(last, Return) else None


def _goals(state: State) -> list[Goal]:
    goals: list[Goal] = []
    left = state.goals
    while left is not None:
        goals.append(left.first)
        left = left.rest
    return goals

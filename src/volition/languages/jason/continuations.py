"""What is left of a body while it runs, and the variables that it still needs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from volition.diagnostics import Span
from volition.languages.jason.resumable_queries import SuspendedChoicePoint
from volition.languages.jason.syntax import For, Fork, Step, While
from volition.languages.jason.terms import Term
from volition.languages.jason.traversal import steps_in, terms_of
from volition.languages.jason.unification import variables

__all__ = ["BranchEnd", "Continuation", "LoopEnd", "Values"]

Values = tuple[tuple[str, Term], ...]
"""Name of a variable ▶ its value, sorted: bindings as they stand in a state."""


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """The end of a round of a loop: ``for`` goes on with what is ``untried`` of its query,
    ``while`` with its condition.

    ``before`` are the values from before the loop, which count again when it ends and, for
    ``while``, when the condition is tested.
    """

    loop: For | While
    saved_bindings: Values
    remaining_solutions: tuple[SuspendedChoicePoint, ...] = ()

    @property
    def span(self) -> Span:
        return self.loop.span

    def __format__(self, _: str) -> str:
        """In words: as data it is all that it holds."""
        return f"the next round of {self.loop}"


@dataclass(frozen=True, slots=True)
class BranchEnd:
    """The end of a branch of ``|&|`` or ``|||``; the branches of one fork carry one number, and
    know how many are ``missing``."""

    fork: Fork
    number: int
    missing: int

    @property
    def span(self) -> Span:
        return self.fork.span

    def __format__(self, _: str) -> str:
        """In words: as data it is all that it holds."""
        return f"the end of a branch of {self.fork}"


class Continuation(tuple["Step | LoopEnd | BranchEnd", ...]):
    """What is left of a body; the current step comes first.

    It knows its hash and its tail, as the bodies of plans are in all states and do not change.  A
    body and its tails share what they know of their variables, so that a body costs what it is
    long.
    """

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Tails of one body differ in their length, and rounds of one loop in what is left of
        it."""
        return hash(
            (len(self), self[:1], *(each for each in self if isinstance(each, LoopEnd | BranchEnd)))
        )

    @cached_property
    def tail(self) -> Continuation:
        """Without the current step."""
        tail = Continuation(self[1:])
        if not isinstance(self[0], LoopEnd):
            tail._uses = self._uses
        return tail

    def prepend(self, steps: Iterable[Step | LoopEnd | BranchEnd]) -> Continuation:
        """These steps first, then this rest."""
        return Continuation((*steps, *self))

    def next_use(self, name: str) -> int | None:
        """Where a variable occurs next, if its value is still needed: less than for those that
        occur later.

        At the end of a round of a loop the values from before the loop come back, so that nothing
        behind it needs a value now.
        """
        indices = self._uses.indices.get(name, ())
        following = bisect_left(indices, self._uses.begins[-1 - len(self)])
        return indices[following] if following < len(indices) else None

    @cached_property
    def _uses(self) -> _VariableUses:
        return _VariableUses.of(self)

    @cached_property
    def is_in_loop(self) -> bool:
        """Whether the values of now are lost later."""
        return any(isinstance(each, LoopEnd) for each in self)


@dataclass(frozen=True, slots=True)
class _VariableUses:
    """The variables of a body, up to the end of a round: where each occurs, and where each step
    begins, the end of the body last."""

    indices: Mapping[str, Sequence[int]]
    begins: Sequence[int]

    @classmethod
    def of(cls, rest: Continuation) -> _VariableUses:
        indices: dict[str, list[int]] = {}
        begins = [0]
        counted = 0
        comes_back = False
        for step in rest:
            comes_back = comes_back or isinstance(step, LoopEnd)
            for name in () if comes_back else _names(step):
                indices.setdefault(name, []).append(counted)
                counted += 1
            begins.append(counted)
        return cls(indices, begins)


def _names(step: Step | LoopEnd | BranchEnd) -> Iterator[str]:
    if not isinstance(step, LoopEnd | BranchEnd):
        for each in steps_in((step,)):
            for term in terms_of(each):
                yield from variables(term)

"""Continuations: the remaining plan body of an intention, and the variables that it still uses."""

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
"""Bindings in the form that is stored in states: pairs of a variable's name and its value, sorted.
"""


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """End of a loop iteration, as a step of a plan body: the next iteration begins or the loop
    ends.

    A ``for`` loop continues with the ``remaining_solutions`` of its query, a ``while`` loop with
    its condition. ``saved_bindings`` are the bindings from before the loop. They are restored when
    the loop ends, and for ``while`` also when the condition is tested.
    """

    loop: For | While
    saved_bindings: Values
    remaining_solutions: tuple[SuspendedChoicePoint, ...] = ()

    @property
    def span(self) -> Span:
        return self.loop.span

    def __format__(self, _: str) -> str:
        """Return a short text for traces. In contrast, ``str`` shows all fields."""
        return f"the next iteration of {self.loop}"


@dataclass(frozen=True, slots=True)
class BranchEnd:
    """End of a branch of a fork (``|&|`` or ``|||``), as a step of a plan body. All branches of one
    fork have the same ``number``; ``missing`` counts the branches that have not ended yet."""

    fork: Fork
    number: int
    missing: int

    @property
    def span(self) -> Span:
        return self.fork.span

    def __format__(self, _: str) -> str:
        """Return a short text for traces. In contrast, ``str`` shows all fields."""
        return f"the end of a branch of {self.fork}"


class Continuation(tuple["Step | LoopEnd | BranchEnd", ...]):
    """Remaining plan body of an intention: a tuple of steps, the current step first.

    The hash and the tail are cached, because the same plan bodies occur in many states and do not
    change. A body and its tails share one index of variable uses, so that the index takes space
    linear in the length of the body.
    """

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Hash of the length, the first step, and all ends of loops and branches.

        These suffice to tell continuations apart: tails of one body differ in length, and
        iterations of one loop differ in their remaining solutions.
        """
        return hash(
            (len(self), self[:1], *(each for each in self if isinstance(each, LoopEnd | BranchEnd)))
        )

    @cached_property
    def tail(self) -> Continuation:
        """Rest of the plan body after its current step."""
        tail = Continuation(self[1:])
        if not isinstance(self[0], LoopEnd):
            tail._uses = self._uses
        return tail

    def prepend(self, steps: Iterable[Step | LoopEnd | BranchEnd]) -> Continuation:
        """Return the continuation that executes ``steps`` first, then the steps of this
        continuation."""
        return Continuation((*steps, *self))

    def next_use(self, name: str) -> int | None:
        """Return a number that orders variables by their next use in this continuation: the later
        the use, the greater the number. Return None if the value of the variable is not needed any
        more.

        Uses after the end of the current loop iteration do not count, because the loop then
        restores the bindings from before it.
        """
        indices = self._uses.indices.get(name, ())
        following = bisect_left(indices, self._uses.begins[-1 - len(self)])
        return indices[following] if following < len(indices) else None

    @cached_property
    def _uses(self) -> _VariableUses:
        return _VariableUses.of(self)

    @cached_property
    def is_in_loop(self) -> bool:
        """Whether the current step is inside a loop, so that bindings are discarded at the end of
        the iteration."""
        return any(isinstance(each, LoopEnd) for each in self)


@dataclass(frozen=True, slots=True)
class _VariableUses:
    """Index of the variable occurrences in a plan body, up to the end of the current loop
    iteration.

    The occurrences are numbered from 0 in the order of the body. ``indices`` maps a variable to the
    numbers of its occurrences. ``begins[i]`` is the number of occurrences before step i of the
    body. The last item of ``begins``, after those of the steps, is the number of all occurrences.
    """

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

"""What is left of a body while it runs, and the variables that it still needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from volition.diagnostics import Span
from volition.languages.jason.syntax import For, Fork, Step, While
from volition.languages.jason.terms import Term
from volition.languages.jason.unification import variables
from volition.languages.jason.walk import steps_in, terms_of

__all__ = ["Join", "Rest", "Round", "Values"]

Values = tuple[tuple[str, Term], ...]
"""Name of a variable ▶ its value, sorted: bindings as they stand in a state."""


@dataclass(frozen=True, slots=True)
class Round:
    """The end of a round of a loop: ``for`` goes on with the next of its ``solutions``, ``while`` with its condition.

    ``before`` are the values from before the loop, which count again when it ends and, for ``while``, when the condition is tested.
    """

    loop: For | While
    before: Values
    solutions: tuple[Values, ...] = ()

    @property
    def span(self) -> Span:
        return self.loop.span

    def __format__(self, _: str) -> str:
        """In words: as data it is all that it holds."""
        return f"the next round of {self.loop}"


@dataclass(frozen=True, slots=True)
class Join:
    """The end of a branch of ``|&|`` or ``|||``; the branches of one fork carry one number."""

    fork: Fork
    number: int

    @property
    def span(self) -> Span:
        return self.fork.span

    def __format__(self, _: str) -> str:
        """In words: as data it is all that it holds."""
        return f"the end of a branch of {self.fork}"


class Rest(tuple["Step | Round | Join", ...]):
    """What is left of a body; the current step comes first.

    It knows its hash and its tail, as the bodies of plans are in all states and do not change.
    """

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    @cached_property
    def after(self) -> Rest:
        """Without the current step."""
        return Rest(self[1:])

    def before(self, steps: Iterable[Step | Round | Join]) -> Rest:
        """These steps first, then this rest."""
        return Rest((*steps, *self))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the variables whose values are still needed, in the order in which they occur first.

        At the end of a round of a loop the values from before the loop come back, so that nothing behind it needs a value now.
        """
        return tuple(dict.fromkeys(_names(self)))

    @cached_property
    def is_in_loop(self) -> bool:
        """Whether the values of now are lost later."""
        return any(isinstance(each, Round) for each in self)


def _names(rest: Rest) -> Iterator[str]:
    for step in rest:
        if isinstance(step, Round):
            return
        if not isinstance(step, Join):
            for each in steps_in((step,)):
                for term in terms_of(each):
                    yield from variables(term)

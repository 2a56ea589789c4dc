"""Options of partial-order reduction, which explores only one of several equivalent orders of
independent steps (``docs/explanation/reduction.md``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from volition.kernel.system import AnyPredicate, NoPredicate, SlotView, System

__all__ = ["ChainStep", "Reduction", "irreducible_reason"]


@dataclass(frozen=True, slots=True)
class Reduction:
    """Options of partial-order reduction: which atoms must be preserved, and how much effort to
    spend on finding ample sets.

    ``atoms`` are the state functions that the properties evaluate. ``deadlock_visible`` says
    whether the properties distinguish terminal states. The reduced space preserves LTL without the
    next operator. With ``branching`` it also preserves CTL* and PCTL* without the next operator.

    To decide whether steps are independent, the explorer uses all reads and writes observed in any
    state. With ``lookahead`` it finds more ample sets, because it also analyses what the components
    outside a set can do from the current state on. ``warmup_walks`` is the number of random walks
    before the exploration. They discover reads and writes early. A read or write that is discovered
    late may show that an ample set chosen earlier is unsound.
    """

    atoms: Sequence[Callable[[SlotView], Any]]
    deadlock_visible: bool = False
    branching: bool = False
    lookahead: bool = False
    warmup_walks: int = 32

    def functions(self) -> Iterator[Callable[[SlotView], Any]]:
        """Yield the atoms to trace. The parts of an :class:`AnyPredicate` or :class:`NoPredicate`
        are yielded one by one, so that each part has a small decision tree."""
        waiting = list(reversed(self.atoms))
        while waiting:
            atom = waiting.pop()
            if isinstance(atom, AnyPredicate | NoPredicate):
                waiting += reversed(atom.parts)
            else:
                yield atom


@dataclass(frozen=True, slots=True)
class ChainStep:
    """State of a compressed chain, given by its slot values, and the index of the component that
    moves next. The index is None for the last state, which the reduced space stores."""

    values: Mapping[str, Any]
    component: int | None


def irreducible_reason(system: System) -> str | None:
    """Return, as text for users, why a system cannot be explored with partial-order reduction; None
    if it can."""
    if system.mode != "interleaved":
        return "its components move synchronously"
    if system.reactions:
        return "its steps trigger reactions"
    return None

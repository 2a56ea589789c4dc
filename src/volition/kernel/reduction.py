"""Options of partial-order reduction, which explores one of several equivalent orders of
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
    next operator; with ``branching`` also CTL* and PCTL* without it. ``lookahead`` analyses what
    the other components can do from a state on, instead of using all reads and writes ever
    observed. ``warmup_walks`` random walks precede the exploration. They discover reads and writes
    early, which would otherwise invalidate later decisions.
    """

    atoms: Sequence[Callable[[SlotView], Any]]
    deadlock_visible: bool = False
    branching: bool = False
    lookahead: bool = False
    warmup_walks: int = 32

    def functions(self) -> Iterator[Callable[[SlotView], Any]]:
        """Yield the atoms to trace. The parts of an :class:`AnyPredicate` or :class:`NoPredicate`
        are yielded one by one, so that each has a small decision tree."""
        waiting = list(reversed(self.atoms))
        while waiting:
            atom = waiting.pop()
            if isinstance(atom, AnyPredicate | NoPredicate):
                waiting += reversed(atom.parts)
            else:
                yield atom


@dataclass(frozen=True, slots=True)
class ChainStep:
    """State of a compressed chain, and the index of the component that moves next; None for the
    last state, which is stored."""

    values: Mapping[str, Any]
    component: int | None


def irreducible_reason(system: System) -> str | None:
    """Return why a system cannot be explored with reduction, as text for users; None if it can."""
    if system.mode != "interleaved":
        return "its components move synchronously"
    if system.reactions:
        return "its steps trigger reactions"
    return None

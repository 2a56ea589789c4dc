"""Partial-order reduction: exploring a system without the orders of steps that no question can tell
apart (``docs/explanation/reduction.md``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from volition.kernel.system import AnyPredicate, NoPredicate, SlotView, System

__all__ = ["ChainStep", "Reduction", "irreducible_reason"]


@dataclass(frozen=True, slots=True)
class Reduction:
    """What a reduced space still has to tell, and how hard to look for what can be left out.

    ``atoms`` are the functions of a state that the questions look at, ``deadlock`` says whether
    they see that a state is terminal.  What is preserved are formulas of LTL without the next-step
    operator, and with ``branching`` also those of CTL* and PCTL* without it. ``futures`` looks at
    what the other components can do from a state on, not only at what they were ever seen to do.
    ``scouts`` random runs go before the exploration: what is known of the functions early need not
    be corrected later.
    """

    atoms: Sequence[Callable[[SlotView], Any]]
    deadlock_visible: bool = False
    branching: bool = False
    lookahead: bool = False
    warmup_walks: int = 32

    def functions(self) -> Iterator[Callable[[SlotView], Any]]:
        """The atoms, those with parts as their parts: each is a small function of its own."""
        waiting = list(reversed(self.atoms))
        while waiting:
            atom = waiting.pop()
            if isinstance(atom, AnyPredicate | NoPredicate):
                waiting += reversed(atom.parts)
            else:
                yield atom


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A state on the way to a stored one, and the number of the component that goes on from it;
    None for the stored one."""

    values: Mapping[str, Any]
    component: int | None


def irreducible_reason(system: System) -> str | None:
    """Why a system cannot be explored with reduction, in words; None if it can."""
    if system.mode != "interleaved":
        return "its components move together"
    if system.reactions:
        return "its steps set off reactions"
    return None

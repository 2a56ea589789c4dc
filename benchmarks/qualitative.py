"""CTL and LTL on growing state spaces: the time per transition must stay the same.

Five wheels turn one notch at a time, in any order: one wheel of 2, 4, 8 or 16 notches and four of
16 give up to 1,048,576 states with five transitions each.

Run with ``python -m benchmarks.qualitative``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from volition.checking.graph.fairness import Fairness
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.task import CheckSettings, CheckTask
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Choice, Component, SlotView, StateSpace, System, explore
from volition.languages.protocols import StateView
from volition.logic import parse
from volition.logic.syntax import AtomicFormula, Identifier

__all__ = ["Wheels", "main"]

NOTCHES = 16
SIZES = (2, 4, 8, 16)
QUESTIONS: tuple[tuple[str, str, Fairness | None], ...] = (
    ("CTL", "AG EF (w0 = 0 & w1 = 0 & w2 = 0 & w3 = 0 & w4 = 0)", None),
    ("CTL", "EG !(w1 = 3)", None),
    ("CTL", "AG (w1 = 3 -> AF w2 = 5)", None),
    ("CTL", "E [ w1 < 9 U<=40 (w2 = 9 & w3 = 9) ]", None),
    ("LTL", "A [ G (w1 = 3 -> F w2 = 5) ]", None),
    ("LTL", "A [ (G F w1 = 3) -> (G F w2 = 5) ]", None),
    ("LTL", "A [ (G F w1 = 3) -> (G F w1 = 7) ]", None),
    ("LTL", "A [ G (w1 = 3 -> (w1 = 3 W w1 = 4)) ]", None),
    ("LTL, weakly fair", "A [ G (w1 = 3 -> F w2 = 5) ]", "weak"),
    ("LTL, strongly fair", "A [ G (w1 = 3 -> F w2 = 5) ]", "strong"),
)


class Wheels:
    """Model of five wheels, the first with the given number of notches; implements
    :class:`volition.languages.protocols.Model`."""

    agents: Sequence[str] = ()

    def __init__(self, notches: int) -> None:
        sizes = (notches, *(NOTCHES for _ in range(4)))
        self.system = System(
            {f"w{wheel}": 0 for wheel in range(5)},
            [
                Component(f"wheel {wheel}", _turning(f"w{wheel}", size))
                for wheel, size in enumerate(sizes)
            ],
        )

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        if not isinstance(atom, Identifier) or atom.name not in self.system.slots:
            raise InputError([Diagnostic("BEN001", "there are only w0 to w4", atom.span)])
        slot = atom.name
        return lambda view: view[slot]

    def describe(self, state: SlotView) -> StateView:
        return {"wheels": {slot: str(state[slot]) for slot in self.system.slots}}


def _turning(slot: str, notches: int) -> Callable[[SlotView], list[Choice]]:
    return lambda view: [Choice(f"turn {slot}", [(1, {slot: (view[slot] + 1) % notches})])]


def measure(
    wheels: Wheels, space: StateSpace, prop: str, fairness: Fairness | None
) -> tuple[bool | None, float]:
    """Return the answer and the processor seconds for it, without evidence. The time is the best of
    two rounds, because other work can only add time."""
    best = float("inf")
    holds = None
    for _ in range(2):
        start = time.process_time()
        holds = check_qualitative(
            CheckTask(wheels, parse(prop), CheckSettings(fairness=fairness)), space
        ).holds
        best = min(best, time.process_time() - start)
    return holds, best


def main() -> None:
    """Print one line per formula and size, and the growth of the time per transition from the
    smallest to the largest size."""
    spaces = []
    for notches in SIZES:
        wheels = Wheels(notches)
        space = explore(wheels.system)
        spaces.append((wheels, space))
        seconds = space.stats.seconds["exploration"]
        print(
            f"{space.num_states:>9,} states {space.num_transitions:>9,} transitions explored in "
            f"{seconds:.2f} s"
        )
    for kind, prop, fairness in QUESTIONS:
        print(f"\n{kind}: {prop}")
        rates = []
        for wheels, space in spaces:
            holds, seconds = measure(wheels, space, prop, fairness)
            rates.append(seconds / space.num_transitions * 1e9)
            answer = "holds" if holds else "violated"
            print(
                f"  {space.num_states:>9,} states  {answer:8}  {seconds:7.3f} s  {rates[-1]:6.0f} "
                "ns per transition"
            )
        print(f"  time per transition, largest to smallest: {rates[-1] / rates[0]:.2f}")


if __name__ == "__main__":
    main()

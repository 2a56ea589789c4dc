"""Effect of the internal action ``.stopMAS``. In Jason another thread stops the system, while
agents and environment continue until it has done so.

Therefore the run may end at any moment after ``.stopMAS``, and until it ends every other transition
is possible.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from volition.kernel.system import Choice, Component, SlotView
from volition.languages.jason.state import STOPPED
from volition.origin import Origin

__all__ = ["stoppable"]

_END = "end of the run"


def stoppable(
    components: Sequence[Component], otherwise: Mapping[str, Hashable]
) -> list[Component]:
    """Return components for a system that ``.stopMAS`` can stop. They are the given components,
    restricted so that they have no transitions after the end of the run, and a component that may
    end the run at any moment after ``.stopMAS``."""
    going_on = [Component(each.name, partial(_until_over, each)) for each in components]
    return [*going_on, Component(_END, partial(_end, otherwise))]


def _until_over(component: Component, state: SlotView) -> Sequence[Choice]:
    return () if state[STOPPED] == "over" else component.step(state)


def _end(otherwise: Mapping[str, Hashable], state: SlotView) -> Sequence[Choice]:
    if state[STOPPED] != "asked for":
        return ()
    return [
        Choice(
            Origin(_END, ("end",), "the system stops"),
            [(Fraction(1), {**otherwise, STOPPED: "over"})],
        )
    ]

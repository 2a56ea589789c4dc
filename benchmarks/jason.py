"""Steps per reasoning cycle of Jason, and number of states, with and without merging the stages of
a cycle.

Prints the table of ``docs/reference/jason.md``. A cycle has three stages, and a step executes one,
two or all of them. The number of steps per cycle is three divided by the average number of stages
per step, over all steps of agents in the state space.

Run with ``python -m benchmarks.jason``, or with the names of some examples.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from volition.kernel import Limits, explore
from volition.kernel.space import StateSpace
from volition.languages import load
from volition.languages.jason.state import ACT, DELIBERATE, PERCEIVE, mind_slot

__all__ = ["main"]

EXAMPLES = Path(__file__).parents[1] / "examples" / "jason"
MAX_STATES = 500_000
BEGINS = {PERCEIVE: 0, DELIBERATE: 1, ACT: 2}
"""Number of stages of a cycle before each stage. A sleeping agent starts with the first stage."""


def main() -> None:
    """Print one row for each example."""
    print("| example | states in parts | steps for a cycle | states, merged | steps for a cycle |")
    print("|---|---|---|---|---|")
    for folder in sorted(EXAMPLES.iterdir()):
        if folder.name in sys.argv[1:] or not sys.argv[1:]:
            cells = [cell for cycle in ("parts", "exact") for cell in _measured(folder, cycle)]
            print(f"| `{folder.name}` | {' | '.join(cells)} |", flush=True)


def _measured(folder: Path, cycle: str) -> tuple[str, str]:
    system = load(folder, {"cycle": cycle}).model().system
    space = explore(system, limits=Limits(states=MAX_STATES))
    agents = [
        (index, each.name)
        for index, each in enumerate(system.components)
        if mind_slot(each.name, "part") in system.slots
    ]
    made = np.concatenate([_parts_made(space, position, name) for position, name in agents])
    return (
        f"{space.num_states:,}{'' if space.complete else ' or more'}",
        f"{len(BEGINS) / made.mean():.2f}",
    )


def _parts_made(space: StateSpace, component: int, agent: str) -> npt.NDArray[np.int64]:
    """Return the number of stages of a cycle that each step of an agent executes."""
    parts, values = space.column(mind_slot(agent, "part"))
    begins = np.array([BEGINS.get(value, 0) for value in values])
    ends = np.where(begins == 0, len(BEGINS), begins)
    taken = space.component_ids[space.transition_choices] == component
    before = space.choice_states[space.transition_choices]
    made: npt.NDArray[np.int64] = (ends[parts[space.targets]] - begins[parts[before]])[taken]
    return made


if __name__ == "__main__":
    main()

"""Random CAN programs in which the applicable plans change: contexts that failed actions change,
beliefs that are removed again."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

__all__ = ["changing_programs"]

ATOMS = ["c", "d"]
CONTEXTS = ["true", "true", "c", "!c", "d", "!d", "c & d", "c | d", "x >= 2"]
SPLITS = [["0.6", "0.4"], ["0.5", "0.5"], ["0.4", "0.6"], ["0.3", "0.7"], ["0.7", "0.2", "0.1"]]


def changing_programs() -> st.SearchStrategy[str]:
    """One or two events with several plans each; a plan whose action did not succeed fails, and
    another one is selected.

    Made of one number: drawn piece by piece, most of them would be too simple to have anything to
    decide.
    """
    return st.integers(0, 2**32).map(lambda seed: _program(Random(seed)))


def _program(random: Random) -> str:
    events = random.choice([["e"], ["e"], ["e", "f"]])
    goals = [f"done_{event}" for event in events]
    plans, actions = [], []
    for event, goal in zip(events, goals, strict=True):
        for number in range(random.randint(2, 4 if len(events) == 1 else 2)):
            tail = random.choice([f"; ?{goal}", f"; ?{goal}", f"; ?{goal}", "", "; sub"])
            plans.append(f"{event} : {random.choice(CONTEXTS)} <- {event}{number}{tail}.")
            actions.append(
                f"{event}{number} : {random.choice(CONTEXTS[:4])} <- {_outcomes(random, goal)}"
            )
    for number in range(2):
        plans.append(f"sub : {random.choice(CONTEXTS)} <- s{number}; ?{goals[0]}.")
        actions.append(f"s{number} : true <- {_outcomes(random, random.choice(goals))}")
    initially = ["x = 2", *random.sample(ATOMS, random.randint(0, 2))]
    lines = [
        "// Initial belief bases",
        ", ".join(initially),
        "// External events",
        ", ".join(events),
        "// Plan library",
        *plans,
        "// Actions description",
        *actions,
        "// Labels",
        f"done : {' & '.join(goals)}.",
    ]
    return "\n".join(lines)


def _outcomes(random: Random, goal: str) -> str:
    """Success, and then failures that change what other plans need."""
    texts = []
    for index, chance in enumerate(random.choice(SPLITS)):
        deleted = random.sample(ATOMS, random.randint(0, 1))
        added = [
            *random.sample([*ATOMS, "x := x - 1", "x := 2"], random.randint(0, 1)),
            *([goal] if index == 0 else []),
        ]
        texts.append(f"{chance}: <{{{', '.join(deleted)}}},{{{', '.join(added)}}}>")
    return " + ".join(texts)

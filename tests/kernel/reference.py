"""A naive explorer of the same systems: states are dicts, nothing is traced.  Slow and obviously
right.

States are the same if they are written the same: ``(True,)`` is not ``(1,)``, though Python says
that they are equal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from volition.kernel import Choice, RewardValue, System

State = str
Row = tuple[Hashable, tuple[tuple[State, Any], ...], tuple[tuple[str, RewardValue], ...]]


@dataclass(frozen=True)
class Explored:
    initial: State
    rows: Mapping[State, list[Row]]


def explore_naively(system: System) -> Explored:
    rows: dict[State, list[Row]] = {}
    views = {written(system.slots): dict(system.slots)}
    frontier = list(views)
    while frontier:
        state = frontier.pop()
        if state in rows:
            continue
        rows[state] = list(_rows(system, views, state))
        frontier.extend(target for _, distribution, _ in rows[state] for target, _ in distribution)
    return Explored(written(system.slots), rows)


def written(view: Mapping[str, Hashable]) -> State:
    return repr(list(view.values()))


def _rows(system: System, views: dict[State, dict[str, Hashable]], state: State) -> Iterator[Row]:
    view = views[state]
    offers = [list(component.step(view)) for component in system.components]
    if not any(offers):
        yield system.stutter, ((state, 1),), ()
    elif system.mode == "interleaved":
        for offer in offers:
            for choice in offer:
                yield (
                    choice.label,
                    _distribution(system, views, view, [choice]),
                    tuple(choice.rewards.items()),
                )
    else:
        # The first component's choices vary fastest.
        slots: list[list[Choice | None]] = [[*offer] or [None] for offer in reversed(offers)]
        for reversed_joint in product(*slots):
            joint = [choice for choice in reversed(reversed_joint) if choice is not None]
            reported = [choice for choice in joint if choice.label is not None]
            labels = tuple(
                choice.label
                for choice in [choice for choice in reported if not choice.label_if_alone]
                or reported[:1]
            )
            rewards: dict[str, float] = defaultdict(float)
            for choice in joint:
                for name, amount in choice.rewards.items():
                    rewards[name] += amount
            label = labels if len(labels) > 1 else labels[0] if labels else None
            yield label, _distribution(system, views, view, joint), tuple(sorted(rewards.items()))


def _distribution(
    system: System,
    views: dict[State, dict[str, Hashable]],
    view: Mapping[str, Hashable],
    joint: list[Choice],
) -> tuple[tuple[State, Any], ...]:
    total: dict[State, Any] = defaultdict(int)
    for outcomes in product(*[choice.outcomes for choice in joint]):
        after = dict(view)
        probability: Any = 1
        for weight, writes in outcomes:
            probability *= weight
            after.update(writes)
        if any(choice.triggers_reactions for choice in joint):
            for reaction in system.reactions:
                after.update(reaction.react(after))
        if probability:
            views[written(after)] = after
            total[written(after)] += probability
    return tuple(sorted(total.items(), key=repr))

"""Whether two programs are strongly bisimilar as Markov decision processes, as far as some leaves
and rewards see their states.

Larsen and Skou, Segala and Lynch: from states that are bisimilar, each distribution of one is a
distribution of the other, over classes of bisimilar states, with what the step earns.  Then both
satisfy the same formulas of PCTL* with rewards, X and bounds included.  Found by refining a
partition until nothing changes, in the plainest way.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import volition
from volition.languages.protocols import Program
from volition.logic.syntax import Atom, Formula
from volition.logic.traversal import atomic_formulas

Distribution = tuple[Hashable, dict[int, Fraction]]
"""What a choice earns, and where it leads."""


@dataclass(frozen=True)
class LabelledProcess:
    """States with labels, the first one initial, and the choices of each."""

    labels: Sequence[Hashable]
    choices: Sequence[Sequence[Distribution]]


def process_of(
    program: Program, formulas: Sequence[Formula], rewards: Sequence[str] = (), *, limit: int
) -> LabelledProcess | None:
    """What a program does, as the leaves of formulas and some rewards see it; None if it does too
    much."""
    queries = list(dict.fromkeys(atom for formula in formulas for atom in atomic_formulas(formula)))
    model = program.model([each for each in queries if isinstance(each, Atom)])
    space = volition.explore(model.system, max_states=limit)
    if not space.complete:
        return None
    seen = [model.resolve(each) for each in queries]
    columns = [space.evaluate(each) for each in seen] + [
        space.state_rewards(each) for each in rewards
    ]
    labels = [
        tuple(float(column[state]) for column in columns) for state in range(space.num_states)
    ]
    by_choice = [space.choice_rewards(each) for each in rewards]
    choices: list[list[Distribution]] = [[] for _ in labels]
    for choice in range(space.num_choices):
        leads: dict[int, Fraction] = {}
        for transition in range(
            int(space.first_transition[choice]), int(space.first_transition[choice + 1])
        ):
            target = int(space.targets[transition])
            leads[target] = leads.get(target, Fraction(0)) + Fraction(
                space.weights[space.weight_ids[transition]]
            )
        by_step = tuple(float(each[choice]) for each in by_choice)
        choices[int(space.choice_states[choice])].append((by_step, leads))
    return LabelledProcess(labels, choices)


def bisimilar(one: LabelledProcess, other: LabelledProcess) -> bool:
    """Whether the initial states are."""
    shift = len(one.labels)
    labels = [*one.labels, *other.labels]
    choices = [
        *one.choices,
        *(
            [(by, {shift + to: p for to, p in leads.items()}) for by, leads in each]
            for each in other.choices
        ),
    ]
    blocks = _numbered(labels)
    while True:
        finer = _numbered(
            [(blocks[state], _over_blocks(choices[state], blocks)) for state in range(len(labels))]
        )
        if max(finer) == max(blocks):
            return blocks[0] == blocks[shift]
        blocks = finer


def _over_blocks(choices: Sequence[Distribution], blocks: Sequence[int]) -> Hashable:
    found = set()
    for earned, leads in choices:
        lumped: dict[int, Fraction] = {}
        for target, weight in leads.items():
            lumped[blocks[target]] = lumped.get(blocks[target], Fraction(0)) + weight
        found.add((earned, frozenset(lumped.items())))
    return frozenset(found)


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]

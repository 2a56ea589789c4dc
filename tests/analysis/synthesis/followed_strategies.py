"""Small random processes as programs, and the chain that an agent goes through who calls the code
of a strategy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.checking.random_mdps import Row, SmallMdp
from volition.diagnostics import Diagnostic, Source
from volition.languages.protocols import Table, UnparsedProperty
from volition.logic.syntax import Atom


@dataclass(frozen=True)
class SmallProgram:
    """A small process as a program."""

    mdp: SmallMdp
    language: str = "small"
    sources: tuple[Source, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    properties: tuple[UnparsedProperty, ...] = ()
    listed: tuple[Table, ...] = field(default=())

    def tables(self) -> tuple[Table, ...]:
        return self.listed

    def model(self, observed: Collection[Atom] = ()) -> SmallMdp:
        del observed
        return self.mdp


def followed(mdp: SmallMdp, module: Mapping[str, Any]) -> SmallMdp:
    """The chain of pairs of state and memory that an agent goes through who calls the code of a
    strategy."""
    start = (0, module.get("START"))
    numbers = {start: 0}
    rows: list[tuple[Row, ...]] = []
    for at, memory in (pairs := [start]):
        options = {"agent": [f"choice {number}" for number in range(len(mdp.rows[at]))]}
        if not options["agent"]:
            rows.append(((({len(rows): Fraction(1)}, 0)),))
            continue
        state = {"beliefs": {"at": str(at)}, "state": {"at": str(at)}}
        _, step = (
            module["decide"](state, options)
            if memory is None
            else module["decide"](state, options, memory)
        )
        following: dict[int, Fraction] = {}
        row, gain = mdp.rows[at][int(step.removeprefix("choice "))]
        for target, probability in row.items():
            pair = (target, remembered(module, memory, mdp.labels[target]))
            if pair not in numbers:
                numbers[pair] = len(numbers)
                pairs.append(pair)
            following[numbers[pair]] = probability
        rows.append(((following, gain),))
    return SmallMdp(
        tuple(rows),
        tuple(mdp.labels[at] for at, _ in pairs),
        tuple(mdp.earned_in[at] for at, _ in pairs),
    )


def remembered(
    module: Mapping[str, Any], memory: int | None, labels: Collection[str]
) -> int | None:
    if memory is None:
        return None
    after: int = (
        module["update_memory"](memory, labels)
        if "OBSERVED" in module
        else module["update_memory"](memory)
    )
    return after


def with_ways_back(mdp: SmallMdp) -> SmallMdp:
    """The process in which one can go from the first state to each other one, and back: where to go
    depends on where one has been."""
    rows: list[tuple[Row, ...]] = [
        tuple(({target: Fraction(1)}, 0) for target in range(1, mdp.size))
    ]
    rows += [(*each, ({0: Fraction(1)}, 0)) for each in mdp.rows[1:]]
    return SmallMdp(tuple(rows), mdp.labels, mdp.earned_in)

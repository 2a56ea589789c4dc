"""Small systems for tests, written to a folder and loaded as a user's are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.checking.properties import on_graph
from volition.kernel import STUTTER, StateSpace, explore
from volition.languages.agentspeak import AgentSpeakProgram, load
from volition.languages.agentspeak.model import AgentSpeakModel
from volition.logic.parsing.parser import parse


def write_project(
    folder: Path,
    agents: Mapping[str, str],
    world: str | None = None,
    options: str = "",
    properties: str = "",
) -> Path:
    """A project folder with one program per agent."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"agent {name} = {name}.asl" for name in agents]
    for name, text in agents.items():
        (folder / f"{name}.asl").write_text(text)
    if world is not None:
        (folder / "test.world").write_text(world)
        lines.append("world = test.world")
    lines += [options, "properties", properties]
    (folder / "test.mas").write_text("\n".join(lines))
    return folder


@dataclass(frozen=True)
class Explored:
    """A system with everything that it can do."""

    program: AgentSpeakProgram
    model: AgentSpeakModel
    space: StateSpace

    def texts(self) -> set[str]:
        """Everything that happens in some run, as traces tell it."""
        used = set(np.unique(self.space.label_ids).tolist())
        return {
            str(label)
            for number, label in enumerate(self.space.labels)
            if number in used and label is not STUTTER
        }

    def check(self, formula: str, fairness: str | None = None) -> bool | None:
        return on_graph(self.model, self.space, parse(formula), fairness=fairness).holds

    def column(self, slot: str) -> set[str]:
        """The values of a slot in reachable states, as text."""
        ids, values = self.space.column(slot)
        return {", ".join(map(str, values[index])) for index in np.unique(ids)}


def explored(
    folder: Path,
    agents: Mapping[str, str],
    world: str | None = None,
    options: str = "",
    settings: Mapping[str, str] | None = None,
) -> Explored:
    program = load(write_project(folder, agents, world, options), settings or {})
    model = program.model()
    return Explored(program, model, explore(model.system))

"""A whole AgentSpeak(F) system that was read and checked: agents, their world, and how they are run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from volition.diagnostics import Diagnostic, Source
from volition.display import ShownProgram
from volition.languages.agentspeak.model import AgentSpeakModel
from volition.languages.agentspeak.settings import BOUNDS, NOBODY, Settings
from volition.languages.agentspeak.syntax import AgentProgram
from volition.languages.model import Table
from volition.languages.world.interface import World
from volition.languages.world.terms import number, show
from volition.logic.reading.property_file import StatedProperty
from volition.logic.syntax import Atom

__all__ = ["AgentSpeakProgram"]


@dataclass(frozen=True, repr=False)
class AgentSpeakProgram(ShownProgram):
    """Implements :class:`volition.languages.model.ParametricProgram`."""

    name: str
    sources: Sequence[Source]
    agents: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    properties: Sequence[StatedProperty]
    warnings: Sequence[Diagnostic]
    language: str = "AgentSpeak(F)"

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        """The parameters of the world that are numbers."""
        return {name: Fraction(value) for name, value in self.world.parameters.items() if isinstance(value, int | Fraction)}

    def with_parameters(self, values: Mapping[str, Fraction]) -> AgentSpeakProgram:
        """The same system in a world with other parameters; raises :class:`InputError` where they make no sense."""
        return replace(self, world=self.world.with_parameters({name: number(value) for name, value in values.items()}))

    def model(self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()) -> AgentSpeakModel:  # noqa: ARG002
        """All atoms of Sect. 4.2 are answered from the state as it is.

        The parameters in ``symbolic`` are left open in the world's probabilities.  Where the value of one decides more than that, this
        or the exploration raises :class:`ParameterNeeded`.
        """
        return AgentSpeakModel(self.agents, self.settings, self.world.with_open(symbolic) if symbolic else self.world)

    def tables(self) -> Sequence[Table]:
        plans = [
            (agent, plan.name, str(plan.trigger), " & ".join(map(str, plan.context)) or "true", "; ".join(map(str, plan.body)) or "true")
            for agent, program in self.agents.items()
            for plan in program.plans
        ]
        beliefs = [
            (agent, ", ".join(str(atom) for atom, _ in program.beliefs), ", ".join(f"!{goal}" for goal, _ in program.goals))
            for agent, program in self.agents.items()
        ]
        runs = [
            (agent, str(each.select_event), str(each.select_intention), each.idle, each.on_failure, _bounds(each))
            for agent, each in self.settings.items()
        ]
        tables = [
            Table("Agents", ("agent", "initial beliefs", "initial goals"), beliefs),
            Table("Plans", ("agent", "plan", "triggering event", "context", "body"), plans),
            Table("How they run", ("agent", "SelectEvent", "SelectIntention", "idle", "on_failure", "bounds"), runs),
        ]
        trust = next(iter(self.settings.values())).trust.accepted
        if trust:
            accepted = [(receiver, force, ", ".join(sorted(senders)) or NOBODY) for (receiver, force), senders in trust.items()]
            tables.append(Table("Trust", ("agent", "accepts", "from"), accepted))
        if summary := self.world.summary():
            tables.append(Table("World", ("what", "as written"), summary))
        if parameters := self.world.parameters:
            tables.append(Table("Parameters", ("parameter", "value"), [(name, show(value)) for name, value in parameters.items()]))
        return tables


def _bounds(settings: Settings) -> str:
    return ", ".join(f"{name} = {settings.bounds.stated[name]}" for name in BOUNDS if name in settings.bounds.stated)

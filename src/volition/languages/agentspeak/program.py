"""AgentSpeak(F) system after reading and checking: the agents, their world and their settings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from volition.diagnostics import Diagnostic, Diagnostics, Source, Span
from volition.display import HtmlProgram
from volition.languages.agentspeak.dependencies import (
    MultiAgentSystem,
    dependencies_of,
    sources_in_use,
)
from volition.languages.agentspeak.grammar import read_agent
from volition.languages.agentspeak.model import AgentSpeakModel
from volition.languages.agentspeak.project import read_project
from volition.languages.agentspeak.settings import BOUNDS, NO_AGENT, Settings
from volition.languages.agentspeak.syntax import AgentProgram
from volition.languages.common.dependencies import Dependencies
from volition.languages.common.sections import content_lines
from volition.languages.protocols import Table
from volition.languages.world import DeclaredWorld, EmptyWorld
from volition.languages.world.grammar import read_world
from volition.languages.world.interface import World
from volition.languages.world.terms import show
from volition.languages.world.world_parameters import numeric_parameters, with_numeric_parameters
from volition.logic.parsing.property_file import UnparsedProperty
from volition.logic.syntax import Atom, Formula

__all__ = ["AgentSpeakProgram"]


@dataclass(frozen=True, repr=False)
class AgentSpeakProgram(HtmlProgram):
    """AgentSpeak(F) system without errors, which implements
    :class:`volition.languages.protocols.ParametricProgram`."""

    name: str
    sources: Sequence[Source]
    agents: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    properties: Sequence[UnparsedProperty]
    warnings: Sequence[Diagnostic]
    language: str = "AgentSpeak(F)"
    unsliced: AgentSpeakProgram | None = None
    """Unsliced program, if this one is a slice. It determines which names in formulas are known."""

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        """Values of the numeric parameters of the world, by name."""
        return numeric_parameters(self.world)

    def with_parameters(self, values: Mapping[str, Fraction]) -> AgentSpeakProgram:
        """Return the same system in a world with new parameter values. Raises :class:`InputError`
        if a value is not valid."""
        return replace(self, world=with_numeric_parameters(self.world, values))

    def model(
        self,
        observed: Collection[Atom] = (),  # noqa: ARG002
        *,
        symbolic: Collection[str] = (),
    ) -> AgentSpeakModel:
        """Return the model of the system. ``observed`` is not used, because the truth of every atom
        of Bordini et al., Sect. 4.2, can be read from the state.

        The parameters in ``symbolic`` are left symbolic in the world's probabilities. If the value
        of one affects anything else, this call or the exploration raises
        :class:`ParameterValueNeeded`.
        """
        world = self.world.with_symbolic(symbolic) if symbolic else self.world
        return AgentSpeakModel(
            self.agents,
            self.settings,
            world,
            None if self.unsliced is None else self.unsliced.model(),
        )

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """Return what each part of the system reads, changes and triggers, for slicing with respect
        to ``formulas``: see :mod:`volition.languages.agentspeak.dependencies`."""
        system, properties = self._as_written
        return dependencies_of(system, self.model(), formulas, properties)

    @cached_property
    def _as_written(self) -> tuple[MultiAgentSystem, Sequence[Span]]:
        """System together with its parsed project file, and the positions of the properties in that
        file. The project file is parsed again, because the program does not store the result."""
        source = self.sources[0]
        system = MultiAgentSystem(
            self.agents, self.settings, self.world, read_project(source, {}, Diagnostics())
        )
        stated = [
            each
            for each in content_lines(source, 0, len(source.text))
            if each.text.strip() == "properties"
        ]
        return system, [source.span(stated[0].end, len(source.text))] if stated else []

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> AgentSpeakProgram:
        """Return the system with the same settings, read from changed texts. ``texts`` are pairs of
        an old source and its replacement. Agents that the new project does not list are removed."""
        changed = {id(old): new for old, new in texts}
        sources = [changed.get(id(each), each) for each in self.sources]
        diagnostics = Diagnostics()
        named = {each.name for each in read_project(sources[0], {}, diagnostics).agents}
        agents = {
            name: self._reread(each, changed, diagnostics)
            for name, each in self.agents.items()
            if name in named
        }
        world = self.world
        if isinstance(world, DeclaredWorld):
            tree = read_world(changed.get(id(world.tree.source), world.tree.source), diagnostics)
            world = world.reparse(tree, tuple(agents), diagnostics)
        elif len(agents) < len(self.agents):
            world = EmptyWorld(tuple(agents), {})
        diagnostics.raise_errors()
        settings = {name: self.settings[name] for name in agents}
        used, unsliced = tuple(sources_in_use(agents, sources)), self.unsliced or self
        return replace(
            self,
            agents=agents,
            settings=settings,
            world=world,
            sources=used,
            properties=(),
            unsliced=unsliced,
        )

    def _reread(
        self, program: AgentProgram, changed: Mapping[int, Source], diagnostics: Diagnostics
    ) -> AgentProgram:
        """Return the program of an agent after a change of source texts. ``changed`` maps the
        Python ``id`` of an old source to the new source. If the agent's source is in it, the
        program is read from the new source. Initial beliefs that the project file gives to the
        agent are kept."""
        if id(program.source) not in changed:
            return program
        reread = read_agent(changed[id(program.source)], diagnostics)
        return replace(
            reread,
            beliefs=reread.beliefs
            + tuple(each for each in program.beliefs if each[1].source is not program.source),
        )

    def tables(self) -> Sequence[Table]:
        plans = [
            (
                agent,
                plan.name,
                str(plan.trigger),
                " & ".join(map(str, plan.context)) or "true",
                "; ".join(map(str, plan.body)) or "true",
            )
            for agent, program in self.agents.items()
            for plan in program.plans
        ]
        beliefs = [
            (
                agent,
                ", ".join(str(atom) for atom, _ in program.beliefs),
                ", ".join(f"!{goal}" for goal, _ in program.goals),
            )
            for agent, program in self.agents.items()
        ]
        runs = [
            (
                agent,
                str(each.select_event),
                str(each.select_intention),
                each.idle,
                each.on_failure,
                _bounds(each),
            )
            for agent, each in self.settings.items()
        ]
        tables = [
            Table("Agents", ("agent", "initial beliefs", "initial goals"), beliefs),
            Table("Plans", ("agent", "plan", "triggering event", "context", "body"), plans),
            Table(
                "Settings",
                ("agent", "SelectEvent", "SelectIntention", "idle", "on_failure", "bounds"),
                runs,
            ),
        ]
        trust = next(iter(self.settings.values())).trust.accepted
        if trust:
            accepted = [
                (receiver, force, ", ".join(sorted(senders)) or NO_AGENT)
                for (receiver, force), senders in trust.items()
            ]
            tables.append(Table("Trust", ("agent", "accepts", "from"), accepted))
        if summary := self.world.summary():
            tables.append(Table("World", ("what", "as written"), summary))
        if parameters := self.world.parameters:
            tables.append(
                Table(
                    "Parameters",
                    ("parameter", "value"),
                    [(name, show(value)) for name, value in parameters.items()],
                )
            )
        return tables


def _bounds(settings: Settings) -> str:
    return ", ".join(
        f"{name} = {settings.bounds.explicit[name]}"
        for name in BOUNDS
        if name in settings.bounds.explicit
    )

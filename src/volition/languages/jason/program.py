"""Parsed and checked Jason system, ready for verification: agents, world and settings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from volition.diagnostics import Diagnostic, Diagnostics, Source
from volition.display import HtmlProgram
from volition.languages.common.dependencies import Dependencies
from volition.languages.common.sections import content_lines
from volition.languages.jason.dependencies import MultiAgentSystem, dependencies_of
from volition.languages.jason.model import JasonModel
from volition.languages.jason.parsing.statements import read_agent
from volition.languages.jason.possible_predicates import PossiblePredicates
from volition.languages.jason.settings import BOUNDS, Settings
from volition.languages.jason.stubs import with_stubs
from volition.languages.jason.syntax import AgentProgram, BeliefRule, InitialGoal
from volition.languages.jason.terms import And, Not, Or, Term
from volition.languages.protocols import Table
from volition.languages.world import DeclaredWorld
from volition.languages.world.grammar import read_world
from volition.languages.world.interface import World
from volition.languages.world.terms import show
from volition.languages.world.world_parameters import numeric_parameters, with_numeric_parameters
from volition.logic.parsing.property_file import UnparsedProperty
from volition.logic.syntax import Atom, Formula

__all__ = ["JasonProgram"]


@dataclass(frozen=True, repr=False)
class JasonProgram(HtmlProgram):
    """Parsed and checked Jason system. Implements
    :class:`volition.languages.protocols.ParametricProgram`."""

    name: str
    sources: Sequence[Source]
    agents: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    properties: Sequence[UnparsedProperty]
    warnings: Sequence[Diagnostic]
    heading: Sequence[tuple[str, str]] = ()
    language: str = "Jason"
    unsliced: JasonProgram | None = None
    """Program from which this one was obtained by slicing, or None. Names in formulas are checked
    against the unsliced program."""

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        """Numeric parameters of the world: a map from their names to their values."""
        return numeric_parameters(self.world)

    def with_parameters(self, values: Mapping[str, Fraction]) -> JasonProgram:
        """Return the same system with other values for parameters of the world. Raises
        :class:`InputError` for invalid values."""
        return replace(self, world=with_numeric_parameters(self.world, values))

    def model(
        self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()
    ) -> JasonModel:
        """Return the model of this system. A transition of an agent ends wherever a stage of the
        reasoning cycle may change one of the ``observed`` atoms.

        The parameters in ``symbolic`` stay symbolic in the probabilities of the world. If such a
        parameter determines more than probabilities, this method or the exploration raises
        :class:`ParameterNeeded`.
        """
        world = self.world.with_symbolic(symbolic) if symbolic else self.world
        known = (
            None
            if self.unsliced is None
            else PossiblePredicates(self.unsliced.agents, self.unsliced.world)
        )
        return JasonModel(self.agents, self.settings, world, tuple(observed), known)

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """Return the dependencies that slicing uses to decide which plans can influence
        ``formulas``: see :mod:`volition.languages.jason.dependencies`."""
        beside = next((each for each in self.sources if each.name.endswith(".volition")), None)
        stated = (
            []
            if beside is None
            else [
                each
                for each in content_lines(beside, 0, len(beside.text))
                if each.text == "properties"
            ]
        )
        properties = [each.source.span(each.end, len(each.source.text)) for each in stated[:1]]
        return dependencies_of(
            MultiAgentSystem(self.agents, self.settings, self.world, beside),
            self.model(),
            formulas,
            properties,
        )

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> JasonProgram:
        """Return the system with the same settings, parsed from changed sources. ``texts`` are
        pairs of an old source and the new source that replaces it."""
        changed = {id(old): new for old, new in texts}
        diagnostics = Diagnostics()
        agents, settings, world = dict(self.agents), dict(self.settings), self.world
        for name, program in self.agents.items():
            if id(program.source) in changed:
                parsed = read_agent(changed[id(program.source)], diagnostics)
                parsed = replace(
                    parsed,
                    project_beliefs=program.project_beliefs,
                    project_goals=program.project_goals,
                )
                agents[name], settings[name] = with_stubs(parsed, settings[name])
        if isinstance(world, DeclaredWorld):
            tree = read_world(changed.get(id(world.tree.source), world.tree.source), diagnostics)
            world = world.reparse(tree, tuple(agents), diagnostics)
        diagnostics.raise_errors()
        sources = tuple(changed.get(id(each), each) for each in self.sources)
        return replace(
            self,
            agents=agents,
            settings=settings,
            world=world,
            sources=sources,
            properties=(),
            unsliced=self.unsliced or self,
        )

    def tables(self) -> Sequence[Table]:
        begins = [
            (
                agent,
                ", ".join(map(str, _beliefs(program))),
                ", ".join(f"!{each.literal}" for each in _goals(program)),
            )
            for agent, program in self.agents.items()
        ]
        rules = [
            (agent, str(each))
            for agent, program in self.agents.items()
            for each in program.beliefs
            if isinstance(each, BeliefRule)
        ]
        plans = [
            (
                agent,
                plan.label,
                str(plan.trigger),
                _formula(plan.context),
                "; ".join(map(str, plan.body)) or "true",
            )
            for agent, program in self.agents.items()
            for plan in program.plans
        ]
        runs = [
            (agent, each.cycle, each.results, each.percept_order, each.time, _bounds(each))
            for agent, each in self.settings.items()
        ]
        tables = [Table("Project", ("what", "as written"), self.heading)] if self.heading else []
        tables.append(Table("Agents", ("agent", "initial beliefs", "initial goals"), begins))
        if rules:
            tables.append(Table("Rules", ("agent", "rule"), rules))
        tables += [
            Table("Plans", ("agent", "plan", "triggering event", "context", "body"), plans),
            Table(
                "Settings",
                ("agent", "cycle", "results", "percept_order", "time", "bounds"),
                runs,
            ),
        ]
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


def _formula(formula: Term, binding: int = 0) -> str:
    """Return the text of a formula with brackets only where precedence requires them. ``binding``
    is the precedence of the surrounding operator."""
    match formula:
        case Or(left, right):
            text, own = f"{_formula(left, 1)} | {_formula(right)}", 0
        case And(left, right):
            text, own = f"{_formula(left, 2)} & {_formula(right, 1)}", 1
        case Not(operand):
            text, own = f"not {_formula(operand, 3)}", 2
        case _:
            return str(formula)
    return text if own >= binding else f"({text})"


def _beliefs(program: AgentProgram) -> list[object]:
    return [
        each.literal
        for each in (*program.beliefs, *program.project_beliefs)
        if not isinstance(each, BeliefRule)
    ]


def _goals(program: AgentProgram) -> Sequence[InitialGoal]:
    return (*program.project_goals, *program.goals)


def _bounds(settings: Settings) -> str:
    return ", ".join(
        f"{name} = {settings.bounds.explicit[name]}"
        for name in BOUNDS
        if name in settings.bounds.explicit
    )

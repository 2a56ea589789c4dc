"""Gwendolen or EASS system after reading and checking: agents, world and settings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from volition.diagnostics import Diagnostic, Diagnostics, Source
from volition.display import HtmlProgram
from volition.languages.gwendolen.options import Settings
from volition.languages.gwendolen.printing import text_of_guard, text_of_rule
from volition.languages.gwendolen.psl import read_psl
from volition.languages.gwendolen.syntax import AgentProgram
from volition.languages.gwendolen.vocabulary import Vocabulary
from volition.languages.protocols import Table
from volition.languages.world.interface import World
from volition.languages.world.terms import show
from volition.languages.world.world_parameters import numeric_parameters, with_numeric_parameters
from volition.logic.parsing.property_file import UnparsedProperty
from volition.logic.syntax import Atom

if TYPE_CHECKING:
    from volition.languages.gwendolen.model import GwendolenModel

__all__ = ["GwendolenProgram"]

_LANGUAGES = {"gwendolen": "Gwendolen", "eass": "EASS"}


@dataclass(frozen=True, repr=False)
class GwendolenProgram(HtmlProgram):
    """Gwendolen or EASS program: its agents, world, settings and properties.

    It implements :class:`volition.languages.protocols.ParametricProgram` and
    :class:`volition.languages.protocols.HasPropertyFiles`.
    """

    name: str
    sources: Sequence[Source]
    agents: Mapping[str, AgentProgram]
    world: World
    options: Settings
    properties: Sequence[UnparsedProperty]
    warnings: Sequence[Diagnostic]
    unsliced: Mapping[str, AgentProgram] | None = None
    """Agents before slicing, if this program is a slice: formulas may use every name of the
    original program."""

    @property
    def language(self) -> str:
        """Return the language of the system: ``EASS`` if at least one agent is written in EASS,
        else ``Gwendolen``."""
        return _LANGUAGES[
            "eass" if any(each.cycle == "eass" for each in self.agents.values()) else "gwendolen"
        ]

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        """Return the numeric parameters of the world with their values."""
        return numeric_parameters(self.world)

    def with_parameters(self, values: Mapping[str, Fraction]) -> GwendolenProgram:
        """Return the program with the given values of its world's parameters.

        Raise :class:`InputError` if a value is not allowed.
        """
        return replace(self, world=with_numeric_parameters(self.world, values))

    def model(
        self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()
    ) -> GwendolenModel:
        """Return the model of the program.

        For each atom about steps in ``observed``, such as ``Does``, states store its truth value.
        Parameters in ``symbolic`` stay symbolic.
        """
        from volition.languages.gwendolen.model import (
            GwendolenModel,
        )  # imported late: only exploration needs the semantics

        world = self.world.with_symbolic(symbolic) if symbolic else self.world
        return GwendolenModel(self.agents, world, self.options, tuple(observed), self.unsliced)

    def read_property_file(
        self, source: Source, name: str | None, diagnostics: Diagnostics
    ) -> Sequence[UnparsedProperty] | None:
        """Return the properties in a ``.psl`` file, only those called ``name`` if it is given.
        Return None for any other kind of file."""
        if not source.name.endswith(".psl"):
            return None
        return read_psl(
            source, Vocabulary.of(self.unsliced or self.agents, self.world), diagnostics, name
        )

    def tables(self) -> Sequence[Table]:
        return list(self._tables())

    def _tables(self) -> Iterator[Table]:
        agents = self.agents.items()
        yield Table(
            "Agents",
            ("agent", "language", "initial beliefs", "initial goals"),
            [
                (
                    name,
                    _LANGUAGES[each.cycle],
                    ", ".join(str(atom) for atom, _ in each.beliefs),
                    ", ".join(str(goal) for goal, _ in each.goals),
                )
                for name, each in agents
            ],
        )
        if rules := [(name, text_of_rule(rule)) for name, each in agents for rule in each.rules]:
            yield Table("Reasoning rules", ("agent", "rule"), rules)
        plans = [
            (
                name,
                str(plan.number),
                str(plan.trigger),
                text_of_guard(plan.guard),
                ", ".join(map(str, plan.body)),
            )
            for name, each in agents
            for plan in each.plans
        ]
        yield Table("Plans", ("agent", "plan", "trigger", "guard", "body"), plans)
        capabilities = [
            (
                name,
                show(each.name),
                ", ".join(map(show, each.before)),
                ", ".join(map(show, each.after)),
            )
            for name, agent in agents
            for each in agent.capabilities
        ]
        if capabilities:
            yield Table("Capabilities", ("agent", "capability", "before", "after"), capabilities)
        options = [
            (each.name, _text(getattr(self.options, each.name))) for each in fields(Settings)
        ]
        yield Table("Execution settings", ("option", "value"), options)
        if summary := self.world.summary():
            yield Table("World", ("what", "as written"), summary)
        if parameters := self.world.parameters:
            yield Table(
                "Parameters",
                ("parameter", "value"),
                [(name, show(value)) for name, value in parameters.items()],
            )


def _text(value: object) -> str:
    match value:
        case None:
            return "the cycle of each agent's language"
        case bool():
            return str(value).lower()
        case _:
            pass
    return str(value)

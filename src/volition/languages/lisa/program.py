"""A LISA program that was read: a project folder whose agent has no errors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source
from volition.languages import read_source
from volition.languages.lisa.agent import RESOURCE_CYCLES, Action, Agent, At, Note, PlanGroup
from volition.languages.lisa.checks import understand
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.project import read_project
from volition.languages.lisa.syntax import Rule
from volition.languages.model import Table
from volition.logic.propertyfile import StatedProperty, read_properties
from volition.logic.syntax import Atom

__all__ = ["LisaProgram", "load"]


@dataclass(frozen=True)
class LisaProgram:
    """A program without errors, as :class:`volition.languages.model.Program` describes it."""

    agent: Agent
    sources: Sequence[Source]
    warnings: Sequence[Diagnostic]
    properties: Sequence[StatedProperty]
    language: str = "LISA"

    def model(self, observed: Collection[Atom] = ()) -> LisaModel:
        """The program's meaning; plans with an action that ``observed`` asks about with ``Does`` are watched."""
        return LisaModel(self.agent, observed)

    def tables(self) -> Sequence[Table]:
        """The kind of model, and what was read in each section."""
        agent = self.agent
        plans = [
            [plan.name, str(plan.event), str(plan.context), "; ".join(step.text for step in plan.steps), group.name]
            for group in agent.groups
            for plan in group.plans
        ]
        percepts = [
            [each.name, "message" if each.is_message else "percept", str(each.condition), str(each.activation), str(each.deactivation)]
            for each in agent.percepts
        ]
        rules = sorted((rule for note in agent.notes for rule in (*note.added_by, *note.removed_by)), key=lambda rule: rule.span.start)
        rewards = [
            [name, f"{item.where.plan} = {item.where.index}" if isinstance(item.where, At) else item.where.belief, f"{float(item.value):g}"]
            for name, items in agent.rewards.items()
            for item in items
        ]
        return [
            Table("Model", ["kind", "because"], [[agent.kind.upper(), _reason(agent)]]),
            Table("Plans", ["plan", "event", "context", "actions", "module"], plans),
            Table("Actions", ["action", "mode", "feedbacks (weight, average, variance)"], [_action_row(each) for each in agent.actions]),
            Table("Percepts", ["name", "kind", "only if", "activation", "deactivation"], percepts),
            Table("Mental notes", ["name", "initially", "added at", "removed at"], [_note_row(note) for note in agent.notes]),
            Table("Rules", ["if", "then", "place"], [[str(rule.condition), _conclusion(rule), str(rule.span)] for rule in rules]),
            Table("Rewards", ["reward", "where", "value"], [[RESOURCE_CYCLES, "each reasoning cycle", "1"], *rewards]),
        ]


def load(path: Path, settings: Mapping[str, str]) -> LisaProgram:
    """Read the project folder at ``path``, or that of the reasoning file at ``path``.

    Properties are taken from the files ``*.props`` beside the reasoning file.  Raises :class:`InputError` with everything that is
    wrong in the project.
    """
    diagnostics = Diagnostics()
    for name in settings:
        diagnostics.error("LIS060", f"LISA has no setting '{name}'", hint="all numbers of a LISA program stand in its files")
    project = read_project(path, diagnostics)
    sources, properties = _properties(path if path.is_dir() else path.parent, diagnostics)
    agent = understand(project, diagnostics)
    _without_consequences(diagnostics).raise_errors()
    return LisaProgram(agent, (*project.sources, *sources), diagnostics.warnings, properties)


_UNREADABLE = ("LIS001", "LIS002")
_UNDEFINED = ("LIS040", "LIS041", "LIS048")


def _without_consequences(diagnostics: Diagnostics) -> Diagnostics:
    """The errors, except that a sentence is nowhere defined if it stands in a line that could not be read."""
    unreadable = [each.span.source.line(each.span.line) for each in diagnostics.errors if each.code in _UNREADABLE and each.span]
    kept = Diagnostics()
    for error in diagnostics.errors:
        text = error.span.text if error.span else ""
        if error.code not in _UNDEFINED or not any(text in line for line in unreadable):
            kept.extend([error])
    return kept


def _properties(folder: Path, diagnostics: Diagnostics) -> tuple[list[Source], list[StatedProperty]]:
    sources = [read_source(each) for each in sorted(folder.glob("*.props"))]
    properties: list[StatedProperty] = []
    for source in sources:
        try:
            properties += read_properties(source)
        except InputError as error:
            diagnostics.extend(error.diagnostics)
    return sources, properties


def _reason(agent: Agent) -> str:
    """Why the model is what it is (Theorems 4.1 and 4.2)."""
    choosing: list[PlanGroup] = [group for group in agent.groups if group.overlaps]
    if not choosing:
        return "no two plans can be triggered in place of each other: nothing is left to choose (Theorem 4.1)"
    names = "; ".join(" or ".join(str(plan.number) for plan in group.plans) for group in choosing)
    return f"plans with the same triggering event can be triggered together, one is chosen: {names} (Theorem 4.2)"


def _conclusion(rule: Rule) -> str:
    return f"{'+' if rule.adds else '-'}^[{rule.belief.text}]"


def _action_row(action: Action) -> list[str]:
    feedbacks = ", ".join(f"{each.name} ({float(each.weight):g}, {action.mean}, {action.deviation})" for each in action.feedbacks)
    return [action.name, "runRepeated" if action.repeated else "runOnce", feedbacks]


def _note_row(note: Note) -> list[str]:
    added, removed = (", ".join(f"{place.plan} = {place.index}" for place in places) for places in (note.added_at, note.removed_at))
    return [note.name, "held" if note.initially else "", added, removed]

"""Dribble programs, and :func:`load`, which reads and checks one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from volition.diagnostics import Diagnostic, Diagnostics, Source
from volition.display import HtmlProgram
from volition.languages.common.dependencies import Dependencies
from volition.languages.common.properties import stated_properties
from volition.languages.common.settings import IntegerSetting, read_value, report_unknown
from volition.languages.common.trust import read_source
from volition.languages.dribble.checks import check
from volition.languages.dribble.conditions import text_of_test
from volition.languages.dribble.dependencies import dependencies_of
from volition.languages.dribble.file_layout import Layout, read_layout
from volition.languages.dribble.model import DribbleModel
from volition.languages.dribble.reader import ParsedProgram, read_program
from volition.languages.dribble.syntax import Action, AgentProgram, text_of_plan
from volition.languages.protocols import Table, UnparsedProperty
from volition.logic.syntax import Atom, Formula

__all__ = ["DribbleProgram", "load", "read"]

_LEN_MAX = "len_max"
_LENGTHS = IntegerSetting(0, 999_999_999)


@dataclass(frozen=True, repr=False)
class DribbleProgram(HtmlProgram):
    """Dribble program that has passed all checks. It implements
    :class:`volition.languages.protocols.Program`."""

    agent: AgentProgram
    sources: Sequence[Source]
    warnings: Sequence[Diagnostic]
    properties: Sequence[UnparsedProperty]
    language: str = "Dribble"

    def model(self, observed: Collection[Atom] = ()) -> DribbleModel:
        """Return the model of the program. Each action in a ``Does`` atom of ``observed`` gets a
        history variable, which records whether the last step executed it."""
        return DribbleModel(self.agent, observed)

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """Return the dependencies between the parts of the program, for slicing with respect to
        ``formulas``: see :mod:`volition.languages.dribble.dependencies`."""
        layout, draft = self._as_written
        return dependencies_of(
            self.agent,
            self.sources[0],
            draft.goals,
            layout.statements["goals"],
            layout.properties,
            formulas,
        )

    @cached_property
    def _as_written(self) -> tuple[Layout, ParsedProgram]:
        """Return the layout and the parsed program, read again from the source. They contain the
        positions of the goals, which ``agent`` does not."""
        (source,) = self.sources
        layout = read_layout(source, Diagnostics())
        return layout, read_program(
            source, layout, self.agent.name, self.agent.len_max, Diagnostics()
        )

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> DribbleProgram:
        """Return the program read from the replacement of its source, with the same name and the
        same bound on plans.

        ``texts`` are pairs of an old source and its replacement. If the program's source is not
        among the old ones, the program is read from it again.
        """
        (source,) = self.sources
        return read(
            dict(texts).get(source, source), self.agent.name, {_LEN_MAX: str(self.agent.len_max)}
        )

    def tables(self) -> Sequence[Table]:
        """Return the tables that show the agent's initial bases, actions and rules."""
        agent = self.agent
        bases = [
            ["beliefs", *_texts(agent.beliefs)],
            ["goals", *_texts(agent.goals)],
            ["abstract plans", ", ".join(agent.abstract_plans)],
        ]
        actions = [
            [action.name, text_of_test(action.precondition), _effects(action)]
            for action in agent.actions.values()
        ]
        goal_rules = [
            [rule.name, str(rule.guard), text_of_plan(rule.body)] for rule in agent.goal_rules
        ]
        revisions = [
            [rule.name, *map(text_of_plan, [rule.head, rule.body]), text_of_test(rule.guard)]
            for rule in agent.revision_rules
        ]
        return [
            Table("Agent", ["part", "contents"], [*bases, ["len_max", str(agent.len_max)]]),
            Table("Actions", ["action", "if believed", "makes true"], actions),
            Table("Goal rules", ["rule", "guard", "plan"], goal_rules),
            Table("Revision rules", ["rule", "replaces", "by", "if believed"], revisions),
        ]


def load(path: Path, settings: Mapping[str, str]) -> DribbleProgram:
    """Return the program in a file. The setting ``len_max`` overrides the bound on plans in the
    file."""
    return read(read_source(path), path.stem, settings)


def read(source: Source, name: str, settings: Mapping[str, str] | None = None) -> DribbleProgram:
    """Return the program in a source text. ``name`` is the name of the agent. Raise
    :class:`InputError` with all errors found."""
    found = Diagnostics()
    len_max = _read_settings(settings or {}, found)
    layout = read_layout(source, found)
    draft = read_program(source, layout, name, len_max, found)
    indices = (
        [] if layout.properties is None else [(layout.properties.start, layout.properties.end)]
    )
    properties = stated_properties(source, indices, found)
    if not found.errors:
        check(draft, properties, found)
    found.raise_errors()
    return DribbleProgram(draft.agent, (source,), found.warnings, properties)


def _read_settings(settings: Mapping[str, str], found: Diagnostics) -> int | None:
    for name in settings.keys() - {_LEN_MAX}:
        report_unknown(
            "DRB004",
            f"unknown setting '{name}'",
            name,
            [_LEN_MAX],
            found,
            otherwise=f"the only setting is {_LEN_MAX}",
        )
    if (text := settings.get(_LEN_MAX)) is None:
        return None
    return (
        read_value("DRB005", f"the setting '{_LEN_MAX}' cannot be '{text}'", text, _LENGTHS, found)
        or 0
    )


def _texts(formulas: Collection[object]) -> list[str]:
    return [", ".join(sorted(map(str, formulas)))]


def _effects(action: Action) -> str:
    parts = []
    for effect in action.effects:
        literals, test = " & ".join(map(str, effect.literals)), text_of_test(effect.condition)
        parts.append(literals if test == "true" else f"{literals} if {test}")
    return ", ".join(parts)

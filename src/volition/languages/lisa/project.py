"""The files of a LISA project: a reasoning file for each agent, action files, and optionally
ontologies (Izzo, Sect. 3.4).

Most projects have one agent. Several reasoning files in a folder are the agents of one system
(Sect. 7.3), each named after its file. Action files and ontologies in a subfolder with the name of
an agent belong to that agent; all others are shared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from volition.diagnostics import Diagnostics, Source
from volition.languages.common.misnamed_files import warn_misnamed_files
from volition.languages.common.trust import read_source
from volition.languages.lisa.action_calls import CallTable
from volition.languages.lisa.action_file import read_action_file
from volition.languages.lisa.ontology import Ontology, read_ontology
from volition.languages.lisa.reasoning_file import read_reasoning_file
from volition.languages.lisa.resolved import MessageSource
from volition.languages.lisa.syntax import ActionCall, ActionFile, ReasoningFile, beliefs_in

__all__ = ["AgentFiles", "Project", "read_folder"]

_AGENT_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_NO_AGENTS = ("all", "and")
"""Names that an agent in a project with several agents cannot have, because they are keywords in
the list of a message's receivers."""


@dataclass(frozen=True, slots=True)
class AgentFiles:
    """Parsed files of one agent. ``ontology`` is None if the agent has none.

    ``prefix`` is put before the names of the agent's variables in a project with several agents,
    and is empty otherwise. ``mail`` maps the names under which the agent perceives messages of
    other agents to the steps that send them: see :mod:`.messages`.
    """

    name: str
    prefix: str
    reasoning: ReasoningFile
    actions: tuple[ActionFile, ...]
    ontology: Ontology | None
    source: Source
    mail: Mapping[str, tuple[MessageSource, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Project:
    """Agents of a folder that make up a program, and all files that were read for them.

    ``projects`` are the files of each agent that was loaded. ``names`` are all agents of the
    folder. If a single reasoning file was loaded, ``names`` may contain more agents than
    ``projects``.
    """

    projects: tuple[AgentFiles, ...]
    names: tuple[str, ...]
    sources: tuple[Source, ...]


def read_folder(path: Path, diagnostics: Diagnostics) -> Project:
    """Read the project folder at ``path``, or the single agent whose reasoning file is at ``path``.

    Errors go to ``diagnostics``. If the folder has no reasoning file, raise :class:`InputError`
    immediately.
    """
    folder = path if path.is_dir() else path.parent
    all_agents = sorted(folder.glob("*.sej"))
    chosen = [path] if path.is_file() else all_agents
    if not chosen:
        diagnostics.error("LIS061", f"expected a reasoning file (.sej) in '{folder}', found none")
        diagnostics.raise_errors()
    names = tuple(each.stem for each in all_agents)
    files = [each for each in folder.rglob("*") if each.is_file()]
    warn_misnamed_files(files, (".sej", ".sep", ".ont", ".props"), diagnostics)
    for stray in sorted(
        each for each in files if each.suffix in (".sej", ".props") and each.parent != folder
    ):
        hint = f"move '{stray.suffix}' files into '{folder}'"
        diagnostics.warning("LNG007", f"'{stray}' is ignored: it is in a subfolder", hint=hint)
    if len(chosen) > 1:
        _check_names(chosen, diagnostics)
    reasoning_sources = [read_source(each) for each in chosen]
    ontologies = [
        _OwnedFile(_owner(each, folder, names), read_source(each))
        for each in sorted(folder.rglob("*.ont"))
    ]
    actions = [
        _OwnedFile(_owner(each, folder, names), read_source(each))
        for each in sorted(folder.rglob("*.sep"))
    ]
    read = {each.source: read_action_file(each.source, diagnostics) for each in actions}
    projects = []
    for file, source in zip(chosen, reasoning_sources, strict=True):
        reasoning = read_reasoning_file(source, diagnostics)
        own = [each for each in actions if each.owner in (None, file.stem)]
        usable = [(each.owner, action) for each in own if (action := read[each.source])]
        projects.append(
            AgentFiles(
                name=file.stem,
                prefix=f"{file.stem}_" if len(chosen) > 1 else "",
                reasoning=reasoning,
                actions=_actions_of(reasoning, usable)
                if len(names) > 1
                else tuple(action for _, action in usable),
                ontology=_ontology(
                    folder,
                    [each.source for each in ontologies if each.owner in (None, file.stem)],
                    diagnostics,
                ),
                source=source,
            )
        )
    if len(chosen) > 1:
        _check_uncalled((action for action in read.values() if action), projects, diagnostics)
    return Project(
        tuple(projects),
        names,
        (*reasoning_sources, *(each.source for each in (*actions, *ontologies))),
    )


@dataclass(frozen=True, slots=True)
class _OwnedFile:
    """File of a project, with the agent that it belongs to, or None if all agents share it."""

    owner: str | None
    source: Source


def _owner(path: Path, folder: Path, names: Sequence[str]) -> str | None:
    first = path.relative_to(folder).parts[0]
    return first if len(names) > 1 and first in names else None


def _check_names(files: Iterable[Path], diagnostics: Diagnostics) -> None:
    """Report invalid and duplicate names of agents. An agent's name is that of its reasoning file;
    it occurs in formulas and messages, and as a prefix of variables."""
    seen: dict[str, Path] = {}
    for file in files:
        if not _AGENT_NAME.fullmatch(file.stem) or file.stem.lower() in _NO_AGENTS:
            hint = (
                "the name of one of several agents is a letter followed by letters, digits and "
                "underscores, other than 'all' and 'and'"
            )
            diagnostics.error(
                "LIS064",
                f"'{file.stem}' cannot be the name of an agent",
                hint=f"rename '{file}': {hint}",
            )
        elif (other := seen.setdefault(file.stem.lower(), file)) is not file:
            diagnostics.error(
                "LIS065",
                f"'{other}' and '{file}' define agents with the same name",
                hint="rename one of them",
            )


def _ontology(folder: Path, sources: Sequence[Source], diagnostics: Diagnostics) -> Ontology | None:
    if len(sources) > 1:
        names = ", ".join(f"'{Path(each.name).name}'" for each in sources)
        diagnostics.error("LIS062", f"expected one ontology in '{folder}', found {names}")
    return read_ontology(sources[0], diagnostics) if sources else None


# --- actions of an agent in a project with several agents -----------------------------------------


def _actions_of(
    reasoning: ReasoningFile, offered: Sequence[tuple[str | None, ActionFile]]
) -> tuple[ActionFile, ...]:
    """Return the actions of one agent in a project with several agents: its own ones, and the
    shared ones that it calls or whose feedbacks it mentions.

    ``offered`` are pairs of an action's owner, None if it is shared, and the action.
    """
    calls = [step for step in _steps(reasoning) if isinstance(step, ActionCall)]
    table = CallTable([action for _, action in offered], None, Diagnostics())
    found = [table.find(call.sentence) for call in calls]
    if not all(found):  # an unknown action: any of them may have been intended
        return tuple(action for _, action in offered)
    called = {id(each.action) for each in found if each}
    mentioned = _mentioned(reasoning)
    return tuple(
        action
        for owner, action in offered
        if owner is not None
        or id(action) in called
        or any(each.sentence.name in mentioned for each in action.feedbacks)
    )


def _mentioned(reasoning: ReasoningFile) -> set[str]:
    conditions = [
        *(rule.condition for rule in reasoning.rules),
        *(plan.context for plan in reasoning.plans),
    ]
    conditions += [each for entry in reasoning.percepts for each in entry.conditions]
    names = {sentence.name for condition in conditions for sentence in beliefs_in(condition)}
    return (
        names
        | {plan.event.belief.name for plan in reasoning.plans}
        | {entry.sentence.name for entry in reasoning.percepts}
    )


def _check_uncalled(
    actions: Iterable[ActionFile], projects: Sequence[AgentFiles], diagnostics: Diagnostics
) -> None:
    """Warn about shared actions that no agent uses. Actions that an agent has but does not call are
    reported by :mod:`.resolution` instead."""
    used = {id(action) for project in projects for action in project.actions}
    for action in actions:
        if id(action) not in used:
            diagnostics.warning(
                "LIS071", f"the action '{action.sentences[0].text}' is never called", action.span
            )


def _steps(reasoning: ReasoningFile) -> list[object]:
    return [*reasoning.initial_actions, *(step for plan in reasoning.plans for step in plan.steps)]

"""The files of a LISA project: one reasoning file, the action files, perhaps an ontology (Izzo, Sect. 3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from volition.diagnostics import Diagnostics, Source
from volition.languages.kit.siblings import check_siblings
from volition.languages.kit.trust import read_source
from volition.languages.lisa.action_file import read_action_file
from volition.languages.lisa.ontology import Ontology, read_ontology
from volition.languages.lisa.reasoning_file import read_reasoning_file
from volition.languages.lisa.syntax import ActionFile, ReasoningFile

__all__ = ["Project", "read_project"]


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that was read.  ``name`` is the agent's; ``ontology`` is None if the project has none."""

    name: str
    reasoning: ReasoningFile
    actions: tuple[ActionFile, ...]
    ontology: Ontology | None
    sources: tuple[Source, ...]


def read_project(path: Path, diagnostics: Diagnostics) -> Project:
    """Read the project folder at ``path``, or the one that the reasoning file at ``path`` stands in.

    Mistakes go to ``diagnostics``, and are raised here if there is nothing to read.
    """
    folder = path if path.is_dir() else path.parent
    reasoning_path = path if path.is_file() else _only_reasoning_file(folder, diagnostics)
    action_paths = sorted(folder.rglob("*.sep"))
    ontology_paths = sorted(folder.rglob("*.ont"))
    files = [each for each in folder.rglob("*") if each.is_file()]
    check_siblings(files, (".sej", ".sep", ".ont", ".props"), diagnostics)
    for stray in sorted(each for each in files if each.suffix in (".sej", ".props") and each.parent != folder):
        hint = f"move '{stray.suffix}' files into '{folder}'"
        diagnostics.warning("LNG007", f"'{stray}' is ignored: it is in a subfolder", hint=hint)
    if len(ontology_paths) > 1:
        names = ", ".join(f"'{each.name}'" for each in ontology_paths)
        diagnostics.error("LIS062", f"expected one ontology in '{folder}', found {names}")
    reasoning_source = read_source(reasoning_path)
    action_sources = [read_source(each) for each in action_paths]
    ontology_sources = [read_source(each) for each in ontology_paths[:1]]
    reasoning = read_reasoning_file(reasoning_source, diagnostics)
    actions = [read_action_file(each, diagnostics) for each in action_sources]
    return Project(
        name=reasoning_path.stem,
        reasoning=reasoning,
        actions=tuple(each for each in actions if each),
        ontology=read_ontology(ontology_sources[0], diagnostics) if ontology_sources else None,
        sources=(reasoning_source, *action_sources, *ontology_sources),
    )


def _only_reasoning_file(folder: Path, diagnostics: Diagnostics) -> Path:
    found = sorted(folder.glob("*.sej"))
    if len(found) != 1:
        names = ", ".join(f"'{each.name}'" for each in found) or "none"
        diagnostics.error(
            "LIS061", f"expected one reasoning file (.sej) in '{folder}', found {names}", hint="choose one of them" if found else None
        )
        diagnostics.raise_errors()
    return found[0]

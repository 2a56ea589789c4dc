"""Small LISA projects for tests: written as text, read through the public interface."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from volition.diagnostics import Diagnostic, InputError
from volition.languages.lisa import LisaProgram, load

__all__ = ["action", "codes", "folder_mistakes", "mistakes", "project", "reasoning", "team"]

EXAMPLES = Path(__file__).parents[3] / "examples" / "lisa"


def reasoning(
    *, beliefs: str = "", actions: str = "", percepts: str = "", rules: str = "", plans: str = ""
) -> str:
    """A reasoning file with the five sections."""
    return (
        f"INITIAL BELIEFS AND GOALS\n{beliefs}\n\nINITIAL ACTIONS\n{actions}\n\n"
        "PERCEPTION PROCESS\nMonitor the following "
        f"booleans:\n{percepts}\n\nREASONING\n{rules}\n\nEXECUTABLE PLANS\n{plans}\n"
    )


def action(
    name: str,
    feedback: str = "",
    *,
    sentence: str | None = None,
    mode: str = "control, runOnce",
    inputs: str = "",
    outputs: str = "",
) -> str:
    """An action file."""
    return (
        f"procedure name:: {name}\nsenglish sentences:: {sentence or name + '.'}\nprocess, repeat "
        f"mode:: {mode}\n"
        f"input classes and local names:: {inputs}\noutput classes and local names:: "
        f"{outputs}\nperformance feedback:: {feedback}\n"
    )


def project(
    main: str,
    actions: Mapping[str, str] | None = None,
    *,
    ontology: str | None = None,
    properties: str | None = None,
) -> LisaProgram:
    """The program of a project: its reasoning file, its action files by procedure name, its
    ontology and properties."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "agent.sej").write_text(main, encoding="utf-8")
        for name, text in (actions or {}).items():
            (root / f"{name}.sep").write_text(text, encoding="utf-8")
        if ontology is not None:
            (root / "agent.ont").write_text(ontology, encoding="utf-8")
        if properties is not None:
            (root / "agent.props").write_text(properties, encoding="utf-8")
        return load(root, {})


def mistakes(
    main: str, actions: Mapping[str, str] | None = None, *, ontology: str | None = None
) -> tuple[Diagnostic, ...]:
    """What is wrong with a project; it must be wrong."""
    try:
        project(main, actions, ontology=ontology)
    except InputError as error:
        return error.diagnostics
    raise AssertionError("nothing is wrong with it")


def team(files: Mapping[str, str], settings: Mapping[str, str] | None = None) -> LisaProgram:
    """The program of a folder with these files, by their names."""
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return load(Path(folder), settings or {})


def folder_mistakes(files: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """What is wrong with a folder; something must be."""
    try:
        team(files)
    except InputError as error:
        return error.diagnostics
    raise AssertionError("nothing is wrong with it")


def codes(found: tuple[Diagnostic, ...]) -> list[str]:
    return [each.code for each in found]

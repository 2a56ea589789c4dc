"""Every example in every export format: a text or an archive, or a refusal with a code, and models
that the other tool compiles."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import volition
from tests.exporters.spin import needs_spin
from volition.checking.spin.tools import compiler
from volition.languages import find_programs

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = find_programs(EXAMPLES)
AGENTSPEAK = [each for each in PROGRAMS if each.parent.name == "agentspeak"]
TRANSLATED: dict[str, set[str]] = {"prism": {"LISA", "Dribble"}, "promela": {"AgentSpeak(F)"}}


def name(path: Path) -> str:
    return str(path.relative_to(EXAMPLES))


@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_every_format(path: Path) -> None:
    program = volition.load(path)
    for target in ("dot", "umb"):
        assert volition.export(program, target, max_states=50).model
    for target, languages in TRANSLATED.items():
        exports_or_refuses(program, target, is_translated=program.language in languages)
    automata = 'A [ G (F "deadlock") ]'
    assert str(volition.export(program, "hoa", automata)).startswith("HOA: v1")


def exports_or_refuses(program: volition.Program, target: str, *, is_translated: bool) -> None:
    """Export with the program's own properties, and with formulas about ``"deadlock"``, which no
    other tool can be asked."""
    if not is_translated:
        with pytest.raises(volition.InputError, match="EXP010"):
            volition.export(program, target)
        return
    exported = volition.export(program, target)
    assert exported.model
    assert {each.severity for each in exported.warnings} <= {"warning"}
    for formula in ('A [ G !"deadlock" ]', 'E [ F "deadlock" ]', 'A [ F "deadlock" ]'):
        with pytest.raises(volition.InputError, match="EXP014"):
            volition.export(program, target, formula)


@needs_spin
@pytest.mark.parametrize("path", AGENTSPEAK, ids=name)
def test_promela_compiles(path: Path, tmp_path: Path) -> None:
    compile_promela(str(volition.export(path, "promela")), tmp_path)


def compile_promela(model: str, folder: Path) -> None:
    (folder / "model.pml").write_text(model)
    assert shutil.which("spin")
    for command in (["spin", "-a", "model.pml"], [compiler(), "-fsyntax-only", "-w", "pan.c"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

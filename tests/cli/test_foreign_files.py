"""Files where the user stands are not ours: none is imported, none is a setting, whatever its
name."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, VACUUM

SCRIPT = Path(sys.executable).parent / "volition"
BEST = "Pmax=? [ F Bel(rescued) ]"
CHEAP = 'R{"cost"}min=? [ F Bel(rescued) ]'

NUMBERS = ["rescue.can", "-p", BEST]
PLOTS = {
    "strategy.svg": ["strategy", *NUMBERS, "--plot"],
    "front.svg": ["pareto", *NUMBERS, "-p", CHEAP, "--plot"],
    "sweep.svg": [
        "sweep",
        "vacuum.can",
        "--vary",
        "p=0.1,0.2",
        "-p",
        "Pmax=? [ F tidied ]",
        "--jobs",
        "2",
        "--plot",
    ],
}
COMMANDS = {
    "check numbers": ["check", *NUMBERS],
    "show a project": ["show", "project"],
    "export": ["export", "vacuum.dribble", "--to", "prism"],
}


def importable_names() -> set[str]:
    """Every name under which this machine can import something: all that any of our libraries could
    ask for."""
    return (set(sys.stdlib_module_names) | set(importlib.metadata.packages_distributions())) - {
        "volition"
    }


def write_hostile(position: Path, name: str, marked: Path) -> None:
    """A module that leaves a mark when it is executed."""
    (position / f"{name}.py").write_text(
        f"open({str(marked / 'executed')!r}, 'a').write({name!r} + ' ')\nraise SystemExit(7)\n"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with programs, and beside them a file for every module there is, which leaves a mark
    when it is executed."""
    folder = tmp_path_factory.mktemp("hostile")
    for program in (EXAMPLES / "can" / "rescue.can", EXAMPLES / "can" / "vacuum.can", VACUUM):
        shutil.copy(program, folder)
    shutil.copytree(EXAMPLES / "agentspeak" / "auction", folder / "project")
    for name in importable_names():
        for position in (folder, folder / "project"):
            write_hostile(position, name, folder)
    # Matplotlib would read its settings here; with these it would run TeX.
    (folder / "matplotlibrc").write_text(
        "text.usetex: True\nfigure.facecolor: 123456\nsavefig.facecolor: 123456\n"
    )
    return folder


def run(folder: Path, command: list[str], **environment: str) -> None:
    """Runs a command in the folder; everything must be as if the files were not there."""
    ended = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    executed = folder / "executed"
    assert not executed.exists(), f"{' '.join(command)} executed {executed.read_text()}"
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_imports_what_lies_beside_a_program(folder: Path, command: str) -> None:
    run(folder, [str(SCRIPT), *COMMANDS[command]])


@pytest.mark.parametrize("picture", ["strategy.svg", "front.svg", "sweep.svg"])
def test_no_picture_is_drawn_as_a_file_in_the_folder_says(folder: Path, picture: str) -> None:
    run(folder, [str(SCRIPT), *PLOTS[picture], picture])
    assert "#123456" not in (folder / picture).read_text()


def test_python_m_leaves_the_folder_before_it_imports(folder: Path) -> None:
    """What Python itself imports before it comes to us is not ours to choose; nothing else comes
    from here."""
    start = (
        "import importlib.util, runpy, sys; importlib.util.find_spec('wsgiref.util'); "
        "print(*sys.modules)"
    )
    for name in subprocess.run(
        [sys.executable, "-I", "-c", start], capture_output=True, text=True, check=True
    ).stdout.split():
        (folder / f"{name}.py").unlink(missing_ok=True)
    assert all((folder / f"{name}.py").exists() for name in ("random", "numpy", "stormpy", "click"))
    run(folder, [sys.executable, "-m", "volition", *COMMANDS["check numbers"]])


PROCESS_OF_THE_STUDIO = """
from volition.__main__ import _remove_cwd_from_path
_remove_cwd_from_path()
import asyncio
from pathlib import Path
from volition.studio.jobs import WorkerProcess
from volition.studio.tasks.load import open_program
if __name__ == "__main__":
    job = WorkerProcess()
    assert asyncio.run(job.call(open_program, Path.cwd(), Path("rescue.can"), False)).language == "CAN"
    job.close()
"""  # noqa: E501


def test_the_processes_of_the_studio_do_not_stand_in_the_folder_either(
    folder: Path, tmp_path: Path
) -> None:
    """They are started by Python, which would look there first; the script stands elsewhere, as
    ours does."""
    script = tmp_path / "script.py"
    script.write_text(PROCESS_OF_THE_STUDIO)
    run(folder, [sys.executable, str(script)])


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with a program and a few files of names that only the process in which Storm runs
    asks for."""
    shutil.copy(EXAMPLES / "can" / "rescue.can", tmp_path)
    for name in ("stormpy", "click"):
        write_hostile(tmp_path, name, tmp_path)
    return tmp_path


def test_a_careless_path_for_imports(few: Path) -> None:
    """PYTHONPATH=$PYTHONPATH:/somewhere has an empty entry where there was none: that is the folder
    where the user stands."""
    run(few, [str(SCRIPT), *COMMANDS["check numbers"]], PYTHONPATH=f"{os.pathsep}/nowhere")


def test_from_python_as_well(few: Path) -> None:
    """The process that runs Storm has a path of its own, whatever the path of its parent is."""
    run(
        few,
        [
            sys.executable,
            "-c",
            f"import volition; volition.check(volition.load('rescue.can'), [{BEST!r}])",
        ],
    )

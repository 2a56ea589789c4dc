"""The program itself: its overview, how fast it answers, what its commands say about themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, MANUFACTURING, Volition
from volition.cli.option_groups import MAX_UNGROUPED
from volition.cli.program import COMMANDS


def test_the_overview_names_every_command(volition: Volition) -> None:
    ended = volition("--help")
    assert ended.exit_code == 0
    assert all(name in ended.out for name in COMMANDS)


def test_every_file_of_a_command_is_a_command() -> None:
    """A command that nobody can call, or a name without a file, would be found here."""
    folder = Path(sys.modules["volition.cli"].__file__ or "").parent
    defined = {
        path.stem.replace("_", "-")
        for path in folder.glob("*.py")
        if "@click.command(" in path.read_text()
    }
    assert defined == set(COMMANDS)


def imported_by(*arguments: str) -> set[str]:
    """The modules that a command imports, in a process of its own."""
    script = (
        f"import sys; from volition.cli import main; main({list(arguments)}, "
        "standalone_mode=False); print(*sys.modules)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    return set(printed.splitlines()[-1].split())


def test_help_needs_nothing_heavy() -> None:
    """``volition --help`` answers at once because it imports neither engines nor numbers."""
    assert not imported_by("--help") & {"numpy", "scipy", "stormpy", "lark", "rich", "matplotlib"}


def test_help_takes_less_than_three_tenths_of_a_second() -> None:
    """The best of several starts, in time of this process's children, so that a busy machine does
    not count."""

    def one() -> float:
        before = os.times()
        subprocess.run(
            [sys.executable, "-m", "volition", "--help"], capture_output=True, check=True
        )
        after = os.times()
        return (
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        )

    assert min(one() for _ in range(5)) < 0.3


def test_engines_start_only_for_questions_that_need_them() -> None:
    assert "stormpy" not in imported_by(
        "check", str(EXAMPLES / "dribble" / "vacuum_repaired.dribble"), "--json"
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_examples(volition: Volition, name: str) -> None:
    ended = volition(name, "--help")
    assert ended.exit_code == 0
    assert "Examples:" in ended.out
    assert f"volition {name} " in ended.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_long_help_text_has_a_heading(volition: Volition, name: str) -> None:
    help_text = volition(name, "--help").out
    assert "Other:" not in help_text
    if "Options:" in help_text:
        options = help_text.split("Options:\n")[1].splitlines()
        assert sum(line.startswith("  -") for line in options) <= MAX_UNGROUPED


def test_the_shell_completes_options_under_headings() -> None:
    completed = subprocess.run(
        [sys.executable, "-m", "volition"],
        env=os.environ
        | {
            "_VOLITION_COMPLETE": "bash_complete",
            "COMP_WORDS": "volition check --all",
            "COMP_CWORD": "2",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert completed.stdout.split() == ["plain,--all-belief-bases"]


def test_the_version(volition: Volition) -> None:
    """Also where the program runs from its sources, which no package manager knows."""
    ended = volition("--version")
    assert ended.exit_code == 0
    assert ended.out.startswith("volition")


def test_an_unknown_command(volition: Volition) -> None:
    ended = volition("chek")
    assert ended.exit_code == 2
    assert "did you mean 'check'?" in ended.err


def test_one_is_not_many(volition: Volition, tmp_path: Path) -> None:
    """An agent without events has one state, in which it stays; its one property holds."""
    idle = tmp_path / "idle.can"
    idle.write_text("// Initial beliefs\na.\n// Plans\n// Properties\n// RESULT: true\nA [ G a ]\n")
    assert "1 state, 1 choice, 1 transition\n" in volition("explore", idle).out
    assert "1 of 1 result as expected" in volition("test", tmp_path).out
    stopped = volition("explore", MANUFACTURING, "--max-states", "1").err
    assert "the limit of 1 state: 1 state explored" in stopped
    ended = volition("sweep", MANUFACTURING, "--vary", "pc=0.1", "-p", "Pmax=? [ F PS1 ]")
    assert ended.out.startswith("1 point, explored once")


def test_one_step_of_a_method(volition: Volition) -> None:
    ended = volition("check", MANUFACTURING, "-p", "Pmax=? [ F<=1 PS1 ]", "--float", "--json")
    assert ended.document["properties"][0]["method"].startswith("1 step of value iteration")


def test_one_run_of_a_simulation(volition: Volition) -> None:
    ended = volition(
        "strategy", EXAMPLES / "can" / "vacuum.can", "-p", "Pmin=? [ F tidied ]", "--simulate", "1"
    )
    assert "1 run under the strategy" in ended.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(volition: Volition, shell: str) -> None:
    ended = volition("completion", shell)
    assert ended.exit_code == 0
    assert "_VOLITION_COMPLETE" in ended.out


def test_ctrl_c_ends_an_exploration_politely() -> None:
    """Partial results that say so, exit code 3, and no traceback: half a second into an exploration
    that takes several."""
    script = f"""
import os, signal, threading
import volition.cli.explore as module
from volition.cli import main

# Processes in the background ignore Ctrl-C, and so do their children.
signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupted(*arguments, **options):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    return explore(*arguments, **options)

explore, module.explore = module.explore, interrupted
main(["explore", {str(EXAMPLES / "agentspeak" / "auction")!r}, "--set", "idle=cycle", "--json"])
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 3, ended.stderr
    assert json.loads(ended.stdout)["stopped"]["reason"] == "interrupted"
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    "start",
    [
        "from volition.__main__ import main; main()",
        "import runpy; runpy.run_module('volition', run_name='__main__')",
    ],
)
def test_ctrl_c_while_the_program_is_imported_is_no_verdict(start: str) -> None:
    script = f"""
import sys

class Interrupted:
    def find_spec(self, name, *others):
        if name == "click":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
{start}
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stderr.strip()) == (130, "interrupted")


def test_the_script_is_the_program_that_knows_ctrl_c() -> None:
    pyproject = tomllib.loads((EXAMPLES.parent / "pyproject.toml").read_text())
    assert pyproject["project"]["scripts"]["volition"] == "volition.__main__:main"


def test_ctrl_c_before_anything_is_explored_is_no_verdict() -> None:
    script = f"""
import volition.languages.can as language
from volition.cli import main

def interrupted(*arguments):
    raise KeyboardInterrupt

language.load = interrupted
main(["check", {str(MANUFACTURING)!r}])
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stderr.strip()) == (130, "interrupted")


def test_a_reader_that_goes_away_is_no_verdict() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "volition", "show", str(MANUFACTURING)],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_an_unknown_option_or_command_suggests_only_a_near_one(volition: Volition) -> None:
    assert "did you mean" not in volition("check", "a.can", "--bogus").err.lower()
    assert (
        "unknown option '--proprety': did you mean '--property'?"
        in volition("check", "a.can", "--proprety", "F x").err
    )
    assert "unknown command 'chekc': did you mean 'check'?" in volition("chekc").err

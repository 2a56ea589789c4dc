"""``volition strategy``: what it prints, what it writes, how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.can_programs import EXAMPLES, SMART_MANUFACTURING
from tests.cli.conftest import Volition
from volition.analysis.synthesis import tree_plot as strategy_picture

BEST = "Pmax=? [ F (PS1 & PS2) ]"
ROVER = EXAMPLES / "can" / "rover.can"
MESSENGER = EXAMPLES / "can" / "messenger.can"
IN_TIME = "Pmax=? [ F<=20 delivered ]"
SHORTEST = 'R{"distance"}min=? [ F (SS1 & SS2) ]'


def test_table(volition: Volition) -> None:
    ended = volition("strategy", SMART_MANUFACTURING, "-p", BEST)
    assert ended.exit_code == 0
    assert f"{BEST} is 0.6561" in ended.words
    assert "the choices depend on wrapped1" in ended.words
    assert "always select plan 3 for process_product1" in ended.words


def test_the_rovers_cheapest_certain_mission(volition: Volition) -> None:
    """Archibald et al., Sect. 4.3, with the distances 3, 4 and 5."""
    ended = volition("strategy", ROVER, "-p", SHORTEST)
    assert ended.exit_code == 0
    assert f"{SHORTEST} is 12" in ended.words


def test_any_choice(volition: Volition) -> None:
    ended = volition("strategy", EXAMPLES / "can" / "breakfast.can", "-p", "Pmax=? [ F served ]")
    assert ended.exit_code == 0
    assert "any choice" in ended.words


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("tree", "wrapped1?"),
        ("dot", "digraph strategy {"),
        ("python", "def decide("),
        ("can", "turn : product2 when wrapped1."),
        ("json", '"depends_on"'),
    ],
)
def test_forms(volition: Volition, form: str, expected: str) -> None:
    ended = volition("strategy", SMART_MANUFACTURING, "-p", BEST, "--as", form)
    assert ended.exit_code == 0
    assert expected in ended.out


def test_program_is_written_and_checked_by_the_next_command(
    volition: Volition, tmp_path: Path
) -> None:
    file = tmp_path / "careful.can"
    assert (
        volition("strategy", SMART_MANUFACTURING, "-p", BEST, "--as", "can", "-o", file).exit_code
        == 0
    )
    ended = volition("check", file)
    assert ended.exit_code == 0
    assert "0.6561 ✓ 0.6561" in ended.words


def test_files_are_kept_unless_forced(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "strategy.md"
    file.write_text("mine")
    refused = volition("strategy", SMART_MANUFACTURING, "-p", BEST, "-o", file)
    assert (refused.exit_code, file.read_text()) == (2, "mine")
    assert "CLI003" in refused.err
    assert (
        volition("strategy", SMART_MANUFACTURING, "-p", BEST, "-o", file, "--force").exit_code == 0
    )
    assert "| wrapped1 | product2 |" in file.read_text()


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_picture(volition: Volition, tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"tree.{suffix}"
    assert volition("strategy", ROVER, "-p", SHORTEST, "--plot", file).exit_code == 0
    assert file.stat().st_size > 1000


def test_picture_in_an_unknown_format(volition: Volition, tmp_path: Path) -> None:
    ended = volition("strategy", ROVER, "-p", SHORTEST, "--plot", tmp_path / "tree.txt")
    assert ended.exit_code == 2
    assert "CHK066" in ended.err


def test_a_refused_picture_leaves_no_file(
    volition: Volition, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(strategy_picture, "MAX_LEAVES", 1)
    ended = volition(
        "strategy",
        ROVER,
        "-p",
        SHORTEST,
        "--plot",
        tmp_path / "tree.svg",
        "-o",
        tmp_path / "tree.txt",
    )
    assert ended.exit_code == 2
    assert "CHK084" in ended.err
    assert list(tmp_path.iterdir()) == []


def test_simulation(volition: Volition) -> None:
    ended = volition(
        "strategy", SMART_MANUFACTURING, "-p", BEST, "--simulate", "10000", "--seed", "1", "--json"
    )
    assert ended.exit_code == 0
    document = ended.document
    assert document["exact"] == "6561/10000"
    simulation = document["simulation"]
    assert simulation["runs"] == 10000
    assert simulation["lower"] <= 0.6561 <= simulation["upper"]
    assert simulation["interval"] == "Wilson"


def test_more_runs_than_there_is_time_for(volition: Volition) -> None:
    """0.6561 is Archibald et al., Sect. 4.2; the runs that were made say how many they are."""
    ended = volition(
        "strategy",
        SMART_MANUFACTURING,
        "-p",
        BEST,
        "--simulate",
        "999999999999",
        "--timeout",
        "2",
        "--json",
    )
    simulation = ended.document["simulation"]
    assert 0 < simulation["runs"] < simulation["requested_runs"] == 999999999999
    assert simulation["lower"] <= 0.6561 <= simulation["upper"]
    assert "stopped after" in ended.err
    assert (
        volition("strategy", SMART_MANUFACTURING, "-p", BEST, "--simulate", "9" * 5000).exit_code
        == 2
    )


def test_simulation_at_random_is_worse(volition: Volition) -> None:
    ended = volition(
        "strategy", SMART_MANUFACTURING, "-p", BEST, "--simulate", "1000", "--uniform", "--json"
    )
    assert ended.document["simulation"]["upper"] < 0.6561


def test_steps_left(volition: Volition) -> None:
    ended = volition("strategy", MESSENGER, "-p", IN_TIME, "--simulate", "10000")
    assert ended.exit_code == 0
    assert "the choices depend on the steps left" in ended.words
    assert "with at least 10 steps left select plan 2 for send" in ended.words
    assert "10,000 runs under the strategy" in ended.err


def test_a_memory_has_no_words_in_a_program(volition: Volition) -> None:
    ended = volition("strategy", MESSENGER, "-p", IN_TIME, "--as", "can")
    assert ended.exit_code == 2
    assert "CHK086" in ended.err


def test_memory_in_json_and_in_code(volition: Volition) -> None:
    document = volition(
        "strategy", MESSENGER, "-p", IN_TIME, "--json", "--simulate", "10000"
    ).document
    assert document["strategy"]["memory"]["start"] == 20
    assert document["simulation"]["lower"] <= document["value"] <= document["simulation"]["upper"]
    assert (
        "def update_memory(memory: int) -> int:"
        in volition("strategy", MESSENGER, "-p", IN_TIME, "--as", "python").out
    )


def test_bad_questions(volition: Volition) -> None:
    ended = volition("strategy", SMART_MANUFACTURING, "-p", "P>=0.5 [ F PS1 ]")
    assert ended.exit_code == 2
    assert "CHK082" in ended.err


def test_limits(volition: Volition) -> None:
    ended = volition("strategy", SMART_MANUFACTURING, "-p", BEST, "--max-states", "50")
    assert ended.exit_code == 3
    assert "unknown" in ended.err

"""``volition export``: what is written where.  That the translations are right is tested in
``tests/exporters``."""

from __future__ import annotations

import tarfile
from pathlib import Path

import stormpy

from tests.cli.conftest import EXAMPLES, MANUFACTURING, VACUUM, Volition

CLEAN = "A [ F (B(c1) & B(c2)) ]"


def test_a_program_and_its_properties_are_two_files(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "vacuum.prism"
    assert volition("export", VACUUM, "--to", "prism", "-p", CLEAN, "-o", file).exit_code == 0
    assert "module" in file.read_text()
    assert file.with_suffix(".props").read_text() == '// p1\nP>=1 [ F ("Bel_c1" & "Bel_c2") ]\n'


def test_files_are_not_overwritten(volition: Volition, tmp_path: Path) -> None:
    file, beside = tmp_path / "vacuum.prism", tmp_path / "vacuum.props"
    beside.write_text("mine")
    ended = volition("export", VACUUM, "--to", "prism", "-p", CLEAN, "-o", file)
    assert ended.exit_code == 2
    assert "CLI003" in ended.err
    assert beside.read_text() == "mine"
    assert not file.exists()
    assert (
        volition("export", VACUUM, "--to", "prism", "-p", CLEAN, "-o", file, "--force").exit_code
        == 0
    )
    assert beside.read_text() != "mine"


def test_an_empty_file_name_is_refused(volition: Volition) -> None:
    for target in ("prism", "dot", "hoa"):
        ended = volition("export", VACUUM, "--to", target, "-p", CLEAN, "-o", "")
        assert (ended.exit_code, "CLI004" in ended.err) == (2, True)


def test_without_a_file_the_program_is_printed(volition: Volition, tmp_path: Path) -> None:
    """Its properties are comments there, so that the other tool can read what was printed."""
    out = volition("export", EXAMPLES / "lisa" / "vessel_dtmc", "--to", "prism").out
    assert "// P=? [ F<=100 (mission_complete = 1) ]" in out.splitlines()
    printed = tmp_path / "vessel.prism"
    printed.write_text(out)
    assert stormpy.parse_prism_program(str(printed)).nr_modules > 10


def test_a_program_is_written_with_its_own_properties(volition: Volition, tmp_path: Path) -> None:
    ended = volition("export", EXAMPLES / "agentspeak" / "auction", "--to", "promela")
    assert [line.split()[1] for line in ended.out.splitlines() if line.startswith("ltl")] == [
        "P1",
        "P2",
        "P3",
    ]
    file = tmp_path / "drone.prism"
    ended = volition("export", EXAMPLES / "lisa" / "pipeline_drone", "--to", "prism", "-o", file)
    assert ended.exit_code == 0
    assert ended.err.count("warning[EXP001]: property left out") == 2
    assert file.with_suffix(".props").read_text().count("=?") == 6


def test_a_graph_of_the_states(volition: Volition) -> None:
    """Trang et al., Sect. 4.3: 14 states; one that branches is the initial one, where either room
    may be chosen."""
    out = volition("export", VACUUM, "--to", "dot").out
    assert out.startswith("digraph")
    assert out.count('[label="beliefs') == 14
    assert out.count("  s0 -> ") == 2


def test_probabilities_in_a_graph(volition: Volition) -> None:
    out = volition("export", MANUFACTURING, "--to", "dot").out
    assert 'label="7/10"' in out
    assert 'label="9/10"' in out


def test_a_graph_that_is_cut_off_says_so(volition: Volition) -> None:
    ended = volition("export", MANUFACTURING, "--to", "dot", "--max-states", "20")
    assert ended.exit_code == 3
    assert "style=dashed" in ended.out
    assert "stopped at the limit" in ended.err


def test_automata_of_formulas(volition: Volition) -> None:
    ended = volition("export", VACUUM, "--to", "hoa", "-p", "A [ G F B(c1) ]", "-p", CLEAN)
    assert ended.out.count("HOA: v1") == 2
    assert volition("export", VACUUM, "--to", "hoa").exit_code == 2
    refused = volition(
        "export", VACUUM, "--to", "hoa", "-p", "Pmax=? [ F B(c1) ]", "-p", "A [ F E [ G B(c1) ] ]"
    )
    assert refused.err.count("CLI010") == 2


def test_a_language_without_a_translation(volition: Volition) -> None:
    ended = volition("export", MANUFACTURING, "--to", "promela", "--json")
    assert ended.exit_code == 2
    assert ended.document["diagnostics"][0]["code"] == "EXP010"


def test_states_for_storm(volition: Volition, tmp_path: Path) -> None:
    """Archibald et al., Listing 1.3: some strategy visits both sites, and Storm reads as many
    states as there are."""
    file = tmp_path / "rover.umb"
    rover = EXAMPLES / "can" / "rover.can"
    assert volition("export", rover, "--to", "umb", "-p", "SS1 & SS2", "-o", file).exit_code == 0
    model = stormpy.build_model_from_umb(file)
    assert model.nr_states == volition("explore", rover, "--json").document["states"]
    (prop,) = stormpy.parse_properties('Pmax=? [ F "p1" ]')
    assert stormpy.model_checking(model, prop).get_value(model.initial_states[0]) == 1


def test_states_for_storm_that_are_not_all(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "rover.umb"
    ended = volition(
        "export", EXAMPLES / "can" / "rover.can", "--to", "umb", "-o", file, "--max-states", "20"
    )
    assert ended.exit_code == 3
    with tarfile.open(file) as archive:
        assert any("unexplored" in name for name in archive.getnames())


def test_standard_output_has_a_name(volition: Volition) -> None:
    assert volition("export", VACUUM, "--to", "dot", "-o", "-").out.startswith("digraph")
    assert "CLI009" in volition("export", VACUUM, "--to", "umb", "--json").err

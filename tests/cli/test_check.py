"""``volition check``: what it prints, and how it ends.  Expected figures: Archibald et al., Sect.
4.2, and Trang et al., Sect. 4.3."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, MANUFACTURING, REPAIRED, VACUUM, Volition

CLEAN = "A [ F (B(c1) & B(c2)) ]"

# --- exit codes -----------------------------------------------------------------------------------


def test_a_property_that_holds(volition: Volition) -> None:
    ended = volition("check", REPAIRED, "-p", CLEAN)
    assert ended.exit_code == 0
    assert "holds" in ended.out


def test_a_violated_property(volition: Volition) -> None:
    ended = volition("check", VACUUM, "-p", CLEAN)
    assert ended.exit_code == 1
    assert "violated" in ended.out


def test_a_query_is_no_violation(volition: Volition) -> None:
    ended = volition("check", MANUFACTURING, "-p", "Pmin=? [ F (PS1 & PS2) ]")
    assert ended.exit_code == 0


def test_a_violation_that_the_file_expects(volition: Volition) -> None:
    assert volition("check", VACUUM).exit_code == 0


def test_a_result_that_the_file_does_not_expect(volition: Volition, tmp_path: Path) -> None:
    hopeful = tmp_path / "vacuum.dribble"
    hopeful.write_text(VACUUM.read_text().replace("RESULT: false", "RESULT: true", 1))
    ended = volition("check", hopeful, "--json")
    assert ended.exit_code == 1
    first, second, *_ = ended.document["properties"]
    assert (first["holds"], first["expected"], first["as_expected"]) == (False, True, False)
    assert (second["holds"], second["expected"], second["as_expected"]) == (False, False, True)
    assert ended.document["as_expected"] is False


def test_a_limit_that_leaves_the_answer_open(volition: Volition) -> None:
    ended = volition("check", REPAIRED, "-p", CLEAN, "--max-states", "5")
    assert ended.exit_code == 3
    assert "unknown" in ended.out
    assert "limit of 5 states" in ended.words


def test_a_violation_found_within_the_limit_is_certain(volition: Volition) -> None:
    assert volition("check", VACUUM, "-p", "A [ G !B(c1) ]", "--max-states", "12").exit_code == 1


# --- JSON -----------------------------------------------------------------------------------------


def test_json_of_queries(volition: Volition) -> None:
    document = volition("check", MANUFACTURING, "--json").document
    model = document["model"]
    assert (model["states"], model["choices"], model["transitions"], model["complete"]) == (
        784,
        1288,
        1418,
        True,
    )
    assert model["python_calls"] > 0
    assert model["seconds"] > 0
    properties = document["properties"]
    assert [each["value"] for each in properties] == pytest.approx([0, 0.6561, 0, 0.3969], abs=1e-9)
    assert [each["expected"] for each in properties] == pytest.approx(
        [0, 0.6561, 0, 0.3969], abs=1e-9
    )
    assert all(
        each["as_expected"] and each["seconds"] >= 0 and each["formula"] for each in properties
    )
    best = properties[1]
    assert best["exact"] == "6561/10000"
    assert not any("strategy" in each for each in properties), "nobody asked for one"


def test_json_of_thresholds(volition: Volition) -> None:
    """The value comes with the answer: exact without bounds, or in floating point with them;
    nothing is expected of either."""
    prop = ("check", MANUFACTURING, "-p", "Pmax<0.5 [ F (PS1 & PS2) ]", "--json")
    document = volition(*prop, "--exact").document
    (exact,) = document["properties"]
    assert (exact["holds"], exact["value"], exact["exact"]) == (False, 0.6561, "6561/10000")
    assert not {"lower", "upper", "expected", "as_expected"} & exact.keys()
    assert document["as_expected"] is None
    (rounded,) = volition(*prop, "--float").document["properties"]
    assert rounded["holds"] is False
    assert rounded["lower"] <= 0.6561 <= rounded["upper"]
    assert rounded["value"] == pytest.approx(0.6561)


def test_the_value_behind_a_threshold_is_shown(volition: Volition) -> None:
    assert (
        "the value is 0.6561"
        in volition("check", MANUFACTURING, "-p", "Pmax>=0.5 [ F (PS1 & PS2) ]").words
    )


def test_json_has_strategies_if_they_are_asked_for(volition: Volition) -> None:
    """They are the tables of ``volition strategy``."""
    query = "Pmax=? [ F (PS1 & PS2) ]"
    best = volition("check", MANUFACTURING, "-p", query, "--strategy", "--json").document[
        "properties"
    ][0]
    alone = volition("strategy", MANUFACTURING, "-p", query, "--json").document
    assert best["strategy"] == alone["strategy"]
    assert best["strategy"]["depends_on"] == ["wrapped1"]


def test_json_of_an_infinite_reward_is_json(volition: Volition) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    ended = volition(
        "check",
        EXAMPLES / "can" / "rover.can",
        "-p",
        'R{"distance"}max=? [ F (SS1 & SS2) ]',
        "--json",
    )
    assert json.loads(ended.out, parse_constant=refuse)["properties"][0]["value"] == "inf"


def test_json_of_a_violation_has_its_run(volition: Volition) -> None:
    (answer,) = volition("check", VACUUM, "-p", CLEAN, "--json").document["properties"]
    assert answer["holds"] is False
    assert "expected" not in answer
    assert answer["trace"]["format"] == "volition-trace"
    assert answer["trace"]["steps"][-1]["rules"] == ["stall"]


# --- evidence -------------------------------------------------------------------------------------


def test_the_run_of_a_violation_is_told(volition: Volition) -> None:
    ended = volition("check", VACUUM, "-p", CLEAN)
    assert "violated. Counterexample:" in ended.out
    assert "goals: - c1" in ended.out
    assert "↻ from here on step 7 repeats forever" in ended.out


def test_levels_of_telling(volition: Volition) -> None:
    texts = {
        level: volition("check", VACUUM, "-p", CLEAN, "--trace", level).out
        for level in ("full", "changes", "actions", "none")
    }
    assert "test r1: yes" in texts["changes"]
    assert "test r1: yes" not in texts["actions"]
    assert "execute cR" in texts["actions"]
    assert len(texts["full"]) > len(texts["changes"])
    assert "execute cR" not in texts["none"]


def test_long_runs_are_told_as_a_story(volition: Volition) -> None:
    """Bert is never paid; that Anna is takes 82 steps, of which those about payment are told."""
    paid = ("check", EXAMPLES / "agentspeak" / "contract_net", "-p", "forall x. <> Bel(x, paid(_))")
    assert "sends anna tell paid(paint)" in volition(*paid).out
    assert "CheckMail" in volition(*paid).out
    assert "has no mail" not in volition(*paid).out
    assert "--trace changes shows all steps" in volition(*paid).out
    assert "has no mail" in volition(*paid, "--trace", "changes").out


def test_short_runs_are_told_whole_unless_the_story_is_wanted(volition: Volition) -> None:
    assert "steps: vacuum" not in volition("check", VACUUM, "-p", CLEAN).out
    assert (
        "… 2 steps: vacuum (2)" in volition("check", VACUUM, "-p", CLEAN, "--trace", "summary").out
    )


def test_the_strategy_is_told_when_asked_for(volition: Volition) -> None:
    """Archibald et al., Sect. 4.2: the strategy for 0.6561 wraps both products in premium bags
    before it moves one."""
    best = ("check", MANUFACTURING, "-p", "Pmax=? [ F (PS1 & PS2) ]")
    assert "select plan 3" not in volition(*best).out
    text = volition(*best, "--strategy").words
    assert "always select plan 3 for process_product1 select plan 2 for process_product1" in text
    assert "wrapped1 product2 product1" in text, "product 2 has its turn before product 1 is moved"


def test_a_written_run_is_not_overwritten(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    assert volition("check", VACUUM, "--write-trace", file).exit_code == 0
    file.write_text("mine")
    ended = volition("check", VACUUM, "--write-trace", file)
    assert ended.exit_code == 2
    assert "CLI003" in ended.err
    assert file.read_text() == "mine"
    assert volition("check", VACUUM, "--write-trace", file, "--force").exit_code == 0
    assert json.loads(file.read_text())["format"] == "volition-trace"


def test_a_run_that_does_not_exist_is_not_written(volition: Volition, tmp_path: Path) -> None:
    ended = volition("check", REPAIRED, "-p", CLEAN, "--write-trace", tmp_path / "run.json")
    assert ended.exit_code == 2
    assert "CLI005" in ended.err


def test_statistics(volition: Volition) -> None:
    words = volition("check", MANUFACTURING, "--stats").words
    for row in (
        "states 784",
        "choices 1,288",
        "transitions 1,418",
        "Python calls",
        "bytes per state",
        "time: exploration",
        "time: checking",
    ):
        assert row in words


def test_bounds_are_as_narrow_as_the_digits_that_are_shown(volition: Volition) -> None:
    """Storm's first solver loses its bounds on this model and answers "between 0 and 1"; then
    another one is asked."""
    queried = (
        "check",
        EXAMPLES / "lisa" / "pipeline_drone",
        "-p",
        "Pmax=? [ F (Int(plan_4) & Int(plan_6)) ]",
        "--float",
    )
    ended = volition(*queried)
    assert "0.3970336349" in ended.out
    assert "between" not in ended.out
    (answer,) = volition(*queried, "--json").document["properties"]
    assert answer["lower"] <= answer["value"] <= answer["upper"]
    assert answer["upper"] - answer["lower"] < 1e-9


# --- what is asked --------------------------------------------------------------------------------


def test_a_property_file(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "mine.props"
    file.write_text(f'// RESULT: false\n"cleaned": {CLEAN}\n')
    ended = volition("check", VACUUM, "--props", file, "--json")
    assert ended.exit_code == 0
    assert [each["name"] for each in ended.document["properties"]] == ["cleaned"]


def test_files_and_formulas_together(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "mine.props"
    file.write_text(CLEAN)
    document = volition("check", VACUUM, "--props", file, "-p", "E [ F B(c1) ]", "--json").document
    assert [each["formula"] for each in document["properties"]] == ["E [ F B(c1) ]", CLEAN]


def test_a_result_stated_with_a_formula_is_compared(volition: Volition) -> None:
    """Smart manufacturing has 0.6561 (Sect. 4.2): as expected, not as expected, and above the
    formula as in a file."""
    best = "Pmax=? [ F (PS1 & PS2) ]"
    assert volition("check", MANUFACTURING, "-p", f"{best} // RESULT: 0.6561").exit_code == 0
    ended = volition("check", MANUFACTURING, "-p", f'// RESULT: 0.5\n"mine": {best}', "--json")
    assert ended.exit_code == 1
    (answer,) = ended.document["properties"]
    assert (answer["name"], answer["formula"], answer["expected"], answer["as_expected"]) == (
        "mine",
        best,
        0.5,
        False,
    )
    assert volition("check", VACUUM, "-p", f"{CLEAN} // RESULT: false").exit_code == 0


def test_two_results_of_one_formula(volition: Volition) -> None:
    ended = volition(
        "check", VACUUM, "-p", f"// RESULT: true\n{CLEAN} // RESULT: false", "-p", "// RESULT: true"
    )
    assert ended.exit_code == 2
    assert "LOG016" in ended.err
    assert "LOG011" in ended.err


def test_a_sentence_instead_of_a_formula(volition: Volition) -> None:
    breakfast = EXAMPLES / "can" / "breakfast.can"
    sentence = (
        "What is the maximum probability that eventually the belief served holds. // RESULT: 0.98"
    )
    (answer,) = volition("check", breakfast, "-p", sentence, "--json").document["properties"]
    assert (answer["formula"], answer["as_expected"]) == ("Pmax=? [ F Bel(served) ]", True)
    assert "CAN006" in volition("check", breakfast, "-p", "What is the price of it?").err


def test_a_formula_that_is_none(volition: Volition) -> None:
    ended = volition("check", VACUUM, "-p", "")
    assert ended.exit_code == 2
    assert "missing formula" in ended.err


def test_a_program_without_properties(volition: Volition, tmp_path: Path) -> None:
    silent = tmp_path / "vacuum.dribble"
    silent.write_text(VACUUM.read_text().partition("properties:")[0])
    ended = volition("check", silent)
    assert ended.exit_code == 2
    assert "CLI002" in ended.err
    assert "-p" in ended.err


def test_settings_change_the_program(volition: Volition) -> None:
    """Archibald et al., Fig. 5: with premium failure pe the best probability is (1 - pe)^4 where
    plans with premium bags are best."""
    (answer,) = volition(
        "check", MANUFACTURING, "--set", "pe=0.2", "-p", "Pmax=? [ F (PS1 & PS2) ]", "--json"
    ).document["properties"]
    assert answer["value"] == pytest.approx(0.8**4, abs=1e-9)


def test_exact_and_float(volition: Volition) -> None:
    best = ("check", MANUFACTURING, "-p", "Pmax=? [ F (PS1 & PS2) ]", "--json")
    assert volition(*best, "--exact").document["properties"][0]["exact"] == "6561/10000"
    approximate = volition(*best, "--float").document["properties"][0]
    assert "exact" not in approximate
    assert approximate["value"] == pytest.approx(0.6561, abs=1e-9)


# --- wrong input ----------------------------------------------------------------------------------


def test_all_mistakes_in_formulas_are_shown_at_once(volition: Volition) -> None:
    ended = volition("check", VACUUM, "-p", "A [ F (B(c1) & ]", "-p", "A [ F ")
    assert ended.exit_code == 2
    assert ended.out == ""
    assert ended.err.count("error[LOG") == 2
    assert "^" in ended.err


def test_mistakes_are_data_too(volition: Volition) -> None:
    ended = volition("check", VACUUM, "-p", "A [ F stalld ]", "--json")
    assert ended.exit_code == 2
    (diagnostic,) = ended.document["diagnostics"]
    assert diagnostic["severity"] == "error"
    assert diagnostic["line"] == 1
    assert "stalled" in diagnostic["hint"]


def test_a_missing_property_file(volition: Volition, tmp_path: Path) -> None:
    ended = volition("check", VACUUM, "--props", tmp_path / "none.props")
    assert ended.exit_code == 2
    assert "LNG001" in ended.err


@pytest.mark.parametrize("pair", ["pe", "=0.2", ""])
def test_a_setting_that_is_none(volition: Volition, pair: str) -> None:
    ended = volition("check", MANUFACTURING, "--set", pair)
    assert ended.exit_code == 2
    assert "key=value" in ended.err


def test_a_setting_that_the_program_does_not_know(volition: Volition) -> None:
    ended = volition("check", MANUFACTURING, "--set", "pee=0.2")
    assert ended.exit_code == 2
    assert "did you mean 'pe'" in ended.err


def test_runs_can_be_read_in_a_narrow_terminal(
    volition: Volition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step of a LISA agent has several places in its sources, below each other: they leave room
    for what happens."""
    monkeypatch.setenv("COLUMNS", "80")
    out = volition(
        "check", EXAMPLES / "lisa" / "pipeline_drone", "-p", 'A [ G !Bel("Leak documented") ]'
    ).out
    assert "start plan 7: +^[Wind was checked]" in out
    assert max(map(len, out.splitlines())) <= 80


# --- who answers, and what else is asked ----------------------------------------------------------


def test_engines(volition: Volition) -> None:
    ended = volition("check", VACUUM, "-p", CLEAN, "--engine", "cross")
    assert ended.exit_code == 1
    assert "Storm agrees" in ended.out
    assert volition("check", VACUUM, "-p", CLEAN, "--engine", "storm").exit_code == 1
    assert "CHK090" in volition("check", MANUFACTURING, "--engine", "native").err


def test_generic_properties_come_on_top(volition: Volition) -> None:
    breakfast = EXAMPLES / "can" / "breakfast.can"
    names = [
        each.get("name")
        for each in volition("check", breakfast, "--generic", "--json").document["properties"]
    ]
    assert names[0] == "coffee, at best"
    assert names[-4:] == [
        "always ends in success",
        "can end in success",
        "always ends in failure",
        "can end in failure",
    ]
    assert "CHK094" in volition("check", VACUUM, "--generic").err


@pytest.mark.skipif(
    shutil.which("spin") is None or shutil.which("cc") is None, reason="Spin needs spin and cc"
)
def test_spin_answers_for_agentspeak(volition: Volition, tmp_path: Path) -> None:
    """An agent presses a button, knows that it did, and is done."""
    (tmp_path / "worker.asl").write_text("!work.\n+!work : true <- press; +done.\n")
    (tmp_path / "button.world").write_text(
        "percept pressed\naction press by Agent\n    when true\n    do add pressed\n"
    )
    (tmp_path / "small.mas").write_text("agent worker = worker.asl\nworld = button.world\n")
    ended = volition(
        "check",
        tmp_path,
        "-p",
        "<> Bel(worker, done)",
        "-p",
        "[] !Does(worker, press)",
        "--engine",
        "cross",
    )
    assert ended.out.count("Spin agrees") == 2
    assert ended.exit_code == 1
    ended = volition("check", tmp_path, "-p", "[] !Does(worker, press)", "--engine", "spin")
    assert "requests press" in ended.out
    assert "incomplete" not in ended.out


def test_what_spin_cannot_answer(volition: Volition) -> None:
    ended = volition("check", VACUUM, "-p", CLEAN, "--engine", "spin")
    assert ended.exit_code == 2
    assert "CHK092" in ended.err


def test_what_is_wrong_with_one_property_is_said_beside_the_answers_to_the_others(
    volition: Volition,
) -> None:
    ended = volition(
        "check",
        EXAMPLES / "can" / "rescue.can",
        "-p",
        "Pmax=? [ F Bel(rescued) ]; E [ F Bel(nonsense) ]",
        "--json",
    )
    assert ended.exit_code == 2
    assert [each["value"] for each in ended.document["properties"]] == [0.992]
    assert [each["code"] for each in ended.document["diagnostics"]] == ["CAN060"]


RETRYING = """
// Parameters
q = 1e-6
// External events
e
// Plan library
e : true <- goal(end, try, false).
// Actions description
try : true <- q: <{},{won, end}> + 2 * q: <{},{lost, end}> + 1 - 3 * q: <{},{}>
// Rewards
tries : try = 1.
"""


def test_numbers_of_any_size(volition: Volition, tmp_path: Path) -> None:
    """Fractions of more digits than Python likes to print, and rewards that no floating point
    number is large enough for."""
    program = tmp_path / "retrying.can"
    program.write_text(RETRYING)
    long = json.loads(
        volition("check", program, "-p", "P=? [ F<=3000 won ]", "--exact", "--json").out
    )["properties"][0]
    above, below = long["exact"].split("/")
    assert len(below) > 4300
    assert long["value"] == pytest.approx(
        int(above[:15]) / int(below[:15]) * 10.0 ** (len(above) - len(below))
    )
    assert (
        "0.001494641268" in volition("check", program, "-p", "P=? [ F<=3000 won ]", "--exact").out
    )
    large = ("check", program, "--set", "q=1e-320", "-p", "R=? [ F end ]", "-p", "R>=5 [ F end ]")
    shown = volition(*large)
    assert "3.333333333e+319" in shown.out
    assert "holds" in shown.out
    assert (
        json.loads(volition(*large, "--json").out)["properties"][0]["value"] == "3.333333333e+319"
    )
    rounded = volition(*large, "--float")
    assert rounded.exit_code == 3
    assert "use exact arithmetic" in rounded.out
    fronts = volition(
        "pareto", program, "--set", "q=1e-320", "-p", "Rmin=? [ F end ]", "-p", "Pmax=? [ F won ]"
    )
    assert "more than 1e308" in fronts.out + fronts.err

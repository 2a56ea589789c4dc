"""State spaces in files: every question gets the answer that the program gets, and what does not
fit is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import volition
from volition.diagnostics import InputError
from volition.kernel import Choice, Component, SlotView, System

EXAMPLES = Path(__file__).parents[2] / "examples"
RESCUE, ROVER = EXAMPLES / "can" / "rescue.can", EXAMPLES / "can" / "rover.can"
SUCCESS, CHEAPLY = "Pmax=? [ F Bel(rescued) ]", 'R{"cost"}min=? [ F Bel(rescued) ]'


def saved(program: Any, path: Path, **options: Any) -> Path:
    volition.save_space(volition.explore(program, **options), path)
    return path


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.code


@pytest.mark.parametrize(
    "program",
    [
        "can/smart_manufacturing.can",
        "dribble/vacuum.dribble",
        "agentspeak/contract_net",
        "gwendolen/lucky_dip",
        "can/rover.can",
    ],
)
def test_a_saved_space_gives_the_answers_of_its_program(tmp_path: Path, program: str) -> None:
    # All that the properties ask about is remembered.
    path = saved(
        EXAMPLES / program,
        tmp_path / "space.vsp",
        formulas=list(volition.load(EXAMPLES / program).properties),
    )
    report, expected = volition.check(path), volition.check(EXAMPLES / program, reduce="off")
    assert [(each.verdict.holds, each.verdict.value, each.as_expected) for each in report] == [
        (each.verdict.holds, each.verdict.value, each.as_expected) for each in expected
    ]
    for answer, other in zip(report, expected, strict=True):
        annotated, elsewhere = volition.annotated_run(answer), volition.annotated_run(other)
        if (
            elsewhere is None or len(expected.models) > 1
        ):  # there the program has a smaller model for some of them
            assert (annotated is None) == (elsewhere is None)
        else:
            assert annotated is not None
            assert [str(step) for step in annotated.steps] == [
                str(step) for step in elsewhere.steps
            ]


def test_nothing_is_explored_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(RESCUE, tmp_path / "rescue.vsp")

    def explored(*_: Any, **__: Any) -> None:
        raise AssertionError("explored again")

    for module in ("checking.check", "checking.explored_model", "checking.graph.on_the_fly"):
        for name in ("explore", "explore_further"):
            monkeypatch.setattr(f"volition.{module}.{name}", explored, raising=False)
    assert volition.check(path, SUCCESS)[0].verdict.value is not None
    assert volition.strategy(path, SUCCESS).answer.verdict.value is not None
    assert volition.simulate_strategy(path, SUCCESS, runs=10).runs == 10
    assert len(volition.pareto(path, [SUCCESS, CHEAPLY]).corners)
    assert len(volition.mission(path, SUCCESS))
    assert (
        volition.export(path, "umb").states
        == volition.export(path, "dot").states
        == len(volition.load_space(path))
    )


def test_its_program_is_there_too(tmp_path: Path) -> None:
    path = saved(RESCUE, tmp_path / "rescue.vsp")
    assert [table.rows for table in volition.show(path)] == [
        table.rows for table in volition.show(RESCUE)
    ]
    recorded = volition.trace(volition.check(RESCUE, "A [ F false ]")[0])
    assert recorded is not None
    assert volition.replay(recorded, path).possible
    assert volition.simulate(path, SUCCESS, runs=20, num_schedulers=2, jobs=1).runs == 20
    assert next(iter(volition.test(path))).passed
    # It is read as it was, wherever its file is now, and its places are told as they were.
    assert volition.show(path).program.sources[0].name == str(RESCUE)


def test_settings_are_kept(tmp_path: Path) -> None:
    path = saved(
        EXAMPLES / "can" / "smart_manufacturing.can", tmp_path / "space.vsp", settings={"pe": "0.5"}
    )
    best = "Pmax=? [ F (PS1 & PS2) ]"
    given = volition.check(
        EXAMPLES / "can" / "smart_manufacturing.can", best, settings={"pe": "0.5"}
    )
    assert volition.check(path, best)[0].verdict.value == given[0].verdict.value
    assert code_of(lambda: volition.check(path, best, settings={"pe": "0.1"})) == "API004"


def test_what_states_do_not_remember_is_refused(tmp_path: Path) -> None:
    program = EXAMPLES / "dribble" / "vacuum.dribble"
    query = "E [ F Does(mR) ]"
    plain, remembering = (
        saved(program, tmp_path / "plain.vsp"),
        saved(program, tmp_path / "does.vsp", formulas=query),
    )
    assert code_of(lambda: volition.check(plain, query)) == "SPC007"
    assert (
        volition.check(remembering, query)[0].verdict.holds
        == volition.check(program, query)[0].verdict.holds
    )
    assert (
        volition.check(remembering)[0].verdict.holds == volition.check(program)[0].verdict.holds
    )  # and what it asks for besides
    assert code_of(lambda: volition.check(remembering, "E [ F Does(cR) ]")) == "SPC007"


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("can/vacuum.can", "suck"),
        ("jason/room", "keeper, unlock(gate)"),
        ("gwendolen/lucky_dip", "child, dip(_)"),
        ("lisa/ferry", '"Cross open water"'),
    ],
)
def test_no_language_answers_what_its_saved_states_do_not_remember(
    name: str, action: str, tmp_path: Path
) -> None:
    path = saved(EXAMPLES / name, tmp_path / "space.vsp", max_states=300)
    assert code_of(lambda: volition.check(path, f"E [ F Does({action}) ]")) == "SPC007"


def test_a_part_stays_a_part(tmp_path: Path) -> None:
    path = saved(ROVER, tmp_path / "part.vsp", max_states=50)
    space = volition.load_space(path)
    assert not space.complete
    report = volition.check(path, ["A [ G !false ]", "Pmax=? [ F SS1 ]"])
    assert all(answer.verdict.unknown for answer in report)
    whole = volition.explore(path)  # goes on
    assert (len(whole), whole.complete) == (len(volition.explore(ROVER)), True)
    assert len(space) == len(volition.load_space(path))


def test_a_changed_program_is_told_and_the_old_one_asked(tmp_path: Path) -> None:
    program = tmp_path / "rescue.can"
    program.write_text(RESCUE.read_text())
    path = saved(program, tmp_path / "rescue.vsp")
    before = volition.check(path, SUCCESS)[0].verdict.value
    program.write_text("// Plan library\n")
    report = volition.check(path, SUCCESS)
    assert (report[0].verdict.value, [each.code for each in report.warnings]) == (
        before,
        ["SPC009"],
    )
    assert [each.code for each in volition.strategy(path, SUCCESS).warnings] == ["SPC009"]
    program.unlink()
    assert not volition.check(path, SUCCESS).warnings


def test_what_needs_the_program_refuses_its_states(tmp_path: Path) -> None:
    path = saved(EXAMPLES / "can" / "vacuum.can", tmp_path / "vacuum.vsp")
    assert code_of(lambda: volition.sweep(path, "charge=1,2")) == "API004"
    assert (
        code_of(lambda: volition.closed_form(path, "charge=1:2:1", "Pmax=? [ F tidied ]"))
        == "API004"
    )
    assert code_of(lambda: volition.check(path, slice=True)) == "API004"
    assert code_of(lambda: volition.initial_belief_bases(path)) == "API004"
    assert code_of(lambda: volition.explore(path, formulas="A [ F empty ]")) == "API004"


def test_files_are_not_overwritten(tmp_path: Path) -> None:
    path = saved(RESCUE, tmp_path / "rescue.vsp")
    space = volition.load_space(path)
    assert code_of(lambda: volition.save_space(space, path)) == "SPC008"
    volition.save_space(space, path, overwrite=True)
    assert len(volition.load_space(path)) == len(space)
    assert code_of(lambda: volition.save_space(space, tmp_path / "rescue.json")) == "SPC011"
    assert (
        code_of(lambda: volition.save_space(space, tmp_path / "missing" / "rescue.vsp")) == "SPC010"
    )


def test_a_reduced_space_is_not_saved(tmp_path: Path) -> None:
    answer = volition.check(
        EXAMPLES / "agentspeak" / "contract_net", "A [ G !false ]", reduce="static"
    )[0]
    assert answer.exploration.space.reduction is not None
    assert (
        code_of(lambda: volition.save_space(answer.exploration.space, tmp_path / "reduced.vsp"))
        == "SPC004"
    )


# --- systems of one's own -------------------------------------------------------------------------


def counting(maximum: int, step: int = 1) -> System:
    def count(view: SlotView) -> list[Choice]:
        return [Choice("count", [(1, {"n": min(maximum, view["n"] + step)})])]

    return System({"n": 0}, [Component("counter", count)])


def test_a_system_is_given_again(tmp_path: Path) -> None:
    path = saved(counting(5), tmp_path / "counting.vsp")
    assert code_of(lambda: volition.check(path, "A [ F full ]")) == "SPC006"
    space = volition.load_space(path, counting(5), labels={"full": lambda state: state["n"] == 5})
    assert volition.check(space, "A [ F full ]")[0].verdict.holds
    assert code_of(lambda: volition.load_space(path, counting(5, step=2))) == "SPC005"


# --- hostile files --------------------------------------------------------------------------------


def forged(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The same file with another header, by somebody who can compute checksums."""
    from volition.kernel.array_file import encode, open_array_file

    container = open_array_file(path)
    header = json.loads(json.dumps(container.header))
    del header["sections"]
    change(header)
    target = path.with_name("forged.vsp")
    target.write_bytes(b"".join(encode(header, container.arrays)))
    return target


@pytest.mark.parametrize(
    "name", ["../evil.can", "/etc/evil.can", "a/../../evil.can", "", "a\\b.can", "C:evil.can"]
)
def test_no_file_is_unpacked_outside(tmp_path: Path, name: str) -> None:
    path = saved(RESCUE, tmp_path / "rescue.vsp")

    def rename(header: dict[str, Any]) -> None:
        header["program"]["path"] = header["program"]["files"][0]["path"] = name

    assert code_of(lambda: volition.load_space(forged(path, rename))) == "SPC003"


@pytest.mark.parametrize(
    "part", ["program", "observed", "slots", "states", "stopped", "values", "volition"]
)
@pytest.mark.parametrize("value", [7, "x", ["G"], {}])
def test_a_strange_header_is_refused(tmp_path: Path, part: str, value: object) -> None:
    path = forged(
        saved(RESCUE, tmp_path / "rescue.vsp"), lambda header: header.update({part: value})
    )
    if part == "volition" and value == "x":  # another version: its first steps are compared
        assert len(volition.load_space(path))
    else:
        assert code_of(lambda: volition.load_space(path)) in ("SPC003", "SPC005")


def test_a_forged_program_is_noticed(tmp_path: Path) -> None:
    def forge(header: dict[str, Any]) -> None:
        header["program"]["files"][0]["text"] += "\n// x"

    assert (
        code_of(lambda: volition.load_space(forged(saved(RESCUE, tmp_path / "rescue.vsp"), forge)))
        == "SPC003"
    )


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_finite_is_refused(tmp_path: Path, number: float) -> None:
    path = forged(
        saved(RESCUE, tmp_path / "rescue.vsp"),
        lambda header: header.update(slot_values={"rescued": [number]}),
    )
    assert code_of(lambda: volition.load_space(path)) == "SPC003"


# --- files that a saved space names ---------------------------------------------------------------


def warnings_of(path: Path) -> list[str]:
    return [each.code for each in volition.check(path, SUCCESS).warnings]


@pytest.mark.parametrize("link", [False, True])
def test_files_elsewhere_are_not_compared(tmp_path: Path, link: bool) -> None:
    """A file names the folder that its program came from: only what lies beside the file itself, or
    below that, is compared."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    (elsewhere / "rescue.can").write_text("something private")
    if link:
        (home / "sub").symlink_to(elsewhere)
    path = forged(
        saved(RESCUE, home / "rescue.vsp"),
        lambda header: header["program"].update(folder=str(home / "sub" if link else elsewhere)),
    )
    assert warnings_of(path) == []


def test_a_folder_that_cannot_exist_has_no_changed_files(tmp_path: Path) -> None:
    path = forged(
        saved(RESCUE, tmp_path / "rescue.vsp"),
        lambda header: header["program"].update(folder=str(tmp_path / ("x" * 5000))),
    )
    assert warnings_of(path) == []


def test_a_large_file_has_changed_without_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "rescue.can"
    program.write_text(RESCUE.read_text())
    path = saved(program, tmp_path / "rescue.vsp")
    with program.open("r+b") as file:
        file.truncate(2**40)
    read_text = Path.read_text
    monkeypatch.setattr(
        Path,
        "read_text",
        lambda self, *a, **k: pytest.fail("read") if self == program else read_text(self, *a, **k),
    )
    assert warnings_of(path) == ["SPC009"]


@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf"])
def test_ends_of_lines_are_not_changes(tmp_path: Path, prefix: bytes) -> None:
    program = tmp_path / "rescue.can"
    program.write_bytes(RESCUE.read_bytes())
    path = saved(program, tmp_path / "rescue.vsp")
    program.write_bytes(prefix + RESCUE.read_bytes().replace(b"\n", b"\r\n"))
    assert warnings_of(path) == []

"""What is written twice, is unknown, matches nothing or is left over is an error or at least a
warning, in every section."""

from __future__ import annotations

import pytest

from volition.diagnostics import Diagnostic, InputError, Source
from volition.languages.can.program import parse

PROGRAM = """
// Parameters
p = 0.5
// Initial belief bases
x = 1, ready
// External events
go, stay
// Plan library
go : ready <- goal(done, work, false).
stay : true <- +calm |> rest.
work : x > 0 <- act; tidy.
work : x = 0 <- rest.
// Actions description
act : true <- p: <{ready},{done, x := 0}> + 1 - p: <{},{}>
tidy : true <- <{},{clean}>
rest : true <- <{},{x := x + 1}>
// Background
x > 3 <- x := 3.
// Labels
over : finished(go) & clean & calm.
// Rewards
cost : act = 2, rest = 1.
// Policies
update : finished.
// Decisions
turn : go when waiting(go).
step : go by "select plan 3 for work" when left(go, "goal(done, work:(3, 4) |> work, false) |> go:()").
// Properties
Pmax=? [ F done ]
"""  # noqa: E501


def found(old: str, new: str) -> list[Diagnostic]:
    """Everything that is said about the program with one change."""
    assert old in PROGRAM
    try:
        return list(parse(Source("p.can", PROGRAM.replace(old, new, 1)), "p", {}).warnings)
    except InputError as error:
        return list(error.diagnostics)


def test_the_program_itself_is_in_order() -> None:
    assert found("p = 0.5", "p = 0.5") == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("p = 0.5", "p = 0.5, p = 0.6", "LNG010"),
        ("p = 0.5", "p = 0.5, q = 0.6", "CAN048"),
        ("x = 1,", "x = 1, x = 2,", "CAN034"),
        ("x = 1, ready", "x = 1, ready, ready", "CAN034"),
        ("x = 1,", "x = 1, unused,", "CAN048"),
        ("x = 1,", "x = 1, y = 2,", "CAN048"),
        ("work : x = 0 <- rest.", "work : x = 0 <- rest.\n" * 2, "CAN049"),
        ("tidy : true <- <{},{clean}>", "tidy : true <- <{},{clean}>\n" * 2, "CAN024"),
        ("{done, x := 0}", "{done, x := 0, x := 2}", "CAN034"),
        ("{done, x := 0}", "{done, done, x := 0}", "CAN034"),
        ("<{ready},", "<{ready, ready},", "CAN034"),
        ("x > 3 <- x := 3.", "x > 3 <- x := 3, x := 2.", "CAN034"),
        ("x > 3 <- x := 3.", "x > 3 <- x := 3, +calm, -calm.", "CAN034"),
        ("x > 3 <- x := 3.", "x > 3 <- x := 3.\nx > 3 <- x := 3.", "CAN049"),
        ("over :", "over : clean.\nover :", "CAN024"),
        ("over :", "failure :", "CAN035"),
        ("over :", "no_failure :", "CAN035"),
        ("over :", "empty :", "CAN035"),
        ("over :", "deadlock :", "CAN035"),
        ("over :", "G :", "CAN047"),
        ("over :", "true :", "CAN047"),
        ("<{ready},", "<{redy},", "CAN040"),
        ("<{},{clean}>", "<{clean},{clean}>", "CAN052"),
        ("1 - p: <{},{}>", "1 - p: <{ready},{done, x := 0}>", "CAN049"),
        ("tidy : true", "tidy : ready & !ready", "CAN042"),
        ("x > 3 <- x := 3.", "x > 3 & x < 2 <- x := 3.", "CAN042"),
        ("cost : act = 2, rest = 1.", "cost : act = 2.\nCost : rest = 1.", "LNG009"),
        ("{clean}>", "{clean, Done}>", "LNG009"),
        ("// Rewards", "// Labels\n// Rewards", "CAN007"),
        ("// Properties", "// Properties\n// Properties", "CAN007"),
        ("cost : act = 2,", "cost : act = 2, act = 3,", "CAN034"),
        ("cost : act = 2, rest = 1.", "cost : act = 2.\ncost : rest = 1.", "CAN024"),
        ("cost : act = 2,", "cost : acr = 2,", "CAN030"),
        ("update : finished.", "update : finished foo = 3, 17.", "CAN032"),
        ("update : finished.", "update : finished.\nupdate : stuck.", "LNG010"),
        ("update : finished.", "update : finished.\nplans : fixed.\nplans : fixed 2.", "LNG010"),
        ("update : finished.", "plans : fixed 2, 2.", "CAN039"),
        ("turn : go when waiting(go).", "turn : go when waiting(go).\n" * 2, "CAN049"),
        ("turn : go", "turn : gp", "CAN031"),
        ("select plan 3 for work", "select plan 3 for wrok", "CAN036"),
        ("select plan 3 for work", "select plan 2 for stay", "CAN036"),
        ("select plan 3 for work", "select plan 3  for work", "CAN036"),
        ("select plan 3 for work", "select plan 3 for work, as plan 9 failed", "CAN036"),
        ("select plan 3 for work", "select plan 3 for work [A_step(1) selec(3)]", "CAN036"),
        ("goal(done, work:(3, 4)", "goal(done, wrok:(3, 4)", "CAN036"),
        ("goal(done, work:(3, 4)", "goal(dome, work:(3, 4)", "CAN036"),
        ("goal(done, work:(3, 4)", "goal(done, work:(3, 1)", "CAN036"),
        ("|> go:()", "|>  go:()", "CAN036"),
        ("|> go:()", "|> go:(", "CAN036"),
        ("|> go:()", "|> calm", "CAN036"),
    ],
)
def test_a_mutant_is_noticed(old: str, new: str, code: str) -> None:
    said = found(old, new)
    assert code in [each.code for each in said], [each.message for each in said]
    assert all(each.span is not None for each in said)


@pytest.mark.parametrize(
    "text",
    [
        "adopt event go", "drop blocked intention go", "remove finished intention go", "look for plans for work", "pursue goal done",  # noqa: E501
        "achieve goal done", "try again for goal done", "give up goal done", "act act", "complete plan 4", "set x := 0",  # noqa: E501
        "select plan 4 for work, as plan 3 failed", "act tidy, as plan 3 failed, as plan 1 failed", "act act [A_step(1) ▷; G; ; act_p]",  # noqa: E501
    ],
)  # fmt: skip
def test_what_a_run_says_may_be_written(text: str) -> None:
    wrong = [each for each in found("select plan 3 for work", text) if each.code == "CAN036"]
    assert (wrong == []) == (text != "set x := 0"), "no plan of 'go' sets x, only actions do"


def test_the_hint_names_the_step_that_was_meant() -> None:
    (error,) = found("select plan 3 for work", "select plan 3 for wrok")
    assert error.hint == "did you mean 'select plan 3 for work'?"

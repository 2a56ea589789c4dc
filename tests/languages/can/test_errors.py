"""Mistakes are found, all at once, each with its place and, where there is one, a way out."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.languages.can.small import agent, errors, program
from volition import check
from volition.diagnostics import Diagnostic, InputError, Source
from volition.kernel import Limits, explore
from volition.languages.can import parse


@dataclass(frozen=True)
class Mistake:
    """A program with a mistake: the code, the characters that are marked, and words of the message
    and of the hint."""

    code: str
    text: str
    marked: str
    message: str
    hint: str = ""

    def matches(self, found: Diagnostic) -> bool:
        return (
            found.code == self.code
            and found.span is not None
            and found.span.text == self.marked
            and self.message in found.message
            and self.hint in (found.hint or "")
        )


MOVE = "move : true <- <{},{moved}>"

WRONG = [
    Mistake("CAN001", agent("move move", actions=MOVE), "move", "unexpected 'move'", "';'"),
    Mistake(
        "CAN002", "at_home\n" + agent("+b"), "at_home", "before the first section", "Plan library"
    ),
    Mistake("CAN002", "at_home", "at_home", "before the first section", "Plan library"),
    Mistake("CAN002", "", "", "no section", "Plan library"),
    Mistake("CAN004", agent("+b", beliefs="flood : <4, 2>"), "flood : <", "not supported"),
    Mistake(
        "CAN006",
        agent("+b", rest="// Properties\nIn no executions, b holds."),
        "In no executions, b holds.",
        "unknown kind of property",
        "In some",
    ),
    Mistake("CAN010", agent("?3 + 4"), "3 + 4", "expected a condition", "compare"),
    Mistake("CAN011", agent("x := (b & c)", beliefs="x = 0"), "b & c", "expected a number"),
    Mistake(
        "CAN017",
        agent("x := maxi(x, 1)", beliefs="x = 0"),
        "maxi(x, 1)",
        "unknown function 'maxi'",
        "did you mean 'max'?",
    ),
    Mistake(
        "CAN012", agent("x := min(x)", beliefs="x = 0"), "min(x)", "at least 2 arguments, got 1"
    ),
    Mistake("CAN013", agent("?finished(go)"), "finished(go)", "only allowed in labels"),
    Mistake(
        "CAN014",
        agent("+b", rest="// Rewards\nr : select(b & c) = 1."),
        "select(b & c)",
        "a single name or number",
    ),
    Mistake(
        "CAN015",
        agent("+b", rest="// Policies\nplan : fixed."),
        "plan",
        "unknown policy 'plan'",
        "did you mean 'plans'?",
    ),
    Mistake(
        "CAN015",
        agent("+b", rest="// Policies\nplans : fixd."),
        "fixd",
        "unknown kind of policy",
        "did you mean 'fixed'?",
    ),
    Mistake(
        "CAN015",
        agent("+b", rest="// Policies\nupdate : never."),
        "never",
        "unknown update policy",
        "finished",
    ),
    Mistake(
        "CAN020",
        agent("move", beliefs="move", actions=MOVE),
        "move",
        "used as a belief here and as an action in line",
    ),
    Mistake("CAN020", agent("+go"), "+go", "used as a belief here and as an event in line"),
    Mistake(
        "CAN020",
        agent("?x", beliefs="x = 3"),
        "x",
        "as a belief here and as a numeric belief",
        "compare",
    ),
    Mistake(
        "CAN020",
        agent("+b", rest="// Labels\nb : true."),
        "+b",
        "used as a belief here and as a label",
    ),
    Mistake(
        "CAN021",
        agent("mvoe", actions=MOVE),
        "mvoe",
        "neither an action nor an event",
        "did you mean 'move'?",
    ),
    Mistake(
        "CAN022",
        agent("?deadlin > 1", beliefs="deadline = 3"),
        "deadlin",
        "is never assigned",
        "did you mean 'deadline'?",
    ),
    Mistake(
        "CAN022",
        agent("x := x-y", beliefs="x = 1, y = 1"),
        "x-y",
        "is never assigned",
        "spaces around '-'",
    ),
    Mistake("CAN023", agent("x := 3"), "x := 3", "no initial value", "add 'x = 0'"),
    Mistake(
        "CAN023",
        agent("?x > 1", beliefs="1. x = 3\n2. b"),
        "x = 3",
        "no initial value in belief base 2",
    ),
    Mistake(
        "CAN024", agent("move", actions=f"{MOVE}\n{MOVE}"), MOVE, "declared twice, first in line 9"
    ),
    Mistake(
        "LNG010",
        agent("+b", rest="// Policies\nplans : fixed.\nplans : round-robin."),
        "plans : round-robin.",
        "'plans' is set twice",
        "first in line 11",
    ),
    Mistake(
        "CAN025",
        agent("move", beliefs="x = 1", actions="move : true <- x: <{},{}>"),
        "x",
        "probability of an outcome cannot depend on 'x'",
    ),
    Mistake(
        "CAN025",
        agent("+b", rest="// Parameters\np = q, q = 1"),
        "q",
        "'p' cannot depend on 'q'",
        "declared earlier",
    ),
    Mistake("CAN025", agent("x := 1 / x", beliefs="x = 1"), "x", "a divisor cannot depend on 'x'"),
    Mistake(
        "CAN026",
        agent("x := x / (n - n)", beliefs="x = 1", rest="// Parameters\nn = 1"),
        "x / (n - n)",
        "division by zero",
    ),
    Mistake("CAN026", agent("+b", rest="// Parameters\nn = 1 / 0"), "1 / 0", "divides by zero"),
    Mistake(
        "CAN027",
        agent("move", actions="move : true <- 0.5: <{},{a}> + 0.4: <{},{}>"),
        "move : true <- 0.5: <{},{a}> + 0.4: <{},{}>",
        "sum to 0.9",
    ),
    Mistake(
        "CAN028",
        agent("move", actions="move : true <- 1.5: <{},{a}> + -0.5: <{},{}>"),
        "-0.5",
        "-0.5 is not a probability",
    ),
    Mistake("CAN029", agent("+b; nil"), "nil", "not allowed in a sequence", "remove it"),
    Mistake(
        "CAN030",
        agent("move", actions=MOVE, rest="// Rewards\nr : moev = 1."),
        "moev",
        "neither an action nor a rule",
        "did you mean 'move'?",
    ),
    Mistake(
        "CAN030",
        agent("+b", rest="// Rewards\nr : select(2) = 1."),
        "select(2)",
        "unknown rule 'select(2)'",
    ),
    Mistake(
        "CAN030",
        agent("+b", rest="// Rewards\nr : A_event(goo) = 1."),
        "A_event(goo)",
        "unknown rule 'A_event(goo)'",
        "did you mean 'go'?",
    ),
    Mistake(
        "CAN031",
        agent("+b", rest="// Labels\nl : finished(goo)."),
        "finished(goo)",
        "not an external event",
        "did you mean 'go'?",
    ),
    Mistake(
        "CAN037", agent("+b", rest="// Policies\nplans : fixed 1, 7."), "7", "unknown plan '7'"
    ),
    Mistake(
        "CAN037",
        agent("+b", rest="// Policies\nevents : fixed goo."),
        "goo",
        "unknown external event 'goo'",
        "did you mean 'go'?",
    ),
    Mistake("CAN039", agent("+b", rest="// Policies\nevents : fixed go, 1."), "go", "duplicate"),
    Mistake(
        "CAN032",
        agent("+b", rest="// Policies\nevents : fixed go = 0.5."),
        "go = 0.5",
        "cannot have probabilities",
    ),
    Mistake(
        "CAN032",
        agent("+b", rest="// Policies\nevents : nondeterministic go."),
        "go",
        "cannot have an order",
    ),
    Mistake(
        "CAN038",
        agent("+b", rest="// Policies\nevents : probabilities go = 0."),
        "go = 0",
        "a positive probability",
    ),
    Mistake(
        "CAN038",
        agent("+b", rest="// Plans\ngo : true <- +c.\n// Policies\nplans : probabilities 1 = 0.5."),
        "probabilities 1 = 0.5",
        "plan 2 has no probability",
    ),
    Mistake(
        "LOG016",
        agent("+b", rest="// Properties\n// RESULT: true\nA [ F b ] // RESULT: 1"),
        "// RESULT: 1",
        "already has an expected result",
    ),
    Mistake(
        "CAN033",
        agent("+b", rest="// Parameters\ninitial = 3"),
        "initial = 3",
        "cannot be called 'initial'",
    ),
]


@pytest.mark.parametrize("diagnostic", WRONG, ids=lambda error: f"{error.code} {error.message}")
def test_mistake(diagnostic: Mistake) -> None:
    found = errors(diagnostic.text)
    assert any(diagnostic.matches(each) for each in found), found


def test_a_number_that_grows_without_end() -> None:
    """Squared again and again, it would soon take longer to multiply than any time limit allows."""
    squaring = program(agent("goal(b, x := x * x, false)", beliefs="x = 10"))
    with pytest.raises(InputError) as caught:
        explore(squaring.model().system, limits=Limits(states=100_000))
    (found,) = caught.value.diagnostics
    assert (found.code, found.span and found.span.text) == ("CAN064", "x * x")


@pytest.mark.parametrize("number", ["1e5000", "1e999999999", "9" * 5000])
def test_numbers_of_any_length_are_refused(number: str) -> None:
    with pytest.raises(InputError, match="CAN051"):
        parse(Source("a.can", agent("+b", rest="// Parameters\nn = 1")), "a", {"n": number})
    assert errors(agent(f"?x > {number}", beliefs="x = 1"))


def test_two_belief_bases_with_one_number() -> None:
    assert [each.code for each in errors(agent("+b", beliefs="1. a\n1. b"))] == ["CAN005"]


def test_all_syntax_errors_at_once() -> None:
    text = """
// External events
go go
// Plan library
go : <- +b.
go : true <- +c.
go : true <- (+c.
// Actions description
act : true <- <{},>
fine : true <- <{},{}>
also : true < - <{},{}>
"""
    lines = [each.span.line for each in errors(text) if each.span]
    assert lines == [3, 5, 7, 9, 11]


def test_all_other_errors_at_once() -> None:
    text = agent(
        "mvoe; nil",
        beliefs="go",
        actions="move : true <- 0.5: <{},{}>",
        rest="// Labels\nl : finished(gone).",
    )
    assert {each.code for each in errors(text)} == {
        "CAN020",
        "CAN021",
        "CAN027",
        "CAN029",
        "CAN031",
    }


def test_misspelt_header_is_named_with_the_errors_that_it_causes() -> None:
    found = errors("// External events\ngo\n// Plan libary\ngo : true <- +b.")
    assert ("CAN003", "warning") in {(each.code, each.severity) for each in found}
    assert "CAN001" in {each.code for each in found}


def test_program_without_mistakes_has_none() -> None:
    assert not errors(agent("move", actions=MOVE))


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "code", "message", "hint"),
    [
        ({"pee": "0.2"}, "CAN050", "unknown setting 'pee'", "did you mean 'pe'?"),
        ({"udpate": "any"}, "CAN050", "unknown setting 'udpate'", "did you mean 'update'?"),
        ({"colour": "red"}, "CAN050", "unknown setting 'colour'", "expected one of pe, initial"),
        ({"pe": "much"}, "CAN051", "'pe' cannot be 'much'", "a number"),
        ({"pe": "1/0"}, "CAN051", "'pe' cannot be '1/0'", "a number"),
        ({"initial": "2"}, "CAN051", "'initial' cannot be '2'", "expected one of 1"),
        ({"update": "finish"}, "CAN051", "'update' cannot be 'finish'", "did you mean 'finished'?"),
        ({"plans": "fixed 9"}, "CAN037", "unknown plan '9'", ""),
        ({"plans": "ordered"}, "CAN015", "unknown kind of policy 'ordered'", "round-robin"),
        ({"plans": "fixed,"}, "CAN001", "unexpected ','", ""),
        ({"pe": "1.5"}, "CAN028", "1.5 is not a probability", ""),
    ],
)
def test_wrong_settings(settings: dict[str, str], code: str, message: str, hint: str) -> None:
    text = agent(
        "move",
        actions="move : true <- 1 - pe: <{},{moved}> + pe: <{},{}>",
        rest="// Parameters\npe = 0.1",
    )
    found = errors(text, **settings)
    assert any(
        each.code == code and message in each.message and hint in (each.hint or "")
        for each in found
    ), found


# --- warnings -------------------------------------------------------------------------------------

SUSPICIOUS = [
    Mistake(
        "CAN003",
        "// Externl events\n" + agent("+b"),
        "Externl events",
        "looks like a section header",
        "'// External events'",
    ),
    Mistake("CAN040", agent("?wrapd; +wrapped"), "wrapd", "never holds", "did you mean 'wrapped'?"),
    Mistake(
        "CAN056",
        agent("+wraped; ?wrapped", beliefs="wrapped"),
        "+wraped",
        "is added, but neither the program nor its own properties read it",
        "did you mean 'wrapped'?",
    ),
    Mistake(
        "CAN056",
        agent("+done", rest="// Properties\nF SS\n// Labels\nSS : finished(go)."),
        "+done",
        "is added, but neither the program nor its own properties read it",
    ),
    Mistake(
        "CAN056",
        agent("x := x + 1", beliefs="x = 0", rest="// Properties\nF empty"),
        "x := x + 1",
        "is changed, but neither the program nor its own properties read it",
    ),
    Mistake(
        "CAN041",
        "// Events\ngoo\n// Plans\ngo : true <- +b.",
        "goo",
        "event 'goo' has no plan",
        "did you mean 'go'?",
    ),
    Mistake(
        "CAN042",
        agent("+b", rest="// Plans\ngo : b & !b <- +b."),
        "b & !b",
        "plan 2 for 'go' can never apply",
    ),
    Mistake(
        "CAN042",
        agent(
            "+b; x := x + 1", beliefs="x = 0", rest="// Plans\ngo : x > 3 & x < 4 & x = 2 <- +b."
        ),
        "x > 3 & x < 4 & x = 2",
        "never apply",
    ),
    Mistake(
        "CAN042",
        agent("+b", beliefs="x = n", rest="// Parameters\nn = 3\n// Plans\ngo : x > n <- +b."),
        "x > n",
        "never apply",
    ),
    Mistake(
        "CAN042", agent("+b", beliefs="c", rest="// Plans\ngo : !c <- +b."), "!c", "never apply"
    ),
    Mistake(
        "CAN043",
        agent("+b", rest="// Plans\nother : true <- +b."),
        "other : true <- +b.",
        "nothing raises event 'other'",
    ),
    Mistake("CAN044", agent("+b", actions=MOVE), MOVE, "'move' is never used"),
    Mistake(
        "CAN045",
        agent("+b; sub", rest="// Plans\nsub : b <- -b; go."),
        "go : true <- +b; sub.",
        "go to sub to go",
    ),
    Mistake("CAN047", agent("+failure"), "+failure", "hides the built-in label"),
]


@pytest.mark.parametrize(
    "diagnostic", SUSPICIOUS, ids=lambda error: f"{error.code} {error.message}"
)
def test_warning(diagnostic: Mistake) -> None:
    found = program(diagnostic.text).warnings
    assert any(diagnostic.matches(each) for each in found), found


@pytest.mark.parametrize(
    "text",
    [
        agent("+done"),
        agent("+done", rest="// Properties\nF Bel(done)"),
        agent("+done", rest="// Labels\nover : done.\n// Properties\nF over"),
        agent("x := x + 1; y := x", beliefs="x = 0, y = 0", rest="// Properties\nF y = 1"),
    ],
)
def test_a_belief_that_may_be_asked_for_gets_no_warning(text: str) -> None:
    assert "CAN056" not in [each.code for each in program(text).warnings]


def test_no_external_event() -> None:
    assert [each.code for each in program("// Events\n").warnings] == ["CAN046"]


@pytest.mark.parametrize(
    "context",
    ["x > 3 & x < 4", "b | !b", "x > 3 | x < 1", "x + 1 > x", "b & !c", "x = 2 & !(x != 2)"],
)
def test_plan_that_may_apply(context: str) -> None:
    """Values between two thresholds count, and what cannot be decided is not reported."""
    text = agent("+b; -b; +c; -c; x := x + 0.5", beliefs="x = 0", plans=f"go : {context} <- +b.")
    assert not program(text).warnings


def test_recursion_is_reported_once() -> None:
    text = agent("sub", plans="go : true <- go.\nsub : true <- go.")
    assert [each.code for each in program(text).warnings] == ["CAN045"]


def test_recursion_without_end_is_an_error_and_no_crash() -> None:
    model = program(agent("go; +b")).model()
    with pytest.raises(InputError, match="the intention for event 'go' is nested too deeply"):
        explore(model.system)
    assert not explore(model.system, limits=Limits(states=50)).complete


def test_the_bound_on_plans_inside_of_each_other_is_a_setting() -> None:
    """A hundred and fifty events of which each raises the next one: no recursion, so that only the
    bound is in the way."""
    plans = (
        "".join(f"e{number} : true <- e{number + 1}.\n" for number in range(150))
        + "e150 : true <- +done.\n"
    )
    text = f"// External events\ne0\n// Plan library\n{plans}"
    with pytest.raises(InputError, match="more than 100 plans inside each other") as error:
        check(parse(Source("deep.can", text), "deep", {}), ["A [ F done ]"])
    assert error.value.diagnostics[0].hint is not None
    assert "the setting nesting=1000" in error.value.diagnostics[0].hint
    assert (
        check(parse(Source("deep.can", text), "deep", {"nesting": "200"}), ["A [ F done ]"])
        .answers[0]
        .verdict.holds
    )
    with pytest.raises(InputError, match="CAN051"):
        parse(Source("deep.can", text), "deep", {"nesting": "many"})


def test_a_comment_with_many_spaces_is_read() -> None:
    """The time grows with the length of the comment: with its cube, this test would not end."""
    program = agent(
        "+b", rest=f"//a{' ' * 100_000}b\n//{' ' * 100_000}: :\n// Labels : \nover : b."
    )
    assert not [each for each in errors(program) if each.severity == "error"]

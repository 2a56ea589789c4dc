"""A strategy written into its program: nothing is open any more, and the value is the one that the
strategy promises."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings

from tests.analysis.can_programs import EXAMPLES, SMART_MANUFACTURING, program
from tests.languages.can.random_programs import program_text, programs
from volition import InputError, check, load
from volition.analysis.synthesis.agent_program import embed_strategy
from volition.analysis.synthesis.synthesise import synthesise
from volition.diagnostics import Source
from volition.kernel import Limits, explore
from volition.languages.can import parse
from volition.languages.can.printing import agent_text


def realised_text(path: str, formula: str, **given: str) -> str:
    loaded = load(EXAMPLES / path, given)
    return embed_strategy(loaded, synthesise(loaded, formula)).sources[0].text


@pytest.mark.parametrize(
    ("path", "queries", "value"),
    [
        (
            "can/smart_manufacturing.can",
            ["Pmax=? [ F (PS1 & PS2) ]", "Pmin=? [ F (PS1 & PS2) ]", "P=? [ F (PS1 & PS2) ]"],
            "0.6561",
        ),
        (
            "can/smart_manufacturing.can",
            [
                "Pmax=? [ F (PS1 & PS2 & (Pch1 | Pch2)) ]",
                "Pmin=? [ F (PS1 & PS2 & (Pch1 | Pch2)) ]",
            ],
            "0.3969",
        ),
        (
            "can/rover.can",
            [
                'R{"distance"}min=? [ F (SS1 & SS2) ]',
                'R{"distance"}max=? [ F (SS1 & SS2) ]',
                "moves",
            ],
            "12",
        ),
        (
            "can/vacuum.can",
            ["Pmin=? [ F tidied ]", "Pmax=? [ F tidied ]", "P=? [ F tidied ]"],
            "0.75",
        ),
        ("can/breakfast.can", ["Pmax=? [ F served ]", "P=? [ F served ]"], "0.98"),
    ],
)
def test_program_gives_the_value_whoever_asks(path: str, queries: list[str], value: str) -> None:
    """Archibald et al., Sect. 4.2: 0.6561 and 0.3969; Sect. 4.3: 12 with the distances 3, 4 and
    5."""
    text = realised_text(path, queries[0])
    again = parse(Source("again.can", text), "again", {})
    report = check(again, [query for query in queries if "=?" in query])
    assert {answer.verdict.value for answer in report.answers} == {Fraction(value)}
    space = report.answers[0].exploration.space
    assert space.num_choices == space.num_states


def test_program_reads_back_as_it_was_printed() -> None:
    text = realised_text("can/rover.can", 'R{"distance"}min=? [ F (SS1 & SS2) ]')
    assert agent_text(parse(Source("again.can", text), "again", {}).agent) == text


def test_program_states_its_result() -> None:
    """The file is its own oracle: without questions it is checked against the value that the
    strategy promises."""
    again = parse(
        Source(
            "again.can", realised_text("can/smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]")
        ),
        "again",
        {},
    )
    (answer,) = check(again).answers
    assert answer.prop.expected == "0.6561"
    assert answer.as_expected


def test_settings_are_written_into_the_program() -> None:
    """(1 - pe)^4 with pe = 0.2, which only the setting said."""
    text = realised_text("can/smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]", pe="0.2")
    (answer,) = check(
        parse(Source("again.can", text), "again", {}), ["P=? [ F (PS1 & PS2) ]"]
    ).answers
    assert answer.verdict.value == Fraction("0.4096")


def test_equal_events_are_told_apart() -> None:
    twice = program("""
// External events
fetch, fetch
// Plan library
fetch : true <- grab.
// Actions description
grab : true <- 0.5: <{},{first}> + 0.5: <{first},{second}>
""")
    synthesis = synthesise(twice, "Pmax=? [ F (first & waiting2) ]".replace("waiting2", "Des(2)"))
    (answer,) = check(embed_strategy(twice, synthesis), ["P=? [ F (first & Des(2)) ]"]).answers
    assert answer.verdict.value == synthesis.answer.verdict.value


def test_policies_that_leave_only_plans_open() -> None:
    loaded = load(SMART_MANUFACTURING, {"events": "fixed", "intentions": "fixed"})
    synthesis = synthesise(loaded, "Pmax=? [ F PS1 ]")
    (answer,) = check(embed_strategy(loaded, synthesis), ["P=? [ F PS1 ]"]).answers
    assert answer.verdict.value == synthesis.answer.verdict.value == Fraction("0.81")


@pytest.mark.parametrize(
    ("path", "given", "formula", "code"),
    [
        (
            "agentspeak/contract_net",
            {},
            "Pmax=? [ !Bel(bert, call(paint)) U Bel(anna, call(paint)) ]",
            "CHK080",
        ),
        ("can/smart_manufacturing.can", {"events": "fixed"}, "Pmax=? [ F (PS1 & PS2) ]", "CAN070"),
    ],
)
def test_what_cannot_be_written(path: str, given: dict[str, str], formula: str, code: str) -> None:
    loaded = load(EXAMPLES / path, given)
    with pytest.raises(InputError) as raised:
        embed_strategy(loaded, synthesise(loaded, formula))
    assert [each.code for each in raised.value.diagnostics] == [code]


@settings(deadline=None, max_examples=6, suppress_health_check=list(HealthCheck))
@given(programs())
def test_random_programs_keep_their_values(described: object) -> None:
    """``realise`` asks the program again and raises if it attains another value."""
    random = parse(Source("random.can", program_text(described)), "random", {})  # type: ignore[arg-type]
    assume(explore(random.model().system, limits=Limits(states=200)).complete)
    for query in ("Pmax=? [ F failure ]", "Pmin=? [ F no_failure ]"):
        embed_strategy(random, synthesise(random, query))

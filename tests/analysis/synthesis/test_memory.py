"""Strategies that remember: tables that say so, and code that attains the value when it is followed
step by step."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.analysis.can_programs import program
from tests.analysis.synthesis.followed_strategies import SmallProgram, followed, with_ways_back
from tests.analysis.synthesis.test_python_code import executed
from tests.checking.properties import by_numbers
from tests.checking.random_mdps import SmallMdp, small_mdps
from volition import InputError
from volition.analysis.strategy_simulation import simulate
from volition.analysis.synthesis.agent_program import embed_strategy
from volition.analysis.synthesis.python_code import python_code
from volition.analysis.synthesis.synthesise import Synthesis, synthesise
from volition.checking.quantitative import optimal_strategies
from volition.logic import parse

SLOW_OR_FAST = """
// External events
go
// Plan library
go : true <- goal(done, try, lost).
try : true <- slow.
try : true <- fast.
// Actions description
slow : true <- 0.4: <{},{done}> + 0.6: <{},{}>
fast : true <- 0.6: <{},{done}> + 0.4: <{},{lost}>
"""
WITHIN_20 = "Pmax=? [ F<=20 done ]"


@pytest.fixture(scope="module")
def hurried() -> Synthesis:
    return synthesise(program(SLOW_OR_FAST), WITHIN_20)


def test_with_time_left_it_is_slow(hurried: Synthesis) -> None:
    """Three tries fit into twenty steps, and only the last one has nothing to lose: 1 - 0.6 * 0.6 *
    0.4."""
    assert hurried.answer.verdict.value == 1 - Fraction("0.6") * Fraction("0.6") * Fraction("0.4")
    (table,) = hurried.tables()
    assert [row[:2] for row in table.rows] == [
        ["with at least 10 steps left", "select plan 2 for try"],
        ["otherwise", "select plan 3 for try"],
    ]
    assert hurried.depends_on() == ("the steps left",)


def test_rows_tell_few_steps_in_words(hurried: Synthesis) -> None:
    (prop,) = hurried.as_json()["decisions"]
    assert [row["text"] for row in prop["rows"]] == ["with at least 10 steps left", "otherwise"]


def test_json_carries_the_memory(hurried: Synthesis) -> None:
    document = hurried.as_json()
    assert document["memory"] == {
        "kind": "steps left",
        "start": 20,
        "update": "one less with each step",
    }
    assert [state["view"]["memory"] for state in document["states"]] == [
        {"steps left": str(s["memory"])} for s in document["states"]
    ]
    assert {state["memory"] for state in document["states"]} == {5, 10, 15}


def test_a_program_has_no_words_for_it(hurried: Synthesis) -> None:
    with pytest.raises(InputError) as raised:
        embed_strategy(program(SLOW_OR_FAST), hurried)
    assert [each.code for each in raised.value.diagnostics] == ["CHK086"]


def test_too_many_steps_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal_strategies, "MAX_PRODUCT_SIZE", 100)
    with pytest.raises(InputError) as raised:
        synthesise(program(SLOW_OR_FAST), WITHIN_20)
    assert [each.code for each in raised.value.diagnostics] == ["CHK087"]


def test_simulation_follows_the_memory(hurried: Synthesis) -> None:
    answer = hurried.answer
    value = answer.verdict.value
    assert value is not None
    found = simulate(
        answer.exploration.model,
        answer.exploration.space,
        answer.prop.formula,
        strategy=hurried.strategy,
        runs=20_000,
        seed=1,
    )
    assert found.lower <= value <= found.upper
    assert found.undecided == 0


# --- random processes -----------------------------------------------------------------------------


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(
    small_mdps(),
    st.sampled_from(["max", "min"]),
    st.sampled_from(["F<={} b", "a U<={} b", "G<={} a"]),
    st.integers(1, 5),
)
def test_code_that_counts_steps_attains_the_value(
    mdp: SmallMdp, optimum: str, path: str, steps: int
) -> None:
    prop = path.format(steps)
    synthesis = synthesise(SmallProgram(mdp), f"P{optimum}=? [ {prop} ]", exact=True)
    chain = followed(mdp, executed(python_code(synthesis)))
    assert (
        by_numbers(chain, chain.explored(), parse(f"P=? [ {prop} ]"), exact=True).value
        == synthesis.answer.verdict.value
    )


BETWEEN_A_AND_B = SmallMdp(
    rows=(
        (({1: Fraction(1)}, 0), ({2: Fraction(1)}, 0)),
        (({0: Fraction(1)}, 0),),
        (({0: Fraction(1)}, 0),),
    ),
    labels=(frozenset(), frozenset("a"), frozenset("b")),
    earned_in=(0, 0, 0),
)
"""From the first state one goes to a (choice 0) or to b (choice 1), and comes back."""


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("F a & F b", [["as long as F b is due", "choice 1"], ["otherwise", "choice 0"]]),
        ("(F a) & (F b)", None),
        ("(G F a) & (G F b)", [["with a as the next goal", "choice 0"], ["otherwise", "choice 1"]]),
    ],
)
def test_first_one_then_the_other(path: str, texts: list[list[str]] | None) -> None:
    synthesis = synthesise(SmallProgram(BETWEEN_A_AND_B), f"Pmax=? [ {path} ]")
    (table,) = synthesis.tables()
    assert texts is None or [row[:2] for row in table.rows] == texts
    assert {row[1] for row in table.rows} == {"choice 0", "choice 1"}
    answer = synthesis.answer
    assert answer.verdict.value == 1
    ran = simulate(
        answer.exploration.model,
        answer.exploration.space,
        answer.prop.formula,
        strategy=synthesis.strategy,
        runs=100,
        seed=1,
    )
    assert (ran.estimate, ran.undecided) == (1, 0)


def test_json_carries_the_modes() -> None:
    memory = synthesise(SmallProgram(BETWEEN_A_AND_B), "Pmax=? [ F a & F b ]").as_json()["memory"]
    assert (memory["kind"], memory["observed"]) == ("modes", ["a", "b"])
    first = memory["modes"][memory["start"]]
    assert first["items"] == {"F (a & (F b)) is due": ""}
    (after_a,) = [memory["modes"][each["mode"]] for each in first["next"] if each["seen"] == ["a"]]
    assert after_a["items"] == {"F b is due": ""}


def test_choices_made_by_chance_miss_what_the_strategy_attains() -> None:
    """Once a is reached in one step the run is won; by chance that happens every other time."""
    answer = synthesise(SmallProgram(BETWEEN_A_AND_B), "Pmax=? [ (X a) & (F b) ]").answer
    found = simulate(
        answer.exploration.model,
        answer.exploration.space,
        answer.prop.formula,
        strategy=None,
        runs=10_000,
        seed=1,
    )
    assert found.lower <= 0.5 <= found.upper


@pytest.mark.parametrize("path", ["G (a -> F b)", "F (!a & G b)"])
def test_other_memories_are_refused(path: str) -> None:
    mdp = SmallMdp(
        (*BETWEEN_A_AND_B.rows[:2], (({2: Fraction(1)}, 0), ({0: Fraction(1)}, 0))),
        BETWEEN_A_AND_B.labels,
        BETWEEN_A_AND_B.earned_in,
    )
    with pytest.raises(InputError) as raised:
        synthesise(SmallProgram(mdp), f"Pm{'in' if path.startswith('G') else 'ax'}=? [ {path} ]")
    assert [each.code for each in raised.value.diagnostics] == ["CHK081"]


PATHS = [
    "F a & F b",
    "(F a) & (F b)",
    "(F a) & (G !b)",
    "(F a) | (G b)",
    "(a U b) & (F !b)",
    "F (a & X F b)",
    "X a",
    "X X a",
    "F[2,4] b",
    "a U>=2 b",
    "G F a",
    "F G a",
    "(G F a) & (G F b)",
    "(G F a) & (G F b) & (F (a & b))",
    "(G F a) -> (G F b)",
    "(F G a) & (G F b)",
]


@settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
@given(
    st.one_of(small_mdps(), small_mdps().map(with_ways_back)),
    st.sampled_from(["max", "min"]),
    st.sampled_from(PATHS),
)
def test_code_that_knows_what_is_due_attains_the_value(
    mdp: SmallMdp, optimum: str, path: str
) -> None:
    synthesis = synthesise(SmallProgram(mdp), f"P{optimum}=? [ {path} ]")
    chain = followed(mdp, executed(python_code(synthesis)))
    attained = by_numbers(chain, chain.explored(), parse(f"P=? [ {path} ]")).value
    assert attained is not None
    assert synthesis.answer.verdict.value is not None
    assert float(attained) == pytest.approx(float(synthesis.answer.verdict.value), abs=1e-6)

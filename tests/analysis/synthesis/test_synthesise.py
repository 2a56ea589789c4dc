"""Strategies as compact tables: what they depend on, and that they say in every state what the
strategy does."""

from __future__ import annotations

import pytest

from tests.analysis.can_programs import EXAMPLES, SMART_MANUFACTURING
from volition import InputError, load
from volition.analysis.synthesis.synthesise import DecisionTable, Synthesis, synthesise
from volition.languages.protocols import StateView
from volition.reporting.strategies.decision_tree import feature_test_text, table_rows

BOTH_IN_STORAGE = "Pmax=? [ F (PS1 & PS2) ]"
SHORTEST_WAY = 'R{"distance"}min=? [ F (SS1 & SS2) ]'


@pytest.fixture(scope="module")
def manufacturing() -> Synthesis:
    return synthesise(load(SMART_MANUFACTURING), BOTH_IN_STORAGE)


@pytest.fixture(scope="module")
def rover() -> Synthesis:
    return synthesise(load(EXAMPLES / "can" / "rover.can"), SHORTEST_WAY)


def answer(prop: DecisionTable, view: StateView) -> str:
    """The first row that fits a situation."""
    return next(
        row.answer
        for row in table_rows(prop.tree)
        if all(predicate.holds(view) for predicate in row.tests)
    )


def beliefs(*held: str) -> StateView:
    return {"beliefs": dict.fromkeys(held, "")}


def test_manufacturing_wraps_both_products_before_it_moves_one(manufacturing: Synthesis) -> None:
    """Archibald et al., Sect. 4.2: product 1 is wrapped first, then product 2, both in the
    expensive bag; moving waits for both."""
    owner = manufacturing.decision_tables[0]
    assert owner.component is None
    assert answer(owner, beliefs()) == "product1"
    assert answer(owner, beliefs("wrapped1")) == "product2"
    steps = {prop.component: prop for prop in manufacturing.decision_tables if prop.component}
    assert answer(steps["product1"], beliefs()) == "select plan 3 for process_product1"


def test_manufacturing_depends_on_what_is_wrapped_and_on_nothing_else(
    manufacturing: Synthesis,
) -> None:
    """Once both are wrapped it does not matter which one is moved first."""
    assert set(manufacturing.depends_on()) == {"wrapped1"}


def test_manufacturing_table_is_short(manufacturing: Synthesis) -> None:
    """Eighteen states with a choice, three rows."""
    assert [len(table.rows) for table in manufacturing.tables()] == [2, 1]
    assert sum(int(row[-1]) for row in manufacturing.tables()[0].rows) == len(
        [o for o in manufacturing.decision_points if len(o.options) > 1]
    )


def test_the_rover_goes_to_site_2_before_it_returns(rover: Synthesis) -> None:
    """3 + 5 + 4: the only certain mission of length 12 is base, site 1, site 2, base, or the same
    way round."""
    assert rover.answer.verdict.value == 12
    acts = [point.action for point in rover.decision_points if point.action.startswith("act move")]
    assert acts in (
        ["act move_base_to_site1", "act move_site1_to_site2", "act move_site2_to_base"],
        ["act move_base_to_site2", "act move_site2_to_site1", "act move_site1_to_base"],
    )


@pytest.mark.parametrize("found", ["manufacturing", "rover"])
def test_tables_say_in_every_state_what_the_strategy_does(
    found: str, request: pytest.FixtureRequest
) -> None:
    synthesis: Synthesis = request.getfixturevalue(found)
    assert synthesis.decision_points
    for point in synthesis.decision_points:
        for prop in synthesis.decision_tables:
            if prop.component is None and len(point.options) > 1:
                assert answer(prop, point.state_view) == point.component
            elif prop.component == point.component and set(prop.options) == set(
                point.options[point.component]
            ):
                assert answer(prop, point.state_view) == point.action


def test_rulings_are_read_from_the_top(manufacturing: Synthesis) -> None:
    turns = [ruling for ruling in manufacturing.decision_rules() if ruling.action is None]
    for held in ([], ["wrapped1"]):
        first = next(
            ruling
            for ruling in turns
            if all(predicate.holds(beliefs(*held)) for predicate in ruling.predicates)
        )
        assert first.component == answer(manufacturing.decision_tables[0], beliefs(*held))
    assert all(feature_test.positive for ruling in turns for feature_test in ruling.predicates)


def test_any_choice() -> None:
    """Coffee is served with 0.98 whoever goes first: there is nothing to decide."""
    synthesis = synthesise(load(EXAMPLES / "can" / "breakfast.can"), "Pmax=? [ F served ]")
    assert synthesis.choices_irrelevant
    assert synthesis.tables() == []
    assert "any choice" in synthesis.markdown()


def test_lisa_needs_what_the_portrait_hides() -> None:
    """The drone's best choices depend on counters of the environment that people are not shown."""
    synthesis = synthesise(
        load(EXAMPLES / "lisa" / "pipeline_drone"), 'Pmax=? [ F Bel("Leak documented") ]'
    )
    (prop,) = synthesis.decision_tables
    assert set(prop.options) == {
        "start plan 4: [Stop follow pipeline section P1.]",
        "start plan 5: -^[Hold position]",
    }
    assert any(item.startswith("cycles counted for ") for item in prop.depends_on)
    assert not any(item.startswith("state ") for item in prop.depends_on), (
        "in words, not by the names of variables"
    )
    for point in synthesis.decision_points:
        assert answer(prop, point.state_view) == point.action


def test_agentspeak_who_goes_first() -> None:
    """Anna hears of the call before Bert does if she looks into her mail first."""
    synthesis = synthesise(
        load(EXAMPLES / "agentspeak" / "contract_net"),
        "Pmax=? [ !Bel(bert, call(paint)) U Bel(anna, call(paint)) ]",
    )
    (table,) = synthesis.tables()
    assert [row[:3] for row in table.rows] == [["always", "anna", "bert"]]


def test_json_tells_rows_and_states(manufacturing: Synthesis) -> None:
    document = manufacturing.as_json()
    assert set(document) == {"any_choice", "decisions", "depends_on", "states"}
    assert len(document["states"]) == len(manufacturing.decision_points)
    assert {row["choose"] for row in document["decisions"][0]["rows"]} == {"product1", "product2"}


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("P>=0.5 [ F (PS1 & PS2) ]", "CHK082"),
        ("A [ F PS1 ]", "CHK082"),
        ("Pmax=? [ G (PS1 -> F PS2) ]", "CHK081"),
    ],
)
def test_questions_without_a_strategy(formula: str, code: str) -> None:
    with pytest.raises(InputError) as raised:
        synthesise(load(SMART_MANUFACTURING), formula)
    assert [each.code for each in raised.value.diagnostics] == [code]


def test_a_bound_that_needs_no_counting() -> None:
    """Seventeen steps are enough for everything that the best strategy does: the state says all."""
    synthesis = synthesise(load(SMART_MANUFACTURING), "Pmax=? [ F<=17 (PS1 & PS2) ]")
    assert synthesis.decision_points


def test_findings_in_words(rover: Synthesis) -> None:
    texts = {
        feature_test_text(predicate)
        for row in table_rows(rover.decision_tables[0].tree)
        for predicate in row.tests
    }
    assert {"done_1", "intention site2 = nil"} == texts

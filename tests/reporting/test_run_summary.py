"""The story of a run: what matters to the formula is told, the rest is counted, and loops stay
visible."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.properties import on_graph
from tests.checking.small_systems import SmallSystem
from tests.checking.vending import Vending
from volition.checking.check import check
from volition.kernel import explore
from volition.languages import load
from volition.logic import parse
from volition.reporting.annotated_runs import rows_to_lines
from volition.reporting.run_summary import names_in, summarise_run

AUCTION = Path(__file__).parents[2] / "examples" / "agentspeak" / "auction"
SCREENFUL = 50


def told(program: Vending, text: str) -> list[str]:
    formula = parse(text)
    run = on_graph(program, explore(program.system), formula).run
    assert run is not None
    return rows_to_lines(summarise_run(run, program, formula))


def test_steps_that_do_not_matter_are_counted() -> None:
    assert told(Vending(price=3), "E [ F drinks ]") == [
        "0  initial state",
        "   … 4 steps: customer (4)",
        "5  machine: serve  [Serve]",
        "       formula: drinks holds",
    ]


def test_mentioned_names_matter() -> None:
    """The coins are part of the formula's words: what changes them is told, although its truth
    turns only once."""
    assert told(Vending(), "E [ F (coins & F drinks) ]") == [
        "0  initial state",
        "       machine: coins: 0",
        "1  customer: insert a coin  [Act]  (vending.test:1)",
        "       machine: coins: 0 → 1",
        "       formula: coins holds",
        "2  customer: press the button  [Act Press(1)]  (vending.test:2)",
        "3  machine: serve  [Serve]",
        "       machine: coins: 1 → 0",
        "       formula: coins no longer holds; drinks holds",
    ]


def test_loops_are_marked_and_steps_around_the_mark_counted_apart() -> None:
    """0 → 1 → 2 → 3 → 2, a holds in 1 only: nothing in the loop matters, and it is still seen where
    it begins and ends."""
    ahead = tuple(((0, target),) for target in (1, 2, 3, 2))
    system = SmallSystem(
        edges=ahead, labels=(frozenset(), frozenset("a"), frozenset(), frozenset("b"))
    )
    formula = parse("E [ F a & G F b ]")
    run = on_graph(system, system.explored(), formula).run
    assert run is not None
    assert rows_to_lines(summarise_run(run, system, parse("E [ F a ]"))) == [
        "0  initial state",
        "1  (0, 1)",
        "       labels: + a",
        "       formula: a holds",
        "2  (0, 2)",
        "       labels: - a",
        "       formula: a no longer holds",
        "   ↻ from here on steps 3 to 4 repeat forever",
        "   … 2 steps",
        "   ↺ back to the state after step 2",
    ]


def test_a_run_that_avoids_everything_is_told_by_its_actions() -> None:
    """A machine that never serves: what the customer does is told, although the formula speaks of
    drinks only."""
    lines = told(Vending(price=4), "A [ F drinks ]")
    assert lines[0] == "0  initial state"
    assert "customer: kick the machine" in lines[1]


def test_the_end_is_told() -> None:
    assert (
        told(Vending(price=2), "A [ F drinks ]")[-1]
        == "   no more steps are possible: the run stays in this state"
    )


def test_what_happens_again_and_again_fills_no_more_than_a_screen() -> None:
    """A run of 200 steps in which a is true in every second state."""
    ahead = tuple(((0, target),) for target in range(1, 201))
    labels = tuple(
        frozenset("a" if state % 2 else "b" if state == 200 else "") for state in range(201)
    )
    system = SmallSystem(edges=(*ahead, ()), labels=labels)
    formula = parse("E [ F (a & F b) ]")
    run = on_graph(system, system.explored(), formula).run
    assert run is not None
    shown = [row.number for row in summarise_run(run, system, formula) if row.number]
    assert len(shown) < SCREENFUL
    assert shown[-1] == "200"


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        ("A [ F Bel(ag3, alliance(ag3, f(ag2))) ]", ("alliance",)),
        ("A [ F (Bel(b1 & !b2) | b3) ]", ("b1", "b2", "b3")),
        ("A [ F Bel(not b1) ]", ("b1",)),
        ('A [ F Bel("Mission complete") ]', ("Mission complete",)),
        ("A [ G (deadline > 3) ]", ("deadline",)),
    ],
)
def test_names_of_a_formula(formula: str, names: tuple[str, ...]) -> None:
    assert names_in(parse(formula), ["ag2", "ag3"]) == names


def test_the_story_of_the_auction() -> None:
    """Bordini et al., Sect. 5: the confirmation arrives, the event +!alliance finds no plan, ag3
    never bids; five auctions suffice."""
    (answer,) = check(load(AUCTION, {"auctions": "5"}), [load(AUCTION).properties[0]]).answers
    assert answer.verdict.run is not None
    lines = rows_to_lines(
        summarise_run(answer.verdict.run, answer.exploration.model, answer.verdict.formula)
    )
    assert len(lines) <= SCREENFUL < len(answer.verdict.run.choices)
    text = "\n".join(lines)
    tale = [
        "ag3: sends ag2 tell alliance(ag3,ag2)",
        "ag2: gets tell alliance(ag3,ag2) from ag3",
        "ag2: sends ag3 tell alliance(ag3,ag2)",
        "ag3: gets tell alliance(ag3,ag2) from ag2",
        "ag3: has no applicable plan for +!alliance(ag3,ag2)",
        "no more steps are possible",
    ]
    assert [text.index(each) for each in tale] == sorted(text.index(each) for each in tale)
    after = text[text.index("no applicable plan for +!alliance") :]
    assert "ag3: requests" not in after

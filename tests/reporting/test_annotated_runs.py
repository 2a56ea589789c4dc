"""Runs in the agents' words: who, what, by which rule and where, what changed, and what repeats for
ever."""

from __future__ import annotations

import pytest

from tests.analysis.can_programs import SMART_MANUFACTURING
from tests.checking.properties import on_graph
from tests.checking.small_systems import SmallSystem
from tests.checking.vending import Vending
from volition import check, load
from volition.kernel import explore
from volition.logic import parse
from volition.origin import Origin
from volition.reporting.annotated_runs import (
    AnnotatedRun,
    AnnotatedStep,
    Change,
    annotate_run,
    trace_lines,
    trace_rows,
)

LONG = "process_product_with_a_long_name"


def telling(program: Vending | SmallSystem, formula: str) -> AnnotatedRun:
    run = on_graph(program, explore(program.system), parse(formula)).run
    assert run is not None
    return annotate_run(run, program)


def test_only_changes_are_told() -> None:
    assert trace_lines(telling(Vending(), "E [ F drinks ]")) == [
        "0  initial state",
        "       machine: coins: 0",
        "1  customer: insert a coin  [Act]  (vending.test:1)",
        "       machine: coins: 0 → 1",
        "2  customer: press the button  [Act Press(1)]  (vending.test:2)",
        "3  machine: serve  [Serve]",
        "       beliefs: + drink",
        "       machine: coins: 1 → 0",
    ]


def test_a_loop_is_marked() -> None:
    assert trace_lines(telling(Vending(), "E [ G F drinks ]"), "actions") == [
        "   ↻ from here on steps 1 to 6 repeat forever",
        "1  customer: insert a coin  [Act]  (vending.test:1)",
        "2  customer: press the button  [Act Press(1)]  (vending.test:2)",
        "4  customer: insert a coin  [Act]  (vending.test:1)",
        "5  customer: press the button  [Act Press(1)]  (vending.test:2)",
        "   ↺ back to the initial state",
    ]


def test_a_run_without_actions_says_so() -> None:
    still = SmallSystem(edges=(((0, 0),),), labels=(frozenset(),))
    assert trace_lines(telling(still, "A [ F a ]"), "actions")[0] == "  no action is executed"


def test_what_chance_picks_counts_as_an_action() -> None:
    parts = (Origin("a", ("Act",), "dig", action="dig"), Origin("a", ("Look",), "look"))
    step = AnnotatedStep(
        1,
        (Origin("a", ("1/2: Act", "1/2: Look"), "dig or look", alternatives=parts),),
        (),
        {},
        "1/2",
    )
    assert step.executes_action


def test_the_end_is_said() -> None:
    texts = trace_lines(telling(Vending(), "A [ F drinks ]"))
    assert texts[-3:] == [
        "1  customer: kick the machine  [Act]  (vending.test:3)",
        "       machine: + kicked",
        "   no more steps are possible: the run stays in this state",
    ]


def test_whole_states() -> None:
    details = [row.details for row in trace_rows(telling(Vending(), "E [ F drinks ]"), "full")]
    assert details[-1] == (("beliefs", "drink"), ("machine", "coins: 0"))


def test_what_happened_by_chance_says_how_likely_it_was() -> None:
    served = telling(Vending(broken=True), "E [ F drinks ]").steps[-1]
    assert served.probability == "9/10"
    assert (
        "serve (probability 9/10)"
        in trace_lines(telling(Vending(broken=True), "E [ F drinks ]"))[-3]
    )


def test_changes() -> None:
    step = telling(Vending(), "E [ F drinks ]").steps[2]
    assert step.changes == (
        Change("beliefs", "drink", None, ""),
        Change("machine", "coins", "1", "0"),
    )
    assert str(Change("beliefs", "drink", "", None)) == "- drink"
    assert str(Change("goals", "g", None, "plan 2")) == "+ g: plan 2"


def test_labels_that_are_no_origins_tell_themselves() -> None:
    system = SmallSystem(edges=(((0, 1),), ()), labels=(frozenset(), frozenset("a")))
    run = on_graph(system, system.explored(), parse("E [ F a ]")).run
    assert run is not None
    assert annotate_run(run, system).steps[0].text == "(0, 1)"


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("a", "b", "e: a → b"),
        (f"next .send({LONG})", f"next .wait({LONG})", "e: … .send … → … .wait …"),
        (f"next !{LONG}(a)", f"next !go({LONG})", f"e: … !{LONG}(a) → … !go({LONG})"),
        (
            f"goal(s, {LONG}:(2, 3) |> {LONG}, f)",
            f"goal(s, (act; {LONG}:(3)) |> {LONG}, f)",
            f"e: … {LONG}:(2, 3) … → … (act; {LONG}:(3)) …",
        ),
        (
            f"(act; rest |> {LONG}) |> {LONG}",
            f"(nil; rest |> {LONG}) |> {LONG}",
            "e: … act … → … nil …",
        ),
        (f"nil; {LONG}; last", f"nil; {LONG}; last; {LONG}", f"e: … last → … last; {LONG}"),
        (LONG + " one", LONG + " two", "e: … one → … two"),
    ],
)
def test_of_a_long_value_only_what_changes_is_told(before: str, after: str, text: str) -> None:
    assert str(Change("intentions", "e", before, after)) == text


def test_no_step_of_a_run_repeats_the_whole_intention() -> None:
    """The paper's goal with its conditions stands around everything that the first example does: it
    is told when it is taken up."""
    (answer,) = check(load(SMART_MANUFACTURING), ["E [ F (PS1 & PS2) ]"]).answers
    assert answer.verdict.run is not None
    text = "\n".join(trace_lines(annotate_run(answer.verdict.run, answer.exploration.model)))
    assert text.count("goal(success1") == 1

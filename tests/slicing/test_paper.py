"""The cruise control of Winikoff et al.: the graph node by node, the slices of Fig. 6 with their
bodies, and their sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from volition.languages.gwendolen.printing import text_of_plan
from volition.languages.gwendolen.program import GwendolenProgram
from volition.slicing.gwendolen.graph import Graph, Link
from volition.slicing.gwendolen.node_names import BeliefSupport
from volition.slicing.gwendolen.queried import queried_atoms_by_agent
from volition.slicing.gwendolen.slice import Method, slice_program
from volition.slicing.gwendolen.winikoff import graph_of, mark_nodes
from volition.slicing.gwendolen.world_facts import WorldFacts

CRUISE_CONTROL = Path(__file__).parents[2] / "examples" / "gwendolen" / "cruise_control"
SAFELY = "A [ G (Does(car, accelerate) -> Bel(car, safe)) ]"
GOAL = "+!at_speed_limit [achieve]"
ACCELERATE = f"{GOAL} : {{B can_accelerate}} <- perf(accelerate)"
AGAIN = f"-at_speed_limit : {{~G at_speed_limit [achieve], ~B at_speed_limit}} <- {GOAL};"
DRIVER = (
    "+driver_accelerates : {B safe, ~B driver_brakes, B driver_accelerates} <- perf(accelerate);"
)
OLD = [f"{ACCELERATE}, wait;", AGAIN, DRIVER]
NEW = [
    f"{ACCELERATE};",
    *(f"{GOAL} : {{{each}}};" for each in ("~B safe", "B driver_accelerates", "B driver_brakes")),
    AGAIN,
    DRIVER,
]
"""Fig. 6, middle and bottom."""
SOUND = [
    f"{ACCELERATE}, skip;",
    f"{GOAL} : {{~B safe}} <- *safe;",
    f"{GOAL} : {{B driver_accelerates}} <- *~driver_accelerates;",
    f"{GOAL} : {{B driver_brakes}} <- *~driver_brakes;",
    AGAIN,
    DRIVER,
]


def cruise_control(**settings: str) -> GwendolenProgram:
    program = volition.load(CRUISE_CONTROL, settings)
    assert isinstance(program, GwendolenProgram)
    return program


@pytest.fixture(scope="module")
def graph() -> Graph:
    program = cruise_control()
    return graph_of(program.agents["car"], WorldFacts(program).is_exogenous)


def text_of(graph: Graph, links: list[Link]) -> set[str]:
    return {f"{graph.nodes[each.source].label}>{graph.nodes[each.target].label}" for each in links}


CONTROL = {
    "1": "M2.s1>T1 M2.s2>T0 p6.s2>T0",
    "2": "M1.c>M1.s1 M2.c>M2.s1 p1.c>p1.s1 p1.s1>p1.s2 p2.c>p2.s1 p3.c>p3.s1 p4.c>p4.s1 p5.c>p5.s1 p6.c>p6.s1 p6.s1>p6.s2 p7.c>p7.s1"  # noqa: E501
    " p8.c>p8.s1 p9.c>p9.s1",
    "2'": "p1.s2>M2.s2 p2.s1>M2.s2 p3.s1>M2.s2 p4.s1>M2.s2",
    "3": "T0>M1.c T1>p1.c T2>p5.c T3>p6.c T4>p7.c T5>p8.c T6>p9.c",
    "4": "M1.c>M2.c p1.c>p2.c p2.c>p3.c p3.c>p4.c",
}


@pytest.mark.parametrize("rule", CONTROL)
def test_control_links(graph: Graph, rule: str) -> None:
    assert text_of(graph, [each for each in graph.control_links if each.rule == rule]) == set(
        CONTROL[rule].split()
    )


def test_the_graph(graph: Graph) -> None:
    assert len(graph.control_links) == 31
    assert text_of(graph, graph.belief_links) == {"M1.s1>p6.c"}
    assert text_of(graph, graph.suppressed) == {"p6.s1>p6.c"}
    assert [graph.nodes[each].label for each in graph.roots] == ["T0", "T2", "T3", "T4", "T5", "T6"]
    names = {
        "T0": "+!achieve_at_speed_limit",
        "T1": "+!at_speed_limit",
        "T2": "+at_speed_limit",
        "T3": "-at_speed_limit",
        "T4": "-safe",
        "T5": "+driver_accelerates",
        "T6": "+driver_brakes",
        "M1.s1": "-goal_at_speed_limit",
        "M2.s1": "+!at_speed_limit",
        "M2.s2": "+!achieve_at_speed_limit",
        "p1.s1": "perf(accelerate)",
        "p1.s2": "wait",
        "p2.s1": "*safe",
        "p3.s1": "*~driver_accelerates",
        "p4.s1": "*~driver_brakes",
        "p5.s1": "perf(maintain_speed)",
        "p6.s1": "+goal_at_speed_limit",
        "p6.s2": "+!achieve_at_speed_limit",
        "p7.s1": "perf(brake)",
        "p8.s1": "perf(accelerate)",
        "p9.s1": "perf(brake)",
    }
    assert {node.label: str(node.name) for node in graph.nodes if node.name is not None} == names


def test_the_marks(graph: Graph) -> None:
    program = cruise_control()
    agent = program.agents["car"]
    query = queried_atoms_by_agent(program, [volition.parse(SAFELY)])["car"]
    marking = mark_nodes(graph, query, BeliefSupport(agent.rules))
    found = [
        {graph.nodes[node].label for node in part}
        for part in (marking.direct, marking.indirect, marking.propagated)
    ]
    assert found == [{"p1.s1", "p8.s1"}, {"M1.s1", "p6.c"}, {"M2.s1", "M2.s2", "p6.s2"}]


@pytest.mark.parametrize(
    ("method", "plans"), [("bordini", OLD), ("winikoff", NEW), ("sound", SOUND)]
)
def test_figure_6(method: Method, plans: list[str]) -> None:
    """The three plans of the old method and the six of the new one, with the same bodies; the sound
    slice keeps waits and turns."""
    sliced = slice_program(cruise_control(), [volition.parse(SAFELY)], method)
    assert [text_of_plan(plan) for plan in sliced.program.agents["car"].plans] == plans


@pytest.mark.parametrize(
    ("method", "cycle", "redraw", "states", "edges"),
    [
        ("bordini", "eass", "handled", 2163, 4953),
        ("winikoff", "eass", "handled", 1082, 2297),
        ("sound", "eass", "handled", 3198, 7338),
        ("winikoff", "gwendolen", "handled", 1975, 2545),
        ("sound", "gwendolen", "handled", 6763, 9103),
        ("sound", "eass", "noticed", 5328, 11928),
        ("sound", "gwendolen", "noticed", 8493, 11463),
        ("bordini", "eass", "acted", 2138, 2933),
        ("winikoff", "eass", "acted", 298, 388),
    ],
)
def test_sizes(method: Method, cycle: str, redraw: str, states: int, edges: int) -> None:
    """The figures of an independent interpreter, which were compared with the public tool."""
    formula = volition.parse("A [ G (Does(car, perf(accelerate)) -> Bel(car, safe)) ]")
    sliced = slice_program(cruise_control(cycle=cycle, redraw=redraw), [formula], method)
    (answer,) = volition.check(sliced.program, formula)
    assert answer.verdict.holds
    assert (answer.exploration.space.num_states, answer.exploration.space.num_transitions) == (
        states,
        edges,
    )


def test_where_actions_draw_percepts_all_of_them_stay() -> None:
    """An action that is left out would not draw them (D6): the sound slice is then the whole
    program."""
    program = cruise_control(redraw="acted")
    sliced = slice_program(program, [volition.parse(SAFELY)], "sound")
    assert [plan.body for plan in sliced.program.agents["car"].plans] == [
        plan.body for plan in program.agents["car"].plans
    ]

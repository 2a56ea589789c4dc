"""The state space of random systems is the one that a plain interpreter finds, up to what formulas can tell apart."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, assume, given, settings

import volition
from tests.languages.gwendolen.generator import SYSTEMS, RandomSystem, k, n, write
from tests.languages.gwendolen.reference import NO_PLAN_YET, Agent, AgentState, Does, Graph, Reference, State, TooManyStates, alike, is_goal
from volition.checking.graph.propositions import satisfying
from volition.kernel import Limits, StateSpace, explore
from volition.languages.world.terms import Structure, Variable, constant, show
from volition.logic.reading.parser import parse
from volition.logic.syntax import Atom

MOST_STATES = 200
ANYTHING = Variable("_")
BELIEFS = [constant("p"), constant("q"), constant("s"), constant("d"), n(1), n(ANYTHING)]
GOALS = [constant("g"), constant("h"), constant("p"), k(1), k(ANYTHING)]
ACTIONS = [constant("push"), constant("turn")]


def asked(system: RandomSystem) -> list[tuple[str, str, Structure]]:
    """The atoms of formulas that are compared: modality, agent, what it is about."""
    questions = [("Bel", BELIEFS), ("Des", GOALS), ("Int", GOALS), ("Does", ACTIONS)]
    return [(modality, each.name, about) for each in system.programs for modality, abouts in questions for about in abouts]


def answer(reference: Reference, state: State, modality: str, agent: str, about: Structure) -> bool:
    """1.3 and items 6 to 8."""
    number = [each.name for each in reference.programs].index(agent)
    mind: AgentState = state.agents[number]
    rows = [row for each in (mind.current, *mind.others) if each is not None for row in each.rows]
    match modality:
        case "Bel":
            return next(Agent(reference.programs[number], "", mind).proofs(about, {}), None) is not None
        case "Des":
            return any(is_goal(row.event) and alike(row.event.content, about) for row in rows)
        case "Int":
            return any(is_goal(row.event) and row.deed != NO_PLAN_YET and alike(row.event.content, about) for row in rows)
    return state.does[reference.observed.index(Does(agent, about))]


def graph_of(space: StateSpace) -> list[list[int]]:
    """The successors of each state."""
    successors: list[list[int]] = [[] for _ in range(space.num_states)]
    for choice, target in zip(space.transition_choices.tolist(), space.targets.tolist(), strict=True):
        successors[int(space.choice_states[choice])].append(target)
    return successors


def are_bisimilar(ours: Sequence[Sequence[int]], our_labels: Sequence[Hashable], theirs: Graph, their_labels: Sequence[Hashable]) -> bool:
    """Partition refinement on both graphs side by side, from the labels; state 0 is the initial one of each."""
    shift = len(ours)
    successors = [list(each) for each in ours] + [[shift + target for target in each] for each in theirs.successors]
    keys: list[Hashable] = [*our_labels, *their_labels]
    amount = 0
    while True:
        numbers: dict[Hashable, int] = {}
        blocks = [numbers.setdefault(each, len(numbers)) for each in keys]
        if len(numbers) == amount:
            return blocks[0] == blocks[shift]
        amount = len(numbers)
        keys = [(blocks[state], frozenset(blocks[target] for target in each)) for state, each in enumerate(successors)]


def compare(system: RandomSystem) -> None:
    questions = asked(system)
    observed = [Does(agent, about) for modality, agent, about in questions if modality == "Does"]
    reference = Reference(system.programs, system.world, system.options, observed)
    try:
        graph = reference.explore(MOST_STATES)
    except TooManyStates:
        assume(False)
    formulas = [parse(f"{modality}({agent}, {show(about)})") for modality, agent, about in questions]
    with TemporaryDirectory() as folder:
        program = volition.load(write(system, Path(folder)))
    model = program.model([each for each in formulas if isinstance(each, Atom)])
    space = explore(model.system, limits=Limits(states=2 * MOST_STATES))
    successors = graph_of(space)
    ours = list(zip(*(satisfying(model, space, each).tolist() for each in formulas), strict=True))
    theirs = [tuple(answer(reference, state, *each) for each in questions) for state in graph.states]
    assert are_bisimilar(successors, ours, graph, theirs), "a formula can tell the two apart"
    if len(system.programs) > 1 and system.options.scheduler != "round_robin":
        return  # how much of the last turn is remembered where anybody may go on is the scheduler's business
    counts = (space.num_states, sum(len(set(each)) for each in successors))
    assert counts == (len(graph.states), graph.edges), f"{counts} states and edges, {len(graph.states), graph.edges} in the reference"


@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(SYSTEMS)
def test_random_systems_have_the_states_of_the_reference(system: RandomSystem) -> None:
    compare(system)

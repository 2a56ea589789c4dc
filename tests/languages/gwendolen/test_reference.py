"""The state space of random systems is the one that a plain interpreter finds, up to what formulas
can tell apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, assume, given, settings

import volition
from tests.languages.gwendolen.generator import (
    ANYTHING,
    PUSH,
    SYSTEMS,
    TURN,
    D,
    G,
    H,
    P,
    Q,
    RandomSystem,
    S,
    k,
    m,
    n,
    perf,
    w,
    write,
)
from tests.languages.gwendolen.reference import (
    NO_PLAN_YET,
    Agent,
    AgentState,
    Does,
    Graph,
    Intention,
    QueueTooLong,
    Reference,
    TooManyStates,
    alike,
    deed_value,
    is_goal,
    told_as,
    value_of,
)
from volition import InputError
from volition.checking.graph.propositions import satisfying_states
from volition.kernel import Limits, StateSpace, explore
from volition.languages.gwendolen.syntax import Act, AgentProgram, Send
from volition.languages.protocols import Model
from volition.languages.world.terms import Structure, Term, Text, constant, show
from volition.logic.parsing.parser import parse
from volition.logic.syntax import Atom, Formula

MAX_STATES = 60
QUESTIONS: Mapping[str, Sequence[Structure]] = {
    "Bel": [P, S, D, n(1), n(ANYTHING), w(Text("one"))],
    "Des": [G, H, P, k(ANYTHING), m(ANYTHING)],
    "Int": [G, H, k(1)],
    "ItD": [PUSH, Structure("send", (constant("b"), 1, n(1)))],
    "Does": [PUSH, TURN, perf(PUSH), Structure("send", (Q, constant("b")))],
    "Last": [PUSH],
}
"""Modalities, and what they are asked about for each agent."""
ACTIONS = ("Does", "Last")
PERFORMATIVES = {"tell": 1, "perform": 2, "achieve": 3}

Question = tuple[str, str, Structure]
read = cache(parse)


def asked(system: RandomSystem) -> list[Question]:
    """The atoms of formulas that are compared: modality, agent, what it is about; in the order of
    the agents' names."""
    agents = sorted(system.programs, key=lambda each: each.name)
    return [
        (modality, each.name, about)
        for each in agents
        for modality, abouts in QUESTIONS.items()
        for about in abouts
    ]


def answer(program: AgentProgram, mind: AgentState, modality: str, about: Structure) -> bool:
    """Points 6 to 8, for what one agent has in mind."""
    rows = [row for each in (mind.current, *mind.others) if each is not None for row in each.rows]
    match modality:
        case "Bel":
            return next(Agent(program, "", mind).proofs(about, {}), None) is not None
        case "Des":
            return any(alike(content, about) for content, _ in mind.goals)
        case "Int":
            planned = [row for row in rows if is_goal(row.event) and row.deed != NO_PLAN_YET]
            return any(
                alike(value_of(row.event.content, dict(row.bindings)), about) for row in planned
            )
    return any(
        alike(about, done)
        for each in (mind.current, *mind.others)
        if each is not None
        for done in to_be_done(each)
    )


def to_be_done(intention: Intention) -> Iterator[Structure]:
    """Actions and messages that are still to be done, as far as their variables have values (point
    6)."""
    known: dict[str, Term] = {}
    for row in intention.rows:
        known |= dict(row.bindings)
        match deed_value(row.deed, known):
            case Act(action):
                yield from told_as(action)
            case Send(recipient, performative, content):
                yield Structure("send", (recipient, PERFORMATIVES[performative], content))


def graph_of(space: StateSpace) -> list[list[int]]:
    """The successors of each state."""
    successors: list[list[int]] = [[] for _ in range(space.num_states)]
    for choice, target in zip(
        space.transition_choices.tolist(), space.targets.tolist(), strict=True
    ):
        successors[int(space.choice_states[choice])].append(target)
    return successors


def are_bisimilar(
    ours: Sequence[Sequence[int]],
    our_labels: Sequence[Hashable],
    theirs: Graph,
    their_labels: Sequence[Hashable],
) -> bool:
    """Partition refinement on both graphs side by side, from the labels; state 0 is the initial one
    of each."""
    shift = len(ours)
    successors = [list(each) for each in ours] + [
        [shift + target for target in each] for each in theirs.successors
    ]
    keys: list[Hashable] = [*our_labels, *their_labels]
    amount = 0
    while True:
        numbers: dict[Hashable, int] = {}
        blocks = [numbers.setdefault(each, len(numbers)) for each in keys]
        if len(numbers) == amount:
            return blocks[0] == blocks[shift]
        amount = len(numbers)
        keys = [
            (blocks[state], frozenset(blocks[target] for target in each))
            for state, each in enumerate(successors)
        ]


def answers(
    reference: Reference, graph: Graph, properties: Sequence[Question]
) -> list[tuple[bool, ...]]:
    """The reference's answers in each state, in the order of the questions; what an agent has in
    mind is asked about once."""
    known: dict[tuple[str, AgentState], list[bool]] = {}
    rows = []
    for state in graph.states:
        done = iter(state.observed)
        row: list[bool] = []
        for program, mind in zip(reference.programs, state.agents, strict=True):
            mine = [
                (modality, about) for modality, agent, about in properties if agent == program.name
            ]
            if (program.name, mind) not in known:
                known[program.name, mind] = [
                    answer(program, mind, *each) for each in mine if each[0] not in ACTIONS
                ]
            thought = iter(known[program.name, mind])
            row += [next(done if modality in ACTIONS else thought) for modality, _ in mine]
        rows.append(tuple(row))
    return rows


def truths(model: Model, space: StateSpace, formula: Formula) -> list[bool]:
    """In each state.  What nobody speaks of is no question; here it is one that has to be answered
    with no."""
    try:
        return [bool(each) for each in satisfying_states(model, space, formula)]
    except InputError as error:
        if [each.code for each in error.diagnostics] != ["GWN043"]:
            raise
        return [False] * space.num_states


def compare(system: RandomSystem) -> None:
    properties = asked(system)
    observed = [
        Does(agent, about, modality == "Last")
        for modality, agent, about in properties
        if modality in ACTIONS
    ]
    reference = Reference(system.programs, system.world, system.options, observed)
    graph: Graph | None = None
    try:
        graph = reference.explore(MAX_STATES)
    except TooManyStates:
        assume(False)
    except QueueTooLong:
        pass
    formulas = [
        read(f"{modality}({agent}, {show(about)})") for modality, agent, about in properties
    ]
    with TemporaryDirectory() as folder:
        program = volition.load(write(system, Path(folder)))
    model = program.model([each for each in formulas if isinstance(each, Atom)])
    if graph is None:
        with pytest.raises(InputError, match="GWN065"):
            explore(model.system, limits=Limits(states=2 * MAX_STATES))
        return
    space = explore(model.system, limits=Limits(states=2 * MAX_STATES))
    successors = graph_of(space)
    ours = list(zip(*(truths(model, space, each) for each in formulas), strict=True))
    assert are_bisimilar(successors, ours, graph, answers(reference, graph, properties)), (
        "a formula can tell the two apart"
    )
    counts = (space.num_states, sum(len(set(each)) for each in successors))
    assert counts == (len(graph.states), graph.edges), (
        f"{counts} states and edges, {len(graph.states), graph.edges} in the reference"
    )


CHECKED = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(CHECKED, max_examples=70)
@given(SYSTEMS)
def test_random_systems_have_the_states_of_the_reference(system: RandomSystem) -> None:
    compare(system)


@pytest.mark.soak
@settings(CHECKED, max_examples=2000)
@given(SYSTEMS)
def test_many_more_have_them_too(system: RandomSystem) -> None:
    compare(system)

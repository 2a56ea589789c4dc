"""Walking through the program: where one is, what can be done there, and the states around.

The walk stays on the bench.  It explores states as it gets there; where somebody asks for what only
all states tell (the value of a query, a formula about runs), everything is explored, and the walk
goes on there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import volition
from volition.analysis.neighbourhoods import GraphEdge, Neighbourhood, neighbourhood
from volition.analysis.walking import Walk, WalkOption, WalkOutcome
from volition.api.property_input import parse_with_warnings
from volition.checking.explored_model import collect_observed_atoms
from volition.checking.quantitative.choice_values import ChoiceValues
from volition.diagnostics import Diagnostic, Diagnostics, InputError, plural
from volition.kernel import Progress
from volition.logic.numbers import rounded_text
from volition.logic.printing import formula_text
from volition.logic.syntax import Formula, Probability, Reward, SteadyState
from volition.logic.traversal import STATE_LEAVES, expand_agents, is_propositional, subformulas
from volition.reporting.annotated_runs import annotate_run
from volition.studio.tasks.evidence import places_of, state_shown
from volition.studio.tasks.run import folder_text
from volition.studio.view_data import OutcomeShown, Place, ProgressShown, StateData
from volition.studio.workbench import Workbench

__all__ = [
    "AtomShown",
    "LineShown",
    "MapShown",
    "NodeShown",
    "OptionShown",
    "WalkShown",
    "back",
    "back_to",
    "begin",
    "bookmark",
    "draw_map",
    "follow",
    "go_to",
    "random_step",
    "replay_trace",
    "return_to",
    "take",
    "trace",
    "value",
]  # fmt: skip

MAX_STATES = 5_000_000
"""That are explored because somebody wants to know a value."""

MAX_LINES = 40
"""Steps of the walk that are shown, the last ones."""

MAX_OPTIONS = 60
MAX_ATOMS = 80
MAX_DRAWN, MAX_OF_ALL = 150, 300
"""States in a map of the neighbourhood, and in one of everything: more cannot be told apart."""

_WALK, _FORMULAS, _QUERY, _MARKS, _MAP = (
    "walk",
    "walked for",
    "query of the walk",
    "marks of the walk",
    "map",
)


@dataclass(frozen=True, slots=True)
class LineShown:
    """A step of the walk."""

    number: int
    agent: str
    text: str
    rules: tuple[str, ...]
    positions: tuple[Place, ...]
    probability: str | None


@dataclass(frozen=True, slots=True)
class OptionShown:
    """Something that can be done: ``value`` is what the query is worth then, ``is_best`` whether
    the strategy behind it does this."""

    number: int
    agent: str
    text: str
    rules: tuple[str, ...]
    positions: tuple[Place, ...]
    value: str
    is_best: bool
    stays: bool
    outcomes: tuple[OutcomeShown, ...]


@dataclass(frozen=True, slots=True)
class AtomShown:
    """What a property speaks of, and whether it holds here."""

    text: str
    holds: bool


@dataclass(frozen=True, slots=True)
class WalkShown:
    """Where the walk is, and what can be done there."""

    steps: int
    lines: tuple[LineShown, ...]
    """The last steps."""
    state: StateData
    options: tuple[OptionShown, ...]
    more_options: int
    atoms: tuple[AtomShown, ...]
    query: str
    value: str
    has_strategy: bool
    """Whether there is a strategy to follow."""
    marks: tuple[str, ...]
    exploration_status: str
    """What the walk goes through, in words."""


@dataclass(frozen=True, slots=True)
class NodeShown:
    """A state in the map, at so many steps from the middle; ``worth`` is a number or a truth value,
    None where nobody asked."""

    state: int
    distance: int
    name: str
    value: float | bool | None
    is_here: bool
    was_here: bool
    is_open: bool
    loops: bool


@dataclass(frozen=True, slots=True)
class MapShown:
    """States and the steps between them: (source, target, what is done)."""

    nodes: tuple[NodeShown, ...]
    edges: tuple[tuple[int, int, str], ...]
    remark: str
    ground: str
    """What the walk goes through, in words."""


# --- the walk -------------------------------------------------------------------------------------


def begin(bench: Workbench) -> WalkShown:
    """A new walk from the initial state."""
    _forget(bench)
    return _shown(bench)


def take(bench: Workbench, steps: int, option: int, outcome: int | None) -> WalkShown:
    """Take an option after so many steps, and an outcome of it; who clicks twice takes it once."""
    walk = _walk(bench)
    if len(walk) == steps:
        walk.take(option, outcome)
    return _shown(bench)


def random_step(bench: Workbench, steps: int) -> WalkShown:
    """Let chance choose."""
    _walk(bench).random_steps(steps)
    return _shown(bench)


def follow(bench: Workbench, steps: int) -> WalkShown:
    """Let the strategy behind the query choose."""
    query = bench.cache.get(_QUERY)
    if query is None:
        raise InputError(
            [
                Diagnostic(
                    "STU013",
                    "there is no query whose strategy could choose",
                    hint="choose one first",
                )
            ]
        )
    _walk(bench).follow(query, steps)
    return _shown(bench)


def back(bench: Workbench, steps: int) -> WalkShown:
    """Take steps back."""
    _walk(bench).back(steps)
    return _shown(bench)


def back_to(bench: Workbench, number: int) -> WalkShown:
    """Take back what came after so many steps."""
    walk = _walk(bench)
    walk.back(max(0, len(walk) - number))
    return _shown(bench)


def replay_trace(bench: Workbench, document: Mapping[str, Any], steps: int) -> WalkShown:
    """Go the first steps of a recorded run."""
    _forget(bench)
    _walk(bench).replay_trace(document, steps)
    return _shown(bench)


def bookmark(bench: Workbench) -> WalkShown:
    """Remember where the walk is."""
    walk, marks = _walk(bench), bench.cache.setdefault(_MARKS, {})
    count, last = len(walk), walk.annotated_run().steps[-1].text if len(walk) else "initial state"
    marks[f"{len(marks) + 1}: after {count} {plural(count, 'step')}, {last}"] = walk.trace()
    return _shown(bench)


def return_to(bench: Workbench, name: str) -> WalkShown:
    """Go to where the walk was when somebody marked it."""
    marks = bench.cache.get(_MARKS, {})
    if name not in marks:
        raise InputError(
            [
                Diagnostic(
                    "STU011",
                    "the program has changed since this was marked",
                    hint="walk there again",
                )
            ]
        )
    _walk(bench).replay_trace(marks[name])
    return _shown(bench)


def trace(bench: Workbench) -> str:
    """The walk in the public trace format, in which files are named as in the folder that is
    open."""
    text = json.dumps(_walk(bench).trace(), indent=2, ensure_ascii=False) + "\n"
    return text.replace(folder_text(bench.folder), "")


def value(bench: Workbench, query: str) -> WalkShown:
    """From now on tell what a query is worth in each state and with each option; an empty text
    tells nothing any more."""
    formula = _read(bench, query) if query.strip() else None
    if formula is not None:
        _extend_model(bench, formula)
        _walk(bench).values(formula)  # says what is wrong with it before anything is shown
    bench.cache[_QUERY] = formula
    return _shown(bench)


# --- what it goes through -------------------------------------------------------------------------


def _walk(bench: Workbench) -> Walk:
    if _WALK not in bench.cache:
        formulas = (
            [each.formula for each in parse_with_warnings(bench.program, None, Diagnostics())]
            if bench.program.properties
            else []
        )
        bench.cache[_FORMULAS] = formulas
        bench.cache[_WALK] = volition.walk(bench.program, formulas)
    walk: Walk = bench.cache[_WALK]
    return walk


def _forget(bench: Workbench) -> None:
    """Go back to the beginning; what was explored is kept."""
    walk = _walk(bench)
    walk.back(len(walk))


def _read(bench: Workbench, text: str) -> Formula:
    properties = parse_with_warnings(bench.program, text, Diagnostics())
    if len(properties) != 1:
        raise InputError(
            [Diagnostic("STU014", "write one formula", hint="such as Pmax=? [ F done ]")]
        )
    return properties[0].formula


def _extend_model(bench: Workbench, formula: Formula) -> None:
    """Have the walk go through states that can tell whether a formula holds, or what it is
    worth."""
    walk = _walk(bench)
    formulas = list(dict.fromkeys([*bench.cache[_FORMULAS], formula]))
    remembered = set(collect_observed_atoms([formula], walk.model.agents)) <= set(walk.observed)
    everything = not is_propositional(expand_agents(formula, walk.model.agents))
    if remembered and (walk.explored is not None or not everything):
        return

    def heard(update: Progress) -> None:
        bench.report_progress(ProgressShown("walk", update.states, update.seconds))

    if everything:
        space = volition.explore(
            bench.program, formulas=formulas, max_states=MAX_STATES, progress=heard
        )
        if space.stopped is not None:
            hint = "without values the walk goes on: it explores what it needs"
            raise InputError(
                [Diagnostic("STU015", f"this needs all states: {space.stopped.text}", hint=hint)]
            )
        other = volition.walk(space)
    else:
        other = volition.walk(bench.program, formulas)
    bench.cache[_FORMULAS] = formulas
    bench.cache[_WALK] = other.retrace(walk)
    bench.cache.pop(_MAP, None)  # its states have other numbers now


# --- as data --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Tail:
    """The last steps of a walk, to be told without the others."""

    space: Any
    states: Sequence[int]
    choices: Sequence[int]
    loop: int | None = None


def _shown(bench: Workbench) -> WalkShown:
    walk = _walk(bench)
    query: Formula | None = bench.cache.get(_QUERY)
    values = None if query is None else walk.values(query)
    before = max(0, len(walk) - MAX_LINES)
    annotated = annotate_run(
        _Tail(walk.space, walk.states[before:], walk.choices[before:]), walk.model
    )
    changes = annotated.steps[-1].changes if annotated.steps else ()
    explored = walk.explored
    return WalkShown(
        steps=len(walk),
        lines=tuple(
            LineShown(
                before + each.number,
                each.agent,
                each.text,
                tuple(dict.fromkeys(each.rules)),
                places_of(bench, (origin.span for origin in each.origins)),
                each.probability,
            )
            for each in annotated.steps
        ),
        state=state_shown(walk.model, walk.space.values(walk.state), walk.state_view, changes),
        options=tuple(_option(bench, walk, each, values) for each in walk.options[:MAX_OPTIONS]),
        more_options=max(0, len(walk.options) - MAX_OPTIONS),
        atoms=tuple(_atoms(bench, walk)),
        query="" if query is None else formula_text(query),
        value="" if values is None else rounded_text(values.of_states[walk.state]),
        has_strategy=values is not None
        and (
            values.optimal_choices is not None
            or explored is None
            or explored.mdp_model.mdp.is_markov_chain
        ),
        marks=tuple(bench.cache.get(_MARKS, ())),
        exploration_status=_ground(walk),
    )


def _ground(walk: Walk) -> str:
    return (
        "states are explored as you go"
        if walk.explored is None
        else f"all {walk.explored.space.num_states:,} states are explored"
    )


def _option(
    bench: Workbench, walk: Walk, option: WalkOption, values: ChoiceValues | None
) -> OptionShown:
    value = None if values is None else values.of_choices
    best = (
        None
        if values is None or values.optimal_choices is None or len(walk.options) == 1
        else int(values.optimal_choices[walk.state])
    )
    return OptionShown(
        number=option.number,
        agent=option.agent,
        text=option.text,
        rules=option.rules,
        positions=places_of(bench, (origin.span for origin in option.origins)),
        value="" if value is None else rounded_text(value[option.choice]),
        is_best=option.choice == best,
        stays=option.is_stutter,
        outcomes=tuple(_outcome(each, values) for each in option.outcomes),
    )


def _outcome(outcome: WalkOutcome, values: ChoiceValues | None) -> OutcomeShown:
    value = "" if values is None else rounded_text(values.of_states[outcome.state])
    return OutcomeShown(str(outcome.probability), tuple(map(str, outcome.changes)), value)


def _atoms(bench: Workbench, walk: Walk) -> list[AtomShown]:
    """What the properties speak of."""
    agents = walk.model.agents
    formulas = [expand_agents(each, agents) for each in bench.cache[_FORMULAS]]
    atoms = dict.fromkeys(
        atom
        for formula in formulas
        for atom in subformulas(formula)
        if isinstance(atom, STATE_LEAVES)
    )
    queried = [each for each in atoms if formula_text(each) not in ("true", "false")][:MAX_ATOMS]
    return [AtomShown(formula_text(each), bool(walk.holds(each))) for each in queried]


# --- the map --------------------------------------------------------------------------------------


def draw_map(bench: Workbench, depth: int | None, colour: str) -> MapShown:
    """The states around the walk, or all of them where ``depth`` is None, coloured by a formula or
    by the values of a query."""
    formula = _read(bench, colour) if colour.strip() else None
    if formula is not None:
        _extend_model(bench, formula)
    walk = _walk(bench)
    context, maximum = (0, MAX_OF_ALL) if depth is None else (walk.state, MAX_DRAWN)
    near = neighbourhood(walk.space, context, depth=depth, maximum=maximum)
    bench.cache[_MAP] = near
    visited = set(walk.states)
    loops = {each.source for each in near.edges if each.source == each.target}
    nodes = tuple(
        NodeShown(
            state=state,
            distance=distance,
            name=_name(walk, near, state),
            value=None if formula is None else _worth(walk, formula, state),
            is_here=state == walk.state,
            was_here=state in visited,
            is_open=state in near.boundary,
            loops=state in loops,
        )
        for state, distance in near.distances.items()
    )
    return MapShown(nodes, tuple(_edges(walk, near)), _remark(near, depth, maximum), _ground(walk))


def go_to(bench: Workbench, state: int) -> WalkShown:
    """Walk to a state of the map."""
    near: Neighbourhood | None = bench.cache.get(_MAP)
    walk = _walk(bench)
    if near is None or state not in near.distances:
        raise InputError(
            [Diagnostic("STU011", "the map has changed since this was drawn", hint="draw it again")]
        )
    (middle,) = (each for each, distance in near.distances.items() if distance == 0)
    if middle != walk.state:
        walk.back(len(walk) - walk.states.index(middle) if middle in walk.states else len(walk))
    walk.follow_path(near.path_to(state))
    return _shown(bench)


def _edges(walk: Walk, near: Neighbourhood) -> list[tuple[int, int, str]]:
    """One arrow for all steps from a state to another."""
    texts: dict[tuple[int, int], list[str]] = {}
    for each in near.edges:
        if each.source != each.target:
            texts.setdefault((each.source, each.target), []).append(_step_text(walk, each))
    return [
        (source, target, "; ".join(dict.fromkeys(several)))
        for (source, target), several in texts.items()
    ]


def _step_text(walk: Walk, edge: GraphEdge) -> str:
    options = walk.options_of(edge.source)
    option = options[edge.choice - options[0].choice]
    chance = next(each.probability for each in option.outcomes if each.state == edge.target)
    owner = (
        f"{option.agent}: {option.text}"
        if option.agent and len(walk.model.agents) > 1
        else option.text
    )
    return owner if len(option.outcomes) == 1 else f"{owner} ({chance})"


def _name(walk: Walk, near: Neighbourhood, state: int) -> str:
    """What happened on the last step to a state."""
    if near.distances[state] == 0:
        return "here" if state == walk.state else "initial state"
    return _step_text(walk, near.path_to(state)[-1])


def _worth(walk: Walk, formula: Formula, state: int) -> float | bool | None:
    query = expand_agents(formula, walk.model.agents)
    if isinstance(query, Probability | Reward | SteadyState) and query.relation is None:
        return float(walk.values(formula).of_states[state])
    return walk.holds(formula, state)


def _remark(near: Neighbourhood, depth: int | None, maximum: int) -> str:
    count = len(near.distances)
    if near.complete:
        return (
            f"{'all' if depth is None else 'everything that follows:'} {count} "
            f"{plural(count, 'state')}"
        )
    if count >= maximum:
        return f"the {count} nearest states; there are more"
    return (
        f"{count} {plural(count, 'state')} within {depth} {plural(depth or 0, 'step')}; a "
        "dashed ring marks those that lead on"
    )

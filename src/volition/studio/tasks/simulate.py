"""Tasks of a studio worker for the view *Step through*: take steps, undo them, and return the
current state, its options and the neighbouring states.

The workbench stores a walk (:func:`volition.walk`): a run that the user extends step by step. It
explores states when it reaches them. If the user requests something that needs the complete state
space (the value of a query, or a formula about runs), all states are explored and the walk
continues in that state space.
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
from volition.studio.tasks.evidence import source_positions, state_data
from volition.studio.tasks.run import folder_text
from volition.studio.view_data import OutcomeData, ProgressData, SourcePosition, StateData
from volition.studio.workbench import Workbench

__all__ = [
    "AtomData",
    "LineData",
    "MapData",
    "NodeData",
    "OptionData",
    "WalkData",
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
"""Largest number of states that are explored to compute the value of a query."""

MAX_LINES = 40
"""Largest number of steps in the list of steps so far; earlier steps are not shown."""

MAX_OPTIONS = 60
MAX_ATOMS = 80
MAX_DRAWN, MAX_OF_ALL = 150, 300
"""Largest number of states in a map of the states around the current one, and in a map of all
states; a larger map would be unreadable."""

_WALK, _FORMULAS, _QUERY, _MARKS, _MAP = (
    "walk",
    "formulas",
    "query",
    "bookmarks",
    "map",
)


@dataclass(frozen=True, slots=True)
class LineData:
    """Step of the walk, as a line in the list of steps so far."""

    number: int
    agent: str
    text: str
    rules: tuple[str, ...]
    positions: tuple[SourcePosition, ...]
    probability: str | None


@dataclass(frozen=True, slots=True)
class OptionData:
    """Choice that is possible in the current state. ``value`` is the value of the selected query if
    the choice is taken; ``is_best`` is set if an optimal strategy for the query takes it."""

    number: int
    agent: str
    text: str
    rules: tuple[str, ...]
    positions: tuple[SourcePosition, ...]
    value: str
    is_best: bool
    is_self_loop: bool
    outcomes: tuple[OutcomeData, ...]


@dataclass(frozen=True, slots=True)
class AtomData:
    """Atom that occurs in a property, and whether it holds in the current state."""

    text: str
    holds: bool


@dataclass(frozen=True, slots=True)
class WalkData:
    """Data of the view *Step through*: the last steps of the walk, the current state, and the
    options in it."""

    steps: int
    lines: tuple[LineData, ...]
    """Last steps of the walk, at most ``MAX_LINES``."""
    state: StateData
    options: tuple[OptionData, ...]
    more_options: int
    atoms: tuple[AtomData, ...]
    query: str
    value: str
    has_strategy: bool
    """Whether the selected query has a strategy that can be followed."""
    marks: tuple[str, ...]
    exploration_status: str
    """Text that says how much of the state space is explored."""


@dataclass(frozen=True, slots=True)
class NodeData:
    """State in the map of states. ``distance`` counts steps from the centre of the map; ``value``
    is the number or truth value that determines the colour, or None."""

    state: int
    distance: int
    name: str
    value: float | bool | None
    is_here: bool
    was_here: bool
    is_open: bool
    loops: bool


@dataclass(frozen=True, slots=True)
class MapData:
    """Map of states: the states as nodes, and the transitions as edges (source, target, label)."""

    nodes: tuple[NodeData, ...]
    edges: tuple[tuple[int, int, str], ...]
    remark: str
    exploration_status: str
    """Text that says how much of the state space is explored."""


# --- tasks that change the walk -------------------------------------------------------------------


def begin(bench: Workbench) -> WalkData:
    """Start a new walk in the initial state."""
    _rewind(bench)
    return _walk_data(bench)


def take(bench: Workbench, steps: int, option: int, outcome: int | None) -> WalkData:
    """Take the option with the given number, with the given outcome or, if that is None, a random
    one. Do nothing unless the walk has exactly ``steps`` steps, so that a double click takes the
    option once."""
    walk = _walk(bench)
    if len(walk) == steps:
        walk.take(option, outcome)
    return _walk_data(bench)


def random_step(bench: Workbench, steps: int) -> WalkData:
    """Take ``steps`` random steps."""
    _walk(bench).random_steps(steps)
    return _walk_data(bench)


def follow(bench: Workbench, steps: int) -> WalkData:
    """Take ``steps`` steps as an optimal strategy for the selected query chooses them."""
    query = bench.cache.get(_QUERY)
    if query is None:
        raise InputError(
            [
                Diagnostic(
                    "STU013",
                    "no query is selected, so there is no strategy to follow",
                    hint="select a query first",
                )
            ]
        )
    _walk(bench).follow(query, steps)
    return _walk_data(bench)


def back(bench: Workbench, steps: int) -> WalkData:
    """Undo the last ``steps`` steps."""
    _walk(bench).back(steps)
    return _walk_data(bench)


def back_to(bench: Workbench, number: int) -> WalkData:
    """Undo all steps after the step with the given number."""
    walk = _walk(bench)
    walk.back(max(0, len(walk) - number))
    return _walk_data(bench)


def replay_trace(bench: Workbench, document: Mapping[str, Any], steps: int) -> WalkData:
    """Start again in the initial state and take the first ``steps`` steps of a trace."""
    _rewind(bench)
    _walk(bench).replay_trace(document, steps)
    return _walk_data(bench)


def bookmark(bench: Workbench) -> WalkData:
    """Bookmark the current state, so that :func:`return_to` can go back to it."""
    walk, marks = _walk(bench), bench.cache.setdefault(_MARKS, {})
    count, last = len(walk), walk.annotated_run().steps[-1].text if len(walk) else "initial state"
    marks[f"{len(marks) + 1}: after {count} {plural(count, 'step')}, {last}"] = walk.trace()
    return _walk_data(bench)


def return_to(bench: Workbench, name: str) -> WalkData:
    """Go to the state with the given bookmark name."""
    marks = bench.cache.get(_MARKS, {})
    if name not in marks:
        raise InputError(
            [
                Diagnostic(
                    "STU011",
                    "the program has changed since this state was bookmarked",
                    hint="go to the state again",
                )
            ]
        )
    _walk(bench).replay_trace(marks[name])
    return _walk_data(bench)


def trace(bench: Workbench) -> str:
    """Return the steps so far as JSON text in the public trace format, with file names relative to
    the open folder."""
    text = json.dumps(_walk(bench).trace(), indent=2, ensure_ascii=False) + "\n"
    return text.replace(folder_text(bench.folder), "")


def value(bench: Workbench, query: str) -> WalkData:
    """Select a query: from now on its value is shown in each state and for each option. An empty
    text selects none."""
    formula = _read(bench, query) if query.strip() else None
    if formula is not None:
        _extend_model(bench, formula)
        _walk(bench).values(formula)  # raises InputError before anything changes
    bench.cache[_QUERY] = formula
    return _walk_data(bench)


# --- the model of the walk ------------------------------------------------------------------------


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


def _rewind(bench: Workbench) -> None:
    """Go back to the initial state; states that were explored stay explored."""
    walk = _walk(bench)
    walk.back(len(walk))


def _read(bench: Workbench, text: str) -> Formula:
    properties = parse_with_warnings(bench.program, text, Diagnostics())
    if len(properties) != 1:
        raise InputError(
            [Diagnostic("STU014", "enter exactly one formula", hint="such as Pmax=? [ F done ]")]
        )
    return properties[0].formula


def _extend_model(bench: Workbench, formula: Formula) -> None:
    """Make sure that the walk can evaluate a formula in its states. The formula may need history
    variables, or the complete state space. If the current model lacks what the formula needs, build
    a model that has it, and repeat the steps of the walk there."""
    walk = _walk(bench)
    formulas = list(dict.fromkeys([*bench.cache[_FORMULAS], formula]))
    is_observed = set(collect_observed_atoms([formula], walk.model.agents)) <= set(walk.observed)
    needs_all_states = not is_propositional(expand_agents(formula, walk.model.agents))
    if is_observed and (walk.explored is not None or not needs_all_states):
        return

    def report(update: Progress) -> None:
        bench.report_progress(ProgressData("walk", update.states, update.seconds))

    if needs_all_states:
        space = volition.explore(
            bench.program, formulas=formulas, max_states=MAX_STATES, progress=report
        )
        if space.stopped is not None:
            hint = "remove the formula: then states are explored only when you reach them"
            message = (
                "this formula needs the complete state space, but the exploration "
                f"{space.stopped.text}"
            )
            raise InputError([Diagnostic("STU015", message, hint=hint)])
        other = volition.walk(space)
    else:
        other = volition.walk(bench.program, formulas)
    bench.cache[_FORMULAS] = formulas
    bench.cache[_WALK] = other.retrace(walk)
    bench.cache.pop(_MAP, None)  # the states are numbered differently now


# --- the walk as data for the page ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Tail:
    """Last steps of a walk as a separate run, so that only these steps are annotated."""

    space: Any
    states: Sequence[int]
    choices: Sequence[int]
    loop: int | None = None


def _walk_data(bench: Workbench) -> WalkData:
    walk = _walk(bench)
    query: Formula | None = bench.cache.get(_QUERY)
    values = None if query is None else walk.values(query)
    before = max(0, len(walk) - MAX_LINES)
    annotated = annotate_run(
        _Tail(walk.space, walk.states[before:], walk.choices[before:]), walk.model
    )
    changes = annotated.steps[-1].changes if annotated.steps else ()
    explored = walk.explored
    return WalkData(
        steps=len(walk),
        lines=tuple(
            LineData(
                before + each.number,
                each.agent,
                each.text,
                tuple(dict.fromkeys(each.rules)),
                source_positions(bench, (origin.span for origin in each.origins)),
                each.probability,
            )
            for each in annotated.steps
        ),
        state=state_data(walk.model, walk.space.values(walk.state), walk.state_view, changes),
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
        exploration_status=_exploration_status(walk),
    )


def _exploration_status(walk: Walk) -> str:
    return (
        "states are explored when you reach them"
        if walk.explored is None
        else f"all {walk.explored.space.num_states:,} states are explored"
    )


def _option(
    bench: Workbench, walk: Walk, option: WalkOption, values: ChoiceValues | None
) -> OptionData:
    value = None if values is None else values.of_choices
    best = (
        None
        if values is None or values.optimal_choices is None or len(walk.options) == 1
        else int(values.optimal_choices[walk.state])
    )
    return OptionData(
        number=option.number,
        agent=option.agent,
        text=option.text,
        rules=option.rules,
        positions=source_positions(bench, (origin.span for origin in option.origins)),
        value="" if value is None else rounded_text(value[option.choice]),
        is_best=option.choice == best,
        is_self_loop=option.is_stutter,
        outcomes=tuple(_outcome(each, values) for each in option.outcomes),
    )


def _outcome(outcome: WalkOutcome, values: ChoiceValues | None) -> OutcomeData:
    value = "" if values is None else rounded_text(values.of_states[outcome.state])
    return OutcomeData(str(outcome.probability), tuple(map(str, outcome.changes)), value)


def _atoms(bench: Workbench, walk: Walk) -> list[AtomData]:
    """Return the atoms in the program's properties, with their truth in the current state."""
    agents = walk.model.agents
    formulas = [expand_agents(each, agents) for each in bench.cache[_FORMULAS]]
    atoms = dict.fromkeys(
        atom
        for formula in formulas
        for atom in subformulas(formula)
        if isinstance(atom, STATE_LEAVES)
    )
    queried = [each for each in atoms if formula_text(each) not in ("true", "false")][:MAX_ATOMS]
    return [AtomData(formula_text(each), bool(walk.holds(each))) for each in queried]


# --- the map of states ----------------------------------------------------------------------------


def draw_map(bench: Workbench, depth: int | None, colour: str) -> MapData:
    """Return a map of the states within ``depth`` steps of the current state, or of all states if
    ``depth`` is None. The formula or query ``colour`` determines the colours."""
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
        NodeData(
            state=state,
            distance=distance,
            name=_name(walk, near, state),
            value=None if formula is None else _colour_value(walk, formula, state),
            is_here=state == walk.state,
            was_here=state in visited,
            is_open=state in near.boundary,
            loops=state in loops,
        )
        for state, distance in near.distances.items()
    )
    return MapData(
        nodes, tuple(_edges(walk, near)), _remark(near, depth, maximum), _exploration_status(walk)
    )


def go_to(bench: Workbench, state: int) -> WalkData:
    """Go to a state of the last map, by the number of the state, on a shortest path."""
    near: Neighbourhood | None = bench.cache.get(_MAP)
    walk = _walk(bench)
    if near is None or state not in near.distances:
        raise InputError(
            [Diagnostic("STU011", "the map of states is out of date", hint="draw it again")]
        )
    (middle,) = (each for each, distance in near.distances.items() if distance == 0)
    if middle != walk.state:
        walk.back(len(walk) - walk.states.index(middle) if middle in walk.states else len(walk))
    walk.follow_path(near.path_to(state))
    return _walk_data(bench)


def _edges(walk: Walk, near: Neighbourhood) -> list[tuple[int, int, str]]:
    """Return one edge of the map for each pair of connected states, labelled with all steps between
    them."""
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
    """Return the name of a state in the map: the last step on the shortest path to it from the
    centre."""
    if near.distances[state] == 0:
        return "here" if state == walk.state else "initial state"
    return _step_text(walk, near.path_to(state)[-1])


def _colour_value(walk: Walk, formula: Formula, state: int) -> float | bool | None:
    query = expand_agents(formula, walk.model.agents)
    if isinstance(query, Probability | Reward | SteadyState) and query.relation is None:
        return float(walk.values(formula).of_states[state])
    return walk.holds(formula, state)


def _remark(near: Neighbourhood, depth: int | None, maximum: int) -> str:
    count = len(near.distances)
    if near.complete:
        return (
            f"{'all' if depth is None else 'all reachable states:'} {count} "
            f"{plural(count, 'state')}"
        )
    if count >= maximum:
        return f"the {count} nearest states; there are more"
    return (
        f"{count} {plural(count, 'state')} within {depth} {plural(depth or 0, 'step')}; states "
        "with a dashed ring have further successors"
    )

"""Environment of a Jason system: it executes the actions that agents request, delivers their
results, and makes spontaneous transitions.

Actions may be executed in any order, and a result may arrive later than the effect. This module
also converts terms between Jason, where numbers are doubles, and the world, where they are exact
fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import assert_never

from volition.kernel.system import Choice, SlotView
from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.observation import ActionObserver
from volition.languages.jason.settings import Settings
from volition.languages.jason.state import Intention, PendingAction, Result, mind_slot
from volition.languages.jason.terms import (
    And,
    Arithmetic,
    BracedTerm,
    Compare,
    List,
    Literal,
    Negative,
    Not,
    Or,
    Term,
    Text,
    Variable,
)
from volition.languages.world import terms as worldly
from volition.languages.world.interface import (
    OUTPUT_VARIABLE_PREFIX,
    EmptyWorld,
    World,
    WorldTransition,
    failed_outcome,
    split_answers,
    split_failure,
)
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.syntax import Predicate
from volition.origin import Origin

__all__ = [
    "ENVIRONMENT",
    "FREE_PERCEPTS",
    "EnvironmentComponent",
    "from_world",
    "may_perceive",
    "may_perceive_anything",
    "percepts",
    "to_world",
]

ENVIRONMENT = "environment"
FREE_PERCEPTS = "nature"
MAX_UNREPORTED_ACTIONS = 4
"""Maximum number of actions of one agent that the environment has executed without having delivered
their results."""


def percepts(mind: AgentState) -> list[Literal]:
    """Return the current percepts of an agent, in the order in which the world lists them."""
    seen = [from_world(each) for each in mind.agent.world.percepts(mind.state, mind.agent.name)]
    return [each for each in seen if isinstance(each, Literal)]


def may_perceive_anything(agent: str, world: World) -> bool:
    """Return whether an agent can have percepts at all."""
    if isinstance(world, DeclaredWorld):
        return any(may_perceive(agent, each) for each in world.tree.predicates)
    return world.predicates is None or bool(world.predicates)


def may_perceive(agent: str, predicate: Predicate) -> bool:
    """Return whether the declaration of a world predicate makes it perceptible by an agent."""
    return predicate.perceived and (
        not isinstance(predicate.visible_to, tuple) or agent in predicate.visible_to
    )


@dataclass(frozen=True)
class EnvironmentComponent:
    """Transitions of the environment: those for the actions of one agent (:meth:`execute`,
    :meth:`answer`), and spontaneous ones (:meth:`step`, :meth:`change`)."""

    world: World
    observer: ActionObserver
    perceive_before_result: tuple[str, ...] = ()
    """Names of the agents with ``results = after perception``. After an action of such an agent,
    the world does not change until the agent has perceived."""

    def execute(self, agent: str, settings: Settings, state: SlotView) -> Sequence[Choice]:
        """Return the transitions that execute an action of an agent. Each requested action may be
        executed next, so that all orders are possible. Without a world every action fails.

        The result is empty while an agent with ``results = after perception`` has acted but not yet
        perceived, or while ``MAX_UNREPORTED_ACTIONS`` executed actions of this agent have no
        result.
        """
        actions: tuple[PendingAction, ...] = state[mind_slot(agent, "actions")]
        orphans: tuple[Literal, ...] = state[mind_slot(agent, "orphans")]
        if self._perception_pending(state):
            return ()
        known = _with_result(agent, state) if actions else ()
        if (
            sum(
                each.stage != "requested" and index not in known
                for index, each in enumerate(actions)
            )
            >= MAX_UNREPORTED_ACTIONS
        ):
            return ()
        requested = [position for position, each in enumerate(actions) if each.stage == "requested"]
        noted: list[tuple[Literal, Callable[[bool], Mapping[str, Hashable]]]] = [
            (actions[place].action, partial(_writes_after, agent, settings, state, place))
            for place in _distinct(requested, agent, state)
        ]
        noted += [
            (action, partial(_writes_after_orphan, agent, orphans, action))
            for action in dict.fromkeys(orphans)
        ]
        return [
            self._choice(agent, action, move, note)
            for action, note in noted
            for move in self._moves(agent, action, state)
        ]

    def _moves(self, agent: str, action: Literal, state: SlotView) -> Sequence[WorldTransition]:
        if isinstance(self.world, EmptyWorld):
            return [
                WorldTransition(
                    "no environment", f"{action}: there is no environment, so it fails", _FAILURE
                )
            ]
        query = to_world(action)
        assert isinstance(query, worldly.Structure)
        return self.world.execute(state, agent, query)

    def _choice(
        self,
        agent: str,
        action: Literal,
        move: WorldTransition,
        note: Callable[[bool], Mapping[str, Hashable]],
    ) -> Choice:
        has_no_world = isinstance(self.world, EmptyWorld)
        observed = self.observer.otherwise if has_no_world else self.observer.after(agent, action)
        outcomes = []
        for weight, writes in move.outcomes:
            changed, failed = split_failure(split_answers(writes)[0])
            outcomes.append((weight, {**changed, **note(not failed), **observed}))
        done = None if has_no_world else str(action)
        return Choice(
            Origin(agent, ("environment", move.name), move.text, done, span=move.span), outcomes
        )

    def answer(self, agent: str, state: SlotView) -> Sequence[Choice]:
        """Return the transitions that deliver the result of an executed action to the agent."""
        actions: tuple[PendingAction, ...] = state[mind_slot(agent, "actions")]
        known = _with_result(agent, state) if actions else ()
        executed = [
            index
            for index, each in enumerate(actions)
            if each.stage != "requested" and index not in known
        ]
        return [
            self._answer(agent, position, actions[position], state)
            for position in _distinct(executed, agent, state)
        ]

    def _answer(self, agent: str, index: int, executed: PendingAction, state: SlotView) -> Choice:
        slot = mind_slot(agent, "results")
        writes = {
            slot: (*state[slot], Result(index, executed.stage == "done")),
            **self.observer.otherwise,
        }
        return Choice(
            Origin(agent, ("result",), f"the result of {executed.action} arrives"),
            [(Fraction(1), writes)],
        )

    def step(self, state: SlotView) -> Sequence[Choice]:
        """Return the transitions that the world makes spontaneously."""
        return (
            []
            if self._perception_pending(state)
            else [
                self._spontaneous_choice(ENVIRONMENT, move)
                for move in self.world.spontaneous_transitions(state)
            ]
        )

    def change(self, state: SlotView) -> Sequence[Choice]:
        """Return the transitions that change free percepts, which may appear and disappear at any
        time. They belong to a component of their own, so that fairness does not count them as steps
        of the environment."""
        return (
            []
            if self._perception_pending(state)
            else [
                self._spontaneous_choice(FREE_PERCEPTS, move)
                for move in self.world.free_percept_changes(state)
            ]
        )

    def _perception_pending(self, state: SlotView) -> bool:
        """Return whether some agent with ``results = after perception`` has acted and has not
        perceived since."""
        return any(
            not result.is_visible
            for agent in self.perceive_before_result
            for result in state[mind_slot(agent, "results")]
        )

    def _spontaneous_choice(self, name: str, move: WorldTransition) -> Choice:
        outcomes = [
            (weight, {**writes, **self.observer.otherwise}) for weight, writes in move.outcomes
        ]
        return Choice(Origin(name, ("environment", move.name), move.text, span=move.span), outcomes)


_FAILURE = ((Fraction(1), failed_outcome()),)


def _with_result(agent: str, state: SlotView) -> set[int]:
    results: tuple[Result, ...] = state[mind_slot(agent, "results")]
    return {each.position for each in results}


def _distinct(indices: Sequence[int], agent: str, state: SlotView) -> list[int]:
    """Return indices of an agent's pending actions without duplicates: of equal actions with equal
    intentions, only the first is kept."""
    actions: tuple[PendingAction, ...] = state[mind_slot(agent, "actions")]
    if len({actions[index] for index in indices}) == len(indices):
        return list(indices)
    acting: tuple[Intention, ...] = state[mind_slot(agent, "acting")]
    return list(
        {(actions[position], acting[position]): position for position in reversed(indices)}.values()
    )[::-1]


def _writes_after(
    agent: str, settings: Settings, state: SlotView, index: int, success: bool
) -> dict[str, Hashable]:
    """Return the slots to write after the action at ``index`` was executed. With ``results = after
    perception`` its result becomes visible as soon as the agent has perceived."""
    actions: tuple[PendingAction, ...] = state[mind_slot(agent, "actions")]
    if success and actions[index].completes_intention:
        return _writes_without(agent, state, index)
    stage = actions[index]._replace(stage="done" if success else "failed")
    noted: dict[str, Hashable] = {
        mind_slot(agent, "actions"): (*actions[:index], stage, *actions[index + 1 :])
    }
    if settings.results == "after perception":
        results = mind_slot(agent, "results")
        noted[results] = (*state[results], Result(index, success, is_visible=False))
    return noted


def _writes_without(agent: str, state: SlotView, index: int) -> dict[str, Hashable]:
    """Return the slots to write after the success of the action at ``index``, if this success ends
    the intention of the action (see :class:`PendingAction`). The action and its intention are
    removed, and the agent receives no result."""
    left: dict[str, Hashable] = {}
    for name in ("actions", "acting"):
        slot = mind_slot(agent, name)
        left[slot] = state[slot][:index] + state[slot][index + 1 :]
    results: tuple[Result, ...] = state[mind_slot(agent, "results")]
    if results:
        left[mind_slot(agent, "results")] = tuple(
            each._replace(position=each.position - (each.position > index)) for each in results
        )
    return left


def _writes_after_orphan(
    agent: str, orphans: tuple[Literal, ...], action: Literal, _: bool
) -> dict[str, Hashable]:
    """Return the slots to write after the execution of an action whose intention was dropped. Its
    result is discarded, because no intention waits for it."""
    index = orphans.index(action)
    return {mind_slot(agent, "orphans"): orphans[:index] + orphans[index + 1 :]}


# --- conversion of terms --------------------------------------------------------------------------


def to_world(term: Term) -> worldly.Term:
    """Convert a Jason term to a term of the world. Annotations are omitted; a term without a
    counterpart becomes a string."""
    match term:
        case int() | Text():
            return term
        case float():
            return worldly.number(repr(term))
        case Variable(name):
            return worldly.Variable(OUTPUT_VARIABLE_PREFIX + name)
        case List(items, tail):
            end = worldly.EMPTY_LIST if tail is None else to_world(tail)
            return worldly.list_of([to_world(each) for each in items], end)
        case Literal(functor, arguments):
            structure = worldly.Structure(functor, tuple(to_world(each) for each in arguments))
            return worldly.negation(structure) if term.negated else structure
        case Arithmetic() | Negative() | Compare() | Not() | And() | Or() | BracedTerm():
            pass
        case _:
            assert_never(term)
    return Text(str(term))


def from_world(term: worldly.Term) -> Term:
    """Convert a term of the world to a Jason term."""
    match term:
        case int() | Text():
            return term
        case Fraction():
            return float(term)
        case worldly.Variable(name):
            return Variable(name)
        case worldly.Structure(functor, arguments):
            items = worldly.list_items(term)
            if items is not None:
                return List(tuple(from_world(each) for each in items))
            if worldly.is_negated(term):
                return Literal(
                    functor[1:], tuple(from_world(each) for each in arguments), negated=True
                )
            return Literal(functor, tuple(from_world(each) for each in arguments))
        case _:
            assert_never(term)

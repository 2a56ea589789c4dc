"""Model of a CAN program: the transition system that the kernel explores, the meaning of atoms, and
descriptions of states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any

from volition.kernel import Reaction, SlotView, System
from volition.languages.can.agent import LAST_ACTION, AgentRules, EventStatus, intention_slot
from volition.languages.can.atoms import AtomDependencies, AtomResolver
from volition.languages.can.conditions import Parameters, Valuation, value
from volition.languages.can.decisions import ResolvedDecisions
from volition.languages.can.plan_library import PlanLibrary, ResolvedPolicy, effect_writes
from volition.languages.can.printing import background_text, body_text, number_text
from volition.languages.can.rewards import RewardTable
from volition.languages.can.scheduling import TURN, build_components
from volition.languages.can.semantics import turn_slot
from volition.languages.can.settings import DEFAULT_MAX_NESTING
from volition.languages.can.syntax import (
    AgentProgram,
    BackgroundChange,
    BeliefBase,
    Body,
    DropPolicy,
    PolicyTarget,
)
from volition.languages.can.vocabulary import RESERVED_LABELS, Vocabulary
from volition.languages.common.slots import Slot, assign_owner
from volition.languages.protocols import StateView
from volition.logic.syntax import Atom, AtomicFormula

__all__ = ["CanModel"]


class CanModel:
    """Model of a CAN agent with one initial belief base, values for its parameters, and policies.

    ``probability_parameters`` are the parameter values in probabilities of outcomes. They differ
    from the values elsewhere if parameters are symbolic. ``nesting`` is the maximum number of
    nested plans.
    """

    def __init__(
        self,
        agent: AgentProgram,
        base: BeliefBase,
        parameters: Parameters,
        policies: Mapping[PolicyTarget, ResolvedPolicy],
        update: DropPolicy,
        observed: Collection[Atom] = (),
        *,
        probability_parameters: Parameters | None = None,
        nesting: int = DEFAULT_MAX_NESTING,
    ) -> None:
        self._agent = agent
        self._vocabulary = Vocabulary(agent)
        library = PlanLibrary(
            {plan.number: plan for plan in agent.plans},
            {action.name: action for action in agent.actions},
            parameters,
            parameters if probability_parameters is None else probability_parameters,
            policies["plans"],
            resolve_intention_choices=not policies["intentions"].is_nondeterministic,
        )
        rewards = RewardTable(agent.rewards, agent.events, parameters)
        actions = frozenset(
            atom.arguments[-1].text
            for atom in observed
            if atom.modality == "Does" and atom.arguments
        )
        # A policy for intentions, or a decision, needs the choices of all intentions in one
        # component. Separate slots for the branches of a ∥ save work only if each branch has its
        # own component, so they are not used then.
        split_parallel = policies["intentions"].is_nondeterministic and not agent.decisions
        rules = AgentRules(
            agent.name,
            library,
            agent.events,
            rewards,
            update=update,
            observed=actions,
            nesting=nesting,
            split_parallel=split_parallel,
        )
        self._rules = rules
        self._display_names = _display_names(agent)
        self._atoms = AtomResolver(agent, self._vocabulary, rules, parameters, actions)
        moves = build_components(
            rules, self._display_names, policies["events"], policies["intentions"]
        )
        decisions = ResolvedDecisions(
            agent.decisions, agent.events, self._display_names, self._atoms.truth_of
        )
        turns = _round_robin_slots(agent, policies)
        self._turns = tuple(turns)
        self._system = System(
            slots=assign_owner(
                agent.name,
                {
                    **self._initial_beliefs(base, parameters),
                    **{
                        branch.slot: None
                        for branches in rules.slots.values()
                        for branch in branches
                    },
                    **{
                        intention_slot(number): EventStatus.PENDING
                        for number in self._display_names
                    },
                    **turns,
                    **({LAST_ACTION: None} if actions else {}),
                },
            ),
            components=[decisions.as_component(agent.name, moves)] if agent.decisions else moves,
            reactions=[_reaction(background, parameters) for background in agent.background],
            state_rewards=rewards.state_rewards(),
        )

    @property
    def system(self) -> System:
        return self._system

    @property
    def agents(self) -> Sequence[str]:
        return [self._agent.name]

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        """Return the function that evaluates an atom in a state: see :class:`AtomResolver`."""
        return self._atoms.resolve(atom)

    def atom_dependencies(self, atom: AtomicFormula) -> AtomDependencies:
        """Return the parts of the program on which an atom depends. Raises :class:`InputError` if
        the atom is not meaningful for the program."""
        self.resolve(atom)  # raises the error if there is one
        return self._atoms.atom_dependencies(atom)

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """Return the names of all plans and actions of the program, by kind. The names are those in
        reports of steps."""
        return {
            "plans": [plan.title for plan in self._agent.plans],
            "actions": [action.name for action in self._agent.actions],
        }

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Return the atoms and names that a formula can use, by kind (see
        :class:`volition.languages.protocols.HasVocabulary`)."""
        events = list(dict.fromkeys(event.name for event in self._agent.events))
        return {
            "beliefs": [f"Bel({name})" for name in self._vocabulary.beliefs],
            "goals": [
                f"{modality}({name})"
                for modality in ("Int", "Des", "Waiting", "Finished", "Blocked")
                for name in events
            ],
            "actions": [f"Does({action.name})" for action in self._agent.actions],
            "labels": list(dict.fromkeys([*self._vocabulary.labels, *RESERVED_LABELS])),
            "numeric_variables": list(self._vocabulary.quantities),
        }

    def describe(self, state: SlotView) -> StateView:
        """Return the view of a state: its true and numeric beliefs, its pending events, and the
        remaining program of each intention. The last action is included if formulas observe
        actions."""
        beliefs = {name: "" for name in self._vocabulary.beliefs if state[name]}
        beliefs |= {name: number_text(state[name]) for name in self._vocabulary.quantities}
        left = {title: self.left(number, state) for number, title in self._display_names.items()}
        view = {
            "beliefs": beliefs,
            "events": {
                title: ""
                for number, title in self._display_names.items()
                if state[intention_slot(number)] is EventStatus.PENDING
            },
            "intentions": {
                title: body_text(program) for title, program in left.items() if program is not None
            },
        }
        if LAST_ACTION in self._system.slots:
            view["did"] = {state[LAST_ACTION]: ""} if state[LAST_ACTION] else {}
        return view

    def left(self, number: int, state: SlotView) -> Body | None:
        """Return the remaining program of the intention for the external event with this number.
        Return None before the event is adopted and after the intention is removed."""
        return self._rules.program(number, state)

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """Return the parts of a state that :meth:`describe` omits: the last selection of each
        round-robin policy."""
        return {f"last {slot}": str(state[slot]) for slot in self._turns}

    def _initial_beliefs(self, base: BeliefBase, parameters: Parameters) -> dict[Slot, Hashable]:
        believed = {belief.name: belief.expression for belief in base.beliefs}
        constant = Valuation({}, parameters)
        initial: dict[str, Hashable] = {name: name in believed for name in self._vocabulary.beliefs}
        initial |= {
            name: value(number, constant) for name, number in believed.items() if number is not None
        }
        return {Slot(name, "belief"): held for name, held in initial.items()}


def _display_names(agent: AgentProgram) -> dict[int, str]:
    """Return the display name of each external event: its name, followed by its number if the name
    is not unique."""
    names = [event.name for event in agent.events]
    return {
        event.number: event.name
        if names.count(event.name) == 1
        else f"{event.name} ({event.number})"
        for event in agent.events
    }


def _round_robin_slots(
    agent: AgentProgram, policies: Mapping[PolicyTarget, ResolvedPolicy]
) -> dict[Slot, Hashable]:
    """Return the slots that store the last selection of each round-robin policy, with their initial
    values."""
    turns: dict[Slot, Hashable] = {}
    if policies["intentions"].kind == "round-robin":
        turns[TURN] = 0
    if policies["plans"].kind == "round-robin":
        turns |= {turn_slot(plan.event): 0 for plan in agent.plans}
    return turns


def _reaction(background: BackgroundChange, parameters: Parameters) -> Reaction:
    return Reaction(
        background_text(background),
        lambda state: effect_writes(background, Valuation(state, parameters)),
    )

"""Model of a LISA program: the system to explore, the values of atoms in a state, and readable
descriptions of states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any, assert_never

from volition.diagnostics import Span
from volition.kernel.system import Choice, Component, SlotView, System
from volition.languages.common.slots import qualified_names
from volition.languages.lisa.atoms import (
    BelAtom,
    DesAtom,
    DoesAtom,
    IntAtom,
    ParsedAtom,
    VariableAtom,
    Variables,
    parse_atom,
)
from volition.languages.lisa.matching import is_of_environment, observe, place_of
from volition.languages.lisa.resolved import SCHEDULER, Action, Plan, ResolvedAgent, memory_of
from volition.languages.lisa.semantics import (
    BELIEFS_NEXT,
    AgentView,
    believes,
    is_triggered,
    previous_index_slot,
    system_of,
    variables_of,
)
from volition.languages.lisa.syntax import holds
from volition.languages.protocols import ObservedTransition, StateView
from volition.logic.syntax import Atom, AtomicFormula

__all__ = ["LisaModel"]


class LisaModel:
    """Model of a LISA program. ``observed`` are the atoms of the properties that will be
    checked."""

    def __init__(
        self, understood: Sequence[ResolvedAgent], observed: Collection[Atom] = ()
    ) -> None:
        self.understood = tuple(understood)
        queried = [parse_atom(self.understood, atom) for atom in observed]
        self._watched = {agent.name: _executing(agent, queried) for agent in self.understood}

    @cached_property
    def system(self) -> System:
        """System of the agents and their environment that the kernel explores."""
        return system_of(self.understood, self._watched)

    @cached_property
    def variables(self) -> Variables:
        """Map from each slot of the system to the agent that owns it and the slot's name without
        that agent's prefix. The slot of the scheduler, which says whether beliefs or plans change
        next, has no prefix, because all agents share it."""
        return {
            slot: (agent, slot if slot == SCHEDULER else slot.removeprefix(agent.prefix))
            for agent in self.understood
            for slot in variables_of(agent, self._watched[agent.name])
        }

    @property
    def agents(self) -> Sequence[str]:
        """Names of the agents, which are the names of their reasoning files."""
        return tuple(agent.name for agent in self.understood)

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        """Return the function that computes the value of an atomic formula in a state. The atomic
        formula is an atom such as ``Bel(...)``, the name of a belief, or a variable in a
        comparison."""
        agent, parsed_atom = parse_atom(self.understood, atom, variables=self.variables)
        own = self.resolve_atom(agent, parsed_atom)
        return (lambda state: own(AgentView(agent, state))) if agent.prefix else own

    def resolve_atom(self, agent: ResolvedAgent, atom: ParsedAtom) -> Callable[[SlotView], Any]:
        """Return the function that evaluates a parsed atom. Its argument is a state in which the
        agent's slots have their names without prefix (:class:`AgentView`)."""
        match atom:
            case VariableAtom(name):
                return lambda state: state[name]
            case BelAtom(condition):
                return lambda state: holds(condition, believes(state))
            case DesAtom(plan):
                return lambda state: is_triggered(plan, state)
            case IntAtom(plan):
                return lambda state: bool(state[plan.name] > 0)
            case DoesAtom(action):
                return lambda state: any(
                    _just_moved_onto(plan, action, state) for plan in self._watched[agent.name]
                )
            case _:
                assert_never(atom)

    def is_environment(self, component: Component) -> bool:
        """Return whether a component belongs to the environment: it changes a percept or the
        feedbacks of an action. Plans and mental notes belong to the agent."""
        return is_of_environment(component)

    def match_observation(
        self,
        component: Component,
        state: SlotView,
        choices: Sequence[Choice],
        observation: Mapping[str, Hashable],
    ) -> ObservedTransition:
        """Return the transition of an environment component (a percept, or the feedbacks of an
        action) that agrees with what was observed in the world. It is marked as unmodelled if the
        model does not contain it: see :mod:`.matching`."""
        return observe(component, state, choices, observation)

    def span_of(self, component: Component) -> Span | None:
        """Return the position in the project of what a component changes: the declaration of a
        percept or action, the first of several plans, or the first action or rule that changes a
        mental note. Return None for all other components."""
        return place_of(component)

    def slot_descriptions(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what slots stand for, as three mappings whose keys are slot names:

        - ``beliefs``: the sentence of each belief;
        - ``plans``: the steps of each plan;
        - ``awaited``: for each countdown, the feedbacks of its action and the reasoning cycles in
          which
          they can come.
        """
        words: dict[str, dict[str, Any]] = {"beliefs": {}, "plans": {}, "awaited": {}}
        for agent in self.understood:
            words["beliefs"] |= {agent.prefix + name: text for name, text in agent.beliefs.items()}
            words["plans"] |= {
                agent.prefix + plan.name: [step.text for step in plan.steps] for plan in agent.plans
            }
            words["awaited"] |= {
                agent.prefix + each.feedbacks[0].name: {
                    "feedbacks": _feedbacks(each),
                    "earliest": each.earliest,
                    "latest": each.latest,
                }
                for each in agent.actions
                if each.feedbacks
            }
        return words

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """Return the names of all plans, under the key ``plans``, and of all actions in plans,
        under the key ``actions``. The names are those in reports of runs."""
        agents = self.understood
        return {
            "plans": qualified_names(
                {agent.name: [plan.name for plan in agent.plans] for agent in agents}
            ),
            "actions": qualified_names(
                {
                    agent.name: dict.fromkeys(
                        step.action for plan in agent.plans for step in plan.steps
                    )
                    for agent in agents
                },
            ),
        }

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Return the atoms and names that formulas about this program can use, by kind
        (:class:`volition.languages.protocols.HasVocabulary`)."""
        several = len(self.understood) > 1

        def atom_text(modality: str, agent: ResolvedAgent, what: str) -> str:
            return f"{modality}({agent.name}, {what})" if several else f"{modality}({what})"

        return {
            "beliefs": [
                atom_text("Bel", agent, f'"{text}"')
                for agent in self.understood
                for text in agent.beliefs.values()
            ],
            "goals": [
                atom_text(each, agent, plan.name)
                for each in ("Des", "Int")
                for agent in self.understood
                for plan in agent.plans
            ],
            "actions": [
                atom_text("Does", agent, f'"{action}"')
                for agent in self.understood
                for action in dict.fromkeys(
                    step.action for plan in agent.plans for step in plan.steps
                )
            ],
            "labels": [agent.prefix + name for agent in self.understood for name in agent.beliefs],
            "numeric_variables": list(self.variables),
        }

    def describe(self, state: SlotView) -> StateView:
        """Return a readable description of a state: the beliefs that are held, the running plans
        with their current actions, and the awaited feedbacks.

        Counters of the environment are left out because they change in every cycle;
        :meth:`state_details` has them.
        """
        texts: dict[str, Mapping[str, str]] = {}
        for agent in self.understood:
            owner = f"{agent.name} " if agent.prefix else ""
            texts |= {
                owner + section: items
                for section, items in _agent_view(agent, AgentView(agent, state)).items()
            }
        return texts

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """Return the parts of a state that change in every reasoning cycle: whether beliefs or
        plans change next, the counters, the previous values of beliefs, and the previous indices of
        plans."""
        texts = {
            "next": "the beliefs change" if state[SCHEDULER] == BELIEFS_NEXT else "the plans move"
        }
        for agent in self.understood:
            owner = f"{agent.name}: " if agent.prefix else ""
            texts |= {
                owner + item: value
                for item, value in _agent_details(
                    agent, self._watched[agent.name], AgentView(agent, state)
                ).items()
            }
        return texts


def _executing(
    agent: ResolvedAgent, queried: Sequence[tuple[ResolvedAgent, ParsedAtom]]
) -> list[Plan]:
    """Return the plans of an agent that contain an action of some ``Does`` atom in the formulas."""
    actions = {
        atom.action for owner, atom in queried if owner is agent and isinstance(atom, DoesAtom)
    }
    return [
        plan
        for plan in agent.plans
        if any(step.is_called(name) for step in plan.steps for name in actions)
    ]


def _agent_view(agent: ResolvedAgent, state: SlotView) -> StateView:
    return {
        "beliefs": {text: "" for name, text in agent.beliefs.items() if state[name] == 1},
        "intentions": {
            f"plan {plan.number}": _stage(plan, state[plan.name])
            for plan in agent.plans
            if state[plan.name] > 0
        },
        "awaited": {_feedbacks(action): "" for action in _awaited(agent, state)},
    }


def _agent_details(
    agent: ResolvedAgent, watched: Collection[Plan], state: SlotView
) -> Mapping[str, str]:
    counted = [each for each in agent.percepts if each.counter is not None]
    return {
        **{
            f"cycles counted for {percept.text}": str(state[percept.counter])
            for percept in counted
            if percept.counter
        },
        **{
            f"cycles left until {_feedbacks(each)}": str(state[each.feedbacks[0].name] - 1)
            for each in _awaited(agent, state)
        },
        **{
            f"{message.text} is on its way": ""
            for message in agent.messages
            if state[message.name] > 1
        },
        **{
            f"{agent.beliefs[name]} in the cycle before": ""
            for name in agent.event_beliefs
            if state[memory_of(name)]
        },
        **{
            f"plan {plan.number} before": _stage(plan, index)
            for plan in watched
            if (index := state[previous_index_slot(plan.name)]) > 0
        },
    }


def _awaited(agent: ResolvedAgent, state: SlotView) -> list[Action]:
    return [each for each in agent.actions if each.feedbacks and state[each.feedbacks[0].name] > 1]


def _just_moved_onto(plan: Plan, action: str, state: SlotView) -> bool:
    """Return whether a plan started to execute an action in the last half-step. (A reasoning cycle
    has two half-steps: the beliefs change, then the plans move.)"""
    index = state[plan.name]
    return (
        index > 0
        and plan.steps[index - 1].is_called(action)
        and bool(state[previous_index_slot(plan.name)] != index)
    )


def _feedbacks(action: Action) -> str:
    return " or ".join(feedback.text for feedback in action.feedbacks)


def _stage(plan: Plan, index: int) -> str:
    return f"{plan.steps[index - 1].text} ({index} of {len(plan.steps)})"

"""The meaning of a LISA program: its system, and how its states answer questions and are told to people."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any

from volition.diagnostics import Span
from volition.kernel.system import Choice, Component, System, View
from volition.languages.lisa.agent import SCHEDULER, Action, Agent, Plan, memory_of
from volition.languages.lisa.observation import is_of_environment, observe, place_of
from volition.languages.lisa.questions import Believed, Desired, Executed, Intended, Question, Variable, read_question
from volition.languages.lisa.semantics import BELIEFS_NEXT, believes, index_before, is_triggered, system_of
from volition.languages.lisa.syntax import holds
from volition.languages.model import Occurrence, Portrait
from volition.logic.syntax import Atom, Leaf

__all__ = ["LisaModel"]


class LisaModel:
    """A LISA program's meaning; ``observed`` are the atoms that will be asked."""

    def __init__(self, agent: Agent, observed: Collection[Atom] = ()) -> None:
        self.agent = agent
        asked = [read_question(agent, atom) for atom in observed]
        actions = {question.action for question in asked if isinstance(question, Executed)}
        self._watched = [plan for plan in agent.plans if any(step.is_called(name) for step in plan.steps for name in actions)]

    @cached_property
    def system(self) -> System:
        """The agent and its environment as the kernel explores them."""
        return system_of(self.agent, self._watched)

    @property
    def agents(self) -> Sequence[str]:
        """A LISA program is one agent, named as its reasoning file."""
        return (self.agent.name,)

    def resolve(self, leaf: Leaf) -> Callable[[View], Any]:
        """The traced function behind an atom, a belief's name, or a variable of the model in a comparison."""
        return self.answer(read_question(self.agent, leaf, variables=self.system.slots))

    def answer(self, question: Question) -> Callable[[View], Any]:
        """The traced function behind a question that was read."""
        match question:
            case Variable(name):
                return lambda state: state[name]
            case Believed(condition):
                return lambda state: holds(condition, believes(state))
            case Desired(plan):
                return lambda state: is_triggered(plan, state)
            case Intended(plan):
                return lambda state: bool(state[plan.name] > 0)
            case Executed(action):
                return lambda state: any(_just_moved_onto(plan, action, state) for plan in self._watched)

    def is_of_world(self, component: Component) -> bool:
        """Percepts and feedbacks are the world's; what plans and mental notes do is the agent's."""
        return is_of_environment(component)

    def observe(self, component: Component, state: View, choices: Sequence[Choice], observation: Mapping[str, Hashable]) -> Occurrence:
        """What became of a percept or of a called action: see :mod:`.observation`."""
        return observe(component, state, choices, observation)

    def place(self, component: Component) -> Span | None:
        """The entry of a percept or of an action; of a mental note and of plans the first place that changes them."""
        return place_of(component)

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """The plans, and the actions in them, as they appear in origins."""
        plans = self.agent.plans
        return {
            "plans": [plan.name for plan in plans],
            "actions": list(dict.fromkeys(step.action for plan in plans for step in plan.steps)),
        }

    def portray(self, state: View) -> Portrait:
        """The beliefs that are held, the plans that run with their current actions, and the feedbacks that are awaited.

        Counters of the environment are left out (see :meth:`details`): they move in every cycle, and what they do is seen when they
        have done it.
        """
        agent = self.agent
        awaited = [each for each in agent.actions if each.feedbacks and state[each.feedbacks[0].name] > 1]
        return {
            "beliefs": {text: "" for name, text in agent.beliefs.items() if state[name] == 1},
            "intentions": {f"plan {plan.number}": _stage(plan, state[plan.name]) for plan in agent.plans if state[plan.name] > 0},
            "awaited": {_feedbacks(action): "" for action in awaited},
        }

    def details(self, state: View) -> Mapping[str, str]:
        """What moves in every cycle: the half-step, the counters, and what was believed and done before."""
        agent = self.agent
        awaited = [each for each in agent.actions if each.feedbacks and state[each.feedbacks[0].name] > 1]
        counted = [each for each in agent.percepts if each.counter is not None]
        return {
            "next": "the beliefs change" if state[SCHEDULER] == BELIEFS_NEXT else "the plans move",
            **{f"cycles counted for {percept.text}": str(state[percept.counter]) for percept in counted if percept.counter},
            **{f"cycles left until {_feedbacks(action)}": str(state[action.feedbacks[0].name] - 1) for action in awaited},
            **{f"{agent.beliefs[name]} in the cycle before": "" for name in agent.remembered if state[memory_of(name)]},
            **{
                f"plan {plan.number} before": _stage(plan, index) for plan in self._watched if (index := state[index_before(plan.name)]) > 0
            },
        }


def _just_moved_onto(plan: Plan, action: str, state: View) -> bool:
    """Whether the last half-step made the plan stand on the action."""
    index = state[plan.name]
    return index > 0 and plan.steps[index - 1].is_called(action) and bool(state[index_before(plan.name)] != index)


def _feedbacks(action: Action) -> str:
    return " or ".join(feedback.text for feedback in action.feedbacks)


def _stage(plan: Plan, index: int) -> str:
    return f"{plan.steps[index - 1].text} ({index} of {len(plan.steps)})"

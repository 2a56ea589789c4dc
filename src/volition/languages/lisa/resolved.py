"""Resolved LISA agent: beliefs, actions, plans and rules, with all references resolved by name.

The semantics (:mod:`.semantics`) and the translation to PRISM work on these classes. The names are
those of the variables in Appendix B.2 of Izzo's thesis: ``plan_4``, ``mission_complete``,
``drive_mode``, ``c1``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal, Protocol

from volition.diagnostics import Span
from volition.kernel.system import SlotView
from volition.languages.common.slots import Slot
from volition.languages.lisa.syntax import Condition, ReasoningRule, TimingDistribution, Trigger

__all__ = [
    "Action",
    "BeliefHeld",
    "Feedback",
    "Kind",
    "MentalNote",
    "MessagePercept",
    "MessageSource",
    "Percept",
    "Plan",
    "PlanGroup",
    "PlanPosition",
    "ResolvedAgent",
    "ResolvedStep",
    "RewardItem",
    "kind_of",
    "memory_of",
]  # fmt: skip

Kind = Literal["dtmc", "mdp"]

SCHEDULER = Slot("x", "cycle")
"""Variable that says what the next half of a reasoning cycle does (Izzo, Fig. 4.2): 0 if it updates
the beliefs, 1 if it moves the plans."""

RESOURCE_CYCLES = "res_cycles"
"""Name of the reward that every program has (Izzo, App. B.2): 1 for each reasoning cycle."""


@cache
def memory_of(belief: str) -> Slot:
    """Return the slot that stores a belief's value in the previous reasoning cycle."""
    return Slot(f"was_{belief}", "memory", item=belief)


@dataclass(frozen=True, slots=True)
class PlanPosition:
    """Position in a plan: the plan and the index of one of its actions, as in ``plan_5 = 3``."""

    plan: str
    index: int
    span: Span


@dataclass(frozen=True, slots=True)
class MentalNote:
    """Mental note: a belief that actions in plans and rules add and remove. The fields list these
    actions and rules."""

    name: str
    text: str
    initially: bool
    added_at: tuple[PlanPosition, ...]
    removed_at: tuple[PlanPosition, ...]
    added_by: tuple[ReasoningRule, ...]
    removed_by: tuple[ReasoningRule, ...]


@dataclass(frozen=True, slots=True)
class MessageSource:
    """Sender of a message, and the position in its plans at which it sends the message.

    ``position`` is None if the agent sends the message before the first reasoning cycle. ``prefix``
    is the prefix of the sender's variables.
    """

    sender: str
    prefix: str
    position: PlanPosition | None


@dataclass(frozen=True, slots=True)
class MessagePercept:
    """Message from other agents of the project. Its value is not random: it is held in the
    reasoning cycle after the one in which it was sent."""

    name: str
    text: str
    initially: bool
    sent: tuple[MessageSource, ...]
    span: Span

    @property
    def sent_initially(self) -> bool:
        return any(each.position is None for each in self.sent)


class PerceptRule(Protocol):
    """Rule that computes the value of a percept from the state, in place of a random environment
    (Izzo, Sect. 4.5, Fig. 4.9)."""

    def after(self, held: bool, state: SlotView) -> Sequence[bool]:
        """Return the possible values of the percept after a change of the beliefs: one value, or
        both if the rule does not determine the value.

        ``state`` is the state before the beliefs change. ``held`` is the value of the percept in
        that state.
        """


@dataclass(frozen=True, slots=True)
class Percept:
    """Percept of a sensor, or message from outside the project. It flips (becomes held or absent)
    at random times. ``counter`` is the variable that counts reasoning cycles for these times, or
    None if the percept does not need it."""

    name: str
    text: str
    is_message: bool
    initially: bool
    condition: Condition
    activation: TimingDistribution
    deactivation: TimingDistribution
    counter: str | None
    span: Span
    rule: PerceptRule | None = None
    """Rule that computes the value of the percept, or None if it flips at random."""


@dataclass(frozen=True, slots=True)
class Feedback:
    name: str
    text: str
    initially: bool
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Action:
    """External action. ``called_at`` are the positions in plans that call it, and
    ``called_initially`` says whether it is an initial action.

    A feedback is a result of the action. If the action has feedbacks, one of them comes after each
    call, within ``mean - deviation`` to ``mean + deviation`` reasoning cycles.
    """

    name: str
    text: str
    repeated: bool
    feedbacks: tuple[Feedback, ...]
    mean: int
    deviation: int
    called_at: tuple[PlanPosition, ...]
    called_initially: bool
    span: Span

    @property
    def earliest(self) -> int:
        """First reasoning cycle, counted from the call of the action, in which a feedback (a result
        of the action) can come."""
        return max(1, self.mean - self.deviation)

    @property
    def latest(self) -> int:
        """Last reasoning cycle, counted from the call of the action, in which a feedback (a result
        of the action) can come."""
        return self.mean + self.deviation


@dataclass(frozen=True, slots=True)
class ResolvedStep:
    """Step of a plan, which executes one action. If the action has ``feedbacks`` (results), the
    plan continues when one of them comes. Otherwise it continues immediately.

    - ``action`` is the name of the action, the same for all its calls.
    - ``sentence`` is the name of the sentence by which this step calls the action.
    - ``objects`` are the arguments in that sentence, by the local names of the action file.
    - ``stops`` is the action that the step stops, or None.
    """

    text: str
    action: str
    sentence: str
    feedbacks: tuple[str, ...]
    span: Span
    objects: tuple[tuple[str, str], ...] = ()
    stops: str | None = None

    def is_called(self, name: str) -> bool:
        """Return whether ``name`` is a name of the action that this step executes. An action can be
        called by different sentences, and each sentence has a name. The step accepts two names: the
        general name of the action, which is the same for all its sentences, and the name of the
        sentence in this step."""
        return name in (self.action, self.sentence)


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan of an agent. Its index is 0 while it is idle, and i while it is at the i-th of its
    steps."""

    number: int
    event: Trigger
    context: Condition
    steps: tuple[ResolvedStep, ...]
    withdrawn_at: tuple[PlanPosition, ...]
    """Positions at which other plans withdraw this plan."""
    span: Span

    @property
    def name(self) -> str:
        return f"plan_{self.number}"


@dataclass(frozen=True, slots=True)
class PlanGroup:
    """Plans with the same triggering event whose contexts mention the same beliefs. At most one of
    them runs at a time.

    ``overlaps`` is true if two of the plans can be triggered in the same state. The agent then has
    to choose one of them. ``suspends`` is true if it may also choose none and decide in the next
    cycle (Izzo, Sect. 4.5).
    """

    plans: tuple[Plan, ...]
    overlaps: bool
    suspends: bool = False

    @property
    def name(self) -> str:
        """Name of the component of the model that moves the plans of this group, such as
        ``plan_4_5``."""
        return "plan_" + "_".join(str(plan.number) for plan in self.plans)


@dataclass(frozen=True, slots=True)
class BeliefHeld:
    """Condition that a belief is held, ``sea_state_is_too_high = 1``. States that satisfy it earn a
    reward."""

    belief: str


@dataclass(frozen=True, slots=True)
class RewardItem:
    """Part of a state reward: a value that is earned in each state in which a plan is at an action,
    or in which a percept is held."""

    where: PlanPosition | BeliefHeld
    value: Fraction


@dataclass(frozen=True, slots=True)
class ResolvedAgent:
    """Resolved agent. ``name`` is the name of its reasoning file.

    ``prefix`` is put before the names of the agent's variables, rewards and parameters if the
    project has several agents; otherwise it is empty. The names in this object do not have the
    prefix.
    """

    name: str
    prefix: str
    groups: tuple[PlanGroup, ...]
    actions: tuple[Action, ...]
    notes: tuple[MentalNote, ...]
    percepts: tuple[Percept, ...]
    messages: tuple[MessagePercept, ...]
    event_beliefs: tuple[str, ...]
    """Beliefs whose addition or removal triggers a plan."""
    rewards: Mapping[str, tuple[RewardItem, ...]]

    @property
    def plans(self) -> tuple[Plan, ...]:
        return tuple(
            sorted(
                (plan for group in self.groups for plan in group.plans),
                key=lambda plan: plan.number,
            )
        )

    @property
    def kind(self) -> Kind:
        """Kind of the agent's model: a DTMC if the agent never has to choose a plan (Izzo, Theorem
        4.1), otherwise an MDP (Izzo, Theorem 4.2)."""
        return "mdp" if any(group.overlaps for group in self.groups) else "dtmc"

    @property
    def beliefs(self) -> dict[str, str]:
        """Sentence of every belief, by the belief's name."""
        feedbacks = {
            feedback.name: feedback.text for action in self.actions for feedback in action.feedbacks
        }
        others: tuple[MentalNote | Percept | MessagePercept, ...] = (
            *self.notes,
            *self.percepts,
            *self.messages,
        )
        return {each.name: each.text for each in others} | feedbacks


def kind_of(agents: Sequence[ResolvedAgent]) -> Kind:
    """Return the kind of the model of several agents: an MDP if one of them has to choose between
    plans, otherwise a DTMC."""
    return "mdp" if any(agent.kind == "mdp" for agent in agents) else "dtmc"

"""A LISA agent that was understood: beliefs, actions, plans and rules with everything resolved by
name.

This is what the semantics (:mod:`.semantics`) and the translation to PRISM are written on.  The
names are those of the variables in Appendix B.2 of Izzo's thesis: ``plan_4``, ``mission_complete``,
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
"""The variable of the scheduler (Fig. 4.2): 0 when the beliefs are updated next, 1 when the plans
are."""

RESOURCE_CYCLES = "res_cycles"
"""The reward that every generated program has (App. B.2): 1 for each reasoning cycle."""


@cache
def memory_of(belief: str) -> Slot:
    """The variable that keeps what a belief was in the cycle before."""
    return Slot(f"was_{belief}", "memory", item=belief)


@dataclass(frozen=True, slots=True)
class PlanPosition:
    """A plan stands on one of its actions: ``plan_5 = 3``."""

    plan: str
    index: int
    span: Span


@dataclass(frozen=True, slots=True)
class MentalNote:
    """A mental note, with the actions and rules that add and remove it."""

    name: str
    text: str
    initially: bool
    added_at: tuple[PlanPosition, ...]
    removed_at: tuple[PlanPosition, ...]
    added_by: tuple[ReasoningRule, ...]
    removed_by: tuple[ReasoningRule, ...]


@dataclass(frozen=True, slots=True)
class MessageSource:
    """An agent sends a message: one of its plans stands on the action, or, without a ``place``, it
    does before the first cycle.

    ``prefix`` stands before the names of the sender's variables.
    """

    sender: str
    prefix: str
    position: PlanPosition | None


@dataclass(frozen=True, slots=True)
class MessagePercept:
    """A message that other agents of the project send: nothing is drawn, it is held for the cycle
    after that in which it was sent."""

    name: str
    text: str
    initially: bool
    sent: tuple[MessageSource, ...]
    span: Span

    @property
    def sent_initially(self) -> bool:
        return any(each.position is None for each in self.sent)


class PerceptRule(Protocol):
    """What a belief depends on that is a percept of the program, but not the world's: a verifier
    makes it (Sect. 4.5, Fig. 4.9)."""

    def after(self, held: bool, state: SlotView) -> Sequence[bool]:
        """Whether it may be held after the beliefs half-step that begins in a state: one answer, or
        two where nobody knows."""


@dataclass(frozen=True, slots=True)
class Percept:
    """A sensory percept or a message from outside.  ``counter`` is None if it needs none."""

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
    """What it depends on instead of chance, if it does."""


@dataclass(frozen=True, slots=True)
class Feedback:
    name: str
    text: str
    initially: bool
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Action:
    """An external action, the places in plans that call it, and whether it is an initial action.

    One of its feedbacks, if it has any, comes ``mean`` reasoning cycles after the call, give or
    take ``deviation``.
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
        """The cycle, counted from the call, in which a feedback comes at the earliest."""
        return max(1, self.mean - self.deviation)

    @property
    def latest(self) -> int:
        """The cycle, counted from the call, in which a feedback comes at the latest."""
        return self.mean + self.deviation


@dataclass(frozen=True, slots=True)
class ResolvedStep:
    """One action of a plan.  The plan goes on when one of ``feedbacks`` comes, or at once if there
    are none.

    ``action`` is the name that the action has wherever it is called, ``sentence`` that of the
    sentence written here.  ``objects`` are the objects in that sentence, by the local names of the
    action file.  ``stops`` names the action that the step stops, if it stops one.
    """

    text: str
    action: str
    sentence: str
    feedbacks: tuple[str, ...]
    span: Span
    objects: tuple[tuple[str, str], ...] = ()
    stops: str | None = None

    def is_called(self, name: str) -> bool:
        """Whether a name means this action: that of its action file's first sentence, or that of
        its own sentence."""
        return name in (self.action, self.sentence)


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan; its index is 0 when idle and i while it stands on the i-th of its steps."""

    number: int
    event: Trigger
    context: Condition
    steps: tuple[ResolvedStep, ...]
    withdrawn_at: tuple[PlanPosition, ...]
    """Where other plans give it up."""
    span: Span

    @property
    def name(self) -> str:
        return f"plan_{self.number}"


@dataclass(frozen=True, slots=True)
class PlanGroup:
    """Plans with the same triggering event whose contexts mention the same beliefs: at most one of
    them runs.

    ``overlaps`` says that the triggering conditions of two of them can hold at once, so that one
    has to be chosen; ``suspends`` that the agent may also decide nothing then, and look again in
    the next cycle (Sect. 4.5).
    """

    plans: tuple[Plan, ...]
    overlaps: bool
    suspends: bool = False

    @property
    def name(self) -> str:
        """The name of the group's module, such as ``plan_4_5``."""
        return "plan_" + "_".join(str(plan.number) for plan in self.plans)


@dataclass(frozen=True, slots=True)
class BeliefHeld:
    """A belief is held: ``sea_state_is_too_high = 1``."""

    belief: str


@dataclass(frozen=True, slots=True)
class RewardItem:
    """What a state earns in which a plan stands on an action, or a percept is active."""

    where: PlanPosition | BeliefHeld
    value: Fraction


@dataclass(frozen=True, slots=True)
class ResolvedAgent:
    """A program that was understood; ``name`` is that of its reasoning file.

    ``prefix`` stands before the names of its variables, rewards and parameters where the project
    has other agents as well, and is empty where it has none.  In here nothing carries it: among its
    own an agent goes by its own names.
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
        """A DTMC if no plan is ever chosen among several (Theorem 4.1), an MDP otherwise (Theorem
        4.2)."""
        return "mdp" if any(group.overlaps for group in self.groups) else "dtmc"

    @property
    def beliefs(self) -> dict[str, str]:
        """Every belief: its name and its sentence."""
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
    """The model of several agents is an MDP if one of them chooses."""
    return "mdp" if any(agent.kind == "mdp" for agent in agents) else "dtmc"

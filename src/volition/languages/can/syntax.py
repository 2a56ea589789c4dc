"""The tree of a CAN program: belief bases, external events, plan library, actions, and what Volition adds to them.

Plan bodies (the grammar in the appendix of Archibald et al.) are terms.  The same terms, with :class:`Options` for a
set of relevant plans ``e : (|Δ|)``, are what is left of an intention while it runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

from volition.languages.can.conditions import Condition, Expression, Node
from volition.languages.model import StatedProperty

__all__ = [
    "MANNERS", "NIL", "SELECTIONS", "UPDATES", "Act", "Action", "Agent", "Assign", "Background", "BeliefBase", "Believe", "Body",
    "Change", "Decision", "Earning", "Event", "ExternalEvent", "Forget", "Fork", "Goal", "InitialBelief", "Label", "Manner", "Nil",
    "Options", "Outcome", "Parallel", "ParameterDeclaration", "Plan", "Policy", "PolicyItem", "Recovery", "Reward", "RuleTarget",
    "Selection", "Sequence", "StateTarget", "StepDecision", "Target", "Test", "TurnDecision", "Update", "changes", "conditions",
    "parts", "plans_inside",
]  # fmt: skip

# --- plan bodies and what is left of them ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Nil(Node):
    """The empty program: nothing is left to do."""


NIL = Nil()


@dataclass(frozen=True, slots=True, eq=False)
class Believe(Node):
    """``+b``"""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Forget(Node):
    """``-b``"""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Node):
    """``x := x + 1``: a numeric belief gets another value."""

    name: str
    expression: Expression


Change = Believe | Forget | Assign
"""A change of the belief base: a step of a plan body, an effect of an action, or background change."""


@dataclass(frozen=True, slots=True, eq=False)
class Test(Node):
    """``?φ``: goes on when φ is believed, blocks otherwise; ``?false`` always blocks."""

    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class Act(Node):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Event(Node):
    """A (sub-)event: stands for one of the plans that handle it."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Node):
    """``P1 ; P2``"""

    first: Body
    second: Body


@dataclass(frozen=True, slots=True, eq=False)
class Recovery(Node):
    """``P1 |> P2``: P2 takes over when P1 fails.

    ``plan`` is the number of the plan that P1 came from, where P2 are its alternatives; it is there for explanations only.
    """

    first: Body
    second: Body
    plan: int | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Parallel(Node):
    """``P1 || P2``"""

    left: Body
    right: Body


@dataclass(frozen=True, slots=True, eq=False)
class Goal(Node):
    """``goal(φs, P, φf)``: achieve φs through P, fail if φf becomes true, retry while neither is."""

    success: Condition
    body: Body
    failure: Condition


def plans_inside(body: Body) -> int:
    """How many plans are under way inside of each other, at most."""
    deepest, found = 0, [(body, 0)]
    while found:
        inner, depth = found.pop()
        deepest = max(deepest, depth)
        match inner:
            case Recovery(first=first, plan=plan):
                found.append((first, depth + (plan is not None)))
            case Sequence(first=first):
                found.append((first, depth))
            case Parallel(left=left, right=right):
                found += [(left, depth), (right, depth)]
            case Goal(body=pursued):
                found.append((pursued, depth))
    return deepest


@dataclass(frozen=True, slots=True, eq=False)
class Options(Node):
    """``e : (|Δ|)``: the plans for ``event`` that were not tried yet, by their numbers.  Only in running intentions."""

    event: str
    plans: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Fork(Node):
    """A ``P1 || P2`` whose sides are kept elsewhere, each by itself.  Only in running intentions."""


Body = Nil | Believe | Forget | Assign | Test | Act | Event | Sequence | Recovery | Parallel | Goal | Options | Fork


def parts(body: Body) -> Iterator[Body]:
    """A body and every body inside it, in the order of the text."""
    found = [body]
    while found:
        inner = found.pop()
        yield inner
        match inner:
            case Sequence(first, second) | Recovery(first, second) | Parallel(first, second):
                found += (second, first)
            case Goal(_, pursued, _):
                found.append(pursued)


# --- the program -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class InitialBelief(Node):
    """A belief atom, or a numeric belief with its first value."""

    name: str
    expression: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BeliefBase(Node):
    number: int
    beliefs: tuple[InitialBelief, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExternalEvent(Node):
    """An event that waits for the agent at the start; ``number`` tells equal ones apart (Sect. 3.3)."""

    number: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Plan(Node):
    """``event : context <- body``, numbered by its position in the library (Sect. 3.2)."""

    number: int
    event: str
    context: Condition
    body: Body

    @property
    def title(self) -> str:
        return f"plan {self.number}, line {self.span.line}" if self.span else f"plan {self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Outcome(Node):
    """``probability: <{deleted},{added}>``: what happens to the beliefs; deleted first, then added."""

    probability: Expression
    deleted: tuple[Forget, ...]
    added: tuple[Believe | Assign, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Action(Node):
    """``name : precondition <- outcomes`` (rule act_p, Sect. 3.1)."""

    name: str
    precondition: Condition
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ParameterDeclaration(Node):
    name: str
    expression: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Background(Node):
    """``condition <- changes``: what changes by itself after every A_event and A_step, without being a step (Sect. 4.2)."""

    condition: Condition
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Label(Node):
    name: str
    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class RuleTarget(Node):
    """A rule of the semantics, such as ``select(7)``, or an action: earned by steps that use it (Sect. 3.4)."""

    name: str
    argument: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StateTarget(Node):
    """``Bel(φ)``: earned in states where φ is believed."""

    condition: Condition


Target = RuleTarget | StateTarget


@dataclass(frozen=True, slots=True, eq=False)
class Earning(Node):
    target: Target
    amount: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Reward(Node):
    name: str
    earnings: tuple[Earning, ...]


Selection = Literal["events", "plans", "intentions"]
"""What a policy selects."""

Manner = Literal["nondeterministic", "fixed", "round-robin", "probabilities"]
"""How a policy selects."""

Update = Literal["any", "finished", "stuck"]
"""When A_update may remove an intention that is blocked: at any time, never (only finished ones), or when nothing else can move."""

SELECTIONS: tuple[Selection, ...] = get_args(Selection)
MANNERS: tuple[Manner, ...] = get_args(Manner)
UPDATES: tuple[Update, ...] = get_args(Update)


@dataclass(frozen=True, slots=True, eq=False)
class PolicyItem(Node):
    """An event (by name or number), or a plan (by number), with its probability where the policy is of that kind."""

    name: str
    weight: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Policy(Node):
    """How one of several events, plans or intentions is selected: ``plans : fixed 2, 1.``"""

    selection: Selection
    manner: Manner
    items: tuple[PolicyItem, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TurnDecision(Node):
    """``turn : product1 when !wrapped1.``: this external event goes on, where it can and the condition holds."""

    event: str
    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class StepDecision(Node):
    """``step : product1 by "select plan 3 for process_product1".``: how an event goes on; ``event`` is None for any of them.

    ``text`` is what a trace says of the step, with its rules in square brackets where two steps have the same text.
    """

    event: str | None
    text: str
    condition: Condition


Decision = TurnDecision | StepDecision
"""What the agent does where it could do something else: the first decision that fits counts."""


@dataclass(frozen=True)
class Agent:
    """A whole program, as it was written."""

    name: str
    bases: tuple[BeliefBase, ...]
    events: tuple[ExternalEvent, ...]
    plans: tuple[Plan, ...]
    actions: tuple[Action, ...]
    parameters: tuple[ParameterDeclaration, ...] = ()
    background: tuple[Background, ...] = ()
    labels: tuple[Label, ...] = ()
    rewards: tuple[Reward, ...] = ()
    policies: tuple[Policy, ...] = ()
    update: Update = "any"
    decisions: tuple[Decision, ...] = ()
    properties: tuple[StatedProperty, ...] = ()


def changes(agent: Agent) -> Iterator[Change]:
    """Every change of a belief that a program can make."""
    for plan in agent.plans:
        yield from (part for part in parts(plan.body) if isinstance(part, (Believe, Forget, Assign)))
    for action in agent.actions:
        for outcome in action.outcomes:
            yield from outcome.deleted
            yield from outcome.added
    for background in agent.background:
        yield from background.changes


def conditions(agent: Agent) -> Iterator[Condition]:
    """Every condition that a program asks."""
    for plan in agent.plans:
        yield plan.context
        for part in parts(plan.body):
            match part:
                case Test(condition):
                    yield condition
                case Goal(success, _, failure):
                    yield from (success, failure)
    yield from (action.precondition for action in agent.actions)
    yield from (background.condition for background in agent.background)
    yield from (label.condition for label in agent.labels)
    yield from (decision.condition for decision in agent.decisions)
    for reward in agent.rewards:
        yield from (earning.target.condition for earning in reward.earnings if isinstance(earning.target, StateTarget))

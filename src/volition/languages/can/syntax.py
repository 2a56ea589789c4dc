"""The tree of a CAN program: belief bases, external events, plan library, actions, and what
Volition adds to them.

Plan bodies (the grammar in the appendix of Archibald et al.) are terms.  The same terms, with
:class:`Options` for a set of relevant plans ``e : (|Δ|)``, are what is left of an intention while
it runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

from volition.languages.can.conditions import Condition, Expression, SyntaxNode
from volition.languages.protocols import UnparsedProperty

__all__ = [
    "DROP_POLICIES",
    "NIL",
    "POLICY_KINDS",
    "POLICY_TARGETS",
    "Act",
    "Action",
    "ActionDecision",
    "AddBelief",
    "AgentProgram",
    "Assign",
    "BackgroundChange",
    "BeliefBase",
    "Body",
    "Change",
    "Decision",
    "DeclarativeGoal",
    "DropPolicy",
    "EventGoal",
    "ExternalEvent",
    "InitialBelief",
    "Label",
    "Nil",
    "Outcome",
    "Parallel",
    "ParameterDeclaration",
    "Plan",
    "Policy",
    "PolicyItem",
    "PolicyKind",
    "PolicyTarget",
    "Recovery",
    "RemoveBelief",
    "Reward",
    "RewardItem",
    "RuleTarget",
    "ScheduleDecision",
    "Sequence",
    "SplitParallel",
    "StateTarget",
    "Target",
    "Test",
    "UntriedPlans",
    "changes",
    "conditions",
    "parts",
    "plan_nesting",
]  # fmt: skip

# --- plan bodies and what is left of them ---------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Nil(SyntaxNode):
    """The empty program: nothing is left to do."""


NIL = Nil()


@dataclass(frozen=True, slots=True, eq=False)
class AddBelief(SyntaxNode):
    """``+b``"""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class RemoveBelief(SyntaxNode):
    """``-b``"""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Assign(SyntaxNode):
    """``x := x + 1``: a numeric belief gets another value."""

    name: str
    expression: Expression


Change = AddBelief | RemoveBelief | Assign
"""A change of the belief base: a step of a plan body, an effect of an action, or background
change."""


@dataclass(frozen=True, slots=True, eq=False)
class Test(SyntaxNode):
    """``?φ``: goes on when φ is believed, blocks otherwise; ``?false`` always blocks."""

    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class Act(SyntaxNode):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class EventGoal(SyntaxNode):
    """A (sub-)event: stands for one of the plans that handle it."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(SyntaxNode):
    """``P1 ; P2``"""

    first: Body
    second: Body


@dataclass(frozen=True, slots=True, eq=False)
class Recovery(SyntaxNode):
    """``P1 |> P2``: P2 takes over when P1 fails.

    ``plan`` is the number of the plan that P1 came from, where P2 are its alternatives; it is there
    for explanations only.
    """

    first: Body
    second: Body
    plan: int | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Parallel(SyntaxNode):
    """``P1 || P2``"""

    left: Body
    right: Body


@dataclass(frozen=True, slots=True, eq=False)
class DeclarativeGoal(SyntaxNode):
    """``goal(φs, P, φf)``: achieve φs through P, fail if φf becomes true, retry while neither
    is."""

    success: Condition
    body: Body
    failure: Condition


def plan_nesting(body: Body) -> int:
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
            case DeclarativeGoal(body=pursued):
                found.append((pursued, depth))
    return deepest


@dataclass(frozen=True, slots=True, eq=False)
class UntriedPlans(SyntaxNode):
    """``e : (|Δ|)``: the plans for ``event`` that were not tried yet, by their numbers.  Only in
    running intentions."""

    event: str
    plans: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SplitParallel(SyntaxNode):
    """A ``P1 || P2`` whose sides are kept elsewhere, each by itself.  Only in running
    intentions."""


Body = (
    Nil
    | AddBelief
    | RemoveBelief
    | Assign
    | Test
    | Act
    | EventGoal
    | Sequence
    | Recovery
    | Parallel
    | DeclarativeGoal
    | UntriedPlans
    | SplitParallel
)


def parts(body: Body) -> Iterator[Body]:
    """A body and every body inside it, in the order of the text."""
    found = [body]
    while found:
        inner = found.pop()
        yield inner
        match inner:
            case Sequence(first, second) | Recovery(first, second) | Parallel(first, second):
                found += (second, first)
            case DeclarativeGoal(_, pursued, _):
                found.append(pursued)


# --- the program ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class InitialBelief(SyntaxNode):
    """A belief atom, or a numeric belief with its first value."""

    name: str
    expression: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BeliefBase(SyntaxNode):
    number: int
    beliefs: tuple[InitialBelief, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExternalEvent(SyntaxNode):
    """An event that waits for the agent at the start; ``number`` tells equal ones apart (Sect.
    3.3)."""

    number: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Plan(SyntaxNode):
    """``event : context <- body``, numbered by its position in the library (Sect. 3.2)."""

    number: int
    event: str
    context: Condition
    body: Body

    @property
    def title(self) -> str:
        return f"plan {self.number}, line {self.span.line}" if self.span else f"plan {self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Outcome(SyntaxNode):
    """``probability: <{deleted},{added}>``: what happens to the beliefs; deleted first, then
    added."""

    probability: Expression
    deleted: tuple[RemoveBelief, ...]
    added: tuple[AddBelief | Assign, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Action(SyntaxNode):
    """``name : precondition <- outcomes`` (rule act_p, Sect. 3.1)."""

    name: str
    precondition: Condition
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ParameterDeclaration(SyntaxNode):
    name: str
    expression: Expression


@dataclass(frozen=True, slots=True, eq=False)
class BackgroundChange(SyntaxNode):
    """``condition <- changes``: what changes by itself after every A_event and A_step, without
    being a step (Sect. 4.2)."""

    condition: Condition
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Label(SyntaxNode):
    name: str
    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class RuleTarget(SyntaxNode):
    """A rule of the semantics, such as ``select(7)``, or an action: earned by steps that use it
    (Sect. 3.4)."""

    name: str
    argument: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StateTarget(SyntaxNode):
    """``Bel(φ)``: earned in states where φ is believed."""

    condition: Condition


Target = RuleTarget | StateTarget


@dataclass(frozen=True, slots=True, eq=False)
class RewardItem(SyntaxNode):
    target: Target
    amount: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Reward(SyntaxNode):
    name: str
    earnings: tuple[RewardItem, ...]


PolicyTarget = Literal["events", "plans", "intentions"]
"""What a policy selects."""

PolicyKind = Literal["nondeterministic", "fixed", "round-robin", "probabilities"]
"""How a policy selects."""

DropPolicy = Literal["any", "finished", "stuck"]
"""When A_update may remove an intention that is blocked: at any time, never (only finished ones),
or when nothing else can move."""

POLICY_TARGETS: tuple[PolicyTarget, ...] = get_args(PolicyTarget)
POLICY_KINDS: tuple[PolicyKind, ...] = get_args(PolicyKind)
DROP_POLICIES: tuple[DropPolicy, ...] = get_args(DropPolicy)


@dataclass(frozen=True, slots=True, eq=False)
class PolicyItem(SyntaxNode):
    """An event (by name or number), or a plan (by number), with its probability where the policy is
    of that kind."""

    name: str
    weight: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Policy(SyntaxNode):
    """How one of several events, plans or intentions is selected: ``plans : fixed 2, 1.``"""

    selection: PolicyTarget
    manner: PolicyKind
    items: tuple[PolicyItem, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ScheduleDecision(SyntaxNode):
    """``turn : product1 when !wrapped1.``: this external event goes on, where it can and the
    condition holds."""

    event: str
    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class ActionDecision(SyntaxNode):
    """``step : product1 by "select plan 3 for process_product1".``: how an event goes on; ``event``
    is None for any of them.

    ``text`` is what a trace says of the step, with its rules in square brackets where two steps
    have the same text.
    """

    event: str | None
    text: str
    condition: Condition


Decision = ScheduleDecision | ActionDecision
"""What the agent does where it could do something else: the first decision that fits counts."""


@dataclass(frozen=True)
class AgentProgram:
    """A whole program, as it was written."""

    name: str
    bases: tuple[BeliefBase, ...]
    events: tuple[ExternalEvent, ...]
    plans: tuple[Plan, ...]
    actions: tuple[Action, ...]
    parameters: tuple[ParameterDeclaration, ...] = ()
    background: tuple[BackgroundChange, ...] = ()
    labels: tuple[Label, ...] = ()
    rewards: tuple[Reward, ...] = ()
    policies: tuple[Policy, ...] = ()
    update: DropPolicy = "any"
    decisions: tuple[Decision, ...] = ()
    properties: tuple[UnparsedProperty, ...] = ()


def changes(agent: AgentProgram) -> Iterator[Change]:
    """Every change of a belief that a program can make."""
    for plan in agent.plans:
        yield from (
            part for part in parts(plan.body) if isinstance(part, (AddBelief, RemoveBelief, Assign))
        )
    for action in agent.actions:
        for outcome in action.outcomes:
            yield from outcome.deleted
            yield from outcome.added
    for background in agent.background:
        yield from background.changes


def conditions(agent: AgentProgram) -> Iterator[Condition]:
    """Every condition that a program asks."""
    for plan in agent.plans:
        yield plan.context
        for part in parts(plan.body):
            match part:
                case Test(condition):
                    yield condition
                case DeclarativeGoal(success, _, failure):
                    yield from (success, failure)
    yield from (action.precondition for action in agent.actions)
    yield from (background.condition for background in agent.background)
    yield from (label.condition for label in agent.labels)
    yield from (decision.condition for decision in agent.decisions)
    for reward in agent.rewards:
        yield from (
            earning.target.condition
            for earning in reward.earnings
            if isinstance(earning.target, StateTarget)
        )

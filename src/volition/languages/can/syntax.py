"""Syntax tree of a CAN program: belief bases, external events, plan library, actions, and the
sections that Volition adds.

Plan bodies follow the grammar in the appendix of Archibald et al. The same nodes represent the
remaining program of a running intention, with :class:`UntriedPlans` for a set of relevant plans ``e
: (|Δ|)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, assert_never, get_args

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

# --- syntax nodes of plan bodies and remaining programs -------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Nil(SyntaxNode):
    """Empty program ``nil``."""


NIL = Nil()


@dataclass(frozen=True, slots=True, eq=False)
class AddBelief(SyntaxNode):
    """Belief change ``+b``: b becomes true."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class RemoveBelief(SyntaxNode):
    """Belief change ``-b``: b becomes false."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Assign(SyntaxNode):
    """Belief change ``x := x + 1``: assignment to a numeric belief."""

    name: str
    expression: Expression


Change = AddBelief | RemoveBelief | Assign
"""Change of the belief base: a step of a plan body, an effect of an action, or a background change.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Test(SyntaxNode):
    """Test ``?φ``: steps if φ is believed and blocks otherwise; ``?false`` always blocks."""

    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class Act(SyntaxNode):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class EventGoal(SyntaxNode):
    """Event in a plan body. It is handled by one of the plans for the event."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(SyntaxNode):
    """Sequence ``P1 ; P2``: P2 starts when P1 is done."""

    first: Body
    second: Body


@dataclass(frozen=True, slots=True, eq=False)
class Recovery(SyntaxNode):
    """Failure recovery ``P1 |> P2``: P2 replaces P1 when P1 fails.

    If P1 is the body of a plan and P2 are its alternatives, ``plan`` is the number of that plan. It
    is used only in explanations.
    """

    first: Body
    second: Body
    plan: int | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Parallel(SyntaxNode):
    """Concurrency ``P1 || P2``: the steps of P1 and P2 are interleaved."""

    left: Body
    right: Body


@dataclass(frozen=True, slots=True, eq=False)
class DeclarativeGoal(SyntaxNode):
    """Declarative goal ``goal(φs, P, φf)``: achieve φs through P, fail if φf becomes true, and
    retry while neither holds."""

    success: Condition
    body: Body
    failure: Condition


def plan_nesting(body: Body) -> int:
    """Return how deeply plans are nested in a remaining program. A plan is nested in another one if
    it handles an event that the other plan raised."""
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
            case (
                Nil()
                | AddBelief()
                | RemoveBelief()
                | Assign()
                | Test()
                | Act()
                | EventGoal()
                | UntriedPlans()
                | SplitParallel()
            ):
                pass
            case _:
                assert_never(inner)
    return deepest


@dataclass(frozen=True, slots=True, eq=False)
class UntriedPlans(SyntaxNode):
    """Set of relevant plans ``e : (|Δ|)``: the numbers of the plans for ``event`` that have not
    been tried yet. Occurs only in running intentions."""

    event: str
    plans: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SplitParallel(SyntaxNode):
    """Placeholder for a ``P1 || P2`` whose branches are stored in slots of their own. Occurs only
    in running intentions."""


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
    """Yield a plan body and every body nested in it, in the order of the text."""
    found = [body]
    while found:
        inner = found.pop()
        yield inner
        match inner:
            case Sequence(first, second) | Recovery(first, second) | Parallel(first, second):
                found += (second, first)
            case DeclarativeGoal(_, pursued, _):
                found.append(pursued)
            case (
                Nil()
                | AddBelief()
                | RemoveBelief()
                | Assign()
                | Test()
                | Act()
                | EventGoal()
                | UntriedPlans()
                | SplitParallel()
            ):
                pass
            case _:
                assert_never(inner)


# --- syntax nodes of the other parts of a program -------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class InitialBelief(SyntaxNode):
    """Initial belief: a belief atom, or a numeric belief with its initial value."""

    name: str
    expression: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BeliefBase(SyntaxNode):
    number: int
    beliefs: tuple[InitialBelief, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExternalEvent(SyntaxNode):
    """External event, pending in the initial state. ``number`` distinguishes events with the same
    name (Sect. 3.3 of Archibald et al.)."""

    number: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Plan(SyntaxNode):
    """Plan ``event : context <- body``, numbered by its position in the plan library (Sect. 3.2 of
    Archibald et al.)."""

    number: int
    event: str
    context: Condition
    body: Body

    @property
    def title(self) -> str:
        return f"plan {self.number}, line {self.span.line}" if self.span else f"plan {self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Outcome(SyntaxNode):
    """Outcome of an action, ``probability: <{deleted},{added}>``: its effect on the beliefs.
    Deletions come before additions."""

    probability: Expression
    deleted: tuple[RemoveBelief, ...]
    added: tuple[AddBelief | Assign, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Action(SyntaxNode):
    """Action ``name : precondition <- outcomes`` (rule act_p, Sect. 3.1 of Archibald et al.)."""

    name: str
    precondition: Condition
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ParameterDeclaration(SyntaxNode):
    name: str
    expression: Expression


@dataclass(frozen=True, slots=True, eq=False)
class BackgroundChange(SyntaxNode):
    """Background change ``condition <- changes``: changes of beliefs that are made after every
    A_event and A_step, as part of the same step, if the condition holds (Sect. 4.2 of Archibald et
    al.)."""

    condition: Condition
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Label(SyntaxNode):
    name: str
    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class RuleTarget(SyntaxNode):
    """Part of a reward that names a rule of the semantics, such as ``select(7)``, or an action.
    Steps that use it earn the reward (Sect. 3.4 of Archibald et al.)."""

    name: str
    argument: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StateTarget(SyntaxNode):
    """Part of a reward that names a state condition, ``Bel(φ)``: states in which φ is believed earn
    the reward."""

    condition: Condition


Target = RuleTarget | StateTarget


@dataclass(frozen=True, slots=True, eq=False)
class RewardItem(SyntaxNode):
    target: Target
    amount: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Reward(SyntaxNode):
    name: str
    items: tuple[RewardItem, ...]


PolicyTarget = Literal["events", "plans", "intentions"]
"""Objects among which a policy selects: external events to adopt, plans for an event, or intentions
to execute."""

PolicyKind = Literal["nondeterministic", "fixed", "round-robin", "probabilities"]
"""Kind of policy: how one of several events, plans or intentions is selected."""

DropPolicy = Literal["any", "finished", "stuck"]
"""When A_update may remove an intention that is blocked and not finished: ``any`` at any time,
``finished`` never, ``stuck`` if nothing else can move. Finished intentions are always removed."""

POLICY_TARGETS: tuple[PolicyTarget, ...] = get_args(PolicyTarget)
POLICY_KINDS: tuple[PolicyKind, ...] = get_args(PolicyKind)
DROP_POLICIES: tuple[DropPolicy, ...] = get_args(DropPolicy)


@dataclass(frozen=True, slots=True, eq=False)
class PolicyItem(SyntaxNode):
    """Item of a policy: an event (by name or number) or a plan (by number). ``weight`` is its
    probability, if the policy is probabilistic."""

    name: str
    weight: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Policy(SyntaxNode):
    """Policy that selects one of several events, plans or intentions, such as ``plans : fixed 2,
    1.``"""

    selection: PolicyTarget
    kind: PolicyKind
    items: tuple[PolicyItem, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ScheduleDecision(SyntaxNode):
    """Decision ``turn : product1 when !wrapped1.``: this external event moves next, if it can and
    the condition holds."""

    event: str
    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class ActionDecision(SyntaxNode):
    """Decision about the next step of an event, such as ``step : product1 by "select plan 3 for
    process_product1" when !wrapped1.`` The event ``product1`` takes the quoted step if this step is
    possible and the condition after ``when`` holds. ``event`` is None if the decision is about any
    event.

    ``text`` is the quoted text: the step as a trace shows it. If two possible steps have the same
    text, the names of the semantic rules that the step applies follow in square brackets.
    """

    event: str | None
    text: str
    condition: Condition


Decision = ScheduleDecision | ActionDecision
"""Line of the section ``// Decisions`` that resolves a choice of the agent. The first applicable
decision is used."""


@dataclass(frozen=True)
class AgentProgram:
    """Syntax tree of a whole CAN program."""

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
    """Yield every belief change in a program: in plan bodies, outcomes of actions and background
    changes."""
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
    """Yield every condition in a program."""
    for plan in agent.plans:
        yield plan.context
        for part in parts(plan.body):
            match part:
                case Test(condition):
                    yield condition
                case DeclarativeGoal(success, _, failure):
                    yield from (success, failure)
                case _:
                    pass
    yield from (action.precondition for action in agent.actions)
    yield from (background.condition for background in agent.background)
    yield from (label.condition for label in agent.labels)
    yield from (decision.condition for decision in agent.decisions)
    for reward in agent.rewards:
        yield from (
            item.target.condition for item in reward.items if isinstance(item.target, StateTarget)
        )

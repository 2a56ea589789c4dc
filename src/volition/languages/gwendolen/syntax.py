"""Syntax tree of Gwendolen and EASS programs, in the notation of MCAPL's programs and of Winikoff
et al. (Sect. 2.1, Fig. 2).

Alternative spellings give the same node: ``.B p`` and ``B p``; ``perf(a)`` is an ordinary action.
EASS's ``.query(l)`` is read as the three deeds that it abbreviates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, assert_never

from volition.diagnostics import Source, Span
from volition.languages.world.terms import Structure, Term, Variable, show

__all__ = [
    "PERFORMATIVE_NUMBERS",
    "Act",
    "AddBelief",
    "AddGoal",
    "AgentProgram",
    "Atom",
    "BeliefGuard",
    "Capability",
    "ComparisonGuard",
    "Cut",
    "Cycle",
    "Deed",
    "Derivable",
    "DropGoal",
    "Goal",
    "GoalGuard",
    "GoalType",
    "Guard",
    "GuardAtom",
    "Lock",
    "Negated",
    "Performative",
    "Plan",
    "ReasoningRule",
    "RemoveBelief",
    "RuleLiteral",
    "Send",
    "SentGuard",
    "Sign",
    "Trigger",
    "TriggerKind",
    "Unlock",
    "WaitFor",
]  # fmt: skip

Cycle = Literal["gwendolen", "eass"]
GoalType = Literal["achieve", "perform"]
Performative = Literal["tell", "perform", "achieve"]
PERFORMATIVE_NUMBERS: Mapping[Performative, int] = {"tell": 1, "perform": 2, "achieve": 3}
"""Numbers that MCAPL gives to performatives. ``ItD`` atoms use them, and mailboxes of type ``set``
are sorted by them."""
Sign = Literal["+", "-"]
TriggerKind = Literal["belief", "goal", "received"]
Relation = Literal["<", "=="]
Atom = Structure | Variable
"""Content of a belief, goal, message or action. A variable matches any content, as in
``+.received(:tell, B) : {True} <- +B``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Goal:
    """Goal with its type: ``g [achieve]`` or ``g [perform]``."""

    atom: Atom
    type: GoalType

    def __str__(self) -> str:
        return f"{show(self.atom)} [{self.type}]"


# --- guards ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeliefGuard:
    """Guard ``B p``: p is believed or derivable by reasoning rules."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class GoalGuard:
    """Guard ``G g [type]``: the goal base contains g with this type."""

    goal: Goal


@dataclass(frozen=True, slots=True)
class SentGuard:
    """Guard ``.sent(Recipient, Sender, :performative, Content)``: the outbox contains the message.
    The sender defaults to the agent itself."""

    recipient: Term
    sender: Term | None
    performative: Performative
    content: Term


@dataclass(frozen=True, slots=True)
class ComparisonGuard:
    """Comparison ``X < Y`` or ``X == Y``, in a guard or in the body of a reasoning rule."""

    relation: Relation
    left: Term
    right: Term


GuardAtom = BeliefGuard | GoalGuard | SentGuard | ComparisonGuard


@dataclass(frozen=True, slots=True)
class Guard(_Node):
    """Conjunct of a plan's guard, negated if ``positive`` is False. The guard ``True`` has no
    conjuncts."""

    atom: GuardAtom
    positive: bool = True


# --- deeds ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AddBelief(_Node):
    """Deed ``+b``: add the belief b."""

    atom: Atom

    def __str__(self) -> str:
        return f"+{show(self.atom)}"


@dataclass(frozen=True, slots=True)
class RemoveBelief(_Node):
    """Deed ``-b``: remove every belief that unifies with b."""

    atom: Atom

    def __str__(self) -> str:
        return f"-{show(self.atom)}"


@dataclass(frozen=True, slots=True)
class AddGoal(_Node):
    """Deed ``+!g [type]``: post the goal g."""

    goal: Goal

    def __str__(self) -> str:
        return f"+!{self.goal}"


@dataclass(frozen=True, slots=True)
class DropGoal(_Node):
    """Deed ``-!g [type]``: stop pursuing the goal g."""

    goal: Goal

    def __str__(self) -> str:
        return f"-!{self.goal}"


@dataclass(frozen=True, slots=True)
class Lock(_Node):
    """Deed ``+.lock``: execute only this intention until it is unlocked."""

    def __str__(self) -> str:
        return "+.lock"


@dataclass(frozen=True, slots=True)
class Unlock(_Node):
    """Deed ``-.lock``: end the effect of ``+.lock``."""

    def __str__(self) -> str:
        return "-.lock"


@dataclass(frozen=True, slots=True)
class WaitFor(_Node):
    """Deed ``*b``, or ``*~b`` if ``positive`` is False: suspend the intention until b is believed,
    or not believed."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return f"*{'' if self.positive else '~'}{show(self.atom)}"


@dataclass(frozen=True, slots=True)
class Send(_Node):
    """Deed ``.send(Recipient, :performative, Content)``: send a message."""

    recipient: Term
    performative: Performative
    content: Term

    def __str__(self) -> str:
        return f".send({show(self.recipient)}, :{self.performative}, {show(self.content)})"


@dataclass(frozen=True, slots=True)
class Act(_Node):
    """Deed that is an action in the environment: any term that is not another kind of deed,
    including EASS's ``perf(a)`` and ``assert_shared(b)``."""

    action: Structure

    def __str__(self) -> str:
        return show(self.action)


Deed = AddBelief | RemoveBelief | AddGoal | DropGoal | Lock | Unlock | WaitFor | Send | Act

# --- plans, rules, agents -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trigger(_Node):
    """Trigger of a plan: ``+b``, ``-b``, ``+!g [type]``, ``-!g [type]``,
    ``+.received(:performative, content)``."""

    sign: Sign
    kind: TriggerKind
    content: Atom
    type: GoalType | None = None
    """Type of the goal; None if the trigger is not a goal."""
    performative: Performative | None = None
    """Performative of the message; None if the trigger is not a message."""

    def __str__(self) -> str:
        match self.kind:
            case "belief":
                return f"{self.sign}{show(self.content)}"
            case "goal":
                return f"{self.sign}!{show(self.content)} [{self.type}]"
            case "received":
                pass
            case _:
                assert_never(self.kind)
        return f"+.received(:{self.performative}, {show(self.content)})"


@dataclass(frozen=True, slots=True)
class Plan(_Node):
    """Plan ``trigger : { guard } <- deed, deed, ... ;``. ``number`` counts the plans of an agent
    from 1."""

    number: int
    trigger: Trigger
    guard: tuple[Guard, ...]
    body: tuple[Deed, ...]

    @property
    def name(self) -> str:
        """Return the name under which the plan appears in runs."""
        return f"{self.number} ({self.trigger})"


@dataclass(frozen=True, slots=True)
class Derivable:
    """Positive literal in the body of a reasoning rule. It is proved by a belief, another rule, or
    the built-in predicate ``member``."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Cut:
    """Cut ``!`` in the body of a reasoning rule, as in Prolog: discards further rules for the head
    and further solutions of the literals before it."""


@dataclass(frozen=True, slots=True)
class Negated:
    """Negation ``~p`` or ``~(p, ~q)`` in the body of a reasoning rule: holds if the conjunction has
    no solution."""

    body: tuple[RuleLiteral, ...]


RuleLiteral = Derivable | Negated | ComparisonGuard | Cut


@dataclass(frozen=True, slots=True)
class ReasoningRule(_Node):
    """Reasoning rule ``head :- body;`` or ``head;``."""

    head: Structure
    body: tuple[RuleLiteral, ...] = ()

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Return the atoms in the body of the rule, negated or not."""
        return tuple(_atoms_in(self.body))


def _atoms_in(body: tuple[RuleLiteral, ...]) -> Iterator[Atom]:
    for literal in body:
        match literal:
            case Derivable(atom):
                yield atom
            case Negated(inner):
                yield from _atoms_in(inner)
            case ComparisonGuard() | Cut():
                pass
            case _:
                assert_never(literal)


@dataclass(frozen=True, slots=True)
class Capability(_Node):
    """Capability ``{before} name {after}``. It is parsed and displayed but does not affect the
    agent's behaviour."""

    before: tuple[Term, ...]
    name: Structure
    after: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class AgentProgram:
    """Program of one agent: a block ``:name:`` or, for an abstraction engine, ``:abstraction:``.

    The abstraction engine of agent ``car`` has the name ``abstraction_car``, and its ``abstracts``
    is ``car``.
    """

    name: str
    cycle: Cycle
    source: Source = field(compare=False, repr=False)
    span: Span = field(compare=False, repr=False)
    """Position of the agent's name in its file."""
    abstracts: str | None = None
    beliefs: tuple[tuple[Structure, Span], ...] = ()
    rules: tuple[ReasoningRule, ...] = ()
    goals: tuple[tuple[Goal, Span], ...] = ()
    capabilities: tuple[Capability, ...] = ()
    plans: tuple[Plan, ...] = ()

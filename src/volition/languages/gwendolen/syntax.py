"""The tree of a Gwendolen or EASS program, as the public programs write it and as Winikoff et al.
print it (Sect. 2.1, Fig. 2).

Both spellings of a thing are one kind of node: ``.B p`` and ``B p``, ``perf(a)`` as the action that
it is.  EASS's ``.query(l)`` is read as the three deeds that it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

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
"""The numbers of the public implementation: formulas write them, and mail is sorted by them."""
Sign = Literal["+", "-"]
TriggerKind = Literal["belief", "goal", "received"]
Relation = Literal["<", "=="]
Atom = Structure | Variable
"""What is believed, pursued, said or done; a variable stands for all of it, as in
``+.received(:tell, B) : {True} <- +B``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Goal:
    """``g [achieve]`` or ``g [perform]``."""

    atom: Atom
    type: GoalType

    def __str__(self) -> str:
        return f"{show(self.atom)} [{self.type}]"


# --- guards ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeliefGuard:
    """``B p``: a belief, or what the reasoning rules make of the beliefs."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class GoalGuard:
    """``G g [type]``: in the goal base, with this type."""

    goal: Goal


@dataclass(frozen=True, slots=True)
class SentGuard:
    """``.sent(Recipient, Sender, :performative, Content)``: in the outbox.  Without a sender it is
    the agent itself that has sent it."""

    recipient: Term
    sender: Term | None
    performative: Performative
    content: Term


@dataclass(frozen=True, slots=True)
class ComparisonGuard:
    """``X < Y`` and ``X == Y``."""

    relation: Relation
    left: Term
    right: Term


GuardAtom = BeliefGuard | GoalGuard | SentGuard | ComparisonGuard


@dataclass(frozen=True, slots=True)
class Guard(_Node):
    """One conjunct of a guard; ``True`` is no conjunct at all."""

    atom: GuardAtom
    positive: bool = True


# --- deeds ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AddBelief(_Node):
    """``+b``."""

    atom: Atom

    def __str__(self) -> str:
        return f"+{show(self.atom)}"


@dataclass(frozen=True, slots=True)
class RemoveBelief(_Node):
    """``-b``: every belief that matches."""

    atom: Atom

    def __str__(self) -> str:
        return f"-{show(self.atom)}"


@dataclass(frozen=True, slots=True)
class AddGoal(_Node):
    """``+!g [type]``."""

    goal: Goal

    def __str__(self) -> str:
        return f"+!{self.goal}"


@dataclass(frozen=True, slots=True)
class DropGoal(_Node):
    """``-!g [type]``."""

    goal: Goal

    def __str__(self) -> str:
        return f"-!{self.goal}"


@dataclass(frozen=True, slots=True)
class Lock(_Node):
    """``+.lock``: this intention is the only one that is selected."""

    def __str__(self) -> str:
        return "+.lock"


@dataclass(frozen=True, slots=True)
class Unlock(_Node):
    """``-.lock``."""

    def __str__(self) -> str:
        return "-.lock"


@dataclass(frozen=True, slots=True)
class WaitFor(_Node):
    """``*b``, or ``*~b`` where ``positive`` is False."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return f"*{'' if self.positive else '~'}{show(self.atom)}"


@dataclass(frozen=True, slots=True)
class Send(_Node):
    """``.send(Recipient, :performative, Content)``."""

    recipient: Term
    performative: Performative
    content: Term

    def __str__(self) -> str:
        return f".send({show(self.recipient)}, :{self.performative}, {show(self.content)})"


@dataclass(frozen=True, slots=True)
class Act(_Node):
    """Any other term: an action on the environment, EASS's ``perf(a)``, ``assert_shared(b)`` and
    their like included."""

    action: Structure

    def __str__(self) -> str:
        return show(self.action)


Deed = AddBelief | RemoveBelief | AddGoal | DropGoal | Lock | Unlock | WaitFor | Send | Act

# --- plans, rules, agents -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trigger(_Node):
    """``+b``, ``-b``, ``+!g [type]``, ``-!g [type]``, ``+.received(:performative, content)``."""

    sign: Sign
    kind: TriggerKind
    content: Atom
    type: GoalType | None = None
    """Of a goal."""
    performative: Performative | None = None
    """Of a message."""

    def __str__(self) -> str:
        match self.kind:
            case "belief":
                return f"{self.sign}{show(self.content)}"
            case "goal":
                return f"{self.sign}!{show(self.content)} [{self.type}]"
        return f"+.received(:{self.performative}, {show(self.content)})"


@dataclass(frozen=True, slots=True)
class Plan(_Node):
    """``trigger : { guard } <- deed, deed, ... ;``.  ``number`` counts the plans of an agent from
    1."""

    number: int
    trigger: Trigger
    guard: tuple[Guard, ...]
    body: tuple[Deed, ...]

    @property
    def name(self) -> str:
        """What runs call it."""
        return f"{self.number} ({self.trigger})"


@dataclass(frozen=True, slots=True)
class Derivable:
    """A literal of a rule's body that must follow: from a belief or another rule, or by
    ``member``."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Cut:
    """``!``: no further rule for this head, and no other way to what stands before it."""


@dataclass(frozen=True, slots=True)
class Negated:
    """``~p`` and ``~(p, ~q)``: the conjunction has no solution."""

    body: tuple[RuleLiteral, ...]


RuleLiteral = Derivable | Negated | ComparisonGuard | Cut


@dataclass(frozen=True, slots=True)
class ReasoningRule(_Node):
    """``head :- body;``, or ``head;``."""

    head: Structure
    body: tuple[RuleLiteral, ...] = ()

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """What the body asks for, whatever the sign."""
        return tuple(_atoms_in(self.body))


def _atoms_in(body: tuple[RuleLiteral, ...]) -> Iterator[Atom]:
    for literal in body:
        match literal:
            case Derivable(atom):
                yield atom
            case Negated(inner):
                yield from _atoms_in(inner)


@dataclass(frozen=True, slots=True)
class Capability(_Node):
    """``{before} name {after}``: read and shown, of no consequence for what the agent does."""

    before: tuple[Term, ...]
    name: Structure
    after: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class AgentProgram:
    """One ``:name:`` or ``:abstraction:`` block.

    The abstraction engine of agent ``car`` is itself called ``abstraction_car``; ``abstracts`` then
    is ``car``.
    """

    name: str
    cycle: Cycle
    source: Source = field(compare=False, repr=False)
    span: Span = field(compare=False, repr=False)
    """Of its name."""
    abstracts: str | None = None
    beliefs: tuple[tuple[Structure, Span], ...] = ()
    rules: tuple[ReasoningRule, ...] = ()
    goals: tuple[tuple[Goal, Span], ...] = ()
    capabilities: tuple[Capability, ...] = ()
    plans: tuple[Plan, ...] = ()

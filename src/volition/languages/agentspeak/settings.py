"""Settings of an AgentSpeak(F) system: bounds, selection functions, trusted senders, and the
behaviour of idle agents and of failed plans, which Bordini et al. leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from volition.languages.agentspeak.syntax import Force
from volition.languages.common.bounds import DEFAULT_BOUND, Bounds

__all__ = [
    "BOUNDS",
    "DEFAULT_BOUND",
    "DYNAMIC_BOUNDS",
    "NO_AGENT",
    "Bounds",
    "EventPolicy",
    "IntentionPolicy",
    "MessageTrust",
    "SelectionFunction",
    "Settings",
]  # fmt: skip

STATIC_BOUNDS = {
    "M_Term": "terms in a predicate or action",
    "M_Conj": "conjuncts in a context",
    "M_Var": "variables in a plan",
}
DYNAMIC_BOUNDS = {
    "M_Inst": "beliefs with the same predicate",
    "M_Bel": "beliefs",
    "M_Ev": "pending events",
    "M_Int": "intended means",
    "M_Act": "actions that wait for the environment",
    "M_Msg": "messages in a mailbox",
}
BOUNDS = STATIC_BOUNDS | DYNAMIC_BOUNDS
"""Bounds of Bordini et al., Sect. 3, by their names there, each with a description of what it
limits."""


NO_AGENT = "nobody"
"""Keyword in an ``accepts`` line of a project for an empty list of trusted senders."""

EventPolicy = Literal["fifo", "lifo", "nondeterministic", "priority"]
IntentionPolicy = Literal["round-robin", "fifo", "lifo", "nondeterministic", "priority"]


@dataclass(frozen=True, slots=True)
class SelectionFunction:
    """Function that selects the next event or intention, by a policy such as ``fifo``.
    ``priorities`` are predicates, most important first, for the policy ``priority``."""

    policy: EventPolicy | IntentionPolicy
    priorities: tuple[str, ...] = ()

    def __str__(self) -> str:
        return (
            f"priority({', '.join(self.priorities)})" if self.policy == "priority" else self.policy
        )


@dataclass(frozen=True)
class MessageTrust:
    """Senders from which an agent accepts messages: a set of senders for each pair of a receiver
    and a performative. If a pair has no set, the receiver accepts messages from all agents.

    Exception: a receiver without a set for ``untell`` uses its set for ``tell``. Bordini et al.
    have one trust function for both (``TrustTell``), and another one for goals (``TrustAchieve``).
    """

    accepted: Mapping[tuple[str, Force], frozenset[str]] = field(default_factory=dict)

    def trusts(self, receiver: str, sender: str, force: Force) -> bool:
        stated = self.accepted.get((receiver, force))
        if stated is None and force == "untell":
            stated = self.accepted.get((receiver, "tell"))
        return stated is None or sender in stated


@dataclass(frozen=True)
class Settings:
    """Settings of one agent."""

    bounds: Bounds = field(default_factory=Bounds)
    select_event: SelectionFunction = SelectionFunction("fifo")
    select_intention: SelectionFunction = SelectionFunction("round-robin")
    trust: MessageTrust = field(default_factory=MessageTrust)
    idle: Literal["block", "cycle"] = "block"
    on_failure: Literal["drop", "event"] = "drop"

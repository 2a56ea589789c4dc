"""Settings of a system of agents: bounds, selection functions, trust, and the two points that the
paper leaves open."""

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
"""Parameters of Sect. 3 by their names in the paper, with the objects that they limit."""


NO_AGENT = "nobody"
"""Keyword for an empty list of trusted senders."""

EventPolicy = Literal["fifo", "lifo", "nondeterministic", "priority"]
IntentionPolicy = Literal["round-robin", "fifo", "lifo", "nondeterministic", "priority"]


@dataclass(frozen=True, slots=True)
class SelectionFunction:
    """Selection function. ``priorities`` are predicates, most important first, for the policy
    ``priority``."""

    policy: EventPolicy | IntentionPolicy
    priorities: tuple[str, ...] = ()

    def __str__(self) -> str:
        return (
            f"priority({', '.join(self.priorities)})" if self.policy == "priority" else self.policy
        )


@dataclass(frozen=True)
class MessageTrust:
    """Trusted senders of messages, by receiver and performative. A receiver that is not listed
    trusts all agents.

    The paper has one function for beliefs (``TrustTell``) and one for goals (``TrustAchieve``): the
    entry for ``tell`` also applies to ``untell``, unless that has its own entry.
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

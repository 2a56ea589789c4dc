"""Slots for the atoms ``Does``, ``Last`` and ``Steady``, which are about the last step instead of
the state. ``Does`` and ``Last`` are about actions of agents. ``Steady`` holds if the world chose
the free (nondeterministic) percepts again and they did not change.

Each atom that a formula queries has a slot with its truth value. Other atoms have no slot, so that
they do not enlarge the state space.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from volition.languages.common.slots import Slot
from volition.languages.gwendolen.builtin_actions import INVISIBLE_ACTIONS
from volition.languages.gwendolen.state import AgentSlots
from volition.languages.world.terms import Structure, Term, rename, show, unify

__all__ = ["ActionObserver", "ObservedAction", "action_aliases", "steady_slot"]


def action_aliases(action: Structure) -> tuple[Term, ...]:
    """Return the terms under which formulas may name an action: ``perf(accelerate)`` also counts as
    ``accelerate``."""
    return (
        (action, *action.arguments)
        if action.functor == "perf" and len(action.arguments) == 1
        else (action,)
    )


@dataclass(frozen=True)
class ObservedAction:
    """Action of an agent that a formula queries, with ``Last`` if ``last`` is set, otherwise with
    ``Does``.

    ``Last`` holds if the last action of any agent is this action of this agent. ``Does`` holds if
    the agent did the action in the step into the state.
    """

    agent: str
    action: Term
    last: bool

    @property
    def slot(self) -> Slot:
        return Slot(f"{'last' if self.last else 'does'} {self.agent} {show(self.action)}", "memory")

    def matches(self, agent: str, action: Structure) -> bool:
        return agent == self.agent and any(
            unify(self.action, rename(each, {}, "?o."), {}) is not None
            for each in action_aliases(action)
        )


def steady_slot(agent: str) -> Slot:
    """Return the slot of ``Steady(agent)``: whether, in the last step, the world chose the agent's
    free (nondeterministic) percepts again and they did not change."""
    return Slot(f"steady {agent}", "memory")


@dataclass(frozen=True)
class ActionObserver:
    """Slots with the truth of the atoms about steps (``Does``, ``Last``, ``Steady``) that the
    formulas query. :meth:`note` updates them after each step.

    ``watched`` are the actions in ``Does`` and ``Last`` atoms, and ``steady`` are the agents in
    ``Steady`` atoms.
    """

    watched: tuple[ObservedAction, ...]
    steady: tuple[str, ...] = ()

    @property
    def slots(self) -> Mapping[str, object]:
        return {
            **{each.slot: False for each in self.watched},
            **{steady_slot(agent): False for agent in self.steady},
        }

    def note(
        self, mind: AgentSlots, agent: str, action: Structure | None, *, steady: bool = False
    ) -> None:
        """Update the slots of ``Does``, ``Last`` and ``Steady`` atoms after a step of ``agent``.
        ``action`` is the action that the agent did in this step, or None. ``steady`` is set if the
        world chose the agent's free (nondeterministic) percepts again and they did not change.

        ``print`` and ``skip`` do not count as actions (point 8 of ``docs/reference/gwendolen.md``).
        """
        for observed_agent in self.steady:
            mind.write(steady_slot(observed_agent), steady and observed_agent == agent)
        counts = action is not None and action.functor not in INVISIBLE_ACTIONS
        for each in self.watched:
            if counts and action is not None:
                mind.write(each.slot, each.matches(agent, action))
            elif not each.last:
                mind.write(each.slot, False)

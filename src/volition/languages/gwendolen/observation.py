"""What formulas ask of steps, and the state does not say: actions, and whether percepts stayed as
they were.

A slot for each atom that is asked holds no more than its truth value, so that the state space does
not grow with what nobody asks.
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
    """The names of an action: who does ``perf(accelerate)`` does ``accelerate`` as well."""
    return (
        (action, *action.arguments)
        if action.functor == "perf" and len(action.arguments) == 1
        else (action,)
    )


@dataclass(frozen=True)
class ObservedAction:
    """An action of an agent that is asked about: in the step into a state, or the last one that
    anybody did."""

    agent: str
    action: Term
    last: bool

    @property
    def slot(self) -> Slot:
        return Slot(f"{'last' if self.last else 'does'} {self.agent} {show(self.action)}", "memory")

    def fits(self, agent: str, action: Structure) -> bool:
        return agent == self.agent and any(
            unify(self.action, rename(each, {}, "?o."), {}) is not None
            for each in action_aliases(action)
        )


def steady_slot(agent: str) -> Slot:
    """Whether an agent's percepts were drawn anew in the step into a state, and stayed as they
    were."""
    return Slot(f"steady {agent}", "memory")


@dataclass(frozen=True)
class ActionObserver:
    """All that is watched: actions, and agents whose percepts may stay as they are."""

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
        """After a step, in which an action was done or not.  What is printed or skipped counts for
        no action (point 8)."""
        for watching in self.steady:
            mind.write(steady_slot(watching), steady and watching == agent)
        counts = action is not None and action.functor not in INVISIBLE_ACTIONS
        for each in self.watched:
            if counts and action is not None:
                mind.write(each.slot, each.fits(agent, action))
            elif not each.last:
                mind.write(each.slot, False)

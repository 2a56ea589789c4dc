"""Matching of observed percepts with the transitions of a world model, for agents that run in an
external world."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from volition.diagnostics import Span
from volition.kernel.system import Choice, Component, SlotView
from volition.languages.protocols import ObservedTransition
from volition.languages.world.interface import World
from volition.languages.world.terms import show

__all__ = ["WorldModelMixin", "observe", "perceived"]


class _StateAfter:
    """View of a state with some slots changed."""

    def __init__(self, state: SlotView, effect: Mapping[str, Hashable]) -> None:
        self._state, self._effect = state, effect

    def __getitem__(self, slot: str, /) -> Hashable:
        found: Hashable = self._effect[slot] if slot in self._effect else self._state[slot]
        return found


def perceived(world: World, state: SlotView, agent: str) -> frozenset[str]:
    """Return what an agent perceives in a state, each percept as text."""
    return frozenset(show(each) for each in world.percepts(state, agent))


def observe(
    world: World, state: SlotView, choices: Sequence[Choice], observation: Mapping[str, Hashable]
) -> ObservedTransition:
    """Return the transition of the world after which each agent perceives what was observed. It is
    an outcome of one of the choices.

    ``observation`` maps agents to sets of percepts. If several outcomes match, the most probable
    one is returned; observation alone cannot distinguish them. If none matches, the result is an
    unmodelled transition that leaves the model's world unchanged.
    """
    matching = [
        ObservedTransition(effect, choice, chance)
        for choice in choices
        for chance, effect in choice.outcomes
        if all(
            perceived(world, _StateAfter(state, effect), agent) == seen
            for agent, seen in observation.items()
        )
    ]
    if not choices and all(
        perceived(world, state, agent) == seen for agent, seen in observation.items()
    ):
        return ObservedTransition({}, None, 1)  # neither the world nor the model moved
    return max(
        matching, key=lambda each: float(each.probability or 0), default=ObservedTransition({})
    )


class WorldModelMixin:
    """Mixin for models with a world: the part of :class:`volition.languages.protocols.Executable`
    that is the same for all languages."""

    world: World

    def match_observation(
        self,
        component: Component,  # noqa: ARG002
        state: SlotView,
        choices: Sequence[Choice],
        observation: Mapping[str, Hashable],
    ) -> ObservedTransition:
        """Return the transition of the world after which the agents perceive what was observed: see
        :func:`observe`."""
        return observe(self.world, state, choices, observation)

    def span_of(self, component: Component) -> Span | None:  # noqa: ARG002
        """Return None: the component of an agent has no single span, and the world's transitions
        carry their own spans."""
        return None

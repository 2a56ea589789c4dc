"""What a world did, seen from outside: which of its moves, and which of their outcomes, show what
the agents perceive now."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from volition.diagnostics import Span
from volition.kernel.system import Choice, Component, SlotView
from volition.languages.protocols import ObservedTransition
from volition.languages.world.interface import World
from volition.languages.world.terms import show

__all__ = ["WorldModelMixin", "observe", "perceived"]


class _After:
    """A state with some slots changed."""

    def __init__(self, state: SlotView, effect: Mapping[str, Hashable]) -> None:
        self._state, self._effect = state, effect

    def __getitem__(self, slot: str, /) -> Hashable:
        found: Hashable = self._effect[slot] if slot in self._effect else self._state[slot]
        return found


def perceived(world: World, state: SlotView, agent: str) -> frozenset[str]:
    """What an agent perceives, each as it is written."""
    return frozenset(show(each) for each in world.percepts(state, agent))


def observe(
    world: World, state: SlotView, choices: Sequence[Choice], observation: Mapping[str, Hashable]
) -> ObservedTransition:
    """The outcome of these choices after which each agent perceives what is observed:
    ``observation`` is agent ▶ set of percepts.

    Of several outcomes that look the same to the agents it is the likeliest; which of the world's
    moves it was, cannot be seen.  Where there is none the world of the model stays as it is: it has
    no words for what was seen.
    """
    fitting = [
        ObservedTransition(effect, choice, chance)
        for choice in choices
        for chance, effect in choice.outcomes
        if all(
            perceived(world, _After(state, effect), agent) == seen
            for agent, seen in observation.items()
        )
    ]
    if not choices and all(
        perceived(world, state, agent) == seen for agent, seen in observation.items()
    ):
        return ObservedTransition({}, None, 1)  # it stood still, in the model as well
    return max(
        fitting, key=lambda each: float(each.probability or 0), default=ObservedTransition({})
    )


class WorldModelMixin:
    """A model whose agents live in a world: what
    :class:`volition.languages.protocols.EmbodiedModel` asks of it that is the same for all."""

    world: World

    def match_observation(
        self,
        component: Component,  # noqa: ARG002
        state: SlotView,
        choices: Sequence[Choice],
        observation: Mapping[str, Hashable],
    ) -> ObservedTransition:
        """What the world did, by what can be perceived now."""
        return observe(self.world, state, choices, observation)

    def span_of(self, component: Component) -> Span | None:  # noqa: ARG002
        """An agent is spoken of in many places, the world in those that its moves name."""
        return None

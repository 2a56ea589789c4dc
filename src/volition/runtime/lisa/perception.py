"""Rules for when a LISA agent believes a reading of a percept, so that the percepts of a running
agent agree with its model.

- A percept flips at most once per cycle.
- A change that appears and disappears between two ticks lasts one cycle.
- A percept with a condition becomes active only if the condition was believed in the previous
  cycle, because the condition in the model reads the old beliefs (Izzo, Sect. 3.4.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from volition.kernel.system import SlotView
from volition.languages.lisa.resolved import Percept
from volition.languages.lisa.semantics import believes
from volition.languages.lisa.syntax import holds
from volition.runtime.messages import PerceptReading

__all__ = ["PerceptFilter"]


class PerceptFilter:
    """Filter that decides which percepts of an agent flip in a cycle. It stores the last reading of
    each percept."""

    def __init__(self, percepts: Sequence[Percept]) -> None:
        self._percepts = {percept.name: percept for percept in percepts}
        self._latest: dict[str, bool] = {}
        self._why: dict[str, Mapping[str, Any]] = {}

    def knows(self, percept: str) -> bool:
        return percept in self._percepts

    def believed(self, state: SlotView, sights: Iterable[PerceptReading]) -> dict[str, bool]:
        """Return the percepts that flip in this cycle, with their new values. ``sights`` are the
        readings that have just arrived."""
        seen: dict[str, list[bool]] = {}
        for sight in sights:
            seen.setdefault(sight.percept, []).append(sight.value)
            self._latest[sight.percept] = sight.value
            self._why[sight.percept] = sight.why
        flips = {}
        for name, latest in self._latest.items():
            now = bool(state[name] == 1)
            if (latest != now or (not now) in seen.get(name, ())) and (
                now or self._may_begin(name, state)
            ):
                flips[name] = not now
        return flips

    def evidence(self, percept: str) -> Mapping[str, Any]:
        """Return the measurements from which the last reading of a percept was computed."""
        return self._why.get(percept, {})

    def _may_begin(self, name: str, state: SlotView) -> bool:
        return holds(self._percepts[name].condition, believes(state))

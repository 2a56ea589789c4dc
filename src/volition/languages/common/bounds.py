"""Bounds that a project sets on queues and stacks that may grow while its agents run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["DEFAULT_BOUND", "Bounds"]

DEFAULT_BOUND = 100
"""Bound on the length of a queue or stack for which a project does not set one. Finite systems that
are small enough to check stay below it."""


@dataclass(frozen=True)
class Bounds:
    """Bounds of a project on the lengths of queues and stacks: those set explicitly, and a default
    for all others."""

    explicit: Mapping[str, int] = field(default_factory=dict)

    def limit(self, name: str) -> int:
        return self.explicit.get(name, DEFAULT_BOUND)

"""Bounds that a project states on what may grow while its agents run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["DEFAULT_BOUND", "Bounds"]

DEFAULT_BOUND = 100
"""Where a bound that a project leaves out is taken to be exceeded: no finite system that one can
check needs as many."""


@dataclass(frozen=True)
class Bounds:
    """The bounds that a project states."""

    explicit: Mapping[str, int] = field(default_factory=dict)

    def limit(self, name: str) -> int:
        return self.explicit.get(name, DEFAULT_BOUND)

"""Mapping of names in a record to the names in the program, if the program was renamed: a single
agent is named after its file."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from volition.reporting.replay import new_names

__all__ = ["NewNames"]


@dataclass(frozen=True, slots=True)
class NewNames:
    """Agents that were renamed since a run was recorded: a map from recorded names to current
    names."""

    agents: Mapping[str, str]

    @classmethod
    def between(cls, recorded: Sequence[str], now: Sequence[str]) -> NewNames:
        """Return the mapping between the agents of a record and those of a model. Only a single
        agent can be matched under another name."""
        return cls({old: new for old, new in new_names(recorded, now).items() if old != new})

    def possible(self, text: str | None) -> tuple[str | None, ...]:
        """Return a recorded name and the name that it may have now."""
        return (text, self._renamed(text)) if text is not None and self.agents else (text,)

    def known(self, text: str, known: Container[str]) -> str:
        """Return the current name for a recorded name: the same if it is in ``known``, otherwise
        with the agent renamed."""
        return text if text in known else self._renamed(text)

    def _renamed(self, text: str) -> str:
        for old, new in self.agents.items():
            text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _, new=new: new, text)  # type: ignore[misc]
        return text

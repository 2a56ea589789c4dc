"""Mapping from the names of agents in a record to their names in the program. They differ if a file
was renamed, because a single agent is named after its file."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from volition.reporting.replay import new_names

__all__ = ["NewNames"]


@dataclass(frozen=True, slots=True)
class NewNames:
    """Mapping from recorded to current names, for agents that were renamed since a run was
    recorded."""

    agents: Mapping[str, str]

    @classmethod
    def between(cls, recorded: Sequence[str], now: Sequence[str]) -> NewNames:
        """Return the mapping from the agents ``recorded`` in a run to the agents ``now`` in the
        model. Agents can have different names only if both have a single agent."""
        return cls({old: new for old, new in new_names(recorded, now).items() if old != new})

    def possible(self, text: str | None) -> tuple[str | None, ...]:
        """Return the current names that a recorded name may stand for: the recorded name itself
        and, if agents were renamed, the recorded name in which each old agent name is replaced by
        the new one."""
        return (text, self._renamed(text)) if text is not None and self.agents else (text,)

    def known(self, text: str, known: Container[str]) -> str:
        """Return the current form of a recorded name. This is the name itself if it is in
        ``known``. Otherwise each old agent name in it is replaced by the new one."""
        return text if text in known else self._renamed(text)

    def _renamed(self, text: str) -> str:
        for old, new in self.agents.items():
            text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _, new=new: new, text)  # type: ignore[misc]
        return text

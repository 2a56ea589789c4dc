"""Names in a record of a program that has another name now: a single agent is named after its
file."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from volition.reporting.replay import new_names

__all__ = ["NewNames"]


@dataclass(frozen=True, slots=True)
class NewNames:
    """The names that agents have now, by those that they have in a record, where these differ."""

    agents: Mapping[str, str]

    @classmethod
    def between(cls, recorded: Sequence[str], now: Sequence[str]) -> NewNames:
        """Return the names of a record and those of a model; only a single agent can be found again
        under another name."""
        return cls({old: new for old, new in new_names(recorded, now).items() if old != new})

    def possible(self, text: str | None) -> tuple[str | None, ...]:
        """Return a recorded name and what it may be now."""
        return (text, self._renamed(text)) if text is not None and self.agents else (text,)

    def known(self, text: str, known: Container[str]) -> str:
        """Return a recorded name as it is now, by the names that are known."""
        return text if text in known else self._renamed(text)

    def _renamed(self, text: str) -> str:
        for old, new in self.agents.items():
            text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _, new=new: new, text)  # type: ignore[misc]
        return text

"""The operator ashore, who decides whether the vessel continues in high seas: at random, or by a
script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

__all__ = ["Answer", "Operator", "OperatorModel"]

Answer = Literal["continue", "abort"]


@dataclass(frozen=True, kw_only=True)
class OperatorModel:
    """Model of the operator's answers. The time until an answer is uniformly distributed between
    the two times of ``delay``, in seconds. The answer is *Continue* with probability ``consent``.

    A ``script`` of delays and answers replaces both. After the end of the script, the operator does
    not answer.
    """

    delay: tuple[float, float] = (3.0, 7.0)
    consent: float = 1.0
    script: tuple[tuple[float, Answer], ...] = ()


class Operator:
    """An operator who answers one request for instructions at a time."""

    def __init__(self, model: OperatorModel, random: Random) -> None:
        self._model, self._random = model, random
        self._script: Iterator[tuple[float, Answer]] = iter(model.script)
        self._due: tuple[float, Answer] | None = None
        self.has_question = False

    def ask(self, time: float) -> None:
        """Ask the operator for instructions at a time in seconds. A request that is still open is
        not repeated."""
        if self.has_question:
            return
        self.has_question = True
        if self._model.script:
            wait = next(self._script, None)
            self._due = None if wait is None else (time + wait[0], wait[1])
        else:
            delay = self._random.uniform(*self._model.delay)
            self._due = (
                time + delay,
                "continue" if self._random.random() < self._model.consent else "abort",
            )

    def answer(self, time: float) -> Answer | None:
        """Return the operator's answer if it has arrived by this time, and close the request.
        Otherwise return None."""
        if self._due is None or time < self._due[0]:
            return None
        _, answer = self._due
        self._due, self.has_question = None, False
        return answer

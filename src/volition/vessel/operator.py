"""The operator ashore, who is asked whether to go on in high seas: by chance, or by a script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

__all__ = ["Answer", "Operator", "OperatorModel"]

Answer = Literal["continue", "abort"]


@dataclass(frozen=True, kw_only=True)
class OperatorModel:
    """Answers after a delay that is uniform between two numbers of seconds, *Continue* with some
    probability.

    A ``script`` of delays and answers takes their place; when it has ended, no answer comes any
    more.
    """

    delay: tuple[float, float] = (3.0, 7.0)
    consent: float = 1.0
    script: tuple[tuple[float, Answer], ...] = ()


class Operator:
    """Somebody who answers one question at a time."""

    def __init__(self, model: OperatorModel, random: Random) -> None:
        self._model, self._random = model, random
        self._script: Iterator[tuple[float, Answer]] = iter(model.script)
        self._due: tuple[float, Answer] | None = None
        self.is_asked = False

    def ask(self, time: float) -> None:
        """A question; one that is asked again is the same question."""
        if self.is_asked:
            return
        self.is_asked = True
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
        """The answer, if it came by now; the question is over then."""
        if self._due is None or time < self._due[0]:
            return None
        _, answer = self._due
        self._due, self.is_asked = None, False
        return answer

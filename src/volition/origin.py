"""Where a choice of the state space comes from, in the agent's words.

The kernel treats the label of a choice as an opaque value.  Every language uses :class:`Origin`, so
that traces and strategies of all languages can be told in the same way: agent, rule, plan, source
line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from volition.diagnostics import Span

__all__ = ["Origin", "unique_texts"]


@dataclass(frozen=True, slots=True)
class Origin:
    """One choice, explained.

    ``rules`` are the names of the inference rules as in the paper, outermost first, such as
    ``("A_step(1)", "▷;", "select(2)")``.  ``text`` is a short sentence without the agent's name,
    such as ``"select plan 2 for process_product1"``.  ``action`` is the action executed by the
    choice, if it executes one, and ``plan`` names the plan that the step selects or belongs to.
    Where chance picks one of several steps, ``among`` has them; each then says what it ``leaves``
    in a slot, so that a run can tell which of them was picked.
    """

    agent: str
    rules: tuple[str, ...]
    text: str
    action: str | None = None
    plan: str | None = None
    span: Span | None = None
    alternatives: tuple[Origin, ...] = ()
    resulting_slots: tuple[tuple[str, Hashable], ...] = ()

    @property
    def possible_steps(self) -> tuple[Origin, ...]:
        """This step, or those of which chance picks one."""
        return tuple(step for each in self.alternatives for step in each.possible_steps) or (self,)

    def __str__(self) -> str:
        return f"{self.agent}: {self.text}"


def unique_texts(steps: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """What to call each of the steps, given by text and rules, that somebody could make in one
    state.

    That is the text; the rules follow in square brackets where two have the same text, and then a
    number where that is not enough.
    """
    texts = Counter(text for text, _ in steps)
    named = [text if texts[text] == 1 else f"{text} [{' '.join(rules)}]" for text, rules in steps]
    names = Counter(named)
    return [
        name if names[name] == 1 else f"{name} ({named[: index + 1].count(name)})"
        for index, name in enumerate(named)
    ]

"""Origins of choices: which agent, rule, plan and source line a choice of the state space comes
from.

The kernel treats the label of a choice as an opaque value. Every language uses :class:`Origin` as
label, so that traces and strategies of all languages can be reported in the same form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from volition.diagnostics import Span

__all__ = ["Origin", "unique_texts"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of one choice: the agent, rules, plan and source line that it comes from.

    ``rules`` are the names of the inference rules as in the paper that defines the language,
    outermost first, such as ``("A_step(1)", "▷;", "select(2)")``. ``text`` is a short sentence
    without the agent's name, such as ``"select plan 2 for process_product1"``. ``action`` is the
    action that the choice executes, if any. ``plan`` is the plan that the step selects or belongs
    to.

    If the choice takes one of several steps at random, ``alternatives`` lists the origins of these
    steps. Each alternative then has ``resulting_slots``: the names of slots and their values after
    the step. From these values a run can determine which alternative was taken.
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
        """The origins of the single steps that the choice may take. If the choice takes one of
        several steps at random, these are all ``alternatives``; otherwise this origin is the only
        one."""
        return tuple(step for each in self.alternatives for step in each.possible_steps) or (self,)

    def __str__(self) -> str:
        return f"{self.agent}: {self.text}"


def unique_texts(steps: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return a distinct name for each of the steps that are possible in one state.

    A step is given by its text and its rules. Its name is the text. If several steps have the same
    text, the rules follow in square brackets. If the names are still not distinct, a number
    follows.
    """
    texts = Counter(text for text, _ in steps)
    named = [text if texts[text] == 1 else f"{text} [{' '.join(rules)}]" for text, rules in steps]
    names = Counter(named)
    return [
        name if names[name] == 1 else f"{name} ({named[: index + 1].count(name)})"
        for index, name in enumerate(named)
    ]

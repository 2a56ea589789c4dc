"""Where a choice of the state space comes from, in the agent's words.

The kernel treats the label of a choice as an opaque value.  Every language uses :class:`Origin`, so that traces and
strategies of all languages can be told in the same way: agent, rule, plan, source line.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from volition.diagnostics import Span

__all__ = ["Origin"]


@dataclass(frozen=True, slots=True)
class Origin:
    """One choice, explained.

    ``rules`` are the names of the inference rules as in the paper, outermost first, such as
    ``("A_step(1)", "▷;", "select(2)")``.  ``text`` is a short sentence without the agent's name, such as
    ``"select plan 2 for process_product1"``.  ``action`` is the action executed by the choice, if it executes one, and
    ``plan`` names the plan that the step selects or belongs to.  Where chance picks one of several steps, ``among`` has them;
    each then says what it ``leaves`` in a slot, so that a run can tell which of them was picked.
    """

    agent: str
    rules: tuple[str, ...]
    text: str
    action: str | None = None
    plan: str | None = None
    span: Span | None = None
    among: tuple[Origin, ...] = ()
    leaves: tuple[tuple[str, Hashable], ...] = ()

    @property
    def possibilities(self) -> tuple[Origin, ...]:
        """This step, or those of which chance picks one."""
        return tuple(step for each in self.among for step in each.possibilities) or (self,)

    def __str__(self) -> str:
        return f"{self.agent}: {self.text}"

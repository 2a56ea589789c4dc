"""Context in which one step of a plan body is executed, and the result of such a step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal as OneOf

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.beliefs import Beliefs
from volition.languages.jason.continuations import Continuation
from volition.languages.jason.failure import error
from volition.languages.jason.loops import revise
from volition.languages.jason.query_context import AgentQueryContext
from volition.languages.jason.state import Intention
from volition.languages.jason.terms import Bindings, Term
from volition.languages.jason.unification import apply

__all__ = ["StatefulAction", "StepContext", "StepResult"]


@dataclass(frozen=True, slots=True)
class StepResult:
    """Effect of a step of a plan body on its intention, and a description of it for the trace.

    The ``kind`` of the effect is one of these:

    - ``done``: the intention continues with ``body`` or, if that is None, with its next step.
    - ``failed``: the step fails with the annotations ``error``.
    - ``left``: the intention has ended, or has been moved to another structure of the agent, where
      it waits.
    """

    mind: AgentState
    intention: Intention
    kind: OneOf["done", "failed", "left"]
    text: str
    bindings: Bindings = field(default_factory=dict)
    body: Continuation | None = None
    error: tuple[Term, ...] = ()


class StepContext:
    """Current step of the intention that is being executed, with the data that the implementation
    of the step needs."""

    def __init__(self, mind: AgentState, intention: Intention) -> None:
        self.mind = mind
        self.intention = intention
        self.step = intention.top.body[0]
        self.rest = intention.top.body.tail
        self.bindings: Bindings = dict(intention.top.bindings)
        self.knowledge = AgentQueryContext(mind)
        mind.selected = intention

    def value(self, term: Term) -> Term:
        return apply(term, self.bindings, self.knowledge)

    def revise(
        self, after: Beliefs, *, lost: Collection[Term] | None = None, keeps_list: bool = False
    ) -> None:
        """Replace the agent's belief base and adjust active ``for`` loops: see
        :func:`volition.languages.jason.loops.revise`."""
        revise(self.mind, after, lost=lost, keeps_list=keeps_list)
        assert self.mind.selected is not None
        self.intention = self.mind.selected
        self.rest = self.intention.top.body.tail

    def done(
        self, text: str, bindings: Bindings | None = None, body: Continuation | None = None
    ) -> list[StepResult]:
        return [
            StepResult(
                self.mind,
                self.intention,
                "done",
                text,
                self.bindings if bindings is None else bindings,
                body,
            )
        ]

    def failed(self, text: str, name: str | Term, message: str = "") -> list[StepResult]:
        return [StepResult(self.mind, self.intention, "failed", text, error=error(name, message))]

    def detached(self, text: str) -> list[StepResult]:
        return [StepResult(self.mind, self.intention, "left", text)]


StatefulAction = Callable[[tuple[Term, ...], StepContext], Sequence[StepResult]]
"""Implementation of an internal action with side effects: a function that takes the arguments as
written, without the values of their variables, and the context of the step."""

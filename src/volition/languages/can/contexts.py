"""Representation of running intentions: a program decomposed into its *focus*, the part that makes
the next step, and its *context*, the rest of the program around the focus.

The rules ``;``, ``▷;``, ``G;``, ``∥1`` and ``∥2`` of Fig. 7 of Archibald et al. only state where a
step may happen inside a program. A :class:`FocusedProgram` stores this position: its ``focus``, and
an :class:`EvaluationContext`, which is a chain of frames. A frame is one construct of the program
with a hole ``[ ]`` for the part inside it. A step changes the focus and the frames next to it,
independently of the size of the rest (a zipper, after Huet, "The Zipper", 1997).

| frame | program | steps by rule |
|---|---|---|
| :class:`SequenceFrame` | ``[ ]; P`` | ``;`` |
| :class:`RecoveryFrame` | ``[ ] ▷ P`` | ``▷;`` |
| :class:`GoalFrame` | ``goal(φs, [ ] ▷ P, φf)`` | ``G;`` |
| :class:`ParallelFrame` | ``[ ] ∥ P`` or ``P ∥ [ ]`` | ``∥1``, ``∥2`` |
| :class:`IntentionFrame` | the whole intention n | ``A_step(n)`` |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from volition.languages.can.conditions import Condition, SyntaxNode
from volition.languages.can.printing import body_text
from volition.languages.can.syntax import Body, DeclarativeGoal, Nil, Recovery, Sequence

__all__ = [
    "LEFT",
    "RIGHT",
    "EvaluationContext",
    "FocusedProgram",
    "Frame",
    "GoalFrame",
    "IntentionFrame",
    "ParallelFrame",
    "RecoveryFrame",
    "SequenceFrame",
    "decompose",
]


@dataclass(frozen=True, slots=True, eq=False)
class SequenceFrame(SyntaxNode):
    """Sequence ``[ ]; P2`` with a hole ``[ ]`` for its first part P1. P1 steps by the rule ``; :
    ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1; P2⟩ → ⟨B', P1'; P2⟩``."""

    second: Body

    @property
    def rule(self) -> str:
        return ";"

    def plug(self, inner: Body) -> Body:
        return Sequence(inner, self.second, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class RecoveryFrame(SyntaxNode):
    """Failure recovery ``[ ] ▷ P2`` (see :class:`Recovery`) with a hole ``[ ]`` for its first part
    P1. P1 steps by the rule ``▷; : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1 ▷ P2⟩ → ⟨B', P1' ▷ P2⟩``."""

    second: Body
    plan: int | None = field(default=None, compare=False, repr=False)

    @property
    def rule(self) -> str:
        return "▷;"

    def plug(self, inner: Body) -> Body:
        return Recovery(inner, self.second, plan=self.plan, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class GoalFrame(SyntaxNode):
    """Declarative goal ``goal(φs, [ ] ▷ P2, φf)`` with a hole ``[ ]`` for the program P1 that
    pursues it. P1 steps by the rule ``G; : B ⊭ φs, B ⊭ φf, ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, goal(φs, P1 ▷
    P2, φf)⟩ → ⟨B', goal(φs, P1' ▷ P2, φf)⟩``."""

    success: Condition
    failure: Condition
    retry: RecoveryFrame

    @property
    def rule(self) -> str:
        return "G;"

    def plug(self, inner: Body) -> Body:
        return DeclarativeGoal(self.success, self.retry.plug(inner), self.failure, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class ParallelFrame(SyntaxNode):
    """Concurrency ``[ ] ∥ P2`` or ``P1 ∥ [ ]`` with a hole ``[ ]`` for one of its branches. Both
    branches have their own slots.

    The left branch steps by the rule ``∥1 : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1 ∥ P2⟩ → ⟨B', P1' ∥ P2⟩``,
    the right branch by ``∥2``.
    """

    rule: str


LEFT, RIGHT = ParallelFrame("∥1"), ParallelFrame("∥2")


@dataclass(frozen=True, slots=True, eq=False)
class IntentionFrame(SyntaxNode):
    """Outermost frame around a program: the intention for external event n, with a hole for the
    program of that intention."""

    number: int

    @property
    def rule(self) -> str:
        return f"A_step({self.number})"


Frame = SequenceFrame | RecoveryFrame | GoalFrame | ParallelFrame | IntentionFrame


class EvaluationContext:
    """Part of a program around the subprogram that steps: the innermost frame (a construct with a
    hole for the subprogram), and the ``parent`` context around that frame. The outermost context is
    its own parent.

    - ``canonical`` is one object that all equal contexts share, so that comparison takes constant
      time. Contexts that differ only in their positions in the source are equal.
    - ``goal`` is the innermost context whose frame is a declarative goal, this context included.
    - ``side`` is the innermost context whose frame is a ``∥``, this context included.
    - ``plan`` identifies the innermost plan by its number in the plan library.
    - ``plans`` counts the nested plans.
    """

    __slots__ = (
        "__weakref__",
        "_canonical_children",
        "_rules",
        "canonical",
        "frame",
        "goal",
        "parent",
        "plan",
        "plans",
        "side",
    )

    def __init__(self, frame: Frame, parent: EvaluationContext | None = None) -> None:
        self.frame = frame
        self.parent: EvaluationContext = parent or self
        self._canonical_children: dict[Frame, EvaluationContext] = {}
        self.canonical: EvaluationContext = (
            parent.canonical._canonical_children if parent else _OUTERMOST
        ).setdefault(frame, self)
        self._rules: tuple[str, ...] | None = None if parent else (frame.rule,)
        self.goal: EvaluationContext | None = (
            self if isinstance(frame, GoalFrame) else parent and parent.goal
        )
        self.side: EvaluationContext | None = (
            self if isinstance(frame, ParallelFrame) else parent and parent.side
        )
        self.plan: int | None = parent.plan if parent else None
        self.plans: int = parent.plans if parent else 0
        if isinstance(frame, RecoveryFrame) and frame.plan is not None:
            self.plan, self.plans = frame.plan, self.plans + 1

    def inside(self, frame: Frame) -> EvaluationContext:
        return EvaluationContext(frame, self)

    @property
    def is_slot_boundary(self) -> bool:
        """Whether this context belongs to a whole intention or to a branch of a ``∥`` with its own
        slot. The frames further out are then not stored in the same slot."""
        return isinstance(self.frame, ParallelFrame | IntentionFrame)

    @property
    def rules(self) -> tuple[str, ...]:
        """Names of the rules by which a program in this context steps: one rule per frame around
        it, outermost first."""
        if self._rules is None:
            names: list[str] = []
            known: EvaluationContext = self
            while known._rules is None:
                names.append(known.frame.rule)
                known = known.parent
            self._rules = (*known._rules, *reversed(names))
        return self._rules

    def __reduce__(self) -> tuple[Callable[..., EvaluationContext], tuple[Any, ...]]:
        """Return a constructor call for pickling, so that unpickling in another process creates or
        finds the canonical object of that process."""
        return (
            (EvaluationContext, (self.frame,))
            if self.parent is self
            else (self.parent.inside, (self.frame,))
        )


_OUTERMOST: WeakValueDictionary[Frame, EvaluationContext] = WeakValueDictionary()
"""Outermost contexts that are in use, by their frame. Equal contexts share one of these objects, in
all explorations. So equal states compare equal even if different explorations created them."""


@dataclass(frozen=True, slots=True, eq=False)
class FocusedProgram:
    """Remaining program of an intention, or of one branch of a ``∥`` in an intention. It consists
    of the ``focus``, which is the part that makes the next step, and the ``context``, which is the
    rest of the program around the focus."""

    focus: Body
    context: EvaluationContext

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, FocusedProgram)
            and self.context.canonical is other.context.canonical
            and self.focus == other.focus
        )

    def __hash__(self) -> int:
        return hash((self.focus, id(self.context.canonical)))

    @property
    def is_finished(self) -> bool:
        """Whether the whole program, not only its focus, is ``nil``."""
        return isinstance(self.focus, Nil) and self.context.is_slot_boundary

    def plug(self, outermost: EvaluationContext | None = None) -> Body:
        """Return the program as one body: the focus (the part that steps) with the program around
        it.

        With ``outermost``, the body is only the part inside this context. Otherwise it is the whole
        program of the intention, or of the branch of a ``∥``.
        """
        body, context = self.focus, self.context
        while context is not outermost and not isinstance(
            context.frame, ParallelFrame | IntentionFrame
        ):
            body, context = context.frame.plug(body), context.parent
        return body

    def __str__(self) -> str:
        return body_text(self.plug())


def decompose(body: Body, context: EvaluationContext) -> FocusedProgram:
    """Return the program ``body`` inside ``context``, decomposed into the part that makes its first
    step and the frames around that part."""
    while True:
        match body:
            case Sequence(first, second):
                context, body = context.inside(SequenceFrame(second, span=body.span)), first
            case Recovery(first, second):
                context, body = (
                    context.inside(RecoveryFrame(second, body.plan, span=body.span)),
                    first,
                )
            case DeclarativeGoal(success, Recovery(first, second) as pursuit, failure):
                retry = RecoveryFrame(second, pursuit.plan, span=pursuit.span)
                context, body = (
                    context.inside(GoalFrame(success, failure, retry, span=body.span)),
                    first,
                )
            case _:
                return FocusedProgram(body, context)

"""Representation of running intentions: a program decomposed into the part that makes the next step
and the context around it.

The rules ``;``, ``▷;``, ``G;``, ``∥1`` and ``∥2`` of Fig. 7 of Archibald et al. only state where a
step may happen inside a program. A :class:`FocusedProgram` stores that position: its ``focus`` is
the part that steps, and its :class:`EvaluationContext` is a chain of frames around it. A step
changes the focus and the frames next to it, independently of the size of the rest (a zipper, after
Huet, "The Zipper", 1997).

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
    """Frame ``[ ]; P2`` around P1, which steps by the rule ``; : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1; P2⟩
    → ⟨B', P1'; P2⟩``."""

    second: Body

    @property
    def rule(self) -> str:
        return ";"

    def plug(self, inner: Body) -> Body:
        return Sequence(inner, self.second, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class RecoveryFrame(SyntaxNode):
    """Frame ``[ ] ▷ P2`` around P1 (see :class:`Recovery`), which steps by the rule ``▷; : ⟨B, P1⟩
    → ⟨B', P1'⟩ ⟹ ⟨B, P1 ▷ P2⟩ → ⟨B', P1' ▷ P2⟩``."""

    second: Body
    plan: int | None = field(default=None, compare=False, repr=False)

    @property
    def rule(self) -> str:
        return "▷;"

    def plug(self, inner: Body) -> Body:
        return Recovery(inner, self.second, plan=self.plan, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class GoalFrame(SyntaxNode):
    """Frame ``goal(φs, [ ] ▷ P2, φf)`` around P1, which steps by the rule ``G; : B ⊭ φs, B ⊭ φf,
    ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, goal(φs, P1 ▷ P2, φf)⟩ → ⟨B', goal(φs, P1' ▷ P2, φf)⟩``."""

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
    """Frame around one branch of a ``∥`` whose branches have their own slots.

    It steps by the rule ``∥1 : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1 ∥ P2⟩ → ⟨B', P1' ∥ P2⟩``, or by ``∥2``
    for the right branch.
    """

    rule: str


LEFT, RIGHT = ParallelFrame("∥1"), ParallelFrame("∥2")


@dataclass(frozen=True, slots=True, eq=False)
class IntentionFrame(SyntaxNode):
    """Outermost frame of an intention: the intention for external event n as a whole."""

    number: int

    @property
    def rule(self) -> str:
        return f"A_step({self.number})"


Frame = SequenceFrame | RecoveryFrame | GoalFrame | ParallelFrame | IntentionFrame


class EvaluationContext:
    """Context of the part of a program that steps: a frame around it, and the ``parent`` context
    around that frame. The parent of the outermost context is that context itself.

    - ``canonical`` is one object that all equal contexts share, so that comparison takes constant
      time. Contexts that differ only in their positions in the source are equal.
    - ``goal`` is the innermost context whose frame is a goal, this context included.
    - ``side`` is the innermost context whose frame is a branch of a ``∥``.
    - ``plan`` is the number of the innermost plan.
    - ``plans`` is the number of nested plans.
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
        """Whether the frame of this context is the outermost one of the program in a branch slot: a
        whole intention or a branch of a ``∥``."""
        return isinstance(self.frame, ParallelFrame | IntentionFrame)

    @property
    def rules(self) -> tuple[str, ...]:
        """Names of the rules by which a program in this context steps, that of the outermost frame
        first."""
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
"""Canonical outermost contexts, by frame. All explorations share them, so that equal states compare
equal even if different explorations created them."""


@dataclass(frozen=True, slots=True, eq=False)
class FocusedProgram:
    """Remaining program of an intention, or of one branch of a ``∥`` in it: the focus and its
    context."""

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
        """Return the program as one body, rebuilt from the focus outwards by applying the frames
        around it.

        The frames are applied up to the context ``outermost``. If it is not given, they are applied
        up to the intention, or the branch of a ``∥``, to which the program belongs.
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

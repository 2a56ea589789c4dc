"""An intention while it runs: a program that was taken apart at the place where it makes its next
step.

The rules ``;``, ``▷;``, ``G;``, ``∥1`` and ``∥2`` of Fig. 7 of Archibald et al. only say where a
step may happen inside of a program.  Here that place is kept: a :class:`Running` is the ``focus``,
which steps, and the :class:`Context` around it, frame by frame.  A step touches the focus and what
is next to it, however much is around (a zipper, after Huet, "The Zipper", 1997).

======================  ===================================  ===========
frame                   what it is                           stepped by
======================  ===================================  ===========
:class:`Then`           ``[ ]; P``                           ``;``
:class:`OrElse`         ``[ ] ▷ P``                          ``▷;``
:class:`Pursuing`       ``goal(φs, [ ] ▷ P, φf)``            ``G;``
:class:`Side`           ``[ ] ∥ P`` or ``P ∥ [ ]``           ``∥1``, ``∥2``
:class:`Intention`      the whole intention n                ``A_step(n)``
======================  ===================================  ===========
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
    """``; : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1; P2⟩ → ⟨B', P1'; P2⟩``, where P1 is inside."""

    second: Body

    @property
    def rule(self) -> str:
        return ";"

    def plug(self, inner: Body) -> Body:
        return Sequence(inner, self.second, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class RecoveryFrame(SyntaxNode):
    """``▷; : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1 ▷ P2⟩ → ⟨B', P1' ▷ P2⟩``, where P1 is inside: see
    :class:`Recovery`."""

    second: Body
    plan: int | None = field(default=None, compare=False, repr=False)

    @property
    def rule(self) -> str:
        return "▷;"

    def plug(self, inner: Body) -> Body:
        return Recovery(inner, self.second, plan=self.plan, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class GoalFrame(SyntaxNode):
    """``G; : B ⊭ φs, B ⊭ φf, ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, goal(φs, P1 ▷ P2, φf)⟩ → ⟨B', goal(φs, P1' ▷
    P2, φf)⟩``, where P1 is inside."""

    success: Condition
    failure: Condition
    again: RecoveryFrame

    @property
    def rule(self) -> str:
        return "G;"

    def plug(self, inner: Body) -> Body:
        return DeclarativeGoal(self.success, self.again.plug(inner), self.failure, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class ParallelFrame(SyntaxNode):
    """One side of a ``∥`` whose sides stand in slots of their own.

    ``∥1 : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1 ∥ P2⟩ → ⟨B', P1' ∥ P2⟩``, and ``∥2`` in the same way.
    """

    rule: str


LEFT, RIGHT = ParallelFrame("∥1"), ParallelFrame("∥2")


@dataclass(frozen=True, slots=True, eq=False)
class IntentionFrame(SyntaxNode):
    """The outermost frame: nothing is around the intention for external event n but the agent."""

    number: int

    @property
    def rule(self) -> str:
        return f"A_step({self.number})"


Frame = SequenceFrame | RecoveryFrame | GoalFrame | ParallelFrame | IntentionFrame


class EvaluationContext:
    """Where a program stands inside of an intention: a frame, and the context ``above`` it, which
    for the outermost is itself.

    Contexts are compared by ``alike``, which is one object for all that are equal: nobody has to
    look at what is around a program. Like terms, equal contexts may still come from different
    places of the source, and tell so.  ``goal`` is the innermost context that pursues a goal, this
    one included, ``side`` the innermost side of a ``∥``, ``plan`` the innermost plan, and ``plans``
    how many plans there are inside of each other.
    """

    __slots__ = (
        "__weakref__",
        "_alike_inside",
        "_rules",
        "canonical",
        "frame",
        "goal",
        "parent",
        "plan",
        "plans",
        "side",
    )

    def __init__(self, frame: Frame, above: EvaluationContext | None = None) -> None:
        self.frame = frame
        self.parent: EvaluationContext = above or self
        self._alike_inside: dict[Frame, EvaluationContext] = {}
        self.canonical: EvaluationContext = (
            above.canonical._alike_inside if above else _OUTERMOST
        ).setdefault(frame, self)
        self._rules: tuple[str, ...] | None = None if above else (frame.rule,)
        self.goal: EvaluationContext | None = (
            self if isinstance(frame, GoalFrame) else above and above.goal
        )
        self.side: EvaluationContext | None = (
            self if isinstance(frame, ParallelFrame) else above and above.side
        )
        self.plan: int | None = above.plan if above else None
        self.plans: int = above.plans if above else 0
        if isinstance(frame, RecoveryFrame) and frame.plan is not None:
            self.plan, self.plans = frame.plan, self.plans + 1

    def inside(self, frame: Frame) -> EvaluationContext:
        return EvaluationContext(frame, self)

    @property
    def is_slot_boundary(self) -> bool:
        """Whether what is inside stands in a slot by itself: nothing around it is in the same
        slot."""
        return isinstance(self.frame, ParallelFrame | IntentionFrame)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules by which something steps in this context, outermost first."""
        if self._rules is None:
            names: list[str] = []
            known: EvaluationContext = self
            while known._rules is None:
                names.append(known.frame.rule)
                known = known.parent
            self._rules = (*known._rules, *reversed(names))
        return self._rules

    def __reduce__(self) -> tuple[Callable[..., EvaluationContext], tuple[Any, ...]]:
        """Made again where it comes from another process, so that equal ones are found to be alike
        there."""
        return (
            (EvaluationContext, (self.frame,))
            if self.parent is self
            else (self.parent.inside, (self.frame,))
        )


_OUTERMOST: WeakValueDictionary[Frame, EvaluationContext] = WeakValueDictionary()
"""One of those that are alike, whatever exploration made it: states of one program are equal
wherever they come from."""


@dataclass(frozen=True, slots=True, eq=False)
class FocusedProgram:
    """What is left of an intention, or of one side of a ``∥`` in it."""

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
        """Whether nothing is left: ``nil``, with nothing around it but, perhaps, the ``∥`` that it
        is a side of."""
        return isinstance(self.focus, Nil) and self.context.is_slot_boundary

    def plug(self, outermost: EvaluationContext | None = None) -> Body:
        """The program, from its focus outwards to a context, or as far as this slot holds it."""
        body, context = self.focus, self.context
        while context is not outermost and not isinstance(
            context.frame, ParallelFrame | IntentionFrame
        ):
            body, context = context.frame.plug(body), context.parent
        return body

    def __str__(self) -> str:
        return body_text(self.plug())


def decompose(body: Body, context: EvaluationContext) -> FocusedProgram:
    """A program that stands in a context, taken apart down to where it steps."""
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
                again = RecoveryFrame(second, pursuit.plan, span=pursuit.span)
                context, body = (
                    context.inside(GoalFrame(success, failure, again, span=body.span)),
                    first,
                )
            case _:
                return FocusedProgram(body, context)

"""An intention while it runs: a program that was taken apart at the place where it makes its next step.

The rules ``;``, ``▷;``, ``G;``, ``∥1`` and ``∥2`` of Fig. 7 of Archibald et al. only say where a step may happen inside of a program.  Here
that place is kept: a :class:`Running` is the ``focus``, which steps, and the :class:`Context` around it, frame by frame.  A step
touches the focus and what is next to it, however much is around (a zipper, after Huet, "The Zipper", 1997).

======================  ===================================  ===========
frame                   what it is                           stepped by
======================  ===================================  ===========
:class:`Then`           ``[ ]; P``                           ``;``
:class:`OrElse`         ``[ ] ▷ P``                          ``▷;``
:class:`Pursuing`       ``goal(φs, [ ] ▷ P, φf)``            ``G;``
:class:`Side`           ``[ ] ∥ P`` or ``P ∥ [ ]``           ``∥1``, ``∥2``
======================  ===================================  ===========
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from volition.languages.can.conditions import Condition, Node
from volition.languages.can.printing import body_text
from volition.languages.can.syntax import Body, Goal, Nil, Recovery, Sequence

__all__ = ["LEFT", "RIGHT", "Context", "Frame", "OrElse", "Pursuing", "Running", "Side", "Then", "entered"]


@dataclass(frozen=True, slots=True, eq=False)
class Then(Node):
    """``; : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1; P2⟩ → ⟨B', P1'; P2⟩``, where P1 is inside."""

    second: Body

    @property
    def rule(self) -> str:
        return ";"

    def around(self, inner: Body) -> Body:
        return Sequence(inner, self.second, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class OrElse(Node):
    """``▷; : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1 ▷ P2⟩ → ⟨B', P1' ▷ P2⟩``, where P1 is inside: see :class:`Recovery`."""

    second: Body
    plan: int | None = field(default=None, compare=False, repr=False)

    @property
    def rule(self) -> str:
        return "▷;"

    def around(self, inner: Body) -> Body:
        return Recovery(inner, self.second, plan=self.plan, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class Pursuing(Node):
    """``G; : B ⊭ φs, B ⊭ φf, ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, goal(φs, P1 ▷ P2, φf)⟩ → ⟨B', goal(φs, P1' ▷ P2, φf)⟩``, where P1 is inside."""

    success: Condition
    failure: Condition
    again: OrElse

    @property
    def rule(self) -> str:
        return "G;"

    def around(self, inner: Body) -> Body:
        return Goal(self.success, self.again.around(inner), self.failure, span=self.span)


@dataclass(frozen=True, slots=True, eq=False)
class Side(Node):
    """One side of a ``∥`` whose sides stand in slots of their own.

    ``∥1 : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1 ∥ P2⟩ → ⟨B', P1' ∥ P2⟩``, and ``∥2`` in the same way.
    """

    rule: str


LEFT, RIGHT = Side("∥1"), Side("∥2")

Frame = Then | OrElse | Pursuing | Side


class Context:
    """Where a program stands inside of an intention: a frame, and the context ``above`` it; the outermost has neither.

    A context makes each one inside of it once, so that equal ones are one object: nobody has to compare what is around a program.
    ``goal`` is the innermost context that pursues a goal, this one included, ``side`` the innermost side of a ``∥``, ``plan`` the innermost
    plan, and ``plans`` how many plans there are inside of each other.
    """

    __slots__ = ("_inside", "_rules", "above", "frame", "goal", "plan", "plans", "side")

    def __init__(self, frame: Frame | None = None, above: Context | None = None) -> None:
        self.frame = frame
        self.above = above
        self._inside: dict[Frame, Context] = {}
        self._rules: tuple[str, ...] | None = None if above else ()
        self.goal: Context | None = self if isinstance(frame, Pursuing) else above and above.goal
        self.side: Context | None = self if isinstance(frame, Side) else above and above.side
        own = frame.plan if isinstance(frame, OrElse) else None
        self.plan: int | None = own or (above and above.plan)
        self.plans: int = (above.plans if above else 0) + (own is not None)

    def inside(self, frame: Frame) -> Context:
        found = self._inside.get(frame)
        if found is None:
            found = self._inside[frame] = Context(frame, self)
        return found

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules by which something steps in this context, outermost first."""
        if self._rules is None:
            names: list[str] = []
            known: Context = self
            while known._rules is None:
                assert known.frame is not None and known.above is not None, "only the outermost context has no frame"
                names.append(known.frame.rule)
                known = known.above
            self._rules = (*known._rules, *reversed(names))
        return self._rules

    def __reduce__(self) -> tuple[Callable[..., Context], tuple[Any, ...]]:
        """Made again where it comes from another process, once each as well."""
        return (Context, ()) if self.above is None else (self.above.inside, (self.frame,))


@dataclass(frozen=True, slots=True)
class Running:
    """What is left of an intention, or of one side of a ``∥`` in it."""

    focus: Body
    context: Context

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left: ``nil``, with nothing around it but, perhaps, the ``∥`` that it is a side of."""
        return isinstance(self.focus, Nil) and (self.context.above is None or isinstance(self.context.frame, Side))

    def up_to(self, outermost: Context | None = None) -> Body:
        """The program, from its focus outwards to a context, or as far as this slot holds it."""
        body, context = self.focus, self.context
        while context is not outermost and context.above is not None and not isinstance(context.frame, Side):
            assert context.frame is not None, "only the outermost context has no frame"
            body, context = context.frame.around(body), context.above
        return body

    def __str__(self) -> str:
        return body_text(self.up_to())


def entered(body: Body, context: Context) -> Running:
    """A program that stands in a context, taken apart down to where it steps."""
    while True:
        match body:
            case Sequence(first, second):
                context, body = context.inside(Then(second, span=body.span)), first
            case Recovery(first, second):
                context, body = context.inside(OrElse(second, body.plan, span=body.span)), first
            case Goal(success, Recovery(first, second) as pursuit, failure):
                again = OrElse(second, pursuit.plan, span=pursuit.span)
                context, body = context.inside(Pursuing(success, failure, again, span=body.span)), first
            case _:
                return Running(body, context)

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
:class:`Intention`      the whole intention n                ``A_step(n)``
======================  ===================================  ===========
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from volition.languages.can.conditions import Condition, Node
from volition.languages.can.printing import body_text
from volition.languages.can.syntax import Body, Goal, Nil, Recovery, Sequence

__all__ = ["LEFT", "RIGHT", "Context", "Frame", "Intention", "OrElse", "Pursuing", "Running", "Side", "Then", "entered"]


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


@dataclass(frozen=True, slots=True, eq=False)
class Intention(Node):
    """The outermost frame: nothing is around the intention for external event n but the agent."""

    number: int

    @property
    def rule(self) -> str:
        return f"A_step({self.number})"


Frame = Then | OrElse | Pursuing | Side | Intention


class Context:
    """Where a program stands inside of an intention: a frame, and the context ``above`` it, which for the outermost is itself.

    Contexts are compared by ``alike``, which is one object for all that are equal: nobody has to look at what is around a program.
    Like terms, equal contexts may still come from different places of the source, and tell so.  ``goal`` is the innermost context
    that pursues a goal, this one included, ``side`` the innermost side of a ``∥``, ``plan`` the innermost plan, and ``plans`` how many
    plans there are inside of each other.
    """

    __slots__ = ("__weakref__", "_alike_inside", "_rules", "above", "alike", "frame", "goal", "plan", "plans", "side")

    def __init__(self, frame: Frame, above: Context | None = None) -> None:
        self.frame = frame
        self.above: Context = above or self
        self._alike_inside: dict[Frame, Context] = {}
        self.alike: Context = (above.alike._alike_inside if above else _OUTERMOST).setdefault(frame, self)
        self._rules: tuple[str, ...] | None = None if above else (frame.rule,)
        self.goal: Context | None = self if isinstance(frame, Pursuing) else above and above.goal
        self.side: Context | None = self if isinstance(frame, Side) else above and above.side
        self.plan: int | None = above.plan if above else None
        self.plans: int = above.plans if above else 0
        if isinstance(frame, OrElse) and frame.plan is not None:
            self.plan, self.plans = frame.plan, self.plans + 1

    def inside(self, frame: Frame) -> Context:
        return Context(frame, self)

    @property
    def is_edge(self) -> bool:
        """Whether what is inside stands in a slot by itself: nothing around it is in the same slot."""
        return isinstance(self.frame, Side | Intention)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules by which something steps in this context, outermost first."""
        if self._rules is None:
            names: list[str] = []
            known: Context = self
            while known._rules is None:
                names.append(known.frame.rule)
                known = known.above
            self._rules = (*known._rules, *reversed(names))
        return self._rules

    def __reduce__(self) -> tuple[Callable[..., Context], tuple[Any, ...]]:
        """Made again where it comes from another process, so that equal ones are found to be alike there."""
        return (Context, (self.frame,)) if self.above is self else (self.above.inside, (self.frame,))


_OUTERMOST: WeakValueDictionary[Frame, Context] = WeakValueDictionary()
"""One of those that are alike, whatever exploration made it: states of one program are equal wherever they come from."""


@dataclass(frozen=True, slots=True, eq=False)
class Running:
    """What is left of an intention, or of one side of a ``∥`` in it."""

    focus: Body
    context: Context

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Running) and self.context.alike is other.context.alike and self.focus == other.focus

    def __hash__(self) -> int:
        return hash((self.focus, id(self.context.alike)))

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left: ``nil``, with nothing around it but, perhaps, the ``∥`` that it is a side of."""
        return isinstance(self.focus, Nil) and self.context.is_edge

    def up_to(self, outermost: Context | None = None) -> Body:
        """The program, from its focus outwards to a context, or as far as this slot holds it."""
        body, context = self.focus, self.context
        while context is not outermost and not isinstance(context.frame, Side | Intention):
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

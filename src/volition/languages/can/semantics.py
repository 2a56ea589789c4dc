"""The intention-level semantics of CAN: one function per rule of Figs. 1 and 7 of Archibald et al., named as there.

A configuration ⟨B, P⟩ is a belief base, which is read through a view of the state, and a program.  Each rule is a function
that yields the steps it allows; a premise that does not hold yields none.  Every step is one step of the MDP, and its
``rules`` say how it was derived, outermost first.  ``;⊤`` and ``▷⊥`` include the first step of what follows, as printed.

The paper prints no rules for ``+b``, ``-b``, ``x := n`` and ``?φ``: the first three are always possible, ``?φ`` when φ is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from volition.diagnostics import Span
from volition.kernel import View
from volition.languages.can.conditions import Condition, Truth, Valuation, value
from volition.languages.can.library import Library, changes_of, effect_of
from volition.languages.can.printing import body_text, condition_text
from volition.languages.can.syntax import (
    NIL,
    Act,
    Assign,
    Believe,
    Body,
    Event,
    Forget,
    Goal,
    Nil,
    Options,
    Parallel,
    Recovery,
    Sequence,
    Test,
)
from volition.languages.kit.slots import Slot

__all__ = ["RULES", "Configuration", "Step", "turn_slot"]

Writes = Mapping[str, Hashable]

_ONE = Fraction(1)
_FAILED = Test(Truth(False))
_DEEPEST = 40
"""How many programs inside of each other are looked at in one go."""


@dataclass(frozen=True, slots=True)
class Step:
    """A transition ⟨B, P⟩ →p ⟨B', P'⟩ for each outcome (p, P', what changes in B), told in the agent's words.

    Where chance selects a plan, ``among`` has the step that selects each of them, with its probability.
    """

    rules: tuple[str, ...]
    text: str
    outcomes: tuple[tuple[Fraction, Body, Writes], ...]
    action: str | None = None
    plan: int | None = None
    span: Span | None = None
    among: tuple[tuple[Fraction, Step], ...] = ()

    def inside(self, rule: str, context: Callable[[Body], Body], *, plan: int | None = None) -> Step:
        """The step that ``rule`` derives from this one: the same, with what is left put into a context."""
        outcomes = tuple((probability, context(left), writes) for probability, left, writes in self.outcomes)
        among = tuple((share, step.inside(rule, context, plan=plan)) for share, step in self.among)
        return replace(self, rules=(rule, *self.rules), outcomes=outcomes, plan=self.plan or plan, among=among)


class _Awaited(Exception):
    """A program so deep inside another one that its steps are to be found first: Python's stack is not deep enough for both."""

    def __init__(self, body: Body) -> None:
        self.body = body


class Configuration:
    """⟨B, P⟩ for any P: what a program can do next in a state.  Programs may be nested as deep as they like."""

    def __init__(self, library: Library, state: View) -> None:
        self.library = library
        self.state = state
        self._steps: dict[Body, tuple[Step, ...]] = {}
        self._entailed: dict[int, tuple[Condition, bool]] = {}
        self._depth = 0

    @property
    def beliefs(self) -> Valuation:
        return Valuation(self.state, self.library.parameters)

    @property
    def chances(self) -> Valuation:
        return Valuation(self.state, self.library.chances)

    def entails(self, condition: Condition) -> bool:
        """``B ⊨ φ``"""
        # By identity, which is quick; the condition is kept, so that its number is not given to another one.
        if id(condition) not in self._entailed:
            self._entailed[id(condition)] = condition, self.library.entails(self.state, condition)
        return self._entailed[id(condition)][1]

    def steps(self, body: Body) -> tuple[Step, ...]:
        """Every ``⟨B, P⟩ → ...``, in the order of the rules."""
        if body in self._steps:
            return self._steps[body]
        if self._depth:
            return self._derived(body)
        awaited = [body]
        while awaited:
            try:
                self._derived(awaited[-1])
                awaited.pop()
            except _Awaited as inner:
                awaited.append(inner.body)
        return self._steps[body]

    def _derived(self, body: Body) -> tuple[Step, ...]:
        """The steps of a program by the rules, which ask for the steps of what is inside of it."""
        if self._depth > _DEEPEST:
            raise _Awaited(body)
        self._depth += 1
        try:
            self._steps[body] = tuple(step for rule in RULES[type(body)] for step in rule(self, body))
        finally:
            self._depth -= 1
        return self._steps[body]

    def is_blocked(self, body: Body) -> bool:
        """``⟨B, P⟩ ↛``; ``nil`` is blocked as well."""
        return not self.steps(body)


@cache
def turn_slot(event: str) -> Slot:
    """The slot that remembers which plan for an event was selected last, where plans are selected in turn."""
    return Slot(f"turn of {event}", "turn", item=event)


# --- actions and beliefs -------------------------------------------------------------------------------------------------


def act_p(c: Configuration, term: Act) -> Iterator[Step]:
    """act : ψ ← μ, B ⊨ ψ ⟹ ⟨B, act⟩ →p ⟨B \\ φ⁻ ∪ φ⁺, nil⟩ for each μ(φ⁻, φ⁺) = p."""
    action = c.library.actions[term.name]
    if c.entails(action.precondition):
        outcomes = tuple((value(outcome.probability, c.chances), NIL, effect_of(outcome, c.beliefs)) for outcome in action.outcomes)
        yield Step(("act_p",), f"act {term.name}", outcomes, action=term.name, span=term.span)


def change(c: Configuration, term: Believe | Forget | Assign) -> Iterator[Step]:
    """⟨B, ±b⟩ → ⟨B ± b, nil⟩; numeric beliefs are changed in the same way."""
    rule = {Believe: "+b", Forget: "-b", Assign: ":="}[type(term)]
    verb = {Believe: "believe", Forget: "no longer believe", Assign: "set"}[type(term)]
    what = body_text(term) if isinstance(term, Assign) else term.name
    yield Step((rule,), f"{verb} {what}", ((_ONE, NIL, changes_of((term,), c.beliefs)),), span=term.span)


def test(c: Configuration, term: Test) -> Iterator[Step]:
    """B ⊨ φ ⟹ ⟨B, ?φ⟩ → ⟨B, nil⟩."""
    if c.entails(term.condition):
        yield _silent("?", f"find that {condition_text(term.condition)}", NIL, term.span)


# --- events and plans ----------------------------------------------------------------------------------------------------


def event(c: Configuration, term: Event) -> Iterator[Step]:
    """Δ = {φ : P | (e' = φ ← P) ∈ Π, e' = e} ⟹ ⟨B, e⟩ → ⟨B, e : (|Δ|)⟩."""
    options = Options(term.name, c.library.relevant(term.name), span=term.span)
    yield _silent("event", f"look for plans for {term.name}", options, term.span)


def select(c: Configuration, term: Options) -> Iterator[Step]:
    """select(n): ⟨n, φ : P⟩ ∈ Δ, B ⊨ φ ⟹ ⟨B, e : (|Δ|)⟩ → ⟨B, P ▷ e : (|Δ \\ {n, φ : P}|)⟩."""
    policy = c.library.plan_policy
    takes_turns = policy.manner == "round-robin"
    order = policy.sequence(term.plans, c.state[turn_slot(term.event)] if takes_turns else 0)
    applicable = (number for number in order if c.entails(c.library.plans[number].context))
    match policy.manner:
        case "nondeterministic":
            yield from (_selection(c, term, [(_ONE, number)]) for number in applicable)
        case "fixed" | "round-robin":
            yield from (_selection(c, term, [(_ONE, number)]) for number in _first(applicable))
        case "probabilities":
            possible = tuple(applicable)
            if possible:
                yield _selection(c, term, policy.shares(possible))


def _selection(c: Configuration, term: Options, shares: list[tuple[Fraction, int]]) -> Step:
    """The step that selects one of some plans, with the given probabilities."""
    outcomes = []
    for probability, number in shares:
        plan = c.library.plans[number]
        others = Options(term.event, tuple(other for other in term.plans if other != number), span=term.span)
        writes: Writes = {turn_slot(term.event): number} if c.library.plan_policy.manner == "round-robin" else {}
        outcomes.append((probability, Recovery(plan.body, others, plan=number, span=plan.span), writes))
    numbers = [number for _, number in shares]
    among = tuple((share, _selection(c, term, [(_ONE, number)])) for share, number in shares) if len(shares) > 1 else ()
    chosen = " or ".join(f"plan {number}" for number in numbers)
    rule = f"select({','.join(map(str, numbers))})"
    one = numbers[0] if len(numbers) == 1 else None
    span = c.library.plans[numbers[0]].span
    return Step((rule,), f"select {chosen} for {term.event}", tuple(outcomes), plan=one, span=span, among=among)


def _first(numbers: Iterator[int]) -> Iterator[int]:
    yield from (number for number, _ in zip(numbers, range(1), strict=False))


# --- failure recovery ----------------------------------------------------------------------------------------------------


def recovery_step(c: Configuration, term: Recovery) -> Iterator[Step]:
    """▷; : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1 ▷ P2⟩ → ⟨B', P1' ▷ P2⟩."""
    for step in c.steps(term.first):
        yield step.inside("▷;", lambda left: replace(term, first=left), plan=term.plan)


def recovery_not_needed(_: Configuration, term: Recovery) -> Iterator[Step]:
    """▷⊤ : ⟨B, nil ▷ P2⟩ → ⟨B, nil⟩."""
    if term.first == NIL:
        done = f"complete plan {term.plan}" if term.plan else "go on, no recovery needed"
        yield replace(_silent("▷⊤", done, NIL, term.span), plan=term.plan)


def recovery_from_failure(c: Configuration, term: Recovery) -> Iterator[Step]:
    """▷⊥ : P1 ≠ nil, ⟨B, P1⟩ ↛, ⟨B, P2⟩ → ⟨B', P2'⟩ ⟹ ⟨B, P1 ▷ P2⟩ → ⟨B', P2'⟩."""
    if term.first != NIL and c.is_blocked(term.first):
        failed = f"plan {term.plan}" if term.plan else body_text(term.first)
        for step in c.steps(term.second):
            yield replace(step.inside("▷⊥", lambda left: left), text=f"{step.text}, as {failed} failed")


# --- sequence and concurrency --------------------------------------------------------------------------------------------


def sequence_step(c: Configuration, term: Sequence) -> Iterator[Step]:
    """; : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1; P2⟩ → ⟨B', P1'; P2⟩."""
    for step in c.steps(term.first):
        yield step.inside(";", lambda left: replace(term, first=left))


def sequence_next(c: Configuration, term: Sequence) -> Iterator[Step]:
    """;⊤ : ⟨B, P⟩ → ⟨B', P'⟩ ⟹ ⟨B, nil; P⟩ → ⟨B', P'⟩."""
    if term.first == NIL:
        for step in c.steps(term.second):
            yield step.inside(";⊤", lambda left: left)


def parallel_1(c: Configuration, term: Parallel) -> Iterator[Step]:
    """∥1 : ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, P1 ∥ P2⟩ → ⟨B', P1' ∥ P2⟩."""
    for step in c.steps(term.left):
        yield step.inside("∥1", lambda left: replace(term, left=left))


def parallel_2(c: Configuration, term: Parallel) -> Iterator[Step]:
    """∥2 : ⟨B, P2⟩ → ⟨B', P2'⟩ ⟹ ⟨B, P1 ∥ P2⟩ → ⟨B', P1 ∥ P2'⟩."""
    if c.library.settled and c.steps(term.left):
        return
    for step in c.steps(term.right):
        yield step.inside("∥2", lambda left: replace(term, right=left))


def parallel_done(_: Configuration, term: Parallel) -> Iterator[Step]:
    """∥⊤ : ⟨B, nil ∥ nil⟩ → ⟨B, nil⟩."""
    if term.left == NIL and term.right == NIL:
        yield _silent("∥⊤", "go on, both sides are done", NIL, term.span)


# --- declarative goals ---------------------------------------------------------------------------------------------------


def g_s(c: Configuration, term: Goal) -> Iterator[Step]:
    """G_s : B ⊨ φs ⟹ ⟨B, goal(φs, P, φf)⟩ → ⟨B, nil⟩."""
    if c.entails(term.success):
        yield _silent("G_s", f"achieve goal {condition_text(term.success)}", NIL, term.span)


def g_f(c: Configuration, term: Goal) -> Iterator[Step]:
    """G_f : B ⊨ φf ⟹ ⟨B, goal(φs, P, φf)⟩ → ⟨B, ?false⟩."""
    if c.library.settled and c.entails(term.success):
        return
    if c.entails(term.failure):
        yield _silent("G_f", f"give up goal {condition_text(term.success)}", _FAILED, term.span)


def g_init(c: Configuration, term: Goal) -> Iterator[Step]:
    """G_init : P ≠ P1 ▷ P2, B ⊭ φs, B ⊭ φf ⟹ ⟨B, goal(φs, P, φf)⟩ → ⟨B, goal(φs, P ▷ P, φf)⟩."""
    if not isinstance(term.body, Recovery) and _is_open(c, term):
        pursued = replace(term, body=Recovery(term.body, term.body, span=term.body.span))
        yield _silent("G_init", f"pursue goal {condition_text(term.success)}", pursued, term.span)


def g_step(c: Configuration, term: Goal) -> Iterator[Step]:
    """G; : B ⊭ φs, B ⊭ φf, ⟨B, P1⟩ → ⟨B', P1'⟩ ⟹ ⟨B, goal(φs, P1 ▷ P2, φf)⟩ → ⟨B', goal(φs, P1' ▷ P2, φf)⟩."""
    program = term.body
    if isinstance(program, Recovery) and _is_open(c, term):
        for step in c.steps(program.first):
            yield step.inside("G;", lambda left: replace(term, body=replace(program, first=left)))


def g_retry(c: Configuration, term: Goal) -> Iterator[Step]:
    """G▷ : B ⊭ φs, B ⊭ φf, ⟨B, P1⟩ ↛ ⟹ ⟨B, goal(φs, P1 ▷ P2, φf)⟩ → ⟨B, goal(φs, P2 ▷ P2, φf)⟩."""
    program = term.body
    if isinstance(program, Recovery) and _is_open(c, term) and c.is_blocked(program.first):
        again = replace(term, body=replace(program, first=program.second))
        yield _silent("G▷", f"try again for goal {condition_text(term.success)}", again, term.span)


def _is_open(c: Configuration, term: Goal) -> bool:
    """Neither achieved nor given up: B ⊭ φs, B ⊭ φf."""
    return not c.entails(term.success) and not c.entails(term.failure)


# -------------------------------------------------------------------------------------------------------------------------


def _silent(rule: str, text: str, left: Body, span: Span | None) -> Step:
    """A step that changes no belief."""
    return Step((rule,), text, ((_ONE, left, {}),), span=span)


RULES: Mapping[type[Body], tuple[Callable[[Configuration, Any], Iterator[Step]], ...]] = {
    Nil: (),
    Act: (act_p,),
    Believe: (change,),
    Forget: (change,),
    Assign: (change,),
    Test: (test,),
    Event: (event,),
    Options: (select,),
    Recovery: (recovery_step, recovery_not_needed, recovery_from_failure),
    Sequence: (sequence_step, sequence_next),
    Parallel: (parallel_1, parallel_2, parallel_done),
    Goal: (g_s, g_f, g_init, g_step, g_retry),
}
"""The rules that may apply to a program, by its outermost operator."""

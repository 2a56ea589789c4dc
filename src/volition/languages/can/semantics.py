"""Intention-level semantics of CAN: one function per rule of Figs. 1 and 7 of Archibald et al.,
with the same names.

A configuration ⟨B, P⟩ is a belief base, which is read through a view of the state, and a program,
which is decomposed into a focus and its context (:mod:`volition.languages.can.contexts`). Each rule
is a function that returns the steps it allows; there are none if a premise does not hold. Every
step is one step of the MDP, and its ``rules`` are its derivation, outermost rule first. The rules
``;``, ``▷;``, ``G;``, ``∥1`` and ``∥2`` are the frames of the context. ``;⊤`` and ``▷⊥`` include
the first step of the program that follows, as printed.

The paper prints no rules for ``+b``, ``-b``, ``x := n`` and ``?φ``. The first three are always
enabled; ``?φ`` is enabled if φ is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Set
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, assert_never

from volition.diagnostics import Span
from volition.kernel import SlotView
from volition.languages.can.branch_slots import BranchSlot
from volition.languages.can.conditions import BooleanLiteral, Condition, Valuation, value
from volition.languages.can.contexts import (
    EvaluationContext,
    FocusedProgram,
    GoalFrame,
    RecoveryFrame,
    SequenceFrame,
    decompose,
)
from volition.languages.can.plan_library import PlanLibrary, change_writes, effect_writes
from volition.languages.can.printing import body_text, condition_text
from volition.languages.can.syntax import (
    NIL,
    Act,
    AddBelief,
    Assign,
    Body,
    DeclarativeGoal,
    EventGoal,
    Nil,
    Parallel,
    Recovery,
    RemoveBelief,
    SplitParallel,
    Test,
    UntriedPlans,
)
from volition.languages.common.slots import Slot
from volition.languages.common.trampoline import DeferredCall, run_iteratively

__all__ = ["RULES", "Configuration", "Transition", "turn_slot"]

Writes = Mapping[str, Hashable]

_ONE = Fraction(1)
_FAILED = Test(BooleanLiteral(False))


@dataclass(frozen=True, slots=True)
class Transition:
    """Transition ⟨B, P⟩ →p ⟨B', P'⟩ of an intention, with a text that describes it. Each outcome
    consists of its probability p, the remaining program P', and the changes of the beliefs B.

    If a plan is selected at random, ``alternatives`` contains one transition per plan, with its
    probability.
    """

    rules: tuple[str, ...]
    text: str
    outcomes: tuple[tuple[Fraction, FocusedProgram, Writes], ...]
    action: str | None = None
    plan: int | None = None
    span: Span | None = None
    alternatives: tuple[tuple[Fraction, Transition], ...] = ()


class Configuration:
    """Configuration ⟨B, P⟩ of the program in one branch slot (the slot of an intention, or of a
    branch of a ``∥``). It derives the steps of this program. Programs may be nested to any depth.

    Rules such as ``;⊤`` continue the derivation with another program in the same context.
    ``_outermost`` is that context, and ``_derivation`` are the rules applied up to there. Before
    such a rule is applied, they are None and empty.
    """

    def __init__(self, library: PlanLibrary, state: SlotView, branch: BranchSlot) -> None:
        self.library = library
        self.state = state
        self.branch = branch
        self._entailed: dict[int, tuple[Condition, bool]] = {}
        self._can_step_memo: dict[Slot, bool] = {}
        self._guard_index: dict[str, Set[int]] = {}
        self._outermost: EvaluationContext | None = None
        self._derivation: tuple[str, ...] = ()

    # --- premises of rules ------------------------------------------------------------------------

    @property
    def beliefs(self) -> Valuation:
        return Valuation(self.state, self.library.parameters)

    @property
    def probability_parameters(self) -> Valuation:
        return Valuation(self.state, self.library.probability_parameters)

    def entails(self, condition: Condition) -> bool:
        """Return whether a condition is believed: ``B ⊨ φ``."""
        # The key is the identity of the condition, because the identity is faster to compute than
        # the equality of conditions. The memo also stores the condition, so that Python does not
        # reuse its id for another object.
        if id(condition) not in self._entailed:
            self._entailed[id(condition)] = condition, self.library.entails(self.state, condition)
        return self._entailed[id(condition)][1]

    def applicable(self, numbers: Iterator[int]) -> Iterator[int]:
        """Yield those of ``numbers`` whose plans are applicable: their context conditions are
        believed.

        Plans whose context begins with ``x = n`` for another value of x are skipped without
        evaluation.
        """
        leading, guarded = self.library.leading_equality, self._guard_index
        for number in numbers:
            name = leading.get(number)
            if name is not None:
                if name not in guarded:
                    guarded[name] = self.library.plans_guarded_by(name, self.state[name])
                if number not in guarded[name]:
                    continue
            if self.entails(self.library.plans[number].context):
                yield number

    def is_pursued(self, goal: DeclarativeGoal | GoalFrame) -> bool:
        """Return whether a declarative goal is neither achieved nor failed: B ⊭ φs, B ⊭ φf."""
        return not self.entails(goal.success) and not self.entails(goal.failure)

    def rules(self, context: EvaluationContext) -> tuple[str, ...]:
        """Return the names of the rules that derive a step at the position ``context`` of the
        program, outermost rule first. They are the rules of the constructs around this position."""
        if self._outermost is None:
            return context.rules
        return self._derivation + context.rules[len(self._outermost.rules) :]

    def _under(self, context: EvaluationContext, rule: str) -> Configuration:
        """Return a copy of this configuration for the rest of a derivation: ``rule`` has been
        applied in ``context``, and the derivation continues with another program in this context.
        """
        inner = copy(self)
        inner._outermost, inner._derivation = context, (*self.rules(context), rule)
        return inner

    def branch_programs(self) -> list[FocusedProgram]:
        """Return the programs of the two branches of the ``∥`` in this branch slot."""
        return [side.content(self.state) for side in self.branch.branches]

    def is_blocked(self, at: FocusedProgram) -> bool:
        """Return whether the program ``at`` cannot step: ⟨B, P⟩ ↛. Call this only if no rule
        applies to the focus of the program, the part that steps next.

        If the focus is a ``∥`` whose branches have their own slots, a branch may still be able to
        step, and both are checked. Any other program is blocked.
        """
        return not isinstance(at.focus, SplitParallel) or not any(
            self.can_step(side) for side in self.branch.branches_by_size
        )

    def with_branches(self, at: FocusedProgram) -> FocusedProgram:
        """Return the program ``at`` as a whole. If its focus stands for a ``∥`` whose branches are
        in slots of their own, the programs in these slots are put in its place."""
        if not isinstance(at.focus, SplitParallel):
            return at
        left, right = (side.as_program(self.state) for side in self.branch.branches)
        return FocusedProgram(Parallel(left, right, span=at.focus.span), at.context)

    # --- derivation of steps ----------------------------------------------------------------------

    def steps(self) -> tuple[Transition, ...]:
        """Return every step of the program in this branch slot, in the order of the rules.

        Steps of the branches of a ``∥`` that have their own slots are not included.
        """
        return run_iteratively(self.transitions(self.branch.content(self.state)))

    def can_step(self, branch: BranchSlot | None = None) -> bool:
        """Return whether the program in a branch slot (default: that of this configuration) can
        step: ⟨B, P⟩ →. Branches of a ``∥`` that have their own slots are included."""
        return run_iteratively(self._compute_can_step(branch or self.branch))

    def _compute_can_step(self, branch: BranchSlot) -> DeferredCall[bool]:
        if branch.slot not in self._can_step_memo:
            found = False
            at = branch.content(self.state)
            if isinstance(at.focus, SplitParallel):
                for side in branch.branches_by_size:
                    found = found or (yield self._compute_can_step(side))
            if not found:
                found = bool((yield self._for_slot(branch).transitions(at)))
            self._can_step_memo[branch.slot] = found
        return self._can_step_memo[branch.slot]

    def _for_slot(self, branch: BranchSlot) -> Configuration:
        """Return a copy of this configuration for another branch slot."""
        other = copy(self)
        other.branch, other._outermost, other._derivation = branch, None, ()
        return other

    def transitions(self, at: FocusedProgram) -> DeferredCall[tuple[Transition, ...]]:
        """Return the transitions of the program ``at`` by the rules of the semantics. The rules for
        its focus (the part that steps next) come first. If none applies, the rules for the
        constructs around the focus are tried, innermost first.

        If the program is inside a declarative goal that is achieved or failed, the transitions that
        end the goal are returned instead.
        """
        goal = self._terminated_goal(at.context)
        if goal is not None:
            # If the goal encloses this slot, the transition that ends the goal belongs to the
            # enclosing slot.
            return tuple(_goal_termination(self, goal)) if goal.side is at.context.side else ()
        found: tuple[Transition, ...]
        if isinstance(at.focus, Parallel):
            found = yield parallel(self, at.focus, at.context)
        else:
            found = tuple(
                step for rule in RULES[type(at.focus)] for step in rule(self, at.focus, at.context)
            )
        context = at.context
        while not found and context is not self._outermost and not context.is_slot_boundary:
            found = yield FRAME_RULES[type(context.frame)](self, context.frame, context, at)
            context = context.parent
        return found

    def _terminated_goal(self, context: EvaluationContext) -> EvaluationContext | None:
        """Return the context of the outermost declarative goal around ``context`` that is achieved
        or failed, or None. Programs inside such a goal cannot step."""
        goals: list[EvaluationContext] = []
        goal = context.goal
        while goal is not None:
            goals.append(goal)
            goal = goal.parent.goal
        return next(
            (
                each
                for each in reversed(goals)
                if isinstance(each.frame, GoalFrame) and not self.is_pursued(each.frame)
            ),
            None,
        )


@cache
def turn_slot(event: str) -> Slot:
    """Return the slot for the plan that was selected last for an event. The round-robin policy for
    plans needs it."""
    return Slot(f"turn of {event}", "turn", item=event)


# --- rules for actions, belief changes and tests --------------------------------------------------


def act_p(c: Configuration, term: Act, context: EvaluationContext) -> Iterator[Transition]:
    r"""Yield the step that executes an action whose precondition is believed, by the rule act_p.

    act : ψ ← μ, B ⊨ ψ ⟹ ⟨B, act⟩ →p ⟨B \ φ⁻ ∪ φ⁺, nil⟩ for each μ(φ⁻, φ⁺) = p.
    """
    action = c.library.actions[term.name]
    if c.entails(action.precondition):
        done = FocusedProgram(NIL, context)
        outcomes = tuple(
            (
                value(outcome.probability, c.probability_parameters),
                done,
                effect_writes(outcome, c.beliefs),
            )
            for outcome in action.outcomes
        )
        rules = (*c.rules(context), "act_p")
        yield Transition(
            rules, f"act {term.name}", outcomes, action=term.name, plan=context.plan, span=term.span
        )


def change(
    c: Configuration, term: AddBelief | RemoveBelief | Assign, context: EvaluationContext
) -> Iterator[Transition]:
    """Yield the step of a belief change: ⟨B, ±b⟩ → ⟨B ± b, nil⟩. An assignment to a numeric belief
    is analogous."""
    rule = {AddBelief: "+b", RemoveBelief: "-b", Assign: ":="}[type(term)]
    verb = {AddBelief: "believe", RemoveBelief: "no longer believe", Assign: "set"}[type(term)]
    what = body_text(term) if isinstance(term, Assign) else term.name
    yield _step(
        c,
        context,
        rule,
        f"{verb} {what}",
        FocusedProgram(NIL, context),
        term.span,
        change_writes((term,), c.beliefs),
    )


def test(c: Configuration, term: Test, context: EvaluationContext) -> Iterator[Transition]:
    """Yield the step of a test whose condition is believed: B ⊨ φ ⟹ ⟨B, ?φ⟩ → ⟨B, nil⟩."""
    if c.entails(term.condition):
        yield _step(
            c,
            context,
            "?",
            f"find that {condition_text(term.condition)}",
            FocusedProgram(NIL, context),
            term.span,
        )


# --- rules for events and plans -------------------------------------------------------------------


def event(c: Configuration, term: EventGoal, context: EvaluationContext) -> Iterator[Transition]:
    """Yield the step of the rule event, which replaces an event by the set of its plans: Δ = {φ : P
    | (e' = φ ← P) ∈ Π, e' = e} ⟹ ⟨B, e⟩ → ⟨B, e : (|Δ|)⟩."""
    options = UntriedPlans(term.name, c.library.relevant(term.name), span=term.span)
    yield _step(
        c,
        context,
        "event",
        f"look for plans for {term.name}",
        FocusedProgram(options, context),
        term.span,
    )


def select(
    c: Configuration, term: UntriedPlans, context: EvaluationContext
) -> Iterator[Transition]:
    r"""Yield the steps that select an applicable plan, as the policy for plans allows.

    select(n): ⟨n, φ : P⟩ ∈ Δ, B ⊨ φ ⟹ ⟨B, e : (|Δ|)⟩ → ⟨B, P ▷ e : (|Δ \ {n, φ : P}|)⟩.
    """
    policy = c.library.plan_policy
    takes_turns = policy.kind == "round-robin"
    order = policy.sequence(term.plans, c.state[turn_slot(term.event)] if takes_turns else 0)
    applicable = c.applicable(order)
    match policy.kind:
        case "nondeterministic":
            yield from (_selection(c, term, context, [(_ONE, number)]) for number in applicable)
        case "fixed" | "round-robin":
            yield from (
                _selection(c, term, context, [(_ONE, number)]) for number in _first(applicable)
            )
        case "probabilities":
            possible = tuple(applicable)
            if possible:
                yield _selection(c, term, context, policy.probabilities(possible))
        case _:
            assert_never(policy.kind)


def _selection(
    c: Configuration,
    term: UntriedPlans,
    context: EvaluationContext,
    shares: list[tuple[Fraction, int]],
) -> Transition:
    """Return the step of the rule select that chooses one of several plans at random. ``shares``
    are pairs of a probability and the number of a plan. A single pair means that its plan is
    selected with certainty."""
    outcomes = []
    for probability, number in shares:
        plan = c.library.plans[number]
        others = UntriedPlans(
            term.event, tuple(other for other in term.plans if other != number), span=term.span
        )
        writes: Writes = (
            {turn_slot(term.event): number} if c.library.plan_policy.kind == "round-robin" else {}
        )
        outcomes.append(
            (
                probability,
                decompose(Recovery(plan.body, others, plan=number, span=plan.span), context),
                writes,
            )
        )
    numbers = [number for _, number in shares]
    among = (
        tuple((share, _selection(c, term, context, [(_ONE, number)])) for share, number in shares)
        if len(shares) > 1
        else ()
    )
    chosen = " or ".join(f"plan {number}" for number in numbers)
    rules = (*c.rules(context), f"select({','.join(map(str, numbers))})")
    one = numbers[0] if len(numbers) == 1 else context.plan
    span = c.library.plans[numbers[0]].span
    return Transition(
        rules,
        f"select {chosen} for {term.event}",
        tuple(outcomes),
        plan=one,
        span=span,
        alternatives=among,
    )


def _first(numbers: Iterator[int]) -> Iterator[int]:
    yield from (number for number, _ in zip(numbers, range(1), strict=False))


# --- rules for failure recovery -------------------------------------------------------------------


def recovery(
    c: Configuration, frame: RecoveryFrame, context: EvaluationContext, at: FocusedProgram
) -> DeferredCall[tuple[Transition, ...]]:
    """Return the steps of a program P1 ▷ P2 whose P1 cannot step, by the rule ▷⊤ or, if it does not
    apply, by ▷⊥.

    ▷⊤ : ⟨B, nil ▷ P2⟩ → ⟨B, nil⟩.

    ▷⊥ : P1 ≠ nil, ⟨B, P1⟩ ↛, ⟨B, P2⟩ → ⟨B', P2'⟩ ⟹ ⟨B, P1 ▷ P2⟩ → ⟨B', P2'⟩.
    """
    if _is_finished(context, at):
        done = f"complete plan {frame.plan}" if frame.plan else "go on, no recovery needed"
        return (
            replace(
                _step(
                    c, context.parent, "▷⊤", done, FocusedProgram(NIL, context.parent), frame.span
                ),
                plan=context.plan,
            ),
        )
    # If all plans were tried, P2 cannot step. Checking this first avoids the test whether P1 is
    # blocked, which may read many slots.
    if (isinstance(frame.second, UntriedPlans) and not frame.second.plans) or not c.is_blocked(at):
        return ()
    steps: tuple[Transition, ...] = yield c._under(context.parent, "▷⊥").transitions(
        decompose(frame.second, context.parent)
    )
    if not steps:
        return ()
    failed = f"plan {frame.plan}" if frame.plan else body_text(c.with_branches(at).plug(context))
    return tuple(replace(step, text=f"{step.text}, as {failed} failed") for step in steps)


# --- rules for sequence and concurrency -----------------------------------------------------------


def sequence_next(
    c: Configuration, frame: SequenceFrame, context: EvaluationContext, at: FocusedProgram
) -> DeferredCall[tuple[Transition, ...]]:
    """Return the steps of a sequence whose first part is done, by the rule ;⊤ : ⟨B, P⟩ → ⟨B', P'⟩ ⟹
    ⟨B, nil; P⟩ → ⟨B', P'⟩."""
    if not _is_finished(context, at):
        return ()
    steps: tuple[Transition, ...] = yield c._under(context.parent, ";⊤").transitions(
        decompose(frame.second, context.parent)
    )
    return steps


def parallel(
    c: Configuration, term: Parallel, context: EvaluationContext
) -> DeferredCall[tuple[Transition, ...]]:
    """Return the steps of a ``∥`` with both branches in one slot, by the rules ∥1, ∥2 and ∥⊤."""
    left: tuple[Transition, ...] = yield c._under(context, "∥1").transitions(
        decompose(term.left, context)
    )
    steps = [_in_parallel(step, context, lambda side: replace(term, left=side)) for step in left]
    if not (c.library.resolve_intention_choices and left):
        right: tuple[Transition, ...] = yield c._under(context, "∥2").transitions(
            decompose(term.right, context)
        )
        steps += [
            _in_parallel(step, context, lambda side: replace(term, right=side)) for step in right
        ]
    if term.left == NIL and term.right == NIL:
        steps.append(_parallel_finished(c, term.span, context))
    return tuple(steps)


def parallel_done(
    c: Configuration, term: SplitParallel, context: EvaluationContext
) -> Iterator[Transition]:
    """Yield the step of a finished ``∥`` whose branches have their own slots, by the rule ∥⊤ : ⟨B,
    nil ∥ nil⟩ → ⟨B, nil⟩."""
    if all(side.is_finished for side in c.branch_programs()):
        yield _parallel_finished(c, term.span, context)


def _parallel_finished(
    c: Configuration, span: Span | None, context: EvaluationContext
) -> Transition:
    return _step(c, context, "∥⊤", "go on, both sides are done", FocusedProgram(NIL, context), span)


def _in_parallel(
    step: Transition, context: EvaluationContext, joined: Callable[[Body], Parallel]
) -> Transition:
    """Return a step of one branch of a ``∥``, converted to a step of the whole ``∥``. ``joined``
    puts the remaining program of the branch back into the ``∥``."""
    outcomes = tuple(
        (probability, FocusedProgram(joined(left.plug(context)), context), writes)
        for probability, left, writes in step.outcomes
    )
    return replace(
        step,
        outcomes=outcomes,
        alternatives=tuple(
            (share, _in_parallel(each, context, joined)) for share, each in step.alternatives
        ),
    )


# --- rules for declarative goals ------------------------------------------------------------------


def g_s(
    c: Configuration, term: DeclarativeGoal | GoalFrame, context: EvaluationContext
) -> Iterator[Transition]:
    """Yield the step by which a declarative goal succeeds, G_s : B ⊨ φs ⟹ ⟨B, goal(φs, P, φf)⟩ →
    ⟨B, nil⟩."""
    if c.entails(term.success):
        yield _step(
            c,
            context,
            "G_s",
            f"achieve goal {condition_text(term.success)}",
            FocusedProgram(NIL, context),
            term.span,
        )


def g_f(
    c: Configuration, term: DeclarativeGoal | GoalFrame, context: EvaluationContext
) -> Iterator[Transition]:
    """Yield the step by which a declarative goal fails, G_f : B ⊨ φf ⟹ ⟨B, goal(φs, P, φf)⟩ → ⟨B,
    ?false⟩."""
    if c.library.resolve_intention_choices and c.entails(term.success):
        return
    if c.entails(term.failure):
        yield _step(
            c,
            context,
            "G_f",
            f"give up goal {condition_text(term.success)}",
            FocusedProgram(_FAILED, context),
            term.span,
        )


def g_init(
    c: Configuration, term: DeclarativeGoal, context: EvaluationContext
) -> Iterator[Transition]:
    """Yield the step that starts to pursue a declarative goal, G_init : P ≠ P1 ▷ P2, B ⊭ φs, B ⊭ φf
    ⟹ ⟨B, goal(φs, P, φf)⟩ → ⟨B, goal(φs, P ▷ P, φf)⟩."""
    if c.is_pursued(term):
        pursued = replace(term, body=Recovery(term.body, term.body, span=term.body.span))
        yield _step(
            c,
            context,
            "G_init",
            f"pursue goal {condition_text(term.success)}",
            decompose(pursued, context),
            term.span,
        )


def g_retry(
    c: Configuration, frame: GoalFrame, context: EvaluationContext, at: FocusedProgram
) -> DeferredCall[tuple[Transition, ...]]:
    """Return the step by which a declarative goal starts its program again, G▷ : B ⊭ φs, B ⊭ φf,
    ⟨B, P1⟩ ↛ ⟹ ⟨B, goal(φs, P1 ▷ P2, φf)⟩ → ⟨B, goal(φs, P2 ▷ P2, φf)⟩."""
    if not c.is_blocked(at):
        return ()
    retry = f"try again for goal {condition_text(frame.success)}"
    yield from ()  # a generator, like the other rules
    return (
        _step(c, context.parent, "G▷", retry, decompose(frame.retry.second, context), frame.span),
    )


def _goal_termination(c: Configuration, goal: EvaluationContext) -> Iterator[Transition]:
    """Yield the steps, by the rules G_s and G_f, that end a declarative goal which is achieved or
    failed."""
    assert isinstance(goal.frame, GoalFrame), "a goal is pursued in a frame"
    yield from g_s(c, goal.frame, goal.parent)
    yield from g_f(c, goal.frame, goal.parent)


# --- helpers of the rules -------------------------------------------------------------------------


def _step(
    c: Configuration,
    context: EvaluationContext,
    rule: str,
    text: str,
    left: FocusedProgram,
    span: Span | None,
    writes: Writes | None = None,
) -> Transition:
    """Return a step with a single outcome. ``left`` is the program that remains after the step, and
    ``writes`` are its changes of beliefs. ``rule`` is the last rule of its derivation."""
    return Transition(
        (*c.rules(context), rule), text, ((_ONE, left, writes or {}),), plan=context.plan, span=span
    )


def _is_finished(context: EvaluationContext, at: FocusedProgram) -> bool:
    """Return whether the part of a program inside ``context`` is ``nil``. ``at`` is this part,
    decomposed into the piece that steps next and the constructs around it."""
    return at.context is context and isinstance(at.focus, Nil)


RULES: Mapping[
    type[Any], tuple[Callable[[Configuration, Any, EvaluationContext], Iterator[Transition]], ...]
] = {
    Nil: (),
    Act: (act_p,),
    AddBelief: (change,),
    RemoveBelief: (change,),
    Assign: (change,),
    Test: (test,),
    EventGoal: (event,),
    UntriedPlans: (select,),
    DeclarativeGoal: (g_s, g_f, g_init),
    SplitParallel: (parallel_done,),
}
"""Rules that can apply to the focus of a program (the part that steps), by the kind of the focus.
The rules for a ``∥`` with both branches in one slot are in :func:`parallel` instead."""

FRAME_RULES: Mapping[
    type[Any],
    Callable[
        [Configuration, Any, EvaluationContext, FocusedProgram],
        DeferredCall[tuple[Transition, ...]],
    ],
] = {
    SequenceFrame: sequence_next,
    RecoveryFrame: recovery,
    GoalFrame: g_retry,
}
"""Rule that can apply when a part of a program cannot step, by the kind of the construct (frame)
around that part."""

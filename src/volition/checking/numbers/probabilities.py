"""Extreme probabilities of path formulas: what Storm has no algorithm for comes down to what it has.

That is one step, one until, or an LTL formula; perhaps of the opposite: ``G``, ``W`` and ``R`` are negations of until, so
``Pmax [ G a ]`` is ``1 - Pmin [ F !a ]``.  This keeps answers within reachability wherever possible, with sound bounds and
strategies without memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from volition.checking.numbers.bounds import enclose_reach
from volition.checking.numbers.computation import BY_POLICIES, Computation, Optimum, Quantity, Wanted, other_optimum
from volition.checking.numbers.ltl import enclose_path
from volition.checking.numbers.value_iteration import next_step, not_before, reach_within
from volition.kernel.arrays import Mask
from volition.logic.automata.obligations import Obligations
from volition.logic.syntax import (
    And,
    Constant,
    Finally,
    Formula,
    Globally,
    Next,
    Not,
    Or,
    Probability,
    Release,
    StepBound,
    Until,
    WeakUntil,
)
from volition.logic.tree import is_state_formula

__all__ = ["Linear", "OneStep", "Reach", "Reduced", "decided_on_graph", "is_about_a_goal", "probability", "reduce_path"]


@dataclass(frozen=True, slots=True)
class OneStep:
    """``X goal``, with a state formula."""

    goal: Formula


@dataclass(frozen=True, slots=True)
class Reach:
    """``through U goal``, with state formulas."""

    through: Formula
    goal: Formula
    bound: StepBound | None = None


@dataclass(frozen=True, slots=True)
class Linear:
    """Any other path formula."""

    path: Formula


@dataclass(frozen=True, slots=True)
class Reduced:
    """A path formula that holds where ``question`` holds, or, if ``opposite``, where it fails."""

    question: OneStep | Reach | Linear
    opposite: bool = False


def reduce_path(path: Formula) -> Reduced:
    """The path formula as one of the engine's questions; quantifiers over agents must be expanded before."""
    if is_state_formula(path):
        return Reduced(Reach(Constant(False), path))
    match path:
        case Not():
            inner = reduce_path(path.operand)
            if not isinstance(inner.question, Linear):
                return Reduced(inner.question, not inner.opposite)
        case Next() if is_state_formula(path.operand):
            return Reduced(OneStep(path.operand))
        case Finally() if is_state_formula(path.operand):
            return Reduced(Reach(Constant(True), path.operand, path.bound))
        case Globally() if is_state_formula(path.operand):
            return Reduced(Reach(Constant(True), Not(path.operand), path.bound), opposite=True)
        case Until() | WeakUntil() | Release() if is_state_formula(path.left) and is_state_formula(path.right):
            return _reduce_until(path)
    return Reduced(Linear(path))


def is_about_a_goal(path: Formula) -> bool:
    """Whether a path formula asks for a goal at some time, or within some steps, perhaps for missing it."""
    question = reduce_path(path).question
    return isinstance(question, Reach) and (question.bound is None or question.bound.lower == 0)


def _reduce_until(path: Until | WeakUntil | Release) -> Reduced:
    match path:
        case Until():
            return Reduced(Reach(path.left, path.right, path.bound))
        case Release():
            return Reduced(Reach(Not(path.left), Not(path.right), path.bound), opposite=True)
        case WeakUntil():
            neither = Not(Or(path.left, path.right))
            return Reduced(Reach(And(path.left, Not(path.right)), neither, path.bound), opposite=True)


ON_GRAPH = "Storm, on the graph"


def probability(on: Computation, path: Formula, wanted: Wanted) -> Quantity:
    """The probability of a path formula."""
    reduced = reduce_path(path)
    if reduced.opposite:
        return _path(on, reduced.question, wanted.opposite).opposite()
    return _path(on, reduced.question, wanted)


def _path(on: Computation, question: OneStep | Reach | Linear, wanted: Wanted) -> Quantity:
    match question:
        case OneStep():
            return next_step(on, on.states(question.goal, optimistic=wanted.optimistic), wanted)
        case Reach():
            through, goal = (on.states(each, optimistic=wanted.optimistic) for each in (question.through, question.goal))
            return _reach(on, through, goal, question.bound, wanted)
        case Linear():
            return _linear(on, question.path, wanted)


def _reach(on: Computation, through: Mask, goal: Mask, bound: StepBound | None, wanted: Wanted) -> Quantity:
    if bound is None or bound == StepBound():
        question = "P{best}=? [{0} U {1}]"
        if on.exactly():
            found = on.ask(wanted, question, through, goal)
        else:
            found = Quantity.between(enclose_reach(on.loaded.possible, through, goal, wanted.best), BY_POLICIES)
        return replace(found, through=through, goal=goal, towards=wanted.seeks)
    if bound.lower > 0:
        later = StepBound(0, None if bound.upper is None else bound.upper - bound.lower)
        return not_before(on, bound.lower, _reach(on, through, goal, later, replace(wanted, everywhere=True)), through, wanted)
    return reach_within(on, bound.upper or 0, through, goal, wanted)


def _linear(on: Computation, path: Formula, wanted: Wanted) -> Quantity:
    if not on.exactly() and on.why_partial is None and not wanted.everywhere:
        found = enclose_path(on.loaded.possible, on.states, path, negated=not wanted.seeks)
        if found is not None:
            quantity = Quantity.between(found, "policy iteration on what of the formula is due, floating point with checked bounds")
            return quantity if wanted.seeks else quantity.opposite()
    question, masks = _in_storms_words(on, path, optimistic=wanted.optimistic)
    if on.why_partial is not None:
        masks.append(on.mdp.frontier)
        frontier = f"{{{len(masks) - 1}}}"
        question = f"({question} | F {frontier})" if wanted.optimistic else f"({question} & G !{frontier})"
    return on.ask(wanted, f"P{{best}}=? [{question}]", *masks, how="LTL through a deterministic automaton")


def _in_storms_words(on: Computation, path: Formula, *, optimistic: bool) -> tuple[str, list[Mask]]:
    """A path formula as Storm reads it, with the sets of states in the places of ``{0}``, ``{1}``, ..."""
    parts = Obligations()
    masks: list[Mask] = []

    def states(formula: Formula) -> str:
        masks.append(on.states(formula, optimistic=optimistic))
        return f"{{{len(masks) - 1}}}"

    def text(number: int) -> str:
        part = parts[number]
        match part.operator:
            case "true" | "false":
                return part.operator
            case "is":
                return states(parts.propositions[part.left])
            case "is not":
                return states(Not(parts.propositions[part.left]))
            case "X":
                return f"(X {text(part.left)})"
            case "and" | "or":
                return f"({text(part.left)} {'&' if part.operator == 'and' else '|'} {text(part.right)})"
            case "U":
                return f"({text(part.left)} U {text(part.right)})"
            case "R":
                # Storm has no release: the right side for ever, or until both hold.
                left, right = text(part.left), text(part.right)
                return f"((G {right}) | ({right} U ({left} & {right})))"

    return text(parts.read(path)), masks


# --- thresholds that no rounding can blur ----------------------------------------------------------------------------------

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


def decided_on_graph(on: Computation, asked: Probability, optimum: Optimum | None) -> tuple[Mask, str] | None:
    """Where a reachability probability meets a threshold of 0 or 1, and by which method; None for other questions."""
    if asked.relation is None or asked.threshold not in (0, 1) or on.why_partial is not None:
        return None
    reduced = reduce_path(asked.path)
    question = reduced.question
    if not isinstance(question, Reach) or question.bound is not None:
        return None
    comparison, threshold = str(asked.relation), asked.threshold
    if reduced.opposite:
        optimum, comparison, threshold = other_optimum(optimum), _MIRRORED[comparison], 1 - threshold
    storm = on.loaded.storm(on.exactly())
    through, goal = (storm.label(on.states(each)) for each in (question.through, question.goal))
    return storm.holds(f"P{optimum or ''}{comparison}{threshold} [{through} U {goal}]", seconds=on.settings.seconds), ON_GRAPH

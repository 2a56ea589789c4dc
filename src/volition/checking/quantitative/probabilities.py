"""Optimal probabilities of path formulas, reduced to problems that Storm can solve.

A problem is a single next, a single until, or an LTL formula. ``G``, ``W`` and ``R`` are negations
of until. For them the until is solved with the opposite optimum, and the result is one minus its
probability: ``Pmax [ G a ]`` is ``1 - Pmin [ F !a ]``. By this reduction most formulas become
reachability, which has sound bounds and memoryless strategies.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from volition.checking.quantitative.certified_bounds import enclose_reach
from volition.checking.quantitative.context import (
    METHOD_POLICY_ITERATION,
    Optimum,
    QuantitativeContext,
    SolveSpec,
    StateValues,
    opposite_optimum,
)
from volition.checking.quantitative.ltl_product import enclose_ltl
from volition.checking.quantitative.value_iteration import (
    bounded_until,
    lower_bounded_until,
    next_probability,
)
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
from volition.logic.traversal import is_state_formula

__all__ = [
    "LtlProblem",
    "NextProblem",
    "NormalisedPath",
    "UntilProblem",
    "decide_0_1_threshold",
    "is_reachability",
    "normalise_path",
    "probability",
]


@dataclass(frozen=True, slots=True)
class NextProblem:
    """Problem of computing the probability of ``X goal``, where ``goal`` is a state formula."""

    goal: Formula


@dataclass(frozen=True, slots=True)
class UntilProblem:
    """Problem of computing the probability of ``through U goal``, where both sides are state
    formulas."""

    through: Formula
    goal: Formula
    bound: StepBound | None = None


@dataclass(frozen=True, slots=True)
class LtlProblem:
    """Problem of computing the probability of a path formula that is not a single next or until."""

    path: Formula


@dataclass(frozen=True, slots=True)
class NormalisedPath:
    """Normal form of a path formula: a problem (``prop``), and whether the formula is the negation
    of the path formula of this problem (``opposite``)."""

    prop: NextProblem | UntilProblem | LtlProblem
    opposite: bool = False


def normalise_path(path: Formula) -> NormalisedPath:
    """Return the path formula as a next, until or LTL problem. Quantifiers over agents must be
    expanded before the call."""
    if is_state_formula(path):
        return NormalisedPath(UntilProblem(Constant(False), path))
    match path:
        case Not():
            inner = normalise_path(path.operand)
            if not isinstance(inner.prop, LtlProblem):
                return NormalisedPath(inner.prop, not inner.opposite)
        case Next() if is_state_formula(path.operand):
            return NormalisedPath(NextProblem(path.operand))
        case Finally() if is_state_formula(path.operand):
            return NormalisedPath(UntilProblem(Constant(True), path.operand, path.bound))
        case Globally() if is_state_formula(path.operand):
            return NormalisedPath(
                UntilProblem(Constant(True), Not(path.operand), path.bound), opposite=True
            )
        case Until() | WeakUntil() | Release() if is_state_formula(path.left) and is_state_formula(
            path.right
        ):
            return _reduce_until(path)
        case _:
            pass
    return NormalisedPath(LtlProblem(path))


def is_reachability(path: Formula) -> bool:
    """Return whether a path formula is an until of state formulas or the negation of one, possibly
    with an upper step bound. Then it is a reachability problem."""
    prop = normalise_path(path).prop
    return isinstance(prop, UntilProblem) and (prop.bound is None or prop.bound.lower == 0)


def _reduce_until(path: Until | WeakUntil | Release) -> NormalisedPath:
    match path:
        case Until():
            return NormalisedPath(UntilProblem(path.left, path.right, path.bound))
        case Release():
            return NormalisedPath(
                UntilProblem(Not(path.left), Not(path.right), path.bound), opposite=True
            )
        case WeakUntil():
            neither = Not(Or(path.left, path.right))
            return NormalisedPath(
                UntilProblem(And(path.left, Not(path.right)), neither, path.bound), opposite=True
            )
        case _:
            assert_never(path)


ON_GRAPH = "Storm, on the graph"


def probability(on: QuantitativeContext, path: Formula, spec: SolveSpec) -> StateValues:
    """Return the optimal probability of a path formula, in the states and with the optimum that
    ``spec`` specifies."""
    reduced = normalise_path(path)
    if reduced.opposite:
        return _path(on, reduced.prop, spec.complement).opposite()
    return _path(on, reduced.prop, spec)


def _path(
    on: QuantitativeContext, prop: NextProblem | UntilProblem | LtlProblem, spec: SolveSpec
) -> StateValues:
    match prop:
        case NextProblem():
            return next_probability(on, on.states(prop.goal, optimistic=spec.optimistic), spec)
        case UntilProblem():
            through, goal = (
                on.states(each, optimistic=spec.optimistic) for each in (prop.through, prop.goal)
            )
            return _reach(on, through, goal, prop.bound, spec)
        case LtlProblem():
            return _ltl(on, prop.path, spec)
        case _:
            assert_never(prop)


def _reach(
    on: QuantitativeContext, through: Mask, goal: Mask, bound: StepBound | None, spec: SolveSpec
) -> StateValues:
    if bound is None or bound == StepBound():
        prop = "P{best}=? [{0} U {1}]"
        if on.use_exact():
            found = on.solve_with_storm(spec, prop, through, goal)
        else:
            found = StateValues.between(
                enclose_reach(
                    on.loaded.without_zero_transitions, through, goal, spec.optimum_or_max
                ),
                METHOD_POLICY_ITERATION,
            )
        return replace(found, through=through, goal=goal, seeks_goal=spec.maximises)
    if bound.lower > 0:
        later = StepBound(0, None if bound.upper is None else bound.upper - bound.lower)
        return lower_bounded_until(
            on,
            bound.lower,
            _reach(on, through, goal, later, replace(spec, all_states=True)),
            through,
            spec,
        )
    return bounded_until(on, bound.upper or 0, through, goal, spec)


def _ltl(on: QuantitativeContext, path: Formula, spec: SolveSpec) -> StateValues:
    if not on.use_exact() and on.partial_reason is None and not spec.all_states:
        found = enclose_ltl(
            on.loaded.without_zero_transitions, on.states, path, negated=not spec.maximises
        )
        if found is not None:
            quantity = StateValues.between(
                found,
                "policy iteration on the product with an automaton, floating point with checked "
                "bounds",
            )
            return quantity if spec.maximises else quantity.opposite()
    prop, masks = _to_storm_formula(on, path, optimistic=spec.optimistic)
    if on.partial_reason is not None:
        masks.append(on.mdp.frontier)
        frontier = f"{{{len(masks) - 1}}}"
        prop = f"({prop} | F {frontier})" if spec.optimistic else f"({prop} & G !{frontier})"
    return on.solve_with_storm(
        spec, f"P{{best}}=? [{prop}]", *masks, how="LTL through a deterministic automaton"
    )


def _to_storm_formula(
    on: QuantitativeContext, path: Formula, *, optimistic: bool
) -> tuple[str, list[Mask]]:
    """Return a path formula in Storm's syntax, and the sets of states for which ``{0}``, ``{1}``,
    ... stand in it."""
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
                return (
                    f"({text(part.left)} {'&' if part.operator == 'and' else '|'} "
                    f"{text(part.right)})"
                )
            case "U":
                return f"({text(part.left)} U {text(part.right)})"
            case "R":
                # Storm has no release operator: the right side holds forever, or until both sides
                # hold.
                left, right = text(part.left), text(part.right)
                return f"((G {right}) | ({right} U ({left} & {right})))"
            case _:
                assert_never(part.operator)

    return text(parts.intern(path)), masks


# --- probability thresholds 0 and 1 ---------------------------------------------------------------

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


def decide_0_1_threshold(
    on: QuantitativeContext, query: Probability, optimum: Optimum | None
) -> tuple[Mask, str] | None:
    """Return the states in which a reachability probability meets a threshold of 0 or 1, and the
    name of the method, which is graph analysis by Storm. None for other formulas."""
    if query.relation is None or query.threshold not in (0, 1) or on.partial_reason is not None:
        return None
    reduced = normalise_path(query.path)
    prop = reduced.prop
    if not isinstance(prop, UntilProblem) or prop.bound is not None:
        return None
    comparison, threshold = str(query.relation), query.threshold
    if reduced.opposite:
        optimum, comparison, threshold = (
            opposite_optimum(optimum),
            _MIRRORED[comparison],
            1 - threshold,
        )
    storm = on.loaded.storm(on.use_exact())
    through, goal = (storm.label(on.states(each)) for each in (prop.through, prop.goal))
    return storm.holds(
        f"P{optimum or ''}{comparison}{threshold} [{through} U {goal}]", seconds=on.settings.seconds
    ), ON_GRAPH

"""The numbers behind formulas: what Storm is asked, and what its answers mean for the states of a space.

Storm sees bare numbers: the process as arrays, and sets of states in the places of state formulas.  What it has no algorithm for
comes down to what it has (:mod:`volition.checking.numbers.path_questions`).

On a space that was not explored to its end a question is asked *pessimistically*, as if unexplored states never did what is hoped
for, or *optimistically*, as if they always did; the two answers enclose the true value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from volition.checking.graph.partial_sets import PartialSet
from volition.checking.mdp.process import Mdp, RewardArrays
from volition.checking.numbers.bounds import Enclosure, enclose_reach, enclose_reward, enclose_total
from volition.checking.numbers.ltl import enclose_path
from volition.checking.numbers.path_questions import Linear, OneStep, Reach, reduce_path
from volition.checking.numbers.reachability import can_reach
from volition.checking.numbers.settings import Settings
from volition.checking.storm.client import EngineAnswer, EngineError
from volition.checking.storm.loaded_model import CHEAP_STEPS, Process
from volition.diagnostics import Diagnostic, InputError, did_you_mean, plural
from volition.kernel.arrays import Mask, Numbers
from volition.logic.automata.obligations import Obligations
from volition.logic.printing import show
from volition.logic.syntax import (
    Cumulative,
    Finally,
    Formula,
    Instantaneous,
    LongRun,
    Not,
    Probability,
    Reward,
    SteadyState,
    StepBound,
    Total,
)

__all__ = ["Asked", "Quantities", "Quantity", "Settings", "Undecided", "reward_name"]

Asked = Probability | Reward | SteadyState
Optimum = Literal["min", "max"]

FEW_TRANSITIONS = 100_000
GUESS_PRECISION = 1e-6
"""Larger processes than this ask Storm first where about the values lie."""

MOST_WORK = 10**9
STEP_WORK = 10_000
"""Steps times transitions up to which values are taken back step by step, and as how many transitions a step counts at least."""


class Undecided(EngineError):
    """The numbers known so far do not answer the question."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The best over which choices (None: there are none), how to take unexplored states, and whether in all states or the initial one."""

    optimum: Optimum | None
    optimistic: bool
    everywhere: bool

    @property
    def opposite(self) -> _Wanted:
        """What to ask of the opposite: one minus the least is the greatest."""
        return replace(self, optimum=_other(self.optimum), optimistic=not self.optimistic)

    @property
    def best(self) -> Optimum:
        """Where there are no choices, either is right."""
        return self.optimum or "max"

    @property
    def seeks(self) -> bool:
        return self.optimum != "min"


@dataclass(frozen=True)
class Quantity:
    """A number for each state, or for the initial one alone, between ``lower`` and ``upper`` (None: not known).

    ``values`` is the engine's best guess.  ``choices`` attain the optimum.  Where they are about a goal, it is to be reached ``through``
    some states, and ``towards`` says whether they seek it.  ``earning`` marks the states that they are about where there is no goal.
    With a goal to be reached ``within`` some steps there are no choices: they would depend on the steps that are left.
    """

    values: Numbers
    lower: Numbers | None
    upper: Numbers | None
    choices: npt.NDArray[np.int64] | None = None
    through: Mask | None = None
    goal: Mask | None = None
    towards: bool = True
    within: int | None = None
    earning: Mask | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, answer: EngineAnswer, **evidence: Any) -> Quantity:
        """What the engine answered.  Bounds that it gives in floating point are none: they leave out what it rounds away."""
        return cls(answer.values, None, None, answer.choices, **evidence)

    @classmethod
    def between(cls, found: Enclosure, **evidence: Any) -> Quantity:
        """What was checked."""
        return cls(found.values, found.lower, found.upper, found.choices, **evidence)

    def opposite(self) -> Quantity:
        """One minus this: the probability of the opposite."""
        lower = None if self.upper is None else _less(1.0, self.upper, -np.inf)
        upper = None if self.lower is None else _less(1.0, self.lower, np.inf)
        return replace(self, values=1 - self.values, lower=lower, upper=upper)

    def enclosure(self) -> tuple[Numbers, Numbers]:
        """Numbers that the values lie between for certain."""
        if self.values.dtype == np.object_:
            return self.values, self.values
        if self.lower is None or self.upper is None:
            return np.full(len(self.values), -np.inf), np.full(len(self.values), np.inf)
        return self.lower, self.upper


class Quantities:
    """Asks Storm about one process.  ``truth`` says where state formulas hold; ``method`` how the last answer was found.

    ``why_partial`` says why the space was not explored to its end; None if it was.
    """

    def __init__(self, process: Process, truth: Callable[[Formula], PartialSet], settings: Settings, why_partial: str | None) -> None:
        self._process = process
        self._mdp = process.mdp
        self._truth = truth
        self._settings = settings
        self._why_partial = why_partial
        self.method = ""

    def of(self, asked: Asked, *, optimistic: bool = False, everywhere: bool = True) -> Quantity:
        """The numbers that a formula asks for, whatever it compares them with: ``everywhere``, or in the initial state alone."""
        wanted = _Wanted(self._optimum(asked), optimistic, everywhere)
        match asked:
            case Probability():
                return self._probability(asked.path, wanted)
            case Reward():
                return self._reward(asked, wanted)
            case SteadyState():
                return self._steady_state(asked, wanted)

    def decided_on_graph(self, asked: Asked) -> Mask | None:
        """Where a reachability probability meets a threshold of 0 or 1, which no rounding can blur; None for other questions."""
        if not isinstance(asked, Probability) or asked.relation is None or asked.threshold not in (0, 1) or self._why_partial is not None:
            return None
        reduced = reduce_path(asked.path)
        question, optimum = reduced.question, self._optimum(asked)
        if not isinstance(question, Reach) or question.bound is not None:
            return None
        comparison, threshold = str(asked.relation), asked.threshold
        if reduced.opposite:
            optimum, comparison, threshold = _other(optimum), _MIRRORED[comparison], 1 - threshold
        storm = self._process.storm(self._process.exactly(self._settings.exact))
        self.method = "Storm, on the graph"
        through, goal = (storm.label(self._states(each, optimistic=False)) for each in (question.through, question.goal))
        return storm.holds(f"P{optimum or ''}{comparison}{threshold} [{through} U {goal}]", seconds=self._settings.seconds)

    def _optimum(self, asked: Asked) -> Optimum | None:
        """Over which strategies: None where there is only one."""
        if self._mdp.deterministic:
            return None
        if asked.optimum is not None:
            return asked.optimum
        letter = {Probability: "P", Reward: "R", SteadyState: "S"}[type(asked)]
        if asked.relation in (">", ">="):
            return "min"
        if asked.relation in ("<", "<="):
            return "max"
        message = f"'{show(asked)}' has no single value: the program is nondeterministic"
        raise InputError([Diagnostic("CHK013", message, asked.span, f"use {letter}min or {letter}max")])

    def _probability(self, path: Formula, wanted: _Wanted) -> Quantity:
        reduced = reduce_path(path)
        if reduced.opposite:
            return self._path(reduced.question, wanted.opposite).opposite()
        return self._path(reduced.question, wanted)

    def _path(self, question: OneStep | Reach | Linear, wanted: _Wanted) -> Quantity:
        match question:
            case OneStep():
                goal = self._states(question.goal, wanted.optimistic)
                if self._process.exactly(self._settings.exact, 1):
                    return Quantity.of(self._ask(wanted, "P{best}=? [X {0}]", goal, steps=1))
                self._iterated(1)
                reached = goal.astype(np.float64)
                return self._not_before(1, Quantity(reached, reached, reached), np.ones_like(goal), wanted)
            case Reach():
                through, goal = (self._states(each, wanted.optimistic) for each in (question.through, question.goal))
                return self._reach(through, goal, question.bound, wanted)
            case Linear():
                return self._linear(question.path, wanted)

    def _reach(self, through: Mask, goal: Mask, bound: StepBound | None, wanted: _Wanted) -> Quantity:
        if bound is None or bound == StepBound():
            evidence: dict[str, Any] = {"through": through, "goal": goal, "towards": wanted.seeks}
            if self._process.exactly(self._settings.exact):
                return Quantity.of(self._ask(wanted, "P{best}=? [{0} U {1}]", through, goal, strategy=True), **evidence)
            guess = self._guess(wanted, "P{best}=? [{0} U {1}]", through, goal)
            return Quantity.between(enclose_reach(self._possible, through, goal, wanted.best, guess), **evidence)
        if bound.lower > 0:
            later = StepBound(0, None if bound.upper is None else bound.upper - bound.lower)
            return self._not_before(bound.lower, self._reach(through, goal, later, replace(wanted, everywhere=True)), through, wanted)
        steps = bound.upper or 0
        if self._process.exactly(self._settings.exact, steps) and not self._is_too_long(steps):
            found = Quantity.of(self._ask(wanted, f"P{{best}}=? [{{0}} U<={steps} {{1}}]", through, goal, steps=steps))
        else:
            found = self._within(steps, through, goal, wanted)
        return replace(found, through=through, goal=goal, towards=wanted.seeks, within=steps)

    def _within(self, steps: int, through: Mask, goal: Mask, wanted: _Wanted) -> Quantity:
        """An until within so many steps, one step back after the other: a large model need not go to Storm for that.

        For the value in the initial state, the states that count with k steps left are those reached in the steps before.
        """
        mdp, best, unsettled = self._mdp, wanted.best, through & ~goal
        if self._may_settle:
            reached = goal.astype(object) * Fraction(1)
            exact = self._settled(reached, lambda values: np.where(unsettled, mdp.best_before(values, best), values), steps)
            if exact is not None:
                return exact
        self._refuse_exact(steps)
        horizons = [mdp.num_states] if wanted.everywhere else mdp.horizons()
        values, done = goal.astype(np.float64), 0
        while done < steps and not self._is_too_long(done):
            done += 1
            first = horizons[min(steps - done, len(horizons) - 1)]
            earlier = np.where(unsettled[:first], mdp.best_before(values, best, first), values[:first])
            if _unchanged(earlier, values[:first]):
                break  # and so it would be in each step to come
            values[:first] = earlier
        values = values[: horizons[0]]
        self._iterated(done)
        lower, upper = self._rounded(values, values, done)
        if done < steps:
            # With more steps the goal is reached at least as often, and at most as often as without a bound.
            whenever = enclose_reach(self._possible, through, goal, best)
            upper = np.where(lower == upper, upper, whenever.upper[: len(upper)])
        return Quantity(values, lower, upper)

    def _iterated(self, steps: int) -> None:
        self.method = f"{steps} {plural(steps, 'step')} of value iteration, floating point with bounds on the rounding"

    @property
    def _may_settle(self) -> bool:
        """Whether it is worth a try to compute exactly although there are many steps."""
        return self._settings.exact is not False and self._process.rational and self._settling() > 0

    def _settled(self, values: Numbers, earlier: Callable[[Numbers], Numbers], steps: int) -> Quantity | None:
        """The exact values so many steps back, if they stay the same from some step on that is cheap to get to."""
        for done in range(1, min(steps, self._settling()) + 1):
            before = earlier(values)
            if np.array_equal(before, values):
                self.method = f"{done} {plural(done, 'step')} of value iteration, after which nothing changes, exact arithmetic"
                return Quantity(values, None, None)
            values = before
        return None

    def _settling(self) -> int:
        """Steps after which exact values have settled, if they do so at a low price."""
        return min(self._mdp.num_states + 1, CHEAP_STEPS // self._mdp.num_transitions)

    def _is_too_long(self, steps: int) -> bool:
        return steps * (self._mdp.num_transitions + STEP_WORK) > MOST_WORK

    def _refuse_exact(self, steps: int) -> None:
        if self._settings.exact:
            raise Undecided(f"exact numbers get longer with each step, and {steps} steps are too many")

    def _back(self, values: Numbers, earlier: Callable[[Numbers], Numbers], steps: int) -> Numbers | None:
        """Numbers so many steps back; None if they are exact, which costs too much by then, and need not be.

        In floating point one may stop where nothing changes: how far off that is at most, :meth:`_rounded` knows for all steps.
        """
        exact = values.dtype == np.object_
        same = np.array_equal if exact else _unchanged
        affordable = not exact or (self._process.exactly(self._settings.exact, steps) and not self._is_too_long(steps))
        for done in range(steps):
            if not affordable and done > self._settling():
                self._refuse_exact(steps)
                return None
            if self._is_too_long(done):
                raise Undecided(f"{steps} steps are too many for value iteration")
            before = earlier(values)
            if same(before, values):
                return before
            values = before
        return values

    def _rounded(self, lower: Numbers, upper: Numbers, steps: int, most: float = 1.0) -> tuple[Numbers, Numbers]:
        """Bounds on numbers from 0 to ``most`` that were taken so many steps back in floating point.

        Nothing is subtracted on the way, so each step of sums of at most ``terms`` products is off by a factor of at most
        1 + (terms + 3)u, where u = 2^-53 is the rounding of one operation (Higham, Accuracy and Stability, Sect. 3.1), and what is too
        small for that is raised to the least normal number.
        """
        terms = int(np.diff(self._mdp.first_transition).max())
        room = 2 * steps * (terms + 3) * 2.0**-53
        if room >= 1:
            return np.zeros_like(lower), np.where(upper > 0, most, 0.0)
        least = float(np.finfo(np.float64).smallest_normal)
        return np.maximum(lower * (1 - room) - steps * least, 0.0), np.minimum(upper * (1 + room), most)

    def _not_before(self, steps: int, later: Quantity, through: Mask, wanted: _Wanted) -> Quantity:
        """An until that may not end before so many steps, from one that may end at once: so many steps back.

        Storm has no ``U>=k``, and its ``U[k,n]`` does not ask for the left side in states before step k that satisfy the right side.
        """

        def earlier(values: Numbers) -> Numbers:
            return np.where(through, self._mdp.best_before(values, wanted.best), 0 * values)

        values = self._back(later.values, earlier, steps)
        if values is None:
            rounded = later.values.astype(np.float64)
            later = Quantity(rounded, *self._rounded(rounded, rounded, 1))
            return self._not_before(steps, later, through, wanted)
        if later.lower is None or later.upper is None:
            return Quantity(values, None, None)
        lower, upper = self._back(later.lower, earlier, steps), self._back(later.upper, earlier, steps)
        assert lower is not None, "floating point is always affordable"
        assert upper is not None, "floating point is always affordable"
        return Quantity(values, *self._rounded(lower, upper, steps))

    def _linear(self, path: Formula, wanted: _Wanted) -> Quantity:
        if not self._process.exactly(self._settings.exact) and self._why_partial is None and not wanted.everywhere:
            found = enclose_path(self._possible, lambda part: self._states(part, optimistic=False), path, negated=not wanted.seeks)
            if found is not None:
                self.method = "policy iteration on what of the formula is due, floating point with checked bounds"
                return Quantity.between(found) if wanted.seeks else Quantity.between(found).opposite()
        parts = Obligations()
        masks: list[Mask] = []

        def states(formula: Formula) -> str:
            masks.append(self._states(formula, wanted.optimistic))
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

        question = text(parts.read(path))
        if self._why_partial is not None:
            masks.append(self._mdp.frontier)
            frontier = f"{{{len(masks) - 1}}}"
            question = f"({question} | F {frontier})" if wanted.optimistic else f"({question} & G !{frontier})"
        return Quantity.of(self._ask(wanted, f"P{{best}}=? [{question}]", *masks, how="LTL through a deterministic automaton"))

    def _reward(self, asked: Reward, wanted: _Wanted) -> Quantity:
        name = reward_name(self._mdp, asked)
        rewards = self._mdp.rewards[name]
        if self._why_partial is not None and (not rewards.never_negative or isinstance(asked.of, Instantaneous | LongRun)):
            raise Undecided(f"this reward needs the whole state space ({self._why_partial})")
        head = f'R{{{{"{name}"}}}}{{best}}=?'
        match asked.of:
            case Finally(bound=None):
                # What is earned on the way to an unexplored state is earned in any case.
                goal = self._states(asked.of.operand, optimistic=True)
                everywhere = np.ones(self._mdp.num_states, dtype=np.bool_)
                question = f"{head} [F {{0}}]"
                if self._process.exactly(self._settings.exact) or not rewards.never_negative:
                    found = Quantity.of(self._ask(wanted, question, goal, strategy=True))
                else:
                    guess = self._guess(wanted, question, goal)
                    found = Quantity.between(enclose_reward(self._possible, rewards, goal, wanted.best, guess))
                return replace(found, through=everywhere, goal=goal, towards=bool(found.values[0] != np.inf))
            case Finally():
                raise InputError([Diagnostic("CHK014", "a reachability reward cannot have a step bound", asked.span)])
            case Cumulative():
                return self._earned(f"{head} [C<={asked.of.steps}]", asked.of.steps, rewards, wanted, on_the_way=True)
            case Instantaneous():
                if not rewards.of_states.any():
                    nothing = np.zeros(self._mdp.num_states)
                    return Quantity(nothing, nothing, nothing, notes=(f"no state earns '{name}', only choices do",))
                return self._earned(f"{head} [I={asked.of.step}]", asked.of.step, rewards, wanted, on_the_way=False)
            case Total():
                gains = rewards.of_states != 0
                gains[self._mdp.choice_states[rewards.of_choices != 0]] = True
                earning = can_reach(self._mdp, np.ones_like(gains), gains)
                if self._process.exactly(self._settings.exact) or not rewards.never_negative:
                    return Quantity.of(self._ask(wanted, f"{head} [C]", strategy=True), earning=earning)
                guess = self._guess(wanted, f"{head} [C]")
                return Quantity.between(enclose_total(self._possible, rewards, wanted.best, guess), earning=earning)
            case LongRun():
                return Quantity.of(self._ask(wanted, f"{head} [LRA]"))

    def _earned(self, question: str, steps: int, rewards: RewardArrays, wanted: _Wanted, *, on_the_way: bool) -> Quantity:
        """What is earned in so many steps on the way, or in the state after them, by value iteration where Storm cannot do it exactly."""
        mdp = self._mdp
        if self._process.exactly(self._settings.exact, steps) and not self._is_too_long(steps):
            return Quantity.of(self._ask(wanted, question, steps=steps))

        def gains_and_last(of_states: Numbers, of_choices: Numbers) -> tuple[Numbers, Numbers]:
            per_choice = of_states[mdp.choice_states] + of_choices
            return (per_choice, 0 * of_states) if on_the_way else (0 * per_choice, of_states)

        if self._may_settle:
            exact_gains, exact_last = gains_and_last(rewards.exactly().of_states, rewards.exactly().of_choices)
            exact = self._settled(exact_last, lambda values: mdp.best_before(values, wanted.best, gains=exact_gains), steps)
            if exact is not None:
                return exact
        self._refuse_exact(steps)
        if not rewards.never_negative:
            return Quantity.of(self._ask(wanted, question, steps=steps))
        gains, last = gains_and_last(rewards.of_states, rewards.of_choices)
        values, done, before = last.astype(np.float64), 0, None
        while done < steps and (before is None or not _unchanged(before, values)):
            if self._is_too_long(done):
                raise Undecided(f"{steps} steps are too many for value iteration")
            before, values, done = values, mdp.best_before(values, wanted.best, gains=gains), done + 1
        if not on_the_way or done == steps:
            self._iterated(steps)
            return Quantity(values, *self._rounded(values, values, steps, most=np.inf))
        self._iterated(done)
        # More steps earn at least as much, and at most what the whole run earns.
        lower, _ = self._rounded(values, values, done, most=np.inf)
        return Quantity(values, lower, enclose_total(self._possible, rewards, wanted.best).upper)

    def _steady_state(self, asked: SteadyState, wanted: _Wanted) -> Quantity:
        if self._why_partial is not None:
            raise Undecided(f"the long run needs the whole state space ({self._why_partial})")
        return Quantity.of(self._ask(wanted, "LRA{best}=? [{0}]", self._states(asked.operand, optimistic=False)))

    @cached_property
    def _possible(self) -> Mdp:
        return self._mdp.without_impossible()

    # --- to Storm --------------------------------------------------------------------------------------------------------

    def _states(self, formula: Formula, optimistic: bool) -> Mask:
        """Where a state formula holds, for certain or perhaps; an unexplored state could be anything."""
        truth = self._truth(formula)
        return truth.may | self._mdp.frontier if optimistic else truth.must

    def _guess(self, wanted: _Wanted, template: str, *masks: Mask) -> Numbers | None:
        """About the values in all states, where Storm finds them much sooner than policy iteration that starts from nothing."""
        guess = None
        if self._mdp.num_transitions > FEW_TRANSITIONS:
            guess = self._ask(replace(wanted, everywhere=True), template, *masks, precision=GUESS_PRECISION).values
        self.method = "policy iteration, floating point with checked bounds"
        return guess

    def _ask(
        self,
        wanted: _Wanted,
        template: str,
        *masks: Mask,
        strategy: bool = False,
        steps: int = 0,
        how: str | None = None,
        precision: float | None = None,
    ) -> EngineAnswer:
        """Storm's answer to a question with sets of states in the places of ``{0}``, ``{1}``, and min or max in that of ``{best}``.

        ``steps`` is a bound on the steps: exact numbers get longer with each of them.
        """
        exact = self._process.exactly(self._settings.exact, steps)
        storm = self._process.storm(exact)
        arithmetic = "exact arithmetic" if exact else "floating point without bounds"
        self.method = f"Storm, {how}, {arithmetic}" if how else f"Storm, {arithmetic}"
        return storm.check(
            template.format(*map(storm.label, masks), best=wanted.optimum or ""),
            strategy=strategy and self._settings.evidenced,
            everywhere=wanted.everywhere,
            precision=precision or self._settings.precision,
            seconds=self._settings.seconds,
        )


def reward_name(mdp: Mdp, asked: Reward) -> str:
    """The name of the reward that a formula asks for; raises :class:`InputError` if it is not clear or not known."""
    names = list(mdp.rewards)
    if not names:
        raise InputError([Diagnostic("CHK015", "the program declares no rewards", asked.span)])
    if asked.name is None:
        if len(names) == 1:
            return names[0]
        hint = f'name one of {", ".join(names)}, as in R{{"{names[0]}"}}'
        raise InputError([Diagnostic("CHK016", "the program has more than one reward", asked.span, hint)])
    if asked.name not in names:
        hint = did_you_mean(asked.name, names) or f"the program has {', '.join(names)}"
        raise InputError([Diagnostic("CHK017", f"unknown reward '{asked.name}'", asked.span, hint)])
    return asked.name


def _unchanged(values: Numbers, others: Numbers) -> bool:
    """Whether floating point numbers are the same up to their last digit, which may go up and down for ever."""
    return bool(np.allclose(values, others, rtol=2.0**-51, atol=0.0))


def _less(minuend: float, subtrahend: Numbers, towards: float) -> Numbers:
    """The difference of floating point numbers, rounded towards a side where it must be rounded."""
    difference = minuend - subtrahend
    exact = (minuend - difference) == subtrahend
    return np.where(exact, difference, np.nextafter(difference, towards))


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


def _other(optimum: Optimum | None) -> Optimum | None:
    return None if optimum is None else "min" if optimum == "max" else "max"

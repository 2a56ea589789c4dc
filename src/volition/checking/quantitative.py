"""Questions about probabilities and rewards: PCTL with step bounds, LTL under ``P``, rewards, long runs; answered by Storm.

Storm sees bare numbers: the process as arrays, and sets of states for the state formulas, which are evaluated here from the
inside out.  What comes back is told again in terms of the space: values with bounds, a strategy, a run.

On a space that was not explored to its end every question is asked twice, as if unexplored states were the worst and the best
that could happen; the two answers enclose the true value.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from volition.checking.extremes import relevant_strategy, run_under
from volition.checking.mdp import Mdp
from volition.checking.qualitative import check_qualitative
from volition.checking.reductions import Linear, OneStep, Reach, reduce_path
from volition.checking.satisfaction import Satisfaction
from volition.checking.storm import EngineError, StormModel
from volition.checking.storm_worker import EngineAnswer
from volition.checking.truth import Truth
from volition.checking.verdict import Run, Strategy, Verdict
from volition.diagnostics import Diagnostic, InputError, did_you_mean
from volition.kernel import StateSpace
from volition.languages.model import Model
from volition.logic.obligations import Obligations
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
from volition.logic.tree import expand_agents

__all__ = ["Process", "Settings", "check_quantitative"]

Asked = Probability | Reward | SteadyState
Optimum = Literal["min", "max"]
Values = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Settings:
    """How numbers are computed.

    ``exact`` asks for fractions instead of floating point; None means: where that is cheap.  ``precision`` is the relative
    error of floating point answers, ``seconds`` how long Storm may take for one question.  ``evidenced`` asks for the strategy
    and the run behind an extreme value.
    """

    exact: bool | None = None
    precision: float = 1e-10
    seconds: float | None = None
    evidenced: bool = True


def check_quantitative(
    model: Model, space: StateSpace, formula: Formula, settings: Settings | None = None, *, process: Process | None = None
) -> Verdict:
    """The value of a query in the initial state, or whether a formula with thresholds holds there.

    A threshold without min or max holds if every strategy meets it; ``Pmax>=0.9`` holds if some strategy does.  ``mdp`` is the process
    to ask about instead of the space's own: the same states with other probabilities.  Raises :class:`InputError` for questions
    that have no meaning for this program; what Storm cannot answer is ``unknown``.
    ``process`` stands for the process of the space: the same states and choices with other probabilities.
    """
    start = time.perf_counter()
    settings = settings or Settings()
    asked = expand_agents(formula, model.agents)
    try:
        checker = _Checker(model, space, asked, settings, process or _process_of(space))
        if isinstance(asked, Asked):
            verdict = checker.verdict(asked)
        else:
            verdict = check_qualitative(model, space, asked, quantitative=checker.holding, evidenced=settings.evidenced)
            verdict = replace(verdict, method=f"{verdict.method}; numbers: {checker.method}")
    except EngineError as error:
        verdict = Verdict(asked, "Storm", 0.0, unknown=str(error))
    return replace(verdict, formula=formula, seconds=time.perf_counter() - start)


class _Undecided(EngineError):
    """The numbers known so far do not decide a comparison."""


# --- the process, kept for the next question ---------------------------------------------------------------------------

CHEAP_TRANSITIONS = 30_000
CHEAP_COMPONENT = 300
CHEAP_STEPS = 2_000_000
"""Exact arithmetic is used unasked up to this many transitions, states on a common cycle, and steps times transitions."""


class Process:
    """A process that is loaded into Storm once for each kind of arithmetic, however many questions are asked about it."""

    def __init__(self, mdp: Mdp) -> None:
        self.mdp = mdp
        self.rational = all(isinstance(weight, int | Fraction) for weight in self.mdp.weights)
        self.cheap = self.mdp.num_transitions <= CHEAP_TRANSITIONS and self.mdp.largest_component() <= CHEAP_COMPONENT
        self._loaded: dict[bool, StormModel] = {}

    def storm(self, exact: bool) -> StormModel:
        if exact not in self._loaded:
            self._loaded[exact] = StormModel(self.mdp, exact=exact)
        return self._loaded[exact]


_processes: WeakKeyDictionary[StateSpace, Process] = WeakKeyDictionary()


def _process_of(space: StateSpace) -> Process:
    if space not in _processes:
        _processes[space] = Process(Mdp.of(space))
    return _processes[space]


# --- answers -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Quantity:
    """A number for each state, between ``lower`` and ``upper`` (None: not known); ``values`` is the engine's best guess.

    ``choices`` attain the optimum; ``through`` and ``goal`` say what they are about, ``towards`` whether they seek the goal.
    """

    values: Values
    lower: Values | None
    upper: Values | None
    choices: npt.NDArray[np.int64] | None = None
    through: Mask | None = None
    goal: Mask | None = None
    towards: bool = True
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, answer: EngineAnswer, **evidence: Any) -> _Quantity:
        notes = (f"an optimal strategy needs memory ({answer.memory} states of it) and is not shown",) if answer.memory > 1 else ()
        return cls(answer.values, answer.lower, answer.upper, answer.choices, notes=notes, **evidence)

    def opposite(self) -> _Quantity:
        """One minus this: the probability of the opposite."""
        lower = None if self.upper is None else 1 - self.upper
        upper = None if self.lower is None else 1 - self.lower
        return replace(self, values=1 - self.values, lower=lower, upper=upper)


class _Checker:
    """Answers the questions in one formula on one space."""

    def __init__(self, model: Model, space: StateSpace, formula: Formula, settings: Settings, process: Process) -> None:
        self._space = space
        self._settings = settings
        self._process = process
        self._mdp = self._process.mdp
        self._satisfaction = Satisfaction(model, space, formula, quantitative=self.holding)
        self._exact = settings.exact if settings.exact is not None else self._process.rational and self._process.cheap
        if self._exact and not self._process.rational:
            hint = "leave the choice to Volition, or write the probabilities as decimals or fractions"
            raise InputError([Diagnostic("CHK010", "exact answers need probabilities that are fractions", formula.span, hint)])
        self.method = ""

    # --- verdicts --------------------------------------------------------------------------------------------------------

    def verdict(self, asked: Asked) -> Verdict:
        """The answer in the initial state."""
        if self._space.complete:
            quantity = self._quantity(asked, optimistic=False)
            lower, upper = self._enclosure(quantity, 0)
        else:
            quantity, lower, upper = self._enclosed(asked)
        found = Verdict(asked, self.method, 0.0, notes=quantity.notes)
        if self._settings.evidenced:
            strategy, run = self._evidence(quantity)
            found = replace(found, strategy=strategy, run=run)
        if asked.relation is None:
            return self._with_value(found, quantity, lower, upper)
        holds = _decide(asked.relation, asked.threshold, lower, upper)
        unknown = None if holds is not None else self._why_undecided(lower, upper)
        return replace(found, holds=holds, lower=float(lower), upper=float(upper), unknown=unknown)

    def _with_value(self, found: Verdict, quantity: _Quantity, lower: Any, upper: Any) -> Verdict:
        if not self._space.complete and lower != upper:
            return replace(found, lower=float(lower), upper=float(upper), unknown=self._why_undecided(lower, upper))
        value = quantity.values[0]
        if isinstance(value, Fraction) or quantity.lower is None:
            return replace(found, value=value if isinstance(value, Fraction) else float(value))
        return replace(found, value=float(value), lower=float(lower), upper=float(upper))

    def _enclosed(self, asked: Asked) -> tuple[_Quantity, Any, Any]:
        """The question on a space that was not explored to its end: what is certain, and what is possible."""
        if self._space.num_expanded == 0:
            raise _Undecided(f"nothing was explored ({self._why_partial()})")
        pessimistic = self._quantity(asked, optimistic=False)
        lower = self._enclosure(pessimistic, 0)[0]
        if isinstance(asked, Reward | SteadyState):
            return pessimistic, lower, np.inf
        return pessimistic, lower, self._enclosure(self._quantity(asked, optimistic=True), 0)[1]

    def _enclosure(self, quantity: _Quantity, state: int) -> tuple[Any, Any]:
        """Numbers that the value lies between; where the engine gives no bounds, its precision does, with some room."""
        value = quantity.values[state]
        if isinstance(value, Fraction) or not np.isfinite(value):
            return value, value
        if quantity.lower is not None and quantity.upper is not None:
            return quantity.lower[state], quantity.upper[state]
        room = 10 * self._settings.precision * max(1.0, abs(value))
        return value - room, value + room

    def _why_undecided(self, lower: Any, upper: Any) -> str:
        between = f"the value lies between {float(lower):.10g} and {float(upper):.10g}"
        if not self._space.complete:
            return f"{between} ({self._why_partial()})"
        return f"{between}, too close to the threshold to decide; ask for exact arithmetic"

    def _why_partial(self) -> str:
        return "" if self._space.stopped is None else self._space.stopped.text

    def _evidence(self, quantity: _Quantity) -> tuple[Strategy | None, Run | None]:
        choices = np.arange(self._mdp.num_choices) if self._mdp.deterministic else quantity.choices
        if choices is None or quantity.goal is None or quantity.through is None:
            return None, None
        evidence = (self._space, self._mdp, choices, quantity.through, quantity.goal)
        strategy = None if self._mdp.deterministic else relevant_strategy(*evidence)
        return strategy, run_under(*evidence, towards=quantity.towards)

    # --- inside other formulas -------------------------------------------------------------------------------------------

    def holding(self, formula: Formula) -> Mask:
        """The states in which a formula with a threshold holds."""
        if not isinstance(formula, Asked):
            raise InputError([Diagnostic("CHK011", f"'{show(formula)}' cannot stand inside another formula", formula.span)])
        if formula.relation is None:
            hint = "compare it with a number, as in P>=0.9"
            raise InputError(
                [Diagnostic("CHK012", f"'{show(formula)}' asks for a number here, where true or false is needed", formula.span, hint)]
            )
        if not self._space.complete:
            raise _Undecided(f"a probability inside another formula needs the whole state space ({self._why_partial()})")
        quantity = self._quantity(formula, optimistic=False)
        answers = [_decide(formula.relation, formula.threshold, *self._enclosure(quantity, state)) for state in range(self._mdp.num_states)]
        if None in answers:
            raise _Undecided(f"some value of '{show(formula)}' is too close to its threshold; ask for exact arithmetic")
        return np.array(answers, dtype=np.bool_)

    # --- questions -------------------------------------------------------------------------------------------------------

    def _quantity(self, asked: Asked, *, optimistic: bool) -> _Quantity:
        optimum = self._optimum(asked)
        match asked:
            case Probability():
                return self._probability(asked.path, optimum, optimistic)
            case Reward():
                return self._reward(asked, optimum)
            case SteadyState():
                return self._steady_state(asked, optimum)

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
        message = f"'{show(asked)}' has no single value: the program leaves choices open"
        raise InputError([Diagnostic("CHK013", message, asked.span, f"ask for {letter}min or {letter}max, the worst or the best choices")])

    def _probability(self, path: Formula, optimum: Optimum | None, optimistic: bool) -> _Quantity:
        reduced = reduce_path(path)
        if reduced.opposite:
            other: Optimum | None = None if optimum is None else "min" if optimum == "max" else "max"
            return self._path(reduced.question, other, not optimistic).opposite()
        return self._path(reduced.question, optimum, optimistic)

    def _path(self, question: OneStep | Reach | Linear, optimum: Optimum | None, optimistic: bool) -> _Quantity:
        head = f"P{optimum or ''}=?"
        match question:
            case OneStep():
                goal = self._states(question.goal, optimistic)
                return _Quantity.of(self._ask(f"{head} [X {{0}}]", goal, steps=1))
            case Reach():
                through, goal = self._states(question.through, optimistic), self._states(question.goal, optimistic)
                return self._reach(head, through, goal, question.bound, optimum)
            case Linear():
                return self._linear(head, question.path, optimistic)

    def _reach(self, head: str, through: Mask, goal: Mask, bound: StepBound | None, optimum: Optimum | None) -> _Quantity:
        if bound is None or bound.upper is None:
            answer = self._ask(f"{head} [{{0}} U {{1}}]", through, goal, strategy=True)
            if bound is not None and bound.lower > 0:
                return self._not_before(_Quantity.of(answer), through, bound.lower, optimum)
            return _Quantity.of(answer, through=through, goal=goal, towards=optimum != "min")
        limits = f"<={bound.upper}" if bound.lower == 0 else f"[{bound.lower},{bound.upper}]"
        return _Quantity.of(self._ask(f"{head} [{{0}} U{limits} {{1}}]", through, goal, steps=bound.upper))

    def _not_before(self, later: _Quantity, through: Mask, steps: int, optimum: Optimum | None) -> _Quantity:
        """``U>=k``, which Storm lacks: k steps back from the values of the unbounded until, through the given states."""

        def earlier(values: Values) -> Values:
            for _ in range(steps):
                values = np.where(through, self._mdp.best_before(values, optimum or "max"), 0 * values)
            return values

        lower = None if later.lower is None else earlier(later.lower)
        upper = None if later.upper is None else earlier(later.upper)
        return _Quantity(earlier(later.values), lower, upper)

    def _linear(self, head: str, path: Formula, optimistic: bool) -> _Quantity:
        parts = Obligations()
        masks: list[Mask] = []

        def states(formula: Formula) -> str:
            masks.append(self._states(formula, optimistic))
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
        if not self._space.complete:
            masks.append(self._mdp.frontier)
            frontier = f"{{{len(masks) - 1}}}"
            question = f"({question} | F {frontier})" if optimistic else f"({question} & G !{frontier})"
        return _Quantity.of(self._ask(f"{head} [{question}]", *masks, strategy=True, how="LTL through a deterministic automaton"))

    def _reward(self, asked: Reward, optimum: Optimum | None) -> _Quantity:
        name = self._reward_name(asked)
        rewards = self._mdp.rewards[name]
        if not self._space.complete:
            negative = rewards.of_states.min() < 0 or rewards.of_choices.min() < 0
            if negative or isinstance(asked.of, Instantaneous | LongRun):
                raise _Undecided(f"this reward needs the whole state space ({self._why_partial()})")
        head = f'R{{{{"{name}"}}}}{optimum or ""}=?'
        match asked.of:
            case Finally(bound=None):
                # What is earned on the way to an unexplored state is earned in any case.
                goal = self._states(asked.of.operand, optimistic=True)
                everywhere = np.ones(self._mdp.num_states, dtype=np.bool_)
                answer = self._ask(f"{head} [F {{0}}]", goal, strategy=True)
                return _Quantity.of(answer, through=everywhere, goal=goal, towards=bool(np.isfinite(float(answer.values[0]))))
            case Finally():
                raise InputError([Diagnostic("CHK014", "a reward is counted up to a state without a bound on the steps", asked.span)])
            case Cumulative():
                return _Quantity.of(self._ask(f"{head} [C<={asked.of.steps}]", steps=asked.of.steps))
            case Instantaneous():
                if not rewards.of_states.any():
                    return _Quantity(np.zeros(self._mdp.num_states), None, None, notes=(f"no state earns '{name}', only choices do",))
                return _Quantity.of(self._ask(f"{head} [I={asked.of.step}]", steps=asked.of.step))
            case Total():
                return _Quantity.of(self._ask(f"{head} [C]", strategy=True))
            case LongRun():
                return _Quantity.of(self._ask(f"{head} [LRA]", strategy=True))

    def _reward_name(self, asked: Reward) -> str:
        names = list(self._mdp.rewards)
        if not names:
            raise InputError([Diagnostic("CHK015", "the program declares no rewards", asked.span)])
        if asked.name is None:
            if len(names) == 1:
                return names[0]
            hint = f'name one of {", ".join(names)}, as in R{{"{names[0]}"}}'
            raise InputError([Diagnostic("CHK016", "the program has more than one reward", asked.span, hint)])
        if asked.name not in names:
            hint = did_you_mean(asked.name, names) or f"the program has {', '.join(names)}"
            raise InputError([Diagnostic("CHK017", f"there is no reward '{asked.name}'", asked.span, hint)])
        return asked.name

    def _steady_state(self, asked: SteadyState, optimum: Optimum | None) -> _Quantity:
        if not self._space.complete:
            raise _Undecided(f"the long run needs the whole state space ({self._why_partial()})")
        return _Quantity.of(self._ask(f"LRA{optimum or ''}=? [{{0}}]", self._states(asked.operand, optimistic=False), strategy=True))

    # --- to Storm --------------------------------------------------------------------------------------------------------

    def _states(self, formula: Formula, optimistic: bool) -> Mask:
        """Where a state formula holds, for certain or perhaps; an unexplored state could be anything."""
        truth: Truth = self._satisfaction.of(formula)
        return truth.may | self._mdp.frontier if optimistic else truth.must

    def _ask(self, template: str, *masks: Mask, strategy: bool = False, steps: int = 0, how: str | None = None) -> EngineAnswer:
        """Storm's answer to a question with sets of states in the places of ``{0}``, ``{1}``.

        ``steps`` is a bound on the steps: exact numbers get longer with each of them.
        """
        exact = self._exact and (self._settings.exact is not None or steps * self._mdp.num_transitions <= CHEAP_STEPS)
        storm = self._process.storm(exact)
        arithmetic = "exact arithmetic" if exact else "floating point with sound bounds"
        self.method = f"Storm, {how}, {arithmetic}" if how else f"Storm, {arithmetic}"
        return storm.check(
            template.format(*map(storm.label, masks)),
            strategy=strategy and self._settings.evidenced,
            precision=self._settings.precision,
            seconds=self._settings.seconds,
        )


_RELATIONS: dict[str, Callable[[Any, Any], bool | None]] = {
    ">=": lambda low, high: True if low >= 0 else False if high < 0 else None,
    ">": lambda low, high: True if low > 0 else False if high <= 0 else None,
    "<=": lambda low, high: True if high <= 0 else False if low > 0 else None,
    "<": lambda low, high: True if high < 0 else False if low >= 0 else None,
    "=": lambda low, high: True if low == high == 0 else False if low > 0 or high < 0 else None,
    "!=": lambda low, high: False if low == high == 0 else True if low > 0 or high < 0 else None,
}


def _decide(relation: str, threshold: Fraction | None, lower: Any, upper: Any) -> bool | None:
    """Whether a number between two others meets the threshold; None if it depends on which."""
    assert threshold is not None, "a relation comes with a threshold"
    # Fractions compare exactly with floats, while their difference would be rounded.
    signs = [(bound > threshold) - (bound < threshold) for bound in (lower, upper)]
    return _RELATIONS[relation](*signs)

"""Success and cost of a mission that may fail: three readings of a problem that Archibald et al.,
Sect. 4.4, leave open.

"Maximise the probability of achieving a mission while minimising the cost of reaching it" has no
single meaning, because the expected cost up to a goal that may be missed is infinite. A user may
want one of these:

- **lexicographic** (:func:`min_cost_at_max_probability`): the cheapest of the strategies with the
  highest probability of success. Cost is counted until success, or until success has become
  impossible;
- **conditional** (:func:`min_cost_given_success`): among the same strategies, the one with the
  lowest expected cost of *successful* runs. (Over all strategies this problem is PSPACE-hard, and
  optimal strategies tend to fail where success would be expensive: Baier, Klein, Klüppelholz and
  Wunderlich, TACAS 2017.)
- **within a budget** (:func:`within_budget`): the highest probability of success without spending
  more than a budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from volition.checking.explored_model import explore_for, rebuild_model
from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.mdp.mdp import Mdp, RewardArrays
from volition.checking.mdp.memory_product import build_memory_product
from volition.checking.properties import PropertyLike, parse_properties
from volition.checking.quantitative.context import LoadedMdp, UndecidedError
from volition.checking.quantitative.deadline import Deadline
from volition.checking.quantitative.probabilities import UntilProblem, normalise_path
from volition.checking.quantitative.reachability import prob_greater_0_some
from volition.checking.quantitative.rewards import reward_name
from volition.checking.storm.client import StormModel
from volition.checking.strategy import OpaqueMemory, Strategy
from volition.checking.task import CheckSettings, CheckTask
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.display import HtmlDisplay, data_frame
from volition.kernel import Progress, StateSpace
from volition.kernel.arrays import Indices, Mask, NumberArray
from volition.languages.protocols import Model, Program, Table
from volition.logic.printing import as_typed
from volition.logic.syntax import Formula, Probability, Reward, Total
from volition.origin import Origin
from volition.reporting.formatting import number
from volition.reporting.strategies.strategy_table import tabulate_strategy

__all__ = [
    "BudgetSolution",
    "MissionProblem",
    "MissionResult",
    "MissionSolution",
    "build_mission",
    "min_cost_at_max_probability",
    "min_cost_given_success",
    "solve_mission",
    "within_budget",
]

TOLERANCE = 1e-9
"""Difference below which rounded values of two choices count as equal."""

MAX_BUDGET_STEPS = 1_000_000
"""Maximum budget in units. The unit is the largest number of which all costs and the budget are
multiples. The strategy has one memory value for each number of units."""


@dataclass(frozen=True)
class MissionProblem:
    """Mission in an explored program: the states of the ``goal``, the states allowed before it
    (``through``), and the ``reward`` that is its cost."""

    model: Model
    space: StateSpace
    loaded: LoadedMdp
    settings: CheckSettings
    formula: str
    through: Mask
    goal: Mask
    reward: str
    deadline: Deadline

    @property
    def seconds(self) -> float | None:
        """Remaining time for all queries about the mission together; raise :class:`EngineStopped`
        if no time is left."""
        self.deadline.check()
        return self.deadline.left

    @property
    def exact(self) -> bool:
        return self.loaded.use_exact(self.settings.exact)

    def storm(self, mdp: Mdp) -> StormModel:
        """Load an MDP derived from that of the mission into Storm and return the loaded model."""
        return StormModel(mdp, exact=self.exact)


@dataclass(frozen=True)
class MissionSolution:
    """Probability of success and expected cost of a mission, and a strategy that attains both.
    ``cost`` is None if success is impossible."""

    probability: Any
    cost: Any
    strategy: Strategy
    description: str


@dataclass(frozen=True)
class BudgetSolution:
    """Maximum probability of success of a mission within a budget. ``curve`` lists each smaller
    budget at which this probability rises, with the probability from that budget on."""

    budget: Fraction
    probability: Any
    strategy: Strategy
    curve: tuple[tuple[Fraction, Any], ...]


@dataclass(frozen=True, repr=False)
class MissionResult(HtmlDisplay):
    """Results for a mission: one solution for each optimisation criterion, by the name of the
    criterion (``plans``), and the probability of success within a budget if one was given."""

    model: Model
    space: StateSpace
    formula: str
    reward: str
    exact: bool
    plans: Mapping[str, MissionSolution]
    budgeted: BudgetSolution | None = None
    warnings: tuple[Diagnostic, ...] = ()

    def __len__(self) -> int:
        return len(self.plans)

    def __iter__(self) -> Iterator[MissionSolution]:
        return iter(self.plans.values())

    def __getitem__(self, name: str | int) -> MissionSolution:
        """Return a solution by the name of its criterion or by its index."""
        return self.plans[name] if isinstance(name, str) else list(self.plans.values())[name]

    def __repr__(self) -> str:
        text = "; ".join(
            f"{name}: success {number(plan.probability)}, {_cost_text(plan)}"
            for name, plan in self.plans.items()
        )
        return f"<Mission {self.formula}: {text}>"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "model"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state, model=rebuild_model(state["space"]))

    def strategies(self) -> dict[str, Strategy]:
        """Return the strategy of each solution, by the name of its criterion."""
        found: dict[str, Strategy] = {name: plan.strategy for name, plan in self.plans.items()}
        return (
            found
            if self.budgeted is None
            else {**found, "within the budget": self.budgeted.strategy}
        )

    def tables(self) -> list[Table]:
        """Return a table of the solutions and, if a budget was given, a table of the probability of
        success by budget."""
        rows = [
            [name, number(plan.probability), _cost_text(plan), plan.description]
            for name, plan in self.plans.items()
        ]
        found = [Table(self.formula, ["", "success", self.reward, "meaning"], rows)]
        if self.budgeted is not None:
            curve = [
                [number(funds), number(probability)] for funds, probability in self.budgeted.curve
            ]
            found.append(Table("Within a budget", [f"{self.reward} at most", "success"], curve))
        return found

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one row for each solution."""
        columns = ["plan", "success", self.reward]
        rows = [
            [name, float(plan.probability), None if plan.cost is None else float(plan.cost)]
            for name, plan in self.plans.items()
        ]
        return data_frame(columns, rows)

    def to_json(self, *, strategies: bool = False) -> dict[str, Any]:
        """Return the results for the mission as JSON data; ``strategies`` adds the strategy
        tables."""

        def strategy_of(plan: MissionSolution | BudgetSolution) -> dict[str, Any]:
            return (
                {"strategy": tabulate_strategy(self.model, plan.strategy).as_json()}
                if strategies
                else {}
            )

        document: dict[str, Any] = {
            "formula": self.formula,
            "cost": self.reward,
            "exact": self.exact,
        }
        for name, plan in self.plans.items():
            document[name.replace(" ", "_")] = {
                "probability": float(plan.probability),
                "cost": None if plan.cost is None else float(plan.cost),
                **strategy_of(plan),
            }
        if self.budgeted is not None:
            document["within_budget"] = {
                "budget": float(self.budgeted.budget),
                "probability": float(self.budgeted.probability),
                "curve": [
                    [float(funds), float(probability)] for funds, probability in self.budgeted.curve
                ],
                **strategy_of(self.budgeted),
            }
        return document


def _cost_text(plan: MissionSolution) -> str:
    return "success is impossible" if plan.cost is None else number(plan.cost)


def solve_mission(mission: MissionProblem, budget: Fraction | None = None) -> MissionResult:
    """Solve a mission by all criteria and, if a budget is given, within the budget. Raise
    :class:`InputError` for invalid input, and :class:`EngineError` if Storm finds no answer or the
    time limit is reached."""
    plans = {
        "cheapest of the best": min_cost_at_max_probability(mission),
        "cheapest success": min_cost_given_success(mission),
    }
    budgeted = None if budget is None else within_budget(mission, budget)
    return MissionResult(
        mission.model,
        mission.space,
        mission.formula,
        mission.reward,
        mission.exact,
        plans,
        budgeted,
    )


def build_mission(
    program: Program,
    formula: PropertyLike,
    reward: str | None = None,
    *,
    space: StateSpace | None = None,
    settings: CheckSettings | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> MissionProblem:
    """Explore a program for a mission such as ``Pmax=? [ F done ]`` whose cost is a reward of the
    program.

    The time limit in the settings is for the exploration and all queries about the mission
    together. Raise :class:`InputError` if the formula is not a mission or the reward is unknown.
    """
    settings = settings or CheckSettings()
    deadline = Deadline(settings.seconds)
    (prop,) = parse_properties([formula], Diagnostics())
    exploration, (query,) = explore_for(
        program, [prop.formula], space=space, limits=settings.limits, progress=progress
    )
    deadline.check()
    if exploration.space.stopped is not None:
        raise UndecidedError(
            f"a mission needs the whole state space ({exploration.space.stopped.text})"
        )
    reach = _mission(query)
    loaded = exploration.mdp_model
    satisfaction = Satisfaction(CheckTask(exploration.model, query, settings), exploration.space)
    name = reward_name(loaded.mdp, Reward(Total(), name=reward))
    arrays = loaded.mdp.rewards[name]
    if min(arrays.of_states.min(), arrays.of_choices.min()) < 0:
        raise InputError(
            [
                Diagnostic(
                    "CHK041",
                    f"the reward '{name}' can be negative, so it cannot be a cost",
                    query.span,
                )
            ]
        )
    return MissionProblem(
        exploration.model,
        exploration.space,
        loaded,
        settings,
        prop.text,
        satisfaction.states(reach.through).definite,
        satisfaction.states(reach.goal).definite,
        name,
        deadline,
    )


def _mission(formula: Formula) -> UntilProblem:
    if isinstance(formula, Probability) and formula.relation is None and formula.optimum != "min":
        reduced = normalise_path(formula.path)
        if (
            isinstance(reduced.prop, UntilProblem)
            and reduced.prop.bound is None
            and not reduced.opposite
        ):
            return reduced.prop
    hint = "a mission is a goal to reach: Pmax=? [ F .. ] or Pmax=? [ .. U .. ]"
    raise InputError(
        [
            Diagnostic(
                "CHK040",
                f"'{as_typed(formula)}' is not a reachability objective",
                formula.span,
                hint,
            )
        ]
    )


# --- cost of strategies with the highest probability of success -----------------------------------


def min_cost_at_max_probability(mission: MissionProblem) -> MissionSolution:
    """Return the cheapest strategy among those with the highest probability of success, as a
    solution.

    Cost is counted until success, or until success has become impossible.
    """
    values, best, settled = _best_choices(mission)
    total, strategy = _cheapest(mission, best, settled)
    reading = "expected cost until success, or until success has become impossible"
    return MissionSolution(values[0], total, strategy, reading)


def min_cost_given_success(mission: MissionProblem) -> MissionSolution:
    """Return, as a solution, the strategy with the lowest expected cost of successful runs among
    those with the highest probability of success.

    Under a strategy with the highest probability of success, the probability of success from a
    state is the maximum v, whatever happened before. A cost c paid in that state adds c·v to the
    cost of successful runs. The result is thus an ordinary expected cost, divided by the
    probability of success.
    """
    _require_deterministic_cost(mission)
    values, best, settled = _best_choices(mission)
    reading = "expected cost of a run that succeeds"
    arrays = best.rewards[mission.reward]
    if mission.exact:
        arrays = arrays.exactly()
    weighted = RewardArrays(
        arrays.of_states * values, arrays.of_choices * values[best.choice_states]
    )
    total, strategy = _cheapest(mission, best.with_rewards({mission.reward: weighted}), settled)
    return MissionSolution(
        values[0], None if values[0] == 0 else total / values[0], strategy, reading
    )


def _best_choices(mission: MissionProblem) -> tuple[NumberArray, Mdp, Mask]:
    """Return the highest probability of success from each state, the MDP restricted to the choices
    that attain it, and the settled states, in which the mission has succeeded or can no longer
    succeed."""
    mdp = mission.loaded.mdp
    storm = mission.loaded.storm(mission.exact)
    optimum = "" if mdp.is_markov_chain else "max"
    prop = f"P{optimum}=? [{storm.label(mission.through)} U {storm.label(mission.goal)}]"
    values = storm.check(prop, precision=mission.settings.precision, seconds=mission.seconds).values
    settled: Mask = mission.goal | (values == 0)
    behind = mdp.expected_next(values)
    here = values[mdp.choice_states]
    good = behind == here if mission.exact else behind >= here - TOLERANCE
    # In settled states every choice is allowed.
    return values, mdp.restricted_to(good.astype(np.bool_) | settled[mdp.choice_states]), settled


def _cheapest(mission: MissionProblem, best: Mdp, settled: Mask) -> tuple[Any, Strategy]:
    """Return the lowest expected cost until a settled state is reached, in which the mission has
    succeeded or can no longer succeed, and a strategy that attains it. Strategies that may never
    reach a settled state have infinite cost."""
    storm = mission.storm(best)
    optimum = "" if best.is_markov_chain else "min"
    prop = f'R{{"{mission.reward}"}}{optimum}=? [F {storm.label(settled)}]'
    answer = storm.check(
        prop, strategy=True, precision=mission.settings.precision, seconds=mission.seconds
    )
    choices = np.arange(best.num_choices) if answer.choices is None else answer.choices
    return answer.values[0], Strategy(mission.space, best, choices, ~settled)


def _require_deterministic_cost(mission: MissionProblem) -> None:
    """Raise :class:`InputError` if the cost of a choice is only known as an average. This is the
    case if the choice stands for several steps, one of which is drawn at random. An average is not
    the cost of a single run, which the callers of this function need."""
    space = mission.space
    averaged = np.array(
        [isinstance(label, Origin) and bool(label.alternatives) for label in space.labels],
        dtype=np.bool_,
    )[space.label_ids]
    if space.choice_rewards(mission.reward)[averaged].any():
        message = (
            f"a run has no exact cost: the reward '{mission.reward}' of randomly selected steps is "
            "only known on average"
        )
        raise InputError(
            [
                Diagnostic(
                    "CHK044",
                    message,
                    hint="use a nondeterministic or fixed policy for plans and intentions",
                )
            ]
        )


# --- probability of success within a budget -------------------------------------------------------


def within_budget(mission: MissionProblem, budget: Fraction) -> BudgetSolution:
    """Return the highest probability of success before the cost exceeds the budget. The strategy
    depends on the remaining budget."""
    _require_deterministic_cost(mission)
    mdp = mission.loaded.mdp
    cost, unit = _integer_costs(mdp, mission.reward, budget)
    funds = int(budget / unit)
    hopeless = ~prob_greater_0_some(mdp, mission.through, mission.goal)
    overspent = 0  # the memory is the remaining budget plus one

    def update(memory: Indices, choices: Indices, targets: Indices) -> Indices:
        del targets
        mission.deadline.check()
        left: Indices = np.maximum(memory - cost[choices], overspent)
        return left

    def settled(states: Indices, memory: Indices) -> Mask:
        over: Mask = (memory == overspent) | mission.goal[states] | hopeless[states]
        return over

    # Besides the given budget, all smaller budgets are initial memory values, because the curve
    # needs their probabilities. The given budget comes first, so that its pair with the initial
    # state is the initial state of the product.
    unfolding = build_memory_product(mdp, np.arange(funds + 1, 0, -1), update, settled=settled)
    storm = mission.storm(unfolding.mdp)
    success = storm.label(unfolding.lift(mission.goal) & (unfolding.memory != overspent))
    optimum = "" if unfolding.mdp.is_markov_chain else "max"
    answer = storm.check(
        f"P{optimum}=? [F {success}]",
        strategy=True,
        precision=mission.settings.precision,
        seconds=mission.seconds,
    )
    choices = np.arange(unfolding.mdp.num_choices) if answer.choices is None else answer.choices

    def so_far(memory: int) -> dict[str, str]:
        return {f"{mission.reward} left": f"{float((memory - 1) * unit):.10g}"}

    open_pairs = unfolding.mdp.original_choices[choices] >= 0
    strategy = Strategy(
        mission.space, unfolding.mdp, choices, open_pairs, unfolding, OpaqueMemory(so_far)
    )
    at_start = np.flatnonzero((unfolding.states == 0) & (unfolding.memory != overspent))
    by_funds = sorted((int(unfolding.memory[pair]) - 1, answer.values[pair]) for pair in at_start)
    return BudgetSolution(budget, answer.values[0], strategy, tuple(_rises(by_funds, unit)))


def _integer_costs(mdp: Mdp, reward: str, budget: Fraction) -> tuple[Indices, Fraction]:
    """Return the cost of each choice, including that of its state, as an integer number of units,
    and the unit: the largest one that all costs and the budget are multiples of."""
    arrays = mdp.rewards[reward].exactly()
    total = arrays.of_choices + arrays.of_states[mdp.choice_states]
    unit = Fraction(1, lcm(*(cost.denominator for cost in set(total.tolist())), budget.denominator))
    if budget < 0:
        raise InputError([Diagnostic("CHK042", "the budget must not be negative")])
    if budget / unit > MAX_BUDGET_STEPS:
        hint = "round the costs or lower the budget"
        raise InputError(
            [
                Diagnostic(
                    "CHK043",
                    f"the budget is {int(budget / unit)} units of {unit}, which is too many to "
                    "track",
                    hint=hint,
                )
            ]
        )
    # Costs above the budget need not be distinguished.
    return np.array(
        [min(int(cost / unit), int(budget / unit) + 1) for cost in total.tolist()], dtype=np.int64
    ), unit


def _rises(by_funds: list[tuple[int, Any]], unit: Fraction) -> list[tuple[Fraction, Any]]:
    curve: list[tuple[Fraction, Any]] = []
    for funds, probability in by_funds:
        if not curve or probability > curve[-1][1] + (
            0 if isinstance(probability, Fraction) else TOLERANCE
        ):
            curve.append((funds * unit, probability))
    return curve

"""Questions about probabilities and rewards: PCTL with step bounds, LTL under ``P``, rewards, long runs; answered by Storm.

State formulas are evaluated from the inside out, the numbers come from :mod:`volition.checking.numbers.queries`.  What comes back is told
in terms of the space again: a value with bounds or a truth value, the strategy behind it, a run.
"""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from volition.checking.graph.qualitative import check_qualitative
from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.numbers.fronts.multi import check_multi
from volition.checking.numbers.ltl import strategy_on_paths
from volition.checking.numbers.queries import Asked, Quantities, Quantity, Settings, Undecided
from volition.checking.numbers.reachability import can_reach, relevant_strategy, run_under
from volition.checking.numbers.step_bounded import strategy_within
from volition.checking.storm.client import EngineError
from volition.checking.storm.loaded_model import Process, process_of
from volition.checking.strategy import RememberingStrategy, Strategy
from volition.checking.verdict import Run, Verdict
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace
from volition.kernel.arrays import Mask
from volition.languages.model import Model
from volition.logic.numbers import rounded_text
from volition.logic.printing import show
from volition.logic.syntax import Formula, Multi, Probability, Reward
from volition.logic.tree import expand_agents

__all__ = ["Process", "Settings", "all_values", "check_quantitative", "path_strategy", "steps_strategy"]


MOST_UNFOLDED = 2_000_000
"""States times steps up to which a strategy that counts its steps is computed unasked."""

LITTLE = 1e-4
"""A number that is not certain up to this part of it, or of itself, is no answer to a query."""


def check_quantitative(
    model: Model, space: StateSpace, formula: Formula, settings: Settings | None = None, *, process: Process | None = None
) -> Verdict:
    """The value of a query in the initial state, or whether a formula with thresholds holds there.

    A threshold without min or max holds if every strategy meets it; ``Pmax>=0.9`` holds if some strategy does.  ``process`` stands
    in for the process of the space: the same states and choices with other probabilities.  Raises :class:`InputError` for
    questions that have no meaning for this program; what Storm cannot answer is ``unknown``.
    """
    start = time.perf_counter()
    settings = settings or Settings()
    asked = expand_agents(formula, model.agents)
    try:
        process = process or process_of(space)
        checker = _Checker(model, space, asked, settings, process)
        if isinstance(asked, Asked):
            verdict = checker.verdict(asked)
        elif isinstance(asked, Multi):
            verdict = check_multi(model, space, asked, settings, process)
        else:
            verdict = check_qualitative(model, space, asked, quantitative=checker.holding, evidenced=settings.evidenced)
            verdict = replace(verdict, method=f"{verdict.method}; numbers: {checker.method}")
    except EngineError as error:
        verdict = Verdict(asked, "Storm", 0.0, unknown=str(error))
    return replace(verdict, formula=formula, seconds=time.perf_counter() - start)


def all_values(model: Model, space: StateSpace, asked: Asked, settings: Settings) -> Quantity:
    """The numbers that a query asks for in every state, with the engine's choices."""
    expanded = expand_agents(asked, model.agents)
    assert isinstance(expanded, Asked), "agents are expanded inside"
    return _Checker(model, space, expanded, settings, process_of(space)).values(expanded)


def path_strategy(model: Model, space: StateSpace, asked: Probability, settings: Settings) -> RememberingStrategy | None:
    """The strategy behind an extreme probability of a formula about whole runs, which a verdict leaves out because it costs extra.

    None where it would need more than remembering what is due (:mod:`volition.logic.automata.progression`), or the process with its memory
    is too large or was not explored to its end.
    """
    expanded = expand_agents(asked, model.agents)
    assert isinstance(expanded, Probability), "agents are expanded inside"
    return None if space.stopped is not None else _Checker(model, space, expanded, settings, process_of(space)).path_strategy(expanded)


def steps_strategy(model: Model, space: StateSpace, asked: Probability, settings: Settings) -> RememberingStrategy | None:
    """The strategy for a goal within some steps as one that counts them, also where it need not; None for other questions."""
    expanded = expand_agents(asked, model.agents)
    assert isinstance(expanded, Probability), "agents are expanded inside"
    return _Checker(model, space, expanded, settings, process_of(space)).steps_strategy(expanded)


class _Checker:
    """Answers the questions in one formula on one space."""

    def __init__(self, model: Model, space: StateSpace, formula: Formula, settings: Settings, process: Process) -> None:
        if settings.exact and not process.rational:
            hint = "leave the arithmetic to Volition, or write the probabilities as decimals or fractions"
            raise InputError([Diagnostic("CHK010", "exact answers need rational probabilities", formula.span, hint)])
        self._space = space
        self._settings = settings
        self._process = process
        self._mdp = process.mdp
        self._why_partial = None if space.stopped is None else space.stopped.text
        satisfaction = Satisfaction(model, space, formula, quantitative=self.holding)
        self._truth = satisfaction.of
        self._quantities = Quantities(process, satisfaction.of, settings, self._why_partial)

    @property
    def method(self) -> str:
        return self._quantities.method

    # --- the whole formula -----------------------------------------------------------------------------------------------

    def verdict(self, asked: Asked) -> Verdict:
        """The answer in the initial state."""
        quantity, lower, upper = self._enclosed(asked)
        found = Verdict(asked, self.method, 0.0, notes=quantity.notes)
        if asked.relation is None:
            found = self._with_value(found, quantity, lower, upper)
        else:
            holds = self._decided(asked, lower, upper)
            unknown = None if holds is not None else self._why_undecided(lower, upper)
            found = replace(found, holds=holds, unknown=unknown).between(lower, upper)
        if found.unknown is not None or not self._settings.evidenced:
            return found
        if quantity.within is not None and not self._settings.strategies:
            return found
        if quantity.within is not None:
            remembering = self._strategy_within(quantity, quantity.within)
            plain = None if remembering is None else remembering.without_memory
            return replace(found, strategy=plain, remembering=remembering if plain is None else None)
        strategy, run = self._evidence(quantity)
        # One run shows where a value comes from; that it is large enough, only the strategy can show.
        return replace(found, strategy=strategy, run=run if asked.relation is None else None)

    def _enclosed(self, asked: Asked) -> tuple[Quantity, Any, Any]:
        """The numbers asked for, and those between which the initial state's lies: what is certain, and what is possible."""
        pessimistic = self._quantities.of(asked, everywhere=False)
        lower, upper = (each[0] for each in pessimistic.enclosure())
        if self._why_partial is not None:
            if self._space.num_expanded == 0:
                raise Undecided(f"nothing was explored ({self._why_partial})")
            if not isinstance(asked, Probability):
                return pessimistic, lower, np.inf
            upper = self._quantities.of(asked, optimistic=True, everywhere=False).enclosure()[1][0]
        if isinstance(asked, Reward) or (pessimistic.values.dtype != np.object_ and pessimistic.lower is None):
            return pessimistic, lower, upper
        return pessimistic, max(lower, 0), min(upper, 1)

    def _with_value(self, found: Verdict, quantity: Quantity, lower: Any, upper: Any) -> Verdict:
        value = quantity.values[0]
        if (self._why_partial is not None and lower != upper) or (quantity.lower is not None and _says_little(lower, upper)):
            return replace(found, unknown=self._why_undecided(lower, upper)).between(lower, upper)
        if isinstance(value, Fraction) or quantity.lower is None:
            return replace(found, value=value if isinstance(value, Fraction) else float(value))
        return replace(found, value=float(value)).between(lower, upper)

    def _decided(self, asked: Asked, lower: Any, upper: Any) -> bool | None:
        assert asked.relation is not None, "queries are not decided"
        assert asked.threshold is not None, "a relation comes with a threshold"
        holds = _decide(asked.relation, asked.threshold, lower, upper)
        if holds is None:
            on_graph = self._quantities.decided_on_graph(asked)
            return None if on_graph is None else bool(on_graph[0])
        return holds

    def _why_undecided(self, lower: Any, upper: Any) -> str:
        if lower == -np.inf and self._why_partial is None:
            return "in floating point there are no bounds on this value that could decide it; ask for exact arithmetic"
        low, high = rounded_text(lower), rounded_text(upper)
        value = f"the value is about {low}" if low == high else f"the value lies between {low} and {high}"
        if self._why_partial is not None:
            return f"{value} ({self._why_partial})"
        if _says_little(lower, upper):
            return f"{value}, no more can be said in floating point; ask for exact arithmetic"
        return f"{value}, too close to the threshold to decide; ask for exact arithmetic"

    def _evidence(self, quantity: Quantity) -> tuple[Strategy | None, Run | None]:
        """The strategy where something is still open, and a run that it takes to the goal or past it."""
        space, mdp = self._space, self._mdp
        choices = np.arange(mdp.num_choices) if mdp.deterministic else quantity.choices
        if choices is None:
            return None, None
        if quantity.goal is None or quantity.through is None:
            earning = quantity.earning
            return (None if mdp.deterministic or earning is None else relevant_strategy(space, mdp, choices, earning)), None
        # Settled where the goal is reached, where it was missed, and where no choices whatsoever lead to it any more.
        open_states = quantity.through & ~quantity.goal & can_reach(mdp, quantity.through, quantity.goal)
        strategy = None if mdp.deterministic else relevant_strategy(space, mdp, choices, open_states)
        return strategy, run_under(space, mdp, choices, quantity.through, quantity.goal, towards=quantity.towards)

    def _strategy_within(self, quantity: Quantity, steps: int) -> RememberingStrategy | None:
        """The strategy for a goal within so many steps, unless the process with its steps is too large to be unfolded."""
        mdp = self._mdp
        if mdp.deterministic or quantity.goal is None or quantity.through is None or steps * mdp.num_states > MOST_UNFOLDED:
            return None
        return strategy_within(self._space, self._process, quantity.through, quantity.goal, steps, self._settings, seek=quantity.towards)

    def values(self, asked: Asked) -> Quantity:
        """The numbers in all states."""
        return self._quantities.of(asked)

    def steps_strategy(self, asked: Probability) -> RememberingStrategy | None:
        """The strategy for a goal within some steps."""
        quantity = self._quantities.of(asked, everywhere=False)
        return None if quantity.within is None else self._strategy_within(quantity, quantity.within)

    def path_strategy(self, asked: Probability) -> RememberingStrategy | None:
        """The strategy for a formula about whole runs."""
        seek = asked.optimum != "min"
        return strategy_on_paths(self._space, self._process, lambda each: self._truth(each).must, asked.path, self._settings, seek=seek)

    # --- inside other formulas -------------------------------------------------------------------------------------------

    def holding(self, formula: Formula) -> Mask:
        """The states in which a formula with a threshold holds."""
        if not isinstance(formula, Asked):
            raise InputError([Diagnostic("CHK011", f"'{show(formula)}' cannot be nested in another formula", formula.span)])
        if formula.relation is None or formula.threshold is None:
            message = f"expected a condition, but '{show(formula)}' is a number"
            raise InputError([Diagnostic("CHK012", message, formula.span, "compare it with a number, as in P>=0.9")])
        if self._why_partial is not None:
            raise Undecided(f"a probability inside another formula needs the whole state space ({self._why_partial})")
        on_graph = self._quantities.decided_on_graph(formula)
        if on_graph is not None:
            return on_graph
        lower, upper = self._quantities.of(formula).enclosure()
        answers = [
            _decide(formula.relation, formula.threshold, low, high) for low, high in zip(lower.tolist(), upper.tolist(), strict=True)
        ]
        if None in answers:
            raise Undecided(f"some value of '{show(formula)}' is too close to its threshold; ask for exact arithmetic")
        return np.array(answers, dtype=np.bool_)


def _says_little(lower: Any, upper: Any) -> bool:
    """Whether numbers are so far apart that nobody would take one of them for the other."""
    return lower != upper and not (upper != np.inf and upper - lower <= LITTLE * max(abs(lower), abs(upper), LITTLE))


def _decide(relation: str, threshold: Fraction, lower: Any, upper: Any) -> bool | None:
    """Whether a number between two others meets the threshold; None if it depends on which."""
    match relation:
        case ">=":
            return True if lower >= threshold else False if upper < threshold else None
        case ">":
            return True if lower > threshold else False if upper <= threshold else None
        case "<=" | "<":
            opposite = _decide(">" if relation == "<=" else ">=", threshold, lower, upper)
            return None if opposite is None else not opposite
        case "=":
            return True if lower == upper == threshold else False if lower > threshold or upper < threshold else None
        case _:
            opposite = _decide("=", threshold, lower, upper)
            return None if opposite is None else not opposite

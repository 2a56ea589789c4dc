"""The numbers that a formula asks for: a probability, a reward, a long run, each the best over which choices."""

from __future__ import annotations

from volition.checking.numbers.computation import Computation
from volition.checking.numbers.probabilities import probability
from volition.checking.numbers.quantity import Asked, Optimum, Quantity, Undecided, Wanted
from volition.checking.numbers.rewards import expected_reward
from volition.diagnostics import Diagnostic, InputError
from volition.logic.printing import show
from volition.logic.syntax import Probability, Reward, SteadyState

__all__ = ["optimum_of", "quantity_of"]


def quantity_of(on: Computation, asked: Asked, *, optimistic: bool = False, everywhere: bool = True) -> Quantity:
    """The numbers that a formula asks for, whatever it compares them with: ``everywhere``, or in the initial state alone.

    The choices behind them are the same in both cases.
    """
    wanted = Wanted(optimum_of(on, asked), optimistic, everywhere)
    match asked:
        case Probability():
            return probability(on, asked.path, wanted)
        case Reward():
            return expected_reward(on, asked, wanted)
        case SteadyState():
            if on.why_partial is not None:
                raise Undecided(f"the long run needs the whole state space ({on.why_partial})")
            return on.ask(wanted, "LRA{best}=? [{0}]", on.states(asked.operand))


def optimum_of(on: Computation, asked: Asked) -> Optimum | None:
    """Over which strategies: None where there is only one."""
    if on.mdp.deterministic:
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

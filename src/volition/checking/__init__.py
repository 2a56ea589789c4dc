"""Model checking: a state space and a formula give a verdict with evidence.

:func:`volition.checking.check.check` selects the checker.
:mod:`~volition.checking.graph.qualitative` checks LTL, CTL and CTL*;
:mod:`~volition.checking.quantitative.check` computes probabilities and rewards.
"""

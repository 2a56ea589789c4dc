"""Model checking: decides formulas on an explored state space and returns verdicts with evidence.

:func:`volition.checking.check.check` is the entry point and selects the checker.
:mod:`~volition.checking.graph.qualitative` checks LTL, CTL and CTL*;
:mod:`~volition.checking.quantitative.check` computes probabilities and rewards.
"""

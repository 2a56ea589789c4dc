"""Answers: from an explored state space and a formula to a verdict with its evidence.

:func:`volition.checking.check.check` picks the checker; :mod:`~volition.checking.graph.qualitative`
    answers about runs (LTL, CTL, CTL*),
:mod:`~volition.checking.quantitative.check` about probabilities and rewards.
"""

"""Counterexample-guided abstraction refinement (CEGAR): proves a formula on an over-approximation
that hides slots (state variables) the formula may not depend on.

Start with the loop in :mod:`volition.slicing.cegar.check`. ``docs/explanation/slicing.md`` proves
that the verdicts of this loop are those of the complete program.
"""

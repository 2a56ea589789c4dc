"""Proofs on an over-approximation of a program that hides what a formula may not need, guided by
counterexamples.

Start with :mod:`volition.slicing.cegar.check`, the loop; the argument why its answers are those of
the whole program stands in ``docs/explanation/slicing.md``.
"""

"""Which of several options is best: safety first, then the objective, then a second one, then the
order of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from volition.runtime.verification.section import VerificationSection

__all__ = ["TIE_TOLERANCE", "best_joint_choice"]

TIE_TOLERANCE = 1e-9
"""Values that differ by no more are the same."""


def best_joint_choice(declared: VerificationSection, options: Sequence[Mapping[str, float]]) -> int:
    """The number of the best option, each being told by the values of the queries.

    Options below the threshold of a safety query are left out, one query after the other, unless
    all that are left are below it.  Of the others those with the best objective count, of these
    those with the best second objective, of these the first.
    """
    left = list(range(len(options)))
    for safety in declared.safety:
        left = [
            each for each in left if safety.is_met(options[each][safety.query.name], TIE_TOLERANCE)
        ] or left
    for query in (declared.objective, declared.tie_breaker):
        if query is not None:
            best = left[0]
            for each in left[1:]:
                if query.better(options[each][query.name], options[best][query.name]) > 0:
                    best = each
            left = [
                each
                for each in left
                if each == best
                or query.better(options[best][query.name], options[each][query.name])
                <= TIE_TOLERANCE
            ]
    return left[0]

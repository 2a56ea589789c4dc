"""Ranking of the options of a decision by the values of queries: by safety, then by the objective,
then by a second objective, then by program order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from volition.runtime.verification.section import VerificationSection

__all__ = ["TIE_TOLERANCE", "best_joint_choice"]

TIE_TOLERANCE = 1e-9
"""Values of a query with at most this difference count as equal."""


def best_joint_choice(declared: VerificationSection, options: Sequence[Mapping[str, float]]) -> int:
    """Return the index of the best option of a decision. Each option is given by its value for each
    query.

    For each safety query in turn, options that do not meet its threshold are dropped, unless no
    remaining option meets it. Among the rest, the best value of the objective decides, then the
    best value of the second objective, then the order.
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

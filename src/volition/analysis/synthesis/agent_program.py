"""Strategies written into agent programs: the resulting program makes the decisions of the
strategy. The new program is checked, to confirm that it attains the value of the strategy."""

from __future__ import annotations

import math
from fractions import Fraction

from volition.analysis.synthesis.synthesise import Synthesis, opposite_query
from volition.checking.check import check
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits
from volition.languages.protocols import AcceptsStrategy, Program
from volition.logic.numbers import number_text
from volition.logic.syntax import Probability, Reward, SteadyState

__all__ = ["embed_strategy"]

TOLERANCE = 1e-9


def embed_strategy(
    program: Program,
    synthesis: Synthesis,
    *,
    limits: Limits | None = None,
    exact: bool | None = None,
) -> AcceptsStrategy:
    """Return the program changed so that it follows the strategy; its first source is the new
    program text.

    The new program is checked again: it must attain the value of the strategy both as its minimum
    and as its maximum, because it leaves no choice open. Raise :class:`InputError` if the language
    cannot express the strategy.
    """
    if not isinstance(program, AcceptsStrategy):
        hint = "write the strategy as a table, as JSON or as Python code"
        raise InputError(
            [
                Diagnostic(
                    "CHK080", f"{program.language} programs cannot express a strategy", hint=hint
                )
            ]
        )
    if synthesis.memory is not None:
        message = f"{program.language} programs cannot express a strategy with memory"
        raise InputError(
            [
                Diagnostic(
                    "CHK086",
                    message,
                    hint="write the strategy as a table, as JSON or as Python code",
                )
            ]
        )
    answer = synthesis.answer
    value = answer.verdict.value
    assert value is not None, "a strategy has a value"
    realised = program.with_strategy(
        synthesis.decision_rules(), [(answer.prop.text, _expected(value))]
    )
    formula = answer.prop.formula
    assert isinstance(formula, Probability | Reward | SteadyState), "only queries have strategies"
    report = check(realised, [formula, opposite_query(formula)], limits=limits, exact=exact)
    found = [each.verdict.value for each in report.answers]
    if not all(each is not None and _is_same(each, value) for each in found):
        message = (
            f"the program with the strategy attains {' to '.join(map(str, found))} instead of "
            f"{value}: the strategy could not be expressed exactly"
        )
        raise InputError(
            [
                Diagnostic(
                    "CHK085",
                    message,
                    hint="write the strategy as a table, as JSON or as Python code",
                )
            ]
        )
    return realised


def _is_same(found: float | Fraction, requested: float | Fraction) -> bool:
    return found == requested or math.isclose(
        found, requested, rel_tol=TOLERANCE, abs_tol=TOLERANCE
    )


def _expected(value: float | Fraction) -> str:
    """Return a value in the notation of expected results in property files."""
    return (
        number_text(value)
        if isinstance(value, Fraction)
        else f"~{value:.9f}"
        if math.isfinite(value)
        else "inf"
    )

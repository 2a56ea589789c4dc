"""JSON objects that the commands print with ``--json``. Their keys are stable
(``docs/reference/commands.md``)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from volition.api.checks import trace
from volition.diagnostics import Diagnostic
from volition.logic.numbers import exact_text, rounded_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from volition.checking.check import Answer, Report
    from volition.checking.properties import Expectation
    from volition.kernel import StateSpace
    from volition.reporting.coverage import Coverage
    from volition.reporting.replay import Replay
    from volition.reporting.strategies.strategy_table import StrategyTable

__all__ = ["answer_json", "coverage_document", "replay_document", "report_json", "state_space_json"]


def report_json(
    report: Report,
    path: Path,
    strategies: Sequence[StrategyTable | Diagnostic | None] = (),
    *,
    evidenced: bool = True,
) -> dict[str, Any]:
    """Return the report of a check as a JSON object.

    The key ``model`` is missing if there are no properties. The key ``models`` is present if there
    are several models. ``strategies`` has the strategy of each answer, if requested. With
    ``evidenced``, the object of each answer includes its run, and the notes that take time to
    compute.
    """
    models = [state_space_json(each.space) for each in report.models]
    return {
        "language": report.program.language,
        **({"model": models[0]} if models else {}),
        **({"models": models} if len(models) > 1 else {}),
        "properties": [
            answer_json(answer, path, strategy, evidenced=evidenced)
            for answer, strategy in zip_longest(report.answers, strategies)
        ],
        "warnings": [each.as_json() for each in (*report.program.warnings, *report.warnings)],
        "seconds": report.seconds,
        "as_expected": report.as_expected,
    }


def answer_json(
    answer: Answer,
    path: Path,
    strategy: StrategyTable | Diagnostic | None = None,
    *,
    evidenced: bool = True,
) -> dict[str, Any]:
    """Return the answer to one property, with its evidence, as a JSON object.

    It has ``holds`` for a yes/no property, ``value`` for a query or a threshold, or ``unknown``
    with the reason.
    """
    prop, verdict = answer.prop, answer.verdict
    document: dict[str, Any] = {"formula": prop.text}
    if prop.name is not None:
        document["name"] = prop.name
    if verdict.unknown is not None:
        document["unknown"] = verdict.unknown
    if verdict.holds is not None:
        document["holds"] = verdict.holds
    if verdict.value is not None:
        document["value"] = _number(verdict.value)
    if isinstance(verdict.value, Fraction):
        document["exact"] = exact_text(verdict.value)
    if verdict.lower is not None and verdict.upper is not None:
        document |= {"lower": _number(verdict.lower), "upper": _number(verdict.upper)}
    if prop.expectation is not None:
        document |= {"expected": _expected(prop.expectation), "as_expected": answer.as_expected}
    document |= {"seconds": verdict.seconds, "method": verdict.method}
    if answer.no_reduction_reason is not None:
        document["no_reduction_reason"] = answer.no_reduction_reason
    notes = verdict.notes if evidenced else verdict.fixed_notes
    if notes:
        document["notes"] = list(notes)
    run = trace(answer, program=str(path)) if evidenced else None
    if run is not None:
        document["trace"] = run
    if strategy is not None:
        document["strategy"] = (
            {"unknown": strategy.message}
            if isinstance(strategy, Diagnostic)
            else strategy.as_json()
        )
    return document


def state_space_json(space: StateSpace) -> dict[str, Any]:
    """Return the size of a state space as a JSON object, with the reason why its exploration
    stopped if it is incomplete."""
    stats = space.stats
    document: dict[str, Any] = {
        "states": stats.states,
        "choices": stats.choices,
        "transitions": stats.transitions,
        "python_calls": stats.python_calls,
        "bytes_per_state": stats.bytes_per_state,
        "seconds": stats.seconds["exploration"],
        "complete": space.complete,
    }
    if space.reduction is not None:
        document["reduced"] = {"states_evaluated": space.num_evaluated}
    if space.stopped is not None:
        document["stopped"] = {
            "reason": space.stopped.reason,
            "text": space.stopped.text,
            "explored": space.num_expanded,
        }
    return document


def coverage_document(found: Coverage) -> dict[str, Any]:
    """Return the coverage of a program as a JSON object: the program parts that some run uses and
    those that no run uses, by section."""
    return {
        "used": {section: list(names) for section, names in found.used.items()},
        "unused": {section: list(names) for section, names in found.unused.items()},
        "complete": found.complete,
    }


def replay_document(replayed: Replay) -> dict[str, Any]:
    """Return a replayed run as a JSON object: for each recorded step whether it is still possible,
    and with which changes."""
    return {
        "possible": replayed.possible,
        "num_recorded": replayed.recorded,
        "initial_differences": [str(change) for change in replayed.start],
        "loop_closes": replayed.loop_closes,
        "steps": [
            {
                "step": step.number,
                "text": step.text,
                "outcome": step.outcome,
                "changes": [str(change) for change in step.differences],
                "alternatives": list(step.alternatives),
            }
            for step in replayed.steps
        ],
    }


def _expected(expectation: Expectation) -> bool | float | str | None:
    return expectation.truth if expectation.number is None else _number(expectation.number)


def _number(value: float | Fraction) -> float | str:
    """Return a number as a JSON value.

    JSON has no infinity, so it becomes the string ``"inf"``. A number too large for floating point
    becomes a string with its first digits.
    """
    text = rounded_text(value)
    return float(value) if math.isfinite(float(text)) else text

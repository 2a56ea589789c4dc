"""Results as programs read them: the JSON objects that ``--json`` prints.  Their names are stable
(see ``docs/reference/commands.md``)."""

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
    """The answers to properties, and the model they are about; ``models`` where there is more than
    one, none where nothing is asked.

    ``strategies`` are those behind the answers, where they were asked for; ``evidenced`` answers
    come with their runs, and with remarks that must be looked for.
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
    """One answer: ``holds`` of a property, ``value`` of a query or behind a threshold, or
    ``unknown`` with the reason; and its evidence."""
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
        document["not_reduced"] = answer.no_reduction_reason
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
    """The figures of a state space."""
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
        document["reduced"] = {"looked_at": space.num_evaluated}
    if space.stopped is not None:
        document["stopped"] = {
            "reason": space.stopped.reason,
            "text": space.stopped.text,
            "explored": space.num_expanded,
        }
    return document


def coverage_document(found: Coverage) -> dict[str, Any]:
    """What some run uses and what none does, by section."""
    return {
        "used": {section: list(names) for section, names in found.used.items()},
        "unused": {section: list(names) for section, names in found.unused.items()},
        "complete": found.complete,
    }


def replay_document(replayed: Replay) -> dict[str, Any]:
    """What has become of each recorded step."""
    return {
        "possible": replayed.possible,
        "recorded": replayed.recorded,
        "initial_differences": [str(change) for change in replayed.start],
        "closes": replayed.loop_closes,
        "steps": [
            {
                "step": step.number,
                "text": step.text,
                "outcome": step.outcome,
                "changes": [str(change) for change in step.differences],
                "instead": list(step.alternatives),
            }
            for step in replayed.steps
        ],
    }


def _expected(expectation: Expectation) -> bool | float | str | None:
    return expectation.truth if expectation.number is None else _number(expectation.number)


def _number(value: float | Fraction) -> float | str:
    """JSON has no infinity: it is the string ``"inf"``; so is a number beyond floating point the
    string of its first digits."""
    text = rounded_text(value)
    return float(value) if math.isfinite(float(text)) else text

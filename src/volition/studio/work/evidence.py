"""The evidence behind an answer: its run in the agents' words, or the strategy that reaches its value."""

from __future__ import annotations

from collections.abc import Iterable

import volition
from volition.api.verification import strategy_of
from volition.diagnostics import Diagnostic, Span
from volition.studio.bench import Bench
from volition.studio.shown import Place, RunShown, StepShown, StrategyShown, TableShown
from volition.studio.work.checking import answer_to
from volition.studio.work.places import place
from volition.telling.runs import ToldStep

__all__ = ["run_of", "strategy_behind"]


def run_of(bench: Bench, asked: str) -> RunShown | None:
    """The run that an answer has for evidence."""
    answer = answer_to(bench, asked)
    telling = volition.tell(answer)
    if telling is None:
        return None
    return RunShown(telling.start, tuple(_step(bench, each) for each in telling.steps), telling.loop, volition.trace(answer) or {})


def strategy_behind(bench: Bench, asked: str) -> StrategyShown:
    """The decision table of the strategy behind an answer."""
    found = strategy_of(answer_to(bench, asked))
    if found is None:
        return StrategyShown(None, "there is nothing to choose")
    if isinstance(found, Diagnostic):
        return StrategyShown(None, found.message)
    rows = tuple((each.text, row.text, row.answer, "; ".join(row.others), str(row.situations)) for each, row in found.rows())
    return StrategyShown(TableShown("strategy", ("decision", "when", "choose", "rather than", "states"), rows), found.summary())


def _step(bench: Bench, step: ToldStep) -> StepShown:
    return StepShown(
        number=step.number,
        agent=step.agent,
        text=step.text,
        rules=step.rules,
        places=_places(bench, (origin.span for origin in step.origins)),
        changes=tuple((each.section, each.item, each.before, each.after) for each in step.changes),
        portrait=step.portrait,
        probability=step.probability,
        stays=step.stays,
    )


def _places(bench: Bench, spans: Iterable[Span | None]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(found for span in spans if (found := place(span, bench.folder)) is not None))

"""Loop of counterexample-guided abstraction refinement (CEGAR) over all properties of a check.

Between attempts on abstractions the complete program is explored, each time further than before. So
a program that is small, or that violates the formula near its initial state, is not delayed by
abstractions that do not help.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from volition.checking.check import INTERRUPTED, Answer, Report
from volition.checking.graph.fairness import Fairness
from volition.checking.properties import Property, PropertyLike, parse_properties
from volition.checking.task import CheckSettings
from volition.diagnostics import Diagnostics, InputError
from volition.kernel import Limits
from volition.languages.protocols import Program
from volition.logic import parse
from volition.logic.syntax import Formula
from volition.slicing.cegar.refinement import RefinementBudget, RefinementTask
from volition.slicing.cegar.traced_functions import FunctionsOfModels

__all__ = ["RefinementBudget", "check_with_refinement"]

RefinementTasks = Mapping[int, RefinementTask]
"""Properties that have no verdict yet, each as the task of checking it by refinement. The key is
the ``id()`` of the property."""


def check_with_refinement(
    check: Callable[..., Report],
    program: Program,
    properties: Iterable[PropertyLike],
    *,
    limits: Limits | None = None,
    fairness: Fairness | None = None,
    assume: str | Formula | None = None,
    engine: str = "auto",
    answered: Callable[[Answer], None] | None = None,
    errors: Diagnostics | None = None,
    budget: RefinementBudget | None = None,
    **options: Any,
) -> Report:
    """Return a report with the same verdicts that ``check`` gives for the program and properties,
    using abstractions of the program where they help. A note in each verdict says how it was found.

    ``budget`` gives the limits of the first round.
    """
    start = time.perf_counter()
    warnings = Diagnostics()
    queries = parse_properties(properties, warnings, errors)
    assumption = parse(assume, diagnostics=warnings) if isinstance(assume, str) else assume
    settings = CheckSettings(
        engine, limits=limits or Limits(), fairness=fairness, assumption=assumption
    )
    budget = budget or RefinementBudget()
    models = FunctionsOfModels(program)
    works = {
        id(each): RefinementTask.of(program, each, settings, budget, models) for each in queries
    }
    whole = partial(
        check,
        program,
        fairness=fairness,
        assume=assumption,
        engine=engine,
        errors=errors,
        **options,
    )
    answering = _RefinementRun(
        whole, settings.limits, answered, Report(program, (), warnings.warnings, 0.0)
    )
    answering.check_concrete(
        [(each, why) for each in queries if isinstance(why := works[id(each)], str)],
        errors,
        of=len(queries),
    )
    left: RefinementTasks = {
        number: work for number, work in works.items() if not isinstance(work, str)
    }
    while left and not answering.interrupted:
        left = answering.next_round(left, budget)
        budget = budget.next_budget()
    return replace(answering.report(queries), seconds=time.perf_counter() - start)


class _RefinementRun:
    """State of one call of :func:`check_with_refinement`: the answers found so far, and methods for
    the rounds of the refinement loop.

    ``whole`` is a function that checks properties on the complete program, up to the limits passed
    to it. ``answered`` is a callback for each answer.
    """

    def __init__(
        self,
        whole: Callable[..., Report],
        limits: Limits,
        answered: Callable[[Answer], None] | None,
        nothing_yet: Report,
    ) -> None:
        self._whole = whole
        self._limits = limits
        self._answered = answered
        self._report = nothing_yet
        self._answers: dict[int, Answer] = {}

    @property
    def interrupted(self) -> bool:
        return self._report.interrupted

    def report(self, properties: Iterable[Property]) -> Report:
        """Return a report of the answers found so far, in the order of ``properties``."""
        return replace(
            self._report,
            answers=tuple(
                self._answers[id(each)] for each in properties if id(each) in self._answers
            ),
        )

    def _take(self, found: Report, answers: Iterable[Answer]) -> None:
        """Store ``answers`` and pass each of them to the callback. Also store the warnings of the
        report ``found``, and whether that check was interrupted."""
        warnings = tuple(dict.fromkeys((*self._report.warnings, *found.warnings)))
        self._report = replace(
            self._report, warnings=warnings, interrupted=self.interrupted or found.interrupted
        )
        for answer in answers:
            self._answers[id(answer.prop)] = answer
            if self._answered is not None:
                self._answered(answer)

    def check_concrete(
        self, properties: Sequence[tuple[Property, str]], errors: Diagnostics | None, *, of: int
    ) -> None:
        """Check those properties on the complete program that an over-approximation cannot decide.
        Each property comes with the reason why, as a text that is added to the notes of its
        verdict.

        Input errors in these properties are added to ``errors``, so that the other properties are
        still checked. The errors are raised instead if ``errors`` is None, or if all properties are
        checked here. ``of`` is the number of all properties.
        """
        if not properties:
            return
        reasons = {id(prop): why for prop, why in properties}
        try:
            found = self._whole([query for query, _ in properties], limits=self._limits)
        except InputError as error:
            if errors is None or len(properties) == of:
                raise
            errors.extend(error.diagnostics)
            return
        self._take(
            found, [_answered_concretely(each, reasons[id(each.prop)]) for each in found.answers]
        )

    def next_round(self, left: RefinementTasks, budget: RefinementBudget) -> RefinementTasks:
        """Check the tasks in ``left`` on the first states of the complete program and then on
        abstractions, within ``budget``. Return the tasks that still have no verdict."""
        limits, last = _within(self._limits, budget.concrete_states)
        found = self._whole([work.prop for work in left.values()], limits=limits)
        certain = {
            id(each.prop): each
            for each in found.answers
            if last or found.interrupted or _is_conclusive(each)
        }
        self._take(
            found,
            [_answered_concretely(each, left[number].why) for number, each in certain.items()],
        )
        undecided = {id(each.prop): each for each in found.answers if id(each.prop) not in certain}
        left = {number: work for number, work in left.items() if number in undecided}
        try:
            for number, work in left.items():
                answer = work.check_abstraction(budget)
                if answer is not None:
                    del undecided[number]
                    self._take(found, [answer])
        except KeyboardInterrupt:
            unknown = [
                replace(each, verdict=replace(each.verdict, unknown=INTERRUPTED))
                for each in undecided.values()
            ]
            self._take(replace(found, interrupted=True), unknown)
        return {number: left[number] for number in undecided}


def _within(limits: Limits, states: int) -> tuple[Limits, bool]:
    """Return the limits for exploring the complete program in one round: ``limits`` with at most
    ``states`` states. Also return whether this is the last round, because ``limits`` do not allow
    more states."""
    last = limits.states is not None and states >= limits.states
    return (limits if last else replace(limits, states=states)), last


def _is_conclusive(answer: Answer) -> bool:
    """Return whether an answer from the first states of the program is final, so that exploring
    more states cannot change it."""
    stopped = answer.exploration.space.stopped
    return answer.verdict.unknown is None or stopped is None or stopped.reason != "states"


def _answered_concretely(answer: Answer, why: str) -> Answer:
    return replace(
        answer, verdict=answer.verdict.with_notes(f"answered on the whole program: {why}")
    )

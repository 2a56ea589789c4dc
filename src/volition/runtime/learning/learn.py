"""Estimation of a program's parameters from recorded runs, each with a confidence interval. Use the
interval as the result; the point estimate alone is not reliable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from volition.diagnostics import Diagnostic, InputError
from volition.languages.lisa.program import LisaProgram
from volition.languages.lisa.resolved import Action, Percept, ResolvedAgent
from volition.languages.lisa.syntax import TimingDistribution
from volition.languages.protocols import ParametricProgram, Program
from volition.runtime.conformance import ConformanceStep, walk
from volition.runtime.learning.feedbacks import (
    FittedWindow,
    fit_weights,
    fit_window,
    window_likelihood,
)
from volition.runtime.learning.frequencies import fit_parameters, frequencies_of, parametric_counts
from volition.runtime.learning.percepts import (
    EVERY_CYCLE,
    FittedPercept,
    TimingShape,
    fit_percept,
    fit_shape,
)
from volition.runtime.learning.results import EstimatedParameter, LearningResult, Method
from volition.runtime.learning.samples import CallSamples, Process, WaitingSamples, collect_samples
from volition.runtime.learning.waiting_times import (
    WaitingRow,
    waiting_for_feedback,
    waiting_for_flip,
)
from volition.runtime.record import Record

__all__ = ["TIMINGS", "Timing", "learn"]

Timing = Literal["program", "every-cycle", "fit"]
"""How the timing parameters mu (mean number of cycles) and sigma (deviation) of percepts and
feedbacks are determined. ``program`` takes the values of the program. ``every-cycle`` assumes that
a percept can flip in every cycle, and takes the most likely values for feedbacks. ``fit`` takes the
most likely values for percepts and feedbacks."""

TIMINGS: tuple[Timing, ...] = ("program", "every-cycle", "fit")


def learn(
    records: Sequence[Record],
    program: Program,
    *,
    timing: Timing = "program",
    confidence: float = 0.95,
) -> LearningResult:
    """Estimate the parameters of a program from records of its runs.

    Each record is used up to the first step that the model cannot follow. Raise :class:`InputError`
    if a record is of another language, or if the model can follow no step at all.
    """
    model = program.model()
    runs = [list(walk(record, program, model)) for record in records]
    remarks = list(_unused_parts(records, runs))
    remarks += [warning for record in records for warning in record.warnings]
    steps = sum(step.after is not None for run in runs for step in run)
    if steps == 0:
        raise InputError(
            [
                *remarks,
                Diagnostic(
                    "LRN001",
                    "nothing can be estimated: the records contain no step that the program "
                    "can take",
                ),
            ]
        )
    if isinstance(program, LisaProgram):
        found = [_LisaEstimates(agent, runs, timing, confidence) for agent in program.agents]
        numbers = [
            number for each in found for number in (*each.percept_numbers(), *each.action_numbers())
        ]
        return LearningResult(
            len(runs),
            steps,
            confidence,
            tuple(numbers),
            frozenset(name for each in found for name in each.dependent),
            waiting_times={name: rows for each in found for name, rows in each.waits.items()},
            remarks=(*remarks, *(remark for each in found for remark in each.remarks)),
        )
    outcomes = frequencies_of(runs, confidence=confidence)
    own, mixed = _parameters(program, runs, confidence)
    if mixed:
        what = (
            f"the parameters {', '.join(mixed)} cannot be estimated: some probabilities depend on "
            "more than one of them"
        )
        remarks.append(Diagnostic("LRN003", what, severity="warning"))
    return LearningResult(
        len(runs), steps, confidence, tuple(own), outcomes=outcomes, remarks=tuple(remarks)
    )


def _unused_parts(
    records: Sequence[Record], runs: Sequence[Sequence[ConformanceStep]]
) -> Iterator[Diagnostic]:
    for record, run in zip(records, runs, strict=True):
        if run and run[-1].after is None:
            what = (
                f"the record '{record.source.name}' is only used up to "
                f"{run[-1].deviations[0].where()}: the program cannot take this step"
            )
            yield Diagnostic(
                "LRN002", what, severity="warning", hint="'volition conform' shows why"
            )


def _parameters(
    program: Program, runs: Sequence[Sequence[ConformanceStep]], confidence: float
) -> tuple[list[EstimatedParameter], list[str]]:
    if not isinstance(program, ParametricProgram):
        return [], []
    fitted, mixed = fit_parameters(parametric_counts(program, runs), confidence=confidence)
    numbers = [
        EstimatedParameter(
            each.name,
            program.parameters[each.name],
            each.value,
            "Clopper-Pearson" if each.exact else "profile likelihood",
            each.fraction,
            each.lower,
            each.upper,
            each.trials,
            each.events,
        )
        for each in fitted
    ]
    return numbers, mixed


class _LisaEstimates:
    """Estimates for a LISA agent: the parameters of its percepts and of the feedbacks of its
    actions."""

    def __init__(
        self,
        agent: ResolvedAgent,
        runs: Sequence[Sequence[ConformanceStep]],
        timing: Timing,
        confidence: float,
    ) -> None:
        self._agent = agent
        self._timing = timing
        self._confidence = confidence
        self._percepts, self._calls = collect_samples(agent, runs)
        self.waits: dict[str, tuple[WaitingRow, ...]] = {}
        self.dependent: set[str] = set()
        self.remarks: list[Diagnostic] = []

    def percept_numbers(self) -> Iterator[EstimatedParameter]:
        for percept in self._agent.percepts:
            processes: list[tuple[Process, TimingDistribution]] = [
                ("activation", percept.activation),
                ("deactivation", percept.deactivation),
            ]
            for process, triple in processes:
                yield from self._process(
                    percept, process, triple, self._percepts[percept.name, process]
                )

    def _process(
        self, percept: Percept, process: Process, triple: TimingDistribution, waits: WaitingSamples
    ) -> Iterator[EstimatedParameter]:
        name = f"{self._agent.prefix}{percept.name}.{process}"
        fitted = self._fitted(triple, waits)
        if fitted.p is None and waits.flips:
            what = (
                f"in the records, the percept '{percept.text}' changed at a time that is "
                f"impossible in the program ({name} with mu = {triple.mean}, sigma = "
                f"{triple.deviation})"
            )
            hint = "the timings 'every-cycle' and 'fit' do not use mu and sigma of the program"
            self.remarks.append(Diagnostic("LRN004", what, percept.span, hint, "warning"))
        position = str(percept.span)
        method: Method = "Clopper-Pearson" if fitted.exact else "profile likelihood"
        if fitted.p is None:
            method = "impossible" if waits.flips else "not tried"
        exact = (
            Fraction(fitted.flips, fitted.trials) if fitted.exact and fitted.p is not None else None
        )
        yield EstimatedParameter(
            f"{name}.p",
            triple.probability,
            fitted.p,
            method,
            exact,
            lower=None if fitted.p is None else fitted.lower,
            upper=None if fitted.p is None else fitted.upper,
            trials=fitted.trials,
            events=fitted.flips,
            position=position,
            comparable=fitted.shape == TimingShape(triple.mean, triple.deviation),
        )
        if (
            self._timing != "program" and fitted.p
        ):  # without flips there is nothing to estimate a window from
            parts = (
                ("mu", triple.mean, fitted.shape.mu),
                ("sigma", triple.deviation, fitted.shape.sigma),
            )
            how: Method = "likeliest" if self._timing == "fit" else "assumed"
            yield from (
                _integer_estimate(
                    f"{name}.{part}", own, found, how, waits.cycles, waits.flips, position
                )
                for part, own, found in parts
            )
        if fitted.p is not None and (rows := waiting_for_flip(waits, fitted)):
            self.waits[name] = rows

    def _fitted(self, triple: TimingDistribution, waits: WaitingSamples) -> FittedPercept:
        if self._timing == "fit" and waits.flips:
            return fit_shape(waits, confidence=self._confidence)
        shape = (
            EVERY_CYCLE
            if self._timing == "every-cycle" and waits.flips
            else TimingShape(triple.mean, triple.deviation)
        )
        return fit_percept(waits, shape, confidence=self._confidence)

    def action_numbers(self) -> Iterator[EstimatedParameter]:
        for action in self._agent.actions:
            if action.feedbacks:
                calls = self._calls[action.name]
                yield from self._weights(action, calls)
                yield from self._window(action, calls)

    def _weights(self, action: Action, calls: CallSamples) -> Iterator[EstimatedParameter]:
        if len(action.feedbacks) == 1:
            return  # its weight is 1 and not a parameter
        nominal = {each.name: each.weight for each in action.feedbacks}
        fitted = fit_weights(calls, nominal, confidence=self._confidence)
        if calls.answered:  # the weights sum to 1: the most frequent one depends on the others
            rest = max(
                (each for each in fitted if nominal[each.feedback]), key=lambda each: each.count
            )
            self.dependent.add(f"{self._agent.prefix}{rest.feedback}.p")
        for each in fitted:
            share = Fraction(each.count, each.total) if each.total else None
            yield EstimatedParameter(
                f"{self._agent.prefix}{each.feedback}.p",
                nominal[each.feedback],
                None if share is None else float(share),
                "not tried" if share is None else "Clopper-Pearson",
                share,
                lower=each.lower if each.total else None,
                upper=each.upper if each.total else None,
                trials=each.total,
                events=each.count,
                position=str(action.span),
            )

    def _window(self, action: Action, calls: CallSamples) -> Iterator[EstimatedParameter]:
        own = FittedWindow(
            action.mean, action.deviation, window_likelihood(calls, action.mean, action.deviation)
        )
        fitted = (
            own if self._timing == "program" else fit_window(calls, confidence=self._confidence)
        )
        if self._timing == "program" and own.log_likelihood == float("-inf"):
            what = (
                f"in the records, a feedback of the action '{action.text}' arrived at a time that "
                f"is impossible in the program (mu = {action.mean}, sigma = {action.deviation})"
            )
            hint = "the timings 'every-cycle' and 'fit' do not use mu and sigma of the program"
            self.remarks.append(Diagnostic("LRN004", what, action.span, hint, "warning"))
        elif fitted is not None and (rows := waiting_for_feedback(calls, fitted)):
            self.waits[self._agent.prefix + action.name] = rows
        if self._timing == "program":
            return
        found = (None, None) if fitted is None else (fitted.mu, fitted.sigma)
        for part, nominal, value in zip(
            ("mu", "sigma"), (action.mean, action.deviation), found, strict=True
        ):
            method: Method = "not tried" if value is None else "likeliest"
            name = f"{self._agent.prefix}{action.name}.{part}"
            number = _integer_estimate(
                name, nominal, value, method, len(calls.calls), calls.answered, str(action.span)
            )
            # The program's window is the range of cycles in which it expects a feedback. If this
            # window is nearly as likely as the estimated one, the estimate does not contradict the
            # program.
            is_comparable = fitted is None or (action.mean, action.deviation) not in fitted.others
            yield replace(number, comparable=is_comparable)


def _integer_estimate(
    name: str,
    nominal: int,
    value: int | None,
    method: Method,
    trials: int,
    events: int,
    position: str,
) -> EstimatedParameter:
    """Return the estimate of a timing parameter: mu (mean number of cycles) or sigma (deviation).
    Both are integers."""
    return EstimatedParameter(
        name,
        Fraction(nominal),
        value,
        method,
        None if value is None else Fraction(value),
        trials=trials,
        events=events,
        position=position,
    )

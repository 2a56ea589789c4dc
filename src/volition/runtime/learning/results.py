"""Results of learning from recorded runs: estimated parameters with confidence intervals, outcome
frequencies, and waiting times."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from volition.diagnostics import Diagnostic, plural
from volition.display import HtmlDisplay, data_frame
from volition.languages.protocols import Table
from volition.logic.numbers import number_text
from volition.runtime.learning.frequencies import ChoiceSite, OutcomeFrequency
from volition.runtime.learning.waiting_times import WaitingRow

__all__ = ["EstimatedParameter", "LearningResult", "Method"]

Method = Literal[
    "Clopper-Pearson", "profile likelihood", "likeliest", "assumed", "not tried", "impossible"
]


@dataclass(frozen=True, slots=True)
class EstimatedParameter:
    """The estimate of one parameter of a program.

    ``nominal`` is the value in the program. ``value`` is None if the runs contain no trials for the
    parameter (method ``not tried``) or no value explains them (method ``impossible``). ``exact`` is
    the value as a fraction, if it is one. ``lower`` and ``upper`` are the ends of the confidence
    interval; they are None for integer parameters.
    """

    name: str
    nominal: Fraction
    value: float | None
    method: Method
    exact: Fraction | None = None
    lower: float | None = None
    upper: float | None = None
    trials: int | None = None
    events: int | None = None
    position: str | None = None
    comparable: bool = True
    """Whether the program's value has the same meaning as the estimate. A probability per cycle,
    for example, is not comparable with a probability at the end of a period."""

    @property
    def nominal_is_likely(self) -> bool:
        """Whether the program's value agrees with the estimate: it is in the confidence interval,
        or equal to the estimate, or not comparable with it."""
        if not self.comparable or self.method == "assumed":
            return True
        if self.lower is None or self.upper is None:
            return self.value is None or self.value == self.nominal
        return self.lower <= float(self.nominal) <= self.upper

    @property
    def setting(self) -> str | None:
        """The value to set the parameter to, as text, or None to leave it unchanged. A probability
        whose event never occurred is left unchanged instead of being set to 0."""
        if self.value is None or (self.value == 0 and self.method not in ("likeliest", "assumed")):
            return None
        return str(self.exact) if self.exact is not None else repr(float(f"{self.value:.9g}"))

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "name": self.name,
            "program": float(self.nominal),
            "value": self.value,
            "method": self.method,
        }
        data |= {
            "lower": self.lower,
            "upper": self.upper,
            "trials": self.trials,
            "events": self.events,
            "place": self.position,
        }
        return data


@dataclass(frozen=True, slots=True, repr=False)
class LearningResult(HtmlDisplay):
    """The estimates of a program's parameters from recorded runs."""

    runs: int
    steps: int
    confidence: float
    parameters: tuple[EstimatedParameter, ...]
    dependent_parameters: frozenset[str] = frozenset()
    """Parameters that follow from others. The weights of an action's feedbacks sum to 1, so one of
    them is determined by the rest."""
    outcomes: Mapping[ChoiceSite, tuple[OutcomeFrequency, ...]] = field(default_factory=dict)
    waiting_times: Mapping[str, tuple[WaitingRow, ...]] = field(default_factory=dict)
    remarks: tuple[Diagnostic, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<LearningResult: {len(self.parameters)} {plural(len(self.parameters), 'parameter')} "
            f"from {self.runs} {plural(self.runs, 'run')}>"
        )

    def __getitem__(self, name: str) -> EstimatedParameter:
        return next(each for each in self.parameters if each.name == name)

    @property
    def settings(self) -> dict[str, str]:
        """The estimates as settings for ``volition.load`` and ``--set``: parameter names with
        values as text."""
        return {
            each.name: each.setting
            for each in self.parameters
            if each.setting is not None and each.name not in self.dependent_parameters
        }

    @property
    def intervals(self) -> dict[str, tuple[Fraction, Fraction]]:
        """Confidence intervals of all parameters that have one and do not follow from others."""
        free = [
            each
            for each in self.parameters
            if each.value is not None and each.name not in self.dependent_parameters
        ]
        return {
            each.name: (Fraction(each.lower), Fraction(each.upper))
            for each in free
            if each.lower is not None and each.upper is not None
        }

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with a row for each estimated parameter."""
        columns = ["name", "program", "value", "lower", "upper", "trials", "events", "method"]
        rows = [
            [e.name, float(e.nominal), e.value, e.lower, e.upper, e.trials, e.events, e.method]
            for e in self.parameters
        ]
        return data_frame(columns, rows)

    def parameter_table(self) -> Table:
        """Return a table of the estimated parameters: counts, estimate, confidence interval, value
        in the program, and method."""
        columns = [
            "parameter",
            "trials",
            "events",
            "value",
            f"{self.confidence:.0%}",
            "program",
            "method",
        ]
        title = f"Learned from {self.runs:,} {plural(self.runs, 'run')}, {self.steps:,} steps"
        return Table(title, columns, [_row(each) for each in self.parameters])

    def outcome_table(self) -> Table:
        """Return a table of the outcomes of each probabilistic step: frequency, confidence
        interval, and probability in the program."""
        columns = [
            "step",
            "outcome",
            "count",
            "frequency",
            f"{self.confidence:.0%}",
            "program",
            "position",
        ]
        rows = [
            [
                site.text,
                f"{each.number + 1} of {len(site.probabilities)}",
                f"{each.count} of {each.total}",
                _rounded_text(each.count / each.total),
                _interval(each.lower, each.upper),
                each.probability + ("" if each.expected else " !"),
                "" if site.span is None else str(site.span),
            ]
            for site, outcomes in self.outcomes.items()
            for each in outcomes
        ]
        return Table("Outcomes", columns, rows)

    def waiting_table(self) -> Table:
        """Return a table that compares the observed waiting times with those that the estimates
        predict."""
        rows = [
            [
                name,
                f"{row.minimum} to {row.maximum}"
                if row.minimum != row.maximum
                else str(row.minimum),
                str(row.observed),
                _rounded_text(row.expected),
            ]
            for name, several in self.waiting_times.items()
            for row in several
        ]
        return Table("Waiting times", ["for", "cycles", "observed", "fitted"], rows)

    def settings_text(self) -> str:
        """Return the text of a settings file for ``--settings``, with the confidence interval of
        each parameter in a comment."""
        lines = [
            (
                f"// learned from {self.runs:,} {plural(self.runs, 'run')}, {self.steps:,} steps; "
                f"intervals of {self.confidence:.0%}"
            )
        ]
        for each in self.parameters:
            beside = _interval_text(each)
            if each.name in self.dependent_parameters:
                lines.append(f"// {each.name} follows from the others:{beside}")
            elif each.setting is None:
                lines.append(f"// {each.name} stays at {number_text(each.nominal)}:{beside}")
            else:
                lines.append(f"{each.name} = {each.setting}{'  //' + beside if beside else ''}")
        return "\n".join(lines) + "\n"

    def as_json(self) -> dict[str, Any]:
        return {
            "runs": self.runs,
            "steps": self.steps,
            "confidence": self.confidence,
            "parameters": [each.as_json() for each in self.parameters],
            "outcomes": [
                {
                    "step": site.text,
                    "place": None if site.span is None else str(site.span),
                    "outcome": each.number,
                    "probability": each.probability,
                    "count": each.count,
                    "total": each.total,
                    "lower": each.lower,
                    "upper": each.upper,
                }
                for site, outcomes in self.outcomes.items()
                for each in outcomes
            ],
            "waiting_times": {
                name: [
                    {
                        "minimum": r.minimum,
                        "maximum": r.maximum,
                        "observed": r.observed,
                        "fitted": r.expected,
                    }
                    for r in rows
                ]
                for name, rows in self.waiting_times.items()
            },
            "settings": self.settings,
            "remarks": [each.as_json() for each in self.remarks],
        }


def _row(each: EstimatedParameter) -> Sequence[str]:
    value = "" if each.value is None else _rounded_text(each.value)
    interval = "" if each.lower is None or each.upper is None else _interval(each.lower, each.upper)
    counts = ["" if count is None else f"{count:,}" for count in (each.trials, each.events)]
    return [
        each.name,
        *counts,
        value,
        interval,
        number_text(each.nominal) + ("" if each.nominal_is_likely else " !"),
        each.method,
    ]


def _interval_text(each: EstimatedParameter) -> str:
    """Return the confidence interval and the counts of a parameter, as text for a comment in a
    settings file."""
    if each.lower is None or each.upper is None:
        return "" if each.value is not None else f" {each.method}"
    seen = "" if each.trials is None or each.events is None else f", {each.events} of {each.trials}"
    return f" {_interval(each.lower, each.upper)}{seen}"


def _interval(lower: float, upper: float) -> str:
    return f"{_rounded_text(lower)} to {_rounded_text(upper)}"


def _rounded_text(value: float) -> str:
    if not math.isfinite(value):
        return str(value)
    return f"{value:.4g}"

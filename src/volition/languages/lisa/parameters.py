"""Numeric parameters of a LISA program, which users can set and vary, and their names.

Izzo's thesis has no parameters; its programs contain triples ``[p, mu, sigma]`` (probability,
average and variance) for percepts and feedbacks (Sect. 3.4.1). Each number of a triple is a
parameter, with the name of what it belongs to: ``wind_is_strong.activation.p``,
``picture_taken.p``. The average and the variance belong to an action, ``take_picture.mu``, because
all feedbacks of an action share them. In a project with several agents, names start with the agent:
``drone_take_picture.mu``.

The weights of an action's feedbacks sum to 1 (Izzo, Eq. 3.8). If only some of them are given, the
others share the rest in the same proportions as in the file. The weight of an action's only
feedback is always 1 and is not a parameter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import cast

from volition.diagnostics import Diagnostics, Span
from volition.languages.common.settings import RationalSetting, read_value, report_unknown
from volition.languages.lisa.project import AgentFiles
from volition.languages.lisa.syntax import (
    LARGEST,
    ActionFile,
    FeedbackEntry,
    PerceptEntry,
    TimingDistribution,
    TriplePart,
    objection,
)

__all__ = [
    "Numbers",
    "check_numbers",
    "numeric_parameters",
    "read_numbers",
    "structural_parameters",
    "with_numeric_parameters",
]

Numbers = Mapping[str, Fraction]
"""Values of numeric parameters by name."""

_PROCESSES = ("activation", "deactivation")


def numeric_parameters(projects: Sequence[AgentFiles]) -> dict[str, Fraction]:
    """Return the value of every parameter of some agents, by the parameter's full name."""
    return {
        project.prefix + name: value
        for project in projects
        for name, value, _ in _declared(project)
    }


def read_numbers(
    settings: Mapping[str, str], projects: Sequence[AgentFiles], diagnostics: Diagnostics
) -> dict[str, Fraction]:
    """Return the values that settings give to parameters, by name. Unknown parameters and invalid
    numbers are reported to ``diagnostics``."""
    known = numeric_parameters(projects)
    given: dict[str, Fraction] = {}
    for name, text in settings.items():
        if name not in known:
            example = (
                f"parameters have names such as {next(iter(known))}"
                if known
                else "the program has no parameters"
            )
            report_unknown(
                "LIS060",
                f"unknown setting '{name}'",
                name,
                known,
                diagnostics,
                otherwise=f"{example}: see 'volition show'",
            )
            continue
        number = read_value(
            "LIS063",
            f"the setting '{name}' cannot be '{text}'",
            text,
            RationalSetting(magnitude_below=LARGEST),
            diagnostics,
        )
        given |= {} if number is None else {name: number}
    return given


def check_numbers(projects: Sequence[AgentFiles], given: Numbers, diagnostics: Diagnostics) -> None:
    """Report parameter values in ``given`` that are out of range, at the span of the percept,
    feedback or action that they belong to."""
    for project in projects:
        own = _own_values(project, given)
        spans = {name: span for name, _, span in _declared(project)}
        for name, value in own.items():
            if found := objection(cast(TriplePart, name.rpartition(".")[2]), value):
                what, hint = found
                diagnostics.error(
                    "LIS004",
                    f"{float(value):g} for '{project.prefix}{name}' {what}",
                    spans[name],
                    hint=hint,
                )
        for file in project.actions:
            total = sum(_given_weights(file, own).values(), Fraction(0))
            if total > 1:
                message = (
                    f"the probabilities given for feedbacks of '{file.sentences[0].text}' "
                    f"sum to {float(total):g}, more than 1"
                )
                diagnostics.error(
                    "LIS043",
                    message,
                    file.feedbacks[0].sentence.span,
                    hint="the other feedbacks share the rest",
                )


def with_numeric_parameters(
    projects: Sequence[AgentFiles], given: Numbers
) -> tuple[AgentFiles, ...]:
    """Return the agents' files with the parameter values in ``given`` in place of the values in the
    files."""
    return tuple(_with_values(project, _own_values(project, given)) for project in projects)


def structural_parameters(
    projects: Sequence[AgentFiles], given: Numbers, varied: Collection[str]
) -> frozenset[str]:
    """Return those of the ``varied`` parameters that affect more than probabilities. They must have
    a value before exploration.

    These are all averages and variances. The weights of an action's feedbacks are among them if the
    user gives all of them: they must then sum to 1, because no other feedback can take the rest.
    """
    more = {name for name in varied if not name.endswith(".p")}
    for project in projects:
        own = _own_values(project, given)
        for file in project.actions:
            if not _remaining_weight(file, own):
                more |= {project.prefix + name for name in _given_weights(file, own)} & set(varied)
    return frozenset(more)


def _own_values(project: AgentFiles, given: Numbers) -> Numbers:
    """Return the values in ``given`` that belong to one agent, by the parameters' names without the
    agent's prefix."""
    own = (name for name, _, _ in _declared(project))
    return {name: given[project.prefix + name] for name in own if project.prefix + name in given}


def _with_values(project: AgentFiles, given: Numbers) -> AgentFiles:
    percepts = tuple(_percept(each, given) for each in project.reasoning.percepts)
    actions = tuple(replace(each, feedbacks=_feedbacks(each, given)) for each in project.actions)
    return replace(
        project, reasoning=replace(project.reasoning, percepts=percepts), actions=actions
    )


def _declared(project: AgentFiles) -> Iterator[tuple[str, Fraction, Span]]:
    """Yield each parameter of an agent as a tuple: its name, its value, and the span of the
    percept, feedback or action that it belongs to."""
    for entry in project.reasoning.percepts:
        for process, triple in zip(_PROCESSES, entry.distributions or (), strict=False):
            name, span = f"{entry.sentence.name}.{process}", entry.sentence.span
            yield f"{name}.p", triple.probability, span
            yield f"{name}.mu", Fraction(triple.mean), span
            yield f"{name}.sigma", Fraction(triple.deviation), span
    for file in project.actions:
        if len(file.feedbacks) > 1:
            yield from (
                (_weight(each), each.triple.probability, each.sentence.span)
                for each in file.feedbacks
            )
        if file.feedbacks:
            name, triple = file.sentences[0].name, file.feedbacks[0].triple
            yield f"{name}.mu", Fraction(triple.mean), file.span
            yield f"{name}.sigma", Fraction(triple.deviation), file.span


def _percept(entry: PerceptEntry, given: Numbers) -> PerceptEntry:
    if entry.distributions is None:
        return entry
    activation, deactivation = (
        replace(
            _with_times(triple, name, given), probability=given.get(f"{name}.p", triple.probability)
        )
        for triple, name in zip(
            entry.distributions,
            (f"{entry.sentence.name}.{each}" for each in _PROCESSES),
            strict=True,
        )
    )
    return replace(entry, distributions=(activation, deactivation))


def _feedbacks(file: ActionFile, given: Numbers) -> tuple[FeedbackEntry, ...]:
    fixed = _given_weights(file, given)
    left, shared = 1 - sum(fixed.values(), Fraction(0)), _remaining_weight(file, given)

    def entry(each: FeedbackEntry) -> FeedbackEntry:
        written = each.triple.probability
        weight = fixed.get(_weight(each), written * left / shared if fixed and shared else written)
        return replace(
            each,
            triple=replace(
                _with_times(each.triple, file.sentences[0].name, given), probability=weight
            ),
        )

    return tuple(map(entry, file.feedbacks))


def _given_weights(file: ActionFile, given: Numbers) -> dict[str, Fraction]:
    return {
        _weight(each): given[_weight(each)] for each in file.feedbacks if _weight(each) in given
    }


def _remaining_weight(file: ActionFile, given: Numbers) -> Fraction:
    """Return the sum of the weights in an action file, without the weights of feedbacks that
    ``given`` contains."""
    return sum(
        (each.triple.probability for each in file.feedbacks if _weight(each) not in given),
        Fraction(0),
    )


def _weight(feedback: FeedbackEntry) -> str:
    return f"{feedback.sentence.name}.p"


def _with_times(triple: TimingDistribution, name: str, given: Numbers) -> TimingDistribution:
    return replace(
        triple,
        mean=int(given.get(f"{name}.mu", triple.mean)),
        deviation=int(given.get(f"{name}.sigma", triple.deviation)),
    )

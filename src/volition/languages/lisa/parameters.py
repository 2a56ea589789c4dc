"""The numbers of a LISA program that can be set and varied, and what they are called.

The thesis has no parameters: its numbers are the ``[p, mu, sigma]`` of percepts and feedbacks
(Izzo, Sect. 3.4.1).  Here they go by the name of what they belong to:
``wind_is_strong.activation.p``, ``picture_taken.p``, and ``take_picture.mu`` for an action, all of
whose feedbacks have the same average and variance.  Where a project has several agents, their names
stand before: ``drone_take_picture.mu``.

The weights of an action's feedbacks sum to 1 (Eq. 3.8).  Where some are given, the others share
what is left as they shared it in the file.  The weight of an only feedback is 1 and no parameter.
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
"""Values of parameters by their names."""

_PROCESSES = ("activation", "deactivation")


def numeric_parameters(projects: Sequence[AgentFiles]) -> dict[str, Fraction]:
    """Every parameter with its value."""
    return {
        project.prefix + name: value
        for project in projects
        for name, value, _ in _declared(project)
    }


def read_numbers(
    settings: Mapping[str, str], projects: Sequence[AgentFiles], diagnostics: Diagnostics
) -> dict[str, Fraction]:
    """The values that settings give to parameters; what is unknown or no number goes to
    ``diagnostics``."""
    known = numeric_parameters(projects)
    given: dict[str, Fraction] = {}
    for name, text in settings.items():
        if name not in known:
            example = (
                f"the numbers are called {next(iter(known))} and the like"
                if known
                else "the program has no numbers"
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
    """What is wrong with given values goes to ``diagnostics``, with the place of what they belong
    to."""
    for project in projects:
        own = _own(project, given)
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
                    hint="the others share what remains",
                )


def with_numeric_parameters(
    projects: Sequence[AgentFiles], given: Numbers
) -> tuple[AgentFiles, ...]:
    """The projects as if the given values stood in their files."""
    return tuple(_with_own(project, _own(project, given)) for project in projects)


def structural_parameters(
    projects: Sequence[AgentFiles], given: Numbers, varied: Collection[str]
) -> frozenset[str]:
    """Those varied parameters that say more than how likely something is.

    Averages and variances do, and so does a weight that leaves nobody to share the rest: only some
    of its values make a sum of 1.
    """
    more = {name for name in varied if not name.endswith(".p")}
    for project in projects:
        own = _own(project, given)
        for file in project.actions:
            if not _shared(file, own):
                more |= {project.prefix + name for name in _given_weights(file, own)} & set(varied)
    return frozenset(more)


def _own(project: AgentFiles, given: Numbers) -> Numbers:
    """The values that are given for numbers of one agent, by the names that they have there."""
    own = (name for name, _, _ in _declared(project))
    return {name: given[project.prefix + name] for name in own if project.prefix + name in given}


def _with_own(project: AgentFiles, given: Numbers) -> AgentFiles:
    percepts = tuple(_percept(each, given) for each in project.reasoning.percepts)
    actions = tuple(replace(each, feedbacks=_feedbacks(each, given)) for each in project.actions)
    return replace(
        project, reasoning=replace(project.reasoning, percepts=percepts), actions=actions
    )


def _declared(project: AgentFiles) -> Iterator[tuple[str, Fraction, Span]]:
    """Each parameter with its value and the place of what it belongs to."""
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
        replace(_timed(triple, name, given), probability=given.get(f"{name}.p", triple.probability))
        for triple, name in zip(
            entry.distributions,
            (f"{entry.sentence.name}.{each}" for each in _PROCESSES),
            strict=True,
        )
    )
    return replace(entry, distributions=(activation, deactivation))


def _feedbacks(file: ActionFile, given: Numbers) -> tuple[FeedbackEntry, ...]:
    fixed = _given_weights(file, given)
    left, shared = 1 - sum(fixed.values(), Fraction(0)), _shared(file, given)

    def entry(each: FeedbackEntry) -> FeedbackEntry:
        written = each.triple.probability
        weight = fixed.get(_weight(each), written * left / shared if fixed and shared else written)
        return replace(
            each,
            triple=replace(_timed(each.triple, file.sentences[0].name, given), probability=weight),
        )

    return tuple(map(entry, file.feedbacks))


def _given_weights(file: ActionFile, given: Numbers) -> dict[str, Fraction]:
    return {
        _weight(each): given[_weight(each)] for each in file.feedbacks if _weight(each) in given
    }


def _shared(file: ActionFile, given: Numbers) -> Fraction:
    """What the file gives to the feedbacks whose weights are not given."""
    return sum(
        (each.triple.probability for each in file.feedbacks if _weight(each) not in given),
        Fraction(0),
    )


def _weight(feedback: FeedbackEntry) -> str:
    return f"{feedback.sentence.name}.p"


def _timed(triple: TimingDistribution, name: str, given: Numbers) -> TimingDistribution:
    return replace(
        triple,
        mean=int(given.get(f"{name}.mu", triple.mean)),
        deviation=int(given.get(f"{name}.sigma", triple.deviation)),
    )

"""Run summaries: only the steps of a run that are relevant to a formula, with the number of steps
between them.

A step is relevant if the truth of a state subformula changes in it, or if the step or its changes
mention a name in the formula. Other steps are only counted, so that a run of hundreds of steps fits
on one screen. If no step is relevant, because the run avoids everything the formula mentions, the
summary shows the actions that the run executes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from volition.checking.graph.propositions import DEADLOCK, predicate, resolve_atoms
from volition.checking.verdict import Run
from volition.languages.protocols import Model
from volition.logic.printing import formula_text
from volition.logic.syntax import Atom, Comparison, Formula, Proposition
from volition.logic.traversal import atomic_formulas, expand_agents, subformulas
from volition.reporting.annotated_runs import (
    AnnotatedRun,
    AnnotatedStep,
    Change,
    TraceRow,
    annotate_run,
    change_details,
    loop_end_row,
    loop_start_row,
    row_of_step,
    state_details,
)

__all__ = ["RelevantSteps", "names_in", "relevant_steps", "summarise_run"]

MAX_TRUTH_CHANGES, MAX_MENTIONS = 24, 16
"""The largest numbers of steps that the summary of a run shows for two reasons: the truth value of
a subformula changes, or the step mentions a name in the formula. If there are more, the last ones
are shown, since the steps that decide a run are near its end."""

_ARGUMENTS = re.compile(r"(?<=\w)\([^()]*\)")
_BETWEEN_NAMES = re.compile(r"[^\w\s.-]+|(?:^|(?<=\s))not\s")


@dataclass(frozen=True, slots=True)
class RelevantSteps:
    """Steps of a run that are relevant to a formula: their numbers and, for every step of the run,
    texts about the subformulas that become true or false in it."""

    steps: frozenset[int]
    truth_changes: tuple[tuple[str, ...], ...]


def relevant_steps(
    run: Run, model: Model, formula: Formula, annotated: AnnotatedRun | None = None
) -> RelevantSteps:
    """Return the steps of a run that are relevant to a formula. ``annotated`` is the annotated run,
    or None to compute it."""
    steps_filter = _step_filter(run, model, formula)
    return RelevantSteps(
        frozenset(steps_filter.select((annotated or annotate_run(run, model)).steps)),
        tuple(map(tuple, steps_filter.truth_changes)),
    )


def _step_filter(run: Run, model: Model, formula: Formula) -> _StepFilter:
    query = expand_agents(formula, model.agents)
    return _StepFilter(names_in(query, model.agents), _truth_changes(run, model, query))


def summarise_run(run: Run, model: Model, formula: Formula) -> list[TraceRow]:
    """Return the printed rows of a run, reduced to the steps that are relevant to a formula."""
    annotated = annotate_run(run, model)
    steps_filter = _step_filter(run, model, formula)
    relevant = steps_filter.select(annotated.steps)
    shown = [steps_filter.start(annotated)]
    skipped: list[AnnotatedStep] = []
    for step in annotated.steps:
        mark = loop_start_row(annotated, step)
        if mark or step.number in relevant:
            shown += [*_skipped_row(skipped), *mark]
            skipped = []
        if step.number in relevant:
            shown.append(steps_filter.row(step))
        else:
            skipped.append(step)
    return [*shown, *_skipped_row(skipped), *loop_end_row(annotated)]


def names_in(formula: Formula, agents: Collection[str]) -> tuple[str, ...]:
    """Return the names in the atoms of a formula, without agent names. An argument list is dropped:
    ``bid(4)`` has the name ``bid``. A sentence in plain words counts as one name."""
    found: dict[str, None] = {}
    for atom in atomic_formulas(formula):
        text = atom.text if isinstance(atom, Atom) else atom.name
        while (bare := _ARGUMENTS.sub("", text)) != text:
            text = bare
        found |= dict.fromkeys(name.strip() for name in _BETWEEN_NAMES.split(text))
    return tuple(name for name in found if name and name not in agents and not name[0].isdigit())


def _truth_changes(run: Run, model: Model, formula: Formula) -> list[list[str]]:
    """Return, for each step of a run, texts about the state subformulas that become true or false
    in it."""
    resolved = resolve_atoms(model, formula)
    parts = dict.fromkeys(
        each for each in subformulas(formula) if isinstance(each, Atom | Proposition | Comparison)
    )
    truths = {
        formula_text(part): predicate(part, resolved)
        for part in parts
        if part != DEADLOCK or part in resolved
    }
    states = [*run.states, *([run.states[run.loop]] if run.loop is not None else [])]
    held = [
        {text: truth(view) for text, truth in truths.items()}
        for view in map(run.space.values, states)
    ]
    return [
        [
            f"{text} {'holds' if after[text] else 'no longer holds'}"
            for text in truths
            if before[text] != after[text]
        ]
        for before, after in pairwise(held)
    ]


@dataclass(frozen=True, slots=True)
class _StepFilter:
    """Filter that selects the steps of a run to show, and the details of each. ``names`` are the
    names in the formula, and ``truth_changes`` has, for each step, texts about the subformulas that
    become true or false in it."""

    names: Sequence[str]
    truth_changes: Sequence[Sequence[str]]

    def select(self, steps: Sequence[AnnotatedStep]) -> set[int]:
        """Return the numbers of the steps to show."""
        mentioning = [
            step.number
            for step in steps
            if self._mentioned(step.text) or any(map(self._is_relevant_change, step.changes))
        ]
        changing = [step.number for step in steps if self.truth_changes[step.number - 1]]
        if not changing and not mentioning:
            mentioning = [step.number for step in steps if step.executes_action] or [
                step.number for step in steps
            ]
        ending = [step.number for step in steps if step.is_stutter]
        return {*changing[-MAX_TRUTH_CHANGES:], *mentioning[-MAX_MENTIONS:], *ending}

    def start(self, annotated: AnnotatedRun) -> TraceRow:
        """Return the row of the initial state, reduced to the items that the formula mentions."""
        view = {
            section: {
                item: value for item, value in items.items() if self._mentioned(f"{item}: {value}")
            }
            for section, items in annotated.start.items()
        }
        return TraceRow("0", "", "initial state", details=state_details(view))

    def row(self, step: AnnotatedStep) -> TraceRow:
        """Return the printed row of a step, with the subformulas that become true or false in it.
        If the text of the step does not mention a name in the formula, the relevant changes of the
        state view are added."""
        changes = (
            ()
            if self._mentioned(step.text)
            else change_details(
                [change for change in step.changes if self._is_relevant_change(change)]
            )
        )
        truths = self.truth_changes[step.number - 1]
        return row_of_step(step, (*changes, ("formula", "; ".join(truths))) if truths else changes)

    def _mentioned(self, text: str) -> bool:
        return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in self.names)

    def _is_relevant_change(self, change: Change) -> bool:
        return any(
            self._mentioned(part) for part in (change.item, change.before, change.after) if part
        )


def _skipped_row(skipped: Sequence[AnnotatedStep]) -> Iterator[TraceRow]:
    """Yield one row for a sequence of skipped steps, with the number of steps of each agent. A
    single skipped step is shown in full, because its count would take a row too."""
    if len(skipped) == 1:
        yield row_of_step(skipped[0], ())
    elif skipped:
        by_agent = Counter(step.agent for step in skipped if step.agent)
        owner = ", ".join(f"{agent} ({count})" for agent, count in sorted(by_agent.items()))
        yield TraceRow("", "", f"… {len(skipped)} steps" + (f": {owner}" if owner else ""))

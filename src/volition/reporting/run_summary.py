"""The story of a run: the steps that matter to a formula, and how many lie between them.

A step matters where the truth of a part of the formula changes, or where the step or what it
changes mentions a name of the formula. Everything else is counted, so that a run of hundreds of
steps can be read on one screen.  Where no step matters, because the run avoids all that the formula
speaks of, the actions are told that it executes instead.
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
"""Steps in which a truth changes and steps that mention a name are told up to these numbers, the
last ones: what decides a run stands near its end."""

_ARGUMENTS = re.compile(r"(?<=\w)\([^()]*\)")
_BETWEEN_NAMES = re.compile(r"[^\w\s.-]+|(?:^|(?<=\s))not\s")


@dataclass(frozen=True, slots=True)
class RelevantSteps:
    """What of a run matters to a formula: the numbers of the steps, and for each step the truths
    that change in it, in words."""

    steps: frozenset[int]
    truth_changes: tuple[tuple[str, ...], ...]


def relevant_steps(
    run: Run, model: Model, formula: Formula, annotated: AnnotatedRun | None = None
) -> RelevantSteps:
    """What matters to the formula in a run; ``telling`` is the run as it was told, where it was."""
    teller = _step_filter(run, model, formula)
    return RelevantSteps(
        frozenset(teller.select((annotated or annotate_run(run, model)).steps)),
        tuple(map(tuple, teller.turns)),
    )


def _step_filter(run: Run, model: Model, formula: Formula) -> _StepFilter:
    query = expand_agents(formula, model.agents)
    return _StepFilter(names_in(query, model.agents), _truth_changes(run, model, query))


def summarise_run(run: Run, model: Model, formula: Formula) -> list[TraceRow]:
    """The run in rows, shortened to what matters to the formula."""
    annotated = annotate_run(run, model)
    teller = _step_filter(run, model, formula)
    kept = teller.select(annotated.steps)
    shown = [teller.start(annotated)]
    skipped: list[AnnotatedStep] = []
    for step in annotated.steps:
        mark = loop_start_row(annotated, step)
        if mark or step.number in kept:
            shown += [*_skipped_row(skipped), *mark]
            skipped = []
        if step.number in kept:
            shown.append(teller.row(step))
        else:
            skipped.append(step)
    return [*shown, *_skipped_row(skipped), *loop_end_row(annotated)]


def names_in(formula: Formula, agents: Collection[str]) -> tuple[str, ...]:
    """The names that the leaves of a formula speak of: predicates without their arguments, phrases
    as a whole, no agents."""
    found: dict[str, None] = {}
    for atom in atomic_formulas(formula):
        text = atom.text if isinstance(atom, Atom) else atom.name
        while (bare := _ARGUMENTS.sub("", text)) != text:
            text = bare
        found |= dict.fromkeys(name.strip() for name in _BETWEEN_NAMES.split(text))
    return tuple(name for name in found if name and name not in agents and not name[0].isdigit())


def _truth_changes(run: Run, model: Model, formula: Formula) -> list[list[str]]:
    """For each step of the run what becomes true or false in it, of the parts of the formula that
    speak of one state."""
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
    """Decides which steps are told, and what of each; ``turns`` are the truths that change in each
    step."""

    names: Sequence[str]
    turns: Sequence[Sequence[str]]

    def select(self, steps: Sequence[AnnotatedStep]) -> set[int]:
        """The numbers of the steps that are told."""
        mentioning = [
            step.number
            for step in steps
            if self._mentioned(step.text) or any(map(self._is_relevant_change, step.changes))
        ]
        turning = [step.number for step in steps if self.turns[step.number - 1]]
        if not turning and not mentioning:
            mentioning = [step.number for step in steps if step.executes_action] or [
                step.number for step in steps
            ]
        ending = [step.number for step in steps if step.is_stutter]
        return {*turning[-MAX_TRUTH_CHANGES:], *mentioning[-MAX_MENTIONS:], *ending}

    def start(self, annotated: AnnotatedRun) -> TraceRow:
        """The initial state, in brief: what the formula speaks of."""
        view = {
            section: {
                item: value for item, value in items.items() if self._mentioned(f"{item}: {value}")
            }
            for section, items in annotated.start.items()
        }
        return TraceRow("0", "", "initial state", details=state_details(view))

    def row(self, step: AnnotatedStep) -> TraceRow:
        """A step with the truths that turn, and the changes that matter where its own text does not
        mention them."""
        changes = (
            ()
            if self._mentioned(step.text)
            else change_details(
                [change for change in step.changes if self._is_relevant_change(change)]
            )
        )
        turns = self.turns[step.number - 1]
        return row_of_step(step, (*changes, ("formula", "; ".join(turns))) if turns else changes)

    def _mentioned(self, text: str) -> bool:
        return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in self.names)

    def _is_relevant_change(self, change: Change) -> bool:
        return any(
            self._mentioned(part) for part in (change.item, change.before, change.after) if part
        )


def _skipped_row(skipped: Sequence[AnnotatedStep]) -> Iterator[TraceRow]:
    """One row for steps that do not matter, with who made them; a step alone is told, as counting
    it takes a row too."""
    if len(skipped) == 1:
        yield row_of_step(skipped[0], ())
    elif skipped:
        by_agent = Counter(step.agent for step in skipped if step.agent)
        owner = ", ".join(f"{agent} ({count})" for agent, count in sorted(by_agent.items()))
        yield TraceRow("", "", f"… {len(skipped)} steps" + (f": {owner}" if owner else ""))

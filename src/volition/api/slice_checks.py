"""Checks on slices, for ``check`` with the option ``slice``.

A property is split into conjuncts. A conjunct that follows from the guards of plans needs no
exploration. Each of the others is checked on its own slice; conjuncts with the same slice are
checked together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, assert_never

from volition.api.property_input import PropertyLike
from volition.api.slicing import Slice, Slices, require_known_names
from volition.checking.check import Answer, Report
from volition.checking.explored_model import Exploration
from volition.checking.properties import Property, parse_properties
from volition.checking.reduction_policy import Reduce, no_reduction_reason
from volition.checking.task import CheckSettings, CheckTask
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import Limits, explore
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.protocols import Program
from volition.logic import expand_agents, modal_atoms, parse
from volition.logic.printing import formula_text
from volition.logic.syntax import Formula
from volition.slicing.conjunctions import conjuncts, split_conjunction
from volition.slicing.gwendolen.guarded_actions import GuardedAction, guarded_action
from volition.slicing.gwendolen.printing import summary
from volition.slicing.gwendolen.slice import SlicedProgram
from volition.slicing.text_slice import TextSlice

__all__ = ["check_on_slice"]

FIRST_LOOK = 1_000
"""Number of states of the whole program that are explored before its slices. A run near the initial
state may already decide a property, so that no slice is needed."""
MIN_STATES_FOR_RUN, RUN_SEARCH_FACTOR = 10_000, 10
"""Limit of the search for a run of the whole program that corresponds to a run found in a slice.
The search stops after ``RUN_SEARCH_FACTOR`` times as many states as the slice has, but not before
``MIN_STATES_FOR_RUN`` states."""


def check_on_slice(
    check: Callable[..., Report],
    program: Program,
    properties: Iterable[PropertyLike],
    *,
    fairness: str | None = None,
    assume: str | Formula | None = None,
    answered: Callable[[Answer], None] | None = None,
    limits: Limits | None = None,
    reduce: Reduce = "auto",
    errors: Diagnostics | None = None,
    first_look: int = FIRST_LOOK,
    **options: Any,
) -> Report:
    """Check properties without exploration where the guards of plans prove them, and otherwise on a
    sound slice for each property. ``check`` is the function that checks a program or a slice.

    First, ``first_look`` states of the whole program are explored, because they may already decide
    a property. If checking a slice raises an error, the whole program is checked instead.

    A slice keeps some steps without observable effect, because removing them would change the
    scheduling. Chain compression skips these steps, unless the caller sets ``reduce``.

    If a run in a slice decides a property, a corresponding run of the whole program is searched
    for, with a limit on the number of states. If it is found, it is reported instead.
    """
    if fairness is not None:
        raise InputError(
            [
                Diagnostic(
                    "SLC005",
                    "slicing does not support fairness",
                    hint="check without slicing, or without fairness",
                )
            ]
        )
    start = time.perf_counter()
    found_warnings = Diagnostics()
    formula_errors = Diagnostics()
    queries = parse_properties(properties, found_warnings, formula_errors)
    assumed = [] if assume is None else [parse(assume) if isinstance(assume, str) else assume]
    work = _sliced_properties(program, queries, assumed, formula_errors)
    if errors is None or not work:
        formula_errors.raise_errors()
    else:
        errors.extend(formula_errors)
    warnings: dict[Diagnostic, None] = dict.fromkeys(found_warnings.warnings)
    answers = _AnswerStream(work, answered)
    interrupted = False
    for sliced, together in _by_slice(work):
        parts = together
        if sliced.is_smaller and first_look:
            _check_first_states(
                lambda query, within: check(
                    program, query, limits=within, reduce="off", assume=assume, **options
                ),
                parts,
                limits,
                first_look,
            )
            parts = [part for part in together if part.answer is None]
            if not parts:
                answers.emit_ready()
                continue
        smaller = sliced.program if sliced.is_smaller else program
        slice_reduce: Reduce = (
            "static"
            if reduce == "auto"
            and _allows_chain_compression(smaller, parts, options.get("engine", "auto"))
            else reduce
        )
        pending = [part.prop for part in parts]
        from_slice = sliced.is_smaller
        try:
            report = check(
                smaller, pending, limits=limits, reduce=slice_reduce, assume=assume, **options
            )
        # Checking the slice may raise an error that does not occur in the whole program. The
        # removed parts may keep the program within its bounds, or its exploration may stop at a
        # limit before the error.
        except InputError:
            if not from_slice:
                raise
            report, from_slice = (
                check(program, pending, limits=limits, reduce=reduce, assume=assume, **options),
                False,
            )
            for part in parts:
                part.position = "whole program"
        warnings |= dict.fromkeys(report.warnings)
        found = {id(answer.prop): answer for answer in report.answers}
        for part in parts:
            part.answer = found.get(id(part.prop))
        if from_slice and (shown := [part for part in parts if _is_shown_by_a_run(part.answer)]):
            within = _limits_for_run_search(
                [part.answer for part in shown if part.answer is not None], limits or Limits()
            )
            with suppress(
                InputError
            ):  # the whole program may end in an error that the slice avoids
                whole = check(
                    program,
                    [part.prop for part in shown],
                    limits=within,
                    reduce=reduce,
                    assume=assume,
                    **options,
                )
                _attach_full_runs(shown, whole)
        answers.emit_ready()
        if report.interrupted:
            interrupted = True
            break
    return Report(
        program, answers.in_order(), tuple(warnings), time.perf_counter() - start, interrupted
    )


def _sliced_properties(
    program: Program,
    properties: Iterable[Property],
    assumed: Sequence[Formula],
    formula_errors: Diagnostics,
) -> list[_SlicedProperty]:
    """Return the properties that can be checked on a slice. The errors of the other properties are
    added to ``formula_errors``."""
    slices = Slices(program)
    work = []
    for prop in properties:
        try:
            require_known_names(program, [prop.formula, *assumed])
            work.append(_SlicedProperty(program, prop, assumed, slices))
        except InputError as error:
            formula_errors.extend(error.diagnostics)
    return work


@dataclass
class _SlicedConjunct:
    """Conjunct of a property, with the slice for it, and with its answer once that is known."""

    prop: Property
    sliced: Slice
    answer: Answer | None = None
    position: Literal["slice", "first states", "whole program"] = "slice"
    """State space that gave the answer: the slice, the first states of the whole program, or the
    whole program because the slice ends in an error."""


def _allows_chain_compression(
    program: Program, parts: Iterable[_SlicedConjunct], engine: str
) -> bool:
    """Return whether chain compression is allowed for a program and all conjuncts that are checked
    on it."""
    agents, settings = program.model().agents, CheckSettings(engine)
    formulas = [part.prop.formula for part in parts]
    models = [program.model(modal_atoms(expand_agents(each, agents))) for each in formulas]
    return all(
        no_reduction_reason(CheckTask(model, each, settings)) is None
        for model, each in zip(models, formulas, strict=True)
    )


def _check_first_states(
    check: Callable[[list[Property], Limits], Report],
    parts: Sequence[_SlicedConjunct],
    limits: Limits | None,
    states: int,
) -> None:
    """Answer the conjuncts that are decided by a run within the first ``states`` states of the
    whole program.

    If checking these states raises an error, leave all conjuncts unanswered, so that they are
    checked on a slice, which may not contain the cause of the error.
    """
    limits = limits or Limits()
    within = replace(limits, states=states if limits.states is None else min(states, limits.states))
    try:
        report = check([part.prop for part in parts], within)
    except InputError:
        return
    found = {id(answer.prop): answer for answer in report.answers if _is_shown_by_a_run(answer)}
    for part in parts:
        answer = found.get(id(part.prop))
        if answer is not None and not report.interrupted:
            part.answer, part.position = answer, "first states"


def _attach_full_runs(parts: Iterable[_SlicedConjunct], whole: Report) -> None:
    """Replace answers on a slice by the answers in ``whole``, if ``whole`` has an answer for the
    same conjunct. The runs of these answers are runs of the whole program and show all its steps.
    """
    found = {id(answer.prop): answer for answer in whole.answers if answer.verdict.unknown is None}
    for part in parts:
        reported = found.get(id(part.prop))
        if reported is not None and part.answer is not None:
            same = reported.verdict.holds == part.answer.verdict.holds
            assert same, f"a slice changed the verdict of {formula_text(part.prop.formula)}"
            part.answer = replace(
                reported,
                verdict=reported.verdict.with_notes("the run is a run of the whole program"),
            )


def _is_shown_by_a_run(answer: Answer | None) -> bool:
    return (
        answer is not None
        and answer.verdict.holds is not None
        and answer.verdict.unknown is None
        and answer.verdict.run is not None
    )


def _limits_for_run_search(answers: Iterable[Answer], limits: Limits) -> Limits:
    """Return the limits for the search for runs in the whole program, if such runs are already
    known from a slice."""
    maximum = max(
        MIN_STATES_FOR_RUN,
        *(RUN_SEARCH_FACTOR * each.exploration.space.num_states for each in answers),
    )
    return replace(limits, states=maximum if limits.states is None else min(maximum, limits.states))


class _SlicedProperty:
    """Property split into conjuncts: those that follow from the guards of plans, and those that
    must be checked on a slice."""

    def __init__(
        self, program: Program, prop: Property, assumed: Sequence[Formula], slices: Slices
    ) -> None:
        self._program = program
        self.prop = prop
        self._start = time.perf_counter()
        self._by_guards: list[GuardedAction] = []
        rest: list[Formula] = []
        for part in split_conjunction(prop.formula):
            guarded = self._guarded(part)
            if guarded is None:
                rest.append(part)
            else:
                self._by_guards += guarded
        self.parts = self._sliced(rest, assumed, slices)

    def _guarded(self, part: Formula) -> list[GuardedAction] | None:
        if not isinstance(self._program, GwendolenProgram):
            return None
        found = [guarded_action(self._program, each) for each in conjuncts(part)]
        return None if None in found else [each for each in found if each is not None]

    def _sliced(
        self, parts: Sequence[Formula], assumed: Sequence[Formula], slices: Slices
    ) -> list[_SlicedConjunct]:
        """Return the formulas to check, each with its slice: the property as a whole if all its
        conjuncts have the same slice, otherwise each conjunct in ``parts``."""
        if not parts:
            return []
        is_whole = len(parts) == len(split_conjunction(self.prop.formula))
        made = [slices.slice_for([part, *assumed]) for part in parts]
        if is_whole:
            together = slices.slice_for([self.prop.formula, *assumed])
            if all(_is_same_slice(together, each) for each in made):
                return [_SlicedConjunct(self.prop, together)]
        return [
            _SlicedConjunct(Property(part, formula_text(part)), sliced)
            for part, sliced in zip(parts, made, strict=True)
        ]

    def answer(self) -> Answer | None:
        """Return the answer to the property, or None if it is not yet known."""
        if not self.parts:
            return self._answer(self._holding(), self._unexplored())
        answers = [part.answer for part in self.parts if part.answer is not None]
        if len(answers) < len(self.parts):
            return None
        decisive = next((each for each in answers if each.verdict.holds is False), None)
        if decisive is None:  # an answer is true only if its property holds
            decisive = next(
                (each for each in answers if each.verdict.unknown is not None), answers[-1]
            )
        part = next(part for part in self.parts if part.answer is decisive)
        seconds = sum(each.verdict.seconds for each in answers)
        verdict = replace(decisive.verdict, formula=self.prop.formula, seconds=seconds)
        return self._answer(verdict.with_notes(*self._notes(decisive, part)), decisive.exploration)

    def _notes(self, decisive: Answer, part: _SlicedConjunct) -> list[str]:
        notes = [
            f"holds by guards: {formula_text(each.formula)}, by {each.why}"
            for each in self._by_guards
        ]
        if len(self.parts) > 1 and decisive.verdict.holds is False:
            notes.append(f"violated conjunct: {formula_text(decisive.prop.formula)}")
        elif len(self.parts) > 1:
            notes.append(f"the {len(self.parts)} conjuncts were checked separately")
        match part.position:
            case "slice":
                where = f"checked on a slice: {_summary(part.sliced)}"
            case "first states":
                states = decisive.exploration.space.num_states
                where = (
                    "the run is a run of the whole program, found within its first "
                    f"{states:,} states, so no slice was needed"
                )
            case "whole program":
                where = "checked on the whole program, because checking the slice ends in an error"
            case _:
                assert_never(part.position)
        return [*notes, where]

    def _holding(self) -> Verdict:
        why = "; ".join(f"{formula_text(each.formula)}: {each.why}" for each in self._by_guards)
        verdict = Verdict(self.prop.formula, "guards", time.perf_counter() - self._start, True)
        return verdict.with_notes(f"holds by guards, without exploration: {why}")

    def _unexplored(self) -> Exploration:
        model = self._program.model()
        return Exploration(model, explore(model.system, limits=Limits(states=0)))

    def _answer(self, verdict: Verdict, exploration: Exploration) -> Answer:
        expectation = self.prop.expectation
        return Answer(
            self.prop,
            verdict,
            exploration,
            None if expectation is None else expectation.is_met_by(verdict),
        )


class _AnswerStream:
    """Answers to a list of properties; each is passed to the callback ``answered`` as soon as it is
    known."""

    def __init__(
        self, work: Sequence[_SlicedProperty], answered: Callable[[Answer], None] | None
    ) -> None:
        self._work = work
        self._answered = answered
        self._found: dict[int, Answer] = {}
        self.emit_ready()

    def emit_ready(self) -> None:
        for index, each in enumerate(self._work):
            if index not in self._found and (answer := each.answer()) is not None:
                self._found[index] = answer
                if self._answered is not None:
                    self._answered(answer)

    def in_order(self) -> tuple[Answer, ...]:
        return tuple(self._found[index] for index in sorted(self._found))


def _by_slice(work: Iterable[_SlicedProperty]) -> list[tuple[Slice, list[_SlicedConjunct]]]:
    """Return pairs of a slice and the conjuncts to check on it; each pair needs one exploration."""
    groups: list[tuple[Slice, list[_SlicedConjunct]]] = []
    for part in (part for each in work for part in each.parts):
        same = next(
            (parts for sliced, parts in groups if _is_same_slice(sliced, part.sliced)), None
        )
        if same is None:
            groups.append((part.sliced, [part]))
        else:
            same.append(part)
    return groups


def _is_same_slice(one: Slice, other: Slice) -> bool:
    """Return whether two slices of the same program remove the same parts."""
    if one is other:
        return True
    if isinstance(one, SlicedProgram) and isinstance(other, SlicedProgram):
        return one.program.agents == other.program.agents
    return (
        isinstance(one, TextSlice)
        and isinstance(other, TextSlice)
        and one.cone.left_out == other.cone.left_out
    )


def _summary(sliced: Slice) -> str:
    return summary(sliced) if isinstance(sliced, SlicedProgram) else sliced.summary()

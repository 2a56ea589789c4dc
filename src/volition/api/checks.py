"""The functions of the Python interface for checking, testing, exploring, showing and replaying
programs: ``check``, ``test``, ``explore``, ``show``, ``replay``, and functions on their results."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from volition.analysis.synthesis.synthesise import Query, is_optimum_query, strategy_for
from volition.api.custom_systems import Label
from volition.api.inputs import Settings, Subject, as_program, limits_of, load_subject, require_none
from volition.api.property_input import Formulas, parse_with_warnings, properties_to_check
from volition.checking.check import Answer, Report
from volition.checking.check import check as check_program
from volition.checking.explored_model import Recipe, attach_recipe, collect_observed_atoms
from volition.checking.graph.fairness import Fairness
from volition.checking.reduction_policy import Reduce
from volition.checking.storm.client import EngineError
from volition.checking.task import CheckSettings
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.display import HtmlDisplay
from volition.kernel import Predicate, Progress, StateSpace, explore_further
from volition.kernel import explore as explore_system
from volition.languages import find_programs, io_errors_as_input_errors, read_source
from volition.languages.protocols import Program, Table
from volition.logic.syntax import Formula
from volition.reporting import coverage as coverage_reports
from volition.reporting import replay as replays
from volition.reporting.annotated_runs import AnnotatedRun
from volition.reporting.annotated_runs import annotate_run as annotate_steps
from volition.reporting.coverage import Coverage
from volition.reporting.replay import Replay
from volition.reporting.strategies.strategy_table import StrategyTable, tabulate_strategy
from volition.reporting.trace_format import trace_to_json

__all__ = [
    "ProgramOverview",
    "ProgramTestResult",
    "annotated_run",
    "check",
    "coverage",
    "explore",
    "replay",
    "show",
    "strategy_of",
    "test",
    "trace",
]


Slicing = Literal["sound", "guided"]
"""Slicing method of ``check``: how parts of a program that are irrelevant to a property are
removed. ``sound`` checks a slice; ``guided`` first tries an over-approximation of the program."""

# --- check and test -------------------------------------------------------------------------------


def check(
    program: Subject,
    formulas: Formulas | None = None,
    *,
    settings: Settings | None = None,
    labels: Mapping[str, Label] | None = None,
    props: str | os.PathLike[str] | None = None,
    generic: bool = False,
    per_event: bool = False,
    fair: Fairness | None = None,
    assume: str | Formula | None = None,
    exact: bool | None = None,
    engine: str = "auto",
    reduce: Reduce = "auto",
    slice: bool | Slicing = False,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    depth: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    answered: Callable[[Answer], None] | None = None,
    errors: Diagnostics | None = None,
) -> Report:
    """Check properties of a program and return answers with evidence: ``volition check``.

    ``formulas`` is one text or several, as the option ``-p`` takes them: formulas, or sentences if
    the language supports them, optionally with an expected result (``// RESULT: 0.81``). Without
    ``formulas`` and without the property file ``props``, the properties in the program file are
    checked. ``generic`` and ``per_event`` add the generic properties of the program's language.
    ``labels`` define propositions for the states of a user-defined system.

    With ``slice``, each property is checked on the part of the program that is relevant to it. With
    ``slice="guided"``, it is checked on an over-approximation of the program if that suffices.
    ``max_states``, ``max_memory`` (bytes) and ``timeout`` (seconds) limit each exploration;
    ``jobs`` is its number of threads, by default one per core. With ``depth``, only runs of at most
    that many steps are considered. ``reduce`` controls partial-order reduction: in models of more
    than 10,000 states (``auto``), never (``off``), or always (``static``, ``lookahead``; see
    ``docs/explanation/reduction.md``).

    ``progress`` is called during an exploration, and ``answered`` is called with each answer. The
    runs and strategies of answers are computed on first access.

    Raise :class:`InputError` with all errors in the formulas. If ``errors`` is given, the errors
    are added to it instead, and the report has the answers for the formulas without errors.
    """
    if fair is not None and fair not in get_args(Fairness):
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"'fair' cannot be {fair!r}",
                    hint=f"use {' or '.join(get_args(Fairness))}",
                )
            ]
        )
    if reduce not in get_args(Reduce):
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"'reduce' cannot be {reduce!r}",
                    hint=f"use {', '.join(get_args(Reduce))}",
                )
            ]
        )
    given = load_subject(program, settings=settings, labels=labels)
    warnings = Diagnostics()
    properties = properties_to_check(
        given.program, formulas, warnings, props=props, generic=generic, per_event=per_event
    )
    require_none(
        slice and given.space is not None,
        "a slice has its own states: give the program, not a state space",
    )
    report = _checker_for(slice)(
        given.program,
        properties,
        **({} if given.space is None else {"space": given.space}),
        limits=limits_of(max_states, max_memory, timeout, jobs, depth=depth),
        fairness=fair,
        assume=assume,
        exact=exact,
        engine=engine,
        reduce=reduce,
        progress=progress,
        answered=answered,
        errors=errors,
    )
    return replace(report, warnings=(*given.space_warnings, *warnings.warnings, *report.warnings))


def _checker_for(slice: bool | Slicing) -> Callable[..., Report]:
    """Return the function that checks properties for this value of ``slice``: on the whole program,
    on slices, or on over-approximations."""
    if not isinstance(slice, bool) and slice not in get_args(Slicing):
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"'slice' cannot be {slice!r}",
                    hint=f"use {' or '.join(get_args(Slicing))}",
                )
            ]
        )
    if not slice:
        return check_program
    # Import on demand: slicing imports languages that the program may not use.
    if slice == "guided":
        from volition.slicing.cegar.check import check_with_refinement

        return partial(check_with_refinement, check_program)
    from volition.api.slice_checks import check_on_slice

    return partial(check_on_slice, check_program)


def strategy_of(
    answer: Answer, *, exact: bool | None = None, timeout: float | None = None
) -> StrategyTable | Diagnostic | None:
    """Return the strategy behind an answer as a table, or a diagnostic that says why it cannot be
    reported; None if the answer has no strategy."""
    verdict, formula = answer.verdict, answer.prop.formula
    if answer.exploration.space.reduction is not None and isinstance(formula, Query):
        answer = _check_unreduced(answer, exact, timeout)
        verdict = answer.verdict
    if isinstance(formula, Query) and is_optimum_query(formula) and verdict.unknown is None:
        return strategy_for(answer, formula, CheckSettings(exact=exact).within(timeout))
    try:
        strategy = verdict.strategy
    except EngineError as error:
        return Diagnostic(
            "CHK088", f"the strategy behind '{answer.prop.text}' is not known: {error}"
        )
    return None if strategy is None else tabulate_strategy(answer.exploration.model, strategy)


def _check_unreduced(answer: Answer, exact: bool | None, timeout: float | None) -> Answer:
    """Check the property of an answer again without partial-order reduction, and return the new
    answer. This is needed for a strategy, which must have a choice in each state of the complete
    state space."""
    recipe = answer.exploration.space.system_factory
    assert isinstance(recipe, Recipe), "an answer knows its program"
    return check_program(
        recipe.program,
        [answer.prop],
        limits=limits_of(None, None, timeout, None),
        exact=exact,
        reduce="off",
    )[0]


def annotated_run(answer: Answer) -> AnnotatedRun | None:
    """Return the run that proves an answer, with an explanation of each step (``volition check
    --trace``); None if the answer has no run."""
    run = answer.verdict.run
    return None if run is None else annotate_steps(run, answer.exploration.model)


def trace(answer: Answer, *, program: str | None = None) -> dict[str, Any] | None:
    """Return the run that proves an answer in the public trace format, which :func:`replay` reads;
    None if the answer has no run.

    ``program`` is the name of the program in the trace, by default the name of its first file.
    """
    verdict, exploration = answer.verdict, answer.exploration
    if verdict.run is None:
        return None
    recipe = exploration.space.system_factory
    assert isinstance(recipe, Recipe), "an answer knows its program"
    sources = recipe.program.sources
    return trace_to_json(
        verdict.run,
        exploration.model,
        language=recipe.program.language,
        program=program if program is not None else sources[0].name if sources else "",
        formula=verdict.formula,
        holds=verdict.holds,
        observed=exploration.observed,
    )


@dataclass(frozen=True, slots=True, repr=False)
class ProgramTestResult:
    """Comparison of the results of a program with the expected results in its file, or the errors
    in the file. In a condition, the object is true if the test ``passed``."""

    program: Path
    report: Report | None
    seconds: float
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the file has no errors and every result is as expected; also true if the file
        states no expected results."""
        return self.report is not None and all(
            each.as_expected is True for each in self.report if each.prop.expectation is not None
        )

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"<ProgramTestResult {self.program}: {'passed' if self.passed else 'failed'}>"


def test(
    folder: str | os.PathLike[str],
    *,
    max_states: int | None = None,  # noqa: PT028
    max_memory: int | None = None,  # noqa: PT028
    timeout: float | None = None,  # noqa: PT028
    jobs: int | None = None,  # noqa: PT028
) -> Iterator[ProgramTestResult]:
    """Check every program in a folder and its subfolders against the expected results in its file:
    ``volition test``."""
    root = Path(folder)
    with io_errors_as_input_errors(root):
        programs = find_programs(root)
    if not programs:
        raise InputError([Diagnostic("CLI006", f"no programs found in '{folder}'")])
    limits = limits_of(max_states, max_memory, timeout, jobs)
    for path in programs:
        start = time.perf_counter()
        try:
            given = load_subject(path)
            stated = [each for each in given.program.properties if each.expected is not None]
            report = check_program(given.program, stated, space=given.space, limits=limits)
        except InputError as error:
            yield ProgramTestResult(path, None, time.perf_counter() - start, error.diagnostics)
        else:
            yield ProgramTestResult(path, report, time.perf_counter() - start)


# --- explore and show -----------------------------------------------------------------------------


def explore(
    program: Subject,
    *,
    settings: Settings | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
    depth: int | None = None,
    formulas: Formulas = (),
    stop_when: Predicate | None = None,
    check_purity: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> StateSpace:
    """Explore the state space of a program or of a user-defined system: ``volition explore``.

    ``stop_when`` ends the exploration at the first state in which it holds. The state space records
    whether the exploration ended early, by this condition, by a limit or by Ctrl-C. To continue an
    exploration that ended early, pass its state space instead of a program. The given state space
    stays unchanged, and its states and choices keep their numbers in the new one.

    ``timeout`` is per call; the other limits are for all calls together. ``jobs`` is the number of
    threads, by default one per core; it does not affect the result. ``depth`` limits the distance
    from the initial state. States have history variables for the atoms of ``formulas`` (``Does``).
    ``check_purity`` is for debugging: it runs every function of the system twice and raises
    :class:`KernelError` if the results differ.
    """
    limits = limits_of(max_states, max_memory, timeout, jobs, depth=depth)
    if isinstance(program, StateSpace):
        require_none(settings, "the program is already loaded: give the settings to load")
        before: StateSpace | None = program
    else:
        given = load_subject(program, settings=settings)
        before = given.space
    if before is not None:
        require_none(
            check_purity,
            "check_purity applies from the start of an exploration: give the program, not a "
            "state space",
        )
        require_none(
            bool(formulas),
            "the history variables of states are fixed at the start of an exploration: give the "
            "program, not a state space",
        )
        larger = explore_further(before, limits=limits, stop_when=stop_when, progress=progress)
        larger.system_factory = before.system_factory
        return larger
    queries = (
        [each.formula for each in parse_with_warnings(given.program, formulas, Diagnostics())]
        if formulas
        else []
    )
    observed = collect_observed_atoms(queries, given.program.model().agents)
    system = given.program.model(observed).system
    space = explore_system(
        system, limits=limits, stop_when=stop_when, progress=progress, check_purity=check_purity
    )
    return attach_recipe(space, given.program, observed)


def coverage(space: StateSpace) -> Coverage:
    """Return which plans, actions and rules of a program occur in some run, and which never do:
    ``volition explore --coverage``."""
    recipe = space.system_factory
    if not isinstance(recipe, Recipe):
        raise TypeError(
            "the program behind this state space is not known: explore the program, not its system"
        )
    return coverage_reports.coverage(recipe.program.model(recipe.observed), space)


@dataclass(frozen=True, slots=True, repr=False)
class ProgramOverview(HtmlDisplay):
    """Tables that show a parsed program, with its properties and warnings."""

    program: Program
    tables: tuple[Table, ...]

    @property
    def warnings(self) -> Sequence[Diagnostic]:
        return self.program.warnings

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables)

    def __getitem__(self, index: int) -> Table:
        return self.tables[index]

    def __repr__(self) -> str:
        return f"<Overview: {', '.join(table.title for table in self.tables if table.rows)}>"


def show(program: Subject, *, settings: Settings | None = None) -> ProgramOverview:
    """Return tables that show the program as it was parsed: ``volition show``."""
    shown = as_program(program, settings=settings)
    rows = [
        [str(each.span.line), each.name or "", each.text, each.expected or ""]
        for each in shown.properties
    ]
    return ProgramOverview(
        shown, (*shown.tables(), Table("Properties", ["line", "name", "formula", "expected"], rows))
    )


# --- replay ---------------------------------------------------------------------------------------


def replay(
    trace: Mapping[str, Any] | str | os.PathLike[str],
    program: Subject,
    *,
    settings: Settings | None = None,
) -> Replay:
    """Execute a recorded run again and report whether each step is still possible: ``volition
    replay``.

    ``trace`` is a result of :func:`trace`, a file from ``check --write-trace``, or the record of a
    run.
    """
    replayed_on = as_program(program, settings=settings)
    if not isinstance(trace, str | os.PathLike):
        return _replay_trace(trace, replayed_on)
    from volition.api.verification import (
        as_it_runs,
    )  # imported on demand: it loads the whole runtime
    from volition.runtime.conformance import replay_record
    from volition.runtime.record import is_record, parse_record

    source = read_source(Path(trace))
    if is_record(source):
        return replay_record(parse_record(source), as_it_runs(replayed_on))
    return _replay_trace(_trace_in(source.text, Path(trace)), replayed_on)


def _replay_trace(trace: Mapping[str, Any], program: Program) -> Replay:
    """Replay a trace on a program. If a step is not possible, replay it on the program with derived
    beliefs, since the trace may come from ``check --derived-beliefs`` or ``conform --write-trace``.
    """
    replayed = replays.replay(trace, program)
    if replayed.possible:
        return replayed
    from volition.api.verification import as_it_runs

    running = as_it_runs(program)
    with_beliefs = replayed if running is program else replays.replay(trace, running)
    return (
        with_beliefs
        if with_beliefs.possible or with_beliefs.num_replayed > replayed.num_replayed
        else replayed
    )


def _trace_in(text: str, file: Path) -> Mapping[str, Any]:
    try:
        trace: Mapping[str, Any] = json.loads(text)
        json.dumps(
            trace, ensure_ascii=False
        ).encode()  # reject unpaired surrogates, which JSON can contain but nothing can print
    except json.JSONDecodeError as error:
        raise _unreadable(file, f"it is not JSON: {error.msg} in line {error.lineno}") from None
    except RecursionError:
        raise _unreadable(file, "it is nested too deeply") from None
    except UnicodeError:
        raise _unreadable(file, "it contains an unpaired surrogate") from None
    except ValueError:
        raise _unreadable(file, "it contains a number with thousands of digits") from None
    return trace


def _unreadable(file: Path, why: str) -> InputError:
    return InputError([Diagnostic("CLI007", f"'{file}' is not a valid trace: {why}")])

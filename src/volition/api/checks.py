"""``check``, ``test``, ``explore``, ``show`` and ``replay`` as calls."""

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
from volition.reporting import coverage as telling_coverage
from volition.reporting import replay as telling_replay
from volition.reporting.annotated_runs import AnnotatedRun
from volition.reporting.annotated_runs import annotate_run as tell_run
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
"""How ``check`` leaves out what does not matter."""

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
    """Answer properties of a program, with evidence: ``volition check``.

    ``formulas`` is one or several texts as ``-p`` takes them: formulas, sentences where the
    language has some, with the result that is expected (``// RESULT: 0.81``) if one is; without
    them and without the property file ``props`` they are what the program carries. ``generic`` and
    ``per_event`` add the generic questions of its language.  ``labels`` name what holds in the
    states of a system of your own. With ``slice`` each is answered on the part of the program that
    matters to it, or with ``slice="guided"`` on an over-approximation of the program where that is
    enough. ``max_states``, ``max_memory`` (bytes) and ``timeout`` (seconds) limit each exploration,
    by ``jobs`` threads (one per core); with ``depth`` only runs of so many steps are looked at.
    ``progress`` hears of the exploration, ``answered`` of each answer. Runs and strategies are
    looked for when somebody looks at them.  ``reduce`` leaves out orders of steps that the
    properties cannot tell apart: in models of more than 10,000 states (``auto``), never (``off``),
    or always (``static``, ``full``; ``docs/explanation/reduction.md``).

    Raises :class:`InputError` with everything that is wrong with the formulas; where ``mistakes``
    is given they go there, and the report has the answers to the others.
    """
    if fair is not None and fair not in get_args(Fairness):
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"fair cannot be {fair!r}",
                    hint=f"it is {' or '.join(get_args(Fairness))}",
                )
            ]
        )
    if reduce not in get_args(Reduce):
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"reduce cannot be {reduce!r}",
                    hint=f"it is {', '.join(get_args(Reduce))}",
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
        "a part of a program has other states: give the program, not its states",
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
    """Who answers: all of the program, or what matters of it."""
    if not isinstance(slice, bool) and slice not in get_args(Slicing):
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"slice cannot be {slice!r}",
                    hint=f"it is {' or '.join(get_args(Slicing))}",
                )
            ]
        )
    if not slice:
        return check_program
    # Read when asked for: slicing brings languages that the program may not be written in.
    if slice == "guided":
        from volition.slicing.cegar.check import check_with_refinement

        return partial(check_with_refinement, check_program)
    from volition.api.slice_checks import check_on_slice

    return partial(check_on_slice, check_program)


def strategy_of(
    answer: Answer, *, exact: bool | None = None, timeout: float | None = None
) -> StrategyTable | Diagnostic | None:
    """The strategy behind an answer, told as :func:`strategy` tells it, or why it cannot be told;
    None if there is none to it."""
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
    """The same question asked of the whole space: a strategy says what to do in each of its
    states."""
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
    """The run of an answer in the agent's words, step by step: ``volition check --trace``; None if
    it has no run."""
    run = answer.verdict.run
    return None if run is None else tell_run(run, answer.exploration.model)


def trace(answer: Answer, *, program: str | None = None) -> dict[str, Any] | None:
    """The run of an answer in the public trace format, which :func:`replay` takes; None if it has
    no run.

    ``program`` is what the trace calls the program, by default the name of its first file.
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
    """A program and its report on the results that its file states, or what is wrong with it; true
    if it ``passed``."""

    program: Path
    report: Report | None
    seconds: float
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every result is as the file states it, also where it states none."""
        return self.report is not None and all(
            each.as_expected is True for each in self.report if each.prop.expectation is not None
        )

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return f"<Tested {self.program}: {'as stated' if self.passed else 'not as stated'}>"


def test(
    folder: str | os.PathLike[str],
    *,
    max_states: int | None = None,  # noqa: PT028
    max_memory: int | None = None,  # noqa: PT028
    timeout: float | None = None,  # noqa: PT028
    jobs: int | None = None,  # noqa: PT028
) -> Iterator[ProgramTestResult]:
    """Check every program in a folder and below against the results that its file states, one after
    the other: ``volition test``."""
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
    """Everything that a program, or a system of your own, can do: ``volition explore``.

    ``stop_when`` ends the exploration at the first state in which it holds.  Where it ends early,
    by that, by a limit or by Ctrl-C, the space says so; given in the place of the program, the
    exploration goes on where it stopped.  The given space stays as it is, and in the new one the
    same states and choices have the same numbers.  ``timeout`` counts from each call, the other
    limits count everything. ``jobs`` threads work at the same time, by default one per core; what
    they find does not depend on it. ``depth`` ends it so many steps away from the initial state.
    States remember what ``formulas`` ask for (``Does``). ``check_purity`` runs every function twice
    and raises :class:`KernelError` if one answers differently: for debugging.
    """
    limits = limits_of(max_states, max_memory, timeout, jobs, depth=depth)
    if isinstance(program, StateSpace):
        require_none(settings, "the program is loaded already: give the settings to load")
        before: StateSpace | None = program
    else:
        given = load_subject(program, settings=settings)
        before = given.space
    if before is not None:
        require_none(
            check_purity,
            "functions are watched from the start of an exploration: give the program, not its "
            "states",
        )
        require_none(
            bool(formulas),
            "what states remember is settled at the start of an exploration: give the program, not "
            "its states",
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
    """Which plans, actions and rules of a program some run uses, and which none does: ``volition
    explore --coverage``."""
    recipe = space.system_factory
    if not isinstance(recipe, Recipe):
        raise TypeError(
            "the program behind this state space is not known: explore the program, not its system"
        )
    return telling_coverage.coverage(recipe.program.model(recipe.observed), space)


@dataclass(frozen=True, slots=True, repr=False)
class ProgramOverview(HtmlDisplay):
    """A program as it was understood: tables of what was parsed and of its properties, and what
    looks doubtful in it."""

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
    """A program as it was understood: ``volition show``."""
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
    """Execute a recorded run again and say whether each step is still possible: ``volition
    replay``.

    ``trace`` is what :func:`trace` gives, the file that ``check --write-trace`` wrote, or the
    record of a run.
    """
    replayed_on = as_program(program, settings=settings)
    if not isinstance(trace, str | os.PathLike):
        return _replay_trace(trace, replayed_on)
    from volition.api.verification import (
        as_it_runs,
    )  # with all that runs programs, which no other command here needs
    from volition.runtime.conformance import replay_record
    from volition.runtime.record import is_record, parse_record

    source = read_source(Path(trace))
    if is_record(source):
        return replay_record(parse_record(source), as_it_runs(replayed_on))
    return _replay_trace(_trace_in(source.text, Path(trace)), replayed_on)


def _replay_trace(trace: Mapping[str, Any], program: Program) -> Replay:
    """Replay a trace; one of the agent that runs (``check --generated``, ``conform --write-trace``)
    is followed in the model of that."""
    replayed = telling_replay.replay(trace, program)
    if replayed.possible:
        return replayed
    from volition.api.verification import as_it_runs

    running = as_it_runs(program)
    again = replayed if running is program else telling_replay.replay(trace, running)
    return again if again.possible or again.num_replayed > replayed.num_replayed else replayed


def _trace_in(text: str, file: Path) -> Mapping[str, Any]:
    try:
        trace: Mapping[str, Any] = json.loads(text)
        json.dumps(
            trace, ensure_ascii=False
        ).encode()  # half a character, which JSON can say and nobody can print
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

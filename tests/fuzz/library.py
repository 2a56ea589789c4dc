"""Inputs that no command reads, read by the library: automata of other tools, and what a page of
the studio asks for.

Each is a command of its own here, so that its calls are judged as those of ``volition`` are: exit
code 2 for wrong input.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from volition.diagnostics import InputError
from volition.logic.automata.automaton import Automaton
from volition.logic.automata.hoa import from_hoa, to_hoa
from volition.studio.tasks.check import check
from volition.studio.tasks.evidence import run_of
from volition.studio.tasks.load import lint_formula, open_program
from volition.studio.tasks.run import RunRequest, recorded_page, run
from volition.studio.tasks.strategies import strategy_behind
from volition.studio.view_data import DiagnosticData
from volition.studio.workbench import Workbench

__all__ = ["LIBRARY"]

LONGEST_WORK = 10.0
"""Seconds of processor time after which the work of the studio is interrupted, as by its button."""


@click.command()
@click.argument("file", type=Path)
def read_automaton(file: Path) -> None:
    """Read an automaton, write it, and read it again."""
    try:
        automaton = from_hoa(file.read_text(encoding="utf-8", errors="surrogateescape"))
    except InputError as error:
        _refuse(error)
    again = from_hoa(to_hoa(automaton))
    if _size(again) != _size(automaton):
        raise AssertionError("an automaton that was written is another one when it is read")


def _size(automaton: Automaton) -> tuple[int, int]:
    return len(automaton.edges), sum(map(len, automaton.edges))


@click.command()
@click.argument("program", type=Path)
@click.argument("queried", nargs=-1)
def ask_the_studio(program: Path, queried: tuple[str, ...]) -> None:
    """Open a program as the studio does, ask its questions, and look at all the evidence."""
    reported: list[object] = []
    bench = Workbench(reported.append)
    opened = open_program(bench, Path.cwd(), program, trust=False)
    if isinstance(opened, tuple):
        _tell(opened)
    errors: list[DiagnosticData] = []
    for each in queried:
        errors += lint_formula(bench, each)
        with _interrupted():
            found = check(bench, [each])
            errors += found
            if not found:
                _look_behind(bench, each)
    if any(each.severity == "error" for each in errors):
        _tell(tuple(errors))


def _look_behind(bench: Workbench, query: str) -> None:
    try:
        run_of(bench, query)
        strategy_behind(bench, query)
    except InputError as error:
        _refuse(error)


@click.command()
@click.argument("program", type=Path)
@click.argument("objective")
def run_in_the_studio(program: Path, objective: str) -> None:
    """Run a program as the studio does, by an objective, and make the page of its record."""
    bench = Workbench(lambda _: None)
    opened = open_program(bench, Path.cwd(), program, trust=False)
    if isinstance(opened, tuple):
        _tell(opened)
    try:
        with _interrupted():
            run(bench, RunRequest(Path("run.jsonl"), cycles=20, objective=objective))
            recorded_page(bench, [Path("run.jsonl")], "light")
    except InputError as error:
        _refuse(error)


@contextmanager
def _interrupted() -> Iterator[None]:
    """Interrupt the work inside the ``with`` after some time, and again each second: an interrupt
    may come at the wrong moment."""
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_PROF, LONGEST_WORK, 1.0)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def _tell(errors: tuple[DiagnosticData, ...]) -> NoReturn:
    for each in errors:
        click.echo(f"{each.code}: {each.message!r}", err=True)
    raise SystemExit(2)


def _refuse(error: InputError) -> NoReturn:
    for each in error.diagnostics:
        click.echo(f"{each.code}: {each.message!r}", err=True)
    raise SystemExit(2)


LIBRARY: dict[str, click.Command] = {
    "read-automaton": read_automaton,
    "ask-the-studio": ask_the_studio,
    "run-in-the-studio": run_in_the_studio,
}

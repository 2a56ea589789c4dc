"""``volition slice``: the part of a program that matters to a property."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from volition.api.inputs import load_subject
from volition.api.slicing import SliceResult, require_plottable
from volition.api.slicing import slice as slice_for
from volition.cli.exit_and_files import expect_writable, make_folders, write_file, write_files
from volition.cli.options import ProgramCommand, display_options, program_argument
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostic, InputError
from volition.logic.printing import formula_text
from volition.slicing.gwendolen.slice import METHODS, Method

__all__ = ["command"]


@click.command("slice", cls=ProgramCommand)
@program_argument
@click.option(
    "-p",
    "--property",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="What has to keep its answer; may be repeated.",
)
@click.option(
    "--props",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Those in a property file; FILE:NAME: only NAME.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="sound",
    help="sound keeps every verdict; old (Bordini et al.) and new (Winikoff et al.), for "
    "Gwendolen, leave out more, and may change it.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Say of each plan and step why it stays, or why it cannot matter.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the slice to a file, or to a folder.",
)
@click.option(
    "--graph",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw what depends on what: FILE ends in .svg or .dot.",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@display_options
def command(
    program: Path,
    settings: Mapping[str, str],
    formulas: Sequence[str],
    props: Path | None,
    method: Method,
    explain: bool,
    output: Path | None,
    graph: Path | None,
    force: bool,
    screen: Screen,
) -> None:
    """Show the part of PROGRAM that matters to properties.

    Without -p and --props these are the properties that the program carries.  The slice is a
    program again, with what was left out in comments; 'volition check --slice' makes one by itself
    and answers on it.  A project of several files is written to a folder.

    \b
    Examples:
      volition slice examples/gwendolen/cruise_control -p '[](Does(car, accelerate) -> Bel(car,
      safe))' volition slice examples/gwendolen/cruise_control -p '[](Does(car, accelerate) ->
      Bel(car, safe))' --method new --explain
    """
    output = None if output == Path("-") else output
    expect_writable(graph, force=force)
    require_plottable(graph)
    given = load_subject(program, settings=settings)
    screen.diagnostics(given.warnings)
    sliced = slice_for(given.program, list(formulas) or None, props=props, method=method)
    screen.diagnostics(sliced.warnings)
    if output is None:
        screen.plain(sliced.text)
    else:
        _write(output, sliced, graph, force=force)
        screen.print(f"{output}: {sliced.summary()}")
    if graph is not None:
        write_file(graph, sliced.draw(graph.suffix))
    for each in sliced.proved_by_guards:
        screen.plain(
            f"// {formula_text(each.formula)} holds by guards, without any exploration: {each.why}\n"  # noqa: E501
        )
    if explain:
        screen.plain("".join(f"// {line}\n" for line in sliced.explanation))
    screen.document(lambda: _document(sliced, explain=explain))


def _write(output: Path, sliced: SliceResult, graph: Path | None, *, force: bool) -> None:
    """One file, or a folder with the files of a project; none of them is the one with the graph."""
    if len(sliced.texts) == 1:
        expect_writable(output, graph, force=force)
        write_file(output, sliced.text)
        return
    contents = {output / name: text for name, text in sliced.texts.items()}
    if output.is_dir():
        for path in filter(Path.exists, contents):
            expect_writable(path, graph, force=force)
    elif output.exists():
        message = f"cannot write '{output}': it is a file, and the slice of a project has several"
        raise InputError([Diagnostic("CLI004", message, hint="give the name of a folder")])
    else:
        expect_writable(output, force=force)
    make_folders(path.parent for path in contents)
    write_files(contents)


def _document(sliced: SliceResult, *, explain: bool) -> Mapping[str, object]:
    return {
        "method": sliced.method,
        "program": sliced.text,
        "plans": sliced.sliced.plans,
        "plans_left_out": sliced.sliced.removed_plans,
        "steps_left_out": sliced.sliced.removed_writes,
        "holds_by_guards": [
            {"formula": formula_text(each.formula), "why": each.why}
            for each in sliced.proved_by_guards
        ],
        **({"explanation": list(sliced.explanation)} if explain else {}),
        "warnings": [each.as_json() for each in sliced.warnings],
    }

"""``volition slice``: show the part of a program that matters to properties."""

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
    help="A formula to slice for; may be repeated.",
)
@click.option(
    "--props",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Slice for the properties in FILE; FILE:NAME uses only the property NAME.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="sound",
    help="Slicing method. sound (default) preserves every verdict. bordini (Bordini et al.) and "
    "winikoff (Winikoff et al.), for Gwendolen, remove more and may change a verdict.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Explain for each plan and step why it is kept or removed.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the slice to FILE, or to a folder for a project of several files.",
)
@click.option(
    "--graph",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the dependency graph to FILE (.svg, .dot).",
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
    """Show a slice of PROGRAM: the part that is relevant to the given properties.

    Without -p and --props, the properties in the program's own file are used. The slice is a
    program in which the removed parts are comments. 'volition check --slice' computes a slice and
    checks it in one step.

    \b
    Examples:
      volition slice examples/gwendolen/cruise_control \\
        -p '[](Does(car, accelerate) -> Bel(car, safe))'
      volition slice examples/gwendolen/cruise_control \\
        -p '[](Does(car, accelerate) -> Bel(car, safe))' --method winikoff --explain
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
            f"// {formula_text(each.formula)} holds by guards, without exploration: {each.why}\n"
        )
    if explain:
        screen.plain("".join(f"// {line}\n" for line in sliced.explanation))
    screen.document(lambda: _document(sliced, explain=explain))


def _write(output: Path, sliced: SliceResult, graph: Path | None, *, force: bool) -> None:
    """Write a program slice to a file, or to a folder if it has several files.

    Raise :class:`InputError` if a file already exists, or is the same file as ``graph``.
    """
    if len(sliced.texts) == 1:
        expect_writable(output, graph, force=force)
        write_file(output, sliced.text)
        return
    contents = {output / name: text for name, text in sliced.texts.items()}
    if output.is_dir():
        for path in filter(Path.exists, contents):
            expect_writable(path, graph, force=force)
    elif output.exists():
        message = f"cannot write '{output}': it is a file, but the slice has several files"
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
        "removed_plans": sliced.sliced.removed_plans,
        "removed_steps": sliced.sliced.removed_writes,
        "proved_by_guards": [
            {"formula": formula_text(each.formula), "why": each.why}
            for each in sliced.proved_by_guards
        ],
        **({"explanation": list(sliced.explanation)} if explain else {}),
        "warnings": [each.as_json() for each in sliced.warnings],
    }

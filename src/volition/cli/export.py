"""``volition export``: translate a program into the input of another tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import cleandoc
from pathlib import Path

import click

from volition.api.exporting import export
from volition.api.inputs import load_subject
from volition.cli.exit_and_files import Exit, expect_writable, write_file, write_files
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    display_options,
    limit_options,
    program_argument,
)
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostic, InputError
from volition.exporters.formats import export_format, export_formats

__all__ = ["command"]


@click.command("export", cls=ProgramCommand)
@program_argument
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Choice(list(export_formats())),
    help="The target format.",
)
@click.option(
    "-p",
    "--property",
    "texts",
    metavar="FORMULA",
    multiple=True,
    help="A formula to translate; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the model to FILE, and the properties to a file with the suffix .props next to it. "
    "Without this option, or with -, write to standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@limit_options
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    target: str,
    texts: Sequence[str],
    output: Path | None,
    force: bool,
    limits: LimitOptions,
    screen: Screen,
) -> None:
    """Translate PROGRAM into the input of another tool.

    The formats prism and promela include the properties given with -p or, without -p, those in the
    program's own file. The formats are:

    \b
    FORMATS

    \b
    Examples:
      volition export examples/lisa/vessel_mdp --to prism -o vessel.prism
      volition export examples/agentspeak/auction --to promela -o auction.pml
      volition export examples/dribble/vacuum.dribble --to prism \\
        -p 'A [ F (B(c1) & B(c2)) ]' -o vacuum.prism
      volition export examples/dribble/vacuum.dribble --to dot -o vacuum.dot
      volition export examples/can/rover.can --to umb -p SS1 -p SS2 -o rover.umb
    """
    output = None if output == Path("-") else output
    expect_writable(output, force=force)
    beside = None if output is None else output.with_suffix(".props")
    if export_format(target).binary and output is None and screen.as_json:
        message = "a binary archive cannot be printed as JSON"
        raise InputError([Diagnostic("CLI009", message, hint="write it to a file with -o")])
    given = load_subject(program, settings=settings)
    screen.diagnostics(given.warnings)
    with screen.progress() as progress:
        written = export(given.subject, target, list(texts), **limits, progress=progress)
    screen.diagnostics(written.warnings)
    if written.stopped is not None:
        screen.note(written.stopped.text)
    if isinstance(written.model, bytes):
        _write_archive(written.model, output)
        screen.document(
            lambda: {"to": target, "states": written.states, "complete": written.complete}
        )
    else:
        if output is None or beside is None:
            # Print the properties as comments after the model, so that the other tool can read the
            # output.
            screen.plain(
                written.model
                + "".join(
                    f"// {line.removeprefix('// ')}\n"
                    for line in (written.properties or "").splitlines()
                )
            )
        else:
            if written.properties:
                expect_writable(beside, force=force)
            write_files(
                {
                    output: written.model,
                    **({beside: written.properties} if written.properties else {}),
                }
            )
        screen.document(
            lambda: {
                "to": target,
                "model": written.model,
                "properties": written.properties,
                "complete": written.complete,
            }
        )
    ctx.exit(Exit.SUCCESS if written.complete else Exit.INCOMPLETE)


def _write_archive(archive: bytes, output: Path | None) -> None:
    """Write a binary UMB archive to a file or, if ``output`` is None, unchanged to standard
    output."""
    if output is None:
        click.echo(archive, nl=False)
    else:
        write_file(output, archive)


def _format_list() -> str:
    """Return the part of the help text that describes the formats, one under the other."""
    width = max(map(len, export_formats()))
    separator = "\n" + " " * (width + 2)
    return "\n".join(
        f"{each.name:{width}}  {separator.join(each.description)}"
        for each in export_formats().values()
    )


command.help = cleandoc(command.help or "").replace("FORMATS", _format_list())

"""``volition export``: a program as the input of another tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import click

from volition.checking.exploration import explore_for
from volition.checking.storm.archive import umb_archive
from volition.cli.exits import Exit
from volition.cli.files import expect_writable, write_file, write_files
from volition.cli.options import ProgramCommand, display_options, limit_options, program_argument
from volition.cli.progress import shown_progress
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.export.dot import to_dot
from volition.export.translation import Target, Translation, translate, translate_whole
from volition.kernel import Limits, explore
from volition.languages import load
from volition.languages.model import Program
from volition.logic import parse
from volition.logic.automata.hoa import to_hoa
from volition.logic.automata.translation import translate as to_automaton
from volition.logic.printing import show
from volition.logic.shape import is_ltl
from volition.logic.syntax import Formula, PathQuantifier

__all__ = ["command"]

MOST_DRAWN = 1000
"""States of a graph, unless a limit says otherwise: nobody looks at a larger one."""


@click.command("export", cls=ProgramCommand)
@program_argument
@click.option("--to", "target", required=True, type=click.Choice(["prism", "promela", "dot", "umb", "hoa"]), help="The tool to write for.")
@click.option("-p", "--property", "texts", metavar="FORMULA", multiple=True, help="A formula to translate; may be repeated.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a file, properties beside it (.props); by default, and with -, all goes to standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@limit_options
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    target: Target | Literal["dot", "umb", "hoa"],
    texts: Sequence[str],
    output: Path | None,
    force: bool,
    limits: Limits,
    screen: Screen,
) -> None:
    """Write PROGRAM as the input of another tool; prism and promela with its own properties, or with those given by -p.

    \b
    prism     the program, not its states, for PRISM and Storm (LISA, Dribble)
    promela   the program, not its states, for Spin (AgentSpeak(F))
    dot       its states as a graph, for Graphviz (any language; 1000 states unless --max-states says otherwise)
    umb       its states with probabilities and rewards in binary, for Storm (any language); -p names sets of states, p1, p2, ...
    hoa       the automata of the formulas given with -p, in the Hanoi format

    \b
    Examples:
      volition export examples/lisa/vessel_mdp --to prism -o vessel.prism
      volition export examples/agentspeak/auction --to promela -o auction.pml
      volition export examples/dribble/vacuum.dribble --to prism -p 'A [ F (B(c1) & B(c2)) ]' -o vacuum.prism
      volition export examples/dribble/vacuum.dribble --to dot -o vacuum.dot
      volition export examples/can/rover.can --to umb -p SS1 -p SS2 -o rover.umb
    """
    if texts and target == "dot":
        raise InputError([Diagnostic("CLI013", "a graph of states has no place for formulas", hint="leave -p out")])
    output = None if output == Path("-") else output
    beside = None if output is None else output.with_suffix(".props")
    expect_writable(output, force=force)
    loaded = load(program, settings)
    doubts = Diagnostics()
    formulas = {f"p{number}": parse(text, diagnostics=doubts) for number, text in enumerate(texts, start=1)}
    screen.diagnostics((*loaded.warnings, *doubts.warnings))
    if target == "umb":
        ctx.exit(_write_process(loaded, formulas, output, limits, screen))
    if target == "dot":
        written, complete = _graph(loaded, limits, screen)
    elif target == "hoa":
        written, complete = Translation(_automata(formulas)), True
    elif formulas:
        written, complete = translate(loaded, target, formulas), True
    else:
        (written, left_out), complete = translate_whole(loaded, target), True
        screen.diagnostics(left_out)
    if output is None or beside is None:
        # What is printed stays a program that the other tool reads.
        screen.plain(written.model + "".join(f"// {line.removeprefix('// ')}\n" for line in (written.properties or "").splitlines()))
    else:
        if written.properties:
            expect_writable(beside, force=force)
        write_files({output: written.model, **({beside: written.properties} if written.properties else {})})
    screen.document({"to": target, "model": written.model, "properties": written.properties, "complete": complete})
    ctx.exit(Exit.AS_EXPECTED if complete else Exit.STOPPED)


def _graph(program: Program, limits: Limits, screen: Screen) -> tuple[Translation, bool]:
    model = program.model()
    with shown_progress(screen.messages) as progress:
        space = explore(model.system, limits=limits if limits.states else replace(limits, states=MOST_DRAWN), progress=progress)
    if space.stopped is not None:
        screen.note(space.stopped.text)
    return Translation(to_dot(space, model)), space.complete


def _write_process(program: Program, formulas: Mapping[str, Formula], output: Path | None, limits: Limits, screen: Screen) -> Exit:
    """The states as an archive, which is not text: it goes into a file, or as it is to standard output."""
    if output is None and screen.as_json:
        raise InputError([Diagnostic("CLI009", "an archive cannot be printed as JSON", hint="name a file with -o")])
    with shown_progress(screen.messages) as progress:
        exploration, sets = explore_for(program, formulas.values(), limits=limits, progress=progress)
    space = exploration.space
    if space.stopped is not None:
        screen.note(space.stopped.text)
    archive = umb_archive(exploration.model, space, dict(zip(formulas, sets, strict=True)))
    if output is None:
        click.echo(archive, nl=False)
    else:
        write_file(output, archive)
    screen.document({"to": "umb", "states": space.num_states, "complete": space.complete})
    return Exit.AS_EXPECTED if space.complete else Exit.STOPPED


def _automata(formulas: Mapping[str, Formula]) -> str:
    if not formulas:
        raise InputError([Diagnostic("CLI008", "automata are made of formulas, and none is given", hint="give one with -p")])
    paths = [formula.path if isinstance(formula, PathQuantifier) else formula for formula in formulas.values()]
    others = [path for path in paths if not is_ltl(path)]
    if others:
        raise InputError([Diagnostic("CLI010", f"'{show(path)}' is not a formula of LTL, as automata need", path.span) for path in others])
    return "".join(to_hoa(to_automaton(path), name=show(path)) for path in paths)

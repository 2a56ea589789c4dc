"""``volition replay``: is a recorded run still one of the program?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from volition.cli.documents import replay_document
from volition.cli.exits import Exit
from volition.cli.options import ProgramCommand, display_options, program_argument
from volition.cli.rendering import replay_table
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostic, InputError
from volition.languages import load, read_source
from volition.telling.replay import replay

__all__ = ["command"]


@click.command("replay", cls=ProgramCommand)
@click.argument("trace", type=click.Path(path_type=Path))
@program_argument
@display_options
@click.pass_context
def command(ctx: click.Context, trace: Path, program: Path, settings: Mapping[str, str], screen: Screen) -> None:
    """Re-execute the run in the file TRACE on PROGRAM and say whether each step is still possible.

    A trace is what 'volition check --write-trace' writes, or what stands under "trace" in 'volition check --json'.
    Exit code 0 means that the run is still one of the program, 1 that it is not.

    \b
    Examples:
      volition check examples/dribble/vacuum.dribble --write-trace run.json
      volition replay run.json examples/dribble/vacuum_repaired.dribble
    """
    replayed = replay(_read(trace), load(program, settings))
    screen.print(replay_table(replayed))
    screen.document(replay_document(replayed))
    ctx.exit(Exit.AS_EXPECTED if replayed.possible else Exit.VIOLATED)


def _read(file: Path) -> Mapping[str, Any]:
    text = read_source(file).text
    try:
        trace: Mapping[str, Any] = json.loads(text)
        json.dumps(trace, ensure_ascii=False).encode()  # half a character, which JSON can say and nobody can print
    except json.JSONDecodeError as error:
        raise _unreadable(file, f"it is not JSON: {error.msg} in line {error.lineno}") from None
    except RecursionError:
        raise _unreadable(file, "it is nested too deeply") from None
    except UnicodeError:
        raise _unreadable(file, "it contains half a character") from None
    except ValueError:
        raise _unreadable(file, "it contains a number of thousands of digits") from None
    return trace


def _unreadable(file: Path, why: str) -> InputError:
    return InputError([Diagnostic("CLI007", f"'{file}' cannot be read as a trace: {why}")])

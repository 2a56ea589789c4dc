"""``volition view``: write a recorded run as an HTML page, or follow a run on a live page."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import click

from volition.api.viewing import view
from volition.cli.exit_and_files import expect_writable, write_file
from volition.cli.options import ProgramCommand, display_options, whole_number
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostic, InputError
from volition.runtime.view import LiveView

__all__ = ["command"]


@click.command("view", cls=ProgramCommand)
@click.argument(
    "records", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN [RUN]"
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the page to FILE (default: RUN with the suffix .html).",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--live",
    is_flag=True,
    help="Serve a page on this machine that follows the record while it is written, until Ctrl-C.",
)
@click.option(
    "--port",
    type=whole_number(1),
    metavar="N",
    help="With --live: the port to listen on (default: a free one).",
)
@display_options
def command(
    records: Sequence[Path],
    output: Path | None,
    force: bool,
    opened: bool,
    live: bool,
    port: int | None,
    screen: Screen,
) -> None:
    """Show the recorded run in the file RUN as one HTML page with the world, the state of the agent
    and values over time.

    With two runs, the page shows them side by side and marks the first difference. 'volition run
    --record' writes the records.

    \b
    Examples:
      volition run examples/lisa/vessel_repaired --record run.jsonl
      volition view run.jsonl --open
      volition view run.jsonl --live
    """
    if live:
        _follow(records, port or 0, screen, opened=opened)
        return
    page = view(*records).encode()
    output = output or records[0].with_suffix(".html")
    expect_writable(output, force=force)
    write_file(output, page)
    screen.print(f"{output}: {' and '.join(map(str, records))}")
    screen.document(lambda: {"page": str(output), "records": list(map(str, records))})
    if opened:
        webbrowser.open(output.resolve().as_uri())


def _follow(records: Sequence[Path], port: int, screen: Screen, *, opened: bool) -> None:
    if len(records) != 1:
        raise InputError(
            [
                Diagnostic(
                    "VIE001",
                    f"--live cannot follow {len(records)} records at once",
                    hint="give one record",
                )
            ]
        )
    try:
        served = LiveView(records[0], port=port)
    except (OSError, OverflowError) as error:
        raise InputError(
            [
                Diagnostic(
                    "VIE002",
                    f"cannot listen on port {port}: {error}",
                    hint="omit --port to use a free one",
                )
            ]
        ) from None
    screen.print(f"following {records[0]} on {served.address} (press Ctrl-C to stop)")
    if opened:
        threading.Timer(0.3, webbrowser.open, [served.address]).start()
    served.serve()

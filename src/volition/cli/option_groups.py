"""Headings under which the help text of a command groups its options.

An option has the same heading in every command. A command with few options keeps click's single
list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click

__all__ = ["HEADINGS", "MAX_UNGROUPED", "write_grouped_options"]

MAX_UNGROUPED = 10
"""Maximum number of options of a command that its help text lists without headings."""

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "Program": ("--set", "--settings", "--trust"),
    "Properties": (
        "--property",
        "--props",
        "--generic",
        "--per-event",
        "--all-belief-bases",
        "--fair",
        "--assume",
        "--observe",
        "--vary",
        "--cost",
        "--budget",
    ),
    "Evidence": ("--trace", "--strategy", "--write-trace"),
    "Runs": (
        "--seed",
        "--runs",
        "--max-steps",
        "--cycles",
        "--until",
        "--selector",
        "--objective",
        "--scheduler",
        "--num-schedulers",
        "--simulate",
        "--uniform",
        "--world",
        "--mission",
        "--real-time",
    ),
    "Method": (
        "--engine",
        "--exact",
        "--confidence",
        "--error",
        "--reduce",
        "--slice",
        "--derived-beliefs",
        "--closed-form",
        "--method",
        "--timing",
        "--no-robust",
        "--explore",
        "--resume",
    ),
    "Limits and resources": (
        "--depth",
        "--max-states",
        "--max-memory",
        "--timeout",
        "--jobs",
        "--cluster",
    ),
    "Output": (
        "--to",
        "--as",
        "--output",
        "--save",
        "--record",
        "--write",
        "--csv",
        "--plot",
        "--style",
        "--graph",
        "--force",
        "--coverage",
        "--explain",
        "--stats",
        "--quiet",
        "--json",
        "--no-color",
        "--help",
    ),
}
"""Options under each heading of a help text, by their first long spelling."""

_HEADING_OF = {option: heading for heading, options in HEADINGS.items() for option in options}


def write_grouped_options(
    parameters: Iterable[click.Parameter], ctx: click.Context, formatter: click.HelpFormatter
) -> bool:
    """Write the options of a command under their headings and return True; if the options are few,
    write nothing and return False.

    Options without a heading come last, under "Other".
    """
    rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (*HEADINGS, "Other")}
    for parameter in parameters:
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)):
            spelling = next((each for each in parameter.opts if each.startswith("--")), "")
            rows[_HEADING_OF.get(spelling, "Other")].append(record)
    if sum(map(len, rows.values())) <= MAX_UNGROUPED:
        return False
    for heading, group in rows.items():
        if group:
            with formatter.section(heading):
                formatter.write_dl(group)
    return True

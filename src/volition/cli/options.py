"""Options shared by several commands, with their units and default limits, and the base class of
commands, which reports input errors."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

import click

from volition.cli.exit_and_files import Exit
from volition.cli.option_groups import write_grouped_options
from volition.cli.permissions import trust_policy
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import KernelError
from volition.languages.common.deadline import time_limit
from volition.languages.common.settings import read_settings_file, report_duplicate
from volition.languages.common.trust import with_trust

__all__ = [
    "LimitOptions",
    "ProgramCommand",
    "depth_option",
    "display_options",
    "fraction_option",
    "limit_options",
    "point_limit_options",
    "program_argument",
    "stats_option",
    "time_option",
    "trust_option",
    "whole_number",
]


class ProgramCommand(click.Command):
    """Base class of the commands that print diagnostics.

    Input errors are shown as diagnostics and end the command with exit code 2. An option that takes
    one value must not be given twice; click would use the last value. The help text groups the
    options under headings.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if not write_grouped_options(self.get_params(ctx), ctx, formatter):
            super().format_options(ctx, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for param in given:
            if (
                isinstance(param, click.Option)
                and not param.multiple
                and not param.is_flag
                and given.count(param) > 1
            ):
                raise click.UsageError(
                    f"Option '{param.opts[0]}' takes one value, but is given more than once.", ctx
                )
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InputError as error:
            Screen(as_json=ctx.params["as_json"], no_color=ctx.params["no_color"]).print_errors(
                error.diagnostics
            )
            ctx.exit(Exit.BAD_INPUT)
        except KernelError as error:
            # The parser accepted the program, but its behaviour breaks a rule of the kernel. For
            # example, its environment in Python returns different choices for the same state.
            Screen(as_json=ctx.params["as_json"], no_color=ctx.params["no_color"]).print_errors(
                [Diagnostic("CLI001", f"the state space cannot be built: {error}")]
            )
            ctx.exit(Exit.BAD_INPUT)


# --- parsers of option values ---------------------------------------------------------------------


def _quantity(
    what: str,
    units: Mapping[str, int],
    examples: str,
    *,
    whole: bool = True,
    maximum: float = 2.0**62,
) -> Callable[[str], float]:
    """Return a parser for positive numbers with an optional unit, such as ``4G`` or ``5m``.
    ``units`` maps each unit to its factor; ``what`` and ``examples`` are for the error message.

    With ``whole``, the number must be at least 1. The parser returns ``maximum`` for a larger
    number; by default ``maximum`` is so large that no limit of this size can be reached.
    """

    def read(text: str) -> float:
        match = re.fullmatch(r"([0-9][0-9_]*(?:\.[0-9]+)?) ?([a-zA-Z]*)", text.strip())
        quantity = float(match[1]) * units.get(match[2].lower(), 0) if match else 0.0
        if quantity <= 0 or (whole and quantity < 1):
            raise click.BadParameter(f"'{text}' is not a positive {what}; write it like {examples}")
        return min(quantity, maximum)

    return read


def whole_number(minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    """Return a parser for an option value that is an integer from ``minimum`` to ``maximum``, with
    at most ``MAX_DIGITS`` digits."""

    def read(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]+", text.strip()) or (
            len(text) <= MAX_DIGITS and int(text) < minimum
        ):
            raise click.BadParameter(f"'{text}' is not a whole number of at least {minimum}")
        if len(text) > MAX_DIGITS:
            raise click.BadParameter(
                f"a number of {len(text)} digits is too large; the limit is {MAX_DIGITS} digits"
            )
        if maximum is not None and int(text) > maximum:
            raise click.BadParameter(f"'{text}' is too large; the maximum is {maximum}")
        return int(text)

    return read


def fraction_option(maximum: float) -> Callable[[str], float]:
    """Return a parser for an option value that is a number above 0 and below ``maximum``."""

    def read(text: str) -> float:
        number = float(text) if re.fullmatch(r"[0-9]*\.?[0-9]+", text.strip()) else 0.0
        if not 0 < number < maximum:
            raise click.BadParameter(f"'{text}' is not a number between 0 and {maximum:g}")
        return number

    return read


MAX_DIGITS = 18
"""Maximum number of digits of an integer option value: a longer one may not fit into 64 bits."""

_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}
_BYTES = {"": 1, "b": 1} | {
    prefix + suffix: 1024**power
    for power, prefix in enumerate("kmgt", 1)
    for suffix in ("", "b", "ib")
}
_COUNT = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}

_TIME = _quantity("time", _SECONDS, "30, 90s, 5m or 1h", whole=False, maximum=10.0**6)
_MEMORY = _quantity("size", _BYTES, "500M or 4G")
_STATES = _quantity("number", _COUNT, "50000, 200k or 10M")


def _read_settings(pairs: Sequence[str]) -> dict[str, str]:
    settings: list[tuple[str, str]] = []
    diagnostics = Diagnostics()
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not key:
            diagnostics.error("CLI011", f"the setting '{pair}' does not have the form key=value")
        else:
            settings.append((key, value))
    report_duplicate(settings, diagnostics)
    diagnostics.raise_errors()
    return dict(settings)


_CONTAINER = Path("/sys/fs/cgroup/memory.max")
"""File with the memory limit of a container (control groups, version 2)."""


def _default_memory_limit() -> int | None:
    """Return the default memory limit of an exploration in bytes: half of the main memory, or of
    the memory of the container. Return None if the size is unknown.

    The other half is for checking, which needs memory besides the states.
    """
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    try:
        allowed = int(_CONTAINER.read_text(encoding="ascii"))
    except (OSError, ValueError):
        allowed = memory
    return min(memory, allowed) // 2


# --- groups of options ----------------------------------------------------------------------------


def program_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the argument PROGRAM and the options for settings and trust.

    The command gets ``program`` (a path) and ``settings`` (a mapping).
    """
    help_text = "Set a parameter of the program or an option of its language; may be repeated."
    file_help = "Read settings from FILE, one KEY = VALUE per line; --set overrides them."

    @click.argument("program", type=click.Path(path_type=Path))
    @click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help=help_text)
    @click.option(
        "--settings",
        "settings_file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=file_help,
    )
    @trust_option
    @functools.wraps(function)
    def with_settings(
        *args: Any, settings: Sequence[str], settings_file: Path | None, **others: Any
    ) -> Any:
        from_file = {} if settings_file is None else read_settings_file(settings_file)
        return function(*args, settings=from_file | _read_settings(settings), **others)

    return with_settings


def trust_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the option ``--trust``, and run it with the trust policy of the user,
    which decides whether programs may run their own code."""

    @click.option(
        "--trust",
        is_flag=True,
        help="Allow the program to run its own code, such as a world in Python, for this command "
        "only.",
    )
    @functools.wraps(function)
    def run_trusted(*args: Any, trust: bool, **others: Any) -> Any:
        with with_trust(trust_policy(always=trust, may_ask=not others.get("as_json"))):
            return function(*args, **others)

    return run_trusted


depth_option = click.option(
    "--depth",
    type=whole_number(1),
    metavar="N",
    help="Explore only runs of at most N steps. An answer that depends on longer runs is unknown.",
)
stats_option = click.option(
    "--stats", is_flag=True, help="Show the size of the model and the time of each phase."
)


MAX_JOBS = 1024
"""Maximum number of threads or processes that ``--jobs`` accepts."""


class LimitOptions(TypedDict):
    """Limits of an exploration and its number of threads, as the user gives them by options. If the
    user gives no memory limit, ``max_memory`` is computed from the memory of the machine."""

    max_states: int | None
    max_memory: int | None
    timeout: float | None
    jobs: int | None


def _jobs_option(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option("--jobs", type=whole_number(1, MAX_JOBS), metavar="N", help=help_text)


def limit_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the options for limits and threads.

    The command gets ``limits``, whose keys are parameter names of the functions in
    :mod:`volition.api`.
    """
    jobs = _jobs_option(
        "Explore with N threads, which does not change the result (default: one per core, but one "
        "for small models)."
    )
    return _with_limits(jobs(function))


def point_limit_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command that checks a program at many points (parameter values) with the options
    for limits and worker processes.

    The command gets ``limits`` and ``processes``. Each point is explored by one thread.
    """

    @functools.wraps(function)
    def with_processes(*args: Any, limits: LimitOptions, **others: Any) -> Any:
        single_thread = LimitOptions(**{**limits, "jobs": None})
        return function(*args, limits=single_thread, processes=limits["jobs"], **others)

    jobs = _jobs_option("Compute N points at the same time (default: one per core).")
    return _with_limits(jobs(with_processes))


def _with_limits(function: Callable[..., Any]) -> Callable[..., Any]:
    memory_help = (
        "Stop when the states need this much memory (units: M, G; default: half of the main "
        "memory)."
    )

    @click.option(
        "--max-states", type=_STATES, metavar="N", help="Stop after N states (units: k, M)."
    )
    @click.option("--max-memory", type=_MEMORY, metavar="SIZE", help=memory_help)
    @click.option(
        "--timeout",
        type=_TIME,
        metavar="TIME",
        help="Stop after this time (units: s, m, h; default unit: s).",
    )
    @functools.wraps(function)
    def with_limits(
        *args: Any,
        max_states: float | None,
        max_memory: float | None,
        timeout: float | None,
        jobs: int | None,
        **others: Any,
    ) -> Any:
        memory = _whole(max_memory) or _default_memory_limit()
        limits = LimitOptions(
            max_states=_whole(max_states), max_memory=memory, timeout=timeout, jobs=jobs
        )
        with time_limit(timeout):
            return function(*args, limits=limits, **others)

    return with_limits


def time_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the option ``--timeout``. The command gets the parameter ``timeout``
    in seconds. Use this for commands that do not explore a state space, and therefore have no other
    limits; the others use :func:`limit_options`."""

    @click.option(
        "--timeout",
        type=_TIME,
        metavar="TIME",
        help="Stop after this time (units: s, m, h; default unit: s).",
    )
    @functools.wraps(function)
    def with_time(*args: Any, timeout: float | None, **others: Any) -> Any:
        with time_limit(timeout):
            return function(*args, timeout=timeout, **others)

    return with_time


def display_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with the options ``--json`` and ``--no-color``; the command gets
    ``screen``, to which it prints."""

    @click.option(
        "--json",
        "as_json",
        is_flag=True,
        help="Print the result as one JSON object on standard output.",
    )
    @click.option(
        "--no-color",
        is_flag=True,
        help="Disable colours; the environment variable NO_COLOR does the same.",
    )
    @functools.wraps(function)
    def with_screen(*args: Any, as_json: bool, no_color: bool, **others: Any) -> Any:
        return function(*args, screen=Screen(as_json=as_json, no_color=no_color), **others)

    return with_screen


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)

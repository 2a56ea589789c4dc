"""Registry of the formats of ``volition export``.

A format is a row of :data:`BUILT_IN`, or an entry point of another installed package in the group
``volition.export_formats`` that loads an :class:`ExportFormat`. To add a format, write a function
from an :class:`ExportRequest` to an :class:`ExportResult`, and add a row.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points

from volition.diagnostics import Diagnostic, InputError, did_you_mean
from volition.display import HtmlDisplay
from volition.kernel import ExplorationStop, Limits, Progress, StateSpace
from volition.languages.protocols import Program
from volition.logic.syntax import Formula

__all__ = [
    "ENTRY_POINTS",
    "ExportFormat",
    "ExportRequest",
    "ExportResult",
    "export_format",
    "export_formats",
]

ENTRY_POINTS = "volition.export_formats"
"""Group of the entry points with which other packages add formats."""


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What to export: a program, its state space if it is explored already, and named formulas.
    ``limits`` and ``progress`` are for an exploration of the program."""

    program: Program
    space: StateSpace | None
    formulas: Mapping[str, Formula]
    limits: Limits
    progress: Callable[[Progress], None] | None = None


@dataclass(frozen=True, slots=True, repr=False)
class ExportResult(HtmlDisplay):
    """Input for another tool that was made from a program: text, or the bytes of an archive; and
    the translated formulas, if the tool reads them from a separate file.

    ``states`` and ``stopped`` describe the exploration, if there was one. ``warnings`` say what was
    left out of the export and why.
    """

    target: str
    model: str | bytes
    properties: str | None = None
    states: int | None = None
    stopped: ExplorationStop | None = None
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the export contains all states."""
        return self.stopped is None

    def summary(self) -> str:
        """Return one line with the name of the format and the size of the export."""
        return (
            f"Exported to {self.target}: {len(self.model):,} "
            f"{'characters' if isinstance(self.model, str) else 'bytes'}"
        )

    def __str__(self) -> str:
        return self.model if isinstance(self.model, str) else repr(self)

    def __repr__(self) -> str:
        return f"<{self.summary()}>"


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: its name, the lines that describe it in the help text, and the function that
    exports, as ``module:function``. The module is imported when the format is used. A ``binary``
    format is an archive, which cannot be part of JSON output."""

    name: str
    description: tuple[str, ...]
    function: str
    binary: bool = False

    def export(self, request: ExportRequest) -> ExportResult:
        """Return the program of a request in this format."""
        module, _, name = self.function.partition(":")
        function: Callable[[ExportRequest], ExportResult] = getattr(
            importlib.import_module(module), name
        )
        return function(request)


BUILT_IN = (
    ExportFormat(
        "prism",
        ("the program, not its states, for PRISM and Storm (LISA, Dribble)",),
        "volition.exporters.targets:export_to_prism",
    ),
    ExportFormat(
        "promela",
        ("the program, not its states, for Spin (AgentSpeak(F))",),
        "volition.exporters.targets:export_to_promela",
    ),
    ExportFormat(
        "dot",
        (
            "the states as a graph, for Graphviz (all languages;",
            "at most 1000 states unless you allow more)",
        ),
        "volition.exporters.dot:export_to_dot",
    ),
    ExportFormat(
        "umb",
        (
            "the states with probabilities and rewards, in binary form, for Storm",
            "(all languages); the given formulas are labels p1, p2, ...",
        ),
        "volition.exporters.umb:export_to_umb",
        binary=True,
    ),
    ExportFormat(
        "hoa",
        ("the automata of the given formulas, in the Hanoi format",),
        "volition.exporters.hoa:export_to_hoa",
    ),
)
"""Formats of this package, in the order of the help text."""


@cache
def export_formats() -> Mapping[str, ExportFormat]:
    """Return all formats by name: those of this package, then those of other packages. A package
    cannot replace a built-in format."""
    added = [each.load() for each in entry_points(group=ENTRY_POINTS)]
    return {each.name: each for each in (*BUILT_IN, *added)} | {
        each.name: each for each in BUILT_IN
    }


def export_format(name: str) -> ExportFormat:
    """Return the format with a name, or raise :class:`InputError` if there is none."""
    formats = export_formats()
    if name not in formats:
        hint = did_you_mean(name, formats) or f"use {' or '.join(formats)}"
        raise InputError([Diagnostic("API007", f"unknown export format '{name}'", hint=hint)])
    return formats[name]

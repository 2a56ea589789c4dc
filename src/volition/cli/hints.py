"""Hints in the words of the command line: the library knows of no options, so what it advises is
said here with the option that does it."""

from __future__ import annotations

import re
from dataclasses import replace

from volition.diagnostics import Diagnostic

__all__ = ["WITH_OPTIONS", "with_options"]

WITH_OPTIONS = {
    (
        "CAN036",
        "use the names that steps have in runs",
    ): "use the names that steps have in runs: see 'volition check --trace full'",
    (
        "CAN036",
        "write it as it is told in runs",
    ): "write it as it is told in runs: see 'volition check --trace full'",
    (
        "CHK013",
        "use Pmin or Pmax, or let the uniform scheduler choose",
    ): "use Pmin or Pmax, or --scheduler uniform",
    (
        "CHK013",
        "use Rmin or Rmax, or let the uniform scheduler choose",
    ): "use Rmin or Rmax, or --scheduler uniform",
    ("CHK033", "bound all but one of them, or ask for the front of trade-offs"): (
        "bound all but one of them, or compute the Pareto front (volition pareto)"
    ),
    ("CHK034", "name two of them"): "give each with -p",
    ("CHK061", "check the program as it is"): "use 'volition check' instead",
    ("CHK067", "give the others one value each by a setting of the program, or write CSV"): (
        "fix the others with --set, or write CSV"
    ),
    ("CHK067", "leave the plot out"): "leave --plot out",
    ("CHK069", "start a Dask scheduler on the loopback address, and workers that connect to it"): (
        "start one with 'dask scheduler --host 127.0.0.1' and 'dask worker ADDRESS'"
    ),
    ("CHK072", "give it one value by a setting of the program"): "fix its value with --set",
    ("CHK073", "give one"): "give one with -p",
    ("CHK074", "if memory ran out, compute fewer points at a time"): (
        "if it ran out of memory, lower --processes or --jobs"
    ),
    (
        "CHK084",
        "write it in the language of Graphviz, and let that lay it out",
    ): "write it with --as dot and draw it with Graphviz",
    (
        "CHK090",
        "the engine 'storm' computes probabilities and rewards, and 'auto' chooses for you",
    ): ("--engine storm computes probabilities and rewards, and auto chooses for you"),
    ("CHK091", "the engine 'native' respects them"): "use --engine native",
    ("CHK092", "the engine 'auto' answers everything"): "--engine auto answers everything",
    (
        "EXP014",
        "check the program with the engine 'native', which answers it",
    ): "use 'volition check' without --engine, which answers it",
    (
        "GWN083",
        "describe it in a .world file of the same name, or name one by the setting 'world'; 'none' "
        "does without a world",
    ): (
        "describe it in a .world file of the same name, or give --set world=FILE; --set world=none "
        "does without a world"
    ),
    (
        "LRN004",
        "other windows are found by the timings 'every-cycle' and 'fit'",
    ): "use --timing every-cycle or --timing fit",
    ("LRN005", "leave the plot out"): "leave --plot out",
    ("SPC001", "save_space writes one"): "'volition explore PROGRAM --save FILE' writes one",
    ("SPC007", "explore the program for this formula, or ask the program, not its states"): (
        "explore the program with --for and this formula, or ask the program, not its states"
    ),
    ("STU005", "leave it out for a free one"): "leave out --port for a free one",
    ("CLI002", "give one, or a file of them"): "give one with -p, or a property file with --props",
    ("CLI008", "give one"): "give one with -p",
    ("CLI013", "leave the formulas out"): "remove -p",
    ("CLI019", "check it as it is"): "remove --all-bases",
}
"""The hint for each code and neutral hint."""

_SETTING = re.compile(r"the setting (\w+=\S+)")
"""A setting with the value that is advised, which the library computes."""


def with_options(diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic with its hint in the words of the command line."""
    neutral = diagnostic.hint or ""
    hint = WITH_OPTIONS.get((diagnostic.code, neutral)) or _SETTING.sub(r"--set \1", neutral)
    return diagnostic if hint == neutral else replace(diagnostic, hint=hint)

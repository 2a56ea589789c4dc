"""Replacement of hints in diagnostics by hints that name command-line options.

The library does not depend on the command line, so its hints do not mention options. The table in
this module maps such a hint to one that names the option.
"""

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
        "write it as runs print it",
    ): "write it as runs print it: see 'volition check --trace full'",
    (
        "CHK013",
        "use Pmin or Pmax, or the uniform scheduler",
    ): "use Pmin or Pmax, or --scheduler uniform",
    (
        "CHK013",
        "use Rmin or Rmax, or the uniform scheduler",
    ): "use Rmin or Rmax, or --scheduler uniform",
    ("CHK033", "bound all but one of them, or compute the Pareto front"): (
        "bound all but one of them, or compute the Pareto front (volition pareto)"
    ),
    ("CHK034", "name two of them"): "give each with -p",
    ("CHK077", "check the program as it is"): "use 'volition check' instead",
    ("CHK067", "set the others to a single value each, or write CSV"): (
        "set the others to a single value each with --set, or write CSV"
    ),
    ("CHK067", "leave the plot out"): "leave --plot out",
    ("CHK076", "start a Dask scheduler on the loopback address, and workers that connect to it"): (
        "start one with 'dask scheduler --host 127.0.0.1' and 'dask worker ADDRESS'"
    ),
    ("CHK072", "set it to a single value"): "set it to a single value with --set",
    ("CHK073", "give one"): "give one with -p",
    ("CHK074", "if memory ran out, compute fewer points at a time"): (
        "if it ran out of memory, lower --jobs"
    ),
    (
        "CHK084",
        "write it as DOT text, and draw it with Graphviz",
    ): "write it with --as dot and draw it with Graphviz",
    (
        "CHK090",
        "the engine 'storm' computes probabilities and rewards, and 'auto' chooses for you",
    ): ("--engine storm computes probabilities and rewards, and auto chooses for you"),
    ("CHK091", "use the engine 'native'"): "use --engine native",
    ("CHK092", "the engine 'auto' supports every formula"): "--engine auto supports every formula",
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
        "the timings 'every-cycle' and 'fit' do not use mu and sigma of the program",
    ): "use --timing every-cycle or --timing fit, which do not use mu and sigma of the program",
    ("LRN005", "leave the plot out"): "leave --plot out",
    ("SPC001", "save_space writes one"): "'volition explore PROGRAM --save FILE' writes one",
    ("SPC007", "explore the program again with this formula, or check the program itself"): (
        "explore the program with --observe and this formula, or check the program itself"
    ),
    ("STU005", "omit the port to use a free one"): "omit --port to use a free one",
    ("CLI002", "give one, or a file of them"): "give one with -p, or a property file with --props",
    ("CLI008", "give one"): "give one with -p",
    ("CLI013", "leave the formulas out"): "remove -p",
    ("CLI019", "check it as it is"): "remove --all-belief-bases",
}
"""Hints that name command-line options, by the error code and the hint of the library that they
replace."""

_SETTING = re.compile(r"the setting (\w+=\S+)")
"""Recommended setting in a hint of the library, such as ``the setting nesting=1000``."""


def with_options(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic with a hint that names command-line options, if this module has such a
    hint for it. Otherwise return the diagnostic unchanged."""
    library_hint = diagnostic.hint or ""
    hint = WITH_OPTIONS.get((diagnostic.code, library_hint)) or _SETTING.sub(
        r"--set \1", library_hint
    )
    return diagnostic if hint == library_hint else replace(diagnostic, hint=hint)

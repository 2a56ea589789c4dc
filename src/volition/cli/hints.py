"""What a hint of the library means on the command line: there the thing to do has the name of an option."""

from __future__ import annotations

from dataclasses import replace

from volition.diagnostics import Diagnostic

__all__ = ["with_options"]

_OPTIONS: dict[str, tuple[str, ...]] = {
    "CHK034": ("give two formulas or more", "give each with -p"),
    "CHK061": ("check answers", "'volition check' answers"),
    "CHK067": ("leave the plot out", "leave --plot out", "one value each", "one value each with --set"),
    "CHK072": ("one value", "one value with --set"),
    "CHK073": ("ask one", "ask one with -p"),
    "CHK074": ("at a time", "at a time with --processes"),
    "CHK084": ("write it as dot", "write it with --as dot"),
    "CHK090": ("the engine storm", "--engine storm"),
    "CHK091": ("the engine native", "--engine native"),
    "CHK092": ("the engine auto", "--engine auto"),
    "CLI002": ("ask one, or name a file of them", "ask one with -p, or name a file of them with --props"),
    "CLI008": ("give one", "give one with -p"),
    "CLI013": ("leave the formulas out", "leave -p out"),
    "CLI019": ("check it as it is", "leave out --all-bases"),
}
"""For each code the words of a hint, each followed by the same with the option."""


def with_options(diagnostic: Diagnostic) -> Diagnostic:
    """The same diagnostic with a hint that names the option."""
    if diagnostic.hint is None or diagnostic.code not in _OPTIONS:
        return diagnostic
    hint, words = diagnostic.hint, _OPTIONS[diagnostic.code]
    for neutral, option in zip(words[::2], words[1::2], strict=True):
        hint = hint.replace(neutral, option)
    return replace(diagnostic, hint=hint)

"""The rules of a language by the names that runs give them, as its page lists them.

A run says of every step by which rules it was derived.  The table says where each rule is printed
and what it does; a test compares it with the page of the language, and with the steps of the
examples.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["SemanticRule", "find_rule"]


@dataclass(frozen=True, slots=True)
class SemanticRule:
    """A rule: its name, where it is printed, and what it does in a line of words.

    ``about`` stands for what a run writes in brackets behind the name: ``Rule("A_step", "n", ...)``
    is ``A_step(1)`` in a run.
    """

    name: str
    argument: str
    reference: str
    description: str

    def __str__(self) -> str:
        return f"{self.name}({self.argument})" if self.argument else self.name


def find_rule(name: str, rules: Iterable[SemanticRule]) -> SemanticRule | None:
    """The rule that a run calls by a name; one with exactly this name goes before one with
    something in brackets behind it."""
    known = {(rule.name, bool(rule.argument)): rule for rule in rules}
    stem, bracket, rest = name.partition("(")
    about = bool(bracket) and rest.endswith(")") and len(rest) > 1
    return known.get((name, False)) or (known.get((stem, True)) if about else None)

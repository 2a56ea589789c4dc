"""Inference rules of a language's semantics, with the names by which runs refer to them.

Every step of a run names the rules that derived it. Each language has a table of its rules, which
says where each rule is printed and what it does. A test compares this table with the documentation
page of the language and with the steps of the examples.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["SemanticRule", "find_rule"]


@dataclass(frozen=True, slots=True)
class SemanticRule:
    """Inference rule of a language's semantics: its name, the place in the literature where it is
    printed, and a one-line description.

    ``argument`` stands for what a run puts in parentheses after the name: ``SemanticRule("A_step",
    "n", ...)`` appears as ``A_step(1)`` in a run.
    """

    name: str
    argument: str
    reference: str
    description: str

    def __str__(self) -> str:
        return f"{self.name}({self.argument})" if self.argument else self.name


def find_rule(name: str, rules: Iterable[SemanticRule]) -> SemanticRule | None:
    """Return the rule in ``rules`` to which a name in a run refers, or None if there is none.

    ``name`` is the text in the run, such as ``A_step(1)``. If no rule without an argument has
    exactly this name, the text in parentheses counts as the argument, and the rule with the name
    before the parentheses is returned (``A_step``).
    """
    known = {(rule.name, bool(rule.argument)): rule for rule in rules}
    stem, bracket, rest = name.partition("(")
    about = bool(bracket) and rest.endswith(")") and len(rest) > 1
    return known.get((name, False)) or (known.get((stem, True)) if about else None)

"""Translation of the property sentences of the public CAN tool, such as "In some executions,
eventually the belief b holds.", to formulas."""

from __future__ import annotations

import re
from dataclasses import replace

from volition.diagnostics import Diagnostics
from volition.languages.can.sections import NAME
from volition.languages.protocols import UnparsedProperty

__all__ = ["SENTENCES", "as_formula", "formula_of_sentence"]

SENTENCES = (
    "In all possible executions, eventually the belief b holds.",
    "In some executions, eventually the belief b holds.",
    "In all possible executions, eventually the beliefs (b1, b2) hold.",
    "In some executions, eventually the beliefs (b1, b2) hold.",
    "What is the maximum probability that eventually the belief b holds.",
    "What is the minimum probability that eventually the belief b holds.",
)
"""English sentences of the public CAN tool that can be translated to formulas. ``b``, ``b1`` and
``b2`` stand for any beliefs."""

_BELIEFS = (
    rf"(?:the belief (?P<one>{NAME}) holds|the beliefs \((?P<many>{NAME}(?:\s*,\s*{NAME})*)\) hold)"
)
_QUESTION = (
    r"(?P<question>In all possible executions,|In some executions,|What is the "
    r"(?:max|min)imum probability that)"
)
_SENTENCE = re.compile(rf"{_QUESTION} eventually {_BELIEFS}[.?]?")
_LIKE_A_SENTENCE = re.compile(r"(In|What)\s", re.IGNORECASE)
_OPERATORS = {
    "In all": "A",
    "In some": "E",
    "What is the max": "Pmax=?",
    "What is the min": "Pmin=?",
}


def as_formula(stated: UnparsedProperty, diagnostics: Diagnostics) -> UnparsedProperty | None:
    """Return a property, with its text translated to a formula if it is an English sentence of the
    public CAN tool. Report an error and return None if it is an unknown sentence."""
    if not _LIKE_A_SENTENCE.match(stated.text):
        return stated
    formula = formula_of_sentence(stated.text)
    if formula is None:
        diagnostics.error(
            "CAN006",
            "unknown kind of property",
            stated.span,
            hint="expected one of: " + " ".join(SENTENCES),
        )
        return None
    return replace(stated, text=formula)


def formula_of_sentence(text: str) -> str | None:
    """Return the formula for an English sentence of the public CAN tool, or None if the text
    matches none of the :data:`SENTENCES`."""
    sentence = _SENTENCE.fullmatch(" ".join(text.split()))
    if sentence is None:
        return None
    beliefs = sentence["one"] or " & ".join(re.split(r"\s*,\s*", sentence["many"]))
    operator = next(
        formula for words, formula in _OPERATORS.items() if sentence["question"].startswith(words)
    )
    return f"{operator} [ F Bel({beliefs}) ]"

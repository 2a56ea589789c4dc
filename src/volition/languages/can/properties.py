"""The section of the properties: formulas, with the result that is expected above them, and the public tool's sentences.

One property stands on one line; a line that begins with a space goes on with the one before.  A name for people may
stand in front (``"both done": Pmax=? [ F done ]``), the expected result in a comment above or behind (``// RESULT: 0.6561``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from volition.diagnostics import Diagnostics, Source
from volition.languages.can.sections import NAME
from volition.languages.model import StatedProperty

__all__ = ["SENTENCES", "as_formula", "formula_of_sentence", "read_properties"]

SENTENCES = (
    "In all possible executions, eventually the belief b holds.",
    "In some executions, eventually the belief b holds.",
    "In all possible executions, eventually the beliefs (b1, b2) hold.",
    "In some executions, eventually the beliefs (b1, b2) hold.",
    "What is the maximum probability that eventually the belief b holds.",
    "What is the minimum probability that eventually the belief b holds.",
)
"""The sentences of the public CAN tool that are read as formulas."""

_LINE = re.compile(r"^[^\n]*$", re.MULTILINE)
_RESULT = re.compile(r"\s*//\s*RESULT\s*:\s*(.*?)\s*$", re.IGNORECASE)
_RESULT_BEHIND = re.compile(r"[ \t]*//[ \t]*RESULT[ \t]*:([^\n]*)", re.IGNORECASE)
_COMMENT = re.compile(r"\s//.*$", re.DOTALL)
_TITLE = re.compile(r'"([^"\n]*)"\s*:\s*')
_BELIEFS = rf"(?:the belief (?P<one>{NAME}) holds|the beliefs \((?P<many>{NAME}(?:\s*,\s*{NAME})*)\) hold)"
_QUESTION = r"(?P<question>In all possible executions,|In some executions,|What is the (?:max|min)imum probability that)"
_SENTENCE = re.compile(rf"{_QUESTION} eventually {_BELIEFS}[.?]?")
_LIKE_A_SENTENCE = re.compile(r"(In|What)\s", re.IGNORECASE)
_OPERATORS = {"In all": "A", "In some": "E", "What is the max": "Pmax=?", "What is the min": "Pmin=?"}


def read_properties(source: Source, start: int, end: int, diagnostics: Diagnostics) -> list[StatedProperty]:
    """The properties in a part of a source, in their order."""
    stated = []
    expected: str | None = None
    for begin, stop in _property_lines(source.text, start, end):
        line = source.text[begin:stop]
        if result := _RESULT.match(line):
            expected = result[1]
            continue
        title = _TITLE.match(line)
        begin += title.end() if title else 0
        text = source.text[begin:stop]
        span = source.span(begin, stop)
        if behind := _RESULT_BEHIND.match(source.text, stop, end):
            if expected is not None:
                diagnostics.error("LOG016", "this property has a result already", span, hint="leave one of the two out")
            expected = behind[1].strip()
        found = as_formula(StatedProperty(text, span, expected, title[1] if title else None), diagnostics)
        stated += [] if found is None else [found]
        expected = None
    return stated


def as_formula(stated: StatedProperty, diagnostics: Diagnostics) -> StatedProperty | None:
    """The property with a formula in the place of a sentence; None, with an error, for a sentence that is not known."""
    if not _LIKE_A_SENTENCE.match(stated.text):
        return stated
    formula = formula_of_sentence(stated.text)
    if formula is None:
        diagnostics.error("CAN006", "this sentence is not one that is known", stated.span, hint="known are: " + " ".join(SENTENCES))
        return None
    return replace(stated, text=formula)


def formula_of_sentence(text: str) -> str | None:
    """The formula for one of the public tool's sentences, or None if it is not one."""
    sentence = _SENTENCE.fullmatch(" ".join(text.split()))
    if sentence is None:
        return None
    beliefs = sentence["one"] or " & ".join(re.split(r"\s*,\s*", sentence["many"]))
    operator = next(formula for words, formula in _OPERATORS.items() if sentence["question"].startswith(words))
    return f"{operator} [ F Bel({beliefs}) ]"


def _property_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where each property and each RESULT comment begins and ends; other comments and empty lines are left out."""
    found: list[tuple[int, int]] = []
    for line in _LINE.finditer(text, start, end):
        whole = line[0].rstrip()
        is_result = _RESULT.match(whole) is not None
        bare = whole if is_result else _COMMENT.sub("", f" {whole}")[1:].rstrip()
        if not bare.strip() or (not is_result and bare.lstrip().startswith("//")):
            continue
        if not is_result and bare[0].isspace() and found and not _RESULT.match(text, found[-1][0], found[-1][1]):
            found[-1] = (found[-1][0], line.start() + len(bare))
        else:
            found.append((line.start() + len(bare) - len(bare.lstrip()), line.start() + len(bare)))
    return iter(found)

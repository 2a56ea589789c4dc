"""The words of the formula language.

One table lists every spelling of every operator, so that formulas of PRISM and Storm, Spin, NuSMV and of the literature
are read alike.  Words that mean something only in their place (``R`` is release between two formulas and a reward in
front of one) stay names here and are told apart by the parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from volition.diagnostics import Source, Span

__all__ = ["SYMBOLS", "WORDS", "Token", "tokenize"]

SYMBOLS: dict[str, str] = {
    "<->": "iff", "<=>": "iff", "↔": "iff", "⇔": "iff",
    "->": "implies", "=>": "implies", "→": "implies", "⇒": "implies",
    "||": "or", "|": "or", "\\/": "or", "∨": "or",
    "&&": "and", "&": "and", "/\\": "and", "∧": "and",
    "~": "not", "!": "not", "¬": "not",
    "[]": "always", "□": "always", "◻": "always",
    "<>": "eventually", "◇": "eventually", "◊": "eventually",
    "○": "next", "◯": "next",
    "∀": "forall", "∃": "exists",
    "⊤": "true", "⊥": "false",
    "=?": "=?",
    "<=": "<=", "≤": "<=", ">=": ">=", "≥": ">=", "!=": "!=", "≠": "!=", "==": "=", "=": "=", "<": "<", ">": ">",
    "+": "+", "-": "-", "*": "*", "/": "/",
    "(": "(", ")": ")", "[": "[", "]": "]", "{": "{", "}": "}", ",": ",", ".": ".",
}  # fmt: skip
"""Spelling ▶ kind of token."""

WORDS: dict[str, str] = {"not": "not", "and": "and", "or": "or", "true": "true", "false": "false", "forall": "forall", "exists": "exists"}
"""Names that are operators wherever they stand."""

_PATTERN = re.compile(
    r"(?P<space>\s+|//[^\n]*)"
    r'|(?P<string>"[^"\n]*")'
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*'*)"
    r"|(?P<symbol>" + "|".join(re.escape(symbol) for symbol in sorted(SYMBOLS, key=len, reverse=True)) + ")"
)


@dataclass(frozen=True, slots=True)
class Token:
    """``kind`` is ``name``, ``number``, ``string``, ``end``, or the kind of an operator."""

    kind: str
    text: str
    span: Span


def tokenize(source: Source, start: int, end: int) -> list[Token]:
    """All tokens of ``source.text[start:end]`` and a last one of kind ``end``.

    Characters that belong to no token are left in as tokens of kind ``unknown``: what stands inside an atom belongs to
    the programming language and may contain any character.
    """
    tokens: list[Token] = []
    position = start
    while position < end:
        match = _PATTERN.match(source.text, position, end)
        if match is None:
            tokens.append(Token("unknown", source.text[position], source.span(position, position + 1)))
            position += 1
            continue
        text, position = match.group(), match.end()
        if match.lastgroup == "space":
            continue
        kind = match.lastgroup or ""
        if kind == "symbol":
            kind = SYMBOLS[text]
        elif kind == "name":
            kind = WORDS.get(text, "name")
        tokens.append(Token(kind, text, source.span(match.start(), match.end())))
    last = max(start, start + len(source.text[start:end].rstrip()))
    tokens.append(Token("end", "", source.span(last, last + 1)))
    return tokens

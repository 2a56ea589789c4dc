"""The words of the formula language.

One table lists every spelling of every operator, so that formulas of PRISM and Storm, Spin, NuSMV and of the literature
are read alike.  Words that mean something only in their place (``R`` is release between two formulas and a reward in
front of one) stay names here and are told apart by the parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from volition.diagnostics import Diagnostic, InputError, Source, Span

__all__ = ["SYMBOLS", "WORDS", "Token", "closing_bracket", "tokenize"]

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

_CLOSING = {"(": ")", "[": "]", "{": "}"}

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


def closing_bracket(source: Source, opening: int, end: int) -> int:
    """The offset of the bracket that closes the one at ``opening``.

    Brackets inside quotes do not count.  A single quote opens a quotation only where no letter stands before it, so
    that an apostrophe (``I don't know``) does not.
    """
    text = source.text
    waiting = [opening]
    position = opening + 1
    while position < end:
        character = text[position]
        if character == '"' or (character == "'" and not text[position - 1].isalnum()):
            closing = text.find(character, position + 1, end)
            if closing < 0 and character == '"':
                raise InputError(
                    [Diagnostic("LOG002", "missing closing quotation mark", source.span(position, position + 1), 'add a closing "')]
                )
            position = max(closing, position)
        elif character in _CLOSING:
            waiting.append(position)
        elif character in _CLOSING.values():
            expected = _CLOSING[text[waiting[-1]]]
            if character != expected:
                message = f"'{character}' does not close '{text[waiting[-1]]}'"
                raise InputError([Diagnostic("LOG002", message, source.span(position, position + 1), f"expected '{expected}'")])
            waiting.pop()
            if not waiting:
                return position
        position += 1
    place = waiting[-1]
    raise InputError(
        [Diagnostic("LOG002", f"'{text[place]}' is never closed", source.span(place, place + 1), f"add '{_CLOSING[text[place]]}'")]
    )

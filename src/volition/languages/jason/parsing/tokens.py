"""The words of Jason's files, and :class:`Tokens`, which a reader walks along.

A name may have dots inside and one at its beginning (``.send``, ``jia.near``), so the full stop
that ends a statement is a dot without a letter, digit or underscore right behind it.  ``-+``,
``++``, ``--``, ``+<`` and ``+>`` are two words each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span

__all__ = [
    "MAX_LEVELS",
    "NAME",
    "NUMBER",
    "RESERVED",
    "STOP",
    "STRING",
    "VARIABLE",
    "Token",
    "Tokens",
    "syntax_error",
]

NAME, VARIABLE, NUMBER, STRING, STOP, END = (
    "a name",
    "a variable",
    "a number",
    "a string",
    ".",
    "the end of the text",
)
"""Kinds of tokens, as messages call them; signs and reserved words are their own kind."""

RESERVED = frozenset(
    ["true", "false", "not", "div", "mod", "begin", "end", "if", "else", "elif", "for", "while"]
)
MAX_LEVELS = 60
"""How deep brackets may nest; each level takes several calls to read."""

_OPENING, _CLOSING = {"(": ")", "[": "]", "{": "}"}, frozenset(")]}")
_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<number>\d+\.\d+(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?(?!\w))
    |(?P<variable>[A-Z]\w*|_\w*)
    |(?P<name>(?:[^\W\d_]|\.(?=\w))(?:\w|\.(?=\w))*|'[^'\n]*')
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<comment>/\*)
    |(?P<sign>\|\|\||\|&\||=\.\.|<>|:=|\\==|=:=|=\\=|!=|\\=|\\\+|&&|\|\||=<|->|<-|<:|:-|::|!!|\*\*|<=|>=|==|[-+*/<>=!?&|~@^:;,.(){}\[\]\#])
    |(?P<quotation>["'][^\n,;)\]}]*)
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS = {"number": NUMBER, "variable": VARIABLE, "string": STRING}
_UNFINISHED = {"comment": "this comment has no end", "quotation": "this quotation has no end"}
_HABITS = {
    "!=": "\\==",
    "\\=": "\\==",
    "=\\=": "\\==",
    "=:=": "==",
    "=<": "<=",
    "is": "=",
    ":=": "=",
    "<>": "\\==",
    "&&": "&",
    "and": "&",
    "||": "|",
    "or": "|",
    "\\+": "not",
    "->": "<-",
}
"""What people write who come from other languages, and what it is in Jason."""

_BEGINS_PLAN = frozenset("+-^@")


class Token(NamedTuple):
    """A word of a text, with its place."""

    kind: str
    text: str
    start: int
    end: int


def syntax_error(message: str, span: Span, hint: str | None = None) -> InputError:
    """What a reader raises where a text goes on as it cannot."""
    return InputError([Diagnostic("JSN001", message, span, hint)])


def _tokens_in(source: Source, start: int, end: int, diagnostics: Diagnostics) -> list[Token]:
    """The tokens of a text; a quotation without an end is one up to where it was probably meant to
    end, so that reading goes on."""
    found: list[Token] = []
    for match in _TOKEN.finditer(source.text, start, end):
        group, text = match.lastgroup or "", match.group()
        if group == "blank":
            continue
        if group in ("comment", "quotation"):
            diagnostics.error(
                "JSN001", _UNFINISHED[group], source.span(match.start(), match.start() + 1)
            )
            if group == "comment":
                break
            group = "string"
        if group == "other":
            diagnostics.error("JSN001", f"unexpected '{text}'", source.span(*match.span()))
            continue
        kind = text if group == "sign" or text in RESERVED else _KINDS.get(group, NAME)
        found.append(Token(kind, text, *match.span()))
    return found


class Tokens:
    """The tokens of a part of a text, one after the other; what no token is goes to ``diagnostics``
    at once."""

    def __init__(
        self, source: Source, diagnostics: Diagnostics, start: int = 0, end: int | None = None
    ) -> None:
        self.source, self.diagnostics = source, diagnostics
        stop = len(source.text) if end is None else end
        self._tokens = _tokens_in(source, start, stop, diagnostics)
        last = self._tokens[-1].end if self._tokens else start
        self._tokens.append(Token(END, "", max(last - 1, start), last))
        self._position = self._begun = 0
        self._inside = _brackets(self._tokens)

    # --- looking ----------------------------------------------------------------------------------

    @property
    def next(self) -> Token:
        return self._tokens[self._position]

    def ahead(self, by: int = 1) -> Token:
        """The token that many places behind the next one."""
        return self._tokens[min(self._position + by, len(self._tokens) - 1)]

    @property
    def at_end(self) -> bool:
        return self.next.kind == END

    def bracket_holds(self, *kinds: str) -> bool:
        """Whether one of these signs stands in the bracket that is opened next, and in none inside
        of it."""
        return not self._inside[self._position].isdisjoint(kinds)

    def begin_statement(self) -> None:
        """What is read from here on is one statement."""
        self._begun = self._position

    # --- going on ---------------------------------------------------------------------------------

    def take(self) -> Token:
        token = self.next
        if token.kind != END:
            self._position += 1
        return token

    def taken(self, *kinds: str) -> Token | None:
        """The next token, if it is of one of these kinds."""
        return self.take() if self.next.kind in kinds else None

    def expect(self, *kinds: str) -> Token:
        """The next token, which must be of one of these kinds."""
        return self.take() if self.next.kind in kinds else self.fail(*kinds)

    def close(self, kind: str, *others: str) -> Token:
        """The next token, which must be of that kind, though ``others`` could stand here as
        well."""
        return self.take() if self.next.kind == kind else self.fail(kind, *others)

    def fail(self, *kinds: str, hint: str | None = None) -> Token:
        """Raises that the next token cannot stand here; ``kinds`` are what could."""
        token = self.next
        requested = [each if " " in each else f"'{each}'" for each in kinds]
        expected = f"expected {' or '.join(requested)}" if requested else None
        if token.text in _HABITS:
            hint = f"write {_HABITS[token.text]}"
        elif STOP in kinds:
            self._expect_no_line_before(requested)
            if token.kind == NAME and token.text.startswith("."):
                hint = "a full stop that ends a statement needs a space behind it"
        found = "end" if token.kind == END else f"'{token.text}'"
        raise syntax_error(
            f"unexpected {found}", self.source.span(token.start, token.end), hint or expected
        )

    def _expect_no_line_before(self, requested: Sequence[str]) -> None:
        """Raises that something is missing at the end of the line before, if the next token begins
        a line, or belongs to a plan that does.

        Reading can go on there: ``+!g <- a`` and, in the next line, ``+b <- c.`` are two plans,
        though ``a + b`` is a term.
        """
        index = self._position
        while (
            index > self._begun
            and "\n"
            not in self.source.text[self._tokens[index - 1].end : self._tokens[index].start]
        ):
            index -= 1
        first = self._tokens[index]
        begins_plan = (
            first.kind in _BEGINS_PLAN
            and self.is_first_in_line(first)
            and self.next.kind in ("<-", ":")
        )
        if (
            index <= self._begun
            or first.kind == END
            or not (index == self._position or begins_plan)
        ):
            return
        self._position = index
        before = self._tokens[index - 1]
        missing, hint = " or ".join(requested), None
        if self.is_first_in_line(first):
            missing, hint = f"'{STOP}'", "a statement ends with a full stop"
        raise syntax_error(f"missing {missing}", self.source.span(before.end - 1, before.end), hint)

    def skip_to(self, *kinds: str) -> None:
        """Goes on until the next token is of one of these kinds, or the text ends."""
        while not self.at_end and self.next.kind not in kinds:
            self.take()

    def skip_bracket(self) -> None:
        """Goes on behind the bracket that is opened next."""
        depth = 0
        while not self.at_end:
            kind = self.take().kind
            depth += (kind in _OPENING) - (kind in _CLOSING)
            if depth <= 0:
                return

    # --- places -----------------------------------------------------------------------------------

    def span(self, first: Token) -> Span:
        """From a token to the last one that was taken."""
        return self.source.span(first.start, max(self._tokens[self._position - 1].end, first.end))

    def place(self, token: Token) -> Span:
        return self.source.span(token.start, token.end)

    @property
    def mark(self) -> int:
        """Where the reader is: whoever has come no further after a mistake must skip something."""
        return self._position

    def is_first_in_line(self, token: Token) -> bool:
        """Whether a token stands at the very beginning of its line."""
        return self.source.position(token.start)[1] == 1


def _brackets(tokens: Sequence[Token]) -> list[frozenset[str]]:
    """For each token that opens a bracket, the kinds of the tokens right inside of it; found once,
    so that reading needs no second try."""
    inside: list[frozenset[str]] = [frozenset()] * len(tokens)
    opened: list[tuple[int, set[str]]] = []
    for index, token in enumerate(tokens):
        if token.kind in _CLOSING and opened:
            opener, kinds = opened.pop()
            inside[opener] = frozenset(kinds)
        elif opened:
            opened[-1][1].add(token.kind)
        if token.kind in _OPENING:
            opened.append((index, set()))
    return inside

"""Tokens of ``.asl`` and ``.mas2j`` files, and :class:`Tokens`, the base class of the parsers.

A name may contain dots and begin with one (``.send``, ``jia.near``). So the full stop that ends a
statement is a dot that is not followed by a letter, digit or underscore. ``-+``, ``++``, ``--``,
``+<`` and ``+>`` are two tokens each.
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
"""Kinds of tokens, as shown in messages. The kind of a sign or reserved word is its text."""

RESERVED = frozenset(
    ["true", "false", "not", "div", "mod", "begin", "end", "if", "else", "elif", "for", "while"]
)
MAX_LEVELS = 60
"""Maximum nesting depth of brackets. It avoids a stack overflow, because the parser makes several
recursive calls for each level."""

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
_FOREIGN_OPERATORS = {
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
"""Map from operators of other languages, such as ``&&``, to those of Jason, for hints."""

_BEGINS_PLAN = frozenset("+-^@")


class Token(NamedTuple):
    """Token of a source: its kind, its text, and its start and end offsets."""

    kind: str
    text: str
    start: int
    end: int


def syntax_error(message: str, span: Span, hint: str | None = None) -> InputError:
    """Return the exception that reports a syntax error (JSN001) at ``span``."""
    return InputError([Diagnostic("JSN001", message, span, hint)])


def _tokens_in(source: Source, start: int, end: int, diagnostics: Diagnostics) -> list[Token]:
    """Return the tokens between the offsets ``start`` and ``end`` of a source. An unterminated
    quotation becomes a token up to its probable end, so that parsing can continue."""
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
    """Stream of the tokens in a part of a source, with the operations that parsers need. Invalid
    characters are reported to ``diagnostics`` when the stream is created."""

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

    # --- lookahead --------------------------------------------------------------------------------

    @property
    def next(self) -> Token:
        return self._tokens[self._position]

    def ahead(self, by: int = 1) -> Token:
        """Return the token ``by`` positions after the next token, without consuming tokens."""
        return self._tokens[min(self._position + by, len(self._tokens) - 1)]

    @property
    def at_end(self) -> bool:
        return self.next.kind == END

    def bracket_holds(self, *kinds: str) -> bool:
        """Return whether a token of one of these kinds occurs directly inside the bracket that the
        next token opens. Nested brackets are not searched."""
        return not self._inside[self._position].isdisjoint(kinds)

    def begin_statement(self) -> None:
        """Mark the current position as the beginning of a statement."""
        self._begun = self._position

    # --- consuming tokens -------------------------------------------------------------------------

    def take(self) -> Token:
        token = self.next
        if token.kind != END:
            self._position += 1
        return token

    def taken(self, *kinds: str) -> Token | None:
        """Consume and return the next token if it has one of these kinds, otherwise return None."""
        return self.take() if self.next.kind in kinds else None

    def expect(self, *kinds: str) -> Token:
        """Consume the next token and return it. Raises a syntax error if it has none of these
        kinds."""
        return self.take() if self.next.kind in kinds else self.fail(*kinds)

    def close(self, kind: str, *others: str) -> Token:
        """Consume the next token, which must be of this kind, and return it. Otherwise raise a
        syntax error, whose message also lists ``others`` as possible tokens."""
        return self.take() if self.next.kind == kind else self.fail(kind, *others)

    def fail(self, *kinds: str, hint: str | None = None) -> Token:
        """Raise a syntax error for the next token. ``kinds`` are the kinds of tokens that would be
        valid, for the hint."""
        token = self.next
        requested = [each if " " in each else f"'{each}'" for each in kinds]
        expected = f"expected {' or '.join(requested)}" if requested else None
        if token.text in _FOREIGN_OPERATORS:
            hint = f"write {_FOREIGN_OPERATORS[token.text]}"
        elif STOP in kinds:
            self._raise_if_previous_line_is_unfinished(requested)
            if token.kind == NAME and token.text.startswith("."):
                hint = "a full stop that ends a statement needs a space after it"
        found = "end" if token.kind == END else f"'{token.text}'"
        raise syntax_error(
            f"unexpected {found}", self.source.span(token.start, token.end), hint or expected
        )

    def _raise_if_previous_line_is_unfinished(self, requested: Sequence[str]) -> None:
        """Raise a syntax error that a token is missing at the end of the previous line, if this
        explains why the next token is unexpected. ``requested`` are the kinds of tokens that may be
        missing there.

        The error is raised in two cases: the next token is the first of its line, or the line of
        the next token begins a plan. Parsing can then continue at the beginning of this line. For
        example, ``+!g <- a`` followed by the line ``+b <- c.`` are two plans, although ``a + b``
        would be a term.
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
        """Skip tokens until the next one has one of these kinds, or to the end of the text."""
        while not self.at_end and self.next.kind not in kinds:
            self.take()

    def skip_bracket(self) -> None:
        """Skip all tokens of the bracket that the next token opens, including the closing one."""
        depth = 0
        while not self.at_end:
            kind = self.take().kind
            depth += (kind in _OPENING) - (kind in _CLOSING)
            if depth <= 0:
                return

    # --- source positions -------------------------------------------------------------------------

    def span(self, first: Token) -> Span:
        """Return the span of the source from ``first`` to the last token that the parser has
        consumed."""
        return self.source.span(first.start, max(self._tokens[self._position - 1].end, first.end))

    def token_span(self, token: Token) -> Span:
        return self.source.span(token.start, token.end)

    @property
    def mark(self) -> int:
        """Current position in the stream. If an error leaves it unchanged, the caller must skip a
        token to make progress."""
        return self._position

    def is_first_in_line(self, token: Token) -> bool:
        """Return whether a token is in the first column of its line."""
        return self.source.position(token.start)[1] == 1


def _brackets(tokens: Sequence[Token]) -> list[frozenset[str]]:
    """Return, for each token that opens a bracket, the kinds of the tokens directly inside the
    bracket, and an empty set for all other tokens. This is computed in advance, so that the parser
    does not backtrack."""
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

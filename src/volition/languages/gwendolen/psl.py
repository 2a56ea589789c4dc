"""Reader for property files of MCAPL, the public implementation (``.psl``). Properties become
Volition formulas about all runs.

A line ``key: formula`` starts a property; lines without a colon continue it. Operators from loosest
to tightest: ``U``, ``R``, ``->``, ``&``, ``||``, ``[]``, ``<>``, ``~``; ``U``, ``R`` and ``->``
associate to the left. ``A`` and ``E`` are synonyms of ``[]`` and ``<>``, not path quantifiers.
``D(agent, a)`` is about the last action of any agent, unlike Volition's ``Does``, and therefore
becomes ``Last``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, reduce
from typing import Any, NamedTuple, cast

from lark import Token, Tree

from volition.diagnostics import Diagnostics, InputError, Source, Span
from volition.languages.common.duplicates import duplicates
from volition.languages.gwendolen.file_layout import blank_comments
from volition.languages.gwendolen.grammar import TERMS
from volition.languages.gwendolen.vocabulary import Unknown, Vocabulary
from volition.languages.world.property_terms import term_of
from volition.languages.world.term_grammar import TERM_NAMES, is_nested_too_deeply
from volition.logic import formula_text
from volition.logic.parsing.property_file import UnparsedProperty
from volition.logic.syntax import (
    And,
    Atom,
    Constant,
    Finally,
    Formula,
    Globally,
    Implies,
    Not,
    Or,
    PathQuantifier,
    Release,
    Until,
)
from volition.logic.traversal import map_children
from volition.parsing import Parser, span_of

__all__ = ["read_psl"]

_GRAMMAR = (
    TERMS
    + r"""
?formula: until
?until: release ("U" release)*
?release: implies ("R" implies)*
?implies: and ("->" and)*
?and: or ("&" or)*
?or: prefixed ("||" prefixed)*
?prefixed: ALWAYS prefixed -> always | FINALLY prefixed -> finally | "~" prefixed -> not | modal | true | false | "(" formula ")"
modal: MODALITY "(" AGENT "," expression ")" | PERCEPT "(" expression ")"
true: TRUE
false: FALSE

ALWAYS: /\[\s*\]|A(?!\w)/
FINALLY: /<>|E(?!\w)/
MODALITY: /(ItD|B|G|I|D)(?=\s*\()/
PERCEPT: /P(?=\s*\()/
AGENT: /[A-Za-z_]\w*/
TRUE: /T(?!\w)/
FALSE: /F(?!\w)/
"""  # noqa: E501
)
_NAMES = {
    **TERM_NAMES,
    "ALWAYS": "'[]'",
    "FINALLY": "'<>'",
    "MODALITY": "B, G, I, ItD or D",
    "PERCEPT": "P",
    "AGENT": "the name of an agent",
    "TRUE": "T",
    "FALSE": "F",
    "VBAR": "'|'",
    "ADD": "'+' or '-'",
    "MULTIPLY": "'*', '/' or '%'",
}
_MODALITIES = {"B": "Bel", "G": "Des", "I": "Int", "ItD": "ItD", "D": "Last", "P": "Percept"}
_BINARY: dict[str, Callable[[Any, Any], Formula]] = {
    "until": Until,
    "release": Release,
    "implies": Implies,
    "and": And,
    "or": Or,
}
_UNARY: dict[str, Callable[[Any], Formula]] = {"always": Globally, "finally": Finally, "not": Not}


@cache
def _parser() -> Parser:
    return Parser(_GRAMMAR, code="GWN050", start="formula", names=_NAMES)


def read_psl(
    source: Source, vocabulary: Vocabulary, diagnostics: Diagnostics, name: str | None = None
) -> list[UnparsedProperty]:
    """Return the properties in a ``.psl`` file, only those called ``name`` if it is given. Errors
    are added to ``diagnostics``.

    An atom whose belief, goal or action does not occur in ``vocabulary`` is replaced by false, as
    in MCAPL, with a warning.
    """
    stated = []
    spans = list(_property_spans(source, diagnostics))
    for key, span in spans:
        if name in (None, key) and (formula := _formula(key, span, diagnostics)) is not None:
            meaning = _without_unknown(key, span, formula, vocabulary, diagnostics)
            checked = None if meaning == formula else formula_text(PathQuantifier("A", meaning))
            stated.append(
                UnparsedProperty(
                    formula_text(PathQuantifier("A", formula)), span, name=key, meaning=checked
                )
            )
    for second, first in duplicates(
        [(key, (key, source_span)) for key, source_span in spans if name in (None, key)]
    ):
        hint = f"the first is in line {first[1].line}: give each property its own name"
        diagnostics.warning(
            "GWN053", f"duplicate property name '{second[0]}'", second[1], hint=hint
        )
    return stated


def _property_spans(source: Source, diagnostics: Diagnostics) -> Iterator[tuple[str, Span]]:
    """Yield the name of each property of a ``.psl`` file and the position of its formula."""
    text = re.sub(
        r"^[ \t]*#[^\n]*",
        lambda comment: " " * len(comment[0]),
        blank_comments(source.text, quotations=False),
        flags=re.MULTILINE,
    )
    starts = list(_starts(text))
    before = text[: starts[0].line if starts else len(text)]
    if stray := re.search(r"\S+", before):
        diagnostics.error(
            "GWN052",
            f"'{stray[0]}' is not part of a property: each property starts with a name and a colon",
            source.span(*stray.span()),
            hint="write a name before it, such as 1: [] ...",
        )
    for start, end in zip(starts, [*(each.line for each in starts[1:]), len(text)], strict=False):
        formula = text[start.colon + 1 : end]
        key = text[start.line : start.colon].strip(" \t")
        if formula.strip():
            first = start.colon + 1 + len(formula) - len(formula.lstrip())
            yield key or "?", source.span(first, start.colon + 1 + len(formula.rstrip()))
        else:
            index = text.index(key, start.line) if key else start.line
            diagnostics.error(
                "GWN055",
                f"no formula follows '{key or '?'}:'",
                source.span(index, index + len(key)),
            )


class _Start(NamedTuple):
    """Start of a property in a ``.psl`` file: the position of the property's first line, and the
    position of the first colon in that line."""

    line: int
    colon: int


def _starts(text: str) -> Iterator[_Start]:
    begin = 0
    for line in text.split("\n"):
        colon = line.find(":")
        if colon >= 0:
            yield _Start(begin, begin + colon)
        begin += len(line) + 1


def _formula(key: str, span: Span, diagnostics: Diagnostics) -> Formula | None:
    if not _is_balanced(key, span, diagnostics):
        return None
    try:
        tree = _parser().parse(span.source, start=span.start, end=span.end)
    except InputError as error:
        diagnostics.extend(
            replace(each, message=f"property '{key}': {each.message}") for each in error.diagnostics
        )
        return None
    return (
        None if is_nested_too_deeply(tree, span.source, diagnostics) else _read(tree, span.source)
    )


def _without_unknown(
    key: str, span: Span, formula: Formula, vocabulary: Vocabulary, diagnostics: Diagnostics
) -> Formula:
    """Return the formula with ``false`` in place of each atom whose belief, goal or action does not
    occur in ``vocabulary``. Each replacement is reported as a warning."""
    found: dict[str, Unknown] = {}

    def known(part: Any) -> Any:
        if not isinstance(part, Atom):
            return map_children(part, known)
        unknown = vocabulary.unknown(part.modality, term_of(part.arguments[-1]))
        if unknown is None:
            return part
        found.setdefault(unknown.text, unknown)
        return Constant(False)

    replaced: Formula = known(formula)
    for each in found.values():
        diagnostics.warning(
            "GWN054",
            f"property '{key}': unknown {each.text}, so the atom is always false",
            span,
            hint=each.hint,
        )
    return replaced


def _is_balanced(key: str, span: Span, diagnostics: Diagnostics) -> bool:
    """Return whether every parenthesis in a property's formula has its counterpart. If not, report
    an error.

    A missing parenthesis is not added, because it could be added in several places.
    """
    opened: list[int] = []
    wrong: int | None = None
    for offset, letter in enumerate(blank_comments(span.text), span.start):
        if letter == "(":
            opened.append(offset)
        elif letter == ")" and not opened:
            wrong = offset
            break
        elif letter == ")":
            opened.pop()
    if wrong is not None:
        diagnostics.error(
            "GWN051",
            f"property '{key}': this ')' has no matching '('",
            span.source.span(wrong, wrong + 1),
            hint="remove it, or add a '('",
        )
    elif opened:
        diagnostics.error(
            "GWN051",
            f"property '{key}': this '(' has no matching ')'",
            span.source.span(opened[-1], opened[-1] + 1),
            hint="add a ')'",
        )
    return wrong is None and not opened


def _read(tree: Tree[Token], source: Source) -> Formula:
    parts = cast("list[Any]", tree.children)
    kind = str(tree.data)
    if kind in _BINARY:
        return reduce(_BINARY[kind], (_read(each, source) for each in parts))
    if kind in _UNARY:
        return _UNARY[kind](_read(parts[-1], source))
    if kind == "modal":
        modality, *arguments = parts
        texts = [
            " ".join(blank_comments(span_of(source, each).text, quotations=False).split())
            for each in arguments
        ]
        return Atom(_MODALITIES[str(modality)], ", ".join(texts))
    return Constant(kind == "true")

"""Syntax highlighting of the supported languages in the editor, by regular expressions.

Each kind of file has a table of patterns. A text is scanned once, and the first matching pattern
applies. No pattern needs long backtracking on any text, because the page waits for the result. The
patterns do not detect errors; the parsers of the languages do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

__all__ = ["KINDS", "Token", "tokens"]

Token = tuple[int, int, str]
"""Highlighted token: start offset, end offset, and kind. Kinds are ``comment``, ``text``,
``number``, ``keyword``, ``belief``, ``goal``, ``action`` and ``title``."""

_COMMON = (("comment", r"//[^\n]*|/\*.*?(?:\*/|\Z)"), ("text", r'"[^"\n]*"'))
_NUMBER = ("number", r"\b\d+(?:\.\d+)?(?:/\d+)?\b")

KINDS: dict[str, tuple[tuple[str, str], ...]] = {
    ".can": (
        *_COMMON,
        (
            "title",
            r"^[ \t]*(?:belief base|external events|plan library|actions?|background change|rewards?|properties|settings"  # noqa: E501
            r"|parameters|decisions)\b[^\n]*",
        ),
        ("keyword", r"\b(?:true|false|nil|goal|not)\b|<-|\|>|\|\||:="),
        ("belief", r"[?+\-]\w+"),
        _NUMBER,
    ),
    ".dribble": (
        *_COMMON,
        (
            "title",
            r"^[ \t]*(?:beliefs?|goals?|plans?|capabilities|actions?|goal rules|plan "
            r"rules|properties|settings)[ \t]*(?::[ \t]*)?$",
        ),
        ("keyword", r"\b(?:true|false|if|then|else|skip|not|and|or)\b|<-|->|\|"),
        ("belief", r"\bB\b"),
        ("goal", r"\bG\b"),
        _NUMBER,
    ),
    ".sej": (
        *_COMMON,
        ("title", r"^[A-Z][A-Z \t]{5,}$|^Monitor the following [^\n]*"),
        ("belief", r"[+\-~]?\^\[[^\]\n]{0,200}\]"),
        ("action", r"\[[^\]\n]{0,200}\.\]"),
        ("keyword", r"\b(?:If|while|then|and|or|not|true)\b"),
        _NUMBER,
    ),
    ".sep": (("title", r"^[^:\n]+::"), *_COMMON, _NUMBER),
    ".asl": (
        *_COMMON,
        ("goal", r"[+\-]?[!?]\w+"),
        ("title", r"\{[ \t]*(?:begin\b|end\b|include\b|register_function\b)[^}\n]*\}"),
        ("action", r"\.\w+|@\w+"),
        (
            "keyword",
            r"\b(?:true|false|not|if|elif|else|for|while|div|mod)\b|<-|:-|\|&\||\|\|\||:|;",
        ),
        ("belief", r"[+\-]+~?\w+"),
        _NUMBER,
    ),
    ".mas2j": (
        *_COMMON,
        ("title", r"\bMAS\b[^{\n]*"),
        (
            "keyword",
            r"\b(?:infrastructure|environment|executionControl|agents|directives|classpath|aslSourcePath)\b(?=[ "  # noqa: E501
            r"\t]*:)",
        ),
        ("action", r"\b(?:agentArchClass|agentClass|beliefBaseClass)\b"),
        ("number", r"#[ \t]*\d+"),
        _NUMBER,
    ),
    ".gwen": (
        *_COMMON,
        ("title", r"^:[A-Za-z :]+:|^(?:GWENDOLEN|EASS|EIS)\b[^\n]*"),
        ("goal", r"[+\-]?!\w+|\[(?:achieve|perform)\]"),
        ("keyword", r"\b(?:True|B|G|I|not)\b|<-|:-|~|\*"),
        ("action", r"\.\w+\b|\+\.lock|-\.lock"),
        ("belief", r"[+\-]\w+"),
        _NUMBER,
    ),
    ".world": (
        *_COMMON,
        (
            "keyword",
            r"\b(?:when|then|if|chance|percepts?|initially|action|agents?|fact|variable|choose|or|and|not|nothing|fail|true|false)\b",
        ),
        _NUMBER,
    ),
    ".props": (
        ("title", r"//\s*RESULT:[^\n]*"),
        *_COMMON,
        (
            "keyword",
            r"\b(?:P|Pmin|Pmax|R|Rmin|Rmax|A|E|G|F|X|U|W|forall|exists|multi)\b|[=<>]=?\?|=\?|\[\]|<>",
        ),
        ("belief", r"\b(?:Bel|Des|Int|Does|ItD|Last|B|G)\b"),
        _NUMBER,
    ),
}
KINDS |= {
    ".eass": KINDS[".gwen"],
    ".ail": KINDS[".gwen"],
    ".psl": KINDS[".props"],
    ".properties": KINDS[".props"],
}
_PROJECT = (*_COMMON, ("keyword", r"^[\w \t]+(?==)"), _NUMBER)
KINDS |= {".mas": _PROJECT, ".gwendolen": _PROJECT, ".run": _PROJECT}
KINDS[".volition"] = (
    ("title", r"//\s*RESULT:[^\n]*|^properties[ \t]*$"),
    *_COMMON,
    (
        "keyword",
        r"^(?:internal|ignore class|parameter)\b|\b(?:nothing|choice|in)\b|^[\w.]+(?=[ \t]*=)",
    ),
    ("belief", r"\b(?:Bel|Des|Int|Does|Percept)\b"),
    _NUMBER,
)
KINDS[".ont"] = (("title", r"^[ \t]*>+[^\n]*"), ("belief", r"^[ \t]*@[^:\n]*"))

MAX_TOKENS = 5_000
"""Largest number of highlighted tokens in a text; the rest of the text is plain."""


@cache
def _pattern(suffix: str) -> re.Pattern[str]:
    return re.compile(
        "|".join(
            f"(?P<{kind}_{number}>{text})" for number, (kind, text) in enumerate(KINDS[suffix])
        ),
        re.MULTILINE | re.DOTALL,
    )


def tokens(suffix: str, text: str) -> Iterator[Token]:
    """Yield the highlighted tokens of a text in a file with the given suffix; none if the suffix is
    unknown."""
    if suffix not in KINDS:
        return
    for count, match in enumerate(_pattern(suffix).finditer(text)):
        if count >= MAX_TOKENS:
            return
        if match.end() > match.start():
            yield match.start(), match.end(), (match.lastgroup or "").partition("_")[0]

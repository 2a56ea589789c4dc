"""Suggested corrections for formulas that are written in the notation of other tools.

If a formula cannot be parsed, the rules in :data:`_RULES` rewrite it one after the other until it
can be. The correction that a message suggests is therefore always a valid formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from volition.diagnostics import Diagnostic, Source
from volition.logic.syntax import MODALITIES

__all__ = ["meant_by_name", "remedy"]

_MAX_RULES = 12
_MAX_LENGTH = 2_000
"""Maximum length in characters of a formula that is rewritten. Longer formulas are usually
generated, and trying all rules on them is slow."""

_ATOMIC = re.compile(r'\w+|"[^"]*"|[\w.]+\([^()]*\)|\(.*\)')
_FILTER = re.compile(
    r"filter\(\s*(?:min|max|first|range|avg|forall|exists|state|print|printall)\s*,(?P<formula>.*?)(?:,[^][(){}]*)?\)",
    re.DOTALL,
)
_REMEMBER = "let the program record it in a belief or label, and check that"
_RELATION = r"(?P<relation><=|>=|<|>)"
_NUMBER = r"(?P<number>[0-9.]+(?:/[0-9]+)?)"


@dataclass(frozen=True, slots=True)
class _Rule:
    """Rule that rewrites a notation of another tool: a regular expression, its replacement, and an
    error message. The message is a format string that may refer to named groups of the regular
    expression. The caret of the error points at the group ``mark``, or at the whole match if there
    is no such group."""

    pattern: re.Pattern[str]
    replacement: str | Callable[[re.Match[str]], str]
    message: str

    def find(self, text: str) -> re.Match[str] | None:
        """Return the first match of the pattern that starts outside of quotation marks, or None."""
        return next(
            (
                each
                for each in self.pattern.finditer(text)
                if text.count('"', 0, each.start()) % 2 == 0
            ),
            None,
        )

    def rewritten(self, found: re.Match[str]) -> str:
        return (
            found.string[: found.start()]
            + self.replacement_text(found)
            + found.string[found.end() :]
        )

    def replacement_text(self, found: re.Match[str]) -> str:
        return (
            found.expand(self.replacement)
            if isinstance(self.replacement, str)
            else self.replacement(found)
        )

    def error(self, found: re.Match[str], source: Source, start: int, hint: str) -> Diagnostic:
        first, last = found.span("mark" if "mark" in self.pattern.groupindex else 0)
        marked = found.string[first:last]
        first += len(marked) - len(marked.lstrip())
        span = source.span(start + first, start + first + len(marked.strip()))
        return Diagnostic(
            "LOG027", self.message.format(found=marked.strip(), **found.groupdict("")), span, hint
        )


def remedy(source: Source, start: int, end: int, reads: Callable[[str], bool]) -> Diagnostic | None:
    """Return an error that suggests a correction of the invalid formula ``source.text[start:end]``;
    None if no rule helps.

    ``reads`` returns whether a text is a valid formula.
    """
    written = text = source.text[start:end]
    if len(text) > _MAX_LENGTH:
        return None
    first: tuple[_Rule, re.Match[str]] | None = None
    for _ in range(_MAX_RULES):
        applied = next(
            (
                (rule, found)
                for rule in _RULES
                if (found := rule.find(text)) and rule.rewritten(found) != text
            ),
            None,
        )
        if applied is None:
            break
        text = applied[0].rewritten(applied[1])
        first = first or applied
        if reads(text):
            rule, found = first
            return rule.error(found, source, start, f"write {' '.join(text.split())}")
    return next(
        (
            rule.error(found, source, start, rule.replacement_text(found))
            for rule in _UNSUPPORTED
            if (found := rule.find(written))
        ),
        None,
    )


def meant_by_name(name: str) -> str | None:
    """Return the formula that was probably meant by an unknown name: ``Bel(x)`` for ``bel(x)``,
    ``true`` for ``TRUE``, or the formula inside PRISM's ``filter(...)``. Return None for any other
    name."""
    head, bracket, rest = name.partition("(")
    modalities = {each.lower(): each for each in MODALITIES}
    if bracket and head.lower() in modalities:
        return f"{modalities[head.lower()]}({rest}"
    if not bracket and head.lower() in ("true", "false"):
        return head.lower()
    filtered = re.fullmatch(
        r"\s*(?:min|max|first|range|avg|forall|exists|state|print|printall)\s*,(.*?)(?:,[^][(){}]*)?\)",
        rest,
        re.DOTALL,
    )
    if bracket and head == "filter" and filtered:
        return filtered[1].strip()
    return None


def _grouped(text: str) -> str:
    """Return the text of an operand, in round brackets unless it is a single name, label or
    bracketed text."""
    bare = text.strip()
    return bare if _ATOMIC.fullmatch(bare) else f"({bare})"


def _leads_to(found: re.Match[str]) -> str:
    return f"A [ G ({_grouped(found['left'])} -> F {_grouped(found['right'])}) ]"


def _always(found: re.Match[str]) -> str:
    return f"A [ G {_grouped(found['invariant'].rstrip().rstrip(';'))} ]"


def _estimate(found: re.Match[str]) -> str:
    """Return the translation of a match of UPPAAL's notation, such as ``Pr[<=5](<> x) >= 0.9``, to
    a ``P`` operator."""
    operator = "F" if found["operator"] == "<>" else "G"
    bound = (found["relation"] or "") + (found["number"] or "") or "=?"
    return f"P{bound} [ {operator}<={found['steps']} {_grouped(found['operand'])} ]"


def _threshold(found: re.Match[str]) -> str:
    return f"{found['head']}{found['relation']}{found['number']} {found['path']}"


def _decimal(found: re.Match[str]) -> str:
    return f"{float(Fraction(found['percent']) / 100):g}"


def _rule(
    pattern: str, replacement: str | Callable[[re.Match[str]], str], message: str, flags: int = 0
) -> _Rule:
    return _Rule(re.compile(pattern, re.DOTALL | flags), replacement, message)


def _word(words: str, operator: str) -> _Rule:
    return _rule(
        rf"(?<![\w.])(?:{words})(?![\w.])",
        f"{operator} ",
        "'{found}' is not an operator",
        re.IGNORECASE,
    )


_RULES = (
    # Rules for notations of NuSMV, nuXmv and Spin.
    _rule(
        r"^\s*(?P<mark>INVARSPEC|invariant)\s+(?:NAME\s+\w+\s*:=\s*)?(?P<invariant>.*)$",
        _always,
        "'{found}' is a keyword of another tool, not part of a formula",
    ),
    _rule(
        r"^\s*(?P<mark>LTLSPEC|CTLSPEC|SPEC|PSLSPEC)\s+(?:NAME\s+\w+\s*:=\s*)?",
        "",
        "'{found}' is a keyword of NuSMV, not part of a formula",
    ),
    _rule(
        r"^\s*(?P<mark>ltl)\s+(?:\w+\s*)?\{(?P<formula>.*)\}\s*;?\s*$",
        r"\g<formula>",
        "'ltl' is a keyword of Spin, not part of a formula",
    ),
    _rule(
        r"^\s*(?P<mark>LTL|CTL\*?|PCTL|assert|property)\s*:?\s+(?=\S)",
        "",
        "'{found}' is not part of a formula",
    ),
    _rule(r"\s*;\s*$", "", "a formula must not end with ';'"),
    # Rules for notations of UPPAAL and TLA+.
    _rule(
        rf"^\s*Pr\s*\[\s*<=\s*(?P<steps>[0-9]+)\s*\]\s*\(\s*(?P<operator><>|\[\])(?P<operand>.*?)\)\s*(?:{_RELATION}\s*{_NUMBER}\s*)?$",
        _estimate,
        "'Pr[<={steps}](..)' is a notation of UPPAAL",
    ),
    _rule(
        r"^(?P<left>.*?)(?P<mark>-->|~>)(?P<right>.*)$",
        _leads_to,
        "'{found}' is the notation of another tool for 'leads to'",
    ),
    # Rules for notations of PRISM and Storm.
    _rule(
        r"(?<!\w)R(?P<optimum>min|max)?\{\s*(?P<mark>[^\W\d]\w*)\s*\}",
        r'R\g<optimum>{"\g<mark>"}',
        "the name of the reward '{found}' needs quotation marks",
    ),
    _rule(
        r'^\s*(?P<head>(?:P|S|R(?:min|max)?(?:\{"[^"]*"\})?)(?:min|max)?)\s*=\?\s*(?P<path>[\[(].*[\])])\s*'
        rf"(?P<mark>{_RELATION}\s*{_NUMBER})\s*$",
        _threshold,
        "the bound of '{head}' belongs before the brackets",
    ),
    _rule(
        r"(?<!\w)(?:Prob|Pr)(?P<optimum>min|max)?(?=\s*(?:=|<|>))",
        r"P\g<optimum>",
        "'{found}' is not an operator",
    ),
    _rule(
        r"(?<!\w)(?P<optimum>max|min)\s*(?P<letter>[PRS])(?=\s*(?:=|<|>|\{))",
        r"\g<letter>\g<optimum>",
        "'{optimum}' belongs after '{letter}'",
    ),
    _rule(
        r"(?P<head>(?<!\w)[PRS](?:min|max)?|\}(?:min|max)?)(?P<mark>\s*(?:[<>]=\s*\?|=\s+\?|\?|[<>]\s*\?))",
        r"\g<head>=?",
        "a query is written with '=?', not '{found}'",
    ),
    _rule(
        r"(?<![\w.])(?P<percent>[0-9]+(?:\.[0-9]+)?)\s*%",
        _decimal,
        "'{found}' is not a number between 0 and 1",
    ),
    _rule(
        r"(?<![\w.])\.(?P<digits>[0-9]+)", r"0.\g<digits>", "'{found}' does not begin with a digit"
    ),
    _rule(
        r"(?<!\w)(?P<operator>[FGU])\s*(?P<mark>[\[{]\s*(?P<bound>[<>]=?\s*[0-9]+)\s*[\]}])",
        r"\g<operator>\g<bound>",
        "a step bound is written without brackets",
    ),
    # Rules for titles of properties, and for wrong quotation marks and brackets.
    _rule(
        r'^\s*(?!sup|inf)(?P<title>"[^"]*"|\w+)\s*:(?![=:])',
        "",
        "only a property in a file can have a title",
    ),
    _rule(r"'(?P<label>[^'\"\n]+)'", r'"\g<label>"', "a label needs double quotation marks"),
    _rule(
        r"(?<![\w}])(?P<operator>(?:[AE]?[XFG]|[AE])?\s*)(?P<mark>\{(?P<inner>[^{}]*)\})",
        r"\g<operator>(\g<inner>)",
        "a formula has round or square brackets, not braces",
    ),
    # Rules for operators in the notation of other tools.
    _rule(r"<==>", "<->", "'{found}' is not an operator"),
    _rule(r"==>|\|->|\|=>", "->", "'{found}' is not an operator"),
    _rule(r":=", "=", "a comparison in a formula is written with '=', not ':='"),
    _rule(r"/=|~=|=/=|=\\=|\\=|(?<=\w)\s*<>\s*(?=\w)", " != ", "'{found}' is not an operator"),
    _rule(r"(?<=[\w)])\s*\^\s*(?=[\w(!])", " & ", "'{found}' is not an operator"),
    _rule(
        r"(?P<left>[\w.()]+)\s+(?P<mark>xor)\s+(?P<right>[\w.()]+)",
        r"!(\g<left> <-> \g<right>)",
        "'{found}' is not an operator",
    ),
    _rule(
        r"(?P<left>[\w.()]+)\s+(?P<mark>M)\s+(?P<right>[\w.()]+)",
        r"(\g<right> U (\g<left> & \g<right>))",
        "'M' is not an operator",
    ),
    _rule(
        r"(?<!\w)(?P<quantifier>forall|exists)\s+(?P<variable>\w+)\s*[:,]?\s+(?!\.)",
        r"\g<quantifier> \g<variable>. ",
        "a dot is missing after the variable of '{quantifier}'",
    ),
    _rule(
        r"(?<![\w.])(?P<modality>bel|des|int|does)\s+(?=\w)",
        lambda found: f"{found['modality'].capitalize()} ",
        "'{modality}' must begin with a capital letter",
    ),
    # Rules for operators that are written as words or in LaTeX.
    *(
        _word(words, operator)
        for words, operator in (
            ("always|globally|henceforth", "G"),
            ("eventually|finally|sometimes?", "F"),
            ("next", "X"),
            ("until", "U"),
            ("releases?", "R"),
            ("unless", "W"),
            ("implies", "->"),
            ("iff|equiv", "<->"),
            ("and", "&"),
            ("or", "|"),
            ("not", "!"),
        )
    ),
    *(
        _rule(rf"\\(?:{words})(?![a-zA-Z])", f"{operator} ", "'{found}' is not an operator")
        for words, operator in (
            ("land|wedge", "&"),
            ("lor|vee", "|"),
            ("lnot|neg", "!"),
            ("implies|rightarrow|to|Rightarrow", "->"),
            ("Box|square", "[]"),
            ("Diamond|lozenge", "<>"),
        )
    ),
)
"""Rewrite rules for notations of other tools. The first rule that matches is applied. Rules for the
outer parts of a formula come first."""

_UNSUPPORTED = (
    _rule(
        r"(?<!\w)(?P<mark>[FG]\s*[<>]=?\s*[0-9]+)\s*(?=[\])]|$)",
        r"write a formula after it, such as \g<mark> done",
        "'{found}' needs a formula",
    ),
    _rule(
        r"^\s*(?P<mark>S(?:min|max)?=\?)\s*$",
        r"write a formula after it, such as \g<mark> [ done ]",
        "'{found}' needs a formula",
    ),
    _rule(
        r'^\s*(?P<mark>(?:P|R(?:\{"[^"]*"\})?)(?:min|max)?=\?)\s*$',
        r"write a formula after it, such as \g<mark> [ F done ]",
        "'{found}' needs a formula",
    ),
    _rule(
        r"<<[^<>]*>>",
        "remove it: one strategy makes all choices",
        "coalitions of players are not supported",
    ),
    _rule(
        r"(?<![\w.])(?P<mark>[OHYZ]|once|historically|yesterday)\s+(?=[\w(!])",
        _REMEMBER,
        "past-time operators are not supported",
    ),
    _rule(
        r"(?<=[\w)])\s+(?P<mark>[ST])\s+(?=[\w(!])",
        _REMEMBER,
        "past-time operators are not supported",
    ),
)
"""Rules for notations of other tools that have no equivalent. Instead of a replacement, each rule
has the text of the hint that the error shows."""

"""Ways to damage a text.

*Blind* ones make anything of it; whatever comes out, it must be answered politely.  *Careful* ones
are the slips of a person, each of which says something else than before; what is accepted in spite
of one must be understood differently, or be warned of.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

__all__ = ["CAREFUL", "blind", "careful", "careful_mutants", "other_bytes"]

NASTY = (
    *[
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        '"',
        "'",
        "`",
        "//",
        "/*",
        "*/",
        "\\",
        ";",
        ":",
        ",",
        ".",
        "::",
        "->",
        "<-",
        "=>",
        ":=",
        "!",
        "~",
        "¬",
        "&",
        "|",
        "||",
        "|>",
        "^",
        "@",
        "#",
        "%",
        "_",
        "$",
        "?",
        "=",
        "==",
        ">=",
        "<=",
        "!=",
        "+",
        "-",
        "*",
        "/",
    ],
    *[
        "0",
        "1",
        "-1",
        "0.5",
        "1/0",
        "1e400",
        "1e-400",
        "1e999999999",
        "NaN",
        "inf",
        "True",
        "None",
        "true",
        "false",
        "X",
        "_x",
        "p(X)",
        "p(1,2)",
        "é",
        "ß",
        "…",
        "%s",
        "{0}",
        "[bold]",
        "[/]",
        "\\n",
    ],
    *("min(", "max(", "goal(", "not ", "forall x. ", "RESULT:", "// RESULT: true", "Pmax=? ["),
    *("\n", "\t", "\r", "\x00", "\x1b[31m", "\u202e", "\ufeff", "\u2028", "\udcff"),
    *("9" * 40, "9" * 5000, "f(" * 30, "(" * 400, "[" * 400, "~" * 400, "!" * 1500, "a" * 16000),
)
_TOKEN = re.compile(r"[^\W\d]\w*|\d+(?:\.\d+)?|:=|<-|->|=>|>=|<=|!=|\|\||\|>|&&|::|[^\w\s]")
_WORD = re.compile(r"[^\W\d]\w*")
_NAMED = re.compile(r"(?<!\w)[^\W\d_]\w*")
"""A word that is not an anonymous variable: those mean the same under every name."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_HEADING = re.compile(
    r"\s*//\s*(?:RESULT|(?:Initial|External|Plan|Actions|Background|Rewards|Labels|Propert|Policies|Decisions|Parameters)"
    r"\w*(?: \w+){0,2}\s*$)",
    re.IGNORECASE,
)
_SECTION = re.compile(r"\s*:[A-Z][a-z]+(?: [A-Z][a-z]+)?:\s*$|\s*:(?:name|abstraction):")
"""A heading of Gwendolen."""
_RUN_SECTION = re.compile(r"\s*\[\w+\]\s*$")
_RESULT = re.compile(r"\s*//\s*RESULT:\s*(\S+)")

Mutant = tuple[str, str]
"""What was done, and the text that came out of it."""


# --- blind ----------------------------------------------------------------------------------------


def blind(chance: random.Random, text: str, others: Sequence[str]) -> str:
    """The text after one to four accidents; ``others`` are texts of the same kind to take pieces
    from."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        text = chance.choice(_ACCIDENTS)(chance, text, others)
    return text


def _cut(chance: random.Random, text: str, maximum: int = 40) -> tuple[int, int]:
    start = chance.randint(0, len(text))
    return start, min(len(text), start + chance.randint(0, maximum))


def _delete(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    start, end = _cut(chance, text)
    return text[:start] + text[end:]


def _insert(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    start, _ = _cut(chance, text)
    return text[:start] + chance.choice(NASTY) + text[start:]


def _replace(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    tokens = list(_TOKEN.finditer(text))
    if not tokens:
        return text
    token = chance.choice(tokens)
    return text[: token.start()] + chance.choice(NASTY) + text[token.end() :]


def _repeat(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    start, end = _cut(chance, text, 200)
    return text[:end] + text[start:end] * chance.choice((1, 1, 2, 30)) + text[end:]


def _swap_lines(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    lines = text.split("\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def _splice(chance: random.Random, text: str, others: Sequence[str]) -> str:
    other = chance.choice(others) if others else text
    start, end = _cut(chance, other, 300)
    index, _ = _cut(chance, text)
    return text[:index] + other[start:end] + text[index:]


def _truncate(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    return text[: chance.randint(0, len(text))]


def _swap_tokens(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    tokens = list(_TOKEN.finditer(text))
    if len(tokens) < 2:
        return text
    index = chance.randrange(len(tokens) - 1)
    one, other = tokens[index], tokens[min(len(tokens) - 1, index + chance.randint(1, 4))]
    return (
        text[: one.start()]
        + other.group()
        + text[one.end() : other.start()]
        + one.group()
        + text[other.end() :]
    )


_ACCIDENTS: tuple[Callable[[random.Random, str, Sequence[str]], str], ...] = (
    _delete,
    _insert,
    _insert,
    _replace,
    _replace,
    _repeat,
    _swap_lines,
    _swap_tokens,
    _splice,
    _truncate,
)


def other_bytes(chance: random.Random, content: bytes) -> bytes:
    """The bytes of a file with some flipped, left out or repeated."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8))):
        start = chance.randrange(len(changed) + 1)
        end = min(len(changed), start + chance.choice((1, 1, 4, 8, 64, 4096)))
        match chance.randrange(4):
            case 0:
                del changed[start:end]
            case 1:
                changed[end:end] = changed[start:end]
            case 2:
                changed[start:end] = bytes(chance.choice((0, 255)) for _ in range(end - start))
            case _:
                changed[start:end] = bytes(chance.randrange(256) for _ in range(end - start))
    return bytes(changed)


# --- careful --------------------------------------------------------------------------------------


def _rename(chance: random.Random, line: str) -> str | None:
    return _on_match(chance, line, _NAMED, lambda word: word + chance.choice("xz"))


def _lose_a_letter(chance: random.Random, line: str) -> str | None:
    long = re.compile(rf"(?=\w{{4}}){_NAMED.pattern}")
    return _on_match(
        chance, line, long, lambda word: word[:2] + word[3:] if word[1] != word[2] else word + "q"
    )


def _negate(chance: random.Random, line: str) -> str | None:
    return _on_match(chance, line, _WORD, lambda word: chance.choice(("!", "~", "not ")) + word)


def _change_a_number(chance: random.Random, line: str) -> str | None:
    return _on_match(
        chance, line, _NUMBER, lambda number: chance.choice((f"{number}7", f"-{number}7", "0.123"))
    )


def _drop_a_word(chance: random.Random, line: str) -> str | None:
    # An empty guard of Gwendolen means True, so that dropping the word changes nothing.
    return _on_match(
        chance, line, re.compile(r"(?!True\b)\b[^\W\d]\w*|\d+(?:\.\d+)?"), lambda _: ""
    )


def _add_at_the_end(chance: random.Random, line: str) -> str | None:
    bare = line.rstrip()
    addition = chance.choice((", 17", " foo", ", foo", " = 3", " 17", "; foo"))
    return bare[:-1] + addition + bare[-1] if bare.endswith(".") else bare + addition


def _comment_out_the_rest(chance: random.Random, line: str) -> str | None:
    # A final dot says nothing more in some languages, and a context of "true" nothing in any.
    inner = [match.start() for match in _TOKEN.finditer(line)][1:]
    inner = [
        index
        for index in inner
        if set(_WORD.findall(line[index:])) - {"true"} or _NUMBER.search(line[index:])
    ]
    return line[: (position := chance.choice(inner))] + "// " + line[position:] if inner else None


def _write_it_twice(chance: random.Random, line: str) -> str | None:  # noqa: ARG001
    return f"{line}\n{line}"


def _say_more(chance: random.Random, line: str) -> str | None:
    """One of several things that belong together is written once more, or another one is."""
    item = re.compile(r"(?<=[,;(\[{&|] )[\w!~]+(?=\s*[,;.)\]}&|])|(?<=[,;&|] )[\w!~]+$")
    return _on_match(chance, line, item, lambda word: f"{word}, {word}")


def _spell_otherwise(chance: random.Random, line: str) -> str | None:
    """A word with its first letter in another case: a variable for a constant, an unknown keyword,
    a heading that is none."""
    return _on_match(
        chance,
        line,
        re.compile(r"(?<![\w'])(?!(?i:true|false)\b)[^\W\d_]\w+"),
        lambda word: word[0].swapcase() + word[1:],
    )


def _use_another_operator(chance: random.Random, line: str) -> str | None:
    others = {
        "&": "|",
        "|": "&",
        "<=": "<",
        ">=": ">",
        "<": "<=",
        ">": ">=",
        "=": ":=",
        "+": "-",
        "->": "=>",
        "<-": "<",
        ":": "::",
    }
    return _on_match(
        chance,
        line,
        re.compile(r"(?<![-<>=:|&!])(?:<=|>=|->|<-|[&|<>=+:])(?![-<>=:|&?])"),
        lambda each: others[each],
    )


def _misspell_a_result(chance: random.Random, line: str) -> str | None:
    result = _RESULT.search(line)
    if result is None:
        return None
    value = result[1]
    spellings = (
        *(
            f"// RESULT {value}",
            f"// RESULTS: {value}",
            f"// RESULT = {value}",
            f"// Result: {value}x",
            f"RESULT: {value}",
        ),
        *(
            f"// RESLUT: {value}",
            f"// EXPECTED: {value}",
            f"# RESULT: {value}",
            f"// RESULT: {value} ?",
            f"//RESULT:{value}7",
        ),
        f"// RESULT: {value}\n// RESULT: {value}",
    )
    return line.replace(result.group(), chance.choice(spellings))


def _on_match(
    chance: random.Random, line: str, pattern: re.Pattern[str], change: Callable[[str], str]
) -> str | None:
    matches = list(pattern.finditer(line))
    if not matches:
        return None
    match = chance.choice(matches)
    return line[: match.start()] + change(match.group()) + line[match.end() :]


CASE, WORD = "a word begins with another case", "a word is missing"
CAREFUL: dict[str, Callable[[random.Random, str], str | None]] = {
    "a name gets another letter": _rename,
    "a name loses a letter": _lose_a_letter,
    "something is negated": _negate,
    "a number is another one": _change_a_number,
    WORD: _drop_a_word,
    "something is left over": _add_at_the_end,
    "the rest of a line is a comment": _comment_out_the_rest,
    "a line is written twice": _write_it_twice,
    "an item is written twice": _say_more,
    CASE: _spell_otherwise,
    "an operator is another one": _use_another_operator,
    "a result is misspelt": _misspell_a_result,
}


ENGLISH = ("sej", "sep", "ont")
"""Kinds of file that are natural language: case makes no difference in them."""
HEADED = ("can",)
"""Kinds of file whose headings are comments; everywhere else every ``//`` is a comment, up to
results."""
REMARKS = {"toml": "#", "psl": "#", "ail": "#"}
"""The sign that begins a comment, where it is not ``//``."""

_FREE_FIELD = re.compile(
    r"\s*(?:senglish code|mol reference|matlab \w+|conceptual graphs|author data|section "
    r"number)\s*::|\s*:name:"
    r"|\s*infrastructure\s*:",
    re.IGNORECASE,
)
"""Fields of an action file that may contain any text, the name of an agent, which a project may
replace, and the infrastructure of a Jason project, which verification ignores."""


def careful(chance: random.Random, text: str, kind: str = "") -> Mutant | None:
    """A slip in one line that says something, or None where the chosen slip has no place in the
    chosen line.

    ``kind`` is that of the file: not everything is a slip in every language.
    """
    lines = text.split("\n")
    annotated = [
        index
        for index, line in enumerate(lines)
        if _says_something(line, kind) and not _FREE_FIELD.match(line)
    ]
    if not annotated:
        return None
    position = chance.choice(annotated)
    slip = (
        "a result is misspelt"
        if "RESULT" in lines[position]
        else chance.choice([each for each in CAREFUL if "result" not in each])
    )
    if lines[position].strip() in ("GWENDOLEN", "EASS") and slip == WORD:
        return None  # the name of the file says the language as well
    # Headings may be shortened, and are read in any case.
    section = _SECTION.match(lines[position]) or (
        kind == "run" and _RUN_SECTION.match(lines[position])
    )
    if (slip == CASE and (kind in ENGLISH or section)) or (
        slip in (CASE, WORD) and _HEADING.match(lines[position])
    ):
        return None
    code, comment = _without_comment(lines[position], kind)
    changed = CAREFUL[slip](chance, code)
    if changed is None or changed == code:
        return None
    lines[position] = changed + comment
    return f"line {position + 1}: {slip}", "\n".join(lines)


def careful_mutants(seed: int, text: str, count: int, kind: str = "") -> Iterator[Mutant]:
    """Up to ``count`` different slips."""
    chance = random.Random(seed)
    seen = {text}
    for _ in range(count * 4):
        mutant = careful(chance, text, kind)
        if mutant is not None and mutant[1] not in seen:
            seen.add(mutant[1])
            yield mutant
        if len(seen) > count:
            return


def _says_something(line: str, kind: str) -> bool:
    return bool(_without_comment(line, kind)[0].strip())


def _without_comment(line: str, kind: str) -> tuple[str, str]:
    """A line and the comment behind it; results, and headings where there are any, are not
    comments."""
    if (_HEADING if kind in HEADED else _RESULT).match(line):
        return line, ""
    remark = REMARKS.get(kind, "//")
    quoted = False
    for index, character in enumerate(line):
        quoted ^= character == '"'
        if not quoted and line.startswith(remark, index):
            bare = line[:index].rstrip()
            return bare, line[len(bare) :]
    return line, ""

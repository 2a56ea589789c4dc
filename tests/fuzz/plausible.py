"""Changes that often leave a text well formed, so that what lies behind its reading is tried as
well.

A name takes the place of another name, an operator that of one of its kind, a part in brackets that
of another such part; numbers grow and shrink; lines change places.  Documents in JSON change by
their values.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

__all__ = ["other_record", "other_value", "plausible"]

_NAME = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_KINDS = (
    ("&", "|", "->", "<->"),
    ("<=", "<", ">=", ">", "=", "!="),
    ("+", "-", "*", "/"),
    ("U", "W", "R"),
    ("F", "G", "X"),
    ("A", "E"),
    ("max", "min"),
    ("AF", "EF", "AG", "EG", "AX", "EX"),
    ("Bel", "Des", "Int", "Goal", "Does", "Last", "Percept"),
    ("achieve", "perform"),
    ("true", "false"),
    ("||", ";", "|>"),
    ("+", "-", "!", "?", "-+", "+!"),
    ("tell", "untell", "achieve", "askOne", "askAll"),
    ("weak", "strong"),
    ("first", "random", "verified"),
)
_OPERATOR = re.compile(r"[-+*/<>=!?|&;]+")
_NUMBERS = ("0", "1", "2", "3", "0.5", "1/3", "10", "100", "0.001", "7", "1000000")

Change = Callable[[random.Random, str, Sequence[str]], str]


def plausible(chance: random.Random, text: str, others: Sequence[str]) -> str:
    """The text after one to three such changes; ``others`` are texts of the same kind to take words
    and parts from."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        text = chance.choice(_CHANGES)(chance, text, others)
    return text


def _other_name(chance: random.Random, text: str, others: Sequence[str]) -> str:
    """Put one name of the text, or of another text, in the place of another that is used alike:
    both with arguments, or both without."""
    found = list(_NAME.finditer(text))
    if not found:
        return text
    position = chance.choice(found)
    source = chance.choice(others) if others and chance.random() < 0.2 else text
    alike = sorted(
        {
            each.group()
            for each in _NAME.finditer(source)
            if _use(source, each) == _use(text, position)
        }
    )
    return _replaced(text, position, chance.choice(alike)) if alike else text


def _use(text: str, name: re.Match[str]) -> tuple[bool, bool]:
    return text[name.end() : name.end() + 1] == "(", name.group()[0].isupper()


def _other_number(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    position = chance.choice(found)
    return _replaced(
        text,
        position,
        chance.choice(
            (*_NUMBERS, str(int(float(position.group())) + 1), f"1 - {position.group()}")
        ),
    )


def _other_operator(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    known = {word: kind for kind in _KINDS for word in kind}
    found = [
        each
        for pattern in (_NAME, _OPERATOR)
        for each in pattern.finditer(text)
        if each.group() in known
    ]
    if not found:
        return text
    position = chance.choice(found)
    return _replaced(text, position, chance.choice(known[position.group()]))


def _other_part(chance: random.Random, text: str, others: Sequence[str]) -> str:
    """Put a part in brackets in the place of another one with the same brackets."""
    parts = list(_parts(text))
    if not parts:
        return text
    start, end = chance.choice(parts)
    source = chance.choice(others) if others and chance.random() < 0.3 else text
    alike = [source[a:b] for a, b in _parts(source) if source[a] == text[start]]
    return text[:start] + chance.choice(alike) + text[end:] if alike else text


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Where parts in brackets begin and end."""
    closing = {"(": ")", "[": "]", "{": "}"}
    opened: list[int] = []
    for index, character in enumerate(text):
        if character in closing:
            opened.append(index)
        elif opened and character == closing[text[opened[-1]]]:
            yield opened.pop(), index + 1


def _negated(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    found = list(_NAME.finditer(text))
    if not found:
        return text
    position = chance.choice(found)
    return (
        text[: position.start()]
        + chance.choice(("!", "~", "not ", "!!"))
        + text[position.start() :]
    )


def _other_lines(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    """Leave a line out, write it twice, or let two lines change places."""
    lines = text.split("\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(3):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case _:
            lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def _renamed_everywhere(chance: random.Random, text: str, others: Sequence[str]) -> str:  # noqa: ARG001
    """Give all occurrences of a name another name of the text: two things become one."""
    names = sorted({each.group() for each in _NAME.finditer(text)})
    if not names:
        return text
    return re.sub(rf"\b{chance.choice(names)}\b", chance.choice((*names, "fresh")), text)


def _replaced(text: str, position: re.Match[str], word: str) -> str:
    return text[: position.start()] + word + text[position.end() :]


_CHANGES: tuple[Change, ...] = (
    _other_name,
    _other_name,
    _other_number,
    _other_number,
    _other_operator,
    _other_operator,
    _other_part,
    _negated,
    _other_lines,
    _renamed_everywhere,
)


# --- documents ------------------------------------------------------------------------------------

_STRANGE: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    10**30,
    1.5,
    -0.0,
    1e308,
    "",
    "x",
    "\x1b[0m",
    "9" * 5000,
    [],
    {},
    [[]],
    {"x": None},
)


def other_value(chance: random.Random, text: str) -> str:
    """JSON with one of its values replaced, by a value of another kind or by one from elsewhere in
    it, or left out."""
    document = json.loads(text)
    positions = list(_places(document))
    if not positions:
        return text
    holder, key = chance.choice(positions)
    match chance.randrange(5):
        case 0:
            del holder[key]
        case 1:
            holder[key] = chance.choice(_STRANGE)
        case 2 if isinstance(holder[key], int | float):
            holder[key] += chance.choice((-1, 1, 0.5, 10**9))
        case 3 if isinstance(holder, list):
            holder.insert(key, json.loads(json.dumps(chance.choice(holder))))
        case _:
            alike = [
                one[other] for one, other in positions if type(one[other]) is type(holder[key])
            ]
            holder[key] = json.loads(json.dumps(chance.choice(alike)))
    return json.dumps(document)


def other_record(chance: random.Random, text: str) -> str:
    """JSON lines with a value changed in one of them, or with lines that are left out, repeated or
    in another order."""
    lines = text.splitlines()
    for _ in range(chance.choice((1, 1, 2, 4))):
        index = chance.randrange(len(lines))
        match chance.randrange(6):
            case 0 if len(lines) > 1:
                del lines[index]
            case 1:
                lines.insert(chance.randrange(len(lines)), lines[index])
            case 2:
                other = chance.randrange(len(lines))
                lines[index], lines[other] = lines[other], lines[index]
            case _:
                lines[index] = other_value(chance, lines[index])
    return "\n".join(lines) + "\n"


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys: Sequence[Any] = (
        list(value)
        if isinstance(value, dict)
        else range(len(value))
        if isinstance(value, list)
        else ()
    )
    for key in keys:
        yield value, key
        yield from _places(value[key])

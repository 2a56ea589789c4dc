"""Makes a system smaller as long as something about it stays true: whole statements go first, then
contexts and steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.languages.jason.random_programs import RandomSystem

__all__ = ["shrunk"]

_BETWEEN_STATEMENTS = re.compile(r"(?<=\.)\s+(?=\S)")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def shrunk(system: RandomSystem, is_still: Callable[[RandomSystem], bool]) -> RandomSystem:
    """A system of which ``is_still`` says the same; no part that is looked at can be left out."""
    while smaller := next((each for each in _smaller(system) if is_still(each)), None):
        system = smaller
    return system


def _smaller(system: RandomSystem) -> Iterator[RandomSystem]:
    if system.world is not None:
        yield replace(system, world=None)
    for name, text in system.agents.items():
        for shorter in _shorter(_BETWEEN_STATEMENTS.split(text.strip())):
            yield replace(system, agents={**system.agents, name: "\n".join(shorter) + "\n"})


def _shorter(statements: list[str]) -> Iterator[list[str]]:
    size = len(statements) // 2
    while size > 1:
        yield from (
            statements[:index] + statements[index + size :]
            for index in range(0, len(statements), size)
        )
        size //= 2
    for position in range(len(statements)):
        yield statements[:position] + statements[position + 1 :]
    for position, statement in enumerate(statements):
        for simpler in _simpler(statement):
            yield [*statements[:position], simpler, *statements[position + 1 :]]


def _simpler(plan: str) -> Iterator[str]:
    """Without its context, without a step of its body, or with a part of a step in place of the
    step."""
    head, arrow, body = plan.removesuffix(".").partition(" <- ")
    trigger, colon, _ = head.partition(" : ")
    if colon:
        yield f"{trigger}{arrow}{body}."
    if not arrow:
        return
    steps = _parts(body, ";")
    for index, step in enumerate(steps):
        rest = [*steps[:index], *steps[index + 1 :]]
        yield f"{head} <- {';'.join(rest)}." if rest else f"{head}."
        for inner in _inside(step):
            yield f"{head} <- {';'.join([*steps[:index], inner, *steps[index + 1 :]])}."


def _inside(step: str) -> Iterator[str]:
    """The bodies in a step, and the step with a shorter one of them."""
    for index, character in enumerate(step):
        if character in "({" and (index == 0 or step[index - 1] in " (|"):
            end = _closing(step, index)
            inner = step[index + 1 : end]
            parts = _parts(inner, ";")
            yield inner.strip()
            if len(parts) > 1:
                for number in range(len(parts)):
                    yield f"{step[: index + 1]}{';'.join(parts[:number] + parts[number + 1 :])}{step[end:]}"  # noqa: E501


def _closing(text: str, index: int) -> int:
    depth = 0
    for end in range(index, len(text)):
        depth += _BRACKETS.get(text[end], 0)
        if depth == 0:
            return end
    return len(text)


def _parts(text: str, mark: str) -> list[str]:
    """Cut at the marks that are inside of no bracket."""
    parts, depth = [""], 0
    for character in text:
        depth += _BRACKETS.get(character, 0)
        if character == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts

"""Directives carried out by hand, as the description of the language says what each comes to."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["carried_out"]

_BLOCK = re.compile(
    r"\{begin (?P<name>\w+)\((?P<arguments>.*?)\)\} (?P<statements>.*?) \{end\}", re.DOTALL
)
_STATEMENT = re.compile(r"(?<=\.) (?=[+a-z])")


def carried_out(text: str) -> str:
    """A program without goal patterns and namespaces that are begun and ended."""
    return _BLOCK.sub(
        lambda block: _carried_out(
            block["name"], block["arguments"], _STATEMENT.split(block["statements"])
        ),
        text,
    )


def _carried_out(name: str, arguments: str, statements: Sequence[str]) -> str:
    if name == "namespace":
        return " ".join(_in_namespace(arguments, each) for each in statements)
    goal, *more = arguments.split(",")
    return " ".join(_pattern(name, goal, more, statements))


def _pattern(name: str, goal: str, more: Sequence[str], plans: Sequence[str]) -> list[str]:
    match name:
        case "dg":
            return [
                f"+!{goal} : {goal}.",
                f"+!{goal} : .intend({goal}).",
                *(_ending(each, goal) for each in plans),
                f"+{goal} <- .succeed_goal({goal}).",
            ]
        case "bdg":
            return [*_pattern("dg", goal, (), plans), f"-!{goal} <- !{goal}."]
        case "ebdg":
            mark = f".abolish(p__f(_,{goal}))"
            once = [_once(number, each, goal) for number, each in enumerate(plans, 1)]
            return [
                f"+!{goal} : {goal}.",
                *once,
                f"-!{goal} <- !{goal}.",
                f"-{goal} <- {mark}.",
                f"+{goal} <- {mark}; .succeed_goal({goal}).",
            ]
        case "bc":
            pattern = more[0].partition("(")[0] if more else "bdg"
            return [*_pattern(pattern, goal, (), plans), f"+!{goal} <- !{goal}."]
        case "smc":
            return [*_pattern("bc", goal, (), plans), f"+{more[0]} <- .fail_goal({goal})."]
    raise AssertionError(name)


def _cut(plan: str) -> tuple[str, str, str]:
    head, _, body = plan.removesuffix(".").partition(" <- ")
    trigger, _, context = head.partition(" : ")
    return trigger, context, body


def _ending(plan: str, goal: str) -> str:
    """The goal is asked for when the plan has ended."""
    trigger, context, body = _cut(plan)
    return f"{trigger} : {context or 'true'} <- {body}; ?{goal}."


def _once(number: int, plan: str, goal: str) -> str:
    """The plan is tried only once."""
    trigger, context, body = _cut(plan)
    mark = f"p__f({number},{goal})"
    return f"{trigger} : not {mark} & ({context or 'true'}) <- +{mark}; {body}; ?{goal}."


def _in_namespace(name: str, statement: str) -> str:
    """Beliefs, goals, events and queries of a module; here they are all the literals whose names
    have one letter, and no terms."""
    spoken = re.sub(r"(?<![\w:(])(?:::)?([a-z])\b(?=[(.;&) ]|$)", rf"{name}::\1", statement)
    return spoken.replace("default::", "")

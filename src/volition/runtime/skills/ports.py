"""Typed ports, through which skills exchange values.

Ports with the same topic are connected, also between different skills. A value is checked against
the port's type when it is written, so that an error is found in the skill that causes it and not in
a reader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, overload

__all__ = ["Input", "Output", "PortError", "fits"]

T = TypeVar("T")


class PortError(Exception):
    """Error for a value of the wrong type for its port, and for a port that is read before it has a
    value."""


class _Port(Generic[T]):
    def __init__(self, kind: type[T], *, topic: str | None = None) -> None:
        self.kind = kind
        self.topic = topic or ""

    def __set_name__(self, owner: type[object], name: str) -> None:
        self.name = name
        self.topic = self.topic or f"port/{name}"


class Input(_Port[T]):
    """Port that a skill reads. With ``pose = Input(tuple[float, ...], topic="state/vessel")`` in
    the class, ``self.pose`` is the last value of the topic.

    Reading the port before the first value raises :class:`PortError`, unless there is a
    ``default``.
    """

    def __init__(
        self, kind: type[T], *, topic: str | None = None, default: T | None = None
    ) -> None:
        super().__init__(kind, topic=topic)
        self.default = default

    @overload
    def __get__(self, skill: None, owner: type[object]) -> Input[T]: ...
    @overload
    def __get__(self, skill: object, owner: type[object]) -> T: ...
    def __get__(self, skill: Any, owner: type[object]) -> Any:
        if skill is None:
            return self
        value = skill.ports.get(self.topic, self.default)
        if value is None:
            raise PortError(f"'{self.name}' has no value yet")
        if not fits(value, self.kind):
            raise PortError(f"'{self.name}' is {_kind(self.kind)}, not {value!r:.80}")
        return value


class Output(_Port[T]):
    """Port that a skill writes. With ``legs = Output(list[tuple[float, float]])`` in the class,
    ``self.legs = [...]`` publishes a value."""

    @overload
    def __get__(self, skill: None, owner: type[object]) -> Output[T]: ...
    @overload
    def __get__(self, skill: object, owner: type[object]) -> T | None: ...
    def __get__(self, skill: Any, owner: type[object]) -> Any:
        return self if skill is None else skill.ports.get(self.topic)

    def __set__(self, skill: Any, value: T) -> None:
        if not fits(value, self.kind):
            raise PortError(f"'{self.name}' is {_kind(self.kind)}, not {value!r:.80}")
        skill.publish(self.topic, value)


def fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type. The type is a class, or is built from classes with
    lists, tuples, mappings, unions and literals. A bool does not count as a number."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return True
    if origin is None:
        if kind is float:
            return isinstance(value, int | float) and not isinstance(value, bool)
        if kind is int:
            return isinstance(value, int) and not isinstance(value, bool)
        return isinstance(value, NoneType if kind is None else kind)
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in arguments)
    if origin is Literal:
        return value in arguments
    if not isinstance(value, origin):
        return False
    if issubclass(origin, tuple):
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return all(fits(each, arguments[0]) for each in value)
        return len(value) == len(arguments) and all(map(fits, value, arguments))
    if issubclass(origin, Mapping):
        return all(
            fits(key, arguments[0]) and fits(each, arguments[1]) for key, each in value.items()
        )
    if issubclass(origin, Sequence | set | frozenset):
        return all(fits(each, arguments[0]) for each in value)
    return True


def _kind(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and get_origin(kind) is None else str(kind)

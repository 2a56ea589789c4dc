"""A world written in Python, watched: what its methods do wrong is told like a mistake in any other file, with its place."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from volition.diagnostics import Diagnostic, InputError, Source, Span
from volition.kernel.system import View
from volition.languages.model import Portrait
from volition.languages.world.interface import Move, World
from volition.languages.world.terms import Structure, Term, is_ground

__all__ = ["PythonWorld"]


class PythonWorld(World):
    """The world that a user's class describes; ``source`` is the file that the class stands in."""

    def __init__(self, world: World, source: Source) -> None:
        super().__init__(world.agents, world.parameters)
        self._world = world
        self._source = source

    def with_parameters(self, values: Mapping[str, Term]) -> PythonWorld:
        with self._watched("__init__"):
            return PythonWorld(self._world.with_parameters(values), self._source)

    @cached_property
    def slots(self) -> Mapping[str, Hashable]:
        with self._watched("slots"):
            found = dict(self._world.slots)
            _hash_all(found)
        for name in found:
            if name.partition(".")[0] in self.agents:
                raise self._error(
                    "WLD061", f"gives a slot '{name}', and slots that start so are the agent's", "slots", "call it world.something"
                )
        return found

    def percepts(self, state: View, agent: str) -> Sequence[Structure]:
        with self._watched("percepts"):
            found = tuple(self._world.percepts(state, agent))
        for each in found:
            if not isinstance(each, Structure) or not is_ground(each):
                raise self._error(
                    "WLD061",
                    f"gives {each!r}, which is no atom without variables",
                    "percepts",
                    'write Structure("light") or Structure("at", (1, 2))',
                )
        return found

    def perform(self, state: View, agent: str, action: Structure) -> Sequence[Move]:
        return self._moves("perform", lambda: self._world.perform(state, agent, action))

    def steps(self, state: View) -> Sequence[Move]:
        return self._moves("steps", lambda: self._world.steps(state))

    def changes(self, state: View) -> Sequence[Move]:
        return self._moves("changes", lambda: self._world.changes(state))

    @property
    def changes_freely(self) -> bool:
        return self._world.changes_freely

    @property
    def actions(self) -> Sequence[Structure] | None:
        with self._watched("actions"):
            return self._world.actions

    @property
    def predicates(self) -> Sequence[Structure] | None:
        with self._watched("predicates"):
            return self._world.predicates

    def proposition(self, name: Structure, place: Span | None) -> Callable[[View], bool]:
        with self._watched("proposition"):
            return self._later("proposition", self._world.proposition(name, place))

    def number(self, name: str, place: Span | None) -> Callable[[View], Any]:
        with self._watched("number"):
            return self._later("number", self._world.number(name, place))

    def summary(self) -> Sequence[tuple[str, str]]:
        with self._watched("summary"):
            return self._world.summary()

    def portray(self, state: View) -> Portrait:
        with self._watched("portray"):
            return self._world.portray(state)

    # --- watching ----------------------------------------------------------------------------------------------------------

    def _moves(self, method: str, call: Callable[[], Iterable[Move]]) -> Sequence[Move]:
        with self._watched(method):
            found = tuple(call())
            for each in found:
                if isinstance(each, Move):
                    for _, writes in each.outcomes:
                        _hash_all(writes)
        for each in found:
            if not isinstance(each, Move):
                raise self._error(
                    "WLD061", f"gives {each!r}, which is no move", method, "write Move(name, text, ((Fraction(1), {slot: value}),))"
                )
        return found

    def _later(self, method: str, function: Callable[[View], Any]) -> Callable[[View], Any]:
        def watched(state: View) -> Any:
            with self._watched(method):
                return function(state)

        return watched

    @contextmanager
    def _watched(self, method: str) -> Iterator[None]:
        try:
            yield
        except InputError:
            raise
        except Exception as error:  # whatever the user's class does wrong is a mistake in the input, not in us
            raise self._error("WLD060", f"fails: {type(error).__name__}: {error}", method, None, error) from error

    def _error(self, code: str, what: str, method: str, hint: str | None, error: Exception | None = None) -> InputError:
        line = self._line_of(error) or self._line_of_method(method)
        place = None if line is None else self._source.span(*self._ends(line))
        return InputError([Diagnostic(code, f"{type(self._world).__name__}.{method} {what}", place, hint)])

    def _line_of(self, error: Exception | None) -> int | None:
        """The innermost line of the user's file that an error went through."""
        frames = [] if error is None else traceback.extract_tb(error.__traceback__)
        return next((each.lineno for each in reversed(frames) if each.filename == self._source.name), None)

    def _line_of_method(self, name: str) -> int | None:
        method = getattr(type(self._world), name)
        code = getattr(method.fget if isinstance(method, property) else method, "__code__", None)
        return code.co_firstlineno if code is not None and code.co_filename == self._source.name else None

    def _ends(self, line: int) -> tuple[int, int]:
        """Where the text of a line starts and ends."""
        before = self._source.text.splitlines(keepends=True)[: line - 1]
        text = self._source.line(line)
        start = sum(map(len, before)) + len(text) - len(text.lstrip())
        return start, start + len(text.strip())


def _hash_all(slots: Mapping[str, Hashable]) -> None:
    """Fails where a value cannot be part of a state."""
    for value in slots.values():
        hash(value)

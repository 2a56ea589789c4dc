"""Wrapper around a world written in Python. Errors raised by its methods are reported like errors
in any other file, with their position."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

from volition.diagnostics import Diagnostics, InputError, Span
from volition.kernel.system import SlotView
from volition.languages.common.slots import Slot, world_item
from volition.languages.common.user_code import UserCode, safe_repr
from volition.languages.protocols import StateView
from volition.languages.world.interface import (
    CANNOT_FAIL,
    World,
    WorldTransition,
    split_answers,
    split_failure,
)
from volition.languages.world.terms import Structure, Term, is_ground, is_negated

__all__ = ["PythonWorld"]

_NO_NEGATION_HINT = "leave it out: agents do not believe what they do not perceive"


class PythonWorld(World):
    """World defined by a user's Python class. ``code`` is the file that contains the class."""

    def __init__(self, world: World, code: UserCode, plain_for: str | None = None) -> None:
        super().__init__(world.agents, world.parameters)
        self._world = world
        self._code = code
        self._plain_for = plain_for

    def with_parameters(self, values: Mapping[str, Term]) -> PythonWorld:
        with self._guard("__init__"):
            return PythonWorld(self._world.with_parameters(values), self._code, self._plain_for)

    def restricted_for(self, language: str, diagnostics: Diagnostics) -> PythonWorld:  # noqa: ARG002
        return PythonWorld(self._world, self._code, language)

    @cached_property
    def slots(self) -> Mapping[str, Hashable]:
        with self._guard("slots"):
            found = dict(self._world.slots)
            _hash_all(found)
        for name in found:
            agent = name.partition(".")[0]
            if agent in self.agents:
                raise self._error(
                    "WLD063",
                    f"the world cannot have a slot '{name}': names that begin with '{agent}.' are "
                    f"reserved for the agent '{agent}'",
                    "slots",
                    "choose a name that starts with 'world.'",
                )
        return {Slot(name, "world", item=world_item(name)): value for name, value in found.items()}

    def percepts(self, state: SlotView, agent: str) -> Sequence[Structure]:
        with self._guard("percepts"):
            found = tuple(self._world.percepts(state, agent))
        for each in found:
            if not _is_ground_atom(each):
                raise self._error(
                    "WLD061",
                    f"the method {self._name('percepts')} returns {safe_repr(each)}, but a percept "
                    "must be an atom without variables",
                    "percepts",
                    'write Structure("light") or Structure("at", (1, 2))',
                )
            if self._plain_for is not None and is_negated(each):
                raise self._error(
                    "WLD071",
                    f"the method {self._name('percepts')} returns the negated percept "
                    f"{safe_repr(each)}, but {self._plain_for} has no strong negation",
                    "percepts",
                    _NO_NEGATION_HINT,
                )
        return found

    def execute(self, state: SlotView, agent: str, action: Structure) -> Sequence[WorldTransition]:
        moves = self._moves("execute", lambda: self._world.execute(state, agent, action))
        if self._plain_for is not None and any(
            split_failure(writes)[1] for move in moves for _, writes in move.outcomes
        ):
            raise self._error(
                "WLD070",
                f"the method {self._name('execute')} lets an action fail, but actions cannot "
                f"fail in {self._plain_for}",
                "execute",
                CANNOT_FAIL,
            )
        return moves

    def spontaneous_transitions(self, state: SlotView) -> Sequence[WorldTransition]:
        return self._moves(
            "spontaneous_transitions", lambda: self._world.spontaneous_transitions(state)
        )

    @property
    def has_spontaneous_transitions(self) -> bool:
        return self._world.has_spontaneous_transitions

    def free_percept_changes(self, state: SlotView) -> Sequence[WorldTransition]:
        return self._moves("free_percept_changes", lambda: self._world.free_percept_changes(state))

    def free_percept_choices(self, state: SlotView) -> Sequence[WorldTransition]:
        return self._moves("free_percept_choices", lambda: self._world.free_percept_choices(state))

    @property
    def has_free_percepts(self) -> bool:
        return self._world.has_free_percepts

    def perceives_free_percepts(self, agent: str) -> bool:
        return self._world.perceives_free_percepts(agent)

    @property
    def actions(self) -> Sequence[Structure] | None:
        with self._guard("actions"):
            return self._world.actions

    @property
    def predicates(self) -> Sequence[Structure] | None:
        with self._guard("predicates"):
            return self._world.predicates

    def proposition(self, name: Structure, span: Span | None) -> Callable[[SlotView], bool]:
        with self._guard("proposition"):
            return self._guard_function("proposition", self._world.proposition(name, span))

    def number(self, name: str, span: Span | None) -> Callable[[SlotView], Any]:
        with self._guard("number"):
            return self._guard_function("number", self._world.number(name, span))

    def summary(self) -> Sequence[tuple[str, str]]:
        with self._guard("summary"):
            return self._world.summary()

    def describe(self, state: SlotView) -> StateView:
        with self._guard("describe"):
            return self._world.describe(state)

    # --- guards around the user's methods ---------------------------------------------------------

    def _moves(
        self, method: str, call: Callable[[], Iterable[WorldTransition]]
    ) -> Sequence[WorldTransition]:
        with self._guard(method):
            found = tuple(call())
            for each in found:
                if isinstance(each, WorldTransition):
                    for _, writes in each.outcomes:
                        _hash_all(writes)
        for each in found:
            if not isinstance(each, WorldTransition):
                raise self._error(
                    "WLD061",
                    f"the method {self._name(method)} returns {safe_repr(each)}, which is not a "
                    "WorldTransition",
                    method,
                    "write WorldTransition(name, text, ((Fraction(1), {slot: value}),))",
                )
        unknown = {
            slot
            for each in found
            for _, writes in each.outcomes
            for slot in split_answers(split_failure(writes)[0])[0]
        } - {*self.slots}
        if unknown:
            raise self._error(
                "WLD062",
                f"the method {self._name(method)} writes the undeclared slot "
                f"{safe_repr(min(unknown, key=str))}",
                method,
                "add it to 'slots' with its initial value",
            )
        return found

    def _guard_function(
        self, method: str, function: Callable[[SlotView], Any]
    ) -> Callable[[SlotView], Any]:
        def guarded(state: SlotView) -> Any:
            with self._guard(method):
                return function(state)

        return guarded

    def _guard(self, method: str) -> AbstractContextManager[None]:
        return self._code.guard("WLD060", self._name(method), line=self._line_of(method))

    def _name(self, method: str) -> str:
        """Return the name of a method of the user's class in messages, such as
        ``House.percepts``."""
        return f"{type(self._world).__name__}.{method}"

    def _error(self, code: str, message: str, method: str, hint: str) -> InputError:
        return self._code.error(code, message, self._line_of(method), hint)

    def _line_of(self, name: str) -> int | None:
        """Return the line of a method of the user's class, or None if the method is not in the
        user's file."""
        method = getattr(type(self._world), name)
        code = getattr(method.fget if isinstance(method, property) else method, "__code__", None)
        return (
            code.co_firstlineno
            if code is not None and code.co_filename == self._code.source.name
            else None
        )


def _hash_all(slots: Mapping[str, Hashable]) -> None:
    """Raise :class:`TypeError` if the value of a slot is not hashable and so cannot be part of a
    state."""
    for value in slots.values():
        hash(value)


def _is_ground_atom(value: object) -> bool:
    """Return whether a value that the user's code returned is an atom without variables. Its
    functor must be a text, also those of structures among its arguments."""
    if not isinstance(value, Structure) or not is_ground(value):
        return False
    waiting: list[object] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Structure):
            if not isinstance(part.functor, str):
                return False
            waiting += part.arguments
    return True

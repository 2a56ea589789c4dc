"""An agent in the middle of a step: what it reads and writes of its slots, and what ends a run that
grows without end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar, cast, overload

from volition.diagnostics import Diagnostic, InputError, plural
from volition.kernel.system import ModelError, SlotView

__all__ = ["BoundExceeded", "SlotAttribute", "StateBuffer"]

T = TypeVar("T")


class StateBuffer(ABC):
    """Reads what it has written, or else the state before; ``writes`` are the slots that the step
    changes."""

    def __init__(self, state: SlotView, writes: Mapping[str, Hashable] | None = None) -> None:
        self.state = state
        self.writes: dict[str, Hashable] = dict(writes or {})

    @abstractmethod
    def slot_of(self, part: str) -> str:
        """The slot in which a :class:`Part` lives."""

    def read(self, slot: str) -> Any:
        return self.writes[slot] if slot in self.writes else self.state[slot]

    def write(self, slot: str, value: Any) -> None:
        self.writes[slot] = value


class SlotAttribute(Generic[T]):
    """An attribute that lives in a slot, by its name."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, whole: None, owner: type) -> SlotAttribute[T]: ...
    @overload
    def __get__(self, whole: StateBuffer, owner: type) -> T: ...
    def __get__(self, whole: StateBuffer | None, owner: type) -> T | SlotAttribute[T]:
        if whole is None:
            return self
        slot, writes = (
            whole.slot_of(self._name),
            whole.writes,
        )  # as read() does, for this is what steps do most
        value: Any = writes[slot] if slot in writes else whole.state[slot]
        return cast(T, value)

    def __set__(self, whole: StateBuffer, value: T) -> None:
        whole.write(whole.slot_of(self._name), value)


class BoundExceeded(ModelError, InputError):
    """A run needs more room than there is, or cannot go on; the kernel adds the run that leads
    there."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        InputError.__init__(self, [Diagnostic(code, message, hint=hint)])

    def is_visible_step(self, label: Hashable) -> bool:  # noqa: ARG002
        """Whether a step is worth telling."""
        return True

    def attach_path(self, labels: Sequence[Hashable]) -> None:
        """Adds the run to the diagnostic, without the steps in which nothing happens and without
        the middle of a long one."""
        if not labels:
            return
        (diagnostic,) = self.diagnostics
        texts = [
            f"{number}. {label}"
            for number, label in enumerate(labels, 1)
            if self.is_visible_step(label)
        ]
        some = "" if len(texts) == len(labels) else " of which these do something"
        if len(texts) > 2 * _SHOWN_STEPS:
            texts[_SHOWN_STEPS:-_SHOWN_STEPS] = [f"... {len(texts) - 2 * _SHOWN_STEPS} more ..."]
        steps = f"{len(labels)} {plural(len(labels), 'step')}{some}"
        hint = f"{diagnostic.hint}; the run that leads there, {steps}:\n    " + "\n    ".join(texts)
        InputError.__init__(self, [replace(diagnostic, hint=hint)])


_SHOWN_STEPS = 15
"""How many steps of a run that exceeds a bound are told from its beginning, and how many from its
end."""

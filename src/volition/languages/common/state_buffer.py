"""Buffer for the slot writes of a transition while it is computed, and the error for exceeded
bounds."""

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
    """Buffer of the slot writes of a transition on top of the state before it.

    Reading a slot returns the buffered write if there is one, else the value in the state before
    the transition. ``writes`` maps each changed slot to its new value.
    """

    def __init__(self, state: SlotView, writes: Mapping[str, Hashable] | None = None) -> None:
        self.state = state
        self.writes: dict[str, Hashable] = dict(writes or {})

    @abstractmethod
    def slot_of(self, part: str) -> str:
        """Return the slot that stores the :class:`SlotAttribute` named ``part``."""

    def read(self, slot: str) -> Any:
        return self.writes[slot] if slot in self.writes else self.state[slot]

    def write(self, slot: str, value: Any) -> None:
        self.writes[slot] = value


class SlotAttribute(Generic[T]):
    """Descriptor for an attribute of a :class:`StateBuffer` that is stored in a slot."""

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
        )  # inlined from read(): this is the most frequent operation
        value: Any = writes[slot] if slot in writes else whole.state[slot]
        return cast(T, value)

    def __set__(self, whole: StateBuffer, value: T) -> None:
        whole.write(whole.slot_of(self._name), value)


class BoundExceeded(ModelError, InputError):
    """Error for a run that exceeds a bound or cannot continue. The kernel adds the run that leads
    to it with :meth:`attach_path`."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        InputError.__init__(self, [Diagnostic(code, message, hint=hint)])

    def is_visible_step(self, label: Hashable) -> bool:  # noqa: ARG002
        """Return whether reports of a run that exceeds a bound show the step with this label. By
        default every step is shown; subclasses may leave out steps without effect."""
        return True

    def attach_path(self, labels: Sequence[Hashable]) -> None:
        """Add the run that leads to the error, given by the labels of its steps, to the diagnostic.

        Steps without a visible effect, and the middle of a long run, are left out.
        """
        if not labels:
            return
        (diagnostic,) = self.diagnostics
        texts = [
            f"{number}. {label}"
            for number, label in enumerate(labels, 1)
            if self.is_visible_step(label)
        ]
        some = "" if len(texts) == len(labels) else ", of which these have an effect"
        if len(texts) > 2 * _SHOWN_STEPS:
            texts[_SHOWN_STEPS:-_SHOWN_STEPS] = [f"... {len(texts) - 2 * _SHOWN_STEPS} more ..."]
        steps = f"{len(labels)} {plural(len(labels), 'step')}{some}"
        hint = f"{diagnostic.hint}; the run that leads there has {steps}:\n    " + "\n    ".join(
            texts
        )
        InputError.__init__(self, [replace(diagnostic, hint=hint)])


_SHOWN_STEPS = 15
"""Number of steps that are shown from the beginning, and from the end, of a run that exceeds a
bound."""

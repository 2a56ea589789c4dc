"""Failure: down the stack for the first goal whose failure is planned for."""

from __future__ import annotations

from tests.languages.jason.reference.events import Posting
from tests.languages.jason.reference.forks import is_given_up
from tests.languages.jason.reference.state import Branch, Event, Intention, Means, Mind
from tests.languages.jason.reference.terms import (
    Unspecified,
    annotated,
    items_of,
    renamed,
    with_annotations,
)
from volition.languages.jason.terms import Literal, Term

__all__ = ["Failing"]


class Failing(Posting):
    """An agent whose plans may fail."""

    def fail(self, mind: Mind, intention: Intention, error: Term | None) -> None:
        """The means on top has failed."""
        is_handled = self._search(mind, intention, len(intention) - 1, error)
        if intention[-1].kind != "belief":
            self.observe_failure(mind, intention[-1], intention[:-1], is_handled)
        elif not is_handled and self.observes(intention):
            raise Unspecified("goals below a plan for a belief that fails")

    def _search(self, mind: Mind, intention: Intention, index: int, error: Term | None) -> bool:
        """Down the stack for the first goal whose failure is planned for; without one the whole
        intention is dropped."""
        while index >= 0:
            means = intention[index]
            if means.stay is not None:
                index = means.stay - 1
            elif (
                means.sign == "+"
                and means.kind != "belief"
                and self.planned("-", means.kind, means.trigger)
            ):
                break
            else:
                index -= 1
        is_handled = not is_given_up(mind, intention[0].branch, index + 1) and index >= 0
        self.tell_dropped(mind)
        if is_handled:
            means = intention[index]
            self.internal(
                mind, Event("-", means.kind, _with_error(means.trigger, error), intention, index)
            )
        return is_handled

    def goal_failed(
        self, mind: Mind, event: Event, error: Term | None, branch: Branch | None = None
    ) -> None:
        """The goal of an event has failed: no plan was found, or somebody says so, in an intention
        that is a branch of a fork."""
        is_handled = self._goal_failed(mind, event, error, branch)
        self.observe_failure(
            mind,
            Means(event.sign, event.kind, event.literal, "", False, (), event.literal),
            event.intention or (),
            is_handled,
        )

    def _goal_failed(
        self, mind: Mind, event: Event, error: Term | None, branch: Branch | None
    ) -> bool:
        if branch is None and event.intention:
            branch = event.intention[0].branch
        if self.planned("-", event.kind, event.literal):
            if is_given_up(mind, branch, len(event.intention or ()) + 1):
                return False
            self.tell_dropped(mind)
            literal = _with_error(event.literal, error)
            if event.intention:
                self.internal(
                    mind, Event("-", event.kind, literal, event.intention, len(event.intention))
                )
            else:
                failed = Event("-", event.kind, literal, stay=0)
                mind.E.append(failed)
                self.test_waits(mind, failed)
            return True
        return bool(event.intention) and self._search(
            mind, event.intention or (), len(event.intention or ()) - 1, error
        )


def _with_error(literal: Literal, error: Term | None) -> Literal:
    """Of the annotations that a failure has, only the kind of error is looked at here."""
    kept = tuple(
        each
        for each in items_of(literal.annotations)
        if not (isinstance(each, Literal) and each.functor == "error")
    )
    literal = with_annotations(literal, kept)
    failed: Literal = renamed(
        literal if error is None else annotated(literal, Literal("error", (error,)))
    )
    return failed

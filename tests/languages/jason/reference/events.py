"""What is posted, and who waits for it."""

from __future__ import annotations

from tests.languages.jason.reference.intentions import instantiated
from tests.languages.jason.reference.observing import Observer
from tests.languages.jason.reference.queries import solutions
from tests.languages.jason.reference.state import Due, Event, Means, Mind, is_atomic
from tests.languages.jason.reference.terms import Substitution, renamed, unified
from volition.languages.jason.syntax import AddBelief, RemoveBelief, Trigger
from volition.languages.jason.terms import BracedTerm, Literal, Term, Variable

__all__ = ["Posting", "trigger_in"]


class Posting(Observer):
    """An agent to which something happens."""

    def external(self, mind: Mind, sign: str, kind: str, literal: Literal | None) -> None:
        """Posts an event that nobody waits for, if there is one."""
        if literal is not None:
            event = Event(sign, kind, renamed(literal))
            mind.E.append(event)
            self._posted(mind, event)

    def internal(self, mind: Mind, event: Event) -> None:
        """Posts an event that an intention waits for."""
        assert event.intention is not None
        (mind.AE if is_atomic(event.intention) else mind.E).append(event)
        self._posted(mind, event)

    def _posted(self, mind: Mind, event: Event) -> None:
        self.test_waits(mind, event)
        if event.sign == "+" and event.kind != "belief":
            self.goal_state(
                mind, Means("+", "achieve", event.literal, "", False, (), event.literal), "pending"
            )

    def test_waits(self, mind: Mind, event: Event) -> None:
        for waiting in mind.PI:
            if waiting.reason in ("query", "event") and not waiting.is_over:
                awaited = waiting.intention[-1].body[0].action.arguments[0]
                if waiting.reason == "query":
                    found = next(solutions(awaited, {}, self.query(mind)), None)
                else:
                    found = _happened(trigger_in(awaited), event)
                if found is not None:
                    waiting.intention = instantiated(waiting.intention, found)
                    waiting.is_over, waiting.time = True, None
                    mind.tasks.append(Due("done", waiting))


def trigger_in(term: Term) -> Trigger | None:
    """The trigger that stands in braces; ``{+b}`` is read as a body."""
    match term:
        case BracedTerm(Trigger() as trigger):
            return trigger
        case BracedTerm((AddBelief(belief=Literal() | Variable() as literal) as step,)):
            return Trigger("+", "belief", literal, span=step.span)
        case BracedTerm((RemoveBelief(belief=Literal() | Variable() as literal) as step,)):
            return Trigger("-", "belief", literal, span=step.span)
    return None


def _happened(awaited: Trigger | None, event: Event) -> Substitution | None:
    """The values that an event gives to the variables of the one that is waited for."""
    if awaited is None or (awaited.operator, awaited.kind) != (event.sign, event.kind):
        return None
    return unified(awaited.literal, renamed(event.literal), {})

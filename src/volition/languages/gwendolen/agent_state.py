"""State of one agent while a step of its reasoning cycle is computed. It consists of the agent's
slots, with the writes of the step, and a log of what the step did."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from volition.diagnostics import Span
from volition.kernel.system import SlotView
from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.gwendolen.inference import RuleBase
from volition.languages.gwendolen.state import AgentSlots, Intention, expect_finite
from volition.languages.gwendolen.syntax import Act, Send
from volition.languages.world.terms import Structure, Term, rename, unify

__all__ = ["AgentState", "is_action", "resumed"]

MAX_INTENTIONS, MAX_ROWS = 500, 500
"""Maximum number of intentions of an agent besides the current one, and of deeds that an intention
still has to do. An agent that exceeds one of them is assumed to have infinitely many states."""


class AgentState(AgentSlots):
    """Slots and reasoning rules of an agent while a step is computed, plus a log of that step.

    The log has the names of the rules applied, texts that describe what happened, and the action
    done.
    """

    def __init__(
        self,
        name: str,
        state: SlotView,
        predicates: frozenset[str],
        rules: RuleBase,
        writes: Mapping[str, Hashable] | None = None,
    ) -> None:
        super().__init__(name, state, predicates, writes)
        self.rules = rules
        self.rules_applied: list[str] = []
        self.texts: list[str] = []
        self.action: str | None = None
        self.plan: str | None = None
        self.span: Span | None = None
        self.done_action: Structure | None = None
        self.something_changed = False
        self.percepts_unchanged = False
        """Whether the world chose the free percepts in this step and they are the same as before.
        (Free percepts are those that the world chooses nondeterministically.)"""

    def copy(self) -> AgentState:
        other = AgentState(self.name, self.state, self.predicates, self.rules, self.writes)
        other.rules_applied, other.texts, other.action, other.plan, other.span = (
            [*self.rules_applied],
            [*self.texts],
            self.action,
            self.plan,
            self.span,
        )
        other.done_action, other.something_changed, other.percepts_unchanged = (
            self.done_action,
            self.something_changed,
            self.percepts_unchanged,
        )
        return other

    def record(self, rule: str, text: str | None = None) -> None:
        self.rules_applied.append(rule)
        if text is not None:
            self.texts.append(text)

    # --- changes of the intentions ----------------------------------------------------------------

    @property
    def current_or_fail(self) -> Intention:
        """Return the current intention. The call fails if there is none."""
        current = self.current
        assert current is not None
        return current

    def set_current(self, intention: Intention) -> None:
        if len(intention.rows) > MAX_ROWS:
            message = f"an intention of {self.name} has more than {MAX_ROWS} deeds to do"
            raise BoundExceeded(
                "GWN062",
                message,
                "a plan that posts its own goal again and again leads to infinitely many states",
            )
        self.current = intention

    def add_intention(self, intention: Intention) -> None:
        """Append an intention to ``others``, the list of intentions that are not current.

        Raise :class:`BoundExceeded` if the list becomes longer than ``MAX_INTENTIONS``.
        """
        content = intention.top.event.content
        if content is not None:
            self.check_term_size(content)
        self.others = (*self.others, intention)
        if len(self.others) > MAX_INTENTIONS:
            message = f"{self.name} has more than {MAX_INTENTIONS} intentions at once"
            raise BoundExceeded(
                "GWN061",
                message,
                "events that arrive faster than they are handled lead to infinitely many states",
            )

    def resume_waiting(self, atom: Term) -> None:
        """Resume each suspended intention that waits for a literal which unifies with ``atom``. The
        current intention is not included."""
        self.others = tuple(resumed(each, atom) for each in self.others)

    def sleep(self) -> None:
        self.asleep = True
        self.something_changed = True

    def check_term_size(self, atom: Term) -> None:
        expect_finite(self.name, atom)


def resumed(intention: Intention, atom: Term) -> Intention:
    """Return an intention after a change of the belief ``atom``. It is resumed if it is suspended
    and waits for a literal that unifies with ``atom``, otherwise unchanged."""
    if (
        intention.waits_for is None
        or unify(intention.waits_for, rename(atom, {}, "?w."), {}) is None
    ):
        return intention
    return intention._replace(waits_for=None)


def is_action(intention: Intention) -> bool:
    """Return whether the next deed of an intention is an action or a message.

    Agents with EASS's cycle prefer intentions whose next deed is neither (point 31 of
    ``docs/reference/gwendolen.md``).
    """
    return bool(intention.rows) and isinstance(intention.top.deed, Act | Send)

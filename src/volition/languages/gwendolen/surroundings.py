"""What surrounds an agent: what it perceives, what its actions do, who hears its messages.

An agent of EASS with an abstraction engine perceives only what is shared between the two; the engine perceives the world as well, and is
who performs what the agent asks for (point 33).  Without an engine an agent perceives and acts itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from volition.diagnostics import Diagnostic, InputError
from volition.kernel.system import View, Weight
from volition.languages.gwendolen.builtin_actions import BUILTIN, UNNOTICED
from volition.languages.gwendolen.inference import instantiate
from volition.languages.gwendolen.options import Options
from volition.languages.gwendolen.state import NO_PLAN_YET, Message, Slots, mind_slot
from volition.languages.gwendolen.syntax import PERFORMATIVE_NUMBERS, AgentProgram, Performative
from volition.languages.kit.slots import Slot
from volition.languages.world.interface import OPEN, Move, World, answers_in
from volition.languages.world.semantics import PERCEPTS
from volition.languages.world.terms import Bindings, Structure, Term, predicate, rename, show, unify

__all__ = ["ROUNDS", "Effect", "Surroundings", "without_order"]

ROUNDS = Slot("rounds", "counter")
"""Where percepts are drawn after actions: :data:`NOT_YET`, :data:`DRAWN`, and :data:`LAST` when they were taken away."""
NOT_YET, DRAWN, LAST = "not yet", "drawn", "last"

_PRINTED = ("printstate", "printagentstate")
_SHARING = ("assert_shared", "remove_shared")
_ASKING = ("perf", "query")


@dataclass(frozen=True)
class Effect:
    """One way in which an action is executed: what it changes with which probability, and what its variables get each time."""

    text: str
    outcomes: tuple[tuple[Weight, Mapping[str, object], Bindings], ...]
    drawn: bool = False
    """Whether free percepts were drawn anew after it."""


@dataclass(frozen=True)
class Surroundings:
    """The same for all agents of a system."""

    agents: Mapping[str, AgentProgram]
    world: World
    options: Options
    predicates: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def engines(self) -> Mapping[str, str]:
        """Agent ▶ its abstraction engine."""
        return {each.abstracts: name for name, each in self.agents.items() if each.abstracts is not None and each.abstracts in self.agents}

    def owner(self, agent: str) -> str:
        """Whose shared beliefs an agent sees: its own, an engine those of its agent."""
        abstracts = self.agents[agent].abstracts
        return agent if abstracts is None or abstracts not in self.agents else abstracts

    # --- percepts --------------------------------------------------------------------------------------------------------

    @property
    def slots(self) -> dict[str, object]:
        slots: dict[str, object] = dict(without_order(self.world.slots))
        if self._draws_after_actions:
            slots[ROUNDS] = NOT_YET
        return slots

    @cached_property
    def _draws_after_actions(self) -> bool:
        return self.world.changes_freely and self.options.redraw in ("acted", "acted_and_asleep")

    def never_sleeps(self, agent: str) -> bool:
        """Where percepts may change at any time an agent with nothing to do keeps looking at them."""
        return self._sees_changes(agent) and not self._draws_after_actions

    def _sees_changes(self, agent: str) -> bool:
        if agent in self.engines:
            return False
        return any(self.world.changes_for(each) for each in {agent, self.owner(agent)})

    @cached_property
    def perceivable(self) -> frozenset[str] | None:
        """The predicates of what can be perceived; None where only the world knows."""
        if self.world.predicates is None:
            return None
        shared = {predicate(atom) for atom in self._shareable()}
        return frozenset({predicate(each) for each in self.world.predicates} | shared)

    def _shareable(self) -> Iterator[Structure]:
        for agent in self.agents.values():
            for plan in agent.plans:
                for deed in plan.body:
                    action = getattr(deed, "action", None)
                    if isinstance(action, Structure) and action.functor in _SHARING:
                        yield from (each for each in action.arguments if isinstance(each, Structure))

    def percepts(self, state: View, agent: str) -> tuple[Structure, ...]:
        """What an agent perceives, sorted as it is printed."""
        owner = self.owner(agent)
        shared: Sequence[Structure] = state[mind_slot(owner, "shared")] if self.agents[agent].cycle == "eass" else ()
        seen = () if agent in self.engines else self.world.percepts(state, agent)
        if owner != agent:
            seen = (*seen, *self.world.percepts(state, owner))
        return tuple(sorted({*shared, *seen}, key=show))

    def draws(self, mind: Slots) -> Sequence[Move]:
        """The ways in which free percepts can be now, where it is time to draw them anew before the agent perceives."""
        if not self._sees_changes(mind.name):
            return ()
        match self.options.redraw:
            case "handled":
                due = all(self._has_handled(mind.of(agent)) for agent in self.agents)
            case "noticed":
                due = all(self._has_noticed(mind.of(agent)) for agent in self.agents)
            case "always":
                due = True
            case _:
                due = mind.read(ROUNDS) == NOT_YET
        return self.world.draws(mind.state) if due else ()

    def draw(self, mind: Slots, draw: Move) -> None:
        """Free percepts become what was drawn; this agent looks at them in any case, others where they see a change."""
        for slot, value in _drawn(draw).items():
            mind.write(slot, value)
        self.inform(mind, mind.state)
        mind.informed = False  # this agent is about to look in any case

    def has_drawn(self, mind: Slots) -> None:
        """From now on percepts are drawn after actions.

        The public environments do not note that the agent knows of the first draw (point 14).
        """
        if self._draws_after_actions:
            mind.write(ROUNDS, DRAWN)
            mind.informed = self.options.redraw == "acted"

    def draws_a_last_time(self, mind: Slots) -> bool:
        """Where everybody sleeps the public environments take all percepts away.

        Where there were any the agent looks once more (point 29).
        """
        if self.options.redraw != "acted_and_asleep" or not self.world.changes_freely or mind.read(ROUNDS) != DRAWN:
            return False
        mind.write(ROUNDS, LAST)
        if not self.percepts(mind, mind.name):
            return False
        self.draw(mind, self.world.draws(mind.state)[0])
        return True

    def is_last_round(self, mind: Slots) -> bool:
        return self._draws_after_actions and mind.read(ROUNDS) == LAST

    def _has_handled(self, mind: Slots) -> bool:
        """Whether no unsuspended intention is left that began with a belief event or a percept (point 34)."""
        current = mind.current
        intentions = (*mind.others, *(() if current is None else (current,)))
        return not any(each.began_with_belief and not each.suspended for each in intentions)

    def _has_noticed(self, mind: Slots) -> bool:
        """Whether no belief event is left without a plan, and no percept that is yet to be believed."""
        current = mind.current
        tops = [each.top for each in (*mind.others, *(() if current is None else (current,))) if each.rows]
        return not any(top.event.kind == "percept" or (top.event.kind == "belief" and top.deed == NO_PLAN_YET) for top in tops)

    def inform(self, mind: Slots, before: View, *, drawn: bool = False) -> None:
        """Every agent whose percepts are not what they were has to look, and wakes; where they were drawn anew, all have to look."""
        for agent in self.agents:
            if drawn or self.percepts(mind, agent) != self.percepts(before, agent):
                other = mind.of(agent)
                other.informed, other.asleep = False, False

    # --- messages --------------------------------------------------------------------------------------------------------

    def deliver(self, mind: Slots, recipient: str, performative: Performative, content: Term) -> None:
        """Puts a message into an inbox and wakes who owns it; nobody hears what is said to nobody."""
        if recipient not in self.agents:
            return
        other = mind.of(recipient)
        if self.options.mailbox == "queue":
            other.inbox = (*other.inbox, Message(recipient, performative, content))
        elif (message := Message(recipient, performative, content, mind.name)) not in other.inbox:
            other.inbox = tuple(sorted((*other.inbox, message), key=_mail_order))
        other.asleep = False

    # --- actions ---------------------------------------------------------------------------------------------------------

    def perform(self, mind: Slots, action: Structure) -> Sequence[Effect]:
        """The ways in which an action is executed now; none: it fails."""
        agent = mind.name
        if action.functor in UNNOTICED:
            return [_no_effect(action)]
        if action.functor in _SHARING and len(action.arguments) == 1 and self.agents[agent].cycle == "eass":
            return [self._share(mind, action)]
        if action.functor in _ASKING and agent in self.engines and len(action.arguments) == 1:
            return [self._ask_engine(mind, action)]
        effects = self._computed(action) if action.functor in BUILTIN else self._in_world(mind, agent, action)
        return [each for effect in effects for each in self._drawn(mind, effect)] if self._draws_after_actions else effects

    def _share(self, mind: Slots, action: Structure) -> Effect:
        (atom,) = action.arguments
        slot = mind_slot(self.owner(mind.name), "shared")
        shared: tuple[Structure, ...] = mind.read(slot)
        if action.functor == "assert_shared" and isinstance(atom, Structure):
            then = tuple(sorted({*shared, atom}, key=show))
        else:
            then = tuple(each for each in shared if unify(atom, each, {}) is None)
        return Effect(f"does {show(action)}", ((1, {slot: then}, {}),))

    def _ask_engine(self, mind: Slots, action: Structure) -> Effect:
        asked = Slots(mind.name, mind, self.predicates)
        self.deliver(asked, self.engines[mind.name], "perform", action.arguments[0])
        return Effect(f"does {show(action)}", ((1, asked.writes, {}),))

    @staticmethod
    def _computed(action: Structure) -> list[Effect]:
        answer = BUILTIN[action.functor](action)
        return [] if answer is None else [_no_effect(action, answer)]

    def _in_world(self, mind: Slots, agent: str, action: Structure) -> list[Effect]:
        known = self.world.actions
        if action.functor in _PRINTED or (known is not None and predicate(action) not in map(predicate, known)):
            return [_no_effect(action)]
        names: dict[str, str] = {}
        asked = rename(action, names, OPEN)
        assert isinstance(asked, Structure)
        own = {new: old for old, new in names.items()}
        effects = []
        for move in self.world.perform(mind.state, agent, asked):
            split = [(weight, *answers_in(without_order(writes))) for weight, writes in move.outcomes]
            outcomes = tuple(
                (weight, writes, {own[name]: value for name, value in given.items() if name in own}) for weight, writes, given in split
            )
            answers = {show(instantiate(action, given)) for _, _, given in outcomes}
            text = move.text.replace(show(asked), answers.pop() if len(answers) == 1 else show(action))
            effects.append(Effect(text, outcomes))
        return effects

    def _drawn(self, mind: Slots, effect: Effect) -> Iterator[Effect]:
        """An action after which all free percepts are drawn anew."""
        for draw in self.world.draws(mind.state):
            drawn = _drawn(draw)
            outcomes = tuple((weight, {**writes, **drawn, ROUNDS: DRAWN}, given) for weight, writes, given in effect.outcomes)
            yield Effect(f"{effect.text}; then {draw.text}", outcomes, drawn=True)


def _mail_order(message: Message) -> tuple[str, int, str]:
    return message.sender or "", PERFORMATIVE_NUMBERS[message.performative], show(message.content)


def _drawn(draw: Move) -> Mapping[str, Hashable]:
    """The slots that a draw changes: nobody decides how percepts come and go, chance neither."""
    if len(draw.outcomes) != 1:
        raise InputError(
            [Diagnostic("GWN066", f"percepts cannot change by chance here: {draw.text}", draw.span, hint="give each change one outcome")]
        )
    ((_, writes),) = draw.outcomes
    return writes


def without_order(writes: Mapping[str, Hashable]) -> Mapping[str, Hashable]:
    """The same with percepts sorted as they are printed: no agent here can tell which came first (point 15)."""
    percepts = writes.get(PERCEPTS)
    return {**writes, PERCEPTS: tuple(sorted(percepts, key=show))} if isinstance(percepts, tuple) else writes


def _no_effect(action: Structure, answer: Bindings | None = None) -> Effect:
    """An action that changes nothing, but may have an answer."""
    return Effect(f"does {show(action)}", ((1, {}, answer or {}),))

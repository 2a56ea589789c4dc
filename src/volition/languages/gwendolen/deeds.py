"""Stage D: one function for each deed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from volition.kernel.system import Weight
from volition.languages.gwendolen.inference import instantiate, solutions
from volition.languages.gwendolen.intentions import bound, event_intention, popped, without_rows
from volition.languages.gwendolen.mind import Mind
from volition.languages.gwendolen.state import (
    EMPTY,
    NO_OPERATION,
    NO_PLAN_YET,
    Event,
    Intention,
    Marker,
    Message,
    Row,
)  # fmt: skip
from volition.languages.gwendolen.surroundings import Effect, Surroundings
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    Cycle,
    DropGoal,
    Goal,
    Lock,
    RemoveBelief,
    Send,
    Unlock,
    WaitFor,
)  # fmt: skip
from volition.languages.kit.steps import BoundExceeded
from volition.languages.world.terms import Bindings, Structure, Term, Text, Variable, is_ground, predicate, rename, show, unify

__all__ = ["Ending", "execute"]


class Ending(NamedTuple):
    """One way in which a deed ends: what was chosen, and the minds that chance may leave the agent in."""

    minds: tuple[tuple[Weight, Mind], ...]


def execute(mind: Mind, around: Surroundings, cycle: Cycle) -> Sequence[Ending]:
    """D Execute the Top Deed."""
    deed = mind.active.top.deed
    if isinstance(deed, Marker):
        return _alone(mind, nothing)
    mind.span = deed.span
    match deed:
        case AddBelief():
            return _alone(mind, add_belief)
        case RemoveBelief():
            return _alone(mind, remove_belief)
        case AddGoal(Goal(_, "achieve")):
            return _alone(mind, add_achieve_goal)
        case AddGoal():
            return _alone(mind, add_perform_goal)
        case DropGoal():
            return _alone(mind, drop_goal)
        case Lock():
            return _alone(mind, lock)
        case Unlock():
            return _alone(mind, unlock)
        case WaitFor():
            wait_for(mind, deed, sleeps=cycle == "gwendolen" and not around.never_sleeps(mind.name))
            return [Ending(((1, mind),))]
        case Send():
            send(mind, deed, around)
            return [Ending(((1, mind),))]
        case Act():
            return act(mind, deed, around)


def _alone(mind: Mind, deed: Callable[[Mind, Any], None]) -> Sequence[Ending]:
    deed(mind, mind.active.top.deed)
    return [Ending(((1, mind),))]


def _done(mind: Mind, bindings: Bindings | None = None) -> None:
    """Takes the top row away, and gives what was found to the others; a goal whose last row it was is pursued no longer."""
    intention = mind.active
    event = intention.top.event
    rest = bound(popped(intention), bindings or {})
    mind.set_current(rest)
    if event.adopts and not (rest.rows and _same_posting(rest.top.event, event)):
        mind.abandon(event.goal)


def _same_posting(one: Event, other: Event) -> bool:
    return one.adopts and one.depth == other.depth


# --- beliefs -------------------------------------------------------------------------------------------------------------


def nothing(mind: Mind, marker: Marker) -> None:
    """The place of a goal that was performed; an event without a plan stays where it is."""
    if marker == NO_OPERATION:
        mind.tell("D:nothing", "is done with the goal")
        _done(mind)
    else:
        mind.tell("D:unplanned", f"has no plan for {mind.active.top.event}")


def add_belief(mind: Mind, deed: AddBelief) -> None:
    """``+b``: an event if b could not be derived before (point 17); wakes those who wait for b."""
    atom = _structure(mind, deed.atom, deed)
    perceived = mind.active.top.event.kind == "percept"
    is_new = next(solutions(atom, mind, {}), None) is None
    mind.finite(atom)
    mind.believe(atom, perceived=perceived)
    mind.tell("D:add_belief", f"believes {show(atom)}")
    _done(mind)
    if is_new:
        mind.intend(event_intention(Event("+", "belief", atom)))
    mind.wake(atom)


def remove_belief(mind: Mind, deed: RemoveBelief) -> None:
    """``-b``: every belief that unifies goes, each with an event for the pattern b; variables get the first one's values (point 18)."""
    atom = _structure(mind, deed.atom, deed)
    removed = [(each, found) for each in mind.facts(predicate(atom)) if (found := unify(atom, rename(each, {}, "?b."), {})) is not None]
    for each, _ in removed:
        mind.forget(each)
    mind.tell("D:remove_belief", f"no longer believes {show(atom)}" if removed else f"did not believe {show(atom)}")
    _done(mind, removed[0][1] if removed else None)
    for _ in removed:
        mind.intend(event_intention(Event("-", "belief", rename(atom, {}, "_"))))
    mind.wake(atom)


# --- goals ---------------------------------------------------------------------------------------------------------------


def add_achieve_goal(mind: Mind, deed: AddGoal) -> None:
    """``+!g [achieve]``: believed, already pursued, or to be planned for; then the deed stays below, to be tried again (point 22)."""
    goal = Goal(_structure(mind, deed.goal.atom, deed), "achieve")
    believed = next(solutions(goal.atom, mind, {}), None)
    if believed is not None:
        mind.tell("D:goal_achieved", f"has achieved {show(goal.atom)}")
        if not any(_pursues(each, goal) for each in mind.others):
            mind.abandon(_as_stored(goal))
        _done(mind, believed)
        return
    for each in mind.goals:
        found = unify(goal.atom, rename(each.atom, {}, "?g."), {}) if each.type == "achieve" else None
        if found is not None:
            mind.tell("D:goal_pursued", f"already pursues {show(goal.atom)}, and goes on")
            _done(mind, found)
            return
    mind.tell("D:add_achieve_goal", f"sets out to achieve {show(goal.atom)}")
    _post(mind, goal)


def add_perform_goal(mind: Mind, deed: AddGoal) -> None:
    """``+!g [perform]``: planned for once; nothing is left to be done about it below."""
    goal = Goal(_structure(mind, deed.goal.atom, deed), "perform")
    mind.tell("D:add_perform_goal", f"sets out to perform {show(goal.atom)}")
    top = mind.active.top
    mind.set_current(mind.active._replace(rows=(*mind.active.rows[:-1], Row(top.event, NO_OPERATION))))
    _post(mind, goal)


def _post(mind: Mind, goal: Goal) -> None:
    """Adds a goal to the goal base, and on top of the intention the event that asks for a plan."""
    assert isinstance(goal.atom, Structure)
    mind.finite(goal.atom)
    stored = _as_stored(goal)
    mind.adopt(stored)
    rows = mind.active.rows
    posted = None if is_ground(goal.atom) else stored.atom
    event = Event("+", "goal", goal.atom, goal.type, depth=len(rows), posted=posted)
    mind.set_current(mind.active._replace(rows=(*rows, Row(event, NO_PLAN_YET))))


def _as_stored(goal: Goal) -> Goal:
    """A goal by its posting: what values its variables get later does not matter to the goal base (point 21)."""
    atom = rename(goal.atom, {}, "_")
    assert isinstance(atom, Structure)
    return Goal(atom, goal.type)


def _pursues(intention: Intention, goal: Goal) -> bool:
    return any(_is_posting_of(row.event, goal) for row in intention.rows)


def _is_posting_of(event: Event, goal: Goal) -> bool:
    content = event.content
    return event.adopts and event.type == goal.type and content is not None and unify(goal.atom, rename(content, {}, "?e."), {}) is not None


def drop_goal(mind: Mind, deed: DropGoal) -> None:
    """``-!g``: whoever pursues g stops, the current intention first, and goes on as if it had been achieved (points 19 and 20)."""
    goal = Goal(_structure(mind, deed.goal.atom, deed), deed.goal.type)
    mind.tell("D:drop_goal", f"drops the goal {show(goal.atom)}")
    mind.abandon(_as_stored(goal))
    place = _lowest_posting(mind.active, goal)
    if place is not None:
        mind.set_current(_stopped(mind, mind.active, place))
        return
    _done(mind)
    others = []
    for each in mind.others:
        place = _lowest_posting(each, goal)
        stopped = _stopped(mind, each, place) if place is not None else _unposted(each, goal)
        others += [stopped] if stopped.rows else []
    mind.others = tuple(others)


def _lowest_posting(intention: Intention, goal: Goal) -> int | None:
    """Where the rows of a goal begin, counted from the bottom."""
    return next((place for place, row in enumerate(intention.rows) if _is_posting_of(row.event, goal)), None)


def _stopped(mind: Mind, intention: Intention, place: int) -> Intention:
    """The intention without the rows of a goal, all that is above them, and the deed below that posted it."""
    for row in intention.rows[place:]:
        if row.event.adopts:
            mind.abandon(row.event.goal)
    below = max(place - 1, 0)
    rest = without_rows(intention, below)
    posted_from = intention.rows[below].event
    if place > 0 and posted_from.adopts and not (rest.rows and _same_posting(rest.top.event, posted_from)):
        mind.abandon(posted_from.goal)
    return rest


def _unposted(intention: Intention, goal: Goal) -> Intention:
    """Without a deed on top that was about to perform the goal."""
    deed = intention.top.deed
    if isinstance(deed, AddGoal) and goal.type == deed.goal.type == "perform" and unify(goal.atom, deed.goal.atom, {}) is not None:
        return popped(intention)
    return intention


# --- locks and waits -------------------------------------------------------------------------------------------------------


def lock(mind: Mind, _: Lock) -> None:
    """``+.lock``: while it is locked this intention is selected every time."""
    mind.tell("D:lock", "locks the intention")
    mind.current = mind.active._replace(locked=True)
    _done(mind)


def unlock(mind: Mind, _: Unlock) -> None:
    """``-.lock``."""
    mind.tell("D:unlock", "unlocks the intention")
    mind.current = mind.active._replace(locked=False)
    _done(mind)


def wait_for(mind: Mind, deed: WaitFor, *, sleeps: bool) -> None:
    """``*b`` and ``*~b``: go on if it is so, else suspend the intention for the literal b (point 24).

    Where everything waits an agent of Gwendolen ``sleeps`` at once, one of EASS when it next looks for something to do.
    """
    atom = _structure(mind, deed.atom, deed)
    found = next(solutions(atom, mind, {}), None)
    if (found is not None) == deed.positive:
        mind.tell("D:wait_over", f"has waited for {str(deed)[1:]}")
        _done(mind, found if deed.positive else None)
        return
    mind.tell("D:wait", f"waits for {str(deed)[1:]}")
    suspended = mind.active._replace(waits_for=atom)
    if all(each.suspended for each in mind.others):
        mind.others, mind.current = (*mind.others, suspended), EMPTY
        if sleeps:
            mind.sleep()
    else:
        mind.current = suspended
    _sort_suspended(mind)


def _sort_suspended(mind: Mind) -> None:
    """Those that can run in their order, then the others by their height and their top event (point 25)."""
    running = [each for each in mind.others if not each.suspended]
    waiting = sorted((each for each in mind.others if each.suspended), key=lambda each: (len(each.rows), str(each.top.event)))
    mind.others = (*running, *waiting)


# --- messages and actions ----------------------------------------------------------------------------------------------------


def send(mind: Mind, deed: Send, around: Surroundings) -> None:
    """``.send``: the message is delivered, its sending is an event, and the outbox keeps it."""
    recipient = deed.recipient.value if isinstance(deed.recipient, Text) else show(deed.recipient)
    if isinstance(deed.recipient, Variable):
        raise _unbound(mind, deed.recipient, deed)
    content = rename(deed.content, {}, "_")
    mind.finite(content)
    mind.tell("D:send", f"sends :{deed.performative} {show(content)} to {recipient}")
    mind.action = f"send({show(content)}, {recipient})"
    message = Message(recipient, deed.performative, content)
    _done(mind)
    mind.done_action = Structure("send", (content, Structure(recipient)))
    mind.intend(event_intention(Event("+", "sent", Structure("send", (content, Structure(recipient))), performative=deed.performative)))
    if around.options.store_sent:
        mind.outbox = tuple(sorted({*mind.outbox, message}, key=str))
    around.deliver(mind, recipient, deed.performative, content)
    mind.something_changed = True


def act(mind: Mind, deed: Act, around: Surroundings) -> Sequence[Ending]:
    """An action: the world executes it and may answer; if it cannot, the goal that it is for has a problem."""
    mind.action = show(deed.action)
    effects = around.perform(mind, deed.action)
    return [_acted(mind, deed, effect, around) for effect in effects] or [_failed(mind, deed)]


def _acted(mind: Mind, deed: Act, effect: Effect, around: Surroundings) -> Ending:
    minds = []
    for weight, writes, answer in effect.outcomes:
        after = mind.copy()
        after.done_action = done = _with_answer(deed.action, answer)
        after.action = show(done)
        after.tell("D:act", effect.text)
        _done(after, answer)
        for slot, value in writes.items():
            after.write(slot, value)
        if writes:
            around.inform(after, mind.state, drawn=effect.drawn)
            after.something_changed = True
        minds.append((weight, after))
    return Ending(tuple(minds))


def _with_answer(action: Structure, answer: Bindings) -> Structure:
    """The action as it was done: with what the world has answered."""
    done = instantiate(action, answer)
    assert isinstance(done, Structure)
    return done


def _failed(mind: Mind, deed: Act) -> Ending:
    event = mind.active.top.event
    mind.tell("D:action_fails", f"fails to do {show(deed.action)}")
    if event.adopts:
        mind.set_current(mind.active._replace(rows=(*mind.active.rows, Row(event._replace(sign="-"), NO_PLAN_YET))))
    else:
        _done(mind)
    return Ending(((1, mind),))


# --- terms -------------------------------------------------------------------------------------------------------------------


def _structure(mind: Mind, atom: Term, deed: object) -> Structure:
    if not isinstance(atom, Structure):
        raise _unbound(mind, atom, deed)
    return atom


def _unbound(mind: Mind, atom: Term, deed: object) -> BoundExceeded:
    return BoundExceeded("GWN064", f"'{show(atom)}' has no value where {mind.name} does {deed}", "let the guard of the plan give it one")

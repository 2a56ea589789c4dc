"""Stage D of the reasoning cycle, which executes one deed (step of a plan) of the current
intention. There is one function per kind of deed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, assert_never

from volition.kernel.system import Weight
from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.gwendolen.agent_state import AgentState
from volition.languages.gwendolen.environment import ActionResult, AgentEnvironment
from volition.languages.gwendolen.inference import instantiate, solutions
from volition.languages.gwendolen.intentions import (
    apply_bindings,
    event_intention,
    keep_bottom_rows,
    pop_row,
)
from volition.languages.gwendolen.state import (
    EMPTY,
    NO_OP,
    NO_PLAN_YET,
    Event,
    Intention,
    IntentionRow,
    Message,
    PseudoDeed,
)  # fmt: skip
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
from volition.languages.world.terms import (
    Bindings,
    Structure,
    Term,
    Text,
    Variable,
    is_ground,
    predicate,
    rename,
    show,
    unify,
)

__all__ = ["DeedOutcome", "execute"]


class DeedOutcome(NamedTuple):
    """Probability distribution over the states of an agent after a deed. Executing a deed gives
    several of them if it has a nondeterministic choice."""

    minds: tuple[tuple[Weight, AgentState], ...]


def execute(mind: AgentState, environment: AgentEnvironment, cycle: Cycle) -> Sequence[DeedOutcome]:
    """Execute the next deed of the current intention (stage D). Return the possible outcomes; the
    choice between them is nondeterministic."""
    deed = mind.current_or_fail.top.deed
    if isinstance(deed, PseudoDeed):
        return _single_outcome(mind, no_op)
    mind.span = deed.span
    match deed:
        case AddBelief():
            return _single_outcome(mind, add_belief)
        case RemoveBelief():
            return _single_outcome(mind, remove_belief)
        case AddGoal(Goal(_, "achieve")):
            return _single_outcome(mind, add_achieve_goal)
        case AddGoal():
            return _single_outcome(mind, add_perform_goal)
        case DropGoal():
            return _single_outcome(mind, drop_goal)
        case Lock():
            return _single_outcome(mind, lock)
        case Unlock():
            return _single_outcome(mind, unlock)
        case WaitFor():
            wait_for(
                mind,
                deed,
                sleeps=cycle == "gwendolen" and not environment.keeps_perceiving(mind.name),
            )
            return [DeedOutcome(((1, mind),))]
        case Send():
            send(mind, deed, environment)
            return [DeedOutcome(((1, mind),))]
        case Act():
            return act(mind, deed, environment)
        case _:
            assert_never(deed)


def _single_outcome(
    mind: AgentState, deed: Callable[[AgentState, Any], None]
) -> Sequence[DeedOutcome]:
    deed(mind, mind.current_or_fail.top.deed)
    return [DeedOutcome(((1, mind),))]


def _pop_row(mind: AgentState, bindings: Bindings | None = None) -> None:
    """Remove the top row (an event and one deed for it) of the current intention, and apply
    ``bindings`` to the other rows.

    If it was the last row of a posted goal, remove that goal from the goal base.
    """
    intention = mind.current_or_fail
    event = intention.top.event
    rest = apply_bindings(pop_row(intention), bindings or {})
    mind.set_current(rest)
    if event.is_goal_addition and not (rest.rows and _same_posting(rest.top.event, event)):
        mind.remove_goal(event.goal)


def _same_posting(one: Event, other: Event) -> bool:
    return one.is_goal_addition and one.depth == other.depth


# --- deeds about beliefs --------------------------------------------------------------------------


def no_op(mind: AgentState, marker: PseudoDeed) -> None:
    """Execute the top row of the current intention if it has a placeholder instead of a deed.

    The placeholder :data:`NO_OP` means that a perform goal is done; the row is removed. The
    placeholder :data:`NO_PLAN_YET` means that no plan was found for the row's event; the row stays,
    and the agent looks for a plan again.
    """
    if marker == NO_OP:
        mind.record("D:nothing", "has performed the goal")
        _pop_row(mind)
    else:
        mind.record("D:unplanned", f"has no plan for {mind.current_or_fail.top.event}")


def add_belief(mind: AgentState, deed: AddBelief) -> None:
    """Execute the deed ``+b``: add the belief b, and resume the intentions that wait for b.

    Post an event if b was not derivable before (point 17 of ``docs/reference/gwendolen.md``).
    """
    atom = _structure(mind, deed.atom, deed)
    perceived = mind.current_or_fail.top.event.kind == "percept"
    is_new = next(solutions(atom, mind, {}), None) is None
    mind.check_term_size(atom)
    mind.add_belief(atom, perceived=perceived)
    mind.record("D:add_belief", f"believes {show(atom)}")
    _pop_row(mind)
    if is_new:
        mind.add_intention(event_intention(Event("+", "belief", atom)))
    mind.resume_waiting(atom)


def remove_belief(mind: AgentState, deed: RemoveBelief) -> None:
    """Execute the deed ``-b``: remove every belief that unifies with b.

    One event ``-b`` is posted for each removed belief. All these events have the atom b as written
    in the deed. The variables of the deed are bound to the values in the first removed belief
    (point 18 of ``docs/reference/gwendolen.md``).
    """
    atom = _structure(mind, deed.atom, deed)
    removed = [
        (each, found)
        for each in mind.facts(predicate(atom))
        if (found := unify(atom, rename(each, {}, "?b."), {})) is not None
    ]
    for each, _ in removed:
        mind.remove_belief(each)
    mind.record(
        "D:remove_belief",
        f"no longer believes {show(atom)}" if removed else f"did not believe {show(atom)}",
    )
    _pop_row(mind, removed[0][1] if removed else None)
    for _ in removed:
        mind.add_intention(event_intention(Event("-", "belief", rename(atom, {}, "_"))))
    mind.resume_waiting(atom)


# --- deeds about goals ----------------------------------------------------------------------------


def add_achieve_goal(mind: AgentState, deed: AddGoal) -> None:
    """Execute the deed ``+!g [achieve]``, which posts an achievement goal (point 22 of
    ``docs/reference/gwendolen.md``).

    If g is believed or already pursued, the deed is done. Otherwise g is posted, and the deed stays
    in the intention. It is executed again when the plan for g has ended.
    """
    goal = Goal(_structure(mind, deed.goal.atom, deed), "achieve")
    believed = next(solutions(goal.atom, mind, {}), None)
    if believed is not None:
        mind.record("D:goal_achieved", f"has achieved {show(goal.atom)}")
        if not any(_pursues(each, goal) for each in mind.others):
            mind.remove_goal(_goal_base_entry(goal))
        _pop_row(mind, believed)
        return
    for each in mind.goals:
        found = (
            unify(goal.atom, rename(each.atom, {}, "?g."), {}) if each.type == "achieve" else None
        )
        if found is not None:
            mind.record("D:goal_pursued", f"already pursues {show(goal.atom)} and continues")
            _pop_row(mind, found)
            return
    mind.record("D:add_achieve_goal", f"sets out to achieve {show(goal.atom)}")
    _post(mind, goal)


def add_perform_goal(mind: AgentState, deed: AddGoal) -> None:
    """Execute the deed ``+!g [perform]``: post g, and replace the deed by a placeholder so that g
    is not posted a second time."""
    goal = Goal(_structure(mind, deed.goal.atom, deed), "perform")
    mind.record("D:add_perform_goal", f"sets out to perform {show(goal.atom)}")
    top = mind.current_or_fail.top
    mind.set_current(
        mind.current_or_fail._replace(
            rows=(*mind.current_or_fail.rows[:-1], IntentionRow(top.event, NO_OP))
        )
    )
    _post(mind, goal)


def _post(mind: AgentState, goal: Goal) -> None:
    """Add a goal to the goal base, and post its event ``+!g``: push a row (an event and its deed)
    for it onto the current intention. The row has no plan yet."""
    assert isinstance(goal.atom, Structure)
    mind.check_term_size(goal.atom)
    stored = _goal_base_entry(goal)
    mind.add_goal(stored)
    rows = mind.current_or_fail.rows
    posted = None if is_ground(goal.atom) else stored.atom
    event = Event("+", "goal", goal.atom, goal.type, depth=len(rows), posted_goal=posted)
    mind.set_current(mind.current_or_fail._replace(rows=(*rows, IntentionRow(event, NO_PLAN_YET))))


def _goal_base_entry(goal: Goal) -> Goal:
    """Return a goal in the form in which the goal base stores it: with variables renamed to
    canonical names.

    The stored goal does not change if variables of the posted goal are bound later (point 21 of
    ``docs/reference/gwendolen.md``).
    """
    atom = rename(goal.atom, {}, "_")
    assert isinstance(atom, Structure)
    return Goal(atom, goal.type)


def _pursues(intention: Intention, goal: Goal) -> bool:
    return any(_is_posting_of(row.event, goal) for row in intention.rows)


def _is_posting_of(event: Event, goal: Goal) -> bool:
    content = event.content
    return (
        event.is_goal_addition
        and event.type == goal.type
        and content is not None
        and unify(goal.atom, rename(content, {}, "?e."), {}) is not None
    )


def drop_goal(mind: AgentState, deed: DropGoal) -> None:
    """Execute the deed ``-!g``: stop pursuing the goal g (points 19 and 20 of
    ``docs/reference/gwendolen.md``).

    If the current intention pursues g, only this intention drops g. Otherwise all other intentions
    that pursue g drop it. These intentions are not removed; each continues as if g had been
    achieved.
    """
    goal = Goal(_structure(mind, deed.goal.atom, deed), deed.goal.type)
    mind.record("D:drop_goal", f"drops the goal {show(goal.atom)}")
    mind.remove_goal(_goal_base_entry(goal))
    index = _first_row_of_goal(mind.current_or_fail, goal)
    if index is not None:
        mind.set_current(_without_goal(mind, mind.current_or_fail, index))
        return
    _pop_row(mind)
    others = []
    for each in mind.others:
        index = _first_row_of_goal(each, goal)
        stopped = (
            _without_goal(mind, each, index)
            if index is not None
            else _without_pending_post(each, goal)
        )
        others += [stopped] if stopped.rows else []
    mind.others = tuple(others)


def _first_row_of_goal(intention: Intention, goal: Goal) -> int | None:
    """Return the index of the lowest row of an intention that pursues ``goal``. A row is an event
    and one deed for it; the bottom row has the index 0. Return None if no row pursues the goal."""
    return next(
        (index for index, row in enumerate(intention.rows) if _is_posting_of(row.event, goal)), None
    )


def _without_goal(mind: AgentState, intention: Intention, index: int) -> Intention:
    """Return an intention without the goal whose lowest row has the given index. A row of an
    intention is an event and one deed for it.

    The goal's lowest row, all rows above it, and the row directly below it, whose deed posted the
    goal, are removed. The goals of the removed rows are removed from the goal base.
    """
    for row in intention.rows[index:]:
        if row.event.is_goal_addition:
            mind.remove_goal(row.event.goal)
    below = max(index - 1, 0)
    rest = keep_bottom_rows(intention, below)
    posted_from = intention.rows[below].event
    if (
        index > 0
        and posted_from.is_goal_addition
        and not (rest.rows and _same_posting(rest.top.event, posted_from))
    ):
        mind.remove_goal(posted_from.goal)
    return rest


def _without_pending_post(intention: Intention, goal: Goal) -> Intention:
    """Return the intention without its next deed if this deed would post ``goal`` as a perform
    goal. Otherwise return the intention unchanged."""
    deed = intention.top.deed
    if (
        isinstance(deed, AddGoal)
        and goal.type == deed.goal.type == "perform"
        and unify(goal.atom, deed.goal.atom, {}) is not None
    ):
        return pop_row(intention)
    return intention


# --- deeds that lock an intention or wait ---------------------------------------------------------


def lock(mind: AgentState, _: Lock) -> None:
    """Execute the deed ``+.lock``: only the current intention is executed until ``-.lock``."""
    mind.record("D:lock", "locks the intention")
    mind.current = mind.current_or_fail._replace(locked=True)
    _pop_row(mind)


def unlock(mind: AgentState, _: Unlock) -> None:
    """Execute the deed ``-.lock``: the agent may again select any intention."""
    mind.record("D:unlock", "unlocks the intention")
    mind.current = mind.current_or_fail._replace(locked=False)
    _pop_row(mind)


def wait_for(mind: AgentState, deed: WaitFor, *, sleeps: bool) -> None:
    """Execute the deed ``*b`` or ``*~b``. If b is believed (for ``*~b``: not believed), the
    intention continues. Otherwise it is suspended until b changes (point 24 of
    ``docs/reference/gwendolen.md``).

    If all intentions are then suspended, the agent falls asleep. This happens immediately if
    ``sleeps`` is set (Gwendolen), otherwise when it next selects an intention (EASS).
    """
    atom = _structure(mind, deed.atom, deed)
    found = next(solutions(atom, mind, {}), None)
    if (found is not None) == deed.positive:
        mind.record("D:wait_over", f"has waited for {str(deed)[1:]}")
        _pop_row(mind, found if deed.positive else None)
        return
    mind.record("D:wait", f"waits for {str(deed)[1:]}")
    suspended = mind.current_or_fail._replace(waits_for=atom)
    if all(each.suspended for each in mind.others):
        mind.others, mind.current = (*mind.others, suspended), EMPTY
        if sleeps:
            mind.sleep()
    else:
        mind.current = suspended
    _sort_suspended(mind)


def _sort_suspended(mind: AgentState) -> None:
    """Sort the agent's intentions other than the current one: first the runnable intentions in
    their present order, then the suspended ones. These are sorted by size and by the event at the
    top (point 25 of ``docs/reference/gwendolen.md``)."""
    running = [each for each in mind.others if not each.suspended]
    waiting = sorted(
        (each for each in mind.others if each.suspended),
        key=lambda each: (len(each.rows), str(each.top.event)),
    )
    mind.others = (*running, *waiting)


# --- deeds that send a message or act -------------------------------------------------------------


def send(mind: AgentState, deed: Send, environment: AgentEnvironment) -> None:
    """Execute the deed ``.send``: deliver the message, post an event for it, and, with the option
    ``store_sent``, add it to the outbox."""
    recipient = deed.recipient.value if isinstance(deed.recipient, Text) else show(deed.recipient)
    if isinstance(deed.recipient, Variable):
        raise _unbound(mind, deed.recipient, deed)
    content = rename(deed.content, {}, "_")
    mind.check_term_size(content)
    mind.record("D:send", f"sends :{deed.performative} {show(content)} to {recipient}")
    mind.action = f"send({show(content)}, {recipient})"
    message = Message(recipient, deed.performative, content)
    _pop_row(mind)
    mind.done_action = Structure("send", (content, Structure(recipient)))
    mind.add_intention(
        event_intention(
            Event(
                "+",
                "sent",
                Structure("send", (content, Structure(recipient))),
                performative=deed.performative,
            )
        )
    )
    if environment.options.store_sent:
        mind.outbox = tuple(sorted({*mind.outbox, message}, key=str))
    environment.deliver(mind, recipient, deed.performative, content)
    mind.something_changed = True


def act(mind: AgentState, deed: Act, environment: AgentEnvironment) -> Sequence[DeedOutcome]:
    """Execute an action in the environment, which may bind variables of the action. Return the
    alternative outcomes.

    If the action fails, post the failure event of the goal that the action belongs to.
    """
    mind.action = show(deed.action)
    effects = environment.execute_action(mind, deed.action)
    return [_acted(mind, deed, effect, environment) for effect in effects] or [_failed(mind, deed)]


def _acted(
    mind: AgentState, deed: Act, effect: ActionResult, environment: AgentEnvironment
) -> DeedOutcome:
    minds = []
    for weight, writes, answer in effect.outcomes:
        after = mind.copy()
        after.done_action = done = _with_answer(deed.action, answer)
        after.action = show(done)
        after.record("D:act", effect.text)
        _pop_row(after, answer)
        for slot, value in writes.items():
            after.write(slot, value)
        if writes:
            environment.invalidate_percepts(after, mind.state, drawn=effect.drawn)
            after.something_changed = True
        minds.append((weight, after))
    return DeedOutcome(tuple(minds))


def _with_answer(action: Structure, answer: Bindings) -> Structure:
    """Return the action with its variables replaced by the values that the environment computed."""
    done = instantiate(action, answer)
    assert isinstance(done, Structure)
    return done


def _failed(mind: AgentState, deed: Act) -> DeedOutcome:
    event = mind.current_or_fail.top.event
    mind.record("D:action_fails", f"fails to do {show(deed.action)}")
    if event.is_goal_addition:
        mind.set_current(
            mind.current_or_fail._replace(
                rows=(
                    *mind.current_or_fail.rows,
                    IntentionRow(event._replace(sign="-"), NO_PLAN_YET),
                )
            )
        )
    else:
        _pop_row(mind)
    return DeedOutcome(((1, mind),))


# --- terms of deeds -------------------------------------------------------------------------------


def _structure(mind: AgentState, atom: Term, deed: object) -> Structure:
    if not isinstance(atom, Structure):
        raise _unbound(mind, atom, deed)
    return atom


def _unbound(mind: AgentState, atom: Term, deed: object) -> BoundExceeded:
    return BoundExceeded(
        "GWN064",
        f"'{show(atom)}' has no value when {mind.name} executes {deed}",
        "bind it in the guard of the plan",
    )

"""Semantics of LISA: the modules of Appendix B.2 of Izzo's thesis as components of a synchronous
system.

A reasoning cycle takes two half-steps (Fig. 4.2). In the first half-step the beliefs change: action
feedbacks, mental notes and percepts. They change at the same time, and each reads the old values of
the others. In the second half-step the plans move. There is one function for each kind of module.
The slots of a state are the variables of Appendix B.2.

Several agents are one such system with one scheduler: the beliefs of all agents change, then the
plans of all agents move. Times in their programs count reasoning cycles, so they are comparable
only if all agents have cycles of the same duration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from volition.kernel.system import Choice, Component, SlotView, System
from volition.languages.common.slots import Slot, assign_owner
from volition.languages.lisa.distributions import feedback_chance, flip_chance
from volition.languages.lisa.resolved import (
    RESOURCE_CYCLES,
    SCHEDULER,
    Action,
    MentalNote,
    MessagePercept,
    MessageSource,
    Percept,
    Plan,
    PlanGroup,
    PlanPosition,
    ResolvedAgent,
    RewardItem,
    memory_of,
)
from volition.languages.lisa.syntax import ReasoningRule, TimingDistribution, holds
from volition.origin import Origin

__all__ = [
    "BELIEFS_NEXT",
    "PLANS_NEXT",
    "AgentModule",
    "AgentView",
    "believes",
    "is_triggered",
    "next_counter",
    "previous_index_slot",
    "system_of",
    "variables_of",
]  # fmt: skip

BELIEFS_NEXT, PLANS_NEXT = 0, 1
"""Values of the scheduler's variable: beliefs change next, or plans move next."""

IN_TRANSIT = 2
"""Initial value of the slot of a message that is sent before the first cycle. The message is not
held yet and arrives in the first cycle."""

CERTAIN = Fraction(1)

Effect = Mapping[str, int]
Stepper = Callable[[SlotView], Sequence[Choice]]


@dataclass(frozen=True, slots=True)
class AgentModule(Component):
    """Component of the model of an agent. ``moves`` is the percept, action, mental note or group of
    plans whose variables it changes."""

    moves: PlanGroup | Action | MentalNote | Percept
    agent: ResolvedAgent


@dataclass(frozen=True, slots=True)
class AgentView:
    """View of a state for one agent, in which the agent's slots have short names. In a state of
    several agents, the names have the agent's name as a prefix; the view removes it."""

    agent: ResolvedAgent
    state: SlotView

    def __getitem__(self, slot: str) -> int:
        return int(self.state[_in_system(self.agent, slot)])


def _in_system(agent: ResolvedAgent, slot: str) -> str:
    """Return the full name of an agent's slot in a state of all agents: the name with the agent's
    prefix. The slot of the scheduler has no prefix, because all agents share it."""
    return slot if slot == SCHEDULER else agent.prefix + slot


@cache
def previous_index_slot(plan: str) -> Slot:
    """Return the slot that stores which step a plan was at before the last half-step. (A reasoning
    cycle takes two half-steps.) Only plans that contain an action of a ``Does`` atom have this
    slot."""
    return Slot(f"before_{plan}", "memory", item=plan)


def system_of(
    agents: Sequence[ResolvedAgent], watched: Mapping[str, Collection[Plan]] | None = None
) -> System:
    """Return the system that the kernel explores: the agents and their environment.

    ``watched`` maps each agent's name to the plans for which ``Does`` atoms need the previous index
    (the step that the plan was at). The states store it.
    """
    watched = watched or {}
    components = [
        scheduler(agents)
    ]  # first, so that its label is combined with single labels, not with all joint ones
    slots: dict[str, int] = {}
    for agent in agents:
        components += _modules(agent, watched.get(agent.name, ()))
        slots |= variables_of(agent, watched.get(agent.name, ()))
    return System(slots, components, "synchronous", state_rewards=_rewards(agents))


def _modules(agent: ResolvedAgent, watched: Collection[Plan]) -> Iterator[Component]:
    own = [
        *(plan_module(agent, group) for group in agent.groups),
        *(action_module(agent, action) for action in agent.actions if action.feedbacks),
        *(note_module(agent, note) for note in agent.notes),
        *(percept_module(agent, percept) for percept in agent.percepts),
        *(event_module(belief) for belief in agent.event_beliefs),
        *(watch_module(plan) for plan in watched),
    ]
    yield from (_with_prefix(agent, each) for each in own) if agent.prefix else own
    yield from (message_module(agent, message) for message in agent.messages)


def _with_prefix(agent: ResolvedAgent, own: Component) -> Component:
    """Return a component of one agent for use in a system with several agents: it reads and writes
    slots by their names with the agent's prefix."""

    def renamed(choice: Choice) -> Choice:
        outcomes = [
            (chance, {_in_system(agent, slot): value for slot, value in effect.items()})
            for chance, effect in choice.outcomes
        ]
        return replace(choice, outcomes=outcomes)

    return replace(
        own,
        name=agent.prefix + own.name,
        step=lambda state: [renamed(each) for each in own.step(AgentView(agent, state))],
    )


def _rewards(agents: Sequence[ResolvedAgent]) -> dict[str, Callable[[SlotView], float]]:
    """Return the reward functions by name: the number of reasoning cycles, each reward of each
    agent, and each reward summed over all agents. The name of an agent's reward has the agent's
    prefix; the name of a sum has none."""
    rewards: dict[str, Callable[[SlotView], float]] = {
        RESOURCE_CYCLES: lambda state: float(state[SCHEDULER] == BELIEFS_NEXT)
    }
    together: dict[str, list[tuple[ResolvedAgent, RewardItem]]] = {}
    for agent in agents:
        for name, items in agent.rewards.items():
            earning = [(agent, item) for item in items]
            together[name] = [*together.get(name, ()), *earning]
            rewards[agent.prefix + name] = _reward(earning)
    return rewards | {name: _reward(earning) for name, earning in together.items()}


def variables_of(agent: ResolvedAgent, watched: Collection[Plan]) -> dict[str, int]:
    """Return the initial value of each of an agent's slots, by its name in the system."""
    slots = {SCHEDULER: BELIEFS_NEXT} | {Slot(plan.name, "intention"): 0 for plan in agent.plans}
    for action in agent.actions:
        slots |= {
            Slot(feedback.name, "belief"): int(feedback.initially) for feedback in action.feedbacks
        }
        if action.called_initially and action.feedbacks:
            slots[Slot(action.feedbacks[0].name, "belief")] = action.latest + 1
    slots |= {Slot(note.name, "belief"): int(note.initially) for note in agent.notes}
    for percept in agent.percepts:
        slots |= {Slot(percept.name, "belief"): int(percept.initially)}
        slots |= {Slot(percept.counter, "counter", item=percept.name): 1} if percept.counter else {}
    slots |= {
        Slot(each.name, "belief"): IN_TRANSIT if each.sent_initially else int(each.initially)
        for each in agent.messages
    }
    slots |= {memory_of(belief): 0 for belief in agent.event_beliefs} | {
        previous_index_slot(plan.name): 0 for plan in watched
    }
    if not agent.prefix:
        return assign_owner(agent.name, slots)
    own = {
        Slot(_in_system(agent, slot), slot.kind, item=slot.item): value
        for slot, value in slots.items()
        if slot != SCHEDULER
    }
    return {SCHEDULER: BELIEFS_NEXT, **assign_owner(agent.name, own)}


# --- one function per kind of module --------------------------------------------------------------


def scheduler(agents: Sequence[ResolvedAgent]) -> Component:
    """Return the component that makes the two halves of a reasoning cycle take turns: beliefs
    change, then plans move (Izzo, Fig. 4.2).

    Runs show its label only for steps in which no other component has a label.
    """
    names = " and ".join(agent.name for agent in agents)
    beliefs, plans = (Origin(names, (rule,), "time passes") for rule in ("f_BU", "f_P"))

    def step(state: SlotView) -> Sequence[Choice]:
        label, then = (
            (beliefs, PLANS_NEXT) if state[SCHEDULER] == BELIEFS_NEXT else (plans, BELIEFS_NEXT)
        )
        return [Choice(label, [(CERTAIN, {SCHEDULER: then})], label_if_alone=True)]

    return Component("scheduler", step)


def plan_module(agent: ResolvedAgent, group: PlanGroup) -> Component:
    """Return the component that moves a group of plans, of which at most one runs at a time (Izzo,
    Fig. 4.3 and 4.4). If a plan of the group runs, it continues. Otherwise any triggered plan of
    the group may start.

    If another plan withdraws a plan of the group in this cycle, the withdrawn plan ends or does not
    start (Izzo, Def. 2.2). If several plans may start and the group has ``suspends`` set, the agent
    may also start none of them (Izzo, Sect. 4.5).
    """

    def step(state: SlotView) -> Sequence[Choice]:
        for plan in group.plans:
            if (index := state[plan.name]) > 0:
                return (
                    [_withdraw(agent, plan)]
                    if _is_withdrawn(plan, state)
                    else _continue_plan(agent, plan, index, state)
                )
        triggered = [
            plan
            for plan in group.plans
            if is_triggered(plan, state) and not _is_withdrawn(plan, state)
        ]
        starts = [_execute_action(agent, plan, 1) for plan in triggered]
        return (
            [*starts, _suspend(agent, triggered)] if group.suspends and len(starts) > 1 else starts
        )

    return AgentModule(group.name, _in_half_step(PLANS_NEXT, step), group, agent)


def action_module(agent: ResolvedAgent, action: Action) -> Component:
    """Return the component that draws the feedback (result) of an action at random after a call
    (Izzo, Eq. 3.7 and 3.8), encoded as in App. B.2.

    The variable of the first feedback is also a countdown. The value 1 means that this feedback
    came. A value v > 1 means that no feedback has come yet and that the action was called ``latest
    + 1 - v`` reasoning cycles ago.
    """
    counter = action.feedbacks[0].name

    def step(state: SlotView) -> Sequence[Choice]:
        if (remaining := state[counter]) > 1:
            return _await_feedback(agent, action, action.latest + 2 - remaining)
        if any(_is_at(position, state) for position in action.called_at):
            return _await_feedback(agent, action, 1)
        return _unlabelled({feedback.name: 0 for feedback in action.feedbacks})

    return AgentModule(action.name, _in_half_step(BELIEFS_NEXT, step), action, agent)


def note_module(agent: ResolvedAgent, note: MentalNote) -> Component:
    """Return the component that adds and removes a mental note (Izzo, Table 4.1 and Fig. 4.6).

    A+ and A- mean that an action adds or removes the note, R+ and R- that a rule does. An absent
    note is added if ``(A+ and not R-) or R+``. A held note is removed if ``(A- and not R+) or R-``.
    So rules take precedence over actions. If two rules or two actions disagree, the note changes.
    """

    def step(state: SlotView) -> Sequence[Choice]:
        if state[note.name] == 0:
            cause = _cause_of_change(note.added_at, note.added_by, note.removed_by, state)
        else:
            cause = _cause_of_change(note.removed_at, note.removed_by, note.added_by, state)
        return [] if cause is None else [_change(agent, note, 1 - state[note.name], cause)]

    return AgentModule(note.name, _in_half_step(BELIEFS_NEXT, step), note, agent)


def percept_module(agent: ResolvedAgent, percept: Percept) -> Component:
    """Return the component that changes a percept at random, with the encoding of Izzo, App. B.2.

    The percept has a triple ``[p, mu, sigma]``: a probability, an average number of reasoning
    cycles, and the largest deviation from it. A counter counts cycles up to mu + sigma and then
    restarts. When it is at least mu - sigma, the percept can flip, that is, become held or absent
    (Izzo, Eq. 3.9). Activation and deactivation have separate triples.

    If the percept has a condition, it can become held only while the condition is true. While the
    condition is false, the counter is reset (Izzo, Sect. 3.4.1). A percept with a rule takes the
    value that the rule computes.
    """

    def step(state: SlotView) -> Sequence[Choice]:
        active = state[percept.name]
        if percept.rule is not None:
            return [
                _apply_rule(agent, percept, active, held)
                for held in percept.rule.after(active == 1, state)
            ]
        triple = percept.deactivation if active else percept.activation
        if not active and not holds(percept.condition, believes(state)):
            return (
                []
                if percept.counter is None or triple.every_cycle
                else _unlabelled({percept.counter: 1})
            )
        flip = {percept.name: 1 - active}
        if percept.counter is None:
            return _draw(agent, percept, triple.probability, flip, {})
        flip |= {percept.counter: 0}
        if triple.every_cycle:
            return _draw(agent, percept, triple.probability, flip, {})
        count = state[percept.counter]
        return _draw(
            agent,
            percept,
            flip_chance(triple, count),
            flip,
            {percept.counter: next_counter(triple, count)},
        )

    return AgentModule(percept.name, _in_half_step(BELIEFS_NEXT, step), percept, agent)


def message_module(agent: ResolvedAgent, message: MessagePercept) -> Component:
    """Return the component that sets a message (Izzo, Sect. 7.3). The message is held exactly in
    the reasoning cycle after a plan of the sender executed the action that sends it.

    The component reads the plans of other agents, so it uses slot names with the agents' prefixes.
    """
    slot = _in_system(agent, message.name)

    def step(state: SlotView) -> Sequence[Choice]:
        for each in message.sent:
            if _is_on_its_way(each, slot, state):
                span = message.span if each.position is None else each.position.span
                return [
                    Choice(
                        Origin(
                            agent.name,
                            ("f_BU",),
                            f"^[{message.text}] comes from {each.sender}",
                            span=span,
                        ),
                        [(CERTAIN, {slot: 1})],
                    )
                ]
        return _unlabelled({slot: 0})

    return Component(slot, _in_half_step(BELIEFS_NEXT, step))


def _is_on_its_way(sent: MessageSource, slot: str, state: SlotView) -> bool:
    if sent.position is None:
        return bool(state[slot] == IN_TRANSIT)
    return bool(state[sent.prefix + sent.position.plan] == sent.position.index)


def next_counter(triple: TimingDistribution, count: int) -> int:
    """Return the next value of a percept's counter, for a reasoning cycle in which the percept does
    not flip (become held or absent). The counter counts reasoning cycles.

    ``triple`` is the percept's ``[p, mu, sigma]``. A flip is possible only while the counter is
    between mu - sigma and mu + sigma. After mu + sigma, the counter restarts at 0.
    """
    return count + 1 if count < triple.mean + triple.deviation else 0


def event_module(belief: str) -> Component:
    """Return the component that stores a belief's previous value. An event is a difference between
    the beliefs of two reasoning cycles (Izzo, Sect. 3.3.2, Step 2)."""
    return Component(
        memory_of(belief),
        _in_half_step(
            PLANS_NEXT, lambda state: _unlabelled({memory_of(belief): int(state[belief] == 1)})
        ),
    )


def watch_module(plan: Plan) -> Component:
    """Return the component that stores the previous index of a plan, the step that the plan was at.
    ``Does`` atoms need it to detect the plan's moves. Izzo's thesis has no such component."""
    return Component(
        previous_index_slot(plan.name),
        lambda state: _unlabelled({previous_index_slot(plan.name): state[plan.name]}),
    )


# --- choices of plan modules ----------------------------------------------------------------------


def believes(state: SlotView) -> Callable[[str], bool]:
    """Return a function that says whether a belief is held in ``state``, that is, whether its
    variable is 1. A larger value is the countdown of a feedback that has not come yet."""
    return lambda belief: bool(state[belief] == 1)


def is_triggered(plan: Plan, state: SlotView) -> bool:
    """Return whether the beliefs in a state satisfy the plan's triggering condition (Izzo, Eq.
    3.3)."""
    belief = plan.event.belief.name
    positive = plan.event.kind in ("held", "added")
    if believes(state)(belief) is not positive:
        return False
    if plan.event.kind in ("added", "removed") and state[memory_of(belief)] == int(positive):
        return False
    return holds(plan.context, believes(state))


def _continue_plan(
    agent: ResolvedAgent, plan: Plan, index: int, state: SlotView
) -> Sequence[Choice]:
    """Return the move of a running plan (Izzo, Fig. 4.3): it waits for a feedback of its current
    action, moves to the next action, or ends."""
    feedbacks = plan.steps[index - 1].feedbacks
    if feedbacks and not any(map(believes(state), feedbacks)):
        return []
    if index < len(plan.steps):
        return [_execute_action(agent, plan, index + 1)]
    return _unlabelled({plan.name: 0})


def _execute_action(agent: ResolvedAgent, plan: Plan, index: int) -> Choice:
    """Return the choice in which a plan executes its action with the given index. With index 1, the
    plan is also selected (functions F_O and f_act of Izzo, Fig. 3.2)."""
    step = plan.steps[index - 1]
    rules = ("F_O", "f_act") if index == 1 else ("f_act",)
    text = (
        f"start plan {plan.number}: {step.text}"
        if index == 1
        else f"plan {plan.number}: {step.text}"
    )
    return Choice(
        Origin(agent.name, rules, text, step.action, plan.name, step.span),
        [(CERTAIN, {plan.name: index})],
    )


def _is_withdrawn(plan: Plan, state: SlotView) -> bool:
    return any(_is_at(position, state) for position in plan.withdrawn_at)


def _withdraw(agent: ResolvedAgent, plan: Plan) -> Choice:
    """Return the choice that drops a plan from the intentions without executing an action (Izzo,
    Def. 2.2)."""
    return Choice(
        Origin(agent.name, ("withdraw",), f"plan {plan.number} is withdrawn"),
        [(CERTAIN, {plan.name: 0})],
    )


def _suspend(agent: ResolvedAgent, triggered: Sequence[Plan]) -> Choice:
    """Return the choice to select none of the triggered plans in this cycle (Izzo, Sect. 4.5)."""
    text = (
        f"does not choose yet between {' and '.join(f'plan {plan.number}' for plan in triggered)}"
    )
    return Choice(Origin(agent.name, ("F_O",), text), [(CERTAIN, {})])


def _is_at(position: PlanPosition, state: SlotView) -> bool:
    return bool(state[position.plan] == position.index)


# --- choices of belief modules --------------------------------------------------------------------


def _await_feedback(agent: ResolvedAgent, action: Action, cycle: int) -> Sequence[Choice]:
    """Return the random choice of an action in the given reasoning cycle after its call: one of its
    feedbacks (results) comes, by its weight (Izzo, Eq. 3.8), or none comes yet."""
    chance = feedback_chance(action, cycle)
    no_feedback = {feedback.name: 0 for feedback in action.feedbacks}
    outcomes = [
        (chance * each.weight, no_feedback | {each.name: 1})
        for each in action.feedbacks
        if chance * each.weight
    ]
    if chance < 1:
        outcomes.append(
            (1 - chance, no_feedback | {action.feedbacks[0].name: action.latest + 1 - cycle})
        )
    if not chance:
        return [Choice(None, outcomes)]
    reports = " or ".join(
        f"^[{each.text}]" + _with_chance(chance * each.weight)
        for each in action.feedbacks
        if each.weight
    )
    text = f"[{action.text}.] reports {reports}" + (
        f", or not yet{_with_chance(1 - chance)}" if chance < 1 else ""
    )
    return [Choice(Origin(agent.name, ("f_BU",), text, span=action.span), outcomes)]


def _cause_of_change(
    acts: Sequence[PlanPosition],
    rules: Sequence[ReasoningRule],
    opposed: Sequence[ReasoningRule],
    state: SlotView,
) -> PlanPosition | ReasoningRule | None:
    """Return the action or rule that changes a mental note according to Izzo, Table 4.1, or
    None."""
    for rule in rules:
        if holds(rule.condition, believes(state)):
            return rule
    for position in acts:
        if _is_at(position, state):
            return (
                None
                if any(holds(rule.condition, believes(state)) for rule in opposed)
                else position
            )
    return None


def _change(
    agent: ResolvedAgent, note: MentalNote, value: int, cause: PlanPosition | ReasoningRule
) -> Choice:
    sign, verb = ("+", "added") if value else ("-", "removed")
    by = "R" if isinstance(cause, ReasoningRule) else "A"
    text = f"^[{note.text}] is {verb}" + (" by a rule" if isinstance(cause, ReasoningRule) else "")
    return Choice(
        Origin(agent.name, ("f_BU", by + sign), text, span=cause.span),
        [(CERTAIN, {note.name: value})],
    )


def _draw(
    agent: ResolvedAgent, percept: Percept, chance: Fraction, flip: Effect, otherwise: Effect
) -> Sequence[Choice]:
    """Return the random choice in which a percept flips (becomes held or absent) with the
    probability ``chance``. ``flip`` and ``otherwise`` are the slot writes of its two outcomes.

    The choice has a label only if the flip is certain. The outcome of a random choice is not in its
    label, but is visible in the next state.
    """
    if chance != CERTAIN:
        return [
            Choice(
                None,
                [(chance, flip), (1 - chance, otherwise)] if chance else [(CERTAIN, otherwise)],
            )
        ]
    text = f"^[{percept.text}] {'begins' if flip[percept.name] else 'ends'}"
    return [Choice(Origin(agent.name, ("f_BU",), text, span=percept.span), [(CERTAIN, flip)])]


def _apply_rule(agent: ResolvedAgent, percept: Percept, active: int, held: bool) -> Choice:
    """Return the choice that sets a percept to the value that its rule computed from the state.
    ``active`` is the percept's old value, ``held`` its new one."""
    if held == (active == 1):
        return Choice(None, [(CERTAIN, {})])
    text = f"^[{percept.text}] {'begins' if held else 'ends'}"
    return Choice(
        Origin(agent.name, ("f_BU",), text, span=percept.span),
        [(CERTAIN, {percept.name: int(held)})],
    )


# --- helpers of the modules -----------------------------------------------------------------------


def _in_half_step(half: int, step: Stepper) -> Stepper:
    """Return a step function that acts like ``step`` in one half of each reasoning cycle and does
    nothing in the other. ``half`` is the value of the scheduler's variable in that half."""
    return lambda state: step(state) if state[SCHEDULER] == half else []


def _unlabelled(effect: Effect) -> Sequence[Choice]:
    """Return a deterministic choice without a label, so that runs do not list it."""
    return [Choice(None, [(CERTAIN, effect)])]


def _with_chance(chance: Fraction) -> str:
    return "" if chance == 1 else f" ({chance})"


def _reward(earning: Sequence[tuple[ResolvedAgent, RewardItem]]) -> Callable[[SlotView], float]:
    """Return the reward function that sums the values earned in a state by the given parts of
    rewards (Izzo, Fig. 4.8)."""

    def earned(item: RewardItem, state: SlotView) -> bool:
        return (
            _is_at(item.where, state)
            if isinstance(item.where, PlanPosition)
            else believes(state)(item.where.belief)
        )

    return lambda state: float(
        sum(item.value for agent, item in earning if earned(item, AgentView(agent, state)))
    )

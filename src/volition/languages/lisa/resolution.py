"""Resolution of a parsed LISA project: the belief, action or plan that each sentence refers to is
looked up by name, and all errors are reported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count

from volition.diagnostics import Diagnostics, Span
from volition.languages.lisa.action_calls import CallTable, FoundCall
from volition.languages.lisa.beliefs import BeliefTable
from volition.languages.lisa.names import name_of
from volition.languages.lisa.plan_groups import group_plans
from volition.languages.lisa.project import AgentFiles
from volition.languages.lisa.resolved import (
    RESOURCE_CYCLES,
    Action,
    BeliefHeld,
    Feedback,
    MentalNote,
    MessagePercept,
    Percept,
    Plan,
    PlanPosition,
    ResolvedAgent,
    ResolvedStep,
    RewardItem,
)
from volition.languages.lisa.syntax import (
    ActionCall,
    ActionFile,
    And,
    BooleanLiteral,
    MentalAction,
    PerceptEntry,
    PlanEntry,
    PlanStep,
    ReasoningRule,
    Rewards,
    SendMessage,
    Sentence,
    WithdrawPlan,
)

__all__ = ["check_name_clashes", "resolve_agent"]


def resolve_agent(project: AgentFiles, diagnostics: Diagnostics) -> ResolvedAgent:
    """Return the resolved agent of a project. Errors go to ``diagnostics``; if there are any, the
    agent must not be used."""
    return _Checker(project, diagnostics).agent()


def check_name_clashes(agents: Sequence[ResolvedAgent], diagnostics: Diagnostics) -> None:
    """Report two beliefs, actions or rewards of different agents that have the same full name. A
    full name begins with the agent's name, so *B found* of ``a`` and *Found* of ``a_b`` are both
    ``a_b_found``."""
    if len(agents) < 2:
        return
    total = dict.fromkeys(name for agent in agents for name in agent.rewards)
    named: list[tuple[str, str, str]] = [("reward", name, "all agents") for name in total]
    for agent in agents:
        named += [("belief", agent.prefix + name, agent.name) for name in agent.beliefs]
        named += [("action", agent.prefix + action.name, agent.name) for action in agent.actions]
        named += [("reward", agent.prefix + name, agent.name) for name in agent.rewards]
    owners: dict[tuple[str, str], str] = {}
    for kind, name, owner in named:
        if (other := owners.setdefault((kind, name), owner)) != owner:
            message = (
                f"the full name '{name}' is ambiguous: it stands for {_a(kind)} of '{other}' and "
                f"for {_a(kind)} of '{owner}'"
            )
            diagnostics.error("LIS065", message, hint=f"rename one of the agents, or the {kind}")


def _a(kind: str) -> str:
    return f"an {kind}" if kind == "action" else f"a {kind}"


class _Checker:
    def __init__(self, project: AgentFiles, diagnostics: Diagnostics) -> None:
        self._project = project
        self._file = project.reasoning
        self._diagnostics = diagnostics
        self._beliefs = BeliefTable(project, diagnostics)
        self._calls = CallTable(project.actions, project.ontology, diagnostics)
        self._found: dict[Span, FoundCall] = {}
        """Action that each sentence calls, by the position of the sentence."""
        self._acts: dict[str, list[tuple[bool, PlanPosition]]] = {}
        """Actions in plans that add or remove a mental note, by the name of the note. Each is a
        pair: whether the action adds the note, and its position."""
        self._withdrawals: dict[int, list[PlanPosition]] = {}
        """Positions at which plans withdraw other plans, by the number of the withdrawn plan."""
        for position, step in self._steps():
            if isinstance(step, MentalAction):
                self._acts.setdefault(step.belief.name, []).append((step.adds, position))
            elif isinstance(step, WithdrawPlan):
                self._withdrawals.setdefault(step.number, []).append(position)
        self._rules: dict[str, list[ReasoningRule]] = {}
        for rule in self._file.rules:
            self._rules.setdefault(rule.belief.name, []).append(rule)

    def agent(self) -> ResolvedAgent:
        self._find_calls()
        self._check_conditions()
        self._check_withdrawals()
        plans = tuple(self._plan(entry) for entry in self._file.plans)
        counters = (f"c{number}" for number in count(1))
        return ResolvedAgent(
            name=self._project.name,
            prefix=self._project.prefix,
            groups=group_plans(plans),
            actions=tuple(self._action(file) for file in self._project.actions),
            notes=tuple(self._note(sentence) for sentence in self._beliefs.notes.values()),
            percepts=tuple(
                self._percept(entry, counters) for entry in self._beliefs.percepts.values()
            ),
            messages=tuple(self._message(entry) for entry in self._beliefs.messages.values()),
            event_beliefs=tuple(
                dict.fromkeys(
                    plan.event.belief.name
                    for plan in plans
                    if plan.event.kind in ("added", "removed")
                )
            ),
            rewards=self._rewards(),
        )

    # --- checks that concern the whole program ----------------------------------------------------

    def _find_calls(self) -> None:
        for step in (*self._file.initial_actions, *(step for _, step in self._steps())):
            if isinstance(step, ActionCall) and (found := self._calls.find(step.sentence)):
                self._found[step.sentence.span] = found
        self._calls.check_objects(list(self._found.values()), self._file.objects)

    def _check_conditions(self) -> None:
        for rule in self._file.rules:
            self._beliefs.check_mentions(rule.condition)
        for plan in self._file.plans:
            self._beliefs.check_mention(plan.event.belief)
            self._beliefs.check_mentions(plan.context)
        for entry in self._beliefs.percepts.values():
            self._beliefs.check_mentions(And(entry.conditions))

    def _check_withdrawals(self) -> None:
        """Report invalid actions ``Withdraw plan N``: those among the initial actions, those that
        name an unknown plan, and those that name the plan in which they occur."""
        plans = [plan.number for plan in self._file.plans]
        for step in self._file.initial_actions:
            if isinstance(step, WithdrawPlan):
                self._diagnostics.error(
                    "LIS069",
                    "an initial action cannot withdraw a plan",
                    step.span,
                    hint="no plan runs before the first cycle",
                )
        for plan in self._file.plans:
            for step in plan.steps:
                if isinstance(step, WithdrawPlan) and step.number not in plans:
                    hint = (
                        f"the plans are numbered from 1 to {len(plans)}, in the order of the file"
                    )
                    self._diagnostics.error(
                        "LIS067", f"there is no plan {step.number}", step.sentence.span, hint=hint
                    )
                elif isinstance(step, WithdrawPlan) and step.number == plan.number:
                    hint = (
                        "a plan ends after its last action: remove the actions that it should not "
                        "execute"
                    )
                    self._diagnostics.error(
                        "LIS068",
                        f"plan {plan.number} withdraws itself",
                        step.sentence.span,
                        hint=hint,
                    )

    # --- resolution of the parts of the agent -----------------------------------------------------

    def _plan(self, entry: PlanEntry) -> Plan:
        steps, withdrawn_at = (
            tuple(map(self._step, entry.steps)),
            tuple(self._withdrawals.get(entry.number, ())),
        )
        return Plan(entry.number, entry.event, entry.context, steps, withdrawn_at, entry.span)

    def _step(self, step: PlanStep) -> ResolvedStep:
        if isinstance(step, MentalAction):
            name = f"{'+' if step.adds else '-'}{step.belief.name}"
            return ResolvedStep(str(step), name, name, (), step.span)
        if isinstance(step, SendMessage | WithdrawPlan):
            name = name_of(re.sub(r"[\[\]^]", "", str(step)))
            return ResolvedStep(str(step), name, name, (), step.span)
        found = self._found.get(step.sentence.span)
        if found is None:
            return ResolvedStep(str(step), step.sentence.name, step.sentence.name, (), step.span)
        action = found.action.sentences[0].name
        if found.stops:  # a stop is an action of its own, without feedbacks (Sect. 3.3.1)
            return ResolvedStep(
                str(step), step.sentence.name, step.sentence.name, (), step.span, stops=action
            )
        feedbacks = tuple(each.sentence.name for each in found.action.feedbacks)
        objects = tuple((name, given.text) for name, given in found.objects.items())
        return ResolvedStep(str(step), action, step.sentence.name, feedbacks, step.span, objects)

    def _note(self, sentence: Sentence) -> MentalNote:
        acts, rules = self._acts.get(sentence.name, []), self._rules.get(sentence.name, [])
        note = MentalNote(
            name=sentence.name,
            text=sentence.text,
            initially=self._beliefs.initially(sentence.name),
            added_at=tuple(position for adds, position in acts if adds),
            removed_at=tuple(place for adds, place in acts if not adds),
            added_by=tuple(rule for rule in rules if rule.adds),
            removed_by=tuple(rule for rule in rules if not rule.adds),
        )
        if not (note.initially or note.added_at or note.added_by):
            self._diagnostics.warning(
                "LIS070", f"the belief '{note.text}' is removed but never added", sentence.span
            )
        return note

    def _message(self, entry: PerceptEntry) -> MessagePercept:
        name, sent = entry.sentence.name, self._project.mail.get(entry.sentence.name, ())
        if not sent:
            message = (
                f"no agent of the project sends '{entry.sentence.text}' to '{self._project.name}'"
            )
            hint = (
                "for a message from outside write {[conditions],[p,mu,sigma],[p,mu,sigma]} after it"
            )
            self._diagnostics.warning("LIS083", message, entry.sentence.span, hint=hint)
        return MessagePercept(
            name, entry.sentence.text, self._beliefs.initially(name), sent, entry.sentence.span
        )

    def _percept(self, entry: PerceptEntry, counters: Iterator[str]) -> Percept:
        """Return the resolved percept of a declaration. Its counter (of reasoning cycles, if it
        needs one) is the next of ``counters``: c1, c2, ... (Izzo, App. B.2)."""
        assert entry.distributions is not None
        activation, deactivation = entry.distributions
        needs_counter = not (activation.every_cycle and deactivation.every_cycle)
        return Percept(
            name=entry.sentence.name,
            text=entry.sentence.text,
            is_message=entry.is_message,
            initially=self._beliefs.initially(entry.sentence.name),
            condition=And(entry.conditions) if entry.conditions else BooleanLiteral(True),
            activation=activation,
            deactivation=deactivation,
            counter=next(counters) if needs_counter else None,
            span=entry.sentence.span,
        )

    def _action(self, file: ActionFile) -> Action:
        """Return the resolved action of an action file. The average and variance of its first
        feedback apply to all its feedbacks (Izzo, Sect. 3.4.1)."""
        self._check_feedbacks(file)
        called_at = tuple(
            position for position, step in self._steps() if self._does_call(step, file)
        )
        called_initially = any(self._does_call(step, file) for step in self._file.initial_actions)
        if not called_at and not called_initially:
            self._diagnostics.warning(
                "LIS071", f"the action '{file.sentences[0].text}' is never called", file.span
            )
        return Action(
            name=file.sentences[0].name,
            text=file.sentences[0].text,
            repeated=file.repeated,
            feedbacks=tuple(
                Feedback(
                    each.sentence.name,
                    each.sentence.text,
                    self._beliefs.initially(each.sentence.name),
                    each.triple.probability,
                )
                for each in file.feedbacks
            ),
            mean=file.feedbacks[0].triple.mean if file.feedbacks else 0,
            deviation=file.feedbacks[0].triple.deviation if file.feedbacks else 0,
            called_at=called_at,
            called_initially=called_initially,
            span=file.span,
        )

    def _check_feedbacks(self, file: ActionFile) -> None:
        if not file.feedbacks:
            if not file.repeated:
                message = (
                    f"the action '{file.sentences[0].text}' runs once and has no feedback: "
                    "plans do not wait for it"
                )
                self._diagnostics.warning(
                    "LIS072",
                    message,
                    file.span,
                    hint="list its feedbacks in the field 'performance feedback'",
                )
            return
        first, *others = file.feedbacks
        total = sum((each.triple.probability for each in file.feedbacks), Fraction(0))
        if total != 1 and all(0 <= each.triple.probability <= 1 for each in file.feedbacks):
            message = (
                f"the probabilities of the feedbacks of '{file.sentences[0].text}' sum to "
                f"{float(total):g}, not 1"
            )
            self._diagnostics.error(
                "LIS043",
                message,
                first.sentence.span,
                hint="each call returns exactly one of the feedbacks (Izzo, Eq. 3.8)",
            )
        for each in others:
            if (each.triple.mean, each.triple.deviation) != (
                first.triple.mean,
                first.triple.deviation,
            ):
                message = (
                    f"the average and variance of '{each.sentence.text}' are ignored: those of "
                    f"'{first.sentence.text}' apply to all feedbacks of the action"
                )
                self._diagnostics.warning("LIS074", message, each.sentence.span)

    def _rewards(self) -> dict[str, tuple[RewardItem, ...]]:
        """Return each state reward by name, as its items: values earned while a plan is at an
        action or a percept is held. They are in program order (Izzo, Sect. 3.4.1, Fig. 4.8)."""
        given: list[tuple[PlanPosition | BeliefHeld, Rewards, Span]] = [
            (position, step.rewards, step.span) for position, step in self._steps()
        ]
        given += [
            (BeliefHeld(entry.sentence.name), entry.rewards, entry.span)
            for entry in self._file.percepts
        ]
        for step in self._file.initial_actions:
            if step.rewards:
                self._diagnostics.error(
                    "LIS054",
                    "initial actions cannot earn rewards",
                    step.span,
                    hint="they run before the first cycle",
                )
        rewards: dict[str, tuple[RewardItem, ...]] = {}
        for where, values, span in given:
            for name, value in values.items():
                if name == RESOURCE_CYCLES:
                    hint = "it counts the reasoning cycles: use another name"
                    self._diagnostics.error(
                        "LIS055", f"the reward name '{name}' is reserved", span, hint=hint
                    )
                rewards[name] = (*rewards.get(name, ()), RewardItem(where, value))
        return rewards

    # --- access to the steps of plans -------------------------------------------------------------

    def _steps(self) -> Iterator[tuple[PlanPosition, PlanStep]]:
        """Yield every step of every plan with its position in the plan."""
        for plan in self._file.plans:
            for index, step in enumerate(plan.steps, 1):
                yield PlanPosition(f"plan_{plan.number}", index, step.span), step

    def _does_call(self, step: PlanStep, file: ActionFile) -> bool:
        found = self._found.get(step.sentence.span) if isinstance(step, ActionCall) else None
        return found is not None and found.action is file and not found.stops

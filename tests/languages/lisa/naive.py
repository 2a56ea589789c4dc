"""A slow and plain interpreter of LISA agents, written from the thesis and
``docs/reference/lisa.md`` alone: an oracle for the modules.

It works on what the files say, in dicts, and computes all successors of a state, half-step by
half-step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from volition.kernel import StateSpace
from volition.languages.lisa.project import AgentFiles
from volition.languages.lisa.syntax import (
    ActionCall,
    And,
    BeliefAtom,
    BooleanLiteral,
    Condition,
    MentalAction,
    Not,
    Or,
    PerceptEntry,
    PlanEntry,
    SendMessage,
    TimingDistribution,
    WithdrawPlan,
)

__all__ = ["Distribution", "NaiveSystem", "explored_choices"]

State = Mapping[str, int]
Distribution = Mapping[frozenset[tuple[str, int]], Fraction]
Outcomes = list[tuple[Fraction, dict[str, int]]]


class NaiveAgent:
    def __init__(self, project: AgentFiles, others: Sequence[AgentFiles]) -> None:
        self.project, self.file, self.others = project, project.reasoning, others
        self.messages = {
            each.sentence.name for each in self.file.percepts if each.is_message and others
        }
        self.feedbacks = {
            each.sentence.name: file for file in project.actions for each in file.feedbacks
        }
        drawn = [
            each
            for each in self.file.percepts
            if each.distributions and each.sentence.name not in self.messages
        ]
        self.percepts = {each.sentence.name: each for each in drawn}
        counted = [
            each
            for each in drawn
            if any((t.mean, t.deviation) != (1, 0) for t in each.distributions or ())
        ]
        self.counters = {each.sentence.name: f"c{number}" for number, each in enumerate(counted, 1)}
        acts = [step for step in self.file.initial_actions if isinstance(step, MentalAction)]
        self.initial = {each.name for each in self.file.initial_beliefs}
        for act in acts:
            self.initial = (
                self.initial | {act.belief.name} if act.adds else self.initial - {act.belief.name}
            )
        noted = [each.name for each in self.file.initial_beliefs] + [
            act.belief.name for act in acts
        ]
        noted += [
            step.belief.name
            for plan in self.file.plans
            for step in plan.steps
            if isinstance(step, MentalAction)
        ]
        noted += [rule.belief.name for rule in self.file.rules]
        self.notes = {
            name for name in noted if name not in {*self.feedbacks, *self.percepts, *self.messages}
        }
        self.remembered = {
            plan.event.belief.name
            for plan in self.file.plans
            if plan.event.kind in ("added", "removed")
        }

    def slot(self, name: str) -> str:
        return f"{self.project.name}_{name}" if self.others else name

    def first(self) -> dict[str, int]:
        names = {**dict.fromkeys((*self.notes, *self.percepts, *self.feedbacks, *self.messages), 0)}
        values = {name: int(name in self.initial) for name in names}
        for file in self.project.actions:
            if file.feedbacks and any(
                isinstance(step, ActionCall) and step.sentence.name == file.sentences[0].name
                for step in self.file.initial_actions
            ):
                values[file.feedbacks[0].sentence.name] = (
                    file.feedbacks[0].triple.mean + file.feedbacks[0].triple.deviation + 1
                )
        for name in self.messages:
            if any(before for _, _, before in self.mail(name)):
                values[name] = 2
        values |= {f"plan_{plan.number}": 0 for plan in self.file.plans} | dict.fromkeys(
            self.counters.values(), 1
        )
        values |= {f"was_{name}": 0 for name in self.remembered}
        return {self.slot(name): value for name, value in values.items()}

    def believes(self, state: State, name: str) -> bool:
        return state[self.slot(name)] == 1

    def holds(self, state: State, condition: Condition) -> bool:
        match condition:
            case BooleanLiteral(value):
                return value
            case BeliefAtom(sentence):
                return self.believes(state, sentence.name)
            case Not(operand):
                return not self.holds(state, operand)
            case And(operands):
                return all(self.holds(state, each) for each in operands)
            case Or(operands):
                return any(self.holds(state, each) for each in operands)

    def at(self, state: State, kind: type) -> Iterator[object]:
        """The actions of a kind that plans stand on."""
        for plan in self.file.plans:
            if index := state[self.slot(f"plan_{plan.number}")]:
                step = plan.steps[index - 1]
                if isinstance(step, kind):
                    yield step

    # --- beliefs ----------------------------------------------------------------------------------

    def beliefs(self, state: State) -> Iterator[Outcomes]:
        for name in self.notes:
            yield [(Fraction(1), {self.slot(name): self.note(state, name)})]
        for entry in self.percepts.values():
            yield self.percept(state, entry)
        for file in self.project.actions:
            if file.feedbacks:
                yield self.action(
                    state, [each.sentence.name for each in file.feedbacks], file.sentences[0].name
                )
        for name in self.messages:
            came = state[self.slot(name)] == 2 or any(
                sender.stands(state, position)
                for sender, position, before in self.mail(name)
                if not before
            )
            yield [(Fraction(1), {self.slot(name): int(came)})]

    def note(self, state: State, name: str) -> int:
        """Table 4.1."""
        held = self.believes(state, name)
        acts = [
            step
            for step in self.at(state, MentalAction)
            if isinstance(step, MentalAction) and step.belief.name == name
        ]
        plus = any(
            rule.adds and rule.belief.name == name and self.holds(state, rule.condition)
            for rule in self.file.rules
        )
        minus = any(
            not rule.adds and rule.belief.name == name and self.holds(state, rule.condition)
            for rule in self.file.rules
        )
        if held:
            return int(not (minus or (any(not act.adds for act in acts) and not plus)))
        return int(plus or (any(act.adds for act in acts) and not minus))

    def percept(self, state: State, entry: PerceptEntry) -> Outcomes:
        assert entry.distributions
        name, counter = entry.sentence.name, self.counters.get(entry.sentence.name)
        active = self.believes(state, name)
        triple = entry.distributions[active]
        tried_always = (triple.mean, triple.deviation) == (1, 0)
        if not active and not all(self.holds(state, each) for each in entry.conditions):
            return [(Fraction(1), {self.slot(counter): 1} if counter and not tried_always else {})]
        flipped = {self.slot(name): int(not active)} | ({self.slot(counter): 0} if counter else {})
        if counter is None or tried_always:
            return [(triple.probability, flipped), (1 - triple.probability, {})]
        count = state[self.slot(counter)]
        chance = _flip(triple, count)
        return [
            (chance, flipped),
            (
                1 - chance,
                {self.slot(counter): count + 1 if count < triple.mean + triple.deviation else 0},
            ),
        ]

    def action(self, state: State, feedbacks: list[str], sentence: str) -> Outcomes:
        file = self.feedbacks[feedbacks[0]]
        mean, spread = file.feedbacks[0].triple.mean, file.feedbacks[0].triple.deviation
        left = state[self.slot(feedbacks[0])]
        silence = {self.slot(each): 0 for each in feedbacks}
        called = any(
            isinstance(step, ActionCall) and step.sentence.name == sentence
            for step in self.at(state, ActionCall)
        )
        if left <= 1 and not called:
            return [(Fraction(1), silence)]
        cycle = mean + spread + 2 - left if left > 1 else 1
        chance = (
            Fraction(cycle - (mean - spread) + 1, 2 * spread + 1)
            if cycle >= mean - spread
            else Fraction(0)
        )
        found: Outcomes = [
            (chance * each.triple.probability, silence | {self.slot(each.sentence.name): 1})
            for each in file.feedbacks
        ]
        return [
            *found,
            (1 - chance, silence | {self.slot(feedbacks[0]): mean + spread + 1 - cycle}),
        ]

    def mail(self, name: str) -> Iterator[tuple[NaiveAgent, SendMessage, bool]]:
        """Who sends what is perceived under a name, and whether before the first cycle."""
        for other in self.others:
            sender = NaiveAgent(other, [self.project])
            plans = [(step, False) for plan in other.reasoning.plans for step in plan.steps]
            for step, before in [
                *plans,
                *((step, True) for step in other.reasoning.initial_actions),
            ]:
                if isinstance(step, SendMessage) and {each.name for each in step.receivers} & {
                    self.project.name,
                    "all",
                }:
                    known = step.message.name in self.messages
                    if name == (step.message.name if known else "unknown_message_received"):
                        yield sender, step, before

    def stands(self, state: State, sending: SendMessage) -> bool:
        return any(step is sending for step in self.at(state, SendMessage))

    # --- plans ------------------------------------------------------------------------------------

    def plans(self, state: State) -> Iterator[list[dict[str, int]]]:
        """What each group of plans may do; and what is remembered of beliefs."""
        groups: dict[object, list[PlanEntry]] = {}
        for plan in self.file.plans:
            mentions = frozenset(_mentions(plan.context))
            groups.setdefault((plan.event.kind, plan.event.belief.name, mentions), []).append(plan)
        for group in groups.values():
            yield self.group(state, group)
        yield [
            {self.slot(f"was_{name}"): int(self.believes(state, name)) for name in self.remembered}
        ]

    def group(self, state: State, plans: list[PlanEntry]) -> list[dict[str, int]]:
        withdrawn = {
            step.number for step in self.at(state, WithdrawPlan) if isinstance(step, WithdrawPlan)
        }
        for plan in plans:
            slot = self.slot(f"plan_{plan.number}")
            if index := state[slot]:
                if plan.number in withdrawn:
                    return [{slot: 0}]
                step = plan.steps[index - 1]
                names = [
                    file
                    for file in self.project.actions
                    if isinstance(step, ActionCall) and file.sentences[0].name == step.sentence.name
                ]
                awaited = [each.sentence.name for file in names for each in file.feedbacks]
                if awaited and not any(self.believes(state, each) for each in awaited):
                    return [{}]
                return [{slot: (index + 1) % (len(plan.steps) + 1)}]
        starting = [
            plan for plan in plans if plan.number not in withdrawn and self.triggered(state, plan)
        ]
        return [{self.slot(f"plan_{plan.number}"): 1} for plan in starting] or [{}]

    def triggered(self, state: State, plan: PlanEntry) -> bool:
        name, kind = plan.event.belief.name, plan.event.kind
        held = self.believes(state, name)
        if held != (kind in ("held", "added")) or not self.holds(state, plan.context):
            return False
        return kind in ("held", "absent") or state[self.slot(f"was_{name}")] != int(held)


class NaiveSystem:
    def __init__(self, projects: Sequence[AgentFiles]) -> None:
        self.agents = [
            NaiveAgent(each, [other for other in projects if other is not each])
            for each in projects
        ]

    def first(self) -> dict[str, int]:
        return {"x": 0} | {
            slot: value for agent in self.agents for slot, value in agent.first().items()
        }

    def choices(self, state: State) -> list[Distribution]:
        """A distribution over states for each combination of choices."""
        if state["x"] == 0:
            draws = [outcomes for agent in self.agents for outcomes in agent.beliefs(state)]
            return [
                _joint(
                    state,
                    product(*([each for each in outcomes if each[0]] for outcomes in draws)),
                    1,
                )
            ]
        moves = [options for agent in self.agents for options in agent.plans(state)]
        return [
            _joint(state, [[(Fraction(1), effect) for effect in combination]], 0)
            for combination in product(*moves)
        ]


def explored_choices(space: StateSpace, state: int) -> list[Distribution]:
    """The choices of a state that was explored, in the same form."""
    found: list[Distribution] = []
    for choice in range(space.first_choice[state], space.first_choice[state + 1]):
        result: dict[frozenset[tuple[str, int]], Fraction] = {}
        for transition in range(space.first_transition[choice], space.first_transition[choice + 1]):
            target = frozenset(
                (str(slot), int(value))
                for slot, value in space.values(int(space.targets[transition])).items()
            )
            chance = Fraction(float(space.probabilities[transition])).limit_denominator(10**9)
            result[target] = result.get(target, Fraction(0)) + chance
        found.append(result)
    return found


def _joint(
    state: State, draws: Iterable[Iterable[tuple[Fraction, dict[str, int]]]], half: int
) -> Distribution:
    result: dict[frozenset[tuple[str, int]], Fraction] = {}
    for combination in draws:
        chance, following = Fraction(1), dict(state) | {"x": half}
        for probability, effect in combination:
            chance *= probability
            following |= effect
        key = frozenset(following.items())
        result[key] = result.get(key, Fraction(0)) + chance
    return result


def _flip(triple: TimingDistribution, count: int) -> Fraction:
    """Eq. 3.9."""
    distance = abs(count - triple.mean)
    return (
        triple.probability * (1 - Fraction(distance, triple.deviation + 1))
        if distance <= triple.deviation
        else Fraction(0)
    )


def _mentions(condition: Condition) -> Iterator[str]:
    match condition:
        case BeliefAtom(sentence):
            yield sentence.name
        case Not(operand):
            yield from _mentions(operand)
        case And(operands) | Or(operands):
            for each in operands:
                yield from _mentions(each)

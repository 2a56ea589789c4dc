"""Translation of LISA agents to a PRISM program, following Sect. 4.3 of Izzo's thesis; the modules
are those of its Appendix B.2.

A reasoning cycle takes two steps: ``[b]`` updates mental notes, percepts and action feedbacks,
``[t]`` updates the plan indices. Where the printed pseudo code and the generated program of
Appendix B.2 differ, this translation follows the generated program. All figures, equations and
definitions cited in this file are those of the thesis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import assert_never

from volition.diagnostics import Diagnostic, InputError, did_you_mean
from volition.exporters.prism.language import (
    FALSE,
    TRUE,
    BooleanLiteral,
    Command,
    Comment,
    Expression,
    Identifiers,
    IntVariable,
    Module,
    NumberLiteral,
    PrismFiles,
    PrismProgram,
    Reference,
    RewardEntry,
    RewardStructure,
    SectionComment,
    Update,
    arithmetic,
    compare,
    conjunction,
    disjunction,
    equals,
    negation,
    render,
)
from volition.exporters.prism.properties import prism_property
from volition.languages.lisa import atoms, syntax
from volition.languages.lisa.atoms import (
    BelAtom,
    DesAtom,
    DoesAtom,
    IntAtom,
    ParsedAtom,
    parse_atom,
)
from volition.languages.lisa.distributions import feedback_chance
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.resolved import (
    RESOURCE_CYCLES,
    SCHEDULER,
    Action,
    MentalNote,
    MessagePercept,
    Percept,
    Plan,
    PlanGroup,
    PlanPosition,
    ResolvedAgent,
    RewardItem,
    kind_of,
    memory_of,
)
from volition.languages.lisa.syntax import Condition, ReasoningRule, TimingDistribution, given
from volition.logic.syntax import AtomicFormula, Formula, Reward
from volition.logic.traversal import expand_agents

__all__ = ["lisa_to_prism"]

BELIEFS, PLANS = "b", "t"
"""Action labels of the two steps of a LISA reasoning cycle in the PRISM program."""


def lisa_to_prism(agents: Sequence[ResolvedAgent], formulas: Sequence[Formula] = ()) -> PrismFiles:
    """Return a PRISM program with the same states, choices, probabilities and rewards as the model
    of the LISA agents, and the formulas as PRISM properties."""
    translation = _LisaTranslation(agents)
    queries = [expand_agents(formula, [agent.name for agent in agents]) for formula in formulas]
    properties = tuple(
        prism_property(formula, translation.answer, translation.reward) for formula in queries
    )
    return PrismFiles(render(translation.program()), properties)


class _LisaTranslation:
    """Translation of all LISA agents of a system to PRISM. Each agent has its own modules; one
    scheduler module synchronises them."""

    def __init__(self, agents: Sequence[ResolvedAgent]) -> None:
        self._agents = agents
        model = LisaModel(agents)
        self._slots = model.variables
        self._rewards = {
            name: identifiers.of(name)
            for identifiers in [Identifiers()]
            for name in model.system.state_rewards
        }
        variables, modules = Identifiers(), Identifiers()
        self._own = {agent.name: _AgentTranslation(agent, variables, modules) for agent in agents}
        self._scheduler_module = modules.fresh("scheduler")

    def program(self) -> PrismProgram:
        agents, kind = self._agents, kind_of(self._agents)
        theorem = (
            "no two plans compete (Theorem 4.1)"
            if kind == "dtmc"
            else "the agent chooses between plans (Theorem 4.2)"
        )
        named = " and ".join(f"'{agent.name}'" for agent in agents)
        owner = (
            f"The LISA agent {named} and its"
            if len(agents) == 1
            else f"The LISA agents {named} and their"
        )
        return PrismProgram(
            kind=kind,
            remarks=(
                f"{owner} environment, as {'a DTMC' if kind == 'dtmc' else 'an MDP'}: {theorem}.",
                "A reasoning cycle takes two steps: [b] updates the beliefs, [t] the plans.",
                "A plan index is 0 when the plan is idle, and i while the plan is at its i-th "
                "action.",
            ),
            parts=(
                *(part for each in self._own.values() for part in each.parts()),
                SectionComment("REASONING CYCLE"),
                self._scheduler(),
            ),
            rewards=tuple(self._reward_structures()),
        )

    def _scheduler(self) -> Module:
        """Return the scheduler module, which alternates the two steps of a reasoning cycle (Fig.
        4.2 of Izzo's thesis)."""
        first = self._own[self._agents[0].name]
        body = (
            Command(BELIEFS, equals(SCHEDULER, 0), (first.assign((SCHEDULER, 1)),)),
            Command(PLANS, equals(SCHEDULER, 1), (first.assign((SCHEDULER, 0)),)),
        )
        return Module(self._scheduler_module, (IntVariable(first.of(SCHEDULER), 0, 1, 0),), body)

    def _reward_structures(self) -> Iterator[RewardStructure]:
        """Yield the PRISM reward structures: those of each agent (Fig. 4.8 of Izzo's thesis), their
        sums over all agents, and the counter of reasoning cycles that every generated program has.
        """
        earning: dict[str, list[RewardEntry]] = {
            RESOURCE_CYCLES: [RewardEntry(equals(SCHEDULER, 0), Fraction(1))]
        }
        for agent in self._agents:
            for name, items in agent.rewards.items():
                entries = [
                    RewardEntry(self._own[agent.name].where(item), item.value) for item in items
                ]
                for reward in dict.fromkeys((agent.prefix + name, name)):
                    earning[reward] = [*earning.get(reward, ()), *entries]
        for reward, identifier in self._rewards.items():
            yield RewardStructure(identifier, tuple(earning[reward]))

    # --- formulas ---------------------------------------------------------------------------------

    def answer(self, atom: AtomicFormula) -> str:
        """Translate an atom of a formula to a PRISM expression."""
        agent, parsed_atom = parse_atom(self._agents, atom, variables=self._slots)
        if isinstance(parsed_atom, DoesAtom):
            message = (
                f"Does({parsed_atom.action}) cannot be translated: the PRISM program does "
                "not record the last action"
            )
            raise InputError([Diagnostic("EXP011", message, atom.span)])
        return self._own[agent.name].answer(parsed_atom)

    def reward(self, query: Reward) -> str:
        """Return the PRISM name of the reward that a formula refers to; raise :class:`InputError`
        if it is unknown or ambiguous."""
        if query.name is None and len(self._rewards) == 1:
            return self._rewards[RESOURCE_CYCLES]
        if query.name is None:
            hint = f"name one of {', '.join(self._rewards)}"
            message = (
                "this formula does not name its reward, and the program has more than one reward"
            )
            raise InputError([Diagnostic("EXP015", message, query.span, hint)])
        if query.name not in self._rewards:
            hint = (
                did_you_mean(query.name, self._rewards)
                or f"the program has {', '.join(self._rewards)}"
            )
            message = f"unknown reward '{query.name}'"
            raise InputError([Diagnostic("EXP012", message, query.span, hint)])
        return self._rewards[query.name]


class _AgentTranslation:
    """Translation of one LISA agent to PRISM modules.

    ``variables`` and ``modules`` assign PRISM identifiers to names and are shared by all agents. If
    there are several agents, each name starts with a prefix for its agent.
    """

    def __init__(self, agent: ResolvedAgent, variables: Identifiers, modules: Identifiers) -> None:
        self._agent = agent
        self._variables = variables
        self._modules = modules
        self._counted = {action.feedbacks[0].name for action in agent.actions if action.feedbacks}
        """Beliefs whose PRISM variable is also a counter: it exceeds 1 while a feedback or message
        is pending. The belief is held only if the variable is 1."""
        self._counted |= {message.name for message in agent.messages if message.sent_initially}

    def parts(self) -> Iterator[SectionComment | Module]:
        agent, prefix = self._agent, f"{self._agent.name.upper()}: " if self._agent.prefix else ""
        yield SectionComment(f"{prefix}PLANS")
        yield from map(self._plans, agent.groups)
        if actions := [action for action in agent.actions if action.feedbacks]:
            yield SectionComment(f"{prefix}ACTIONS")
            yield from map(self._action, actions)
        if agent.notes:
            yield SectionComment(f"{prefix}MENTAL NOTES")
            yield from map(self._note, agent.notes)
        if agent.percepts:
            yield SectionComment(f"{prefix}PERCEPTS")
            yield from map(self._percept, agent.percepts)
        if agent.messages:
            yield SectionComment(f"{prefix}MESSAGES")
            yield from map(self._message, agent.messages)
        if agent.event_beliefs:
            yield SectionComment(f"{prefix}EVENTS")
            yield from map(self._memory, agent.event_beliefs)

    def of(self, name: str) -> str:
        """Return the PRISM identifier of one of the agent's variables. The variable of the
        scheduler is the same for all agents."""
        return self._variables.of(name if name == SCHEDULER else self._agent.prefix + name)

    def _module_of(self, name: str) -> str:
        return self._modules.fresh(self._agent.prefix + name)

    # --- plans (Fig. 4.3 and 4.4) -----------------------------------------------------------------

    def _plans(self, group: PlanGroup) -> Module:
        idle = conjunction(*(equals(self.of(plan.name), 0) for plan in group.plans))
        triggers = [
            conjunction(self._trigger(plan), negation(self._withdrawn(plan)))
            for plan in group.plans
        ]
        stays_idle = self.assign(*((plan.name, 0) for plan in group.plans))
        body: list[Command | Comment] = [
            Comment(
                "triggering condition"
                if len(group.plans) == 1
                else "triggering conditions: at most one of these plans runs"
            ),
            Command(
                PLANS,
                conjunction(idle, *(negation(trigger) for trigger in triggers)),
                (stays_idle,),
            ),
        ]
        for plan, trigger in zip(group.plans, triggers, strict=True):
            body.append(Command(PLANS, conjunction(idle, trigger), (self.assign((plan.name, 1)),)))
        if group.suspends:
            body.append(Comment("several plans are triggered: the agent does not choose yet"))
            several = disjunction(
                *(conjunction(one, another) for one, another in combinations(triggers, 2))
            )
            body.append(Command(PLANS, conjunction(idle, several), (stays_idle,)))
        for plan in group.plans:
            if len(group.plans) > 1:
                body.append(Comment(f"actions of plan {plan.number}"))
            body += self._steps(plan)
        variables = tuple(
            IntVariable(self.of(plan.name), 0, len(plan.steps), 0) for plan in group.plans
        )
        remarks = tuple(
            f"Plan {plan.number}: if {plan.event} while {plan.context}" for plan in group.plans
        )
        return Module(self._module_of(group.name), variables, _possible(body), remarks)

    def _withdrawn(self, plan: Plan) -> Expression:
        """Return the condition that a plan is withdrawn: another plan is at an action that
        withdraws it (Def. 2.2 of Izzo's thesis)."""
        return disjunction(*map(self._at, plan.withdrawn_at))

    def _steps(self, plan: Plan) -> Iterator[Command | Comment]:
        withdrawn = self._withdrawn(plan)
        if plan.withdrawn_at:
            yield Comment("withdrawn")
            yield Command(
                PLANS,
                conjunction(compare(self.of(plan.name), ">", 0), withdrawn),
                (self.assign((plan.name, 0)),),
            )
        for index, step in enumerate(plan.steps, 1):
            following = index + 1 if index < len(plan.steps) else 0
            here = conjunction(equals(self.of(plan.name), index), negation(withdrawn))
            yield Comment(step.text)
            if step.feedbacks:
                came = disjunction(*(self._held(feedback) for feedback in step.feedbacks))
                yield Command(
                    PLANS, conjunction(here, negation(came)), (self.assign((plan.name, index)),)
                )
                yield Command(
                    PLANS, conjunction(here, came), (self.assign((plan.name, following)),)
                )
            else:
                yield Command(PLANS, here, (self.assign((plan.name, following)),))

    def _trigger(self, plan: Plan) -> Expression:
        belief = plan.event.belief.name
        event = {
            "held": self._held(belief),
            "absent": self._absent(belief),
            "added": conjunction(self._held(belief), equals(self.of(memory_of(belief)), 0)),
            "removed": conjunction(self._absent(belief), equals(self.of(memory_of(belief)), 1)),
        }[plan.event.kind]
        return conjunction(event, self._condition(plan.context))

    # --- actions (Eq. 3.7 and 3.8; App. B.2 in place of Fig. 4.5) ---------------------------------

    def _action(self, action: Action) -> Module:
        """Return the PRISM module of an action. The variable of its first feedback is also a
        counter: a value v > 1 means that a feedback arrives within v - 1 more cycles."""
        counter = self.of(action.feedbacks[0].name)
        top = action.latest + 1 if action.called_initially else action.latest
        called = disjunction(*(self._at(position) for position in action.called_at))
        resting = compare(counter, "<=", 1) if top > 1 else TRUE
        distributions = ", ".join(
            f"{each.text}[{NumberLiteral(each.weight)},{action.mean},{action.deviation}]"
            for each in action.feedbacks
        )
        body: list[Command | Comment] = [
            Comment(distributions),
            Command(
                BELIEFS,
                conjunction(negation(called), resting),
                (self.assign(*((each.name, 0) for each in action.feedbacks)),),
            ),
            Command(BELIEFS, conjunction(called, resting), tuple(self._first_try(action))),
            *self._countdown(action, counter, top),
        ]
        variables = [
            IntVariable(self.of(each.name), 0, 1, int(each.initially)) for each in action.feedbacks
        ]
        variables[0] = IntVariable(
            counter, 0, top, top if action.called_initially else variables[0].initial
        )
        return Module(
            self._module_of(action.name), tuple(variables), _possible(body), (f"[{action.text}.]",)
        )

    def _first_try(self, action: Action) -> Iterator[Update]:
        chance = feedback_chance(action, 1)
        if chance:
            yield from self._feedback_comes(action, NumberLiteral(chance))
        if chance < 1:
            waiting = self.assign(
                (action.feedbacks[0].name, action.latest),
                *((each.name, 0) for each in action.feedbacks[1:]),
            )
            yield Update(waiting.assignments, NumberLiteral(1 - chance) if chance else None)

    def _countdown(self, action: Action, counter: str, top: int) -> Iterator[Command]:
        """Yield the commands that count down to the feedback of an action. The feedback takes mu -
        sigma to mu + sigma cycles, where mu is the mean and sigma the deviation given for the
        action. In this range its probability grows with each cycle (Eq. 3.7 of Izzo's thesis), and
        it is 1 in the last one."""
        spread = 2 * action.deviation + 1
        next_cycle = ((counter, arithmetic("-", Reference(counter), 1)),)
        if top > spread + 1:
            yield Command(BELIEFS, compare(counter, ">", spread + 1), (Update(next_cycle),))
        if spread > 1 and top > 2:
            growing = conjunction(
                compare(counter, ">", 2),
                compare(counter, "<=", spread + 1) if top > spread + 1 else TRUE,
            )
            comes = arithmetic("/", arithmetic("-", spread + 2, Reference(counter)), spread)
            waits = arithmetic("/", arithmetic("-", Reference(counter), 2), spread)
            yield Command(
                BELIEFS, growing, (*self._feedback_comes(action, comes), Update(next_cycle, waits))
            )
        if top > 1:
            yield Command(
                BELIEFS,
                equals(counter, 2),
                tuple(self._feedback_comes(action, NumberLiteral(Fraction(1)))),
            )

    def _feedback_comes(self, action: Action, chance: Expression) -> Iterator[Update]:
        """Yield an update for each possible feedback of an action. ``chance`` is the probability
        that any feedback arrives in this cycle. The probability of an update is ``chance`` times
        the weight of its feedback (Eq. 3.8 of Izzo's thesis)."""
        for feedback in action.feedbacks:
            if feedback.weight:
                effect = self.assign(
                    *((each.name, int(each is feedback)) for each in action.feedbacks)
                )
                probability = _product(feedback.weight, chance)
                yield (
                    effect
                    if probability == NumberLiteral(Fraction(1))
                    else Update(effect.assignments, probability)
                )

    # --- mental notes (Table 4.1, Fig. 4.6) -------------------------------------------------------

    def _note(self, note: MentalNote) -> Module:
        name = self.of(note.name)
        plan_adds, plan_removes = (
            disjunction(*map(self._at, positions)) for positions in (note.added_at, note.removed_at)
        )

        def applies(rules: Iterable[ReasoningRule], *, held: bool) -> Expression:
            """Return the condition that one of the rules applies, under the assumption that the
            mental note is held or not."""
            return disjunction(
                *(self._condition(given(rule.condition, note.name, held)) for rule in rules)
            )

        adds = disjunction(
            conjunction(plan_adds, negation(applies(note.removed_by, held=False))),
            applies(note.added_by, held=False),
        )
        removes = disjunction(
            conjunction(plan_removes, negation(applies(note.added_by, held=True))),
            applies(note.removed_by, held=True),
        )
        body = (
            Command(
                BELIEFS,
                conjunction(equals(name, 0), negation(adds)),
                (self.assign((note.name, 0)),),
            ),
            Command(BELIEFS, conjunction(equals(name, 0), adds), (self.assign((note.name, 1)),)),
            Command(
                BELIEFS,
                conjunction(equals(name, 1), negation(removes)),
                (self.assign((note.name, 1)),),
            ),
            Command(BELIEFS, conjunction(equals(name, 1), removes), (self.assign((note.name, 0)),)),
        )
        return Module(
            self._module_of(note.name),
            (IntVariable(name, 0, 1, int(note.initially)),),
            _possible(body),
            (f"^[{note.text}]",),
        )

    # --- percepts (Eq. 3.9; App. B.2 in place of Fig. 4.7) ----------------------------------------

    def _percept(self, percept: Percept) -> Module:
        name = self.of(percept.name)
        condition = self._condition(percept.condition)
        variables = [IntVariable(name, 0, 1, int(percept.initially))]
        reset = self.assign((percept.name, 0))
        if percept.counter:
            last = max(
                triple.mean + triple.deviation
                for triple in (percept.activation, percept.deactivation)
            )
            variables.append(IntVariable(self.of(percept.counter), 0, last, 1))
            if not percept.activation.every_cycle:
                reset = self.assign((percept.counter, 1))
        body: list[Command | Comment] = [
            Comment(f"activation {percept.activation}"),
            Command(BELIEFS, conjunction(equals(name, 0), negation(condition)), (reset,)),
            *self._flips(
                percept, percept.activation, conjunction(equals(name, 0), condition), becomes=1
            ),
            Comment(f"deactivation {percept.deactivation}"),
            *self._flips(percept, percept.deactivation, equals(name, 1), becomes=0),
        ]
        given = "" if condition == TRUE else f" {{{percept.condition}}}"
        return Module(
            self._module_of(percept.name),
            tuple(variables),
            _possible(body),
            (f"^[{percept.text}]{given}",),
        )

    def _flips(
        self, percept: Percept, triple: TimingDistribution, here: Expression, *, becomes: int
    ) -> Iterator[Command]:
        """Yield the commands that change a percept to ``becomes`` (1 or 0) after a random time,
        given by the mean mu, the deviation sigma and a probability. A counter of cycles runs up to
        mu + sigma. From mu - sigma on, the percept may change in each cycle."""
        stays = self.assign((percept.name, 1 - becomes))
        if percept.counter is None:
            yield Command(
                BELIEFS,
                here,
                tuple(
                    _draw(
                        NumberLiteral(triple.probability),
                        self.assign((percept.name, becomes)),
                        stays,
                    )
                ),
            )
            return
        flips = self.assign((percept.name, becomes), (percept.counter, 0))
        if triple.every_cycle:
            yield Command(
                BELIEFS, here, tuple(_draw(NumberLiteral(triple.probability), flips, stays))
            )
            return
        counter = self.of(percept.counter)
        counts = Update(((counter, arithmetic("+", Reference(counter), 1)),))
        first, last = triple.mean - triple.deviation, triple.mean + triple.deviation
        if first > 0:
            yield Command(BELIEFS, conjunction(here, compare(counter, "<", first)), (counts,))
        if triple.deviation:
            offset = arithmetic(
                "/", arithmetic("-", Reference(counter), triple.mean), triple.deviation + 1
            )
            rising = conjunction(
                here,
                compare(counter, ">=", first) if first > 0 else TRUE,
                compare(counter, "<=", triple.mean),
            )
            yield Command(
                BELIEFS,
                rising,
                tuple(
                    _draw(_product(triple.probability, arithmetic("+", 1, offset)), flips, counts)
                ),
            )
            falling = conjunction(
                here, compare(counter, ">", triple.mean), compare(counter, "<", last)
            )
            if triple.deviation > 1:
                yield Command(
                    BELIEFS,
                    falling,
                    tuple(
                        _draw(
                            _product(triple.probability, arithmetic("-", 1, offset)), flips, counts
                        )
                    ),
                )
        at_last = NumberLiteral(triple.probability / (triple.deviation + 1))
        yield Command(
            BELIEFS,
            conjunction(here, compare(counter, ">=", last)),
            tuple(_draw(at_last, flips, self.assign((percept.counter, 0)))),
        )

    # --- messages (Sect. 7.3) ---------------------------------------------------------------------

    def _message(self, message: MessagePercept) -> Module:
        """Return the PRISM module of a message. The message is held as a belief in the cycle after
        it was sent. The initial value 2 of its variable means that it was sent before the first
        cycle."""
        name = self.of(message.name)
        sent = [equals(name, 2)] if message.sent_initially else []
        indices = [
            (each.prefix + each.position.plan, each.position.index)
            for each in message.sent
            if each.position
        ]
        on_its_way = disjunction(
            *sent, *(equals(self._variables.of(plan), index) for plan, index in indices)
        )
        body = (
            Command(BELIEFS, on_its_way, (self.assign((message.name, 1)),)),
            Command(BELIEFS, negation(on_its_way), (self.assign((message.name, 0)),)),
        )
        top, initial = (2, 2) if message.sent_initially else (1, int(message.initially))
        senders = " and ".join(dict.fromkeys(each.sender for each in message.sent)) or "no agent"
        remark = f"^[{message.text}] from {senders}"
        return Module(
            self._module_of(message.name),
            (IntVariable(name, 0, top, initial),),
            _possible(body),
            (remark,),
        )

    # --- events, rewards, atoms -------------------------------------------------------------------

    def _memory(self, belief: str) -> Module:
        """Return the PRISM module that stores whether a belief was held in the previous cycle. It
        is needed because the event of a plan may be a change of this belief (Sect. 3.3.2, Step 2 of
        Izzo's thesis)."""
        memory = memory_of(belief)
        body = (
            Command(PLANS, self._held(belief), (self.assign((memory, 1)),)),
            Command(PLANS, negation(self._held(belief)), (self.assign((memory, 0)),)),
        )
        remark = f"whether ^[{self._agent.beliefs[belief]}] was held in the cycle before"
        return Module(
            self._module_of(memory), (IntVariable(self.of(memory), 0, 1, 0),), body, (remark,)
        )

    def where(self, item: RewardItem) -> Expression:
        """Return the condition under which an amount of a reward is earned: a plan is at a certain
        action, or a belief is held (Fig. 4.8 of Izzo's thesis)."""
        return (
            self._at(item.where)
            if isinstance(item.where, PlanPosition)
            else self._held(item.where.belief)
        )

    def answer(self, atom: ParsedAtom) -> str:
        """Translate an atom about this agent to a PRISM expression."""
        match atom:
            case atoms.VariableAtom(name):
                return self.of(name)
            case BelAtom(condition):
                return f"({self._condition(condition)})"
            case DesAtom(plan):
                return f"({self._trigger(plan)})"
            case IntAtom(plan):
                return f"({compare(self.of(plan.name), '>', 0)})"
            case DoesAtom():
                raise AssertionError(atom)
            case _:
                assert_never(atom)

    # --- conditions and updates -------------------------------------------------------------------

    def _condition(self, condition: Condition) -> Expression:
        match condition:
            case syntax.BooleanLiteral(value):
                return BooleanLiteral(value)
            case syntax.BeliefAtom(sentence):
                return self._held(sentence.name)
            case syntax.Not(syntax.BeliefAtom(sentence)):
                return self._absent(sentence.name)
            case syntax.Not(operand):
                return negation(self._condition(operand))
            case syntax.And(operands):
                return conjunction(*(self._condition(each) for each in operands))
            case syntax.Or(operands):
                return disjunction(*(self._condition(each) for each in operands))
            case _:
                assert_never(condition)

    def _held(self, belief: str) -> Expression:
        return equals(self.of(belief), 1)

    def _absent(self, belief: str) -> Expression:
        return (
            compare(self.of(belief), "!=", 1)
            if belief in self._counted
            else equals(self.of(belief), 0)
        )

    def _at(self, position: PlanPosition) -> Expression:
        return equals(self.of(position.plan), position.index)

    def assign(self, *assignments: tuple[str, int]) -> Update:
        return Update(
            tuple((self.of(name), NumberLiteral(Fraction(value))) for name, value in assignments)
        )


def _possible(body: Iterable[Command | Comment]) -> tuple[Command | Comment, ...]:
    """Return the body of a PRISM module without the commands whose guard is false."""
    return tuple(each for each in body if isinstance(each, Comment) or each.guard != FALSE)


def _product(weight: Fraction, chance: Expression) -> Expression:
    if isinstance(chance, NumberLiteral):
        return NumberLiteral(weight * chance.value)
    return chance if weight == 1 else arithmetic("*", weight, chance)


def _draw(chance: Expression, success: Update, failure: Update) -> Iterator[Update]:
    """Yield two updates of a PRISM command: ``success`` with probability ``chance``, and
    ``failure`` with the remaining probability. An update of probability 0 is left out."""
    if chance == NumberLiteral(Fraction(0)):
        yield failure
    elif chance == NumberLiteral(Fraction(1)):
        yield success
    else:
        rest = (
            NumberLiteral(1 - chance.value)
            if isinstance(chance, NumberLiteral)
            else arithmetic("-", 1, chance)
        )
        yield Update(success.assignments, chance)
        yield Update(failure.assignments, rest)

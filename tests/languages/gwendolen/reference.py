"""A naive interpreter of Gwendolen and EASS, as literal as possible: the oracle for the
implementation.

Written from the description of the language, whose points of ``docs/reference/gwendolen.md`` the
comments cite by number.  Two things are not from there but were seen in what the implementation
answers: that an intention without rows keeps its source (:class:`Intention`), and that a single
agent that sleeps ends the run.  There the two do not confirm each other. Nothing of the
implementation is used but its syntax trees and terms.  Every call of an agent's ``reason()`` is run
anew for each combination of nondeterministic choices; states are plain tuples, explored breadth
first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from typing import Any, Literal, NamedTuple, TypeVar

from volition.diagnostics import Source
from volition.languages.gwendolen.options import Settings
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    AgentProgram,
    BeliefGuard,
    ComparisonGuard,
    Cut,
    Deed,
    Derivable,
    DropGoal,
    GoalGuard,
    Guard,
    Lock,
    Negated,
    Performative,
    Plan,
    RemoveBelief,
    RuleLiteral,
    Send,
    SentGuard,
    Unlock,
    WaitFor,
)  # fmt: skip
from volition.languages.world.terms import (
    Number,
    Structure,
    Term,
    Text,
    Variable,
    list_items,
    number,
    show,
)

__all__ = ["Does", "Graph", "QueueTooLong", "Reference", "SmallWorld", "State", "TooManyStates"]

# --- terms ----------------------------------------------------------------------------------------

Substitution = dict[str, Term]
T = TypeVar("T")
_fresh = count(1)


def fresh() -> Variable:
    """A variable that is used nowhere else; :func:`canonical` gives it a lasting name."""
    return Variable(f"~{next(_fresh)}")


def value_of(term: Term, bindings: Substitution) -> Term:
    """The term under the bindings; arithmetic is computed as soon as its operands are numbers."""
    if isinstance(term, Variable):
        return value_of(bindings[term.name], bindings) if term.name in bindings else term
    if not isinstance(term, Structure) or not term.arguments:
        return term
    arguments = tuple(value_of(each, bindings) for each in term.arguments)
    if term.functor in ("+", "-", "*", "/", "%") and len(arguments) == 2:
        left, right = arguments
        if isinstance(left, Number) and isinstance(right, Number):
            return computed(term.functor, left, right)
    return Structure(term.functor, arguments)


def computed(operator: str, left: Number, right: Number) -> Term:
    match operator:
        case "+":
            return number(left + right)
        case "-":
            return number(left - right)
        case "*":
            return number(left * right)
    if right == 0:
        return Structure(operator, (left, right))
    return number(Fraction(left) / Fraction(right)) if operator == "/" else number(left % right)


def unified(left: Term, right: Term, bindings: Substitution) -> Substitution | None:
    """A most general unifier that extends the bindings, with occurs check."""
    left, right = value_of(left, bindings), value_of(right, bindings)
    if left == right:
        return bindings
    if isinstance(left, Variable):
        return None if left.name in names_in(right) else {**bindings, left.name: right}
    if isinstance(right, Variable):
        return unified(right, left, bindings)
    if not isinstance(left, Structure) or not isinstance(right, Structure):
        return None
    if (left.functor, len(left.arguments)) != (right.functor, len(right.arguments)):
        return None
    for mine, yours in zip(left.arguments, right.arguments, strict=True):
        extended = unified(mine, yours, bindings)
        if extended is None:
            return None
        bindings = extended
    return bindings


def names_in(term: Term) -> list[str]:
    if isinstance(term, Variable):
        return [term.name]
    return (
        [name for each in term.arguments for name in names_in(each)]
        if isinstance(term, Structure)
        else []
    )


def renamed(term: Term, names: Substitution) -> Any:
    """The term with fresh variables, the same ones for the same names; every ``_`` is a variable of
    its own (point 1)."""
    if isinstance(term, Variable):
        return fresh() if term.name == "_" else names.setdefault(term.name, fresh())
    return (
        Structure(term.functor, tuple(renamed(each, names) for each in term.arguments))
        if isinstance(term, Structure)
        else term
    )


def apart(term: Term) -> Any:
    return renamed(term, {})


def alike(left: Term, right: Term) -> bool:
    return unified(apart(left), apart(right), {}) is not None


# --- states ---------------------------------------------------------------------------------------

Kind = Literal["start", "percept", "belief", "goal", "received", "sent"]
Stage = Literal["E", "D"]
NO_PLAN_YET: Literal["no plan yet"] = "no plan yet"
NO_OPERATION: Literal["no operation"] = "no operation"
RowDeed = Deed | Literal["no plan yet", "no operation"]


class Event(NamedTuple):
    """Why a row is there.  The content of a goal is as it was posted: "stored with its variables"
    (point 21)."""

    kind: Kind
    sign: str = "+"
    content: Term = 0
    type: str = ""
    """Of a goal: its type; of a message: its performative."""

    def __str__(self) -> str:
        match self.kind:
            case "goal":
                return f"{self.sign}!{show(self.content)} [{self.type}]"
            case "belief":
                return f"{self.sign}{show(self.content)}"
            case "received":
                return f"+.received(:{self.type}, {show(self.content)})"
        return self.kind


class Row(NamedTuple):
    """``bindings`` are what the rows above have found out about variables of this row's event and
    of the rows below."""

    event: Event
    deed: RowDeed
    bindings: tuple[tuple[str, Term], ...] = ()
    level: int = 0
    """How many goals of this intention were posted to get here: tells a goal from an equal one that
    it has posted itself (point 22)."""


class Intention(NamedTuple):
    """The first row is the top.  ``awaits`` is the literal for which it is suspended.

    ``is_percept``: its source is perception and not the agent itself.  That has no consequence, but
    an intention without rows still has its source, and the states that the figures count differ in
    it.
    """

    rows: tuple[Row, ...] = ()
    awaits: Term | None = None
    locked: bool = False
    is_percept: bool = False


EMPTY = Intention()


class Message(NamedTuple):
    performative: Performative
    content: Term
    sender: str = ""
    """Where the mailbox is a set."""


class AgentState(NamedTuple):
    beliefs: tuple[tuple[Term, bool], ...]
    """Sorted as printed; True for a belief that was perceived.  Other sources have no consequence
    (point 16)."""
    goals: frozenset[tuple[Term, str]]
    """The goal base: a set of goals as they were posted (points 21, 22)."""
    current: Intention | None
    others: tuple[Intention, ...]
    mail: tuple[Message, ...]
    outbox: frozenset[tuple[Term, str, Term]]
    stage: Stage
    asleep: bool
    outdated: bool
    """Not up to date: its percepts have changed since it perceived."""
    drawn: frozenset[Structure] | None
    """Its free percepts as they are now; None before the first draw."""


class State(NamedTuple):
    agents: tuple[AgentState, ...]
    world: frozenset[Structure]
    shared: frozenset[Term]
    turn: tuple[int | None, int]
    """Who goes on (None: anybody), and how many calls it has had."""
    observed: tuple[bool, ...]
    rounds: int = 0
    """Final rounds that the verification environment has granted (point 29)."""


class Does(NamedTuple):
    """An observed atom: only its truth value belongs to the state (point 34)."""

    agent: str
    action: Term
    is_last: bool = False
    """Whether it is about the last action that anybody did, and not about the step into the
    state."""

    def is_about(self, agent: str, action: Term) -> bool:
        return agent == self.agent and any(alike(self.action, each) for each in told_as(action))


def told_as(action: Term) -> list[Structure]:
    """What formulas call an action: the paper writes ``Does a p`` for having executed
    ``perf(p)``."""
    match action:
        case Structure("perf", (Structure() as inner,)):
            return [action, inner]
    return [action] if isinstance(action, Structure) else []


class QueueTooLong(Exception):
    """More intentions than ``longest_queue`` with percepts that are always re-drawn (point 34)."""


class TooManyStates(Exception):
    pass


@dataclass(frozen=True)
class Graph:
    """``successors[i]`` are the numbers of the states that may follow state i; state 0 is the
    initial one."""

    states: list[State]
    successors: list[list[int]]

    @property
    def edges(self) -> int:
        return sum(len(set(each)) for each in self.successors)


@dataclass(frozen=True)
class SmallWorld:
    """Facts that come and go by actions.  The alternatives of an action are (needed, added,
    removed); none fits: the action fails.

    Actions that are not mentioned have no effect.  ``seen_by`` says who perceives a fact, if it is
    not everybody.
    """

    initially: frozenset[Structure] = frozenset()
    actions: Mapping[
        str, Sequence[tuple[frozenset[Structure], frozenset[Structure], frozenset[Structure]]]
    ] = field(default_factory=dict)
    free: Mapping[str, tuple[Structure, ...]] = field(default_factory=dict)
    """Agent ▶ its free percepts."""
    seen_by: Mapping[Structure, str] = field(default_factory=dict)

    def percepts(self, facts: frozenset[Structure], agent: str) -> frozenset[Structure]:
        return frozenset(each for each in facts if self.seen_by.get(each, agent) == agent)

    def act(
        self, facts: frozenset[Structure], action: Structure
    ) -> list[tuple[frozenset[Structure], bool]]:
        """What the facts may become, and whether percepts are added or removed at all, be they
        there already or not."""
        key = show(action)
        if key not in self.actions:
            return [(facts, False)]
        ways = self.actions[key]
        return [
            ((facts - removed) | added, bool(added | removed))
            for needed, added, removed in ways
            if needed <= facts
        ]


# --- one call of reason() -------------------------------------------------------------------------


class Agent:
    """A copy of an agent's state that a call may change."""

    def __init__(self, program: AgentProgram, cycle: str, state: AgentState) -> None:
        self.program, self.cycle, self.name = program, cycle, program.name
        self.beliefs = dict(state.beliefs)
        self.goal_base = set(state.goals)
        self.current, self.others = state.current, list(state.others)
        self.mail, self.outbox = list(state.mail), set(state.outbox)
        self.stage, self.asleep, self.outdated, self.drawn = (
            state.stage,
            state.asleep,
            state.outdated,
            state.drawn,
        )

    def frozen(self) -> AgentState:
        return AgentState(
            tuple(sorted(self.beliefs.items(), key=lambda each: (show(each[0]), repr(each[0])))),
            frozenset(self.goal_base),
            None if self.current is None else canonical(self.current),
            tuple(canonical(each) for each in self.others if each.rows),
            tuple(self.mail),
            frozenset(self.outbox),
            self.stage, self.asleep, self.outdated, self.drawn,
        )  # fmt: skip

    # --- beliefs, goals, guards ---

    def goals(self) -> list[tuple[Term, str]]:
        return sorted(self.goal_base, key=lambda each: (show(each[0]), each[1]))

    def left(self, before: Intention, after: Intention) -> None:
        """Goals whose rows are used up leave the goal base, as they were posted, whoever else
        pursues an equal one (points 21, 22)."""
        level = after.rows[0].level if after.rows else 0
        self.goal_base -= {
            base_goal(row.event) for row in before.rows if is_goal(row.event) and row.level > level
        }

    def intentions(self) -> list[Intention]:
        return [each for each in (self.current, *self.others) if each is not None and each.rows]

    def proofs(self, atom: Term, bindings: Substitution) -> Iterator[Substitution]:
        """Beliefs in printed order, then rules in program order, depth first."""
        goal = value_of(atom, bindings)
        if not isinstance(goal, Structure):
            return
        if goal.functor == "member" and len(goal.arguments) == 2:
            for item in list_items(goal.arguments[1]) or ():
                extended = unified(goal.arguments[0], item, bindings)
                if extended is not None:
                    yield extended
            return
        for belief in sorted(self.beliefs, key=lambda each: (show(each), repr(each))):
            extended = unified(goal, apart(belief), bindings)
            if extended is not None:
                yield extended
        for rule in self.program.rules:
            names: Substitution = {}
            extended = unified(goal, renamed(rule.head, names), bindings)
            if extended is not None:
                cut = [False]
                yield from self.body_proofs(rule_body(rule.body, names), extended, cut)
                if cut[0]:
                    return

    def body_proofs(
        self, body: tuple[RuleLiteral, ...], bindings: Substitution, cut: list[bool]
    ) -> Iterator[Substitution]:
        if not body:
            yield bindings
            return
        first, rest = body[0], body[1:]
        match first:
            case Cut():
                yield from self.body_proofs(rest, bindings, cut)
                cut[0] = True
            case Derivable(atom):
                for extended in self.proofs(atom, bindings):
                    yield from self.body_proofs(rest, extended, cut)
                    if cut[0]:
                        return
            case Negated(inner):
                if next(self.body_proofs(inner, bindings, [False]), None) is None:
                    yield from self.body_proofs(rest, bindings, cut)
            case ComparisonGuard():
                if compare(first, bindings):
                    yield from self.body_proofs(rest, bindings, cut)

    def atom_solutions(self, guard: Guard, bindings: Substitution) -> Iterator[Substitution]:
        match guard.atom:
            case BeliefGuard(atom):
                yield from self.proofs(atom, bindings)
            case GoalGuard(goal):
                for content, kind in self.goals():
                    extended = unified(goal.atom, apart(content), bindings)
                    if kind == goal.type and extended is not None:
                        yield extended
            case SentGuard(recipient, sender, performative, content):
                requested = Structure(
                    "sent", (recipient, Structure(self.name) if sender is None else sender, content)
                )
                for receiver, said, what in sorted(
                    self.outbox, key=lambda each: (show(each[0]), each[1], show(each[2]))
                ):
                    message = Structure("sent", (receiver, Structure(self.name), apart(what)))
                    extended = unified(requested, message, bindings)
                    if said == performative and extended is not None:
                        yield extended
            case ComparisonGuard():
                if compare(guard.atom, bindings):
                    yield bindings

    def guard_solutions(
        self, guards: Sequence[Guard], bindings: Substitution
    ) -> Iterator[Substitution]:
        if not guards:
            yield bindings
            return
        first, rest = guards[0], guards[1:]
        if first.positive:
            for extended in self.atom_solutions(first, bindings):
                yield from self.guard_solutions(rest, extended)
        elif next(self.atom_solutions(first, bindings), None) is None:
            yield from self.guard_solutions(rest, bindings)

    # --- intentions ---

    def append(self, event: Event, *, is_percept: bool = False) -> None:
        self.others.append(Intention((Row(event, NO_PLAN_YET),), is_percept=is_percept))

    def pop(self, found: Substitution | None = None) -> None:
        """The top row goes; what it has found out is composed into the row below."""
        assert self.current is not None
        before, self.current = self.current, popped(self.current, found or {})
        self.left(before, self.current)

    def wake(self, literal: Term) -> None:
        """Items 18, 24: whoever waits for a literal that unifies, or for its absence, can run
        again."""
        self.others = [woken(each, literal) for each in self.others]
        if self.current is not None:
            self.current = woken(self.current, literal)

    def everything_suspended(self) -> bool:
        return all(each.awaits is not None for each in self.intentions())


def is_goal(event: Event) -> bool:
    return event.kind == "goal" and event.sign == "+"


def base_goal(event: Event) -> tuple[Term, str]:
    return lasting(event.content), event.type


def woken(intention: Intention, literal: Term) -> Intention:
    return (
        intention._replace(awaits=None)
        if intention.awaits is not None and alike(intention.awaits, literal)
        else intention
    )


def ended(intention: Intention) -> Intention:
    return Intention(is_percept=intention.is_percept)


def popped(intention: Intention, found: Substitution) -> Intention:
    """Without its top row.  A lock does not outlive the last row."""
    top, *rest = intention.rows
    if not rest:
        return ended(intention)
    known = {**{name: value_of(value, found) for name, value in top.bindings}, **found}
    below = rest[0]
    bindings = {**known, **{name: value_of(value, known) for name, value in below.bindings}}
    return intention._replace(
        rows=(
            below._replace(deed=deed_value(below.deed, known), bindings=resolved(bindings)),
            *rest[1:],
        )
    )


def resolved(bindings: Substitution) -> tuple[tuple[str, Term], ...]:
    return tuple((name, value_of(value, bindings)) for name, value in bindings.items())


def deed_mapped(deed: RowDeed, change: Callable[[Any], Any]) -> RowDeed:
    match deed:
        case AddBelief(atom=atom) | RemoveBelief(atom=atom) | WaitFor(atom=atom):
            return replace(deed, atom=change(atom))
        case AddGoal(goal=goal) | DropGoal(goal=goal):
            return replace(deed, goal=replace(goal, atom=change(goal.atom)))
        case Send(recipient=recipient, content=content):
            return replace(deed, recipient=change(recipient), content=change(content))
        case Act(action=action):
            return replace(deed, action=change(action))
    return deed


def deed_value(deed: RowDeed, bindings: Substitution) -> RowDeed:
    return deed_mapped(deed, lambda term: value_of(term, bindings)) if bindings else deed


def deed_renamed(deed: RowDeed, names: Substitution) -> RowDeed:
    return deed_mapped(deed, lambda term: renamed(term, names))


def deed_names(deed: RowDeed) -> list[str]:
    found: list[str] = []

    def note(term: Term) -> Term:
        found.extend(names_in(term))
        return term

    deed_mapped(deed, note)
    return found


def canonical(intention: Intention) -> Intention:
    """The same intention without bindings that nobody asks for, and with variables numbered as they
    occur."""
    names: dict[str, Term] = {}

    def numbered(term: Term) -> Term:
        if isinstance(term, Variable):
            return names.setdefault(term.name, Variable(f"_{len(names) + 1}"))
        return (
            Structure(term.functor, tuple(map(numbered, term.arguments)))
            if isinstance(term, Structure)
            else term
        )

    if not intention.rows:
        return intention
    plain = [
        (row.event._replace(content=numbered(row.event.content)), deed_mapped(row.deed, numbered))
        for row in intention.rows
    ]
    rows: list[Row] = []
    queried: set[str] = set()
    for row, (event, deed) in zip(reversed(intention.rows), reversed(plain), strict=True):
        queried |= set(names_in(row.event.content))
        bound = sorted(
            (show(names[name]), value) for name, value in row.bindings if name in queried
        )
        queried |= {
            inner for name, value in row.bindings if name in queried for inner in names_in(value)
        }
        queried |= set(deed_names(row.deed))
        rows.append(
            Row(event, deed, tuple((name, numbered(value)) for name, value in bound), row.level)
        )
    return Intention(
        tuple(reversed(rows)),
        None if intention.awaits is None else numbered(intention.awaits),
        intention.locked,
        intention.is_percept,
    )


def rule_body(literals: tuple[RuleLiteral, ...], names: Substitution) -> tuple[RuleLiteral, ...]:
    """A rule's body with fresh variables."""
    changed: list[RuleLiteral] = []
    for each in literals:
        match each:
            case Derivable(atom):
                changed.append(Derivable(renamed(atom, names)))
            case Negated(inner):
                changed.append(Negated(rule_body(inner, names)))
            case ComparisonGuard(relation, left, right):
                changed.append(
                    ComparisonGuard(relation, renamed(left, names), renamed(right, names))
                )
            case Cut():
                changed.append(each)
    return tuple(changed)


def compare(compared: ComparisonGuard, bindings: Substitution) -> bool:
    left, right = value_of(compared.left, bindings), value_of(compared.right, bindings)
    if compared.relation == "==":
        return left == right
    return isinstance(left, Number) and isinstance(right, Number) and left < right


def guard_renamed(guard: Guard, names: Substitution) -> Guard:
    match guard.atom:
        case BeliefGuard(atom):
            return replace(guard, atom=BeliefGuard(renamed(atom, names)))
        case GoalGuard(goal):
            return replace(guard, atom=GoalGuard(replace(goal, atom=renamed(goal.atom, names))))
        case SentGuard(recipient, sender, performative, content):
            named = None if sender is None else renamed(sender, names)
            return replace(
                guard,
                atom=SentGuard(
                    renamed(recipient, names), named, performative, renamed(content, names)
                ),
            )
        case ComparisonGuard(relation, left, right):
            return replace(
                guard, atom=ComparisonGuard(relation, renamed(left, names), renamed(right, names))
            )


def in_order(guards: Sequence[Guard]) -> list[Guard]:
    """Item 5: only the first two atoms are swapped, where the first is negated and the second is
    not."""
    if len(guards) > 1 and not guards[0].positive and guards[1].positive:
        return [guards[1], guards[0], *guards[2:]]
    return list(guards)


def relevant(plans: Sequence[Plan], event: Event) -> list[Plan]:
    """B and point 4: plans in program order, those with a variable for the content last, except for
    messages."""
    kind = [
        plan
        for plan in plans
        if plan.trigger.kind == event.kind
        and plan.trigger.sign == event.sign
        and (
            event.kind == "belief"
            or event.type
            == (plan.trigger.type if event.kind == "goal" else plan.trigger.performative)
        )
    ]
    if event.kind == "received":
        return kind
    return sorted(kind, key=lambda plan: isinstance(plan.trigger.content, Variable))


def is_action(intention: Intention) -> bool:
    """Item 31: whether the top deed is an action, a message included."""
    return isinstance(intention.rows[0].deed, Act | Send)


class Call:
    """One call of one agent's ``reason()``, with the nondeterministic choices that ``script``
    prescribes and then always the first."""

    def __init__(self, reference: Reference, state: State, script: Sequence[int]) -> None:
        self.reference, self.options, self.world = reference, reference.options, reference.world
        self.agents = [
            Agent(program, reference.options.cycle or program.cycle, each)
            for program, each in zip(reference.programs, state.agents, strict=True)
        ]
        self.facts, self.shared, self.turn, self.rounds = (
            state.world,
            set(state.shared),
            state.turn,
            state.rounds,
        )
        self.was_observed = state.observed
        self.script = script
        self.taken: list[int] = []
        self.widths: list[int] = []
        self.action: tuple[str, Term] | None = None
        self.changed = False
        """Whether something has changed, for the scheduler."""

    def choose(self, alternatives: Sequence[T]) -> T:
        chosen = self.script[len(self.taken)] if len(self.taken) < len(self.script) else 0
        self.taken.append(chosen)
        self.widths.append(len(alternatives))
        return alternatives[chosen]

    def step(self) -> State:
        """The scheduler picks an agent, and that agent reasons up to its next stop point."""
        index = self.scheduled()
        agent = self.agents[index]
        if agent.stage == "E":
            self.perceive(agent)
            self.receive(agent)
            if self.select(agent):
                self.plan(agent)
                agent.stage = (
                    "D" if agent.current is not None and agent.current.rows else "E"
                )  # point 12
        else:
            self.execute(agent)
            agent.stage = "E"
        if self.options.goal_base == "postings":
            for each in self.agents:
                each.goal_base |= {
                    base_goal(row.event)
                    for one in each.intentions()
                    for row in one.rows
                    if is_goal(row.event)
                }
        return State(
            tuple(each.frozen() for each in self.agents),
            self.facts,
            frozenset(self.shared),
            self.next_turn(index),
            self.observed(),
            self.rounds,
        )

    def observed(self) -> tuple[bool, ...]:
        """Which of the observed actions was done in this step, or by nobody else since."""
        now = [] if self.action is None else [self.action]
        return tuple(
            self.was_observed[position]
            if self.action is None and each.is_last
            else any(each.is_about(*action) for action in now)
            for position, each in enumerate(self.reference.observed)
        )

    # --- the schedulers: point 28 ---

    def scheduled(self) -> int:
        owner, calls = self.turn
        awake = [index for index, each in enumerate(self.agents) if not each.asleep]
        match self.options.scheduler:
            case "single":
                return 0
            case "round_robin":
                assert owner is not None
                return min(awake, key=lambda index: (index - owner) % len(self.agents))
        if owner is None:
            self.turn = (None, 0)
            return self.choose(awake)
        self.turn = (owner, calls)
        return owner

    def next_turn(self, index: int) -> tuple[int | None, int]:
        calls = self.turn[1] + 1
        match self.options.scheduler:
            case "single":
                return (0, 0)
            case "round_robin":
                return ((index + 1) % len(self.agents), 0)
            case "action":
                calls = 0
        if (
            len(self.agents) == 1
            or self.changed
            or self.agents[index].asleep
            or calls == self.options.turns
        ):
            return (None, 0)
        return (index, calls)

    # --- percepts ---

    def percepts(self, agent: Agent) -> set[Structure]:
        """Item 33: an agent with an abstraction engine perceives what is shared and nothing
        else."""
        seen = {each for each in self.shared if isinstance(each, Structure)}
        if agent.name not in {each.abstracts for each in self.reference.programs}:
            seen |= self.world.percepts(self.facts, agent.name) | (agent.drawn or frozenset())
        return seen

    def percepts_may_change(self) -> dict[str, set[Structure]]:
        return {each.name: self.percepts(each) for each in self.agents}

    def percepts_changed(self, before: dict[str, set[Structure]]) -> None:
        """Who perceives something else than before is not up to date, and wakes up."""
        for each in self.agents:
            if self.percepts(each) != before[each.name]:
                each.outdated, each.asleep, self.changed = True, False, True

    def draw(self, agent: Agent) -> None:
        """Any subset of the free percepts."""
        free = self.world.free[agent.name]
        chosen = self.choose(range(2 ** len(free)))
        agent.drawn = frozenset(
            each for position, each in enumerate(free) if chosen >> position & 1
        )
        agent.outdated, self.changed = True, True

    def is_redrawn(self, agent: Agent) -> bool:
        """Item 34."""
        if not self.world.free.get(agent.name):
            return False
        if agent.drawn is None:
            return True
        match self.options.redraw:
            case "handled":
                left = (each for each in agent.intentions() if each.awaits is None)
                return not any(each.rows[-1].event.kind in ("belief", "percept") for each in left)
            case "noticed":
                tops = (each.rows[0] for each in agent.intentions())
                return not any(
                    row.event.kind == "percept"
                    or (row.event.kind == "belief" and row.deed == NO_PLAN_YET)
                    for row in tops
                )
            case "always":
                return True
        return False

    # --- stages ---

    def perceive(self, agent: Agent) -> None:
        """E: nothing happens if the agent is up to date.  Removed percepts first, then new ones,
        each in printed order (point 15)."""
        if self.is_redrawn(agent):
            self.draw(agent)
        if not agent.outdated:
            return
        agent.outdated = False
        seen = self.percepts(agent)
        perceived = {each for each, is_percept in agent.beliefs.items() if is_percept}
        gone, new = sorted(perceived - seen, key=show), sorted(seen - perceived, key=show)
        changes = [("-", each) for each in gone] + [("+", each) for each in new]
        for sign, literal in changes:
            if agent.cycle == "eass":
                self.believe_at_once(agent, sign, literal)
            else:
                intention = Intention(
                    (Row(Event("percept"), percept_deed(sign, literal)),), is_percept=True
                )
                if intention not in agent.others:
                    agent.others.append(intention)
        if (
            self.options.redraw == "always"
            and self.world.free.get(agent.name)
            and len(agent.others) > self.options.longest_queue
        ):
            raise QueueTooLong

    def believe_at_once(self, agent: Agent, sign: str, literal: Term) -> None:
        """EASS changes the belief base in E."""
        if sign == "+":
            agent.beliefs[literal] = True
        else:
            del agent.beliefs[literal]
        agent.append(Event("belief", sign, literal), is_percept=sign == "-")  # point 32
        agent.wake(literal)

    def receive(self, agent: Agent) -> None:
        """F."""
        for performative, content, _ in agent.mail:
            agent.append(Event("received", "+", content, performative))
        agent.mail = []

    def select(self, agent: Agent) -> bool:
        """A, point 11; False if there is nothing to do, which ends the call."""
        current = agent.current
        everything = agent.intentions()
        runnable = [each for each in agent.others if each.rows and each.awaits is None]
        if (
            current is not None
            and current.rows
            and current.locked
            and not agent.everything_suspended()
        ):
            return True
        if (current is None or not current.rows or current.awaits is not None) and not runnable:
            if current is not None and not current.rows:
                agent.current = None
            self.sleep(agent)
            return False
        assert everything
        suspended = [each for each in agent.others if each.rows and each.awaits is not None]
        if current is not None and current.rows:
            (suspended if current.awaits is not None else runnable).append(current)
        if agent.cycle == "eass":  # point 31
            runnable = [each for each in runnable if not is_action(each)] + [
                each for each in runnable if is_action(each)
            ]
        agent.current, agent.others = runnable[0], runnable[1:] + suspended
        return True

    def sleep(self, agent: Agent) -> None:
        """Falling asleep counts as a change (point 28).  Where percepts are free nobody sleeps: "a
        run never ends" (point 34)."""
        self.changed = True
        if self.world.free.get(agent.name) and self.options.redraw in (
            "handled",
            "noticed",
            "always",
        ):
            return
        agent.asleep = True
        if (
            self.options.redraw == "acted_and_asleep"
            and all(each.asleep for each in self.agents)
            and self.rounds == 0
        ):
            self.rounds = 2
            for each in self.agents:
                if each.drawn:
                    each.drawn, each.outdated, each.asleep = frozenset(), True, False

    def plan(self, agent: Agent) -> None:
        """B and C: the first applicable plan takes the place of the row without a plan."""
        assert agent.current is not None
        top, *rest = agent.current.rows
        if top.deed != NO_PLAN_YET:
            return
        found = self.applicable(agent, top)
        if found is not None:
            plan, bindings = found
            if not plan:
                agent.pop(bindings)
            else:
                carried = resolved(bindings)
                body = [
                    Row(top.event, deed_value(each, bindings), carried, top.level) for each in plan
                ]
                agent.current = agent.current._replace(rows=(*body, *rest))
        elif is_goal(top.event):
            agent.current = with_problem(agent.current)
        elif top.event.kind != "goal":
            agent.current = ended(agent.current)

    def applicable(self, agent: Agent, row: Row) -> tuple[list[RowDeed], Substitution] | None:
        """The body of the first applicable plan, its variables renamed apart, and the first
        solution of its guard."""
        known = dict(row.bindings)
        for plan in relevant(agent.program.plans, row.event):
            names: Substitution = {}
            bindings = unified(renamed(plan.trigger.content, names), row.event.content, known)
            if bindings is None:
                continue
            guards = [guard_renamed(each, names) for each in in_order(plan.guard)]
            solution = next(agent.guard_solutions(guards, bindings), None)
            if solution is not None:
                return [deed_renamed(each, names) for each in plan.body], solution
        return None

    # --- deeds ---

    def execute(self, agent: Agent) -> None:
        """D."""
        assert agent.current is not None
        deed = agent.current.rows[0].deed
        match deed:
            case AddBelief():
                self.add_belief(agent, deed)
            case RemoveBelief():
                self.remove_belief(agent, deed)
            case AddGoal():
                self.add_goal(agent, deed)
            case DropGoal():
                self.drop_goal(agent, deed)
            case Lock():
                agent.pop()
                if agent.current.rows:
                    agent.current = agent.current._replace(locked=True)
            case Unlock():
                agent.current = agent.current._replace(locked=False)
                agent.pop()
            case WaitFor():
                self.wait_for(agent, deed)
            case Send():
                self.send(agent, deed)
            case Act():
                self.act(agent, deed)
            case "no operation":
                agent.pop()

    def add_belief(self, agent: Agent, deed: AddBelief) -> None:
        """Items 16, 17: an event only if it was not derivable before."""
        assert agent.current is not None
        literal = lasting(deed.atom)
        is_percept = agent.current.rows[0].event.kind == "percept"
        is_known = next(agent.proofs(literal, {}), None) is not None
        agent.beliefs[literal] = agent.beliefs.get(literal, False) or is_percept
        agent.pop()
        agent.wake(literal)
        if not is_known:
            agent.append(Event("belief", "+", literal))

    def remove_belief(self, agent: Agent, deed: RemoveBelief) -> None:
        """Item 18."""
        matching = [
            (each, unified(deed.atom, apart(each), {})) for each in sorted(agent.beliefs, key=show)
        ]
        removed = [(each, bindings) for each, bindings in matching if bindings is not None]
        for each, _ in removed:
            del agent.beliefs[each]
            agent.append(Event("belief", "-", apart(deed.atom)))
        agent.pop(removed[0][1] if removed else None)
        agent.wake(deed.atom)

    def add_goal(self, agent: Agent, deed: AddGoal) -> None:
        """Items 21 to 23.  The deed of an achieve goal stays underneath, that of a perform goal
        becomes a no-op."""
        assert agent.current is not None
        goal = deed.goal
        top, *rest = agent.current.rows
        posted = Row(Event("goal", "+", goal.atom, goal.type), NO_PLAN_YET, (), top.level + 1)
        if goal.type == "perform":
            agent.current = agent.current._replace(
                rows=(posted, top._replace(deed=NO_OPERATION), *rest)
            )
            agent.goal_base.add(base_goal(posted.event))
            return
        believed = next(agent.proofs(goal.atom, {}), None)
        if believed is not None:
            if not any(row.event == posted.event for each in agent.others for row in each.rows):
                agent.goal_base.discard(base_goal(posted.event))
            agent.pop(believed)
            return
        for content, kind in agent.goals():
            bindings = unified(goal.atom, apart(content), {})
            if kind == goal.type and bindings is not None:
                agent.pop(bindings)
                return
        agent.goal_base.add(base_goal(posted.event))
        agent.current = agent.current._replace(rows=(posted, top, *rest))

    def drop_goal(self, agent: Agent, deed: DropGoal) -> None:
        """Item 19: rows from the top to the bottom-most one of the goal, and the deed below."""
        assert agent.current is not None
        dropped = without_goal(agent.current, deed)
        if dropped is not None:
            agent.left(agent.current, dropped)
            agent.current = dropped
            return
        agent.pop()
        others = []
        for each in agent.others:
            remaining = without_goal(each, deed)
            top = each.rows[0].deed
            if remaining is not None:
                agent.left(each, remaining)
                others.append(remaining)
            elif (
                isinstance(top, AddGoal)
                and deed.goal.type == top.goal.type == "perform"
                and alike(top.goal.atom, deed.goal.atom)
            ):
                others.append(popped(each, {}))
            else:
                others.append(each)
        agent.others = [each for each in others if each.rows]

    def wait_for(self, agent: Agent, deed: WaitFor) -> None:
        """Items 24, 25."""
        assert agent.current is not None
        found = next(agent.proofs(deed.atom, {}), None)
        if (found is not None) == deed.positive:
            agent.pop(found)
            return
        agent.current = agent.current._replace(awaits=deed.atom)
        if agent.everything_suspended():
            agent.others.append(agent.current)
            agent.current = EMPTY
            if agent.cycle == "gwendolen":
                self.sleep(agent)
        runnable = [each for each in agent.others if each.awaits is None]
        suspended = [canonical(each) for each in agent.others if each.awaits is not None]
        agent.others = runnable + sorted(
            suspended, key=lambda each: (len(each.rows), str(each.rows[0].event))
        )

    def send(self, agent: Agent, deed: Send) -> None:
        content = lasting(deed.content)
        if self.options.store_sent:
            agent.outbox.add((deed.recipient, deed.performative, content))
        self.deliver(agent, show(deed.recipient), Message(deed.performative, content))
        agent.pop()
        agent.append(Event("sent"))
        self.action = (agent.name, Structure("send", (content, deed.recipient)))

    def deliver(self, sender: Agent, recipient: str, message: Message) -> None:
        self.changed = True
        for each in self.agents:
            if each.name == recipient:
                each.asleep = False
                if self.options.mailbox == "queue":
                    each.mail.append(message)
                else:
                    numbered = {"tell": "1", "perform": "2", "achieve": "3"}
                    waiting = {*each.mail, message._replace(sender=sender.name)}
                    each.mail = sorted(
                        waiting,
                        key=lambda one: [
                            one.sender,
                            numbered[one.performative],
                            show(one.content),
                            repr(one),
                        ],
                    )

    def act(self, agent: Agent, deed: Act) -> None:
        """An action that fails stays where it is, under a row for the problem with the goal, if it
        is a goal's."""
        assert agent.current is not None
        found = self.effect(agent, deed.action)
        if found is not None and deed.action.functor not in ("print", "skip"):  # point 8
            self.action = (agent.name, value_of(deed.action, found))
        top = agent.current.rows[0]
        if found is not None:
            agent.pop(found)
        elif is_goal(top.event):
            agent.current = with_problem(agent.current)
        else:
            agent.pop()

    def effect(self, agent: Agent, action: Structure) -> Substitution | None:
        """What the environment answers: bindings, or None if the action fails."""
        before = self.percepts_may_change()
        engine = next(
            (each.name for each in self.reference.programs if each.abstracts == agent.name), None
        )
        found: Substitution | None = {}
        match action:
            case Structure("print" | "skip"):
                return found
            case Structure("printstate" | "printagentstate"):
                pass
            case Structure("assert_shared", (literal,)):
                self.shared.add(literal)
                self.changed = True
            case Structure("remove_shared", (literal,)):
                self.shared = {each for each in self.shared if not alike(each, literal)}
                self.changed = True
            case Structure("perf" | "query", (Structure() as requested,)) if engine is not None:
                self.deliver(agent, engine, Message("perform", requested))
            case Structure("sum" | "minus" | "times" | "div" | "append" | "toString"):
                found = builtin(action)
                if found is None:
                    return None
            case _:
                ways = self.world.act(self.facts, action)
                if not ways:
                    return None
                self.facts, is_told = self.choose(ways)
                self.changed = self.changed or is_told  # point 28
        self.percepts_changed(before)
        if self.options.redraw in ("acted", "acted_and_asleep") and action.functor not in (
            "assert_shared",
            "remove_shared",
        ):
            for each in self.agents:
                if self.world.free.get(each.name):
                    self.draw(each)
                    each.asleep = False
        return found


def with_problem(intention: Intention) -> Intention:
    """A row for the problem with the goal of the top row, above it."""
    top = intention.rows[0]
    content = value_of(top.event.content, dict(top.bindings))
    return intention._replace(
        rows=(
            Row(top.event._replace(sign="-", content=content), NO_PLAN_YET, (), top.level),
            *intention.rows,
        )
    )


def percept_deed(sign: str, literal: Any) -> Deed:
    return AddBelief(literal, span=NOWHERE) if sign == "+" else RemoveBelief(literal, span=NOWHERE)


NOWHERE = Source("<nowhere>", "").span(0, 0)


def lasting(term: Term) -> Term:
    """With variables numbered as they occur: what does not belong to an intention any more."""
    return (
        canonical(Intention((Row(Event("start", "+", term), NO_PLAN_YET),))).rows[0].event.content
    )


def without_goal(intention: Intention, deed: DropGoal) -> Intention | None:
    """The intention without the goal's rows and the deed below them; None if it does not pursue the
    goal."""
    mine = [
        index
        for index, row in enumerate(intention.rows)
        if is_goal(row.event)
        and row.event.type == deed.goal.type
        and alike(value_of(row.event.content, dict(row.bindings)), deed.goal.atom)
    ]
    if not mine:
        return None
    rows = intention.rows[max(mine) + 2 :]
    return intention._replace(rows=rows, awaits=None) if rows else ended(intention)


def builtin(action: Structure) -> Substitution | None:
    """Arithmetic and string actions return their result through their last argument."""
    *given, result = action.arguments
    match action.functor, given:
        case "sum", [int() | Fraction() as left, int() | Fraction() as right]:
            return unified(result, number(left + right), {})
        case "minus", [int() | Fraction() as left, int() | Fraction() as right]:
            return unified(result, number(left - right), {})
        case "times", [int() | Fraction() as left, int() | Fraction() as right]:
            return unified(result, number(left * right), {})
        case "div", [int() | Fraction() as left, int() | Fraction() as right] if right:
            return unified(result, number(Fraction(left) / Fraction(right)), {})
        case "append", [left, right]:
            return unified(result, Text(text_of(left) + text_of(right)), {})
        case "toString", [term]:
            return unified(result, Text(text_of(term)), {})
    return None


def text_of(term: Term) -> str:
    return term.value if isinstance(term, Text) else show(term)


# --- the whole system -----------------------------------------------------------------------------


class Reference:
    """A system of agents in a world.  ``observed`` are the ``Does`` and ``Last`` atoms whose truth
    values belong to the state."""

    def __init__(
        self,
        programs: Sequence[AgentProgram],
        world: SmallWorld | None = None,
        options: Settings | None = None,
        observed: Sequence[Does] = (),
    ) -> None:
        self.programs = sorted(programs, key=lambda each: each.name)
        self.world, self.options = world or SmallWorld(), options or Settings()
        self.observed = tuple(
            each._replace(is_last=each.is_last or self.options.does == "last") for each in observed
        )

    @property
    def initial(self) -> State:
        owner = None if self.options.scheduler in ("action", "n_actions") else 0
        agents = tuple(map(self.initially, self.programs))
        return State(
            agents,
            self.world.initially,
            frozenset(),
            (owner, 0),
            tuple(False for _ in self.observed),
        )

    def initially(self, program: AgentProgram) -> AgentState:
        """Point 10: each initial goal is an intention of one row; without a goal the current
        intention is empty."""
        intentions = [
            Intention((Row(Event("start"), AddGoal(goal, span=span)),))
            for goal, span in program.goals
        ] or [EMPTY]
        first, *others = map(canonical, intentions)
        beliefs = tuple(
            sorted(
                ((lasting(each), False) for each, _ in program.beliefs),
                key=lambda each: (show(each[0]), repr(each[0])),
            )
        )
        drawn = (
            None if self.options.redraw in ("acted", "acted_and_asleep") else frozenset[Structure]()
        )
        has_engine = program.name in {each.abstracts for each in self.programs}
        outdated = not has_engine and bool(self.world.percepts(self.world.initially, program.name))
        return AgentState(
            beliefs, frozenset(), first, tuple(others), (), frozenset(), "E", False, outdated, drawn
        )

    def successors(self, state: State) -> list[State]:
        """One for every combination of choices; a run that has ended stutters."""
        if all(each.asleep for each in state.agents):
            return [state]
        found, scripts = [], [[0] * 0]
        while scripts:
            script = scripts.pop()
            call = Call(self, state, script)
            found.append(call.step())
            for position in range(len(script), len(call.taken)):
                scripts += [
                    [*call.taken[:position], other] for other in range(1, call.widths[position])
                ]
        return found

    def explore(self, at_most: int = 100_000) -> Graph:
        numbers = {self.initial: 0}
        states = [self.initial]
        successors: list[list[int]] = []
        while len(successors) < len(states):
            row = []
            for each in self.successors(states[len(successors)]):
                if each not in numbers:
                    numbers[each] = len(states)
                    states.append(each)
                    if len(states) > at_most:
                        raise TooManyStates
                row.append(numbers[each])
            successors.append(row)
        return Graph(states, successors)

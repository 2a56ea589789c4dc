"""Random systems of one to three Gwendolen or EASS agents: as trees for the reference interpreter
and as text for the reader.

Goals post only goals that stand behind them, so that most systems are finite; those that are not
are for the test to leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from tests.languages.gwendolen.reference import NOWHERE, SmallWorld
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
    Cycle,
    Deed,
    Derivable,
    DropGoal,
    Goal,
    GoalGuard,
    GoalType,
    Guard,
    Lock,
    Negated,
    Performative,
    Plan,
    ReasoningRule,
    RemoveBelief,
    RuleLiteral,
    Send,
    SentGuard,
    Sign,
    Trigger,
    Unlock,
    WaitFor,
)  # fmt: skip
from volition.languages.world.terms import Structure, Term, Text, Variable, constant, list_of, show

__all__ = ["SYSTEMS", "RandomSystem", "text_of", "write"]

SOURCE = Source("<random>", "")
X, Y, Z, V, W, ANYTHING = (Variable(each) for each in ("X", "Y", "Z", "V", "W", "_"))
P, Q, R, S, T, U, F, D, G, H = (constant(each) for each in "pqrstufdgh")
"""p, q, r are the agents' own, s and t are perceived, f is perceived freely, u is shared, d follows
from others; g and h are goals."""
PUSH, TURN, LOOK = (constant(each) for each in ("push", "turn", "look"))
TWO_ITEMS = list_of([1, 2])


def n(value: Term) -> Structure:
    return Structure("n", (value,))


def k(value: Term) -> Structure:
    return Structure("k", (value,))


def m(value: Term) -> Structure:
    return Structure("m", (value,))


def w(value: Term) -> Structure:
    return Structure("w", (value,))


def perf(action: Structure) -> Structure:
    return Structure("perf", (action,))


@dataclass(frozen=True)
class RandomSystem:
    programs: tuple[AgentProgram, ...]
    world: SmallWorld
    world_text: str
    options: Settings


@dataclass(frozen=True)
class Company:
    """Whom an agent has around it: names of others, and whether it or another one is an abstraction
    engine."""

    others: tuple[str, ...] = ()
    is_shared: bool = False


# --- agents ---------------------------------------------------------------------------------------

GOALS: tuple[tuple[Structure, GoalType], ...] = (
    (G, "achieve"),
    (H, "perform"),
    (P, "achieve"),
    (k(X), "perform"),
    (k(X), "achieve"),
    (m(X), "perform"),
)
"""A plan posts only goals that come later in this order."""
EVENTS_POST = 3
"""The first goal that the plans for belief events may post."""


def goal(position: int, value: Term) -> Goal:
    atom, kind = GOALS[position]
    if not atom.arguments:
        return Goal(atom, kind)
    return Goal(m(TWO_ITEMS) if atom.functor == "m" else k(value), kind)


def position_of(stated: Goal) -> int:
    assert isinstance(stated.atom, Structure)
    return [(atom.functor, kind) for atom, kind in GOALS].index((stated.atom.functor, stated.type))


@cache
def guards(is_bound: bool) -> st.SearchStrategy[tuple[Guard, ...]]:
    """Atoms of guards; where X is bound they may ask about it."""
    lists = [
        Structure("l", (list_of([Y], tail=Z),)),
        Structure("l", (TWO_ITEMS,)),
        Structure("member", (Y, TWO_ITEMS)),
    ]
    beliefs = [
        P,
        Q,
        R,
        S,
        T,
        U,
        F,
        D,
        n(1),
        n(-1),
        n(Y),
        n(ANYTHING),
        Structure("e", (Y,)),
        w(Text("one")),
        w(Y),
        *lists,
    ]
    atoms: list[BeliefGuard | GoalGuard | SentGuard | ComparisonGuard] = [
        BeliefGuard(each) for each in beliefs
    ]
    atoms += [GoalGuard(goal(each, ANYTHING)) for each in range(len(GOALS))]
    atoms += [
        SentGuard(constant("b"), None, "tell", Q),
        SentGuard(Y, None, "tell", n(Z)),
        SentGuard(ANYTHING, constant("a"), "perform", H),
    ]
    some = st.builds(
        lambda atom, positive: Guard(atom, positive, span=NOWHERE),
        st.sampled_from(atoms),
        st.booleans(),
    )
    more: list[BeliefGuard | ComparisonGuard] = []
    if is_bound:
        more = [
            BeliefGuard(n(X)),
            BeliefGuard(Structure("e", (X,))),
            ComparisonGuard("<", X, 2),
            ComparisonGuard("<", -1, X),
            ComparisonGuard("==", X, 1),
        ]
    known = [Guard(each, True, span=NOWHERE) for each in more]
    return st.lists(st.one_of(some, st.sampled_from(known)) if known else some, max_size=3).map(
        tuple
    )


@cache
def pieces(company: Company, first_goal: int, value: Term) -> st.SearchStrategy[tuple[Deed, ...]]:
    """Deeds of a body; ``value`` is a term that has a value."""
    some: list[Deed] = [
        AddBelief(each, span=NOWHERE) for each in (P, Q, R, n(value), n(2), n(-1), w(Text("one")))
    ]
    some += [RemoveBelief(each, span=NOWHERE) for each in (P, Q, R, S, n(Y), n(value), w(ANYTHING))]
    some += [Lock(span=NOWHERE), Unlock(span=NOWHERE)]
    some += [WaitFor(each, True, span=NOWHERE) for each in (P, S, T, D, n(Z))] + [
        WaitFor(each, False, span=NOWHERE) for each in (Q, F)
    ]
    some += [
        Act(each, span=NOWHERE)
        for each in (
            PUSH,
            TURN,
            PUSH,
            TURN,
            LOOK,
            constant("dance"),
            Structure("print", (Text("one"),)),
        )
    ]
    single: list[tuple[Deed, ...]] = [(each,) for each in some]
    single += [
        (AddGoal(goal(each, value), span=NOWHERE),) for each in range(first_goal, len(GOALS))
    ] * 3
    single += [
        (AddGoal(goal(each, Z), span=NOWHERE), AddBelief(n(Z), span=NOWHERE))
        for each in (3, 4)
        if each >= first_goal
    ]
    single += [(DropGoal(goal(each, value), span=NOWHERE),) for each in range(len(GOALS))]
    single += [(DropGoal(goal(4, ANYTHING), span=NOWHERE),)]
    results: list[tuple[str, tuple[Term, ...]]] = [
        ("sum", (value, 1, V)), ("minus", (1, 2, V)), ("times", (2, 2, V)), ("div", (1, 0, V)),
        ("append", (Text("on"), Text("e"), V)), ("toString", (value, V)),
    ]  # fmt: skip
    for functor, arguments in results:
        made = w(V) if functor in ("append", "toString") else n(V)
        single += [
            (Act(Structure(functor, arguments), span=NOWHERE), AddBelief(made, span=NOWHERE))
        ]
    contents: Sequence[tuple[Performative, Structure]] = (
        ("tell", Q),
        ("tell", n(value)),
        ("perform", H),
        ("perform", k(1)),
        ("achieve", P),
        ("achieve", k(value)),
    )
    single += [
        (Send(constant(each), how, what, span=NOWHERE),)
        for each in company.others
        for how, what in contents
    ] * 2
    waits = [(PUSH, S, False), (TURN, T, True), (LOOK, S, True), (TURN, F, True)]
    single += [
        (Act(act, span=NOWHERE), WaitFor(atom, positive, span=NOWHERE))
        for act, atom, positive in waits
    ] * 2
    if company.is_shared:
        share, unshare = (
            Act(Structure(each, (U,)), span=NOWHERE) for each in ("assert_shared", "remove_shared")
        )
        single += [(share,), (unshare,)] * 4 + [
            (Act(perf(each), span=NOWHERE),) for each in (PUSH, H)
        ] * 4
        single += [
            (Act(Structure("query", (U,)), span=NOWHERE), WaitFor(U, True, span=NOWHERE), unshare)
        ] * 4
    return st.sampled_from(single)


def _received(performative: Performative, content: Structure | Variable) -> Trigger:
    return Trigger("+", "received", content, None, performative, span=NOWHERE)


def _goal_trigger(sign: Sign, content: Structure | Variable, kind: GoalType) -> Trigger:
    return Trigger(sign, "goal", content, kind, span=NOWHERE)


TRIGGERS: Sequence[tuple[Trigger, Term, int]] = (
    [
        (Trigger(sign, "belief", each, span=NOWHERE), 1, EVENTS_POST)
        for sign in ("+", "-")
        for each in (P, Q, R, S, T, F, U)
    ]
    + [(Trigger(sign, "belief", n(X), span=NOWHERE), X, EVENTS_POST) for sign in ("+", "-")]
    + [
        (Trigger("+", "belief", Variable("B"), span=NOWHERE), 1, len(GOALS)),
        (Trigger("-", "belief", Variable("B"), span=NOWHERE), 1, 4),
    ]
    + [
        (_goal_trigger("+", atom, kind), X if atom.arguments else 1, each + 1)
        for each, (atom, kind) in enumerate(GOALS[:5])
    ]
    * 3
    + [
        (_goal_trigger("+", m(list_of([Y], tail=Z)), "perform"), 1, len(GOALS)),
        (_goal_trigger("+", m(list_of([])), "perform"), 1, 9),
    ]
    + [(_goal_trigger("-", atom, kind), 1, len(GOALS)) for atom, kind in GOALS]
    + [
        (_goal_trigger(sign, W, kind), 1, len(GOALS))
        for sign in ("+", "-")
        for kind in ("achieve", "perform")
    ]
    + [
        (_received("tell", Q), 1, 2),
        (_received("tell", n(X)), X, 2),
        (_received("perform", H), 1, 1),
        (_received("achieve", P), 1, 2),
    ]
    + [(_received("perform", Structure("push")), 1, 3), (_received("perform", U), 1, 3)]
)
"""A trigger, a value for the deeds of its plans, and the first goal that these may post."""
TAIL = AddGoal(Goal(m(Z), "perform"), span=NOWHERE)
"""Ends the plans for a list that is not empty."""


@cache
def plans(company: Company) -> st.SearchStrategy[Plan]:
    @st.composite
    def draw_plan(draw: st.DrawFn) -> Plan:
        trigger, value, first_goal = draw(st.sampled_from(TRIGGERS))
        guard = draw(guards(value == X))
        body = [
            deed
            for piece in draw(st.lists(pieces(company, first_goal, value), max_size=3))
            for deed in piece
        ]
        if trigger.content == m(list_of([Y], tail=Z)):
            body.append(TAIL)
        return Plan(0, trigger, guard, tuple(body), span=NOWHERE)

    return draw_plan()


def _guard(*atoms: tuple[bool, Structure]) -> tuple[Guard, ...]:
    return tuple(Guard(BeliefGuard(atom), positive, span=NOWHERE) for positive, atom in atoms)


LIKELY_GUARDS = st.sampled_from(
    [
        (),
        (),
        (),
        _guard((False, n(Y)), (True, w(Y))),
        _guard((False, Structure("e", (Y,))), (True, n(Y))),
        _guard((True, Structure("l", (Y,))), (True, Structure("member", (Z, Y))), (False, n(Z))),
        _guard((False, R), (False, n(Y)), (True, w(Y))),
    ]
)


@cache
def plans_for(company: Company, position: int, value: Term) -> st.SearchStrategy[Plan]:
    """A plan for a goal that the agent has from the beginning, without which little would
    happen."""
    atom, kind = GOALS[position]
    content = m(ANYTHING) if atom.functor == "m" else atom
    bodies = st.lists(pieces(company, position + 1, value), min_size=2, max_size=4)
    trigger = _goal_trigger("+", content, kind)
    return st.builds(
        lambda guard, body: Plan(
            0, trigger, guard, tuple(deed for piece in body for deed in piece), span=NOWHERE
        ),
        LIKELY_GUARDS,
        bodies,
    )


def handler(performative: Performative) -> Plan:
    """``+.received(:tell, B) : {True} <- +B`` and its like, which most public programs have."""
    said = Variable("M")
    deed: Deed = (
        AddBelief(said, span=NOWHERE)
        if performative == "tell"
        else AddGoal(Goal(said, performative), span=NOWHERE)
    )
    return Plan(0, _received(performative, said), (), (deed,), span=NOWHERE)


def _rule(head: Structure, *body: RuleLiteral) -> ReasoningRule:
    return ReasoningRule(head, body, span=NOWHERE)


def _e(value: Term) -> Structure:
    return Structure("e", (value,))


RULES = [
    _rule(D, Derivable(P), Negated((Derivable(Q),))),
    _rule(D, Negated((Derivable(R), Negated((Derivable(S),))))),
    _rule(D, Derivable(n(X)), Negated((Derivable(_e(X)), ComparisonGuard("==", X, 1)))),
    _rule(P, Derivable(n(2)), Derivable(S)),
    _rule(_e(X), Derivable(n(X)), ComparisonGuard("<", -1, X)),
    _rule(_e(X), Derivable(n(X)), Cut()),
    _rule(_e(X), Derivable(n(X)), Cut(), Derivable(Q)),
    _rule(_e(X), Derivable(Structure("l", (Y,))), Derivable(Structure("member", (X, Y)))),
    _rule(_e(3)),
    _rule(n(X), Derivable(w(X))),
]
BELIEFS = [P, Q, R, n(1), n(2), n(-1), w(Text("two")), Structure("l", (TWO_ITEMS,))]
START = [goal(each, 1) for each in range(len(GOALS))] + [
    goal(4, 2),
    Goal(k(Variable("K")), "achieve"),
    goal(0, 1),
    goal(1, 1),
]
HANDLERS = st.lists(
    st.sampled_from([handler("tell"), handler("perform"), handler("achieve")]),
    max_size=3,
    unique=True,
)
SOME_BELIEFS = st.lists(st.sampled_from(BELIEFS), max_size=3, unique=True)
SOME_GOALS: st.SearchStrategy[list[Goal]] = st.lists(
    st.sampled_from(START), min_size=1, max_size=2
) | st.just([])
SOME_RULES = st.lists(st.sampled_from(RULES), max_size=2, unique=True)
CYCLES: st.SearchStrategy[Cycle] = st.sampled_from(["gwendolen", "eass"])


@cache
def agents(name: str, company: Company) -> st.SearchStrategy[AgentProgram]:
    some_plans = st.lists(plans(company), min_size=1, max_size=5)

    @st.composite
    def draw_agent(draw: st.DrawFn) -> AgentProgram:
        start = draw(SOME_GOALS)
        own = draw(some_plans) + (draw(HANDLERS) if company.others else [])
        own += [
            draw(plans_for(company, each, X if GOALS[each][0].functor == "k" else 1))
            for each in map(position_of, start)
        ]
        return AgentProgram(
            name,
            "eass" if company.is_shared else draw(CYCLES),
            SOURCE,
            NOWHERE,
            abstracts=name.removeprefix(ENGINE) if name.startswith(ENGINE) else None,
            beliefs=tuple((each, NOWHERE) for each in draw(SOME_BELIEFS)),
            rules=tuple(draw(SOME_RULES)),
            goals=tuple((each, NOWHERE) for each in start),
            plans=tuple(
                Plan(number, each.trigger, each.guard, each.body, span=NOWHERE)
                for number, each in enumerate(own, 1)
            ),
        )

    return draw_agent()


# --- worlds ---------------------------------------------------------------------------------------

Facts = frozenset[Structure]
NOTHING: Facts = frozenset()
CHANGES = [
    (frozenset({T}), NOTHING),
    (NOTHING, NOTHING),
    (frozenset({S}), NOTHING),
    (NOTHING, frozenset({S})),
    (frozenset({T}), frozenset({S})),
]
"""What is added and what is removed."""
FREE = (F, constant("f2"))


@st.composite
def actions(draw: st.DrawFn) -> tuple[list[tuple[Facts, Facts, Facts]], str]:
    """What an action does, and the same as text after its name: for certain, by choice, by chance,
    or only where something is the case."""
    ways = draw(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=2, unique=True))
    needed = draw(st.sampled_from([NOTHING, NOTHING, NOTHING, frozenset({S}), frozenset({T})]))
    effects = [_effects(added, removed) for added, removed in ways]
    text = f"do {effects[0]}"
    if len(effects) > 1:
        either = f"do either {{ {effects[0]} }} or {{ {effects[1]} }}"
        text = draw(
            st.sampled_from([either, f"do chance 1/4 {{ {effects[0]} }} or 3/4 {{ {effects[1]} }}"])
        )
    when = "".join(f"when {each} " for each in needed)
    return [(needed, added, removed) for added, removed in ways], when + text


ACTIONS = st.tuples(actions(), actions(), actions())
INITIALLY = st.sets(st.sampled_from([S, T]))


@st.composite
def worlds(draw: st.DrawFn, names: list[str]) -> tuple[SmallWorld, str]:
    initially = frozenset(draw(INITIALLY))
    lines = [
        f"percept {each}{f' initially {each}' if each in initially else ''}" for each in (S, T)
    ]
    done = {}
    for name, (ways, text) in zip(("push", "turn", "look"), draw(ACTIONS), strict=True):
        done[name] = ways
        lines.append(f"action {name} {text}")
    free = {}
    if len(names) == 1 and draw(
        st.booleans()
    ):  # the description says nothing of free percepts among several agents
        free = {names[0]: FREE[: draw(st.integers(1, 2))]}
        lines += [f"free percept {each} seen by {names[0]}" for each in free[names[0]]]
    return SmallWorld(initially, done, free), "\n".join(lines) + "\n"


def _effects(added: Facts, removed: Facts) -> str:
    texts = [f"remove {each}" for each in removed] + [f"add {each}" for each in added]
    return "; ".join(texts) or "nothing"


ENGINE = "abstraction_"
NAMES = st.sampled_from(
    [["a"], ["a"], ["a"], ["a"], ["a", "b"], ["a", "b"], ["a", "b", "c"], ["a", "abstraction_a"]]
)


@st.composite
def systems(draw: st.DrawFn) -> RandomSystem:
    names = draw(NAMES)
    is_shared = any(each.startswith(ENGINE) for each in names)
    programs = tuple(
        draw(agents(each, Company(tuple(other for other in names if other != each), is_shared)))
        for each in names
    )
    world, text = draw(worlds(names))
    options = Settings(
        cycle=draw(st.sampled_from([None, None, "gwendolen", "eass"])),
        scheduler=draw(
            st.sampled_from(
                ["action", "round_robin", "n_actions"] + (["single"] if len(names) == 1 else [])
            )
        ),
        turns=draw(st.integers(1, 3)),
        redraw=draw(st.sampled_from(["handled", "handled", "noticed", "acted", "always"])),
        longest_queue=draw(st.integers(3, 6)),
        store_sent=draw(st.booleans()),
        does=draw(st.sampled_from(["step", "last"])),
        mailbox=draw(st.sampled_from(["queue", "set"])),
        goal_base=draw(st.sampled_from(["set", "postings"])),
    )
    return RandomSystem(programs, world, text, options)


SYSTEMS = systems()

# --- text -----------------------------------------------------------------------------------------


def text_of(program: AgentProgram) -> str:
    """The program as it is written in a file."""
    lines = ["EASS" if program.cycle == "eass" else "GWENDOLEN"]
    lines += [
        f":abstraction: {program.abstracts}" if program.abstracts else f":name: {program.name}"
    ]
    lines += [":Initial Beliefs:", *(show(each) for each, _ in program.beliefs)]
    lines += [":Reasoning Rules:", *map(_rule_text, program.rules)] if program.rules else []
    lines += [
        ":Initial Goals:",
        *(str(each) for each, _ in program.goals),
        ":Plans:",
        *map(_plan_text, program.plans),
    ]
    return "\n".join(lines) + "\n"


def _rule_text(rule: ReasoningRule) -> str:
    return (
        f"{show(rule.head)}{' :- ' if rule.body else ''}{', '.join(map(_literal_text, rule.body))};"
    )


def _literal_text(literal: RuleLiteral) -> str:
    match literal:
        case Derivable(atom):
            return show(atom)
        case Negated((Derivable(atom),)):
            return f"~{show(atom)}"
        case Negated(body):
            return f"~({', '.join(map(_literal_text, body))})"
        case ComparisonGuard(relation, left, right):
            return f"[{show(left)} {relation} {show(right)}]"
        case Cut():
            return "!"


def _guard_text(guard: Guard) -> str:
    sign = "" if guard.positive else "~"
    match guard.atom:
        case BeliefGuard(atom):
            return f"{sign}B {show(atom)}"
        case GoalGuard(pursued):
            return f"{sign}G {pursued}"
        case SentGuard(recipient, sender, performative, content):
            named = "" if sender is None else f"{show(sender)}, "
            return f"{sign}.sent({show(recipient)}, {named}:{performative}, {show(content)})"
        case ComparisonGuard(relation, left, right):
            return f"{show(left)} {relation} {show(right)}"


def _plan_text(plan: Plan) -> str:
    body = f" <- {', '.join(map(str, plan.body))}" if plan.body else ""
    return f"{plan.trigger} : {{{', '.join(map(_guard_text, plan.guard)) or 'True'}}}{body};"


def write(system: RandomSystem, folder: Path) -> Path:
    """The system as the files of a project."""
    lines = ["world = random.world"]
    for each in system.programs:
        file = f"{each.name}.{'eass' if each.cycle == 'eass' else 'gwen'}"
        (folder / file).write_text(text_of(each), encoding="utf-8")
        lines.append(f"agents = {file}")
    options = system.options
    lines += [f"cycle = {options.cycle}"] if options.cycle else []
    lines += [
        f"scheduler = {options.scheduler}",
        f"turns = {options.turns}",
        f"redraw = {options.redraw}",
        f"does = {options.does}",
    ]
    lines += [f"longest_queue = {options.longest_queue}"]
    lines += [f"store_sent = {'true' if options.store_sent else 'false'}"]
    lines += [f"mailbox = {options.mailbox}", f"goal_base = {options.goal_base}"]
    (folder / "random.world").write_text(system.world_text, encoding="utf-8")
    project = folder / "random.gwendolen"
    project.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return project

"""Random systems of one to three Gwendolen or EASS agents: as trees for the reference interpreter and as text for the reader.

Variables have values where they need them, and goals post only goals that stand behind them, so that most systems are finite; those
that are not are for the test to leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from tests.languages.gwendolen.reference import NOWHERE, SmallWorld
from volition.diagnostics import Source
from volition.languages.gwendolen.options import Options
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    AgentProgram,
    Believed,
    Compared,
    Cut,
    Cycle,
    Deed,
    Derivable,
    DropGoal,
    Goal,
    GoalType,
    Guard,
    Lock,
    Negated,
    Performative,
    Plan,
    Pursued,
    ReasoningRule,
    RemoveBelief,
    RuleLiteral,
    Send,
    Sent,
    Trigger,
    Unlock,
    WaitFor,
)  # fmt: skip
from volition.languages.world.terms import Structure, Term, Variable, constant, show

__all__ = ["SYSTEMS", "RandomSystem", "text_of", "write"]

SOURCE = Source("<random>", "")
X, Y = Variable("X"), Variable("Y")
P, Q, R, S, T, F = (constant(each) for each in "pqrstf")
"""p, q, r are the agents' own, s and t are perceived, f is perceived freely."""


def n(value: Term) -> Structure:
    return Structure("n", (value,))


def k(value: Term) -> Structure:
    return Structure("k", (value,))


@dataclass(frozen=True)
class RandomSystem:
    programs: tuple[AgentProgram, ...]
    world: SmallWorld
    world_text: str
    options: Options


# --- agents ----------------------------------------------------------------------------------------------------------

GOALS: tuple[tuple[Structure, GoalType], ...] = (
    (constant("g"), "achieve"), (constant("h"), "perform"), (P, "achieve"), (k(X), "perform"), (k(X), "achieve"),
)  # fmt: skip
"""A plan posts only goals that come later in this order, and those that it has believed before."""


def goal(position: int, value: Term) -> Goal:
    atom, kind = GOALS[position]
    return Goal(atom if not atom.arguments else k(value), kind)


def guards(bound: bool) -> st.SearchStrategy[tuple[Guard, ...]]:
    """Atoms of guards; where X is bound they may ask about it."""
    beliefs: list[Structure] = [P, Q, R, S, T, F, n(1), n(Y), constant("d"), Structure("e", (Y,))]
    atoms: list[Believed | Pursued | Sent | Compared] = [Believed(each) for each in beliefs]
    atoms += [Pursued(goal(each, Variable("_"))) for each in range(len(GOALS))] + [Sent(constant("b"), None, "tell", Q)]
    values = [n(X), Structure("e", (X,))] if bound else []
    some = st.builds(lambda atom, positive: Guard(atom, positive, span=NOWHERE), st.sampled_from(atoms), st.booleans())
    more = [Guard(Believed(each), True, span=NOWHERE) for each in values]
    more += [Guard(Compared("<", X, 2), True, span=NOWHERE), Guard(Compared("==", X, 1), True, span=NOWHERE)] if bound else []
    return st.lists(st.one_of(some, st.sampled_from(more)) if more else some, max_size=3).map(tuple)


def deeds(others: list[str], first_goal: int, value: Term) -> st.SearchStrategy[Deed]:
    own: list[Structure] = [P, Q, R, n(value), n(2)]
    simple: list[Deed] = [AddBelief(each, span=NOWHERE) for each in own]
    simple += [RemoveBelief(each, span=NOWHERE) for each in (P, Q, R, S, n(Y))]
    simple += [Lock(span=NOWHERE), Unlock(span=NOWHERE), WaitFor(P, True, span=NOWHERE), WaitFor(Q, False, span=NOWHERE)]
    simple += [WaitFor(each, True, span=NOWHERE) for each in (S, T, n(Variable("Z")))] + [WaitFor(F, False, span=NOWHERE)]
    simple += [Act(constant(each), span=NOWHERE) for each in ("push", "turn", "push", "turn", "look")]
    simple += [Act(Structure("sum", (1, 1, Variable("V"))), span=NOWHERE)]
    goals: list[Deed] = [AddGoal(goal(each, value), span=NOWHERE) for each in range(first_goal, len(GOALS))]
    drops: list[Deed] = [DropGoal(goal(each, value), span=NOWHERE) for each in range(len(GOALS))]
    contents: Sequence[tuple[Performative, Structure]] = (("tell", Q), ("tell", n(value)), ("perform", constant("h")), ("achieve", P))
    sends: list[Deed] = [Send(constant(each), how, what, span=NOWHERE) for each in others for how, what in contents]
    return st.sampled_from(simple + goals * 3 + drops + sends * 2)


TRIGGERS: Sequence[tuple[Trigger, Term, int]] = (
    [(Trigger(sign, "belief", each, span=NOWHERE), 1, len(GOALS) - 2) for sign in ("+", "-") for each in (P, Q, R, S, T, F)]
    + [(Trigger("+", "belief", n(X), span=NOWHERE), X, len(GOALS) - 2)]
    + [(Trigger("+", "goal", atom, kind, span=NOWHERE), X if atom.arguments else 1, each + 1) for each, (atom, kind) in enumerate(GOALS)]
    * 3
    + [(Trigger("-", "goal", atom, kind, span=NOWHERE), 1, len(GOALS)) for atom, kind in GOALS]
    + [(Trigger("+", "received", Q, None, "tell", span=NOWHERE), 1, 2), (Trigger("+", "received", n(X), None, "tell", span=NOWHERE), X, 2)]
    + [(Trigger("+", "received", constant("h"), None, "perform", span=NOWHERE), 1, 1)]
    + [(Trigger("+", "received", P, None, "achieve", span=NOWHERE), 1, 2)]
)
"""A trigger, a value for the deeds of its plans, and the first goal that these may post."""


@st.composite
def plans(draw: st.DrawFn, others: list[str]) -> Plan:
    trigger, value, first_goal = draw(st.sampled_from(TRIGGERS))
    guard = draw(guards(value == X))
    body = draw(st.lists(deeds(others, first_goal, value), max_size=3))
    return Plan(0, trigger, guard, tuple(body), span=NOWHERE)


def handler(kind: str) -> Plan:
    """``+.received(:tell, B) : {True} <- +B`` and its like, which most public programs have."""
    said = Variable("M")
    if kind == "tell":
        return Plan(0, Trigger("+", "received", said, None, "tell", span=NOWHERE), (), (AddBelief(said, span=NOWHERE),), span=NOWHERE)
    kind_of: GoalType = "achieve" if kind == "achieve" else "perform"
    trigger = Trigger("+", "received", said, None, kind_of, span=NOWHERE)
    return Plan(0, trigger, (), (AddGoal(Goal(said, kind_of), span=NOWHERE),), span=NOWHERE)


def _rule(head: Structure, *body: RuleLiteral) -> ReasoningRule:
    return ReasoningRule(head, body, span=NOWHERE)


RULES = [
    _rule(constant("d"), Derivable(P), Negated((Derivable(Q),))),
    _rule(constant("d"), Negated((Derivable(R), Negated((Derivable(S),))))),
    _rule(P, Derivable(n(2)), Derivable(S)),
    _rule(Structure("e", (X,)), Derivable(n(X)), Compared("<", 1, X)),
    _rule(Structure("e", (X,)), Derivable(n(X)), Cut()),
    _rule(Structure("e", (3,))),
]


@st.composite
def agents(draw: st.DrawFn, name: str, others: list[str]) -> AgentProgram:
    cycle: Cycle = draw(st.sampled_from(["gwendolen", "eass"]))
    beliefs = draw(st.lists(st.sampled_from([P, Q, R, n(1), n(2)]), max_size=2, unique=True))
    goals = draw(st.lists(st.sampled_from([goal(each, 1) for each in range(len(GOALS))]), max_size=2, unique=True))
    own = draw(st.lists(plans(others), min_size=1, max_size=6))
    own += (
        [handler(each) for each in draw(st.lists(st.sampled_from(["tell", "perform", "achieve"]), max_size=2, unique=True))]
        if others
        else []
    )
    return AgentProgram(
        name,
        cycle,
        SOURCE,
        NOWHERE,
        beliefs=tuple((each, NOWHERE) for each in beliefs),
        rules=tuple(draw(st.lists(st.sampled_from(RULES), max_size=2, unique=True))),
        goals=tuple((each, NOWHERE) for each in goals),
        plans=tuple(Plan(number, each.trigger, each.guard, each.body, span=NOWHERE) for number, each in enumerate(own, 1)),
    )


# --- worlds ----------------------------------------------------------------------------------------------------------

NOTHING: frozenset[Structure] = frozenset()
CHANGES = [(NOTHING, NOTHING), (frozenset({S}), NOTHING), (NOTHING, frozenset({S})), (frozenset({T}), frozenset({S}))]
"""What is added and what is removed."""


@st.composite
def worlds(draw: st.DrawFn, names: list[str]) -> tuple[SmallWorld, str]:
    initially = frozenset(draw(st.sets(st.sampled_from([S, T]))))
    lines = [f"percept {each}{f' initially {each}' if each in initially else ''}" for each in (S, T)]
    actions = {}
    for name in ("push", "turn", "look"):
        ways = draw(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=2, unique=True))
        actions[name] = [(NOTHING, added, removed) for added, removed in ways]
        effects = [_effects(added, removed) for added, removed in ways]
        lines.append(f"action {name} do {effects[0] if len(effects) == 1 else ' or '.join(f'{{ {each} }}' for each in effects)}")
        if len(effects) > 1:
            lines[-1] = lines[-1].replace(" do ", " do either ", 1)
    free = {}
    if len(names) == 1 and draw(st.booleans()):  # the description says nothing of free percepts among several agents
        free = {names[0]: (F,)}
        lines.append(f"free percept f seen by {names[0]}")
    return SmallWorld(initially, actions, free), "\n".join(lines) + "\n"


def _effects(added: frozenset[Structure], removed: frozenset[Structure]) -> str:
    told = [f"remove {each}" for each in removed] + [f"add {each}" for each in added]
    return "; ".join(told) or "nothing"


@st.composite
def systems(draw: st.DrawFn) -> RandomSystem:
    names = ["a", "b", "c"][: draw(st.sampled_from([1, 1, 1, 1, 2, 2, 3]))]
    programs = tuple(draw(agents(each, [other for other in names if other != each])) for each in names)
    world, text = draw(worlds(names))
    options = Options(
        cycle=draw(st.sampled_from([None, "gwendolen", "eass"])),
        scheduler=draw(st.sampled_from(["action", "round_robin", "n_actions"] + (["single"] if len(names) == 1 else []))),
        turns=draw(st.integers(1, 3)),
        redraw=draw(st.sampled_from(["handled", "noticed", "acted"])),
        store_sent=draw(st.booleans()),
        does=draw(st.sampled_from(["step", "last"])),
    )
    return RandomSystem(programs, world, text, options)


SYSTEMS = systems()

# --- text ------------------------------------------------------------------------------------------------------------


def text_of(program: AgentProgram) -> str:
    """The program as it is written in a file."""
    lines = ["EASS" if program.cycle == "eass" else "GWENDOLEN"]
    lines += [f":abstraction: {program.abstracts}" if program.abstracts else f":name: {program.name}"]
    lines += [":Initial Beliefs:", *(show(each) for each, _ in program.beliefs)]
    lines += [":Reasoning Rules:", *map(_rule_text, program.rules)] if program.rules else []
    lines += [":Initial Goals:", *(str(each) for each, _ in program.goals), ":Plans:", *map(_plan_text, program.plans)]
    return "\n".join(lines) + "\n"


def _rule_text(rule: ReasoningRule) -> str:
    return f"{show(rule.head)}{' :- ' if rule.body else ''}{', '.join(map(_literal_text, rule.body))};"


def _literal_text(literal: RuleLiteral) -> str:
    match literal:
        case Derivable(atom):
            return show(atom)
        case Negated((Derivable(atom),)):
            return f"~{show(atom)}"
        case Negated(body):
            return f"~({', '.join(map(_literal_text, body))})"
        case Compared(relation, left, right):
            return f"[{show(left)} {relation} {show(right)}]"
        case Cut():
            return "!"


def _guard_text(guard: Guard) -> str:
    sign = "" if guard.positive else "~"
    match guard.atom:
        case Believed(atom):
            return f"{sign}B {show(atom)}"
        case Pursued(pursued):
            return f"{sign}G {pursued}"
        case Sent(recipient, sender, performative, content):
            named = "" if sender is None else f"{show(sender)}, "
            return f"{sign}.sent({show(recipient)}, {named}:{performative}, {show(content)})"
        case Compared(relation, left, right):
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
    lines += [f"scheduler = {options.scheduler}", f"turns = {options.turns}", f"redraw = {options.redraw}", f"does = {options.does}"]
    lines += [f"store_sent = {'true' if options.store_sent else 'false'}"]
    (folder / "random.world").write_text(system.world_text, encoding="utf-8")
    project = folder / "random.gwendolen"
    project.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return project

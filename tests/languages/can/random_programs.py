"""Random CAN programs, as the reference interpreter takes them, and their text."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from tests.languages.can.reference import NIL, Program, Term

ATOMS = ["a", "b", "c"]
NUMBER = "x"
ACTIONS = ["act1", "act2", "act3"]
SUB_EVENTS = ["sub1", "sub2"]
PROBABILITIES = [Fraction(1, 2), Fraction(3, 10), Fraction(99, 100)]

conditions: st.SearchStrategy[Term] = st.recursive(
    st.one_of(
        st.just(("true",)),
        st.sampled_from(ATOMS).map(lambda name: ("atom", name)),
        st.sampled_from(ATOMS).map(lambda name: ("not", ("atom", name))),
        st.integers(1, 6).map(lambda bound: ("at least", NUMBER, bound)),
    ),
    lambda inner: st.one_of(
        st.tuples(st.just("and"), inner, inner),
        st.tuples(st.just("or"), inner, inner),
        st.tuples(st.just("not"), inner),
    ),
    max_leaves=3,
)


contexts = st.one_of(st.just(("true",)), conditions)
wishes = st.one_of(st.sampled_from(ATOMS).map(lambda name: ("atom", name)), conditions)
fears = st.one_of(st.just(("false",)), st.just(("false",)), conditions)


def bodies(events: list[str]) -> st.SearchStrategy[Term]:
    """Bodies that raise none but the given events."""
    steps: list[st.SearchStrategy[Term]] = [
        st.sampled_from(ACTIONS).map(lambda name: ("act", name)),
        st.sampled_from(ACTIONS).map(lambda name: ("act", name)),
        st.tuples(st.sampled_from(["add", "del"]), st.sampled_from(ATOMS)),
        st.integers(0, 6).map(lambda value: ("set", NUMBER, value)),
        conditions.map(lambda condition: ("test", condition)),
    ]
    if events:
        steps += [st.sampled_from(events).map(lambda name: ("event", name))] * 2
    return st.recursive(
        st.one_of(*steps),
        lambda inner: st.one_of(
            st.tuples(st.just("seq"), inner, inner),
            st.tuples(st.just("par"), inner, inner),
            st.tuples(st.just("try"), inner, inner),
            st.tuples(st.just("goal"), wishes, inner, fears),
        ),
        max_leaves=4,
    )


# Made once: strategies that are made anew for every program are what takes most of the time.
BODIES = {"main": bodies(SUB_EVENTS), "sub1": bodies(["sub2"]), "sub2": bodies([])}
changes: st.SearchStrategy[Term] = st.one_of(
    st.tuples(st.sampled_from(["add", "del"]), st.sampled_from(ATOMS)),
    st.just(("tick", NUMBER)),
)
outcomes = st.tuples(
    st.lists(st.sampled_from(ATOMS), max_size=2, unique=True),
    st.lists(st.sampled_from(ATOMS), max_size=2, unique=True),
)


@st.composite
def actions(draw: st.DrawFn) -> tuple[Term, list[tuple[Fraction, list[str], list[str]]]]:
    precondition = draw(contexts)
    deleted, added = draw(outcomes)
    if draw(st.booleans()):
        return precondition, [(Fraction(1), deleted, added)]
    p = draw(st.sampled_from(PROBABILITIES))
    others = draw(outcomes)
    return precondition, [(p, deleted, added), (1 - p, *others)]


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Programs without recursion, so that their intentions do not grow without end."""
    names = draw(st.lists(st.sampled_from(["main1", "main2"]), min_size=1, max_size=2))
    plans: list[tuple[str, Term, Term]] = []
    for event in [*sorted(set(names)), "sub1", "sub2"]:
        for _ in range(draw(st.integers(1, 2))):
            body = NIL if draw(st.integers(0, 9)) == 9 else draw(BODIES.get(event, BODIES["main"]))
            plans.append((event, draw(contexts), body))
    return Program(
        beliefs=frozenset(draw(st.sets(st.sampled_from(ATOMS), max_size=2)))
        | {(NUMBER, draw(st.integers(0, 9)))},
        events=names,
        plans=draw(st.permutations(plans)),
        actions={name: draw(actions()) for name in ACTIONS},
        background=draw(st.lists(st.tuples(contexts, changes), max_size=3)),
        update=draw(st.sampled_from(["any", "any", "finished", "stuck"])),
    )


# --- text -----------------------------------------------------------------------------------------


def condition_text(condition: Term) -> str:
    match condition:
        case ("true",) | ("false",):
            return str(condition[0])
        case ("atom", name):
            return str(name)
        case ("not", inner):
            return f"!({condition_text(inner)})"
        case ("and" | "or" as operator, left, right):
            return (
                f"({condition_text(left)}) {'&' if operator == 'and' else '|'} "
                f"({condition_text(right)})"
            )
        case (_, name, bound):
            return f"{name} >= {bound}"
    raise AssertionError(condition)


def body_text(body: Term) -> str:
    match body:
        case ("act" | "event", name):
            return str(name)
        case ("add", name):
            return f"+{name}"
        case ("del", name):
            return f"-{name}"
        case ("set", name, value):
            return f"{name} := {value}"
        case ("test", condition):
            return f"?{condition_text(condition)}"
        case ("goal", success, inner, failure):
            return f"goal({condition_text(success)}, {body_text(inner)}, {condition_text(failure)})"
        case (operator, left, right):
            sign = {"seq": ";", "par": "||", "try": "|>"}[operator]
            return f"({body_text(left)}) {sign} ({body_text(right)})"
    return ""


def change_text(change: Term) -> str:
    kind, name = change
    return (
        f"{name} := max({name} - 1, 0)"
        if kind == "tick"
        else f"{'+' if kind == 'add' else '-'}{name}"
    )


def program_text(program: Program) -> str:
    lines = ["// Initial belief bases"]
    lines.append(
        ", ".join(
            each if isinstance(each, str) else f"{each[0]} = {each[1]}"
            for each in sorted(program.beliefs, key=str)
        )
    )
    lines += ["// External events", ", ".join(program.events), "// Plan library"]
    lines += [
        f"{event} : {condition_text(context)} <- {body_text(body)}."
        for event, context, body in program.plans
    ]
    lines.append("// Actions description")
    for name, (precondition, effects) in program.actions.items():
        texts = [
            f"{p.numerator}/{p.denominator}: <{{{', '.join(deleted)}}},{{{', '.join(added)}}}>"
            for p, deleted, added in effects
        ]
        lines.append(f"{name} : {condition_text(precondition)} <- {' + '.join(texts)}")
    lines.append("// Background")
    lines += [
        f"{condition_text(condition)} <- {change_text(change)}."
        for condition, change in program.background
    ]
    lines += ["// Policies", f"update : {program.update}."]
    return "\n".join(lines)

"""CAN, once more, in the simplest way: the rules of Figs. 1, 2 and 7 of Archibald et al. on plain
tuples and sets.

Written from the paper alone, as an oracle for the real thing: it shares no code with
``volition.languages.can`` and does not use the kernel.  Programs are tuples whose first entry says
what they are:

    ("nil",) ("act", a) ("add", b) ("del", b) ("set", x, n) ("test", φ) ("event", e) ("options", e,
    plans) ("seq", P, Q) ("try", P, Q) ("par", P, Q) ("goal", φs, P, φf)

Conditions are ("true",) ("false",) ("atom", b) ("not", φ) ("and", φ, ψ) ("or", φ, ψ) ("at least",
x, n).  A belief base is a frozenset of atoms and of pairs (x, n).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Term = tuple[Any, ...]
Beliefs = frozenset[Any]
State = tuple[Beliefs, tuple[Any, ...]]
Move = tuple[tuple[str, ...], list[tuple[Fraction, State]]]

NIL: Term = ("nil",)
WAITING, GONE = "waiting", "gone"


class TooLarge(Exception):
    """There are more states than the caller wants to see."""


@dataclass
class Program:
    """Plans are (event, context, body) and have the numbers 1, 2, ...; an action has a precondition
    and (p, deleted, added) outcomes.

    Background changes are (condition, change), where a change is ("add", b), ("del", b) or ("tick",
    x): one less, down to 0.
    """

    beliefs: Beliefs
    events: list[str]
    plans: list[tuple[str, Term, Term]]
    actions: dict[str, tuple[Term, list[tuple[Fraction, list[str], list[str]]]]]
    background: list[tuple[Term, Term]] = field(default_factory=list)
    update: str = "any"


def entails(beliefs: Beliefs, condition: Term) -> bool:
    kind = condition[0]
    if kind in ("true", "false"):
        return bool(kind == "true")
    if kind == "atom":
        return condition[1] in beliefs
    if kind == "not":
        return not entails(beliefs, condition[1])
    if kind == "and":
        return entails(beliefs, condition[1]) and entails(beliefs, condition[2])
    if kind == "or":
        return entails(beliefs, condition[1]) or entails(beliefs, condition[2])
    assert kind == "at least"
    return number(beliefs, condition[1]) >= int(condition[2])


def number(beliefs: Beliefs, name: str) -> int:
    (found,) = (pair[1] for pair in beliefs if isinstance(pair, tuple) and pair[0] == name)
    return int(found)


def assign(beliefs: Beliefs, name: str, value: int) -> Beliefs:
    return frozenset(
        each for each in beliefs if not (isinstance(each, tuple) and each[0] == name)
    ) | {(name, value)}


# --- intention level: every ⟨B, P⟩ →p ⟨B', P'⟩, grouped by the rules that derive it ---------------

IntentionStep = tuple[tuple[str, ...], list[tuple[Fraction, Beliefs, Term]]]


def steps(program: Program, beliefs: Beliefs, term: Term) -> list[IntentionStep]:
    return list(derive(program, beliefs, term))


def derive(program: Program, beliefs: Beliefs, term: Term) -> Iterator[IntentionStep]:
    kind = term[0]
    if kind == "act":
        precondition, outcomes = program.actions[term[1]]
        if entails(beliefs, precondition):
            yield (
                ("act_p",),
                [(p, (beliefs - set(deleted)) | set(added), NIL) for p, deleted, added in outcomes],
            )
    elif kind == "add":
        yield ("+b",), [(Fraction(1), beliefs | {term[1]}, NIL)]
    elif kind == "del":
        yield ("-b",), [(Fraction(1), beliefs - {term[1]}, NIL)]
    elif kind == "set":
        yield (":=",), [(Fraction(1), assign(beliefs, term[1], term[2]), NIL)]
    elif kind == "test":
        if entails(beliefs, term[1]):
            yield ("?",), [(Fraction(1), beliefs, NIL)]
    elif kind == "event":
        relevant = tuple(n for n, plan in enumerate(program.plans, start=1) if plan[0] == term[1])
        yield ("event",), [(Fraction(1), beliefs, ("options", term[1], relevant))]
    elif kind == "options":
        for n in term[2]:
            _, context, body = program.plans[n - 1]
            if entails(beliefs, context):
                others = tuple(m for m in term[2] if m != n)
                yield (
                    (f"select({n})",),
                    [(Fraction(1), beliefs, ("try", body, ("options", term[1], others)))],
                )
    elif kind == "try":
        _, first, second = term
        inner = steps(program, beliefs, first)
        yield from within("▷;", inner, lambda left: ("try", left, second))
        if first == NIL:
            yield ("▷⊤",), [(Fraction(1), beliefs, NIL)]
        if first != NIL and not inner:
            yield from within("▷⊥", steps(program, beliefs, second), lambda left: left)
    elif kind == "seq":
        _, first, second = term
        if first == NIL:
            yield from within(";⊤", steps(program, beliefs, second), lambda left: left)
        yield from within(";", steps(program, beliefs, first), lambda left: ("seq", left, second))
    elif kind == "par":
        _, first, second = term
        yield from within("∥1", steps(program, beliefs, first), lambda left: ("par", left, second))
        yield from within("∥2", steps(program, beliefs, second), lambda left: ("par", first, left))
        if first == NIL and second == NIL:
            yield ("∥⊤",), [(Fraction(1), beliefs, NIL)]
    elif kind == "goal":
        yield from derive_goal(program, beliefs, term)


def derive_goal(program: Program, beliefs: Beliefs, term: Term) -> Iterator[IntentionStep]:
    _, success, body, failure = term
    achieved, given_up = entails(beliefs, success), entails(beliefs, failure)
    if achieved:
        yield ("G_s",), [(Fraction(1), beliefs, NIL)]
    if given_up:
        yield ("G_f",), [(Fraction(1), beliefs, ("test", ("false",)))]
    if achieved or given_up:
        return
    if body[0] != "try":
        yield ("G_init",), [(Fraction(1), beliefs, ("goal", success, ("try", body, body), failure))]
        return
    _, first, second = body
    inner = steps(program, beliefs, first)
    yield from within("G;", inner, lambda left: ("goal", success, ("try", left, second), failure))
    if not inner:
        yield ("G▷",), [(Fraction(1), beliefs, ("goal", success, ("try", second, second), failure))]


def within(rule: str, inner: list[IntentionStep], context: Any) -> Iterator[IntentionStep]:
    for rules, outcomes in inner:
        yield (rule, *rules), [(p, after, context(left)) for p, after, left in outcomes]


# --- agent level: every ⟨E, B, Γ⟩ ⇒p ⟨E', B', Γ'⟩ -------------------------------------------------


def moves(program: Program, state: State) -> Iterator[Move]:
    beliefs, intentions = state
    for i, held in enumerate(intentions):
        n = i + 1

        def put(term: Any, i: int = i) -> tuple[Any, ...]:
            return (*intentions[:i], term, *intentions[i + 1 :])

        if held == WAITING:
            yield (
                (f"A_event({n})",),
                [(Fraction(1), (change(program, beliefs), put(("event", program.events[i]))))],
            )
        elif held != GONE:
            possible = steps(program, beliefs, held)
            for rules, outcomes in possible:
                yield (
                    (f"A_step({n})", *rules),
                    [(p, (change(program, after), put(left))) for p, after, left in outcomes],
                )
            if not possible and may_update(program, state, i):
                yield (f"A_update({n})",), [(Fraction(1), (beliefs, put(GONE)))]


def may_update(program: Program, state: State, i: int) -> bool:
    beliefs, intentions = state
    if intentions[i] == NIL or program.update == "any":
        return True
    others = [held for j, held in enumerate(intentions) if j != i and held != GONE]
    can_move = any(held in (WAITING, NIL) or steps(program, beliefs, held) for held in others)
    return program.update == "stuck" and not can_move


def change(program: Program, beliefs: Beliefs) -> Beliefs:
    """Background change, after A_event and A_step."""
    for condition, (what, name) in program.background:
        if entails(beliefs, condition):
            if what == "add":
                beliefs = beliefs | {name}
            elif what == "del":
                beliefs = beliefs - {name}
            else:
                beliefs = assign(beliefs, name, max(number(beliefs, name) - 1, 0))
    return beliefs


Distribution = dict[State, Fraction]


def explore(
    program: Program, maximum: int
) -> dict[State, list[tuple[tuple[str, ...], Distribution]]]:
    """Every reachable state with its choices: the rules of each, and its distribution."""
    initial: State = (program.beliefs, (WAITING,) * len(program.events))
    found: dict[State, list[tuple[tuple[str, ...], Distribution]]] = {initial: []}
    waiting = [initial]
    while waiting:
        state = waiting.pop()
        for rules, outcomes in moves(program, state):
            distribution: Distribution = {}
            for p, successor in outcomes:
                distribution[successor] = distribution.get(successor, Fraction(0)) + p
                if successor not in found:
                    found[successor] = []
                    waiting.append(successor)
            found[state].append((rules, distribution))
        if len(found) > maximum:
            raise TooLarge
    return found

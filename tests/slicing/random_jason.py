"""Random Jason systems of which something can be left out: plans that nothing triggers, and facts
that nobody perceives.

There are rules, waits, atomic plans, dropped goals, messages, several agents, variables that stand
for goals and beliefs, meta events, and beliefs that nobody changes.  Some agents are the wild ones
of :mod:`tests.languages.jason.random_programs`.
"""

from __future__ import annotations

from random import Random

from tests.languages.jason.random_programs import random_system
from tests.slicing.random_program import RandomProgram

__all__ = ["jason_system", "wild_jason_system"]

_STEPS = (
    "+p(1)",
    "-p(1)",
    "+p(2)",
    "-p(_)",
    "-+p(2)",
    "+q",
    "-q",
    "+q[k]",
    "++q",
    "!h",
    "!!h",
    "!k(1)",
    "!k(2)",
    "?p(X); +seen(X)",
    "?t(X)",
    ".fail",
    "press",
    "press",
    "put(1)",
    "put(2)",
    "take(1)",
    ".wait(10)",
    ".wait(q, 20)",
    ".wait({+q}, 10)",
    ".drop_desire(h)",
    ".drop_intention(g)",
    ".succeed_goal(h)",
    ".fail_goal(k(_))",
    ".suspend(h)",
    ".resume(h)",
    ".abolish(p(1))",
    ".abolish(seen(_))",
    "if (r(1)) { +q } else { -q }",
    "for (p(X)) { -p(X) }",
    "+p(1) |&| !h",
    "X = h; !!X",
    "X = p(2); +X",
    "X = press; X",
    '.at("now", {+!k(1)})',
)
_MESSAGES = (
    "tell, q",
    "tell, p(2)",
    "untell, q",
    "achieve, h",
    "achieve, k(2)",
    "tell, [q, p(1)]",
    "signal, seen(1)",
    "unachieve, h",
    "askOne, t(_)",
    "askOne, p(_), p(X)",
    "askOne, p(2), A",
    "askAll, p(_)",
)
_TRIGGERS = (
    "+!g",
    "+!h",
    "+!h",
    "-!h",
    "-!g",
    "+!k(X)",
    "+!k(2)",
    "-!k(1)",
    "+p(X)",
    "+p(2)",
    "+p(3)",
    "-p(1)",
    "-p(3)",
    "+q",
    "-q",
    "+q[source(A)]",
    "+light",
    "-light",
    "+on(X)",
    "+on(3)",
    "-on(_)",
    "+~on(1)",
    "^!h[state(S)]",
    "^!dead[state(S)]",
    "+?t(1)",
    "+seen(X)",
    "-seen(_)",
    "+!dead",
    "-!dead",
    "+dead",
    "+?dead",
    "+!kqml_received(S, tell, q, _)",
)
_CONTEXTS = (
    "true",
    "true",
    "true",
    "p(1)",
    "not p(_)",
    "q",
    "r(X)",
    "not r(_)",
    "on(X) & not light",
    "~on(1)",
    ".desire(h)",
    "q[source(self)]",
)
_FACTS = (
    "p(1).",
    "p(2).",
    "p(3).",
    "q.",
    "still(1).",
    "~on(3).",
    "r(X) :- p(X) & not q.",
    "r(1) :- on(X) & light.",
    "r(3) :- still(_).",
)
_ATOMS = (
    "Bel({0}, p(1))",
    "Bel({0}, p(3))",
    "Bel({0}, q)",
    "Bel({0}, q[source(self)])",
    "Bel({0}, r(_))",
    "Bel({0}, r(3))",
    "Bel({0}, still(1))",
    "Bel({0}, on(1))",
    "Bel({0}, on(3))",
    "Bel({0}, ~on(3))",
    "Bel({0}, p(2) & not q)",
    "Int({0}, h)",
    "Des({0}, g)",
    "Des({0}, k(2))",
    "Does({0}, press)",
    "Does({0}, put(2))",
)
_WORLD = """percept light
percept on(X){initially}
percept ~on(X)
fact used(X)
fact pressed initially pressed
variable count = 0
action press when not light do add light; add used(1); count := min(count + 1, 2)
action press when light do {press}; remove pressed
action put(X) when not on(X) do add on(X); remove ~on(X); add used(X)
action put(_) otherwise do fail
action take(X) do remove on(X); remove used(_); {take}
"""
_TO_ASK_ABOUT = (
    "+!never <- +p(1); +q; !h; !g; !k(1); +seen(1); ?t(1); +still(2); -still(3); press; put(1)."
)


def jason_system(random: Random) -> RandomProgram:
    """One or two agents, the second of which often minds its own business."""
    names = "ab"[: random.choice([1, 2, 2])]
    files = {f"{name}.asl": _agent(random, name, names) for name in names}
    press = random.choice(
        [
            "remove light",
            "either { remove light } or { nothing }",
            "chance 1/4 { remove light } or 3/4 { fail }",
        ]
    )
    take = random.choice(["nothing", "if used(1) { remove on(2) }", "if count > 0 { count := 0 }"])
    world = _WORLD.format(
        initially=random.choice(["", " initially on(1)", " initially on(1), on(3)"]),
        press=press,
        take=take,
    )
    world += random.choice(
        [
            "",
            "",
            "",
            "step dawn when not light and count < 2 do add light\n",
            "free percept noise\n",
        ]
    )
    options = [
        "world = test.world",
        f"cycle = {random.choice(['exact', 'exact', 'parts', 'whole'])}",
    ]
    options += [
        f"time = {random.choice(['free', 'ordered'])}",
        f"results = {random.choice(['late', 'after perception'])}",
    ]
    options += [f"M_{each} = 6" for each in ("Bel", "Ev", "Int", "Act", "Msg")]
    files |= {
        "test.mas2j": f"MAS test {{ agents: {' '.join(f'{each};' for each in names)} }}",
        "test.world": world,
    }
    files |= {"test.volition": "\n".join(options) + "\n"}
    return RandomProgram(
        files,
        [
            *(each.format(name) for name in names for each in _ATOMS),
            "light",
            "used(1)",
            "pressed",
            "count > 0",
        ],
    )


def _agent(random: Random, own: str, names: str) -> str:
    talks = random.choice([0.0, 0.2, 0.4]) if len(names) > 1 else 0.0
    facts = [each for each in _FACTS if random.random() < 0.25]
    goals = [f"!{each}." for each in random.choice([["g"], ["g"], ["h"], [], ["g", "h"]])]
    triggers = ["+!g", *random.sample(_TRIGGERS, random.randint(2, 7))]
    mentions = [_TO_ASK_ABOUT] * random.randint(
        0, 1
    )  # else the names in formulas are those that the agents happen to mention
    return "\n".join(
        [
            *facts,
            *goals,
            *(_plan(random, trigger, own, names, talks) for trigger in triggers),
            *mentions,
        ]
    )


def _plan(random: Random, trigger: str, own: str, names: str, talks: float) -> str:
    steps = [_step(random, own, names, talks) for _ in range(random.choice([1, 1, 2, 2, 3]))]
    # A goal that is wanted again by its own plans mostly goes on for ever.
    steps = [each for each in steps if each.strip("!") != trigger.strip("+-!")] or ["true"]
    label = "@[atomic] " if random.random() < 0.1 else ""
    return f"{label}{trigger} : {random.choice(_CONTEXTS)} <- {'; '.join(steps)}."


def _step(random: Random, own: str, names: str, talks: float) -> str:
    if random.random() < talks:
        return (
            f".send({random.choice([each for each in names if each != own])}, "
            f"{random.choice(_MESSAGES)})"
        )
    return random.choice(_STEPS)


# --- wild ones ------------------------------------------------------------------------------------

_DEAD = (
    "+!dead(X) <- +buried(X); !dead(X + 1). +buried(X) <- +p(X); +q(X); +r; +s(X). -!dead(_) "
    "<- !h; !g(1)."
)
_ABOUT_WILD = (
    "Bel({0}, p(1))",
    "Bel({0}, q(2))",
    "Bel({0}, r)",
    "Bel({0}, s(_))",
    "Int({0}, h)",
    "Des({0}, g(_))",
    "Des({0}, dead(1))",
)


def wild_jason_system(random: Random) -> RandomProgram:
    """One of the systems by which the semantics is compared with its reference, with plans that
    nothing triggers."""
    system = random_system(random.randrange(2**32))
    files = {f"{name}.asl": f"{text}\n{_DEAD}\n" for name, text in system.agents.items()}
    files |= {
        "test.mas2j": f"MAS test {{ agents: {' '.join(f'{each};' for each in system.agents)} }}"
    }
    files |= {} if system.world is None else {"test.world": system.world}
    world = "" if system.world is None else "world = test.world\n"
    files |= {
        "test.volition": (
            f"{world}cycle = {random.choice(['exact', 'parts'])}\ntime = {system.time}\n"
        )
    }
    return RandomProgram(
        files, [each.format(name) for name in system.agents for each in _ABOUT_WILD]
    )

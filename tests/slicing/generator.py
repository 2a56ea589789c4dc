"""Random programs to slice: waits, locks, drops, tests of goals, rules, variables, both cycles,
several kinds of world.

There are beliefs that are shared, actions that give a value to a variable or fail, and goals with
several plans whose triggers unify.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import volition
from volition.languages.gwendolen.program import GwendolenProgram

BELIEFS = ("a", "b", "c", "n(1)", "n(2)")
PERCEPTS = ("p", "q")
ACTIONS = ("x", "y")
GOALS = ("g [achieve]", "h [perform]", "k [perform]", "s [perform]", "c [achieve]")
TERMS = ("t(1) [perform]", "t(2) [perform]")
"""Goals that are triggers of some plans, and instances of the triggers of others."""
ANY_TERM = "t(_) [perform]"

ATOMS = [
    *(f"Bel(ag, {each})" for each in ("a", "b", "c", "n(1)", "n(2)", "p", "q", "r")),
    "Does(ag, x)", "Does(ag, y)", "Des(ag, h)", "Des(ag, g)", "Int(ag, k)", "ItD(ag, y)",
]  # fmt: skip


@dataclass(frozen=True)
class RandomProgram:
    """A program as text, with its world and the way in which it is run."""

    text: str
    world: str
    settings: dict[str, str] = field(default_factory=dict)
    atoms: Sequence[str] = tuple(ATOMS)

    def load(self, folder: Path) -> GwendolenProgram:
        file = folder / "random.gwen"
        file.write_text(self.text)
        if self.world:
            file.with_suffix(".world").write_text(self.world)
        else:
            file.with_suffix(".world").unlink(missing_ok=True)
        program = volition.load(file, self.settings)
        assert isinstance(program, GwendolenProgram)
        return program


def random_program(random: Random) -> RandomProgram:
    """One of them; small, so that most of what it does can be explored."""
    goals = random.sample((*GOALS, TERMS[0]), random.choice([1, 1, 2, 2, 3]))
    rules = (
        ["r :- a, ~b;"] * random.randint(0, 1)
        + ["r :- p;"] * random.randint(0, 1)
        + ["c :- n(2);"] * (random.random() < 0.2)
    )
    plans = [_plan(random) for _ in range(random.randint(2, 8))]
    plans += [f"+!{goal} : {{True}} <- {_deed(random)};" for goal in goals if random.random() < 0.7]
    head = random.choice(["GWENDOLEN", "EASS"])
    text = f"{head}\n:name: ag\n:Initial Beliefs:\n" + " ".join(
        random.sample(BELIEFS, random.randint(0, 2))
    )
    text += (
        "\n:Reasoning Rules:\n"
        + "\n".join(rules)
        + "\n:Initial Goals:\n"
        + ", ".join(goals)
        + "\n:Plans:\n"
        + "\n".join(plans)
        + "\n"
    )
    world, redraw = _world(random)
    return RandomProgram(
        text, world, {"cycle": random.choice(["gwendolen", "eass"]), "redraw": redraw}
    )


def _plan(random: Random) -> str:
    kind = random.random()
    if kind < 0.35:
        trigger = f"+!{random.choice(GOALS)}"
    elif kind < 0.45:
        trigger = f"+!{random.choice((*TERMS, 't(X) [perform]'))}"
    elif kind < 0.55:
        trigger = "+n(X)"
    else:
        trigger = random.choice("+-") + random.choice((*BELIEFS[:3], *PERCEPTS, *PERCEPTS))
    variable = "X" if "(X)" in trigger else None
    guard = ", ".join(_guard(random) for _ in range(random.choice([0, 1, 1, 2]))) or "True"
    deeds = [_deed(random, variable) for _ in range(random.choice([0, 1, 1, 2, 2, 3, 4]))]
    return f"{trigger} : {{{guard}}}{' <- ' if deeds else ''}{', '.join(deeds)};"


def _guard(random: Random) -> str:
    sign = random.choice(["", "~"])
    return sign + random.choice(
        [f"B {random.choice((*BELIEFS, *PERCEPTS, 'r', 'n(_)'))}"] * 4
        + [f"G {random.choice(GOALS)}"]
    )


def _deed(random: Random, variable: str | None = None) -> str:
    belief = random.choice(BELIEFS if variable is None else (*BELIEFS[:3], f"n({variable})"))
    return random.choice(
        [f"+{belief}"] * 4
        + [f"-{belief}"] * 3
        + [random.choice(ACTIONS)] * 4
        + ["-n(Y), +n(Y)", "x, +.lock, y, -.lock"]
        + [f"+!{random.choice(GOALS)}"] * 3
        + [f"-!{random.choice(GOALS)}"]
        + [f"+!{random.choice((*TERMS, ANY_TERM))}"]
        + [f"{random.choice(['assert', 'remove'])}_shared({random.choice(BELIEFS[:4])})"]
        + [
            random.choice(
                [
                    "minus(2,1,V), +n(V)",
                    "minus(3,1,V), x, -n(V)",
                    "*n(V), +n(V)",
                    "+!t(V) [perform], +n(V)",
                    "sum(a,1,_)",
                ]
            )
        ]
        + [f"*{random.choice(['', '~'])}{random.choice((*BELIEFS, *PERCEPTS))}"] * 2
    )


def _world(random: Random) -> tuple[str, str]:
    kind = random.random()
    if kind < 0.6:
        percepts = PERCEPTS[: random.choice([1, 1, 2])]
        return "".join(f"free percept {each}\n" for each in percepts), random.choice(
            ["handled", "handled", "noticed", "acted"]
        )
    if kind < 0.85:
        return (
            "percept p\npercept q\naction x do add p\naction y when p do remove p; add q\n",
            "handled",
        )
    return "", "handled"

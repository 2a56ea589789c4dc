"""Shapes of programs: wide, deep, long, or with large libraries. The cost per state should not grow
with the size of the shape.

Each shape is explored at three sizes to show the growth. If states multiply, the cost per state is
very small. If a program has about as many states as steps in its text, each step is traced once,
and the figures show the cost of a traced step. Times are processor seconds.

Run with ``python -m benchmarks.shapes``, or with the names of some languages: ``python -m
benchmarks.shapes can dribble``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import volition

__all__ = ["SHAPES", "Shape", "main"]

MAX_STATES = 200_000
"""Larger state spaces are explored up to here."""

Files = Mapping[str, str]
"""A program: maps file names to texts, with the main file first."""


@dataclass(frozen=True)
class Shape:
    """A family of programs of growing size."""

    language: str
    name: str
    make: Callable[[int], Files]
    sizes: Sequence[int]
    settings: Mapping[str, str] = field(default_factory=dict)


# --- CAN ------------------------------------------------------------------------------------------


def _can(plans: Sequence[str], actions: Sequence[str] = (), beliefs: str = "") -> Files:
    sections = {
        "Initial belief bases": [beliefs],
        "External events": ["go"],
        "Plan library": plans,
        "Actions description": actions,
    }
    return {
        "shape.can": "\n".join(
            line for title, lines in sections.items() for line in (f"// {title}", *lines)
        )
        + "\n"
    }


def can_branches(size: int) -> Files:
    """Return ``a1 || a2 || ...``: any subset of the branches may be done in a state."""
    return _can(
        [f"go : true <- {' || '.join(f'a{i}' for i in range(size))}."],
        [f"a{i} : true <- <{{}},{{b{i}}}>" for i in range(size)],
    )


def can_recursion(size: int) -> Files:
    """Return an event that posts itself until a number is 0."""
    return _can(
        [
            "go : true <- down.",
            "down : x > 0 <- x := x - 1; down; y := y + 1.",
            "down : x = 0 <- +done.",
        ],
        beliefs=f"x = {size}, y = 0",
    )


def can_long_body(size: int) -> Files:
    return _can([f"go : true <- {'; '.join(['act'] * size)}."], ["act : true <- <{},{b}>"])


def can_chain_of_plans(size: int) -> Files:
    """Return plans that post each other's events, nested as deep as the number of plans."""
    plans = [
        "go : true <- e0.",
        *(f"e{i} : b <- e{i + 1}." for i in range(size)),
        f"e{size} : true <- act.",
    ]
    return _can(plans, ["act : b <- <{},{c}>"], beliefs="b")


def can_beliefs_of_plans(size: int) -> Files:
    """Return plans that post each other's events, each with two beliefs of its own, so that slots
    get their first values one after the other."""
    numbers = range(size)
    plans = [
        "go : true <- e0.",
        *(f"e{i} : true <- act{i}; more{i}; e{i + 1}." for i in numbers),
        f"e{size} : true <- +done.",
    ]
    actions = [
        f"{name}{i} : true <- <{{}},{{{belief}{i}}}>"
        for name, belief in (("act", "b"), ("more", "c"))
        for i in numbers
    ]
    return _can(plans, actions)


def can_plans_for_one_event(size: int) -> Files:
    """Return a goal that uses one plan after the other; each time all contexts are evaluated."""
    plans = [
        "go : true <- goal(done, pick, false).",
        *(f"pick : x = {i} <- act; x := {i + 1}." for i in range(size)),
    ]
    return _can(
        [*plans, f"pick : x = {size} <- +done."], ["act : true <- <{},{c}>"], beliefs="x = 0"
    )


def twice(make: Callable[[int], Files]) -> Callable[[int], Files]:
    """Return the same CAN program with two events at once: the states multiply, but no additional
    step has to be traced."""
    return lambda size: {
        "shape.can": make(size)["shape.can"].replace(
            "// External events\ngo", "// External events\ngo, go"
        )
    }


# --- Dribble --------------------------------------------------------------------------------------


def dribble_ring(size: int) -> Files:
    """Return 20 atoms in a ring of disjunctions; ``size`` of them are switched on and off."""
    atoms = range(20)
    ring = ", ".join(f"p{i} | p{(i + 1) % 20}" for i in atoms)
    on = [f"on{i} : ~B(p{i}) => p{i}" for i in range(size)]
    off = [f"off{i} : B(p{i + 1} | p{i + 2}) => ~p{i}" for i in range(size)]
    rules = [f"G(done) & ~B(p{i}) -> on{i}" for i in range(size)] + [
        f"G(done) & B(p{i} | p{i + 1}) -> off{i}" for i in range(size)
    ]
    lines = [
        "len_max: 5",
        "beliefs:",
        f"  {ring}, ~done",
        "goals: done",
        "actions:",
        *(f"  {each}" for each in [*on, *off, "finish => done"]),
    ]
    return {
        "shape.dribble": "\n".join([*lines, "goal rules:", *(f"  {rule}" for rule in rules)]) + "\n"
    }


# --- AgentSpeak(F): two agents with the same program, so that their states multiply ---------------


WORLD = "percept go initially go\n"


def _agentspeak(program: str, **bounds: int) -> Files:
    options = "\n".join(f"{name} = {value}" for name, value in bounds.items())
    project = f"agent ag1, ag2 = shape.asl\nworld = shape.world\n{options}\n"
    return {"shape.mas": project, "shape.asl": program, "shape.world": WORLD}


def agentspeak_long_body(size: int) -> Files:
    return _agentspeak(
        f"+go : true <- {'; '.join(f'?b{i % 7}' for i in range(size))}.\n"
        + "".join(f"b{i}.\n" for i in range(7))
    )


def agentspeak_many_beliefs(size: int) -> Files:
    return _agentspeak(
        f"+go : true <- {'; '.join(f'+b({i})' for i in range(size))}.\n",
        M_Bel=size + 1,
        M_Ev=size + 1,
    )


def agentspeak_recursion(size: int) -> Files:
    plans = (
        f"+go : true <- !down(0).\n+!down({size}) : true <- +done.\n+!down(N) : true <- "
        ".plus(N,1,M); !down(M).\n"
    )
    return _agentspeak(plans, M_Int=2 * size + 9, M_Inst=2 * size + 9)


def agentspeak_library(size: int) -> Files:
    """Return a library whose plans are all used, one after the other: each one triggers the next by
    adding a belief."""
    plans = [f"+!e({i}) : true <- -at(_); +at({i + 1})." for i in range(size)]
    return _agentspeak(
        "+go : true <- +at(0).\n+at(N) : true <- !e(N).\n" + "\n".join(plans) + "\n",
        M_Int=9,
        M_Inst=9,
    )


def agentspeak_messages(size: int) -> Files:
    sent = "; ".join(f".send(ag2,tell,m({i}))" for i in range(size))
    bounds = (
        f"M_Msg = {size}\nM_Bel = {2 * size}\nM_Ev = {2 * size}\nM_Int = {size + 1}\nM_Inst = "
        f"{size + 1}\n"
    )
    project = f"agent ag1 = ag1.asl\nagent ag2 = ag2.asl\nworld = shape.world\n{bounds}"
    return {
        "shape.mas": project,
        "ag1.asl": f"+go : true <- {sent}.\n",
        "ag2.asl": "+m(X) : true <- +got(X).\n",
        "shape.world": "percept go seen by ag1 initially go\n",
    }


# --- Gwendolen ------------------------------------------------------------------------------------


def _gwendolen(plans: Sequence[str], goal: str = "go [perform]") -> Files:
    agent = (
        ":Initial Beliefs:\n\n:Reasoning Rules:\n\n:Initial "
        "Goals:\n\n{goal}\n\n:Plans:\n\n{plans}\n"
    )
    text = "GWENDOLEN\n" + "".join(
        f"\n:name: {name}\n\n" + agent.format(goal=goal, plans="\n".join(plans))
        for name in ("ag1", "ag2")
    )
    return {"shape.gwendolen": "agents = shape.gwen\nscheduler = action\n", "shape.gwen": text}


def gwendolen_long_body(size: int) -> Files:
    return _gwendolen([f"+!go [perform] : {{True}} <- {', '.join(f'+b{i}' for i in range(size))};"])


def gwendolen_library(size: int) -> Files:
    plans = [f"+!e{i} [perform] : {{True}} <- +!e{i + 1} [perform];" for i in range(size)]
    return _gwendolen([*plans, f"+!e{size} [perform] : {{True}} <- +done;"], goal="e0 [perform]")


# --- LISA -----------------------------------------------------------------------------------------


def lisa_percepts(size: int) -> Files:
    """Return percepts that change at random, each with its own plan."""
    percepts = "\n".join(f"Lamp {i} is on. {{[],[0.5,1,0],[0.5,1,0]}}" for i in range(size))
    plans = "\n".join(
        f"If +^[Lamp {i} is on] while ~^[Seen {i}] then\n  +^[Seen {i}].\n" for i in range(size)
    )
    sections = (
        f"PERCEPTION PROCESS\nMonitor the following booleans:\n{percepts}\n\nEXECUTABLE "
        f"PLANS\n{plans}\n"
    )
    return {"shape.sej": sections}


def lisa_long_plan(size: int) -> Files:
    steps = "\n".join(f"  +^[Step {i} is done]" for i in range(size))
    percepts = "Monitor the following booleans:\nStart. {[],[0.5,1,0],[0.5,1,0]}\n"
    return {
        "shape.sej": (
            f"PERCEPTION PROCESS\n{percepts}\nEXECUTABLE PLANS\nIf +^[Start] then\n{steps}.\n"
        )
    }


SHAPES = [
    Shape("can", "branches of ||", can_branches, [8, 12, 16]),
    Shape("can", "many branches of ||, not all states", can_branches, [20, 40, 80]),
    Shape("can", "recursion", can_recursion, [25, 50, 98]),
    Shape("can", "a long body", can_long_body, [250, 500, 1000]),
    Shape("can", "a long body, for two events", twice(can_long_body), [100, 200, 400]),
    Shape("can", "a chain of plans", can_chain_of_plans, [200, 400, 800], {"nesting": "1000"}),
    Shape("can", "a chain of plans, for two events", twice(can_chain_of_plans), [20, 40, 80]),
    Shape(
        "can",
        "plans with two beliefs each",
        can_beliefs_of_plans,
        [200, 400, 800],
        {"nesting": "1000"},
    ),
    Shape("can", "plans for one event", can_plans_for_one_event, [200, 400, 800]),
    Shape("dribble", "connected disjunctions", dribble_ring, [6, 8, 9]),
    Shape("agentspeak", "long bodies", agentspeak_long_body, [25, 50, 100]),
    Shape("agentspeak", "many beliefs", agentspeak_many_beliefs, [10, 20, 40]),
    Shape("agentspeak", "recursion", agentspeak_recursion, [10, 20, 40]),
    Shape("agentspeak", "a library", agentspeak_library, [25, 50, 100]),
    Shape("agentspeak", "messages", agentspeak_messages, [5, 10, 20]),
    Shape("gwendolen", "long bodies", gwendolen_long_body, [25, 50, 100]),
    Shape("gwendolen", "a library", gwendolen_library, [25, 50, 100]),
    Shape("lisa", "percepts", lisa_percepts, [3, 4, 5]),
    Shape("lisa", "a long plan", lisa_long_plan, [25, 50, 100]),
]


def loaded(shape: Shape, size: int) -> volition.Program:
    """Return the program of a shape at a size, loaded from files."""
    with TemporaryDirectory() as folder:
        files = shape.make(size)
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        return volition.load(Path(folder) / next(iter(files)), dict(shape.settings))


def main(*languages: str) -> None:
    """Print one line for each shape and size."""
    shapes = [shape for shape in SHAPES if not languages or shape.language in languages]
    print(
        f"{'shape':<50} {'size':>5} {'read':>8} {'states':>9} {'explored':>9} {'states/s':>10} "
        f"{'µs/state':>9} {'Python calls':>12}"
    )
    for shape in shapes:
        volition.explore(
            loaded(shape, 2)
        )  # import modules and build grammars before the measurement
        for size in shape.sizes:
            start = time.process_time()
            program = loaded(shape, size)
            read = time.process_time() - start
            start = time.process_time()
            space = volition.explore(program, max_states=MAX_STATES)
            seconds = time.process_time() - start
            print(
                f"{shape.language + ': ' + shape.name:<50} {size:>5} {read:>7.2f}s {space.num_states:>9,} {seconds:>8.2f}s "  # noqa: E501
                f"{space.num_states / seconds:>10,.0f} {1e6 * seconds / space.num_states:>9.1f} {space.stats.python_calls:>12,}"  # noqa: E501
                f"{'' if space.complete else '  and more'}",
                flush=True,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])

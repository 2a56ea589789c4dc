"""Random programs of every language, with atoms that can be asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from hypothesis import strategies as st

import volition
from tests.languages.agentspeak.random_systems import BOUNDS, MENTIONS, SELECTIONS, SYSTEMS, WORLDS
from tests.languages.can.random_programs import program_text, programs
from tests.languages.dribble.random_programs import programs as dribble
from tests.languages.dribble.reference import Condition, text_of_formula, text_of_program
from tests.languages.gwendolen.generator import SYSTEMS as GWENDOLEN_SYSTEMS
from tests.languages.gwendolen.generator import RandomSystem, write
from tests.languages.lisa.random_projects import projects, teams
from tests.slicing import generator
from tests.slicing.random_jason import jason_system, wild_jason_system
from tests.slicing.random_program import LoadableProgram, RandomProgram
from volition.languages.protocols import Program

# --- CAN ------------------------------------------------------------------------------------------

_LABELS = "\n// Labels\nsome : a | b | c.\n// Rewards\npaid : act1 = 2, Bel(c) = 1.\n"
_CAN_ATOMS = [
    "Bel(a)",
    "Bel(b)",
    "Bel(c)",
    "Bel(x >= 3)",
    "Does(act1)",
    "empty",
    "Finished(*)",
    "Blocked(*)",
]


@st.composite
def mixed_can_programs(draw: st.DrawFn) -> RandomProgram:
    """Programs in which everything may depend on everything."""
    program = draw(programs())
    atoms = [*_CAN_ATOMS[:4] * 3, *_CAN_ATOMS, *(f"Int({event})" for event in program.events)]
    return RandomProgram(
        {"random.can": program_text(program) + _LABELS}, atoms, "random.can", ["paid"]
    )


def parted_can_program(random: Random) -> RandomProgram:
    """Two events that mostly mind their own business, so that one of them often does not matter to
    the other."""
    crossing = random.choice([0.0, 0.0, 0.1])
    lines = [
        "// Initial belief bases",
        "n1 = 0, n2 = 0",
        "// External events",
        "e1, e2",
        "// Plan library",
    ]
    for own in "12":
        goals = 0.0 if own == "1" else random.choice([0.0, 0.5])
        for event in (f"e{own}", f"e{own}", f"s{own}"):
            lines.append(
                f"{event} : {_can_condition(random, own, crossing)} <- "
                f"{_can_body(random, own, crossing, goals, event[0] == 'e')}."
            )
    lines.append("// Actions description")
    for own in "12":
        for number in "12":
            effects = [
                f"<{{{_can_atom(random, own, crossing)}}},{{{_can_atom(random, own, crossing)}}}>"
                for _ in range(2)
            ]
            outcomes = (
                effects[0] if random.random() < 0.6 else f"1/4: {effects[0]} + 3/4: {effects[1]}"
            )
            lines.append(
                f"act{own}{number} : "
                f"{random.choice(['true', _can_condition(random, own, crossing)])} <- "
                f"{outcomes}"
            )
    if random.random() < 0.3:
        own = random.choice("12")
        lines += [
            "// Background",
            f"{_can_condition(random, own, 0)} <- n{own} := min(n{own} + 1, 2), "
            f"{random.choice('+-')}a{own}.",
        ]
    lines += ["// Policies", f"update : {random.choice(['any', 'any', 'finished', 'stuck'])}."]
    if random.random() < 0.2:
        lines.append(
            f"{random.choice(['events', 'intentions'])} : "
            f"{random.choice(['fixed', 'round-robin'])}."
        )
    lines += [
        "// Labels",
        "all : a1 | b1 | a2 | b2.",
        "// Rewards",
        "paid : act11 = 2, Bel(b2) = 1.",
    ]
    atoms = [
        *(f"Bel({each})" for each in ("a1", "b1", "a1 & !b1", "n1 > 0", "a2", "b2")),
        "Int(e1)",
        "Finished(e1)",
        "Does(act11)",
    ]
    return RandomProgram(
        {"random.can": "\n".join(lines)}, [*atoms[:3] * 2, *atoms], "random.can", ["paid"]
    )


def _can_atom(random: Random, own: str, crossing: float) -> str:
    return random.choice("ab") + (random.choice("12") if random.random() < crossing else own)


def _can_condition(random: Random, own: str, crossing: float) -> str:
    atom = _can_atom(random, own, crossing)
    return random.choice(["true", "true", "true", "true", atom, f"!{atom}", f"n{own} < 2"])


def _can_body(random: Random, own: str, crossing: float, goals: float, may_call: bool) -> str:
    steps = []
    for _ in range(random.choice([1, 2, 2, 3])):
        atom = _can_atom(random, own, crossing)
        step = random.choice(
            [
                f"+{atom}",
                f"-{atom}",
                f"+{atom}",
                f"-{atom}",
                f"act{own}1",
                f"act{own}2",
                f"?n{own} < 2",
                f"n{own} := 1",
            ]
        )
        step = f"s{own}" if may_call and random.random() < 0.2 else step
        steps.append(
            f"goal({_can_atom(random, own, crossing)}, {step}, false)"
            if random.random() < goals
            else step
        )
    return random.choice(["; ", "; ", " || ", " |> "]).join(steps)


# --- AgentSpeak(F) --------------------------------------------------------------------------------

_TRIGGERS = st.sampled_from(["+light", "-light", "+level(X)", "+q", "+p(X)", "+!h", "+!h", "-q"])
_CONTEXTS = st.sampled_from(["true", "q", "not q", "p(_)"])
_DEEDS = st.sampled_from(
    [
        "+p(1)",
        "-p(1)",
        "+q",
        "-q",
        "?p(Y)",
        "+p(2)",
        "!h",
        ".send(c,tell,q)",
        ".send(b,tell,q)",
        '.print("x")',
        ".random([1,2],R)",
    ]
)
_MENTIONS = "+!never <- +q; +p(1); !h."


@st.composite
def _bystanders(draw: st.DrawFn) -> str:
    """Agents that do nothing in the world, perhaps: they talk, and change their minds."""
    plans = [
        (
            f"{draw(_TRIGGERS)} : {draw(_CONTEXTS)} <- "
            f"{'; '.join(draw(st.lists(_DEEDS, min_size=1, max_size=3)))}."
        )
        for _ in range(draw(st.integers(0, 3)))
    ]
    return "\n".join(
        ["!h."] * draw(st.integers(0, 1)) + ["q."] * draw(st.integers(0, 1)) + plans + [_MENTIONS]
    )


_ABOUT_B = [
    "Bel(b, q)",
    "Bel(b, p(2))",
    "Bel(b, light)",
    "Int(b, h)",
    "Des(b, g(1))",
    "Does(b, put(1))",
    "light",
    "level(1)",
]
_ABOUT_A = ["Bel(a, q)", "Bel(a, p(1))", "Des(a, h)", "Does(a, press)"]


@st.composite
def agentspeak_systems(draw: st.DrawFn) -> RandomProgram:
    """Two agents that talk and act, or one of these with a bystander, in a random world."""
    system, world = draw(SYSTEMS), draw(WORLDS)
    if draw(st.booleans()):
        agents, options, atoms = system.agents, system.options, [*_ABOUT_A, *_ABOUT_B]
    else:
        agents, options, atoms = (
            {"b": system.b.replace("(a,", "(b,"), "c": draw(_bystanders())},
            "",
            list(_ABOUT_B),
        )
    if draw(
        st.booleans()
    ):  # the names in formulas are then those that the agents happen to mention
        agents = {
            name: text.replace(MENTIONS, "").replace(_MENTIONS, "") for name, text in agents.items()
        }
    return RandomProgram(
        _files(agents, world, f"{BOUNDS}\n{options}\n{draw(st.just('') | SELECTIONS)}"), atoms
    )


def _files(agents: dict[str, str], world: str, options: str) -> dict[str, str]:
    lines = [
        *(f"agent {name} = {name}.asl" for name in agents),
        "world = test.world",
        options,
        "properties",
    ]
    return {
        "test.mas": "\n".join(lines),
        "test.world": world,
        **{f"{name}.asl": text for name, text in agents.items()},
    }


# --- LISA -----------------------------------------------------------------------------------------

_SENTENCES = ("Note one", "Note-one", "Percept one", "Percept two", "Done", "Good")
_LISA_ATOMS = [
    *(f'Bel("{each}")' for each in _SENTENCES),
    "Int(plan_1)",
    "Des(plan_1)",
    "plan_1 = 1",
    'Does("Act")',
    'Does("+^[Note one]")',
]


@st.composite
def lisa_projects(draw: st.DrawFn) -> RandomProgram:
    main, actions = draw(projects())
    atoms = [
        each
        for each in _LISA_ATOMS
        if "Does" not in each or ("[Act.]" in main if "Act" in each else "+^[Note one]" in main)
    ]
    rewards = [each for each in ("cost", "time") if f"{each}=" in main]
    files = {
        "main.sej": main,
        **{f"{name}.sep": text for name, text in actions.items()},
        "main.props": "",
    }
    return RandomProgram(files, [*atoms[:4] * 2, *atoms], "", rewards)


_ABOUT_TEAMS = [
    *(f'Bel(a, "{each}")' for each in ("Note one", "Note two", "Percept one", "Answer", "Done")),
    *(f'Bel(b, "{each}")' for each in ("Note one", "Percept two", "Question", "Good")),
    *(
        each.format(agent)
        for agent in "ab"
        for each in ("Int({0}, plan_1)", "Des({0}, plan_1)", "{0}_plan_1 = 1")
    ),
]


@st.composite
def lisa_teams(draw: st.DrawFn) -> RandomProgram:
    """Two agents that talk to each other."""
    files = draw(teams())
    rewards = [
        f"{agent}_{each}"
        for agent in "ab"
        for each in ("cost", "time")
        if f"{each}=" in files[f"{agent}.sej"]
    ]
    return RandomProgram({**files, "main.props": ""}, _ABOUT_TEAMS, "", rewards)


# --- Dribble --------------------------------------------------------------------------------------

_DRIBBLE_ATOMS = [
    "Bel({0})",
    "Bel(~{0})",
    "Goal({0})",
    "Bel({0} | {1})",
    "Plan(empty)",
    "stalled",
    "Does(act)",
    "Plan(Make; act)",
]


_WHEN: list[Condition] = [("true",), ("true",), ("B", frozenset([frozenset([("u", False)])]))]


@st.composite
def dribble_programs(draw: st.DrawFn) -> RandomProgram:
    program = draw(dribble(draw(st.sampled_from([1, 1, 2]))))
    # Atoms that come and go besides the others, and perhaps depend on them.
    others = tuple(
        ((("u", draw(st.booleans())),), draw(st.sampled_from(_WHEN))) for _ in program.actions
    )
    actions = tuple(
        replace(each, effects=(*each.effects, other))
        for each, other in zip(program.actions, others, strict=True)
    )
    goals = sorted(program.goals, key=text_of_formula)
    asking: list[Condition] = [("G", goal) for goal in goals]
    guards = [draw(st.sampled_from([guard, *asking])) for guard, _ in program.goal_rules]
    rules = tuple(
        (guard, plan) for guard, (_, plan) in zip(guards, program.goal_rules, strict=True)
    )
    program = replace(program, actions=actions, goal_rules=rules)
    known = sorted(
        {
            atom
            for formula in program.beliefs | program.goals
            for clause in formula
            for atom, _ in clause
        }
    )
    known = known or [
        literal[0]
        for each in program.actions
        for literals, _ in each.effects
        for literal in literals
    ]
    atoms = [each.format(one, known[0]) for one in known for each in _DRIBBLE_ATOMS]
    return RandomProgram({"random.dribble": text_of_program(program)}, atoms, "random.dribble")


_SEEDS = st.integers(0, 2**32).map(Random)
"""Not what hypothesis draws step by step, which it prefers to be simple: most programs would do
nothing."""

LANGUAGES: dict[str, st.SearchStrategy[RandomProgram]] = {
    "CAN": mixed_can_programs() | _SEEDS.map(parted_can_program),
    "AgentSpeak(F)": agentspeak_systems(),
    "Jason": _SEEDS.map(jason_system) | _SEEDS.map(jason_system) | _SEEDS.map(wild_jason_system),
    "LISA": lisa_projects() | lisa_teams(),
    "Dribble": dribble_programs(),
}
"""Those that are sliced as texts."""


# --- Gwendolen and EASS ---------------------------------------------------------------------------

_ABOUT_AGENTS = (
    "Bel({0}, p)",
    "Bel({0}, q)",
    "Bel({0}, s)",
    "Bel({0}, n(1))",
    "Bel({0}, d)",
    "Does({0}, push)",
    "Des({0}, h)",
    "Int({0}, g)",
)


@dataclass(frozen=True)
class RandomAgents:
    """One to three agents that talk to each other."""

    system: RandomSystem

    @property
    def atoms(self) -> Sequence[str]:
        return [each.format(agent.name) for agent in self.system.programs for each in _ABOUT_AGENTS]

    def load(self, folder: Path) -> Program:
        return volition.load(write(self.system, folder))


_SEVERAL_AGENTS = GWENDOLEN_SYSTEMS.filter(lambda system: len(system.programs) > 1)

PROGRAMS: dict[str, st.SearchStrategy[LoadableProgram]] = {
    **LANGUAGES,
    "Gwendolen": _SEEDS.map(generator.random_program)
    | GWENDOLEN_SYSTEMS.map(RandomAgents)
    | _SEVERAL_AGENTS.map(RandomAgents),
}

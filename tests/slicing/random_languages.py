"""Random programs of every language that is sliced as a text, with atoms that can be asked of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hypothesis import strategies as st

import volition
from tests.languages.agentspeak.random_systems import BOUNDS, SYSTEMS, WORLDS
from tests.languages.can.random_programs import program_text, programs
from tests.languages.dribble.plain import Condition, text_of_program
from tests.languages.dribble.random_programs import programs as dribble
from tests.languages.lisa.random_projects import projects
from volition.languages.model import Program


@dataclass(frozen=True)
class RandomProgram:
    """The files of a program; ``atoms`` are what can be asked."""

    files: dict[str, str]
    atoms: Sequence[str]
    main: str = ""
    rewards: Sequence[str] = field(default=())

    def load(self, folder: Path) -> Program:
        for name, text in self.files.items():
            (folder / name).write_text(text)
        return volition.load(folder / self.main)


# --- CAN -------------------------------------------------------------------------------------------------------------------

_LABELS = "\n// Labels\nsome : a | b | c.\n// Rewards\npaid : act1 = 2, Bel(c) = 1.\n"
_CAN_ATOMS = ["Bel(a)", "Bel(b)", "Bel(c)", "Bel(x >= 3)", "Does(act1)", "empty", "Finished(*)", "Blocked(*)"]


@st.composite
def can_programs(draw: st.DrawFn) -> RandomProgram:
    program = draw(programs())
    if draw(st.booleans()):
        program.background.clear()  # then events can be left out as a whole
    atoms = [*_CAN_ATOMS[:4] * 3, *_CAN_ATOMS, *(f"Int({event})" for event in program.events)]
    return RandomProgram({"random.can": program_text(program) + _LABELS}, atoms, "random.can", ["paid"])


# --- AgentSpeak(F) -----------------------------------------------------------------------------------------------------------

_TRIGGERS = st.sampled_from(["+light", "-light", "+level(X)", "+q", "+p(X)", "+!h", "+!h", "-q"])
_CONTEXTS = st.sampled_from(["true", "q", "not q", "p(_)"])
_DEEDS = st.sampled_from(
    ["+p(1)", "-p(1)", "+q", "-q", "?p(Y)", "+p(2)", "!h", ".send(c,tell,q)", ".send(b,tell,q)", '.print("x")', ".random([1,2],R)"]
)
_MENTIONS = "+!never <- +q; +p(1); !h."


@st.composite
def _bystanders(draw: st.DrawFn) -> str:
    """Agents that do nothing in the world, perhaps: they talk, and change their minds."""
    plans = [
        f"{draw(_TRIGGERS)} : {draw(_CONTEXTS)} <- {'; '.join(draw(st.lists(_DEEDS, min_size=1, max_size=3)))}."
        for _ in range(draw(st.integers(0, 3)))
    ]
    return "\n".join(["!h."] * draw(st.integers(0, 1)) + ["q."] * draw(st.integers(0, 1)) + plans + [_MENTIONS])


_ABOUT_B = ["Bel(b, q)", "Bel(b, p(2))", "Bel(b, light)", "Int(b, h)", "Des(b, g(1))", "Does(b, put(1))", "light", "level(1)"]
_ABOUT_A = ["Bel(a, q)", "Bel(a, p(1))", "Des(a, h)", "Does(a, press)"]


@st.composite
def agentspeak_systems(draw: st.DrawFn) -> RandomProgram:
    """Two agents that talk and act, or one of these with a bystander, in a random world."""
    system, world = draw(SYSTEMS), draw(WORLDS)
    if draw(st.booleans()):
        agents, options, atoms = system.agents, system.options, [*_ABOUT_A, *_ABOUT_B]
    else:
        agents, options, atoms = {"b": system.b.replace("(a,", "(b,"), "c": draw(_bystanders())}, "", list(_ABOUT_B)
    return RandomProgram(_files(agents, world, f"{BOUNDS}\n{options}"), atoms)


def _files(agents: dict[str, str], world: str, options: str) -> dict[str, str]:
    lines = [*(f"agent {name} = {name}.asl" for name in agents), "world = test.world", options, "properties"]
    return {"test.mas": "\n".join(lines), "test.world": world, **{f"{name}.asl": text for name, text in agents.items()}}


# --- LISA ------------------------------------------------------------------------------------------------------------------

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
    atoms = [each for each in _LISA_ATOMS if "Does" not in each or ("[Act.]" in main if "Act" in each else "+^[Note one]" in main)]
    rewards = [each for each in ("cost", "time") if f"{each}=" in main]
    files = {"main.sej": main, **{f"{name}.sep": text for name, text in actions.items()}, "main.props": ""}
    return RandomProgram(files, [*atoms[:4] * 2, *atoms], "", rewards)


# --- Dribble ---------------------------------------------------------------------------------------------------------------

_DRIBBLE_ATOMS = ["Bel({0})", "Bel(~{0})", "Goal({0})", "Bel({0} | {1})", "Plan(empty)", "stalled", "Does(act)", "Plan(Make; act)"]


_WHEN: list[Condition] = [("true",), ("true",), ("B", frozenset([frozenset([("u", False)])]))]


@st.composite
def dribble_programs(draw: st.DrawFn) -> RandomProgram:
    program = draw(dribble(draw(st.sampled_from([1, 1, 2]))))
    # Atoms that come and go besides the others, and perhaps depend on them.
    others = tuple(((("u", draw(st.booleans())),), draw(st.sampled_from(_WHEN))) for _ in program.actions)
    actions = tuple(replace(each, effects=(*each.effects, other)) for each, other in zip(program.actions, others, strict=True))
    program = replace(program, actions=actions)
    known = sorted({atom for formula in program.beliefs | program.goals for clause in formula for atom, _ in clause})
    known = known or [literal[0] for each in program.actions for literals, _ in each.effects for literal in literals]
    atoms = [each.format(one, known[0]) for one in known for each in _DRIBBLE_ATOMS]
    return RandomProgram({"random.dribble": text_of_program(program)}, atoms, "random.dribble")


LANGUAGES: dict[str, st.SearchStrategy[RandomProgram]] = {
    "CAN": can_programs(),
    "AgentSpeak(F)": agentspeak_systems(),
    "LISA": lisa_projects(),
    "Dribble": dribble_programs(),
}

"""Programs to work with: the examples, and small projects of the kinds that no example shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from volition.languages import find_programs, load
from volition.languages.protocols import ParametricProgram, Program
from volition.logic.parsing.parser import parse
from volition.logic.printing import formula_text
from volition.logic.syntax import Formula
from volition.logic.traversal import expand_agents, is_propositional, subformulas

__all__ = ["EXAMPLES", "Project", "project", "projects"]

EXAMPLES = Path(__file__).parents[2] / "examples"
_REWARD = re.compile(r'R\{("[^"]*")\}')


@dataclass(frozen=True)
class Project:
    """A program with all its files, and the words to ask about it."""

    name: str
    """The program, as it is named in a call."""
    language: str
    files: Mapping[str, str]
    formulas: tuple[str, ...]
    """Its own properties."""
    atoms: tuple[str, ...]
    """Formulas about one state."""
    rewards: tuple[str, ...]
    parameters: Mapping[str, str]

    @property
    def runs_its_own_code(self) -> bool:
        return any(each.endswith(".py") for each in self.files)


@cache
def projects() -> tuple[Project, ...]:
    """All projects."""
    return (
        *map(_example, sorted(find_programs(EXAMPLES))),
        *(_small(name, files) for name, files in _small_projects()),
    )


def project(ending: str) -> Project:
    """The first project whose name ends in ``ending``."""
    return next(each for each in projects() if each.name.endswith(ending))


def _example(program: Path) -> Project:
    folder = program if program.is_dir() else program.parent
    loaded = load(program, trust=True)
    read = {Path(each.name).resolve() for each in loaded.sources}
    beside = [
        *(folder.rglob("*") if loaded.language == "LISA" else ()),
        *folder.parent.glob(f"{folder.name}.*"),
    ]
    paths = sorted(
        {
            *read,
            *(each.resolve() for each in beside if each.suffix in (".run", ".toml", ".py", ".psl")),
        }
    )
    files = {
        str(path.relative_to(folder.parent)): path.read_text(encoding="utf-8") for path in paths
    }
    return _project(str(program.relative_to(folder.parent)), files, loaded)


def _small(name: str, files: Mapping[str, str]) -> Project:
    with TemporaryDirectory() as position:
        for file, text in files.items():
            path = Path(position) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return _project(name, files, load(Path(position) / name, trust=True))


def _project(name: str, files: Mapping[str, str], loaded: Program) -> Project:
    formulas = tuple(each.text for each in loaded.properties)
    values = loaded.parameters if isinstance(loaded, ParametricProgram) else {}
    rewards = tuple(dict.fromkeys(found for each in formulas for found in _REWARD.findall(each)))
    parameters = {key: str(value) for key, value in values.items()}
    return Project(
        name,
        loaded.language,
        files,
        formulas,
        tuple(_state_formulas(formulas, loaded.model().agents)),
        rewards,
        parameters,
    )


def _state_formulas(formulas: Iterable[str], agents: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in formulas:
        for each in subformulas(expand_agents(parse(text), agents)):
            if (
                isinstance(each, Formula)
                and is_propositional(each)
                and (shown := formula_text(each)) not in seen
            ):
                seen.add(shown)
                yield shown


def _small_projects() -> Iterator[tuple[str, dict[str, str]]]:
    """A program of the public Gwendolen tool, a world in Python, Jason modules, and a program that
    follows its decisions."""
    yield (
        "lamp.ail",
        {
            "lamp.ail": "mas.agent.1.file = lamp.gwen\nail.store_sent_messages = true\n",
            "lamp.gwen": dedent("""\
            GWENDOLEN
            :name: lamp
            :Initial Beliefs:
            dark
            :Reasoning Rules:
            needed :- dark, ~broken;
            :Initial Goals:
            light [achieve]
            :Plans:
            +!light [achieve] : {B needed} <- switch, +light;
            +light : {B dark, B light} <- -dark, .send(lamp, :tell, shining(1));
            +.received(:tell, shining(X)) : {True} <- +seen(X);
            """),
            "lamp.world": "variable on = 0\nfree percept broken\naction switch when on = 0 do on "
            ":= 1\n",
            "lamp.psl": "lights: <> B(lamp, light)\nnot both: [] (B(lamp, light) -> ~ B(lamp, "
            "needed))\n",
        },
    )
    yield (
        "cleaning",
        {
            "cleaning/cleaning.mas": dedent("""\
            agent robot = robot.asl
            world = house.py:House
            parameter rooms = 2
            properties
            // RESULT: true
            "clean": F (world.dirt = 0)
            """),
            "cleaning/robot.asl": "+dirty(X) : true <- clean(X).\n",
            "cleaning/house.py": dedent("""\
            from fractions import Fraction

            from volition.languages.world import WorldTransition, World
            from volition.languages.world.terms import Structure


            class House(World):
                slots = {"world.dirt": 2}

                def percepts(self, state, agent):
                    return [Structure("dirty", (room,)) for room in range(1, state["world.dirt"] + 1)]

                def execute(self, state, agent, action):
                    if action.functor == "clean" and state["world.dirt"] > 0:
                        return [WorldTransition("clean", "cleans a room", ((Fraction(1), {"world.dirt": state["world.dirt"] - 1}),))]
                    return []
            """),  # noqa: E501
        },
    )
    yield (
        "counting",
        {
            "counting/counting.mas2j": dedent("""\
            MAS counting {
                infrastructure: Centralised
                agents: counter counter.asl #2;
                        judge;
                aslSourcePath: ".";
            }
            """),
            "counting/counter.asl": '{ include("steps.asl", steps) }\nlimit(2).\n!steps::go(0).\n',
            "counting/steps.asl": dedent("""\
            +!go(N) : default::limit(M) & N < M <- .print("step ", N); !go(N + 1).
            +!go(N) <- .send(judge, tell, default::done(N)).
            """),
            "counting/judge.asl": '+done(N)[source(A)] : .number(N) <- +ready(A); .concat("at ", '
            "N, S); .print(S).\n",
            "counting/counting.volition": "properties\n\n// RESULT: true\nF (Bel(judge, "
            "ready(counter1)) & Bel(judge, ready(counter2)))\n",
        },
    )

"""Good input of every kind, to be changed: each with a call of a command that really reads it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from tests.fuzz.calls import READERS, call, suited_command, trial_of, with_options
from tests.fuzz.formulas import formula, objective, property_file, state_formula
from tests.fuzz.options import VALUES, command_options
from tests.fuzz.projects import Project, project, projects
from tests.fuzz.trials import Content, Trial, run, text_of

__all__ = ["Specimen", "kinds", "program_specimens", "texts_of_kind"]


@dataclass(frozen=True, slots=True, eq=False)
class Specimen:
    """A call that is fine, and the part of it to be changed: a file by its name, or an argument by
    its place."""

    kind: str
    project: Project
    trial: Trial
    target: str | int

    @property
    def content(self) -> Content:
        return (
            self.trial.files[self.target]
            if isinstance(self.target, str)
            else self.trial.arguments[self.target]
        )

    @property
    def text(self) -> str:
        return text_of(self.content)

    def changed(self, content: Content) -> Trial:
        if isinstance(self.target, str):
            return self.trial.with_file(self.target, content)
        return self.trial.with_argument(self.target, text_of(content))


Draw = Callable[[random.Random], Specimen]


# --- files of programs ----------------------------------------------------------------------------


@cache
def _files_by_kind() -> dict[str, list[tuple[Project, str]]]:
    found: dict[str, list[tuple[Project, str]]] = {}
    for each in projects():
        for file in each.files:
            found.setdefault(Path(file).suffix.removeprefix("."), []).append((each, file))
    return found


def _program_file(kind: str) -> Draw:
    def draw(chance: random.Random) -> Specimen:
        each, file = chance.choice(_files_by_kind()[kind])
        return Specimen(kind, each, trial_of(each.files, reading_call(chance, each, file)), file)

    return draw


@cache
def texts_of_kind(kind: str) -> tuple[str, ...]:
    """The texts of all files of a kind, to take parts from."""
    return tuple(each.files[file] for each, file in _files_by_kind().get(kind, ()))


def reading_call(chance: random.Random, each: Project, file: str) -> tuple[str, ...]:
    """A call that reads a file of a project: that of a run is read by ``run`` alone, a property
    file where it is named."""
    kind = Path(file).suffix.removeprefix(".")
    if kind == "toml":
        return ("run", each.name, "--json", "--mission", file, "--cycles", "4")
    if kind == "run":
        world = chance.choice(("simulated", "python")) if each.runs_its_own_code else None
        given = ["--cycles", "25", *(["--world", world] if world else [])]
        return (
            "run",
            each.name,
            "--json",
            *with_options(chance, "run", given, each),
            *(["--trust"] if world == "python" else []),
        )
    if kind == "py" and each.language == "LISA":
        return ("run", each.name, "--json", "--world", "python", "--trust", "--cycles", "25")
    if kind == "psl" or (kind == "props" and each.language != "LISA"):
        command = chance.choice(("check", "slice"))
        return (
            command,
            each.name,
            "--json",
            *with_options(chance, command, ["--props", file], each),
        )
    if chance.random() < 0.05 and each.formulas:
        return ("ask-the-studio", each.name, chance.choice(each.formulas))
    return call(chance, suited_command(chance, each), each)


@cache
def program_specimens() -> tuple[Specimen, ...]:
    """Every file of every program with the plainest call that reads it, for slips."""
    found = []
    for each in projects():
        for file in each.files:
            kind = Path(file).suffix.removeprefix(".")
            if kind != "py":
                found.append(
                    Specimen(kind, each, trial_of(each.files, _plain_call(each, file, kind)), file)
                )
    return tuple(found)


def _plain_call(each: Project, file: str, kind: str) -> tuple[str, ...]:
    trust = ("--trust",) if each.runs_its_own_code else ()
    if kind == "toml":
        return ("run", each.name, "--json", "--quiet", "--mission", file, "--cycles", "1", *trust)
    if kind == "run":
        return ("run", each.name, "--json", "--quiet", "--cycles", "1", *trust)
    if kind == "psl" or (kind == "props" and each.language != "LISA"):
        return ("check", each.name, "--json", "--props", file, "--max-states", "50", *trust)
    return ("show", each.name, "--json", *trust)


# --- files beside programs ------------------------------------------------------------------------


def _settings(chance: random.Random) -> Specimen:
    each = chance.choice([each for each in projects() if each.parameters])
    lines = [
        f"{name} = {value}" for name, value in each.parameters.items() if chance.random() < 0.7
    ]
    files = {**each.files, "numbers.settings": "\n".join(["// numbers of the program", *lines, ""])}
    command, name, *rest = call(
        chance, chance.choice([each for each in READERS if each != "test"]), each
    )
    return Specimen(
        "settings",
        each,
        trial_of(files, (command, name, "--settings", "numbers.settings", *rest)),
        "numbers.settings",
    )


def _properties(chance: random.Random) -> Specimen:
    each = chance.choice(projects())
    files = {**each.files, "asked.props": property_file(chance, each)}
    command = chance.choice(("check", "check", "slice"))
    arguments = (
        command,
        each.name,
        "--json",
        *with_options(chance, command, ["--props", "asked.props", *_trust(each)], each),
    )
    return Specimen("properties", each, trial_of(files, arguments), "asked.props")


def _trust(each: Project) -> list[str]:
    return ["--trust"] if each.runs_its_own_code else []


def _trusted(chance: random.Random) -> Specimen:
    each, name = project("cleaning"), "config/volition/trusted.json"
    files = {**each.files, name: f'{{"folders": ["{gettempdir()}", "/nowhere"]}}'}
    arguments = chance.choice(
        (("show", each.name, "--json"), ("trust", "--list", "--json"), ("trust", ".", "--json"))
    )
    return Specimen("trusted", each, trial_of(files, arguments), name)


def _automaton(chance: random.Random) -> Specimen:
    each = project("breakfast.can")
    return Specimen(
        "hoa",
        each,
        trial_of(
            {"automaton.hoa": chance.choice(_automata())}, ("read-automaton", "automaton.hoa")
        ),
        "automaton.hoa",
    )


@cache
def _automata() -> tuple[str, ...]:
    each = project("breakfast.can")
    queried = (
        "A [ G F hot ]",
        "A [ (hot U served) R X toasted ]",
        "A [ G (hot -> F served) & F G !toasted ]",
        "A [ F (hot & X served) ]",
    )
    return tuple(
        _output(Trial(each.files, ("export", each.name, "--to", "hoa", "-p", formula)))
        for formula in queried
    )


# --- what commands write --------------------------------------------------------------------------


def _output(trial: Trial) -> str:
    with TemporaryDirectory() as folder:
        return run(trial, Path(folder)).output


def _made(trial: Trial, file: str) -> bytes:
    """The file that a call writes."""
    with TemporaryDirectory() as folder:
        outcome = run(trial, Path(folder))
        assert file in outcome.written, f"{trial.arguments}: {outcome.errors}"
        return outcome.written[file]


TRACED = (
    "vacuum.dribble",
    "breakfast.can",
    "auction_repaired",
    "courier",
    "lucky_dip",
    "vessel_dtmc",
)
RECORDED = (
    "breakfast.can",
    "courier.can",
    "smart_manufacturing.can",
    "vacuum.dribble",
    "factory",
    "room",
    "lucky_dip",
    "vessel_mdp",
    "pipeline_drone",
    "mine_hunt",
    "ferry",
    "crossing",
)
SAVED = ("rover.can", "vacuum.can", "vacuum.dribble", "factory", "room", "lucky_dip", "ferry")


@cache
def _trace(name: str) -> str:
    each = project(name)
    queried = ("-p", each.formulas[0], "-p", "E [ X true ]")
    return _made(
        Trial(
            each.files,
            ("check", each.name, "--write-trace", "run.json", "--max-states", "3000", *queried),
        ),
        "run.json",
    ).decode()


def _traces(chance: random.Random) -> Specimen:
    each = project(name := chance.choice(TRACED))
    return Specimen(
        "trace",
        each,
        trial_of(
            {**each.files, "run.json": _trace(name)}, ("replay", "run.json", each.name, "--json")
        ),
        "run.json",
    )


@cache
def _record(name: str, seed: int) -> str:
    each = project(name)
    arguments = (
        "run",
        each.name,
        "--record",
        "run.jsonl",
        "--seed",
        str(seed),
        "--cycles",
        "20",
        "--world",
        "simulated",
    )
    return _made(Trial(each.files, arguments), "run.jsonl").decode()


@cache
def _vessel_record() -> str:
    each = project("vessel_repaired")
    return _made(
        Trial(each.files, ("run", each.name, "--record", "run.jsonl", "--cycles", "8")), "run.jsonl"
    ).decode()


def _records(chance: random.Random) -> Specimen:
    command = chance.choice(("conform", "conform", "learn", "replay", "view"))
    at_sea = command in ("conform", "view") and chance.random() < 0.2
    each = project("vessel_repaired" if at_sea else (name := chance.choice(RECORDED)))
    files = {
        **each.files,
        "run.jsonl": _vessel_record() if at_sea else _record(name, chance.randint(1, 3)),
    }
    if command in ("conform", "learn", "view") and chance.random() < 0.3:
        files["other.jsonl"] = _vessel_record() if at_sea else _record(name, 7)
    names = [name for name in ("run.jsonl", "other.jsonl") if name in files]
    subject = [] if command == "view" else [each.name]
    queried = (
        ["--property", formula(chance, each)]
        if command == "learn" and chance.random() < 0.4
        else []
    )
    page = ["--output", "out/page.html"] if command == "view" else []
    arguments = (
        command,
        *names,
        *subject,
        "--json",
        *with_options(chance, command, [*queried, *page], each),
    )
    return Specimen("record", each, trial_of(files, arguments), "run.jsonl")


@cache
def _saved(name: str) -> bytes:
    each = project(name)
    return _made(
        Trial(each.files, ("explore", each.name, "--save", "space.vsp", "--max-states", "2000")),
        "space.vsp",
    )


def _saved_spaces(chance: random.Random) -> Specimen:
    each = project(name := chance.choice(SAVED))
    command = chance.choice(
        (
            "check",
            "check",
            "explore",
            "strategy",
            "show",
            "export",
            "pareto",
            "mission",
            "simulate",
            "slice",
        )
    )
    _, _, *rest = call(chance, command, each)
    return Specimen(
        "vsp",
        each,
        trial_of({"space.vsp": _saved(name)}, (command, "space.vsp", *rest)),
        "space.vsp",
    )


# --- arguments ------------------------------------------------------------------------------------

FORMULA_OPTIONS: Mapping[str, Callable[[random.Random, Project], str]] = {
    "--property": formula,
    "--assume": lambda chance, each: f"G F ({state_formula(chance, each, 2)})",
    "--observe": formula,
    "--objective": objective,
    "--until": lambda chance, each: state_formula(chance, each, 2),
}


def _formulas(chance: random.Random) -> Specimen:
    """A formula in one of the options that take one."""
    each = chance.choice(projects())
    command = chance.choice(
        [each for each in READERS if set(FORMULA_OPTIONS) & set(command_options(each))]
    )
    option = chance.choice([each for each in FORMULA_OPTIONS if each in command_options(command)])
    arguments = call(chance, command, each)
    if option not in arguments:
        arguments += (option, FORMULA_OPTIONS[option](chance, each))
    return Specimen("formula", each, trial_of(each.files, arguments), arguments.index(option) + 1)


def _values(chance: random.Random) -> Specimen:
    """An option of a command with a value, whichever it is."""
    each = chance.choice(projects())
    command = suited_command(chance, each)
    option = chance.choice([name for name in command_options(command) if name in VALUES])
    arguments = call(chance, command, each)
    if option not in arguments:
        arguments += (option, VALUES[option](chance, each))
    return Specimen("value", each, trial_of(each.files, arguments), arguments.index(option) + 1)


def _calls(chance: random.Random) -> Specimen:
    """A valid call with valid options: nothing in it is to be changed, but the name of the program
    may be."""
    each = chance.choice(projects())
    return Specimen(
        "options", each, trial_of(each.files, call(chance, suited_command(chance, each), each)), 1
    )


def _studio(chance: random.Random) -> Specimen:
    """A formula that is typed into a page."""
    each = chance.choice([each for each in projects() if not each.runs_its_own_code])
    command = chance.choice(("ask-the-studio", "run-in-the-studio"))
    query = formula(chance, each) if command == "ask-the-studio" else objective(chance, each)
    return Specimen("studio", each, trial_of(each.files, (command, each.name, query)), 2)


@cache
def kinds() -> Mapping[str, Draw]:
    """A function for each kind of input that draws a specimen of it."""
    return {
        **{kind: _program_file(kind) for kind in sorted(_files_by_kind())},
        "settings": _settings,
        "properties": _properties,
        "trusted": _trusted,
        "hoa": _automaton,
        "trace": _traces,
        "record": _records,
        "vsp": _saved_spaces,
        "formula": _formulas,
        "value": _values,
        "options": _calls,
        "studio": _studio,
    }

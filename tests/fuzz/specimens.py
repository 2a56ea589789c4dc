"""Good input of every kind, to be damaged: the examples, and calls of each command on small ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.trials import Trial, run
from volition.languages import programs_in

__all__ = ["Specimen", "program_files", "specimens"]

EXAMPLES = Path(__file__).parents[2] / "examples"
LIMITS = ("--max-states", "300", "--timeout", "10")

FORMULAS = (
    "A [ G (Does(pour) -> Bel(served & !hot)) ]",
    "A [ (hot U served) R X toasted ] & E [ G F hot ]",
    "E [ F (failure & X empty) ]",
    "[](hot -> <> served)",
    "Pmax=? [ F served ]",
    "Pmax=? [ F<=3 hot & X F toasted ]",
    "Pmin=? [ !hot U<=7 (served | toasted) ]",
    "P>=1/3 [ G F hot ]",
    'R{"energy"}max=? [ F empty ]',
    'R{"energy"}<=5 [ C<=10 ]',
    "multi(Pmax=? [ F served ], Pmin=? [ F toasted ])",
    '"coffee": A [ F served ] // RESULT: true',
)


@dataclass(frozen=True, slots=True)
class Specimen:
    """A call that is fine, and what of it is to be damaged: a file by its name, or an argument by its place."""

    kind: str
    trial: Trial
    target: str | int

    @property
    def text(self) -> str:
        return self.trial.files[self.target] if isinstance(self.target, str) else self.trial.arguments[self.target]

    def damaged(self, text: str) -> Trial:
        if isinstance(self.target, str):
            return self.trial.with_file(self.target, text)
        return self.trial.with_argument(self.target, text)


@cache
def program_files() -> tuple[tuple[str, dict[str, str]], ...]:
    """Every example: what to call it with, and its files."""
    found = []
    for program in programs_in(EXAMPLES):
        folder = program if program.is_dir() else program.parent
        inside = sorted(folder.rglob("*")) if program.is_dir() else [program]
        files = {str(path.relative_to(folder.parent)): path.read_text(encoding="utf-8") for path in inside if path.is_file()}
        found.append((str(program.relative_to(folder.parent)), files))
    return tuple(found)


@cache
def specimens() -> tuple[Specimen, ...]:
    return (*_programs(), *_formulas(), *_values(), *_property_files(), *_traces())


def _programs() -> Iterator[Specimen]:
    for name, files in program_files():
        for file in files:
            kind = Path(file).suffix.lstrip(".") or "other"
            yield Specimen(kind, Trial(files, ("show", name, "--json")), file)
            yield Specimen(kind, Trial(files, ("check", name, "--json", *LIMITS)), file)
            yield Specimen(kind, Trial(files, ("explore", name, "--json", *LIMITS)), file)
            yield Specimen(kind, Trial(files, ("export", name, "--to", "prism", *LIMITS)), file)
            if kind in ("mas", "asl", "world"):
                yield Specimen(kind, Trial(files, ("export", name, "--to", "promela")), file)


def _small() -> tuple[str, dict[str, str]]:
    return next((name, files) for name, files in program_files() if name.endswith("breakfast.can"))


def _formulas() -> Iterator[Specimen]:
    name, files = _small()
    for formula in FORMULAS:
        for command in ("check", "strategy", "mission"):
            arguments = (command, name, "-p", formula, "--json", *LIMITS)
            yield Specimen("formula", Trial(files, arguments), 3)
        yield Specimen("formula", Trial(files, ("check", name, "-p", "A [ F served ]", "--json", "--assume", formula)), 6)
        yield Specimen("formula", Trial(files, ("pareto", name, "-p", formula, "-p", "Pmin=? [ F toasted ]", "--json")), 3)


def _values() -> Iterator[Specimen]:
    name, files = next((name, files) for name, files in program_files() if name.endswith("smart_manufacturing.can"))
    formula = ("-p", "Pmax=? [ F (PS1 & PS2) ]")
    for arguments, target in (
        (("sweep", name, *formula, "--json", "--processes", "1", "--vary", "pc=0:1:0.5"), 7),
        (("check", name, *formula, "--json", "--set", "pc=0.3"), 6),
        (("check", name, *formula, "--json", "--max-states", "200k"), 6),
        (("check", name, *formula, "--json", "--timeout", "5m"), 6),
        (("check", name, *formula, "--json", "--max-memory", "500M"), 6),
        (("strategy", name, *formula, "--json", "--simulate", "20"), 6),
        (("strategy", name, *formula, "--json", "--seed", "3"), 6),
        (("simulate", name, *formula, "--json", "--confidence", "0.9", "--runs", "20", "--schedulers", "2", "--jobs", "1"), 6),
        (("mission", name, *formula, "--json", "--cost", "cheap"), 6),
        (("mission", name, *formula, "--json", "--budget", "5/2"), 6),
        (("show", name, "--json"), 1),
    ):
        yield Specimen("value", Trial(files, arguments), target)


def _property_files() -> Iterator[Specimen]:
    name, files = _small()
    text = files[name].split("// Properties\n")[1]
    yield Specimen(
        "properties", Trial({**files, "asked.props": text}, ("check", name, "--props", "asked.props", "--json", *LIMITS)), "asked.props"
    )


def _traces() -> Iterator[Specimen]:
    for wanted in ("vacuum.dribble", "breakfast.can"):
        name, files = next((name, files) for name, files in program_files() if name.endswith(wanted))
        with TemporaryDirectory() as folder:
            run(Trial(files, ("check", name, "--write-trace", "run.json")), Path(folder))
            trace = (Path(folder) / "run.json").read_text(encoding="utf-8")
        yield Specimen("trace", Trial({**files, "run.json": trace}, ("replay", "run.json", name, "--json")), "run.json")

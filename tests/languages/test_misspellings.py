"""One-letter slips in the names of shipped examples: each is refused, warned of, or changes nothing
in the model."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from volition.diagnostics import InputError
from volition.kernel import Limits, explore
from volition.languages import load
from volition.languages.protocols import Program

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = [
    *(
        "can/smart_manufacturing.can",
        "can/vacuum.can",
        "can/courier.can",
        "can/breakfast.can",
        "can/messenger.can",
    ),
    *("dribble/vacuum.dribble", "dribble/pumping_station.dribble", "lisa/crossing", "lisa/ferry"),
    *("agentspeak/factory", "agentspeak/mutual_exclusion", "agentspeak/contract_net"),
    *("jason/household", "jason/crates", "gwendolen/lucky_dip", "gwendolen/rescue"),
]
OWN = (".can", ".dribble", ".sej", ".sep", ".mas", ".world")
"""Kinds of file with slips; the agents of AgentSpeak(F) are added where there is no agent of
Jason."""

WORD = re.compile(r"[A-Za-z_]\w{2,}")
COMMENT = re.compile(r"//[^\n]*")
STATES = 3_000

Slip = tuple[str, str, int, str, str]
"""A program, a file of it, a place, the word there, and the word after the slip."""


def slips(seed: int, count: int) -> Iterator[Slip]:
    chance = random.Random(seed)
    made = 0
    while made < count:
        program = chance.choice(PROGRAMS)
        path = EXAMPLES / program
        kinds = (*OWN, ".asl") if program.startswith("agentspeak") else OWN
        files = (
            [each for each in sorted(path.rglob("*")) if each.suffix in kinds]
            if path.is_dir()
            else [path]
        )
        file = chance.choice(files)
        code = COMMENT.sub(lambda found: " " * len(found[0]), file.read_text())
        word = chance.choice(list(WORD.finditer(code)))
        index = chance.randrange(len(word[0]))
        letter = chance.choice(("", word[0][index] * 2, *"axyz"))
        slip = word[0][:index] + letter + word[0][index + 1 :]
        if slip != word[0]:
            made += 1
            yield (
                program,
                file.relative_to(path if path.is_dir() else path.parent).as_posix(),
                word.start(),
                word[0],
                slip,
            )


def model_size(program: Program) -> tuple[int, int]:
    space = explore(program.model().system, limits=Limits(states=STATES))
    return space.num_states, space.num_choices


def unnoticed(slip: Slip, folder: Path) -> bool:
    """Whether a program with a slip is accepted without a new warning, and with another model."""
    name, file, index, word, written = slip
    original = EXAMPLES / name
    copy = folder / original.name
    if original.is_dir():
        shutil.copytree(original, copy)
    else:
        shutil.copy(original, copy)
    changed = copy / file if original.is_dir() else copy
    text = changed.read_text()
    changed.write_text(text[:index] + written + text[index + len(word) :])
    try:
        program = load(copy)
        before = load(original)
        return len(program.warnings) <= len(before.warnings) and model_size(program) != model_size(
            before
        )
    except InputError:
        return False


@pytest.mark.parametrize(
    "slip", list(slips(1, 40)), ids=lambda slip: f"{slip[1]}:{slip[2]} {slip[3]} {slip[4]}"
)
def test_a_slip_is_noticed(slip: Slip, tmp_path: Path) -> None:
    assert not unnoticed(slip, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 10))
def test_slips_are_noticed(seed: int, tmp_path: Path) -> None:
    missed = [
        slip
        for number, slip in enumerate(slips(seed, 50))
        if unnoticed(slip, _made(tmp_path / str(number)))
    ]
    assert missed == []


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder

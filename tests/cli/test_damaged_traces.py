"""``volition replay`` with traces that were changed in one place: each is replayed or refused, with
words."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import VACUUM, Volition

MUTANTS = 150
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    7,
    10**30,
    1.5,
    "",
    "x",
    "F (",
    "[/]",
    "\x1b[31m",
    [],
    [None],
    [[]],
    ["x"],
    {},
    {"x": None},
    {"": {"": 0}},
)
TEXTS = (
    "",
    "{",
    "[]",
    "null",
    "1" * 5000,
    "[" * 5000,
    '"\\ud800"',
    "\ufeff{}",
    "NaN",
    '{"format": "volition-trace", "version": 3}',
)


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from click.testing import CliRunner

    from volition.cli import main

    file = tmp_path_factory.mktemp("trace") / "run.json"
    CliRunner().invoke(
        main, ["check", str(VACUUM), "--write-trace", str(file)], catch_exceptions=False
    )
    return json.loads(file.read_text())


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Each container in the data with a key of it."""
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in items:
        yield data, key
        yield from places(value)


def mutated(trace: Any, chance: random.Random) -> Any:
    changed = copy.deepcopy(trace)
    container, key = chance.choice(list(places(changed)))
    match chance.randrange(3):
        case 0:
            del container[key]
        case 1:
            container[key] = chance.choice(VALUES)
        case _:
            other, position = chance.choice(list(places(changed)))
            container[key] = copy.deepcopy(other[position])
    return changed


def test_mutants(volition: Volition, trace: Any, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    chance = random.Random(7)
    ends = set()
    for _ in range(MUTANTS):
        file.write_text(json.dumps(mutated(trace, chance)))
        ended = volition("replay", file, VACUUM)
        ends.add(ended.exit_code)
        assert ended.exit_code in (0, 1, 2)
        assert ("error[" in ended.err) == (ended.exit_code == 2)
    assert ends == {0, 1, 2}


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:12]))
def test_texts_that_are_no_traces(volition: Volition, text: str, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(text)
    ended = volition("replay", file, VACUUM)
    assert ended.exit_code == 2
    assert "error[" in ended.err


def test_half_a_character_is_refused(volition: Volition, trace: Any, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    changed = copy.deepcopy(trace)
    changed["steps"][0]["text"] = "\ud800"
    file.write_text(json.dumps(changed))
    assert "CLI007" in volition("replay", file, VACUUM).err

"""Programs with more states than can be explored: limits end every command, and a counterexample
near the start is still found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.conftest import Volition
from tests.languages.lisa.projects import reasoning


class Endless(NamedTuple):
    """A program by its files, the one to load, and two formulas: one that no state violates, and
    one that an early state violates."""

    files: Mapping[str, str]
    name: str
    safe: str
    unsafe: str


MANY = range(1, 13)
COUNTING = "c(0).\n!go.\n+!go : c(N) <- -c(N); {next}; !go.\n"
CAN = """// Initial belief bases
clock = 0
// External events
go
// Plan library
go : true <- tick; go; tick.
// Actions description
tick : true <- <{},{ticked}>
// Background
clock := clock + 1.
"""
GWENDOLEN = """GWENDOLEN
:name: a
:Initial Beliefs:
c(0)
:Reasoning Rules:
:Initial Goals:
go [perform]
:Plans:
+!go [perform] : {B c(N)} <- -c(N), +c(s(N)), +!go [perform];
"""
DRIBBLE = f"""len_max: 100
beliefs: {" & ".join(f"~b{n}" for n in MANY)}
goals: {", ".join(f"b{n}" for n in MANY)}
actions:
{chr(10).join(f"  a{n} : true => b{n}" for n in MANY)}
goal rules:
{chr(10).join(f"  g{n} = b{n} -> a{n}; a{n}" for n in MANY)}
revision rules:
{chr(10).join(f"  r{n} = a{n}; pi | b{n} -> a{n}; a{n}; pi" for n in MANY)}
"""
LISA = reasoning(
    percepts="\n".join(f"Seen {n}. {{[],[0.5,1,0],[0.5,1,0]}}" for n in MANY),
    plans="If ^[Seen 1] while true then\n+^[Noted].",
)

ENDLESS = {
    "CAN": Endless({"a.can": CAN}, "a.can", "A [ G clock >= 0 ]", "A [ G clock < 3 ]"),
    "AgentSpeak": Endless(
        {"a.mas": "agent a = a.asl\n", "a.asl": COUNTING.format(next=".plus(N,1,M); +c(M)")},
        "a.mas",
        "A [ G !Bel(a, c(-1)) ]",
        "A [ G !Bel(a, c(3)) ]",
    ),
    "Jason": Endless(
        {"m.mas2j": "MAS m { agents: a; }", "a.asl": COUNTING.format(next="+c(N+1)")},
        "m.mas2j",
        "A [ G !Bel(a, c(-1)) ]",
        "A [ G !Bel(a, c(3)) ]",
    ),
    "Gwendolen": Endless(
        {"a.gwendolen": "agents = a.gwen\n", "a.gwen": GWENDOLEN},
        "a.gwendolen",
        "A [ G !Bel(a, c(1)) ]",
        "A [ G !Bel(a, c(s(s(0)))) ]",
    ),
    "Dribble": Endless(
        {"a.dribble": DRIBBLE}, "a.dribble", "A [ G (B(b1) | !B(b1)) ]", "A [ G !B(b1) ]"
    ),
    "LISA": Endless(
        {"a.sej": LISA}, "a.sej", "A [ G (noted = 0 | noted = 1) ]", "A [ G noted = 0 ]"
    ),
}


@pytest.fixture(params=ENDLESS)
def endless(request: pytest.FixtureRequest) -> Endless:
    return ENDLESS[request.param]


@pytest.fixture
def path(endless: Endless, tmp_path: Path) -> Path:
    for name, text in endless.files.items():
        (tmp_path / name).write_text(text)
    return tmp_path / endless.name


@pytest.mark.parametrize(
    "limit",
    [("--max-states", "200"), ("--max-memory", "200k"), ("--timeout", "0.01")],
    ids=lambda each: each[0],
)
def test_a_property_that_the_limit_leaves_open_is_unknown(
    volition: Volition, endless: Endless, path: Path, limit: tuple[str, str]
) -> None:
    ended = volition("check", path, "-p", endless.safe, *limit)
    assert (ended.exit_code, "unknown:" in ended.out) == (3, True), ended.out + ended.err
    assert "holds" not in ended.out


def test_a_counterexample_near_the_start_is_found(
    volition: Volition, endless: Endless, path: Path
) -> None:
    ended = volition("check", path, "-p", endless.unsafe, "--max-states", "10k")
    assert (ended.exit_code, "violated" in ended.out) == (1, True), ended.out + ended.err


def test_other_commands_end_too(volition: Volition, path: Path) -> None:
    assert volition("explore", path, "--max-states", "100").exit_code == 3
    assert volition("run", path, "--cycles", "30").exit_code == 0

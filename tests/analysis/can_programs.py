"""Small CAN programs with parameters of every kind, for tests."""

from __future__ import annotations

from pathlib import Path

from volition.diagnostics import Source
from volition.languages.can import CanProgram, parse

__all__ = ["SMART_MANUFACTURING", "coin", "gambler", "program"]

EXAMPLES = Path(__file__).parents[2] / "examples"
SMART_MANUFACTURING = EXAMPLES / "can" / "smart_manufacturing.can"

GAMBLER = """
// Parameters
p = 0.5, q = 0.25, loss = 1 - q, stake = 2, patience = 3, bound = 0.1

// Initial belief bases
tries = patience

// External events
play

// Plan library
play : true <- goal(won, try, ruined).
try : true <- toss.
try : tries > 0 <- gamble.

// Actions description
toss : true <- p: <{},{won}> + 1 - p: <{},{tossed}>
gamble : true <- q: <{},{won, rich}> + loss * p: <{},{ruined}> + loss * (1 - p): <{},{tries := tries - 1}>

// Labels
scarce : tries < bound.

// Rewards
cost : toss = 1, gamble = stake.
"""  # noqa: E501


COIN = """
// External events
play
// Plan library
play : true <- goal(won, toss, lost).
toss : true <- fair.
toss : true <- risky.
// Actions description
fair : true <- 0.5: <{},{won}> + 0.5: <{},{}>
risky : true <- 0.5: <{},{won}> + 0.5: <{},{lost}>
// Rewards
cost : fair = 1, risky = 1.
"""


def coin(**other: str) -> str:
    """Toss a fair coin until it wins, or take a risk, once, as a text; another line may be given
    for ``risky`` or ``cost``."""
    lines = [
        f"{name} : {other[name]}" if (name := line.partition(" :")[0]) in other else line
        for line in COIN.split("\n")
    ]
    return "\n".join(lines)


def program(text: str, **settings: str) -> CanProgram:
    """A program from its text."""
    return parse(Source("test.can", text), "test", settings)


def gambler(old: str = "", new: str = "", **settings: str) -> CanProgram:
    """A gambler who tosses a coin until he wins (with p = 0 for ever), or gambles, as long as he
    can."""
    assert old in GAMBLER
    return program(GAMBLER.replace(old, new) if old else GAMBLER, **settings)

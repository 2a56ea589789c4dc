"""``SelectEvent`` and ``SelectIntention``: which event, and which intention, comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.agentspeak.systems import explored

EVENTS = {"a": "!f. !g. !h. +!f <- +f. +!g <- +g. +!h <- +h."}
INTENTIONS = {"a": "!f. !g. +!f <- +f1; +f2; +f3; +f4; +f5. +!g <- +g1; +g2; +g3; +g4; +g5."}


@pytest.mark.parametrize(
    ("policy", "order"),
    [
        ("fifo", "f, g, h"),
        ("lifo", "h, g, f"),
        ("priority(g)", "g, f, h"),
        ("priority(h, g)", "h, g, f"),
    ],
)
def test_events_come_in_the_order_of_the_policy(tmp_path: Path, policy: str, order: str) -> None:
    """Belief events that come meanwhile have no plan and go; the goals are handled in the policy's
    order, so beliefs are acquired in it."""
    system = explored(tmp_path, EVENTS, options=f"SelectEvent = {policy}")
    acquired = {
        ", ".join(each.atom.functor for each in value)
        for value in system.space.column("a.beliefs")[1]
    }
    assert order in acquired
    assert not [text for text in acquired if text.count(",") == 2 and text != order]


def test_nondeterministic_events_come_in_every_order(tmp_path: Path) -> None:
    system = explored(tmp_path, EVENTS, options="SelectEvent = nondeterministic")
    acquired = {
        ", ".join(each.atom.functor for each in value)
        for value in system.space.column("a.beliefs")[1]
    }
    assert {"f, g, h", "f, h, g", "g, f, h", "g, h, f", "h, f, g", "h, g, f"} <= acquired


def test_round_robin_is_the_default_for_intentions(tmp_path: Path) -> None:
    system = explored(tmp_path, INTENTIONS)
    assert system.check("[] (Bel(f3) -> Bel(g1)) & [] (Bel(g3) -> Bel(f2))")


@pytest.mark.parametrize(
    ("policy", "first", "second"),
    [("fifo", "f", "g"), ("priority(g, f)", "g", "f"), ("priority(f)", "f", "g")],
)
def test_intentions_may_run_to_their_end(
    tmp_path: Path, policy: str, first: str, second: str
) -> None:
    system = explored(tmp_path, INTENTIONS, options=f"SelectIntention = {policy}")
    assert system.check(f"[] (Bel({second}3) -> Bel({first}5))")


def test_the_youngest_intention_first(tmp_path: Path) -> None:
    """The second intention comes one cycle later and then runs to its end."""
    system = explored(tmp_path, INTENTIONS, options="SelectIntention = lifo")
    assert system.check("[] (Bel(f2) -> Bel(g5))")


def test_nondeterministic_intentions_interleave_freely(tmp_path: Path) -> None:
    system = explored(tmp_path, INTENTIONS, options="SelectIntention = nondeterministic")
    assert system.check("E [ <> (Bel(f5) & !Bel(g1)) ]")
    assert system.check("E [ <> (Bel(g5) & !Bel(f2)) ]")
    assert system.check("<> (Bel(f5) & Bel(g5))")


def test_each_agent_may_have_its_own_functions(tmp_path: Path) -> None:
    program = explored(
        tmp_path,
        {"a": EVENTS["a"], "b": EVENTS["a"]},
        options="SelectEvent = lifo\nb.SelectEvent = fifo",
    ).program
    assert {name: str(each.select_event) for name, each in program.settings.items()} == {
        "a": "lifo",
        "b": "fifo",
    }

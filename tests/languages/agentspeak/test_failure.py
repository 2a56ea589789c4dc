"""Plan failure (named as future work in Sect. 7): ``on_failure = event`` posts ``-!g``, ``drop`` is
the behaviour as printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.agentspeak.systems import explored

REASONS = {
    "no applicable plan": "+!h : never <- +x.",
    "a failed test goal": "+!h <- ?nothing(X).",
    "a false comparison": "+!h <- 1 > 2.",
    "a sum of names": "+!h <- .plus(a,b,X).",
    "an empty choice": "+!h <- .random([],X).",
    "an unknown receiver": "who(nobody). +!h : who(W) <- .send(W, tell, p).",
}


@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS.keys())
def test_a_failed_goal_is_handled_and_the_plan_goes_on(tmp_path: Path, reason: str) -> None:
    agent = f"!g. {reason} +!g <- !h; +after. -!h <- +handled."
    system = explored(tmp_path, {"a": agent}, options="on_failure = event")
    assert system.check("<> (Bel(handled) & Bel(after)) & (!Bel(after) W Bel(handled))")


@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS.keys())
def test_as_printed_the_intention_waits_for_ever(tmp_path: Path, reason: str) -> None:
    agent = f"!g. {reason} +!g <- !h; +after. -!h <- +handled."
    system = explored(tmp_path, {"a": agent}, options="on_failure = drop")
    assert system.check("[] (!Bel(handled) & !Bel(after))")


def test_an_unhandled_failure_passes_to_the_goal_below(tmp_path: Path) -> None:
    agent = "!f. +!f <- !g; +after_g. +!g <- !h; +after_h. +!h : never <- +x. -!g <- +handled."
    system = explored(tmp_path, {"a": agent}, options="on_failure = event")
    assert system.check("<> (Bel(handled) & Bel(after_g)) & [] !Bel(after_h)")


def test_a_failure_that_nobody_handles_drops_the_intention(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "!f. +!f <- !g; +after. +!g <- ?nothing(X)."}, options="on_failure = event"
    )
    assert system.check("<> [] (!Int(a, f) & !Des(a, f)) & [] !Bel(after)")
    assert "" in system.column("a.means")


def test_a_handler_that_fails_passes_the_failure_on(tmp_path: Path) -> None:
    agent = "!f. +!f <- !g. +!g <- 1 > 2. -!g <- 2 > 3. -!f <- +handled."
    assert explored(tmp_path, {"a": agent}, options="on_failure = event").check("<> Bel(handled)")


def test_a_plan_for_a_belief_event_that_fails_is_dropped(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "!g. +!g <- +p. +p <- 1 > 2; +after."}, options="on_failure = event"
    )
    assert "a: checks 1 > 2, which is false: the intention is dropped" in system.texts()
    assert system.check("[] !Bel(after)")


def test_a_handler_knows_the_goals_arguments(tmp_path: Path) -> None:
    agent = "!go(3). +!go(X) : never <- +x. -!go(X) <- +failed(X)."
    assert explored(tmp_path, {"a": agent}, options="on_failure = event").check("<> Bel(failed(3))")


def test_the_goal_that_fails_is_the_one_that_was_posted(tmp_path: Path) -> None:
    agent = "!g(1). !g(2). +!g(_) <- ?nothing(0). -!g(X) <- +failed(X). -!g(3) <- +failed(3)."
    system = explored(tmp_path, {"a": agent}, options="on_failure = event")
    assert system.check("<> Bel(failed(1)) & <> Bel(failed(2)) & [] !Bel(failed(3))")

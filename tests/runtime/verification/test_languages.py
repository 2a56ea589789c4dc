"""Verified choices in languages whose agents do not think in LISA's cycles: plans in CAN, events in
AgentSpeak(F)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import volition
from tests.runtime.verification.crossing import PROJECT, number
from volition.diagnostics import Diagnostics

CAN = PROJECT.parents[1] / "can"


def project(folder: Path, program: str, objective: str) -> Path:
    copy = folder / program
    copy.write_text((CAN / program).read_text())
    copy.with_suffix(".run").write_text(
        f"select = verified\n[verification]\nobjective = {objective}\n"
    )
    return copy


def test_a_can_agent_takes_the_careful_way(tmp_path: Path) -> None:
    """By any choices it may fail, by the best it never does (the properties of the example)."""
    rover = project(tmp_path, "rover.can", "Pmax=? [ F (SS1 & SS2) ]")
    for seed in range(5):
        ended = volition.run(rover, seed=seed, until="SS1 & SS2")
        assert ended.reason == "SS1 & SS2"


def test_the_best_option_is_worth_what_check_says(tmp_path: Path) -> None:
    factory = project(tmp_path, "smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]")
    choices: list[dict[str, object]] = []
    volition.run(
        factory,
        watch=lambda kind, fields: choices.append(dict(fields)) if kind == "choice" else None,
    )
    best = max(option["q"]["objective"] for option in choices[0]["options"])  # type: ignore[attr-defined]
    (answer,) = volition.check(CAN / "smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]")
    assert best == pytest.approx(number(answer), abs=1e-9)


@pytest.mark.parametrize(
    ("objective", "first"),
    [("Pmax=? [ F Bel(a, early) ]", True), ("Pmin=? [ F Bel(a, early) ]", False)],
)
def test_an_agentspeak_agent_takes_the_event_that_leads_where_it_is_asked_to(
    tmp_path: Path, objective: str, first: bool
) -> None:
    """Whoever handles ``second`` first finds the door closed, by the order of the program in every
    run."""
    (tmp_path / "a.asl").write_text(
        "open.\n!second.\n!first.\n+!first : open <- +early.\n+!first : not(open) <- "
        "+late.\n+!second : true <- -open.\n"
    )
    (tmp_path / "a.mas").write_text("agent a = a.asl\na.SelectEvent = nondeterministic\n")
    (tmp_path / "a.run").write_text(f"select = verified\n[verification]\nobjective = {objective}\n")
    for seed in range(5):
        choices: list[dict[str, object]] = []
        ended = volition.run(
            tmp_path / "a.mas",
            seed=seed,
            watch=lambda k, f: choices.append(dict(f)) if k == "choice" else None,  # noqa: B023
        )
        assert ended.reason == "no further step is possible"
        values = [option["q"]["objective"] for option in choices[0]["options"]]  # type: ignore[attr-defined]
        assert sorted(values) == [0, 1]
        early = (
            volition.run(tmp_path / "a.mas", seed=seed, until="Bel(a, early)").reason
            == "Bel(a, early)"
        )
        assert early is first


def test_who_never_chooses_is_told_so() -> None:
    warnings = Diagnostics()
    volition.run(
        PROJECT.parents[1] / "gwendolen" / "lucky_dip",
        objective="Pmax=? [ F true ]",
        cycles=3,
        warnings=warnings,
    )
    assert [each.code for each in warnings.warnings] == ["RUN216"]


def test_who_chooses_by_verification_must_say_by_what(tmp_path: Path) -> None:
    copy = tmp_path / "rover.can"
    copy.write_text((CAN / "rover.can").read_text())
    with pytest.raises(volition.InputError, match="no query that chooses plans"):
        volition.run(copy, selector="verified")


@pytest.mark.parametrize(
    "query", ["objective = Pmax=? [ F Bel(done_1) ]", "safety = P>=0.9 [ F Bel(done_1) ]"]
)
def test_a_query_that_chooses_implies_the_verified_selector(tmp_path: Path, query: str) -> None:
    copy = tmp_path / "rover.can"
    copy.write_text((CAN / "rover.can").read_text())

    def deciders(stated: str, **options: Any) -> set[str]:
        (tmp_path / "rover.run").write_text(f"{stated}\n[verification]\n{query}\n")
        found: set[str] = set()
        volition.run(
            copy,
            cycles=4,
            watch=lambda kind, fields: found.add(fields["by"]) if kind == "choice" else None,
            **options,
        )
        return found

    assert (
        deciders("")
        == deciders("select = verified")
        == deciders("select = random", selector="verified")
        == {"verified"}
    )
    assert (
        deciders("", selector="first") == deciders("select = random", selector="first") == {"first"}
    )
    for stated in ("first", "random"):
        with pytest.raises(volition.InputError, match="RUN217") as caught:
            deciders(f"select = {stated}")
        (refused,) = caught.value.diagnostics
        assert refused.span is not None
        assert refused.span.text == query
    with pytest.raises(volition.InputError, match="RUN217"):
        deciders("", selector="random", objective="Pmax=? [ F Bel(done_1) ]")

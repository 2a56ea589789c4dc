"""Runs as evidence: as short as possible, with the loop where it matters, and as deep as useful."""

from __future__ import annotations

import pytest

from tests.checking.properties import on_graph
from tests.checking.small_systems import SmallSystem
from volition.checking.graph import qualitative
from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.graph.witnesses import find_evidence
from volition.checking.verdict import Run
from volition.logic import parse
from volition.logic.syntax import Formula

#      0 ──▶ 1 ──▶ 2 ⟲      a in 0, 1 and 4; b in 2; c in 5
#      │           ▲
#      └──▶ 3 ──▶ 4 ⇄ 5
WAYS = SmallSystem(
    edges=(((0, 1), (0, 3)), ((0, 2),), ((0, 2),), ((0, 4),), ((0, 5), (0, 2)), ((0, 4),)),
    labels=(
        frozenset("a"),
        frozenset("a"),
        frozenset("b"),
        frozenset(),
        frozenset("a"),
        frozenset("c"),
    ),
)


def told(run: Run | None) -> tuple[list[int], int | None] | None:
    """The states of the small system, in order, and the loop."""
    return (
        None
        if run is None
        else ([int(run.space.value(state, "at")) for state in run.states], run.loop)
    )


@pytest.mark.parametrize(
    ("formula", "holds", "run"),
    [
        ("E [ F b ]", True, ([0, 1, 2], None)),
        ("E [ F c ]", True, ([0, 3, 4, 5], None)),
        ("A [ G !c ]", False, ([0, 3, 4, 5], None)),
        ("A [ F c ]", False, ([0, 1, 2], 2)),
        ("A [ F b ]", False, ([0, 3, 4, 5], 2)),
        ("E [ a U b ]", True, ([0, 1, 2], None)),
        ("E [ G F c ]", True, ([0, 3, 4, 5], 2)),
        ("E [ (G F c) & (G F a) ]", True, ([0, 3, 4, 5], 2)),
        ("A [ G (c -> X b) ]", False, ([0, 3, 4, 5, 4], None)),
        ("A [ G (c -> F b) ]", False, ([0, 3, 4, 5], 2)),
        ("E [ X X b ]", True, ([0, 1, 2], None)),
        ("AX a", False, ([0, 3], None)),
        ("E [ F c ] & E [ F b ]", True, ([0, 3, 4, 5], None)),
        ("A [ G !c ] | A [ G !b ]", False, ([0, 3, 4, 5], None)),
        ("a -> A [ F b ]", False, ([0, 3, 4, 5], 2)),
        ("EF (c & EF b)", True, ([0, 3, 4, 5, 4, 2], None)),
        ("EF EG b", True, ([0, 1, 2], 2)),
        ("AG EF b", True, None),
        ("AG AF b", False, ([0, 3, 4, 5], 2)),
        ("E [ F<=2 b ]", True, ([0, 1, 2], None)),
        ("b", False, None),
    ],
)
def test_runs_show_why(formula: str, holds: bool, run: tuple[list[int], int | None] | None) -> None:
    verdict = on_graph(WAYS, WAYS.explored(), parse(formula))
    assert verdict.holds is holds
    assert told(verdict.run) == run


def test_a_state_in_which_nothing_moves_repeats() -> None:
    system = SmallSystem(edges=(((0, 1),), ()), labels=(frozenset("a"), frozenset("b")))
    verdict = on_graph(system, system.explored(), parse("A [ G F a ]"))
    assert verdict.holds is False
    assert told(verdict.run) == ([0, 1], 1)
    assert on_graph(system, system.explored(), parse('A [ F G "deadlock" ]')).holds is True


def test_no_evidence_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    formulas: list[Formula] = []

    def counted(satisfaction: Satisfaction, formula: Formula, holds: bool) -> Run | None:
        formulas.append(formula)
        return find_evidence(satisfaction, formula, holds)

    monkeypatch.setattr(qualitative, "find_evidence", counted)
    verdict = on_graph(WAYS, WAYS.explored(), parse("E [ F b ]"))
    assert verdict.holds
    assert formulas == []
    assert verdict.run is verdict.run is not None
    assert len(formulas) == 1, "it is found once"

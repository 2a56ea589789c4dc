"""Names in worlds that were probably meant to be others."""

from __future__ import annotations

import pytest

from volition.diagnostics import Diagnostic, Diagnostics, Source
from volition.languages.world import load_world

WORLD = """\
parameter most = 2
variable place = hall
variable carried = nothing_there
percept at(Place) seen by butler
percept stock(Drink, N) seen by butler
fact owed(Agent, Drink)
action walk(Place) do remove at(_); place := Place; add at(Place)
action open(fridge) when place = fridge do remove stock(_, _); add stock(juice, 1)
action take(Drink) by Agent
    when place = fridge and carried = nothing_there and count(owed(Agent, juice)) < most
    do carried := Drink; remove stock(Drink, _); add owed(Agent, Drink)
label somebody_owes = owed(_, juice)
"""
AGENT = (
    "+!start <- walk(fridge); open(fridge); take(juice). +stock(D, N) : at(P) <- .print(D). // "
    "a comment with fridgx"
)


def found(world: str, agent: str = AGENT) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    load_world(
        Source("w.world", world), ("butler",), {}, diagnostics, beside=[Source("butler.asl", agent)]
    )
    return list(diagnostics)


def test_a_world_whose_names_agree_is_accepted() -> None:
    assert found(WORLD) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "marked", "hint"),
    [
        (
            "when place = fridge do",
            "when placz = fridge do",
            "WLD037",
            "placz = fridge",
            "did you mean 'place'?",
        ),
        (
            "when place = fridge do",
            "when fridge != placz do",
            "WLD037",
            "fridge != placz",
            "did you mean 'place'?",
        ),
        (
            "when place = fridge do",
            "when mosst = 2 do",
            "WLD037",
            "mosst = 2",
            "did you mean 'most'?",
        ),
        (
            "when place = fridge do",
            "when place = fridgx do",
            "WLD038",
            "fridgx",
            "did you mean 'fridge'?",
        ),
        (
            "= nothing_there and",
            "= nothing_ther and",
            "WLD038",
            "nothing_ther",
            "did you mean 'nothing_there'?",
        ),
        ("action open(fridge)", "action open(frige)", "WLD038", "frige", "did you mean 'fridge'?"),
        ("owed(_, juice)", "owed(_, juce)", "WLD038", "juce", "did you mean 'juice'?"),
        (
            "count(owed(Agent, juice))",
            "count(owed(Agent, jiuce))",
            "WLD038",
            "jiuce",
            "did you mean 'juice'?",
        ),
        ("add stock(juice, 1)", "add stock(juicy, 1)", "WLD039", "juicy", "did you mean 'juice'?"),
        (
            "carried = nothing_there\n",
            "carried = nothing_thre\n",
            "WLD039",
            "nothing_thre",
            "did you mean 'nothing_there'?",
        ),
        (
            "remove stock(Drink, _)",
            "remove stock(Drnk, _)",
            "WLD040",
            "Drnk",
            "did you mean 'Drink'?",
        ),
        ("owed(_, juice)", "owed(Who, juice)", "WLD040", "Who", "write _ for any value"),
        (
            "fact owed(Agent, Drink)",
            "fact owed(Agent, Drink)\nfact lost(X) initially lost(1)",
            "WLD041",
            "lost",
            None,
        ),
        (
            "fact owed(Agent, Drink)",
            "fact owed(Agent, Drink)\npercept statr initially statr",
            "WLD041",
            "statr",
            "did you mean 'start'?",
        ),
    ],
)
def test_a_slip_in_a_name_is_found(
    old: str, new: str, code: str, marked: str, hint: str | None
) -> None:
    assert old in WORLD
    slips = [each for each in found(WORLD.replace(old, new, 1)) if each.code == code]
    assert [(each.span.text if each.span else None, each.hint) for each in slips][:1] == [
        (marked, hint)
    ]


@pytest.mark.parametrize(
    "addition",
    [
        "step s when place = most do nothing",
        "step s when 1 = 1 do nothing",
        "step s when some D in {juice, wine}: place = D do nothing",
        "step s when place = cellar1 or place = cellar2 do either { place := cellar1 } or { place "
        ":= cellar2 }",
        "step s when stock(D, N) and N = most and D = juice do place := butler",
    ],
)
def test_names_that_are_meant_get_no_warning(addition: str) -> None:
    assert found(WORLD + addition) == []

"""Warnings about names in Gwendolen programs that are legal and probably misspelt."""

from __future__ import annotations

from pathlib import Path

import pytest

from volition.languages import load

PROGRAM = """GWENDOLEN
:name: child
:Initial Beliefs:
ticket(red)
:Reasoning Rules:
happy :- has(toy);
happy :- scratched(star), ticket(Colour), ~lost(Colour);
:Initial Goals:
happy [achieve]
:Plans:
+!happy [achieve] : {B ticket(red), ~B scratched(_)} <- scratch(Sign), +scratched(Sign);
+!happy [achieve] : {True} <- dip(Prize), +has(Prize), +seen;
+lost(Colour1) : {B ticket(Colour2), ~B has(toy)} <- +has(star), -ticket(Colour2), -seen, -!happy [achieve];
+.received(:tell, lost(X)) : {B seen} <- +lost(red);
"""  # noqa: E501


def warned(folder: Path, text: str) -> list[tuple[str, str | None]]:
    (folder / "a.gwen").write_text(text)
    return [
        (each.code, each.hint)
        for each in load(folder / "a.gwen").warnings
        if each.code in ("GWN037", "GWN038")
    ]


def test_a_sensible_program_gives_no_alarm(tmp_path: Path) -> None:
    assert warned(tmp_path, PROGRAM) == []


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        (
            "scratch(Sign)",
            "scratch(Signn)",
            [("GWN037", "did you mean 'Sign'?"), ("GWN037", "did you mean 'Signn'?")],
        ),
        ("~lost(Colour);", "~lost(_);", [("GWN037", "write _ for any value")]),
        ("+lost(Colour1)", "+lost(Colourr)", [("GWN037", "did you mean 'Colour2'?")]),
        ("happy :- has(toy)", "happpy :- has(toy)", [("GWN038", "did you mean 'happy'?")]),
        ("ticket(red)", "tickett(red)", [("GWN038", "did you mean 'ticket'?")]),
        ("-!happy", "-!hapy", [("GWN038", "did you mean 'happy'?")]),
        (", +seen", ", +sen", [("GWN038", "did you mean 'seen'?")]),
        ("scratched(star)", "scratched(sttar)", [("GWN038", "did you mean 'star'?")]),
    ],
)
def test_a_slip(
    right: str, wrong: str, expected: list[tuple[str, str | None]], tmp_path: Path
) -> None:
    found = warned(tmp_path, PROGRAM.replace(right, wrong, 1))
    assert [each for each in found if each in expected] == expected

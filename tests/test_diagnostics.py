"""Errors as data."""

from __future__ import annotations

import pickle

from volition.diagnostics import Diagnostic, InputError, Source, render


def test_an_error_from_another_process_says_the_same() -> None:
    error = InputError([Diagnostic("CAN001", "unexpected 'x'", Source("a.can", "move x").span(5, 6), "leave it out")])
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, InputError)
    assert str(again) == str(error)
    assert [each.code for each in again.diagnostics] == ["CAN001"]


def test_of_a_very_long_line_the_place_is_shown() -> None:
    source = Source("a.can", "x" * 100_000 + "!" + "y" * 100_000)
    shown = render(Diagnostic("CAN001", "unexpected '!'", source.span(100_000, 100_001)))
    line, carets = shown.splitlines()[3:5]
    assert len(shown) < 2_000
    assert line[carets.index("^")] == "!"
    assert "a.can:1:100001" in shown

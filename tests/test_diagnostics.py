"""Errors as data."""

from __future__ import annotations

import pickle

from volition.diagnostics import Diagnostic, InputError, Source


def test_an_error_from_another_process_says_the_same() -> None:
    error = InputError([Diagnostic("CAN001", "unexpected 'x'", Source("a.can", "move x").span(5, 6), "leave it out")])
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, InputError)
    assert str(again) == str(error)
    assert [each.code for each in again.diagnostics] == ["CAN001"]

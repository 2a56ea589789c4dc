"""What goes over to Storm: each model once, however much is asked of it, and nothing where we
answer ourselves."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from volition import check, load
from volition.checking.storm.client import StormModel

EXAMPLES = Path(__file__).parents[3] / "examples"

TEN = [
    *(f"P{best}=? [ F PS{number} ]" for best in ("min", "max") for number in (1, 2)),
    *(f"P{best}=? [ F (PS1 {joined} PS2) ]" for best in ("min", "max") for joined in "&|"),
    "Pmax=? [ (F PS1) & (G F !PS2) ]",
    "Pmin=? [ F<=12 (PS1 | PS2) ]",
]


@pytest.fixture
def transfers(caplog: pytest.LogCaptureFixture) -> Iterator[Counter[str]]:
    """How often Storm was asked for what, from now on: filled while the test runs."""
    queried: Counter[str] = Counter()
    log = logging.getLogger("volition.checking.storm.client")
    caplog.set_level(logging.DEBUG, logger=log.name)

    class Counting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.msg == "calling %s":
                queried[record.getMessage().removeprefix("calling ")] += 1

    counting = Counting()
    log.addHandler(counting)
    yield queried
    log.removeHandler(counting)


def test_ten_questions_load_one_model(
    transfers: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere = []
    ask = StormModel.ask

    def seen(self: StormModel, method: str, *arguments: Any, **options: Any) -> Any:
        everywhere.append(options.get("everywhere"))
        return ask(self, method, *arguments, **options)

    monkeypatch.setattr(StormModel, "ask", seen)
    report = check(load(EXAMPLES / "can" / "smart_manufacturing.can"), TEN)
    assert all("Storm" in answer.verdict.method for answer in report.answers[:9])
    assert transfers["load"] == 1
    assert (
        transfers["check"]
        == len(everywhere)
        == len([answer for answer in report if "Storm" in answer.verdict.method])
    )
    assert set(everywhere) == {False}


def test_a_set_of_states_goes_over_once(transfers: Counter[str]) -> None:
    check(
        load(EXAMPLES / "can" / "smart_manufacturing.can"),
        ["Pmax=? [ F PS1 ]", "Pmin=? [ F PS1 ]", "Pmax=? [ G !PS1 ]"],
    )
    assert transfers["label"] <= 2  # where it holds, and where it does not


def test_a_large_model_stays_here(transfers: Counter[str]) -> None:
    properties = [
        "P=? [ F<=100 mission_complete = 1 ]",
        'R{"fuel"}=? [ F mission_complete = 1 ]',
        "P=? [ F (error = 0 & mission_complete = 1) ]",
    ]
    report = check(load(EXAMPLES / "lisa" / "vessel_dtmc"), properties)
    assert all(answer.verdict.value is not None for answer in report)
    assert not transfers

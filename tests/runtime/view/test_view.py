"""A run to look at: what the page says in a real browser, and that it neither fetches anything nor
takes a text for HTML."""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import volition
from tests.notebook.browser import Loaded, load, needs_chromium
from tests.runtime.view.records import HOSTILE, drive, steps, written
from volition import InputError
from volition.runtime.record import read_record
from volition.runtime.view import LiveView, events_of, render_page

MINE_HUNT = Path(__file__).parents[3] / "examples" / "lisa" / "mine_hunt"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return written(tmp_path / "run.jsonl", drive(name=f"a vessel {HOSTILE}"))


def at(page: Path, moment: float, picture: str = "map") -> Loaded:
    return load(f"{page.as_uri()}#t={moment}&picture={picture}", page.parent)


def saved(folder: Path, *records: Path) -> Path:
    page = folder / "run.html"
    page.write_text(volition.view(*records))
    return page


def text_of(dom: str, name: str) -> str:
    """What a person reads in an element of some class."""
    found = re.search(rf'<div class="{name}">(.*?)</div>', dom, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split())


def test_a_page_is_whole(record: Path) -> None:
    page = volition.view(record)
    assert not re.search(r"(src|href)=|https?://|@import|url\(", page.replace("img src=x", "")), (
        "it asks nobody for anything"
    )
    assert page.count("</script>") == 2, (
        "one record and the scripts; nothing in the record ends its element"
    )


@needs_chromium
def test_the_mind_at_a_moment(record: Path, tmp_path: Path) -> None:
    page = saved(tmp_path, record)
    begin, middle, chosen, odd = (at(page, moment) for moment in (0, 4, 20, 30))
    assert "Start mission" in text_of(begin.dom, "mind")
    assert "cycle 4" in text_of(middle.dom, "mind")
    assert "plan 1 [Activate drive mode.] (2 of 2)" in text_of(middle.dom, "mind")
    assert "Drive mode within 2 more cycles; window 1 to 3" in text_of(middle.dom, "mind")
    assert "chosen by verified: plan_1" in chosen.dom
    assert "0.75" in chosen.dom
    assert re.search(r"comes home\s*<output>\s*0.333", chosen.dom), "a query has a chart of its own"
    assert "onerror=alert" in odd.dom
    assert "<img" not in odd.dom, "a text stays a text"
    assert not [line for each in (begin, middle, chosen, odd) for line in each.console]


@needs_chromium
def test_the_sea_has_no_complaints(record: Path, tmp_path: Path) -> None:
    assert not at(saved(tmp_path, record), 12, "sea").console


@needs_chromium
def test_two_runs_side_by_side(tmp_path: Path) -> None:
    one, other = (
        written(tmp_path / "one.jsonl", drive()),
        written(tmp_path / "other.jsonl", drive(storm=47)),
    )
    assert "first difference at 00:40" in at(saved(tmp_path, one, other), 0).dom
    assert "the two runs do not differ" in at(saved(tmp_path, one, one), 0).dom


@needs_chromium
def test_an_agent_without_a_vessel(tmp_path: Path) -> None:
    loaded = at(saved(tmp_path, written(tmp_path / "run.jsonl", steps())), 0)
    assert "step 1: robot: execute cR" in text_of(loaded.dom, "mind")
    assert "beliefs" in text_of(loaded.dom, "mind")
    assert 'class="pictures" hidden' in loaded.dom
    assert not loaded.console


@needs_chromium
def test_several_agents_share_a_moment(tmp_path: Path) -> None:
    """Each with its own part of the mind, in its own words."""
    record = tmp_path / "run.jsonl"
    volition.run(MINE_HUNT, world="python", trust=True, seed=2, record=record)
    loaded = at(saved(tmp_path, record), 14)
    mind = text_of(loaded.dom, "mind")
    assert "cycle 14" in mind
    assert "vessel: beliefs Survey due Waiting for the drone" in mind
    assert "drone: plans plan 1 [Look from above.]" in mind
    assert "drone: called look_from_above plan_1" in mind
    assert "drone: plan_1 of plan_1, plan_2 (random)" in loaded.dom
    assert not loaded.console


def test_one_run_or_two(record: Path) -> None:
    with pytest.raises(InputError, match="not 3"):
        volition.view(record, record, record)


# --- live -----------------------------------------------------------------------------------------


@pytest.fixture
def served(tmp_path: Path) -> Iterator[LiveView]:
    view = LiveView(tmp_path / "live.jsonl")
    thread = threading.Thread(target=view.serve, daemon=True)
    thread.start()
    yield view
    view.close()
    thread.join()


def answer(view: LiveView, path: str, **headers: str) -> int:
    connection = http.client.HTTPConnection(urlsplit(view.address).netloc, timeout=10)
    connection.request("GET", path, headers=headers)
    return connection.getresponse().status


def test_only_who_knows_the_token_is_answered(served: LiveView) -> None:
    path = urlsplit(served.address).path
    assert answer(served, path) == 200
    assert answer(served, "/") == 404
    assert answer(served, "/../../etc/passwd") == 404
    assert answer(served, path, Host="somewhere.else") == 403


@needs_chromium
def test_a_page_follows_a_record(served: LiveView, tmp_path: Path) -> None:
    lines = drive()
    whole = written(tmp_path / "whole.jsonl", lines).read_text()
    (tmp_path / "live.jsonl").write_text(whole)
    followed = load(served.address, tmp_path)
    assert "cycle 59" in text_of(followed.dom, "mind"), "it stands at the end of what there is"
    assert not followed.console


def test_a_line_is_given_out_when_it_is_whole(tmp_path: Path) -> None:
    record = tmp_path / "live.jsonl"
    record.write_text('{"kind":"world"}\n{"kind":"en')
    events = events_of(record, threading.Event())
    assert next(events) == 'data: {"kind":"world"}\n\n'
    with record.open("a") as file:
        file.write('d"}\n')
    assert list(events) == ['data: {"kind":"end"}\n\n', "event: end\ndata: {}\n\n"]


def test_a_page_may_be_told_to_be_dark(tmp_path: Path) -> None:
    record = read_record(written(tmp_path / "run.jsonl", steps()))
    assert "@media (prefers-color-scheme" in render_page([record])
    for scheme, colours in (("dark", "@media all{:root"), ("light", "@media not all{:root")):
        page = render_page([record], scheme=scheme)  # type: ignore[arg-type]
        assert colours in page
        assert f"color-scheme:{scheme}" in page
        assert "@media (prefers-color-scheme" not in page

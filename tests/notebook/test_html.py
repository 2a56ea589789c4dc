"""Objects in a notebook: HTML that is whole, fetches nothing, and in which a name is never more
than text."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.notebook.browser import look, needs_chromium
from tests.notebook.objects import HOSTILE, hostile_objects, objects
from volition import InputError, Report, SweepResult
from volition.notebook import html

KINDS = (
    "program",
    "overview",
    "space",
    "coverage",
    "report",
    "violated",
    "answer",
    "verdict",
    "run",
    "strategy",
    "simulation",
    "front",
    "estimate",
    "mission",
    "sweep",
    "line",
    "replay",
    "closed form",
    "bare strategy",
    "part of a space",
    "telling",
    "table",
    "exported",
)
HOSTILE_KINDS = ("program", "space", "report", "run", "strategy", "front", "mission", "sweep")
OURS = {
    "div",
    "style",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "p",
    "br",
    "span",
    "details",
    "summary",
}
DRAWN = {"svg", "g", "path", "defs", "use", "clippath", "rect", "metadata", "image"}


class Elements(HTMLParser):
    """Collects elements, attributes and text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links |= {value or "" for name, value in attrs if name.endswith(("href", "src"))}

    def handle_data(self, data: str) -> None:
        self.text += data


def elements(text: str) -> Elements:
    found = Elements()
    found.feed(text)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_object_has_its_html(kind: str) -> None:
    shown = objects()[kind]
    found = elements(shown._repr_html_())  # type: ignore[attr-defined]
    drawn = {tag for tag in found.tags - OURS if not tag.startswith(("rdf:", "cc:", "dc:"))}
    assert drawn <= DRAWN
    assert all(
        link.startswith(("#", "data:", "http://purl.org", "http://creativecommons.org"))
        for link in found.links
    )
    assert repr(shown) not in found.text, "it has a renderer of its own"
    assert len(repr(shown)) < 1000


def test_what_the_objects_say() -> None:
    assert "0.6561" in html(objects()["report"])
    assert "execute cR" in elements(html(objects()["violated"])).text
    assert "the choices depend on wrapped1" in html(objects()["strategy"])
    assert "784" in html(objects()["space"])
    assert "<svg" in html(objects()["front"])
    assert "<svg" in html(objects()["sweep"])
    assert "<svg" in html(objects()["mission"])
    assert "no longer a run of the program" in html(objects()["replay"])
    assert "stopped at the limit of 50 states" in html(objects()["part of a space"])
    assert "digraph states {" in elements(html(objects()["exported"])).text
    assert elements(html(objects()["telling"])).text == elements(html(objects()["run"])).text
    assert "examples/can" not in html(objects()["program"]), "the name of a file is enough"


def test_only_columns_with_something_in_them() -> None:
    assert "rules" in html(objects()["run"])
    assert "rules" not in html(hostile_objects()["run"]).partition("</style>")[2]


def test_counts_stand_at_the_right_and_values_at_the_left() -> None:
    assert '<td class="v-number">11</td>' in html(objects()["strategy"])
    assert "<td>0.3969</td><td>1</td>" in html(objects()["front"])


@pytest.mark.parametrize("kind", HOSTILE_KINDS)
def test_hostile_names_stay_text(kind: str) -> None:
    found = elements(html(hostile_objects()[kind]))
    assert not found.tags & {"img", "script"}
    assert not {name for name in found.attributes if name.startswith("on")}
    assert "example.org" not in " ".join(found.links)
    if kind != "space":
        assert HOSTILE in found.text


def test_without_matplotlib_there_is_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    text = html(objects()["front"])
    assert "<svg" not in text
    assert "plots need Matplotlib" in text
    assert "0.3969" in text


def test_data_frames() -> None:
    pandas = pytest.importorskip("pandas")
    report, sweep = objects()["report"], objects()["line"]
    assert isinstance(report, Report)
    assert isinstance(sweep, SweepResult)
    assert list(report.to_dataframe()["value"]) == [0, 0.6561, 0, 0.3969]
    assert list(sweep.to_dataframe()["pe"]) == [0, 0.25, 0.5, 0.75, 1]
    assert isinstance(sweep.to_dataframe(), pandas.DataFrame)


@pytest.mark.parametrize(
    ("kind", "column", "first"),
    [
        ("run", "plan.steps", None),
        ("telling", "text", "adopt if r1 then cR else {mL; cR}"),
        ("strategy", None, None),
        ("front", None, None),
        ("mission", "success", 0.992),
        ("sweep", "pc", 0),
        ("closed form", "closed form", "(1-pe)^4"),
        ("replay", "outcome", "same"),
        ("coverage", "name", "g1"),
        ("table", "plan", "1"),
    ],
)
def test_what_has_rows_has_a_data_frame(kind: str, column: str | None, first: object) -> None:
    pandas = pytest.importorskip("pandas")
    frame = objects()[kind].to_dataframe()  # type: ignore[attr-defined]
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) > 0
    assert first is None or frame[column].iloc[0] == first


def test_without_pandas_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    report = objects()["report"]
    assert isinstance(report, Report)
    with pytest.raises(InputError, match="data frames need pandas"):
        report.to_dataframe()


@needs_chromium
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_in_a_browser(tmp_path: Path, dark: bool) -> None:
    """Nothing is refused, nothing is said on the console, no name has become an element, and
    something is there."""
    content = "".join(html(each) for each in (*objects().values(), *hostile_objects().values()))
    seen = look(content, tmp_path, dark=dark, height=9000)
    assert seen.console == []
    found = elements(seen.dom)
    assert not found.tags & {"img", "script"}
    assert "title" not in found.tags, "no script has run"
    assert seen.picture.stat().st_size > 100_000


@needs_chromium
def test_a_request_would_be_seen(tmp_path: Path) -> None:
    """The test above can fail."""
    seen = look(
        "<img src='http://example.org/x.png'><script>document.title='run'</script>",
        tmp_path,
        dark=False,
    )
    assert len(seen.console) >= 2

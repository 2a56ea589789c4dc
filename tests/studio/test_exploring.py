"""Walking, weighing, sweeping and running in a real browser."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from benchmarks.manufacturing import manufacturing

import volition
from tests.studio.browser import Browser, Page, browser
from tests.studio.server import EXAMPLES, needs_browser, running_studio

pytestmark = needs_browser


@dataclass(frozen=True)
class Studio:
    """One server and one browser for all tests; each opens a program of its own."""

    address: str
    chromium: Browser
    opened: list[Page] = field(default_factory=list)

    def program(self, path: Path, view: str) -> Page:
        page = self.chromium.tab(self.address)
        self.opened.append(page)
        page.click("input[aria-label=path]")
        page.type(str(path))
        page.press("Enter")
        page.wait_for(".editor .cm-content")
        page.click(".view-tabs .q-tab", view)
        return page


@pytest.fixture(scope="module")
def everybody() -> Iterator[Studio]:
    with running_studio() as address, browser() as chromium:
        yield Studio(address, chromium)


@pytest.fixture
def studio(everybody: Studio) -> Iterator[Studio]:
    """Pages that a test has opened end with it, and the processes behind them."""
    yield everybody
    while everybody.opened:
        everybody.opened.pop().close()


@pytest.fixture
def rover(tmp_path: Path) -> Path:
    return Path(shutil.copyfile(EXAMPLES / "can" / "rover.can", tmp_path / "rover.can"))


def gone(page: Page, selector: str, text: str = "") -> None:
    """Wait until there is no such element any more."""
    page.wait_until(lambda: page.count(selector, text) == 0, f"no {selector} {text!r}")


def chart(page: Page, selector: str, what: str) -> Any:
    """What a chart says about itself."""
    return page.evaluate(
        f"getElement(Number(document.querySelector({json.dumps(selector)}).id.slice(1))).chart.{what}"
    )


def laid_out(page: Page, selector: str) -> None:
    """Wait until a chart has the size of its place, so that what is clicked is where the chart
    says."""
    sizes = (
        "(chart => [chart.getWidth(), chart.getHeight(), chart.getDom().clientWidth, "
        "chart.getDom().clientHeight])"
    )
    script = f"{sizes}(getElement(Number(document.querySelector({json.dumps(selector)}).id.slice(1))).chart)"  # noqa: E501

    def has_its_size() -> bool:
        width, height, *position = page.evaluate(script)
        return bool(position == [width, height])

    page.wait_until(has_its_size, f"{selector} as large as its place")


def downloaded(folder: Path, page: Page, name: str) -> Path:
    page.wait_until(lambda: (folder / name).exists(), f"the file {name}")
    return folder / name


# --- walking --------------------------------------------------------------------------------------


def test_a_walk_by_hand_and_back(studio: Studio, rover: Path, tmp_path: Path) -> None:
    page = studio.program(rover, "Step through")
    page.wait_for(".option", "adopt event site1")
    page.click(".option", "adopt event site1")
    page.click(".option", "look for plans for site1")
    page.wait_for(".so-far .step", "look for plans for site1")
    page.wait_for(".line-shown", "site1, site2")  # the editor shows where it comes from
    page.click("[aria-label='one step back']")
    gone(page, ".so-far .step", "look for plans for site1")
    page.click("button", "× 10")
    page.wait_until(lambda: page.count(".so-far .step") == 11, "eleven steps")
    page.downloads_to(tmp_path)
    page.click("[aria-label='save as a trace']")
    trace = downloaded(tmp_path, page, "walk.json")
    replayed = volition.replay(trace, rover)
    assert replayed.possible
    assert len(replayed) == 11
    assert "volition-studio" not in trace.read_text(), "files are named as in the folder"
    assert not page.complaints


def test_what_each_option_is_worth_and_the_strategy_behind_it(studio: Studio, rover: Path) -> None:
    """The rover's shortest way is 12: 3 to site 1, 5 to site 2, 4 back; back to the base first it
    would be 14."""
    page = studio.program(rover, "Step through")
    page.wait_for(".option")
    page.choose_in(".walk-query", 'R{"distance"}min=?')
    page.wait_for(".option-value", "12")
    assert page.text(".walk-value") == "in this state: 12"
    page.wait_for(".walk-below", "all 664 states are explored")
    page.click("button", "Strategy")
    page.wait_for(".so-far .step")
    page.click("[aria-label='bookmark this state']")
    page.wait_for(".marks", "bookmarks (1)")
    page.click("[aria-label='to the beginning']")
    gone(page, ".so-far .step")
    for _ in range(2):  # the same place, once more
        page.choose_in(".marks", "after 1 step")
        page.wait_for(".so-far .step")
        page.click("[aria-label='to the beginning']")
        gone(page, ".so-far .step")
        gone(page, ".q-menu")
    assert not page.complaints


def test_a_value_that_needs_too_many_states_can_be_stopped(studio: Studio, tmp_path: Path) -> None:
    """Six products have far more states than anybody waits for; the walk goes on without their
    value."""
    program = tmp_path / "large.can"
    program.write_text(f"{manufacturing(6)}\n// Properties\nPmax=? [ F success6 ]\n")
    page = studio.program(program, "Step through")
    page.wait_for(".option")
    page.choose_in(".walk-query", "Pmax")
    page.wait_for(".working", "states explored")
    page.click(".working button", "Stop")
    page.wait_for(".q-notification")
    page.wait_until(lambda: page.value(".walk-query input") == "", "the query is gone")
    page.click(".option", "adopt event product3")
    page.wait_for(".so-far .step", "adopt event product3")
    assert not page.complaints


def test_the_map_leads_to_other_states(studio: Studio, rover: Path) -> None:
    page = studio.program(rover, "Step through")
    page.wait_for(".option")
    page.click(".walk-below .q-tab", "Map")
    page.wait_for(".picture-map svg")
    page.wait_until(
        lambda: len(chart(page, ".picture-map", "getOption().series[0].data")) > 3, "states"
    )
    laid_out(page, ".picture-map")
    nodes = chart(
        page, ".picture-map", "getOption().series[0].data.map(each => [each.state, each.x, each.y])"
    )
    state, x, y = max(nodes, key=lambda node: node[1])
    page.click_at(
        ".picture-map",
        *chart(page, ".picture-map", f"convertToPixel({{seriesIndex: 0}}, [{x}, {y}])"),
    )
    page.click(".walk-below .q-tab", "Steps")
    page.wait_until(
        lambda: page.count(".so-far .step") == 3, "the three steps to the state that was clicked"
    )
    assert state not in (node[0] for node in nodes if node[1] == 0)
    assert not page.complaints


def test_a_walk_through_a_program_of_many_agents(studio: Studio, tmp_path: Path) -> None:
    """Whose mind it is, is told; and the texts of programs are texts."""
    folder = tmp_path / "auction"
    shutil.copytree(EXAMPLES / "agentspeak" / "auction", folder)
    page = studio.program(folder, "Step through")
    page.wait_for(".option-agent")
    page.click("button", "× 10")
    page.wait_until(lambda: page.count(".so-far .step") == 10, "ten steps")
    page.click(".agents button", "ag2")
    page.wait_for(".agents .text-primary", "ag2")
    assert page.count(".atom") > 3
    assert not page.complaints


def test_the_words_of_a_program_are_never_html(studio: Studio, tmp_path: Path) -> None:
    """In the walk, in the map with its tooltips, and in the run."""
    folder, hostile = tmp_path / "crossing", "Water <img src=x onerror=alert(1)>"
    shutil.copytree(EXAMPLES / "lisa" / "crossing", folder)
    for file in folder.rglob("*"):
        if file.is_file():
            file.write_text(file.read_text().replace("Water crossed", hostile))
    page = studio.program(folder, "Step through")
    page.wait_for(".option")
    page.click(".walk-below .q-tab", "Map")
    page.wait_for(".picture-map svg")
    page.choose_in(".depth", "all states")
    page.wait_until(
        lambda: hostile in json.dumps(chart(page, ".picture-map", "getOption().series[0].data")),
        "the word in the map",
    )
    chart(page, ".picture-map", "dispatchAction({type: 'showTip', seriesIndex: 0, dataIndex: 5})")
    page.click("button", "× 10")
    page.click(".walk-below .q-tab", "Steps")
    page.wait_for(".so-far .step", hostile)
    page.click(".view-tabs .q-tab", "Run")
    page.click(".run-page button.bg-primary", "Run")
    page.wait_for(".run-page", "ended after")
    page.wait_until(lambda: in_frame(page, "querySelectorAll('article').length"), "the run")
    assert page.count("img[src=x]") == 0
    assert in_frame(page, "querySelectorAll('img').length") == 0
    assert not page.complaints


# --- trade-offs -----------------------------------------------------------------------------------


def test_the_strategy_of_a_corner(studio: Studio, tmp_path: Path) -> None:
    """The front of the rescuer in docs/guides/trade_offs.md: (0.992, 5.8) is its surest corner,
    (5/7, 10/7) its cheapest."""
    program = shutil.copyfile(EXAMPLES / "can" / "rescue.can", tmp_path / "rescue.can")
    page = studio.program(Path(program), "Trade-offs")
    page.click("button", "Compute")
    page.wait_for(".picture-front svg")
    points = chart(page, ".picture-front", "getOption().series[1].data.map(each => each.value)")
    assert points[0] == pytest.approx([0.992, 5.8])
    assert points[-1] == pytest.approx([5 / 7, 10 / 7])
    laid_out(page, ".picture-front")
    page.click_at(
        ".picture-front",
        *chart(page, ".picture-front", f"convertToPixel({{gridIndex: 0}}, {points[-1]})"),
    )
    page.wait_for(".strategy-place", "Strategy 3")
    assert "select plan 2 for reach_victim" in page.text(".strategy-place"), (
        "who wants it cheap flies"
    )
    page.downloads_to(tmp_path)
    for kind, file, begins in (
        ("as SVG", "front.svg", "<svg"),
        ("as PNG", "front.png", "\x89PNG"),
        ("as CSV", "front.csv", "strategy,"),
    ):
        page.click("button", "Save picture")
        page.click(".q-menu .q-item", kind)
        assert downloaded(tmp_path, page, file).read_bytes().decode("latin-1").startswith(begins)
        gone(page, ".q-menu")
    assert not page.complaints


def test_success_within_a_budget(studio: Studio, tmp_path: Path) -> None:
    """One flight costs 1 and succeeds with 0.5; a second one is possible in 0.3 of the cases: 0.65
    for 2."""
    program = shutil.copyfile(EXAMPLES / "can" / "rescue.can", tmp_path / "rescue.can")
    page = studio.program(Path(program), "Trade-offs")
    page.click(".small-tabs .q-tab", "Mission")
    page.click(".budget input")
    page.type("2")
    page.click("button", "Compute")
    page.wait_for(".picture-low svg")
    assert chart(page, ".picture-low", "getOption().series[0].data") == [
        [0, 0],
        [1, 0.5],
        [2, 0.65],
    ]
    page.click(".decision", "within the budget")
    page.wait_for(".strategy-place", "Within the budget")
    assert not page.complaints


# --- sweeps ---------------------------------------------------------------------------------------


def test_a_sweep_with_a_slider(studio: Studio, tmp_path: Path) -> None:
    """With pc at 0.3 the best value is (1 - pe)^4: 0.6561 where pe is 0.1, 0.4096 where it is 0.2
    (Archibald et al., Sect. 4.2)."""
    program = shutil.copyfile(EXAMPLES / "can" / "smart_manufacturing.can", tmp_path / "robot.can")
    page = studio.program(Path(program), "Sweeps")
    page.click("button", "Sweep")
    page.wait_for(".picture-tall svg")

    def best() -> float:
        data = chart(
            page,
            ".picture-tall",
            "getOption().series.find(each => each.name.startsWith('Pmax')).data",
        )
        return float(next(value for pc, value in data if pc == pytest.approx(0.3)))

    assert best() == pytest.approx(0.6561)
    page.click(".parameter-slider .q-slider__thumb")
    page.press("ArrowRight")
    page.wait_for(".slider-value", "0.2")
    page.wait_until(lambda: best() == pytest.approx(0.4096), "the value further on")
    page.click(".q-btn-toggle button", "Heat map")
    page.wait_until(
        lambda: chart(page, ".picture-tall", "getOption().series[0].type") == "heatmap",
        "the heat map",
    )
    assert len(chart(page, ".picture-tall", "getOption().series[0].data")) == 121
    assert not page.complaints


def test_a_program_without_parameters_says_what_to_do(studio: Studio, tmp_path: Path) -> None:
    program = shutil.copyfile(EXAMPLES / "dribble" / "vacuum.dribble", tmp_path / "vacuum.dribble")
    page = studio.program(Path(program), "Sweeps")
    page.wait_for(".empty", "has no parameters")


# --- runs -----------------------------------------------------------------------------------------


def in_frame(page: Page, what: str) -> Any:
    return page.evaluate(f"document.querySelector('iframe')?.contentDocument?.{what}")


def test_a_recorded_run_is_played(studio: Studio, tmp_path: Path) -> None:
    folder = tmp_path / "vessel_repaired"
    shutil.copytree(EXAMPLES / "lisa" / "vessel_repaired", folder)
    volition.run(folder, cycles=40, record=folder / "sailed.jsonl")
    page = studio.program(folder, "Run")
    page.choose_in(".run-page .q-select.grow:not(.objective)", "sailed.jsonl")
    page.wait_until(
        lambda: in_frame(page, "querySelector('#clock')?.textContent") == "00:00",
        "the beginning of the run",
    )
    page.evaluate("document.querySelector('iframe').contentDocument.querySelector('#play').click()")
    page.wait_until(
        lambda: in_frame(page, "querySelector('#clock').textContent") > "00:02", "time goes on"
    )
    assert in_frame(page, "querySelectorAll('canvas.picture').length") == 2, (
        "the vessel from above, and on its waves"
    )
    assert not page.complaints


def test_a_run_is_watched_while_it_is_made(studio: Studio, rover: Path, tmp_path: Path) -> None:
    page = studio.program(rover, "Run")
    page.click(".run-page button.bg-primary", "Run")
    page.wait_for(".run-page", "ended after")
    page.wait_until(
        lambda: "rover.can" in (in_frame(page, "querySelector('h2')?.textContent") or ""), "the run"
    )
    page.downloads_to(tmp_path)
    page.click("button", "Save record")
    (conformance,) = volition.conform(downloaded(tmp_path, page, "run-1.jsonl"), rover)
    assert conformance.conforms
    assert not page.complaints

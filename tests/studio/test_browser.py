"""The studio in a real browser, used as a person would: from an example to what is behind its
answers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.studio.browser import Browser, Page, browser
from tests.studio.server import EXAMPLES, needs_browser, running_studio

pytestmark = needs_browser


@dataclass(frozen=True)
class Studio:
    """One server and one browser for all tests; each opens tabs of its own."""

    address: str
    chromium: Browser
    own: Path

    def example(self, name: str, language: str) -> Page:
        """An example, opened by a click on the first page."""
        page = self.chromium.tab(self.address)
        self.click_example(page, name, language)
        return page

    @staticmethod
    def click_example(page: Page, name: str, language: str) -> None:
        page.goto_link(".example-group", language, ".example", name)
        page.wait_for(".property")

    def folder(self, path: Path) -> Page:
        """A folder of one's own, opened by its path."""
        page = self.chromium.tab(self.address)
        page.click("input[aria-label=path]")
        page.type(str(path))
        page.press("Enter")
        page.wait_for(".editor .cm-content")
        return page


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with running_studio() as address, browser() as chromium:
        yield Studio(address, chromium, tmp_path_factory.mktemp("own"))


def check_all(page: Page) -> None:
    page.click("button", "Check all")
    page.wait_until(lambda: page.count(".verdict") == page.count(".property"), "all answers")


def test_why_the_auction_violates_its_first_property(studio: Studio) -> None:
    """In three clicks: the example, Check all, Why?.  The plan for the alliance has no more use,
    and its goal is discarded."""
    page = studio.example("auction", "AgentSpeak(F)")
    check_all(page)
    assert page.texts(".verdict", near="P1") == ["violated"]
    page.click("button", "Why?", near="P1")
    page.wait_for(
        ".step.here", "has no applicable plan for +!alliance(ag3,ag2): the event is discarded"
    )
    assert "Des(ag3, alliance(ag3,ag2)) no longer holds" in page.text(".step.here")
    page.wait_for(".line-shown", "!alliance(I,A)")  # the editor shows the line that wants it
    assert "ag3.asl" in page.text(".file-name")
    assert page.count(".mind .item.gone", "alliance(ag3,ag2)")
    assert page.count(".mind .frame.top", "waits at !alliance(ag3,ag2)")
    page.click("[aria-label='one step back']")
    page.click("[aria-label='one step back']")
    page.wait_for(".step.here", "ag3: wants !alliance(ag3,ag2)")
    page.click(".step", "ag2: sends ag3 tell bid(ag2,4)")
    page.wait_for(".line-shown", ".send")
    assert "ag2.asl" in page.text(".file-name")
    page.press("ArrowDown")  # the list has the focus
    page.wait_for(".step.here", "tell alliance(ag3,ag2)")
    page.click(".whole-run")
    page.wait_until(lambda: page.count(".step") > 100, "all steps")
    page.click("button", "Python")
    page.wait_for(".code-lines", "volition.annotated_run(answer)")
    assert page.complaints == []


def test_the_strategy_of_the_rover_and_what_an_alternative_costs(studio: Studio) -> None:
    """The shortest way has length 12, and nothing is left of it when both are done.

    A site counts as processed until its finished intention is removed: who removes one first never
    has both, at whatever distance.
    """
    page = studio.example("rover", "CAN")
    check_all(page)
    assert page.texts(".verdict", near="shortest way") == ["12"]
    page.click("button", "How?", near="shortest way")
    page.wait_for(".decision-tree .node.choice")
    page.click(".decision", "intention site2 = nil")
    page.click(".decision-point")
    page.wait_for(".alternative", "remove finished intention site2")
    assert page.texts(".alternative.taken .worth") == ["0"]
    assert page.texts(".alternative:not(.taken) .worth") == ["inf"]
    page.click("button", "Python")
    page.wait_for(".code-lines", "volition.strategy_of(answer)")
    assert page.complaints == []


def test_mistakes_are_told_as_they_are_typed_mended_and_saved_when_asked(studio: Studio) -> None:
    folder = studio.own / "typing"
    folder.mkdir()
    program = folder / "rover.can"
    shutil.copyfile(EXAMPLES / "can" / "rover.can", program)
    before = program.read_text()
    page = studio.folder(folder)
    page.wait_for(".diagnostic-count", "no errors")
    page.click(".cm-line")
    page.press("Home", control=True)
    page.type("Nonsense here\n")
    page.wait_for(".diagnostic.error")
    page.wait_for(".diagnostic-error")  # the underline
    page.wait_for(".view .empty")
    assert program.read_text() == before, "nothing is saved unasked"
    for _ in range(3):
        page.press("z", control=True)
    page.wait_for(".diagnostic-count", "no errors")
    page.click(".cm-line", "site1 : true")
    page.press("End")
    page.type("\nsite1 : at_site1 <- return_to_bse.")
    page.wait_for(".diagnostic", "return_to_bse")  # not what was read when half of it was typed
    page.click(".diagnostic button", "Fix")
    page.wait_for(".cm-line", "site1 : at_site1 <- return_to_base.")
    page.wait_until(lambda: page.count(".diagnostic.error") == 0, "no mistake any more")
    page.wait_for(".file-state", "not saved")
    page.click("button", "Save")
    page.wait_for(".q-notification", "saved rover.can")
    line = "site1 : true <- experiment_site1; return_to_base.\n"
    assert program.read_text() == before.replace(
        line, f"{line}site1 : at_site1 <- return_to_base.\n"
    )
    assert page.complaints == []


def test_a_formula_is_completed_examined_fixed_and_answered(studio: Studio) -> None:
    page = studio.example("rover", "CAN")
    page.click("input[aria-label=formula]")
    page.wait_for(".suggestion", "Pmax=? [ F")
    page.type("E [ F Bel(done")
    page.wait_for(".suggestion", "Bel(done_1)")
    page.press("ArrowDown")
    page.wait_for(".suggestion.here")
    page.press("Enter")
    page.wait_until(
        lambda: page.value("input[aria-label=formula]") == "E [ F Bel(done_1)",
        "the completed formula",
    )
    page.wait_for(".formula-problem", "[")  # it is not closed yet, and that is said
    page.type(" & at_bas ]")
    page.wait_for(".formula-problem", "at_base")
    page.click(".formula-problem button", "Fix")
    page.wait_until(
        lambda: page.value("input[aria-label=formula]").endswith("at_base ]"), "the fix"
    )
    page.click("button", "Check")
    page.wait_for(".verdict", "holds", near="E [ F Bel(done_1)")
    assert page.complaints == []


def test_a_long_check_is_stopped_and_the_page_goes_on(studio: Studio) -> None:
    folder = studio.own / "bidders"
    shutil.copytree(EXAMPLES / "gwendolen" / "auction", folder)
    for name in (
        "six_bidders",
        "two_bidders",
    ):  # in any order: millions of states, and some hundreds
        file = folder / f"{name}.gwendolen"
        file.write_text(file.read_text().replace("round_robin", "action"))
    page = studio.folder(folder)
    page.choose("program", "six_bidders.gwendolen")
    page.wait_for(".file-name", "six_bidders.gwendolen")
    page.wait_for(".property")
    page.click("button", "Check all")
    page.wait_for(".facts", "states,")
    page.click("button", "Stop")
    page.wait_for(".q-notification", "stopped")
    page.choose("program", "two_bidders.gwendolen")
    page.wait_for(".file-name", "two_bidders.gwendolen")
    page.wait_for(".property")
    check_all(page)
    assert page.complaints == []


def test_a_change_ends_a_check_and_the_studio_ends_in_the_middle_of_one(studio: Studio) -> None:
    """Neither waits for what nobody will see."""
    folder = studio.own / "ending"
    shutil.copytree(EXAMPLES / "gwendolen" / "auction", folder)
    program = folder / "six_bidders.gwendolen"
    program.write_text(program.read_text().replace("round_robin", "action"))
    with running_studio(str(program)) as address:
        page = studio.chromium.tab(address)
        page.click("button", "Check all")
        page.wait_for(".facts", "states,")
        page.click(".cm-line")
        page.type(" ")
        page.wait_for(".q-notification", "stopped: the program has changed")
        page.click("button", "Check all")
        page.wait_for(".facts", "states,")
        page.close()


def test_two_tabs_have_answers_of_their_own(studio: Studio) -> None:
    one = studio.example("vacuum", "Dribble")
    other = studio.example("vacuum", "Dribble")
    check_all(other)
    assert not one.count(".verdict")
    check_all(one)
    assert [*one.complaints, *other.complaints] == []


HOSTILE = '<img src=x onerror="window.hurt=1">'


def test_names_and_texts_of_programs_are_never_html(studio: Studio) -> None:
    folder = studio.own / HOSTILE.replace("/", "")
    folder.mkdir()
    text = (EXAMPLES / "dribble" / "vacuum.dribble").read_text()
    (folder / f"{HOSTILE}.dribble").write_text(text)
    (folder / "notes.txt").write_text(HOSTILE)
    page = studio.folder(folder)
    page.wait_for(".property")
    assert HOSTILE in page.text(".bar")
    assert HOSTILE in page.text(".file-tree")
    page.click("input[aria-label=formula]")
    page.type(f'A [ F Bel("{HOSTILE}") ]')
    page.wait_for(".formula-problem .problem-text")
    check_all(page)
    page.click("button", "Why?")
    page.wait_for(".step.here")
    assert page.evaluate("window.hurt") is None
    assert page.count("img[src=x]") == 0
    assert page.complaints == []


def test_python_of_a_program_runs_only_after_a_yes(studio: Studio) -> None:
    folder = studio.own / "python_world"
    folder.mkdir()
    witness = folder / "it_ran"
    (folder / "one.mas").write_text("agent one = one.asl\nworld = here.py\n")
    (folder / "one.asl").write_text("+p <- true.\n")
    (folder / "here.py").write_text(f"open({str(witness)!r}, 'w').close()\n")
    page = studio.folder(folder)
    page.wait_for(".question-card", "with all your permissions")
    assert not witness.exists()
    page.click(".question-card button", "No")
    page.wait_for(".diagnostic.error", "not trusted")
    page.wait_until(lambda: page.count(".question-card") == 0, "the question to go away")
    assert not witness.exists()
    page.click(".diagnostic button", "Allow")
    page.click(".question-card button", "Yes, this time")
    page.wait_until(witness.exists, "the code to run")
    assert page.complaints == []


def test_light_and_dark_and_the_keyboard(studio: Studio) -> None:
    page = studio.example("vacuum", "Dribble")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("[aria-label='light or dark']")
    page.wait_until(
        lambda: page.evaluate("getComputedStyle(document.body).backgroundColor") != light, "dark"
    )
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(25):
        page.press("Escape")  # by which an editor lets go of the focus
        page.press("Tab")
        reached.add(
            page.evaluate(
                "document.activeElement.getAttribute('aria-label') || "
                "document.activeElement.innerText"
            )
        )
    assert any("Check all" in str(each) for each in reached), reached
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button')].filter(e => !e.ariaLabel && "
        "!e.innerText.trim()).length"
    )
    assert unnamed == 0
    assert page.complaints == []

"""The studio in a real browser: from an example to the run behind its violated property, and what it refuses."""

from __future__ import annotations

import http.client
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.studio.server import EXAMPLES, opened_page, running_studio, studio


@pytest.fixture(scope="module")
def vacuum(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A studio with a program of somebody's own."""
    folder = tmp_path_factory.mktemp("own")
    program = folder / "vacuum.dribble"
    shutil.copyfile(EXAMPLES / "dribble" / "vacuum.dribble", program)
    with running_studio(str(program)) as address:
        yield address, program


@studio
def test_from_a_program_to_the_run_that_breaks_it(vacuum: tuple[str, Path]) -> None:
    address, _ = vacuum
    with opened_page(address) as (page, complaints):
        page.get_by_text("Check all").click()
        violated = page.locator(".property", has=page.locator(".verdict.bad")).first
        violated.get_by_text("Why?").click()
        page.locator(".step").nth(1).click()
        page.locator(".step.here", has_text="1").wait_for()
        assert "beliefs" in page.locator(".mind").inner_text()
        page.locator(".line-shown").wait_for()  # the editor shows the line of the step
        assert not complaints


@studio
def test_mistakes_are_told_as_they_are_typed_and_nothing_is_saved_unasked(vacuum: tuple[str, Path]) -> None:
    address, program = vacuum
    before = program.read_text()
    with opened_page(address) as (page, complaints):
        page.locator(".cm-content").click()
        page.keyboard.press("Control+Home")
        page.keyboard.type("nonsense here\n")
        page.locator(".mistake.error").first.wait_for()
        assert program.read_text() == before
        page.get_by_role("button", name="Save").click()
        page.get_by_text("saved vacuum.dribble").wait_for()
        assert program.read_text() == "nonsense here\n" + before
        assert not complaints
    program.write_text(before)


@studio
def test_a_formula_of_ones_own_and_one_that_is_none(vacuum: tuple[str, Path]) -> None:
    address, _ = vacuum
    with opened_page(address) as (page, _):
        field = page.get_by_label("formula")
        field.fill("E [ F Bel(c1) ]")
        field.press("Enter")
        page.locator(".property", has_text="E [ F Bel(c1) ]").locator(".verdict.good").wait_for()
        field.fill("E [ F Bel(")
        field.press("Enter")
        page.locator(".q-notification").wait_for()


@studio
def test_two_pages_at_once(vacuum: tuple[str, Path]) -> None:
    address, _ = vacuum
    with opened_page(address) as (one, _):
        one.get_by_text("Check all").wait_for()
        with opened_page(address) as (other, complaints):
            other.get_by_text("Check all").click()
            other.locator(".verdict").first.wait_for()
            assert not one.locator(".verdict").count(), "each page has its own answers"
            assert not complaints


@studio
def test_only_who_has_the_address_is_let_in(vacuum: tuple[str, Path]) -> None:
    address, _ = vacuum
    place = urlsplit(address)

    def status(path: str, **headers: str) -> int:
        connection = http.client.HTTPConnection(place.netloc, timeout=20)
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status

    assert status("/") == 401
    assert status("/?token=guess") == 401
    assert status(f"/?{place.query}", Host="somewhere.else") == 403
    assert status(f"/?{place.query}", Origin="http://somewhere.else") == 403
    assert status(f"/?{place.query}") == 303
    assert status("/_nicegui_ws/socket.io/?EIO=4&transport=polling") == 401

"""Who gets in, and what can be opened: without a browser."""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.studio.server import EXAMPLES, needs_nicegui, running_studio
from volition.diagnostics import InputError
from volition.studio.access_control import AccessMiddleware
from volition.studio.locations import Locations
from volition.studio.workspace import Workspace


@pytest.fixture(scope="module")
def position() -> Iterator[SplitResult]:
    with running_studio() as address:
        yield urlsplit(address)


def status(position: SplitResult, path: str, **headers: str) -> tuple[int, str]:
    """The status of a request, and the cookie that comes with it."""
    connection = http.client.HTTPConnection(position.netloc, timeout=30)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    return response.status, response.getheader("set-cookie", "")


@needs_nicegui
def test_only_who_has_the_address_is_let_in(position: SplitResult) -> None:
    token = f"/?{position.query}"
    assert status(position, "/")[0] == 401
    assert status(position, "/?token=guess")[0] == 401
    assert status(position, "/_nicegui/auto/static/x.js")[0] == 401
    assert status(position, "/_nicegui_ws/socket.io/?EIO=4&transport=polling")[0] == 401
    assert status(position, token, Host="example.org")[0] == 403
    assert status(position, token, Origin="http://example.org")[0] == 403
    code, cookie = status(position, token)
    assert code == 303
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert status(position, "/", Cookie=cookie.partition(";")[0])[0] == 200
    assert (
        status(position, "/", Cookie=cookie.partition(";")[0], Origin="http://example.org")[0]
        == 403
    )


@needs_nicegui
def test_no_page_of_others_shows_ours(position: SplitResult) -> None:
    """Another port of this machine counts as the same site, whose pages come with our cookie."""
    cookie = status(position, f"/?{position.query}")[1].partition(";")[0]
    connection = http.client.HTTPConnection(position.netloc, timeout=30)
    connection.request("GET", "/", headers={"Cookie": cookie})
    assert connection.getresponse().getheader("content-security-policy") == "frame-ancestors 'self'"


def test_the_address_that_a_browser_is_started_with_is_good_for_one_time() -> None:
    """It stands in the list of processes, where every user of the machine can read it."""
    answered: list[int] = []

    async def told(message: Any) -> None:
        answered.extend([message["status"]] if "status" in message else [])

    async def application(*_: object) -> None:
        raise AssertionError("nobody is let in without a cookie")

    async def visits() -> None:
        door = AccessMiddleware(application, token="lasting", once="for once", port=80)
        for given in (b"for+once", b"for+once", b"lasting", b"lasting"):
            scope = {
                "type": "http",
                "headers": [(b"host", b"localhost:80")],
                "query_string": b"token=" + given,
            }
            await door(scope, application, told)  # type: ignore[arg-type]

    asyncio.run(visits())
    assert answered == [303, 401, 303, 303]


@needs_nicegui
def test_web_sockets_of_other_pages_are_refused(position: SplitResult) -> None:
    cookie = status(position, f"/?{position.query}")[1].partition(";")[0]
    address = f"ws://{position.netloc}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    for headers in ({}, {"Cookie": cookie, "Origin": "http://example.org"}):
        with pytest.raises(InvalidStatus) as refused:
            connect(address, additional_headers=headers)
        assert refused.value.response.status_code == 403
    with connect(
        address, additional_headers={"Cookie": cookie, "Origin": f"http://{position.netloc}"}
    ) as mine:
        assert mine.recv(30)


@needs_nicegui
def test_it_listens_on_this_machine_alone(position: SplitResult) -> None:
    assert position.hostname == "127.0.0.1"


def test_no_path_leads_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "open"
    folder.mkdir()
    (folder / "vacuum.dribble").write_text((EXAMPLES / "dribble" / "vacuum.dribble").read_text())
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    workspace = Workspace.of(folder)
    try:
        assert workspace.files() == [Path("vacuum.dribble")]
        for name in ("../secret.txt", str(tmp_path / "secret.txt"), "link.txt/../../secret.txt"):
            with pytest.raises(InputError):
                workspace.text(Path(name))
            with pytest.raises(InputError):
                workspace.write(Path(name), "changed")
    finally:
        workspace.close()
    assert (tmp_path / "secret.txt").read_text() == "secret"


def test_a_folder_is_opened_with_its_project() -> None:
    workspace = Workspace.of(EXAMPLES / "gwendolen" / "auction")
    workspace.close()
    assert workspace.program.suffix == ".gwendolen"


def test_what_is_no_text_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "picture.can").write_bytes(b"\x00\x01")
    for path in (
        tmp_path / "picture.can",
        tmp_path / "nowhere.can",
        Path("/dev/null"),
        tmp_path / "empty",
    ):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(InputError) as refused:
            Workspace.of(path)
        assert [each.code for each in refused.value.diagnostics] == ["STU001"]


def test_examples_are_copies_and_what_others_changed_is_noticed(tmp_path: Path) -> None:
    example = Workspace.of(EXAMPLES / "can" / "rover.can", example=True)
    try:
        with pytest.raises(InputError):
            example.save()
        example.save_as(tmp_path / "mine")
        example.write(Path("rover.can"), "// changed\n")
        assert example.unsaved == [Path("rover.can")]
        (tmp_path / "mine" / "rover.can").write_text("// by somebody else\n")
        assert example.changed_meanwhile == [Path("rover.can")]
        with pytest.raises(InputError):
            example.save_as(tmp_path / "mine")
        example.save()
        assert (tmp_path / "mine" / "rover.can").read_text() == "// changed\n"
        assert not example.unsaved
    finally:
        example.close()
    assert "// changed" not in (EXAMPLES / "can" / "rover.can").read_text()


def test_a_file_keeps_its_line_ends(tmp_path: Path) -> None:
    program = tmp_path / "rover.can"
    program.write_bytes((EXAMPLES / "can" / "rover.can").read_bytes().replace(b"\n", b"\r\n"))
    workspace = Workspace.of(program)
    try:
        workspace.write(Path("rover.can"), f"// new\n{workspace.text(Path('rover.can'))}")
        assert workspace.changed_meanwhile == []
        workspace.save()
    finally:
        workspace.close()
    assert program.read_bytes().startswith(b"// new\r\n")
    assert program.read_bytes().count(b"\n") == program.read_bytes().count(b"\r\n")


def test_an_address_opens_nothing_by_a_path(tmp_path: Path) -> None:
    positions = Locations(None)
    assert positions.resolve(str(tmp_path)) is None
    assert positions.resolve("../../etc") is None

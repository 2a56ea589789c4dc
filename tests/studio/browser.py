"""A real browser without a window, driven as a person would: Chromium, told what to do over its
DevTools protocol."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

__all__ = ["CHROMIUM", "Browser", "Page", "browser"]

CHROMIUM = shutil.which("chromium")
PATIENCE = 20.0
"""Seconds after which what was waited for will not come any more."""

_OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-features=Translate,MediaRouter",
    "--no-first-run",
    "--remote-debugging-port=0",
)
_KEYS = {
    "Enter": 13,
    "Tab": 9,
    "Escape": 27,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Home": 36,
    "End": 35,
}
_CONTROL = 2


class Page:
    """A tab of the browser.  Elements are found by a CSS selector, and by a text in them where one
    is given."""

    def __init__(
        self, connection: ClientConnection, target: str, session: str, numbers: Iterator[int]
    ) -> None:
        self._connection = connection
        self._target = target
        self._session = session
        self._numbers = numbers
        self.complaints: list[str] = []
        """What the console says that is an error or a warning."""
        for domain in ("Page", "Runtime", "Log"):
            self._send(f"{domain}.enable")
        self._send(
            "Emulation.setFocusEmulationEnabled", enabled=True
        )  # a tab in the background has the keyboard too

    # --- looking ----------------------------------------------------------------------------------

    def evaluate(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        found = self._send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise AssertionError(f"{script}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def text(self, selector: str = "body") -> str:
        """The text of the first such element, empty if there is none."""
        return str(
            self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")
        )

    def texts(self, selector: str, *, near: str = "") -> list[str]:
        """The texts of all such elements."""
        return list(self.evaluate(f"{_found(selector, '', near)}.map(each => each.innerText)"))

    def value(self, selector: str) -> str:
        """What is in a field."""
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).value"))

    def count(self, selector: str, text: str = "", *, near: str = "") -> int:
        """How many such elements can be seen."""
        return int(self.evaluate(f"{_found(selector, text, near)}.length"))

    def wait_for(self, selector: str, text: str = "", *, near: str = "") -> None:
        """Wait until such an element can be seen."""
        self.wait_until(
            lambda: self.count(selector, text, near=near) > 0, f"{selector} {text!r} {near!r}"
        )

    def wait_until(self, is_so: Any, what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, (
                f"waited in vain for {what}; the page says: {self.text()[:2000]}"
            )
            time.sleep(0.05)

    def picture(self, path: Path) -> None:
        path.write_bytes(
            base64.b64decode(self._send("Page.captureScreenshot", format="png")["data"])
        )

    # --- doing ------------------------------------------------------------------------------------

    def goto(self, address: str) -> None:
        self._send("Page.navigate", url=address)
        self.wait_until(lambda: self.evaluate("document.readyState") == "complete", address)

    def resize(self, width: int, height: int) -> None:
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, scheme: str) -> None:
        """What the system prefers: ``light`` or ``dark``."""
        self._send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )

    def click(self, selector: str, text: str = "", *, near: str = "", index: int = 0) -> None:
        """Click with the mouse where the element is, once it is there and keeps still."""
        self.wait_until(
            lambda: self.count(selector, text, near=near) > index, f"{selector} {text!r} {near!r}"
        )
        self._send(
            "Page.bringToFront"
        )  # a tab in the background does not hear the mouse, nor does one that was not drawn yet
        self.evaluate(
            f"{_found(selector, text, near)}[{index}].scrollIntoView({{block: 'nearest', inline: "
            "'nearest'})"
        )
        where: list[Any] = []

        def keeps_still() -> bool:
            where[:] = [*where[-1:], self._middle(selector, text, near, index)]
            return len(where) == 2 and where[0] is not None and where[0] == where[1]

        self.wait_until(keeps_still, f"{selector} {text!r} {near!r} to keep still")
        x, y = where[-1]
        self._mouse("mouseMoved", x, y)
        self._mouse("mousePressed", x, y)
        self._mouse("mouseReleased", x, y)

    def click_at(self, selector: str, x: float, y: float) -> None:
        """Click into an element, so many pixels from its upper left corner."""
        left, top = self.evaluate(
            "(() => { const box = "
            f"document.querySelector({json.dumps(selector)}).getBoundingClientRect(); return "
            "[box.x, box.y]; })()"
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self._mouse(kind, left + x, top + y)

    def downloads_to(self, folder: Path) -> None:
        """Where files go that the page gives to its user."""
        self._send("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def goto_link(self, context: str, title: str, selector: str, text: str) -> None:
        """Click the link with exactly this name in the group with exactly this title."""
        script = (
            f"[...document.querySelectorAll({json.dumps(context)})]"
            f".filter(each => each.firstElementChild.innerText == {json.dumps(title)})"
            f".flatMap(each => [...each.querySelectorAll({json.dumps(selector)})])"
            f".find(each => each.firstElementChild.innerText == {json.dumps(text)})"
        )
        self.wait_until(lambda: self.evaluate(f"!!{script}"), text)
        self.evaluate(f"{script}.setAttribute('data-wanted', '')")
        self.click("[data-wanted]")

    def choose(self, label: str, option: str) -> None:
        """Choose an option of a list that opens when it is clicked."""
        self.click(f"[aria-label={json.dumps(label)}]")
        self.click(".q-menu .q-item", option)

    def choose_in(self, selector: str, option: str) -> None:
        """The same for a list that is found by a selector."""
        self.click(selector)
        self.click(".q-menu .q-item", option)

    def _middle(
        self, selector: str, text: str, near: str, index: int
    ) -> tuple[float, float] | None:
        """Where the element is once the next picture is drawn, if nothing moves it and nothing is
        before it there."""
        found = self.evaluate(
            "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn((() => {"  # noqa: E501
            f" const each = {_found(selector, text, near)}[{index}]; if (!each) return null;"
            " for (let up = each; up; up = up.parentElement) if (up.getAnimations().some(a => a.playState == 'running')) return null;"  # noqa: E501
            " const box = each.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;"  # noqa: E501
            " const top = document.elementFromPoint(x, y); return top && (each.contains(top) || top.contains(each)) ? [x, y] : null;"  # noqa: E501
            " })()))))"
        )
        return None if found is None else (float(found[0]), float(found[1]))

    def _mouse(self, kind: str, x: float, y: float) -> None:
        count = 0 if kind == "mouseMoved" else 1
        self._send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        for letter in text:
            if letter == "\n":
                self.press("Enter")
            else:
                self._send("Input.insertText", text=letter)

    def press(self, key: str, *, control: bool = False) -> None:
        """Press a key, by its name or letter."""
        letter = {"Enter": "\r", "Tab": "\t"}.get(key, key if len(key) == 1 else "")
        shared = {
            "key": key,
            "code": key if len(key) > 1 else f"Key{key.upper()}",
            "modifiers": _CONTROL if control else 0,
        }
        code = _KEYS.get(key, ord(key[0].upper()))
        self._send(
            "Input.dispatchKeyEvent",
            type="keyDown",
            windowsVirtualKeyCode=code,
            text="" if control else letter,
            **shared,
        )
        self._send("Input.dispatchKeyEvent", type="keyUp", windowsVirtualKeyCode=code, **shared)

    def close(self) -> None:
        """Close the tab, whatever is in it."""
        self._send("Target.closeTarget", targetId=self._target)

    # --- the protocol -----------------------------------------------------------------------------

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._connection.send(
            json.dumps(
                {"id": number, "method": method, "params": parameters, "sessionId": self._session}
            )
        )
        while True:
            message = json.loads(self._connection.recv(PATIENCE))
            if message.get("id") == number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return dict(message["result"])
            self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        if message.get("sessionId") != self._session:
            return
        reported = message.get("params", {})
        match message.get("method"):
            case "Runtime.consoleAPICalled" if reported["type"] in ("error", "warning", "assert"):
                self.complaints.append(
                    " ".join(
                        str(each.get("value", each.get("description"))) for each in reported["args"]
                    )
                )
            case "Runtime.exceptionThrown":
                self.complaints.append(str(reported["exceptionDetails"]))
            case "Log.entryAdded" if reported["entry"]["level"] in ("error", "warning"):
                self.complaints.append(
                    f"{reported['entry']['text']} {reported['entry'].get('url', '')}"
                )


def _found(selector: str, text: str, near: str = "") -> str:
    """The elements that can be seen, are not disabled, contain the text, and belong to the property
    that contains the other text."""
    closeness = (
        f" && each.closest('.property')?.textContent.includes({json.dumps(near)})" if near else ""
    )
    return (
        f"[...document.querySelectorAll({json.dumps(selector)})]"
        ".filter(each => each.checkVisibility() && !each.disabled && "
        f"each.textContent.includes({json.dumps(text)}){closeness})"
    )


class Browser:
    """Chromium with its first tab; ``tab`` opens another one."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)

    def tab(self, address: str, *, width: int = 1280, height: int = 800) -> Page:
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        session = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self._connection, target, session, self._numbers)
        page.resize(width, height)
        page.goto(address)
        return page

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := json.loads(self._connection.recv(PATIENCE))).get("id") != number:
            pass
        return dict(message["result"])


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser, which ends with the block."""
    assert CHROMIUM is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [CHROMIUM, *_OPTIONS, f"--user-data-dir={folder}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            with connect(
                _address(Path(folder), process), max_size=None, open_timeout=PATIENCE
            ) as connection:
                yield Browser(connection)
        finally:
            process.terminate()
            process.wait(20)


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """Where the browser listens, which it writes into a file."""
    file = folder / "DevToolsActivePort"
    end = time.monotonic() + PATIENCE
    while not (file.exists() and file.read_text().count("\n")):
        assert process.poll() is None, "the browser has ended"
        assert time.monotonic() < end, "the browser does not listen"
        time.sleep(0.05)
    port, path = file.read_text().split("\n")[:2]
    return f"ws://127.0.0.1:{port}{path}"

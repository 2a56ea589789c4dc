"""HTML pages that show recorded or running agents, embedded in the studio as frames. Each page has
an unguessable address and is subject to the access control of the studio."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from nicegui import app
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from volition.runtime.view import Scheme, events_of

__all__ = ["Frame", "Frames", "serve_frames"]

_PATH = "/frames"
_HEADERS = {"Cache-Control": "no-store"}
_FRAMES: dict[str, Frame] = {}


@dataclass(frozen=True, eq=False)
class Frame:
    """HTML page that shows a run. The function ``page`` returns its text for a colour scheme (light
    or dark). If the run is still in progress, ``record`` is its record file, whose new lines are
    sent to the page."""

    page: Callable[[Scheme], str]
    record: Path | None = None
    without: str = ""
    """Text that is removed from the lines of the record before they are sent: the path of the
    temporary folder that contains the program."""
    closed: threading.Event = field(default_factory=threading.Event)


class Frames:
    """Embedded frames of one studio page, which are closed together with the page."""

    def __init__(self) -> None:
        self._keys: list[str] = []

    def add(self, frame: Frame) -> str:
        """Register a frame with the web server and return its address."""
        key = secrets.token_urlsafe(16)
        _FRAMES[key] = frame
        self._keys.append(key)
        return f"{_PATH}/{key}/"

    def close(self) -> None:
        """Close all embedded frames of the studio page; their addresses become invalid."""
        for key in self._keys:
            _FRAMES.pop(key).closed.set()
        self._keys.clear()


def serve_frames() -> None:
    """Add the routes for embedded frames to the web server, unless it has them already."""
    if not any(getattr(route, "path", "").startswith(_PATH) for route in app.routes):
        app.add_route(f"{_PATH}/{{key}}/", _page)
        app.add_route(f"{_PATH}/{{key}}/lines", _lines)


def _page(request: Request) -> Response:
    frame = _FRAMES.get(request.path_params["key"])
    if frame is None:
        return Response(status_code=404)
    return HTMLResponse(
        frame.page("dark" if "dark" in request.query_params else "light"), headers=_HEADERS
    )


def _lines(request: Request) -> Response:
    frame = _FRAMES.get(request.path_params["key"])
    if frame is None or frame.record is None:
        return Response(status_code=404)
    events = (
        event.replace(frame.without, "") if frame.without else event
        for event in events_of(frame.record, frame.closed)
    )
    return StreamingResponse(events, media_type="text/event-stream", headers=_HEADERS)

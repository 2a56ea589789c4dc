"""Who may talk to the studio: whoever opened the address with the token, from this machine, and no
page of anybody else."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

__all__ = ["HOST", "AccessMiddleware", "Permissions", "new_token"]

HOST = "127.0.0.1"
COOKIE = "volition_studio"

_GUARDS = (
    (b"content-security-policy", b"frame-ancestors 'self'"),
    (b"referrer-policy", b"no-referrer"),
)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Permissions:
    """Whose code may run: what the user has said on the command line counts here, and what is said
    here counts there."""

    allows: Callable[[Path], bool]
    remember: Callable[[Path], None]


def new_token() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(24)


class AccessMiddleware:
    """Stands before the application and looks at every request, those for web sockets too.

    The address that the command prints has the token in it.  Who comes with it gets a cookie and is
    sent on without it, so that it does not stay in the address line; everything else needs the
    cookie.  ``once`` is a token for one time: the address that a browser is started with can be
    read by every user of the machine.  ``Host`` and ``Origin`` must be this machine's: that keeps
    out pages of others which know a name for this address.
    """

    def __init__(self, app: Application, *, token: str, once: str, port: int) -> None:
        self._app = app
        self._token = token
        self._once: str | None = once
        self._names = {f"{HOST}:{port}", f"localhost:{port}"}
        self._cookie = f"{COOKIE}_{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if not self._is_from_here(headers):
            await _refuse(scope, send, 403)
        elif scope["type"] == "http" and self._has_token(given):
            await self._set_cookie(send)
        elif not self._has_cookie(headers):
            await _refuse(scope, send, 401)
        else:
            await self._app(scope, receive, _unframed(send))

    def _is_from_here(self, headers: dict[str, str]) -> bool:
        origin = headers.get("origin")
        return headers.get("host") in self._names and (
            origin is None or urlsplit(origin).netloc in self._names
        )

    def _has_token(self, given: str) -> bool:
        if self._once is not None and _is_same(given, self._once):
            self._once = None
            return True
        return _is_same(given, self._token)

    def _has_cookie(self, headers: dict[str, str]) -> bool:
        try:
            shown = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return False
        return shown is not None and _is_same(shown.value, self._token)

    async def _set_cookie(self, send: Send) -> None:
        cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [
            (b"location", b"/"),
            (b"set-cookie", cookie.encode()),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _is_same(given: str, secret: str) -> bool:
    """Compared in a time that tells nothing about where they differ."""
    return secrets.compare_digest(given.encode(), secret.encode())


def _unframed(send: Send) -> Send:
    """Pages of others, those on another port of this machine too, may not show ours inside of
    theirs and have it clicked."""

    async def guarded(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_GUARDS]
        await send(message)

    return guarded


async def _refuse(scope: Scope, send: Send, status: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4000 + status})
        return
    text = (
        b"This page belongs to whoever started it: open the address that 'volition studio' "
        b"printed.\n"
    )
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", b"text/plain; charset=utf-8")],
        }
    )
    await send({"type": "http.response.body", "body": text})

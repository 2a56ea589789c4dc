"""Access control of the studio's web server. It accepts only requests from this machine that have
the secret token or the cookie that replaces it, and no requests from other web pages."""

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
    """Interface to the permissions of programs to run code that they bring; the command line uses
    the same permissions.

    ``allows`` returns whether a folder is trusted; ``remember`` adds a folder to the trusted ones.
    """

    allows: Callable[[Path], bool]
    remember: Callable[[Path], None]


def new_token() -> str:
    """Return a random secret for the address of the studio."""
    return secrets.token_urlsafe(24)


class AccessMiddleware:
    """ASGI middleware that checks every request, including those for web sockets.

    The address that ``volition studio`` prints contains a secret token. A request with the token
    gets a cookie and is redirected to an address without the token, so that the token does not stay
    in the address bar. All other requests need the cookie.

    ``once`` is a second token, which is valid once. It is part of the address with which the
    browser is started, because other users of the machine can read that address. ``Host`` and
    ``Origin`` must name this machine; this excludes other web pages whose host name resolves to the
    loopback address.
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
            await self._app(scope, receive, _with_guards(send))

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
    """Return whether two secrets are equal, in a time that does not depend on where they differ."""
    return secrets.compare_digest(given.encode(), secret.encode())


def _with_guards(send: Send) -> Send:
    """Return ``send`` extended by response headers that forbid other pages, including those on
    another port of this machine, to embed the studio in a frame (clickjacking)."""

    async def guarded(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_GUARDS]
        await send(message)

    return guarded


async def _refuse(scope: Scope, send: Send, status: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4000 + status})
        return
    text = b"Access denied. Open the studio with the address that 'volition studio' printed.\n"
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", b"text/plain; charset=utf-8")],
        }
    )
    await send({"type": "http.response.body", "body": text})

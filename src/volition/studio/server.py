"""Web server of the studio, on the loopback address and with access control."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

from nicegui import app, background_tasks, ui

from volition.diagnostics import Diagnostic, InputError
from volition.studio.access_control import HOST, AccessMiddleware, Permissions, new_token
from volition.studio.jobs import end_all, prepare
from volition.studio.pages import pages
from volition.studio.workspace import Workspace

__all__ = ["serve"]

RECONNECT_TIMEOUT = 30.0
"""Seconds for which the server keeps the session of a disconnected page, with its unsaved text."""

SHUTDOWN_TIMEOUT = 1
"""Seconds for which the server waits for open connections when it ends. A page that shows a run in
progress never closes its connection."""


def serve(
    program: Path | None,
    *,
    port: int | None,
    show: bool,
    permissions: Permissions,
    started: Callable[[str], None],
) -> None:
    """Serve the studio until Ctrl-C. ``started`` is called with the address of the studio.

    Raise :class:`InputError` if ``program`` cannot be opened or the port is in use.
    """
    if program is not None:
        Workspace.of(program).close()
    chosen = _free_port() if port is None else _expect_free(port)
    token, once = new_token(), new_token()
    app.add_middleware(AccessMiddleware, token=token, once=once, port=chosen)
    pages(program, permissions)
    prepare()

    async def report_address() -> None:
        await _wait_until_listening(chosen)
        started(f"http://{HOST}:{chosen}/?token={token}")

    app.on_startup(lambda: background_tasks.create(report_address()))
    app.on_shutdown(end_all)
    ui.run(
        host=HOST,
        port=chosen,
        title="Volition studio",
        reload=False,
        show=f"/?token={once}" if show else False,
        show_welcome_message=False,
        reconnect_timeout=RECONNECT_TIMEOUT,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    )


async def _wait_until_listening(port: int) -> None:
    """Wait until the server accepts connections on a port; the startup event comes before that."""
    while True:
        try:
            _, writer = await asyncio.open_connection(HOST, port)
        except OSError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _expect_free(port: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            hint = "omit the port to use a free one"
            raise InputError(
                [Diagnostic("STU005", f"cannot listen on port {port}: {error}", hint=hint)]
            ) from None
    return port

"""Starting the studio: a server on the loopback address, behind its doorkeeper."""

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
"""Seconds that a page may be out of reach before it has to begin anew: what was typed into it is in
its session."""

SHUTDOWN_TIMEOUT = 1
"""Seconds for pages to close their connections when the studio ends; one that follows a run never
does."""


def serve(
    program: Path | None,
    *,
    port: int | None,
    show: bool,
    permissions: Permissions,
    started: Callable[[str], None],
) -> None:
    """Serve the studio until Ctrl-C; ``started`` is told its address.  Raises :class:`InputError`
    where there is nothing to open."""
    if program is not None:
        Workspace.of(program).close()
    chosen = _free_port() if port is None else _expect_free(port)
    token, once = new_token(), new_token()
    app.add_middleware(AccessMiddleware, token=token, once=once, port=chosen)
    pages(program, permissions)
    prepare()

    async def tell() -> None:
        await _is_listening(chosen)
        started(f"http://{HOST}:{chosen}/?token={token}")

    app.on_startup(lambda: background_tasks.create(tell()))
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


async def _is_listening(port: int) -> None:
    """Wait until somebody who comes is heard: the application has started before it listens."""
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
            hint = "leave it out for a free one"
            raise InputError(
                [Diagnostic("STU005", f"cannot listen on port {port}: {error}", hint=hint)]
            ) from None
    return port

"""What one page has open: the folder, the process that computes, the program as it was read, and the answers so far."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from volition.diagnostics import InputError
from volition.studio.jobs import Failure, Job, Stopped
from volition.studio.shown import AnswerShown, Mistake, Opened
from volition.studio.workspace import Workspace

__all__ = ["Session"]

TRUST_CODE = "LNG020"
"""The program brings Python code that nobody has allowed to run."""

PAUSE = 0.4
"""Seconds without typing after which a text is read."""


class Session:
    """One page.  Views ask it to do things and are told what has changed, by the name of the change."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.job = Job()
        self.opened: Opened | None = None
        self.mistakes: tuple[Mistake, ...] = ()
        self.answers: list[AnswerShown] = []
        self.trust = False
        self.file = workspace.program
        self._listeners: dict[str, list[Callable[..., Any]]] = {}
        self._tasks: set[asyncio.Future[Any]] = set()
        self._typing = 0
        self._loaded = False
        """Whether the process that computes has read what is in the editors."""

    # --- news ----------------------------------------------------------------------------------------------------------

    def on(self, change: str, listener: Callable[..., Any]) -> None:
        """Call a function whenever something changes: ``opened``, ``answers``, ``file``, ``place``, ``busy``, ``evidence``, ``problem``."""
        self._listeners.setdefault(change, []).append(listener)

    def tell(self, change: str, *content: Any) -> None:
        """Tell everybody who listens; those who take their time are not waited for."""
        for listener in self._listeners.get(change, ()):
            result = listener(*content)
            if inspect.iscoroutine(result):
                task = asyncio.ensure_future(result)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    # --- the program ---------------------------------------------------------------------------------------------------

    async def reload(self) -> None:
        """Read what is in the editors."""
        self._loaded = False
        found = await self.ask("open", self.workspace.draft, self.workspace.program, self.trust)
        if found is None:
            return
        self._loaded = True
        self.opened, self.mistakes = (found, found.warnings) if isinstance(found, Opened) else (None, found)
        self.tell("opened")

    async def edited(self, file: Path, text: str) -> None:
        """The text of a file has changed: it is read when nobody types any more."""
        self.workspace.write(file, text)
        self._loaded = False
        self.tell("edited")
        self._typing += 1
        turn = self._typing
        await asyncio.sleep(PAUSE)
        if turn == self._typing:
            await self.reload()

    @property
    def needs_trust(self) -> bool:
        """Whether the program brings code that the user has not allowed to run."""
        return any(each.code == TRUST_CODE for each in self.mistakes)

    def show(self, file: Path, line: int | None = None) -> None:
        """Show a file in the editor, and a line of it."""
        if file != self.file:
            self.file = file
            self.tell("file")
        if line is not None:
            self.tell("place", line)

    # --- answers -------------------------------------------------------------------------------------------------------

    async def check(self, texts: list[str]) -> None:
        """Answer properties."""

        def answered(answer: AnswerShown) -> None:
            self.answers = [each for each in self.answers if each.text != answer.text] + [answer]
            self.tell("answers")

        found = await self.ask("check", texts, progress=lambda states, seconds: self.tell("progress", states, seconds), answered=answered)
        if found:
            self.tell("problem", "\n".join(map(str, found)))

    async def ask(self, method: str, *arguments: Any, **hearing: Any) -> Any:
        """Ask the process that computes; None, and a word on the page, where that fails or is stopped."""
        self.tell("busy", True)
        try:
            if method != "open" and (self.job.fresh or not self._loaded):
                await self.job.ask("open", self.workspace.draft, self.workspace.program, self.trust)
                self._loaded = True
                self.answers = []
            return await self.job.ask(method, *arguments, **hearing)
        except Stopped:
            self.tell("problem", "stopped")
        except InputError as error:
            self.tell("problem", "\n".join(each.message for each in error.diagnostics))
        except Failure as failure:
            self.tell("problem", str(failure))
        finally:
            self.tell("busy", False)
        return None

    def stop(self) -> None:
        self.job.stop()

    def close(self) -> None:
        self.job.close()
        self.workspace.close()

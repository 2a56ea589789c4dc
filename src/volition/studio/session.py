"""What one page has open: the folder, the processes that compute, the program as it was read, and
the answers so far."""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from volition.diagnostics import InputError
from volition.studio.access_control import Permissions
from volition.studio.jobs import Stopped, WorkerError, WorkerProcess
from volition.studio.tasks.check import check
from volition.studio.tasks.load import examine_formula, open_program
from volition.studio.view_data import (
    TRUST_CODE,
    AnswerData,
    DiagnosticData,
    ProgramData,
    ProgressShown,
)
from volition.studio.workspace import Workspace

__all__ = ["Session"]

UNREADABLE_CODE = "STU007"
"""There is no program to work on, because it has mistakes."""

PAUSE = 0.4
"""Seconds without typing after which a text is read."""


class Session:
    """One page.  Views ask it to do things and are told what has changed, by the name of the change
    (see :meth:`on`)."""

    def __init__(self, workspace: Workspace, permissions: Permissions) -> None:
        self.workspace = workspace
        self.opened: ProgramData | None = None
        self.errors: tuple[DiagnosticData, ...] = ()
        self.answers: dict[str, AnswerData] = {}
        """By the text that was asked, of the program as it is now."""
        self.file = workspace.main_file
        self.dark = False
        """Whether the page is dark: for what has to be told its colours."""
        self._permissions = permissions
        self._trust = permissions.allows(workspace.folder)
        self._version = 0
        """Counts the changes of the texts; what a process has read is of one version."""
        self._version_read = 0
        """Of which ``opened`` and ``mistakes`` are."""
        self._closed = False
        self._jobs: defaultdict[str, WorkerProcess] = defaultdict(WorkerProcess)
        self._requests: Counter[str] = Counter()
        """How many wait for each of them."""
        self._listeners: dict[str, list[Callable[..., Any]]] = {}
        self._arrivals: dict[str, Callable[[Any], Any]] = {}
        self._tasks: set[asyncio.Future[Any]] = set()

    # --- news -------------------------------------------------------------------------------------

    def on(self, change: str, listener: Callable[..., Any]) -> None:
        """Call a function whenever something changes.

        ``opened``: the program was read (``opened`` and ``mistakes`` are new); ``edited``: a text
        was changed by its reader; ``rewritten``: by a fix; ``saved``; ``file``: another file is in
        the editor; ``place``: a line of it is to be seen (its number); ``answers``: there is
        another answer, or there are none any more; ``progress``: of a check; ``busy``: (name of the
        bench, whether it works); ``problem``: a text for the user; ``tab``: another view is to be
        shown (its name); ``seen``: it is; ``dark``: the page became light or dark; ``trust``: the
        user is to be asked whether the program's own code may run.
        """
        self._listeners.setdefault(change, []).append(listener)

    def notify(self, change: str, *content: Any) -> None:
        """Tell everybody who listens; those who take their time are not waited for, and of a page
        that is gone nobody is there."""
        if self._closed:
            return
        for listener in self._listeners.get(change, ()):
            self._call(listener, *content)

    def _call(self, function: Callable[..., Any], *content: Any) -> None:
        result = function(*content)
        if inspect.iscoroutine(result):
            task = asyncio.ensure_future(result)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    # --- from view to view ------------------------------------------------------------------------

    def on_navigate(self, view: str, listener: Callable[[Any], Any]) -> None:
        """Call a function with what a view is to show, when somebody goes there with something."""
        self._arrivals[view] = listener

    def navigate(self, view: str, subject: Any = None) -> None:
        """Show a view, by its title, and what it is to be about."""
        self.notify("tab", view)
        if subject is not None:
            self._call(self._arrivals[view], subject)

    def show(self, file: Path, line: int | None = None) -> None:
        """Show a file of the folder in the editor, and a line of it; what is no file of the folder
        is not shown."""
        if file not in self.workspace.files():
            return
        if file != self.file:
            self.file = file
            self.notify("file")
        if line is not None:
            self.notify("place", line)

    # --- the program ------------------------------------------------------------------------------

    async def reload(self) -> None:
        """Read what is in the editors."""
        version = self._version
        found = await self.ask(None, bench="reading")
        if found is None or version != self._version:
            return
        self.opened, self.errors = (
            (found, found.remarks) if isinstance(found, ProgramData) else (None, found)
        )
        self._version_read = version
        self.notify("opened")

    async def choose(self, program: Path) -> None:
        """Work on another program of the folder."""
        if program not in self.workspace.programs or program == self.workspace.program:
            return
        self.workspace.program = program
        self.opened, self.errors = None, ()
        self.show(self.workspace.main_file)
        self._changed()
        self.notify("opened")
        await self.reload()

    async def edited(self, file: Path, text: str) -> None:
        """The text of a file has changed: it is read when nobody types any more."""
        self.workspace.write(file, text)
        self._changed()
        self.notify("edited")
        version = self._version
        await asyncio.sleep(PAUSE)
        if version == self._version:
            await self.reload()

    async def apply_fix(self, error: DiagnosticData) -> None:
        """Write what was meant, if the text is still the one in which the mistake was found: places
        in it would be others."""
        if error.position is None or error.fix is None or self._version_read != self._version:
            return
        file, fix = Path(error.position.file), error.fix
        text = self.workspace.text(file)
        self.workspace.write(file, text[: fix.start] + fix.text + text[fix.end :])
        self.show(file)
        self._changed()
        self.notify("rewritten")
        await self.reload()

    async def allow(self, *, always: bool) -> None:
        """Let the program run its own code: this once, or whatever its folder holds from now on."""
        try:
            if always:
                self._permissions.remember(self.workspace.folder)
        except InputError as error:  # it runs this once
            self.notify("problem", error.diagnostics[0].message)
        self._trust = True
        self._changed()
        await self.reload()

    def _changed(self) -> None:
        self._version += 1
        self.answers = {}
        self.notify("answers")
        self._call(self.stop)  # what is being checked is not what is seen any more

    @property
    def trusted(self) -> bool:
        """Whether the program may run code of its own."""
        return self._trust

    @property
    def needs_trust(self) -> bool:
        """Whether the program brings code that the user has not allowed to run."""
        return any(each.code == TRUST_CODE for each in self.errors)

    # --- work -------------------------------------------------------------------------------------

    async def check(self, texts: list[str]) -> tuple[DiagnosticData, ...]:
        """Answer properties; what is wrong with some of them."""
        version = self._version

        def heard(progress: AnswerData | ProgressShown) -> None:
            if version != self._version:  # of another text than the one that is seen now
                return
            if isinstance(progress, ProgressShown):
                self.notify("progress", progress)
            else:
                self.answers[progress.query] = progress
                self.notify("answers")

        found: tuple[DiagnosticData, ...] = await self.ask(check, texts, on_progress=heard) or ()
        return found

    async def lint_formula(self, formula: str) -> tuple[DiagnosticData, ...]:
        """What is wrong with a formula, or doubtful in it."""
        if self.opened is None or not formula.strip():
            return ()
        found: tuple[DiagnosticData, ...] = (
            await self.ask(examine_formula, formula, bench="reading") or ()
        )
        return found

    async def ask(
        self,
        function: Callable[..., Any] | None,
        *arguments: Any,
        bench: str = "checking",
        on_progress: Callable[[Any], None] | None = None,
    ) -> Any:
        """Call a function of :mod:`.work` in the process of that name, with the program as it is in
        the editors.

        None, and a word on the page, where that fails or is stopped.  Without a function the
        program is read, whatever was read before.
        """
        if self._closed:
            return None
        job = self._jobs[bench]
        version = self._version
        self._requests[bench] += 1
        self.notify("busy", bench, True)
        try:
            opened: Any = None
            if function is None or job.version != version:
                opened = await job.call(
                    open_program, self.workspace.draft, self.workspace.program, self._trust
                )
                job.version = version
            return (
                opened
                if function is None
                else await job.call(function, *arguments, on_progress=on_progress)
            )
        except Stopped:
            self.notify(
                "problem",
                "stopped" if version == self._version else "stopped: the program has changed",
            )
        except InputError as error:
            if any(each.code == UNREADABLE_CODE for each in error.diagnostics):
                return None  # which the page says already
            self.notify("problem", "\n".join(each.message for each in error.diagnostics))
        except WorkerError as failure:
            self.notify("problem", str(failure))
        finally:
            self._requests[bench] -= 1
            self.notify("busy", bench, self.is_busy(bench))
        return None

    def is_busy(self, bench: str) -> bool:
        """Whether the process of that name works."""
        return self._requests[bench] > 0

    async def stop(self, bench: str = "checking") -> None:
        """Interrupt what a process computes."""
        if bench in self._jobs:
            await self._jobs[bench].stop()

    def close(self) -> None:
        """End the processes and forget the draft."""
        self._closed = True
        for job in self._jobs.values():
            job.close()
        self.workspace.close()

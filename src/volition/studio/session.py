"""Session of one studio page: its open folder, worker processes, parsed program, and answers."""

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
from volition.studio.tasks.load import lint_formula, open_program
from volition.studio.view_data import (
    TRUST_CODE,
    AnswerData,
    DiagnosticData,
    ProgramData,
    ProgressData,
)
from volition.studio.workspace import Workspace

__all__ = ["Session"]

UNREADABLE_CODE = "STU007"
"""Code of the error that a computation was requested while the program has errors."""

PAUSE = 0.4
"""Seconds after the last key press before the program in the editor is parsed again."""


class Session:
    """State of one studio page: its program, answers and worker processes. The views of the page
    call its methods, and register listeners for named events (see :meth:`on`)."""

    def __init__(self, workspace: Workspace, permissions: Permissions) -> None:
        self.workspace = workspace
        self.opened: ProgramData | None = None
        self.errors: tuple[DiagnosticData, ...] = ()
        self.answers: dict[str, AnswerData] = {}
        """Answers for the current version of the program, by the text of the property."""
        self.file = workspace.main_file
        self.dark = False
        """Whether the page has dark colours, for elements that cannot use style sheets."""
        self._permissions = permissions
        self._trust = permissions.allows(workspace.folder)
        self._version = 0
        """Version of the program text, incremented by every edit. Each worker process has parsed
        one version."""
        self._version_read = 0
        """Version of the program text from which ``opened`` and ``errors`` were computed."""
        self._closed = False
        self._jobs: defaultdict[str, WorkerProcess] = defaultdict(WorkerProcess)
        self._requests: Counter[str] = Counter()
        """Number of unfinished requests of each worker process, by its name."""
        self._listeners: dict[str, list[Callable[..., Any]]] = {}
        self._arrivals: dict[str, Callable[[Any], Any]] = {}
        self._tasks: set[asyncio.Future[Any]] = set()

    # --- events -----------------------------------------------------------------------------------

    def on(self, change: str, listener: Callable[..., Any]) -> None:
        """Register a listener: a function that is called on every event of the given kind. The
        kinds, with the arguments of the listener in parentheses:

        - ``opened``: the program was parsed; ``opened`` and ``errors`` are new.
        - ``edited``: the user changed a text.
        - ``rewritten``: a fix changed a text.
        - ``saved``: the texts were saved.
        - ``file``: the editor shows another file.
        - ``line`` (line number): the editor should show this line.
        - ``answers``: an answer was added, or all answers were removed.
        - ``progress`` (:class:`ProgressData`): progress of a check.
        - ``busy`` (name of a worker, whether it is busy): a worker started or finished.
        - ``problem`` (text): a message for the user.
        - ``tab`` (title): the view with this title should be shown.
        - ``seen`` (title): the view with this title is now shown.
        - ``dark``: the colours of the page changed.
        - ``trust``: the user should be asked whether the program's own code may run.
        """
        self._listeners.setdefault(change, []).append(listener)

    def notify(self, change: str, *content: Any) -> None:
        """Call all listeners for an event of kind ``change`` with ``content``. Coroutines are
        scheduled, not awaited. After :meth:`close` nothing is called."""
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

    # --- navigation between views -----------------------------------------------------------------

    def on_navigate(self, view: str, listener: Callable[[Any], Any]) -> None:
        """Register a function for the view with the title ``view``. When :meth:`navigate` opens
        this view with a subject, it calls the function with the subject."""
        self._arrivals[view] = listener

    def navigate(self, view: str, subject: Any = None) -> None:
        """Show the view with the title ``view``. If a subject (such as an answer) is given, pass it
        to the view."""
        self.notify("tab", view)
        if subject is not None:
            self._call(self._arrivals[view], subject)

    def show(self, file: Path, line: int | None = None) -> None:
        """Show a file of the open folder in the editor, and optionally scroll to a line. Files
        outside the folder are ignored."""
        if file not in self.workspace.files():
            return
        if file != self.file:
            self.file = file
            self.notify("file")
        if line is not None:
            self.notify("line", line)

    # --- the program ------------------------------------------------------------------------------

    async def reload(self) -> None:
        """Parse the program from the texts in the editor, and notify the views."""
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
        """Switch to another program in the open folder."""
        if program not in self.workspace.programs or program == self.workspace.program:
            return
        self.workspace.program = program
        self.opened, self.errors = None, ()
        self.show(self.workspace.main_file)
        self._changed()
        self.notify("opened")
        await self.reload()

    async def edited(self, file: Path, text: str) -> None:
        """Store the changed text of a file, and parse it once the user has paused typing."""
        self.workspace.write(file, text)
        self._changed()
        self.notify("edited")
        version = self._version
        await asyncio.sleep(PAUSE)
        if version == self._version:
            await self.reload()

    async def apply_fix(self, error: DiagnosticData) -> None:
        """Apply the suggested fix of a diagnostic. Do nothing if a text has changed since the
        program was parsed, because the positions in the diagnostic would no longer be valid."""
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
        """Allow the program to run its own code in this session. With ``always``, also allow it to
        all programs in its folder from now on."""
        try:
            if always:
                self._permissions.remember(self.workspace.folder)
        except InputError as error:  # the permission cannot be stored; it holds for this session
            self.notify("problem", error.diagnostics[0].message)
        self._trust = True
        self._changed()
        await self.reload()

    def _changed(self) -> None:
        self._version += 1
        self.answers = {}
        self.notify("answers")
        self._call(self.stop)  # a running check is about the previous text

    @property
    def trusted(self) -> bool:
        """Whether the program may run its own code."""
        return self._trust

    @property
    def needs_trust(self) -> bool:
        """Whether the program has code that the user has not yet allowed to run."""
        return any(each.code == TRUST_CODE for each in self.errors)

    # --- tasks in worker processes ----------------------------------------------------------------

    async def check(self, texts: list[str]) -> tuple[DiagnosticData, ...]:
        """Check properties, given as texts, and return the errors in them. The answers arrive as
        events ``answers``."""
        version = self._version

        def receive(progress: AnswerData | ProgressData) -> None:
            if version != self._version:  # about a previous text
                return
            if isinstance(progress, ProgressData):
                self.notify("progress", progress)
            else:
                self.answers[progress.query] = progress
                self.notify("answers")

        found: tuple[DiagnosticData, ...] = await self.ask(check, texts, on_progress=receive) or ()
        return found

    async def lint_formula(self, formula: str) -> tuple[DiagnosticData, ...]:
        """Return errors and warnings about a formula that the user types; empty if the program has
        errors."""
        if self.opened is None or not formula.strip():
            return ()
        found: tuple[DiagnosticData, ...] = (
            await self.ask(lint_formula, formula, bench="reading") or ()
        )
        return found

    async def ask(
        self,
        function: Callable[..., Any] | None,
        *arguments: Any,
        bench: str = "checking",
        on_progress: Callable[[Any], None] | None = None,
    ) -> Any:
        """Call a function of :mod:`volition.studio.tasks` in a worker process and return its
        result. ``bench`` is the name of the worker process.

        The function works on the program as it is in the editor. If the worker process has an older
        version, the program is parsed there first. If ``function`` is None, the program is always
        parsed again, and the result of parsing is returned.

        If the call fails or is stopped, show a message on the page and return None. There is no
        message if the program cannot be parsed, because the page already shows these errors.
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
                return None  # the page already shows the errors
            self.notify("problem", "\n".join(each.message for each in error.diagnostics))
        except WorkerError as failure:
            self.notify("problem", str(failure))
        finally:
            self._requests[bench] -= 1
            self.notify("busy", bench, self.is_busy(bench))
        return None

    def is_busy(self, bench: str) -> bool:
        """Return whether the worker process with the given name has unfinished requests."""
        return self._requests[bench] > 0

    async def stop(self, bench: str = "checking") -> None:
        """Interrupt the computation of the worker process with the given name."""
        if bench in self._jobs:
            await self._jobs[bench].stop()

    def close(self) -> None:
        """End the worker processes and delete the temporary copy of the open folder."""
        self._closed = True
        for job in self._jobs.values():
            job.close()
        self.workspace.close()

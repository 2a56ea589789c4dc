"""The views: each is a function that builds its elements for a session and listens to what changes.

::

    def walk_view(session: Session) -> None: ...      # in views/walk.py, with a line in pages.VIEWS: title, icon, function

**The program.** ``session.opened`` is the program as it was read
(:class:`~volition.studio.view_data.Opened`), or None while it has mistakes; it comes and changes
with the news ``opened``: ``session.on("opened", refresh)``.  Before that, and where it has
mistakes, a view says by ``parts.empty`` what to do.

**Work.** Nothing is computed in the server.  A function in ``work/<something>.py`` takes the
:class:`~volition.studio.workbench.Bench` first (``bench.program``, a dictionary ``bench.kept`` for
what it wants to find again) and plain data after it, calls the library as a notebook would, and
returns plain data, for which ``shown.py`` or the module itself has frozen dataclasses; spaces,
models and strategies stay in the process.  The view calls it by ::

    found = await session.ask(work.walking.back_to, number, bench="walking", heard=self._progress)

``bench`` names the process: one of your own, so that a long check does not block the view.  It
opens the program by itself, again after each change of the texts (``bench.kept`` is empty then).
``heard`` gets what the function told by ``bench.news(anything)``.  Mistakes, failures and a stop
are told to the user, and ``ask`` gives None.  ``await session.stop("walking")`` interrupts as
Ctrl-C does.  ``busy`` is told with the name of the bench and whether it works.

**From view to view.** ``session.go("Why", asked)`` shows a view by its title, with a subject, for
which the view has said ``session.on_arrival("Why", function)``.  What goes from one process to
another is text or plain data: an answer is known by the text that was asked (a key of
``session.answers``), a state by a run that leads to it: ``session.go("Walk", Spot(trace, step))``,
where the trace is a document of the public trace format (``volition.trace``, ``volition.replay``)
and ``step`` says how far to follow it. ``session.show(Path("ag1.asl"), 12)`` shows a line in the
editor.

**Looks.** ``views/parts.py`` has what views share: ``python_lines(lambda: [...])``, the button with
the Python lines that make the view; ``strategy_tables`` for a ``StrategyShown``
(``work.strategies.strategy_shown`` makes one of a table); ``verdict_badge``; ``empty``.  Texts of
programs go into labels and table cells, never into ``ui.html`` or ``ui.markdown``.  Colours come
from the variables in ``studio.css``, which know light and dark; charts ask ``session.dark``.
Elements keep their size while values change.  Every button has a text or an ``aria-label``.
"""  # noqa: E501

"""Views of the studio. Each view is a function that builds its elements for a session and listens
to its events.

A new view is a function ``def example_view(session: Session) -> None`` in a module of this package,
with an entry in ``pages.VIEWS``: title, icon and function.

**Program.** ``session.opened`` is the parsed program
(:class:`~volition.studio.view_data.ProgramData`), or None before it is parsed and while it has
errors. It changes with the event ``opened``: ``session.on("opened", refresh)``. If there is no
program, a view says with ``widgets.placeholder`` what to do.

**Tasks.** The server process computes nothing. A function in ``tasks/`` takes a
:class:`~volition.studio.workbench.Workbench` (``bench.program``, and the dictionary ``bench.cache``
for results that later calls need) and plain data. It calls the library as a notebook would, and
returns plain data, for which ``view_data.py`` or the module itself has frozen dataclasses. State
spaces, models and strategies stay in the worker process. A view calls the function with ::

    found = await session.ask(
        simulate.back_to, number, bench="simulator", on_progress=self._progress
    )

``bench`` names the worker process. Use one of your own, so that a long check does not block the
view. The worker parses the program on the first call and after each change of the texts, which also
clears ``bench.cache``. ``on_progress`` receives what the function passes to
``bench.report_progress``. If the call fails or is stopped, the user sees a message and ``ask``
returns None. ``await session.stop("simulator")`` interrupts the computation as Ctrl-C does. The
event ``busy`` has the name of the workbench and whether it is busy.

**Navigation.** ``session.navigate("Explanation", query)`` shows a view by its title and passes it a
subject. The view receives it with ``session.on_navigate("Explanation", function)``. Subjects are
text or plain data. An answer is identified by the text of its property (a key of
``session.answers``). A state is identified by a run that leads to it, as in
``session.navigate("Step through", StateReference(trace, step))``: the trace is in the public trace
format (``volition.trace``, ``volition.replay``), and ``step`` is the number of steps to take.
``session.show(Path("ag1.asl"), 12)`` shows a line in the editor.

**Appearance.** ``widgets.py`` has the shared elements: ``python_lines(lambda: [...])``, a button
that shows the Python code of the view; ``strategy_tables`` for a ``StrategyData`` (from
``tasks.strategies.strategy_data``); ``verdict_badge``; ``placeholder``. Texts of programs belong in
labels and table cells, never in ``ui.html`` or ``ui.markdown``. Colours are variables of
``studio.css``, with a light and a dark value; charts use ``session.dark``. Elements keep their size
while values change. Every button has a text or an ``aria-label``.
"""

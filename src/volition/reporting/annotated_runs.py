"""Annotated runs: a run with, for each step, the agent, rule, plan and source line that it comes
from, and what it changed.

:func:`annotate_run` returns the run as data, :func:`trace_rows` selects the rows of a level of
detail, and :func:`trace_lines` renders them as plain text. This module neither prints nor colours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Literal, Protocol

from volition.diagnostics import plural
from volition.display import HtmlDisplay, data_frame
from volition.kernel import STUTTER, StateGraph
from volition.languages.protocols import Model, StateView
from volition.origin import Origin

__all__ = [
    "AnnotatedRun",
    "AnnotatedStep",
    "Change",
    "Level",
    "RunLike",
    "TraceRow",
    "annotate_run",
    "change_details",
    "changes_between",
    "loop_end_row",
    "loop_start_row",
    "origins_of",
    "origins_of_transition",
    "row_of_step",
    "rows_to_lines",
    "sampled_origin",
    "state_details",
    "trace_lines",
    "trace_rows",
]

Level = Literal["full", "changes", "actions"]

SHORT_CHANGE = 60
"""Maximum total length, in characters, of the values before and after a step for which a change is
shown in full. For longer values only the parts that differ are shown."""

_TOKEN = re.compile(r"[.!?]*\w+\s*|[^\w\s]\s*|\s+")

STAYS = "no more steps are possible: the run stays in this state"
PASSES = "time passes"


@dataclass(frozen=True, slots=True)
class Change:
    """Item of a state view that a step adds (``before`` is None), removes (``after`` is None) or
    changes.

    ``str()`` gives the change as text. For an added or removed item, the text begins with ``+`` or
    ``-`` and a space. The space is needed because the item itself may begin with a sign, such as
    the event ``+auction(1)``. If only part of a long value changes, such as the remaining body of
    an intention, the text shows that part.
    """

    section: str
    item: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        if self.before is None:
            return f"+ {self.item}" + (f": {self.after}" if self.after else "")
        if self.after is None:
            return f"- {self.item}"
        before, after = _differing(self.before, self.after)
        return f"{self.item}: {before} → {after}"


def _differing(before: str, after: str) -> tuple[str, str]:
    """Return the parts in which two texts differ, with an ellipsis in place of common parts. Short
    texts are returned unchanged."""
    if len(before) + len(after) <= SHORT_CHANGE:
        return before, after
    left, right = _TOKEN.findall(before), _TOKEN.findall(after)
    start = _shared(left, right)
    end = _shared(left[start:][::-1], right[start:][::-1])
    if min(len(left), len(right)) == start + end:
        # Tokens were only inserted or only removed: include the word before them, to show the
        # position.
        start = max(
            (index for index in range(start) if any(map(str.isalnum, left[index]))), default=0
        )
    while end and any(_is_open(tokens[start : len(tokens) - end]) for tokens in (left, right)):
        end -= 1

    def part(tokens: Sequence[str]) -> str:
        middle = "".join(tokens[start : len(tokens) - end]).strip()
        return f"{'… ' if start else ''}{middle}{' …' if end else ''}"

    return part(left), part(right)


def _shared(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the common prefix of two token lists."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    )


def _is_open(tokens: Sequence[str]) -> bool:
    """Return whether a list of tokens contains more opening than closing brackets."""
    return sum((token[0] in "([{") - (token[0] in ")]}") for token in tokens) > 0


@dataclass(frozen=True, slots=True)
class AnnotatedStep:
    """Step of an annotated run. It has several ``origins`` in the program if components move
    together, and none if the run stutters in its last state. ``state_view`` shows the state after
    the step."""

    number: int
    origins: tuple[Origin, ...]
    changes: tuple[Change, ...]
    state_view: StateView
    probability: str | None = None

    @property
    def is_stutter(self) -> bool:
        return not self.origins

    @property
    def agent(self) -> str:
        return ", ".join(dict.fromkeys(origin.agent for origin in self.origins if origin.agent))

    @property
    def text(self) -> str:
        return "; ".join(origin.text for origin in self.origins) if self.origins else STAYS

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(rule for origin in self.origins for rule in origin.rules)

    @property
    def places(self) -> tuple[str, ...]:
        """Source lines of the step, such as ``rover.can:12``."""
        return tuple(
            dict.fromkeys(str(origin.span) for origin in self.origins if origin.span is not None)
        )

    @property
    def executes_action(self) -> bool:
        """Whether the step executes an action. A choice may stand for one of several steps, drawn
        at random. If the drawn step is not known, the result is true if any of these steps executes
        an action."""
        return any(
            step.action is not None for origin in self.origins for step in origin.possible_steps
        )


@dataclass(frozen=True, slots=True, repr=False)
class AnnotatedRun(HtmlDisplay):
    """Run with the origins and changes of each step. If ``loop`` is not None, the run is a lasso:
    the steps after the first ``loop`` ones repeat forever.

    ``str()`` gives the run as text, one step per line.
    """

    start: StateView
    steps: tuple[AnnotatedStep, ...]
    loop: int | None = None

    def __len__(self) -> int:
        return len(self.steps)

    def __bool__(self) -> bool:
        return True  # a run without steps is not false

    def __iter__(self) -> Iterator[AnnotatedStep]:
        return iter(self.steps)

    def __getitem__(self, index: int) -> AnnotatedStep:
        return self.steps[index]

    def __repr__(self) -> str:
        return f"<AnnotatedRun: {len(self.steps)} {plural(len(self.steps), 'step')}>"

    def __str__(self) -> str:
        return "\n".join(trace_lines(self))

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one row for each step of the run."""
        columns = ["step", "agent", "text", "rules", "changes", "places"]
        return data_frame(
            columns,
            [
                [
                    row.number,
                    row.agent,
                    row.text,
                    list(row.rules),
                    [*map(str, row.changes)],
                    row.places,
                ]
                for row in self
            ],
        )

    @property
    def stays(self) -> bool:
        """Whether the run ends in a state that it never leaves."""
        return bool(self.steps) and self.steps[-1].is_stutter


class RunLike(Protocol):
    """Run that can be annotated: a :class:`~volition.checking.verdict.Run`, or a run still being
    built step by step."""

    @property
    def space(self) -> StateGraph: ...

    @property
    def states(self) -> Sequence[int]: ...

    @property
    def choices(self) -> Sequence[int]: ...

    @property
    def loop(self) -> int | None: ...


def annotate_run(run: RunLike, model: Model) -> AnnotatedRun:
    """Return a run with the origins in the program and the changes of each step."""
    space = run.space
    views = [model.describe(space.values(state)) for state in run.states]
    following = list(run.states[1:])
    if run.loop is not None:
        following.append(run.states[run.loop])
        views.append(views[run.loop])
    steps = tuple(
        AnnotatedStep(
            number=index + 1,
            origins=origins_of_transition(space, choice, source, target),
            changes=tuple(changes_between(views[index], views[index + 1])),
            state_view=views[index + 1],
            probability=_probability(space, choice, target),
        )
        for index, (source, choice, target) in enumerate(
            zip(run.states[: len(run.choices)], run.choices, following, strict=True)
        )
    )
    return AnnotatedRun(views[0], steps, run.loop)


def origins_of(label: Hashable) -> tuple[Origin, ...]:
    """Return the origins in the program that the label of a choice contains. A label that contains
    none becomes a single origin with the text of the label."""
    if label is STUTTER:
        return ()
    if label is None:  # components moved together, and none of them has a label
        return (Origin("", (), PASSES),)
    if isinstance(label, Origin):
        return (label,)
    if isinstance(label, tuple) and all(isinstance(each, Origin) for each in label):
        return label
    return (Origin("", (), str(label)),)


def origins_of_transition(
    space: StateGraph, choice: int, source: int, target: int
) -> tuple[Origin, ...]:
    """Return the origins in the program of a choice that led from one state to another. An origin
    may stand for several steps, one of which is drawn at random. It is then replaced by the origin
    of the step that was drawn, which is determined from the two states."""
    before, after = (
        (lambda slot: space.value(source, slot)),
        (lambda slot: space.value(target, slot)),
    )
    return tuple(
        sampled_origin(origin, before, after) for origin in origins_of(space.label(choice))
    )


def sampled_origin(
    origin: Origin, before: Callable[[str], Any], after: Callable[[str], Any]
) -> Origin:
    """Return the origin of the step that was drawn, for an origin that stands for a random one of
    several steps (``alternatives``). The step is determined from the slot values before and after
    it. If they do not determine the step, return the given origin unchanged."""
    left = [
        step
        for step in origin.possible_steps
        if any(after(slot) == value for slot, value in step.resulting_slots)
    ]
    changed = [
        step for step in left if any(before(slot) != value for slot, value in step.resulting_slots)
    ]
    found = changed or left
    return found[0] if origin.alternatives and len(found) == 1 else origin


def changes_between(before: StateView, after: StateView) -> Iterator[Change]:
    """Yield the differences between two state views, one section (such as beliefs or intentions)
    after the other."""
    for section in dict.fromkeys([*before, *after]):
        old, new = before.get(section, {}), after.get(section, {})
        for item in dict.fromkeys([*old, *new]):
            if old.get(item) != new.get(item):
                yield Change(section, item, old.get(item), new.get(item))


def _probability(space: StateGraph, choice: int, target: int) -> str | None:
    """Return the probability with which a choice leads to ``target``, as text, or None if that is
    its only outcome."""
    targets, weights = space.targets_of(choice).tolist(), space.weights_of(choice)
    return None if len(targets) == 1 else str(weights[targets.index(target)])


# --- what a level of detail shows -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TraceRow:
    """Row of a printed run: a step, or a remark if ``number`` is empty. ``details`` are printed
    below the row. Each is a pair of the name of a state view section, such as *beliefs*, and a
    text."""

    number: str
    agent: str
    text: str
    rules: str = ""
    positions: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()


def trace_rows(annotated: AnnotatedRun, level: Level = "changes") -> list[TraceRow]:
    """Return the rows of an annotated run at a level of detail.

    ``changes`` shows all steps with their changes, ``full`` all steps with complete states, and
    ``actions`` only the steps that execute an action.
    """
    shown: list[TraceRow] = []
    if level != "actions":
        shown.append(TraceRow("0", "", "initial state", details=state_details(annotated.start)))
    elif not any(step.executes_action for step in annotated.steps):
        shown.append(TraceRow("", "", "no action is executed"))
    for step in annotated.steps:
        shown += loop_start_row(annotated, step)
        if level != "actions" or step.executes_action or step.is_stutter:
            shown.append(row_of_step(step, _details(step, level)))
    return [*shown, *loop_end_row(annotated)]


def loop_start_row(annotated: AnnotatedRun, step: AnnotatedStep) -> list[TraceRow]:
    """Return a row with the remark that all steps from here on repeat, if ``step`` is the first
    step of the run's loop. Otherwise return an empty list."""
    if annotated.loop is None or step.number != annotated.loop + 1 or step.is_stutter:
        return []
    first, last = annotated.loop + 1, len(annotated.steps)
    which = f"step {first} repeats" if first == last else f"steps {first} to {last} repeat"
    return [TraceRow("", "", f"↻ from here on {which} forever")]


def loop_end_row(annotated: AnnotatedRun) -> list[TraceRow]:
    """Return a row for the end of a run, with the remark that the run goes back to the start of its
    loop. Return an empty list for a run without a loop."""
    if annotated.loop is None or annotated.stays:
        return []
    return [
        TraceRow(
            "",
            "",
            f"↺ back to the state after step {annotated.loop}"
            if annotated.loop
            else "↺ back to the initial state",
        )
    ]


def row_of_step(step: AnnotatedStep, details: tuple[tuple[str, str], ...]) -> TraceRow:
    """Return the printed row of a step, with the given details below it."""
    text = (
        step.text if step.probability is None else f"{step.text} (probability {step.probability})"
    )
    return TraceRow(
        "" if step.is_stutter else str(step.number),
        step.agent,
        text,
        " ".join(dict.fromkeys(step.rules)),
        step.places,
        details,
    )


def change_details(changes: Sequence[Change]) -> tuple[tuple[str, str], ...]:
    """Return the changes of a step as details of its printed row: for each section of the state
    view a pair of its name and a text."""
    sections: dict[str, list[str]] = {}
    for change in changes:
        sections.setdefault(change.section, []).append(str(change))
    return tuple((section, ", ".join(texts)) for section, texts in sections.items())


def _details(step: AnnotatedStep, level: Level) -> tuple[tuple[str, str], ...]:
    if level == "full":
        return state_details(step.state_view)
    return change_details(step.changes) if level == "changes" else ()


def state_details(view: StateView) -> tuple[tuple[str, str], ...]:
    """Return a state view as details of a printed row: for each section that is not empty a pair of
    its name and a text."""
    return tuple((section, ", ".join(_items(items))) for section, items in view.items() if items)


def _items(items: Mapping[str, str]) -> Iterator[str]:
    for item, value in items.items():
        yield f"{item}: {value}" if value else item


def trace_lines(annotated: AnnotatedRun, level: Level = "changes") -> list[str]:
    """Return an annotated run at a level of detail as lines of plain text."""
    return rows_to_lines(trace_rows(annotated, level))


def rows_to_lines(shown: Sequence[TraceRow]) -> list[str]:
    """Return the rows of a printed run as lines of plain text."""
    width = max((len(row.number) for row in shown), default=0)
    result = []
    for row in shown:
        owner = f"{row.agent}: " if row.agent else ""
        rules = f"  [{row.rules}]" if row.rules else ""
        position = f"  ({', '.join(row.positions)})" if row.positions else ""
        result.append(f"{row.number:>{width}}  {owner}{row.text}{rules}{position}")
        result += [f"{'':>{width}}      {section}: {text}" for section, text in row.details]
    return result

"""A run in the agent's words: who did what by which rule and plan, and what changed; the loop
marked.

:func:`tell` gives the run as data, :func:`rows` picks what a level of detail shows, :func:`lines`
    is plain text.  Nothing here prints or colours.
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
"""Values before and after a step that together have no more letters are told in full."""

_TOKEN = re.compile(r"[.!?]*\w+\s*|[^\w\s]\s*|\s+")

STAYS = "no more steps are possible: the run stays in this state"
PASSES = "time passes"


@dataclass(frozen=True, slots=True)
class Change:
    """One item of a portrait that a step adds (``before`` is None), removes (``after`` is None) or
    gives another value.

    As text, a space keeps the sign apart from items that begin with one, such as the event
    ``+auction(1)``.  Of a long value that changes in a part only, such as what is left of an
    intention, that part is told.
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
    """The parts in which two texts differ, with an ellipsis for what both have in common; short
    texts as they are."""
    if len(before) + len(after) <= SHORT_CHANGE:
        return before, after
    left, right = _TOKEN.findall(before), _TOKEN.findall(after)
    start = _shared(left, right)
    end = _shared(left[start:][::-1], right[start:][::-1])
    if min(len(left), len(right)) == start + end:
        # Something was put in or taken out: what stands before it says where.
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
    """How many tokens two texts begin with alike."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    )


def _is_open(tokens: Sequence[str]) -> bool:
    """Whether a bracket is opened and not closed."""
    return sum((token[0] in "([{") - (token[0] in ")]}") for token in tokens) > 0


@dataclass(frozen=True, slots=True)
class AnnotatedStep:
    """One step.  ``origins`` are several where components move together, and none where the state
    stays for ever."""

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
        """The source lines, such as ``rover.can:12``."""
        return tuple(
            dict.fromkeys(str(origin.span) for origin in self.origins if origin.span is not None)
        )

    @property
    def executes_action(self) -> bool:
        """Whether an action is executed, or may be where chance picks the step."""
        return any(
            step.action is not None for origin in self.origins for step in origin.possible_steps
        )


@dataclass(frozen=True, slots=True, repr=False)
class AnnotatedRun(HtmlDisplay):
    """A run, told.  If ``loop`` is not None the run goes on for ever with the steps after the first
    ``loop`` ones.

    ``str()`` tells it line by line.
    """

    start: StateView
    steps: tuple[AnnotatedStep, ...]
    loop: int | None = None

    def __len__(self) -> int:
        return len(self.steps)

    def __bool__(self) -> bool:
        return True  # a run without steps is a run

    def __iter__(self) -> Iterator[AnnotatedStep]:
        return iter(self.steps)

    def __getitem__(self, index: int) -> AnnotatedStep:
        return self.steps[index]

    def __repr__(self) -> str:
        return f"<Telling: {len(self.steps)} {plural(len(self.steps), 'step')}>"

    def __str__(self) -> str:
        return "\n".join(trace_lines(self))

    def to_dataframe(self) -> Any:
        """A row for each step, for pandas."""
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
        """Whether the run ends in a state that stays for ever."""
        return bool(self.steps) and self.steps[-1].is_stutter


class RunLike(Protocol):
    """What can be told: a :class:`~volition.checking.verdict.Run`, or one that somebody is still
    making."""

    @property
    def space(self) -> StateGraph: ...

    @property
    def states(self) -> Sequence[int]: ...

    @property
    def choices(self) -> Sequence[int]: ...

    @property
    def loop(self) -> int | None: ...


def annotate_run(run: RunLike, model: Model) -> AnnotatedRun:
    """The run in the words of the program."""
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
    """The origins behind the label of a choice; a label that is none tells itself."""
    if label is STUTTER:
        return ()
    if label is None:  # components that move together may all have nothing to say
        return (Origin("", (), PASSES),)
    if isinstance(label, Origin):
        return (label,)
    if isinstance(label, tuple) and all(isinstance(each, Origin) for each in label):
        return label
    return (Origin("", (), str(label)),)


def origins_of_transition(
    space: StateGraph, choice: int, source: int, target: int
) -> tuple[Origin, ...]:
    """The origins behind a choice that led from one state to another: where chance picks one of
    several steps, the one it picked."""
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
    """The step that chance picked, if what it leaves tells it from the others, by the values of
    slots before and after it."""
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
    """What is different, section by section."""
    for section in dict.fromkeys([*before, *after]):
        old, new = before.get(section, {}), after.get(section, {})
        for item in dict.fromkeys([*old, *new]):
            if old.get(item) != new.get(item):
                yield Change(section, item, old.get(item), new.get(item))


def _probability(space: StateGraph, choice: int, target: int) -> str | None:
    """The probability of the outcome that the run takes, if there are others."""
    targets, weights = space.targets_of(choice).tolist(), space.weights_of(choice)
    return None if len(targets) == 1 else str(weights[targets.index(target)])


# --- what a level of detail shows -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One line for people: a step, or a remark (``number`` is empty).  ``details`` stand below it,
    one per section."""

    number: str
    agent: str
    text: str
    rules: str = ""
    positions: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()


def trace_rows(annotated: AnnotatedRun, level: Level = "changes") -> list[TraceRow]:
    """The rows of a table: all steps with what they changed, or with whole states (``full``), or
    only steps that act (``actions``)."""
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
    """The mark before the step with which the loop begins."""
    if annotated.loop is None or step.number != annotated.loop + 1 or step.is_stutter:
        return []
    first, last = annotated.loop + 1, len(annotated.steps)
    which = f"step {first} repeats" if first == last else f"steps {first} to {last} repeat"
    return [TraceRow("", "", f"↻ from here on {which} for ever")]


def loop_end_row(annotated: AnnotatedRun) -> list[TraceRow]:
    """The mark at the end of a loop."""
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
    """The row of a step, with details of the teller's choice."""
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
    """Changes as details of a row, one for each section."""
    sections: dict[str, list[str]] = {}
    for change in changes:
        sections.setdefault(change.section, []).append(str(change))
    return tuple((section, ", ".join(texts)) for section, texts in sections.items())


def _details(step: AnnotatedStep, level: Level) -> tuple[tuple[str, str], ...]:
    if level == "full":
        return state_details(step.state_view)
    return change_details(step.changes) if level == "changes" else ()


def state_details(view: StateView) -> tuple[tuple[str, str], ...]:
    """A portrait as details of a row, one for each section that is not empty."""
    return tuple((section, ", ".join(_items(items))) for section, items in view.items() if items)


def _items(items: Mapping[str, str]) -> Iterator[str]:
    for item, value in items.items():
        yield f"{item}: {value}" if value else item


def trace_lines(annotated: AnnotatedRun, level: Level = "changes") -> list[str]:
    """The rows of a level as plain text."""
    return rows_to_lines(trace_rows(annotated, level))


def rows_to_lines(shown: Sequence[TraceRow]) -> list[str]:
    """Rows as plain text."""
    width = max((len(row.number) for row in shown), default=0)
    result = []
    for row in shown:
        owner = f"{row.agent}: " if row.agent else ""
        rules = f"  [{row.rules}]" if row.rules else ""
        position = f"  ({', '.join(row.positions)})" if row.positions else ""
        result.append(f"{row.number:>{width}}  {owner}{row.text}{rules}{position}")
        result += [f"{'':>{width}}      {section}: {text}" for section, text in row.details]
    return result

"""The run behind an answer, in the agents' words, with the minds and the world beside each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import volition
from volition.checking.verdict import Run
from volition.diagnostics import Span
from volition.kernel.system import View
from volition.languages.model import Model, Portrait
from volition.studio.bench import Bench
from volition.studio.shown import MindShown, Place, RunShown, StateShown, StepShown
from volition.studio.work.checking import answer_to
from volition.studio.work.places import place
from volition.telling.minds import parted, stacks
from volition.telling.runs import Change, ToldStep
from volition.telling.stories import highlights

__all__ = ["places_of", "run_of", "state_shown"]


def run_of(bench: Bench, asked: str) -> RunShown | None:
    """The run that an answer has for evidence."""
    answer = answer_to(bench, asked)
    run, telling = answer.verdict.run, volition.tell(answer)
    if run is None or telling is None:
        return None
    model = answer.exploration.model
    matter = highlights(run, model, answer.question.formula, telling)
    steps = tuple(
        StepShown(
            number=step.number,
            agent=step.agent,
            text=step.text,
            rules=tuple(dict.fromkeys(step.rules)),
            places=places_of(bench, (origin.span for origin in step.origins)),
            changes=tuple(map(str, step.changes)),
            turns=matter.turns[step.number - 1],
            matters=step.number in matter.steps,
            state=state_shown(model, _state_after(run, step), step.portrait, step.changes),
            probability=step.probability,
            stays=step.stays,
        )
        for step in telling.steps
    )
    start = state_shown(model, run[0], telling.start, ())
    return RunShown(start, steps, telling.loop, volition.trace(answer) or {})


def _state_after(run: Run, step: ToldStep) -> Mapping[str, object]:
    """The state that a step leads to, which the last one of a loop has in its middle."""
    return run[step.number] if step.number < len(run.states) else run[run.loop or 0]


def state_shown(model: Model, state: View, portrait: Portrait, changes: Sequence[Change]) -> StateShown:
    """A state with what is different in it."""
    parts, stacked = parted(portrait, model.agents), stacks(model, state)
    minds = tuple(MindShown(agent, sections, tuple(map(tuple, stacked.get(agent, ())))) for agent, sections in parts.minds.items())
    marks = {(each.section, each.item): "new" if each.before is None else "gone" if each.after is None else "changed" for each in changes}
    return StateShown(minds, parts.world, marks)


def places_of(bench: Bench, spans: Iterable[Span | None]) -> tuple[Place, ...]:
    """Where in the program something comes from."""
    return tuple(dict.fromkeys(found for span in spans if (found := place(span, bench.folder)) is not None))

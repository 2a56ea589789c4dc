"""Task of a studio worker: return the counterexample or witness of an answer, with the states of
the agents and the world after each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import volition
from volition.checking.verdict import Run
from volition.diagnostics import Span
from volition.kernel.system import SlotView
from volition.languages.protocols import Model, StateView
from volition.reporting.annotated_runs import AnnotatedStep, Change
from volition.reporting.run_summary import relevant_steps
from volition.reporting.state_sections import intention_stacks, split_by_owner
from volition.studio.tasks.check import answer_to
from volition.studio.tasks.diagnostics import position_of
from volition.studio.view_data import AgentData, RunData, SourcePosition, StateData, StepData
from volition.studio.workbench import Workbench

__all__ = ["run_of", "source_positions", "state_data"]


def run_of(bench: Workbench, query: str) -> RunData | None:
    """Return the counterexample or witness of the answer for a property, which is given by its
    text; None if the answer has no run."""
    answer = answer_to(bench, query)
    run, annotated = answer.verdict.run, volition.annotated_run(answer)
    if run is None or annotated is None:
        return None
    model = answer.exploration.model
    matter = relevant_steps(run, model, answer.prop.formula, annotated)
    steps = tuple(
        StepData(
            number=step.number,
            agent=step.agent,
            text=step.text,
            rules=tuple(dict.fromkeys(step.rules)),
            positions=source_positions(bench, (origin.span for origin in step.origins)),
            changes=tuple(map(str, step.changes)),
            atom_changes=matter.truth_changes[step.number - 1],
            is_relevant=step.number in matter.steps,
            state=state_data(model, _state_after(run, step), step.state_view, step.changes),
            probability=step.probability,
            is_self_loop=step.is_stutter,
        )
        for step in annotated.steps
    )
    start = state_data(model, run[0], annotated.start, ())
    return RunData(start, steps, annotated.loop, volition.trace(answer) or {})


def _state_after(run: Run, step: AnnotatedStep) -> Mapping[str, object]:
    """Return the state after a step of a run. After the last step of a lasso, this is the first
    state of its loop."""
    return run[step.number] if step.number < len(run.states) else run[run.loop or 0]


def state_data(
    model: Model, state: SlotView, view: StateView, changes: Sequence[Change]
) -> StateData:
    """Return a state as plain data for the page; ``changes`` are marked as differences from the
    previous state."""
    parts, stacked = split_by_owner(view, model.agents), intention_stacks(model, state)
    agents = tuple(
        AgentData(agent, sections, tuple(map(tuple, stacked.get(agent, ()))))
        for agent, sections in parts.agents.items()
    )
    marks = {
        (each.section, each.item): "new"
        if each.before is None
        else "gone"
        if each.after is None
        else "changed"
        for each in changes
    }
    return StateData(agents, parts.world, marks)


def source_positions(bench: Workbench, spans: Iterable[Span | None]) -> tuple[SourcePosition, ...]:
    """Return the positions of source spans in the open program, without duplicates."""
    return tuple(
        dict.fromkeys(
            found for span in spans if (found := position_of(span, bench.folder)) is not None
        )
    )

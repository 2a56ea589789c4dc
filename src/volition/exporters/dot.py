"""Export of a state space as a graph in the DOT language of Graphviz."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from volition.checking.explored_model import rebuild_model
from volition.diagnostics import Diagnostic, InputError
from volition.exporters.formats import ExportRequest, ExportResult
from volition.kernel import STUTTER, StateSpace, explore
from volition.languages.protocols import Model, StateView

__all__ = ["export_to_dot", "to_dot"]

MAX_DRAWN = 1000
"""Default maximum number of states in an exported drawing of a state space; a larger drawing is not
readable."""


def export_to_dot(request: ExportRequest) -> ExportResult:
    """Return a drawing of the state space. An explored space must not have more states than may be
    drawn; a program is explored up to this number."""
    if request.formulas:
        message = "a state graph cannot contain formulas"
        raise InputError([Diagnostic("CLI013", message, hint="leave the formulas out")])
    maximum = request.limits.states or MAX_DRAWN
    if request.space is None:
        model = request.program.model()
        limits = replace(request.limits, states=maximum)
        space = explore(model.system, limits=limits, progress=request.progress)
    else:
        model, space = rebuild_model(request.space), request.space
        if space.num_states > maximum:
            message = f"a graph of {space.num_states:,} states is too large to be drawn"
            hint = "export the program instead, to draw a part of it, or allow more states"
            raise InputError([Diagnostic("EXP013", message, hint=hint)])
    return ExportResult("dot", to_dot(space, model), states=space.num_states, stopped=space.stopped)


def to_dot(space: StateSpace, model: Model) -> str:
    """Return the DOT graph of a small state space: states show what holds in them, edges show the
    actions.

    A choice with one outcome is drawn as an edge. A choice with several outcomes is drawn as an
    edge to a dot, from which edges with probabilities lead to the next states. States that were
    found but not explored are dashed.
    """
    return "\n".join(
        [
            "digraph states {",
            "  node [shape=box, fontname=monospace];",
            *_states(space, model),
            *_choices(space),
            "}",
            "",
        ]
    )


def _states(space: StateSpace, model: Model) -> Iterator[str]:
    for state in range(space.num_states):
        style = (
            ", style=dashed"
            if state >= space.num_expanded
            else ", style=bold"
            if state == 0
            else ""
        )
        text = _view_text(model.describe(space.values(state)))
        yield f"  s{state} [label={_quoted(text)}{style}];"


def _choices(space: StateSpace) -> Iterator[str]:
    for choice in range(space.num_choices):
        source, label = f"s{space.choice_states[choice]}", _quoted(_label_text(space.label(choice)))
        transitions = space.transitions_of(choice)
        if len(transitions) == 1:
            yield f"  {source} -> s{space.targets[transitions[0]]} [label={label}];"
            continue
        yield f"  c{choice} [shape=point];"
        yield f"  {source} -> c{choice} [label={label}, dir=none];"
        for transition in transitions:
            yield (
                f"  c{choice} -> s{space.targets[transition]} "
                f"[label={_quoted(str(space.weights[space.weight_ids[transition]]))}];"
            )


def _view_text(view: StateView) -> str:
    sections = {
        section: [f"{item}: {value}" if value else item for item, value in items.items()]
        for section, items in view.items()
    }
    return "\n".join(
        f"{section}: {', '.join(items)}" for section, items in sections.items() if items
    )


def _label_text(label: Hashable) -> str:
    if label is STUTTER:
        return "stays"
    if isinstance(label, tuple):
        return "; ".join(map(_label_text, label))
    return str(label)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l")
    return f'"{escaped}\\l"' if "\\l" in escaped else f'"{escaped}"'

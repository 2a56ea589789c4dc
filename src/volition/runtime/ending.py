"""What ends a run: a belief, or any formula about one state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from volition.checking.graph.propositions import predicate
from volition.checking.task import CheckTask
from volition.diagnostics import Diagnostic, InputError, Span
from volition.kernel.system import Predicate, View
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.names import name_of
from volition.languages.lisa.semantics import believes
from volition.languages.model import Model
from volition.logic import parse
from volition.logic.tree import is_propositional

__all__ = ["Ending", "ending", "reached"]


@dataclass(frozen=True, slots=True)
class Ending:
    """The run is over where this holds."""

    text: str
    holds: Predicate


def ending(model: Model, text: str, span: Span | None = None) -> Ending:
    """A sentence that a LISA agent may believe, or a formula about one state; raises :class:`InputError`."""
    if isinstance(model, LisaModel):
        for agent in model.understood:
            if (name := name_of(text)) in agent.beliefs:
                return Ending(agent.beliefs[name], partial(_is_believed, agent.prefix + name))
    formula = parse(text)
    if not is_propositional(formula):
        hint = "write what is believed then, such as Bel(done)"
        raise InputError([Diagnostic("RUN010", f"'{text}' is not about one state, so that no state ends the run", span, hint)])
    task = CheckTask(model, formula)
    return Ending(text, predicate(task.formula, task.leaves))


def _is_believed(slot: str, state: View) -> bool:
    return believes(state)(slot)


def reached(endings: Sequence[Ending], state: View) -> str | None:
    """The first of the endings that holds in a state."""
    return next((each.text for each in endings if each.holds(state)), None)

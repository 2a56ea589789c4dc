"""Stop conditions of a run: a belief, or any formula about one state."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

from volition.checking.graph.propositions import DEADLOCK, predicate
from volition.checking.task import CheckTask
from volition.diagnostics import Diagnostic, InputError, Span, did_you_mean
from volition.kernel.system import Predicate, SlotView
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.names import name_of
from volition.languages.lisa.semantics import believes
from volition.languages.protocols import HasConstantSlots, Model, Program
from volition.logic import parse
from volition.logic.printing import as_typed
from volition.logic.syntax import Atom
from volition.logic.traversal import atomic_formulas, expand_agents, is_propositional, modal_atoms

__all__ = ["StopCondition", "first_satisfied", "parse_stop_condition"]

_SENTENCE = re.compile(r"\s*+\w[\w '-]*+[.]?\s*+")
"""Pattern of a text in plain words, which may be a sentence that a LISA agent believes."""


@dataclass(frozen=True, slots=True)
class StopCondition:
    """A condition that ends a run in every state in which it holds, and its text."""

    text: str
    holds: Predicate


def parse_stop_condition(
    program: Program, model: Model, text: str, span: Span | None = None
) -> StopCondition:
    """Return the stop condition that a text describes: a sentence that a LISA agent can believe, or
    a formula about one state.

    Raise :class:`InputError` if the text is neither.
    """
    if isinstance(model, LisaModel):
        for agent in model.understood:
            if (name := name_of(text)) in agent.beliefs:
                return StopCondition(
                    agent.beliefs[name], partial(_is_believed, agent.prefix + name)
                )
    try:
        return _ending_by_formula(program, model, text, span)
    except InputError:
        if isinstance(model, LisaModel) and _SENTENCE.fullmatch(text):
            raise InputError([_unknown_sentence(model, text, span)]) from None
        raise


def _ending_by_formula(
    program: Program, model: Model, text: str, span: Span | None
) -> StopCondition:
    formula = parse(text)
    if not is_propositional(formula):
        hint = "use a belief, such as Bel(done)"
        raise InputError(
            [
                Diagnostic(
                    "RUN010",
                    f"'{text}' cannot be a stop condition: it is not about a single state",
                    span,
                    hint,
                )
            ]
        )
    query = expand_agents(formula, model.agents)
    errors = [
        _unremembered(atom, span)
        for atom in modal_atoms(query)
        if _changing_slots(program.model((atom,))) != _changing_slots(model)
    ]
    if DEADLOCK in atomic_formulas(query):
        message = "'deadlock' is not needed as a stop condition: a run always stops at a deadlock"
        errors.append(Diagnostic("RUN010", message, span, "leave it out"))
    if errors:
        raise InputError(errors)
    task = CheckTask(model, formula)
    return StopCondition(text, predicate(task.formula, task.resolved_atoms))


def _changing_slots(model: Model) -> Collection[str]:
    """Return the slots of a model whose values may change. The model that is built for a formula
    with ``Does`` has additional slots for the last action. The comparison with the model of a run
    thus shows whether an atom is about steps instead of states."""
    constant = set(model.constant_slots) if isinstance(model, HasConstantSlots) else set()
    return model.system.slots.keys() - constant


def _unremembered(atom: Atom, span: Span | None) -> Diagnostic:
    message = f"'{as_typed(atom)}' cannot be a stop condition: it is about a step, not a state"
    return Diagnostic("RUN010", message, span, "use a belief, such as Bel(done)")


def _unknown_sentence(model: LisaModel, text: str, span: Span | None) -> Diagnostic:
    """Return the error for a stop condition in plain words that no agent of the program can
    believe: it is misspelt or belongs to another program."""
    known = dict.fromkeys(
        sentence for agent in model.understood for sentence in agent.beliefs.values()
    )
    hint = did_you_mean(text, known) or f"the agent's beliefs are {', '.join(known)}"
    return Diagnostic(
        "RUN011",
        f"the agent never believes '{text}', so this belief cannot end the run",
        span,
        hint,
    )


def _is_believed(slot: str, state: SlotView) -> bool:
    return believes(state)(slot)


def first_satisfied(endings: Sequence[StopCondition], state: SlotView) -> str | None:
    """Return the text of the first stop condition that holds in a state, or None if none holds."""
    return next((each.text for each in endings if each.holds(state)), None)

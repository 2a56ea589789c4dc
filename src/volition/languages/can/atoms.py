"""Atoms of formulas and their meaning for a CAN agent.

| atom | true when |
|---|---|
| ``Bel(φ)`` | φ is believed; φ is any condition of the language |
| ``Int(e)`` | the external event e (a name or a number) was adopted and its intention is not yet removed |
| ``Des(e)`` | e is pending, or its intention is not yet removed: the agent has not completed e |
| ``Waiting(e)`` | e is not adopted yet |
| ``Finished(e)`` | the remaining program of e's intention is ``nil``, and the intention is not yet removed |
| ``Blocked(e)`` | e's intention cannot step and is not finished |
| ``Int(*)``, ``Finished(*)``, ... | the same for any external event; names in a program cannot hide these atoms |
| ``Does(a)`` | the action a was executed in the step into this state |
| a label, a belief | the label holds, the belief is true |
| ``empty`` | the agent has neither pending events nor intentions |
| ``failure`` | some intention is blocked and not finished |
| ``no_failure`` | some intention is finished and not yet removed |

A belief of the program takes precedence over a built-in label of the same name. A name in a
comparison is a numeric belief or a parameter.
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Never, assert_never

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Span, did_you_mean
from volition.kernel.system import AnyPredicate, Predicate, SlotView
from volition.languages.can.agent import LAST_ACTION, AgentRules, EventStatus, intention_slot
from volition.languages.can.checks import check_divisors
from volition.languages.can.condition_reader import ConditionReader
from volition.languages.can.conditions import (
    BeliefAtom,
    Comparison,
    Condition,
    EventPhase,
    NumericBelief,
    Parameters,
    PhaseKind,
    Valuation,
    holds,
    nodes,
)
from volition.languages.can.grammar import parser
from volition.languages.can.printing import body_text
from volition.languages.can.syntax import AgentProgram
from volition.languages.can.vocabulary import BUILT_IN_LABELS, Vocabulary
from volition.languages.common.atom_arguments import argument_span
from volition.logic.syntax import Atom, AtomicFormula, Identifier, Proposition

__all__ = ["AtomDependencies", "AtomResolver"]

_PHASES_OF: Mapping[str, Sequence[PhaseKind]] = {
    "Int": ["active"],
    "Des": ["waiting", "active"],
    "Waiting": ["waiting"],
    "Finished": ["finished"],
    "Blocked": ["blocked"],
}
"""Phases of an external event in which each atom about events is true. ``Int(e)``, for example, is
true while e is ``active``."""


@dataclass(frozen=True, slots=True)
class AtomDependencies:
    """Parts of the program on which the truth of an atom depends: conditions, external events and
    actions.

    ``events`` are the names of the external events. ``labels`` are the texts by which the atom
    refers to them, each a name or a number.
    """

    conditions: tuple[Condition, ...] = ()
    events: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class AtomResolver:
    """Resolver for the atoms of formulas: it returns the function that evaluates an atom in a state
    of a model. The states record the actions in ``recorded_actions``."""

    def __init__(
        self,
        agent: AgentProgram,
        vocabulary: Vocabulary,
        rules: AgentRules,
        parameters: Parameters,
        recorded_actions: Collection[str],
    ) -> None:
        self._agent = agent
        self._vocabulary = vocabulary
        self._rules = rules
        self._parameters = parameters
        self._recorded_actions = recorded_actions

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        """Return the function that evaluates an atom in a state. Raises :class:`InputError`, with
        the position in the formula, if the atom is not meaningful for the program."""
        match atom:
            case Identifier(name):
                return self._number(name, atom.span)
            case Proposition(name):
                return self._proposition(name, atom.span)
            case Atom():
                return self._atom(atom)
            case _:
                assert_never(atom)

    def atom_dependencies(self, atom: AtomicFormula) -> AtomDependencies:
        """Return the parts of the program on which an atom depends. :meth:`resolve` must succeed
        for the atom."""
        every = tuple(event.name for event in self._agent.events)
        match atom:
            case Identifier(name):
                return AtomDependencies(
                    (Comparison("=", NumericBelief(name), NumericBelief(name)),)
                    if name in self._vocabulary.quantities
                    else ()
                )
            case Proposition(name) if name in self._vocabulary.labels:
                return AtomDependencies((self._vocabulary.labels[name].condition,))
            case Proposition(name):
                return (
                    AtomDependencies((BeliefAtom(name),))
                    if name in self._vocabulary.beliefs
                    else AtomDependencies(events=every)
                )
            case Atom(modality="Bel"):
                return AtomDependencies((self._condition(self._argument_span(atom)),))
            case Atom(modality="Does"):
                return AtomDependencies(actions=(self._argument_span(atom).text,))
            case Atom():
                pass
            case _:
                assert_never(atom)
        reference = self._argument_span(atom).text
        named = tuple(self._rules.events[number].name for number in self._numbers(reference))
        return AtomDependencies(events=every if reference == "*" else named, labels=(reference,))

    # --- evaluation of propositions and numbers ---------------------------------------------------

    def _proposition(self, name: str, span: Span | None) -> Predicate:
        if name in self._vocabulary.labels:
            return self.truth_of(self._vocabulary.labels[name].condition)
        if name in self._vocabulary.beliefs:
            return lambda state: state[name] is True
        if name in BUILT_IN_LABELS:
            return (
                self._is_empty
                if name == "empty"
                else self._some_intention("blocked" if name == "failure" else "finished")
            )
        if name in self._vocabulary.quantities:
            _raise_error(
                "CAN061",
                f"'{name}' is a number, not a condition",
                span,
                hint=f"compare it with a number, as in '{name} > 0'",
            )
        known = [*self._vocabulary.labels, *self._vocabulary.beliefs, *BUILT_IN_LABELS]
        return _raise_error(
            "CAN060", f"unknown label or belief '{name}'", span, hint=did_you_mean(name, known)
        )

    def _number(self, name: str, span: Span | None) -> Callable[[SlotView], Any]:
        if name in self._vocabulary.quantities:
            return lambda state: state[name]
        if name in self._parameters:
            return lambda _: self._parameters[name]
        if name in self._vocabulary.beliefs:
            _raise_error("CAN061", f"'{name}' is a belief, not a number", span)
        known = [*self._vocabulary.quantities, *self._parameters]
        return _raise_error(
            "CAN060", f"unknown numeric belief '{name}'", span, hint=did_you_mean(name, known)
        )

    def truth_of(self, condition: Condition) -> Predicate:
        """Return the function that evaluates a condition in a state. The condition may contain
        phases of external events, such as ``finished(e)``."""
        return lambda state: holds(
            condition, Valuation(state, self._parameters, lambda phase: self._phase(phase, state))
        )

    # --- evaluation of phases of events -----------------------------------------------------------

    def _phase(self, phase: EventPhase, state: SlotView) -> bool:
        """Return whether the external event that ``phase`` names is in that phase. If several
        events have the name, one of them suffices."""
        return any(
            self._is_in_phase(phase.phase, number, state, phase.text)
            for number in self._numbers(phase.event)
        )

    def _is_in_phase(self, phase: PhaseKind, number: int, state: SlotView, text: str = "") -> bool:
        held = state[intention_slot(number)]
        match phase:
            case "waiting":
                return held is EventStatus.PENDING
            case "active":
                return not isinstance(held, EventStatus)
            case "finished":
                return self._rules.is_finished(number, state)
            case "blocked":
                stands = not isinstance(held, EventStatus) and not self._rules.is_finished(
                    number, state
                )
                return stands and not self._rules.can_step(number, state)
            case "left":
                program = self._rules.program(number, state)
                return program is not None and body_text(program) == text
            case _:
                assert_never(phase)

    def _numbers(self, event: str) -> list[int]:
        return [
            number
            for number, each in self._rules.events.items()
            if event in (each.name, str(number))
        ]

    def _is_empty(self, state: SlotView) -> bool:
        return all(
            state[intention_slot(number)] is EventStatus.REMOVED for number in self._rules.events
        )

    def _some_intention(self, *phases: PhaseKind) -> Predicate:
        """Return a predicate for "at least one external event is in one of these phases".

        It is a disjunction with one function per event, each of which reads only the slots of its
        event. A single function would read the slots of all events.
        """

        def one(number: int) -> Predicate:
            return lambda state: any(self._is_in_phase(phase, number, state) for phase in phases)

        return AnyPredicate([one(number) for number in self._rules.events])

    # --- evaluation of atoms ----------------------------------------------------------------------

    def _atom(self, atom: Atom) -> Predicate:
        inner = self._argument_span(atom)
        match atom.modality:
            case "Bel":
                return self.truth_of(self._condition(inner))
            case "Int" | "Des" | "Waiting" | "Finished" | "Blocked":
                return self._about_event(inner, _PHASES_OF[atom.modality])
            case "Does":
                return self._does(inner)
            case _:
                pass
        known = ["Bel", *_PHASES_OF, "Does"]
        hint = did_you_mean(atom.modality, known) or f"expected one of {', '.join(known)}"
        return _raise_error(
            "CAN062", f"'{atom.modality}' is not supported for CAN agents", atom.span, hint=hint
        )

    def _argument_span(self, atom: Atom) -> Span:
        """Return the position of the argument of an atom, without an agent's name before it:
        ``Bel(agent, φ)`` means ``Bel(φ)``, because there is only one agent."""
        first, *others = atom.arguments or (None,)
        if (
            first is not None
            and others
            and "(" not in first.text
            and first.text != self._agent.name
        ):
            _raise_error(
                "CAN063",
                f"unknown agent '{first.text}'",
                first.span,
                hint=f"the only agent is '{self._agent.name}'",
            )
        return argument_span(atom, self._agent.name)

    def _condition(self, inner: Span) -> Condition:
        tree = parser().parse(inner.source, "condition_alone", start=inner.start, end=inner.end)
        diagnostics = Diagnostics()
        condition = ConditionReader(inner.source, diagnostics, self._parameters).condition(tree)
        for node in nodes(condition):
            if isinstance(node, BeliefAtom) and node.name not in self._vocabulary.beliefs:
                hint = did_you_mean(node.name, self._vocabulary.beliefs)
                if node.name in self._vocabulary.quantities:
                    message = f"'{node.name}' is a number, not a condition"
                    diagnostics.error("CAN061", message, node.span, hint=hint)
                else:
                    message = f"'{node.name}' is not a belief of the program"
                    diagnostics.error("CAN060", message, node.span, hint=hint)
            elif isinstance(node, NumericBelief) and node.name not in self._vocabulary.quantities:
                hint = did_you_mean(node.name, self._vocabulary.quantities)
                diagnostics.error(
                    "CAN060",
                    f"'{node.name}' is not a numeric belief of the program",
                    node.span,
                    hint=hint,
                )
        check_divisors(condition, self._parameters, diagnostics)
        diagnostics.raise_errors()
        return condition

    def _about_event(self, inner: Span, phases: Sequence[PhaseKind]) -> Predicate:
        """Return a predicate for "the external event at position ``inner`` of the formula is in one
        of the phases". The event is given by a name or a number, or by ``*`` for any event."""
        event = inner.text
        if event == "*":
            return self._some_intention(*phases)
        if not self._numbers(event):
            known = [
                name for event in self._agent.events for name in (event.name, str(event.number))
            ]
            _raise_error(
                "CAN060",
                f"'{event}' is not an external event",
                inner,
                hint=did_you_mean(event, known),
            )
        return lambda state: any(self._phase(EventPhase(phase, event), state) for phase in phases)

    def _does(self, inner: Span) -> Predicate:
        action = inner.text
        if action not in self._vocabulary.actions:
            hint = did_you_mean(action, self._vocabulary.actions)
            _raise_error("CAN060", f"unknown action '{action}'", inner, hint=hint)
        assert action in self._recorded_actions, (
            "the atom was not among those that the model was made to observe"
        )
        return lambda state: state[LAST_ACTION] == action


def _raise_error(code: str, message: str, span: Span | None, *, hint: str | None = None) -> Never:
    raise InputError([Diagnostic(code, message, span, hint)])

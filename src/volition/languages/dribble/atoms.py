"""Atoms of formulas about a configuration of a Dribble agent (Trang et al., Sect. 3.1).

``Bel(α)`` and ``Goal(α)`` are B and G of Trang et al. ``Bels{α, ...}``, ``Goals{α, ...}``,
``Plan(π)`` and ``Plan(empty)`` are their Bs, Gs, P and PE. ``Does(b)`` holds after a step that
executed the basic action b. There are two labels: ``stalled`` (only the rule stall applies) and
``withheld`` (a revision rule would apply if ``len_max`` were larger).
"""

from __future__ import annotations

from dataclasses import dataclass

from volition.diagnostics import Diagnostics, did_you_mean
from volition.languages.common.atom_arguments import argument_span
from volition.languages.dribble.conditions import Believes, Desires
from volition.languages.dribble.expressions import ExpressionReader
from volition.languages.dribble.grammar import parse
from volition.languages.dribble.propositional import TRUE, Dnf
from volition.languages.dribble.syntax import AgentProgram, Plan
from volition.logic.syntax import Atom, AtomicFormula

__all__ = [
    "LABELS",
    "BelsAtom",
    "DoesAtom",
    "GoalsAtom",
    "ParsedAtom",
    "PlanAtom",
    "PlanBoundLabel",
    "StalledLabel",
    "parse_atom",
]


@dataclass(frozen=True, slots=True)
class BelsAtom:
    """Atom ``Bs δ`` of Trang et al.: the belief base is exactly this set of formulas."""

    formulas: frozenset[Dnf]


@dataclass(frozen=True, slots=True)
class GoalsAtom:
    """Atom ``Gs γ`` of Trang et al.: the goal base is exactly this set of formulas."""

    formulas: frozenset[Dnf]


@dataclass(frozen=True, slots=True)
class PlanAtom:
    """Atom ``P π`` of Trang et al., or ``PE`` for the empty plan: the current plan is exactly this
    one."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class DoesAtom:
    """Atom ``Does(b)``: the step into a state executed the basic action b."""

    action: str


@dataclass(frozen=True, slots=True)
class StalledLabel:
    """Label ``stalled``: only the transition rule stall applies."""


@dataclass(frozen=True, slots=True)
class PlanBoundLabel:
    """Label ``withheld``: a revision rule would apply if the bound on plans, ``len_max``, were
    larger."""


ParsedAtom = (
    Believes | Desires | BelsAtom | GoalsAtom | PlanAtom | DoesAtom | StalledLabel | PlanBoundLabel
)

LABELS: dict[str, ParsedAtom] = {"stalled": StalledLabel(), "withheld": PlanBoundLabel()}
_MODALITIES = ("Bel", "Goal", "Bels", "Goals", "Plan", "Does")


def parse_atom(agent: AgentProgram, atom: AtomicFormula) -> ParsedAtom:
    """Return an atom of a formula in parsed form.

    Raise :class:`InputError` if the atom uses a name that the agent does not have.
    """
    found = Diagnostics()
    parsed_atom = (
        _read_atom(agent, atom, found) if isinstance(atom, Atom) else _read_name(agent, atom, found)
    )
    found.raise_errors()
    return parsed_atom


def _read_name(agent: AgentProgram, atomic: AtomicFormula, found: Diagnostics) -> ParsedAtom:
    assert not isinstance(atomic, Atom)
    if atomic.name not in LABELS:
        atom = (
            atomic.name[1:]
            if atomic.name[0] in "BG" and atomic.name[1:] in agent.atoms
            else atomic.name
        )  # Trang et al. write Bp and Gp
        hint = (
            did_you_mean(atomic.name, LABELS)
            or f"write Bel({atom}) or Goal({atom}) for beliefs and goals"
        )
        found.error("DRB050", f"unknown label '{atomic.name}'", atomic.span, hint=hint)
    return LABELS.get(atomic.name, StalledLabel())


def _read_atom(agent: AgentProgram, atom: Atom, found: Diagnostics) -> ParsedAtom:
    span = argument_span(atom, agent.name)
    expressions = ExpressionReader(
        span.source, found, agent.atoms, agent.actions, agent.abstract_plans
    )

    def formulas() -> frozenset[Dnf]:
        if not span.text.strip():
            return frozenset()
        return frozenset(expressions.formula(node) for node in parse(span, "formulas").children)

    match atom.modality:
        case "Bel" | "Goal":
            formula = expressions.formula(parse(span, "expression"))
            return Believes(formula) if atom.modality == "Bel" else Desires(formula)
        case "Bels":
            return BelsAtom(formulas())
        case "Goals":
            return GoalsAtom(formulas())
        case "Plan":
            return PlanAtom(expressions.plan(parse(span, "plan")))
        case "Does":
            action = span.text.strip()
            if action not in agent.actions:
                hint = (
                    did_you_mean(action, agent.actions)
                    or f"the basic actions are {', '.join(agent.actions)}"
                )
                found.error("DRB051", f"unknown basic action '{action}'", span, hint=hint)
            return DoesAtom(action)
        case _:
            pass
    hint = f"the atoms are {', '.join(_MODALITIES)}"
    found.error(
        "DRB052", f"{atom.modality}(...) is not supported for Dribble", atom.span or span, hint=hint
    )
    return Believes(TRUE)

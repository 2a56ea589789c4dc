"""Atoms that formulas query about each agent, and the rejection of formulas that a slice does not
preserve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from volition.diagnostics import Diagnostic, InputError
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.world.terms import Structure, Term, unifiable
from volition.logic import expand_agents
from volition.logic.syntax import Formula, Next
from volition.logic.traversal import is_quantitative, modal_atoms, subformulas
from volition.slicing.gwendolen.node_names import acts_as

__all__ = ["QueriedAtoms", "queried_atoms_by_agent", "reject_step_counting"]


@dataclass
class QueriedAtoms:
    """Term patterns in the atoms that formulas query about one agent, in one list per modality."""

    beliefs: list[Term] = field(default_factory=list)
    desires: list[Term] = field(default_factory=list)
    intentions: list[Term] = field(default_factory=list)
    actions: list[Term] = field(default_factory=list)
    """Patterns in atoms with the modality ``Does`` or ``Last``."""
    to_do: list[Term] = field(default_factory=list)
    """Patterns in atoms with the modality ``ItD`` (intends to do)."""

    def about(self) -> Iterator[tuple[str, Term]]:
        """Yield each pattern with its modality: pairs such as ``("Bel", b)``. Patterns of ``Last``
        have the modality ``"Does"``."""
        kinds = {
            "Bel": self.beliefs,
            "Des": self.desires,
            "Int": self.intentions,
            "Does": self.actions,
            "ItD": self.to_do,
        }
        yield from ((modality, term) for modality, terms in kinds.items() for term in terms)

    def asks_for_action(self, action: Structure) -> bool:
        """Return whether an atom with ``Does``, ``Last`` or ``ItD`` may refer to this action."""
        return any(acts_as(each, action) for each in self.actions) or any(
            unifiable(each, action) for each in self.to_do
        )

    @property
    def asks_for_goals(self) -> bool:
        return bool(self.desires or self.intentions)


_LISTS = {
    "Bel": "beliefs",
    "Des": "desires",
    "Int": "intentions",
    "Does": "actions",
    "Last": "actions",
    "ItD": "to_do",
}


def queried_atoms_by_agent(
    program: GwendolenProgram, formulas: Iterable[Formula]
) -> Mapping[str, QueriedAtoms]:
    """Return the atoms that formulas query about each agent, by the name of the agent. Raise
    :class:`InputError` for invalid atoms."""
    model = program.model()
    found = {name: QueriedAtoms() for name in program.agents}
    for formula in formulas:
        for atom in modal_atoms(expand_agents(formula, model.agents)):
            if atom.modality in _LISTS:
                agent, term = model.parse_agent_and_atom(atom)
                terms: list[Term] = getattr(found[agent], _LISTS[atom.modality])
                if term not in terms:
                    terms.append(term)
    return found


def remembers_last_action(program: GwendolenProgram, formulas: Iterable[Formula]) -> bool:
    """Return whether an atom of the formulas is about the last action of an agent. A slice must
    then keep every action, because every action replaces the last one and so may change the atom.
    """
    modalities = {each.modality for formula in formulas for each in modal_atoms(formula)}
    return "Last" in modalities or ("Does" in modalities and program.options.does == "last")


def reject_step_counting(formulas: Iterable[Formula]) -> None:
    """Raise :class:`InputError` if a formula counts steps or is quantitative. A slice has the same
    runs as the program except for steps that change nothing, so formulas of this kind may have
    another result on it."""
    wrong: list[Diagnostic] = []
    for formula in formulas:
        for part in subformulas(formula):
            if isinstance(part, Next):
                hint = "use F, G, U or W, or check the whole program"
                wrong.append(
                    Diagnostic(
                        "SLC001",
                        "X cannot be checked on a slice, which may have fewer steps than the "
                        "program",
                        part.span,
                        hint,
                    )
                )
            elif getattr(part, "bound", None) is not None:
                hint = "remove the bound, or check the whole program"
                wrong.append(
                    Diagnostic(
                        "SLC002",
                        "a step bound cannot be checked on a slice, which may have fewer steps "
                        "than the program",
                        part.span,
                        hint,
                    )
                )
        if is_quantitative(formula):
            hint = "check the whole program"
            wrong.append(
                Diagnostic(
                    "SLC003",
                    "probabilities and rewards cannot be checked on a slice of this program",
                    formula.span,
                    hint,
                )
            )
    if wrong:
        raise InputError(wrong)

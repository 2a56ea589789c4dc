"""What a formula asks of each agent, and whether it is one whose answer survives slicing."""

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
    """The patterns inside the atoms of formulas about one agent."""

    beliefs: list[Term] = field(default_factory=list)
    desires: list[Term] = field(default_factory=list)
    intentions: list[Term] = field(default_factory=list)
    actions: list[Term] = field(default_factory=list)
    """Of ``Does``."""
    to_do: list[Term] = field(default_factory=list)
    """Of ``ItD``."""

    def about(self) -> Iterator[tuple[str, Term]]:
        """Modalities with their patterns."""
        kinds = {
            "Bel": self.beliefs,
            "Des": self.desires,
            "Int": self.intentions,
            "Does": self.actions,
            "ItD": self.to_do,
        }
        yield from ((modality, term) for modality, terms in kinds.items() for term in terms)

    def asks_for_action(self, action: Structure) -> bool:
        """Whether some atom may be about this action."""
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
    """Every agent with what the formulas ask of it; raises :class:`InputError` for atoms that make
    no sense."""
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
    """Whether some atom is about the last action, whichever step did it: every other action then
    makes it false."""
    modalities = {each.modality for formula in formulas for each in modal_atoms(formula)}
    return "Last" in modalities or ("Does" in modalities and program.options.does == "last")


def reject_step_counting(formulas: Iterable[Formula]) -> None:
    """A slice has the same runs but for steps that change nothing: what counts steps, or weighs
    them, may be answered differently."""
    wrong: list[Diagnostic] = []
    for formula in formulas:
        for part in subformulas(formula):
            if isinstance(part, Next):
                hint = "say it with F, G, U or W, or check the whole program"
                wrong.append(
                    Diagnostic(
                        "SLC001",
                        "a slice may have fewer steps than the program, so that X means something "
                        "else",
                        part.span,
                        hint,
                    )
                )
            elif getattr(part, "bound", None) is not None:
                hint = "leave the bound out, or check the whole program"
                wrong.append(
                    Diagnostic(
                        "SLC002",
                        "a slice may have fewer steps than the program: they cannot be counted",
                        part.span,
                        hint,
                    )
                )
        if is_quantitative(formula):
            hint = "check the whole program"
            wrong.append(
                Diagnostic(
                    "SLC003",
                    "a slice is made for truth, not for probabilities and rewards",
                    formula.span,
                    hint,
                )
            )
    if wrong:
        raise InputError(wrong)

"""Detection of constant atoms. If no atom of a formula can ever change, the slice needs almost no
part of the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from volition.languages.common.dependencies import Dependencies, ProgramUnit, SymbolPattern
from volition.slicing.reachability import reachable
from volition.slicing.unification_index import SymbolIndex

__all__ = ["atoms_are_constant"]


def atoms_are_constant(dependencies: Dependencies, reached: Iterable[ProgramUnit]) -> bool:
    """Return whether no atom of the formulas can ever change. The relevant symbols are those of the
    formulas, and all symbols from which they are derived. The result is True if no entry point
    (such as an initial goal) posts a relevant symbol, and no step of the ``reached`` plans, actions
    and rules of the world writes or posts one.

    Return False if ``dependencies`` may not list all writes of the program.
    """
    if not dependencies.writes_are_complete:
        return False
    requested, heads = SymbolIndex(), SymbolIndex()
    for number, derived in enumerate(dependencies.derived):
        heads.add(derived.head, number)

    def below(name: SymbolPattern) -> Iterator[SymbolPattern]:
        return (
            inner
            for number in heads.find(name)
            for inner in dependencies.derived[number].premises(name)
        )

    for number, name in enumerate(
        reachable((queried.name for queried in dependencies.queried), below)
    ):
        requested.add(name, number)
    steps = [step for part in reached for step in part.steps]
    posted = (
        *(root.name for root in dependencies.roots),
        *(name for step in steps for name in step.posts),
    )
    changed = (name for step in steps for update in step.updates for name in update.targets)
    return not any(requested.find(name) for name in (*posted, *changed))

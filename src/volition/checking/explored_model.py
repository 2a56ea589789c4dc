"""Model together with its explored state space, shared by all properties that are checked on the
same states.

The Python functions of a system cannot be pickled. Therefore a state space stores a recipe:
picklable data from which another process rebuilds the system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from volition.checking.graph.propositions import resolve_atoms
from volition.checking.mdp.mdp import Mdp
from volition.checking.quantitative.context import LoadedMdp
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import Limits, Progress, StateSpace, System, explore
from volition.languages.protocols import Model, ParametricProgram, Program
from volition.logic import expand_agents, modal_atoms
from volition.logic.printing import as_typed
from volition.logic.syntax import Atom, Formula

__all__ = [
    "Exploration",
    "ModelFactory",
    "Recipe",
    "attach_recipe",
    "collect_observed_atoms",
    "exploration_of",
    "explore_for",
    "rebuild_model",
    "require_observed",
]  # fmt: skip


@runtime_checkable
class ModelFactory(Protocol):
    """Picklable factory from which a process that receives a pickled state space rebuilds two
    objects: calling it returns the system of the space, and ``model()`` returns the model, which
    evaluates atoms and describes states."""

    def __call__(self) -> System: ...

    def model(self) -> Model: ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """Picklable data from which a model is rebuilt: a program, the atoms for which the model has
    extra slots, and the parameters left symbolic.

    ``warnings`` are about a saved state space whose program has changed since it was saved.
    """

    program: Program
    observed: tuple[Atom, ...] = ()
    open_parameters: frozenset[str] = frozenset()
    warnings: tuple[Diagnostic, ...] = ()

    def model(self) -> Model:
        if not self.open_parameters:
            return self.program.model(self.observed)
        assert isinstance(self.program, ParametricProgram), "only such a program has parameters"
        return self.program.model(self.observed, symbolic=self.open_parameters)

    def __call__(self) -> System:
        return self.model().system


def attach_recipe(
    space: StateSpace,
    program: Program,
    observed: tuple[Atom, ...] = (),
    *,
    open_parameters: frozenset[str] = frozenset(),
) -> StateSpace:
    """Store in a state space how to rebuild its model, so that the space can be pickled. Return the
    space."""
    space.system_factory = Recipe(program, observed, open_parameters)
    return space


def rebuild_model(space: StateSpace) -> Model:
    """Return the model of a state space, rebuilt from its recipe. Models contain functions, so they
    cannot be pickled."""
    if not isinstance(space.system_factory, ModelFactory):
        raise TypeError("the program behind this state space is not known")
    return space.system_factory.model()


@dataclass(frozen=True, eq=False)
class Exploration:
    """Model with its explored state space; ``observed`` are the atoms for which the model has extra
    slots."""

    model: Model
    space: StateSpace
    observed: tuple[Atom, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _explored_elsewhere, (self.space, self.observed)

    @cached_property
    def mdp_model(self) -> LoadedMdp:
        """MDP of the state space for quantitative formulas, built on first use."""
        return LoadedMdp(self.space, Mdp.from_space(self.space))

    @cached_property
    def nondeterministic_model(self) -> LoadedMdp:
        """MDP of the state space in which every probabilistic outcome is a separate choice. Storm
        checks qualitative formulas on it."""
        return LoadedMdp(self.space, Mdp.from_space(self.space).with_outcomes_as_choices())


def _explored_elsewhere(space: StateSpace, observed: tuple[Atom, ...]) -> Exploration:
    return Exploration(rebuild_model(space), space, observed)


def exploration_of(space: StateSpace) -> Exploration:
    """Return the :class:`Exploration` of a state space that has a recipe. Raise :class:`TypeError`
    if it has none."""
    recipe = space.system_factory
    if not isinstance(recipe, Recipe):
        raise TypeError(
            "the program behind this state space is not known: explore the program, not its system"
        )
    return Exploration(recipe.model(), space, recipe.observed)


def require_observed(exploration: Exploration, program: Program, formula: Formula) -> None:
    """Raise :class:`InputError` if the program does not know an atom of the formula, or if the
    states of the explored space do not record it.

    Quantifiers over agents must be expanded before the call. Whether the program knows the atoms is
    tested on a new model that records them, because a model can only evaluate atoms that its states
    record.
    """
    resolve_atoms(program.model(modal_atoms(formula)), formula)
    plain = program.model().system.slots.keys()
    errors = Diagnostics()
    for atom in modal_atoms(formula):
        if atom not in exploration.observed and program.model((atom,)).system.slots.keys() != plain:
            message = f"'{as_typed(atom)}' cannot be evaluated: the saved states do not record it"
            errors.error(
                "SPC007",
                message,
                atom.span,
                hint="explore the program again with this formula, or check the program itself",
            )
    errors.raise_errors()


def collect_observed_atoms(formulas: Iterable[Formula], agents: Sequence[str]) -> tuple[Atom, ...]:
    """Return the distinct atoms of formulas, with quantifiers over ``agents`` expanded. A model
    whose states record these atoms is sufficient for checking all the formulas."""
    return tuple(
        dict.fromkeys(
            atom for formula in formulas for atom in modal_atoms(expand_agents(formula, agents))
        )
    )


def explore_for(
    program: Program,
    formulas: Iterable[Formula],
    *,
    space: StateSpace | None = None,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Exploration, list[Formula]]:
    """Explore a program so that its states record all atoms of the formulas. Return the
    exploration, and the formulas with quantifiers over agents expanded.

    If a ``space`` of the program is given, it is used and nothing is explored. Before anything is
    explored, raise one :class:`InputError` with all atoms that the program does not know or the
    space does not record.
    """
    agents = program.model().agents
    expanded = [expand_agents(formula, agents) for formula in formulas]
    observed = collect_observed_atoms(expanded, agents)
    before = None if space is None else exploration_of(space)
    model = program.model(observed) if before is None else before.model
    errors = Diagnostics()
    for formula in expanded:
        try:
            if before is not None:
                require_observed(before, program, formula)
            resolve_atoms(model, formula)
        except InputError as error:
            errors.extend(error.diagnostics)
    errors.raise_errors()
    if before is not None:
        return before, expanded
    space = attach_recipe(
        explore(model.system, limits=limits, progress=progress), program, observed
    )
    return Exploration(model, space, observed), expanded

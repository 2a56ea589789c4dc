"""Small random systems and formulas for differential tests; the systems go through the kernel like
any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Choice, Component, SlotView, StateSpace, System, explore
from volition.languages.protocols import StateView
from volition.logic.syntax import (
    And,
    AtomicFormula,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    PathQuantifier,
    Proposition,
    Release,
    StepBound,
    Until,
    WeakUntil,
)

NAMES = "abc"
Edge = tuple[int, int]
"""The component that moves, and the state that it moves to."""


@dataclass(frozen=True)
class SmallSystem:
    """A graph with labels on its states; it implements
    :class:`volition.languages.protocols.Model`."""

    edges: tuple[tuple[Edge, ...], ...]
    labels: tuple[frozenset[str], ...]
    components: int = 1
    agents: Sequence[str] = ("agent",)

    @cached_property
    def system(self) -> System:
        return System(
            {"at": 0},
            [
                Component(f"component {number}", self._step(number))
                for number in range(self.components)
            ],
        )

    def _step(self, component: int) -> Callable[[SlotView], list[Choice]]:
        def step(view: SlotView) -> list[Choice]:
            return [
                Choice((component, target), [(1, {"at": target})])
                for moving_component, target in self.edges[view["at"]]
                if moving_component == component
            ]

        return step

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        if not isinstance(atom, Proposition) or atom.name not in NAMES:
            raise InputError([Diagnostic("TST001", "unknown", atom.span)])
        return lambda view: atom.name in self.labels[view["at"]]

    def describe(self, state: SlotView) -> StateView:
        return {
            "place": {"at": str(state["at"])},
            "labels": dict.fromkeys(sorted(self.labels[state["at"]]), ""),
        }

    def explored(self) -> StateSpace:
        return explore(self.system)

    def successors(self, state: int) -> list[int]:
        """Runs are infinite: a state without edges repeats itself."""
        return [target for _, target in self.edges[state]] or [state]

    def enabled(self, state: int) -> set[int]:
        return {component for component, _ in self.edges[state]}


@st.composite
def small_systems(draw: st.DrawFn, *, states: int = 5, components: int = 1) -> SmallSystem:
    size = draw(st.integers(1, states))
    edge = st.tuples(st.integers(0, components - 1), st.integers(0, size - 1))
    edges = tuple(tuple(dict.fromkeys(draw(st.lists(edge, max_size=3)))) for _ in range(size))
    labels = tuple(
        frozenset(draw(st.lists(st.sampled_from(NAMES), max_size=2))) for _ in range(size)
    )
    return SmallSystem(edges, labels, components)


propositions: st.SearchStrategy[Formula] = st.sampled_from([Proposition(name) for name in NAMES])
bounds = st.one_of(
    st.none(),
    st.none(),
    st.builds(StepBound, st.integers(0, 2), st.none()),
    st.integers(0, 2).flatmap(
        lambda lower: st.builds(StepBound, st.just(lower), st.integers(lower, lower + 2))
    ),
)


def booleans(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.one_of(
        st.builds(Not, parts),
        *(st.builds(operator, parts, parts) for operator in (And, Or, Implies, Iff)),
    )


def paths(
    parts: st.SearchStrategy[Formula], bound: st.SearchStrategy[StepBound | None]
) -> st.SearchStrategy[Formula]:
    return st.one_of(
        st.builds(Next, parts),
        *(st.builds(operator, parts, bound) for operator in (Finally, Globally)),
        *(st.builds(operator, parts, parts, bound) for operator in (Until, WeakUntil, Release)),
    )


def ltl_formulas(*, atoms: int = 6, bounded: bool = True) -> st.SearchStrategy[Formula]:
    """Path formulas over a, b and c."""
    bound = bounds if bounded else st.none()
    return st.recursive(
        propositions,
        lambda parts: st.one_of(paths(parts, bound), paths(parts, bound), booleans(parts)),
        max_leaves=atoms,
    )


def ctl_formulas(*, atoms: int = 5, bounded: bool = True) -> st.SearchStrategy[Formula]:
    """State formulas in which every temporal operator stands directly below A or E."""
    bound = bounds if bounded else st.none()

    def quantified(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        return st.builds(PathQuantifier, st.sampled_from(["A", "E"]), paths(parts, bound))

    return st.recursive(
        propositions,
        lambda parts: st.one_of(quantified(parts), quantified(parts), booleans(parts)),
        max_leaves=atoms,
    )


def ctl_star_formulas() -> st.SearchStrategy[Formula]:
    """State formulas with quantifiers over whole path formulas, nested."""
    inner = ltl_formulas(atoms=3, bounded=False)
    quantified = st.builds(PathQuantifier, st.sampled_from(["A", "E"]), inner)
    mixed = st.recursive(
        st.one_of(propositions, quantified),
        lambda parts: st.one_of(paths(parts, st.none()), booleans(parts)),
        max_leaves=4,
    )
    return st.builds(PathQuantifier, st.sampled_from(["A", "E"]), mixed)

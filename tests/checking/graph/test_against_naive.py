"""Thousands of random systems and formulas: our answers against the definitions, and every run
checked on its own."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checking.naive import Lasso, ctl_states, holds_on, is_fair, lassos
from tests.checking.properties import on_graph
from tests.checking.small_systems import (
    NAMES,
    SmallSystem,
    ctl_formulas,
    ctl_star_formulas,
    ltl_formulas,
    small_systems,
)
from volition.checking.verdict import Run
from volition.kernel import Limits, StateSpace, explore
from volition.logic.parsing.parser import parse
from volition.logic.syntax import (
    And,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Not,
    Or,
    PathQuantifier,
    Proposition,
)
from volition.logic.traversal import is_ctl

LENGTH = 6


def is_labelled(system: SmallSystem, formula: Formula, state: int) -> bool:
    assert isinstance(formula, Proposition)
    return formula.name in system.labels[state]


def at(space: StateSpace, state: int) -> int:
    """The state of the small system behind a state of the space."""
    return int(space.value(state, "at"))


def as_lasso(run: Run) -> Lasso:
    assert run.loop is not None
    return tuple(at(run.space, state) for state in run.states), run.loop


def continuations(system: SmallSystem, run: Run) -> list[Lasso]:
    """Some lassos that begin with a finite run."""
    stem = tuple(at(run.space, state) for state in run.states)
    tails = list(lassos(system, stem[-1], 4))[:200]
    return [(stem[:-1] + states, loop + len(stem) - 1) for states, loop in tails]


def assert_is_run(system: SmallSystem, run: Run) -> None:
    """Each choice belongs to its state and leads to the next one."""
    space = run.space
    following = [*run.states[1:], *([run.states[run.loop]] if run.loop is not None else [])]
    assert run.states[0] == 0
    assert len(run.choices) == len(following)
    for state, choice, target in zip(run.states, run.choices, following, strict=False):
        assert space.first_choice[state] <= choice < space.first_choice[state + 1]
        assert (
            target
            in space.targets[space.first_transition[choice] : space.first_transition[choice + 1]]
        )
        assert at(space, target) in system.successors(at(space, state))


@settings(max_examples=120, deadline=None)
@given(small_systems(states=4), ltl_formulas())
def test_ltl_against_enumerated_lassos(system: SmallSystem, path: Formula) -> None:
    def holds(lasso: Lasso) -> bool:
        return holds_on(path, lasso, lambda atom, state: is_labelled(system, atom, state))

    space = system.explored()
    some = on_graph(system, space, PathQuantifier("E", path))
    every = on_graph(system, space, PathQuantifier("A", path))
    if some.holds:
        assert some.run is not None or all(holds(lasso) for lasso in lassos(system, 0, LENGTH))
        if some.run is not None:
            assert_is_run(system, some.run)
            assert all(
                holds(lasso)
                for lasso in (
                    [as_lasso(some.run)]
                    if some.run.loop is not None
                    else continuations(system, some.run)
                )
            )
    if not every.holds and every.run is not None:
        assert_is_run(system, every.run)
        assert not any(
            holds(lasso)
            for lasso in (
                [as_lasso(every.run)]
                if every.run.loop is not None
                else continuations(system, every.run)
            )
        )
    for lasso in lassos(system, 0, LENGTH):
        if holds(lasso):
            assert some.holds
        else:
            assert not every.holds


@settings(max_examples=120, deadline=None)
@given(small_systems(states=6), ctl_formulas())
def test_ctl_against_fixpoints(system: SmallSystem, formula: Formula) -> None:
    assert is_ctl(formula)
    space = system.explored()
    verdict = on_graph(system, space, formula)
    assert verdict.holds == (0 in ctl_states(system, formula))
    if verdict.run is not None:
        assert_is_run(system, verdict.run)


@settings(max_examples=120, deadline=None)
@given(
    small_systems(states=6),
    st.sampled_from(["F{} a", "G{} a", "a U{} b", "a R{} b", "!a U{} (a & b)", "a W{} b"]),
    st.sampled_from("AE"),
    st.sampled_from(["<=6", "<=201", "<=1000000000", "<=100000000000000000000000000", "[0,6]"]),
)
def test_bounds_of_more_steps_than_there_are_states(
    system: SmallSystem, path: str, quantifier: str, bound: str
) -> None:
    """They mean as much as no bound, and the run has no more steps than it needs to show that."""
    formula = parse(f"{quantifier} [ {path.format(bound)} ]")
    unbounded = parse(f"{quantifier} [ {path.format('')} ]")
    assert isinstance(unbounded, PathQuantifier)
    found = on_graph(system, system.explored(), formula)
    assert found.holds == (0 in ctl_states(system, unbounded))
    assert (found.run is not None) == (found.holds == (quantifier == "E"))
    if found.run is not None:
        assert_is_run(system, found.run)
        runs = continuations(system, found.run) if found.run.loop is None else [as_lasso(found.run)]
        assert all(
            holds_on(unbounded.path, lasso, lambda each, state: is_labelled(system, each, state))
            == found.holds
            for lasso in runs
        )


@settings(max_examples=120, deadline=None)
@given(small_systems(states=3), ctl_star_formulas())
def test_ctl_star_against_enumerated_lassos(system: SmallSystem, formula: PathQuantifier) -> None:
    """Lassos of five states are enough for formulas of this size on three states."""

    @cache
    def truth(part: Formula, state: int) -> bool:
        match part:
            case Proposition():
                return is_labelled(system, part, state)
            case Not():
                return not truth(part.operand, state)
            case And():
                return truth(part.left, state) and truth(part.right, state)
            case Or():
                return truth(part.left, state) or truth(part.right, state)
            case Implies():
                return not truth(part.left, state) or truth(part.right, state)
            case Iff():
                return truth(part.left, state) == truth(part.right, state)
            case PathQuantifier():
                results = (holds_on(part.path, lasso, truth) for lasso in lassos(system, state, 5))
                return all(results) if part.quantifier == "A" else any(results)
        raise TypeError(part)

    verdict = on_graph(system, system.explored(), formula)
    assert verdict.holds == truth(formula, 0)


@settings(max_examples=120, deadline=None)
@given(
    small_systems(states=4, components=2),
    ltl_formulas(atoms=4, bounded=False),
    st.sampled_from(["weak", "strong"]),
)
def test_fair_runs_against_enumerated_lassos(
    system: SmallSystem, path: Formula, fairness: str
) -> None:
    def movers(lasso: Lasso) -> tuple[set[int], ...]:
        states, loop = lasso
        following = [*states[1:], states[loop]]
        return tuple(
            {component for component, to in system.edges[state] if to == target}
            for state, target in zip(states, following, strict=True)
        )

    verdict = on_graph(system, system.explored(), PathQuantifier("E", path), fairness=fairness)
    for lasso in lassos(system, 0, 5):
        if is_fair(system, movers(lasso), lasso, fairness) and holds_on(
            path, lasso, lambda atom, state: is_labelled(system, atom, state)
        ):
            assert verdict.holds
    run = verdict.run
    if run is not None:
        assert_is_run(system, run)
    if run is not None and run.loop is not None:
        component_ids = run.space.component_ids[list(run.choices)]
        moved = tuple({int(moving_component)} for moving_component in component_ids)
        assert is_fair(system, moved, as_lasso(run), fairness)


@settings(max_examples=60, deadline=None)
@given(
    small_systems(states=6),
    st.one_of(ctl_formulas(), ltl_formulas().map(lambda path: PathQuantifier("A", path))),
    st.integers(1, 5),
)
def test_partial_spaces_never_lie(system: SmallSystem, formula: Formula, states: int) -> None:
    partial = explore(system.system, limits=Limits(states=states))
    whole = on_graph(system, system.explored(), formula)
    verdict = on_graph(system, partial, formula)
    assert verdict.holds in (None, whole.holds)
    assert (verdict.unknown is None) == (verdict.holds is not None)
    if partial.complete:
        assert verdict.holds == whole.holds


@settings(max_examples=60, deadline=None)
@given(small_systems(states=4), ltl_formulas(atoms=4, bounded=False), st.sampled_from(NAMES))
def test_assumptions_are_conditions(system: SmallSystem, path: Formula, name: str) -> None:
    often = Globally(Finally(Proposition(name)))
    space = system.explored()
    assumed = on_graph(system, space, PathQuantifier("A", path), assumption=often)
    conditional = on_graph(system, space, PathQuantifier("A", Implies(often, path)))
    assert assumed.holds == conditional.holds

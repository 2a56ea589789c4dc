"""Answers with partial-order reduction against answers without it, on random systems that reduce by
half and more."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.checking import reduced_checks
from tests.checking.random_systems import loose_system
from volition.api.custom_systems import SystemProgram
from volition.checking.check import check
from volition.kernel import (
    Choice,
    Component,
    KernelError,
    Limits,
    Reaction,
    SlotView,
    StateSpace,
    System,
    explore,
    explore_further,
)
from volition.kernel.chain_expansion import expand_transition
from volition.kernel.reduction import Reduction

FEW, MANY = 100, 20_000


def compare_runs(seed: int, *, branching: bool, futures: bool) -> float:
    dice = random.Random(seed)
    return reduced_checks.compare_runs(
        loose_system(dice), dice, branching=branching, futures=futures
    )


def compare_probabilities(seed: int, *, futures: bool) -> float:
    dice = random.Random(seed)
    return reduced_checks.compare_probabilities(loose_system(dice), dice, futures=futures)


COMPARISONS: dict[str, Callable[[int], float]] = {
    "linear": lambda seed: compare_runs(seed, branching=False, futures=False),
    "branching": lambda seed: compare_runs(seed, branching=True, futures=False),
    "probabilities": lambda seed: compare_probabilities(seed, futures=False),
    "linear by futures": lambda seed: compare_runs(seed, branching=False, futures=True),
    "branching by futures": lambda seed: compare_runs(seed, branching=True, futures=True),
    "probabilities by futures": lambda seed: compare_probabilities(seed, futures=True),
}


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_answers_are_the_same_and_spaces_half_as_large(comparison: str) -> None:
    sizes = [COMPARISONS[comparison](seed) for seed in range(FEW)]
    assert np.nanmean(sizes) < 0.5


@pytest.mark.parametrize(("comparison", "seed"), [("linear", 395), ("probabilities", 598)])
def test_atoms_are_looked_at_in_states_that_are_leapt_over(comparison: str, seed: int) -> None:
    """Systems whose answers are wrong where the slots count that atoms read in stored states alone
    (condition 2)."""
    COMPARISONS[comparison](seed)


def test_a_step_into_a_terminal_state_is_seen_next_to_other_atoms() -> None:
    """One component sets a flag, the other stops: the flag can be set while something can still
    move, and only the order decides."""
    flag = Component(
        "flag", lambda view: [] if view["flag"] else [Choice("set", [(1, {"flag": True})])]
    )
    end = Component(
        "end", lambda view: [] if view["ended"] else [Choice("end", [(1, {"ended": True})])]
    )
    system = System({"flag": False, "ended": False}, [end, flag])
    for futures in (False, True):
        space = explore(
            system,
            reduction=Reduction(
                [lambda view: view["flag"]], deadlock_visible=True, lookahead=futures
            ),
        )
        flagged = space.holds(lambda view: view["flag"])
        assert (flagged & ~space.terminal).any()


def test_independent_steps_are_leapt_over() -> None:
    def counter(name: str) -> Component:
        return Component(
            name,
            lambda view: [] if view[name] == 9 else [Choice(name, [(1, {name: view[name] + 1})])],
        )

    names = "abcd"
    system = System(dict.fromkeys(names, 0), [counter(name) for name in names])
    assert explore(system).num_states == 10**4
    assert explore(system, reduction=Reduction([])).num_states == 2
    watching = explore(system, reduction=Reduction([lambda view: view["a"] >= 5]))
    assert watching.num_states < 60
    assert watching.num_evaluated > watching.num_states


def test_the_next_question_goes_on_where_the_last_one_stopped() -> None:
    """A violation ends the exploration of the reduced space; what was explored for it is not
    explored again, and is enough for others."""
    runs = Counter[int]()

    def step(view: SlotView) -> Sequence[Choice]:
        runs[view["a"]] += not isinstance(
            view, dict
        )  # who tells a run asks again, with plain values
        return [] if view["a"] == 9 else [Choice("count", [(1, {"a": view["a"] + 1})])]

    labels = {
        name: lambda view, n=n: view["a"] == n
        for name, n in (("three", 3), ("five", 5), ("nine", 9))
    }
    counting = SystemProgram(System({"a": 0}, [Component("counter", step)]), labels)
    queried = ["A [ G !five ]", "A [ G !three ]", "A [ F nine ]", "A [ G !nine ]"]
    report = check(counting, queried, reduce="static")
    assert [each.verdict.holds for each in report] == [False, False, True, False]
    assert [each.exploration.space.complete for each in report] == [False, False, True, True]
    assert max(runs.values()) == 1


LONG = 14
NO_COMPONENT = 2**32 - 1


def read_late() -> System:
    """A component counts by itself; another one looks at the count after a way that no random run
    finds, and goes on if it is 0."""

    def count(view: SlotView) -> Sequence[Choice]:
        return [] if view["count"] == 3 else [Choice("count", [(1, {"count": view["count"] + 1})])]

    def guess(view: SlotView) -> Sequence[Choice]:
        at = view["at"]
        if at == LONG:
            return [Choice("arrive", [(1, {"at": LONG + 1})])] if view["count"] == 0 else []
        return (
            [Choice("right", [(1, {"at": at + 1})]), Choice("wrong", [(1, {"at": -1})])]
            if 0 <= at < LONG
            else []
        )

    return System({"count": 0, "at": 0}, [Component("counter", count), Component("guesser", guess)])


def test_an_answer_stays_when_the_next_question_shows_that_its_space_was_reduced_too_much() -> None:
    """A reduced space has the count first, until it turns out that somebody looks at it."""
    labels = {"three": lambda view: view["at"] == 3, "arrived": lambda view: view["at"] == LONG + 1}
    found: list[list[dict[str, object]]] = []

    def contents(space: StateSpace) -> list[dict[str, object]]:
        return [space.values(state) for state in range(space.num_states)]

    report = check(
        SystemProgram(read_late(), labels),
        ["A [ G !three ]", "A [ G !arrived ]"],
        reduce="static",
        answered=lambda answer: found.append(contents(answer.exploration.space)),
    )
    assert [each.verdict.holds for each in report] == [False, False]
    assert [contents(each.exploration.space) for each in report] == found
    for answer, last in zip(report, (3, LONG + 1), strict=True):
        run = answer.verdict.run
        assert run is not None
        assert run.space.value(run.states[-1], "at") == last


def test_what_is_looked_for_is_in_the_space_that_is_explored_again() -> None:
    """The step that finds it is the one after which everything is explored again."""
    space = explore(
        read_late(),
        stop_when=lambda view: view["at"] == LONG,
        reduction=Reduction([lambda view: view["at"]], warmup_walks=0),
    )
    assert space.stop_state is not None
    assert space.stop_state < space.num_states
    assert space.value(space.stop_state, "at") == LONG


def test_the_space_that_is_explored_again_is_checked_for_purity_as_well() -> None:
    """Each function runs at least twice in every state that is looked at."""
    runs = Counter[int]()
    late = read_late()

    def step(view: SlotView) -> Sequence[Choice]:
        runs[view["at"]] += 1
        return late.components[1].step(view)

    system = replace(late, components=[late.components[0], Component("guesser", step)])
    seen = Reduction([lambda view: view["at"]], warmup_walks=0)
    part = explore(
        system, stop_when=lambda view: view["at"] == 3, reduction=seen, check_purity=True
    )
    runs.clear()
    whole = explore_further(part)
    assert whole.complete
    assert whole._native is not part._native  # it began again
    assert min(runs.values()) >= 2


@pytest.mark.parametrize("seed", [25, 331, 387])
@pytest.mark.parametrize("early", ["hit", "limit"])
def test_leaps_of_a_space_that_ended_early_are_told_whatever_was_learnt_since(
    seed: int, early: str
) -> None:
    """What others can do from a state on is judged by what is known at the time: in these systems
    more was learnt before the end."""
    model = loose_system(random.Random(seed))
    atom = model.atoms[0]
    space = explore(
        model.system,
        stop_when=atom if early == "hit" else None,
        limits=Limits(states=8 if early == "limit" else None),
        reduction=Reduction([atom], lookahead=True, warmup_walks=0),
    )
    assert not space.complete
    for choice in range(space.num_choices):
        component, before = (
            int(space.component_ids[choice]),
            space.values(space.transition_matrix.state_of(choice)),
        )
        for target in space.targets_of(choice):
            steps = expand_transition(space, choice, int(target))
            assert steps[-1].values == space.values(int(target))
            for leapt in steps:
                assert component == NO_COMPONENT or any(
                    {**before, **writes} == leapt.values
                    for offered in model.system.components[component].step(before)
                    for _, writes in offered.outcomes
                )
                component, before = (
                    NO_COMPONENT if leapt.component is None else leapt.component,
                    dict(leapt.values),
                )


@pytest.mark.parametrize(
    ("system", "why"),
    [
        (
            System({"x": 0}, [Component("c", lambda _: [])], mode="synchronous"),
            "move synchronously",
        ),
        (
            System(
                {"x": 0}, [Component("c", lambda _: [])], reactions=[Reaction("r", lambda _: {})]
            ),
            "reactions",
        ),
    ],
)
def test_what_cannot_be_reduced_is_refused(system: System, why: str) -> None:
    with pytest.raises(KernelError, match=why):
        explore(system, reduction=Reduction([]))


@pytest.mark.soak
@pytest.mark.parametrize("comparison", COMPARISONS)
def test_answers_are_the_same_on_many_systems(comparison: str) -> None:
    beginning = random.randrange(10**9)
    sizes = [COMPARISONS[comparison](seed) for seed in range(beginning, beginning + MANY)]
    assert np.nanmean(sizes) < 0.5

"""Merged parts of the cycle: fewer steps, and nobody can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.languages.jason.random_programs import random_system
from tests.languages.jason.systems import atom, model, space
from volition.diagnostics import InputError
from volition.kernel import Limits, StateSpace, explore

SWITCH = """
percept on
action switch when not on do add on
action switch when on do remove on
"""


class Traces:
    """What formulas without the next operator can tell of the runs of a system: labels that change, and where a run may stay for ever."""

    def __init__(self, states: StateSpace, labels: Sequence[tuple[bool, ...]]) -> None:
        self.labels = labels
        self.targets: list[set[int]] = [set() for _ in range(states.num_states)]
        for choice, target in zip(states.transition_choices.tolist(), states.targets.tolist(), strict=True):
            self.targets[int(states.choice_states[choice])].add(target)

    def closed(self, some: set[int]) -> frozenset[int]:
        """These states and those that follow while nothing changes."""
        found, waiting = set(some), list(some)
        while waiting:
            state = waiting.pop()
            for target in self.targets[state] - found:
                if self.labels[target] == self.labels[state]:
                    found.add(target)
                    waiting.append(target)
        return frozenset(found)

    def may_stay(self, states: frozenset[int]) -> bool:
        """Whether a run can go on for ever within these states, which are alike: where taking away what has no successor leaves some."""
        left = set(states)
        while gone := {each for each in left if not self.targets[each] & left}:
            left -= gone
        return bool(left)

    def after(self, states: frozenset[int]) -> Mapping[tuple[bool, ...], frozenset[int]]:
        """What the states are in which something else is true for the first time, by what is."""
        found: dict[tuple[bool, ...], set[int]] = {}
        for state in states:
            for target in self.targets[state] - states:
                found.setdefault(self.labels[target], set()).add(target)
        return {label: self.closed(some) for label, some in found.items()}


def same_traces(one: Traces, other: Traces) -> bool:
    """Whether both have the same runs, as far as labels tell."""
    if one.labels[0] != other.labels[0]:
        return False
    first = (one.closed({0}), other.closed({0}))
    seen, waiting = {first}, [first]
    while waiting:
        mine, yours = waiting.pop()
        after, others = one.after(mine), other.after(yours)
        if one.may_stay(mine) != other.may_stay(yours) or after.keys() != others.keys():
            return False
        for label in after:
            pair = (after[label], others[label])
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return True


def traces(agents: str | Mapping[str, str], world: str | None, asked: Sequence[str], most: int = 20_000, **settings: Any) -> Traces:
    observed = tuple(atom(each) for each in asked)
    meant = model(agents, world, observed=observed, **settings)
    states = explore(meant.system, limits=Limits(states=most))
    if not states.complete:
        pytest.skip("too many states")
    columns = [states.holds(meant.resolve(each)).tolist() for each in observed]
    return Traces(states, list(zip(*columns, strict=True)))


SYSTEMS: Mapping[str, tuple[str | Mapping[str, str], str | None, Sequence[str]]] = {
    "a plan that ends at once": ("!go. +!go.", None, ["Int(bob, go)"]),
    "two changes in one cycle": ("!go. +!go <- +b; +c. +b <- -b.", None, ["Bel(bob, b)", "Bel(bob, c)", "Int(bob, go)"]),
    "an action, and what is seen of it": ("!go. +!go <- switch; ?on; +saw. +on <- +noticed. -!go <- +missed.", SWITCH,
                                          ["Bel(bob, saw)", "Bel(bob, noticed)", "Bel(bob, missed)", "Bel(bob, on)"]),
    "who hears what first": (
        {"bob": "!go. +!go <- switch; switch. +x <- +late.", "maria": "+on <- .send(bob, tell, x). -on <- .send(bob, tell, y)."}, SWITCH,
        ["Bel(bob, x)", "Bel(bob, y)", "Bel(maria, on)"]),
    "old news": (
        {"maria": "+on <- .send(anna, tell, was_on).", "zoe": "-on <- .send(anna, tell, is_off).",
         "anna": "+was_on : is_off <- +old. +is_off : was_on <- +new."}, "percept on initially on\nstep off when on do remove on",
        ["Bel(anna, old)", "Bel(anna, new)"]),
    "mail that crosses": (
        {"bob": "!go. +!go <- .send(maria, tell, b(1)); .send(maria, tell, b(2)). +c <- +got.",
         "maria": "!go. +!go <- .send(bob, tell, c); +sent. +b(1) : not sent <- +before."}, None,
        ["Bel(maria, before)", "Bel(bob, got)", "Bel(maria, sent)", "Bel(maria, b(2))"]),
    "a timer beside a percept": (
        {"bob": "!go. +!go <- .wait(10); if (on) { +light } else { +dark }.", "maria": "!go. +!go <- switch."}, SWITCH,
        ["Bel(bob, light)", "Bel(bob, dark)", "Bel(bob, on)"]),
    "a deadline before the result of what is done": (
        "!go. +!go <- !!g[hard_deadline(100)]. +!g <- switch. -!g <- +late.", SWITCH, ["Bel(bob, on)", "Bel(bob, late)"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SYSTEMS)
def test_formulas_cannot_tell_merged_parts_from_parts(name: str) -> None:
    agents, world, asked = SYSTEMS[name]
    assert same_traces(traces(agents, world, asked, cycle="exact"), traces(agents, world, asked, cycle="parts"))


def test_an_effect_is_seen_before_it_goes_even_if_nobody_waits_for_its_result() -> None:
    world = "percept on\nvariable n = 0\naction switch do add on; n := 1\nstep off when n = 1 do remove on; n := 2"
    told = [traces("!go. +!go <- switch.", world, ["Bel(bob, on)"], cycle=each, results="after perception") for each in ("exact", "parts")]
    assert same_traces(*told)


def test_a_whole_cycle_at_once_misses_runs() -> None:
    """So the comparison can fail."""
    agents, world, asked = SYSTEMS["old news"]
    assert not same_traces(traces(agents, world, asked, cycle="whole"), traces(agents, world, asked, cycle="parts"))


@pytest.mark.parametrize("seed", [0, 5, 11, 13, 19, 20, 21, 26, 28, 33, 36, 45, 47, 52, 57, 59])
def test_random_systems(seed: int) -> None:
    """Those with some interleaving, and few enough states."""
    assert _agrees(seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_random_systems(seed: int) -> None:
    assert _agrees(seed)


def _agrees(seed: int) -> bool:
    system = random_system(seed)
    asked = [f"Bel({agent}, {belief})" for agent in system.agents for belief in ("p(1)", "q(_)", "r")]
    asked += [f"Int({agent}, {goal})" for agent in system.agents for goal in ("g(_)",)]
    try:
        return same_traces(*(traces(system.agents, system.world, asked, 3000, cycle=each, time=system.time) for each in ("exact", "parts")))
    except InputError as error:
        pytest.skip(f"not a finite system: {error}")


def test_most_cycles_are_one_step() -> None:
    parts, exact = (space("!count(9). +!count(0). +!count(N) <- !count(N-1).", cycle=each) for each in ("parts", "exact"))
    assert exact.num_states - 1 == (parts.num_states - 1) / 3

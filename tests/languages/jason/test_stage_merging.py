"""Merged parts of the cycle: fewer steps, and nobody can tell.  Random systems are compared in
``test_reference.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import and_
from typing import Any

import pytest

from tests.languages.jason.compare import successors
from tests.languages.jason.stuttering import are_stutter_bisimilar
from tests.languages.jason.systems import atom, model, space
from volition.kernel import explore

SWITCH = """
percept on
action switch when not on do add on
action switch when on do remove on
"""


Seen = tuple[list[list[int]], list[tuple[bool, ...]]]


def seen(
    agents: str | Mapping[str, str], world: str | None, queried: Sequence[str], **settings: Any
) -> Seen:
    """The graph of a system, and which of some atoms hold in each state."""
    observed = tuple(atom(each) for each in queried)
    meant = model(agents, world, observed=observed, **settings)
    states = explore(meant.system)
    columns = [states.holds(meant.resolve(each)).tolist() for each in observed]
    return with_moments(
        successors(states),
        list(zip(*columns, strict=True)),
        [each.modality == "Does" for each in observed],
    )


def with_moments(
    following: list[list[int]], labels: list[tuple[bool, ...]], is_action: Sequence[bool]
) -> Seen:
    """What is done is a moment of its own, after which the step comes that ends it: how many steps
    others take is nobody's business."""
    for state in [state for state, label in enumerate(labels) if any(map(and_, label, is_action))]:
        labels.append(
            tuple(
                holds and not action for holds, action in zip(labels[state], is_action, strict=True)
            )
        )
        following.append(following[state])
        following[state] = [len(labels) - 1]
    return following, labels


def are_alike(one: Seen, other: Seen) -> bool:
    return are_stutter_bisimilar(*one, *other)


SYSTEMS: Mapping[str, tuple[str | Mapping[str, str], str | None, Sequence[str]]] = {
    "a plan that ends at once": ("!go. +!go.", None, ["Int(bob, go)"]),
    "two changes in one cycle": (
        "!go. +!go <- +b; +c. +b <- -b.",
        None,
        ["Bel(bob, b)", "Bel(bob, c)", "Int(bob, go)"],
    ),
    "an action, and what is seen of it": (
        "!go. +!go <- switch; ?on; +saw. +on <- +noticed. -!go <- +missed.",
        SWITCH,
        ["Bel(bob, saw)", "Bel(bob, noticed)", "Bel(bob, missed)", "Bel(bob, on)"],
    ),
    "who hears what first": (
        {
            "bob": "!go. +!go <- switch; switch. +x <- +late.",
            "maria": "+on <- .send(bob, tell, x). -on <- .send(bob, tell, y).",
        },
        SWITCH,
        ["Bel(bob, x)", "Bel(bob, y)", "Bel(maria, on)"],
    ),
    "old news": (
        {
            "maria": "+on <- .send(anna, tell, was_on).",
            "zoe": "-on <- .send(anna, tell, is_off).",
            "anna": "+was_on : is_off <- +old. +is_off : was_on <- +new.",
        },
        "percept on initially on\nstep off when on do remove on",
        ["Bel(anna, old)", "Bel(anna, new)"],
    ),
    "mail that crosses": (
        {
            "bob": "!go. +!go <- .send(maria, tell, b(1)); .send(maria, tell, b(2)). +c <- +got.",
            "maria": "!go. +!go <- .send(bob, tell, c); +sent. +b(1) : not sent <- +before.",
        },
        None,
        ["Bel(maria, before)", "Bel(bob, got)", "Bel(maria, sent)", "Bel(maria, b(2))"],
    ),
    "a timer beside a percept": (
        {
            "bob": "!go. +!go <- .wait(10); if (on) { +light } else { +dark }.",
            "maria": "!go. +!go <- switch.",
        },
        SWITCH,
        ["Bel(bob, light)", "Bel(bob, dark)", "Bel(bob, on)"],
    ),
    "what is seen before falling asleep": (
        {
            "bob": "+m : on <- +light. +m : not on <- +dark.",
            "maria": "!go. +!go <- .send(bob, tell, m).",
        },
        "percept on initially on\nstep off when on do remove on",
        ["Bel(bob, light)", "Bel(bob, dark)", "Bel(bob, on)"],
    ),
    "what is done beside": (
        {
            "bob": "+m : on <- +light. +m : not on <- +dark.",
            "maria": "!go. +!go <- .send(bob, tell, m).",
            "zoe": "!go. +!go <- switch.",
        },
        SWITCH,
        ["Bel(bob, light)", "Bel(bob, dark)", "Does(zoe, switch)"],
    ),
    "what is decided, and done later": (
        "!go. +!go : .random([1, 2], X) <- .print(X); +b(X).",
        None,
        ["Bel(bob, b(1))", "Bel(bob, b(2))"],
    ),
    "mail before what is asked about alone": (
        {
            "bob": "!go. +!go <- +b. +m : b <- +late. +m : not b <- +early.",
            "maria": "!go. +!go <- .send(bob, tell, m).",
        },
        None,
        ["Bel(bob, b)", "Bel(bob, late)", "Bel(bob, early)"],
    ),
    "a deadline before the result of what is done": (
        "!go. +!go <- !!g[hard_deadline(100)]. +!g <- switch. -!g <- +late.",
        SWITCH,
        ["Bel(bob, on)", "Bel(bob, late)"],
    ),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_formulas_cannot_tell_merged_parts_from_parts(name: str) -> None:
    agents, world, queried = SYSTEMS[name]
    assert are_alike(
        seen(agents, world, queried, cycle="exact"), seen(agents, world, queried, cycle="parts")
    )


def test_an_effect_is_seen_before_it_goes_even_if_nobody_waits_for_its_result() -> None:
    world = (
        "percept on\nvariable n = 0\naction switch do add on; n := 1\nstep off when n = 1 do "
        "remove on; n := 2"
    )
    reported = [
        seen(
            "!go. +!go <- switch.", world, ["Bel(bob, on)"], cycle=each, results="after perception"
        )
        for each in ("exact", "parts")
    ]
    assert are_alike(*reported)


def test_a_whole_cycle_at_once_misses_runs() -> None:
    """So the comparison can fail."""
    agents, world, queried = SYSTEMS["old news"]
    assert not are_alike(
        seen(agents, world, queried, cycle="whole"), seen(agents, world, queried, cycle="parts")
    )


def test_most_cycles_are_one_step() -> None:
    parts, exact = (
        space("!count(9). +!count(0). +!count(N) <- !count(N-1).", cycle=each)
        for each in ("parts", "exact")
    )
    assert exact.num_states - 1 == (parts.num_states - 1) / 3

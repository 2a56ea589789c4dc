"""Walks: by hand, by chance and by a strategy, through spaces that were explored and through those
that were not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

import volition
from tests.analysis.can_programs import coin, program
from volition import InputError, Walk, parse
from volition.analysis.neighbourhoods import neighbourhood

ROVER = "examples/can/rover.can"
VACUUM = "examples/dribble/vacuum.dribble"
AUCTION = "examples/agentspeak/auction"

COIN = coin(risky="true <- 0.25: <{},{won}> + 0.75: <{},{lost}>", cost="fair = 3, risky = 1.")
"""By hand the chances are 1 and 1/4, and the costs 6 and 1."""


def until_two_options(walk: Walk) -> Walk:
    while len(walk.options) == 1:
        walk.take(0)
    return walk


@pytest.mark.parametrize(
    "path",
    [
        ROVER,
        VACUUM,
        AUCTION,
        "examples/gwendolen/auction/two_bidders.gwendolen",
        "examples/lisa/crossing",
    ],
)
def test_a_walk_can_be_replayed(path: str) -> None:
    """Whatever the language, and explored or not: what was walked is a run of the program."""
    on_the_way = volition.walk(path, seed=4).random_steps(12)
    again = volition.replay(on_the_way.trace(), path)
    assert again.possible
    assert len(again) == len(on_the_way) > 0
    explored = volition.walk(volition.explore(path, max_states=100_000)).retrace(on_the_way)
    assert [each.text for each in explored.annotated_run()] == [
        each.text for each in on_the_way.annotated_run()
    ]
    assert explored.state_view == on_the_way.state_view
    assert volition.replay(explored.trace(), path).possible


def test_the_run_behind_an_answer_can_be_walked() -> None:
    """As far as one likes, and on from there in another direction."""
    (answer,) = volition.check(VACUUM, "A [ F (B(c1) & B(c2)) ]")
    trace = volition.trace(answer)
    assert trace is not None
    annotated = volition.annotated_run(answer)
    assert annotated is not None
    walk = volition.walk(VACUUM).replay_trace(trace, 4)
    assert [each.text for each in walk.annotated_run()] == [each.text for each in annotated][:4]
    assert walk.state_view == annotated[3].state_view
    assert len(walk.replay_trace(trace)) == len(annotated)
    with pytest.raises(InputError) as error:
        volition.walk("examples/dribble/vacuum_repaired.dribble").replay_trace(trace)
    assert error.value.diagnostics[0].code == "API017"


def test_steps_are_taken_back() -> None:
    walk = volition.walk(VACUUM)
    before = walk.state_view
    walk.take(0)
    assert walk.state_view != before
    assert walk.annotated_run()[0].text == volition.walk(VACUUM).options[0].text
    walk.back()
    assert walk.state_view == before
    assert len(walk) == 0
    walk.random_steps(3).back(99)
    assert walk.states == [0]


def test_the_same_seed_walks_the_same_way() -> None:
    one, other, third = (
        volition.walk(ROVER, seed=seed).random_steps(20).states for seed in (7, 7, 8)
    )
    assert one == other
    assert one != third


def test_chance_is_taken_at_its_word() -> None:
    """An outcome can be chosen by hand, too."""
    walk = until_two_options(volition.walk(program(COIN)))
    walk.take(next(each.number for each in walk.options if each.text == "select plan 3 for toss"))
    while len(walk.options[0].outcomes) == 1:
        walk.take(0)
    (toss,) = walk.options
    assert sorted(each.probability for each in toss.outcomes) == [Fraction(1, 4), Fraction(3, 4)]
    lost = next(
        index for index, each in enumerate(toss.outcomes) if each.probability == Fraction(3, 4)
    )
    walk.take(toss.number, lost)
    assert walk.holds(parse("lost"))
    assert walk.annotated_run().steps[-1].probability == "3/4"


def test_the_value_of_each_option() -> None:
    """By hand: the fair coin wins in the end, and costs 3 a toss, of which two are expected; the
    risk wins with 1/4 and costs 1."""
    walk = until_two_options(volition.walk(volition.explore(program(COIN))))
    fair, risky = sorted(
        (each.choice for each in walk.options),
        key=lambda choice: walk.space.label(choice).text,  # type: ignore[attr-defined]
    )
    win = walk.values(parse("Pmax=? [ F won ]"))
    assert win.of_choices is not None
    assert (win.of_states[walk.state], win.of_choices[fair], win.of_choices[risky]) == (
        1,
        1,
        Fraction(1, 4),
    )
    lose = walk.values(parse("Pmin=? [ F won ]"))
    assert lose.of_choices is not None
    assert lose.of_states[walk.state] == Fraction(1, 4)
    over = walk.values(parse('R{"cost"}min=? [ F (won | lost) ]'))
    assert over.of_choices is not None
    assert over.of_states[walk.state] == over.of_choices[risky] == 1
    # After one fair toss, in half of the cases everything is as before: 3 + 1/2.
    assert over.of_choices[fair] == Fraction(7, 2)
    never = walk.values(parse("Pmax=? [ G !lost ]"))
    assert never.of_choices is not None
    assert (never.of_choices[fair], never.of_choices[risky]) == (1, Fraction(1, 4))
    soon = walk.values(parse("Pmax=? [ F<=2 won ]"))
    assert soon.of_choices is not None
    assert soon.of_choices[fair] == Fraction(1, 2)
    assert soon.of_choices[risky] == Fraction(1, 4)


@pytest.mark.parametrize(
    "query",
    [
        "Pmax=? [ F done_1 & done_2 ]",
        'R{"distance"}min=? [ F done_1 & done_2 ]',
        "Pmin=? [ F<=9 done_1 ]",
    ],
)
def test_the_best_option_is_worth_as_much_as_the_state(query: str) -> None:
    """Bellman's equation, in every state of the rover."""
    space = volition.explore(ROVER)
    values = volition.walk(space).values(parse(query))
    assert values.of_choices is not None
    best = min if "min" in query else max
    for state in range(len(space)):
        assert float(
            best(values.of_choices[choice] for choice in space.choices_of(state))
        ) == pytest.approx(float(values.of_states[state]))


def test_a_strategy_leads_to_what_it_is_for() -> None:
    space = volition.explore(program(COIN))
    for seed in range(20):
        walk = volition.walk(space, seed=seed).follow(parse("Pmax=? [ F won ]"), steps=200)
        assert walk.holds(parse("won"))
        assert not walk.holds(parse("lost"))


def test_formulas_about_states_and_about_runs() -> None:
    on_the_way = volition.walk(VACUUM)
    assert on_the_way.holds(parse("Bel(c1)")) is False
    assert on_the_way.holds(parse('"deadlock"')) is False
    with pytest.raises(InputError):
        on_the_way.holds(parse("E [ F Bel(c1) ]"))
    explored = volition.walk(volition.explore(VACUUM))
    assert explored.holds(parse("E [ F Bel(c1) ]")) is True


@pytest.mark.parametrize("query", ["E [ F won ]", "P>=0.5 [ F won ]"])
def test_what_is_no_query_has_no_value(query: str) -> None:
    walk = volition.walk(volition.explore(program(COIN)))
    with pytest.raises(InputError) as error:
        walk.values(parse(query))
    assert error.value.diagnostics[0].code == "API015"


def test_options_and_outcomes_that_are_not_there() -> None:
    walk = volition.walk(VACUUM)
    attempts: list[tuple[Callable[[], object], str]] = [
        (lambda: walk.take(99), "API013"),
        (lambda: walk.take(-1), "API013"),
        (lambda: walk.take(0, 99), "API013"),
        (lambda: walk.values(parse("Pmax=? [ F Bel(c1) ]")), "API016"),
    ]
    for attempt, code in attempts:
        with pytest.raises(InputError) as error:
            attempt()
        assert error.value.diagnostics[0].code == code
    assert len(walk) == 0


def test_no_walk_leaps_over_states() -> None:
    (answer,) = volition.check(program(COIN), "E [ F won ]", reduce="static")
    assert answer.exploration.space.reduction is not None
    with pytest.raises(InputError, match="omits steps"):
        volition.walk(answer.exploration.space)


def test_what_states_remember() -> None:
    """``Does`` is asked of the step before: a walk for such a formula remembers it."""
    walk = volition.walk(AUCTION, "A [ G !Does(ag1, place_bid(1,6)) ]", seed=2).random_steps(30)
    assert volition.replay(walk.trace(), AUCTION).possible
    assert walk.trace()["observed"] == ["Does(ag1, place_bid(1,6))"]


def test_a_part_of_the_states() -> None:
    """A walk ends where nothing was explored; what may lie behind decides what a query is worth."""
    space = volition.explore(ROVER, max_states=20)
    walk = volition.walk(space).random_steps(100)
    assert walk.options == ()
    assert walk.holds(parse("E [ F done_1 ]")) is None
    with pytest.raises(InputError) as error:
        walk.follow(parse("Pmax=? [ F done_1 ]"))
    assert error.value.diagnostics[0].code == "API016"
    near = neighbourhood(space)
    assert near.boundary == set(range(space.num_expanded, len(space)))


# --- neighbourhoods -------------------------------------------------------------------------------


def test_the_whole_of_a_small_space() -> None:
    space = volition.explore(VACUUM)
    near = neighbourhood(space)
    assert near.complete
    assert set(near.distances) == set(range(len(space)))
    assert len(near.edges) == space.num_transitions
    # Breadth first is how the kernel explores, too.
    assert all(near.distances[state] == len(space.path_to(state)[1]) for state in range(len(space)))


def test_a_neighbourhood_says_what_is_left_out() -> None:
    space = volition.explore(ROVER)
    near = neighbourhood(space, depth=2)
    assert max(near.distances.values()) == 2
    assert not near.complete
    few = neighbourhood(space, maximum=7)
    assert len(few.distances) == 7
    assert few.boundary
    assert {edge.target for edge in few.edges} <= set(few.distances)


def test_the_way_to_a_neighbour_can_be_walked() -> None:
    space = volition.explore(ROVER)
    near = neighbourhood(space, depth=4)
    far = next(state for state, distance in near.distances.items() if distance == 4)
    walk = volition.walk(space).follow_path(near.path_to(far))
    assert walk.state == far
    assert len(walk) == 4

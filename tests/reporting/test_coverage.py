"""What no run uses."""

from __future__ import annotations

from pathlib import Path

from tests.checking.small_systems import SmallSystem
from tests.checking.vending import Vending
from volition.kernel import Limits, explore
from volition.languages import load
from volition.reporting.coverage import coverage

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_unused_plans_actions_and_rules() -> None:
    program = Vending(kicking=False)
    found = coverage(program, explore(program.system))
    assert found.unused == {
        "plans": ("customer: vent", "machine: care"),
        "actions": ("customer: kick", "machine: polish"),
        "rules": ("Drop",),
    }
    assert found.used == {
        "plans": ("customer: buy",),
        "actions": ("customer: insert", "customer: press"),
        "rules": ("Act", "Press", "Serve"),
    }
    assert found.complete


def test_not_used_so_far() -> None:
    program = Vending()
    found = coverage(program, explore(program.system, limits=Limits(states=1)))
    assert not found.complete
    assert "customer: press" in found.unused["actions"]


def test_a_language_without_an_inventory() -> None:
    system = SmallSystem(edges=(((0, 0),),), labels=(frozenset(),))
    assert coverage(system, system.explored()).unused == {}


def test_plans_of_the_rover_that_never_apply() -> None:
    """Listing 1.3 of Archibald et al.: only the plans of an experiment lead to its site, so none
    starts when the rover is there already."""
    model = load(EXAMPLES / "can" / "rover.can", {}).model()
    unused = coverage(model, explore(model.system)).unused
    assert [title.partition(",")[0] for title in unused["plans"]] == ["plan 4", "plan 8"]
    assert unused["actions"] == ()
    model = load(
        EXAMPLES / "can" / "rover.can", {"events": "fixed", "intentions": "fixed", "plans": "fixed"}
    ).model()
    assert "move_site2_to_site1" in coverage(model, explore(model.system)).unused["actions"]


def test_plans_of_several_agents_carry_their_names() -> None:
    """With one auction, ag3 has not lost often enough to seek an alliance."""
    model = load(EXAMPLES / "agentspeak" / "auction", {"auctions": "1"}).model()
    found = coverage(model, explore(model.system))
    assert "ag3: p1" in found.used["plans"]
    assert {"ag3: p3", "ag3: p6"} <= set(found.unused["plans"])


def test_what_chance_picks_is_used(tmp_path: Path) -> None:
    """Under policies with probabilities each step is one of several; plan 3 is selected by chance
    alone and never makes a step."""
    file = tmp_path / "turns.can"
    file.write_text("""
// External events
a, b
// Plan library
a : true <- goal(false, x, false).
b : true <- goal(false, sub, false).
sub : true <- ?false.
sub : true <- y.
// Actions description
x : true <- <{},{}>
y : true <- <{},{}>
// Policies
events : fixed.
plans : probabilities.
intentions : probabilities.
""")
    model = load(file).model()
    found = coverage(model, explore(model.system))
    assert found.unused == {"plans": (), "actions": ()}
    assert found.used["rules"] == (
        "A_event",
        "A_step",
        "G;",
        "G_init",
        "G▷",
        "act_p",
        "event",
        "select",
        "▷;",
        "▷⊤",
        "▷⊥",
    )

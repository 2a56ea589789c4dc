"""What no run uses."""

from __future__ import annotations

from tests.checking.small_systems import SmallSystem
from tests.checking.vending import Vending
from volition.checking.coverage import coverage
from volition.kernel import Limits, explore


def test_unused_plans_actions_and_rules() -> None:
    program = Vending(kicking=False)
    found = coverage(program, explore(program.system))
    assert found.unused == {"plans": ("vent", "care"), "actions": ("kick", "polish"), "rules": ("Drop",)}
    assert found.used == {"plans": ("buy",), "actions": ("insert", "press"), "rules": ("Act", "Press", "Serve")}
    assert found.complete


def test_not_used_so_far() -> None:
    program = Vending()
    found = coverage(program, explore(program.system, limits=Limits(states=1)))
    assert not found.complete
    assert "press" in found.unused["actions"]


def test_a_language_without_an_inventory() -> None:
    system = SmallSystem(edges=(((0, 0),),), labels=(frozenset(),))
    assert coverage(system, system.explored()).unused == {}

"""Static check whether the behaviour of an agent may depend on the order in which percepts become
beliefs. Jason does not specify this order, because it stores percepts in a hash table. Volition
uses the order of the world, unless ``percept_order = any`` is set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from volition.diagnostics import Diagnostics
from volition.languages.jason.environment import from_world, may_perceive
from volition.languages.jason.settings import Settings
from volition.languages.jason.syntax import AgentProgram
from volition.languages.jason.terms import Literal, indicator
from volition.languages.world.interface import World
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.syntax import Add, Remove, WorldTree
from volition.languages.world.syntax import WorldRule as WorldRule
from volition.languages.world.terms import Structure

__all__ = ["check_percept_order"]


def check_percept_order(
    agents: Mapping[str, AgentProgram],
    settings: Mapping[str, Settings],
    world: World,
    found: Diagnostics,
) -> None:
    """Warn about each agent with ``percept_order = world`` for which one change of the world may
    add several percepts that trigger plans, or remove several such percepts. Jason might process
    them in another order than the one that is explored."""
    for name, program in agents.items():
        if isinstance(world, DeclaredWorld) and settings[name].percept_order == "world":
            shown = next(iter(_simultaneous_events(name, program, world.tree)), None)
            if shown is not None:
                message = (
                    f"{shown} can occur at the same time for {name}, and Jason does not "
                    "specify their order"
                )
                found.warning(
                    "JSN018",
                    message,
                    hint="percept_order = any explores every order, not only that of the world",
                )


def _simultaneous_events(agent: str, program: AgentProgram, tree: WorldTree) -> Iterable[str]:
    seen = {each.signature.functor for each in tree.predicates if may_perceive(agent, each)}
    planned = {
        (plan.trigger.operator, indicator(plan.trigger.literal))
        for plan in program.plans
        if plan.trigger.kind == "belief" and isinstance(plan.trigger.literal, Literal)
    }

    def events(operator: str, percepts: Iterable[Structure]) -> list[str]:
        literals = [from_world(each) for each in percepts if each.functor in seen]
        named = [indicator(each) for each in literals if isinstance(each, Literal)]
        return [f"{operator}{each}" for each in named if (operator, each) in planned]

    changes = [("+", [fact for each in tree.predicates for fact in each.initially])]
    rules: list[WorldRule] = [*tree.actions, *tree.steps]
    for rule in rules:
        changes.append(("+", [each.fact for each in rule.effects if isinstance(each, Add)]))
        changes.append(("-", [each.pattern for each in rule.effects if isinstance(each, Remove)]))
    for operator, percepts in changes:
        several = events(operator, percepts)
        if len(several) > 1:
            yield (
                f"several events {several[0]}"
                if several[0] == several[1]
                else f"the events {several[0]} and {several[1]}"
            )

"""Facts about the environment of a Gwendolen program that slicing needs: what agents can perceive,
and which actions have no effect."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from volition.languages.gwendolen.builtin_actions import BUILTIN
from volition.languages.gwendolen.environment import AgentEnvironment
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.gwendolen.syntax import Act
from volition.languages.world.interface import World
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.syntax import ActionRule, BooleanLiteral
from volition.languages.world.terms import Structure, Term, Variable, predicate, unifiable

__all__ = ["WorldFacts"]

_SHARING = ("assert_shared", "remove_shared")
_OF_THE_LANGUAGE = (*_SHARING, "query", "calculate")


@dataclass(frozen=True)
class WorldFacts:
    """Facts about the world and the execution options of a Gwendolen program that decide what a
    slice may remove."""

    program: GwendolenProgram

    @property
    def _world(self) -> World:
        return self.program.world

    def is_exogenous(self, atom: Term) -> bool:
        """Return whether a belief of an agent may change without a deed of this agent."""
        perceivable = self._perceivable
        return perceivable is None or any(unifiable(atom, each) for each in perceivable)

    @cached_property
    def _perceivable(self) -> list[Structure] | None:
        world = self._world.predicates
        if world is None:
            return None
        deeds = [
            deed
            for agent in self.program.agents.values()
            for plan in agent.plans
            for deed in plan.body
        ]
        shared = [
            deed.action
            for deed in deeds
            if isinstance(deed, Act) and deed.action.functor in _OF_THE_LANGUAGE
        ]
        if any(isinstance(each, Variable) for action in shared for each in action.arguments):
            return None
        return [
            *world,
            *(
                each
                for action in shared
                for each in action.arguments
                if isinstance(each, Structure)
            ),
        ]

    @property
    def agent_moves_alone(self) -> bool:
        """Whether every turn belongs to one agent: the program has only one agent, and the world
        makes no spontaneous transitions."""
        return len(self.program.agents) == 1 and not self._world.has_spontaneous_transitions

    @property
    def changes_freely(self) -> bool:
        """Whether percepts may change nondeterministically between the turns of the agents."""
        return self._world.has_free_percepts

    @property
    def draws_after_actions(self) -> bool:
        """Whether new percepts are drawn after every action."""
        return self._world.has_free_percepts and self.program.options.redraw in (
            "acted",
            "acted_and_asleep",
        )

    def cannot_fail(self, action: Structure) -> bool:
        """Return whether the world certainly executes an action in every state. Return False for
        built-in actions, and if the actions of the world are not known.

        This matters because an action that fails may be retried when the guard of its plan no
        longer holds.
        """
        if action.functor in BUILTIN or self._world.actions is None:
            return False
        rules = [each for each in self._rules if predicate(each.action) == predicate(action)]
        known = any(predicate(each) == predicate(action) for each in self._world.actions)
        return any(map(_always_applies, rules)) if rules else not known

    def changes_percepts(self, action: Structure) -> bool:
        """Return whether an action may change what agents perceive: it changes facts or shared
        beliefs, or new percepts are drawn after it."""
        if (
            self.draws_after_actions
            or action.functor in _SHARING
            or (action.functor == "perf" and self._engines)
        ):
            return True
        if action.functor in BUILTIN or action.functor in _OF_THE_LANGUAGE:
            return False
        return self._world.actions is None or any(
            each.effects for each in self._rules if predicate(each.action) == predicate(action)
        )

    def may_fail(self, action: Structure) -> bool:
        """Return whether an action may fail, so that the event ``-!g`` is posted for its goal g.
        Besides the actions of the world that cannot fail, a few actions of the language never fail:
        ``print``, ``skip`` and updates of shared beliefs."""
        return action.functor not in (*_SHARING, "print", "skip") and not self.cannot_fail(action)

    def changes_nothing(self, action: Structure) -> bool:
        """Return whether an action always succeeds, has no effect and does not return an answer to
        the agent."""
        if action.functor in BUILTIN or action.functor in _OF_THE_LANGUAGE:
            return False
        if action.functor == "perf" and self._engines:
            return False
        rules = [each for each in self._rules if predicate(each.action) == predicate(action)]
        return self.cannot_fail(action) and not any(each.effects for each in rules)

    @cached_property
    def _engines(self) -> bool:
        return bool(
            AgentEnvironment(
                self.program.agents, self._world, self.program.options
            ).abstraction_engines
        )

    @cached_property
    def _rules(self) -> tuple[ActionRule, ...]:
        return self._world.tree.actions if isinstance(self._world, DeclaredWorld) else ()


def _always_applies(rule: ActionRule) -> bool:
    """Return whether a rule of the world applies to every action with its name and number of
    arguments, by any agent, in every state."""
    queried = (
        rule.action.arguments
        if rule.agent is None
        else (*rule.action.arguments, Variable(rule.agent))
    )
    names = {each.name for each in queried if isinstance(each, Variable)}
    return (
        len(names) == len(queried)
        and isinstance(rule.condition, BooleanLiteral)
        and rule.condition.value
    )

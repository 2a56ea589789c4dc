"""Vocabulary of a Gwendolen system: the predicates of the beliefs, goals and actions that occur in
its programs and its world.

Each belief predicate of the vocabulary gets a slot. An atom of a formula outside the vocabulary is
probably misspelt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    AgentProgram,
    BeliefGuard,
    Deed,
    DropGoal,
    RemoveBelief,
    Send,
    WaitFor,
)  # fmt: skip
from volition.languages.world.interface import World, spelling_hint
from volition.languages.world.terms import Structure, Term, Variable, predicate

__all__ = ["NAMING", "Unknown", "Vocabulary"]

NAMING = ("Bel", "Des", "Int", "Does", "Last")
"""Kinds of atoms in formulas whose argument must occur in the program or the world, such as ``b``
in ``Bel(agent, b)``."""


class Unknown(NamedTuple):
    """Belief, goal or action in a formula that occurs neither in the programs nor in the world.
    ``hint`` suggests a similar name."""

    text: str
    hint: str | None


@dataclass(frozen=True)
class Vocabulary:
    """Predicates that occur in the programs and the world of a system.

    ``goals`` is None if any goal may occur, because the content of some message is a variable.
    ``beliefs_are_known`` is False if any belief may occur, for the same reason or because the world
    does not declare its percepts.
    """

    believed: frozenset[str]
    goals: frozenset[str] | None
    actions: frozenset[str]
    beliefs_are_known: bool

    @classmethod
    def of(cls, programs: Mapping[str, AgentProgram], world: World) -> Vocabulary:
        deeds = [
            deed for program in programs.values() for plan in program.plans for deed in plan.body
        ]
        sent = [deed.content for deed in deeds if isinstance(deed, Send)]
        is_open = any(isinstance(each, Variable) for each in sent)
        goals = [deed.goal.atom for deed in deeds if isinstance(deed, AddGoal | DropGoal)]
        goals += [goal.atom for program in programs.values() for goal, _ in program.goals]
        goals += [
            plan.trigger.content
            for program in programs.values()
            for plan in program.plans
            if plan.trigger.kind == "goal"
        ]
        actions = [deed.action for deed in deeds if isinstance(deed, Act)]
        queried = [
            each
            for action in actions
            if action.functor in ("perf", "query")
            for each in action.arguments
        ]
        return cls(
            believed=frozenset(
                (
                    *_predicates(_beliefs(programs, deeds)),
                    *_predicates(sent),
                    *map(predicate, world.predicates or ()),
                )
            ),
            goals=None
            if is_open
            else frozenset((*_predicates(goals), *_predicates(sent), *_predicates(queried))),
            actions=frozenset(("send/2", *_predicates(actions), *_predicates(queried))),
            beliefs_are_known=not is_open and world.predicates is not None,
        )

    def unknown(self, modality: str, atom: Term) -> Unknown | None:
        """Return the belief, goal or action that an atom of a formula names, if it occurs neither
        in the programs nor in the world. Otherwise return None.

        An atom about an unknown belief, goal or action is always false and probably misspelt.
        """
        kind, known = {
            "Bel": ("belief", self.believed if self.beliefs_are_known else None),
            "Des": ("goal", self.goals),
            "Int": ("goal", self.goals),
            "Does": ("action", self.actions),
            "Last": ("action", self.actions),
        }.get(modality, ("", None))
        if known is None or not isinstance(atom, Structure) or predicate(atom) in known:
            return None
        return Unknown(f"{kind} {predicate(atom)}", spelling_hint(atom, known))


def _predicates(atoms: Iterable[Term]) -> Iterator[str]:
    return (predicate(atom) for atom in atoms if isinstance(atom, Structure))


def _beliefs(programs: Mapping[str, AgentProgram], deeds: Sequence[Deed]) -> Iterator[Term]:
    for program in programs.values():
        yield from (atom for atom, _ in program.beliefs)
        for rule in program.rules:
            yield rule.head
            yield from rule.atoms
        for plan in program.plans:
            yield from (each.atom.atom for each in plan.guard if isinstance(each.atom, BeliefGuard))
            if plan.trigger.kind == "belief":
                yield plan.trigger.content
    for deed in deeds:
        match deed:
            case AddBelief(atom) | RemoveBelief(atom) | WaitFor(atom):
                yield atom
            case Act(action) if action.functor in ("assert_shared", "remove_shared"):
                yield from action.arguments
            case _:
                pass

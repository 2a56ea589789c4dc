"""Proofs of properties that hold because of the guards of plans, without exploring the program.

An agent selects a plan and executes its first deed in the same turn. Between selection and
execution it perceives nothing, and no belief changes. So whenever the agent does a, it believes b,
provided that every deed that may be a is the first deed of a plan whose guard requires b, or
requires something that only b makes true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AgentProgram,
    BeliefGuard,
    Derivable,
    Plan,
)
from volition.languages.world.terms import (
    Bindings,
    Structure,
    Term,
    Variable,
    matches,
    rename,
    substitute,
    unifiable,
    unify,
)
from volition.logic.syntax import Atom, Formula, Globally, Implies
from volition.slicing.gwendolen.node_names import acts_as
from volition.slicing.gwendolen.world_facts import WorldFacts

__all__ = ["GuardedAction", "guarded_action"]


@dataclass(frozen=True, slots=True)
class GuardedAction:
    """Proof that a formula ``G (Does(ag, a) -> Bel(ag, b))`` holds because of the guards of plans:
    the formula, and the plans that execute the action."""

    formula: Formula
    plans: tuple[Plan, ...]

    @property
    def why(self) -> str:
        numbers = ", ".join(str(plan.number) for plan in self.plans)
        if not self.plans:
            return "no plan does the action"
        return (
            f"{'plan' if len(self.plans) == 1 else 'plans'} {numbers}: the guard requires the "
            "belief, and the action is the first deed"
        )


def guarded_action(program: GwendolenProgram, formula: Formula) -> GuardedAction | None:
    """Return a proof that the guards of plans make ``formula`` hold, if it has the form ``G
    (Does(ag, a) -> Bel(ag, b))``. Return None if the formula has another form, or if the guards do
    not prove it."""
    match formula:
        case Globally(
            operand=Implies(left=Atom(modality="Does") as does, right=Atom(modality="Bel") as bel),
            bound=None,
        ):
            pass
        case _:
            return None
    model = program.model()
    (agent, action), (believer, belief) = (
        model.parse_agent_and_atom(does),
        model.parse_agent_and_atom(bel),
    )
    if agent != believer or program.options.does != "step":
        return None
    doing = [
        plan
        for plan in program.agents[agent].plans
        if any(_may_be(deed, action) for deed in plan.body)
    ]
    lemma = _Guards(program, program.agents[agent], action, belief)
    return GuardedAction(formula, tuple(doing)) if all(map(lemma.protects, doing)) else None


def _may_be(deed: object, action: Term) -> bool:
    return isinstance(deed, Act) and acts_as(action, deed.action)


class _Guards:
    def __init__(
        self, program: GwendolenProgram, agent: AgentProgram, action: Term, belief: Term
    ) -> None:
        self._around = WorldFacts(program)
        self._agent = agent
        self._action = rename(action, {}, "?f.")
        self._belief = belief

    def protects(self, plan: Plan) -> bool:
        """Return whether the agent believes b whenever this plan executes the action a, where a and
        b are the action and the belief of the formula ``G (Does(ag, a) -> Bel(ag, b))``.

        True if all of these conditions hold:

        - Only the first deed of the plan can be a.
        - The first deed is an action that cannot fail.
        - The guard requires a belief that the agent can only have if it also believes b.
        """
        first, *later = plan.body
        if not isinstance(first, Act) or any(_may_be(each, self._action) for each in later):
            return False
        if not self._around.cannot_fail(first.action):
            return False
        queried = [
            each.atom.atom
            for each in plan.guard
            if each.positive and isinstance(each.atom, BeliefGuard)
        ]
        unifiers = [
            found
            for each in _meanings(first.action)
            if (found := unify(self._action, each, {})) is not None
        ]
        return all(
            any(self._entails(substitute(atom, bindings), ()) for atom in queried)
            for bindings in unifiers
        )

    def _entails(self, atom: Term, above: tuple[Term, ...]) -> bool:
        """Return whether the agent can believe ``atom`` only if it also believes the belief of the
        formula.

        Beliefs may be derived by reasoning rules. ``above`` are the atoms whose derivation led to
        ``atom``. If ``atom`` is among them, its derivation is circular and is ignored.
        """
        if matches(self._belief, atom):
            return True
        if not isinstance(atom, Structure) or self._may_be_fact(atom):
            return False
        if any(atom == each for each in above):
            return True
        return all(
            self._entails_by(body, bindings, (*above, atom))
            for body, bindings in self._rules_for(atom)
        )

    def _entails_by(
        self, body: Sequence[Term], bindings: Bindings, above: tuple[Term, ...]
    ) -> bool:
        return any(self._entails(substitute(each, bindings), above) for each in body)

    def _rules_for(self, atom: Structure) -> Iterator[tuple[list[Term], Bindings]]:
        for rule in self._agent.rules:
            names: dict[str, str] = {}
            bindings = unify(rename(rule.head, names, "?r."), atom, {})
            if bindings is not None:
                yield (
                    [
                        rename(each.atom, names, "?r.")
                        for each in rule.body
                        if isinstance(each, Derivable)
                    ],
                    bindings,
                )

    def _may_be_fact(self, atom: Structure) -> bool:
        """Return whether the agent may believe an atom without any reasoning rule."""
        added = [
            deed.atom
            for plan in self._agent.plans
            for deed in plan.body
            if isinstance(deed, AddBelief)
        ]
        believed = [*(each for each, _ in self._agent.beliefs), *added]
        return self._around.is_exogenous(atom) or any(
            isinstance(each, Variable) or unifiable(atom, each) for each in believed
        )


def _meanings(action: Structure) -> list[Term]:
    """Return the terms by which ``Does`` can refer to an action: ``perf(accelerate)`` gives itself
    and ``accelerate``."""
    inner = [action.arguments[0]] if action.functor == "perf" and len(action.arguments) == 1 else []
    return [action, *inner]

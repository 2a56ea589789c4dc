"""Static over-approximation of the beliefs, goals, events and actions that can occur in a system.
Code that refers to anything else is probably wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from volition.diagnostics import did_you_mean
from volition.languages.jason.environment import from_world
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefRule,
    InternalAction,
    RemoveBelief,
    ReplaceBelief,
    Step,
    Test,
    Trigger,
    TriggerKind,
    VariableStep,
)
from volition.languages.jason.terms import (
    BracedTerm,
    List,
    Literal,
    Term,
    Text,
    Variable,
    indicator,
)
from volition.languages.jason.traversal import all_steps, contexts_in, subterms
from volition.languages.world.interface import World

__all__ = ["ANYTHING", "Names", "PossiblePredicates", "spelling_hint"]

ANYTHING = "*"
"""Wildcard name. A set of names that contains it is not known completely, for example because a
name is the value of a variable."""

Names = frozenset[str]
"""Set of indicators of literals: sign, name and arity, such as ``~locked/1``."""


@dataclass(frozen=True, eq=False)
class PossiblePredicates:
    """Predicates that the agents of a system may believe, pursue as goals, and execute as actions.
    A returned set contains :data:`ANYTHING` if it is not known completely."""

    agents: Mapping[str, AgentProgram]
    world: World

    def believed(self, agent: str) -> Names:
        """Return the predicates that an agent may come to believe, or for which it has a rule."""
        program = self.agents[agent]
        stated = (
            each.head if isinstance(each, BeliefRule) else each.literal
            for each in (*program.beliefs, *program.project_beliefs)
        )
        return self.posted(agent, "+", "belief") | _named(stated)

    def posted(self, agent: str, operator: str, kind: TriggerKind) -> Names:
        """Return the predicates for which an agent may have events with this operator (``+`` or
        ``-``) and kind (``belief``, ``achieve`` or ``test``)."""
        match kind:
            case "achieve":  # any goal may fail
                return self._wanted[agent]
            case "test":
                return _named(
                    step.query for step in self._steps[agent] if isinstance(step, Test)
                ) | self._sent(agent, "askOne")
            case "belief":
                pass
            case _:
                assert_never(kind)
        return self._added(agent) if operator == "+" else self._removed(agent)

    def _added(self, agent: str) -> Names:
        program = self.agents[agent]
        initially = (
            each.literal
            for each in (*program.beliefs, *program.project_beliefs)
            if not isinstance(each, BeliefRule)
        )
        own = (
            step.belief
            for step in self._steps[agent]
            if isinstance(step, AddBelief | ReplaceBelief)
        )
        texts = self._sent(agent, "tell") | self._sent(agent, "signal")
        return _named((*initially, *own)) | texts | self._changed_implicitly(agent)

    def _removed(self, agent: str) -> Names:
        own = (
            step.belief
            for step in self._steps[agent]
            if isinstance(step, RemoveBelief | ReplaceBelief)
        )
        abolished = (term for call in self._calls(agent, ".abolish") for term in call.arguments)
        return (
            _named((*own, *abolished))
            | self._sent(agent, "untell")
            | self._changed_implicitly(agent)
        )

    def _changed_implicitly(self, agent: str) -> Names:
        """Return the predicates of an agent's beliefs that can change although no belief change and
        no ``tell`` or ``untell`` message names them: percepts, answers to the agent's questions,
        and providers of subscribed services. The result contains :data:`ANYTHING` if a step of the
        agent is a variable."""
        answers = (
            self._content(call)
            for call in self._calls(agent, ".send")
            if _force(call) in ("askOne", "askAll", None)
        )
        subscribed = {"provider/2"} if any(self._calls(agent, ".df_subscribe")) else set()
        return (
            _named(answers) | subscribed | self._perceived | self._anything_if_steps_unknown(agent)
        )

    @cached_property
    def _wanted(self) -> Mapping[str, Names]:
        found = {}
        for agent, program in self.agents.items():
            goals: list[Term] = [each.literal for each in (*program.goals, *program.project_goals)]
            goals += [step.goal for step in self._steps[agent] if isinstance(step, Achieve)]
            later = [term for call in self._calls(agent, ".at") for term in call.arguments[1:]]
            posted = [
                each.content.literal
                for each in later
                if isinstance(each, BracedTerm) and isinstance(each.content, Trigger)
            ]
            found[agent] = (
                _named((*goals, *posted))
                | self._sent(agent, "achieve")
                | self._anything_if_steps_unknown(agent)
                | {"kqml_received/4"}
            )
        return found

    def _anything_if_steps_unknown(self, agent: str) -> Names:
        """Return ``{ANYTHING}`` if some step of the agent is a variable, which may do anything,
        otherwise the empty set."""
        return (
            frozenset({ANYTHING})
            if any(isinstance(step, VariableStep) for step in self._steps[agent])
            else frozenset()
        )

    @cached_property
    def _perceived(self) -> Names:
        percepts = self.world.predicates
        return (
            frozenset({ANYTHING})
            if percepts is None
            else _named(from_world(each) for each in percepts)
        )

    # --- names that formulas can use --------------------------------------------------------------

    def queryable(self) -> Names:
        """Return the predicates that a formula can query with ``Bel``, ``Des`` or ``Int``: those
        that some agent may believe, pursue, remove or query."""
        return self._attitudes

    @cached_property
    def _attitudes(self) -> Names:
        named = set(self._perceived)
        for agent, program in self.agents.items():
            named |= (
                self.believed(agent)
                | self._removed(agent)
                | self._wanted[agent]
                | self.posted(agent, "+", "test")
            )
            for plan in program.plans:
                named |= _named([plan.trigger.literal])
                named |= _named(
                    part
                    for query, _ in contexts_in(plan)
                    for part in subterms(query)
                    if isinstance(part, Literal)
                )
        return frozenset(named - {"kqml_received/4"})

    def actions(self) -> Names:
        """Return the actions that some agent may execute, and those that the world defines."""
        return self._actions

    @cached_property
    def _actions(self) -> Names:
        done = (
            step.action
            for agent in self.agents
            for step in self._steps[agent]
            if isinstance(step, Act)
        )
        unknown = [self._anything_if_steps_unknown(agent) for agent in self.agents]
        return _named(done).union(*unknown) | _named(
            from_world(each) for each in self.world.actions or ()
        )

    # --- contents of messages ---------------------------------------------------------------------

    def _sent(self, receiver: str, force: str) -> Names:
        """Return the predicates of the contents of messages that may be sent to ``receiver`` with
        the performative ``force``."""
        contents: list[Term] = []
        for sender in self.agents:
            for call in self._calls(sender, ".send"):
                if (
                    len(call.arguments) > 2
                    and _force(call) in (force, None)
                    and _reaches(call.arguments[0], receiver)
                ):
                    contents.append(call.arguments[2])
            for call in self._calls(sender, ".broadcast"):
                if len(call.arguments) > 1 and _says(call.arguments[0]) in (force, None):
                    contents.append(call.arguments[1])
        return _named(contents)

    def _content(self, call: Literal) -> Term:
        return call.arguments[2] if len(call.arguments) > 2 else Variable("_")

    def _calls(self, agent: str, name: str) -> Iterator[Literal]:
        return (
            step.action
            for step in self._steps[agent]
            if isinstance(step, InternalAction) and step.action.functor == name
        )

    @cached_property
    def _steps(self) -> Mapping[str, list[Step]]:
        return {
            agent: [step for plan in program.plans for step in all_steps(plan)]
            for agent, program in self.agents.items()
        }


def _named(terms: Iterable[Term]) -> Names:
    """Return the indicators of literals, and of the literals in lists. For a variable or a string,
    the result contains :data:`ANYTHING`."""
    found: set[str] = set()
    waiting = list(terms)
    while waiting:
        match waiting.pop():
            case Literal() as literal:
                found.add(indicator(literal))
            case List(items, tail):
                waiting += items
                if tail is not None:
                    found.add(ANYTHING)
            case Variable() | Text():
                found.add(ANYTHING)
            case _:
                pass
    return frozenset(found)


def _force(call: Literal) -> str | None:
    """Return the performative of a call of ``.send``, or None if it is not a constant."""
    return _says(call.arguments[1]) if len(call.arguments) > 1 else None


def _says(term: Term) -> str | None:
    return term.functor if isinstance(term, Literal) else None


def _reaches(receiver: Term, agent: str) -> bool:
    """Return whether a message with this receiver argument may go to ``agent``."""
    match receiver:
        case Literal(name) | Text(name):
            return name == agent
        case List(items, None):
            return any(_reaches(each, agent) for each in items)
        case _:
            pass
    return True


def spelling_hint(literal: Literal, known: Iterable[str]) -> str | None:
    """Return a hint for an unknown literal: known predicates with the same name and another number
    of arguments, or a similar name. Return None if there are none."""
    names = sorted(set(known) - {ANYTHING})
    same_name = [
        each for each in names if each.rpartition("/")[0].removeprefix("~") == literal.functor
    ]
    if same_name:
        return f"did you mean {' or '.join(same_name)}?"
    return did_you_mean(literal.functor, [each.rpartition("/")[0] for each in names])

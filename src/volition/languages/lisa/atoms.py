"""What a formula can ask of a state, read from its atoms and names (Izzo, Sect. 4.4 and 6.4).

Variables of the model stand for numbers: ``plan_2 = 1``, ``mission_complete = 1``.  Sentences and
names of beliefs stand for being held: ``Bel("Mission complete")``, ``Bel(mission_complete)``,
``mission_complete``.  ``Int(plan_2)`` says that the plan runs, ``Des(plan_2)`` that its triggering
condition is satisfied (Def. 2.2), ``Does("Activate park mode")`` that the last step made a plan
execute the action.

Where there are several agents, an atom names the one that it asks, ``Bel(drone, "Mine found")``,
and the names of variables and beliefs carry its prefix: ``drone_plan_2 = 1``, ``drone_mine_found``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.common.atom_arguments import argument_span, arguments_without_agent
from volition.languages.lisa.beliefs import condition_in_words
from volition.languages.lisa.grammar import StatementReader
from volition.languages.lisa.names import find_operator_mark, name_of
from volition.languages.lisa.resolved import Plan, ResolvedAgent
from volition.languages.lisa.syntax import BeliefAtom, Condition, Sentence, beliefs_in
from volition.logic.syntax import Atom, AtomicFormula, Identifier, Proposition
from volition.logic.terms import QuotedTerm

__all__ = [
    "BelAtom",
    "DesAtom",
    "DoesAtom",
    "IntAtom",
    "ParsedAtom",
    "VariableAtom",
    "Variables",
    "parse_atom",
]

Variables = Mapping[str, tuple[ResolvedAgent, str]]
"""The variables of a model: whose each one is, and what it is called there."""


@dataclass(frozen=True, slots=True)
class VariableAtom:
    """The value of a variable: of a plan its index, of a belief 1 or 0, of a feedback that is
    awaited a countdown above 1."""

    name: str


@dataclass(frozen=True, slots=True)
class BelAtom:
    condition: Condition


@dataclass(frozen=True, slots=True)
class DesAtom:
    plan: Plan


@dataclass(frozen=True, slots=True)
class IntAtom:
    plan: Plan


@dataclass(frozen=True, slots=True)
class DoesAtom:
    """The last half-step made a plan stand on the action."""

    action: str


ParsedAtom = VariableAtom | BelAtom | DesAtom | IntAtom | DoesAtom

_WORDS = {"&": "and", "&&": "and", "∧": "and", "|": "or", "||": "or", "∨": "or"}
_CONNECTIVE = re.compile(r"(?<!\s)\s*+(&&?|\|\|?|[∧∨])\s*")
_INNER_BELIEF = re.compile(r"\^\s*\[([^\[\]]*)\]")
_MODALITIES = ("Bel", "Des", "Int", "Does")


def parse_atom(
    agents: Sequence[ResolvedAgent], atom: AtomicFormula, *, variables: Variables | None = None
) -> tuple[ResolvedAgent, ParsedAtom]:
    """What a leaf of a formula asks, and of whom; raises :class:`InputError` where the agent knows
    no such thing."""
    match atom:
        case Identifier(name):
            agent, own_name = _variable(name, atom.span, variables or {})
            return agent, VariableAtom(own_name)
        case Proposition(name):
            span = atom.span if atom.span and atom.span.text == name else _span_of(name)
            if len(agents) == 1:
                return agents[0], BelAtom(_belief(agents[0], span))
            return _belief_of_somebody(agents, name, span)
    if atom.modality not in _MODALITIES:
        raise _refusal(
            f"{atom.modality}(...) is not supported for LISA",
            atom.span,
            f"expected one of {', '.join(_MODALITIES)}",
        )
    agent = agents[0] if len(agents) == 1 else _agent(agents, atom)
    span = _asked(atom, agent)
    match atom.modality:
        case "Bel":
            return agent, BelAtom(_condition(agent, span))
        case "Des":
            return agent, DesAtom(_plan(agent, span))
        case "Int":
            return agent, IntAtom(_plan(agent, span))
        case _:
            return agent, DoesAtom(_action(agent, span))


def _variable(name: str, span: Span | None, variables: Variables) -> tuple[ResolvedAgent, str]:
    if name not in variables:
        raise _refusal(f"unknown variable '{name}'", span, did_you_mean(name, variables))
    return variables[name]


def _belief_of_somebody(
    agents: Sequence[ResolvedAgent], name: str, span: Span
) -> tuple[ResolvedAgent, ParsedAtom]:
    """A belief of one of several agents, by the name of its variable."""
    known = {
        agent.prefix + belief: (agent, text)
        for agent in agents
        for belief, text in agent.beliefs.items()
    }
    if name in known:
        agent, text = known[name]
        return agent, BelAtom(BeliefAtom(Sentence(text, span)))
    having = next((agent for agent in agents if name_of(name) in agent.beliefs), None)
    hint = (
        f"say whose: Bel({having.name}, {name_of(name)})" if having else did_you_mean(name, known)
    )
    raise _refusal(f"unknown belief '{name}'", span, hint)


def _agent(agents: Sequence[ResolvedAgent], atom: Atom) -> ResolvedAgent:
    """Whom an atom asks, where there are several."""
    names = {agent.name: agent for agent in agents}
    first = atom.arguments[0] if atom.arguments else None
    if first is not None and first.text in names and len(atom.arguments) > 1:
        return names[first.text]
    if first is not None and len(atom.arguments) > 1:
        raise _refusal(
            f"unknown agent '{first.text}'",
            first.span,
            did_you_mean(first.text, names) or f"the agents are {', '.join(names)}",
        )
    hint = f"write {atom.modality}({agents[0].name}, ...); the agents are {', '.join(names)}"
    raise _refusal(f"{atom.modality}(...) does not say which agent is meant", atom.span, hint)


def _asked(atom: Atom, agent: ResolvedAgent) -> Span:
    """Where the sentence, condition or name stands that an atom is about; quotation marks may stand
    around it."""
    arguments = arguments_without_agent(atom, agent.name)
    span = argument_span(atom, agent.name)
    if len(arguments) == 1 and isinstance(arguments[0], QuotedTerm):
        return span.source.span(span.start + 1, span.end - 1)
    return span


def _condition(agent: ResolvedAgent, span: Span) -> Condition:
    """A condition such as ``^[Drive mode] and ~^[Park mode]``, or just a sentence or name of a
    belief."""
    if "^" not in span.text:
        return _belief(agent, span)
    found = Diagnostics()
    condition = StatementReader(span.source, found).condition(span.start, span.end)
    found.raise_errors()
    assert condition is not None
    for sentence in beliefs_in(condition):
        if sentence.name not in agent.beliefs:
            raise _no_belief(agent, sentence.span)
    return condition


def _belief(agent: ResolvedAgent, span: Span) -> Condition:
    name = _name(span.text, agent.beliefs)
    if name not in agent.beliefs:
        raise _no_belief(agent, span)
    return BeliefAtom(Sentence(agent.beliefs[name], span))


def _name(text: str, known: Collection[str]) -> str:
    """The name that a text is, or else that of the sentence that it is."""
    return text if text in known else name_of(text)


def _no_belief(agent: ResolvedAgent, span: Span) -> InputError:
    text = span.text
    if any(plan.name == text for plan in agent.plans):
        hint: str | None = (
            f"Int({text}) means that the plan runs, {text} = 1 that it is at its first action"
        )
    elif spelt := condition_in_words(
        _CONNECTIVE.sub(lambda mark: f" {_WORDS[mark[1]]} ", text), agent.beliefs
    ):
        hint = f"an atom contains one belief or a condition: Bel({spelt})"
    elif find_operator_mark(text) or "," in text:
        hint = "an atom contains one belief, by sentence or name, and nothing else"
    else:
        hint = did_you_mean(text, [*agent.beliefs.values(), *agent.beliefs])
    return _refusal(f"unknown belief '{text}' of agent '{agent.name}'", span, hint)


def _plan(agent: ResolvedAgent, span: Span) -> Plan:
    """``plan_2``, ``Plan 2`` or ``2``."""
    plans = {plan.name: plan for plan in agent.plans}
    name = name_of(span.text)
    name = f"plan_{name}" if name.isdecimal() else name
    if name not in plans:
        hint = did_you_mean(name, plans) or f"its plans are {', '.join(plans)}"
        raise _refusal(f"unknown plan '{span.text}' of agent '{agent.name}'", span, hint)
    return plans[name]


def _action(agent: ResolvedAgent, span: Span) -> str:
    """An action of some plan: its sentence, as it stands there or in the action file; ``+^[b]`` and
    ``-^[b]`` for internal ones."""
    known = dict.fromkeys(
        each for plan in agent.plans for step in plan.steps for each in (step.sentence, step.action)
    )
    internal = re.fullmatch(r"([-+])\s*\^?\s*\[?([^\[\]]*)\]?", span.text)
    written = span.text.removeprefix("[").removesuffix("]")
    name = _name(_INNER_BELIEF.sub(r"\1", written), known)
    if internal and name not in known:
        name = internal[1] + name_of(internal[2])
    if name not in known:
        hint = did_you_mean(name, known) or did_you_mean(span.text, known)
        raise _refusal(f"no plan of '{agent.name}' executes '{span.text}'", span, hint)
    return name


def _span_of(text: str) -> Span:
    return Source("<formula>", text).span(0, len(text))


def _refusal(message: str, span: Span | None, hint: str | None) -> InputError:
    return InputError([Diagnostic("LIS080", message, span, hint)])

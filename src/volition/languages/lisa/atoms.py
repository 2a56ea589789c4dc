"""The atoms and names that a formula about a LISA program can contain (Izzo, Sect. 4.4 and 6.4).

- Variables of the model are numbers: ``plan_2 = 1``, ``mission_complete = 1``.
- Sentences and names of beliefs are true while the belief is held: ``Bel("Mission complete")``,
  ``Bel(mission_complete)``, ``mission_complete``.
- ``Int(plan_2)`` is true while the plan runs.
- ``Des(plan_2)`` is true if the plan's triggering condition is satisfied (Def. 2.2).
- ``Does("Activate park mode")`` is true if a plan executed the action in the last step.

In a program with several agents, an atom names its agent, ``Bel(drone, "Mine found")``, and the
names of variables and beliefs have the agent's prefix: ``drone_plan_2 = 1``, ``drone_mine_found``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

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
"""Variables of a model by their full names: for each one, the agent that owns it and its name
without the agent's prefix."""


@dataclass(frozen=True, slots=True)
class VariableAtom:
    """Variable of the model that a formula compares with a number. Its value is:

    - for a plan, the index of its current action, or 0 if the plan does not run;
    - for a belief, 1 if it is held, otherwise 0;
    - for a feedback of an action that has not come yet, a countdown above 1.
    """

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
    """Atom ``Does(action)``: a plan started to execute the action in the last half-step. (A
    reasoning cycle has two half-steps: the beliefs change, then the plans move.)"""

    action: str


ParsedAtom = VariableAtom | BelAtom | DesAtom | IntAtom | DoesAtom

_WORDS = {"&": "and", "&&": "and", "∧": "and", "|": "or", "||": "or", "∨": "or"}
_CONNECTIVE = re.compile(r"(?<!\s)\s*+(&&?|\|\|?|[∧∨])\s*")
_INNER_BELIEF = re.compile(r"\^\s*\[([^\[\]]*)\]")
_MODALITIES = ("Bel", "Des", "Int", "Does")


def parse_atom(
    agents: Sequence[ResolvedAgent], atom: AtomicFormula, *, variables: Variables | None = None
) -> tuple[ResolvedAgent, ParsedAtom]:
    """Return the agent that an atom of a formula is about, and the parsed atom.

    ``variables`` are those of the program's model. If they are omitted, a variable in the atom is
    an error. Raise :class:`InputError` if the agent has no such belief, plan, action or variable.
    """
    match atom:
        case Identifier(name):
            agent, own_name = _variable(name, atom.span, variables or {})
            return agent, VariableAtom(own_name)
        case Proposition(name):
            span = atom.span if atom.span and atom.span.text == name else _span_of(name)
            if len(agents) == 1:
                return agents[0], BelAtom(_belief(agents[0], span))
            return _prefixed_belief(agents, name, span)
        case Atom():
            pass
        case _:
            assert_never(atom)
    if atom.modality not in _MODALITIES:
        raise _atom_error(
            "LIS084",
            f"{atom.modality}(...) is not supported for LISA",
            atom.span,
            f"expected one of {', '.join(_MODALITIES)}",
        )
    agent = agents[0] if len(agents) == 1 else _agent(agents, atom)
    span = _subject_span(atom, agent)
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
        raise _atom_error(
            "LIS080", f"unknown variable '{name}'", span, did_you_mean(name, variables)
        )
    return variables[name]


def _prefixed_belief(
    agents: Sequence[ResolvedAgent], name: str, span: Span
) -> tuple[ResolvedAgent, ParsedAtom]:
    """Return the agent and the belief that a name with an agent's prefix refers to, in a system of
    several agents. Raise :class:`InputError` if there is none."""
    known = {
        agent.prefix + belief: (agent, text)
        for agent in agents
        for belief, text in agent.beliefs.items()
    }
    if name in known:
        agent, text = known[name]
        return agent, BelAtom(BeliefAtom(Sentence(text, span)))
    owner = next((agent for agent in agents if name_of(name) in agent.beliefs), None)
    hint = (
        f"name the agent: Bel({owner.name}, {name_of(name)})"
        if owner
        else did_you_mean(name, known)
    )
    raise _atom_error("LIS080", f"unknown belief '{name}'", span, hint)


def _agent(agents: Sequence[ResolvedAgent], atom: Atom) -> ResolvedAgent:
    """Return the agent that an atom names as its first argument. In a program with several agents,
    every atom must name its agent."""
    names = {agent.name: agent for agent in agents}
    first = atom.arguments[0] if atom.arguments else None
    if first is not None and first.text in names and len(atom.arguments) > 1:
        return names[first.text]
    if first is not None and len(atom.arguments) > 1:
        raise _atom_error(
            "LIS080",
            f"unknown agent '{first.text}'",
            first.span,
            did_you_mean(first.text, names) or f"the agents are {', '.join(names)}",
        )
    hint = f"write {atom.modality}({agents[0].name}, ...); the agents are {', '.join(names)}"
    raise _atom_error("LIS085", f"{atom.modality}(...) does not name an agent", atom.span, hint)


def _subject_span(atom: Atom, agent: ResolvedAgent) -> Span:
    """Return the span of the sentence, condition or name that an atom such as ``Bel(drone, "Mine
    found")`` is about, without the agent and without quotation marks."""
    arguments = arguments_without_agent(atom, agent.name)
    span = argument_span(atom, agent.name)
    if len(arguments) == 1 and isinstance(arguments[0], QuotedTerm):
        return span.source.span(span.start + 1, span.end - 1)
    return span


def _condition(agent: ResolvedAgent, span: Span) -> Condition:
    """Return the condition in a ``Bel`` atom: a condition such as ``^[Drive mode] and ~^[Park
    mode]``, or a single belief, given by its sentence or its name."""
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
    """Return the name that a text refers to. If the text is one of the ``known`` names, this is the
    text itself. Otherwise the text is a sentence, and its name is returned (see :mod:`.names`)."""
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
    return _atom_error("LIS080", f"unknown belief '{text}' of agent '{agent.name}'", span, hint)


def _plan(agent: ResolvedAgent, span: Span) -> Plan:
    """Return the plan that a text such as ``plan_2``, ``Plan 2`` or ``2`` refers to."""
    plans = {plan.name: plan for plan in agent.plans}
    name = name_of(span.text)
    name = f"plan_{name}" if name.isdecimal() else name
    if name not in plans:
        hint = did_you_mean(name, plans) or f"its plans are {', '.join(plans)}"
        raise _atom_error(
            "LIS080", f"unknown plan '{span.text}' of agent '{agent.name}'", span, hint
        )
    return plans[name]


def _action(agent: ResolvedAgent, span: Span) -> str:
    """Return the name of the action that a ``Does`` atom refers to. Some plan of the agent must
    contain the action.

    An external action is given by its sentence in the plan or in the action file, an internal
    action as ``+^[b]`` or ``-^[b]``.
    """
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
        raise _atom_error("LIS080", f"no plan of '{agent.name}' executes '{span.text}'", span, hint)
    return name


def _span_of(text: str) -> Span:
    return Source("<formula>", text).span(0, len(text))


def _atom_error(code: str, message: str, span: Span | None, hint: str | None) -> InputError:
    return InputError([Diagnostic(code, message, span, hint)])

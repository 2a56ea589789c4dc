"""What a formula can ask of a state, read from its atoms and names (Izzo, Sect. 4.4 and 6.4).

Variables of the model stand for numbers: ``plan_2 = 1``, ``mission_complete = 1``.  Sentences and names of beliefs stand for
being held: ``Bel("Mission complete")``, ``Bel(mission_complete)``, ``mission_complete``.  ``Int(plan_2)`` says that the plan runs,
``Des(plan_2)`` that its triggering condition is satisfied (Def. 2.2), ``Does("Activate park mode")`` that the last step made a
plan execute the action.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.kit.atoms import asked_of, own_words
from volition.languages.lisa.agent import Agent, Plan
from volition.languages.lisa.beliefs import condition_spelt
from volition.languages.lisa.grammar import StatementReader
from volition.languages.lisa.names import mark_in, name_of
from volition.languages.lisa.syntax import Belief, Condition, Sentence, beliefs_in
from volition.logic.syntax import Atom, Identifier, Leaf, Proposition
from volition.logic.terms import Quotation

__all__ = ["Believed", "Desired", "Executed", "Intended", "Question", "Variable", "read_question"]


@dataclass(frozen=True, slots=True)
class Variable:
    """The value of a variable: of a plan its index, of a belief 1 or 0, of a feedback that is awaited a countdown above 1."""

    name: str


@dataclass(frozen=True, slots=True)
class Believed:
    condition: Condition


@dataclass(frozen=True, slots=True)
class Desired:
    plan: Plan


@dataclass(frozen=True, slots=True)
class Intended:
    plan: Plan


@dataclass(frozen=True, slots=True)
class Executed:
    """The last half-step made a plan stand on the action."""

    action: str


Question = Variable | Believed | Desired | Intended | Executed

_WORDS = {"&": "and", "&&": "and", "∧": "and", "|": "or", "||": "or", "∨": "or"}
_CONNECTIVE = re.compile(r"\s*(&&?|\|\|?|[∧∨])\s*")
_MODALITIES = ("Bel", "Des", "Int", "Does")


def read_question(agent: Agent, leaf: Leaf, *, variables: Collection[str] = ()) -> Question:
    """What a leaf of a formula asks; raises :class:`InputError` where the agent knows no such thing."""
    match leaf:
        case Identifier(name):
            if name not in variables:
                raise _refusal(f"unknown variable '{name}'", leaf.span, did_you_mean(name, variables))
            return Variable(name)
        case Proposition(name):
            return Believed(_belief(agent, leaf.span if leaf.span and leaf.span.text == name else _span_of(name)))
    place = _asked(leaf, agent)
    match leaf.modality:
        case "Bel":
            return Believed(_condition(agent, place))
        case "Des":
            return Desired(_plan(agent, place))
        case "Int":
            return Intended(_plan(agent, place))
        case "Does":
            return Executed(_action(agent, place))
    raise _refusal(f"{leaf.modality}(...) is not supported for LISA", leaf.span, f"expected one of {', '.join(_MODALITIES)}")


def _asked(atom: Atom, agent: Agent) -> Span:
    """Where the sentence, condition or name stands that an atom is about; quotation marks may stand around it."""
    arguments = asked_of(atom, agent.name)
    place = own_words(atom, agent.name)
    if len(arguments) == 1 and isinstance(arguments[0], Quotation):
        return place.source.span(place.start + 1, place.end - 1)
    return place


def _condition(agent: Agent, place: Span) -> Condition:
    """A condition such as ``^[Drive mode] and ~^[Park mode]``, or just a sentence or name of a belief."""
    if "^" not in place.text:
        return _belief(agent, place)
    found = Diagnostics()
    condition = StatementReader(place.source, found).condition(place.start, place.end)
    found.raise_errors()
    assert condition is not None
    for sentence in beliefs_in(condition):
        if sentence.name not in agent.beliefs:
            raise _no_belief(agent, sentence.span)
    return condition


def _belief(agent: Agent, place: Span) -> Condition:
    name = _name(place.text, agent.beliefs)
    if name not in agent.beliefs:
        raise _no_belief(agent, place)
    return Belief(Sentence(agent.beliefs[name], place))


def _name(text: str, known: Collection[str]) -> str:
    """The name that a text is, or else that of the sentence that it is."""
    return text if text in known else name_of(text)


def _no_belief(agent: Agent, place: Span) -> InputError:
    text = place.text
    if any(plan.name == text for plan in agent.plans):
        hint: str | None = f"Int({text}) means that the plan runs, {text} = 1 that it is at its first action"
    elif spelt := condition_spelt(_CONNECTIVE.sub(lambda mark: f" {_WORDS[mark[1]]} ", text), agent.beliefs):
        hint = f"an atom contains one belief or a condition: Bel({spelt})"
    elif mark_in(text) or "," in text:
        hint = "an atom contains one belief, by sentence or name, and nothing else"
    else:
        hint = did_you_mean(text, [*agent.beliefs.values(), *agent.beliefs])
    return _refusal(f"unknown belief '{text}' of agent '{agent.name}'", place, hint)


def _plan(agent: Agent, place: Span) -> Plan:
    """``plan_2``, ``Plan 2`` or ``2``."""
    plans = {plan.name: plan for plan in agent.plans}
    name = name_of(place.text)
    name = f"plan_{name}" if name.isdecimal() else name
    if name not in plans:
        hint = did_you_mean(name, plans) or f"its plans are {', '.join(plans)}"
        raise _refusal(f"unknown plan '{place.text}' of agent '{agent.name}'", place, hint)
    return plans[name]


def _action(agent: Agent, place: Span) -> str:
    """An action of some plan: its sentence, as it stands there or in the action file; ``+^[b]`` and ``-^[b]`` for internal ones."""
    known = dict.fromkeys(each for plan in agent.plans for step in plan.steps for each in (step.sentence, step.action))
    internal = re.fullmatch(r"([-+])\s*\^?\s*\[?([^\[\]]*)\]?", place.text)
    written = place.text.removeprefix("[").removesuffix("]")
    name = _name(written, known)
    if internal and name not in known:
        name = internal[1] + name_of(internal[2])
    if name not in known:
        hint = did_you_mean(name, known) or did_you_mean(place.text, known)
        raise _refusal(f"no plan of '{agent.name}' executes '{place.text}'", place, hint)
    return name


def _span_of(text: str) -> Span:
    return Source("<formula>", text).span(0, len(text))


def _refusal(message: str, span: Span | None, hint: str | None) -> InputError:
    return InputError([Diagnostic("LIS080", message, span, hint)])

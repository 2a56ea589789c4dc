"""Conversion of terms, guards, rules and plans to text that can be parsed again, in the notation of
``.gwen`` files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    BeliefGuard,
    ComparisonGuard,
    Cut,
    Deed,
    Derivable,
    DropGoal,
    Goal,
    GoalGuard,
    Guard,
    Lock,
    Negated,
    Plan,
    ReasoningRule,
    RemoveBelief,
    RuleLiteral,
    Send,
    SentGuard,
    Trigger,
    Unlock,
    WaitFor,
)
from volition.languages.world.terms import Structure, Term, Text, list_items, show

__all__ = ["text_of_deed", "text_of_guard", "text_of_plan", "text_of_rule", "text_of_term"]

_ARITHMETIC = ("+", "-", "*", "/", "%")


def text_of_term(term: Term) -> str:
    """Return the text of a term: arithmetic as ``(C + X)``, a string that contains ``"`` in single
    quotation marks."""
    if isinstance(term, Text) and '"' in term.value:
        return f"'{term.value}'"
    if not isinstance(term, Structure) or not term.arguments:
        return show(term)
    if term.functor in _ARITHMETIC and len(term.arguments) == 2:
        left, right = map(text_of_term, term.arguments)
        return f"({left} {term.functor} {right})"
    items = list_items(term)
    if items is not None:
        return f"[{', '.join(map(text_of_term, items))}]"
    if term.functor == "[|]":
        head, tail = map(text_of_term, term.arguments)
        return f"[{head} | {tail}]"
    return f"{term.functor}({', '.join(map(text_of_term, term.arguments))})"


def text_of_guard(guard: Sequence[Guard]) -> str:
    """Return the text of a guard, such as ``B p, ~B q``; ``True`` for an empty guard."""
    return (
        ", ".join(f"{'' if each.positive else '~'}{_atom(each.atom)}" for each in guard) or "True"
    )


def _atom(atom: BeliefGuard | GoalGuard | SentGuard | ComparisonGuard) -> str:
    match atom:
        case BeliefGuard():
            return f"B {text_of_term(atom.atom)}"
        case GoalGuard():
            return f"G {_goal(atom.goal)}"
        case SentGuard():
            sender = "" if atom.sender is None else f"{text_of_term(atom.sender)}, "
            return (
                f".sent({text_of_term(atom.recipient)}, {sender}:{atom.performative}, "
                f"{text_of_term(atom.content)})"
            )
        case ComparisonGuard():
            return _comparison(atom)
        case _:
            assert_never(atom)


def text_of_rule(rule: ReasoningRule) -> str:
    """Return the text of a reasoning rule: ``head :- body``, or ``head`` if the body is empty."""
    return (
        f"{text_of_term(rule.head)} :- {_conjunction(rule.body)}"
        if rule.body
        else text_of_term(rule.head)
    )


def _conjunction(body: Sequence[RuleLiteral]) -> str:
    return ", ".join(map(_literal, body))


def _literal(literal: RuleLiteral) -> str:
    match literal:
        case Derivable():
            return text_of_term(literal.atom)
        case Cut():
            return "!"
        case ComparisonGuard():
            return f"[{_comparison(literal)}]"
        case Negated():
            pass
        case _:
            assert_never(literal)
    inner = _conjunction(literal.body)
    return (
        f"~{inner}"
        if len(literal.body) == 1 and isinstance(literal.body[0], Derivable)
        else f"~({inner})"
    )


def _comparison(comparison: ComparisonGuard) -> str:
    return f"{text_of_term(comparison.left)} {comparison.relation} {text_of_term(comparison.right)}"


def _goal(goal: Goal) -> str:
    return f"{text_of_term(goal.atom)} [{goal.type}]"


def text_of_deed(deed: Deed) -> str:
    """Return the text of a deed, such as ``+b``, ``+!g [perform]`` or ``.send(ag, :tell, c)``."""
    match deed:
        case AddBelief(atom):
            return f"+{text_of_term(atom)}"
        case RemoveBelief(atom):
            return f"-{text_of_term(atom)}"
        case AddGoal(goal):
            return f"+!{_goal(goal)}"
        case DropGoal(goal):
            return f"-!{_goal(goal)}"
        case WaitFor(atom, positive):
            return f"*{'' if positive else '~'}{text_of_term(atom)}"
        case Send(recipient, performative, content):
            return f".send({text_of_term(recipient)}, :{performative}, {text_of_term(content)})"
        case Act(action):
            return text_of_term(action)
        case Lock() | Unlock():
            return str(deed)
        case _:
            assert_never(deed)


def _trigger(trigger: Trigger) -> str:
    content = text_of_term(trigger.content)
    match trigger.kind:
        case "belief":
            return f"{trigger.sign}{content}"
        case "goal":
            return f"{trigger.sign}!{content} [{trigger.type}]"
        case "received":
            pass
        case _:
            assert_never(trigger.kind)
    return f"+.received(:{trigger.performative}, {content})"


def text_of_plan(plan: Plan) -> str:
    """Return the text of a plan: ``trigger : {guard} <- deed, deed;``."""
    body = ", ".join(map(text_of_deed, plan.body))
    return (
        f"{_trigger(plan.trigger)} : {{{text_of_guard(plan.guard)}}}{' <- ' if body else ''}{body};"
    )

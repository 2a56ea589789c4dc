"""Guards and rules as text, as the public programs write them."""

from __future__ import annotations

from collections.abc import Sequence

from volition.languages.gwendolen.syntax import Believed, Compared, Cut, Derivable, Guard, Pursued, ReasoningRule, RuleLiteral, Sent
from volition.languages.world.terms import show

__all__ = ["text_of_guard", "text_of_rule"]


def text_of_guard(guard: Sequence[Guard]) -> str:
    """``B p, ~B q``; ``True`` where there is nothing to ask."""
    return ", ".join(f"{'' if each.positive else '~'}{_atom(each.atom)}" for each in guard) or "True"


def _atom(atom: Believed | Pursued | Sent | Compared) -> str:
    match atom:
        case Believed():
            return f"B {show(atom.atom)}"
        case Pursued():
            return f"G {atom.goal}"
        case Sent():
            sender = "" if atom.sender is None else f"{show(atom.sender)}, "
            return f".sent({show(atom.recipient)}, {sender}:{atom.performative}, {show(atom.content)})"
        case Compared():
            return _comparison(atom)


def text_of_rule(rule: ReasoningRule) -> str:
    """``head :- body``, or the head alone."""
    return f"{rule.head} :- {_conjunction(rule.body)}" if rule.body else str(rule.head)


def _conjunction(body: Sequence[RuleLiteral]) -> str:
    return ", ".join(map(_literal, body))


def _literal(literal: RuleLiteral) -> str:
    match literal:
        case Derivable():
            return show(literal.atom)
        case Cut():
            return "!"
        case Compared():
            return f"[{_comparison(literal)}]"
    inner = _conjunction(literal.body)
    return f"~{inner}" if len(literal.body) == 1 and isinstance(literal.body[0], Derivable) else f"~({inner})"


def _comparison(comparison: Compared) -> str:
    return f"{show(comparison.left)} {comparison.relation} {show(comparison.right)}"

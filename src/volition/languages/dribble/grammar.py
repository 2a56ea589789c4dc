"""Lark grammar of the statements of a Dribble program, and of the atoms of formulas.

:mod:`.file_layout` splits the text into sections and statements by lines and indentation.
"""

from __future__ import annotations

from lark import Token, Tree

from volition.diagnostics import Diagnostic, InputError, Span
from volition.parsing import Parser

__all__ = ["DEEPEST", "EMPTY", "PLAN_VARIABLES", "RESERVED", "parse"]

DEEPEST = 200
"""Maximum nesting depth of negations, parentheses and conditionals in a statement."""

EMPTY = "empty"
"""Name of the empty plan in programs and formulas."""

PLAN_VARIABLES = frozenset(["pi", "π"])
"""Names of the plan variable, which stands for the rest of a plan at the end of both sides of a
revision rule."""

RESERVED = PLAN_VARIABLES | {EMPTY}
"""Names that atoms, actions and abstract plans must not have."""

_GRAMMAR = r"""
formulas: expression ("," expression)* ","?
names: NAME ("," NAME)* ","?
number: INTEGER
action: NAME [":" [expression]] ["=>" effects]
effects: effect ("," effect)* ","?
effect: literal (_AND literal)* ["if" expression]
goal_rule: [NAME "="] expression _ARROW plan
revision_rule: [NAME "="] plan "|" expression _ARROW plan

plan: step (";" step)* [";" open_conditional] | open_conditional
?step: NAME | "{" plan "}" | conditional
conditional: "if" expression "then" plan "else" "{" plan "}"
open_conditional: "if" expression "then" plan "else" open_branch -> conditional
open_branch: (NAME | conditional) (";" step)* [";" open_conditional] | open_conditional

?expression: conjunction (_OR conjunction)+ -> disjunction
           | conjunction
?conjunction: unary (_AND unary)+ -> conjunction
            | unary
?unary: _NOT unary -> negation
      | _BELIEVES unary -> believes
      | _DESIRES unary -> desires
      | TRUE -> true
      | FALSE -> false
      | NAME -> atom
      | "(" expression ")"
literal: _NOT NAME -> negative
       | NAME -> positive

_OR.2: /\|\|?|∨|or\b/
_AND.2: /&&?|∧|and\b/
_NOT.2: /~|!|¬|not\b/
_BELIEVES.2: /(Bel|B)\b/
_DESIRES.2: /(Goal|G)\b/
TRUE.2: /(true\b|⊤)/
FALSE.2: /(false\b|⊥)/
_ARROW.2: "->" | "→"
NAME: /[^\W\d]\w*'*/
INTEGER: /\d{1,9}(?!\d)/
%ignore /\s+/
%ignore /\/\/[^\n]*/
"""

_PARSER = Parser(
    _GRAMMAR,
    code="DRB001",
    start=[
        "formulas",
        "names",
        "number",
        "action",
        "goal_rule",
        "revision_rule",
        "expression",
        "plan",
    ],
    names={
        "NAME": "a name",
        "INTEGER": "a number",
        "_OR": "'|'",
        "_AND": "'&'",
        "_NOT": "'~'",
        "_ARROW": "'->'",
        "_BELIEVES": "'B'",
        "_DESIRES": "'G'",
        "TRUE": "'true'",
        "FALSE": "'false'",
    },
)


def parse(span: Span, rule: str) -> Tree[Token]:
    """Return the parse tree of the text at a position, parsed with the grammar rule ``rule``.

    Raise :class:`InputError` for syntax errors and for too deep nesting.
    """
    tree = _PARSER.parse(span.source, rule, start=span.start, end=span.end)
    level: list[Tree[Token]] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    if level:
        raise InputError(
            [Diagnostic("DRB006", f"this is nested more than {DEEPEST} levels deep", span)]
        )
    return tree

"""Parser for world files. ``docs/reference/world.md`` describes the language.

Each statement starts on its own line with one of the keywords in :data:`STATEMENTS` and is parsed
separately, so that an error in one does not hide errors in the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, cast

from lark import Token, Tree

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, did_you_mean
from volition.languages.world.syntax import (
    ALL_AGENTS,
    ActionRule,
    Add,
    And,
    Assign,
    BooleanLiteral,
    Compare,
    Condition,
    Domain,
    Effect,
    Effects,
    FactCondition,
    Fail,
    If,
    Label,
    NondeterministicChoice,
    Not,
    Or,
    OutputAssignment,
    Parameter,
    Predicate,
    ProbabilisticChoice,
    Quantified,
    RangeDomain,
    Relation,
    Remove,
    SetDomain,
    StepRule,
    VariableDeclaration,
    WorldTree,
)  # fmt: skip
from volition.languages.world.term_grammar import TERM_NAMES, TermReader, is_nested_too_deeply
from volition.languages.world.terms import FALSE, TRUE, Structure, Term, Variable, negation
from volition.parsing import Parser

__all__ = ["STATEMENTS", "read_world", "without_comments"]

STATEMENTS = ("parameter", "variable", "percept", "free", "fact", "action", "step", "label")

_EFFECTS = ("add", "remove", "nothing", "fail", "if", "either", "chance")

_GRAMMAR = r"""
?statement: parameter | variable_declaration | percept | free_percept | fact | action | step | label

parameter: "parameter" NAME "=" expression
variable_declaration: "variable" NAME "=" expression
percept: "percept" _literal [seers] [initially]
free_percept: "free" "percept" _literal ["for" range ("," range)*] [seers]
fact: "fact" atom [initially]
seers: "seen" "by" (NAME | VARIABLE) ("," NAME)*
initially: "initially" _literal ("," _literal)*
range: VARIABLE "in" _domain
action: "action" atom ["by" VARIABLE] (otherwise | [guard]) "do" effects
otherwise: "otherwise"
step: "step" NAME [guard] "do" effects
guard: "when" condition
label: "label" NAME "=" condition

effects: _effect (";" _effect)* [";"]
_effect: assign | answer | add | remove | nothing | fail | if_ | either | chance
assign: NAME ":=" expression
answer: VARIABLE ":=" expression
add: "add" _literal
remove: "remove" _literal
nothing: "nothing"
fail: "fail"
if_: "if" condition _block ["else" (_block | else_if)]
else_if: if_
either: "either" _block ("or" _block)+
chance: "chance" branch ("or" branch)+
branch: expression _block
_block: "{" effects "}"

?condition: conjunction | condition "or" conjunction -> or_condition
?conjunction: negation | conjunction "and" negation -> and_condition
?negation: quantified | comparison | "not" negation -> not_condition
quantified: (EVERY | SOME) VARIABLE "in" _domain ":" negation
?comparison: expression RELATION expression -> compare | expression -> holds | "(" condition ")"
_domain: set | interval
set: "{" expression ("," expression)* "}" | AGENTS
interval: expression ".." expression

?expression: product | expression SUM product -> arithmetic
?product: operand | product (FACTOR | MOD) operand -> arithmetic
?operand: _literal | variable | number | text | negative | list | "(" expression ")"
negative: "-" operand
_literal: atom | negated
negated: "~" atom
atom: NAME ["(" expression ("," expression)* ")"]
variable: VARIABLE
number: NUMBER
text: TEXT
list: "[" [ expression ("," expression)* [ "|" expression ] ] "]"

EVERY: "every"
SOME: "some"
RELATION: "=" | "!=" | "<=" | ">=" | "<" | ">"
SUM: "+" | "-"
FACTOR: "*" | "/"
MOD: "mod"
AGENTS: "agents"
NAME: /[a-z]\w*/
VARIABLE: /[A-Z_]\w*/
NUMBER: /\d+(\.\d+)?/
TEXT: /"[^"\n]*"/

%ignore /\s+/
%ignore /\/\/[^\n]*/
%ignore /\/\*(.|\n)*?\*\//
"""


@cache
def _parser() -> Parser:
    names = {**TERM_NAMES, "RELATION": "a comparison", "SUM": "'+' or '-'", "FACTOR": "'*' or '/'"}
    return Parser(_GRAMMAR, code="WLD001", start="statement", names=names)


def read_world(source: Source, diagnostics: Diagnostics) -> WorldTree:
    """Return the syntax tree of a world file. Errors are added to ``diagnostics``; statements with
    syntax errors are left out."""
    statements: list[Any] = []
    for start, end in _statements(source, diagnostics):
        try:
            tree = _parser().parse(source, start=start, end=end)
        except InputError as error:
            diagnostics.extend(_add_hint(each, start) for each in error.diagnostics)
            continue
        if not is_nested_too_deeply(tree, source, diagnostics):
            statements.append(_WorldReader(source, diagnostics).statement(tree))

    def every(kind: Any) -> tuple[Any, ...]:
        return tuple(each for each in statements if isinstance(each, kind))

    return WorldTree(
        source,
        every(Parameter),
        every(VariableDeclaration),
        every(Predicate),
        every(ActionRule),
        every(StepRule),
        every(Label),
    )


def _add_hint(error: Diagnostic, start: int) -> Diagnostic:
    """Return a syntax error, with a hint if a keyword is probably misspelt.

    A statement begins with a keyword. If the error is at the start of its statement, which is at
    position ``start``, the hint suggests the most similar keyword. Any other error is returned
    unchanged.
    """
    if error.span is None or error.span.start != start:
        return error
    return replace(error, hint=did_you_mean(error.span.text, STATEMENTS) or error.hint)


def _statements(source: Source, diagnostics: Diagnostics) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each statement in a world file, and report text before the first
    one."""
    code = without_comments(source.text)
    words = re.finditer(r"^([ \t]*)([a-z]\w*)\b", code, re.MULTILINE)
    starts = [word.start(2) for word in words if word[2] in STATEMENTS or _is_misspelt(word)]
    before = code[: starts[0] if starts else len(code)]
    if before.strip():
        begin = len(before) - len(before.lstrip())
        hint = f"statements start with {', '.join(STATEMENTS[:-1])} or {STATEMENTS[-1]}"
        diagnostics.error(
            "WLD001",
            "text outside a statement",
            source.span(begin, len(before.rstrip())),
            hint=hint,
        )
    yield from pairwise([*starts, len(code)])


def _is_misspelt(word: re.Match[str]) -> bool:
    """Return whether the first word of a line is probably a misspelt keyword. An indented line is
    not checked, because it continues the statement above."""
    if word[1] or word[2] in _EFFECTS or did_you_mean(word[2], STATEMENTS) is None:
        return False
    return re.match(r" +[a-z]", word.string[word.end() :]) is not None


def without_comments(text: str) -> str:
    """Return the text of a world file with comments replaced by spaces, so that positions stay the
    same."""
    return re.sub(
        r"//[^\n]*|/\*(?:.|\n)*?\*/", lambda comment: re.sub(r"[^\n]", " ", comment.group()), text
    )


Node = Tree[Token]


class _WorldReader(TermReader):
    """Converter from parse trees to syntax nodes, with one method per grammar rule."""

    def statement(self, tree: Node) -> Any:
        return getattr(self, f"_{tree.data}")(tree)

    # --- conversion of declarations ---------------------------------------------------------------

    def _parameter(self, tree: Node) -> Parameter:
        name, value = tree.children
        return Parameter(str(name), self.term(cast(Node, value)), span=self.span(tree))

    def _variable_declaration(self, tree: Node) -> VariableDeclaration:
        name, value = tree.children
        return VariableDeclaration(str(name), self.term(cast(Node, value)), span=self.span(tree))

    def _percept(self, tree: Node) -> Predicate:
        atom, seers, initially = tree.children
        signature = self.structure(cast(Node, atom))
        return Predicate(
            signature,
            perceived=True,
            visible_to=self._seers(seers, signature),
            initially=self._initially(initially),
            span=self.span(tree),
        )

    def _free_percept(self, tree: Node) -> Predicate:
        atom, *ranges, seers = tree.children
        signature = self.structure(cast(Node, atom))
        domains = tuple(
            (str(each.children[0]), self._domain(each.children[1]))
            for each in cast("list[Node]", ranges)
            if each is not None
        )
        return Predicate(
            signature,
            perceived=True,
            visible_to=self._seers(seers, signature),
            free=True,
            domains=domains,
            span=self.span(tree),
        )

    def _fact(self, tree: Node) -> Predicate:
        atom, initially = tree.children
        return Predicate(
            self.structure(cast(Node, atom)),
            perceived=False,
            initially=self._initially(initially),
            span=self.span(tree),
        )

    def _initially(self, tree: Any) -> tuple[Structure, ...]:
        return () if tree is None else tuple(self.structure(each) for each in tree.children)

    def _seers(self, tree: Any, signature: Structure) -> str | tuple[str, ...] | int:
        if tree is None or str(tree.children[0]) == ALL_AGENTS:
            return ALL_AGENTS
        names = tuple(str(each) for each in tree.children)
        if names[0][0].islower():
            return names
        if Variable(names[0]) in signature.arguments:
            return signature.arguments.index(Variable(names[0]))
        self.diagnostics.error(
            "WLD010",
            f"the variable {names[0]} is not an argument of {signature}",
            self.span(tree),
        )
        return ALL_AGENTS

    def _action(self, tree: Node) -> ActionRule:
        atom, agent, guard, effects = tree.children
        otherwise = isinstance(guard, Tree) and guard.data == "otherwise"
        condition = (
            BooleanLiteral(True, span=self.span(tree)) if otherwise else self._guard(guard, tree)
        )
        return ActionRule(
            self.structure(cast(Node, atom)),
            None if agent is None else str(agent),
            condition,
            self._effects(effects),
            otherwise,
            span=self.span(tree),
        )

    def _step(self, tree: Node) -> StepRule:
        name, guard, effects = tree.children
        return StepRule(
            str(name), self._guard(guard, tree), self._effects(effects), span=self.span(tree)
        )

    def _label(self, tree: Node) -> Label:
        name, condition = tree.children
        return Label(str(name), self._condition(condition), span=self.span(tree))

    def _guard(self, guard: Any, rule: Node) -> Condition:
        return (
            BooleanLiteral(True, span=self.span(rule))
            if guard is None
            else self._condition(guard.children[0])
        )

    # --- conversion of conditions -----------------------------------------------------------------

    def _condition(self, tree: Any) -> Condition:
        return cast(Condition, getattr(self, f"_{tree.data}")(tree))

    def _or_condition(self, tree: Node) -> Or:
        left, right = tree.children
        return Or(self._condition(left), self._condition(right), span=self.span(tree))

    def _and_condition(self, tree: Node) -> And:
        left, right = tree.children
        return And(self._condition(left), self._condition(right), span=self.span(tree))

    def _not_condition(self, tree: Node) -> Not:
        return Not(self._condition(tree.children[0]), span=self.span(tree))

    def _quantified(self, tree: Node) -> Quantified:
        quantifier, variable, domain, operand = tree.children
        return Quantified(
            cast(Any, str(quantifier)),
            str(variable),
            self._domain(domain),
            self._condition(operand),
            span=self.span(tree),
        )

    def _compare(self, tree: Node) -> Compare:
        left, relation, right = tree.children
        return Compare(
            cast(Relation, str(relation)),
            self.term(cast(Node, left)),
            self.term(cast(Node, right)),
            span=self.span(tree),
        )

    def _holds(self, tree: Node) -> Condition:
        pattern = self.term(cast(Node, tree.children[0]))
        if pattern in (TRUE, FALSE):
            return BooleanLiteral(pattern == TRUE, span=self.span(tree))
        if isinstance(pattern, Structure):
            return FactCondition(pattern, span=self.span(tree))
        self.diagnostics.error(
            "WLD011",
            f"'{self.span(tree).text}' is not a condition",
            self.span(tree),
            hint="compare it: ... = 1",
        )
        return BooleanLiteral(False, span=self.span(tree))

    def _domain(self, tree: Any) -> Domain:
        if tree.data == "interval":
            first, last = tree.children
            return RangeDomain(self.term(first), self.term(last))
        if isinstance(tree.children[0], Token):
            return SetDomain(None)
        return SetDomain(tuple(self.term(each) for each in tree.children))

    # --- conversion of effects --------------------------------------------------------------------

    def _effects(self, tree: Any) -> Effects:
        return tuple(
            effect for each in tree.children if each is not None for effect in self._effect(each)
        )

    def _effect(self, tree: Node) -> tuple[Effect, ...]:
        span = self.span(tree)
        parts = cast("list[Any]", tree.children)
        match tree.data:
            case "assign":
                return (Assign(str(parts[0]), self.term(parts[1]), span=span),)
            case "answer":
                return (OutputAssignment(str(parts[0]), self.term(parts[1]), span=span),)
            case "add":
                return (Add(self.structure(parts[0]), span=span),)
            case "remove":
                return (Remove(self.structure(parts[0]), span=span),)
            case "fail":
                return (Fail(span=span),)
            case "if_":
                condition, then, otherwise = parts
                return (
                    If(
                        self._condition(condition),
                        self._effects(then),
                        () if otherwise is None else self._effects(otherwise),
                        span=span,
                    ),
                )
            case "either":
                return (
                    NondeterministicChoice(tuple(self._effects(each) for each in parts), span=span),
                )
            case "chance":
                branches = (cast("list[Any]", each.children) for each in parts)
                return (
                    ProbabilisticChoice(
                        tuple(
                            (self.term(weight), self._effects(effects))
                            for weight, effects in branches
                        ),
                        span=span,
                    ),
                )
            case _:
                pass
        return ()  # nothing

    # --- conversion of expressions ----------------------------------------------------------------

    def term(self, tree: Node) -> Term:
        parts = cast("list[Any]", tree.children)
        match tree.data:
            case "atom" | "negated":
                return self.structure(tree)
            case "arithmetic":
                left, operator, right = parts
                return Structure(str(operator), (self.term(left), self.term(right)))
            case "negative":
                operand = self.term(parts[0])
                return -operand if isinstance(operand, int) else Structure("-", (0, operand))
            case _:
                pass
        return super().term(tree)

    def structure(self, tree: Node) -> Structure:
        """Return the atom, or the strongly negated atom, in a parse tree."""
        return (
            negation(super().structure(cast(Node, tree.children[0])))
            if tree.data == "negated"
            else super().structure(tree)
        )

"""Grammar and reader of AgentSpeak(F) programs (``.asl``). Each statement is parsed separately, so
that all syntax errors are reported at once.

Constructs of other AgentSpeak dialects that AgentSpeak(F) does not have (strong negation,
annotations, rules, disjunction) are parsed and reported by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, cast

from lark import Token, Tree

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source
from volition.languages.agentspeak.internal_actions import internal_action
from volition.languages.agentspeak.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefCondition,
    Compare,
    Condition,
    Formula,
    NegatedBeliefCondition,
    Plan,
    Relation,
    RemoveBelief,
    Sign,
    Test,
    Trigger,
    TriggerKind,
    Unify,
)
from volition.languages.world.term_grammar import (
    TERM_GRAMMAR,
    TERM_NAMES,
    TermReader,
    is_nested_too_deeply,
)
from volition.languages.world.terms import Structure, Term
from volition.parsing import Parser

__all__ = ["read_agent"]

_GRAMMAR = (
    TERM_GRAMMAR
    + r"""
?statement: belief "." | goal "." | plan "." | rule "."
belief: literal
goal: "!" structure | "!!" structure
rule: literal ":-" context
plan: ["@" NAME [annotations]] trigger [":" context] ["<-" body]
trigger: SIGN [GOAL] literal

context: _condition ("&" _condition)*
_condition: true | believes | not_believes | comparison | internal | or_
or_: _simple ("|" _simple)+
_simple: believes | comparison | internal
true: "true"
believes: literal
not_believes: "not" literal | "not" "(" literal ")"
comparison: term RELATION term

body: _formula (";" _formula)*
_formula: true | act | achieve | test | add | remove | replace | comparison | internal
act: literal
achieve: "!" structure [annotations] | "!!" structure [annotations]
test: "?" structure [annotations]
add: "+" literal
remove: "-" literal
replace: "-+" literal
internal: INTERNAL [ "(" [term ("," term)*] ")" ]

literal: [STRONG] structure [annotations]
annotations: list

SIGN: "+" | "-"
GOAL: "!" | "?"
STRONG: "~"
RELATION: />=|<=|==|\\==|!=|<(?!-)|>|=/
INTERNAL: /\.[a-z]\w*/
"""
)

_RELATIONS: dict[str, Relation] = {
    "==": "=",
    "\\==": "!=",
    "!=": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
}
_GOALS: dict[str | None, TriggerKind] = {None: "belief", "!": "achieve", "?": "test"}
_DIALECT_HINTS = (
    (
        r"[+*/]|-(?!>)",
        "terms cannot contain arithmetic: write .plus(X,1,Y), .minus(X,1,Y) or .times(X,2,Y) "
        "before, and use Y",
    ),
    (r"\{", "if, for and while are not supported: write a goal with one plan for each case"),
    (r"(?<!\w)\(", "brackets around conditions are not supported: write one plan for each case"),
    (r"\|", "disjunction is not supported: write one plan for each case"),
)
"""Patterns of text that AgentSpeak(F) does not have but other AgentSpeak dialects do, each with a
hint."""
_PIECE = re.compile(r'//[^\n]*|/\*(?:.|\n)*?\*/|"[^"\n]*"|\.(?=\s|$|//|/\*)')


@cache
def _parser() -> Parser:
    names = {
        **TERM_NAMES,
        "INTERNAL": "an internal action",
        "RELATION": "a comparison",
        "SIGN": "'+' or '-'",
        "GOAL": "'!' or '?'",
    }
    return Parser(_GRAMMAR, code="ASP001", start="statement", names=names)


def read_agent(source: Source, diagnostics: Diagnostics) -> AgentProgram:
    """Return the program in an ``.asl`` file. Errors are added to ``diagnostics``; statements with
    errors are omitted."""
    reader = _AgentReader(source, diagnostics)
    for start, end in _statements(source):
        try:
            tree = _parser().parse(source, start=start, end=end)
            if not is_nested_too_deeply(tree, source, diagnostics):
                reader.statement(tree)
        except InputError as error:
            diagnostics.extend(map(_with_dialect_hint, error.diagnostics))
    return AgentProgram(source, tuple(reader.beliefs), tuple(reader.goals), tuple(reader.plans))


def _with_dialect_hint(error: Diagnostic) -> Diagnostic:
    """Return a syntax error with a hint about the construct of another AgentSpeak dialect that
    probably caused it.

    Errors at the start of a line keep their original hint, because they mean that the previous
    statement does not end.
    """
    span = error.span
    if span is None or not span.source.line(span.line)[: span.column - 1].strip():
        return error
    hint = next(
        (
            hint
            for pattern, hint in _DIALECT_HINTS
            if re.compile(pattern).match(span.source.text, span.start)
        ),
        error.hint,
    )
    return replace(error, hint=hint)


def _statements(source: Source) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each statement of an ``.asl`` file. A statement ends with a full
    stop before white space, outside strings and comments."""
    start = 0
    blank = True
    for piece in _PIECE.finditer(source.text):
        blank = blank and not source.text[start : piece.start()].strip()
        if piece.group() == ".":
            yield start, piece.end()
            start, blank = piece.end(), True
        elif blank and not piece.group().startswith('"'):
            start = piece.end()  # a comment before a statement is not part of it
    if source.text[start:].strip():
        yield start, len(source.text)


Node = Tree[Token]


class _AgentReader(TermReader):
    """Reader that collects the beliefs, goals and plans of a program, one statement at a time."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        super().__init__(source, diagnostics)
        self.beliefs: list[tuple[Structure, Any]] = []
        self.goals: list[tuple[Structure, Any]] = []
        self.plans: list[Plan] = []

    def statement(self, tree: Node) -> None:
        parts = cast("list[Any]", tree.children)
        match tree.data:
            case "belief":
                self.beliefs.append((self._literal(parts[0]), self.span(tree)))
            case "goal":
                self._report_new_focus(tree)
                self.goals.append((self.structure(parts[0]), self.span(tree)))
            case "plan":
                self.plans.append(self._plan(tree, *parts))
            case "rule":
                self._report_unsupported(
                    "rules (':-')", tree, "add and remove the derived belief in plans instead"
                )
            case _:
                pass

    def _report_unsupported(self, what: str, tree: Node, hint: str) -> None:
        self.diagnostics.error(
            "ASP002", f"AgentSpeak(F) does not support {what}", self.span(tree), hint=hint
        )

    def _report_annotations(self, tree: Any) -> None:
        if tree is not None:
            self._report_unsupported(
                "annotations ('[...]')", tree, "use an argument of the atom instead"
            )

    def _report_new_focus(self, tree: Node) -> None:
        if self.span(tree).text.startswith("!!"):
            self._report_unsupported(
                "goals in a new focus ('!!')",
                tree,
                "write !goal, or let a belief addition trigger the other plan",
            )

    def _plan(
        self, tree: Node, label: Any, annotations: Any, trigger: Any, context: Any, body: Any
    ) -> Plan:
        self._report_annotations(annotations)
        name = str(label) if label is not None else f"p{len(self.plans) + 1}"
        conditions = (
            [self._condition(each) for each in context.children] if context is not None else []
        )
        formulas = [self._formula(each) for each in body.children] if body is not None else []
        if body is None:
            intended = (
                "an initial goal is written !goal"
                if trigger.children[1] is not None
                else "an initial belief is written without + or -"
            )
            hint = f"{intended}; write <- true if the plan is meant to do nothing"
            self.diagnostics.warning(
                "ASP009", "this plan has no body and does nothing", self.span(tree), hint=hint
            )
        return Plan(
            name,
            self._trigger(trigger),
            tuple(each for each in conditions if each is not None),
            tuple(each for each in formulas if each is not None),
            span=self.span(tree),
        )

    def _trigger(self, tree: Any) -> Trigger:
        sign, goal, literal = tree.children
        kind = _GOALS[None if goal is None else str(goal)]
        return Trigger(cast(Sign, str(sign)), kind, self._literal(literal), span=self.span(tree))

    def _literal(self, tree: Any) -> Structure:
        strong, atom, annotations = tree.children
        if strong is not None:
            self._report_unsupported(
                "strong negation ('~')",
                tree,
                f"use a separate belief, such as not_{atom.children[0]}",
            )
        self._report_annotations(annotations)
        return self.structure(atom)

    def _condition(self, tree: Any) -> Condition | None:
        parts = tree.children
        match tree.data:
            case "believes":
                return BeliefCondition(self._literal(parts[0]), span=self.span(tree))
            case "not_believes":
                return NegatedBeliefCondition(self._literal(parts[0]), span=self.span(tree))
            case "comparison":
                return self._comparison(tree)
            case "internal":
                return cast("Condition | None", self._internal(tree, in_context=True))
            case "or_":
                self._report_unsupported(
                    "disjunction ('|') in contexts", tree, "write one plan for each case"
                )
            case _:
                pass
        return None  # true

    def _formula(self, tree: Any) -> Formula | None:
        parts, span = tree.children, self.span(tree)
        match tree.data:
            case "act":
                return Act(self._literal(parts[0]), span=span)
            case "achieve":
                self._report_new_focus(tree)
                self._report_annotations(parts[1])
                return Achieve(self.structure(parts[0]), span=span)
            case "test":
                self._report_annotations(parts[1])
                return Test(self.structure(parts[0]), span=span)
            case "add":
                return AddBelief(self._literal(parts[0]), span=span)
            case "remove":
                return RemoveBelief(self._literal(parts[0]), span=span)
            case "replace":
                self._report_unsupported("belief replacement ('-+')", tree, "write -old; +new")
            case "comparison":
                return self._comparison(tree)
            case "internal":
                return cast("Formula | None", self._internal(tree, in_context=False))
            case _:
                pass
        return None  # true

    def _comparison(self, tree: Any) -> Compare | Unify:
        left, relation, right = tree.children
        if relation == "=":
            return Unify(self.term(left), self.term(right), span=self.span(tree))
        return Compare(
            _RELATIONS[str(relation)], self.term(left), self.term(right), span=self.span(tree)
        )

    def _internal(self, tree: Any, *, in_context: bool) -> Formula | Condition | None:
        name, *arguments = tree.children
        terms: list[Term] = [self.term(each) for each in arguments if each is not None]
        return internal_action(
            str(name), terms, self.span(tree), self.diagnostics, in_context=in_context
        )

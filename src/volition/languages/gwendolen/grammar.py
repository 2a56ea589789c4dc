"""Parser for Gwendolen and EASS programs (``.gwen``, ``.eass``). It parses statement by statement,
so that all syntax errors are reported at once.

It accepts the notation of the public programs and that of the paper (Winikoff et al., Fig. 2:
``←``, ``∧``, ``¬``). Constructs of related languages that Gwendolen lacks (test goals, disjunction,
other comparisons) are errors with a hint at what to write instead.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any, cast

from lark import Token, Tree

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.gwendolen.file_layout import (
    BELIEFS,
    CAPABILITIES,
    GOALS,
    PLANS,
    RULES,
    AgentBlock,
    blocks_in,
    line_entries,
    statements,
)
from volition.languages.gwendolen.stratification import check_stratification
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    AgentProgram,
    Atom,
    BeliefGuard,
    Capability,
    ComparisonGuard,
    Cut,
    Cycle,
    Deed,
    Derivable,
    DropGoal,
    Goal,
    GoalGuard,
    GoalType,
    Guard,
    GuardAtom,
    Lock,
    Negated,
    Performative,
    Plan,
    ReasoningRule,
    Relation,
    RemoveBelief,
    RuleLiteral,
    Send,
    SentGuard,
    Sign,
    Trigger,
    Unlock,
    WaitFor,
)
from volition.languages.world.term_grammar import TERM_NAMES, TermReader, is_nested_too_deeply
from volition.languages.world.terms import Structure, Term, Variable, is_ground
from volition.parsing import Parser

__all__ = ["TERMS", "GwendolenTerms", "read_agents"]

TERMS = r"""
?expression: product | expression ADD product -> arithmetic
?product: operand | product MULTIPLY operand -> arithmetic
?operand: structure | variable | number | text | list | "(" expression ")"
?atom: structure | variable
structure: NAME [ "(" expression ("," expression)* ")" ]
variable: VARIABLE
number: NUMBER
text: TEXT
list: "[" [ expression ("," expression)* [ "|" expression ] ] "]"

NAME: /[a-z]\w*(\.\w+)*/
VARIABLE: /[A-Z_]\w*/
NUMBER: /-?\d+(\.\d+)?/
TEXT: /"[^"\n]*"|'[^'\n]*'/
ADD: /[+-]/
MULTIPLY: /[*\/%]/

%ignore /\s+/
%ignore /\/\/[^\n]*/
%ignore /\/\*(.|\n)*?\*\//
"""
"""Lark grammar of Gwendolen terms: names with dots, both kinds of quotation marks, and arithmetic.
"""

_GRAMMAR = (
    TERMS
    + r"""
beliefs: belief (","? belief)*
belief: [NOT] structure
goals: goal (","? goal)*
goal: atom [ "[" NAME "]" ]

rule: [BELIEVED] structure [":-" conjunction] ";"
conjunction: _literal ("," _literal)*
_literal: derivable | negated | cut | compared | "(" conjunction ")"
derivable: [BELIEVED] atom
negated: NOT (derivable | "(" conjunction ")" | compared)
cut: "!"
compared: "[" comparison "]"
comparison: expression RELATION expression

plan: _trigger ":" "{" [conjunct (_and conjunct)*] "}" [ARROW [body]] ";"
_trigger: belief_event | goal_event | received
belief_event: SIGN [NOT] atom
goal_event: SIGN "!" goal
received: SIGN ".received" "(" PERFORMATIVE "," atom ")"
_and: "," | "∧" | "&"

conjunct: [NOT] (true | believed | pursued | sent | tested)
true: TRUE
believed: BELIEVED atom
pursued: PURSUED goal
sent: ".sent" "(" expression "," [expression ","] PERFORMATIVE "," expression ")"
tested: comparison | "[" comparison "]" | "(" comparison ")"

body: _deed ("," _deed)*
_deed: change_belief | change_goal | lock | wait | send | query | calculation | pause | update | act
change_belief: SIGN [NOT] atom
change_goal: SIGN "!" goal
lock: SIGN ".lock"
wait: "*" [NOT] atom
send: ".send" "(" expression "," PERFORMATIVE "," expression ")"
query: ".query" "(" atom ")"
calculation: ".calculate" "(" atom "," atom ")"
pause: ".wait" "(" expression "," atom ")"
update: "±" structure
act: atom

capabilities: capability+
capability: "{" conditions "}" structure "{" conditions "}"
conditions: [expression ("," expression)*]

SIGN: /[+-]/
NOT: "~" | "¬"
ARROW: "<-" | "←"
TRUE.3: /[Tt]rue(?![\w.(])/
BELIEVED.3: /\.?B(?=[\s(]+[A-Za-z_])/
PURSUED.3: /\.?G(?=[\s(]+[A-Za-z_])/
PERFORMATIVE: /:\s*[a-z]\w*/
RELATION: /==|<=|>=|=<|!=|\\==|<|>|=/
"""
)

_NAMES = {
    **TERM_NAMES,
    "ADD": "'+' or '-'",
    "MULTIPLY": "'*', '/' or '%'",
    "SIGN": "'+' or '-'",
    "NOT": "'~'",
    "ARROW": "'<-'",
    "TRUE": "True",
    "BELIEVED": "B",
    "PURSUED": "G",
    "PERFORMATIVE": "':tell', ':perform' or ':achieve'",
    "RELATION": "'<' or '=='",
}
_HINTS = (
    (r"<-|←", "a plan needs a guard before its body: write : {True}"),
    (r"\?", "there are no test goals: write B p in the guard, or wait with *p"),
    (r"\|+|∨|or\b", "guards have no disjunction: write one plan for each case"),
    (
        r"\.(plan|constraint|n|x|update|substitute)\b",
        "deeds cannot change plans, constraints, content or context",
    ),
    (r"[<>=]", "in a rule, write a comparison in brackets: [X < Y]"),
    (r"\.(?=\s|$)", "a plan or rule ends with ';'"),
    (r"I\s+[a-z]", "there is no guard about intentions: write G g [achieve]"),
)
"""Hints for syntax errors: a pattern of the unexpected text, and the hint to add if it matches."""
_PERFORMATIVES = ("tell", "perform", "achieve")
_GOAL_TYPES = ("achieve", "perform")


@cache
def _parser() -> Parser:
    return Parser(
        _GRAMMAR,
        code="GWN001",
        start=["beliefs", "goals", "rule", "plan", "capabilities"],
        names=_NAMES,
    )


def read_agents(
    source: Source, cycle: Cycle, agent: str, diagnostics: Diagnostics
) -> list[AgentProgram]:
    """Return the agents of a program file. Errors are added to ``diagnostics``; statements with
    errors are left out.

    ``cycle`` and ``agent`` are the language and the agent's name to use if the file does not give
    them.
    """
    programs = [
        _AgentReader(block, source, diagnostics).agent()
        for block in blocks_in(source, cycle, agent, diagnostics)
    ]
    for program in programs:
        check_stratification(program.rules, diagnostics)
    return programs


def _add_hint(error: Diagnostic) -> Diagnostic:
    """Return a syntax error with a hint at its probable cause, chosen by the text at the error."""
    span = error.span
    if span is None:
        return error
    text = span.source.text
    before = span.source.line(span.line)[: span.column - 1]
    if re.search(r"\bnot\s*\Z", before):
        return replace(error, hint="write ~ for not, as in ~B p")
    if error.message != "unexpected end" and not before.strip() and text[span.start] in "+-":
        return replace(error, hint="is the ';' of the statement above missing?")
    hint = next(
        (hint for pattern, hint in _HINTS if re.compile(pattern).match(text, span.start)),
        error.hint,
    )
    return replace(error, hint=hint)


Node = Tree[Token]


class GwendolenTerms(TermReader):
    """Converter from parse trees of :data:`TERMS` to terms."""

    def term(self, tree: Node) -> Term:
        if tree.data != "arithmetic":
            return super().term(tree)
        left, operator, right = cast("list[Any]", tree.children)
        return Structure(str(operator), (self._operand(left), self._operand(right)))

    def _operand(self, tree: Node) -> Term:
        if tree.data not in ("variable", "number", "arithmetic"):
            hint = "arithmetic is possible only with numbers and variables"
            self.diagnostics.error(
                "GWN010", f"'{self.span(tree).text}' is not a number", self.span(tree), hint=hint
            )
            return 0
        return self.term(tree)

    def atom(self, tree: Node) -> Atom:
        return cast(Atom, self.term(tree))


class _AgentReader(GwendolenTerms):
    """Converter of the sections of one agent block to an :class:`AgentProgram`."""

    def __init__(self, block: AgentBlock, source: Source, diagnostics: Diagnostics) -> None:
        super().__init__(source, diagnostics)
        self._block = block
        self._plans = 0

    def agent(self) -> AgentProgram:
        block = self._block
        return AgentProgram(
            block.name,
            block.cycle,
            self.source,
            block.span,
            block.abstracts,
            beliefs=tuple(
                self._belief(each)
                for tree in self._trees(BELIEFS, "beliefs")
                for each in tree.children
            ),
            rules=tuple(self._rule(tree) for tree in self._trees(RULES, "rule")),
            goals=tuple(
                (self._goal(each), self.span(each))
                for tree in self._trees(GOALS, "goals")
                for each in _nodes(tree)
            ),
            capabilities=tuple(
                self._capability(each)
                for tree in self._trees(CAPABILITIES, "capabilities")
                for each in _nodes(tree)
            ),
            plans=tuple(self._plan(tree) for tree in self._trees(PLANS, "plan")),
        )

    def _trees(self, title: str, rule: str) -> list[Node]:
        """Return the parse trees of the statements in the section ``title``, parsed with the
        grammar rule ``rule``. Statements with syntax errors are reported and left out."""
        section = self._block.sections.get(title)
        if section is None:
            return []
        match rule:
            case "beliefs" | "goals":
                indices = line_entries(section)
            case "rule" | "plan":
                indices = statements(section)
            case _:
                indices = iter([(section.start, section.end)] if section.text.strip() else [])
        trees = []
        for start, end in indices:
            try:
                tree = _parser().parse(self.source, rule, start=start, end=end)
                if not is_nested_too_deeply(tree, self.source, self.diagnostics):
                    trees.append(tree)
            except InputError as error:
                self.diagnostics.extend(map(_add_hint, error.diagnostics))
        return trees

    # --- conversion of beliefs, rules and goals ---------------------------------------------------

    def _belief(self, tree: Any) -> tuple[Structure, Span]:
        negation, atom = tree.children
        self._report_negation(negation)
        structure, span = self.structure(atom), self.span(tree)
        if not is_ground(structure):
            message = f"the initial belief '{structure}' has variables"
            self.diagnostics.error(
                "GWN011",
                message,
                span,
                hint="write one belief for each value, or a rule under :Reasoning Rules:",
            )
        return structure, span

    def _report_negation(self, negation: Any) -> None:
        if negation is not None:
            hint = (
                "an agent believes only what is in its belief base: leave the belief out, or "
                "remove it with -b"
            )
            self.diagnostics.error(
                "GWN012", "a belief cannot be negated", self.span(negation), hint=hint
            )

    def _goal(self, tree: Any) -> Goal:
        atom, kind = tree.children
        if kind is None:
            hint = f"write {self.span(atom).text} [achieve] or {self.span(atom).text} [perform]"
            self.diagnostics.warning(
                "GWN013",
                "this goal has no type: it is read as a perform goal",
                self.span(tree),
                hint=hint,
            )
            kind = "perform"
        elif kind not in _GOAL_TYPES:
            hint = did_you_mean(str(kind), _GOAL_TYPES) or "expected [achieve] or [perform]"
            self.diagnostics.error(
                "GWN014", f"unknown goal type '{kind}'", self.span(kind), hint=hint
            )
        return Goal(self.atom(atom), cast(GoalType, str(kind)))

    def _rule(self, tree: Node) -> ReasoningRule:
        _, head, body = cast("list[Any]", tree.children)
        return ReasoningRule(
            self.structure(head),
            () if body is None else self._conjunction(body),
            span=self.span(tree),
        )

    def _conjunction(self, tree: Node) -> tuple[RuleLiteral, ...]:
        """Return the literals of a conjunction in a rule's body. Nested conjunctions in parentheses
        are flattened."""
        literals: list[RuleLiteral] = []
        for each in _nodes(tree):
            literals += (
                self._conjunction(each) if each.data == "conjunction" else [self._literal(each)]
            )
        return tuple(literals)

    def _literal(self, tree: Node) -> RuleLiteral:
        parts = cast("list[Any]", tree.children)
        match tree.data:
            case "derivable":
                return Derivable(self.atom(parts[1]))
            case "cut":
                return Cut()
            case "compared":
                return self._comparison(parts[0])
            case _:
                pass
        inner = parts[1]
        return Negated(
            self._conjunction(inner) if inner.data == "conjunction" else (self._literal(inner),)
        )

    def _comparison(self, tree: Node) -> ComparisonGuard:
        left, relation, right = cast("list[Any]", tree.children)
        if relation not in ("<", "=="):
            texts = self.span(left).text, self.span(right).text
            hint = (
                f"write {texts[1]} < {texts[0]}"
                if relation == ">"
                else "the comparisons are X < Y and X == Y, and ~ before them is 'not'"
            )
            self.diagnostics.error(
                "GWN015",
                f"the comparison '{relation}' is not supported",
                self.span(relation),
                hint=hint,
            )
            return ComparisonGuard("==", 0, 0)
        return ComparisonGuard(cast(Relation, str(relation)), self.term(left), self.term(right))

    def _capability(self, tree: Node) -> Capability:
        before, name, after = (cast(Node, each) for each in tree.children)
        conditions = [
            tuple(self.term(cast(Node, each)) for each in part.children if each is not None)
            for part in (before, after)
        ]
        return Capability(conditions[0], self.structure(name), conditions[1], span=self.span(tree))

    # --- conversion of plans ----------------------------------------------------------------------

    def _plan(self, tree: Node) -> Plan:
        self._plans += 1
        trigger, *rest = cast("list[Any]", tree.children)
        guard = [
            found
            for each in rest
            if _is(each, "conjunct") and (found := self._conjunct(each)) is not None
        ]
        body = [
            deed
            for part in rest
            if _is(part, "body")
            for each in part.children
            for deed in self._deeds(each)
        ]
        return Plan(
            self._plans, self._trigger(trigger), tuple(guard), tuple(body), span=self.span(tree)
        )

    def _trigger(self, tree: Node) -> Trigger:
        sign, *parts = cast("list[Any]", tree.children)
        span = self.span(tree)
        match tree.data:
            case "belief_event":
                self._report_negation(parts[0])
                return Trigger(self._sign(sign), "belief", self.atom(parts[1]), span=span)
            case "goal_event":
                goal = self._goal(parts[0])
                return Trigger(self._sign(sign), "goal", goal.atom, goal.type, span=span)
            case _:
                pass
        if sign == "-":
            self.diagnostics.error(
                "GWN016",
                "'-.received' is not a trigger: a message can only be received",
                span,
                hint="write +.received(...)",
            )
        return Trigger(
            "+",
            "received",
            self.atom(parts[1]),
            performative=self._performative(parts[0]),
            span=span,
        )

    def _sign(self, token: Token) -> Sign:
        return cast(Sign, str(token))

    def _performative(self, token: Token) -> Performative:
        word = str(token)[1:].strip()
        if word not in _PERFORMATIVES:
            hint = did_you_mean(word, _PERFORMATIVES) or "expected :tell, :perform or :achieve"
            self.diagnostics.error(
                "GWN017", f"unknown performative ':{word}'", self.span(token), hint=hint
            )
        return cast(Performative, word)

    def _conjunct(self, tree: Node) -> Guard | None:
        negation, atom = cast("list[Any]", tree.children)
        if atom.data == "true":
            if negation is not None:
                self.diagnostics.warning(
                    "GWN018",
                    "this guard is never true, so the plan is never used",
                    self.span(tree),
                )
                return Guard(ComparisonGuard("<", 0, 0), span=self.span(tree))
            return None
        return Guard(self._guard_atom(atom), negation is None, span=self.span(tree))

    def _guard_atom(self, tree: Node) -> GuardAtom:
        parts = cast("list[Any]", tree.children)
        match tree.data:
            case "believed":
                return BeliefGuard(self.atom(parts[1]))
            case "pursued":
                return GoalGuard(self._goal(parts[1]))
            case "sent":
                recipient, sender, performative, content = parts
                sender_term = None if sender is None else self.term(sender)
                return SentGuard(
                    self.term(recipient),
                    sender_term,
                    self._performative(performative),
                    self.term(content),
                )
            case _:
                pass
        return self._comparison(parts[0])

    def _deeds(self, tree: Node) -> tuple[Deed, ...]:
        """Return the deeds that a parse tree stands for.

        This is a single deed, except for abbreviations, which stand for several: ``.query(l)``,
        ``.calculate(l, V)`` and ``.wait(t, l)`` of EASS, and ``±b``.
        """
        span = self.span(tree)
        parts = cast("list[Any]", tree.children)
        match tree.data:
            case "change_belief":
                self._report_negation(parts[1])
                kind = AddBelief if parts[0] == "+" else RemoveBelief
                return (kind(self.atom(parts[2]), span=span),)
            case "change_goal":
                return (
                    (AddGoal if parts[0] == "+" else DropGoal)(self._goal(parts[1]), span=span),
                )
            case "lock":
                return ((Lock if parts[0] == "+" else Unlock)(span=span),)
            case "wait":
                return (WaitFor(self.atom(parts[1]), parts[0] is None, span=span),)
            case "send":
                recipient, performative, content = parts
                return (
                    Send(
                        self.term(recipient),
                        self._performative(performative),
                        self.term(content),
                        span=span,
                    ),
                )
            case "query":
                atom = self.atom(parts[0])
                return _query_engine_deeds(Structure("query", (atom,)), atom, span)
            case "calculation":
                what, result = map(self.term, parts)
                return _query_engine_deeds(
                    Structure("calculate", (what, Variable("_"))),
                    Structure("result", (what, result)),
                    span,
                )
            case "pause":
                time, what = map(self.term, parts)
                return _query_engine_deeds(
                    Structure("wait", (time, what)), Structure("waited", (what,)), span
                )
            case "update":
                belief = self.structure(parts[0])
                any_other = Structure(belief.functor, (Variable("_"),) * len(belief.arguments))
                return RemoveBelief(any_other, span=span), AddBelief(belief, span=span)
            case _:
                pass
        action = self.atom(parts[0])
        if isinstance(action, Variable):
            hint = (
                f"write +{action} for a belief, +!{action} [perform] for a goal, or perf({action})"
            )
            self.diagnostics.error(
                "GWN019", f"the variable {action} cannot be executed as an action", span, hint=hint
            )
            return ()
        return (Act(action, span=span),)


def _query_engine_deeds(prop: Structure, answer: Atom, span: Span) -> tuple[Deed, ...]:
    """Return the deeds that send a query to the abstraction engine, wait for the answer, and remove
    the answer from the beliefs."""
    return (
        Act(prop, span=span),
        WaitFor(answer, span=span),
        Act(Structure("remove_shared", (answer,)), span=span),
    )


def _nodes(tree: Node) -> list[Node]:
    return [each for each in tree.children if isinstance(each, Tree)]


def _is(part: Any, kind: str) -> bool:
    return isinstance(part, Tree) and part.data == kind

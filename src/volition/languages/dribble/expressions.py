"""Conversion of parse trees to propositional formulas, conditions and plans. Unknown names are
reported with their position.

The same functions read programs and the atoms of properties (``Bel(c1 | c2)``, ``Plan(cR; mL)``).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal as OneOf

from lark import Token, Tree

from volition.diagnostics import Diagnostics, Source, did_you_mean
from volition.languages.dribble.conditions import (
    And,
    Believes,
    BooleanLiteral,
    Condition,
    Desires,
    Not,
    Or,
)
from volition.languages.dribble.grammar import EMPTY, PLAN_VARIABLES, RESERVED
from volition.languages.dribble.propositional import (
    FALSE,
    MAX_CLAUSES,
    TRUE,
    Dnf,
    TooManyClauses,
    all_of,
    any_of,
    fact,
)
from volition.languages.dribble.syntax import AbstractPlan, BasicAction, Conditional, Plan, Step
from volition.parsing import span_of

__all__ = ["ExpressionReader", "Node", "plan_steps"]

Node = Tree[Token] | Token


@dataclass(frozen=True)
class ExpressionReader:
    """Converter for the parse trees of one source text. ``atoms`` are the declared atoms, or None
    while declarations are being read."""

    source: Source
    found: Diagnostics
    atoms: Collection[str] | None = None
    actions: Collection[str] = ()
    abstract_plans: Collection[str] = ()

    # --- conversion of formulas -------------------------------------------------------------------

    def formula(self, tree: Node) -> Dnf:
        """Return the propositional formula of a parse tree, in disjunctive normal form."""
        try:
            return self._dnf(tree, True)
        except TooManyClauses:
            message = f"this formula has more than {MAX_CLAUSES} clauses in disjunctive normal form"
            self.found.error(
                "DRB010", message, span_of(self.source, tree), hint="split it into several formulas"
            )
            return TRUE

    def _dnf(self, node: Node, positive: bool) -> Dnf:
        """Return the formula of a parse tree, or its negation if ``positive`` is False, in
        disjunctive normal form. Negations are pushed down to the atoms."""
        assert isinstance(node, Tree)
        match node.data:
            case "atom":
                return fact(self.atom(node), positive)
            case "true" | "false":
                return TRUE if (node.data == "true") == positive else FALSE
            case "negation":
                return self._dnf(node.children[0], not positive)
            case "conjunction" | "disjunction":
                parts = [self._dnf(child, positive) for child in node.children]
                return all_of(parts) if (node.data == "conjunction") == positive else any_of(parts)
            case _:
                pass
        span = span_of(self.source, node)
        self.found.error(
            "DRB011", "the operators B and G are not allowed in a belief or goal", span
        )
        return TRUE

    def atom(self, node: Node) -> str:
        """Return the name of the atom in a parse tree, and report an error if the name is reserved
        or unknown."""
        token = node if isinstance(node, Token) else node.children[0]
        name, span = str(token), span_of(self.source, token)
        if name in RESERVED:
            self.found.error(
                "DRB012", f"'{name}' is a keyword and cannot be the name of an atom", span
            )
        elif self.atoms is not None and name not in self.atoms:
            hint = did_you_mean(name, self.atoms) or "atoms must occur in a belief, goal or effect"
            self.found.error("DRB013", f"unknown atom '{name}'", span, hint=hint)
        return name

    # --- conversion of conditions -----------------------------------------------------------------

    def condition(self, tree: Node, bare: OneOf["B", "G"] = "B") -> Condition:
        """Return the condition of a parse tree.

        A formula α without ``B`` and ``G`` is an abbreviation. With ``bare`` equal to "B" it means
        ``B α``, as in the tests and revision rules of Trang et al. With "G" it means ``G α``, as in
        their goal rules. Only conditions of goal rules may contain goals; the others are in L_B.

        If the constants ``true`` and ``false`` alone determine the value of α, it is not an
        abbreviation but a constant condition: ``true & true`` holds even for an agent without
        goals.
        """
        assert isinstance(tree, Tree)
        modal = [*tree.find_data("believes"), *tree.find_data("desires")]
        if not modal:
            formula, constant = self.formula(tree), _constant(tree)
            if constant is not None:
                return BooleanLiteral() if constant else Not(BooleanLiteral())
            return Believes(formula) if bare == "B" else Desires(formula)
        if bare == "B":
            for node in tree.find_data("desires"):
                self.found.error(
                    "DRB014",
                    "this condition cannot contain goals",
                    span_of(self.source, node),
                    hint="only goal rules can",
                )
        return self._condition(tree)

    def _condition(self, node: Node) -> Condition:
        assert isinstance(node, Tree)
        match node.data:
            case "true" | "false":
                return BooleanLiteral() if node.data == "true" else Not(BooleanLiteral())
            case "believes":
                return Believes(self.formula(node.children[0]))
            case "desires":
                return Desires(self.formula(node.children[0]))
            case "negation":
                return Not(self._condition(node.children[0]))
            case "conjunction" | "disjunction":
                parts = tuple(self._condition(child) for child in node.children)
                return And(parts) if node.data == "conjunction" else Or(parts)
            case _:
                pass
        name = self.atom(node)
        self.found.error(
            "DRB015",
            f"'{name}' must be inside B or G here",
            span_of(self.source, node),
            hint=f"write B({name}) or G({name})",
        )
        return BooleanLiteral()

    # --- conversion of plans ----------------------------------------------------------------------

    def plan(self, tree: Node) -> Plan:
        """Return the plan of a parse tree. ``empty`` alone denotes the empty plan."""
        return self.steps(plan_steps(tree))

    def steps(self, nodes: list[Node]) -> Plan:
        """Return the plan whose steps are the given parse trees."""
        if len(nodes) == 1 and nodes[0] == EMPTY:
            return ()
        return tuple(self._step(node) for node in nodes)

    def _step(self, node: Node) -> Step:
        if isinstance(node, Tree):
            test, *branches = node.children
            then, otherwise = (self._branch(branch) for branch in branches)
            return Conditional(self.condition(test), then, otherwise)
        name, span = str(node), span_of(self.source, node)
        if name in PLAN_VARIABLES:
            hint = "it stands for the rest of the plan, at the end of both sides of a revision rule"
            self.found.error(
                "DRB020", f"the plan variable '{name}' is not allowed here", span, hint=hint
            )
        elif name == EMPTY:
            self.found.error(
                "DRB021",
                "only a whole plan can be 'empty'",
                span,
                hint="remove it, or use an action without effects",
            )
        elif name not in self.actions and name not in self.abstract_plans:
            near = did_you_mean(name, [*self.actions, *self.abstract_plans])
            self.found.error("DRB022", f"unknown action or abstract plan '{name}'", span, hint=near)
        return AbstractPlan(name) if name in self.abstract_plans else BasicAction(name)

    def _branch(self, tree: Node) -> Plan:
        """Return the plan in a branch of a conditional. It is never empty: Trang et al. have no
        empty plan inside other plans."""
        return tuple(self._step(node) for node in plan_steps(tree))


def _constant(tree: Node) -> bool | None:
    """Return the truth value of a formula if the constants ``true`` and ``false`` in it determine
    the value, whatever the atoms are. Otherwise return None."""
    assert isinstance(tree, Tree)
    match tree.data:
        case "true" | "false":
            return bool(tree.data == "true")
        case "negation":
            operand = _constant(tree.children[0])
            return None if operand is None else not operand
        case "conjunction" | "disjunction":
            decides = tree.data == "disjunction"
            values = [_constant(child) for child in tree.children]
            return decides if decides in values else None if None in values else not decides
        case _:
            pass
    return None


def plan_steps(tree: Node) -> list[Node]:
    """Return the parse trees of the steps of a plan (names and conditionals). Sequences in braces
    are flattened."""
    if isinstance(tree, Token) or tree.data == "conditional":
        return [tree]
    return [step for child in tree.children if child is not None for step in plan_steps(child)]

"""Conversion of the statements of a Dribble program to a syntax tree of the agent, with error
reporting."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from lark import Token, Tree

from volition.diagnostics import Diagnostics, InputError, Source, Span
from volition.languages.common.settings import report_duplicate
from volition.languages.dribble.conditions import BooleanLiteral, Condition
from volition.languages.dribble.expressions import ExpressionReader, Node, plan_steps
from volition.languages.dribble.file_layout import SECTIONS, Layout
from volition.languages.dribble.grammar import PLAN_VARIABLES, RESERVED, parse
from volition.languages.dribble.propositional import Dnf, Literal
from volition.languages.dribble.syntax import Action, AgentProgram, Effect, GoalRule, RevisionRule
from volition.parsing import span_of

__all__ = ["ParsedProgram", "read_program"]

_SIGNS = {"positive": True, "negative": False}


@dataclass(frozen=True)
class ParsedProgram:
    """Agent as read from a file, with the positions of its beliefs, goals and abstract plans. Its
    syntax tree does not contain them, but the static checks need them."""

    agent: AgentProgram
    beliefs: Mapping[Dnf, Span]
    goals: Mapping[Dnf, Span]
    abstract_plans: Mapping[str, Span]


def read_program(
    source: Source, layout: Layout, name: str, len_max: int | None, found: Diagnostics
) -> ParsedProgram:
    """Return the agent in a program whose sections and statements are given by ``layout``.
    ``len_max``, if it is not None, overrides the bound on plans in the program.

    Declarations are read before their uses, so the order of sections does not matter.
    """
    trees, unreadable = {}, {}
    for section, rule in SECTIONS.items():
        trees[section], unreadable[section] = _parse_all(layout.statements[section], rule, found)
    declarations = ExpressionReader(source, found)
    beliefs = _formulas(trees["beliefs"], declarations)
    goals = _formulas(trees["goals"], declarations)
    changed = {
        str(node.children[0])
        for tree in trees["actions"]
        for sign in _SIGNS
        for node in tree.find_data(sign)
    }
    abstract_plans = _names(
        (token for tree in trees["abstract plans"] for token in tree.children),
        "abstract plan",
        {},
        source,
        found,
    )
    actions = _names(
        (tree.children[0] for tree in trees["actions"]), "action", abstract_plans, source, found
    )
    uses = replace(
        declarations,
        atoms=changed.union(
            *(formula.atoms for formula in [*beliefs, *goals]),
            *unreadable["beliefs"],
            *unreadable["goals"],
            *unreadable["actions"],
        ),
        actions=frozenset(actions).union(*(names[:1] for names in unreadable["actions"])),
        abstract_plans=frozenset(abstract_plans).union(*unreadable["abstract plans"]),
    )
    goal_rules = tuple(
        _goal_rule(tree, f"g{number}", uses) for number, tree in enumerate(trees["goal rules"], 1)
    )
    revision_rules = tuple(
        _revision_rule(tree, f"r{number}", uses)
        for number, tree in enumerate(trees["revision rules"], 1)
    )
    _report_duplicate_names([*goal_rules, *revision_rules], found)
    report_duplicate([("len_max", span_of(source, tree)) for tree in trees["len_max"]], found)
    if len_max is None:
        len_max = 0 if unreadable["len_max"] else _len_max(trees["len_max"], source, found)
    agent = AgentProgram(
        name,
        frozenset(beliefs),
        frozenset(goals),
        {action.name: action for action in (_action(tree, uses) for tree in trees["actions"])},
        tuple(abstract_plans),
        goal_rules,
        revision_rules,
        len_max,
    )
    return ParsedProgram(agent, beliefs, goals, abstract_plans)


def _parse_all(
    statements: Iterable[Span], rule: str, found: Diagnostics
) -> tuple[list[Tree[Token]], list[list[str]]]:
    """Return the parse trees of statements, and the names in each statement with syntax errors.

    These names count as declared, so that a syntax error does not cause "unknown name" errors
    elsewhere.
    """
    trees, unreadable = [], []
    for statement in statements:
        try:
            trees.append(parse(statement, rule))
        except InputError as error:
            found.extend(error.diagnostics)
            unreadable.append(re.findall(r"[^\W\d]\w*'*", re.sub(r"//[^\n]*", "", statement.text)))
    return trees, unreadable


def _len_max(trees: list[Tree[Token]], source: Source, found: Diagnostics) -> int:
    if not trees:
        hint = "give the maximum length of a plan, such as 'len_max: 20'"
        found.error("DRB030", "missing 'len_max'", source.span(0, 0), hint=hint)
        return 0
    return int(str(trees[0].children[0]))


def _formulas(trees: list[Tree[Token]], expressions: ExpressionReader) -> dict[Dnf, Span]:
    formulas: dict[Dnf, Span] = {}
    for node in (node for tree in trees for node in tree.children):
        formula, span = expressions.formula(node), span_of(expressions.source, node)
        if formulas.setdefault(formula, span) is not span:
            hint = f"the first one is at {formulas[formula]}"
            expressions.found.warning("DRB045", f"duplicate '{span.text}'", span, hint=hint)
    return formulas


def _names(
    tokens: Iterable[Node], what: str, taken: Mapping[str, Span], source: Source, found: Diagnostics
) -> dict[str, Span]:
    names: dict[str, Span] = {}
    for token in tokens:
        name, span = str(token), span_of(source, token)
        if name in RESERVED:
            found.error(
                "DRB012", f"'{name}' is a keyword and cannot be the name of an {what}", span
            )
        elif name in names or name in taken:
            found.error(
                "DRB023",
                f"'{name}' is declared twice",
                span,
                hint=f"the first one is at {names.get(name) or taken[name]}",
            )
        else:
            names[name] = span
    return names


def _action(tree: Tree[Token], expressions: ExpressionReader) -> Action:
    name, precondition, effects = tree.children
    read = tuple(_effect(node, expressions) for node in _children(effects))
    return Action(
        str(name),
        _optional_condition(precondition, expressions),
        read,
        span_of(expressions.source, tree),
    )


def _effect(tree: Node, expressions: ExpressionReader) -> Effect:
    *literals, condition = _children(tree)
    read = tuple(_literal(node, expressions) for node in literals)
    return Effect(
        read, _optional_condition(condition, expressions), span_of(expressions.source, tree)
    )


def _literal(node: Node, expressions: ExpressionReader) -> Literal:
    assert isinstance(node, Tree)
    return Literal(expressions.atom(node), _SIGNS[node.data])


def _goal_rule(tree: Tree[Token], default_name: str, expressions: ExpressionReader) -> GoalRule:
    name, guard, body = tree.children
    plan = expressions.plan(body)
    if not plan:
        expressions.found.error(
            "DRB021", "a goal rule cannot adopt the empty plan", span_of(expressions.source, body)
        )
    return GoalRule(
        str(name or default_name),
        expressions.condition(guard, "G"),
        plan,
        span_of(expressions.source, tree),
    )


def _revision_rule(
    tree: Tree[Token], default_name: str, expressions: ExpressionReader
) -> RevisionRule:
    """Return the revision rule of a parse tree.

    The plan variable at the end of both sides, which stands for the rest of the plan, is left out
    of the result: a revision rule of Trang et al. always keeps the rest of the plan.
    """
    name, head, guard, body = tree.children
    sides = [plan_steps(head), plan_steps(body)]
    ends = [nodes[-1] for nodes in sides if nodes[-1] in PLAN_VARIABLES]
    if len(ends) == 1 or (len(ends) == 2 and ends[0] != ends[1]):
        hint = (
            "a revision replaces a prefix of the plan and keeps the rest: write the variable at "
            "the end of both sides or of neither"
        )
        span = span_of(expressions.source, ends[0])
        expressions.found.error(
            "DRB024",
            f"the plan variable '{ends[0]}' must occur on both sides of the rule",
            span,
            hint=hint,
        )
    old, new = (
        expressions.steps(nodes[:-1] if nodes[-1] in PLAN_VARIABLES else nodes) for nodes in sides
    )
    if not old:
        expressions.found.error(
            "DRB025",
            "a revision rule must replace at least one step",
            span_of(expressions.source, head),
        )
    return RevisionRule(
        str(name or default_name),
        old,
        expressions.condition(guard),
        new,
        span_of(expressions.source, tree),
    )


def _report_duplicate_names(rules: Iterable[GoalRule | RevisionRule], found: Diagnostics) -> None:
    first: dict[str, GoalRule | RevisionRule] = {}
    for rule in rules:
        if first.setdefault(rule.name, rule) is not rule:
            found.error(
                "DRB026",
                f"duplicate rule name '{rule.name}'",
                rule.span,
                hint=f"the first one is at {first[rule.name].span}",
            )


def _optional_condition(node: Node | None, expressions: ExpressionReader) -> Condition:
    return BooleanLiteral() if node is None else expressions.condition(node)


def _children(node: Node | None) -> list[Node]:
    return list(node.children) if isinstance(node, Tree) else []

"""Reader for ``.can`` files: from their text to the syntax tree of
:mod:`volition.languages.can.syntax`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import TypeVar

from lark import Token, Tree

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.can.condition_reader import ConditionReader
from volition.languages.can.conditions import BooleanLiteral, Constant, Expression
from volition.languages.can.grammar import parser
from volition.languages.can.properties import as_formula
from volition.languages.can.sections import NAME, Kind, Statement, split
from volition.languages.can.syntax import (
    DROP_POLICIES,
    NIL,
    POLICY_KINDS,
    POLICY_TARGETS,
    Act,
    Action,
    ActionDecision,
    AddBelief,
    AgentProgram,
    Assign,
    BackgroundChange,
    BeliefBase,
    Body,
    Change,
    Decision,
    DeclarativeGoal,
    DropPolicy,
    EventGoal,
    ExternalEvent,
    InitialBelief,
    Label,
    Nil,
    Outcome,
    Parallel,
    ParameterDeclaration,
    Plan,
    Policy,
    PolicyItem,
    PolicyTarget,
    Recovery,
    RemoveBelief,
    Reward,
    RewardItem,
    RuleTarget,
    ScheduleDecision,
    Sequence,
    StateTarget,
    Target,
    Test,
)
from volition.languages.common.properties import stated_properties
from volition.languages.common.settings import report_duplicate
from volition.languages.common.trampoline import DeferredCall, run_iteratively
from volition.languages.protocols import UnparsedProperty
from volition.parsing import span_of

__all__ = ["read", "read_body", "read_policy"]

_RULES: dict[Kind, str] = {
    "beliefs": "belief_base",
    "events": "event_list",
    "plans": "plan",
    "actions": "action",
    "parameters": "parameter_list",
    "background": "background",
    "labels": "label",
    "rewards": "reward",
    "policies": "policy",
    "decisions": "decision",
}
_WEIGHTED_BELIEF = re.compile(rf"(?<![\w-]){NAME}\s*:\s*<")
_QUOTED_RULE = re.compile(r'"([^"(]*)(?:\(([^")]*)\))?"')
_L = TypeVar("_L", bound=str)


def read(source: Source, name: str, diagnostics: Diagnostics) -> AgentProgram:
    """Return the syntax tree of a ``.can`` file. ``name`` is the name of the agent. Errors are
    added to ``diagnostics``; statements with errors are omitted from the tree."""
    return _Reader(source, diagnostics).agent(name)


def read_policy(
    selection: PolicyTarget, source: Source, parameters: Collection[str], diagnostics: Diagnostics
) -> Policy | None:
    """Return the policy that the value of a setting describes. A policy says how the agent selects
    one of several events, plans or intentions; ``selection`` says which of the three.

    For example, the setting ``plans=fixed 2, 1`` has the value ``fixed 2, 1``. In a ``.can`` file,
    the same policy is written ``plans : fixed 2, 1.``

    ``source`` contains the value, and ``parameters`` are the names of the program's parameters.
    Return None and report an error if the value cannot be parsed.
    """
    try:
        tree = parser().parse(source, "manner_alone")
    except InputError as error:
        diagnostics.extend(error.diagnostics)
        return None
    return _Statements(source, diagnostics, (), parameters).selection_policy(selection, tree)


def read_body(source: Source, actions: Collection[str]) -> Body:
    """Return the plan body that a source text contains. ``actions`` are the names that are actions;
    all others are events. Raises :class:`InputError` for syntax errors."""
    return _Statements(source, Diagnostics(), actions, ()).body(
        parser().parse(source, "body_alone")
    )


class _Reader:
    """Reader of a whole ``.can`` file. It first collects the names of actions and parameters, which
    are needed to read the other statements."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self._source = source
        self._diagnostics = diagnostics
        statements = split(source, diagnostics)
        self._report_weighted_beliefs(statements)
        self._properties = [each for each in statements if each.kind == "properties"]
        self._parsed = [
            (each, tree)
            for each in statements
            if each.kind != "properties" and (tree := self._parse(each)) is not None
        ]

    def agent(self, name: str) -> AgentProgram:
        parameters = [tree for list_ in self._trees("parameters") for tree in _trees(list_)]
        read = _Statements(
            self._source,
            self._diagnostics,
            actions={_name(tree) for tree in self._trees("actions")},
            parameters={_name(tree) for tree in parameters},
        )
        policies = [
            policy for tree in self._trees("policies") if (policy := read.policy(tree)) is not None
        ]
        updates = [policy for policy in policies if not isinstance(policy, Policy)]
        for settings in (parameters, self._trees("policies")):
            report_duplicate(
                [(_name(tree), span_of(self._source, tree)) for tree in settings], self._diagnostics
            )
        return AgentProgram(
            name,
            bases=self._bases(read),
            events=tuple(self._events()),
            plans=tuple(
                read.plan(number, tree) for number, tree in enumerate(self._trees("plans"), start=1)
            ),
            actions=tuple(read.action(tree) for tree in self._trees("actions")),
            parameters=tuple(read.parameter(tree) for tree in parameters),
            background=tuple(read.background(tree) for tree in self._trees("background")),
            labels=tuple(read.label(tree) for tree in self._trees("labels")),
            rewards=tuple(read.reward(tree) for tree in self._trees("rewards")),
            policies=tuple(policy for policy in policies if isinstance(policy, Policy)),
            update=updates[-1] if updates else "any",
            decisions=tuple(read.decision(tree) for tree in self._trees("decisions")),
            properties=self._stated_properties(),
        )

    def _stated_properties(self) -> tuple[UnparsedProperty, ...]:
        """Return the properties of the file. Each starts on its own line; an indented line
        continues the property above it."""
        indices = [(each.start, each.end) for each in self._properties]
        return stated_properties(
            self._source, indices, self._diagnostics, indented=True, wording=as_formula
        )

    def _report_weighted_beliefs(self, statements: list[Statement]) -> None:
        """Raise an error if the program has weighted beliefs (``flood : <4, 2>``). They belong to a
        dialect of the public CAN tool that is not supported. The rest of such a file would not
        parse either, so no further errors are reported."""
        for statement in statements:
            if statement.kind == "beliefs" and (
                found := _WEIGHTED_BELIEF.search(self._source.text, statement.start, statement.end)
            ):
                hint = (
                    "this is the dialect with evidence for and against beliefs; use actions "
                    "with probabilistic outcomes instead"
                )
                span = self._source.span(found.start(), found.end())
                raise InputError(
                    [Diagnostic("CAN004", "weighted beliefs are not supported", span, hint)]
                )

    def _parse(self, statement: Statement) -> Tree[Token] | None:
        try:
            return parser().parse(
                self._source, _RULES[statement.kind], start=statement.start, end=statement.end
            )
        except InputError as error:
            self._diagnostics.extend(error.diagnostics)
            return None

    def _trees(self, kind: Kind) -> Iterator[Tree[Token]]:
        return (tree for statement, tree in self._parsed if statement.kind == kind)

    def _events(self) -> Iterator[ExternalEvent]:
        names = (token for tree in self._trees("events") for token in _tokens(tree))
        return (
            ExternalEvent(number, str(name), span=span_of(self._source, name))
            for number, name in enumerate(names, start=1)
        )

    def _bases(self, read: _Statements) -> tuple[BeliefBase, ...]:
        bases: dict[int, BeliefBase] = {}
        for statement, tree in self._parsed:
            if statement.kind != "beliefs":
                continue
            base = read.base(
                statement.number or 1, tree, self._source.span(statement.start, statement.end)
            )
            if base.number in bases:
                self._diagnostics.error(
                    "CAN005", f"duplicate initial belief base {base.number}", base.span
                )
            bases[base.number] = base
        return tuple(bases.values()) or (BeliefBase(1, ()),)


class _Statements:
    """Converter of parse trees to syntax nodes, with one method per kind of statement."""

    def __init__(
        self,
        source: Source,
        diagnostics: Diagnostics,
        actions: Collection[str],
        parameters: Collection[str],
    ) -> None:
        self._source = source
        self._diagnostics = diagnostics
        self._actions = actions
        self._conditions = ConditionReader(source, diagnostics, parameters)

    # --- statements in sections of the public CAN tool --------------------------------------------

    def base(self, number: int, tree: Tree[Token], span: Span) -> BeliefBase:
        return BeliefBase(
            number, tuple(self._initial_belief(each) for each in _trees(tree)), span=span
        )

    def _initial_belief(self, tree: Tree[Token]) -> InitialBelief:
        return InitialBelief(_name(tree), self._optional_number(tree), span=self._span(tree))

    def plan(self, number: int, tree: Tree[Token]) -> Plan:
        context, *body = _trees(tree)
        term = self.body(body[0]) if body else NIL
        return Plan(
            number, _name(tree), self._conditions.condition(context), term, span=self._span(tree)
        )

    def action(self, tree: Tree[Token]) -> Action:
        precondition, *outcomes = _trees(tree)
        read = tuple(self._outcome(outcome) for outcome in outcomes)
        return Action(
            _name(tree), self._conditions.condition(precondition), read, span=self._span(tree)
        )

    def _outcome(self, tree: Tree[Token]) -> Outcome:
        *probability, deleted, added = _trees(tree)
        return Outcome(
            self._conditions.expression(probability[0]) if probability else Constant(Fraction(1)),
            tuple(
                RemoveBelief(str(name), span=span_of(self._source, name))
                for name in _tokens(deleted)
            ),
            tuple(
                change
                for tree in _trees(added)
                if not isinstance(change := self._change(tree), RemoveBelief)
            ),
            span=self._span(tree),
        )

    def _change(self, tree: Tree[Token]) -> Change:
        name, span = _name(tree), self._span(tree)
        match tree.data:
            case "believe":
                return AddBelief(name, span=span)
            case "forget":
                return RemoveBelief(name, span=span)
            case _:
                return Assign(name, self._conditions.expression(_trees(tree)[0]), span=span)

    # --- plan bodies ------------------------------------------------------------------------------

    def body(self, tree: Tree[Token]) -> Body:
        return run_iteratively(self._body(tree))

    def _body(self, tree: Tree[Token]) -> DeferredCall[Body]:
        span, children = self._span(tree), _trees(tree)
        match tree.data:
            case "call":
                return (Act if _name(tree) in self._actions else EventGoal)(_name(tree), span=span)
            case "test":
                return Test(self._conditions.condition(children[0]), span=span)
            case "nil":
                return Nil(span=span)
            case "goal":
                success, failure = (
                    self._conditions.condition(children[0]),
                    self._conditions.condition(children[2]),
                )
                return DeclarativeGoal(success, (yield self._body(children[1])), failure, span=span)
            case "sequence":
                return Sequence(
                    (yield self._body(children[0])), (yield self._body(children[1])), span=span
                )
            case "parallel":
                return Parallel(
                    (yield self._body(children[0])), (yield self._body(children[1])), span=span
                )
            case "recovery":
                return Recovery(
                    (yield self._body(children[0])), (yield self._body(children[1])), span=span
                )
            case _:
                return self._change(tree)

    # --- statements in sections that Volition adds ------------------------------------------------

    def parameter(self, tree: Tree[Token]) -> ParameterDeclaration:
        return ParameterDeclaration(
            _name(tree), self._conditions.expression(_trees(tree)[0]), span=self._span(tree)
        )

    def background(self, tree: Tree[Token]) -> BackgroundChange:
        changes = [each for each in _trees(tree) if each.data in ("believe", "forget", "assign")]
        condition = [each for each in _trees(tree) if each not in changes]
        guard = self._conditions.condition(condition[0]) if condition else BooleanLiteral(True)
        return BackgroundChange(
            guard, tuple(self._change(change) for change in changes), span=self._span(tree)
        )

    def label(self, tree: Tree[Token]) -> Label:
        return Label(
            _name(tree),
            self._conditions.condition(_trees(tree)[0], phases=True),
            span=self._span(tree),
        )

    def reward(self, tree: Tree[Token]) -> Reward:
        items = tuple(
            item for each in _trees(tree) if (item := self._reward_item(each)) is not None
        )
        return Reward(_name(tree), items, span=self._span(tree))

    def _reward_item(self, tree: Tree[Token]) -> RewardItem | None:
        by, amount = _trees(tree)
        target = self._target(by)
        return (
            None
            if target is None
            else RewardItem(target, self._conditions.expression(amount), span=self._span(tree))
        )

    def _target(self, tree: Tree[Token]) -> Target | None:
        name, span = _name(tree), self._span(tree)
        if quoted := _QUOTED_RULE.fullmatch(name):
            return RuleTarget(quoted[1], quoted[2], span=span)
        if not _trees(tree):
            return RuleTarget(name, span=span)
        inside = _trees(tree)[0]
        if name == "Bel":
            return StateTarget(self._conditions.condition(inside), span=span)
        if inside.data in ("name", "number"):
            return RuleTarget(name, _name(inside), span=span)
        self._diagnostics.error(
            "CAN014", f"'{name}' expects a single name or number in brackets", span
        )
        return None

    def policy(self, tree: Tree[Token]) -> Policy | DropPolicy | None:
        head, kind = _tokens(tree)[0], _trees(tree)[0]
        if str(head) == "update":
            for left_over in _trees(kind)[:1]:
                self._diagnostics.error(
                    "CAN032",
                    "unexpected text after the update policy",
                    self._span(left_over),
                    hint="remove it",
                )
            return self._one_of("update policy", _tokens(kind)[0], DROP_POLICIES)
        selection = self._one_of("policy", head, POLICY_TARGETS)
        return None if selection is None else self.selection_policy(selection, kind)

    def selection_policy(self, selection: PolicyTarget, tree: Tree[Token]) -> Policy | None:
        kind = self._one_of("kind of policy", _tokens(tree)[0], POLICY_KINDS)
        items = tuple(
            PolicyItem(_name(each), self._optional_number(each), span=self._span(each))
            for each in _trees(tree)
        )
        return None if kind is None else Policy(selection, kind, items, span=self._span(tree))

    def decision(self, tree: Tree[Token]) -> Decision:
        subject, *text, condition = tree.children
        when = (
            self._conditions.condition(condition, phases=True)
            if isinstance(condition, Tree)
            else BooleanLiteral(True)
        )
        event = _name(subject) if isinstance(subject, Tree) else None
        if text:
            return ActionDecision(event, str(text[0]).strip('"'), when, span=self._span(tree))
        assert event is not None, "the grammar asks for it"
        return ScheduleDecision(event, when, span=self._span(tree))

    def _one_of(self, what: str, token: Token, known: tuple[_L, ...]) -> _L | None:
        for each in known:
            if each == str(token):
                return each
        hint = did_you_mean(str(token), known) or f"expected one of {', '.join(known)}"
        self._diagnostics.error(
            "CAN015", f"unknown {what} '{token}'", span_of(self._source, token), hint=hint
        )
        return None

    def _optional_number(self, tree: Tree[Token]) -> Expression | None:
        """Return the expression in a parse tree ``name = expression``, or None if the tree has only
        the name."""
        return self._conditions.expression(_trees(tree)[0]) if _trees(tree) else None

    def _span(self, tree: Tree[Token]) -> Span:
        return span_of(self._source, tree)


def _tokens(tree: Tree[Token]) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]


def _trees(tree: Tree[Token]) -> list[Tree[Token]]:
    return [child for child in tree.children if isinstance(child, Tree)]


def _name(tree: Tree[Token]) -> str:
    """Return the first token of a parse tree as text: the name that the statement declares."""
    return str(_tokens(tree)[0])

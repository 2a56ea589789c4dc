"""Parser for plan bodies and their steps (``if``, ``for``, ``while`` and forks too), for triggers
and plans, and for the content of braces that are used as a term."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal as OneOf
from typing import cast

from volition.languages.jason.parsing.formulas import RELATIONS, FormulaReader
from volition.languages.jason.parsing.tokens import NAME, STOP, VARIABLE, Token, syntax_error
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    BeliefRule,
    Body,
    Constraint,
    For,
    Fork,
    If,
    InternalAction,
    Plan,
    RemoveBelief,
    ReplaceBelief,
    Step,
    Test,
    Trigger,
    TriggerKind,
    VariableStep,
    While,
)
from volition.languages.jason.terms import (
    TRUE,
    And,
    Arithmetic,
    BracedTerm,
    Compare,
    Literal,
    Not,
    Or,
    Term,
    Variable,
)

__all__ = ["BodyReader"]

_Reading = Callable[[], Body]
_UPDATES = ("++", "+<", "+>", "--", "-+")
_KINDS: dict[str, TriggerKind] = {"!": "achieve", "?": "test"}
_STATEMENTS = ("if", "for", "while")
_ONLY_IN_BODIES = (";", "|||", "|&|", "!", "!!", "?", *_STATEMENTS)
"""Tokens that occur in a bracket around a plan body, but never in a bracket around a formula."""


class BodyReader(FormulaReader):
    """Parser for plan bodies, triggers and plans."""

    def body(self) -> Body:
        """Parse the steps of a plan body, separated by ``;``. A trailing ``;`` is allowed."""
        steps: list[Step] = []
        while True:
            if self.next.kind in _STATEMENTS:
                steps.append(self._statement())
                is_over = self.taken(";") is None and not self._begins_step_here()
            else:
                steps += self._fork()
                is_over = self.taken(";") is None
            if is_over or not self._begins_step_here():
                return tuple(steps)

    def _begins_step_here(self) -> bool:
        return not self.at_end and self.next.kind not in (".", "}", ")")

    def _fork(self) -> Body:
        """Parse ``A ||| B ||| ..``, where each branch may be a fork ``C |&| D |&| ..``."""
        return self._branches("|||", lambda: self._branches("|&|", self._grouped))

    def _branches(self, sign: OneOf["|||", "|&|"], read: _Reading) -> Body:
        first = self.next
        branches = [read()]
        while self.taken(sign):
            branches.append(read())
        return (
            branches[0]
            if len(branches) == 1
            else (Fork(sign, tuple(branches), span=self.span(first)),)
        )

    def _grouped(self) -> Body:
        """Parse a single step, or a plan body in round brackets."""
        opening = self.next
        if opening.kind != "(" or not (
            self.bracket_holds(*_ONLY_IN_BODIES) or self._change_is_in_bracket()
        ):
            return self._step()
        with self.deeper(opening):
            self.take()
            body = self.body()
            self.close(")", ";")
        return body

    def _change_is_in_bracket(self) -> bool:
        """Return whether the bracket that the next token opens contains a belief change such as
        ``(-p)``, and not a condition such as ``(-X < Y)``."""
        sign, second = self.ahead().kind, self.ahead(2).kind
        return sign in ("+", "-") and (
            sign + second in _UPDATES or not self.bracket_holds(*RELATIONS, "&", "|")
        )

    def _braces(self) -> Body:
        """Parse a plan body in braces, which may be empty."""
        opening = self.expect("{")
        with self.deeper(opening):
            body = () if self.next.kind == "}" else self.body()
            self.close("}", ";")
        return body

    def _statement(self) -> Step:
        word = self.take()
        self.expect("(")
        condition = self.formula()
        self.expect(")")
        body = self._braces()
        if word.kind == "for":
            return For(condition, body, span=self.span(word))
        if word.kind == "while":
            return While(condition, body, span=self.span(word))
        otherwise: Body = ()
        if self.next.kind == "elif":
            with self.deeper(self.next):
                otherwise = (self._statement(),)
        elif self.taken("else"):
            if self.next.kind == "if":
                self.fail(hint="write elif")
            otherwise = self._braces()
        return If(condition, body, otherwise, span=self.span(word))

    # --- parsing single steps ---------------------------------------------------------------------

    def _step(self) -> Body:
        first = self.next
        match first.kind:
            case "!" | "!!":
                self.take()
                goal = self.literal()
                return (Achieve(goal, first.kind == "!!", span=self.span(first)),)
            case "?":
                self.take()
                query = self.formula()
                return (Test(query, span=self.span(first)),)
            case "+" | "-":
                return (self._update(),)
            case _:
                pass
        return self._plain(first, self.formula())

    def _update(self) -> Step:
        """Parse a belief change: ``+b``, ``++b``, ``+<b``, ``+>b``, ``-b``, ``--b`` or ``-+b``."""
        first = self.take()
        second = (
            self.take().kind
            if self.next.kind in ("+", "-", "<", ">") and first.kind + self.next.kind in _UPDATES
            else ""
        )
        operand = self.next
        belief = self.formula()
        if not isinstance(belief, Literal | Variable | BracedTerm):
            raise syntax_error(
                f"'{belief}' is not a belief",
                self.token_span(operand),
                "expected a literal, such as p(X)",
            )
        span = self.span(first)
        if isinstance(belief, BracedTerm):
            self.refuse(
                "plans and rules that change at run time",
                "the program itself would be part of the state",
                span,
                "write them in the program, with a belief as condition",
            )
        match first.kind + second:
            case "-+":
                return ReplaceBelief(belief, span=span)
            case "-" | "--":
                return RemoveBelief(belief, bool(second), span=span)
            case _:
                pass
        return AddBelief(belief, own_intention=second == "+", last=second == ">", span=span)

    def _plain(self, first: Token, formula: Term) -> Body:
        """Return the step that a formula denotes if no operator such as ``!`` or ``?`` precedes it:
        an action, a constraint or a variable. Actions of the environment have no namespace, not
        even inside ``{begin namespace(n)}``."""
        span = self.span(first)
        if isinstance(formula, Literal | Variable):
            formula = replace(formula, namespace=None)
        match formula:
            case Literal("false", (), ()):
                return (Constraint(formula, span=span),)
            case Literal():
                if formula == TRUE:
                    return ()
                return (
                    (InternalAction(formula, span=span),)
                    if formula.is_internal
                    else (Act(formula, span=span),)
                )
            case Variable():
                return (VariableStep(formula, span=span),)
            case BracedTerm(tuple() as body):
                return body
            case Compare() | And() | Or() | Not():
                return (Constraint(formula, span=span),)
            case _:
                pass
        if self.next.kind in ("<-", ":"):
            self.fail(STOP, ";")
        raise syntax_error(
            f"'{span.text}' is not a step",
            span,
            "expected an action, a goal, a change of beliefs or a condition",
        )

    # --- parsing triggers, plans and blocks in braces ---------------------------------------------

    def trigger(self) -> Trigger:
        """Parse the trigger of a plan: ``+b``, ``-!g``, ``+?q`` or ``^!g``."""
        sign = self.expect("+", "-", "^")
        mark = self.taken("!", "?")
        literal = self.literal()
        if literal in (TRUE,) or (isinstance(literal, Literal) and literal.is_internal):
            raise syntax_error(
                f"'{literal}' cannot be an event", self.span(sign), "expected a belief or goal"
            )
        kind = "belief" if mark is None else _KINDS[mark.kind]
        return Trigger(cast("OneOf['+', '-', '^']", sign.kind), kind, literal, span=self.span(sign))

    def plan_after_label(self, first: Token, label: str, annotations: tuple[Term, ...]) -> Plan:
        """Parse the rest of a plan after its label: ``trigger : context <: goal condition <-
        body``."""
        trigger = self.trigger()
        context = self._context() if self.taken(":") else TRUE
        if sign := self.taken("<:"):
            self.formula()
            self.refuse(
                "goal conditions ('<:')",
                "Volition does not support them yet",
                self.span(sign),
                "test the condition in the context, and drop the goal in a plan",
            )
        body = self.body() if self.taken("<-") else ()
        return Plan(label, trigger, context, body, annotations, span=self.span(first))

    def _context(self) -> Term:
        first = self.next
        context = self.formula()
        if not isinstance(context, Literal | Variable | Compare | And | Or | Not):
            hint = (
                "write <- before the body"
                if isinstance(context, Arithmetic)
                else "expected a belief or a comparison"
            )
            raise syntax_error(
                f"'{self.span(first).text}' is not a condition", self.span(first), hint
            )
        return context

    def label(self) -> tuple[str, tuple[Term, ...]]:
        """Parse the label of a plan after ``@``: a name with arguments, a name with annotations, or
        annotations only. Return the label, empty if there is no name, and the annotations."""
        if self.next.kind == NAME and self.ahead().kind == "(":
            label = self.predication()
            return self._in_module(replace(label, annotations=())), label.known_annotations
        name = self.taken(NAME, "begin", "end", VARIABLE)
        if name is None and self.next.kind != "[":
            self.fail(NAME, "[")
        annotations = self.list().items if self.next.kind == "[" else ()
        return "" if name is None else self._in_module(Literal(name.text)), annotations

    def _in_module(self, label: Literal) -> str:
        module = self.namespaces.of(label, self.implied)
        return str(label) if module is None else f"{module}::{label}"

    def _block(self) -> BracedTerm:
        is_plan, is_rule = self.bracket_holds("<-", ":"), self.bracket_holds(":-")
        self.take()
        first = self.next
        content: Body | Trigger | Plan | BeliefRule
        if first.kind == "}":
            content = ()
        elif first.kind == "@" or (is_plan and first.kind in ("+", "-", "^")):
            name, annotations = self.label() if self.taken("@") else ("", ())
            content = self.plan_after_label(first, name, annotations)
        elif first.kind == "^" or (first.kind in ("+", "-") and self.ahead().kind in ("!", "?")):
            content = self.trigger()
        elif is_rule:
            head = self.literal()
            self.expect(":-")
            content = BeliefRule(cast(Literal, head), self.formula(), span=self.span(first))
        else:
            content = self.body()
        self.expect("}")
        return BracedTerm(content)

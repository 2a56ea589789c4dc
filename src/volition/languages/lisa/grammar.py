"""Grammar of the single statements in a LISA project, and the conversion of parse trees to
:mod:`.syntax`.

A file is split into statements first (:mod:`.reasoning_file`, :mod:`.action_file`), so that each
statement reports its own errors. A sentence and the brackets around it are one token: the text
between the brackets is natural language. Comments are blanked out before parsing, so that they can
be anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TypeVar, get_args

from lark import Token, Tree

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span
from volition.languages.common.sections import blank_comments
from volition.languages.lisa.names import find_operator_mark
from volition.languages.lisa.syntax import (
    LARGEST,
    ActionCall,
    And,
    BeliefAtom,
    BooleanLiteral,
    ClassUse,
    Condition,
    EventKind,
    FeedbackEntry,
    MentalAction,
    Not,
    Or,
    PerceptEntry,
    PlanStep,
    ReasoningRule,
    Rewards,
    SendMessage,
    Sentence,
    TimingDistribution,
    Trigger,
    TriplePart,
    WithdrawPlan,
    objection,
)
from volition.logic.numbers import LIMITS, exact_number
from volition.parsing import Parser, span_of

__all__ = ["StatementReader"]

_GRAMMAR = r"""
initial_belief: _sentence "."?
initial_action: BARE "."? | _step
percept: _sentence "."? distributions? rewards? "."?
object: class_use "."?
rule: _IF condition _THEN conclusion "."?
header: _IF event (_WHILE condition)? _THEN
steps: _step+
feedbacks: feedback ("," feedback)*
classes: class_use ("," class_use)*
literals: literal ("," literal)*
lone_condition: condition

_sentence: BELIEF | BRACKETED | BARE
_step: mental_act | call | sending
mental_act: SIGN BELIEF | SIGN BELIEF "." | SIGN BELIEF "."? rewards "."?
call: BRACKETED | BRACKETED "." | BRACKETED "."? rewards "."?
sending: WITH_BELIEF | WITH_BELIEF "." | WITH_BELIEF "."? rewards "."?
conclusion: SIGN? BELIEF
event: (SIGN | NOT)? BELIEF

?condition: conjunction | conjunction (_OR conjunction)+ -> disjunction
?conjunction: unary | unary (_AND unary)+
?unary: BELIEF -> belief
      | ("~" | NOT) unary -> negation
      | "(" condition ")"
      | _TRUE -> true
      | _FALSE -> false

distributions: "{" CONDITIONS ("," triple)* "}"
triple: "[" SIGNED ("," SIGNED)* "]"
rewards: "{" reward ("," reward)* "}"
reward: NAME "=" NUMBER
feedback: WRAPPED triple
class_use: WRAPPED BRACKETED
literal: "~"? (BELIEF | BARE)

_IF: /if\b/i
_THEN: /then\b/i
_WHILE: /while\b/i
_AND: /and\b/i
_OR: /or\b/i
NOT: /not\b/i
_TRUE: /true\b/i
_FALSE: /false\b/i
SIGN: /[-+~]/
BELIEF: /\^\s*\[[^\[\]]*\]/
BRACKETED: /\[[^\[\]]*\]/
WITH_BELIEF: /\[[^\[\]]*\^\s*\[[^\[\]]*\][^\[\]]*\]/
CONDITIONS: /\[([^\[\]]|\[[^\[\]]*\])*\]/
BARE: /[^\s.,\[\]{}^~+-][^.,\[\]{}^\n]*/
WRAPPED: /[^\s.,\[\]{}^~+-][^.,\[\]{}^]*/
NAME: /[A-Za-z_]\w*/
NUMBER: /\d+(\.\d+)?([eE][-+]?\d+)?/
SIGNED: /-?\d+(\.\d+)?([eE][-+]?\d+)?/
%ignore /\s+/
"""

_NAMES = {
    "BELIEF": "a belief ^[...]",
    "BRACKETED": "a sentence in brackets [...]",
    "WITH_BELIEF": "a message [Send ^[...] to ...]",
    "BARE": "a sentence",
    "WRAPPED": "a sentence",
    "CONDITIONS": "a list of beliefs [...]",
    "SIGN": "'+' or '-'",
    "NUMBER": "a number",
    "SIGNED": "a number",
    "NAME": "a name",
    "NOT": "'not'",
    **{
        f"_{word}": f"'{word.lower()}'"
        for word in ("IF", "THEN", "WHILE", "AND", "OR", "TRUE", "FALSE")
    },
}

_RULES = [
    "initial_belief", "initial_action", "percept", "object", "rule", "header", "steps",
    "feedbacks", "classes", "literals", "lone_condition",
]  # fmt: skip

_EVENT_KINDS: dict[str, EventKind] = {"": "held", "~": "absent", "+": "added", "-": "removed"}

_SEND = re.compile(
    r"\[\s*send\s*\^\s*\[(?P<message>[^\[\]]*)\]\s*to\s+(?P<receivers>[^.]*?)\s*\.?\s*\]",
    re.IGNORECASE,
)
_RECEIVER = re.compile(r"\b(?!and\b)[^\s,]+", re.IGNORECASE)
_WITHDRAW = re.compile(r"withdraw[\s_]+plan[\s_]+(?P<number>\d{1,9})", re.IGNORECASE)

_DEEPEST = 100
"""Maximal nesting of a condition. The parser reports deeper conditions as errors, so that all
functions on parsed conditions can be recursive."""

_T = TypeVar("_T")


@cache
def _parser() -> Parser:
    return Parser(_GRAMMAR, code="LIS001", start=_RULES, names=_NAMES)


class StatementReader:
    """Reader for the statements in one source. If a statement has a syntax error, a method reports
    it to ``diagnostics`` and returns None."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self._source = source
        self._diagnostics = diagnostics
        self._code = Source(source.name, blank_comments(source.text))
        """The source with comments replaced by blanks, so that positions stay the same."""

    @property
    def text(self) -> str:
        """The text of the source without its comments."""
        return self._code.text

    # --- one method per kind of statement ---------------------------------------------------------

    def sentence(self, start: int, end: int) -> Sentence:
        """Return the sentence between two positions; report characters that a sentence of natural
        language cannot contain."""
        sentence = Sentence(self.text[start:end], self._source.span(start, end))
        if not any(character.isalnum() for character in sentence.written):
            self._diagnostics.error("LIS002", "empty sentence", sentence.span)
        elif mark := find_operator_mark(sentence.written):
            span = self._source.span(start + mark.start(), start + mark.end())
            self._diagnostics.error(
                "LIS008", f"unexpected '{mark[0]}' in a sentence", span, hint=_hint_for(mark[0])
            )
        return sentence

    def initial_belief(self, start: int, end: int) -> Sentence | None:
        return self._read("initial_belief", start, end, lambda tree: self._sentence(_token(tree)))

    def initial_action(self, start: int, end: int) -> PlanStep | None:
        return self._read("initial_action", start, end, self._initial_action)

    def percept(self, start: int, end: int, *, is_message: bool) -> PerceptEntry | None:
        return self._read("percept", start, end, lambda tree: self._percept(tree, is_message))

    def object(self, start: int, end: int) -> ClassUse | None:
        return self._read(
            "object", start, end, lambda tree: self._class_use(_trees(tree, "class_use")[0])
        )

    def rule(self, start: int, end: int) -> ReasoningRule | None:
        return self._read("rule", start, end, self._rule)

    def header(self, start: int, end: int) -> tuple[Trigger, Condition] | None:
        """Return the triggering event and the context condition in the first line of a plan."""
        return self._read("header", start, end, self._header)

    def steps(self, start: int, end: int) -> list[PlanStep] | None:
        return self._read(
            "steps", start, end, lambda tree: [self._step(each) for each in _children(tree)]
        )

    def feedbacks(self, start: int, end: int) -> list[FeedbackEntry] | None:
        return self._read(
            "feedbacks", start, end, lambda tree: [self._feedback(each) for each in _children(tree)]
        )

    def classes(self, start: int, end: int) -> list[ClassUse] | None:
        return self._read(
            "classes", start, end, lambda tree: [self._class_use(each) for each in _children(tree)]
        )

    def condition(self, start: int, end: int) -> Condition | None:
        return self._read(
            "lone_condition", start, end, lambda tree: self._condition(_children(tree)[0])
        )

    # --- from parse trees to syntax ---------------------------------------------------------------

    def _read(
        self, rule: str, start: int, end: int, build: Callable[[Tree[Token]], _T]
    ) -> _T | None:
        try:
            return build(_parser().parse(self._code, rule, start=start, end=end))
        except InputError as error:
            spans = [(each, each.span) for each in error.diagnostics]
            self._diagnostics.extend(
                replace(each, span=self._source.span(span.start, span.end) if span else None)
                for each, span in spans
            )
            return None

    def _span(self, node: Tree[Token] | Token) -> Span:
        return span_of(self._source, node)

    def _sentence(self, token: Token) -> Sentence:
        """Return the sentence in a token such as ``^[Door open]``. Neither its text nor its span
        includes the brackets and the ``^``."""
        text = str(token)
        bare = text.removeprefix("^").lstrip().removeprefix("[").removesuffix("]").strip()
        start = (token.start_pos or 0) + text.find(bare)
        if not bare:
            self._diagnostics.error("LIS002", "empty sentence", self._span(token))
        return (
            self.sentence(start, start + len(bare)) if bare else Sentence(bare, self._span(token))
        )

    def _initial_action(self, tree: Tree[Token]) -> PlanStep:
        if steps := _children(tree):
            return self._step(steps[0])
        sentence = self._sentence(_token(tree))
        return _call(sentence, {}, sentence.span)

    def _step(self, tree: Tree[Token]) -> PlanStep:
        rewards, span = self._rewards(tree), self._span(tree)
        if tree.data == "call":
            return _call(self._sentence(_token(tree)), rewards, span)
        if tree.data == "sending":
            return self._sending(_token(tree), rewards, span)
        sign, belief = _tokens(tree)
        if sign == "~":
            self._diagnostics.error(
                "LIS003",
                "'~' is not an action: a plan adds a belief with '+' or removes it with '-'",
                self._span(sign),
                hint="write '-' to remove it",
            )
        return MentalAction(sign == "+", self._sentence(belief), rewards, span)

    def _sending(self, token: Token, rewards: Rewards, span: Span) -> SendMessage:
        """Return the step of a plan that sends a message: ``[Send ^[message] to agent.]``."""
        start, written = token.start_pos or 0, _SEND.fullmatch(token)
        names = list(_RECEIVER.finditer(written["receivers"])) if written else []
        if written is None or not names:
            raise InputError(
                [
                    Diagnostic(
                        "LIS017",
                        "this is not a valid message",
                        self._span(token),
                        "write [Send ^[message] to agent.]",
                    )
                ]
            )

        first = start + written.start("receivers")
        receivers = tuple(self.sentence(first + each.start(), first + each.end()) for each in names)
        text = written["message"]
        first = start + written.start("message") + len(text) - len(text.lstrip())
        return SendMessage(
            self.sentence(first, first + len(text.strip())), receivers, rewards, span
        )

    def _percept(self, tree: Tree[Token], is_message: bool) -> PerceptEntry:
        sentence = self._sentence(_token(tree))
        rewards, span = self._rewards(tree), self._span(tree)
        if not (distributions := _trees(tree, "distributions")):
            return PerceptEntry(sentence, is_message, (), None, rewards, span)
        triples = _trees(distributions[0], "triple")
        if len(triples) != 2:
            hint = (
                "write {[conditions],[p,mu,sigma],[p,mu,sigma]}, the last two for activation "
                "and deactivation"
            )
            self._diagnostics.error(
                "LIS007",
                f"a percept expects 3 lists, got {1 + len(triples)}",
                self._span(distributions[0]),
                hint=hint,
            )
            return PerceptEntry(
                sentence,
                is_message,
                (),
                (TimingDistribution(Fraction(1), 1, 0),) * 2,
                rewards,
                span,
            )
        activation, deactivation = map(self._triple, triples)
        conditions = self._literals(_token(distributions[0]))
        return PerceptEntry(
            sentence, is_message, conditions, (activation, deactivation), rewards, span
        )

    def _literals(self, token: Token) -> tuple[Condition, ...]:
        """Return the conditions of a percept, written as a list such as ``[I am at global waypoint,
        ~Sea state is too high]``."""
        start, end = (token.start_pos or 0) + 1, (token.end_pos or 0) - 1
        if not self.text[start:end].strip():
            return ()
        return (
            self._read(
                "literals",
                start,
                end,
                lambda tree: tuple(self._literal(each) for each in _children(tree)),
            )
            or ()
        )

    def _literal(self, tree: Tree[Token]) -> Condition:
        belief = BeliefAtom(self._sentence(_token(tree)))
        return Not(belief) if self._span(tree).text.startswith("~") else belief

    def _rule(self, tree: Tree[Token]) -> ReasoningRule:
        condition, conclusion = _children(tree)
        *sign, belief = _tokens(conclusion)
        return ReasoningRule(
            self._condition(condition),
            "".join(sign) in ("", "+"),
            self._sentence(belief),
            self._span(tree),
        )

    def _header(self, tree: Tree[Token]) -> tuple[Trigger, Condition]:
        event, *context = _children(tree)
        *sign, belief = _tokens(event)
        written = "~" if sign and sign[0].type == "NOT" else "".join(sign)
        return Trigger(_EVENT_KINDS[written], self._sentence(belief)), self._condition(
            context[0]
        ) if context else BooleanLiteral(True)

    def _condition(self, tree: Tree[Token], depth: int = 0) -> Condition:
        if depth > _DEEPEST:
            hint = f"the limit is {_DEEPEST} levels: move a part of it to a rule"
            raise InputError(
                [
                    Diagnostic(
                        "LIS009", "this condition is nested too deeply", self._span(tree), hint
                    )
                ]
            )
        operands = tuple(self._condition(each, depth + 1) for each in _children(tree))
        match tree.data:
            case "belief":
                return BeliefAtom(self._sentence(_token(tree)))
            case "negation":
                return Not(operands[0])
            case "conjunction":
                return And(operands)
            case "disjunction":
                return Or(operands)
            case _:
                return BooleanLiteral(tree.data == "true")

    def _feedback(self, tree: Tree[Token]) -> FeedbackEntry:
        return FeedbackEntry(self._sentence(_token(tree)), self._triple(_children(tree)[0]))

    def _class_use(self, tree: Tree[Token]) -> ClassUse:
        class_name, object_name = _tokens(tree)
        return ClassUse(self._sentence(class_name), self._sentence(object_name))

    def _triple(self, tree: Tree[Token]) -> TimingDistribution:
        if len(_tokens(tree)) != 3:
            hint = "a probability, an average number of cycles, and a variance around it"
            self._diagnostics.error(
                "LIS006",
                f"a distribution expects 3 numbers [p, mu, sigma], got {len(_tokens(tree))}",
                self._span(tree),
                hint=hint,
            )
            return TimingDistribution(Fraction(1), 1, 0)
        p, mu, sigma = (
            self._number(part, token)
            for part, token in zip(get_args(TriplePart), _tokens(tree), strict=True)
        )
        return TimingDistribution(p, int(mu), int(sigma))

    def _number(self, part: TriplePart, token: Token) -> Fraction:
        value = self._exact(token)
        if value is None:
            return Fraction(1)
        if found := objection(part, value):
            what, hint = found
            self._diagnostics.error("LIS004", f"{token} {what}", self._span(token), hint=hint)
        return value

    def _exact(self, token: Token) -> Fraction | None:
        number = exact_number(str(token))
        if number is None or number >= LARGEST:
            self._diagnostics.error(
                "LIS004", "number too long or too large", self._span(token), hint=LIMITS
            )
            return None
        return number

    def _rewards(self, tree: Tree[Token]) -> Rewards:
        values: dict[str, Fraction] = {}
        for reward in (each for group in _trees(tree, "rewards") for each in _children(group)):
            name, value = _tokens(reward)
            if name in values:
                self._diagnostics.error("LIS005", f"duplicate reward '{name}'", self._span(reward))
            values[str(name)] = self._exact(value) or Fraction(0)
        return values


def _call(sentence: Sentence, rewards: Rewards, span: Span) -> ActionCall | WithdrawPlan:
    """Return the step of a plan that a sentence in brackets stands for: ``Withdraw plan N`` is
    built into the language, every other sentence calls an action."""
    if found := _WITHDRAW.fullmatch(sentence.text):
        return WithdrawPlan(int(found["number"]), sentence, rewards, span)
    return ActionCall(sentence, rewards, span)


def _hint_for(mark: str) -> str:
    """Return a hint on what to write instead of a character or operator that a sentence cannot
    contain."""
    if mark in "!~¬∼":
        return (
            "'~' before the belief says that it is not held: ~^[Door open], in the condition of "
            "a percept ~Door open"
        )
    if mark in "\"'“”„«»":
        return "write sentences without quotation marks"
    if mark in "&|∧∨":
        return "conditions combine beliefs: ^[Door open] and ^[Light on]"
    return "a sentence consists of words and numbers"


def _children(tree: Tree[Token]) -> list[Tree[Token]]:
    return [each for each in tree.children if isinstance(each, Tree)]


def _trees(tree: Tree[Token], data: str) -> list[Tree[Token]]:
    return [each for each in _children(tree) if each.data == data]


def _tokens(tree: Tree[Token]) -> list[Token]:
    return [each for each in tree.children if isinstance(each, Token)]


def _token(tree: Tree[Token]) -> Token:
    return _tokens(tree)[0]

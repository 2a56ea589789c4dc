"""Parser for ``.asl`` files. After an error, parsing continues after the next full stop, so that
all errors are reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from volition.diagnostics import Diagnostics, InputError, Source, Span
from volition.languages.jason.directives import (
    Directive,
    ExpandedProgram,
    Includes,
    Statement,
    apply_directives,
)
from volition.languages.jason.namespaces import Namespaces, has_local_names
from volition.languages.jason.parsing.bodies import BodyReader
from volition.languages.jason.parsing.tokens import NAME, STOP, Token, syntax_error
from volition.languages.jason.syntax import (
    AgentProgram,
    BeliefRule,
    Body,
    InitialBelief,
    InitialGoal,
    InternalAction,
    Plan,
)
from volition.languages.jason.terms import TRUE, Literal, Term, Variable
from volition.languages.jason.traversal import all_steps, variables_in

__all__ = ["read_agent", "read_body", "read_literals", "read_rule", "read_statements", "read_term"]


def read_agent(
    source: Source, diagnostics: Diagnostics, find: Includes | None = None
) -> AgentProgram:
    """Parse the program in an ``.asl`` file. Errors go to ``diagnostics``; the returned program
    contains the valid statements.

    ``find`` returns the source of an included file, or None if it has reported that there is none.
    """
    numbers = count(1)

    def read(text: Source, module: str | None) -> list[Statement]:
        return read_statements(text, diagnostics, Namespaces(numbers, module))

    outcome = ExpandedProgram(diagnostics, read, find, numbers)
    apply_directives(read(source, None), outcome)
    plans = tuple(
        plan if plan.label else replace(plan, label=f"p__{number}")
        for number, plan in enumerate(outcome.plans, 1)
    )
    _report_duplicate_labels(plans, diagnostics)
    _report_local_names_in_messages(plans, diagnostics)
    functions, java_functions = tuple(outcome.functions), tuple(outcome.java_functions)
    return AgentProgram(
        source,
        tuple(outcome.beliefs),
        tuple(outcome.goals),
        plans,
        functions=functions,
        java_functions=java_functions,
    )


def _report_duplicate_labels(plans: Sequence[Plan], diagnostics: Diagnostics) -> None:
    spans: dict[str, Span] = {}
    for plan in plans:
        if plan.label in spans:
            hint = f"the first is at {spans[plan.label]}"
            diagnostics.error("JSN004", f"duplicate label '{plan.label}'", plan.span, hint=hint)
        spans.setdefault(plan.label, plan.span)


def _report_local_names_in_messages(plans: Sequence[Plan], diagnostics: Diagnostics) -> None:
    """Report an error for each message whose content belongs to a local namespace. Such a namespace
    belongs to one agent, so that the receiver cannot know it. A receiver with the same program
    would mistake it for its own namespace, because both have the same internal name."""
    for step in (
        step for plan in plans for step in all_steps(plan) if isinstance(step, InternalAction)
    ):
        if step.action.functor in (".send", ".broadcast") and has_local_names(step.action):
            message = (
                "messages in a local namespace cannot be verified, because the namespace belongs "
                "to one agent only"
            )
            hint = "write default:: before it, or declare the namespace as global"
            diagnostics.error("JSN003", message, step.span, hint=hint)


def read_statements(
    source: Source, diagnostics: Diagnostics, namespaces: Namespaces | None = None
) -> list[Statement]:
    """Parse all statements of a file, including directives, which are not expanded."""
    reader = _StatementReader(source, diagnostics)
    reader.namespaces = namespaces or reader.namespaces
    return reader.statements()


def read_body(source: Source, diagnostics: Diagnostics) -> Body:
    """Parse a source that contains only a plan body."""
    reader = BodyReader(source, diagnostics)
    return reader.whole(reader.body)


def read_rule(source: Source, diagnostics: Diagnostics, start: int, end: int) -> BeliefRule:
    """Parse ``head`` or ``head :- body``, without a full stop, between the offsets ``start`` and
    ``end`` of a source. Raises :class:`InputError` for invalid text."""
    reader = BodyReader(source, diagnostics, start, end)
    first = reader.next

    def rule() -> BeliefRule:
        head = reader.predication()
        body = reader.formula() if reader.taken(":-") else TRUE
        return BeliefRule(head, body, span=reader.span(first))

    return reader.whole(rule)


def read_term(source: Source, diagnostics: Diagnostics, start: int, end: int) -> Term:
    """Parse a term or formula between the offsets ``start`` and ``end`` of a source. Raises
    :class:`InputError` for invalid text."""
    reader = BodyReader(source, diagnostics, start, end)
    return reader.whole(reader.formula)


def read_literals(
    source: Source, diagnostics: Diagnostics, start: int, end: int
) -> list[tuple[Literal, Span]]:
    """Parse literals separated by commas, such as ``p(1), q``, between the offsets ``start`` and
    ``end`` of a source. Return each with its span. Raises :class:`InputError` for invalid text."""
    reader = _StatementReader(source, diagnostics, start, end)
    found: list[tuple[Literal, Span]] = []

    def literals() -> None:
        while not reader.at_end:
            first = reader.next
            found.append((reader.literal_alone(), reader.span(first)))
            if not reader.at_end:
                reader.expect(",")

    reader.whole(literals)
    return found


@dataclass
class _Opened:
    """Directive ``{begin ..}`` whose ``{end}`` has not been parsed yet. ``inside`` collects the
    statements after it, ``outside`` is the list that contains the directive."""

    directive: Directive
    inside: list[Statement]
    outside: list[Statement]

    @property
    def is_module(self) -> bool:
        """Whether the directive is ``{begin namespace(n)}``, which only sets the namespace of the
        statements inside."""
        return self.inside is self.outside


class _StatementReader(BodyReader):
    """Parser for the statements of ``.asl`` files: beliefs, rules, goals, plans and directives."""

    def statements(self) -> list[Statement]:
        found: list[Statement] = []
        opened: list[_Opened] = []
        while not self.at_end:
            mark = self.mark
            self.begin_statement()
            try:
                self._one(found, opened)
            except InputError as error:
                self.diagnostics.extend(error.diagnostics)
                self._recover(mark)
        for each in opened:
            self.diagnostics.error(
                "JSN001",
                "this directive has no end",
                each.directive.span,
                hint="write { end } after its plans",
            )
            if not each.is_module:
                found += each.inside
        return found

    def _recover(self, mark: int) -> None:
        """Find the position where parsing continues after a syntax error: after the next full stop,
        or at a statement that begins in the first column if the full stop before it is missing.
        ``mark`` is the position where the erroneous statement began."""
        if self.mark > mark and self.is_first_in_line(self.next) and not self.at_end:
            return
        self.take()
        while not self.at_end and self.next.kind != STOP:
            if self.next.kind == "{" and self.is_first_in_line(self.next):
                return
            self.take()
        self.take()

    def _one(self, found: list[Statement], opened: list[_Opened]) -> None:
        inside = opened[-1].inside if opened else found
        first = self.next
        match first.kind:
            case "{":
                self._directive(inside, opened)
            case "!":
                self.take()
                literal = self.literal_alone()
                inside.append(InitialGoal(literal, span=self.span(first)))
                self._stop()
            case "@" | "+" | "-" | "^":
                inside.append(self._plan(first))
            case _:
                inside.append(self._belief(first))
                self._stop()

    def _stop(self) -> None:
        if self.next.kind != STOP:
            self.fail(STOP, hint=_NO_PLAN if self.next.kind == "<-" else None)
        self.take()

    def literal_alone(self) -> Literal:
        """Parse the literal of an initial belief or goal."""
        first = self.next
        literal = self.literal()
        if isinstance(literal, Variable) or literal.is_internal:
            hint = "expected a literal, such as p(1)"
            if isinstance(literal, Variable) and literal.name[:1].isupper():
                name = f"{literal.name[:1].lower()}{literal.name[1:]}"
                hint = f"names begin with a lower-case letter: {name}"
            raise syntax_error(f"'{literal}' is not a belief or goal", self.span(first), hint)
        return literal

    def _belief(self, first: Token) -> InitialBelief | BeliefRule:
        if first.kind not in (NAME, "~", "true", "false", "begin", "end", "::"):
            self.fail(
                hint=(
                    "a statement is a belief, a rule, a goal '!g.', a plan '+!g <- ..' or a "
                    "directive '{..}'"
                )
            )
        literal = self.literal_alone()
        if self.taken(":-"):
            return BeliefRule(literal, self.formula(), span=self.span(first))
        if next(variables_in(literal), None) is not None:
            return BeliefRule(literal, TRUE, span=self.span(first))
        return InitialBelief(literal, span=self.span(first))

    def _plan(self, first: Token) -> Plan:
        label, annotations = self.label() if self.taken("@") else ("", ())
        plan = self.plan_after_label(first, label, annotations)
        if self.next.kind != STOP:
            self.fail(
                STOP, ";" if plan.body else "<-", hint=_NO_RULE if self.next.kind == ":-" else None
            )
        self.take()
        opening = self.next
        if opening.kind == "{" and self.ahead().kind in ("@", "+", "-", "^"):
            self.skip_bracket()
            hint = (
                "write them as ordinary plans, with a belief in their contexts that holds while "
                "the main plan runs"
            )
            reason = "Volition does not support them yet"
            self.refuse("sub-plans", reason, self.token_span(opening), hint)
        return plan

    def _directive(self, inside: list[Statement], opened: list[_Opened]) -> None:
        first = self.expect("{")
        if self.taken("end") is not None:
            self.expect("}")
            if not opened:
                raise syntax_error("{ end } without { begin .. }", self.span(first), "remove it")
            self._end(opened.pop())
            return
        begins = self.taken("begin") is not None
        call = self.predication()
        self.expect("}")
        directive = Directive(call, None, self.namespaces.this, self.span(first))
        if call.functor == "namespace":
            module = self._declared(directive)
            if begins:
                self.namespaces.this = module
                opened.append(_Opened(directive, inside, inside))
        elif begins:
            opened.append(_Opened(directive, [], inside))
        else:
            inside.append(directive)

    def _end(self, done: _Opened) -> None:
        self.namespaces.this = done.directive.namespace
        if not done.is_module:
            done.outside.append(replace(done.directive, inside=tuple(done.inside)))

    def _declared(self, directive: Directive) -> str | None:
        """Return the namespace that a directive ``namespace(n)``, ``namespace(n, local)`` or
        ``namespace(n, global)`` declares."""
        match directive.call.arguments:
            case (Literal(name, (), (), False, None) as word, *manner) if (
                not word.is_internal and manner in _MANNERS
            ):
                return self.namespaces.named(
                    self.namespaces.declare(name, str(manner[0]) if manner else None)
                )
            case _:
                pass
        hint = "write namespace(name), namespace(name, local) or namespace(name, global)"
        self.diagnostics.error(
            "JSN005",
            f"missing or wrong arguments in the directive '{directive.call}'",
            directive.span,
            hint=hint,
        )
        return directive.namespace


_NO_PLAN = "a plan begins with its trigger: +!goal, +belief, -belief; a rule has :- instead of <-"
_NO_RULE = "a plan has : before its context and <- before its body"
_MANNERS: list[list[Term]] = [[], [Literal("local")], [Literal("global")]]

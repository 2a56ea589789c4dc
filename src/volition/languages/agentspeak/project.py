"""Reader of project files (``.mas``), which list the agents and their settings.
``docs/reference/agentspeak.md`` shows one.

Each line is a statement and is parsed separately. The text after the line ``properties`` contains
the properties of the system, in the format of :mod:`volition.logic.parsing.property_file`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, cast

from lark import Token, Tree

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.agentspeak.environment import ENVIRONMENT, NATURE
from volition.languages.agentspeak.settings import (
    BOUNDS,
    NO_AGENT,
    Bounds,
    MessageTrust,
    SelectionFunction,
    Settings,
)
from volition.languages.agentspeak.syntax import FORCES, Force
from volition.languages.common.properties import stated_properties
from volition.languages.common.sections import content_lines
from volition.languages.common.settings import (
    EnumSetting,
    IntegerSetting,
    read_value,
    report_duplicate,
    report_unknown,
)
from volition.languages.world.term_grammar import (
    TERM_GRAMMAR,
    TERM_NAMES,
    TermReader,
    is_nested_too_deeply,
)
from volition.languages.world.terms import Structure, Term, is_ground, show
from volition.logic.parsing.property_file import UnparsedProperty
from volition.parsing import Parser

__all__ = ["OPTIONS", "AgentEntry", "Project", "read_project"]

_RESERVED = (NO_AGENT, "world", ENVIRONMENT, NATURE)
_STATEMENTS = ("agent", "world", "parameter", "properties")

_GRAMMAR = (
    TERM_GRAMMAR
    + r"""
?line: agent | world | parameter | accepts | option
setting: value | _quantity
agent: "agent" NAME ("," NAME)* "=" FILE ["believes" structure ("," structure)*]
world: "world" "=" FILE [":" CLASS]
parameter: "parameter" NAME "=" _quantity
_quantity: ratio | term
accepts: NAME "accepts" forces "from" NAME ("," NAME)*
forces: _force ("," _force)*
_force: TELL | UNTELL | ACHIEVE
option: KEY "=" (value | term)
value: WORD
ratio: RATIO -> number
FILE: /[\w.\/-]+\.\w+/
CLASS: /[A-Za-z_]\w*/
KEY: /([a-z]\w*\.)?(idle|on_failure|Select\w+|M_\w+)/
WORD: /[a-z]+-[a-z-]+/
RATIO.1: /-?\d+\/0*[1-9]\d*/
TELL: "tell"
UNTELL: "untell"
ACHIEVE: "achieve"
"""
)


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """Agent as listed in a project file: its name, the file of its program, and its initial beliefs
    in addition to those of the program."""

    name: str
    file: str
    beliefs: tuple[Structure, ...]
    span: Span


@dataclass
class Project:
    """Contents of a project file (``.mas``)."""

    source: Source
    agents: list[AgentEntry] = field(default_factory=list)
    world: tuple[str, str | None, Span] | None = None
    parameters: dict[str, tuple[Term, Span | None]] = field(default_factory=dict)
    accepted: dict[tuple[str, Force], frozenset[str]] = field(default_factory=dict)
    trusted: list[tuple[str, Span]] = field(default_factory=list)
    options: list[tuple[str | None, str, Any, Span | None]] = field(default_factory=list)
    properties: tuple[UnparsedProperty, ...] = ()

    def settings(self, agent: str) -> Settings:
        """Return the settings of one agent: the options for all agents, overridden by those for
        this agent. Options with errors are omitted."""
        settings = Settings(trust=MessageTrust(self.accepted))
        ordered = sorted(self.options, key=lambda option: option[0] is not None)
        for owner, key, value, span in ordered:
            if owner in (None, agent):
                settings = _with_option(settings, key, value, span, Diagnostics())
        return settings

    def priorities(self) -> Iterator[tuple[str | None, Sequence[str], Span | None]]:
        """Yield each list of priorities in the project: the agent that it applies to (None for all
        agents), its predicates, and its span."""
        for owner, _, value, span in self.options:
            if isinstance(value, Structure) and value.functor == "priority":
                yield owner, [show(each) for each in value.arguments], span


@cache
def _parser() -> Parser:
    names = {
        **TERM_NAMES,
        "FILE": "a file name",
        "CLASS": "a class",
        "KEY": "an option",
        "WORD": "a word",
        "RATIO": "a fraction",
    }
    return Parser(_GRAMMAR, code="ASP020", start=["line", "setting"], names=names)


def read_project(source: Source, overrides: Mapping[str, str], diagnostics: Diagnostics) -> Project:
    """Return the project in a file. ``overrides`` are options and parameters given outside the
    file, which take precedence. Errors are added to ``diagnostics``."""
    project = Project(source)
    property_spans: list[tuple[int, int]] = []
    reader = _ProjectReader(source, diagnostics, project)
    for start, end in (
        (line.start, line.end) for line in content_lines(source, 0, len(source.text))
    ):
        if source.text[start:end].strip() == "properties":
            property_spans = [(end, len(source.text))]
            break
        try:
            tree = _parser().parse(source, "line", start=start, end=end)
            if not is_nested_too_deeply(tree, source, diagnostics):
                reader.line(tree)
        except InputError as error:
            diagnostics.extend(_unknown_line(source, start, end) or error.diagnostics)
    report_duplicate(reader.stated, diagnostics)
    project.properties = stated_properties(source, property_spans, diagnostics)
    _override(project, overrides, diagnostics)
    _check(project, diagnostics)
    return project


def _unknown_line(source: Source, start: int, end: int) -> Sequence[Diagnostic]:
    """Return a list with one error if the line between two positions begins with an unknown word,
    otherwise an empty list."""
    first, *rest = source.text[start:end].split()
    name = re.split(r"\W", first.rpartition(".")[2])[0]
    known = (*_STATEMENTS, *OPTIONS)
    if name in known or name.startswith("M_") or (rest and did_you_mean(rest[0], ["accepts"])):
        return ()
    hint = (
        did_you_mean(name, known)
        or f"expected {', '.join(_STATEMENTS)}, an option, or 'a accepts tell from b'"
    )
    return [
        Diagnostic(
            "ASP020",
            f"unexpected '{first}' at the start of a line",
            source.span(start, start + len(first)),
            hint,
        )
    ]


Node = Tree[Token]


class _ProjectReader(TermReader):
    """Reader that adds the contents of each line of a project file to a :class:`Project`."""

    def __init__(self, source: Source, diagnostics: Diagnostics, project: Project) -> None:
        super().__init__(source, diagnostics)
        self._project = project
        self.stated: list[tuple[str, Span]] = []
        """Every occurrence of a parameter, an option or an ``accepts`` statement, with its span,
        for the check for duplicates."""

    def line(self, tree: Node) -> None:
        parts = cast("list[Any]", tree.children)
        span = self.span(tree)
        match tree.data:
            case "agent":
                self._agent(parts, span)
            case "world":
                if self._project.world is not None:
                    self.diagnostics.error(
                        "ASP021",
                        "duplicate world",
                        span,
                        hint=f"the first is at line {self._project.world[2].line}",
                    )
                self._project.world = (
                    str(parts[0]),
                    None if parts[1] is None else str(parts[1]),
                    span,
                )
            case "parameter":
                self.stated.append((str(parts[0]), span))
                self._project.parameters[str(parts[0])] = self.term(parts[1]), span
            case "accepts":
                self._accepts(*parts)
            case "option":
                owner, _, key = str(parts[0]).rpartition(".")
                self.stated.append((str(parts[0]), span))
                value = (
                    str(parts[1].children[0]) if parts[1].data == "value" else self.term(parts[1])
                )
                self._project.options.append((owner or None, key, value, span))
            case _:
                pass

    def _agent(self, parts: list[Any], span: Span) -> None:
        tokens = [str(each) for each in parts if isinstance(each, Token)]
        beliefs = tuple(self.structure(each) for each in parts if isinstance(each, Tree))
        for atom, *_ in _repeated(beliefs):
            self.diagnostics.error(
                "ASP021", f"duplicate belief '{atom}'", span, hint="remove one of them"
            )
        for name in tokens[:-1]:
            if name in _RESERVED:
                hint = "this name is reserved for the world: choose another"
                self.diagnostics.error(
                    "ASP022", f"an agent cannot be called '{name}'", span, hint=hint
                )
            known = next((each for each in self._project.agents if each.name == name), None)
            if known is not None:
                self.diagnostics.error(
                    "ASP021",
                    f"duplicate agent '{name}'",
                    span,
                    hint=f"the first is at line {known.span.line}",
                )
            self._project.agents.append(AgentEntry(name, tokens[-1], beliefs, span))

    def _accepts(self, receiver: Any, forces: Any, *senders: Any) -> None:
        for word, *_ in _repeated([*forces.children, *senders]):
            self.diagnostics.error(
                "ASP021", f"'{word}' is listed twice", self.span(word), hint="remove one of them"
            )
        if NO_AGENT in senders and len(senders) > 1:
            hint = f"list agents, or only '{NO_AGENT}'"
            self.diagnostics.error(
                "ASP019",
                f"'{NO_AGENT}' and agents cannot be listed together as senders",
                self.span(senders[0]),
                hint=hint,
            )
        for force in FORCES:
            if force in forces.children:
                self.stated.append((f"{receiver} accepts {force}", self.span(receiver)))
                self._project.accepted[str(receiver), force] = frozenset(
                    str(each) for each in senders
                ) - {NO_AGENT}
        self._project.trusted += [
            (str(each), self.span(each))
            for each in (receiver, *(sender for sender in senders if sender != NO_AGENT))
        ]


def _repeated(words: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield a sequence for each word that occurs again in ``words``: the word, followed by its
    earlier occurrences."""
    for index, word in enumerate(words):
        if before := [each for each in words[:index] if each == word]:
            yield word, *before


# --- reading of options ---------------------------------------------------------------------------

_EVENT_POLICIES = ("fifo", "lifo", "nondeterministic", "priority")
_INTENTION_POLICIES = ("round-robin", *_EVENT_POLICIES)
_CHOICES = {"idle": ("block", "cycle"), "on_failure": ("drop", "event")}
OPTIONS = (*_CHOICES, "SelectEvent", "SelectIntention", *BOUNDS)
"""Names of the options of agents. They can be set for all agents or for one (``ag1.idle``)."""


def _with_option(
    settings: Settings, key: str, value: Any, span: Span | None, diagnostics: Diagnostics
) -> Settings:
    """Return the settings of an agent with one option changed. Errors are reported to
    ``diagnostics``."""
    text = show(value)
    message = f"the setting '{key}' cannot be '{text}'"
    if key in BOUNDS:
        bound = read_value(
            "ASP023",
            message,
            text,
            IntegerSetting(1, remark=f": the maximum number of {BOUNDS[key]}"),
            diagnostics,
            span,
        )
        return (
            replace(settings, bounds=Bounds({**settings.bounds.explicit, key: bound}))
            if bound
            else settings
        )
    if key in _CHOICES:
        choice = read_value(
            "ASP023",
            message,
            text,
            EnumSetting({each: each for each in _CHOICES[key]}),
            diagnostics,
            span,
        )
        return replace(settings, **cast(Any, {key: choice})) if choice else settings
    if key == "SelectEvent":
        selection = _selection(key, value, _EVENT_POLICIES, span, diagnostics)
        return replace(settings, select_event=selection) if selection else settings
    if key == "SelectIntention":
        selection = _selection(key, value, _INTENTION_POLICIES, span, diagnostics)
        return replace(settings, select_intention=selection) if selection else settings
    report_unknown("ASP024", f"unknown setting '{key}'", key, OPTIONS, diagnostics, span)
    return settings


def _selection(
    key: str, value: Any, policies: Sequence[str], span: Span | None, diagnostics: Diagnostics
) -> SelectionFunction | None:
    """Return the selection function for a value such as ``fifo`` or ``priority(alarm, auction)``.
    Report an error and return None if it is not valid."""
    name = value.functor if isinstance(value, Structure) else show(value)
    priorities = (
        tuple(show(each) for each in value.arguments) if isinstance(value, Structure) else ()
    )
    for priority, *_ in _repeated(priorities):
        diagnostics.error(
            "ASP021",
            f"'{priority}' has two priorities",
            span,
            hint="the first one counts: remove the other",
        )
    if name in policies and bool(priorities) == (name == "priority"):
        return SelectionFunction(cast(Any, name), priorities)
    shown = [f"{each}(first, second, ...)" if each == "priority" else each for each in policies]
    diagnostics.error(
        "ASP023",
        f"the setting '{key}' cannot be '{show(value)}'",
        span,
        hint=f"write {', '.join(shown[:-1])} or {shown[-1]}",
    )
    return None


def _override(project: Project, overrides: Mapping[str, str], diagnostics: Diagnostics) -> None:
    """Apply options and parameters given outside the project file. They take precedence over those
    in the file."""
    for key, text in overrides.items():
        value = _value(text)
        owner, _, option = key.rpartition(".")
        if option in OPTIONS and value is not None:
            project.options.append((owner or None, option, value, None))
        elif value is None or isinstance(value, str):
            hint = "write a number such as 3 or 0.5, a name such as red, or a term such as at(1, 2)"
            diagnostics.error("ASP023", f"the setting '{key}' cannot be '{text}'", hint=hint)
        else:
            project.parameters[key] = value, None


def _value(text: str) -> str | Term | None:
    """Return the value that a text gives to a setting: a word with hyphens, as some options have,
    or a ground term. Return None if the text is neither."""
    source = Source("<setting>", text)
    if re.search(r"//|/\*", re.sub(r'"[^"]*"', "", text)):
        return None  # a comment inside a value would silently cut off part of it
    try:
        tree = cast(Node, _parser().parse(source, "setting").children[0])
    except InputError:
        return None
    if tree.data == "value":
        return str(tree.children[0])
    errors = Diagnostics()
    if is_nested_too_deeply(tree, source, errors):
        return None
    term = TermReader(source, errors).term(tree)
    return term if is_ground(term) and not errors.errors else None


def _check(project: Project, diagnostics: Diagnostics) -> None:
    names = [each.name for each in project.agents]
    if not names:
        diagnostics.error(
            "ASP025",
            "the project has no agents",
            project.source.span(0, 1),
            hint="write: agent name = file.asl",
        )
    for owner, key, value, span in project.options:
        _with_option(Settings(), key, value, span, diagnostics)
        if owner is not None and owner not in names:
            diagnostics.error(
                "ASP026",
                f"unknown agent '{owner}' in option {key}",
                span,
                hint=did_you_mean(owner, names),
            )
    for name, span in project.trusted:
        if name not in names:
            diagnostics.error(
                "ASP026",
                f"unknown agent '{name}' in 'accepts'",
                span,
                hint=did_you_mean(name, names),
            )

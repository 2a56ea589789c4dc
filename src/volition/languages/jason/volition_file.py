"""Parser for the options file ``NAME.volition`` beside ``NAME.mas2j`` (or a single ``NAME.asl``).

The ``.mas2j`` file stays as Jason reads it. The options file contains what a verifier needs in
addition, one statement per line, all of it optional::

    world = house.world                 // the environment: docs/reference/world.md; or a Python class: world = house.py:House
    parameter beers = 3                 // a parameter of the world

    cycle = exact                       // exact | parts | whole
    results = late                      // late | after perception
    percept_order = world               // world | any
    time = free                         // free | ordered
    M_Bel = 20                          // bounds: M_Bel M_Ev M_Int M_Act M_Msg M_Num
    robot.M_Int = 4                     // for one agent

    clock = 2026-03-01 12:00:00         // what .date and .time return
    random = [0, 0.25, 0.5]             // what .random(X) may return; math.random(N) returns N times as much

    internal my.plot = nothing                              // succeeds with any arguments and does nothing
    internal my.price(beer, 3)                              // a table: one line per row, without a full stop
    internal my.price(water, 1)
    internal jia.dist(X, Y, D) :- D = math.abs(X - Y)       // a function: a rule as in .asl files
    internal my.dice(X) = choice X in 1 .. 6                // X is any of these numbers, chosen nondeterministically
    internal my.colour(C) = choice C in [red, green]        // one of a list
    internal my.pick(X) = choice candidate(X) & not old(X)  // any solution of a formula
    internal my.random(X, N) = repeated choice X in 0 .. N  // as before; on backtracking it gives another one

    ignore class arch.Watcher           // an agentClass, agentArchClass or beliefBaseClass that has no effect

    properties

    // RESULT: true
    "thirst": F Bel(owner, has(owner, beer))

Options, bounds and parameters can also be overridden on the command line (``--set time=ordered``,
``--set robot.M_Int=4``).
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, cast

from volition.diagnostics import Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.common.properties import stated_properties
from volition.languages.common.sections import content_lines
from volition.languages.common.settings import (
    EnumSetting,
    IntegerSetting,
    read_value,
    report_duplicate,
    report_unknown,
)
from volition.languages.jason.parsing.statements import read_rule, read_term
from volition.languages.jason.settings import BOUNDS, CHOICES, Bounds, InternalActionModel, Settings
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import List, Literal, Number, Term, Variable
from volition.languages.world.terms import Term as WorldTerm
from volition.languages.world.world_parameters import given_value
from volition.logic.parsing.property_file import UnparsedProperty

__all__ = ["OPTIONS", "VolitionFile", "read_options"]

OPTIONS = (*CHOICES, "clock", "random", *BOUNDS)
"""Names of the options that can be set for all agents, or for one agent (``ag1.M_Ev``)."""

_FORMS = {
    "world": "world = house.world",
    "parameter": "parameter beers = 3",
    "internal": "internal my.plot = nothing",
    "ignore class": "ignore class arch.Watcher",
    "properties": "properties, in a line of its own",
}
"""Map from the first word of a line in an options file to an example of such a line, for hints."""

_LINE = re.compile(r"(?:(?P<kind>parameter)\s+)?(?P<key>[\w.]+)\s*=\s*(?P<value>.+)")
_WORLD = re.compile(r"(?P<file>[^:]+?)(?:\s*:\s*(?P<class>[A-Za-z_]\w*))?")
_IGNORE = re.compile(r"ignore\s+class\s+(?P<class>[\w.]+)")
_MODEL = re.compile(
    r"(?P<head>.*?\S)\s*+=\s*+(?:(?P<nothing>nothing)|(?P<repeated>repeated\s+)?choice\s+(?P<values>.+))"
)
_INCOMPLETE_MODEL = re.compile(r"\s*(?P<head>[\w.]+(?:\([^=]*\))?)\s*=\s*(?P<what>\w*).*")
_ONE_OF = re.compile(r"(?P<variable>[A-Z]\w*)\s+in\s+(?P<values>.+)")


@dataclass
class VolitionFile:
    """Parsed options file (``.volition``), combined with the overrides from the command line."""

    source: Source | None = None
    world: tuple[str, str | None, Span | None] | None = None
    parameters: dict[str, tuple[WorldTerm, Span | None]] = field(default_factory=dict)
    stated: list[tuple[str | None, str, str, Span | None]] = field(default_factory=list)
    """Options in the order of the file, then the overrides. Each is a tuple of the agent (None for
    all agents), the option, its value and its source position."""
    internal: dict[str, InternalActionModel] = field(default_factory=dict)
    ignored: dict[str, Span] = field(default_factory=dict)
    properties: tuple[UnparsedProperty, ...] = ()

    def settings(self, agent: str, base: Settings) -> Settings:
        """Return the settings of one agent: ``base``, changed by the options for all agents and
        then by the options for this agent. Invalid options are left out."""
        settings = replace(base, internal=self.internal)
        for owner, key, text, span in sorted(self.stated, key=lambda option: option[0] is not None):
            if owner in (None, agent):
                settings = _with_option(settings, key, text, span, Diagnostics())
        return settings

    def check_owners(self, agents: Sequence[str], diagnostics: Diagnostics) -> None:
        """Report options that are set for agents that do not exist."""
        for owner, key, _, span in self.stated:
            if owner is not None and owner not in agents:
                diagnostics.error(
                    "JSN024",
                    f"unknown agent '{owner}' in option {key}",
                    span,
                    hint=did_you_mean(owner, agents),
                )


def read_options(
    source: Source | None, overrides: Mapping[str, str], diagnostics: Diagnostics
) -> VolitionFile:
    """Parse an options file and apply the overrides from the command line. ``source`` is None if
    the project has no options file. Errors go to ``diagnostics``."""
    options = VolitionFile(source)
    if source is not None:
        _OptionReader(source, diagnostics, options).read()
    for key, text in overrides.items():
        _set(options, key, text, None, diagnostics)
    for _, key, text, span in options.stated:
        _with_option(Settings(), key, text, span, diagnostics)
    return options


class _OptionReader:
    def __init__(self, source: Source, diagnostics: Diagnostics, options: VolitionFile) -> None:
        self._source, self._diagnostics, self._options = source, diagnostics, options
        self._stated: list[tuple[str, Span | str]] = []

    def read(self) -> None:
        source, queried = self._source, list[tuple[int, int]]()
        for line in content_lines(source, 0, len(source.text)):
            if line.text == "properties":
                queried = [(line.end, len(source.text))]
                break
            try:
                self._line(line)
            except InputError as error:
                self._diagnostics.extend(error.diagnostics)
        report_duplicate(self._stated, self._diagnostics)
        self._options.properties = stated_properties(source, queried, self._diagnostics)

    def _line(self, line: Span) -> None:
        text = line.text
        if re.match(r"internal\b", text):
            self._internal(line)
        elif ignored := _IGNORE.fullmatch(text):
            self._stated.append((text, line))
            self._options.ignored[ignored["class"]] = line
        elif (match := _LINE.fullmatch(text)) and (
            match["kind"] or match["key"] == "world" or match["key"].rpartition(".")[2] in OPTIONS
        ):
            self._stated.append((match["key"], line))
            _set(
                self._options,
                match["key"],
                match["value"].strip(),
                line,
                self._diagnostics,
                is_parameter=match["kind"] is not None,
            )
        else:
            self._unknown(line, re.split(r"[\s=]", text)[0])

    def _unknown(self, line: Span, word: str) -> None:
        name = word.rpartition(".")[2]
        form = next(
            (_FORMS[each] for each in _FORMS if each.split()[0] == word),
            f"{word} = .." if name in OPTIONS else None,
        )
        if form is not None:
            self._diagnostics.error(
                "JSN020",
                f"incomplete statement '{word}'",
                line,
                hint=f"write it like {form}",
            )
            return
        hint = (
            did_you_mean(name, [*_FORMS, *OPTIONS])
            or f"expected {', '.join(_FORMS)} or one of {', '.join(OPTIONS)}"
        )
        self._diagnostics.error("JSN020", f"unknown statement '{word}'", line, hint=hint)

    def _internal(self, line: Span) -> None:
        start = line.start + len("internal")
        model = _MODEL.fullmatch(self._source.text, start, line.end)
        match = _INCOMPLETE_MODEL.fullmatch(self._source.text, start, line.end)
        if model is None and match is not None:
            hint = did_you_mean(match["what"], ("nothing", "choice", "repeated choice"))
            hint = hint or (
                f"write {match['head']} = nothing, {match['head']} = choice X in [1, 2], or a "
                "rule with :-"
            )
            self._diagnostics.error(
                "JSN023",
                f"the declaration of {match['head']} does not define what the action does",
                line,
                hint=hint,
            )
        elif model is None:
            rule = read_rule(self._source, self._diagnostics, start, line.end)
            self._declare(InternalActionModel(rule.head.functor, (rule,)), line)
        elif model["nothing"]:
            head = read_rule(self._source, self._diagnostics, *model.span("head")).head
            self._declare(InternalActionModel(head.functor), line)
        else:
            head = read_rule(self._source, self._diagnostics, *model.span("head")).head
            rule = BeliefRule(head, self._solutions(*model.span("values")), span=line)
            is_repeated = model["repeated"] is not None
            self._declare(
                InternalActionModel(head.functor, (rule,), is_choice=True, is_repeated=is_repeated),
                line,
            )

    def _solutions(self, start: int, end: int) -> Term:
        """Return the formula after ``choice`` in a declaration of an internal action. Its solutions
        are the alternatives of the choice."""
        one_of = _ONE_OF.fullmatch(self._source.text, start, end)
        if one_of is None:
            return read_term(self._source, self._diagnostics, start, end)
        variable = Variable(one_of["variable"])
        first, last = one_of.span("values")
        dots = self._source.text.find("..", first, last)
        if dots < 0:
            return Literal(
                ".member", (variable, read_term(self._source, self._diagnostics, first, last))
            )
        low = read_term(self._source, self._diagnostics, first, dots)
        return Literal(
            ".range", (variable, low, read_term(self._source, self._diagnostics, dots + 2, last))
        )

    def _declare(self, action: InternalActionModel, line: Span) -> None:
        """Add ``action``, the model of an internal action, to the options read so far. ``line`` is
        the line of the options file that declares the action.

        A declaration has one of these forms: ``= nothing``, a fact or rule, ``= choice ...``, or
        ``= repeated choice ...``. Several declarations of one action must have the same form, and
        their rules are collected in one model. A second declaration is an error if the form differs
        or is ``= nothing``. A name without a dot inside is also an error, because it does not name
        an internal action of the user.
        """
        internal, name = self._options.internal, action.name
        if "." not in name or name.startswith("."):
            hint = (
                "declare actions of the environment in the world; an internal action has a dot "
                "inside its name, such as package.name"
            )
            self._diagnostics.error(
                "JSN023", f"'{name}' cannot be declared as an internal action", line, hint=hint
            )
        elif name not in internal:
            internal[name] = action
        elif (
            not action.rules
            or not internal[name].rules
            or replace(action, rules=internal[name].rules) != internal[name]
        ):
            hint = (
                "declare it as nothing, by rows and rules, or by choices, not by several of these"
            )
            self._diagnostics.error(
                "JSN023", f"{name} is already declared in a different form", line, hint=hint
            )
        else:
            internal[name] = replace(action, rules=internal[name].rules + action.rules)


def _set(
    options: VolitionFile,
    key: str,
    text: str,
    span: Span | None,
    diagnostics: Diagnostics,
    *,
    is_parameter: bool = False,
) -> None:
    owner, _, option = key.rpartition(".")
    if is_parameter or (key != "world" and option not in OPTIONS):
        value = given_value(text)
        if value is None:
            hint = "write a number such as 3 or 0.5, a name such as red, or a term such as at(1, 2)"
            diagnostics.error(
                "JSN021", f"the parameter '{key}' cannot be '{text}'", span, hint=hint
            )
        else:
            options.parameters[key] = value, span
    elif key == "world":
        named = _WORLD.fullmatch(text)
        options.world = (
            (text, None, span) if named is None else (named["file"], named["class"], span)
        )
    else:
        options.stated.append((owner or None, option, text, span))


def _with_option(
    settings: Settings, key: str, text: str, span: Span | None, diagnostics: Diagnostics
) -> Settings:
    """Return the settings with the option ``key`` set to the value that ``text`` denotes. If the
    value is invalid, report an error."""
    refusal = f"the setting '{key}' cannot be '{text}'"
    if key in BOUNDS:
        bound = read_value(
            "JSN021", refusal, text, IntegerSetting(1, remark=f": {BOUNDS[key]}"), diagnostics, span
        )
        return (
            replace(settings, bounds=Bounds({**settings.bounds.explicit, key: bound}))
            if bound
            else settings
        )
    if key in CHOICES:
        words = " ".join(text.split())
        choice = read_value(
            "JSN021",
            refusal,
            words,
            EnumSetting({each: each for each in CHOICES[key]}),
            diagnostics,
            span,
        )
        return replace(settings, **cast(Any, {key: choice})) if choice else settings
    if key == "clock":
        clock = _clock(text)
        if clock is None:
            diagnostics.error(
                "JSN021", refusal, span, hint="write a day and a time: 2026-03-01 12:00:00"
            )
        return replace(settings, clock=clock)
    if key == "random":
        numbers = _numbers(text)
        if not numbers:
            diagnostics.error(
                "JSN021",
                refusal,
                span,
                hint="write a list of numbers from 0 to less than 1: [0, 0.25, 0.5]",
            )
        return replace(settings, random=numbers)
    report_unknown("JSN020", f"unknown setting '{key}'", key, OPTIONS, diagnostics, span)
    return settings


def _clock(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers in the text of a list, or an empty tuple if the text is not such a list or
    an item cannot be a result of ``.random`` (from 0 to less than 1)."""
    source = Source("<random>", text)
    try:
        term = read_term(source, Diagnostics(), 0, len(text))
    except InputError:
        return ()
    items = term.items if isinstance(term, List) else ()
    numbers = tuple(each for each in items if isinstance(each, int | float) and 0 <= each < 1)
    return numbers if len(numbers) == len(items) else ()

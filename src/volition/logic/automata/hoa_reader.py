"""Reader for automata in the Hanoi Omega-Automata (HOA) format; see
:mod:`volition.logic.automata.hoa`.

The acceptance condition must be a conjunction of clauses ``Inf(i) | ...`` with at most one
``Fin(i)`` each. This covers Büchi, generalised Büchi and Streett acceptance. Marks may be on edges
or states. Labels may be on edges or states, or implicit.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

from volition.diagnostics import Diagnostic, InputError, Source, Span
from volition.logic.automata.automaton import Automaton, AutomatonEdge, Cube, bits
from volition.logic.parsing.parser import parse
from volition.logic.syntax import Formula
from volition.logic.traversal import is_state_formula

__all__ = ["from_hoa"]

_TOKEN = re.compile(
    r'\s+|/\*.*?\*/|(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>--\w+--)|(?P<header>[A-Za-z_][\w-]*:)|(?P<alias>@[\w-]+)'
    r"|(?P<name>[A-Za-z_][\w-]*)|(?P<number>\d+)|(?P<symbol>[\[\](){}!&|])",
    re.DOTALL,
)

_Clause = tuple[set[int], set[int]]  # Fin marks, Inf marks

MAX_STATES = 100_000
MAX_MARKS = 64
MAX_PARTS = 10_000
"""Maximum number of alternatives in a label or an acceptance condition. An automaton that exceeds
this limit, :data:`MAX_STATES` or :data:`MAX_MARKS` is rejected."""


class _TooLarge(Exception):
    """Exception raised if a label or an acceptance condition has more than :data:`MAX_PARTS`
    alternatives."""


def from_hoa(
    text: str, propositions: Mapping[str, Formula] | None = None, *, name: str = "<automaton>"
) -> Automaton:
    """Return the automaton that a HOA text describes.

    ``propositions`` maps names of propositions in the text to formulas. Any other name is parsed as
    a formula.
    """
    reader = _Reader(Source(name, text), propositions or {})
    try:
        return reader.automaton()
    except RecursionError:
        reader.fail_here("brackets or negations are nested too deeply")
    except _TooLarge:
        reader.fail_here(
            f"this label or acceptance condition has more than {MAX_PARTS} alternatives"
        )


class _Reader:
    def __init__(self, source: Source, propositions: Mapping[str, Formula]) -> None:
        self._source = source
        self._known = propositions
        self._tokens = list(self._tokenize())
        self._at = 0
        self._propositions: list[Formula] = []
        self._aliases: dict[str, list[Cube]] = {}

    def _tokenize(self) -> Iterator[tuple[str, str, Span]]:
        position, text = 0, self._source.text
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                self._fail(
                    f"unexpected {text[position]!r}", self._source.span(position, position + 1)
                )
            position = match.end()
            if match.lastgroup:
                yield match.lastgroup, match.group(), self._source.span(match.start(), match.end())
        yield "end", "", self._source.span(max(0, len(text) - 1), len(text))

    @staticmethod
    def _fail(message: str, span: Span, hint: str | None = None) -> NoReturn:
        raise InputError(
            [
                Diagnostic(
                    "LOG013",
                    f"the automaton of the LTL translator cannot be read: {message}",
                    span,
                    hint,
                )
            ]
        )

    def fail_here(self, message: str) -> NoReturn:
        """Raise an :class:`InputError` that points at the current token of the HOA text."""
        self._fail(message, self._tokens[self._at][2])

    @property
    def _kind(self) -> str:
        return self._tokens[self._at][0]

    @property
    def _text(self) -> str:
        return self._tokens[self._at][1]

    def _take(self) -> str:
        text = self._text
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return text

    def _accept(self, text: str) -> bool:
        found = self._text == text
        if found:
            self._take()
        return found

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            self._fail(
                f"expected '{text}', found '{self._text or 'the end'}'", self._tokens[self._at][2]
            )

    def _number(self, below: int = MAX_STATES, what: str = "states") -> int:
        if self._kind != "number":
            self._fail(
                f"expected a number, found '{self._text or 'the end'}'", self._tokens[self._at][2]
            )
        if len(self._text) > len(str(MAX_STATES)) or int(self._text) >= below:
            self.fail_here(
                f"the number {self._text[:20]} is too large: there are at most {below} {what}, "
                "counted from 0"
            )
        return int(self._take())

    def _mark(self) -> int:
        # Larger marks are reserved: an acceptance clause with several sets is replaced by a new
        # mark.
        return self._number(MAX_MARKS // 2, "acceptance sets")

    def _one_state(self) -> int:
        state = self._number()
        if self._text == "&":
            self._fail("alternating automata are not supported", self._tokens[self._at][2])
        return state

    # --- sections of the file ---------------------------------------------------------------------

    def automaton(self) -> Automaton:
        initial: list[int] = []
        clauses: list[_Clause] = []
        declared: int | None = None
        self._expect("HOA:")
        while self._kind != "end" and self._text != "--BODY--":
            header = self._take()
            if header == "States:":
                declared = self._number(MAX_STATES + 1)
            elif header == "Start:":
                initial.append(self._one_state())
            elif header == "AP:":
                self._number()
                while self._kind == "string":
                    self._propositions.append(self._proposition())
            elif header == "Alias:":
                if self._kind != "alias":
                    self.fail_here(
                        "expected the name of an alias, such as @a, found "
                        f"'{self._text or 'the end'}'"
                    )
                alias = self._take()
                self._aliases[alias] = self._label()
            elif header == "Acceptance:":
                self._number()
                clauses = self._acceptance()
        self._expect("--BODY--")
        edges = self._body()
        states = (
            max(
                [
                    *edges,
                    *(edge.target for outgoing in edges.values() for edge in outgoing),
                    *initial,
                    -1,
                ]
            )
            + 1
        )
        if declared is not None and states > declared:
            self._fail(
                f"there is a state {states - 1}, but 'States: {declared}' is declared",
                self._source.span(0, len(self._source.text)),
            )
        return _with_acceptance(
            [edges.get(state, []) for state in range(states)],
            tuple(self._propositions),
            tuple(initial),
            clauses,
        )

    def _proposition(self) -> Formula:
        span = self._tokens[self._at][2]
        name = re.sub(r"\\(.)", r"\1", self._take()[1:-1])
        if name in self._known:
            return self._known[name]
        try:
            formula = parse(name)
        except InputError as error:
            self._fail(
                f"proposition {name!r} is not a formula: {error.diagnostics[0].message}", span
            )
        if not is_state_formula(formula):
            self._fail(f"proposition {name!r} is not a state formula", span)
        return formula

    def _body(self) -> dict[int, list[AutomatonEdge]]:
        edges: dict[int, list[AutomatonEdge]] = {}
        while self._accept("State:"):
            shared = self._bracketed_label() if self._text == "[" else None
            state = self._number()
            if self._kind == "string":
                self._take()
            marks = self._marks()
            outgoing = edges.setdefault(state, [])
            implicit = itertools.count()
            while self._text == "[" or self._kind == "number":
                guards = self._bracketed_label() if self._text == "[" else shared
                if guards is None:
                    true = next(implicit)
                    if true >> len(self._propositions):
                        self.fail_here(
                            "this state has more edges without a label than there are letters"
                        )
                    guards = [Cube(true, ~true & (1 << len(self._propositions)) - 1)]
                target = self._one_state()
                edge_marks = marks | self._marks()
                outgoing += [AutomatonEdge(guard, target, edge_marks) for guard in guards]
        self._expect("--END--")
        return edges

    def _marks(self) -> int:
        marks = 0
        if self._accept("{"):
            while self._kind == "number":
                marks |= 1 << self._mark()
            self._expect("}")
        return marks

    # --- labels: disjunctions of cubes ------------------------------------------------------------

    def _bracketed_label(self) -> list[Cube]:
        self._expect("[")
        label = self._label()
        self._expect("]")
        return label

    def _label(self, *, negated: bool = False) -> list[Cube]:
        """Parse a disjunction ``a | b`` in an edge label. Return it, or its negation if ``negated``
        is set, as a disjunction of cubes."""
        parts = [self._label_conjunction(negated)]
        while self._accept("|"):
            parts.append(self._label_conjunction(negated))
        return _meet(parts) if negated else [cube for part in parts for cube in part]

    def _label_conjunction(self, negated: bool) -> list[Cube]:
        parts = [self._label_literal(negated)]
        while self._accept("&"):
            parts.append(self._label_literal(negated))
        return [cube for part in parts for cube in part] if negated else _meet(parts)

    def _label_literal(self, negated: bool) -> list[Cube]:
        if self._accept("!"):
            return self._label_literal(not negated)
        if self._accept("("):
            inner = self._label(negated=negated)
            self._expect(")")
            return inner
        if self._kind == "alias":
            span = self._tokens[self._at][2]
            alias = self._take()
            if alias not in self._aliases:
                self._fail(f"alias {alias} is not defined above", span)
            cubes = self._aliases[alias]
            return _meet([_negation(cube) for cube in cubes]) if negated else cubes
        if self._text in ("t", "f"):
            return [Cube()] if (self._take() == "t") != negated else []
        bit = 1 << self._number(len(self._propositions), "propositions")
        return [Cube(negative=bit) if negated else Cube(positive=bit)]

    # --- acceptance: a conjunction of clauses -----------------------------------------------------

    def _acceptance(self) -> list[_Clause]:
        span = self._tokens[self._at][2]
        clauses = self._acceptance_or()
        if any(len(fin) > 1 for fin, _ in clauses):
            hint = "configure the translator to produce generalised Büchi acceptance"
            self._fail(
                "only Büchi, generalised Büchi and Streett acceptance are supported", span, hint
            )
        if sum(len(inf) > 1 for fin, inf in clauses if not fin) + MAX_MARKS // 2 > MAX_MARKS:
            self._fail("this acceptance condition has too many clauses with several sets", span)
        return clauses

    def _acceptance_or(self) -> list[_Clause]:
        clauses = self._acceptance_and()
        while self._accept("|"):
            other = self._acceptance_and()
            if len(clauses) * len(other) > MAX_PARTS:
                raise _TooLarge
            clauses = [(a[0] | b[0], a[1] | b[1]) for a in clauses for b in other]
        return clauses

    def _acceptance_and(self) -> list[_Clause]:
        clauses = self._acceptance_atom()
        while self._accept("&"):
            clauses = clauses + self._acceptance_atom()
        return clauses

    def _acceptance_atom(self) -> list[_Clause]:
        if self._accept("("):
            inner = self._acceptance_or()
            self._expect(")")
            return inner
        span = self._tokens[self._at][2]
        what = self._take()
        if what == "t":
            return []
        if what == "f":
            return [(set(), set())]
        self._expect("(")
        if self._text == "!":
            self._fail("complemented acceptance sets are not supported", self._tokens[self._at][2])
        mark = self._mark()
        self._expect(")")
        if what not in ("Inf", "Fin"):
            self._fail(f"expected Inf or Fin, found '{what}'", span)
        return [({mark}, set())] if what == "Fin" else [(set(), {mark})]


def _negation(cube: Cube) -> list[Cube]:
    return [
        *(Cube(negative=1 << each) for each in bits(cube.positive)),
        *(Cube(positive=1 << each) for each in bits(cube.negative)),
    ]


def _meet(parts: Sequence[Sequence[Cube]]) -> list[Cube]:
    """Return the conjunction of several disjunctions of cubes, as one disjunction of cubes."""
    result = [Cube()]
    for part in parts:
        if len(result) * len(part) > MAX_PARTS:
            raise _TooLarge
        result = [both for a in result for b in part if (both := a & b).consistent]
    return result


def _with_acceptance(
    edges: list[list[AutomatonEdge]],
    propositions: tuple[Formula, ...],
    initial: tuple[int, ...],
    clauses: list[_Clause],
) -> Automaton:
    """Return the automaton with these edges, and a conjunction of clauses as its acceptance
    condition.

    A clause is a disjunction of at most one Fin set and any number of Inf sets. A clause with a Fin
    set becomes a Streett pair. A clause without one becomes a single mark, which replaces all its
    Inf sets.
    """
    pairs = [(_mask(fin), _mask(inf)) for fin, inf in clauses if fin]
    highest = max(
        [
            0,
            *(edge.marks.bit_length() for outgoing in edges for edge in outgoing),
            *(m.bit_length() for pair in pairs for m in pair),
        ]
    )
    always = 0
    for _, inf in ((fin, inf) for fin, inf in clauses if not fin):
        if len(inf) == 1:
            always |= _mask(inf)
            continue
        joint = 1 << highest
        highest += 1
        always |= joint
        edges = [
            [
                AutomatonEdge(
                    e.guard, e.target, e.marks | joint if e.marks & _mask(inf) else e.marks
                )
                for e in outgoing
            ]
            for outgoing in edges
        ]
    return Automaton(
        propositions, initial, tuple(tuple(outgoing) for outgoing in edges), always, tuple(pairs)
    )


def _mask(marks: set[int]) -> int:
    return sum(1 << mark for mark in marks)

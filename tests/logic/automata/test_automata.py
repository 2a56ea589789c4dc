"""Automata: small ones for common formulas, the Hanoi format, and another translator in our
translator's place."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checking.properties import on_graph
from tests.checking.small_systems import SmallSystem, ltl_formulas, small_systems
from volition.diagnostics import InputError
from volition.logic import parse
from volition.logic.automata.automaton import Automaton
from volition.logic.automata.hoa import external_translator, from_hoa, to_hoa
from volition.logic.automata.translation import translate
from volition.logic.syntax import Formula, PathQuantifier


def path_of(text: str) -> Formula:
    formula = parse(text)
    assert isinstance(formula, PathQuantifier)
    return formula.path


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("G a", 1), ("F a", 2), ("G F a", 1), ("F G a", 2), ("a U b", 2), ("G (a -> F b)", 2), ("(G F a) & (G F b)", 1), ("F<=3 a", 5),  # noqa: E501
        ("!(G F a -> G F b)", 2), ("G (a -> F<=5 b)", 6), ("F G F a", 1), ("X G F a", 1), ("a U (a U b)", 2),  # noqa: E501
    ],
)  # fmt: skip
def test_common_formulas_have_small_automata(text: str, states: int) -> None:
    """No automaton for the formula can be smaller, except that of a bound, which counts its
    steps."""
    assert translate(path_of(text)).num_states == states


def test_a_formula_that_cannot_hold_accepts_nothing() -> None:
    anything = SmallSystem((((0, 0), (0, 1)), ((0, 0), (0, 1))), (frozenset("a"), frozenset()))
    assert (
        on_graph(
            anything, anything.explored(), PathQuantifier("E", path_of("(G a) & (F !a)"))
        ).holds
        is False
    )


@settings(max_examples=200, deadline=None)
@given(ltl_formulas())
def test_the_hanoi_format_keeps_automata(path: Formula) -> None:
    automaton = translate(path)
    again = from_hoa(to_hoa(automaton, name="again"))
    assert (again.edges, again.initial, again.inf_marks, again.propositions) == (
        automaton.edges,
        automaton.initial,
        automaton.inf_marks,
        automaton.propositions,
    )


STATE_BASED = """HOA: v1
name: "infinitely often a, marks on states, labels implicit"
States: 2
Start: 0
AP: 1 "a"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0
0 1
State: 1 "just seen" {0}
0 1
--END--
"""

STREETT = """HOA: v1
States: 1
Start: 0
AP: 2 "a" "b"
Alias: @both 0 & 1
acc-name: Streett 1
Acceptance: 2 Fin(0) | Inf(1)
--BODY--
State: 0
[@both] 0 {0 1}
[0 & !1] 0 {0}
[!0 & (1 | f)] 0 {1}
[!(0 | 1)] 0
--END--
"""

TWO_WAYS = """HOA: v1
States: 1
Start: 0
AP: 2 "a" "b"
Acceptance: 2 Inf(0) | Inf(1)
--BODY--
State: 0
[0 & !1] 0 {0}
[!0 & 1] 0 {1}
[0 & 1] 0 {0 1}
[!0 & !1] 0
--END--
"""


@settings(max_examples=100, deadline=None)
@given(small_systems())
@pytest.mark.parametrize(
    ("text", "meaning"),
    [(STATE_BASED, "G F a"), (STREETT, "G F a -> G F b"), (TWO_WAYS, "(G F a) | (G F b)")],
)
def test_automata_from_elsewhere(text: str, meaning: str, system: SmallSystem) -> None:
    query = PathQuantifier("E", path_of(meaning))
    space = system.explored()
    ours = on_graph(system, space, query)
    theirs = on_graph(system, space, query, translator=lambda _: from_hoa(text))
    assert ours.holds == theirs.holds


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (STREETT.replace("Fin(0) | Inf(1)", "(Fin(0) & Inf(1)) | (Fin(2) & Inf(3))"), "only Büchi"),
        (STATE_BASED.replace('"a"', '"a U"'), "is not a formula"),
        (STATE_BASED.replace("Start: 0", "Start: 0 & 1"), "alternating"),
        (
            STATE_BASED.replace("--END--", "State: 7\n--END--"),
            "there is a state 7, but 'States: 2' is declared",
        ),
        (STREETT.replace("] 0 {1}", "] 0 & 0 {1}"), "alternating"),
        (STREETT.replace("@both]", "@neither]"), "not defined"),
        (STREETT.replace("--END--", ""), "expected '--END--'"),
        ("something else", "expected 'HOA:'"),
    ],
)
def test_what_is_not_supported_is_said(broken: str, why: str) -> None:
    with pytest.raises(InputError, match=why) as raised:
        from_hoa(broken)
    assert raised.value.diagnostics[0].code == "LOG013"


def test_another_translator_can_be_plugged_in(tmp_path: Path) -> None:
    automaton, program = tmp_path / "often.hoa", tmp_path / "translator.py"
    automaton.write_text(STATE_BASED.replace('"a"', '"p0"'))
    program.write_text(
        "import pathlib, sys\nassert sys.argv[1] == 'G F "
        "p0'\nprint(pathlib.Path(sys.argv[2]).read_text())\n"
    )
    translator = external_translator([sys.executable, str(program), "%f", str(automaton)])
    system = SmallSystem((((0, 1),), ((0, 0),)), (frozenset("a"), frozenset("b")))
    query = PathQuantifier("E", path_of("G F (a & !b)"))
    assert translator(query.path).propositions == (parse("a & !b"),)
    assert on_graph(system, system.explored(), query, translator=translator).holds


def test_a_translator_that_fails_is_reported() -> None:
    with pytest.raises(InputError, match="LOG014"):
        external_translator(["no-such-translator", "%f"])(path_of("F a"))
    with pytest.raises(InputError, match="LOG014"):
        external_translator([sys.executable, "-c", "import sys; sys.exit('no')"])(path_of("F a"))


_WORDS = [
    "0",
    "1",
    "7",
    "99999999",
    "9" * 5000,
    "[",
    "]",
    "(",
    "{",
    "}",
    "!",
    "&",
    "|",
    "@both",
    "t",
    "f",
    "Inf(9)",
    "State:",
    "Alias:",
    "AP: 0",
    "Start:",
    "",
]


def read_or_refused(text: str) -> Automaton | None:
    """The automaton, or None where it is refused as one that is wrong."""
    codes: set[str] = set()
    try:
        return from_hoa(text)
    except InputError as error:
        codes = {each.code for each in error.diagnostics}
    assert codes == {"LOG013"}
    return None


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([STATE_BASED, STREETT, TWO_WAYS]),
    st.lists(
        st.tuples(st.integers(0, 200), st.sampled_from(_WORDS), st.integers(0, 2)),
        min_size=1,
        max_size=4,
    ),
)
def test_damaged_automata_are_read_or_refused(
    text: str, damages: list[tuple[int, str, int]]
) -> None:
    """Each damage puts a word in the place of some others; what is accepted all the same can be
    worked with."""
    words = re.findall(r"[A-Za-z@_-]+:?|\d+|\n|[^\w\s]", text)
    for index, word, gone in damages:
        at = index % len(words)
        words[at : at + gone] = [word]
    automaton = read_or_refused(" ".join(words))
    if automaton is None:
        return
    anything = SmallSystem((((0, 0), (0, 1)), ((0, 0), (0, 1))), (frozenset("a"), frozenset("b")))
    query = PathQuantifier("E", path_of("(G F a) | (G F b)"))
    codes: set[str] = set()
    try:
        assert on_graph(
            anything, anything.explored(), query, translator=lambda _: automaton
        ).holds in (True, False)
    except InputError as error:
        codes = {each.code for each in error.diagnostics}
    assert codes <= {"LOG014"}


def test_an_automaton_that_asks_for_what_the_formula_does_not_is_refused() -> None:
    two = SmallSystem((((0, 0), (0, 1)), ((0, 0), (0, 1))), (frozenset("a"), frozenset("b")))
    automaton = from_hoa(TWO_WAYS.replace('"a"', '"c"'))
    with pytest.raises(InputError, match="contains 'c', which is not in the formula"):
        on_graph(
            two,
            two.explored(),
            PathQuantifier("E", path_of("(G F a) | (G F b)")),
            translator=lambda _: automaton,
        )


@pytest.mark.parametrize(
    "label",
    [
        "(" * 5000 + "0" + ")" * 5000,
        "!" * 70_000 + "0",
        " & ".join(f"({i % 2} | {(i + 1) % 2})" for i in range(50)),
        "3",
        "0 &",
        "9" * 5000,
    ],
)
def test_labels_of_any_size(label: str) -> None:
    automaton = read_or_refused(TWO_WAYS.replace("[0 & 1]", f"[{label}]"))
    assert automaton is None or automaton.num_states == 1

"""Sentences and their names: what is written differently is different, and no operator in a
sentence is passed over."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.languages.lisa.projects import action, mistakes, project, reasoning
from volition.diagnostics import InputError
from volition.exporters.prism.lisa import lisa_to_prism
from volition.kernel import explore
from volition.languages.lisa.names import name_of
from volition.logic import parse
from volition.logic.syntax import Atom, Proposition

# --- names ----------------------------------------------------------------------------------------

letters = st.sampled_from("aAbBzZ019éÉßΣσİæ")
marks = st.sampled_from("!~¬<>=&|'\"()[]{},:;?+-*/\\^%#@°→…_ .\t")
sentences = st.text(st.one_of(letters, marks), min_size=1, max_size=12)


def same_but_for_case_spaces_and_final_dot(one: str, other: str) -> bool:
    """Computed in another way than by name: both are written down as the same text."""

    def written(sentence: str) -> str:
        text = re.sub(r"[\s_]+", " ", sentence).strip(" ")
        text = (
            text[:-1].rstrip(" ") if re.sub(r"\s+", " ", sentence).strip().endswith(".") else text
        )
        text = "".join(letter.lower() for letter in text)
        return re.sub(r" (?=[^\w])|(?<=[^\w]) ", "", text)

    return written(one) == written(other)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A sentence and another one that is often nearly the same."""
    one = draw(sentences)
    if draw(st.booleans()):
        return one, draw(sentences)
    other = one
    for _ in range(draw(st.integers(1, 3))):
        index = draw(st.integers(0, len(other)))
        change = draw(st.sampled_from(["case", "space", "dot", "mark", "less", "underscore"]))
        match change:
            case "case":
                other = other[:index].swapcase() + other[index:]
            case "space":
                other = re.sub(" ", "  ", other) + " "
            case "dot":
                other = other.rstrip() + "."
            case "mark":
                other = other[:index] + draw(marks) + other[index:]
            case "less":
                other = other[:index] + other[index + 1 :]
            case "underscore":
                other = other.replace(" ", "_")
    return one, other


@settings(max_examples=300, deadline=None)
@given(pairs())
def test_names_are_equal_if_sentences_are(pair: tuple[str, str]) -> None:
    """Sect. 6.4: two sentences have the same name if and only if they differ by no more than case,
    spaces and the final dot."""
    one, other = pair
    assert (name_of(one) == name_of(other)) == same_but_for_case_spaces_and_final_dot(one, other)


@settings(max_examples=300, deadline=None)
@given(sentences)
def test_names_can_be_written_in_formulas(sentence: str) -> None:
    assert re.fullmatch(r"\w*", name_of(sentence))


def test_sentences_that_differ_by_a_mark_are_two_beliefs() -> None:
    percepts = (
        "Depth > 10. {[],[1,1,0],[1,1,0]}\nDepth < 10. {[Depth > "
        "10],[1,1,0],[1,1,0]}\nDepth 10. {[],[0,1,0],[1,1,0]}"
    )
    program = project(reasoning(percepts=percepts))
    space = explore(program.model().system)
    assert list(program.agent.beliefs) == ["depth__greater_10", "depth__less_10", "depth_10"]
    model = program.model()
    (deep,) = [
        model.resolve(atom) for atom in [parse('Bel("Depth > 10")')] if isinstance(atom, Atom)
    ]
    assert [deep(space.values(state)) for state in range(2)] == [False, True]
    variables = re.findall(r"^\s*(\w+) : \[", lisa_to_prism(program.agents).model, re.MULTILINE)
    assert len(variables) == len(set(variables))
    assert {"depth__greater_10", "depth__less_10", "depth_10"} <= set(variables)


# --- operators in formulas ------------------------------------------------------------------------

HELD = project(
    reasoning(
        beliefs="Inspection due.\nDoor open.",
        plans="If ^[Inspection due] while ^[Door open] then\n[Take off.].",
    ),
    {"Take off": action("Take off", "Airborne[1,1,0]")},
)

negations = st.lists(
    st.sampled_from(["!", "~", "¬", "not ", "Not ", "! ", "- ", "-", "∼", "\\+", "no "]), max_size=2
).map("".join)
endings = st.sampled_from(
    [
        "",
        "",
        "",
        ", _",
        ", x",
        "()",
        "(1)",
        "(_)",
        "'",
        " & door_open",
        " | door_open",
        " -> door_open",
        " = 0",
        " < 1",
        "!",
        "?",
    ]
)
spellings = st.sampled_from(
    ["inspection_due", "Inspection due", "Inspection due.", "INSPECTION_DUE"]
)
quoted = st.sampled_from(["{}", '"{}"', "'{}'", "({})", "^[{}]", "[{}]"])


@settings(max_examples=300, deadline=None)
@given(
    negation=negations,
    spelling=spellings,
    ending=endings,
    quotes=quoted,
    atom=st.sampled_from(["Bel({})", "Bel(agent, {})", '"{}"', "Bel(_, {})"]),
)
def test_nothing_beside_a_belief_is_passed_over(
    negation: str, spelling: str, ending: str, quotes: str, atom: str
) -> None:
    """Where the belief is held, an atom that holds is the belief, and nothing that was written
    beside it was passed over."""
    inside = quotes.format(negation + spelling + ending)
    if '"' in inside and '"' in atom:
        return
    text = atom.format(inside)
    try:
        atomic = parse(text)
        if not isinstance(atomic, Atom | Proposition):
            return
        answer = HELD.model().resolve(atomic)
    except InputError:
        return
    space = explore(HELD.model().system)
    plain = not negation and not ending and quotes not in ("({})", "[{}]") and "_" not in atom
    assert answer(space.values(0)) is plain
    assert plain or "^" in inside


@pytest.mark.parametrize(
    ("prop", "hint"),
    [
        ("Bel(!inspection_due)", "Bel(~^[Inspection due])"),
        ("Bel(~Inspection due)", "Bel(~^[Inspection due])"),
        ("Bel(not inspection_due)", "Bel(~^[Inspection due])"),
        ("Bel(¬inspection_due)", "Bel(~^[Inspection due])"),
        ('"!inspection due"', "Bel(~^[Inspection due])"),
        ("Bel(inspection_due & !door_open)", "Bel(^[Inspection due] and ~^[Door open])"),
        ("Bel(inspection_due, _)", "nothing else"),
        ("Bel(other, inspection_due)", "nothing else"),
        ("Int(!plan_1)", "plan_1"),
        ("Int(-1)", "plan_1"),
        ("Does(!take_off)", "take_off"),
        ("Does(take_off, _)", "take_off"),
    ],
)
def test_operators_in_atoms_are_refused(prop: str, hint: str) -> None:
    atom = parse(prop)
    assert isinstance(atom, Atom | Proposition)
    with pytest.raises(InputError) as caught:
        HELD.model().resolve(atom)
    (error,) = caught.value.diagnostics
    assert error.code == "LIS080"
    assert hint in (error.hint or "")


# --- operators in programs ------------------------------------------------------------------------

PLACES = {
    "initial belief": {"beliefs": "Door open.\n{}."},
    "percept": {"percepts": "{}. {{[],[1,1,0],[1,1,0]}}"},
    "condition of a percept": {"percepts": "P. {{[{}],[1,1,0],[1,1,0]}}"},
    "condition of a rule": {"rules": "If ^[{}] then ^[A]"},
    "conclusion": {"rules": "If ^[Door open] then ^[{}]"},
    "event": {"plans": "If ^[{}] then\n+^[A]."},
    "context": {"plans": "If ^[Door open] while ^[{}] then\n+^[A]."},
    "mental act": {"plans": "If ^[Door open] then\n+^[{}]."},
    "call": {"plans": "If ^[Door open] then\n[{}.]."},
}
SPELLINGS = [
    "!Door open",
    "~Door open",
    "¬Door open",
    "! Door open",
    "not Door open",
    "NOT door_open",
    '"Door open"',
    "'Door open'",
    "Door open & Door open",
    "Door open and Door open",
    "not not Door open",
    "(Door open)",
    "#Door open",
    "Door open /* x */",
]


@pytest.mark.parametrize("position", PLACES)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_operators_in_sentences_are_refused(position: str, spelling: str) -> None:
    """``~`` in the condition of a percept is the language's own negation."""
    sections = {
        "beliefs": "Door open.",
        **{name: text.format(spelling) for name, text in PLACES[position].items()},
    }
    if position == "condition of a percept" and spelling.startswith("~"):
        assert str(project(reasoning(**sections)).agent.percepts[0].condition) == "~^[Door open]"
    else:
        assert mistakes(
            reasoning(**sections), {"door": action("door", "Opened[1,1,0]", sentence="Door open.")}
        )


@pytest.mark.parametrize("feedback", ["!Opened[1,1,0]", "~Opened[1,1,0]", '"Opened"[1,1,0]'])
@pytest.mark.parametrize("sentence", ["!Open.", '"Open".', "~Open."])
def test_operators_in_action_files_are_refused(feedback: str, sentence: str) -> None:
    plans = "If ^[Go] then\n[Open.]."
    assert mistakes(
        reasoning(beliefs="Go.", plans=plans), {"open": action("open", feedback, sentence="Open.")}
    )
    assert mistakes(
        reasoning(beliefs="Go.", plans=plans),
        {"open": action("open", "Opened[1,1,0]", sentence=f"Open. {sentence}")},
    )

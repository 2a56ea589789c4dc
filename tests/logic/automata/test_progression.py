"""What is due of a formula: few modes for common formulas, in words, and the same runs as the
formula."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.checking.properties import on_graph
from tests.checking.small_systems import SmallSystem, ltl_formulas
from tests.logic.automata.test_automata import path_of
from volition.logic.automata.progression import ProgressionAutomaton, build_progression
from volition.logic.syntax import Formula, PathQuantifier, Proposition


@pytest.mark.parametrize(
    ("text", "modes"),
    [
        ("F a", [{"F a is due"}, set()]),
        ("(F a) & (F b)", [{"F a is due", "F b is due"}, {"F b is due"}, {"F a is due"}, set()]),
        ("F a & F b", [{"F (a & (F b)) is due"}, {"F b is due"}, set()]),
        (
            "(F a) & (G b)",
            [
                {"F a is due", "G b is due"},
                {"F a is due", "G b has failed"},
                {"G b has failed"},
                {"G b is due"},
            ],
        ),
        ("G F a", [set()]),
        ("(G F a) -> (G F b)", [set()]),
    ],
)
def test_common_formulas_have_few_modes(text: str, modes: list[set[str]]) -> None:
    found = build_progression(path_of(text))
    assert found is not None
    assert [set(each) for each in found.descriptions] == modes


@pytest.mark.parametrize(
    "text", ["G (a -> F b)", "F (a & G b)", " & ".join(f"(F p{number})" for number in range(9))]
)
def test_other_formulas_are_not_covered(text: str) -> None:
    assert build_progression(path_of(text)) is None


def accepts(found: ProgressionAutomaton, letters: list[int], loop: int) -> bool:
    """Whether a lasso satisfies the formula, by the modes and letters on its loop; the letter at
    ``loop`` follows the last one."""
    mode, position, seen = found.successors[found.initial][letters[0]], 0, list[tuple[int, int]]()
    while (position, mode) not in seen:
        seen.append((position, mode))
        position = position + 1 if position + 1 < len(letters) else loop
        mode = found.successors[mode][letters[position]]
    cycle = [(letters[at], mode) for at, mode in seen[seen.index((position, mode)) :]]
    return any(
        all(
            mode in way.stay_modes and way.stay_guard.allows(letter, ~letter)
            for letter, mode in cycle
        )
        and any(
            mode in way.recur_modes and way.recur_guard.allows(letter, ~letter)
            for letter, mode in cycle
        )
        for way in found.rabin_pairs
    )


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    ltl_formulas(),
    st.lists(st.frozensets(st.sampled_from("ab")), min_size=1, max_size=5),
    st.data(),
)
def test_a_run_is_accepted_if_the_formula_holds(
    path: Formula, states: list[frozenset[str]], data: st.DataObject
) -> None:
    found = build_progression(path)
    assume(found is not None)
    assert found is not None
    loop = data.draw(st.integers(0, len(states) - 1))
    lasso = SmallSystem(
        tuple(((0, n + 1 if n + 1 < len(states) else loop),) for n in range(len(states))),
        tuple(states),
    )
    names = [each.name for each in found.propositions if isinstance(each, Proposition)]
    assume(len(names) == len(found.propositions))
    letters = [sum(1 << bit for bit, name in enumerate(names) if name in held) for held in states]
    assert (
        accepts(found, letters, loop)
        == on_graph(lasso, lasso.explored(), PathQuantifier("E", path)).holds
    )

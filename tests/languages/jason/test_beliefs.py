"""The belief base: sources, order, and which events each change raises."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.languages.jason.knowing import annotations_of, beliefs_of, literal
from volition.diagnostics import InputError
from volition.languages.jason import beliefs as base
from volition.languages.jason.beliefs import Beliefs
from volition.languages.jason.ordering import annotation_set
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import PERCEPT, SELF, Bindings, Literal, Term, Variable, source
from volition.languages.jason.unification import apply


def told(beliefs: Beliefs) -> list[str]:
    return [str(each) for each in beliefs]


def added(beliefs: Beliefs, text: str) -> tuple[list[str], str | None]:
    after, event = base.add(beliefs, literal(text))
    return told(after), None if event is None else str(event)


def removed(beliefs: Beliefs, text: str) -> tuple[list[str], str | None]:
    after, event, _ = base.remove(beliefs, literal(text), {})
    return told(after), None if event is None else str(event)


# --- adding ---------------------------------------------------------------------------------------


def test_what_is_new_comes_first_in_its_predicate_and_is_from_oneself() -> None:
    beliefs = beliefs_of("p(1). p(2).")
    assert added(beliefs, "p(3)") == (
        ["p(3)[source(self)]", "p(1)[source(self)]", "p(2)[source(self)]"],
        "p(3)[source(self)]",
    )
    after, _ = base.add(beliefs, literal("p(3)"), last=True)
    assert told(after)[-1] == "p(3)[source(self)]"


def test_a_new_source_is_an_event_with_that_source_alone() -> None:
    beliefs = beliefs_of("p(1).")
    assert added(beliefs, "p(1)[source(bob)]") == (
        ["p(1)[source(bob),source(self)]"],
        "p(1)[source(bob)]",
    )
    assert added(beliefs, "p(1)") == (["p(1)[source(self)]"], None)
    assert added(beliefs, "p(1)[k]") == (["p(1)[k,source(self)]"], "p(1)[k]")


def test_a_belief_and_its_strong_negation_are_of_different_predicates() -> None:
    beliefs, _ = base.add(beliefs_of("p(c)."), literal("~p(c)"))
    assert told(beliefs) == ["p(c)[source(self)]", "~p(c)[source(self)]"]


def test_the_order_of_different_predicates_is_not_remembered() -> None:
    one, _ = base.add(base.add((), literal("p"))[0], literal("q"))
    other, _ = base.add(base.add((), literal("q"))[0], literal("p"))
    assert one == other


def test_equal_beliefs_are_one_in_the_place_of_the_first_that_was_added() -> None:
    program = [literal("p(1)"), literal("p(2)"), literal("p(1)[source(x)]"), literal("p(1)")]
    beliefs, events = base.add_all((), reversed(program))
    assert told(beliefs) == ["p(2)[source(self)]", "p(1)[source(self),source(x)]"]
    assert list(map(str, events)) == ["p(1)[source(self)]", "p(1)[source(x)]", "p(2)[source(self)]"]


def test_expressions_in_beliefs_are_evaluated() -> None:
    assert told(base.add((), literal("p(1+1,[2*3])"))[0]) == ["p(2,[6])[source(self)]"]


def test_a_belief_with_variables_is_believed_of_everything() -> None:
    beliefs, event = base.add((), literal("p(X,Y,X)"))
    assert isinstance(beliefs[0], BeliefRule)
    assert str(event) == "p(X,Y,X)[source(self)]"
    assert base.add(beliefs, literal("p(A,B,A)")) == (beliefs, None)


# --- removing -------------------------------------------------------------------------------------


def test_a_ground_removal_takes_its_source_and_is_an_event_even_if_the_belief_stays() -> None:
    beliefs = beliefs_of("p(1)[source(self),source(bob)].")
    assert removed(beliefs, "p(1)") == (["p(1)[source(bob)]"], "p(1)[source(self)]")
    assert removed(beliefs, "p(1)[source(bob)]") == (["p(1)[source(self)]"], "p(1)[source(bob)]")


def test_percepts_and_what_others_told_are_not_removed_without_their_source() -> None:
    for origin in ("percept", "bob"):
        beliefs = beliefs_of(f"p(1)[source({origin})].")
        assert removed(beliefs, "p(1)") == (told(beliefs), None)
        assert removed(beliefs, "p(X)") == (told(beliefs), None)
        assert removed(beliefs, f"p(1)[source({origin})]") == ([], f"p(1)[source({origin})]")


def test_annotations_of_the_user_do_not_protect_and_all_that_are_named_must_be_there() -> None:
    beliefs = beliefs_of("b(abc)[k,source(self)].")
    assert removed(beliefs, "b(abc)") == ([], "b(abc)[source(self)]")
    assert removed(beliefs, "b(abc)[k,other,source(self)]") == (told(beliefs), None)
    assert removed(beliefs, "b(abc)[source(_)]") == ([], "b(abc)[source(self)]")


def test_what_is_not_ground_removes_the_first_match_binds_it_and_is_an_event_only_if_the_belief_goes() -> (  # noqa: E501
    None
):
    beliefs = beliefs_of("p(1)[source(self),source(bob)]. p(2).")
    after, event, bindings = base.remove(beliefs, literal("p(X)"), {})
    assert (told(after), event) == (["p(1)[source(bob)]", "p(2)[source(self)]"], None)
    assert apply(Variable("X"), bindings) == 1
    after, event, bindings = base.remove(after, literal("p(X)"), {})
    assert (told(after), str(event)) == (["p(1)[source(bob)]"], "p(2)[source(self)]")
    assert apply(Variable("X"), bindings) == 2


def test_nothing_to_remove_is_no_event() -> None:
    assert removed(beliefs_of("p(1)."), "p(2)") == (["p(1)[source(self)]"], None)
    assert removed((), "p(X)") == ([], None)


def test_rules_are_not_removed() -> None:
    beliefs = beliefs_of("p(X) :- q(X).")
    assert removed(beliefs, "p(Y)") == (told(beliefs), None)
    assert base.abolish(beliefs, literal("p(_)"), {}) == (beliefs, ())


def test_replacing_removes_one_own_belief_of_the_predicate() -> None:
    beliefs = beliefs_of("p(1). p(2). p(3)[source(bob)].")
    after, gone, _ = base.remove(beliefs, base.replaced_by(literal("p(4)")), {})
    assert told(after) == ["p(2)[source(self)]", "p(3)[source(bob)]"]
    assert str(gone) == "p(1)[source(self)]"
    assert (
        base.remove(beliefs_of("p(3)[source(bob)]."), base.replaced_by(literal("p(4)")), {}).event
        is None
    )


def test_abolishing_removes_all_with_all_sources_and_tells_none_of_them() -> None:
    beliefs = beliefs_of("p(1)[source(bob),source(self)]. p(2)[source(percept)]. q.")
    after, gone = base.abolish(beliefs, literal("p(_)"), {})
    assert (told(after), list(map(str, gone))) == (["q[source(self)]"], ["p(1)", "p(2)"])
    after, gone = base.abolish(beliefs, literal("p(X)"), {"X": 2})
    assert list(map(str, gone)) == ["p(2)"]


# --- belief update --------------------------------------------------------------------------------


def update(beliefs: Beliefs, *percepts: str) -> tuple[list[str], list[str], list[str]]:
    after, gone, new = base.update(beliefs, list(map(literal, percepts)))
    return told(after), list(map(str, gone)), list(map(str, new))


def test_percepts_that_are_gone_lose_that_source_and_new_ones_are_added() -> None:
    beliefs = beliefs_of("a(10)[source(bob)].")
    seen, gone, new = update(beliefs, "a(10)", "a(20)")
    assert seen == ["a(20)[source(percept)]", "a(10)[source(bob),source(percept)]"]
    assert (gone, new) == ([], ["a(10)[source(percept)]", "a(20)[source(percept)]"])
    beliefs = beliefs_of("".join(f"{each}. " for each in seen))
    assert update(beliefs, "a(20)", "a(10)") == (seen, [], [])
    assert update(beliefs, "a(10)") == (
        ["a(10)[source(bob),source(percept)]"],
        ["a(20)[source(percept)]"],
        [],
    )
    assert update(beliefs) == (
        ["a(10)[source(bob)]"],
        ["a(20)[source(percept)]", "a(10)[source(percept)]"],
        [],
    )


def test_percepts_are_the_same_whatever_their_annotations() -> None:
    beliefs = beliefs_of("a[k,source(percept)].")
    assert update(beliefs, "a[l]") == (["a[k,source(percept)]"], [], [])


def test_strong_negation_is_perceived_as_its_own_belief() -> None:
    beliefs = beliefs_of("locked(door)[source(percept)].")
    assert update(beliefs, "~locked(door)") == (
        ["~locked(door)[source(percept)]"],
        ["locked(door)[source(percept)]"],
        ["~locked(door)[source(percept)]"],
    )


def test_any_order_of_percepts_that_makes_a_difference() -> None:
    percepts = list(map(literal, ("p(1)", "p(2)", "q", "r")))
    orders = {
        (told(each.beliefs)[0], tuple(map(str, each.added)))
        for each in base.update_orders((), percepts, lambda _, __: False)
    }
    assert len(orders) == 2, "only the order in which p(1) and p(2) stand can be seen"
    noticed = list(
        base.update_orders(
            (), percepts, lambda operator, each: operator == "+" and each.functor != "r"
        )
    )
    assert len({tuple(each for each in one.added if each.functor != "r") for one in noticed}) == 6
    with pytest.raises(InputError, match="percept_order"):
        list(
            base.update_orders(
                (), [literal(f"p({each})") for each in range(10)], lambda _, __: True
            )
        )


# --- properties -----------------------------------------------------------------------------------

_ARGUMENTS = st.lists(st.integers(0, 1), max_size=1).map(tuple)
_SOURCES = st.lists(st.sampled_from(["self", "percept", "bob"]).map(source), max_size=2)
_OTHERS = st.lists(st.sampled_from([Literal("k"), Literal("l")]), max_size=1)


def _with_annotations(
    name: str, arguments: tuple[Term, ...], sources: Sequence[Term], others: Sequence[Term]
) -> Literal:
    return Literal(name, arguments, annotation_set((*sources, *others)))


LITERALS = st.builds(_with_annotations, st.sampled_from("pq"), _ARGUMENTS, _SOURCES, _OTHERS)
CHANGES = st.lists(st.tuples(st.sampled_from(["+", "-", "-+", "abolish"]), LITERALS), max_size=8)


def alone(each: Literal) -> Literal:
    return Literal(each.functor, each.arguments)


def after(changes: Sequence[tuple[str, Literal]]) -> Beliefs:
    beliefs: Beliefs = ()
    for change, each in changes:
        match change:
            case "+":
                beliefs, _ = base.add(beliefs, each)
            case "-":
                beliefs, _, _ = base.remove(beliefs, each, {})
            case "-+":
                beliefs, _, _ = base.remove(beliefs, base.replaced_by(each), {})
                beliefs, _ = base.add(beliefs, each)
            case _:
                beliefs, _ = base.abolish(beliefs, each, {})
    return beliefs


def as_table(beliefs: Beliefs) -> dict[Literal, set[Term]]:
    """The naive belief base: what is believed ▶ its annotations."""
    return {
        alone(base.literal_of(each)): set(annotations_of(base.literal_of(each))) for each in beliefs
    }


@given(CHANGES)
def test_each_belief_has_a_source_and_stands_there_once(changes: list[tuple[str, Literal]]) -> None:
    beliefs = after(changes)
    assert all(base.sources(base.literal_of(each)) for each in beliefs)
    assert len(as_table(beliefs)) == len(beliefs)


@given(CHANGES, LITERALS)
def test_adding_against_a_table(changes: list[tuple[str, Literal]], new: Literal) -> None:
    beliefs = after(changes)
    before = as_table(beliefs)
    more = set(annotations_of(base.with_source(new, SELF)))
    then, event = base.add(beliefs, new)
    assert as_table(then) == {**before, alone(new): before.get(alone(new), set()) | more}
    fresh = more - before.get(alone(new), set())
    assert (event is None) == (not fresh)
    assert event is None or set(annotations_of(event)) == fresh
    if alone(new) not in before:
        same = list(base.entries_for(then, new))
        assert alone(base.literal_of(same[0])) == alone(new), "the newest is first"


@given(CHANGES, st.lists(LITERALS, max_size=5))
def test_adding_many_is_adding_one_after_the_other(
    changes: list[tuple[str, Literal]], new: list[Literal]
) -> None:
    beliefs = after(changes)
    together = base.add_all(beliefs, new)
    events = []
    for each in new:
        beliefs, event = base.add(beliefs, each)
        events += [] if event is None else [event]
    assert together == (beliefs, tuple(events))


@given(CHANGES, LITERALS)
def test_removing_against_a_table(changes: list[tuple[str, Literal]], old: Literal) -> None:
    beliefs = after(changes)
    before = as_table(beliefs)
    less = set(annotations_of(base.with_source(old, SELF)))
    then, event, _ = base.remove(beliefs, old, {})
    if less <= before.get(alone(old), set()):
        left = before[alone(old)] - less
        kept = any(isinstance(each, Literal) and each.functor == "source" for each in left)
        assert as_table(then) == {
            name: left if name == alone(old) else has
            for name, has in before.items()
            if kept or name != alone(old)
        }
        assert event is not None
    else:
        assert (then, event) == (beliefs, None)


@given(CHANGES, st.lists(LITERALS, max_size=4))
def test_after_an_update_the_percepts_are_what_is_perceived(
    changes: list[tuple[str, Literal]], percepts: list[Literal]
) -> None:
    shown = [Literal(each.functor, each.arguments) for each in percepts]
    then, gone, new = base.update(after(changes), shown)
    assert {name for name, has in as_table(then).items() if PERCEPT in has} == set(shown)
    assert not set(map(alone, gone)) & set(shown)
    assert set(map(alone, new)) <= set(shown)
    assert base.update(then, shown) == (then, (), ())
    assert {one.beliefs for one in base.update_orders(then, shown, lambda _, __: True)} == {then}


@given(CHANGES)
def test_removal_of_anything_takes_what_a_query_finds_first(
    changes: list[tuple[str, Literal]],
) -> None:
    beliefs = after(changes)
    anything: Bindings = {}
    then, event, bindings = base.remove(beliefs, Literal("p", (Variable("X"),)), anything)
    own = [
        each
        for each in base.entries_for(beliefs, Literal("p", (0,)))
        if SELF in annotations_of(base.literal_of(each))
    ]
    if own:
        first = base.literal_of(own[0])
        assert apply(Variable("X"), bindings) == first.arguments[0]
        assert (event is not None) == (base.sources(first) == (SELF,))
    else:
        assert (then, event, bindings) == (beliefs, None, anything)


def test_a_thousand_beliefs() -> None:
    many = [literal(f"p({each})") for each in range(1_000)]
    beliefs = base.update((), many).beliefs
    assert len(beliefs) == 1_000
    assert base.update(beliefs, many) == (beliefs, (), ())
    assert len(base.update(beliefs, many[500:]).removed) == 500
    assert base.literal_of(next(base.entries_for(beliefs, literal("p(0)")))) == Literal(
        "p", (999,), (PERCEPT,)
    )

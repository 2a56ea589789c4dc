"""First-order terms, lists and goals that return values: restrictions (i) and (iv) of Sect. 3,
lifted."""

from __future__ import annotations

from pathlib import Path

from tests.languages.agentspeak.systems import explored


def test_structured_terms_in_beliefs_messages_and_goals(tmp_path: Path) -> None:
    agents = {
        "a": "at(pos(1,2)). !go. +!go : at(pos(X,Y)) <- .send(b, tell, seen(box(red), pos(Y,X))).",
        "b": "+seen(box(C), P) <- +box_at(P, C).",
    }
    assert explored(tmp_path, agents).check("<> Bel(b, box_at(pos(2,1),red))")


def test_recursion_over_a_list(tmp_path: Path) -> None:
    agent = (
        "!sum([3,4,5], 0). +!sum([], S) <- +total(S). +!sum([H|T], S) <- .plus(S, H, N); "
        "!sum(T, N)."
    )
    assert explored(tmp_path, {"a": agent}).check(
        "<> Bel(total(12)) & [] (Bel(total(_)) -> Bel(total(12)))"
    )


def test_a_goal_returns_a_value(tmp_path: Path) -> None:
    """Restriction (i): a goal may be called with a variable that has no value, and gives it one."""
    agent = (
        "price(apple, 3). !shop. +!shop <- !find(apple, P); +paid(P). +!find(Thing, Price) <- "
        "?price(Thing, Price)."
    )
    assert explored(tmp_path, {"a": agent}).check("<> Bel(paid(3))")


def test_a_returned_value_may_be_built_by_the_subplan(tmp_path: Path) -> None:
    agent = "!go. +!go <- !pair(1, X); !pair(X, Y); +got(Y). +!pair(A, p(A, A)) <- true."
    assert explored(tmp_path, {"a": agent}).check("<> Bel(got(p(p(1,1),p(1,1))))")


def test_two_variables_of_a_goal_may_be_one(tmp_path: Path) -> None:
    agent = "!go. +!go <- !same(X, Y); X = 3; +got(X, Y). +!same(A, A) <- .plus(1, 2, A)."
    assert explored(tmp_path, {"a": agent}).check("<> Bel(got(3,3))")


def test_a_value_that_is_never_given_stays_open(tmp_path: Path) -> None:
    agent = "p(5). !go. +!go <- !nothing(X); ?p(X); +got(X). +!nothing(Y) <- true."
    assert explored(tmp_path, {"a": agent}).check("<> Bel(got(5))")


def test_a_value_that_is_needed_and_was_not_given_is_a_failure(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!go. +!go <- !nothing(X); +got(X). +!nothing(Y) <- true."})
    assert (
        "a: cannot execute +got(X), as a variable in it has no value: the intention stays suspended"
        in system.texts()
    )


def test_a_goal_may_leave_several_values_to_nobody(tmp_path: Path) -> None:
    assert explored(
        tmp_path, {"a": "!go. +!go <- !pair(_, _); +done. +!pair(1, 2) <- +pair."}
    ).check("<> Bel(pair) & <> Bel(done)")


def test_names_of_variables_in_other_plans_do_not_matter(tmp_path: Path) -> None:
    agent = "!go. +!go <- !find(X, 3); +got(X). +!find(_V2, _V1) <- .plus(_V1, 1, _V2)."
    assert explored(tmp_path, {"a": agent}).check("<> Bel(got(4))")


def test_a_goal_that_would_be_part_of_itself_has_no_plan(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!go. +!go <- !same(X, f(X)). +!same(Y, Y) <- +impossible."})
    assert system.check("[] !Bel(impossible)")


def test_a_sum_of_fractions_may_be_a_whole_number(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "!go. +!go <- .plus(0.5, 0.5, X); .random(0, X, Y); +got(Y)."}
    )
    assert all(system.check(f"E [ F Bel(got({each})) ]") for each in (0, 1))

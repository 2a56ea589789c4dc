"""First-order terms, lists and goals that return values: restrictions (i) and (iv) of Sect. 3, lifted."""

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
    agent = "!sum([3,4,5], 0). +!sum([], S) <- +total(S). +!sum([H|T], S) <- .plus(S, H, N); !sum(T, N)."
    assert explored(tmp_path, {"a": agent}).check("<> Bel(total(12)) & [] (Bel(total(_)) -> Bel(total(12)))")


def test_a_goal_returns_a_value(tmp_path: Path) -> None:
    """Restriction (i): a goal may be called with a variable that has no value, and gives it one."""
    agent = "price(apple, 3). !shop. +!shop <- !find(apple, P); +paid(P). +!find(Thing, Price) <- ?price(Thing, Price)."
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
    assert "a: cannot execute +got(X), as a variable in it has no value: the intention waits for ever" in system.texts()

"""Each kind of step of a body."""

from __future__ import annotations

from random import Random
from types import ModuleType

import pytest

from tests.languages.jason.linked_list import LinkedList
from tests.languages.jason.systems import atom, ends, model, plain_run, prints, space
from volition.kernel import explore
from volition.languages.jason import continuations, plans
from volition.languages.jason.beliefs import literal_of
from volition.languages.jason.resumable_queries import Cursor
from volition.languages.jason.terms import Literal


def test_a_plan_that_adds_a_belief_waits_until_its_event_has_been_handled() -> None:
    assert prints("!go. +!go <- +b; .print(2). +b <- .print(1).") == ["1", "2"]


def test_an_event_in_an_intention_of_its_own_is_not_waited_for() -> None:
    texts = prints("!go. +!go <- ++b; .print(1); .print(2); .print(3). +b <- .print(b).")
    assert texts == ["1", "b", "2", "3"]


def test_a_run_says_that_annotations_are_why_two_literals_are_not_equal() -> None:
    texts = plain_run(
        "p(1)[source(amy)]. !go. +!go <- ?p(X)[source(S)]; Y = p(X)[source(S)]; Y = p(_)."
    )
    assert texts[-1] == (
        "finds that p(1)[source(amy)] = p(_0) does not hold: source(amy) not among the annotations "
        "of p(_0); the intention is dropped"
    )


def test_a_goal_gives_its_values_when_its_plan_ends() -> None:
    assert prints(
        "!go. +!go <- !sum([1,2,3], 0, S); .print(S). +!sum([],S,S). +!sum([X|R],A,S) <- !sum(R, "
        "A+X, S)."
    ) == ["6"]


def test_values_come_through_a_last_call_with_other_steps_before() -> None:
    text = (
        "!go. +!go <- !f(3, X, Y); .print(X, Y). +!f(0, a, b). +!f(N, X, Y) <- Z = N; !f(Z-1, "
        "Y, X)."
    )
    assert prints(text) == ["ba"]  # three calls swap the two variables three times


def test_a_recursion_that_is_a_last_call_takes_constant_space() -> None:
    states = space("!count(0). +!count(5). +!count(N) <- !count(N+1).", bounds={"M_Int": 1})
    assert ends(states) == {()}


def test_a_test_goal_asks_beliefs_then_plans() -> None:
    text = "b(1). !go. +!go <- ?b(X); .print(X); ?c(Y); .print(Y). +?c(Z) <- Z = 7."
    assert prints(text) == ["1", "7"]


def test_a_deletion_binds_its_variables_to_the_first_match() -> None:
    assert prints("b(1). b(2). !go. +!go <- -b(X); .print(X); ?b(Y); .print(Y).") == ["1", "2"]


def test_replacing_posts_the_deletion_from_outside() -> None:
    text = "n(1). !go. +!go <- -+n(2); .print(after). -n(1) <- .print(gone). +n(2) <- .print(new)."
    assert prints(text) == ["gone", "new", "after"]


def test_if_keeps_its_bindings() -> None:
    assert prints(
        "b(1). !go. +!go <- if (b(X) & X > 0) { .print(yes) } else { .print(no) }; .print(X)."
    ) == ["yes", "1"]


def test_for_goes_through_solutions_and_forgets_their_bindings() -> None:
    text = "b(1). b(2). !go. +!go <- for (b(X)) { +b(X+10); .print(X) }; X = 5; .print(X)."
    assert prints(text) == ["1", "2", "5"]  # what is added meanwhile is in front, and not seen


@pytest.mark.parametrize(
    ("body", "rounds"),
    [
        ("-p(2)", ["1", "2", "3", "4"]),  # the next one is held already
        ("-p(3)", ["1", "2", "4"]),  # one further on is not
        ("if (X == 1) { -p(2); -p(3) }", ["1", "2", "4"]),
        ("if (X == 1) { -p(2); -p(3); -p(4) }", ["1", "2"]),
        (
            "-p(X); Y = X + 1; -p(Y); +p(X + 10)",
            ["1", "2", "11", "4"],
        ),  # the first one was removed: again from the head
        (".abolish(p(_))", ["1", "2"]),
        ("if (X == 1) { -p(3); +p(3) }", ["1", "2", "4"]),  # what is believed again stands in front
        ("if (X == 1) { .abolish(p(_)); +p(7) }", ["1", "2"]),  # in another list
        (
            "if (X == 1) { -p(_); -p(_); -p(_); -p(_); +p(7) }",
            ["1", "2", "7"],
        ),  # in the same one, which a pattern does not give up
        ("if (X == 1) { -+p(8) }", ["1", "2", "3", "4"]),
        ("if (X == 1) { -p(1); -+p(8) }", ["1", "2", "8", "3", "4"]),
        ("if (X == 3) { +>p(9) }", ["1", "2", "3", "4", "9"]),
        ("if (X == 4) { +>p(9) }", ["1", "2", "3", "4"]),  # the iterator has come to its end
        ("if (X == 3) { -p(4); +>p(9) }", ["1", "2", "3", "4"]),
    ],
)
def test_for_holds_the_next_belief_while_its_body_runs(body: str, rounds: list[str]) -> None:
    """The first, third, fifth and sixth are runs of the interpreter, and all follow from the
    iterator of its lists."""
    assert (
        prints(f"p(1). p(2). p(3). p(4). !go. +!go <- for (p(X)) {{ .print(X); {body} }}.")
        == rounds
    )


def test_a_goal_of_the_body_and_a_plan_of_another_intention_remove_what_a_loop_holds() -> None:
    tasks = (
        "task(a). task(b). task(c). !go. +!go <- for (task(T)) { !do(T) }. +!do(T) : T \\== a "
        "<- .print(T). "
    )
    assert prints(tasks + "+!do(a) <- -task(b).") == ["b", "c"]
    assert prints(tasks + "+!do(a) <- !!other; .wait({+ready}). +!other <- -task(b); +ready.") == [
        "b",
        "c",
    ]


def test_what_is_removed_has_no_source_when_a_loop_comes_to_it() -> None:
    assert prints(
        "p(1). p(2)[k]. p(3). !go. +!go <- for (p(X)[source(S)]) { .print(X); -p(2) }."
    ) == ["1", "3"]
    assert prints(
        "p(1). p(2)[k]. p(3). !go. +!go <- for (p(X)[k]) { .print(X) }; for (p(X)) { .print(X); "
        "-p(2) }."
    ) == ["2", "1", "2", "3"]


def test_the_loops_of_a_conjunction_each_hold_their_next_belief() -> None:
    text = "p(1). p(2). q(1). q(2). q(3). !go. +!go <- for (p(X) & q(Y)) {{ .print(X, Y); {} }}."
    assert prints(text.format("-q(2)")) == ["11", "12", "13", "21", "23"]
    assert prints(text.format("-p(2)")) == ["11", "12", "13", "21", "22", "23"]


def test_a_cursor_moves_as_the_iterator_of_a_linked_list() -> None:
    draw = Random(1)
    for _ in range(2_000):
        nodes = LinkedList(draw.randint(0, 4))
        cursor = Cursor(("", False, "p", 1), len(nodes.values()) - 1) if nodes.values() else None
        for _ in range(draw.randint(3, 14)):
            now, value = nodes.values(), draw.randint(1, 6)
            match draw.choice(("front", "back", "remove", "remove", "next")):
                case "front" if value not in now:
                    nodes.add_first(value)
                case "back" if value not in now:
                    nodes.add_last(value)
                    cursor = cursor.after_append() if cursor and now else cursor
                case "remove" if value in now:
                    nodes.remove(value)
                    cursor = cursor and cursor.after_removal(
                        now.index(value), len(now), Literal("p", (value,))
                    )
                case "next":
                    left = (
                        cursor.entries(tuple(Literal("p", (each,)) for each in now))
                        if cursor
                        else ()
                    )
                    assert nodes.next() == (literal_of(left[0]).arguments[0] if left else None)
                    cursor = Cursor(("", False, "p", 1), len(left) - 2) if len(left) > 1 else None


@pytest.mark.parametrize(
    ("query", "change", "rounds"),
    [
        ("p(X) & q(X)", "+q(2)", ["1", "2"]),
        ("p(X) & not q(X)", "+q(3)", ["2"]),
        ("r(X)", "+q(3)", ["1", "3"]),
        ("q(X) & p(Y)", "+q(2); -p(2)", ["1", "1", "1"]),
        ("p(X) | .member(X, [7, 8])", "-p(3)", ["1", "2", "7", "8"]),
        ("p(1)[X]", "+p(1)[k]; -p(1)[j]", ["j", "source(self)"]),
        ("p(X)[k]", "+p(2)[k]", ["3"]),
        ("p(X)[source(S)]", "+p(2)[k]", ["1", "2", "3"]),
        ("far(100, X)", "+p(100)", [str(each) for each in range(100, -1, -1)]),
    ],
)
def test_the_next_solution_of_a_loop_is_that_of_its_time(
    query: str, change: str, rounds: list[str]
) -> None:
    """Jason looks for it when the round begins, from where it was."""
    rules = "r(X) :- p(X) & q(X). far(X, X). far(N, X) :- N > 0 & far(N-1, X)."
    assert (
        prints(
            f"p(1)[j]. p(2). p(3)[k]. q(1). {rules} !go. +!go <- for ({query}) {{ .print(X); "
            f"{change} }}."
        )
        == rounds
    )


def test_for_takes_one_step_at_the_start_and_one_per_round() -> None:
    texts = plain_run("b(1). b(2). !go. +!go <- for (b(X)) { true }.")
    assert [each for each in texts if "for (" in each] == [
        "starts an iteration of for (b(X))",
        "starts an iteration of for (b(X))",
        "ends for (b(X))",
    ]


def test_while_tests_with_the_values_from_before() -> None:
    text = "n(0). !go. +!go <- while (n(X) & X < 3) { -+n(X+1) }; ?n(Y); .print(Y)."
    assert prints(text) == ["3"]


def test_a_variable_is_the_step_that_it_stands_for() -> None:
    assert prints("!go. +!go <- A = { .print(1); .print(2) }; A; .print(3).") == ["1", "2", "3"]


def test_a_new_focus_goes_on_at_once() -> None:
    assert prints("!go. +!go <- !!sub; .print(1); .print(3); .print(4). +!sub <- .print(2).") == [
        "1",
        "2",
        "3",
        "4",
    ]


def test_intentions_take_turns() -> None:
    text = "!a. !b. +!a <- .print(a1); .print(a2); .print(a3). +!b <- .print(b1); .print(b2)."
    assert prints(text) == [
        "a1",
        "a2",
        "b1",
        "a3",
        "b2",
    ]  # b comes to be in the second cycle, behind a


def test_without_an_environment_every_action_fails() -> None:
    states = space("!go. +!go <- act. -!go[error(E)] <- +failed(E).")
    assert ends(states) == {("failed(action_failed)[source(self)]",)}


def test_an_action_that_nothing_executes_is_not_done() -> None:
    queried = (atom("Does(bob, act)"),)
    nowhere, somewhere = (
        model("!go. +!go <- act.", world, observed=queried)
        for world in (None, "action act do nothing")
    )
    assert [
        explore(each.system).holds(each.resolve(queried[0])).any() for each in (nowhere, somewhere)
    ] == [False, True]


def test_events_of_initial_beliefs_are_in_reverse_order() -> None:
    assert prints("b(1). b(2). +b(X) <- .print(X).") == ["2", "1"]


def test_both_branches_of_a_fork_run_and_the_body_goes_on_when_all_have_ended() -> None:
    text = (
        "!go. +!go <- (.print(a1); .print(a2)) |&| (.print(b1); .print(b2); .print(b3)); "
        ".print(end)."
    )
    assert prints(text) == ["a1", "b1", "a2", "b2", "b3", "end"]


def test_the_first_branch_that_ends_drops_the_others() -> None:
    text = "!go. +!go <- .print(a1) ||| (.print(b1); .print(b2); .print(b3)); .print(end)."
    assert prints(text) == ["a1", "b1", "end"]


def test_a_failure_in_one_of_all_branches_drops_the_others() -> None:
    text = (
        "!go. +!go <- !a |&| !b; .print(never). -!go <- .print(failed). +!a <- .fail. +!b <- "
        ".print(b1); .print(b2); .print(b3)."
    )
    assert prints(text) == ["failed"]  # before b has done anything


@pytest.mark.parametrize("branch", ["!b; .print(never)", ".drop_intention"])
def test_all_branches_never_end_if_one_is_dropped(branch: str) -> None:
    """From outside, or by itself."""
    text = (
        f"!go. +!go <- ({branch}) |&| (.print(a1); .drop_intention(b); .print(a2)); "
        ".print(never). +!b <- .wait(false)."
    )
    assert prints(text) == ["a1", "a2"]


def test_nor_if_no_plan_for_the_failure_of_one_is_applicable() -> None:
    assert prints(
        "!go. +!go <- !b |&| (.print(1); .print(2)); .print(never). +!b <- .fail. -!b : false."
    ) == ["1", "2"]


def test_nor_if_the_event_that_one_waits_for_is_dropped() -> None:
    text = "!go. +!go <- !b |&| (.drop_desire(b); .print(a)); .print(never). +!b."
    assert prints(text) == ["a"]


def test_a_branch_of_which_one_is_enough_may_be_dropped() -> None:
    text = "!go. +!go <- !b ||| (.drop_desire(b); .print(a)); .print(end). +!b."
    assert prints(text) == ["a", "end"]


def test_a_branch_of_which_one_is_enough_may_fail() -> None:
    text = (
        "!go. +!go <- !a ||| !b; .print(end). -!go <- .print(never). +!a <- .fail. +!b <- "
        ".print(b1); .print(b2)."
    )
    assert prints(text) == ["b1", "b2", "end"]


@pytest.mark.parametrize(
    "body",
    [
        ".print(a) ||| .print(b); .fail_goal(go)",
        "(.print(a); .fail_goal(go)) ||| (.print(b); .print(never))",
    ],
)
def test_nor_is_that_of_a_goal_that_is_made_to_fail(body: str) -> None:
    assert prints(f"!go. +!go <- {body}. -!go <- .print(never).") == ["a", "b"]


def test_a_failure_after_a_fork_of_which_one_was_enough_is_not_handled() -> None:
    """A quirk of Jason: the plan for the failure is not found."""
    assert prints("!go. +!go <- .print(a) ||| .print(b); .fail. -!go <- .print(never).") == [
        "a",
        "b",
    ]


# --- cost -----------------------------------------------------------------------------------------


def counted(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[object]:
    """What a function of a module is called with from now on."""
    calls: list[object] = []
    function = getattr(module, name)

    def call(argument: object) -> object:
        calls.append(argument)
        return function(argument)

    monkeypatch.setattr(module, name, call)
    return calls


def test_variables_of_a_body_are_looked_for_once_and_not_once_per_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at = counted(monkeypatch, continuations, "variables")
    states = space(
        "!go. +!go <- "
        + "; ".join(f"X{number} = {number}" for number in range(50))
        + "; +sum(X7 + X49).",
        cycle="exact",
    )
    assert ends(states) == {("sum(56)[source(self)]",)}
    assert len(looked_at) == 51


def test_plans_are_sorted_by_name_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    program = model(
        "+!a <- true. +!G : b <- true. +!c <- true. +!a <- false. +!G <- true. +a <- true."
    ).programs["bob"]
    looked_at = counted(monkeypatch, plans, "indicator")
    library = plans.PlanLibrary(program.plans)
    labels = [
        [plan.label for plan, _ in library.candidates("+", "achieve", Literal(name))]
        for name in ("a", "c", "d")
    ]
    assert labels == [["p__1", "p__2", "p__4", "p__5"], ["p__2", "p__3", "p__5"], ["p__2", "p__5"]]
    assert len(looked_at) == 4 + 3  # plans with a name, and questions


def test_a_value_may_have_variables_of_its_own_that_become_known_later() -> None:
    assert prints(
        "!go. +!go <- L = [A, B]; !fill(L); .print(L). +!fill([]). +!fill([x | T]) <- !fill(T)."
    ) == ["[x,x]"]
    assert prints(
        "same(T, T). !go. +!go <- ?same(f(A, B), P); .wait(1); A = 1; .wait(1); B = 2; .print(P, "
        "A)."
    ) == ["f(1,2)1"]
    assert prints(
        "!go. +!go <- L = [A | T]; T = [B]; !two(L); .print(L, T, A, B). +!two([1, 2])."
    ) == ["[1,2][2]12"]

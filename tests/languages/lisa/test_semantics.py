"""What a LISA agent does, on programs of a few lines (Izzo, Sect. 3.3, 3.4.1 and 4.3)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.languages.lisa.projects import action, project, reasoning
from tests.languages.lisa.reference import chance_after
from volition.kernel import StateSpace, explore
from volition.languages.lisa import LisaProgram

CALL = "If ^[Go] while true then\n[Act.]\n-^[Go]."


def space_of(program: LisaProgram) -> StateSpace:
    return explore(program.model().system)


def cycles(space: StateSpace, slot: str, number: int) -> list[int]:
    """What a slot is at the end of each of the first cycles of a run without chance and choice."""
    assert space.num_transitions == space.num_states
    values, state = [], 0
    for step in range(2 * number):
        state = int(space.targets[state])
        if step % 2:
            values.append(int(space.value(state, slot)))
    return values


# --- action feedbacks -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("feedback", "weight"), [("continue", Fraction(6, 10)), ("abort", Fraction(4, 10))]
)
def test_table_3_1(feedback: str, weight: Fraction) -> None:
    """Table 3.1, page 64: the two feedbacks of Fig. 3.6, in each cycle after the call, if none came
    before."""
    expected = [
        Fraction(0),
        Fraction(0),
        Fraction(1, 5),
        Fraction(2, 5),
        Fraction(3, 5),
        Fraction(4, 5),
        Fraction(1),
    ]
    wait = action("Act", "Continue[0.6,5,2], Abort[0.4,5,2]")
    rules = "If ^[Continue] or ^[Abort] then ^[Seen]"
    space = space_of(project(reasoning(beliefs="Go.", rules=rules, plans=CALL), {"Act": wait}))
    for t, chance in enumerate(expected, 1):
        # The plan starts in the first cycle, so that the first belief update that sees it is the
        # third step.
        waiting = chance_after(
            space, 2 * t, lambda state: 1 not in (state["continue"], state["abort"], state["seen"])
        )
        comes = chance_after(space, 2 * t + 1, lambda state: state[feedback] == 1)
        assert comes / waiting == pytest.approx(float(weight * chance))


def test_a_feedback_is_there_for_one_cycle() -> None:
    """Page 64: the variable is deactivated after one reasoning cycle."""
    space = space_of(
        project(reasoning(beliefs="Go.", plans=CALL), {"Act": action("Act", "Done[1,3,0]")})
    )
    assert cycles(space, "done", 6) == [0, 3, 2, 1, 0, 0]
    assert cycles(space, "plan_1", 6) == [1, 1, 1, 2, 0, 0]


def test_consecutive_calls_of_one_action() -> None:
    """The second call starts when the first one was answered; the answer of the first does not
    count for it."""
    plans = "If ^[Go] while true then\n[Act.]\n[Act.]\n-^[Go]."
    space = space_of(
        project(reasoning(beliefs="Go.", plans=plans), {"Act": action("Act", "Done[1,2,0]")})
    )
    assert cycles(space, "plan_1", 7) == [1, 1, 2, 2, 3, 0, 0]


def test_an_action_without_feedback_takes_one_cycle() -> None:
    """Page 86: feedbacks are not compulsory for runRepeated actions; a stop is an action of its own
    (page 49)."""
    plans = "If ^[Go] while true then\n[Act.]\n[Stop act.]\n-^[Go]."
    space = space_of(
        project(
            reasoning(beliefs="Go.", plans=plans),
            {"Act": action("Act", mode="control, runRepeated")},
        )
    )
    assert cycles(space, "plan_1", 5) == [1, 2, 3, 0, 0]


def test_initial_actions_are_called_before_the_first_cycle() -> None:
    space = space_of(
        project(reasoning(actions="Act.\n+^[Ready]."), {"Act": action("Act", "Done[1,2,0]")})
    )
    assert space.value(0, "ready") == 1
    assert cycles(space, "done", 4) == [2, 1, 0, 0]


# --- percepts -------------------------------------------------------------------------------------


def test_table_3_2() -> None:
    """Table 3.2, page 67: activation with p = 0.6, mu = 5, sigma = 2, then the counter starts
    over."""
    expected = [0, 0, 0.2, 0.4, 0.6, 0.4, 0.2, 0]
    space = space_of(project(reasoning(percepts="P. {[],[0.6,5,2],[0,1,0]}")))
    inactive = [
        chance_after(space, max(0, 2 * t - 1), lambda state: state["p"] == 0) for t in range(9)
    ]
    assert [1 - inactive[t] / inactive[t - 1] for t in range(1, 9)] == pytest.approx(expected)


def test_a_percept_without_counter_is_tried_in_every_cycle() -> None:
    """App. B.2, lines 253-259: mean 1, variance 0."""
    space = space_of(project(reasoning(percepts="P. {[],[0.25,1,0],[0.5,1,0]}")))
    assert "c1" not in space.system.slots
    assert chance_after(space, 1, lambda state: state["p"] == 1) == 0.25
    assert chance_after(space, 3, lambda state: state["p"] == 1) == 0.25 * 0.5 + 0.75 * 0.25


def test_deactivation_has_its_own_distribution() -> None:
    """Fig. 3.8, line 5, with certain activation: active for one cycle, then the counter starts at 0
    (App. B.2)."""
    space = space_of(project(reasoning(percepts="P. {[],[1,3,0],[1,1,0]}")))
    assert cycles(space, "p", 10) == [0, 0, 1, 0, 0, 0, 0, 1, 0, 0]


def test_a_condition_gates_activation_only() -> None:
    """Page 65: the counter starts over while the condition fails; an active percept does not need
    it."""
    percepts = "A. {[],[1,2,0],[1,2,0]}\nP. {[A],[1,2,0],[1,5,0]}"
    space = space_of(project(reasoning(percepts=percepts)))
    assert cycles(space, "a", 9) == [0, 1, 1, 1, 0, 0, 0, 1, 1]
    assert cycles(space, "p", 9) == [0, 0, 0, 1, 1, 1, 1, 1, 1]


# --- mental notes ---------------------------------------------------------------------------------

TABLE_4_1 = [
    # M[t-1], action, R+, R-, M[t]
    (0, 0, 0, 0, 0),
    (0, 0, 0, 1, 0),
    (0, 0, 1, 0, 1),
    (0, 0, 1, 1, 1),
    (0, 1, 0, 0, 1),
    (0, 1, 0, 1, 0),
    (0, 1, 1, 0, 1),
    (0, 1, 1, 1, 1),
    (1, 0, 0, 0, 1),
    (1, 0, 0, 1, 0),
    (1, 0, 1, 0, 1),
    (1, 0, 1, 1, 0),
    (1, 1, 0, 0, 0),
    (1, 1, 0, 1, 0),
    (1, 1, 1, 0, 1),
    (1, 1, 1, 1, 0),
]


@pytest.mark.parametrize(("before", "acts", "plus", "minus", "then"), TABLE_4_1)
def test_table_4_1(before: int, acts: int, plus: int, minus: int, then: int) -> None:
    """Table 4.1, page 89: the left half acts with ``+``, the right half with ``-``."""
    change = "+^[Other]" if not acts else "-^[M]" if before else "+^[M]"
    plans = f"""
        If ^[Go] while true then
          -^[Go]
          {change}.
        If ^[Signal] while true then
          +^[Now]
          -^[Now].
        If ^[Never] while true then
          +^[Never]
          -^[M]."""
    rules = "If ^[Now] then ^[M]\n" * plus + "If ^[Now] then ~^[M]\n" * minus
    space = space_of(
        project(reasoning(beliefs="Go.\nSignal.\n" + "M.\n" * before, rules=rules, plans=plans))
    )
    # The plans start in cycle 1.  Their first actions take effect in cycle 2, their second ones in
    # cycle 3, where rules see "Now".
    assert cycles(space, "now", 3) == [0, 1, 0]
    assert cycles(space, "m", 3) == [before, before, then]


# --- plans and events -----------------------------------------------------------------------------


def test_a_condition_triggers_as_long_as_it_holds() -> None:
    """App. B.2: a triggering event ^[b] is the condition b = 1."""
    space = space_of(project(reasoning(beliefs="Go.", plans="If ^[Go] while true then\n+^[Done].")))
    assert cycles(space, "plan_1", 5) == [1, 0, 1, 0, 1]


def test_an_event_triggers_once() -> None:
    """Sect. 3.3.2, Step 2: +^[b] is the addition of b; the initial beliefs are added in the first
    cycle."""
    plans = "If +^[Go] while true then\n+^[Done]\n-^[Go].\nIf -^[Go] while ^[Done] then\n+^[Gone]."
    space = space_of(project(reasoning(beliefs="Go.", plans=plans)))
    assert cycles(space, "plan_1", 6) == [1, 2, 0, 0, 0, 0]
    assert cycles(space, "plan_2", 6) == [0, 0, 1, 0, 0, 0]
    assert cycles(space, "gone", 6) == [0, 0, 0, 1, 1, 1]


def test_a_feedback_is_an_event() -> None:
    plans = CALL + "\nIf +^[Done] while true then\n+^[Noted]."
    space = space_of(
        project(reasoning(beliefs="Go.", plans=plans), {"Act": action("Act", "Done[1,3,0]")})
    )
    assert cycles(space, "plan_2", 6) == [0, 0, 0, 1, 0, 0]


def test_or_not_and_brackets_in_contexts() -> None:
    """Page 57: the common keywords."""
    plans = (
        "If ^[Go] while not (^[A] or ^[B]) and (^[C] or true) then\n+^[Yes].\nIf ^[Go] while "
        "^[A] or ^[C] and ^[B] then\n+^[No]."
    )
    agent = project(
        reasoning(beliefs="Go.\nC.", plans=plans + "\nIf ^[No] while true then\n+^[A]\n+^[B].")
    )
    space = space_of(agent)
    assert cycles(space, "plan_1", 1) == [1]
    assert cycles(space, "plan_2", 1) == [0]


def test_plans_run_in_parallel() -> None:
    """Page 43: every event is dealt with in each cycle."""
    plans = "If ^[Go] while ^[A] then\n+^[X1].\nIf ^[Go] while ^[B] then\n+^[X2]."
    space = space_of(project(reasoning(beliefs="Go.\nA.\nB.", plans=plans)))
    assert cycles(space, "plan_1", 1) == cycles(space, "plan_2", 1) == [1]


# --- DTMC or MDP ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contexts", "kind", "groups"),
    [
        (("^[A]", "^[A]"), "mdp", ["plan_1_2"]),
        (("^[A]", "~^[A]"), "dtmc", ["plan_1_2"]),
        (("^[A]", "^[B]"), "dtmc", ["plan_1", "plan_2"]),
        (("^[A] and ^[B]", "^[B] or ^[A]"), "mdp", ["plan_1_2"]),
        (("true", "true"), "mdp", ["plan_1_2"]),
        (("^[A]", "^[A] and ~^[Go] or ^[A] and ^[Go] and false"), "dtmc", ["plan_1", "plan_2"]),
    ],
)
def test_theorems_4_1_and_4_2(contexts: tuple[str, str], kind: str, groups: list[str]) -> None:
    """Page 77-79: a choice is needed exactly if two plans of a group can be triggered together."""
    plans = "\n".join(
        f"If ^[Go] while {context} then\n+^[N{number}]." for number, context in enumerate(contexts)
    )
    program = project(reasoning(beliefs="Go.\nA.\nB.", plans=plans))
    assert program.agent.kind == kind
    assert [group.name for group in program.agent.groups] == groups
    space = space_of(program)
    assert (space.num_choices > space.num_states) == (kind == "mdp")
    assert program.tables()[0].rows[0][0] == kind.upper()


@pytest.mark.parametrize(("sign", "kind"), [("~", "dtmc"), ("", "mdp")])
def test_contexts_with_many_beliefs_are_told_apart(sign: str, kind: str) -> None:
    beliefs = [f"B {number} held" for number in range(40)]
    rest = " and ".join(f"^[{each}]" for each in beliefs[1:])
    plans = f"If ^[Go] while ^[{beliefs[0]}] and {rest} then\n+^[One]."
    plans += f"\nIf ^[Go] while {sign}^[{beliefs[0]}] and ({rest} or not ({rest})) then\n+^[Two]."
    assert (
        project(
            reasoning(beliefs="Go.\n" + "".join(f"{each}.\n" for each in beliefs), plans=plans)
        ).agent.kind
        == kind
    )


def test_exclusive_plans_of_a_group_do_not_interrupt_each_other() -> None:
    """None of a group starts while one of them runs."""
    plans = "If ^[Go] while ^[A] then\n-^[A]\n+^[N]\n+^[N].\nIf ^[Go] while ~^[A] then\n+^[M]."
    space = space_of(project(reasoning(beliefs="Go.\nA.", plans=plans)))
    assert cycles(space, "plan_1", 6) == [1, 2, 3, 0, 0, 0]
    assert cycles(space, "plan_2", 6) == [0, 0, 0, 0, 1, 0]


# --- plans that are withdrawn ---------------------------------------------------------------------

LONG = "If ^[Go] while ^[A] then\n+^[One]\n+^[Two]\n+^[Three]\n+^[Four]."


def test_a_withdrawn_plan_ends_and_executes_nothing_more() -> None:
    """Def. 2.2: it stands on its third action when plan 2 executes the withdrawal, whose effect is
    that of the next plans half-step."""
    plans = LONG + "\nIf ^[Go] while ~^[B] then\n-^[A]\n-^[Go]\n[Withdraw plan 1.]\n+^[End]."
    space = space_of(project(reasoning(beliefs="Go.\nA.", plans=plans + "\nIf ^[B] then\n+^[B].")))
    assert cycles(space, "plan_1", 6) == [1, 2, 3, 0, 0, 0]
    assert cycles(space, "plan_2", 6) == [1, 2, 3, 4, 0, 0]
    assert cycles(space, "three", 6) == [0, 0, 0, 1, 1, 1]
    assert cycles(space, "four", 6) == [0, 0, 0, 0, 0, 0]


def test_a_withdrawn_plan_does_not_start() -> None:
    plans = (
        "If ^[Go] then\n+^[One].\nIf ^[Signal] then\n[Withdraw plan 1.]\n[Withdraw plan "
        "1.]\n-^[Signal]."
    )
    space = space_of(project(reasoning(beliefs="Go.\nSignal.", plans=plans)))
    assert cycles(space, "plan_1", 6) == [1, 0, 0, 1, 0, 1]


def test_the_feedback_of_a_withdrawn_call_still_comes() -> None:
    plans = CALL + "\nIf ^[Signal] then\n-^[Signal]\n-^[Go]\n[Withdraw plan 1.]."
    space = space_of(
        project(
            reasoning(beliefs="Go.\nSignal.", plans=plans), {"Act": action("Act", "Done[1,4,0]")}
        )
    )
    assert cycles(space, "plan_1", 6) == [1, 1, 1, 0, 0, 0]
    assert cycles(space, "done", 6) == [0, 4, 3, 2, 1, 0]


def test_plans_that_withdraw_each_other() -> None:
    plans = (
        "If ^[Go] while ^[A] then\n[Withdraw plan 2.]\n-^[A].\nIf ^[Go] while ~^[B] "
        "then\n[Withdraw plan 1.]\n-^[Go]\n+^[B]."
    )
    space = space_of(project(reasoning(beliefs="Go.\nA.", plans=plans)))
    assert cycles(space, "plan_1", 3) == cycles(space, "plan_2", 3) == [1, 0, 1]


def test_the_other_plan_of_a_group_may_start() -> None:
    """The agent chooses between those that are left; one that ends, ends, and nobody starts in that
    half-step."""
    plans = (
        "If ^[Go] then\n+^[One].\nIf ^[Go] then\n+^[Two].\nIf ^[Signal] then\n[Withdraw plan 1.]."
    )
    program = project(reasoning(beliefs="Go.\nSignal.", plans=plans))
    space = space_of(program)
    model = program.model()
    running = [
        space.values(state)
        for state in range(space.num_states)
        if space.value(state, "x") == 1 and space.value(state, "plan_3") == 1
    ]
    assert running
    components = {component.name: component for component in model.system.components}
    for state in running:
        effects = [
            dict(outcome[1])
            for choice in components["plan_1_2"].step(state)
            for outcome in choice.outcomes
        ]
        if state["plan_1"]:
            assert effects == [{"plan_1": 0}]
        elif not state["plan_2"]:
            assert effects == [{"plan_2": 1}]


# --- rewards --------------------------------------------------------------------------------------


def test_rewards() -> None:
    """Fig. 3.9 and 4.8: actions earn where the plan stands on them, percepts where they are active,
    in both half-steps."""
    plans = "If ^[Go] while true then\n+^[N] {fuel=2,time=1}\n-^[Go]. {fuel=0.5}"
    space = space_of(
        project(
            reasoning(beliefs="Go.", percepts="P. {[],[1,1,0],[0,1,0]} {fuel=0.25}", plans=plans)
        )
    )
    fuel, time, cycle_count = (space.state_rewards(name) for name in ("fuel", "time", "res_cycles"))
    path = [0]
    for _ in range(6):
        path.append(int(space.targets[path[-1]]))
    assert [float(fuel[state]) for state in path] == [0, 0.25, 2.25, 2.25, 0.75, 0.75, 0.25]
    assert [float(time[state]) for state in path] == [0, 0, 1, 1, 0, 0, 0]
    assert [float(cycle_count[state]) for state in path] == [1, 0, 1, 0, 1, 0, 1]

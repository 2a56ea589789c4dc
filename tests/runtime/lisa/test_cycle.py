"""The rules of a running agent, each by itself: when percepts, feedbacks and messages are believed,
and what is asked of the world.

Expected cycles are counted by hand from the rules of Izzo, Sect. 3.3 and 3.4.1.
"""

from __future__ import annotations

from tests.languages.lisa.projects import action, project, reasoning
from tests.runtime.lisa.scripted import Script, play, said, saw, told
from volition.languages.lisa import LisaProgram

ANY_TIME = "{[],[0.5,1,0],[0.5,1,0]}"


def driver(
    feedback: str = "Driving[1,3,1]",
    *,
    plans: str | None = None,
    percepts: str = "",
    mode: str = "control, runOnce",
) -> LisaProgram:
    """An agent that calls an action when it sees that it should."""
    plans = plans or "If ^[Go] while true then\n[Drive.]\n+^[Gone]."
    main = reasoning(percepts=f"Go. {ANY_TIME}\nAlso. {ANY_TIME}\n{percepts}", plans=plans)
    return project(main, {"drive": action("drive", feedback, sentence="Drive.", mode=mode)})


# --- calls ----------------------------------------------------------------------------------------


def test_an_action_is_called_once_when_a_plan_steps_on_it() -> None:
    played = play(driver(), 6, {1: [saw("go")], 2: [saw("go", False)]})
    ((cycle, call),) = played.world.calls
    assert (cycle, call.action, call.plan) == (1, "drive", "plan_1")
    assert [line["calls"] for line in played.of("cycle") if line["calls"]] == [
        [{"id": call.id, "action": "drive", "plan": "plan_1", "objects": {}}]
    ]


def test_a_second_plan_joins_an_open_call_and_shares_its_feedback() -> None:
    plans = (
        "If ^[Go] while true then\n[Drive.]\n+^[Gone].\n\nIf ^[Also] while true "
        "then\n[Drive.]\n+^[Came too]."
    )
    script: Script = {
        0: [saw("go")],
        1: [saw("go", False), saw("also")],
        2: [saw("also", False)],
        3: [told("drive", "driving")],
    }
    played = play(driver(plans=plans), 5, script)
    assert [call.plan for _, call in played.world.calls] == ["plan_1"]
    (joined,) = played.of("cycle")[1]["calls"]
    assert (joined["plan"], joined["joins"]) == ("plan_2", True)
    assert joined["id"] == played.world.calls[0][1].id
    assert played.at("plan_1")[3] == played.at("plan_2")[3] == 2
    assert played.held("gone") == played.held("came_too") == [4]


def test_initial_actions_are_called_before_the_first_cycle() -> None:
    main = reasoning(
        actions="Drive.",
        percepts=f"Go. {ANY_TIME}",
        plans="If ^[Driving] while true then\n+^[Gone].",
    )
    played = play(
        project(main, {"drive": action("drive", "Driving[1,3,1]")}),
        3,
        {0: [told("drive", "driving", 1)]},
    )
    assert [(cycle, call.plan) for cycle, call in played.world.calls] == [(0, None)]
    assert played.of("cycle")[0]["initial_calls"][0]["action"] == "drive"
    assert played.held("driving") == [0]


def test_a_call_carries_its_objects() -> None:
    main = reasoning(
        percepts=f"Go. {ANY_TIME}\nMonitor the following objects:\nplace [P1].",
        plans="If ^[Go] while true then\n[Drive to place P1.].",
    )
    ontology = ">place\n"
    text = action("drive", "Driving[1,3,1]", sentence="Drive to place P.", inputs="place [P]")
    played = play(project(main, {"drive": text}, ontology=ontology), 2, {0: [saw("go")]})
    assert played.world.calls[0][1].objects == {"P": "P1"}


# --- feedback -------------------------------------------------------------------------------------


def test_a_feedback_is_held_for_exactly_one_cycle_and_moves_the_plan_in_it() -> None:
    played = play(
        driver(), 7, {0: [saw("go")], 1: [saw("go", False)], 3: [told("drive", "driving")]}
    )
    assert played.held("driving") == [3]
    assert played.at("plan_1")[:5] == [1, 1, 1, 2, 0]
    assert played.held("gone") == [4, 5, 6]


def test_the_earliest_feedback_comes_in_the_cycle_after_the_call() -> None:
    played = play(
        driver("Driving[1,1,0]"),
        4,
        {0: [saw("go"), told("drive", "driving")], 1: [saw("go", False), told("drive", "driving")]},
    )
    (refused,) = played.of("refused")
    assert (refused["cycle"], refused["name"]) == (0, "drive")
    assert "no feedback of 'Drive' is due" in refused["text"]
    assert played.held("driving") == [1]
    assert not played.of("surprise")


def test_each_call_has_one_feedback() -> None:
    script: Script = {
        0: [saw("go")],
        1: [saw("go", False)],
        2: [told("drive", "driving", 1)],
        3: [told("drive", "driving", 1)],
    }
    played = play(driver(), 5, script)
    assert played.held("driving") == [2]
    assert [(line["cycle"], line["observed"]) for line in played.of("refused")] == [(3, "driving")]


def test_two_feedbacks_in_one_cycle_are_one() -> None:
    both = driver("Driving[0.5,3,1], Stuck[0.5,3,1]")
    played = play(
        both,
        4,
        {
            0: [saw("go")],
            1: [saw("go", False)],
            2: [told("drive", "stuck", 1), told("drive", "driving", 1)],
        },
    )
    assert (played.held("stuck"), played.held("driving")) == ([2], [])
    assert len(played.of("refused")) == 1


def test_what_is_no_feedback_of_an_open_call_is_refused() -> None:
    script: Script = {
        0: [saw("go")],
        2: [told("drive", "flying", 1), told("swim", "driving", 1), told("drive", "driving", 7)],
    }
    played = play(driver(), 4, script)
    assert played.held("driving") == []
    texts = [line["text"] for line in played.of("refused")]
    assert texts == [
        "'flying' is not a feedback of 'Drive'",
        "there is no action 'swim'",
        "call 7 of 'Drive' is not open, call 1 is",
    ]


def test_a_feedback_outside_of_its_window_is_a_surprise_and_is_believed() -> None:
    played = play(
        driver("Driving[1,4,0]"),
        4,
        {0: [saw("go")], 1: [saw("go", False), told("drive", "driving")]},
    )
    assert [
        (line["what"], line["cycle"])
        for line in played.of("surprise")
        if line["what"] == "feedback"
    ] == [("feedback", 1)]
    assert played.held("driving") == [1]
    assert played.held("gone") == [2, 3]


# --- overdue --------------------------------------------------------------------------------------


def overdue(played_of: LisaProgram, **options: object) -> list[tuple[int, object]]:
    played = play(played_of, 9, {0: [saw("go")], 1: [saw("go", False)]}, **options)  # type: ignore[arg-type]
    return [
        (line["cycle"], line["observed"])
        for line in played.of("surprise")
        if line["what"] == "overdue"
    ]


def test_an_overdue_feedback_is_a_surprise_told_once_and_waited_for_on() -> None:
    """Called in cycle 0, due by mu + sigma = 4 cycles after it."""
    assert overdue(driver("Driving[1,3,1]")) == [(4, None)]
    late = play(
        driver("Driving[1,3,1]"),
        9,
        {0: [saw("go")], 1: [saw("go", False)], 6: [told("drive", "driving", 1)]},
    )
    assert late.held("driving") == [6]
    assert [state["driving"] for state in late.states[4:7]] == [2, 2, 1]
    assert late.held("gone") == [7, 8]


def test_an_overdue_action_fails_by_its_failure_feedback() -> None:
    both = driver(
        "Driving[1,3,1], Failed[0,3,1]",
        plans="If ^[Go] while true then\n[Drive.].\n\nIf ^[Failed] while true then\n+^[Trouble].",
    )
    assert overdue(both, failures={"drive": "failed"}) == [(4, "failed")]
    played = play(
        both,
        9,
        {0: [saw("go")], 1: [saw("go", False)], 6: [told("drive", "driving", 1)]},
        failures={"drive": "failed"},
    )
    assert played.held("failed") == [4]
    assert played.at("plan_1")[3:5] == [1, 0]
    assert played.held("trouble") == [5, 6, 7, 8]
    assert [line["cycle"] for line in played.of("refused")] == [6]


# --- stop -----------------------------------------------------------------------------------------


def test_stop_ends_what_runs_takes_one_cycle_and_leaves_a_feedback_due() -> None:
    plans = (
        "If ^[Go] while true then\n[Drive.].\n\nIf ^[Also] while true then\n[Stop "
        "drive.]\n+^[Stopped]."
    )
    repeated = driver("Driving[1,3,1]", plans=plans, mode="control, runRepeated")
    script: Script = {
        0: [saw("go")],
        1: [saw("go", False), saw("also")],
        2: [saw("also", False)],
        3: [told("drive", "driving", 1)],
    }
    played = play(repeated, 6, script)
    ((cycle, stop),) = played.world.stops
    assert (cycle, stop.action, stop.plan, stop.call) == (1, "drive", "plan_2", 1)
    assert played.of("cycle")[1]["stops"] == [{"id": 1, "action": "drive", "plan": "plan_2"}]
    assert played.at("plan_2")[1:4] == [1, 2, 0]
    assert played.held("driving") == [3]


# --- percepts -------------------------------------------------------------------------------------


def looker(condition: str = "") -> LisaProgram:
    percepts = f"Seen. {{[{condition}],[0.5,1,0],[0.5,1,0]}}\nAllowed. {{[],[0.5,1,0],[0.5,1,0]}}"
    return project(reasoning(percepts=percepts, plans="If ^[Seen] while true then\n+^[Noted]."))


def test_a_percept_flips_at_most_once_per_cycle() -> None:
    played = play(looker(), 6, {0: [saw("seen"), saw("seen", False), saw("seen")]})
    assert played.held("seen") == [0, 1, 2, 3, 4, 5]


def test_a_pulse_between_two_ticks_lasts_one_cycle() -> None:
    played = play(looker(), 6, {1: [saw("seen"), saw("seen", False)]})
    assert played.held("seen") == [1]
    gap = play(looker(), 6, {0: [saw("seen")], 2: [saw("seen", False), saw("seen")]})
    assert gap.held("seen") == [0, 1, 3, 4, 5]


def test_a_conditional_percept_waits_until_its_condition_was_believed_in_the_cycle_before() -> None:
    played = play(looker("Allowed"), 6, {1: [saw("seen")], 2: [saw("allowed")]})
    assert played.held("allowed") == [2, 3, 4, 5]
    assert played.held("seen") == [3, 4, 5]
    assert not played.of("surprise")


def test_the_condition_holds_back_the_beginning_only() -> None:
    played = play(
        looker("Allowed"), 6, {0: [saw("allowed")], 1: [saw("seen")], 2: [saw("allowed", False)]}
    )
    assert played.held("seen") == [1, 2, 3, 4, 5]


def test_a_percept_that_the_program_does_not_have_is_refused() -> None:
    played = play(looker(), 2, {0: [saw("smelt")]})
    assert [line["name"] for line in played.of("refused")] == ["smelt"]


def test_a_flip_that_the_model_excludes_is_a_surprise_and_its_counter_starts_over() -> None:
    rare = project(
        reasoning(
            percepts="Seen. {[],[0.5,3,0],[0.5,3,0]}",
            plans="If ^[Seen] while true then\n+^[Noted].",
        )
    )
    played = play(rare, 5, {1: [saw("seen")]})
    assert [(line["cycle"], line["name"], line["observed"]) for line in played.of("surprise")] == [
        (1, "seen", True)
    ]
    assert [state["c1"] for state in played.states] == [2, 0, 1, 2, 3]


def test_a_flip_that_had_to_come_and_did_not_is_a_surprise() -> None:
    certain = project(
        reasoning(
            percepts="Seen. {[],[1,3,0],[0,1,0]}", plans="If ^[Seen] while true then\n+^[Noted]."
        )
    )
    played = play(certain, 5, {})
    assert [(line["cycle"], line["observed"]) for line in played.of("surprise")] == [(2, None)]
    assert [state["c1"] for state in played.states] == [2, 3, 0, 1, 2]


# --- messages -------------------------------------------------------------------------------------


def listener(*, unknown: bool = True) -> LisaProgram:
    messages = f"Monitor the following messages:\nCome home. {ANY_TIME}" + (
        f"\nUnknown message received. {ANY_TIME}" if unknown else ""
    )
    plans = "If +^[Come home] while true then\n+^[Recalled]."
    return project(reasoning(percepts=f"Go. {ANY_TIME}\n{messages}", plans=plans))


def test_a_message_is_a_pulse_of_one_cycle() -> None:
    played = play(listener(), 5, {1: [said("Come home.")]})
    assert played.held("come_home") == [1]
    assert played.held("recalled") == [2, 3, 4]


def test_equal_messages_of_a_cycle_are_one() -> None:
    played = play(listener(), 6, {1: [said("Come home"), said("come HOME.")]})
    assert played.held("come_home") == [1]


def test_repeated_messages_are_spaced_by_an_inactive_cycle() -> None:
    played = play(
        listener(), 8, {1: [said("Come home")], 2: [said("Come home")], 3: [said("Come home")]}
    )
    assert played.held("come_home") == [1, 3, 5]


def test_an_unknown_message_is_a_percept_without_its_text() -> None:
    played = play(listener(), 4, {1: [said("Make tea", "cook")]})
    assert played.held("unknown_message_received") == [1]
    assert [(line["from"], line["text"]) for line in played.of("message")] == [("cook", "Make tea")]
    assert not any("tea" in str(state) for state in played.states)


def test_an_unknown_message_is_only_recorded_where_nobody_declares_it() -> None:
    played = play(listener(unknown=False), 4, {1: [said("Make tea")]})
    assert len(played.of("message")) == 1
    assert all(
        state == {**state, **dict.fromkeys(("come_home", "recalled"), 0)} for state in played.states
    )


def test_a_percept_is_no_message() -> None:
    played = play(listener(), 4, {1: [said("Go")]})
    assert played.held("go") == []
    assert played.held("unknown_message_received") == [1]

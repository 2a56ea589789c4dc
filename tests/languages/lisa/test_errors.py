"""Wrong projects: every mistake is reported, with its place and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.lisa.projects import EXAMPLES, action, codes, mistakes, project, reasoning
from volition.diagnostics import Diagnostic, InputError
from volition.languages.lisa import load

GO = "If ^[Go] while true then\n"


def only(found: tuple[Diagnostic, ...]) -> Diagnostic:
    (error,) = found
    return error


def test_all_mistakes_are_reported_at_once() -> None:
    text = reasoning(
        beliefs="Go.",
        percepts="P. {[],[1.5,1,0],[1,0,0]}\nQ. {[],[0.1,1,0]}",
        rules="If ^[Go] than ^[A]\nIf ^[Goo] then ^[A]",
        plans=GO + "[Fly.]\n+^[A\n\nIf ^[Go] then\n-^[P].",
    )
    found = mistakes(text)
    assert set(codes(found)) == {"LIS001", "LIS004", "LIS007", "LIS040", "LIS041", "LIS045"}
    assert codes(found).count("LIS001") == 2
    indices = [each.span.line for each in found if each.span]
    assert indices == sorted(indices)


@pytest.mark.parametrize(
    ("sections", "code", "position", "hint"),
    [
        ({"plans": "If ^[Goo] while true then\n+^[A]."}, "LIS040", "Goo", "did you mean 'Go'?"),
        ({"plans": GO + "+^[A].", "rules": "If ^[Bee] then ^[A]"}, "LIS040", "Bee", None),
        ({"percepts": "P. {[Nothing],[1,1,0],[1,1,0]}"}, "LIS040", "Nothing", None),
        (
            {"plans": GO + "[Activate drive mod.]."},
            "LIS041",
            "Activate drive mod.",
            "did you mean 'Activate drive mode'?",
        ),
        ({"actions": "Activate."}, "LIS041", "Activate", None),
        (
            {"plans": GO + "[Stop activate drive mode.]."},
            "LIS042",
            "Stop activate drive mode.",
            "runRepeated",
        ),
        (
            {"percepts": "P. {[],[1,1,0],[1,1,0]}", "plans": GO + "+^[P]."},
            "LIS045",
            "P",
            "environment",
        ),
        ({"rules": "If ^[Go] then ^[Drive mode]"}, "LIS045", "Drive mode", "environment"),
        ({"percepts": "P. {[],[1,1,0],[1,1,0]}\nP. {[],[1,1,0],[1,1,0]}"}, "LIS046", "P", None),
        ({"percepts": "Drive mode. {[],[1,1,0],[1,1,0]}"}, "LIS047", "Drive mode", "action file"),
        ({"percepts": "Drive mod."}, "LIS048", "Drive mod", "did you mean 'Drive mode'?"),
        ({"percepts": "Plan 3. {[],[1,1,0],[1,1,0]}"}, "LIS049", "Plan 3", "reserved"),
        ({"beliefs": "Go.\nX."}, "LIS049", "X", "reserved"),
        ({"beliefs": "Go.\nBefore plan 1."}, "LIS049", "Before plan 1", "reserved"),
        (
            {"actions": "[Activate drive mode.] {fuel=1}"},
            "LIS054",
            "[Activate drive mode.] {fuel=1}",
            "first cycle",
        ),
        (
            {"plans": GO + "+^[A] {res_cycles=1}."},
            "LIS055",
            "+^[A] {res_cycles=1}.",
            "another name",
        ),
        ({"plans": GO + "+^[A] {fuel=1,fuel=2}."}, "LIS005", "fuel=2", None),
        ({"plans": GO + "~^[A]."}, "LIS003", "~", "'-'"),
        ({"plans": GO + "+^[ ]."}, "LIS002", "^[ ]", None),
        ({"percepts": "P. {[],[0.5,2.5,0],[1,1,0]}"}, "LIS004", "2.5", "whole number"),
        ({"percepts": "P. {[],[0.5,2,0.5],[1,1,0]}"}, "LIS004", "0.5", "cycles"),
        ({"percepts": "Monitor the following booles:"}, "LIS013", "booles", "booleans"),
        ({"plans": "If ^[Go] while true then"}, "LIS014", "If ^[Go] while true then", None),
        ({"plans": "When ^[Go] then\n+^[A]."}, "LIS015", "When ^[Go] then", None),
        ({"plans": "If ^[Go] and ^[A] then\n+^[A]."}, "LIS001", "and ", "'while'"),
        ({"rules": "If [Go] then ^[A]"}, "LIS001", "[Go]", "a belief ^[...]"),
        ({"percepts": "P. {[],[0.1,1,0]}"}, "LIS007", "{[],[0.1,1,0]}", "[conditions]"),
        (
            {"percepts": "P. {[0.1,1,0],[0.1,1,0]}"},
            "LIS007",
            "{[0.1,1,0],[0.1,1,0]}",
            "[conditions]",
        ),
    ],
)
def test_one_mistake(sections: dict[str, str], code: str, position: str, hint: str | None) -> None:
    drive = {
        "activate drive mode": action(
            "activate drive mode", "Drive mode[1,5,0]", sentence="Activate drive mode."
        )
    }
    found = mistakes(reasoning(**{"beliefs": "Go.", **sections}), drive)
    first = found[0]
    assert first.code == code
    assert first.span is not None
    assert first.span.text == position
    assert hint is None or hint in (first.hint or "")


def test_what_could_not_be_read_is_not_missed_as_well() -> None:
    """One mistake in a declaration, one message: the uses of what it declares are not blamed."""
    plans = "If ^[Wind] while true then\n[act.]\n+^[A].\nIf ^[Done] while true then\n+^[A]."
    found = mistakes(
        reasoning(percepts="Wind. {[],[0.1,1;0],[1,1,0]}\nDone.", plans=plans),
        {"act": action("act", "Done[1,1.]")},
    )
    assert codes(found) == ["LIS001", "LIS001"]
    found = mistakes(
        reasoning(percepts="Wind. {[],[0.1,1],[1,1,0]}\nDone.", plans=plans),
        {"act": action("act", "Done[1,1,0,2]")},
    )
    assert codes(found) == ["LIS006", "LIS006"]


def test_a_sentence_calls_one_action() -> None:
    same = {
        name: action(name, feedback, sentence="Do it.")
        for name, feedback in (("one", "A[1,1,0]"), ("two", "B[1,1,0]"))
    }
    assert codes(mistakes(reasoning(), same)) == ["LIS056"]
    objects = {"one": action("one", "A[1,1,0]", sentence="Go to X.", inputs="place [X]")}
    objects["two"] = action("two", "B[1,1,0]", sentence="Go to Y.", inputs="place [Y]")
    assert codes(mistakes(reasoning(), objects)) == ["LIS056"]


def test_an_action_file_with_a_misspelt_field_is_read_all_the_same() -> None:
    """One mistake, one message: what the action gives and how it is called is known."""
    plans = "If ^[Go] then\n[act.]\n+^[Acted]."
    for field in (
        "procedure name",
        "senglish sentences",
        "process, repeat mode",
        "performance feedback",
    ):
        text = action("act", "Done[1,1,0]").replace(field, field.replace("e", "", 1))
        assert codes(
            mistakes(reasoning(beliefs="Go.", percepts="Done.", plans=plans), {"act": text})
        ) == ["LIS025"]
    nameless = action("act", "Done[1,1,0]").replace("procedure name:: act", "")
    assert codes(
        mistakes(reasoning(beliefs="Go.", percepts="Done.", plans=plans), {"act": nameless})
    ) == ["LIS021"]


def test_sections() -> None:
    assert codes(mistakes("Go.\n")) == ["LIS010"]
    misspelt = only(mistakes("INITIAL BELIEFS AND GOAL\nGo.\n"))
    assert (misspelt.code, misspelt.hint) == ("LIS011", "did you mean 'INITIAL BELIEFS AND GOALS'?")
    assert codes(mistakes("REASONING\n\nREASONING\n")) == ["LIS012"]


@pytest.mark.parametrize(
    ("title", "written", "code", "position"),
    [
        ("REASONING", "REASONNING", "LIS011", "REASONNING"),
        ("EXECUTABLE PLANS", "Executable plans", "LIS011", "Executable plans"),
        ("REASONING", "", "LIS016", "If ^[Go] then ^[Ready]"),
        ("EXECUTABLE PLANS", "", "LIS016", "If ^[Ready] while ^[Go] then"),
    ],
)
def test_a_section_without_its_title_is_read_all_the_same(
    title: str, written: str, code: str, position: str
) -> None:
    text = reasoning(
        beliefs="Go.", rules="If ^[Go] then ^[Ready]", plans="If ^[Ready] while ^[Go] then\n-^[Go]."
    )
    found = only(mistakes(text.replace(title, written)))
    assert (found.code, found.span and found.span.text) == (code, position)
    assert title in (found.hint or "")


def test_a_heading_of_percepts_that_is_not_understood() -> None:
    found = only(
        mistakes(reasoning(percepts="Monitor following mesages:\nStop now. {[],[0.1,1,0],[1,1,0]}"))
    )
    assert (found.code, found.span and found.span.text) == ("LIS013", "mesages")


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("senglish sentences:: Act.\nprocess, repeat mode:: control, runOnce\n", "LIS021", None),
        (
            "procedure name:: act\nprocess, repeat mode:: control, runOnce\nsenglish sentence:: "
            "Act.\nperformance feedback:: D[1,1,0]\n",
            "LIS025",
            "did you mean 'senglish sentences'?",
        ),
        (action("acting", "D[1,1,0]", sentence="Act."), "LIS022", "acting.sep"),
        (action("act", "D[1,1,0]", mode="control, runOften"), "LIS024", "did you mean 'runOnce'?"),
        (
            action("act", "D[1,1,0]", mode="control, runOnce twice"),
            "LIS024",
            "expected runOnce or runRepeated",
        ),
        (
            action("act", "D[1,1,0]").replace("performance feedback", "performnce feedbacks"),
            "LIS025",
            "did you mean 'performance feedback'?",
        ),
        (action("act", "D[0.6,1,0], E[0.3,1,0]"), "LIS043", "Eq. 3.8"),
        (action("act", "D[1,1]"), "LIS006", "a variance"),
        (action("act", "D[-1,1,0]"), "LIS004", "between 0 and 1"),
        (action("act", "D[1,1,-1]"), "LIS004", None),
        (action("act", "D"), "LIS001", None),
        (action("act", "D[1,1,0]") + "procedure name:: act\n", "LIS020", None),
    ],
)
def test_wrong_action_files(text: str, code: str, hint: str | None) -> None:
    found = mistakes(reasoning(beliefs="Go."), {"act": text})
    assert found[0].code == code
    assert hint is None or hint in (found[0].hint or "")


def test_a_feedback_belongs_to_one_action() -> None:
    found = only(
        mistakes(
            reasoning(), {"one": action("one", "Done[1,1,0]"), "two": action("two", "Done[1,1,0]")}
        )
    )
    assert found.code == "LIS044"
    assert "'one'" in found.message


ONTOLOGY = ">place\n  @coordinates: vector\n  >>base\n>image\n"


@pytest.mark.parametrize(
    ("ontology", "code"),
    [
        ("place\n", "LIS030"),
        ("@size: number\n", "LIS030"),
        (">>place\n", "LIS031"),
        (">a\n>>>b\n", "LIS031"),
        (">a\n>a\n", "LIS032"),
        (">a\n@size: nomber\n", "LIS033"),
    ],
)
def test_wrong_ontologies(ontology: str, code: str) -> None:
    assert codes(mistakes(reasoning(), ontology=ontology)) == [code]


@pytest.mark.parametrize(
    ("inputs", "call", "objects", "code"),
    [
        ("plac [L]", "Go to L1.", "place [L1].", "LIS050"),
        ("place [M]", "Go to L.", "", "LIS051"),
        ("place [L]", "Go to L1.", "place [L2].", "LIS052"),
        ("place [L]", "Go to L1.", "image [L1].", "LIS053"),
        ("base [L]", "Go to L1.", "place [L1].", "LIS053"),
        ("place [L]", "Go to L1.", "house [L1].", "LIS050"),
    ],
)
def test_types_of_objects(inputs: str, call: str, objects: str, code: str) -> None:
    """Page 46: the type of a variable must be specified in the ontology; a subclass will do for its
    class, not the other way."""
    go = action("go", "Arrived[1,1,0]", sentence="Go to L.", inputs=inputs)
    text = reasoning(
        beliefs="Go.", percepts=f"Monitor the following objects:\n{objects}", plans=f"{GO}[{call}]."
    )
    assert code in codes(mistakes(text, {"go": go}, ontology=ONTOLOGY))


def test_objects_are_checked_where_an_action_is_stopped() -> None:
    follow = action("follow", sentence="Follow P.", mode="control, runRepeated", inputs="place [P]")
    text = reasoning(
        beliefs="Go.",
        percepts="Monitor the following objects:\nplace [Road].",
        plans=GO + "[Follow Road.]\n[Stop follow Rod.].",
    )
    found = only(mistakes(text, {"follow": follow}, ontology=ONTOLOGY))
    assert (found.code, found.hint) == ("LIS052", "did you mean 'Road'?")


def test_an_output_of_one_action_is_an_input_of_another() -> None:
    see = action("see", "Seen[1,1,0]", sentence="Take picture I.", outputs="image [I]")
    send = action("send", "Sent[1,1,0]", sentence="Send I.", inputs="image [I]")
    text = reasoning(beliefs="Go.", plans=GO + "[Take picture I7.]\n[Send I7.].")
    assert len(project(text, {"see": see, "send": send}, ontology=ONTOLOGY).agent.actions) == 2


def test_an_object_is_of_the_class_that_an_action_gives() -> None:
    see = action("see", "Seen[1,1,0]", sentence="Take picture I.", outputs="image [I]")
    text = reasoning(
        beliefs="Go.",
        percepts="Monitor the following objects:\nplace [Road].",
        plans=GO + "[Take picture Road.].",
    )
    assert only(mistakes(text, {"see": see}, ontology=ONTOLOGY)).code == "LIS053"


@pytest.mark.parametrize(
    ("sections", "actions", "code"),
    [
        ({"plans": GO + "-^[A]."}, {}, "LIS070"),
        ({"beliefs": ""}, {"act": action("act", "D[1,1,0]")}, "LIS071"),
        ({"plans": GO + "[act.]."}, {"act": action("act")}, "LIS072"),
        (
            {"plans": GO + "[act.]."},
            {
                "act": (
                    "procedure name:: act\nsenglish sentences:: Act.\nperformance feedback:: "
                    "D[1,1,0]\n"
                )
            },
            "LIS023",
        ),
        ({"plans": GO + "[act.]."}, {"act": action("act", "D[0.5,1,0], E[0.5,2,0]")}, "LIS074"),
        (
            {"plans": GO + "[act.]."},
            {"act": action("act", "D[1,1,0]") + "feedbacks:: E[1,1,0]\n"},
            "LIS026",
        ),
        ({"beliefs": "Go.\ngo", "plans": GO + "-^[Go]."}, {}, "LIS075"),
        ({"actions": "+^[A]\n+^[a]", "plans": GO + "-^[A]."}, {}, "LIS075"),
        ({"percepts": "P. {[Go, go],[1,1,0],[1,1,0]}", "plans": GO + "-^[Go]."}, {}, "LIS075"),
        ({"rules": "If ^[Go] then ^[A]\nIf ^[go] then +^[A]"}, {}, "LIS075"),
        ({"plans": GO + "-^[Go].\nIf ^[Go] then\n-^[go]."}, {}, "LIS075"),
        (
            {"plans": GO + "[act.]."},
            {"act": action("act", "D[1,1,0]", sentence="Act. act.")},
            "LIS075",
        ),
        ({"percepts": "P. {[Go, ~Go],[1,1,0],[1,1,0]}", "plans": GO + "-^[Go]."}, {}, "LIS076"),
        ({"rules": "If ^[Go] and not (^[Go] or ^[A]) then ^[A]"}, {}, "LIS076"),
        ({"plans": "If ^[Go] while ~^[Go] then\n-^[Go]."}, {}, "LIS076"),
        ({"beliefs": "Go.\nReady.", "plans": GO + "-^[Go]."}, {}, "LIS077"),
        ({"plans": GO + "-^[Go] {fuel=1}\n+^[Gone] {Fuel=1}."}, {}, "LNG009"),
        (
            {"percepts": "Monitor the following objects:\nplace [L1].", "plans": GO + "-^[Go]."},
            {},
            "LIS079",
        ),
    ],
)
def test_warnings(sections: dict[str, str], actions: dict[str, str], code: str) -> None:
    program = project(reasoning(**{"beliefs": "Go.", **sections}), actions)
    assert [each.code for each in program.warnings] == [code]


def test_an_initial_belief_that_a_property_asks_for_is_used() -> None:
    text = reasoning(beliefs="Go.\nReady now.", plans=GO + "-^[Go].")
    for query in ('A [ G Bel("Ready now") ]', "A [ G ready_now = 1 ]"):
        assert not project(text, properties=query).warnings


@pytest.mark.parametrize(
    ("sections", "actions", "ontology", "code"),
    [
        (
            {"percepts": "D.\nD.", "plans": GO + "[act.]."},
            {"act": action("act", "D[1,1,0]")},
            None,
            "LIS046",
        ),
        (
            {"percepts": "Monitor the following objects:\nplace [L1].\nbase [L1]."},
            {},
            ">place\n>>base\n",
            "LIS058",
        ),
        (
            {},
            {"act": action("act", "D[1,1,0]", sentence="Act at L.", inputs="place [L], base [L]")},
            None,
            "LIS058",
        ),
        ({"percepts": "Monitor the following booleans:"}, {}, None, "LIS012"),
        ({"percepts": "Monitor not the following objects:"}, {}, None, "LIS013"),
        ({"percepts": "Monitor the following !objects:"}, {}, None, "LIS013"),
        ({}, {"act": "procedure name::\n" + action("act", "D[1,1,0]")}, None, "LIS020"),
        ({}, {}, ">place\n@size: number\n@size: text\n", "LIS034"),
        ({}, {"act": "Act.\n" + action("act", "D[1,1,0]")}, None, "LIS027"),
        (
            {},
            {"act": action("act", "D[1,1,0]", mode="control, runOnce\n  runRepeated")},
            None,
            "LIS028",
        ),
    ],
)
def test_what_is_said_twice_or_left_over(
    sections: dict[str, str], actions: dict[str, str], ontology: str | None, code: str
) -> None:
    found = only(mistakes(reasoning(**{"beliefs": "Go.", **sections}), actions, ontology=ontology))
    assert found.code == code


def test_files_with_nearly_the_right_name(tmp_path: Path) -> None:
    """They are not read, and somebody says so."""
    (tmp_path / "agent.sej").write_text(reasoning(beliefs="Go.", plans=GO + "-^[Go]."))
    (tmp_path / "sub").mkdir()
    unread = ["agent.onto", "agent.prop", "land.SEP", "sub/agent.props", "sub/agent.pros"]
    for name in (*unread, "notes.txt", "agent.py"):
        (tmp_path / name).write_text("")
    warnings = load(tmp_path, {}).warnings
    assert {each.code for each in warnings} == {"LNG007"}
    assert (
        sorted(each.message.split("'")[1].removeprefix(f"{tmp_path}/") for each in warnings)
        == unread
    )


def test_settings() -> None:
    with pytest.raises(InputError, match="unknown setting 'len_max'"):
        load(EXAMPLES / "vessel_mdp", {"len_max": "3"})


@pytest.mark.parametrize(
    ("step", "code", "hint"),
    [
        ("[Withdraw plan 3.]", "LIS067", "numbered from 1 to 2"),
        ("[Withdraw plan 0.]", "LIS067", "numbered from 1 to 2"),
        ("[withdraw  plan 1.]", "LIS068", "a plan ends after its last action"),
        ("[Withdraw plan one.]", "LIS041", "every external action needs an action file"),
    ],
)
def test_plans_that_cannot_be_withdrawn(step: str, code: str, hint: str) -> None:
    plans = f"If ^[Go] then\n-^[Go]\n{step}.\nIf ^[Go] while ^[Go] then\n-^[Go]."
    (found,) = mistakes(reasoning(beliefs="Go.", plans=plans))
    assert found.code == code
    assert hint in (found.hint or "")
    assert found.span is not None
    assert found.span.source.line(found.span.line) == f"{step}."


def test_plans_are_withdrawn_by_plans() -> None:
    plans = "If ^[Go] then\n-^[Go]."
    assert codes(mistakes(reasoning(beliefs="Go.", actions="Withdraw plan 1.", plans=plans))) == [
        "LIS069"
    ]
    own = action("withdraw", "Done[1,1,0]", sentence="Withdraw plan P.", inputs="plan [P]")
    assert codes(mistakes(reasoning(beliefs="Go.", plans=plans), {"withdraw": own})) == ["LIS029"]

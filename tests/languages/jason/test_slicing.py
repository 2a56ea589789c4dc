"""A slice of a Jason system does what the system does: plans go that no event can be for, and all
of them if nothing asked ever changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.languages.jason.random_programs import random_system
from volition import check, load, slice
from volition.diagnostics import InputError
from volition.kernel import Limits, explore
from volition.languages.jason import JasonProgram
from volition.logic import parse
from volition.logic.syntax import Atom


def system(
    folder: Path, agents: Mapping[str, str], options: str = "", world: str = ""
) -> JasonProgram:
    for name, text in agents.items():
        (folder / f"{name}.asl").write_text(text)
    if world:
        (folder / "s.world").write_text(world)
        options = f"world = s.world\n{options}"
    (folder / "s.mas2j").write_text(
        f"MAS s {{ agents: {' '.join(f'{name};' for name in agents)} }}"
    )
    (folder / "s.volition").write_text(options)
    program = load(folder / "s.mas2j")
    assert isinstance(program, JasonProgram)
    return program


def plans_left(program: JasonProgram, formula: str) -> list[str]:
    sliced = slice(program, formula).program
    assert isinstance(sliced, JasonProgram)
    return [
        f"{agent}: {plan.trigger}" for agent, each in sliced.agents.items() for plan in each.plans
    ]


def test_plans_go_that_nothing_triggers(tmp_path: Path) -> None:
    agents = {
        "amy": "p. !go. +!go <- .send(bob, tell, news(1)); .send(bob, achieve, [run]). "
        "+!old <- !older. +!older <- +x. +x. -!go. ^!go[state(S)].",
        "bob": '+news(X) <- -+seen(X); ?here. +?here <- .at("now", {+!later}). +!later. +!run. '
        "+seen(X). -seen(X). +gone. -!run. +?never.",
    }  # fmt: skip
    assert plans_left(system(tmp_path, agents), "F Bel(bob, seen(1))") == [
        "amy: +!go",
        "amy: -!go",
        "amy: ^!go[state(S)]",
        "bob: +news(X)",
        "bob: +?here",
        "bob: +!later",
        "bob: +!run",
        "bob: +seen(X)",
        "bob: -seen(X)",
        "bob: -!run",
    ]


@pytest.mark.parametrize("step", ["!G", "+G", "G", ".send(amy, achieve, G)", ".send(A, tell, G)"])
def test_what_a_variable_stands_for_may_be_anything(step: str, tmp_path: Path) -> None:
    agents = {"amy": f"want(b, amy). !go. +!go : want(G, A) <- {step}. +!b. +b. +!c. +c."}
    assert len(plans_left(system(tmp_path, agents), "F Des(amy, go)")) == 5


def test_who_counts_steps_keeps_all_plans_unless_all_parts_are_steps(tmp_path: Path) -> None:
    program = system(tmp_path, {"amy": "!go. +!go <- +done. +!old."})
    assert len(plans_left(program, "F Bel(amy, done)")) == 1
    assert len(plans_left(program, "X X Bel(amy, done)")) == 2
    assert (
        len(
            plans_left(
                system(tmp_path, {"amy": "!go. +!go <- +done. +!old."}, "cycle = parts"),
                "X X Bel(amy, done)",
            )
        )
        == 1
    )


def test_a_slice_carries_the_formula(tmp_path: Path) -> None:
    program = system(
        tmp_path, {"amy": "!go. +!go <- +done. +!old."}, "M_Ev = 7\nproperties\nG !Bel(amy, done)"
    )
    sliced = slice(program, "F Bel(amy, done)")
    assert "+!old" not in sliced.texts["amy.asl"]
    assert "".join(sliced.texts["s.volition"].split()) == "M_Ev=7propertiesA[FBel(amy,done)]"


# --- what never changes ---------------------------------------------------------------------------

WEATHER = """percept wet(X) initially wet(roof), wet(road)
percept ~wet(X)
percept cold
action dry do remove wet(_); remove ~wet(_); either { add wet(roof) } or { add ~wet(road) }
action warm do remove cold
"""
WATCHER = (
    "wet(sea). ~wet(sand). wet(roof)[source(self)]. +wet(X) <- dry; +noted(X); !!again. "
    "+~wet(X) <- dry. +!again <- dry; !!again; !!again. "
)


def test_what_never_changes_needs_no_plan_even_of_a_program_without_end(tmp_path: Path) -> None:
    program = system(tmp_path, {"amy": WATCHER}, world=WEATHER)
    query = (
        "G (Bel(amy, wet(sea)) & Bel(amy, ~wet(sand)) & !Bel(amy, cold) & !Bel(amy, wet(sand)) "
        "& !wet(sea))"
    )
    assert plans_left(program, query) == []
    (answer,) = check(program, query, slice=True, max_states=100)
    assert answer.verdict.holds
    assert check(program, query, max_states=100)[0].verdict.unknown is not None
    assert (
        "plan p__1 is removed: no atom of the property ever changes"
        in slice(program, query).explanation
    )


@pytest.mark.parametrize(
    "query",
    [
        "wet(roof)",
        "wet(road)",
        "wet(_)",
        "~wet(road)",
        "~wet(_)",
        "noted(road)",
        "wet(sea) & noted(_)",
    ],
)
def test_what_may_be_perceived_changes(query: str, tmp_path: Path) -> None:
    assert (
        len(plans_left(system(tmp_path, {"amy": WATCHER}, world=WEATHER), f"G Bel(amy, {query})"))
        == 3
    )


CHANGES = (
    "+s(1)",
    "-s(1)",
    "-s(_)",
    "+s(X)",
    "-+s(2)",
    ".abolish(s(_))",
    ".abolish(B)",
    "B = s(1); +B",
    "B = s(1); --B",
    "B = {-s(1)}; B",
    "+s(2 - 1)",
    "+s(my.double(X))",
    ".send(amy, untell, s(1))",
    ".send(amy, tell, [t, s(1)])",
    ".send(amy, tell, B)",
    ".broadcast(untell, s(_))",
    ".send(amy, askOne, s(_))",
    ".send(A, F, s(1))",
    ".send([amy, bob], tell, s(_))",
    "if (t) { for (u(X)) { -s(1) } }",
    "t |&| -s(1)",
    '.send("amy", untell, s(1))',
    "++s(1)",
    ".wait(t); -s(1)",
)
NO_CHANGES = (
    "+s(2)",
    "-s(2)",
    "-+t(1)",
    ".abolish(s(2))",
    "+~s(1)",
    "+s",
    "+s(1, 2)",
    ".send(bob, tell, s(1))",
    "?s(_)",
    "!s(1)",
    ".drop_all_intentions",
    ".send(amy, signal, s(1))",
    ".send(amy, achieve, s(1))",
    ".send(bob, askOne, s(2))",
    "+n::s(1)",
    '+s("1")',
    "+s([1])",
    "+t(s(1))",
)
BEGINNING = 's(1). {register_function("my.double", 1, "doubled")} doubled(X, Y) :- Y = 2 * X. !go.'


@pytest.mark.parametrize("step", CHANGES)
def test_every_change_of_a_belief_is_known(step: str, tmp_path: Path) -> None:
    agents = {
        "amy": f"{BEGINNING} +!go : u(X) & u(B) & u(A) & u(F) <- {step}. +!old.",
        "bob": "!go. +!go.",
    }
    assert len(plans_left(system(tmp_path, agents), "G Bel(amy, s(1))")) > 0


@pytest.mark.parametrize("step", NO_CHANGES)
def test_what_does_not_fit_is_no_change(step: str, tmp_path: Path) -> None:
    agents = {"amy": f"{BEGINNING} +!go : u(X) <- {step}. +!old.", "bob": "!go. +!go."}
    assert plans_left(system(tmp_path, agents), "G Bel(amy, s(1))") == []


@pytest.mark.parametrize(
    ("rule", "still"),
    [
        ("r :- s(1).", True), ("r :- s(X) & X > 0 & .member(X, [1, 2]).", True), ("r :- not (s(1) & not s(3)).", True),  # noqa: E501
        ("r :- t(1).", False), ("r :- s(1) & t(_).", False), ("r :- .desire(go).", False), ("r :- .count(t(_), 0).", False),  # noqa: E501
        ("r :- .count(s(_), 1).", True), ("r :- .count(t(_)) > 0.", False), ("r :- v(X) & X.", False),  # noqa: E501
        ("v(t(1)). r :- not .belief(t(1)).", False), ("r :- q. q :- t(X).", False), ("r :- .findall(X, s(X), [1]).", True),  # noqa: E501
    ],
)  # fmt: skip
def test_rules_depend_on_what_they_ask_for(rule: str, still: bool, tmp_path: Path) -> None:
    program = system(tmp_path, {"amy": f"s(1). {rule} !go. +!go <- +t(1)."})
    assert (plans_left(program, "G Bel(amy, r)") == []) is still


def test_what_is_said_to_be_perceived_but_is_not_goes(tmp_path: Path) -> None:
    program = system(tmp_path, {"amy": "s(1)[source(percept)]. !go. +!go."}, world=WEATHER)
    assert len(plans_left(program, "G Bel(amy, s(1))")) == 1
    assert not check(program, "G Bel(amy, s(1))", slice=True)[0].verdict.holds


@pytest.mark.parametrize(
    ("query", "still"),
    [
        ("Des(amy, go(2))", True),
        ("Int(amy, go(1))", False),
        ("Does(amy, dry)", False),
        ("Does(amy, warm)", True),
    ],
)
def test_goals_and_actions_that_never_come_up(query: str, still: bool, tmp_path: Path) -> None:
    program = system(
        tmp_path, {"amy": "!go(1). +!go(X) <- dry; !go(1). +!old <- warm."}, world=WEATHER
    )
    left = ["amy: +!old"] if "warm" in query else []  # which alone mentions it
    assert plans_left(program, f"G !{query}") == (left if still else ["amy: +!go(X)"])


DEAD = (
    "\n+!dead(X) <- +buried(X); !dead(X + 1). +buried(X) <- .send(zoe, tell, buried(X)). "
    "-!dead(_) <- turn(1).\n"
)


@pytest.mark.parametrize("cycle", ["parts", "exact"])
def test_a_slice_believes_what_the_system_believes(cycle: str, tmp_path: Path) -> None:
    """Some random systems want what is the value of a variable, so that nothing can go; most can be
    looked at as a whole."""
    gone = compared = 0
    for seed in range(5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = random_system(seed).write(folder, cycle)
        for file in folder.glob("*.asl"):
            file.write_text(
                file.read_text()
                + (DEAD if (folder / "small.world").exists() else DEAD.replace("turn(1)", "true"))
            )
        program = load(path)
        assert isinstance(program, JasonProgram)
        words = [each for each in program.model().vocabulary()["beliefs"] if "buried" not in each]
        for word in words[:2]:
            sliced = slice(program, f"F {word}").program
            assert isinstance(sliced, JasonProgram)
            gone += sum(
                len(program.agents[name].plans) - len(each.plans)
                for name, each in sliced.agents.items()
            )
            whole, part = truths(program, word), truths(sliced, word)
            if whole is not None and part is not None:
                assert whole == part, f"seed {seed}: {word}"
                compared += 1
    assert gone > 8
    assert compared > 4


def truths(program: JasonProgram, word: str) -> set[tuple[bool, bool]] | None:
    """What may become of the truth of an atom from one state to the next, as the cycle is cut for
    its sake.

    Nothing where a run exceeds a bound, or the states are too many to look at all.
    """
    atom = parse(word)
    assert isinstance(atom, Atom)
    model = program.model([atom])
    holds = model.resolve(atom)
    try:
        space = explore(model.system, limits=Limits(states=400))
    except InputError:
        return None
    if space.num_states > 400:
        return None
    now = [holds(space.values(state)) for state in range(space.num_states)]
    steps = [
        (state, int(target))
        for state in range(space.num_states)
        for each in space.choices_of(state)
        for target in space.targets_of(each)
    ]
    return {(now[state], now[target]) for state, target in steps if now[state] != now[target]} | {
        (now[0], now[0])
    }


def test_what_is_asked_is_still_mentioned_where_plans_for_its_states_go(tmp_path: Path) -> None:
    """What becomes of a goal is an event by itself: a plan for it is no reason to leave out the
    only place that wants the goal."""
    amy = "!go. +!go <- +b. ^!rest[state(_)] <- +c. +!never <- !rest."
    (answer,) = check(system(tmp_path, {"amy": amy}), ["F G !Int(amy, rest)"], slice="sound")
    assert answer.verdict.holds is True

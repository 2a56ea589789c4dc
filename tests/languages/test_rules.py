"""The rules of each language: its page has the table that the package has, and every step of every
run is derived by rules of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from tests.languages.agentspeak.systems import write_project
from tests.languages.can import small as can
from tests.languages.dribble.comparing import program_of as dribble
from volition import load
from volition.kernel import Limits, explore
from volition.languages.agentspeak import AgentSpeakProgram
from volition.languages.agentspeak.rules import RULES as AGENTSPEAK
from volition.languages.can.rules import RULES as CAN
from volition.languages.common.rules import SemanticRule, find_rule
from volition.languages.dribble.rules import RULES as DRIBBLE
from volition.languages.gwendolen import GwendolenProgram
from volition.languages.gwendolen.rules import ENVIRONMENT_MOVES
from volition.languages.gwendolen.rules import RULES as GWENDOLEN
from volition.languages.jason.program import JasonProgram
from volition.languages.jason.rules import RULES as JASON
from volition.languages.lisa.rules import RULES as LISA
from volition.languages.protocols import Program
from volition.languages.world.rules import RULES as WORLD
from volition.languages.world.semantics import DeclaredWorld
from volition.origin import Origin
from volition.reporting.annotated_runs import origins_of

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

STUBBORN = """GWENDOLEN
:name: a
:Initial Beliefs:
:Initial Goals: g [achieve] h [perform]
:Plans:
+!h [perform] : {True} <- +!g [achieve];
"""
"""An agent of Gwendolen that pursues twice what it has no plan for."""

AT_RANDOM = {"events": "probabilities", "plans": "probabilities", "intentions": "probabilities"}


@dataclass(frozen=True)
class Language:
    """The tables that its runs may name rules of, each with the page that has it, and programs in
    which all of these rules are used."""

    tables: Mapping[str, Sequence[SemanticRule]]
    programs: Callable[[], Iterator[Program]]
    named_in: Callable[[Program], Mapping[str, SemanticRule]] = lambda _: {}
    """What the names mean that a program gives to rules of its own."""

    @property
    def rules(self) -> list[SemanticRule]:
        return [rule for rules in self.tables.values() for rule in rules]


def can_programs() -> Iterator[Program]:
    for path in sorted((EXAMPLES / "can").glob("*.can")):
        yield load(path, {})
        yield load(path, AT_RANDOM)
    yield can.program(can.agent("+b; x := x + 1; ?b; -b", beliefs="x = 0"))


def dribble_programs() -> Iterator[Program]:
    yield from (load(path, {}) for path in sorted((EXAMPLES / "dribble").glob("*.dribble")))
    yield dribble(
        "len_max: 3\nbeliefs:\n  ~p\nactions:\n  a : true => p\ngoal rules:\n  B(~p) -> a"
    )


def agentspeak_programs() -> Iterator[Program]:
    yield load(EXAMPLES / "agentspeak" / "auction", {"auctions": "1"})
    yield load(EXAMPLES / "agentspeak" / "auction_repaired", {"auctions": "1", "idle": "cycle"})
    yield load(EXAMPLES / "agentspeak" / "contract_net", {})
    yield load(EXAMPLES / "agentspeak" / "factory", {})
    with TemporaryDirectory() as folder:
        yield load(
            write_project(
                Path(folder), {"a": "+rain : true <- +wet."}, "free percept rain", "M_Ev = 2"
            ),
            {},
        )


def jason_programs() -> Iterator[Program]:
    for name in ("contract_net", "courier", "library", "patrol", "room"):
        yield load(EXAMPLES / "jason" / name, {})
    yield load(EXAMPLES / "jason" / "contract_net", {"time": "free", "cycle": "parts"})
    with TemporaryDirectory() as folder:
        alone = Path(folder) / "alone.asl"
        alone.write_text("!go. +!go <- shout. -!go <- .stopMAS.")
        yield load(alone, {})


def behind_environment(program: Program) -> Mapping[str, SemanticRule]:
    """What the world does, by an action or by itself, is named behind the rule."""
    assert isinstance(program, JasonProgram)
    environment = next(rule for rule in JASON if rule.name == "environment")
    tree = getattr(program.world, "tree", None)
    names = (
        []
        if tree is None
        else [*(each.action.functor for each in tree.actions), *(each.name for each in tree.steps)]
    )
    return dict.fromkeys(names, environment)


def rules_of_the_world(program: Program) -> Mapping[str, SemanticRule]:
    assert isinstance(program, AgentSpeakProgram)
    assert isinstance(program.world, DeclaredWorld)
    action, step, comes, goes = WORLD
    percepts = program.world.free_percepts
    return {
        **{each.functor: action for each in program.world.actions},
        **{each.name: step for each in program.world.tree.steps},
        **{f"{each} comes": comes for each in percepts},
        **{f"{each} goes": goes for each in percepts},
    }


def gwendolen_programs() -> Iterator[Program]:
    yield load(EXAMPLES / "gwendolen" / "auction" / "two_bidders.gwendolen", {})
    for name in ("cruise_control", "lucky_dip", "rescue", "satellite"):
        yield load(EXAMPLES / "gwendolen" / name, {})
    with TemporaryDirectory() as folder:
        stubborn = Path(folder) / "stubborn.gwen"
        stubborn.write_text(STUBBORN)
        yield load(stubborn, {})


def steps_of_the_world(program: Program) -> Mapping[str, SemanticRule]:
    """A step that the world makes by itself is named behind the rule."""
    assert isinstance(program, GwendolenProgram)
    tree = getattr(program.world, "tree", None)
    return {} if tree is None else {each.name: ENVIRONMENT_MOVES for each in tree.steps}


def lisa_programs() -> Iterator[Program]:
    yield from (load(path, {}) for path in sorted((EXAMPLES / "lisa").iterdir()))


LANGUAGES = {
    "AgentSpeak(F)": Language(
        {"agentspeak.md": AGENTSPEAK, "world.md": WORLD}, agentspeak_programs, rules_of_the_world
    ),
    "CAN": Language({"can.md": CAN}, can_programs),
    "Dribble": Language({"dribble.md": DRIBBLE}, dribble_programs),
    "Gwendolen": Language({"gwendolen.md": GWENDOLEN}, gwendolen_programs, steps_of_the_world),
    "Jason": Language({"jason.md": JASON}, jason_programs, behind_environment),
    "LISA": Language({"lisa.md": LISA}, lisa_programs),
}
PAGES = [
    (page, rules) for language in LANGUAGES.values() for page, rules in language.tables.items()
]


def steps(program: Program) -> Iterator[Origin]:
    """What happens in the first 30,000 states of a program, which are all of most; where chance
    picks a step, each of them."""
    space = explore(program.model().system, limits=Limits(states=30_000))
    for number in np.unique(space.label_ids):
        for origin in origins_of(space.labels[number]):
            yield from origin.possible_steps


@pytest.mark.parametrize(("page", "rules"), PAGES, ids=[page for page, _ in PAGES])
def test_the_page_has_the_table(page: str, rules: Sequence[SemanticRule]) -> None:
    (section,) = re.findall(
        r"^#+ Rules\n(.*?)(?=^#|\Z)",
        (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    rows = [
        tuple(cell.strip() for cell in line.strip("|").split(" | "))
        for line in section.splitlines()
        if line.startswith("|")
    ]
    assert rows[0] == ("rule", "printed", "what it does")
    assert rows[2:] == [(f"`{rule}`", rule.reference, rule.description) for rule in rules]


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_step_names_rules_of_the_table(name: str) -> None:
    language = LANGUAGES[name]
    seen: set[SemanticRule | None] = set()
    for program in language.programs():
        own = language.named_in(program)
        for step in steps(program):
            assert step.rules, f"no rule is named: {step}"
            found = [own.get(rule) or find_rule(rule, language.rules) for rule in step.rules]
            assert None not in found, step.rules
            seen.update(found)
    assert seen == set(language.rules)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_name_stands_for_one_rule(name: str) -> None:
    rules = LANGUAGES[name].rules
    assert len({(rule.name, bool(rule.argument)) for rule in rules}) == len(rules)


def test_names_with_something_in_brackets() -> None:
    one, exact = SemanticRule("execute", "b", "", ""), SemanticRule("execute(if)", "", "", "")
    assert str(one) == "execute(b)"
    assert str(exact) == "execute(if)"
    assert [
        find_rule(name, (one, exact)) for name in ("execute(go)", "execute(p(1))", "execute(if)")
    ] == [one, one, exact]
    assert [
        find_rule(name, (one, exact)) for name in ("execute", "execute()", "execute(", "go(if)", "")
    ] == [None] * 5

"""Reading programs: the syntax, and everything that can be wrong with a program, at its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.languages.dribble.comparing import program_of
from volition.diagnostics import Diagnostic, InputError, Source
from volition.languages.dribble import load, read
from volition.languages.dribble.syntax import text_of_plan

GOOD = """
len_max: 20
beliefs:
  at_home, ~fed
goals:
  fed
actions:
  walk : at_home => ~at_home
  eat : true => fed
abstract plans:
  Shop
goal rules:
  g = fed -> Shop; eat
revision rules:
  s = Shop; pi | at_home -> walk; pi
"""


def mistakes(text: str) -> list[Diagnostic]:
    with pytest.raises(InputError) as raised:
        program_of(text)
    return list(raised.value.diagnostics)


def codes(text: str) -> list[str]:
    return [error.code for error in mistakes(text)]


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def warned(text: str) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in program_of(text).warnings]


# --- what is read ---------------------------------------------------------------------------------


def test_a_program_without_mistakes() -> None:
    program = program_of(GOOD)
    assert not program.warnings
    assert program.language == "Dribble"
    assert [rule.name for rule in program.agent.rules] == ["g", "s"]


def test_the_agent_is_named_after_its_file(tmp_path: Path) -> None:
    path = tmp_path / "shopper.dribble"
    path.write_text(GOOD)
    assert load(path, {}).model().agents == ("shopper",)


def test_sections_may_stand_in_any_order() -> None:
    sections = re.split(r"\n(?=\S)", GOOD.strip())
    assert len(sections) == 7
    assert program_of("\n".join(reversed(sections))).agent == program_of(GOOD).agent


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("if at_home then walk else walk; eat", "if at_home then walk else {walk; eat}"),
        ("if at_home then walk else {walk}; eat", "if at_home then walk else walk; eat"),
        ("if at_home then walk; eat else eat", "if at_home then {walk; eat} else eat"),
        ("{walk; {eat}}; Shop", "walk; eat; Shop"),
        (
            "if at_home then if fed then eat else walk else eat",
            "if at_home then {if fed then eat else walk} else eat",
        ),
        ("if at_home ∨ ¬fed then eat else walk", "if at_home | ~fed then eat else walk"),
    ],
)
def test_plans(written: str, meant: str) -> None:
    """The last branch of a conditional goes as far as it can; braces end it."""
    (rule,) = program_of(changed("Shop; eat", written)).agent.goal_rules
    assert text_of_plan(rule.body) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("fed", "G(fed)"),
        ("fed & at_home", "G(at_home & fed)"),
        ("G fed & B at_home", "(G(fed) & B(at_home))"),
        ("Goal(fed) and not Bel(at_home | fed)", "(G(fed) & ~B(at_home | fed))"),
        ("true", "true"),
        ("~(fed | ~at_home)", "G(at_home & ~fed)"),
    ],
)
def test_guards_of_goal_rules(written: str, meant: str) -> None:
    """A guard without B and G is one formula under G, as in the paper's g1 and g2."""
    (rule,) = program_of(changed("g = fed ->", f"g = {written} ->")).agent.goal_rules
    assert str(rule.guard) == meant


@pytest.mark.parametrize(
    "written",
    ["Shop; pi | at_home -> walk; pi", "Shop | B(at_home) → walk", "Shop; π | at_home -> walk; π"],
)
def test_the_plan_variable_may_be_left_out(written: str) -> None:
    assert (
        program_of(changed("s = Shop; pi | at_home -> walk; pi", f"s = {written}")).agent
        == program_of(GOOD).agent
    )


@pytest.mark.parametrize("written", ["Shop; pi | at_home -> pi", "Shop | at_home -> empty"])
def test_a_revision_may_be_empty(written: str) -> None:
    (rule,) = program_of(
        changed("s = Shop; pi | at_home -> walk; pi", f"s = {written}")
    ).agent.revision_rules
    assert rule.body == ()


@pytest.mark.parametrize("written", ["eat => fed", "eat : => fed"])
def test_a_precondition_may_be_left_out(written: str) -> None:
    assert program_of(changed("eat : true => fed", written)).agent == program_of(GOOD).agent


def test_a_deeper_line_continues_a_statement() -> None:
    assert (
        program_of(changed("fed -> Shop; eat", "fed ->\n      Shop;\n      eat")).agent
        == program_of(GOOD).agent
    )


def test_rules_without_names_are_numbered() -> None:
    program = program_of(changed("g = fed", "fed").replace("s = Shop", "Shop"))
    assert [rule.name for rule in program.agent.rules] == ["g1", "r1"]


def test_formulas_are_brought_into_disjunctive_normal_form() -> None:
    program = program_of(changed("at_home, ~fed", "at_home & (~fed | ~at_home)"))
    assert [str(formula) for formula in program.agent.beliefs] == ["at_home & ~fed"]


def test_properties_are_kept_with_their_expected_results() -> None:
    program = program_of(
        GOOD + 'properties:\n  // RESULT: true\n  "eats": A [ F B(fed) ]\n  E [ G B(~fed) ]\n'
    )
    assert [(each.text, each.expected, each.name) for each in program.properties] == [
        ("A [ F B(fed) ]", "true", "eats"),
        ("E [ G B(~fed) ]", None, None),
    ]


def test_len_max_can_be_set_from_outside() -> None:
    assert read(Source("x", GOOD), "x", {"len_max": "7"}).agent.len_max == 7


def test_tables_show_what_was_understood() -> None:
    tables = {table.title: table.rows for table in program_of(GOOD).tables()}
    assert tables["Revision rules"] == [["s", "Shop", "walk", "at_home"]]
    assert tables["Actions"] == [["walk", "at_home", "~at_home"], ["eat", "true", "fed"]]


# --- what is refused ------------------------------------------------------------------------------


def test_all_mistakes_are_reported_at_once_and_in_order() -> None:
    text = (
        changed("walk : at_home", "walk : at_hme")
        .replace("Shop; eat", "Shop; eet")
        .replace("| at_home ->", "| G(fed) ->")
        .replace("len_max: 20", "len: 20")
    )
    found = mistakes(text)
    assert [each.code for each in found if each.span is not None and each.span.start > 0] == [
        "DRB002",
        "DRB013",
        "DRB022",
        "DRB014",
    ]
    assert "did you mean 'at_home'?" in [each.hint for each in found]
    assert "did you mean 'eat'?" in [each.hint for each in found]


@pytest.mark.parametrize(
    ("old", "new", "code", "position"),
    [
        ("g = fed ->", "g = fed >", "DRB001", ">"),
        ("len_max: 20", "len_max: " + "9" * 5000, "DRB001", "9"),
        ("goals:", "gaols:", "DRB002", "gaols:"),
        ("goals:", "beliefs:", "DRB003", "beliefs:"),
        ("at_home, ~fed", "at_home, B(~fed)", "DRB011", "B(~fed"),
        ("at_home, ~fed", "at_home, ~fed, pi", "DRB012", "pi"),
        ("| at_home ->", "| at_hom ->", "DRB013", "at_hom"),
        ("| at_home ->", "| ~Goal(fed) ->", "DRB014", "Goal(fed)"),
        ("g = fed ->", "g = fed & B(at_home) ->", "DRB015", "fed"),
        ("Shop; eat", "Shop; pi; eat", "DRB020", "pi"),
        ("Shop; eat", "Shop; empty", "DRB021", "empty"),
        ("Shop; eat", "empty", "DRB021", "empty"),
        ("Shop; eat", "if fed then empty else eat", "DRB021", "empty"),
        ("Shop; eat", "Shop; eats", "DRB022", "eats"),
        ("  Shop\n", "  Shop, eat\n", "DRB023", "eat"),
        ("walk; pi", "walk", "DRB024", "pi"),
        ("Shop; pi |", "pi |", "DRB025", "pi"),
        ("s = Shop", "g = Shop", "DRB026", "g = Shop; pi | at_home -> walk; pi"),
        ("at_home, ~fed", "at_home, ~fed, ~at_home | fed", "DRB031", "~at_home | fed"),
        ("  fed\n", "  fed, ~fed | at_home\n", "DRB032", "~fed | at_home"),
        ("  fed\n", "  fed, fed & ~fed\n", "DRB033", "fed & ~fed"),
        ("len_max: 20", "len_max: 1", "DRB034", "g = fed -> Shop; eat"),
        ("=> fed\n", "=> fed & ~fed\n", "DRB035", "fed & ~fed"),
        ("=> fed\n", "=> fed if at_home, ~fed\n", "DRB035", "~fed"),
    ],
)
def test_mistakes(old: str, new: str, code: str, position: str) -> None:
    found = [each for each in mistakes(changed(old, new)) if each.code == code]
    assert found
    assert found[0].span is not None
    assert found[0].span.text.startswith(position)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("walk : at_home =>", "walk : at_home ->"),
        ("eat : true => fed", "eat : true => fed |"),
        ("at_home, ~fed", "at_home ~fed"),
        ("  Shop\n", "  Shop;\n"),
        ("len_max: 20", "len_max: twenty"),
        ("len_max: 20", "lenmax: 20"),
        ("goals:", "gaols:"),
        ("abstract plans:", "abstract plan:"),
    ],
)
def test_what_cannot_be_read_is_not_missed_as_well(old: str, new: str) -> None:
    """One mistake in a declaration, one message: the uses of what it declares are not blamed."""
    assert len(codes(changed(old, new))) == 1


def test_a_belief_that_contradicts_itself() -> None:
    assert [each.message for each in mistakes(changed("at_home, ~fed", "at_home, fed & ~fed"))] == [
        "this belief contradicts itself"
    ]


def test_statements_before_the_first_section() -> None:
    assert codes("  walk => fed\n" + GOOD) == ["DRB002"]


def test_a_program_without_len_max() -> None:
    assert codes(changed("len_max: 20", "")) == ["DRB030"]


@pytest.mark.parametrize("text", ["", "\n", "// nothing", "goals:\n"])
def test_a_program_without_anything(text: str) -> None:
    assert codes(text) == ["DRB030"]


def test_what_is_nested_too_deeply() -> None:
    assert codes(changed("at_home, ~fed", f"at_home, ~fed, {'~' * 5000}fed")) == ["DRB006"]
    assert codes(changed("Shop; eat", "if fed then eat else " * 5000 + "eat")) == ["DRB006"]


def test_long_plans_and_bases_are_no_problem() -> None:
    facts = ", ".join(f"a{number}" for number in range(2000))
    text = (
        changed("Shop; eat", "eat; " * 3000 + "eat")
        .replace("len_max: 20", "len_max: 4000")
        .replace("at_home, ~fed", f"at_home, ~fed, {facts}")
    )
    assert len(program_of(text).agent.goal_rules[0].body) == 3001


def test_a_formula_that_explodes() -> None:
    wide = " & ".join(f"(a{number} | b{number})" for number in range(13))
    assert codes(changed("at_home, ~fed", f"at_home, ~fed, {wide}")) == ["DRB010"]


def test_a_result_without_a_property() -> None:
    assert codes(GOOD + "properties:\n  // RESULT: true\n") == ["LOG011"]


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"lenmax": "7"}, "DRB004"),
        ({"len_max": "many"}, "DRB005"),
        ({"len_max": "9" * 5000}, "DRB005"),
    ],
)
def test_wrong_settings(settings: dict[str, str], code: str) -> None:
    with pytest.raises(InputError) as raised:
        read(Source("x", GOOD), "x", settings)
    assert [each.code for each in raised.value.diagnostics] == [code]


def test_effects_whose_conditions_exclude_each_other() -> None:
    """A switch: the same atom both ways, but never at once."""
    assert (
        program_of(changed("=> fed\n", "=> fed if ~fed, ~fed if fed\n"))
        .agent.actions["eat"]
        .effects
    )
    assert (
        program_of(changed("=> fed\n", "=> fed if ~B(fed), ~fed if B(fed)\n"))
        .agent.actions["eat"]
        .effects
    )


# --- what is doubtful -----------------------------------------------------------------------------


def test_a_goal_that_no_goal_entails() -> None:
    assert (
        "DRB040",
        "no goal of the agent entails at_home & fed: G(at_home & fed) never holds",
    ) in warned(changed("g = fed", "g = fed & at_home"))


def test_a_guard_that_no_base_satisfies() -> None:
    assert "DRB041" in dict(warned(changed("| at_home ->", "| B(fed) & B(~fed) ->")))
    assert "DRB041" in dict(warned(changed("| at_home ->", "| B(fed & at_home) & ~B(fed) ->")))


def test_a_rule_whose_head_no_plan_contains() -> None:
    """Also where only its own body would bring it in, as in the paper's vacuum cleaner."""
    text = changed(
        "walk; pi",
        "walk; pi\n  never = eat; walk; eat | fed -> Other; eat\n  t = Other | true -> Other; "
        "Other",
    ).replace("  Shop\n", "  Shop, Other\n")
    assert warned(changed("Shop; eat", "walk; eat"))[0] == (
        "DRB042",
        "rule 's' never applies: no plan contains Shop",
    )
    assert all(code != "DRB042" for code, _ in warned(text))


def test_abstract_plans_and_actions_that_nobody_uses() -> None:
    found = warned(changed("  Shop\n", "  Shop, Rest\n").replace("eat : true", "nap\n  eat : true"))
    assert [message for code, message in found if code == "DRB043"] == [
        "the abstract plan 'Rest' is never used",
        "the action 'nap' is never used",
    ]


def test_an_abstract_plan_without_a_rule() -> None:
    found = warned(changed("s = Shop; pi | at_home -> walk; pi", ""))
    assert (
        "DRB044",
        "no revision rule starts with 'Shop': an agent that reaches it stalls",
    ) in found

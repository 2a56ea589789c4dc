"""Projects: what a .mas2j says, what stands beside it, which files belong to it, and what
directives make of programs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

import volition
from volition.diagnostics import Diagnostics, InputError, Source
from volition.languages import find_programs, load
from volition.languages.jason import JasonProgram
from volition.languages.jason.parsing.statements import read_agent
from volition.languages.jason.project import Project, read_project
from volition.languages.jason.settings import InternalActionModel, Settings
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.volition_file import VolitionFile, read_options
from volition.languages.world import DeclaredWorld, EmptyWorld

AGENT = "!go. +!go <- .print(1)."
WORLD = "action wave do nothing"


def write(folder: Path, **files: str) -> Path:
    """Files by their names, with ``__`` for the dot."""
    for name, text in files.items():
        path = folder / name.replace("__", ".").replace("_in_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def loaded(path: Path, **settings: str) -> JasonProgram:
    program = load(path, settings)
    assert isinstance(program, JasonProgram)
    return program


def refused(path: Path, **settings: str) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        load(path, settings)
    return [(each.code, each.message) for each in caught.value.diagnostics]


def project(text: str) -> Project:
    diagnostics = Diagnostics()
    read = read_project(Source("p.mas2j", text), diagnostics)
    assert not list(diagnostics), [each.message for each in diagnostics]
    return read


def options(text: str, **settings: str) -> VolitionFile:
    diagnostics = Diagnostics()
    read = read_options(Source("p.volition", text), settings, diagnostics)
    assert not list(diagnostics), [each.message for each in diagnostics]
    return read


def mistakes(text: str, *, beside: bool = False) -> list[tuple[str, int, str]]:
    diagnostics = Diagnostics()
    source = Source("p", text)
    read_options(source, {}, diagnostics) if beside else read_project(source, diagnostics)
    return [(each.code, each.span.line, each.message) for each in diagnostics if each.span]


# --- .mas2j ---------------------------------------------------------------------------------------


def test_agents_with_numbers_files_and_options() -> None:
    read = project("""
        /* all that a project may say */
        MAS my_system {
            infrastructure: Jade(port(2000), [a, "b"])
            environment: house.HouseEnv("x", 3) at "machine"
            executionControl: jason.control.ExecutionControl
            agents:
                robot [verbose=2, beliefs="p(1), q(X)", goals="g, h(2)", events=requeue, tro=false] #2 at "machine";
                owner src/asl/person.asl [intBels=newFocus] agentArchClass arch.Watcher(1) beliefBaseClass Own;
                clock time agentClass tick.Tock;
            classpath: "lib/x.jar";
            aslSourcePath: "src"; "lib";
        }
    """)  # noqa: E501
    assert [(each.name, each.file) for each in read.agents] == [
        ("robot1", "robot.asl"),
        ("robot2", "robot.asl"),
        ("owner", "src/asl/person.asl"),
        ("clock", "time.asl"),
    ]
    robot, _, owner, _ = read.agents
    assert [str(each) for each in robot.beliefs] == ["p(1)", "q(X)"]
    assert isinstance(robot.beliefs[1], BeliefRule)
    assert [str(each) for each in robot.goals] == ["g", "h(2)"]
    assert robot.settings == Settings(events="requeue", tro=False)
    assert owner.settings == Settings(int_bels="newFocus")
    assert read.environment is not None
    assert read.environment.name == "house.HouseEnv"
    assert [(each.role, each.name) for each in read.classes] == [
        ("executionControl", "jason.control.ExecutionControl"),
        ("agentArchClass", "arch.Watcher"),
        ("beliefBaseClass", "Own"),
        ("agentClass", "tick.Tock"),
    ]
    assert read.source_path == ["src", "lib"]


def test_one_agent_with_a_number_has_no_number_in_its_name() -> None:
    assert [each.name for each in project("MAS m { agents: a #1; b; }").agents] == ["a", "b"]


def test_all_mistakes_of_a_project() -> None:
    text = (
        "MAS m {\n agents:\n a # 0;\n a;\n self;\n b [events=retrieve];\n c [nrcbp=3];\n d "
        '[beliefs="p("];\n e ! f;\n g;\n}'
    )
    assert mistakes(text) == [
        ("JSN013", 3, "'#0' is not a valid number of agents"),
        ("JSN011", 4, "duplicate agent 'a'"),
        ("JSN012", 5, "an agent cannot be called 'self'"),
        ("JSN013", 6, "the option 'events' cannot be 'retrieve'"),
        (
            "JSN003",
            7,
            "the option nrcbp = 3 cannot be verified, because only the value 1 is supported",
        ),
        ("JSN001", 8, "unexpected end"),
        ("JSN001", 9, "'! f' is not a file name"),
    ]
    assert [each.name for each in read_project(Source("p", text), Diagnostics()).agents][-1] == "g"


def test_an_option_that_is_misspelt_is_told_and_one_of_the_users_own_is_not() -> None:
    diagnostics = Diagnostics()
    read_project(
        Source("p", "MAS m { agents: a [event=requeue, colour=red, verbose=2, nrcbp=1]; }"),
        diagnostics,
    )
    assert [(each.code, each.severity, each.hint) for each in diagnostics] == [
        ("JSN010", "warning", "did you mean 'events'?")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "agents: a;",
        "MAS m { }",
        "MAS m { agent: a; }",
        "MAS m { agents: a }",
        "MAS m { agents: a; } x",
    ],
)
def test_what_is_no_project(text: str) -> None:
    assert mistakes(text)


def test_a_directive_in_java_is_refused() -> None:
    assert mistakes("MAS m { agents: a; directives: log = my.Logger; }") == [
        ("JSN003", 1, "the directive 'log' cannot be verified, because it is written in Java")
    ]


# --- beside it ------------------------------------------------------------------------------------


def test_options_of_all_and_of_one_agent() -> None:
    read = options(
        "cycle = parts\nresults = after   perception // as Java code that sleeps\npercept_order = any\ntime = ordered\nM_Bel = 7\n"  # noqa: E501
        "bob.M_Bel = 9\nclock = 2026-03-01 12:30:00\nrandom = [0, 0.25]\n",
        M_Ev="3",
        **{"bob.M_Ev": "4"},
    )
    settings = read.settings("amy", Settings(events="requeue"))
    assert (settings.cycle, settings.results, settings.percept_order, settings.time) == (
        "parts",
        "after perception",
        "any",
        "ordered",
    )
    assert settings.clock == datetime(2026, 3, 1, 12, 30)
    assert settings.random == (0, 0.25)
    assert settings.events == "requeue"
    assert settings.bounds.explicit == {"M_Bel": 7, "M_Ev": 3}
    assert read.settings("bob", Settings()).bounds.explicit == {"M_Bel": 9, "M_Ev": 4}


def test_what_is_given_from_outside_wins() -> None:
    assert (
        options("time = free\nM_Int = 3", time="ordered", M_Int="4").settings("a", Settings()).time
        == "ordered"
    )


def test_internal_actions() -> None:
    internal = options(
        "internal my.plot = nothing\ninternal my.price(beer, 3)\ninternal my.price(water, 1)\ninternal j.d(X, Y, D) :- D = X - Y\n"  # noqa: E501
        "internal my.random(X, N) = choice X in 0 .. N-1\ninternal my.colour(C) = choice C in [red, green]\n"  # noqa: E501
        "internal my.pick(X) = choice p(X) & not old(X)"
    ).internal
    assert internal["my.plot"] == InternalActionModel("my.plot")
    assert [str(each.head) for each in internal["my.price"].rules] == [
        "my.price(beer,3)",
        "my.price(water,1)",
    ]
    assert str(internal["j.d"].rules[0].body) == "D = (X - Y)"
    chosen = {name: str(each.rules[0].body) for name, each in internal.items() if each.is_choice}
    assert chosen == {
        "my.random": ".range(X,0,(N - 1))",
        "my.colour": ".member(C,[red,green])",
        "my.pick": "(p(X) & not (old(X)))",
    }


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("cycle = some", "JSN021"), ("tme = free", "JSN020"), ("M_Bel = 0", "JSN021"), ("clock = noon", "JSN021"),  # noqa: E501
        ("random = [1]", "JSN021"), ("random = []", "JSN021"), ("internal go(X)", "JSN023"), ("internal .print = nothing", "JSN023"),  # noqa: E501
        ("internal a.b(X", "JSN001"), ("internal a.b = nothing\ninternal a.b(1)", "JSN023"),
        ("internal a.b(X) = choice X in [1]\ninternal a.b(X) = repeated choice X in [2]", "JSN023"), ("parameter p = X", "JSN021"),  # noqa: E501
        ("time = free\ntime = free", "LNG010"), ("something else", "JSN020"), ("internal a.b(X) = choice X in 0 ..", "JSN001"),  # noqa: E501
    ],
)  # fmt: skip
def test_lines_with_mistakes(line: str, code: str) -> None:
    assert [each[0] for each in mistakes(f"M_Ev = 2\n{line}", beside=True)] == [code]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("parameter", "write it like parameter beers = 3"),
        ("parameter beers", "write it like parameter beers = 3"),
        ("ignore arch.Watcher", "write it like ignore class arch.Watcher"),
        ("bob.M_Bel 3", "write it like bob.M_Bel = .."),
        ("paramter x = 3", "did you mean 'parameter'?"),
        ("internal my.a = nothng", "did you mean 'nothing'?"),
        ("internal my.a(X, Y) = choise X in [1]", "did you mean 'choice'?"),
        (
            "internal my.a(X) = 3",
            "write my.a(X) = nothing, my.a(X) = choice X in [1, 2], or a rule with :-",
        ),
    ],
)
def test_what_a_line_wants(line: str, hint: str) -> None:
    diagnostics = Diagnostics()
    read_options(Source("p.volition", line), {}, diagnostics)
    assert [each.hint for each in diagnostics] == [hint]


# --- folders --------------------------------------------------------------------------------------


def test_a_project_with_all_its_files(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        shop__mas2j='MAS shop { environment: Shop agents: a [goals="extra"]; b a.asl; '
        'aslSourcePath: "lib"; }',
        a__asl='{ include("common.asl") } !go. +!go <- wave. +!extra.',
        lib_in_common__asl="+!help : p(X). p(1).",
        shop__volition="world = shop.world\nM_Ev = 5\n\nproperties\n\n// RESULT: true\nF Does(a, "
        "wave)\n",
        shop__world=WORLD,
    )
    for path in (folder, folder / "shop.mas2j"):
        program = loaded(path)
        assert program.language == "Jason"
        assert [str(each.trigger) for each in program.agents["a"].plans] == [
            "+!help",
            "+!go",
            "+!extra",
        ]
        assert [str(each) for each in program.agents["a"].project_goals] == ["extra"]
        assert program.agents["b"].project_goals == ()
        assert isinstance(program.world, DeclaredWorld)
        assert {Path(each.name).name for each in program.sources} == {
            "shop.mas2j", "shop.volition", "a.asl", "common.asl", "shop.world",
        }  # fmt: skip
        assert [each.expected for each in program.properties] == ["true"]


def test_a_module_that_is_included_twice_counts_twice(tmp_path: Path) -> None:
    """Two counters from one file, whose steps are hidden, and formulas that ask about both."""
    write(
        tmp_path,
        a__asl="""{ include("counter.asl", one) } { include("counter.asl", two) } { namespace(hidden, local) }
            !go. +!go <- !one::next; !one::next; !two::next; !hidden::next. -!go <- +nobody_hears.""",  # noqa: E501
        counter__asl="""{ namespace(hidden, local) } at(0).
            @next +!next : at(N) & N < 2 <- !hidden::move(N + 1). +!hidden::move(N) <- -+::at(N); .count(::at(_), K);
            +default::moved(K).""",  # noqa: E501
        a__volition="""properties
            // RESULT: true
            F (Bel(a, one::at(2)) & Bel(a, two::at(1)))
            // RESULT: true
            F Int(a, one::next)
            // RESULT: false
            E[F (Bel(a, two::at(2)) | Bel(a, moved(0)) | Bel(a, one::at(1)) & Bel(a, two::at(1)))]
            // RESULT: true
            F (Bel(a, moved(1)) & Bel(a, nobody_hears))
            """,
    )
    report = volition.check(tmp_path / "a.asl")
    assert [each.as_expected for each in report] == [True] * 4


def test_what_a_module_does_and_what_its_variables_stand_for(tmp_path: Path) -> None:
    """Actions have no namespace; the value of a variable gets that of the module, but ``true`` and
    internal actions have none."""
    module = """!go(true, p(1), .print(1), wave).
        +!go(Condition, Belief, Internal, Action) : Condition <- +Belief; +told(Belief); ?Belief; Internal; Action; wave; +done."""  # noqa: E501
    write(
        tmp_path,
        p__mas2j="MAS p { environment: E agents: a; }",
        p__volition="world = w.world",
        w__world=WORLD,
    )
    write(tmp_path, a__asl='{ include("module.asl", n) }', module__asl=module)
    queried = [
        "F Bel(a, n::p(1))",
        "F Bel(a, n::told(p(1)))",
        "F Does(a, wave)",
        "F Bel(a, n::done)",
    ]
    assert [each.verdict.holds for each in volition.check(tmp_path, queried)] == [True] * 4


def test_a_world_stands_for_an_environment(tmp_path: Path) -> None:
    write(
        tmp_path,
        p__mas2j="MAS p { agents: a; }",
        a__asl="!go. +!go <- wave.",
        p__volition="world = w.world",
        w__world=WORLD,
    )
    assert [each.code for each in loaded(tmp_path).warnings] == ["JSN019"]
    write(tmp_path, p__mas2j="MAS p { environment: E agents: a; }")
    assert loaded(tmp_path).warnings == ()


def test_a_single_agent(tmp_path: Path) -> None:
    write(tmp_path, bob__asl=AGENT, bob__volition="M_Int = 3\nproperties\nF Int(bob, go)")
    program = loaded(tmp_path / "bob.asl")
    assert list(program.agents) == ["bob"]
    assert isinstance(program.world, EmptyWorld)
    assert program.settings["bob"].bounds.explicit == {"M_Int": 3}
    assert len(program.properties) == 1


def test_what_a_project_lacks(tmp_path: Path) -> None:
    write(
        tmp_path,
        p__mas2j="MAS p { environment: e.Env agents: a agentClass my.Own; b; c d.asl; }",
        a__asl='{ include("none.asl") } { include("a.asl") } p.',
        b__asl="p.",
        p__volition="d.M_Ev = 3\nparameter size = 2\nignore class my.Onw",
    )
    assert sorted(refused(tmp_path)) == [
        ("JSN006", "the file 'a.asl' includes itself"),
        ("JSN015", f"no such file: '{tmp_path / 'd.asl'}'"),
        ("JSN015", f"no such file: '{tmp_path / 'none.asl'}'"),
        (
            "JSN016",
            "the agentClass my.Own cannot be verified, because it is written in Java and may "
            "change how agents reason",
        ),
        ("JSN017", "the environment e.Env is written in Java, which Volition cannot run"),
        ("JSN022", "unknown parameter 'size': the project has no world"),
        ("JSN024", "unknown agent 'd' in option M_Ev"),
    ]


def test_classes_that_only_observe_are_confirmed(tmp_path: Path) -> None:
    write(
        tmp_path,
        p__mas2j="MAS p { environment: e.Env agents: a agentArchClass arch.View; }",
        a__asl=AGENT,
        p__volition="ignore class arch.View\nignore class e.Env\nignore class x.Y",
    )
    program = loaded(tmp_path)
    assert isinstance(program.world, EmptyWorld)
    assert [(each.code, each.message) for each in program.warnings] == [
        ("JSN025", "the project has no Java class 'x.Y'")
    ]


def test_files_outside_of_the_project_are_not_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        secret__asl="p.",
        q_in_q__mas2j="MAS q { agents: a; }",
        q_in_a__asl='{ include("../secret.asl") } !go. +!go.',
    )
    assert refused(tmp_path / "q")[0][0] == "LNG021"


def test_an_expected_result_belongs_into_the_file_beside(tmp_path: Path) -> None:
    write(tmp_path, bob__asl=AGENT + "\n// RESULT: true")
    assert [code for code, _ in refused(tmp_path / "bob.asl")] == ["LOG011"]


def test_parts_of_projects_are_no_programs(tmp_path: Path) -> None:
    write(
        tmp_path,
        one_in_one__mas2j="MAS one { agents: a; }",
        one_in_a__asl=AGENT,
        two_in_x__mas2j="MAS x { agents: a; }",
        two_in_y__mas2j="MAS y { agents: a; }",
        two_in_a__asl=AGENT,
        two_in_src_in_b__asl=AGENT,
        three_in_s__mas="agent a = a.asl",
        three_in_a__asl=AGENT,
        four_in_lone__asl=AGENT,
    )
    found = [str(each.relative_to(tmp_path)) for each in find_programs(tmp_path)]
    assert found == ["four/lone.asl", "one", "three", "two/x.mas2j", "two/y.mas2j"]
    assert refused(tmp_path / "three" / "a.asl")[0][0] == "LNG014"
    assert loaded(tmp_path / "one" / "a.asl").name == "a"


def test_a_part_belongs_to_the_project_that_names_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        auction__mas="agent buyer = buyer.asl",
        courier__mas2j="MAS c { agents: courier; }",
        courier__asl=AGENT,
        buyer__asl=AGENT,
    )
    assert loaded(tmp_path / "courier.asl").name == "courier"
    assert refused(tmp_path / "buyer.asl") == [
        (
            "LNG014",
            f"'{tmp_path / 'buyer.asl'}' is not a program by itself: it belongs to the project "
            f"'{tmp_path / 'auction.mas'}'",
        )
    ]


# --- directives -----------------------------------------------------------------------------------


def plans(text: str) -> list[str]:
    diagnostics = Diagnostics()
    program = read_agent(Source("a.asl", text), diagnostics)
    assert not list(diagnostics), [each.message for each in diagnostics]
    return [
        f"{each.trigger} : {each.context} <- {'; '.join(map(str, each.body))}"
        for each in program.plans
    ]


INSIDE = "+!g : c <- a. +!g <- b. +!h <- d."


def test_declarative_goal() -> None:
    assert plans(f"{{ begin dg(g) }} {INSIDE} {{ end }}") == [
        "+!g : g <- ",
        "+!g : .intend(g) <- ",
        "+!g : c <- a; ?g",
        "+!g : true <- b; ?g",
        "+!h : true <- d",
        "+g : true <- .succeed_goal(g)",
    ]


def test_the_goal_of_a_pattern_may_have_a_namespace() -> None:
    found = plans("{ begin dg(n::g) } +!n::g <- a. +!g <- b. +!n::~g <- c. { end }")
    assert found[2:5] == ["+!n::g : true <- a; ?n::g", "+!g : true <- b", "+!n::~g : true <- c"]


def test_backtracking_declarative_goal() -> None:
    declarative = plans(f"{{ begin dg(g) }} {INSIDE} {{ end }}")
    assert plans(f"{{ begin bdg(g) }} {INSIDE} {{ end }}") == [*declarative, "-!g : true <- !g"]


def test_exclusive_backtracking_declarative_goal() -> None:
    assert plans(f"{{ begin ebdg(g(X)) }} {INSIDE.replace('!g', '!g(Y)')} {{ end }}") == [
        "+!g(X) : g(X) <- ",
        "+!g(Y) : (not (p__f(1,g(X))) & c) <- +p__f(1,g(X)); a; ?g(Y)",
        "+!g(Y) : not (p__f(2,g(X))) <- +p__f(2,g(X)); b; ?g(Y)",
        "+!h : true <- d",
        "-!g(X) : true <- !g(X)",
        "+g(X) : true <- .abolish(p__f(_,g(X))); .succeed_goal(g(X))",
        "-g(X) : true <- .abolish(p__f(_,g(X)))",
    ]


def test_blind_and_single_minded_commitment() -> None:
    backtracking = plans(f"{{ begin bdg(g) }} {INSIDE} {{ end }}")
    assert plans(f"{{ begin bc(g) }} {INSIDE} {{ end }}") == [*backtracking, "+!g : true <- !g"]
    exclusive = plans(f"{{ begin ebdg(g) }} {INSIDE} {{ end }}")
    assert plans(f"{{ begin bc(g, ebdg(g)) }} {INSIDE} {{ end }}") == [
        *exclusive,
        "+!g : true <- !g",
    ]
    assert plans(f"{{ begin smc(g, f) }} {INSIDE} {{ end }}") == [
        *backtracking,
        "+!g : true <- !g",
        "+f : true <- .fail_goal(g)",
    ]


def test_patterns_stand_where_they_are_written_and_inside_of_others() -> None:
    assert plans("+!a. { begin bdg(g) } { begin dg(h) } +!h. { end } { end } +!z.")[:3] == [
        "+!a : true <- ",
        "+!g : g <- ",
        "+!g : .intend(g) <- ",
    ]


def test_a_predicate_becomes_a_function() -> None:
    text = '{ register_function("my.half", 1, "half") } half(X, X / 2).'
    assert read_agent(Source("a.asl", text), Diagnostics()).functions == (("my.half", 1, "half"),)


def test_functions_in_java_are_kept_with_their_places() -> None:
    text = '{ register_function("my.sin") } { register_function("my.way", 2, "jia.way") }'
    assert [
        (name, span.column)
        for name, span in read_agent(Source("a.asl", text), Diagnostics()).java_functions
    ] == [
        ("my.sin", 1),
        ("jia.way", 33),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{ begin dgg(g) } +!g. { end }", "JSN005"), ("{ dg(g) }", "JSN005"), ("{ begin dg } +!g. { end }", "JSN005"),  # noqa: E501
        ("{ begin smc(g) } +!g. { end }", "JSN005"), ("{ begin dg(g) } +!g.", "JSN001"), ("+!g. { end }", "JSN001"),  # noqa: E501
        ('{ register_function("f", 1, "p") }', "JSN003"),
        ('{ include("f.asl", n) }', "JSN006"), ("{ begin omc(g, f, m) } +!g. { end }", "JSN003"),
        ('{ include("f.asl") }', "JSN006"),
    ],
)  # fmt: skip
def test_directives_with_mistakes(text: str, code: str) -> None:
    diagnostics = Diagnostics()
    read_agent(Source("a.asl", text), diagnostics)
    assert [each.code for each in diagnostics] == [code]


def test_how_a_function_is_registered_is_told() -> None:
    diagnostics = Diagnostics()
    read_agent(Source("a.asl", '{ register_function("my.sq", 1, sq) }'), diagnostics)
    assert [(each.code, each.message, each.hint) for each in diagnostics] == [
        (
            "JSN005",
            "missing or wrong arguments in the directive 'register_function(\"my.sq\",1,sq)'",
            'write {register_function("name", arity, "predicate")}, both names in quotes',
        )
    ]


def test_a_project_says_each_thing_once() -> None:
    twice = "MAS m {\nenvironment: A\nenvironment: B\nagents: a;\nagents: b;\n}"
    assert mistakes(twice) == [
        ("JSN008", 3, "duplicate section 'environment:'"),
        ("JSN008", 5, "duplicate section 'agents:'"),
    ]
    assert [code for code, _, _ in mistakes("MAS one two { agents: a; }")] == ["JSN001"]
    assert project("MAS m { agents: a; }").name == "m"


def test_an_empty_agent_is_legal(tmp_path: Path) -> None:
    (tmp_path / "bob.asl").write_text("// nothing yet\n")
    assert [each.code for each in load(tmp_path / "bob.asl").warnings] == ["JSN058"]


def test_a_comment_that_speaks_of_a_result_is_a_comment(tmp_path: Path) -> None:
    (tmp_path / "bob.asl").write_text("//result (list): x\n!go. // Result: the plan ends\n+!go.\n")
    assert [*load(tmp_path / "bob.asl").warnings] == []


def test_a_file_in_latin_1_is_read_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "bob.asl").write_bytes('!go. +!go <- .print("Jos\xe9").'.encode("latin-1"))
    program = load(tmp_path / "bob.asl")
    assert [each.code for each in program.warnings] == ["JSN059"]
    assert "Jos\xe9" in program.sources[0].text


def test_includes_that_double_are_refused(tmp_path: Path) -> None:
    for number in range(26):
        again = f'{{include("f{number + 1}.asl")}}' * 2
        (tmp_path / f"f{number}.asl").write_text(again if number < 25 else "p(1).")
    with pytest.raises(InputError) as problem:
        load(tmp_path / "f0.asl")
    assert [each.code for each in problem.value.diagnostics] == ["JSN057"]


def test_files_that_include_one_another_too_deeply_are_refused(tmp_path: Path) -> None:
    for number in range(500):
        (tmp_path / f"f{number}.asl").write_text(
            f'{{include("f{number + 1}.asl")}}' if number < 499 else "p(1)."
        )
    load(tmp_path / "f450.asl")
    with pytest.raises(InputError) as problem:
        load(tmp_path / "f0.asl")
    assert [each.code for each in problem.value.diagnostics] == ["JSN057"]


def test_many_files_may_be_included(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"f{number}.asl").write_text(f"p({number}).")
    (tmp_path / "bob.asl").write_text(
        "".join(f'{{include("f{number}.asl")}}' for number in range(200))
    )
    load(tmp_path / "bob.asl")

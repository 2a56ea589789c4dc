"""Random Jason systems: small, and wild enough that every row of the semantics is met.

A system is drawn from a seed.  It keeps to some features at a time, so that these meet each other; variables are used where they have
values, as programs that are not about mistakes do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

__all__ = ["FEATURES", "RandomSystem", "random_system"]

FEATURES = (
    "actions", "annotations", "arithmetic", "asks", "atomic", "broadcast", "drops", "failures", "goals", "lists", "loops", "messages",
    "negation", "results", "rules", "signals", "suspension", "terms", "tests", "variables", "waits",
)  # fmt: skip

THEMES: tuple[tuple[str, ...], ...] = (
    ("suspension", "waits", "actions", "goals"), ("drops", "waits", "actions"), ("goals", "waits", "actions", "failures"),
    ("asks", "tests", "failures"), ("asks", "drops", "waits"), ("atomic", "actions", "waits"), ("atomic", "messages", "goals"),
    ("loops", "lists", "arithmetic", "rules"), ("annotations", "negation", "messages"), ("results", "failures", "goals", "tests"),
    ("actions", "annotations", "waits"), ("variables", "terms", "lists"),
)  # fmt: skip
"""Features that have something to do with each other."""

WORLD = """
percept on(X){initially}
percept ~on(X)
percept full
action turn(X) when not on(X) do add on(X); remove ~on(X)
action turn(X) when on(X) do remove on(X); add ~on(X)
action fill when not full do add full
action fill otherwise do fail
action drain do remove full
action try do either {{ add on(2) }} or {{ fail }}
action spoil do add full; fail
action await when full do nothing
"""


@dataclass(frozen=True)
class RandomSystem:
    """The texts of the agents, in the order of their declaration; the world, if there is one; and what is said about time."""

    seed: int
    agents: Mapping[str, str]
    world: str | None
    time: str

    def write(self, folder: Path, cycle: str) -> Path:
        """Writes the project, and gives the file to be loaded."""
        for name, text in self.agents.items():
            (folder / f"{name}.asl").write_text(text)
        if self.world is not None:
            (folder / "small.world").write_text(self.world)
        (folder / "random.mas2j").write_text(f"MAS random {{ agents: {' '.join(f'{name};' for name in self.agents)} }}")
        world = "" if self.world is None else "world = small.world\n"
        (folder / "random.volition").write_text(f"{world}cycle = {cycle}\ntime = {self.time}\n")
        return folder / "random.mas2j"

    def __str__(self) -> str:
        world = "" if self.world is None else f"// world{self.world}"
        return "\n".join([f"// seed {self.seed}, time = {self.time}", *(f"// {each}\n{text}" for each, text in self.agents.items()), world])


def random_system(seed: int) -> RandomSystem:
    random = Random(seed)
    theme = random.choice([(), *THEMES])
    features = frozenset((*theme, *random.sample(FEATURES, random.randint(1, 2) if theme else random.randint(3, 6))))
    names = "abc"[: random.choice([1, 1, 1, 2, 2, 3] if {"suspension", "drops", "goals"} & features else [1, 2, 2, 2, 3])]
    has_world = "actions" in features or random.random() < 0.3
    initially = random.choice(["", " initially on(1)", " initially on(1), on(2)"])
    world = WORLD.format(initially=initially) if has_world else None
    if world is not None and random.random() < 0.1:
        world += "step dawn when not full do add full\n"
    programs = {name: _Writer(random, name, names, features, has_world).program() for name in names}
    return RandomSystem(seed, programs, world, random.choice(["free", "free", "ordered"]))


class _Writer:
    """The text of one agent.  ``self.known`` are the variables that have a number for a value at the place that is being written."""

    def __init__(self, random: Random, name: str, names: str, features: frozenset[str], has_world: bool) -> None:
        self.random = random
        self.name = name
        self.others = [each for each in names if each != name]
        self.features = features
        self.has_world = has_world
        self.known: list[str] = []
        self.used = 0
        self.depth = 0
        self.is_atomic = False
        self.one = random.choice
        self.steps = [
            (weight, step) for feature, some in self._steps().items() if feature == "always" or feature in features for weight, step in some
        ]

    # --- terms -------------------------------------------------------------------------------------------------------------

    def number(self) -> str:
        if self.known and self.random.random() < 0.6:
            variable = self.one(self.known)
            if "arithmetic" in self.features and self.random.random() < 0.3:
                return self.one([f"({variable}+1) mod 3", f"{variable} mod 2 + 1", f"math.max({variable},1)", f"3-{variable}"])
            return variable
        return self.one("112")

    def new(self) -> str:
        """A variable without a value."""
        self.used += 1
        return f"X{self.used}"

    def belief(self) -> str:
        """A literal that is known."""
        sign = "~" if "negation" in self.features and self.random.random() < 0.3 else ""
        return sign + self.one([f"p({self.number()})", f"p({self.number()})", f"q({self.number()})", "r"])

    def annotation(self) -> str:
        if "annotations" not in self.features or self.random.random() < 0.5:
            return ""
        return self.one(["[source(self)]", "[source(_)]", "[k]", "[k,source(self)]", "[source(percept)]", f"[source({self.peer()})]"])

    def peer(self) -> str:
        return self.one(self.others or [self.name])

    def goal(self) -> str:
        return self.one([f"g({self.number()})", f"g({self.number()})", "h", "h"])

    # --- formulas ----------------------------------------------------------------------------------------------------------

    def literal(self) -> str:
        """A query that binds variables, or looks at those that have values."""
        name = self.one([*"ppq", *(["s"] if "rules" in self.features else []), *(["on"] * 2 if self.has_world else [])])
        sign = "~" if ("negation" in self.features or name == "on") and name != "s" and self.random.random() < 0.3 else ""
        variable = self.new()
        argument = self.one([variable, variable, self.number()])
        annotation = "" if name == "s" else self.annotation()
        if argument == variable:
            self.known.append(variable)
        return f"{sign}{name}({argument}){annotation}"

    def condition(self, size: int = 2) -> str:
        """A formula; afterwards its variables have values."""
        if size and self.random.random() < 0.4:
            left = self.condition(size - 1)
            return f"{left} & {self.condition(size - 1)}"
        kind = self.random.random()
        if kind < 0.45:
            return self.literal()
        if kind < 0.6:
            return self.inside(lambda: f"not {self.literal()}")
        if kind < 0.68:
            return self.inside(lambda: f"({self.literal()} | {self.one(['r', 'full', self.belief()])})")
        if kind < 0.76 and self.known:
            return f"{self.one(self.known)} {self.one(['<', '<=', '>', '>=', '==', chr(92) + '==', '='])} {self.number()}"
        return self.looking()

    def looking(self) -> str:
        """A condition with an internal action, if there may be one."""
        variable = self.new()
        some = ["r", f"not {self.belief()}"]
        if "lists" in self.features:
            other, third = self.new(), self.new()
            some += [
                f".count({self.one('pq')}(_),{variable})", f".findall({other},{self.one('pq')}({other}),{third}) & .length({third},{variable})",
                f".member({variable},[{self.number()},2])", f".findall({other},p({other}),{third}) & .max({third},{variable})",
                f".concat([1],[{self.number()}],{other}) & .nth(1,{other},{variable})", f".range({variable},1,2) & not p({variable})",
                f".findall({other},q({other}),{third}) & .sort({third},{self.new()}) & .reverse({third},[{variable}|_])",
                f".count(p(_)[source(_)],{variable})",
            ]  # fmt: skip
        if "goals" in self.features or "drops" in self.features:
            some += [f".desire({self.goal()})", f"not .desire({self.goal()})", f".intend({self.goal()})", "not .intend(g(_))"]
        chosen = self.one(some)
        if variable in chosen:
            self.known.append(variable)
        return chosen

    def inside(self, write: Callable[[], str]) -> str:
        """What is written in a scope of its own: its variables have no values afterwards."""
        known = list(self.known)
        text = write()
        self.known = known
        return text

    # --- steps -------------------------------------------------------------------------------------------------------------

    def _steps(self) -> dict[str, list[tuple[int, Callable[[], str]]]]:
        one = self.random.choice
        return {
            "always": [
                (6, lambda: f"+{self.belief()}{self.own_annotation()}"), (4, lambda: f"-{self.belief()}{self.own_annotation()}"),
                (2, lambda: f"-+n({self.number()})"), (4, lambda: f"!{self.goal()}"), (2, lambda: f"!!{self.goal()}"),
                (3, lambda: f"?{self.literal()}"), (1, lambda: f"-+{one(['r', f'p({self.number()})'])}"),
                (1, lambda: f"-{one('pq')}({self.new()})"),
            ],
            "arithmetic": [
                (3, lambda: f"?n({self.opened()})"), (2, lambda: f"{self.opened()} = {self.number()} + 1"), (2, self.constraint),
                (2, lambda: f"-+n({self.number()})"),
            ],
            "annotations": [
                (3, lambda: f"-{self.belief()}[source({one([self.peer(), 'percept', '_', self.peer()])})]"),
                (2, lambda: f"+{self.belief()}{one(['[k]', '[source(x)]', '[k,source(self)]'])}"),
                (2, lambda: f".abolish({one(['p(_)', 'q(1)', 'r', 'p(1)[source(self)]', '~p(_)'])})"),
                (1, lambda: f"{one(['++', '--', '+>', '+<'])}{self.belief()}"),
            ],
            "actions": [(8, self.action)],
            "variables": [
                (2, lambda: f"{(x := self.new())} = {self.goal()}; {one(['!', '!!'])}{x}"), (1, lambda: f"{(x := self.new())} = {self.belief()}; {one('+-?')}{x}"),
                (1, lambda: f"{(x := self.new())} = {self.belief()}; ?{x}[source({one(['self', '_'])})]"), (1, lambda: f".send({self.peer()},tell,{self.content()})"),
            ],
            "terms": [
                (2, lambda: f"+got({self.term()})"), (2, lambda: f"{self.term()} {one(['<', '<=', '>', '>=', '==', chr(92) + '==', '='])} {self.term()}"),
                (1, lambda: f"?{one('pq')}({self.opened()})[source(self)|{self.tail()}]"), (1, lambda: f".my_name({(x := self.new())}); +got({x})"),
                (1, lambda: f".nth({self.opened()},[{self.number()},2],2)"), (1, lambda: f".sort([{self.term()},{self.term()}],{(x := self.new())}); +got({x})"),
                (1, lambda: f"g({self.opened()},[{self.number()}|_]) = g({self.number()},[1,2])"), (1, lambda: '.print("one")'),
            ],
            "results": [(3, lambda: f"!k({self.opened()})"), (2, lambda: f"!k({self.number()})")],
            "goals": [
                (2, lambda: f".succeed_goal({self.goal()})"), (2, lambda: f".fail_goal({self.goal()})"), (2, lambda: f"!!{self.goal()}"),
                (1, lambda: ".succeed_goal(g(_))"),
            ],
            "drops": [
                (2, lambda: f".drop_desire({self.goal()})"), (2, lambda: f".drop_intention({self.goal()})"), (1, lambda: ".drop_desire(g(_))"),
                (1, lambda: one([".drop_all_intentions", ".drop_all_desires", ".drop_all_events", ".drop_intention"])),
                (1, lambda: f".drop_event({self.goal()})"),
            ],
            "suspension": [(3, self.suspend), (3, lambda: f".resume({self.goal()})"), (1, lambda: ".resume(g(_))")],
            "failures": [
                (2, lambda: ".fail"), (2, lambda: ".fail(error(oops))"), (2, lambda: f"?{self.belief()}"), (2, lambda: "!nothing"),
                (1, lambda: f".nth(5,[1],{self.new()})"), (1, self.constraint), (1, lambda: ".max([],_)"),
                (1, self.action),
            ],
            "tests": [(3, lambda: f"?t({self.opened()})"), (2, lambda: f"?t({self.number()})"), (1, lambda: f"?({self.inside(self.condition)})")],
            "lists": [
                (2, lambda: f".findall({(x := self.new())},p({x}),L{self.used}); +got(L{self.used})"),
                (1, lambda: f".count(q(_),{self.opened()})"), (1, lambda: f".member({self.opened()},[2,{self.number()}])"),
                (1, lambda: f"[{self.opened()}|_] = [{self.number()},2]"),
            ],
            "loops": [(2, self.if_step), (3, self.for_step), (2, self.while_step)],
            "waits": [
                (3, lambda: f".wait({one(['10', '20', '20', '30'])})"), (2, lambda: f".wait({self.inside(self.literal)})"),
                (2, lambda: f".wait({self.inside(self.literal)},{one(['10', '20'])})"), (1, lambda: f".wait({self.literal()})"),
            ],
            "messages": [
                (6, lambda: f".send({self.peer()},{one(['tell', 'tell', 'untell'])},{self.content()})"),
                (3, lambda: f".send({self.peer()},achieve,{self.goal()})"), (1, lambda: f".send({self.peer()},unachieve,{self.goal()})"),
                (1, lambda: f".send({self.peer()},tell,[{self.content()},{self.content()}])"),
                (1, lambda: f".send({self.peer()},achieve,[{self.goal()},h])"), (1, lambda: f".send({self.name},tell,{self.content()})"),
                (1, lambda: f".send([{self.name},{self.peer()}],tell,{self.content()})"),
            ],
            "broadcast": [(2, lambda: f".broadcast({one(['tell', 'untell'])},{self.content()})"), (1, lambda: f".broadcast(achieve,{self.goal()})")],
            "signals": [(2, lambda: f".send({self.peer()},signal,beep({self.number()}))"), (1, lambda: f".broadcast(signal,beep({self.number()}))")],
            "asks": [
                (3, lambda: f".send({self.peer()},askOne,{one('ppqt')}({self.new()}),A{self.used}); +got(A{self.used})"),
                (2, lambda: f".send({self.peer()},askOne,{(f := one('pqt'))}(_),{f}({self.opened()}))"),
                (2, lambda: f".send({self.peer()},askAll,{one('ppqt')}({self.new()}),L{self.used}); +got(L{self.used})"),
                (1, lambda: f".send({self.peer()},askAll,p(_))"), (1, lambda: f".send({self.peer()},askOne,{one('pt')}(_))"),
                (1, lambda: f".send({self.peer()},askOne,{one('pt')}({self.new()}),A{self.used},20)"),
                (1, lambda: f".send({self.peer()},askOne,{self.belief()},{(x := self.new())}); if ({x} == false) {{ {self.inside(lambda: self.body(1))} }}"),
            ],
        }  # fmt: skip

    def term(self) -> str:
        """Any term, of those that can be compared with each other."""
        number = self.number()
        return self.one(
            [f"a(-{number})", f"{number}*2", f"{number}/2", f"7 div ({number}+1)", f"2**{number}", "a", "b", f"a({number})", "~a(1)", "a(1)[k]", f"b({number},1)"]
        )  # fmt: skip

    def tail(self) -> str:
        return self.new()

    def own_annotation(self) -> str:
        return (
            self.one(["[k]", "[source(self)]", "[source(percept)]"])
            if "annotations" in self.features and self.random.random() < 0.25
            else ""
        )

    def content(self) -> str:
        return self.belief() + (self.one(["[k]", "[source(x)]"]) if "annotations" in self.features and self.random.random() < 0.2 else "")

    def opened(self) -> str:
        """A variable that the step gives a value to."""
        variable = self.new()
        self.known.append(variable)
        return variable

    def action(self) -> str:
        if not self.has_world:
            return self.one(["fill", "try"])
        return self.one([f"turn({self.number()})", "turn(1)", "fill", "drain", "try", "spoil", "await"])

    def suspend(self) -> str:
        return (
            f"+{self.belief()}"
            if self.is_atomic
            else self.one([f".suspend({self.goal()})", f".suspend({self.goal()})", ".suspend", ".suspend(g(_))"])
        )

    def constraint(self) -> str:
        return f"{self.number()} {self.one(['<', '<=', '>', '==', chr(92) + '==', '='])} {self.number()}"

    def if_step(self) -> str:
        return self.inside(lambda: f"if ({self.condition(1)}) {{ {self.body(2)} }}") + self.one(
            [
                "",
                f" else {{ {self.inside(lambda: self.body(1))} }}",
                f" elif ({self.inside(lambda: self.condition(0))}) {{ {self.inside(lambda: self.body(1))} }}",
            ]
        )

    def for_step(self) -> str:
        def loop() -> str:
            variable = self.opened()
            query = self.one(
                [
                    f"p({variable})",
                    f"q({variable})",
                    f"p({variable}) & {variable} > 1",
                    f".member({variable},[2,1])",
                    f".range({variable},1,2)",
                ]
            )
            return f"for ({query}) {{ {self.body(2)} }}"

        return self.inside(loop)

    def while_step(self) -> str:
        def loop() -> str:
            variable = self.opened()
            return self.one(
                [
                    f"while (p({variable})) {{ -p({variable}); {self.body(1)} }}",
                    f"while (n({variable}) & {variable} < 2) {{ -+n({variable}+1); {self.body(1)} }}",
                ]
            )

        return self.inside(loop)

    def body(self, most: int) -> str:
        if self.depth > 1:
            most = 1
        self.depth += 1
        steps = []
        for _ in range(self.random.randint(1, most)):
            step = self.random.choices([each for _, each in self.steps], [weight for weight, _ in self.steps])[0]
            steps.append(step())
        self.depth -= 1
        return "; ".join(steps)

    # --- plans -------------------------------------------------------------------------------------------------------------

    def plan(self, trigger: Callable[[], str]) -> str:
        self.known, self.used = [], 0
        self.is_atomic = "atomic" in self.features and self.random.random() < 0.35
        label = f"@l{self.random.randrange(10**6)}[atomic] " if self.is_atomic else ""
        head = trigger()
        self.known = [each for each in self.known if f"{each})" in head]
        context = f" : {self.condition()}" if self.random.random() < 0.45 else ""
        if self.random.random() < 0.1:
            return f"{label}{head}{context}."
        return f"{label}{head}{context} <- {self.body(3)}."

    def triggers(self) -> list[Callable[[], str]]:
        one = self.random.choice
        some: list[Callable[[], str]] = [
            lambda: f"+!g({one([self.opened(), '1', '2'])})", lambda: "+!h", lambda: f"+!g({self.opened()})",
            lambda: f"+{one('ppq')}({self.opened()}){self.trigger_annotation()}", lambda: f"{one('+-')}{one(['r', 'p(1)', 'q(2)', 'n(1)'])}",
            lambda: f"-{one('pq')}({self.opened()}){self.trigger_annotation()}",
        ]  # fmt: skip
        if "negation" in self.features:
            some.append(lambda: f"{one('+-')}~p({self.opened()})")
        if self.has_world:
            some += [lambda: f"{one('++-')}{one(['on', 'on', '~on'])}({self.opened()})", lambda: f"{one('+-')}full"]
        if "failures" in self.features or "goals" in self.features or self.random.random() < 0.2:
            some += [
                lambda: f"-!g({self.opened()}){one(['', '[error(E)]', '[error(oops)]'])}", lambda: f"-!h{one(['', '[error(_)]'])}", lambda: "-!g(2)",
            ]  # fmt: skip
        if "results" in self.features:
            some += [lambda: f"+!k({self.new()})", lambda: f"+!k({one('12')})", lambda: f"-!k({one(['2', self.new()])})"]
        if "tests" in self.features or "asks" in self.features:
            some += [lambda: f"+?t({one(['1', '2'])})", lambda: f"-?t({one(['2', self.new()])})"]
        if "signals" in self.features:
            some += [lambda: f"+beep({self.opened()}){one(['', '[signal]', '[source(_)]'])}"] * 2
        if {"messages", "asks"} & self.features and self.random.random() < 0.15:
            some += [lambda: f"+!kqml_received({one(['S', 'a', 'b'])},{one(['tell', 'achieve', 'askOne'])},C,_)"]
        if self.random.random() < 0.04:
            some += [lambda: one(["+!G", "+B"])]
        return some

    def control(self) -> str:
        """Something that is done to another intention, which may wait."""
        return self.one(
            [".suspend(h); .resume(h)", ".suspend(h); +q(2); .resume(h)", ".drop_desire(h)", ".drop_intention(h)", ".succeed_goal(h)", ".fail_goal(h)",
             ".drop_all_intentions", ".drop_all_desires", ".drop_all_events", ".drop_event(h)", ".suspend(h)"]
        )  # fmt: skip

    def trigger_annotation(self) -> str:
        if not {"annotations", "messages"} & self.features or self.random.random() < 0.5:
            return ""
        return self.one(["[source(self)]", "[source(S)]", "[source(percept)]", "[k]", f"[source({self.peer()})]"])

    def program(self) -> str:
        one = self.random.choice
        lines = [f"{self.inside(self.belief)}." for _ in range(self.random.randint(0, 3))]
        self.known = []
        lines += [f"n({one('012')})."] if "arithmetic" in self.features or "loops" in self.features else []
        if "annotations" in self.features:
            lines += [f"p({one('12')}){one(['[k]', '[source(self),source(x)]'])}."]
        if "rules" in self.features:
            lines += [f"s(X) :- {one(['p(X)', 'p(X) & not q(X)', 'q(X) | p(X)', 'p(X) & X > 1', 'p(Y) & X = Y+1'])}.", "s(3) :- r."]
        lines += [f"!{self.goal()}." for _ in range(self.random.choice([1, 1, 1, 2]))]
        triggers = self.triggers()
        lines += [self.plan(triggers[0]), self.plan(triggers[1])]
        if {"suspension", "drops", "goals"} & self.features and self.random.random() < 0.7:
            first = one([".wait(10)", ".wait(q(2))", "turn(1)", "!g(2)", "+r", f".send({self.peer()},askOne,p(_),_)"])
            lines.insert(-2, f"!g(1). !h. +!h <- {first}; +p(2). +!g(1) <- {one(['+q(2); ', ''])}{self.control()}; {self.body(2)}.")
        lines += [self.plan(one(triggers)) for _ in range(self.random.randint(2, 6))]
        return "\n".join(lines) + "\n"

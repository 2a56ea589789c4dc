"""Random programs of each language whose parts mostly mind their own business: what partial-order
reduction is made for.

Each comes with three atoms, under the names that :mod:`tests.checking.random_systems` gives to
those of its formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import volition
from tests.checking.random_systems import NAMES
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import SlotView, System
from volition.languages.protocols import Model, StateView
from volition.logic import parse
from volition.logic.syntax import AtomicFormula, Proposition
from volition.logic.traversal import atomic_formulas, modal_atoms

__all__ = ["LOOSE_PROGRAMS", "LooseProgram", "NamedAtoms"]


@dataclass(frozen=True)
class LooseProgram:
    """The files of a program, and what is asked of it; ``main`` is what is loaded."""

    files: Mapping[str, str]
    main: str
    queried: Sequence[str]

    def model(self, folder: Path) -> NamedAtoms:
        for name, text in self.files.items():
            (folder / name).write_text(text)
        formulas = [parse(each) for each in self.queried]
        model = volition.load(folder / self.main).model(
            tuple(atom for each in formulas for atom in modal_atoms(each))
        )
        return NamedAtoms(
            model, tuple(model.resolve(atomic_formulas(each)[0]) for each in formulas)
        )


@dataclass(frozen=True)
class NamedAtoms:
    """A model whose formulas speak of three atoms by short names; it implements
    :class:`volition.languages.protocols.Model`."""

    model: Model
    atoms: Sequence[Callable[[SlotView], Any]]

    @property
    def agents(self) -> Sequence[str]:
        return self.model.agents

    @property
    def system(self) -> System:
        return self.model.system

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        if not isinstance(atom, Proposition) or atom.name not in NAMES:
            raise InputError([Diagnostic("TST001", "unknown", atom.span)])
        return self.atoms[NAMES.index(atom.name)]

    def describe(self, state: SlotView) -> StateView:
        return self.model.describe(state)


def _three(random: Random, some: Sequence[str]) -> list[str]:
    return random.sample(some, len(NAMES))


# --- CAN ------------------------------------------------------------------------------------------


def can_program(random: Random) -> LooseProgram:
    """Events that change beliefs of their own, and seldom those of another."""
    numbers = "123"[: random.choice([2, 2, 3])]
    crossing = random.choice([0.0, 0.05, 0.15])

    def belief(own: str) -> str:
        return random.choice("pq") + (random.choice(numbers) if random.random() < crossing else own)

    def condition(own: str) -> str:
        return random.choice(["true"] * 5 + [belief(own), f"!{belief(own)}", f"n{own} < 2"])

    def step(own: str, may_call: bool) -> str:
        simple = [
            f"{random.choice('+-')}{belief(own)}",
            f"act{own}",
            f"?{condition(own)}",
            f"n{own} := {random.randrange(3)}",
        ]
        return (
            f"sub{own}"
            if may_call and random.random() < 0.2
            else random.choice([*simple, simple[0]])
        )

    def body(own: str, may_call: bool) -> str:
        steps = [
            step(own, may_call) for _ in range(random.choice([1, 2, 3] if may_call else [1, 2]))
        ]
        if random.random() < 0.1:
            steps[0] = f"goal({belief(own)}, {steps[0]}, false)"
        return random.choice(["; "] * 5 + [" || ", " |> "]).join(steps)

    def action(own: str) -> str:
        effects = [f"<{{{belief(own)}}},{{{belief(own)}}}>" for _ in range(2)]
        outcomes = effects[0] if random.random() < 0.7 else f"1/4: {effects[0]} + 3/4: {effects[1]}"
        return f"act{own} : {condition(own)} <- {outcomes}"

    events = [
        event for own in numbers for event in [f"e{own}"] * random.choice([1, 1, 2]) + [f"sub{own}"]
    ]
    lines = [
        "// Initial belief bases",
        ", ".join([*(f"n{own} = 0" for own in numbers), *(belief(own) for own in numbers[:1])]),
    ]
    lines += ["// External events", ", ".join(f"e{own}" for own in numbers), "// Plan library"]
    lines += [
        f"{event} : {condition(event[-1])} <- {body(event[-1], event[0] == 'e')}."
        for event in events
    ]
    lines += [
        f"never : true <- {'; '.join(f'+p{own}; +q{own}; act{own}' for own in numbers)}."
    ]  # so that formulas may speak of everything
    lines += ["// Actions description", *(action(own) for own in numbers)]
    lines += ["// Policies", f"update : {random.choice(['any', 'any', 'finished', 'stuck'])}."]
    some = [f"Bel({each}{own})" for own in numbers for each in "pq"] + [
        "Bel(n1 > 0)",
        "Int(e1)",
        "Finished(e1)",
        "Does(act1)",
    ]
    return LooseProgram({"loose.can": "\n".join(lines)}, "loose.can", _three(random, some))


# --- AgentSpeak(F) --------------------------------------------------------------------------------

_BOUNDS = (
    "M_Ev = 5\nM_Int = 4\nM_Msg = 3\nM_Act = 2\nM_Bel = 6\nM_Term = 1\nM_Conj = 2\nM_Var = "
    "4\nM_Inst = 4"
)


def agentspeak_system(random: Random) -> LooseProgram:
    """Agents that change their own minds, and seldom talk or do something in the world that they
    share."""
    names = "abc"[: random.choice([2, 2, 3])]
    crossing = random.choice([0.0, 0.05, 0.15])

    def deed(own: str, goals: Sequence[str]) -> str:
        if random.random() < crossing:
            other = random.choice([each for each in names if each != own])
            return random.choice(
                [
                    f".send({other},tell,q)",
                    f".send({other},untell,q)",
                    f".send({other},achieve,h)",
                    "press",
                ]
            )
        return random.choice(
            [
                "+p",
                "-p",
                "+q",
                "-q",
                "+p",
                "?q",
                '.print("x")',
                ".random([1,2],R)",
                *(f"!{goal}" for goal in goals),
            ]
        )

    def plan(own: str, trigger: str) -> str:
        goals = {"+!g": ["h"], "+!h": []}.get(trigger, [])
        context = random.choice(["true", "true", "true", "p", "not p", "q", "not q"])
        return (
            f"{trigger} : {context} <- "
            f"{'; '.join(deed(own, goals) for _ in range(random.choice([1, 2, 2, 3])))}."
        )

    def agent(own: str) -> str:
        triggers = [
            "+!g",
            "+!h",
            *random.sample(
                ["+p", "-p", "+q", "-q", "+light", "+!g", "+!h"], random.choice([0, 1, 1, 2])
            ),
        ]
        lines = [f"{each}." for each in "pq" if random.random() < 0.3] + ["!g."]
        return "\n".join(
            [
                *lines,
                *(plan(own, trigger) for trigger in triggers),
                "+!never <- +p; +q; press; !g; !h.",
            ]
        )

    world = (
        "percept light\naction press when not light do add light\naction press otherwise do "
        "either { remove light } or { nothing }\n"
    )
    options = f"idle = {random.choice(['block', 'block', 'cycle'])}\n{_BOUNDS}"
    files = {f"{name}.asl": agent(name) for name in names}
    lines = [
        *(f"agent {name} = {name}.asl" for name in names),
        "world = loose.world",
        options,
        "properties",
    ]
    some = [
        f"{modality}({name}, {what})" for name in names for modality, what in _ASKED_OF_AGENTS
    ] + ["light"]
    return LooseProgram(
        {**files, "loose.world": world, "loose.mas": "\n".join(lines)},
        "loose.mas",
        _three(random, some),
    )


_ASKED_OF_AGENTS = [
    ("Bel", "p"),
    ("Bel", "q"),
    ("Bel", "p"),
    ("Int", "h"),
    ("Des", "g"),
    ("Does", "press"),
]


# --- Dribble --------------------------------------------------------------------------------------


def dribble_program(random: Random) -> LooseProgram:
    """Long plans of steps whose effects have little to do with each other.  All rules change the
    one plan: what is left out are leaps."""
    names = "pqrstuvw"[: random.choice([5, 6, 7, 8])]
    goals = random.sample(names, random.choice([1, 2, 2]))
    deeds = [f"do{name}" for name in names]
    at_first = {name: random.choice(["", "~"]) for name in names}

    def literal() -> str:
        return random.choice(["", "~"]) + random.choice(names)

    def guard() -> str:
        return random.choice(["true", "true", f"B({literal()})"])

    def plan() -> str:
        steps = [random.choice(deeds) for _ in range(random.randint(4, 9))]
        if random.random() < 0.25:
            steps[random.randrange(len(steps))] = (
                f"if B({literal()}) then {random.choice(deeds)} else {random.choice(deeds)}"
            )
        return "; ".join(steps)

    def action(name: str) -> str:
        condition = (
            f" if B({literal()})" if random.random() < (0.6 if name in goals else 0.2) else ""
        )
        return (
            f"  do{name} : {random.choice(['true'] * 5 + [f'B({literal()})'])} => "
            f"{random.choice(['', '~'])}{name}{condition}"
        )

    lines = [
        f"len_max: {random.randint(20, 26)}",
        "beliefs:",
        f"  {' & '.join(at_first[name] + name for name in names)}",
    ]
    lines += [
        "goals:",
        *(f"  {'' if at_first[goal] else '~'}{goal}" for goal in goals),
        "actions:",
        *map(action, names),
    ]
    lines += ["goal rules:", *(f"  {guard()} -> {plan()}" for _ in range(random.choice([1, 2, 3])))]
    lines += ["revision rules:"]
    for _ in range(random.choice([0, 0, 1, 1, 2])):
        replacement = f"{random.choice(deeds)}; pi" if random.random() < 0.6 else "pi"
        lines.append(f"  {random.choice(deeds)}; pi | {guard()} -> {replacement}")
    some = [f"Bel({name})" for name in names[:3]] + [
        f"Bel({names[0]} & {names[1]})",
        f"Goal({goals[0]})",
        "stalled",
    ]
    some += [f"Does({deeds[0]})"] if random.random() < 0.2 else []
    return LooseProgram(
        {"loose.dribble": "\n".join(lines) + "\n"}, "loose.dribble", _three(random, some)
    )


# --- Gwendolen ------------------------------------------------------------------------------------


def gwendolen_system(random: Random) -> LooseProgram:
    """Agents that change their own minds, and sometimes talk.  They take turns, which all of them
    see: what is left out are leaps."""
    names = "ab"[: random.choice([1, 1, 2])]

    def deed(own: str) -> str:
        other = random.choice([each for each in names if each != own] or [own])
        sends = [f".send({other}, :tell, q)"] if other != own and random.random() < 0.3 else []
        return random.choice(["+p", "-p", "+q", "-q", "+!h [perform]", "push", "turn", *sends])

    def guard() -> str:
        return random.choice(["True", "True", "B p", "~B p", "B q", "~B q", "B s"])

    def plan(own: str, trigger: str) -> str:
        deeds = [deed(own) for _ in range(random.choice([1, 2, 2, 3]))]
        deeds = [each for each in deeds if "!h" not in each or trigger == "+!g [perform]"] or ["+q"]
        return f"{trigger} : {{{guard()}}} <- {', '.join(deeds)};"

    def agent(own: str) -> str:
        triggers = [
            "+!g [perform]",
            "+!h [perform]",
            *random.sample(["+p", "-p", "+q", "+s", "+!g [perform]"], random.choice([0, 1, 2])),
        ]
        lines = [
            "GWENDOLEN",
            f":name: {own}",
            ":Initial Beliefs:",
            random.choice(["", "p"]),
            ":Initial Goals:",
            "g [perform]",
            ":Plans:",
        ]
        plans = [plan(own, trigger) for trigger in triggers]
        return (
            "\n".join(
                [
                    *lines,
                    *plans,
                    "+.received(:tell, B) : {True} <- +B;",
                    "+!never [perform] : {True} <- +p, +q, push, turn;",
                ]
            )
            + "\n"
        )

    world = "percept s\naction push do either { add s } or { nothing }\n"
    world += (
        "action turn do "
        f"{random.choice(['remove s', 'chance 1/4 { remove s } or 3/4 { nothing }'])}\n"
    )
    free = len(names) == 1 and random.random() < 0.3
    world += "free percept f\n" if free else ""
    lines = ["world = loose.world", *(f"agents = {name}.gwen" for name in names)]
    lines.append(f"scheduler = {random.choice(['action', 'round_robin', 'n_actions'])}")
    what = [
        ("Bel", "p"),
        ("Bel", "q"),
        ("Bel", "s"),
        ("Does", "push"),
        ("Does", "turn"),
        ("Int", "h"),
        ("Des", "g"),
    ]
    some = [f"{modality}({name}, {each})" for name in names for modality, each in what]
    files = {f"{name}.gwen": agent(name) for name in names}
    return LooseProgram(
        {**files, "loose.world": world, "loose.gwendolen": "\n".join(lines) + "\n"},
        "loose.gwendolen",
        _three(random, some),
    )


# --- Jason ----------------------------------------------------------------------------------------

_JASON_WORLD = """percept light
percept level(X) initially level(0)
action press when not light do add light
action press otherwise do either { remove light } or { nothing }
action lift do chance 1/4 { remove level(_); add level(1) } or 3/4 { fail }
"""
_JASON_STEPS = (
    "+p",
    "+p",
    "-p",
    "+q",
    "-q",
    "+q[k]",
    "-+n(1)",
    "-+n(2)",
    "?q",
    "?r",
    '.print("x")',
    "!!h",
    ".wait(10)",
    ".wait(q, 20)",
    ".fail",
    ".drop_desire(h)",
    ".suspend(h); +q; .resume(h)",
    ".member(_, [1, 2])",
    ".random([1, 2], _)",
)
_JASON_BLOCKS = (
    "if (r) {{ {0} }} else {{ {1} }}",
    "for (n(X)) {{ {0} }}",
    "{0} |&| {1}",
    "{0} ||| {1}",
)
_JASON_TRIGGERS = (
    "+p",
    "-p",
    "+q",
    "-q",
    "+q[source(S)]",
    "+light",
    "-light",
    "+level(X)",
    "-!g",
    "-!h",
    "+!g",
    "+!h",
    "^!h[state(failed)]",
)
_JASON_QUESTIONS = (
    *(("Bel", each) for each in ("p", "q", "r", "q[k]", "n(_)", "level(1)")),
    ("Int", "h"),
    ("Des", "g"),
    ("Does", "press"),
)


def jason_system(random: Random) -> LooseProgram:
    """Agents that change their own minds, wait and fail, and seldom talk or do something in the
    world that they share."""
    names = "abc"[: random.choice([2, 2, 2, 3])]
    crossing = random.choice([0.0, 0.1, 0.25])

    def step(own: str, goals: Sequence[str]) -> str:
        if random.random() < crossing:
            to = f".send({random.choice([each for each in names if each != own])}, "
            said = [
                "tell, q)",
                "untell, q)",
                "achieve, h)",
                "askOne, n(_), A); +q",
                "tell, q[k])",
                "unachieve, h)",
                "askAll, n(_))",
            ]
            return random.choice([*(to + each for each in said), "press", "press", "lift"])
        return random.choice([*_JASON_STEPS, *(f"!{goal}" for goal in goals)])

    def body(own: str, goals: Sequence[str]) -> str:
        steps = [step(own, goals) for _ in range(random.choice([1, 2, 2, 3]))]
        if random.random() < 0.15:
            steps[0] = random.choice(_JASON_BLOCKS).format(step(own, ()), step(own, ()))
        return "; ".join(steps)

    def plan(own: str, trigger: str) -> str:
        goals = {"+!g": ["h"]}.get(trigger, [])
        label = "@[atomic] " if random.random() < 0.05 else ""
        context = random.choice(
            ["true", "true", "true", "p", "not p", "r", "q[source(_)]", "n(X) & X > 1"]
        )
        return f"{label}{trigger} : {context} <- {body(own, goals)}."

    def agent(own: str) -> str:
        triggers = ["+!g", "+!h", *random.sample(_JASON_TRIGGERS, random.choice([0, 1, 1, 2]))]
        lines = [f"{each}." for each in ("p", "q", "q[k]", "n(1)") if random.random() < 0.25]
        lines += [random.choice(["r :- p & not q.", "r :- q.", "r :- n(X) & X > 1."]), "!g."]
        return "\n".join(
            [
                *lines,
                *(plan(own, trigger) for trigger in triggers),
                "+!never <- +p; +q; +n(1); press; !g; !h.",
            ]
        )

    world = _JASON_WORLD + (
        "step dawn when not light do add light\n" if random.random() < crossing else ""
    )
    options = [
        f"cycle = {random.choice(['exact', 'exact', 'parts', 'whole'])}",
        f"time = {random.choice(['free', 'free', 'ordered'])}",
    ]
    options += [
        f"results = {random.choice(['late', 'late', 'after perception'])}",
        "M_Bel = 8",
        "M_Ev = 8",
        "M_Int = 8",
        "M_Act = 8",
    ]
    files = {f"{name}.asl": agent(name) for name in names}
    files |= {
        "loose.mas2j": f"MAS loose {{ agents: {' '.join(f'{name};' for name in names)} }}",
        "loose.world": world,
    }
    files |= {"loose.volition": "\n".join(["world = loose.world", *options])}
    some = [
        f"{modality}({name}, {what})" for name in names for modality, what in _JASON_QUESTIONS
    ] + ["light"]
    return LooseProgram(files, "loose.mas2j", _three(random, some))


LOOSE_PROGRAMS: Mapping[str, Callable[[Random], LooseProgram]] = {
    "AgentSpeak": agentspeak_system,
    "CAN": can_program,
    "Dribble": dribble_program,
    "Gwendolen": gwendolen_system,
    "Jason": jason_system,
}
"""LISA is not among them: its components move together, which leaves nothing to reduce."""

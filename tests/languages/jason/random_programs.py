"""Random Jason systems: small, and wild enough that every row of the semantics is met.

A system is drawn from a seed.  It keeps to some features at a time, so that these meet each other;
variables are used where they have values, as programs that are not about mistakes do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.languages.jason.directives import carried_out
from tests.languages.jason.random_texts import (
    CHANGES,
    CONDITIONS,
    CONTROL,
    CONTROLS,
    FACTS,
    KINDS,
    MORE_CHANGES,
    OPTIONS,
    SETTINGS,
    STEPS,
    TERMS,
    TRIGGERS,
    WORLD,
)

__all__ = ["RandomSystem", "random_system"]

_LARGE = {
    "awaited",
    "changes",
    "drops",
    "forks",
    "goals",
    "loops",
    "namespaces",
    "patterns",
    "suspension",
    "terms",
    "timers",
    "visits",
}
_FEATURES = sorted(
    {*STEPS, *TRIGGERS, "atomic", "negation"}
    - {
        "always",
        "world",
        "internal",
        "meta",
        "namespaces",
        "changes",
        "patterns",
        "stops",
        "visits",
    }
)
_GAP = re.compile(r"<(?:(?P<name>\w+)=)?(?P<kind>\w+|[^<>|]*\|[^<>]*)>")


@dataclass(frozen=True)
class RandomSystem:
    """The texts of the agents, in the order of their declaration; the world, if there is one; and
    what is said about time."""

    seed: int
    agents: Mapping[str, str]
    world: str | None
    time: str
    options: tuple[str, ...] = ()
    """Lines of the file beside the project."""
    settings: tuple[str, ...] = ()
    """What the project says of each agent."""

    @property
    def plain_agents(self) -> Mapping[str, str]:
        """The texts with their directives carried out."""
        return {name: carried_out(text) for name, text in self.agents.items()}

    def write(self, folder: Path, cycle: str) -> Path:
        """Writes the project, and gives the file to be loaded."""
        for name, text in self.agents.items():
            (folder / f"{name}.asl").write_text(text)
        if self.world is not None:
            (folder / "small.world").write_text(self.world)
        settings = f" [{', '.join(self.settings)}]" if self.settings else ""
        (folder / "random.mas2j").write_text(
            f"MAS random {{ agents: {' '.join(f'{name}{settings};' for name in self.agents)} }}"
        )
        lines = [
            *([] if self.world is None else ["world = small.world"]),
            f"cycle = {cycle}",
            f"time = {self.time}",
            *self.options,
        ]
        (folder / "random.volition").write_text("\n".join(lines) + "\n")
        return folder / "random.mas2j"

    def __str__(self) -> str:
        world = "" if self.world is None else f"// world{self.world}"
        head = ", ".join(
            [f"// seed {self.seed}", f"time = {self.time}", *self.options, *self.settings]
        )
        return "\n".join(
            [head, *(f"// {each}\n{text}" for each, text in self.agents.items()), world]
        )


def random_system(seed: int, kind: str = "plain") -> RandomSystem:
    random = Random(seed)
    theme = random.choice(KINDS[kind])
    features = {
        *theme,
        *random.sample(_FEATURES, random.randint(0, 2) if theme else random.randint(3, 5)),
    }
    alone = bool(_LARGE & features)
    names = "abc"[: random.choice([1, 1, 1, 1, 2, 2, 3] if alone else [1, 2, 2, 2, 3])]
    if {"actions", "seen results", "any order", "changes"} & features or random.random() < 0.3:
        features |= {"world"}
    initially = random.choice(["", " initially on(1)", " initially on(1), on(2)"])
    world = WORLD.format(initially=initially) if "world" in features else None
    if world is not None and random.random() < 0.1:
        world += "step dawn when not full do add full\n"
    if world is not None and "changes" in features:
        world += CHANGES + "".join(
            f"{each}\n" for each in random.sample(MORE_CHANGES, random.randint(0, 2))
        )
    programs = {name: _Writer(random, name, names, features).program() for name in names}
    time = random.choice(["free", "free", "ordered"])
    options = tuple(each for feature in sorted(features) for each in OPTIONS.get(feature, ()))
    settings = tuple(each for feature in sorted(features) for each in SETTINGS.get(feature, ()))
    return RandomSystem(seed, programs, world, time, options, settings)


class _Writer:
    """The text of one agent.  ``_known`` are the variables that have a number for a value at the
    place that is being written."""

    def __init__(self, random: Random, name: str, names: str, features: set[str]) -> None:
        self._random = random
        self._one = random.choice
        self._name = name
        self._others = [each for each in names if each != name]
        self._features = features
        self._known: list[str] = []
        self._used = 0
        self._depth = 0
        self._is_atomic = False
        self._steps = {
            step: weight
            for each in ("always", *sorted(features))
            for step, weight in STEPS.get(each, {}).items()
        }
        self._conditions = [
            each
            for feature in ("always", *sorted(features))
            for each in CONDITIONS.get(feature, ())
        ]
        self._triggers = [
            each for feature in ("always", *sorted(features)) for each in TRIGGERS.get(feature, ())
        ]

    def program(self) -> str:
        lines = [f"{self._fresh(self._belief)}." for _ in range(self._random.randint(0, 3))]
        lines += [
            self._filled(each)
            for feature in sorted(self._features)
            for each in FACTS.get(feature, ())
            if self._random.random() < 0.8
        ]
        lines += [f"!{self._fresh(self._goal)}." for _ in range(self._one([1, 1, 1, 2]))]
        controls = [each for feature in sorted(self._features) for each in CONTROL.get(feature, ())]
        if controls and self._random.random() < 0.7:
            lines.append(self._fresh(lambda: self._filled(self._one(controls))))
        if "patterns" in self._features:
            lines += self._pattern()
        lines += [self._plan("+!g(<opened>)"), self._plan("+!h")]
        if {"tests", "asks"} & self._features and self._random.random() < 0.6:
            lines.append(self._plan("+?t(<1|2|X1>)"))
        lines += [self._plan(self._one(self._triggers)) for _ in range(self._random.randint(1, 5))]
        return "\n".join(lines) + "\n"

    def _pattern(self) -> list[str]:
        """A goal pattern around some plans for the goal ``d``, which has to be believed in the
        end."""
        plans = [self._plan("+!d") for _ in range(self._random.randint(1, 2))]
        plans = [each if " <- " in each else f"{each.removesuffix('.')} <- +d." for each in plans]
        begin = self._one(
            [
                "dg(d)",
                "bdg(d)",
                "ebdg(d)",
                "ebdg(d)",
                "bc(d)",
                "bc(d,dg(d))",
                "bc(d,ebdg(d))",
                "smc(d,r)",
            ]
        )
        return [
            f"{{begin {begin}}} {' '.join(plans)} {{end}}",
            self._fresh(lambda: self._filled(self._one(["!d.", "!d. !h.", "+!h <- !d."]))),
        ]

    def _plan(self, trigger: str) -> str:
        self._known, self._used = [], 0
        self._is_atomic = "atomic" in self._features and self._random.random() < 0.35
        label = f"@l{self._random.randrange(10**6)}[atomic] " if self._is_atomic else ""
        head = self._filled(trigger)
        context = f" : {self._condition(2)}" if self._random.random() < 0.45 else ""
        body = "" if self._random.random() < 0.1 else f" <- {self._body(3)}"
        return f"{label}{head}{context}{body}."

    def _body(self, maximum: int) -> str:
        self._depth += 1
        count = self._random.randint(1, maximum if self._depth < 3 else 1)
        weights = {
            step: weight
            for step, weight in self._steps.items()
            if self._depth < 3 or step not in STEPS["forks"]
        }
        steps = [
            self._filled(self._random.choices(list(weights), list(weights.values()))[0])
            for _ in range(count)
        ]
        self._depth -= 1
        return "; ".join(steps)

    # --- gaps -------------------------------------------------------------------------------------

    def _filled(self, text: str) -> str:
        """The text without gaps, which are filled from left to right."""
        named: dict[str, str] = {}

        def fill(gap: re.Match[str]) -> str:
            kind = gap["kind"]
            value: str = (
                self._one(kind.split("|"))
                if "|" in kind
                else named.get(kind) or getattr(self, f"_{kind}")()
            )
            if gap["name"]:
                named[gap["name"]] = value
            return value

        return _GAP.sub(fill, text)

    def _scope(self, write: Callable[[], str]) -> str:
        """What is written in a scope of its own: its variables have no values afterwards."""
        known = list(self._known)
        text = write()
        self._known = known
        return text

    def _fresh(self, write: Callable[[], str]) -> str:
        """What is written where no variable has a value."""
        self._known = []
        return self._scope(write)

    def _new(self) -> str:
        """A variable without a value."""
        self._used += 1
        return f"X{self._used}"

    def _opened(self) -> str:
        """A variable that what is written gives a value to."""
        variable = self._new()
        self._known.append(variable)
        return variable

    def _round(self) -> str:
        """The variable of a loop: :meth:`_rounds` forgets it."""
        return self._opened()

    def _rounds(self) -> str:
        text = self._inner()
        self._known.pop()
        return text

    def _inner(self) -> str:
        return self._scope(lambda: self._body(2))

    def _forked(self) -> str:
        """A branch of a fork, in brackets where it is more than a step."""
        text = self._inner()
        if ";" not in text and not text.startswith(("if", "for", "while")) and "|" not in text:
            return text
        return f"({'.print(a); ' if text.startswith('-') else ''}{text})"

    def _branch(self) -> str:
        return self._scope(lambda: self._condition(1))

    def _looked(self) -> str:
        return self._scope(self._literal)

    # --- terms and literals -----------------------------------------------------------------------

    def _number(self) -> str:
        if self._known and self._random.random() < 0.6:
            variable = self._one(self._known)
            if "arithmetic" in self._features and self._random.random() < 0.3:
                return self._one(
                    [
                        f"({variable}+1) mod 3",
                        f"{variable} mod 2 + 1",
                        f"math.max({variable},1)",
                        f"3-{variable}",
                    ]
                )
            return variable
        return self._one("112")

    def _term(self) -> str:
        """Any term, of those that can be compared with each other."""
        return self._filled(self._one(TERMS))

    def _adding(self) -> str:
        return self._one(["++", "--", "+>", "+<"])

    def _strike(self) -> str:
        """A change of the beliefs that a loop goes through."""
        changes = [
            "-p(1)",
            "-p(2)",
            "-p(3)",
            "-p(4)",
            "-p(_)",
            ".abolish(p(_))",
            ".abolish(p(<2|3>))",
            "-+p(<2|5>)",
            "+p(<1|2|6>)",
            "+>p(<3|7>)",
        ]
        if "annotations" in self._features:
            changes += ["-p(<2|4>)[source(<self|x>)]", "+p(<2|3>)[k]", "-p(3)[k]"]
        return self._filled(self._one(changes))

    def _relation(self) -> str:
        return self._one(["<", "<=", ">", ">=", "==", "\\==", "="])

    def _belief(self) -> str:
        """A literal that is known."""
        sign = "~" if "negation" in self._features and self._random.random() < 0.3 else ""
        return (
            self._module()
            + sign
            + self._filled(self._one(["p(<number>)", "p(<number>)", "q(<number>)", "r"]))
        )

    def _content(self) -> str:
        is_said = {"annotations", "letters"} & self._features and self._random.random() < 0.3
        return self._belief() + (
            self._one(["[k]", "[source(x)]", "[k(1),source(x)[source(y)]]"]) if is_said else ""
        )

    def _own(self) -> str:
        """Annotations of a belief that is added or removed."""
        is_said = "annotations" in self._features and self._random.random() < 0.25
        return self._one(["[k]", "[source(self)]", "[source(percept)]"]) if is_said else ""

    def _from(self) -> str:
        """Annotations of a trigger."""
        if not {"annotations", "messages"} & self._features or self._random.random() < 0.5:
            return ""
        return self._one(
            [
                "[source(self)]",
                "[source(S)]",
                "[source(percept)]",
                "[k]",
                f"[source({self._peer()})]",
            ]
        )

    def _annotation(self) -> str:
        """Annotations of a query."""
        if "annotations" not in self._features or self._random.random() < 0.5:
            return ""
        return self._one(
            [
                "[source(self)]",
                "[source(_)]",
                "[k]",
                "[k,source(self)]",
                "[source(percept)]",
                f"[source({self._peer()})]",
            ]
        )

    def _me(self) -> str:
        return self._name

    def _peer(self) -> str:
        return self._one(self._others or [self._name])

    def _goal(self) -> str:
        return self._module() + self._filled(self._one(["g(<number>)", "g(<number>)", "h", "h"]))

    def _module(self) -> str:
        """The namespace of a literal."""
        return "n::" if "namespaces" in self._features and self._random.random() < 0.4 else ""

    def _action(self) -> str:
        if "world" not in self._features:
            return self._one(["fill", "try"])
        more = ["bump", "grab", "shift"] if "changes" in self._features else []
        return self._filled(
            self._one(
                [
                    "turn(<number>)",
                    "turn(1)",
                    "fill",
                    "drain",
                    "try",
                    "spoil",
                    "await",
                    *more,
                    *more,
                ]
            )
        )

    def _join(self) -> str:
        return self._one(["|&|", "|&|", "|||"])

    def _handlers(self) -> str:
        """Plans for failures."""
        return self._one(
            [
                "",
                "-!h <- +q(1). ",
                "-!k(_) <- +q(2). ",
                "-!k(2)[error(E)] <- +got(E). -!h <- +q(1). ",
            ]
        )

    def _control(self) -> str:
        return self._one(CONTROLS)

    # --- conditions -------------------------------------------------------------------------------

    def _literal(self) -> str:
        """A query that gives a value to a variable, or looks at what is known."""
        names = [
            *"ppq",
            *(["s"] if "rules" in self._features else []),
            *(["on", "on"] if "world" in self._features else []),
        ]
        name = self._one(names)
        can_be_negative = name == "on" or ("negation" in self._features and name != "s")
        sign = "~" if can_be_negative and self._random.random() < 0.3 else ""
        annotation = "" if name == "s" else self._annotation()
        argument = self._opened() if self._random.random() < 0.6 else self._number()
        return f"{self._module() if name in 'pq' else ''}{sign}{name}({argument}){annotation}"

    def _condition(self, size: int) -> str:
        """A formula; afterwards its variables have values."""
        if size and self._random.random() < 0.4:
            left = self._condition(size - 1)
            return f"{left} & {self._condition(size - 1)}"
        kind = self._random.random()
        if kind < 0.45:
            return self._literal()
        if kind < 0.6:
            return f"not {self._looked()}"
        if kind < 0.68:
            return f"({self._looked()} | {self._one(['r', 'full', self._belief()])})"
        if kind < 0.76 and self._known:
            return self._filled(f"{self._one(self._known)} <relation> <number>")
        return self._filled(self._one(self._conditions))

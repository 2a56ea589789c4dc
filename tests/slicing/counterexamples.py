"""Programs of a few lines on which a method of the paper changes the verdict: D1 to D11 the new
one, O1 to O6 the old one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import volition
from volition.languages.gwendolen.program import GwendolenProgram
from volition.slicing.gwendolen.slice import Method


@dataclass(frozen=True)
class Counterexample:
    """A program, a formula, its verdict, and which method says the opposite."""

    name: str
    method: Method
    goals: str
    plans: str
    formula: str
    holds: bool
    percepts: str = ""
    beliefs: str = ""
    rules: str = ""
    world: str = ""
    language: str = "GWENDOLEN"
    settings: dict[str, str] = field(default_factory=dict)

    def load(self, folder: Path) -> GwendolenProgram:
        file = folder / "example.gwen"
        text = [
            self.language,
            ":name: ag",
            ":Initial Beliefs:",
            self.beliefs,
            ":Reasoning Rules:",
            self.rules,
        ]
        file.write_text("\n".join([*text, ":Initial Goals:", self.goals, ":Plans:", self.plans]))
        file.with_suffix(".world").write_text(
            self.world + "".join(f"free percept {each}\n" for each in self.percepts)
        )
        program = volition.load(file, self.settings)
        assert isinstance(program, GwendolenProgram)
        return program


H = "h [perform]"
EASS = {"cycle": "eass"}
COUNTEREXAMPLES = [
    Counterexample(
        "D1",
        "winikoff",
        H,
        "+!h [perform] : {True} <- *never, acc;",
        "A [ G !Does(ag, acc) ]",
        True,
    ),
    Counterexample(
        "D1",
        "winikoff",
        H,
        "+!h [perform] : {True} <- *p, acc;",
        "A [ (F Bel(ag, p)) | (G !Does(ag, acc)) ]",
        True,
        percepts="p",
    ),
    Counterexample(
        "D2",
        "winikoff",
        "",
        "+e : {~B done} <- +done, act;",
        "A [ G (Does(ag, act) -> F G !Does(ag, act)) ]",
        True,
        percepts="e",
    ),
    Counterexample(
        "D3",
        "winikoff",
        H,
        "+!h [perform] : {True} <- -b, +b; +b : {True} <- act;",
        "A [ G !Does(ag, act) ]",
        False,
        beliefs="b",
    ),
    Counterexample(
        "D4",
        "winikoff",
        "h [perform], k [perform]",
        "+!h [perform] : {True} <- y, y, +a; +!k [perform] : {True} <- +!s [perform];"
        "+!s [perform] : {~B a} <- +b; +!s [perform] : {B a} <- +c;",
        "A [ F Bel(ag, b) ]",
        True,
    ),
    Counterexample(
        "D5",
        "winikoff",
        "h [perform], k [perform]",
        "+!h [perform] : {True} <- +.lock, +a, -a, -.lock; +!k [perform] : {True} <- +c, +b;",
        "A [ G !(Bel(ag, a) & Bel(ag, b)) ]",
        True,
    ),
    Counterexample(
        "D6",
        "winikoff",
        H,
        "+!h [perform] : {B p}; +!h [perform] : {~B p} <- x, +!k [perform]; +!k [perform] : {B p} "
        "<- +done; +!k [perform] : {~B p};",
        "A [ G !Bel(ag, done) ]",
        False,
        percepts="p",
        settings={"redraw": "acted", "cycle": "eass"},
    ),
    Counterexample(
        "D7",
        "winikoff",
        H,
        "+!h [perform] : {True} <- x, y;",
        "A [ F Does(ag, y) ]",
        False,
        percepts="p",
        settings=EASS,
    ),
    Counterexample(
        "D8",
        "winikoff",
        H,
        "+!h [perform] : {B q} <- -c, x;",
        "A [ G (Does(ag, x) -> F Bel(ag, q)) ]",
        False,
        percepts="qp",
        settings=EASS,
    ),
    Counterexample(
        "D9",
        "winikoff",
        H,
        "+!h [perform] : {True} <- y, x;",
        "A [ G (Des(ag, h) -> F Does(ag, y)) ]",
        False,
    ),
    Counterexample(
        "D10",
        "winikoff",
        "g [achieve]",
        "+!g [achieve] : {True} <- *~q;",
        "A [ G ((Des(ag, g) & Bel(ag, p)) -> F !Des(ag, g)) ]",
        False,
        percepts="qp",
    ),
    Counterexample(
        "D11",
        "winikoff",
        H,
        "+!h [perform] : {True} <- sum(a,1,_), acc;",
        "A [ G !Does(ag, acc) ]",
        True,
    ),
    Counterexample(
        "D11",
        "winikoff",
        H,
        "+!h [perform] : {True} <- open, acc;",
        "A [ G !Does(ag, acc) ]",
        True,
        world="action open when false do nothing\n",
    ),
    Counterexample(
        "O1",
        "bordini",
        "g [perform]",
        "+!g [perform] : {B p}; +!g [perform] : {True} <- act;",
        "A [ G !(Bel(ag, p) & Does(ag, act)) ]",
        True,
        percepts="p",
    ),
    Counterexample(
        "O1",
        "bordini",
        H,
        "+!h [perform] : {True}; +!h [perform] : {True} <- +b;",
        "A [ G !Bel(ag, b) ]",
        True,
    ),
    Counterexample(
        "O2",
        "bordini",
        H,
        "+!h [perform] : {True} <- +!k [perform], act; +!k [perform] : {True} <- x;",
        "A [ F Does(ag, act) ]",
        True,
    ),
    Counterexample(
        "O3",
        "bordini",
        H,
        "+!h [perform] : {True} <- +a, +!k [perform]; +!k [perform] : {B r} <- act; +!k [perform] "
        ": {~B r} <- x; +p : {True} <- -a;",
        "A [ F Does(ag, act) ]",
        False,
        percepts="p",
        rules="r :- a;",
    ),
    Counterexample(
        "O4",
        "bordini",
        "h [perform], k [perform]",
        "+!h [perform] : {True} <- y, y, y, act; +!k [perform] : {True} <- -!h [perform];",
        "A [ G !Does(ag, act) ]",
        True,
        settings={"cycle": "gwendolen"},
    ),
    Counterexample(
        "O6",
        "bordini",
        H,
        "+!h [perform] : {True} <- assert_shared(a); +a : {True} <- x;",
        "A [ F Bel(ag, a) ]",
        True,
        language="EASS",
    ),
    Counterexample(
        "O6",
        "bordini",
        H,
        "+!h [perform] : {True} <- open;",
        "A [ F Bel(ag, p) ]",
        True,
        world="percept p\naction open do add p\n",
    ),
    Counterexample(
        "O5", "bordini", H, "+!h [perform] : {True} <- x;", "A [ F G !Des(ag, h) ]", True
    ),
]

SUBTLE = [
    Counterexample(
        "an event without a plan takes a turn",
        "sound",
        "g [achieve]",
        "+n : {True} <- +b; +!g [achieve] : {True} <- -n, +n;",
        "A [ !((!Bel(ag, n) & !Bel(ag, p)) U ((Bel(ag, n) & !Bel(ag, p)) U (Bel(ag, n) & Bel(ag, "
        "p)))) ]",
        True,
        percepts="p",
        settings={"cycle": "gwendolen"},
    ),
    Counterexample(
        "an event that is never handled",
        "sound",
        H,
        "+!h [perform] : {True} <- +b, +started; +p : {B b} <- +!none [perform]; +p : {~B b};",
        "A [ G ((Bel(ag, started) & !Bel(ag, p)) -> G (Bel(ag, p) -> G Bel(ag, p))) ]",
        True,
        percepts="p",
    ),
]
"""Here the first ``+b`` looks as if it did not matter: nobody reads b, or what reads it leads to
nothing that is asked for."""

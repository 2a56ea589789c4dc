"""A small program with agents, plans, rules and source lines, as a language would give it: for
telling, traces and coverage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from volition.diagnostics import Diagnostic, Source
from volition.kernel import Choice, Component, SlotView, System
from volition.languages.protocols import StateView, Table, UnparsedProperty
from volition.logic.syntax import Atom, AtomicFormula, Proposition
from volition.origin import Origin

SOURCE = Source("vending.test", "insert a coin\npress the button\nkick it\npolish it\n")
PLACES = [SOURCE.span(0, 13), SOURCE.span(14, 30), SOURCE.span(31, 38), SOURCE.span(39, 48)]


@dataclass(frozen=True)
class Vending:
    """A customer inserts a coin and presses the button; the machine gives a drink, or (``broken``)
    sometimes nothing.

    ``price`` coins are needed; the customer of ``kicking`` programs may also kick, after which
    nothing moves.
    """

    price: int = 1
    broken: bool = False
    kicking: bool = True
    agents: Sequence[str] = ("customer", "machine")
    language: str = "Vending"
    sources: Sequence[Source] = (SOURCE,)
    warnings: Sequence[Diagnostic] = ()
    properties: Sequence[UnparsedProperty] = ()
    queried: list[Collection[Atom]] = field(default_factory=list)

    def tables(self) -> Sequence[Table]:
        return ()

    def model(self, observed: Collection[Atom] = ()) -> Vending:
        self.queried.append(tuple(observed))
        return self

    @property
    def system(self) -> System:
        return System(
            {"coins": 0, "pressed": False, "drinks": 0, "kicked": False},
            [Component("customer", self._act), Component("machine", self._serve)],
        )

    def _act(self, view: SlotView) -> list[Choice]:
        if view["kicked"] or view["pressed"]:
            return []
        choices = []
        if view["coins"] < self.price:
            insert = Origin(
                "customer", ("Act",), "insert a coin", action="insert", plan="buy", span=PLACES[0]
            )
            choices.append(Choice(insert, [(1, {"coins": view["coins"] + 1})]))
        else:
            press = Origin(
                "customer",
                ("Act", "Press(1)"),
                "press the button",
                action="press",
                plan="buy",
                span=PLACES[1],
            )
            choices.append(Choice(press, [(1, {"pressed": True})]))
        if self.kicking:
            kick = Origin(
                "customer", ("Act",), "kick the machine", action="kick", plan="vent", span=PLACES[2]
            )
            choices.append(Choice(kick, [(1, {"kicked": True})]))
        return choices

    def _serve(self, view: SlotView) -> list[Choice]:
        if not view["pressed"]:
            return []
        served = {"pressed": False, "coins": 0, "drinks": (view["drinks"] + 1) % 2}
        if not self.broken:
            return [Choice(Origin("machine", ("Serve",), "serve"), [(1, served)])]
        nothing = {"pressed": False, "coins": 0}
        return [
            Choice(
                Origin("machine", ("Serve",), "serve"),
                [(Fraction(9, 10), served), (Fraction(1, 10), nothing)],
            )
        ]

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        assert isinstance(atom, Proposition | Atom)
        name = atom.name if isinstance(atom, Proposition) else atom.text
        return lambda view: bool(view[name])

    def describe(self, state: SlotView) -> StateView:
        beliefs = {"drink": ""} if state["drinks"] else {}
        condition = {"kicked": ""} if state["kicked"] else {}
        return {"beliefs": beliefs, "machine": {"coins": str(state["coins"]), **condition}}

    def inventory(self) -> Mapping[str, Sequence[str]]:
        return {
            "plans": ["customer: buy", "customer: vent", "machine: care"],
            "actions": ["customer: insert", "customer: press", "customer: kick", "machine: polish"],
            "rules": ["Act", "Press", "Serve", "Drop"],
        }

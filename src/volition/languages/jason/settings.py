"""How a Jason system is run and what is assumed of what is not in its programs: see
:mod:`volition.languages.jason.volition_file`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal as OneOf

from volition.languages.common.bounds import Bounds
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import Number

__all__ = ["BOUNDS", "CHOICES", "Bounds", "InternalActionModel", "Settings"]

BOUNDS = {
    "M_Bel": "the most beliefs that there may be",
    "M_Ev": "the most pending events that there may be",
    "M_Int": "the most intended means that there may be",
    "M_Act": "the most actions without a result that there may be",
    "M_Msg": "the most messages in a mailbox that there may be",
    "M_Num": "the largest number that may be counted up to",
}
"""What may be limited, agent by agent, and what each limit counts."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "semantics": ("jason",),
    "cycle": ("exact", "parts", "whole"),
    "results": ("late", "after perception"),
    "percept_order": ("world", "any"),
    "time": ("free", "ordered"),
}
"""The options that are one of some words; the first is what holds where a project does not say."""


@dataclass(frozen=True)
class InternalActionModel:
    """What an internal action that is written in Java is assumed to do.

    It succeeds with the solutions of its rules, in their order.  With ``is_choice`` it succeeds
    with one of them, and nobody knows which; who asks again, because that one does not fit, gets
    another one if it ``is_repeated``, and else none.  Without rules it does ``nothing``: it
    succeeds, whatever its arguments are.
    """

    name: str
    rules: tuple[BeliefRule, ...] = ()
    is_choice: bool = False
    is_repeated: bool = False


@dataclass(frozen=True)
class Settings:
    """Everything that is said about how one agent runs.

    ``cycle``: ``parts`` is the exact cut of the reasoning cycle into ``Perceive``, ``Deliberate``
    and ``Act``; ``exact`` merges them where nobody can tell; ``whole`` always does.  ``results``:
    whether the result of an action may come before the agent has perceived its effect; if not, it
    perceives before anything else changes.  ``percept_order``: whether percepts are believed in the
    order of the world, or in any.  ``time``: whether a running timer may end at any later moment,
    or time passes only when nothing else can happen.

    ``events``, ``int_bels`` and ``tro`` are options of the agent in the ``.mas2j``.  ``clock`` is
    what ``.date`` and ``.time`` show, and ``random`` what ``.random(X)`` may give; without them, a
    program that uses these is refused.
    """

    bounds: Bounds = field(default_factory=Bounds)
    semantics: OneOf["jason"] = "jason"
    cycle: OneOf["exact", "parts", "whole"] = "exact"
    results: OneOf["late", "after perception"] = "late"
    percept_order: OneOf["world", "any"] = "world"
    time: OneOf["free", "ordered"] = "free"
    events: OneOf["discard", "requeue"] = "discard"
    int_bels: OneOf["sameFocus", "newFocus"] = "sameFocus"
    tro: bool = True
    clock: datetime | None = None
    random: tuple[Number, ...] = ()
    internal: Mapping[str, InternalActionModel] = field(default_factory=dict)

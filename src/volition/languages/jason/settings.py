"""Settings of one agent: how its execution is modelled, and how code outside its program is
modelled. They are read by :mod:`volition.languages.jason.volition_file`."""

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
    "M_Bel": "the maximum number of beliefs",
    "M_Ev": "the maximum number of pending events",
    "M_Int": "the maximum number of intended means",
    "M_Act": "the maximum number of actions without a result",
    "M_Msg": "the maximum number of messages in a mailbox",
    "M_Num": "the largest number that may occur",
}
"""Map from the name of each bound to a description of what it limits. Bounds can be set for all
agents or for one."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "semantics": ("jason",),
    "cycle": ("exact", "parts", "whole"),
    "results": ("late", "after perception"),
    "percept_order": ("world", "any"),
    "time": ("free", "ordered"),
}
"""Map from each option with a fixed set of values to these values. The first value is the default.
"""


@dataclass(frozen=True)
class InternalActionModel:
    """Model of an internal action that is written in Java, as declared in the options file.

    The action succeeds with the solutions of its rules, in order. With ``is_choice`` it succeeds
    with one of them, chosen nondeterministically. On backtracking it then gives another one if
    ``is_repeated`` is True, otherwise none. Without rules it does nothing: it succeeds for all
    arguments.
    """

    name: str
    rules: tuple[BeliefRule, ...] = ()
    is_choice: bool = False
    is_repeated: bool = False


@dataclass(frozen=True)
class Settings:
    """Settings of one agent.

    - ``cycle``: ``parts`` divides the reasoning cycle into the transitions ``Perceive``,
      ``Deliberate`` and ``Act``; ``exact`` merges these stages where that is unobservable;
      ``whole`` always merges them.
    - ``results``: whether the result of an action may arrive before the agent has perceived the
      effect (``late``). With ``after perception``, the agent perceives before anything else
      changes.
    - ``percept_order``: whether new percepts become beliefs in the order of the world (``world``),
      or in any order (``any``).
    - ``time``: whether a running timer may end at any later moment (``free``), or time passes only
      when nothing else can happen (``ordered``).
    - ``events``, ``int_bels`` and ``tro``: options of the agent in the ``.mas2j`` file.
    - ``clock``: the time that ``.date`` and ``.time`` return. ``random``: the numbers that
      ``.random(X)`` may return. Without them, a program that uses these actions is rejected.
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

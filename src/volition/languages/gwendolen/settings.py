"""Parsing of the execution settings of a Gwendolen system, from a project file or from ``--set``."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, get_args

from volition.diagnostics import Diagnostics, Span
from volition.languages.common.settings import EnumSetting, IntegerSetting, SettingType, read_value
from volition.languages.gwendolen.options import GoalBase, Mailbox, Redraw, Scheduler, Settings
from volition.languages.gwendolen.syntax import Cycle

__all__ = ["OPTIONS", "with_option"]


def _one_of(literal: Any) -> EnumSetting[str]:
    return EnumSetting({each: each for each in get_args(literal)})


_KINDS: dict[str, SettingType[Any]] = {
    "cycle": _one_of(Cycle),
    "scheduler": _one_of(Scheduler),
    "turns": IntegerSetting(
        1, remark=": the number of steps of an agent before another one may move"
    ),
    "redraw": _one_of(Redraw),
    "longest_queue": IntegerSetting(1, remark=": the maximum number of intentions of an agent"),
    "store_sent": EnumSetting({"true": True, "false": False}),
    "does": EnumSetting({"step": "step", "last": "last"}),
    "mailbox": _one_of(Mailbox),
    "goal_base": _one_of(GoalBase),
}
OPTIONS = tuple(each.name for each in fields(Settings))
"""Names of all execution settings."""


def with_option(
    options: Settings, name: str, text: str, diagnostics: Diagnostics, span: Span | None = None
) -> Settings:
    """Return the settings with the option ``name`` set to the value ``text``.

    If the value is not allowed, report an error and return the settings unchanged.
    """
    value = read_value(
        "GWN070", f"the option '{name}' cannot be '{text}'", text, _KINDS[name], diagnostics, span
    )
    return options if value is None else replace(options, **{name: value})

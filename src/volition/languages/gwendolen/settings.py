"""The options of a system, as a project file and ``--set`` write them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, get_args

from volition.diagnostics import Diagnostics, Span
from volition.languages.common.settings import EnumSetting, IntegerSetting, SettingType, read_value
from volition.languages.gwendolen.options import GoalBase, Mailbox, Redraw, Scheduler, Settings
from volition.languages.gwendolen.syntax import Cycle

__all__ = ["OPTIONS", "with_option"]


def _one_of(words: Any) -> EnumSetting[str]:
    return EnumSetting({each: each for each in get_args(words)})


_KINDS: dict[str, SettingType[Any]] = {
    "cycle": _one_of(Cycle),
    "scheduler": _one_of(Scheduler),
    "turns": IntegerSetting(1, remark=": how often an agent goes on before another one may"),
    "redraw": _one_of(Redraw),
    "longest_queue": IntegerSetting(1, remark=": the most intentions that an agent may have"),
    "store_sent": EnumSetting({"true": True, "false": False}),
    "does": EnumSetting({"step": "step", "last": "last"}),
    "mailbox": _one_of(Mailbox),
    "goal_base": _one_of(GoalBase),
}
OPTIONS = tuple(each.name for each in fields(Settings))
"""What can be said about how a system is run."""


def with_option(
    options: Settings, name: str, text: str, diagnostics: Diagnostics, span: Span | None = None
) -> Settings:
    """The options with one of them changed; as they were, with an error, if it cannot have that
    value."""
    value = read_value(
        "GWN070", f"the option '{name}' cannot be '{text}'", text, _KINDS[name], diagnostics, span
    )
    return options if value is None else replace(options, **{name: value})

"""How the program ends: what the exit code tells the caller."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from volition.checking.check import Report

__all__ = ["Exit", "exit_code", "worst"]


class Exit(IntEnum):
    """The exit codes; scripts rely on them."""

    AS_EXPECTED = 0
    VIOLATED = 1
    BAD_INPUT = 2
    STOPPED = 3
    OUR_MISTAKE = 70
    INTERRUPTED = 130
    UNREAD = 141
    TERMINATED = 143


def exit_code(report: Report) -> Exit:
    """What the answers tell the caller; a violation is certain, so it counts more than an answer that is missing."""
    if any(
        answer.as_expected is False or (answer.question.expected is None and answer.verdict.holds is False) for answer in report.answers
    ):
        return Exit.VIOLATED
    if any(answer.verdict.unknown is not None for answer in report.answers):
        return Exit.STOPPED
    return Exit.AS_EXPECTED


def worst(codes: Iterable[Exit]) -> Exit:
    """The exit code for several reports: a violation counts more than an answer that is missing."""
    found = set(codes)
    return next((code for code in (Exit.VIOLATED, Exit.STOPPED) if code in found), Exit.AS_EXPECTED)

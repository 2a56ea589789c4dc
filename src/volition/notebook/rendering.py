"""Dispatch from classes to the functions that render their objects as HTML."""

from __future__ import annotations

from functools import singledispatch

from volition.notebook.markup import page, paragraph

__all__ = ["html", "rendered"]


@singledispatch
def rendered(shown: object) -> str:
    """Return an object as HTML without the style sheet, with the function registered for its class.
    The default is a paragraph with its ``repr``."""
    return paragraph(repr(shown))


def html(shown: object) -> str:
    """Return an object as a self-contained HTML fragment, with the style sheet."""
    return page(rendered(shown))

"""Dispatch from classes to the functions that render their objects as HTML."""

from __future__ import annotations

from functools import singledispatch

from volition.notebook.markup import page, paragraph

__all__ = ["html", "rendered"]


@singledispatch
def rendered(shown: object) -> str:
    """Return an object as HTML without the style sheet, using the function that is registered for
    its class. For other classes, return a paragraph with the object's ``repr``."""
    return paragraph(repr(shown))


def html(shown: object) -> str:
    """Return an object as a self-contained HTML fragment, with the style sheet."""
    return page(rendered(shown))

"""Dispatch from classes to the functions that render them."""

from __future__ import annotations

from functools import singledispatch

from volition.notebook.markup import page, paragraph

__all__ = ["html", "rendered"]


@singledispatch
def rendered(shown: object) -> str:
    """Return the inner HTML of an object, by its class; the default is its ``repr``."""
    return paragraph(repr(shown))


def html(shown: object) -> str:
    """Return an object as a self-contained HTML fragment."""
    return page(rendered(shown))

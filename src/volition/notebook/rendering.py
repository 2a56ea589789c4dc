"""Which function renders which kind of object."""

from __future__ import annotations

from functools import singledispatch

from volition.notebook.markup import page, paragraph

__all__ = ["html", "rendered"]


@singledispatch
def rendered(shown: object) -> str:
    """The inside of an object's HTML, by its class; what has no function of its own is its
    ``repr``."""
    return paragraph(repr(shown))


def html(shown: object) -> str:
    """An object as HTML that stands for itself."""
    return page(rendered(shown))

"""Objects as HTML for notebooks: no scripts, no resources from elsewhere, every text escaped,
readable on light and dark pages.

:func:`html` renders an object; each kind has its function in a module here, registered by its
    class.  The objects themselves know nothing of this: :class:`volition.display.Shown` finds this
    package by its name when a notebook asks.
"""

from volition.notebook import answers, programs, strategies, values  # noqa: F401
from volition.notebook.rendering import html

__all__ = ["html"]

"""HTML rendering of Volition's objects for notebooks: no scripts, no external resources, all texts
escaped, readable on light and dark pages.

:func:`html` renders an object. The modules of this package register a function for each class. The
classes themselves do not depend on this package: :class:`volition.display.HtmlDisplay` imports it
by name when a notebook requests HTML.
"""

from volition.notebook import answers, programs, strategies, values  # noqa: F401
from volition.notebook.rendering import html

__all__ = ["html"]

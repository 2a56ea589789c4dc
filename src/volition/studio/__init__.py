"""Studio: graphical interface in the browser.

All results come from calls of the library that a notebook could make as well
(:mod:`volition.studio.tasks`). The other modules are the server and its pages.
"""

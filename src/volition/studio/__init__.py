"""Studio: graphical interface of Volition in the browser.

All results come from calls of the library that a notebook could make as well
(:mod:`volition.studio.tasks`). The other modules are the web server and its pages.
"""

"""One call for every command: what the command line does, Python does by the functions here, which
:mod:`volition` offers by name.

The command line reads options, calls these, and prints; so does whoever imports the package.
Options have the names that they have on the command line, with ``_`` for ``-``.
"""

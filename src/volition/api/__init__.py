"""Python functions for all commands of the command line; :mod:`volition` re-exports them.

The command line parses options, calls these functions and prints the results. Parameters have the
names of the command line options, with ``_`` for ``-``.
"""

"""The studio: Volition in the browser, for people who would rather look than read.

Everything that it shows comes from calls of the library that a notebook could make as well
(:mod:`.bench`); the rest is pages.
"""

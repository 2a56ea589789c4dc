"""Slicing: the part of an agent program that matters to a property (Winikoff et al., Sect. 2.2 to
3.5).

``volition slice`` offers the paper's two methods as they are printed, which may change the verdict,
and one that does not.
"""

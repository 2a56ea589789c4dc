"""Slicing: reduces an agent program to the part that can influence a property (Winikoff et al.,
Sect. 2.2 to 3.5).

``volition slice`` offers the two methods of that paper as printed, which may change the verdict,
and a sound method, which does not.
"""

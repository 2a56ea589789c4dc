"""Slices of Gwendolen and EASS programs: the two methods of Winikoff et al., and a sound method,
which preserves the turns of the reasoning cycle."""

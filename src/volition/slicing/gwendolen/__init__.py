"""Slices of Gwendolen and EASS programs: the two methods of the paper, and the sound one, which
knows the turns of the reasoning cycle."""

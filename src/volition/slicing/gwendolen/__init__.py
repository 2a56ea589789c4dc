"""Slices of Gwendolen and EASS programs: the two methods of the paper, and the sound method, which
preserves the turns of the reasoning cycle."""

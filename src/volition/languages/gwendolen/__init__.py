"""Gwendolen and EASS (Winikoff et al.)."""

"""The reasoning cycle of a LISA agent in time: what comes in and when it is believed, what goes out
and what is still due."""

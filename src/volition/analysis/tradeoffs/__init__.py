"""Which values of several objectives can be had together, and what success of a mission costs."""

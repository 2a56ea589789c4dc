"""Run-time verification (Izzo, Sect. 4.5): an agent that queries its own verified model to choose
plans and to derive beliefs.

The model is explored once and every query is evaluated in every state (:mod:`.vectors`,
:mod:`.table`); a run only looks up the values. Izzo's method 2 chooses plans by these values
(:mod:`.criterion`, :mod:`.selector`), method 1 derives beliefs from them (:mod:`.derived_beliefs`).
"""

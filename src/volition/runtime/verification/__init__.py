"""Run-time verification (Izzo, Sect. 4.5): an agent that asks its own verified model before it
chooses a plan, and what to believe.

The model is explored once and every query gets its value in every state (:mod:`.vectors`,
:mod:`.table`); what a run then needs is looked up.  Method 2 chooses plans by these values
(:mod:`.criterion`, :mod:`.selection`), method 1 makes beliefs of them (:mod:`.generated`).
"""

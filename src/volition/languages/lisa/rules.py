"""The functions of the reasoning cycle of Izzo's thesis, Fig. 3.2, by the names that runs give them, and the causes of Table 4.1."""

from __future__ import annotations

from volition.languages.kit.rules import Rule

__all__ = ["RULES"]

RULES = (
    Rule("f_BU", "", "Fig. 3.2", "beliefs change: feedbacks come, percepts flip, counters count, mental notes are added and removed"),
    Rule("A+", "", "Table 4.1", "an action adds the mental note"),
    Rule("A-", "", "Table 4.1", "an action removes the mental note"),
    Rule("R+", "", "Table 4.1", "a rule adds the mental note"),
    Rule("R-", "", "Table 4.1", "a rule removes the mental note"),
    Rule("f_P", "", "Fig. 3.2", "plans are looked for, and none executes an action: nothing is triggered, and plans that run wait or end"),
    Rule("F_O", "", "Fig. 3.2", "a plan that is triggered is selected, and starts"),
    Rule("f_act", "", "Fig. 3.2", "a plan executes its next action"),
    Rule("withdraw", "", "Def. 2.2", "a plan is withdrawn by another one, and executes nothing more"),
)

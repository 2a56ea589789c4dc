"""The functions of the reasoning cycle of Izzo's thesis, Fig. 3.2, by the names that runs give
them, and the causes of Table 4.1."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["RULES"]

RULES = (
    SemanticRule(
        "f_BU",
        "",
        "Fig. 3.2",
        "beliefs change: feedbacks come, percepts flip, counters count, mental notes are added and "
        "removed",
    ),
    SemanticRule("A+", "", "Table 4.1", "an action adds the mental note"),
    SemanticRule("A-", "", "Table 4.1", "an action removes the mental note"),
    SemanticRule("R+", "", "Table 4.1", "a rule adds the mental note"),
    SemanticRule("R-", "", "Table 4.1", "a rule removes the mental note"),
    SemanticRule(
        "f_P",
        "",
        "Fig. 3.2",
        "plans are looked for, and none executes an action: nothing is triggered, and plans that "
        "run wait or end",
    ),
    SemanticRule("F_O", "", "Fig. 3.2", "a plan that is triggered is selected, and starts"),
    SemanticRule("f_act", "", "Fig. 3.2", "a plan executes its next action"),
    SemanticRule(
        "withdraw", "", "Def. 2.2", "a plan is withdrawn by another one, and executes nothing more"
    ),
)

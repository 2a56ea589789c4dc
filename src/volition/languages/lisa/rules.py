"""Names in reports of runs for the functions of the reasoning cycle (Izzo, Fig. 3.2), and for the
causes of changes of mental notes (Izzo, Table 4.1)."""

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
        "no plan executes an action: no plan is triggered, and running plans wait or end",
    ),
    SemanticRule("F_O", "", "Fig. 3.2", "a triggered plan is selected and starts"),
    SemanticRule("f_act", "", "Fig. 3.2", "a plan executes its next action"),
    SemanticRule(
        "withdraw",
        "",
        "Def. 2.2",
        "another plan withdraws the plan, which executes no further action",
    ),
)

"""The stages of the reasoning cycle and what happens in them, by the names that runs give them;
``docs/reference/gwendolen.md`` has this table."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["ENVIRONMENT_MOVES", "RULES"]

_PAPER = "Sect. 2.1"


def _rule(name: str, words: str, printed: str | None = None) -> SemanticRule:
    return SemanticRule(name, "", printed or f"stage {name[0]}", words)


ENVIRONMENT_MOVES = SemanticRule(
    "Environment",
    "",
    "worlds",
    "the world makes a step by itself, which is named behind it, when it is its turn",
)

RULES = (
    _rule(
        "E:perceive",
        "a percept has come or gone: Gwendolen intends to believe it, EASS believes it at once and "
        "has an event",
    ),
    _rule("F:messages", "each message in the mail becomes an event"),
    _rule(
        "A:select",
        "takes the next intention that can run: round and round in Gwendolen, those with an action "
        "last in EASS",
    ),
    _rule("A:locked", "keeps the current intention, which is locked"),
    _rule("A:sleep", "nothing can run: the agent sleeps until a percept or a message wakes it"),
    _rule(
        "A:nothing", "nothing can run, but percepts may change at any time: the agent stays awake"
    ),
    _rule("B:continue", "the intention has something to do already, and no plan is looked for"),
    _rule("B:problem", "no plan for the goal `+!g`: the event `-!g` is put on top of it"),
    _rule("B:unplanned", "no plan for `-!g` either: the intention stays as it is"),
    _rule("B:ignore", "no plan for the belief or message: its intention vanishes"),
    _rule(
        "C:apply", "the first plan whose guard is true: one row for each deed of its body", _PAPER
    ),
    _rule(
        "C:empty", "the first plan whose guard is true has no body: the event is done with", _PAPER
    ),
    _rule("D:add_belief", "`+b`: believes b; an event, if b could not be derived before", _PAPER),
    _rule(
        "D:remove_belief",
        "`-b`: believes nothing that unifies with b any more; an event for each belief that went",
        _PAPER,
    ),
    _rule(
        "D:add_achieve_goal",
        "`+!g [achieve]`: sets out to achieve g, and comes back to the deed afterwards",
        _PAPER,
    ),
    _rule("D:goal_achieved", "`+!g [achieve]`: g is believed, so there is nothing to do", _PAPER),
    _rule(
        "D:goal_pursued",
        "`+!g [achieve]`: g is pursued already; the intention goes on as if it were achieved",
    ),
    _rule("D:add_perform_goal", "`+!g [perform]`: sets out to perform g, once"),
    _rule("D:nothing", "what is left of `+!g [perform]` when g was performed"),
    _rule("D:drop_goal", "`-!g`: the goal and all that was done for it are taken away"),
    _rule("D:unplanned", "the event on top has no plan, so that nothing is done"),
    _rule("D:lock", "`+.lock`: this intention is selected every time from now on"),
    _rule("D:unlock", "`-.lock`: it takes turns with the others again"),
    _rule("D:wait", "`*b`: it is not so, and the intention is suspended", _PAPER),
    _rule("D:wait_over", "`*b`: it is so, and the intention goes on", _PAPER),
    _rule("D:send", "`.send`: the message is in the mail of its recipient, and in the outbox"),
    _rule("D:act", "an action is done in the world, which may answer", _PAPER),
    _rule(
        "D:action_fails",
        "the world cannot do the action: the goal that it is for has the problem `-!g`",
        _PAPER,
    ),
    ENVIRONMENT_MOVES,
)

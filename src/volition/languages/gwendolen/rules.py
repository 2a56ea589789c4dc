"""Rules of the reasoning cycle of Gwendolen and EASS, with the names under which they appear in
runs. ``docs/reference/gwendolen.md`` prints them as a table."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["ENVIRONMENT_MOVES", "RULES"]

_PAPER = "Sect. 2.1"


def _rule(name: str, description: str, reference: str | None = None) -> SemanticRule:
    return SemanticRule(name, "", reference or f"stage {name[0]}", description)


ENVIRONMENT_MOVES = SemanticRule(
    "Environment",
    "",
    "worlds",
    "the world makes a spontaneous step, whose name follows the rule",
)

RULES = (
    _rule(
        "E:perceive",
        "a percept has appeared or disappeared: Gwendolen adds an intention to change the belief; "
        "EASS changes it at once and posts an event",
    ),
    _rule("F:messages", "each message in the inbox becomes an event"),
    _rule(
        "A:select",
        "selects the next runnable intention: round robin in Gwendolen; in EASS, intentions whose "
        "next deed is an action come last",
    ),
    _rule("A:locked", "keeps the current intention, which is locked"),
    _rule(
        "A:sleep",
        "no intention is runnable: the agent sleeps until a percept changes or a message arrives",
    ),
    _rule(
        "A:nothing",
        "no intention is runnable, but percepts may change at any time: the agent stays awake",
    ),
    _rule("B:continue", "the top row already has a deed, so no plan is selected"),
    _rule("B:problem", "no plan for the goal `+!g`: the event `-!g` is pushed on top"),
    _rule("B:unplanned", "no plan for `-!g` either: the intention does not change"),
    _rule("B:ignore", "no plan for the belief or message: its intention is removed"),
    _rule(
        "C:apply",
        "applies the first plan whose guard is true: one row per deed of its body",
        _PAPER,
    ),
    _rule(
        "C:empty", "the first plan whose guard is true has no body: the event is removed", _PAPER
    ),
    _rule(
        "D:add_belief",
        "`+b`: adds the belief b; posts an event if b was not derivable before",
        _PAPER,
    ),
    _rule(
        "D:remove_belief",
        "`-b`: removes all beliefs that unify with b; posts an event for each of them",
        _PAPER,
    ),
    _rule(
        "D:add_achieve_goal",
        "`+!g [achieve]`: posts the goal g; the deed is executed again afterwards",
        _PAPER,
    ),
    _rule(
        "D:goal_achieved", "`+!g [achieve]`: g is already believed, so nothing is posted", _PAPER
    ),
    _rule(
        "D:goal_pursued",
        "`+!g [achieve]`: g is already pursued; the intention continues as if it were achieved",
    ),
    _rule("D:add_perform_goal", "`+!g [perform]`: posts the goal g once"),
    _rule("D:nothing", "removes the placeholder of `+!g [perform]` after g has been performed"),
    _rule("D:drop_goal", "`-!g`: removes the goal, its rows and all rows above them"),
    _rule("D:unplanned", "the event on top has no plan, so nothing is done"),
    _rule("D:lock", "`+.lock`: from now on stage A selects this intention"),
    _rule("D:unlock", "`-.lock`: stage A selects other intentions again"),
    _rule("D:wait", "`*b`: the condition does not hold, and the intention is suspended", _PAPER),
    _rule("D:wait_over", "`*b`: the condition holds, and the intention continues", _PAPER),
    _rule("D:send", "`.send`: puts the message into the recipient's inbox and into the outbox"),
    _rule("D:act", "executes an action in the world, which may bind its variables", _PAPER),
    _rule(
        "D:action_fails",
        "the action fails in the world: the event `-!g` is posted for its goal",
        _PAPER,
    ),
    ENVIRONMENT_MOVES,
)

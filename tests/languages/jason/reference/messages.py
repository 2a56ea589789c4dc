"""The plans that every agent has for messages, and what is done with one without them."""

from __future__ import annotations

from functools import cache

from volition.diagnostics import Diagnostics, Source
from volition.languages.jason.parsing.statements import read_agent
from volition.languages.jason.syntax import Plan

__all__ = ["RECEIVED", "default_plans"]

RECEIVED = "kqml_received"

_PLANS = """
@received_tell[atomic] +!kqml_received(S, tell, C, _) : .literal(C) & .ground(C) & not .list(C) & .add_nested_source(C, S, B) <- ++B.
@received_list +!kqml_received(S, tell, C, _) : .list(C) <- !believe_each_received(S, C).
@received_none +!believe_each_received(_, []).
@received_next +!believe_each_received(S, [H|T]) : .literal(H) & .ground(H)
   <- .add_nested_source(H, S, B); ++B; !believe_each_received(S, T).
@received_skip +!believe_each_received(S, [_|T]) <- !believe_each_received(S, T).
@received_untell[atomic] +!kqml_received(S, untell, C, _) : .add_nested_source(C, S, B) <- --B.
@received_achieve +!kqml_received(S, achieve, C, _) : not .list(C) & .add_nested_source(C, S, G) <- !!G.
@received_goals +!kqml_received(S, achieve, C, _) : .list(C) <- !pursue_each_received(S, C).
@received_no_goals +!pursue_each_received(_, []).
@received_next_goal +!pursue_each_received(S, [H|T]) <- .add_nested_source(H, S, G); !!G; !pursue_each_received(S, T).
@received_unachieve[atomic] +!kqml_received(_, unachieve, C, _) <- .drop_desire(C).
@received_ask +!kqml_received(S, askOne, C, M) : .believed(C, A) <- .send(S, tell, A, M).
@received_test +!kqml_received(S, askOne, C, M)
   <- .add_nested_source(C, S, Q); ?Q; .remove_source_annot(Q, A); .send(S, tell, A, M).
@received_no_answer -!kqml_received(S, askOne, C, M)[error(test_goal_failed)] <- .send(S, untell, C, M).
@received_ask_all +!kqml_received(S, askAll, C, M) <- .findall(A, .believed(C, A), L); .send(S, tell, L, M).
@received_signal +!kqml_received(S, signal, C, _) : not .list(C) & .add_nested_source(C, S, B) <- .signal(B).
@received_error -!kqml_received(_, _, _, _)[error(_)] <- .print("communication error").
"""  # noqa: E501


@cache
def default_plans() -> tuple[Plan, ...]:
    diagnostics = Diagnostics()
    plans = read_agent(Source("default plans", _PLANS), diagnostics).plans
    diagnostics.raise_errors()
    return plans

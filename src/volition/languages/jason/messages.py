"""Processing of received messages (rule ``mail`` of the reasoning cycle), and Jason's default plans
for messages.

Messages ``tell``, ``achieve`` and ``signal`` with a literal as content take effect without a plan.
All other messages become an event of the goal ``+!kqml_received(Sender, Performative, Content,
Id)``. If the program has its own plan for that goal, all messages become such events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from volition.diagnostics import Diagnostics, Source
from volition.languages.jason import beliefs as base
from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.events import post
from volition.languages.jason.intentions import goal_for_event
from volition.languages.jason.library.annotations import from_sender
from volition.languages.jason.loops import revise
from volition.languages.jason.parsing.statements import read_agent
from volition.languages.jason.state import Event, Message
from volition.languages.jason.substitution import join_annotations
from volition.languages.jason.syntax import Plan
from volition.languages.jason.terms import ANY_NAMESPACE, FALSE, List, Literal, Term, Variable, atom
from volition.languages.jason.timing import resume_ask
from volition.languages.jason.traversal import map_tree

__all__ = ["default_plans", "mail", "message_number"]


def mail(mind: AgentState) -> None:
    """Process the first message of the agent's mailbox, if there is one."""
    mind.had_mail = bool(mind.mail)
    if not mind.had_mail:
        return
    message, mind.mail = mind.mail[0], mind.mail[1:]
    if message.reply:
        _take_answer(mind, message)
        return
    sender = "self" if message.sender == mind.agent.name else message.sender
    content = message.content
    if (
        isinstance(content, Literal)
        and not mind.agent.library.handles_messages
        and message.performative in _IMMEDIATE
    ):
        reported = from_sender(content, sender)
        mind.record("mail", f"gets {message}{_IMMEDIATE[message.performative](mind, reported)}")
        return
    number = atom(f"mid{message.ask}")
    received = Literal("kqml_received", (atom(sender), atom(message.performative), content, number))
    post(mind, Event("+", "achieve", goal_for_event(received)[0]))
    mind.record("mail", f"gets {message}")


def _tell(mind: AgentState, literal: Literal) -> str:
    mind.check_term_size(literal)
    beliefs, event = base.add(mind.beliefs, literal)
    revise(mind, beliefs)
    mind.check_bound("M_Bel", len(mind.beliefs), "beliefs")
    if event is None:
        return ", which changes nothing"
    post(mind, Event("+", "belief", event))
    return ""


def _achieve(mind: AgentState, literal: Literal) -> str:
    post(mind, Event("+", "achieve", goal_for_event(literal)[0]))
    return ""


def _signal(mind: AgentState, literal: Literal) -> str:
    post(mind, Event("+", "belief", join_annotations(literal, [atom("signal")])))
    return ""


_IMMEDIATE: Mapping[str, Callable[[AgentState, Literal], str]] = {
    "tell": _tell,
    "achieve": _achieve,
    "signal": _signal,
}


# --- answers to questions -------------------------------------------------------------------------


def _take_answer(mind: AgentState, message: Message) -> None:
    """Process a message that answers a question of the agent. If the intention that asked no longer
    waits for the answer, the message is ignored."""
    waiting = next((each for each in mind.waiting if each.number == message.reply), None)
    if waiting is None:
        mind.record("mail", f"ignores {message}, because no intention waits for it")
        return
    mind.stop_waiting(waiting)
    missing = waiting.missing - 1
    if waiting.intention is None:
        if missing:
            mind.wait(waiting._replace(missing=missing))
        mind.record("mail", f"ignores {message}, which comes too late")
        return
    answers = (*waiting.answers, _answer(message))
    if missing:
        mind.wait(waiting._replace(missing=missing, answers=answers))
        mind.record("mail", f"gets {message}, one of the answers it waits for")
        return
    resume_ask(mind, waiting.intention, List(answers) if waiting.asks_many else answers[0], "mail")


def _answer(message: Message) -> Term:
    """Return the content of a message that answers a question: ``false`` for a refusal. Literals
    get the sender as their source."""
    content = message.content
    if message.performative == "untell":
        return FALSE
    if isinstance(content, Literal):
        return from_sender(content, message.sender)
    if isinstance(content, List):
        return List(
            tuple(
                from_sender(each, message.sender) if isinstance(each, Literal) else each
                for each in content.items
            )
        )
    return content


def message_number(term: Term) -> int | None:
    """Return the number of the question that a message identifier such as ``mid3`` denotes, or None
    if the term is not a message identifier."""
    match term:
        case Literal(functor, ()) if functor.startswith("mid") and functor[3:].isdigit():
            return int(functor[3:])
        case _:
            pass
    return None


# --- default plans for messages -------------------------------------------------------------------

_DEFAULTS = """
@tell[atomic]
+!kqml_received(Sender, tell, Content, _)
   :  .literal(Content) & .ground(Content) & not .list(Content) & .add_nested_source(Content, Sender, Told)
   <- ++Told.
@tell_list
+!kqml_received(Sender, tell, Content, _) : .list(Content) <- !believe_each_received(Sender, Content).
@tell_none
+!believe_each_received(_, []).
@tell_next
+!believe_each_received(Sender, [First|Rest]) : .literal(First) & .ground(First)
   <- .add_nested_source(First, Sender, Told); ++Told; !believe_each_received(Sender, Rest).
@tell_skip
+!believe_each_received(Sender, [_|Rest]) <- !believe_each_received(Sender, Rest).
@untell[atomic]
+!kqml_received(Sender, untell, Content, _) : .add_nested_source(Content, Sender, Told) <- --Told.

@achieve
+!kqml_received(Sender, achieve, Content, _) : not .list(Content) & .add_nested_source(Content, Sender, Told) <- !!Told.
@achieve_list
+!kqml_received(Sender, achieve, Content, _) : .list(Content) <- !pursue_each_received(Sender, Content).
@achieve_none
+!pursue_each_received(_, []).
@achieve_next
+!pursue_each_received(Sender, [First|Rest]) <- .add_nested_source(First, Sender, Told); !!Told; !pursue_each_received(Sender, Rest).
@unachieve[atomic]
+!kqml_received(_, unachieve, Content, _) <- .drop_desire(Content).

@ask_one_believed
+!kqml_received(Sender, askOne, Content, Id) : .answer(Content, Answer) <- .send(Sender, tell, Answer, Id).
@ask_one_planned
+!kqml_received(Sender, askOne, Content, Id)
   <- .add_nested_source(Content, Sender, Asked); ?Asked; .remove_source_annot(Asked, Answer); .send(Sender, tell, Answer, Id).
@ask_one_refused
-!kqml_received(Sender, askOne, Content, Id)[error(test_goal_failed)] <- .send(Sender, untell, Content, Id).
@ask_all
+!kqml_received(Sender, askAll, Content, Id) <- .findall(Answer, .answer(Content, Answer), Answers); .send(Sender, tell, Answers, Id).

@signal
+!kqml_received(Sender, signal, Content, _) : not .list(Content) & .add_nested_source(Content, Sender, Told) <- .signal(Told).

@not_understood
-!kqml_received(_, _, _, _)[error(Id), error_msg(Text)] <- .print("cannot handle a message: ", Id, " (", Text, ")").
"""  # noqa: E501


@cache
def default_plans() -> Sequence[Plan]:
    """Return Jason's default plans for messages, except those for messages that contain plans
    (``tellHow``, ``askHow`` and so on)."""
    diagnostics = Diagnostics()
    plans = read_agent(Source("the plans for messages", _DEFAULTS), diagnostics).plans
    diagnostics.raise_errors()
    return map_tree(
        plans,
        lambda node: replace(node, namespace=ANY_NAMESPACE) if isinstance(node, Variable) else node,
    )

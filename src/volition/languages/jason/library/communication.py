"""Internal actions that send messages, and those of the directory facilitator (``.df_register``,
``.df_search``, ..), where agents offer services."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.events import post
from volition.languages.jason.goal_state_events import top_goal_state_changed
from volition.languages.jason.intentions import canonical_variables
from volition.languages.jason.library.timing import duration
from volition.languages.jason.messages import message_number
from volition.languages.jason.queries import ActionError
from volition.languages.jason.state import DIRECTORY_FACILITATOR, Event, Message, WaitingEntry
from volition.languages.jason.step_execution import StatefulAction, StepContext, StepResult
from volition.languages.jason.substitution import join_annotations
from volition.languages.jason.terms import List, Literal, Term, Text, atom
from volition.languages.jason.unification import unify

__all__ = ["STATEFUL_ACTIONS"]

_ASKS = ("askOne", "askAll", "askHow")
DIRECTORY = "df"
"""Name of the sender of messages from the directory facilitator to its subscribers."""


def send(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.send(Receiver, Performative, Content[, Answer[, Timeout]])``: put a message into
    the mailbox of the receiver, or of each receiver in a list.

    For ``askOne`` and ``askAll``, the intention waits for the answer, which is unified with the
    fourth argument. For other performatives, the fourth argument is the number of the message that
    this message replies to.
    """
    to, force, content, *further = [run.value(each) for each in arguments]
    many = isinstance(to, List)
    performative, mind = _name(force), run.mind
    names = [_name(each) for each in (to.items if isinstance(to, List) else (to,))]
    receivers = [mind.agent.name if each == "self" else each for each in names]
    waits = performative in _ASKS and bool(further)
    number = _free_number(mind) if waits else 0
    reply = (message_number(further[0]) or 0) if further and not waits else 0
    for name in receivers:
        if name not in mind.agent.agents:
            return run.failed(
                f"cannot send to {name}: there is no such agent",
                "receiver_not_found",
                f"Receiver '{name}' does not exist",
            )
        mind.send(
            name,
            Message(mind.agent.name, performative, canonical_variables(content), number, reply),
        )
    text = f"sends {', '.join(receivers)}: {performative} {content}"
    if not waits:
        return run.done(text)
    top_goal_state_changed(mind, run.intention, "waiting")
    limit = duration(mind, further[1]) if len(further) > 1 else None
    mind.wait(
        WaitingEntry(
            "ask", run.intention, limit, number=number, missing=len(receivers), asks_many=many
        )
    )
    return run.detached(f"{text}, and waits for an answer")


def _free_number(mind: AgentState) -> int:
    """Return an identifying number for a new question (``askOne`` or ``askAll``) that differs from
    those of the agent's unanswered questions."""
    used = {each.number for each in (*mind.waiting, *mind.due)}
    return next(number for number in range(1, len(used) + 2) if number not in used)


def _name(term: Term) -> str:
    match term:
        case Literal(functor, ()):
            return functor
        case Text(value):
            return value
        case _:
            pass
    raise ActionError(f"{term} is not a name")


def broadcast(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.broadcast(Performative, Content)``: send a message to all other agents."""
    performative, content = _name(run.value(arguments[0])), run.value(arguments[1])
    for name in run.mind.agent.agents:
        if name != run.mind.agent.name:
            run.mind.send(
                name, Message(run.mind.agent.name, performative, canonical_variables(content))
            )
    return run.done(f"broadcasts {performative} {content}")


def signal(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.signal(Literal)``: post the external event ``+Literal`` without adding a belief.
    The default plan for messages with the performative ``signal`` uses it."""
    literal = run.value(arguments[0])
    if not isinstance(literal, Literal):
        raise ActionError(f"{literal} is not a literal")
    post(run.mind, Event("+", "belief", join_annotations(literal, [atom("signal")])))
    return run.done(f"receives the signal {literal}")


# --- directory facilitator ------------------------------------------------------------------------

Row = tuple[str, str, str]
"""Registration (``provides``) or subscription (``wants``) at the directory facilitator: this word,
the name of the agent, and the service."""


def register(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.df_register(S)``: register the agent as a provider of the service S. The
    subscribers of S are notified even if the agent was registered already."""
    service = _service(arguments, run)
    mind = run.mind
    rows = _rows(mind)
    row = ("provides", mind.agent.name, service)
    if row not in rows:
        mind.write(DIRECTORY_FACILITATOR, tuple(sorted((*rows, row))))
    for kind, agent, requested in rows:
        if (kind, requested) == ("wants", service):
            mind.send(agent, _provider(mind.agent.name, service))
    return run.done(f"offers the service {service}")


def deregister(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.df_deregister(S)``: remove the agent from the providers of the service S."""
    service = _service(arguments, run)
    mind = run.mind
    rows = _rows(mind)
    mind.write(
        DIRECTORY_FACILITATOR,
        tuple(each for each in rows if each != ("provides", mind.agent.name, service)),
    )
    return run.done(f"no longer offers the service {service}")


def subscribe(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.df_subscribe(S)``: notify the agent of each current and each later provider of the
    service S."""
    service = _service(arguments, run)
    mind = run.mind
    rows = _rows(mind)
    mind.write(DIRECTORY_FACILITATOR, tuple(sorted({*rows, ("wants", mind.agent.name, service)})))
    for agent in _providers(mind, service):
        mind.send(mind.agent.name, _provider(agent, service))
    return run.done(f"subscribes to the service {service}")


def search(arguments: tuple[Term, ...], run: StepContext) -> Sequence[StepResult]:
    """Execute ``.df_search(S, L)``: L is the list of the providers of the service S, in the order
    of the agents' declarations."""
    service = _service(arguments, run)
    found = List(tuple(atom(agent) for agent in _providers(run.mind, service)))
    bindings = unify(arguments[-1], found, run.bindings)
    text = f"finds {found} for the service {service}"
    return run.failed(text, "ia_failed") if bindings is None else run.done(text, bindings)


def _rows(mind: AgentState) -> tuple[Row, ...]:
    mind.accesses_shared_state = True
    rows: tuple[Row, ...] = mind.read(DIRECTORY_FACILITATOR)
    return rows


def _providers(mind: AgentState, service: str) -> Iterator[str]:
    rows = _rows(mind)
    return (agent for agent in mind.agent.agents if ("provides", agent, service) in rows)


def _service(arguments: tuple[Term, ...], run: StepContext) -> str:
    service = run.value(arguments[0])
    return service.value if isinstance(service, Text) else str(service)


def _provider(agent: str, service: str) -> Message:
    return Message(DIRECTORY, "tell", Literal("provider", (atom(agent), Text(service))))


STATEFUL_ACTIONS: Mapping[str, StatefulAction] = {
    ".broadcast": broadcast,
    ".df_deregister": deregister,
    ".df_register": register,
    ".df_search": search,
    ".df_subscribe": subscribe,
    ".send": send,
    ".signal": signal,
}

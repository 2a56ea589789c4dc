"""Promela code for the selection functions ``SelectEvent`` and ``SelectIntention``: which message
of a channel is received (Bordini et al., Sect. 4.1)."""

from __future__ import annotations

from collections.abc import Sequence

from volition.exporters.promela.matching import Lines, option, when
from volition.languages.agentspeak.settings import SelectionFunction

__all__ = ["enqueue", "put_back", "take"]


def take(
    channel: str, received: Sequence[str], selection: SelectionFunction, ranks: Sequence[str]
) -> Lines:
    """Return Promela code that receives the message that the selection function selects. The other
    messages keep their order.

    The position of the selected message in the channel is computed in ``_pos``, depending on the
    policy:

    - ``fifo`` and ``round-robin`` receive the first message, without ``_pos``.
    - ``lifo`` receives the last message.
    - ``priority`` receives the first message with the best rank. ``ranks`` are conditions on the
      fields ``_r0``, ``_r1``, ... of a message, the most important one first.
    - ``nondeterministic`` uses the value that an earlier choice has stored in ``_pos``. Later code
      prints and resets it.

    Except for ``nondeterministic``, this code resets ``_pos`` to 0, so that it does not distinguish
    states.
    """
    receive = f"{channel}?{','.join(received)};"
    if selection.policy in ("fifo", "round-robin"):
        return [receive]
    spare = ",".join(f"_r{number}" for number in range(len(received)))
    turn = f"{channel}?{spare}; {channel}!{spare};"
    choose = {
        "lifo": [f"_pos = len({channel}) - 1;"],
        "nondeterministic": [],
        "priority": _most_important(channel, turn, ranks),
    }
    return [
        *choose[selection.policy],
        *_repeat("_pos", turn),
        receive,
        *_repeat(f"len({channel}) - _pos", turn),
        *([] if selection.policy == "nondeterministic" else ["_pos = 0;"]),
    ]


def _most_important(channel: str, turn: str, ranks: Sequence[str]) -> Lines:
    """Return Promela code that computes the position (``_pos``) of the first message with the
    smallest rank. The rank of a message is the index of the condition in ``ranks`` that it
    satisfies."""
    rank = [
        line
        for number, condition in enumerate(ranks)
        for line in option(condition, [f"_rank = {number}"])
    ]
    look = [
        turn,
        "if",
        *rank,
        f":: else -> _rank = {len(ranks)}",
        "fi;",
        *when("(_rank < _best)", ["_best = _rank;", "_pos = _k1"]),
        "_k1++",
    ]
    return [
        f"_best = {len(ranks) + 1}; _k1 = 0;",
        "do",
        *option(f"(_k1 < len({channel}))", look),
        ":: else -> break",
        "od;",
    ]


def _repeat(times: str, what: str) -> Lines:
    return [f"_k1 = {times};", "do", f":: (_k1 > 0) -> _k1--; {what}", ":: else -> break", "od;"]


def enqueue(me: int, selection: SelectionFunction, index: str) -> Lines:
    """Return Promela code that adds an intention to channel i: at the end, or in sorted order if
    the selection is nondeterministic."""
    return [f"_i[{me}]{'!!' if selection.policy == 'nondeterministic' else '!'}{index};"]


def put_back(me: int, selection: SelectionFunction, index: str) -> Lines:
    """Return Promela code that puts an intention back into channel i after it has run. Under
    ``fifo`` it becomes the first again, until it ends or waits."""
    if selection.policy != "fifo":
        return enqueue(me, selection, index)
    return [
        *enqueue(me, selection, index),
        *_repeat(f"len(_i[{me}]) - 1", f"_i[{me}]?_r0; _i[{me}]!_r0;"),
    ]

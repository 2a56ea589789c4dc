"""Translation from LTL to generalised Büchi automata.

This is the construction of Gastin and Oddoux, "Fast LTL to Büchi automata translation" (CAV 2001).
The formula is a very weak alternating automaton whose states are its subformulas. A state of the
generalised Büchi automaton is a set of subformulas that the rest of the run must satisfy. Each
until has one mark, which is on every edge that does not postpone the until. During the
construction, edges that are subsumed by another edge are removed, and bisimilar states are merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from volition.logic.automata.automaton import Automaton, AutomatonEdge, Cube
from volition.logic.automata.obligations import Obligations
from volition.logic.syntax import Formula

__all__ = ["translate"]

Pending = frozenset[int]
"""Set of obligations, by number, that must all hold from the next state on."""


def translate(path: Formula, *, negated: bool = False) -> Automaton:
    """Return an automaton that accepts exactly the runs on which the path formula holds, or does
    not hold if ``negated``.

    Its propositions are the maximal state formulas in the path formula, including ``A [..]`` and
    ``E [..]``.
    """
    obligations = Obligations()
    return _LtlTranslation(obligations, obligations.intern(path, negated=negated)).automaton()


@dataclass(frozen=True, slots=True)
class _TableauMove:
    """One way to meet an obligation, or a set of obligations, in the current state: ``guard`` must
    hold in this state, and ``pending`` from the next state on."""

    guard: Cube
    pending: Pending

    def subsumes(self, other: _TableauMove) -> bool:
        """Return whether this move is possible whenever ``other`` is, and leaves no obligations
        that ``other`` does not leave."""
        return other.guard.implies(self.guard) and self.pending <= other.pending


_DONE = _TableauMove(Cube(), frozenset())


class _LtlTranslation:
    def __init__(self, obligations: Obligations, start: int) -> None:
        self._obligations = obligations
        self._start = start
        self._moves_of: dict[int, tuple[_TableauMove, ...]] = {}

    def automaton(self) -> Automaton:
        initial = self._alternatives(self._start)
        numbers = {pending: index for index, pending in enumerate(dict.fromkeys(initial))}
        queue = list(numbers)
        outgoing: list[tuple[_TableauMove, ...]] = []
        for pending in queue:
            moves = self._joint_moves(pending)
            outgoing.append(moves)
            for move in moves:
                if move.pending not in numbers:
                    numbers[move.pending] = len(numbers)
                    queue.append(move.pending)
        promises = self._promises(queue)
        edges = [
            _drop_subsumed(
                [
                    (
                        AutomatonEdge(
                            move.guard, numbers[move.pending], self._marks(move, promises)
                        ),
                        move.pending,
                    )
                    for move in moves
                ]
            )
            for moves in outgoing
        ]
        automaton = Automaton(
            tuple(self._obligations.propositions),
            tuple(range(len(set(initial)))),
            tuple(edges),
            inf_marks=(1 << len(promises)) - 1,
        )
        return _simplify_marks(_merge_bisimilar(automaton))

    # --- the alternating automaton ----------------------------------------------------------------

    def _moves(self, number: int) -> tuple[_TableauMove, ...]:
        """Return the alternative moves that meet one obligation in the current state."""
        if number not in self._moves_of:
            self._moves_of[number] = self._find_moves(number)
        return self._moves_of[number]

    def _find_moves(self, number: int) -> tuple[_TableauMove, ...]:
        this = self._obligations[number]
        again = (_TableauMove(Cube(), frozenset({number})),)
        match this.operator:
            case "true":
                return (_DONE,)
            case "false":
                return ()
            case "is":
                return (_TableauMove(Cube(positive=1 << this.left), frozenset()),)
            case "is not":
                return (_TableauMove(Cube(negative=1 << this.left), frozenset()),)
            case "X":
                return tuple(
                    _TableauMove(Cube(), pending) for pending in self._alternatives(this.left)
                )
            case "and":
                return _minimal(self._both(self._moves(this.left), self._moves(this.right)))
            case "or":
                return _minimal((*self._moves(this.left), *self._moves(this.right)))
            case "U":
                return _minimal(
                    (*self._moves(this.right), *self._both(self._moves(this.left), again))
                )
            case "R":
                return _minimal(
                    self._both(self._moves(this.right), (*self._moves(this.left), *again))
                )
            case _:
                assert_never(this.operator)

    def _both(
        self, first: Iterable[_TableauMove], second: Sequence[_TableauMove]
    ) -> tuple[_TableauMove, ...]:
        joined = (
            _TableauMove(a.guard & b.guard, self._reduced(a.pending | b.pending))
            for a in first
            for b in second
        )
        return tuple(dict.fromkeys(move for move in joined if move.guard.consistent))

    def _alternatives(self, number: int) -> tuple[Pending, ...]:
        """Return the disjunctive normal form of an obligation: sets of obligations whose operator
        is neither ``and`` nor ``or``."""
        this = self._obligations[number]
        if this.operator == "or":
            return (*self._alternatives(this.left), *self._alternatives(this.right))
        if this.operator == "and":
            return tuple(
                self._reduced(a | b)
                for a in self._alternatives(this.left)
                for b in self._alternatives(this.right)
            )
        if this.operator == "true":
            return (frozenset(),)
        if this.operator == "false":
            return ()
        return (frozenset({number}),)

    def _reduced(self, pending: Pending) -> Pending:
        """Return the set without the obligations that follow from others in it.

        Obligations that contain an until are kept, even if they follow from others. For example,
        ``F a`` follows from ``G F a``. But only the mark of the until in ``F a`` ensures that ``a``
        is not postponed forever, so ``F a`` must stay in the set.
        """
        kept = sorted(pending)
        for number in sorted(pending, reverse=True):
            if not self._obligations.promises(number) and any(
                other != number and self._obligations.implies(other, number) for other in kept
            ):
                kept.remove(number)
        return frozenset(kept)

    # --- the generalised Büchi automaton ----------------------------------------------------------

    def _joint_moves(self, pending: Pending) -> tuple[_TableauMove, ...]:
        """Return all consistent combinations of moves for a set of obligations, one move for each.
        Subsumed moves are not removed yet, because that depends on their marks."""
        moves: tuple[_TableauMove, ...] = (_DONE,)
        for number in sorted(pending):
            moves = self._both(moves, self._moves(number))
        return moves

    def _promises(self, states: Iterable[Pending]) -> list[int]:
        """Return, by number, the untils that occur in a state of the automaton and can therefore be
        postponed."""
        waiting = {number for pending in states for number in pending}
        return sorted(number for number in waiting if self._obligations[number].operator == "U")

    def _marks(self, move: _TableauMove, promises: list[int]) -> int:
        return sum(
            1 << index for index, until in enumerate(promises) if not self._postpones(move, until)
        )

    def _postpones(self, move: _TableauMove, until: int) -> bool:
        return until in move.pending and not any(
            until not in alternative.pending and alternative.subsumes(move)
            for alternative in self._moves(until)
        )


def _minimal(moves: Iterable[_TableauMove]) -> tuple[_TableauMove, ...]:
    """Return the moves that no other move subsumes."""
    kept: list[_TableauMove] = []
    for move in moves:
        if not any(other.subsumes(move) for other in kept):
            kept = [other for other in kept if not move.subsumes(other)]
            kept.append(move)
    return tuple(kept)


def _drop_subsumed(edges: list[tuple[AutomatonEdge, Pending]]) -> tuple[AutomatonEdge, ...]:
    """Return the edges of a state without those that are subsumed by another edge with at least the
    same marks."""
    kept: list[tuple[AutomatonEdge, Pending]] = []

    def covers(a: tuple[AutomatonEdge, Pending], b: tuple[AutomatonEdge, Pending]) -> bool:
        return b[0].guard.implies(a[0].guard) and a[1] <= b[1] and b[0].marks & ~a[0].marks == 0

    for edge in edges:
        if not any(covers(other, edge) for other in kept):
            kept = [other for other in kept if not covers(edge, other)]
            kept.append(edge)
    return tuple(edge for edge, _ in kept)


def _merge_bisimilar(automaton: Automaton) -> Automaton:
    """Return the automaton with bisimilar states merged (the coarsest partition that is stable
    under the edges), and without states that have no successors."""
    edges = _drop_dead_states(automaton.edges)
    block = [0] * len(edges)
    while True:
        looks = [
            (block[state], frozenset(replace(edge, target=block[edge.target]) for edge in outgoing))
            for state, outgoing in enumerate(edges)
        ]
        numbers = {look: index for index, look in enumerate(dict.fromkeys(looks))}
        refined = [numbers[look] for look in looks]
        if len(numbers) == len(set(block)):
            break
        block = refined
    members = {number: state for state, number in reversed(list(enumerate(refined)))}
    merged = tuple(
        tuple(
            dict.fromkeys(
                replace(edge, target=refined[edge.target]) for edge in edges[members[number]]
            )
        )
        for number in sorted(members)
    )
    initial = tuple(dict.fromkeys(refined[state] for state in automaton.initial if edges[state]))
    return _reachable(replace(automaton, edges=merged, initial=initial))


def _drop_dead_states(
    edges: tuple[tuple[AutomatonEdge, ...], ...],
) -> tuple[tuple[AutomatonEdge, ...], ...]:
    dead = {state for state, outgoing in enumerate(edges) if not outgoing}
    kept = tuple(tuple(edge for edge in outgoing if edge.target not in dead) for outgoing in edges)
    return kept if kept == edges else _drop_dead_states(kept)


def _reachable(automaton: Automaton) -> Automaton:
    numbers = {state: index for index, state in enumerate(automaton.initial)}
    queue = list(numbers)
    for state in queue:
        for edge in automaton.edges[state]:
            if edge.target not in numbers:
                numbers[edge.target] = len(numbers)
                queue.append(edge.target)
    edges = tuple(
        tuple(replace(edge, target=numbers[edge.target]) for edge in automaton.edges[state])
        for state in queue
    )
    return replace(
        automaton, edges=edges, initial=tuple(numbers[state] for state in automaton.initial)
    )


def _simplify_marks(automaton: Automaton) -> Automaton:
    """Return the automaton without acceptance marks that are on every edge, and with marks that are
    on the same edges merged."""
    every = [edge for outgoing in automaton.edges for edge in outgoing]
    columns: dict[tuple[bool, ...], int] = {}
    for mark in range(automaton.inf_marks.bit_length()):
        column = tuple(bool(edge.marks >> mark & 1) for edge in every)
        if not all(column):
            columns.setdefault(column, mark)
    kept = list(columns.values())

    def renumbered(marks: int) -> int:
        return sum(1 << index for index, mark in enumerate(kept) if marks >> mark & 1)

    edges = tuple(
        tuple(replace(edge, marks=renumbered(edge.marks)) for edge in outgoing)
        for outgoing in automaton.edges
    )
    return replace(automaton, edges=edges, inf_marks=(1 << len(kept)) - 1)

"""Whether two graphs behave alike for somebody who sees labels and counts no steps: what CTL*
without next can tell apart."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

__all__ = ["are_stutter_bisimilar"]

Successors = Sequence[Sequence[int]]


def are_stutter_bisimilar(
    left: Successors,
    left_labels: Sequence[Hashable],
    right: Successors,
    right_labels: Sequence[Hashable],
) -> bool:
    """Partition refinement on both graphs side by side; state 0 is the initial one of each.

    States of a block differ if one can leave it, by way of states of the block, for a block that
    the other cannot leave it for; or if only one can stay in it for ever.
    """
    shift = len(left)
    successors = [list(each) for each in left] + [
        [shift + target for target in each] for each in right
    ]
    blocks = _numbered([*left_labels, *right_labels])
    while True:
        refined = _numbered(
            [
                (block, *seen)
                for block, seen in zip(blocks, _signatures(successors, blocks), strict=True)
            ]
        )
        if max(refined) == max(blocks):
            return blocks[0] == blocks[shift]
        blocks = refined


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(each, len(numbers)) for each in keys]


def _signatures(successors: Successors, blocks: Sequence[int]) -> list[tuple[frozenset[int], bool]]:
    """For each state the blocks for which it can leave its own, and whether it can stay for ever;
    an end state stays."""
    inside = [
        [target for target in each if blocks[target] == blocks[state]]
        for state, each in enumerate(successors)
    ]
    before: list[list[int]] = [[] for _ in successors]
    for state, each in enumerate(inside):
        for target in each:
            before[target].append(state)
    leaving = [
        {blocks[target] for target in each if blocks[target] != blocks[state]}
        for state, each in enumerate(successors)
    ]
    changed = [state for state, each in enumerate(leaving) if each]
    while changed:
        state = changed.pop()
        for earlier in before[state]:
            if not leaving[state] <= leaving[earlier]:
                leaving[earlier] |= leaving[state]
                changed.append(earlier)
    # Those that must leave: taken away one by one, what remains can stay.
    open_ways = [len(each) for each in inside]
    ended = [state for state, each in enumerate(open_ways) if not each and successors[state]]
    stays = [True] * len(successors)
    for state in ended:
        stays[state] = False
    while ended:
        for earlier in before[ended.pop()]:
            open_ways[earlier] -= 1
            if not open_ways[earlier]:
                stays[earlier] = False
                ended.append(earlier)
    return [(frozenset(each), stay) for each, stay in zip(leaving, stays, strict=True)]

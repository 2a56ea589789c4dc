"""Whether anything that formulas ask for can change at all: what stays as it is at first needs no part of the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from volition.languages.kit.dependencies import Dependencies, Name, Part
from volition.slicing.name_index import NameIndex
from volition.slicing.reachability import reachable

__all__ = ["nothing_asked_changes"]


def nothing_asked_changes(dependencies: Dependencies, reached: Iterable[Part]) -> bool:
    """Whether no part that can be reached changes, triggers or posts what formulas ask for, or what that is derived from."""
    if not dependencies.tells_all_changes:
        return False
    wanted, heads = NameIndex(), NameIndex()
    for number, derived in enumerate(dependencies.derived):
        heads.add(derived.head, number)

    def below(name: Name) -> Iterator[Name]:
        return (inner for number in heads.find(name) for inner in dependencies.derived[number].below(name))

    for number, name in enumerate(reachable((asked.name for asked in dependencies.asked), below)):
        wanted.add(name, number)
    happening = (*(root.name for root in dependencies.roots), *(name for part in reached for name in _happening(part)))
    return not any(wanted.find(name) for name in happening)


def _happening(part: Part) -> Iterator[Name]:
    yield part.trigger
    for step in part.steps:
        yield from step.posts
        yield from (name for update in step.updates for name in update.changes)

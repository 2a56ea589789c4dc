"""Coverage of a program: the plans, actions and rules that some reachable choice uses, and those
that no run ever uses.

A model may have a method ``inventory()``. It returns the names that can appear in an
:class:`~volition.origin.Origin`, by section (``plans``, ``actions``, ``rules``). The names in use
come from the labels of the reachable choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from volition.display import HtmlDisplay, data_frame
from volition.kernel import StateSpace
from volition.languages.protocols import Model
from volition.reporting.annotated_runs import origins_of

__all__ = ["Coverage", "HasInventory", "coverage"]


@runtime_checkable
class HasInventory(Protocol):
    """Optional capability of a model: list the plans, actions and rules of its program. Check for
    it with ``isinstance``."""

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the program's plans, actions and rules as they appear in origins, by
        section (``plans``, ``actions``, ``rules``).

        If there are several agents, plans and actions are prefixed with the agent's name: ``ag1:
        p2``.
        """


@dataclass(frozen=True, slots=True, repr=False)
class Coverage(HtmlDisplay):
    """The used and the unused plans, actions and rules of a program, by kind (``plans``,
    ``actions``, ``rules``). If the exploration was not ``complete``, names that are reported as
    unused may be used in unexplored states."""

    used: Mapping[str, tuple[str, ...]]
    unused: Mapping[str, tuple[str, ...]]
    complete: bool

    def __repr__(self) -> str:
        never = ", ".join(
            f"{section} {', '.join(names)}" for section, names in self.unused.items() if names
        )
        return (
            f"<Coverage: {'never used' if self.complete else 'not used so far'}: "
            f"{never or 'nothing'}>"
        )

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one row for each plan, action and rule."""
        found = ((self.used, True), (self.unused, False))
        rows = [
            [section, name, used]
            for by_section, used in found
            for section, names in by_section.items()
            for name in names
        ]
        return data_frame(["section", "name", "used"], rows)


def coverage(model: Model, space: StateSpace) -> Coverage:
    """Return which plans, actions and rules of a model some reachable choice uses, and which are in
    the model's inventory but unused."""
    used = _used(space, several_agents=len(model.agents) > 1)
    inventory = model.inventory() if isinstance(model, HasInventory) else {}
    unused = {
        section: tuple(name for name in names if name not in used.get(section, ()))
        for section, names in inventory.items()
    }
    listed = {
        section: [name for name in inventory.get(section, ()) if name in found]
        for section, found in used.items()
    }
    return Coverage(
        used={
            section: tuple(dict.fromkeys([*listed[section], *sorted(found)]))
            for section, found in used.items()
        },
        unused=unused,
        complete=space.complete,
    )


def _used(space: StateSpace, *, several_agents: bool) -> dict[str, set[str]]:
    plans: set[str] = set()
    actions: set[str] = set()
    rules: set[str] = set()
    for label in space.used_labels():
        for origin in (step for each in origins_of(label) for step in each.possible_steps):
            owner = f"{origin.agent}: " if several_agents else ""
            plans |= {owner + origin.plan} if origin.plan is not None else set()
            actions |= {owner + origin.action} if origin.action is not None else set()
            # A rule may carry the number of an intention or plan, as in A_step(1). Its name is the
            # part before the bracket.
            rules |= {rule.partition("(")[0] for rule in origin.rules}
    return {"plans": plans, "actions": actions, "rules": rules}

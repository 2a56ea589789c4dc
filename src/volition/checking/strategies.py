"""A strategy in the agent's words: a row, a sentence or a JSON object for each state in which something is to be decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.checking.remembering import RememberingStrategy
from volition.checking.verdict import Strategy
from volition.kernel import STUTTER, StateSpace
from volition.languages.model import Model, Portrait, Table

__all__ = ["Decision", "choice_text", "decisions", "decisions_table", "label_text"]

_PHRASES = {
    "beliefs": "believing",
    "events": "with event",
    "intentions": "with intention",
    "goals": "with goal",
    "plans": "with plan",
    "memory": "remembering",
}
"""How a sentence introduces a section of a portrait; others are introduced by their own name."""

LONGEST_VALUE = 16
"""Longer values are left out of sentences: the term of an intention says less than the step that it allows."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the strategy does in one state in which it could do something else too."""

    state: int
    choice: int
    situation: Portrait
    chosen: str
    alternatives: tuple[str, ...]

    def sentence(self) -> str:
        """``believing wrapped1, deadline1 = 3, with event product2: adopt event product2, rather than act move_product1``."""
        parts = [_told(section, items) for section, items in self.situation.items() if items]
        others = f", rather than {' or '.join(self.alternatives)}" if self.alternatives else ""
        return f"{', '.join(parts) or 'always'}: {self.chosen}{others}"

    def as_json(self) -> dict[str, Any]:
        situation = {section: dict(items) for section, items in self.situation.items()}
        return {"state": self.state, "situation": situation, "choose": self.chosen, "instead_of": list(self.alternatives)}


def decisions(model: Model, strategy: Strategy | RememberingStrategy) -> list[Decision]:
    """The states that the strategy reaches and in which there is more than one choice, nearest first.

    Where it depends on what happened so far, the situation says so in a section ``memory``.
    """
    space = strategy.space
    several = np.diff(space.first_choice) > 1
    if isinstance(strategy, RememberingStrategy):
        if strategy.without_memory is None:
            return _remembering_decisions(model, strategy, several)
        strategy = strategy.without_memory
    return [_decision(model, space, int(state), int(strategy.choice[state])) for state in np.flatnonzero(several & (strategy.choice >= 0))]


def _remembering_decisions(model: Model, strategy: RememberingStrategy, several: npt.NDArray[np.bool_]) -> list[Decision]:
    unfolding = strategy.unfolding
    found = []
    for pair in np.flatnonzero(strategy.reached & several[unfolding.states]):
        decision = _decision(model, strategy.space, int(unfolding.states[pair]), int(strategy.taken[pair]))
        so_far = strategy.so_far(int(unfolding.memory[pair]))
        found.append(replace(decision, situation={**decision.situation, "memory": so_far}))
    return found


def decisions_table(found: list[Decision]) -> Table:
    """The decisions as a table: what holds, what is chosen, and what else could be."""
    sections = list(dict.fromkeys(section for each in found for section, items in each.situation.items() if items))
    rows = [
        [*(_listed(each.situation.get(section, {})) for section in sections), each.chosen, "; ".join(each.alternatives)] for each in found
    ]
    return Table("Strategy", [*sections, "choose", "rather than"], rows)


def choice_text(space: StateSpace, choice: int) -> str:
    """What a choice does, in words."""
    return label_text(space.label(choice))


def _decision(model: Model, space: StateSpace, state: int, choice: int) -> Decision:
    options = _told_apart(space, range(int(space.first_choice[state]), int(space.first_choice[state + 1])))
    chosen = options.pop(choice)
    return Decision(state, choice, model.portray(space.values(state)), chosen, tuple(dict.fromkeys(options.values())))


def _told_apart(space: StateSpace, choices: Iterable[int]) -> dict[int, str]:
    """The choices of a state in words; where two say the same, the component that makes the choice is named too."""
    texts = {choice: choice_text(space, choice) for choice in choices}
    components = [component.name for component in space.system.components]
    owners = {choice: int(space.component_ids[choice]) for choice in texts}
    often = Counter(texts.values())
    return {
        choice: f"{text} ({components[owners[choice]]})" if often[text] > 1 and owners[choice] < len(components) else text
        for choice, text in texts.items()
    }


def label_text(label: Hashable) -> str:
    """What a label of a choice says, in words; the empty joint label says that nothing new is done."""
    if label is STUTTER:
        return "stand still"
    if label in (None, ()):
        return "go on"
    if isinstance(label, tuple):
        return " and ".join(map(label_text, label))
    return str(getattr(label, "text", label))


def _told(section: str, items: Any) -> str:
    phrase = _PHRASES.get(section, f"with {section}")
    plural = "s" if phrase.startswith("with") and section in _PHRASES and len(items) > 1 else ""
    return f"{phrase}{plural} {', '.join(_item(name, value) for name, value in items.items())}"


def _item(name: str, value: str) -> str:
    return name if not value or len(value) > LONGEST_VALUE or value == name else f"{name} = {value}"


def _listed(items: Any) -> str:
    return ", ".join(name if not value else f"{name} = {value}" for name, value in items.items())

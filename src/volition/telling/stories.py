"""The story of a run: the steps that matter to a formula, and how many lie between them.

A step matters where the truth of a part of the formula changes, or where the step or what it changes mentions a name of the formula.
Everything else is counted, so that a run of hundreds of steps can be read on one screen.  Where no step matters, because the run avoids
all that the formula speaks of, the actions are told that it executes instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from volition.checking.graph.propositions import DEADLOCK, predicate, resolve_leaves
from volition.checking.verdict import Run
from volition.languages.model import Model
from volition.logic.printing import show
from volition.logic.syntax import Atom, Comparison, Formula, Proposition
from volition.logic.tree import expand_agents, leaves, subformulas
from volition.telling.runs import Change, Row, Telling, ToldStep, closing, grouped, opening, step_row, tell, whole

__all__ = ["Highlights", "highlights", "names_in", "story"]

MOST_TURNS, MOST_MENTIONS = 24, 16
"""Steps in which a truth changes and steps that mention a name are told up to these numbers, the last ones: what decides a run
stands near its end."""

_ARGUMENTS = re.compile(r"(?<=\w)\([^()]*\)")
_BETWEEN_NAMES = re.compile(r"[^\w\s.-]+|(?:^|(?<=\s))not\s")


@dataclass(frozen=True, slots=True)
class Highlights:
    """What of a run matters to a formula: the numbers of the steps, and for each step the truths that change in it, in words."""

    steps: frozenset[int]
    turns: tuple[tuple[str, ...], ...]


def highlights(run: Run, model: Model, formula: Formula, telling: Telling | None = None) -> Highlights:
    """What matters to the formula in a run; ``telling`` is the run as it was told, where it was."""
    teller = _teller(run, model, formula)
    return Highlights(frozenset(teller.kept((telling or tell(run, model)).steps)), tuple(map(tuple, teller.turns)))


def _teller(run: Run, model: Model, formula: Formula) -> _Teller:
    asked = expand_agents(formula, model.agents)
    return _Teller(names_in(asked, model.agents), _turns(run, model, asked))


def story(run: Run, model: Model, formula: Formula) -> list[Row]:
    """The run in rows, shortened to what matters to the formula."""
    telling = tell(run, model)
    teller = _teller(run, model, formula)
    kept = teller.kept(telling.steps)
    shown = [teller.start(telling)]
    skipped: list[ToldStep] = []
    for step in telling.steps:
        mark = opening(telling, step)
        if mark or step.number in kept:
            shown += [*_counted(skipped), *mark]
            skipped = []
        if step.number in kept:
            shown.append(teller.row(step))
        else:
            skipped.append(step)
    return [*shown, *_counted(skipped), *closing(telling)]


def names_in(formula: Formula, agents: Collection[str]) -> tuple[str, ...]:
    """The names that the leaves of a formula speak of: predicates without their arguments, phrases as a whole, no agents."""
    found: dict[str, None] = {}
    for leaf in leaves(formula):
        text = leaf.text if isinstance(leaf, Atom) else leaf.name
        while (bare := _ARGUMENTS.sub("", text)) != text:
            text = bare
        found |= dict.fromkeys(name.strip() for name in _BETWEEN_NAMES.split(text))
    return tuple(name for name in found if name and name not in agents and not name[0].isdigit())


def _turns(run: Run, model: Model, asked: Formula) -> list[list[str]]:
    """For each step of the run what becomes true or false in it, of the parts of the formula that speak of one state."""
    resolved = resolve_leaves(model, asked)
    parts = dict.fromkeys(each for each in subformulas(asked) if isinstance(each, Atom | Proposition | Comparison))
    truths = {show(part): predicate(part, resolved) for part in parts if part != DEADLOCK or part in resolved}
    states = [*run.states, *([run.states[run.loop]] if run.loop is not None else [])]
    held = [{text: truth(view) for text, truth in truths.items()} for view in map(run.space.values, states)]
    return [
        [f"{text} {'holds' if after[text] else 'no longer holds'}" for text in truths if before[text] != after[text]]
        for before, after in pairwise(held)
    ]


@dataclass(frozen=True, slots=True)
class _Teller:
    """Decides which steps are told, and what of each; ``turns`` are the truths that change in each step."""

    names: Sequence[str]
    turns: Sequence[Sequence[str]]

    def kept(self, steps: Sequence[ToldStep]) -> set[int]:
        """The numbers of the steps that are told."""
        mentioning = [step.number for step in steps if self._mentioned(step.text) or any(map(self._concerned, step.changes))]
        turning = [step.number for step in steps if self.turns[step.number - 1]]
        if not turning and not mentioning:
            mentioning = [step.number for step in steps if step.acts] or [step.number for step in steps]
        ending = [step.number for step in steps if step.stays]
        return {*turning[-MOST_TURNS:], *mentioning[-MOST_MENTIONS:], *ending}

    def start(self, telling: Telling) -> Row:
        """The initial state, in brief: what the formula speaks of."""
        portrait = {
            section: {item: value for item, value in items.items() if self._mentioned(f"{item}: {value}")}
            for section, items in telling.start.items()
        }
        return Row("0", "", "initial state", details=whole(portrait))

    def row(self, step: ToldStep) -> Row:
        """A step with the truths that turn, and the changes that matter where its own text does not mention them."""
        changes = () if self._mentioned(step.text) else grouped([change for change in step.changes if self._concerned(change)])
        turns = self.turns[step.number - 1]
        return step_row(step, (*changes, ("formula", "; ".join(turns))) if turns else changes)

    def _mentioned(self, text: str) -> bool:
        return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in self.names)

    def _concerned(self, change: Change) -> bool:
        return any(self._mentioned(part) for part in (change.item, change.before, change.after) if part)


def _counted(skipped: Sequence[ToldStep]) -> Iterator[Row]:
    """One row for steps that do not matter, with who made them; a step alone is told, as counting it takes a row too."""
    if len(skipped) == 1:
        yield step_row(skipped[0], ())
    elif skipped:
        by_agent = Counter(step.agent for step in skipped if step.agent)
        who = ", ".join(f"{agent} ({count})" for agent, count in sorted(by_agent.items()))
        yield Row("", "", f"… {len(skipped)} steps" + (f": {who}" if who else ""))

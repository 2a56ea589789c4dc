"""The beliefs of an agent: feedbacks (results of actions), percepts, and mental notes, which plans
and rules add and remove (Izzo, Eq. 3.1 and Sect. 4.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from volition.diagnostics import Diagnostics, did_you_mean
from volition.languages.lisa.names import name_of
from volition.languages.lisa.project import AgentFiles
from volition.languages.lisa.syntax import (
    ActionFile,
    Condition,
    MentalAction,
    PerceptEntry,
    Sentence,
    beliefs_in,
)

__all__ = ["BeliefTable", "condition_in_words"]

_RESERVED = re.compile(r"x|c\d+|plan_[\d_]+|was_\w+|before_\w+")
"""Names that beliefs cannot have, because the model uses them for other variables: those of Izzo,
App. B.2, and the slots that store previous values."""

_CONNECTIVE = re.compile(r"(?<!\s)\s++(and|or)\s+", re.IGNORECASE)
_NEGATION = re.compile(r"not\s+|[!~¬∼]\s*", re.IGNORECASE)
_LITERAL = re.compile(
    rf"(?P<signs>(?:{_NEGATION.pattern})*)(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)


def condition_in_words(text: str, known: Mapping[str, str]) -> str | None:
    """Return the condition, in LISA notation, that a sentence such as *not Door open and Light on*
    expresses. Return None if one of the parts of the sentence is not a belief. The result is used
    in hints.

    ``known`` maps the name of each belief to its sentence.
    """
    pieces = _CONNECTIVE.split(text)
    literals = [literal for piece in pieces[::2] if (literal := _LITERAL.fullmatch(piece))]
    if len(pieces) == 1 and not literals[0]["signs"]:
        return None
    if not all(name_of(literal["rest"]) in known for literal in literals):
        return None
    negated = [len(_NEGATION.findall(literal["signs"])) % 2 for literal in literals]
    written = [
        f"{'~' * odd}^[{known[name_of(each['rest'])]}]"
        for each, odd in zip(literals, negated, strict=True)
    ]
    return " ".join(
        part for pair in zip_longest(written, map(str.lower, pieces[1::2])) for part in pair if part
    )


class BeliefTable:
    """Beliefs of an agent by name. There are four kinds: feedbacks, percepts, messages and mental
    notes. Each belief is of exactly one kind."""

    def __init__(self, project: AgentFiles, diagnostics: Diagnostics) -> None:
        self._project = project
        self._file = project.reasoning
        self._diagnostics = diagnostics
        self._initial = {each.name for each in self._file.initial_beliefs}
        for act in self._file.initial_actions:
            if isinstance(act, MentalAction):
                (self._initial.add if act.adds else self._initial.discard)(act.belief.name)
        self.feedbacks = self._read_feedbacks()
        self.percepts: dict[str, PerceptEntry] = {}
        self.messages: dict[str, PerceptEntry] = {}
        """Messages from agents of this project. A message from outside the project is a percept, so
        it is in ``percepts``."""
        self._read_percepts()
        self.notes = self._read_notes()
        self._check_names()

    def initially(self, name: str) -> bool:
        """Return whether a belief is held in the initial state. The initial actions may add beliefs
        to the initial beliefs, or remove some of them."""
        return name in self._initial

    def check_mentions(self, condition: Condition) -> None:
        """Report the error LIS040 (unknown belief) for each belief in a condition that is not
        defined anywhere."""
        for sentence in beliefs_in(condition):
            self.check_mention(sentence)

    def check_mention(self, sentence: Sentence) -> None:
        """Report the error LIS040 (unknown belief) if a belief is not defined anywhere."""
        if all(
            sentence.name not in kind
            for kind in (self.feedbacks, self.percepts, self.messages, self.notes)
        ):
            explanation = "declare it as a percept, or add it initially, in a plan or by a rule"
            spelt = condition_in_words(
                sentence.text, {name_of(each): each for each in self._sentences()}
            )
            hint = (
                f"write {spelt}"
                if spelt
                else did_you_mean(sentence.text, self._sentences()) or explanation
            )
            self._error("LIS040", f"unknown belief '{sentence.text}'", sentence, hint)

    def _read_feedbacks(self) -> dict[str, ActionFile]:
        """Return the action that gives each feedback, by the name of the feedback. (A feedback is a
        belief about the result of an action.) Report feedbacks that two actions give."""
        owners: dict[str, ActionFile] = {}
        for action in self._project.actions:
            for feedback in action.feedbacks:
                if feedback.sentence.name in owners:
                    message = (
                        f"the sentence '{feedback.sentence.text}' is already a feedback of the "
                        f"action '{owners[feedback.sentence.name].sentences[0].text}'"
                    )
                    self._error(
                        "LIS044",
                        message,
                        feedback.sentence,
                        "use another sentence for this feedback",
                    )
                owners.setdefault(feedback.sentence.name, action)
        return owners

    def _read_percepts(self) -> None:
        """Collect percepts and messages from the section PERCEPTION PROCESS. Lines about feedbacks
        of actions are left out, because action files define the feedbacks."""
        declared: set[str] = set()
        for entry in self._file.percepts:
            sentence = entry.sentence
            if sentence.name in declared:
                self._error("LIS046", f"the percept '{sentence.text}' is declared twice", sentence)
                continue
            declared.add(sentence.name)
            if entry.distributions and sentence.name not in self.feedbacks:
                self.percepts[sentence.name] = entry
            elif entry.distributions:
                hint = (
                    "its probabilities belong in the action file of "
                    f"'{self.feedbacks[sentence.name].sentences[0].text}'"
                )
                self._error(
                    "LIS047",
                    f"'{sentence.text}' is declared as a percept, but is an action feedback",
                    sentence,
                    hint,
                )
            elif sentence.name in self.feedbacks and sentence.name in self._project.mail:
                self._error(
                    "LIS047",
                    f"'{sentence.text}' is declared as a message, but is an action feedback",
                    sentence,
                    "use another sentence for the message",
                )
            elif sentence.name not in self.feedbacks and entry.is_message and self._project.prefix:
                self.messages[sentence.name] = entry
            elif sentence.name not in self.feedbacks:
                known = [
                    feedback.sentence.text
                    for action in self._project.actions
                    for feedback in action.feedbacks
                ]
                hint = (
                    did_you_mean(sentence.text, known)
                    or "write {[conditions],[p,mu,sigma],[p,mu,sigma]} after it"
                )
                kind = "message" if entry.is_message else "percept"
                self._error(
                    "LIS048",
                    f"the {kind} '{sentence.text}' has no probabilities: only action feedbacks "
                    "can be listed without them",
                    sentence,
                    hint,
                )

    def _read_notes(self) -> dict[str, Sentence]:
        """Return the mental notes by name: beliefs that plans or rules add or remove, and initial
        beliefs that are neither feedbacks nor percepts nor messages."""
        changed = [*self._changed()]
        for sentence in changed:
            if self._comes_from_outside(sentence):
                kind = "an action feedback" if sentence.name in self.feedbacks else "a percept"
                hint = (
                    "plans and rules can only change mental notes; percepts and feedbacks come "
                    "from the environment"
                )
                self._error(
                    "LIS045",
                    f"'{sentence.text}' is {kind} and cannot be added or removed",
                    sentence,
                    hint,
                )
        notes: dict[str, Sentence] = {}
        for sentence in (*self._file.initial_beliefs, *changed):
            if not self._comes_from_outside(sentence):
                notes.setdefault(sentence.name, sentence)
        return notes

    def _comes_from_outside(self, sentence: Sentence) -> bool:
        return (
            sentence.name in self.feedbacks
            or sentence.name in self.percepts
            or sentence.name in self.messages
        )

    def _check_names(self) -> None:
        """Report an error for each belief whose name the model uses for another variable, and for
        each belief whose sentence reads like a condition on other beliefs, such as *not Door open*.
        """
        feedbacks = [
            feedback.sentence for action in self._project.actions for feedback in action.feedbacks
        ]
        perceived = (entry.sentence for entry in (*self.percepts.values(), *self.messages.values()))
        sentences = (*feedbacks, *perceived, *self.notes.values())
        known = {sentence.name: sentence.text for sentence in sentences}
        for sentence in sentences:
            if spelt := condition_in_words(sentence.text, known):
                message = (
                    f"'{sentence.text}' looks like a condition on other beliefs, but is read as "
                    "the sentence of a single belief"
                )
                self._error("LIS057", message, sentence, f"write {spelt}, or use another sentence")
            if _RESERVED.fullmatch(sentence.name):
                message = f"the name '{sentence.name}' is reserved for a variable of the model"
                self._error(
                    "LIS049",
                    message,
                    sentence,
                    "use another sentence: x, c1, plan_1, was_... and before_... are reserved",
                )

    def _changed(self) -> Iterator[Sentence]:
        for act in (
            *self._file.initial_actions,
            *(step for plan in self._file.plans for step in plan.steps),
        ):
            if isinstance(act, MentalAction):
                yield act.belief
        for rule in self._file.rules:
            yield rule.belief

    def _sentences(self) -> Iterator[str]:
        for action in self._project.actions:
            yield from (feedback.sentence.text for feedback in action.feedbacks)
        yield from (
            entry.sentence.text for entry in (*self.percepts.values(), *self.messages.values())
        )
        yield from (sentence.text for sentence in self.notes.values())

    def _error(self, code: str, message: str, sentence: Sentence, hint: str | None = None) -> None:
        self._diagnostics.error(code, message, sentence.span, hint=hint)

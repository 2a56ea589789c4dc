"""Syntax trees of reasoning files (``.sej``), action files (``.sep``) and ontologies (``.ont``)
(Izzo, Sect. 3.4).

Sentences in the trees are not resolved: a sentence is the text of the file with its span.
:mod:`.resolved` has the resolved agent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from volition.diagnostics import Span
from volition.languages.common.conditions import (
    BooleanLiteral,
    Conjunction,
    Disjunction,
    Negation,
    atoms_in,
    evaluate,
    simplify,
)
from volition.languages.lisa.names import clean, name_of

__all__ = [
    "LARGEST",
    "MAX_CYCLES",
    "ActionCall",
    "ActionFile",
    "And",
    "BeliefAtom",
    "BooleanLiteral",
    "ClassUse",
    "Condition",
    "EventKind",
    "FeedbackEntry",
    "MentalAction",
    "Not",
    "Or",
    "PerceptEntry",
    "PlanEntry",
    "PlanStep",
    "ReasoningFile",
    "ReasoningRule",
    "Rewards",
    "SendMessage",
    "Sentence",
    "TimingDistribution",
    "Trigger",
    "TriplePart",
    "WithdrawPlan",
    "beliefs_in",
    "given",
    "holds",
    "objection",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    """Sentence of natural language as written in the file, without brackets. It stands for a belief
    or an action."""

    written: str
    span: Span

    @property
    def text(self) -> str:
        return clean(self.written)

    @property
    def name(self) -> str:
        return name_of(self.written)


# --- syntax nodes of conditions -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeliefAtom:
    """Condition ``^[Mission complete]``: the belief is held."""

    sentence: Sentence

    def __str__(self) -> str:
        return f"^[{self.sentence.text}]"


@dataclass(frozen=True, slots=True)
class Not(Negation["Condition"]):
    """Negation of a condition, written ``~`` or ``not``."""

    def __str__(self) -> str:
        return (
            f"~{self.operand}" if isinstance(self.operand, BeliefAtom) else f"not ({self.operand})"
        )


@dataclass(frozen=True, slots=True)
class And(Conjunction["Condition"]):
    """Conjunction of any number of conditions, written ``and``."""

    def __str__(self) -> str:
        return " and ".join(
            f"({each})" if isinstance(each, Or) else str(each) for each in self.operands
        )


@dataclass(frozen=True, slots=True)
class Or(Disjunction["Condition"]):
    """Disjunction of any number of conditions, written ``or``."""

    def __str__(self) -> str:
        return " or ".join(str(each) for each in self.operands)


Condition = BooleanLiteral | BeliefAtom | Not | And | Or


def beliefs_in(condition: Condition) -> Iterator[Sentence]:
    """Return the sentence of every belief in a condition, from left to right, including
    repetitions."""
    return (belief.sentence for belief in atoms_in(condition))


def holds(condition: Condition, believed: Callable[[str], bool]) -> bool:
    """Return whether a condition is true (Izzo, Eq. 2.2). ``believed`` returns whether a belief is
    held; evaluation stops as soon as the result is known."""
    return evaluate(condition, lambda belief: believed(belief.sentence.name))


def given(condition: Condition, belief: str, held: bool) -> Condition:
    """Return a condition simplified with the knowledge that ``belief`` is held, or absent if
    ``held`` is False."""
    rest: Condition = simplify(
        condition, lambda each: held if each.sentence.name == belief else None
    )
    return rest


# --- syntax nodes of reasoning files (.sej) -------------------------------------------------------

EventKind = Literal["held", "absent", "added", "removed"]


@dataclass(frozen=True, slots=True)
class Trigger:
    """Triggering event of a plan.

    ``^[b]`` and ``~^[b]`` trigger whenever the belief is held or absent, as in the translation of
    Izzo, App. B.2. ``+^[b]`` and ``-^[b]`` trigger only in the cycle that added or removed the
    belief (Izzo, Sect. 3.3.2, Step 2).
    """

    kind: EventKind
    belief: Sentence

    def __str__(self) -> str:
        sign = {"held": "", "absent": "~", "added": "+", "removed": "-"}[self.kind]
        return f"{sign}^[{self.belief.text}]"


Rewards = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class MentalAction:
    """Internal action ``+^[b]`` or ``-^[b]``, which adds or removes a mental note."""

    adds: bool
    belief: Sentence
    rewards: Rewards
    span: Span

    def __str__(self) -> str:
        return f"{'+' if self.adds else '-'}^[{self.belief.text}]"


@dataclass(frozen=True, slots=True)
class ActionCall:
    """Call of an external action, such as ``[Activate drive mode.]``."""

    sentence: Sentence
    rewards: Rewards
    span: Span

    def __str__(self) -> str:
        return f"[{self.sentence.text}.]"


@dataclass(frozen=True, slots=True)
class SendMessage:
    """Action that sends a message, such as ``[Send ^[Mine found] to drone.]``. Receivers are other
    agents of the project by name, or ``all`` others."""

    message: Sentence
    receivers: tuple[Sentence, ...]
    rewards: Rewards
    span: Span

    def __str__(self) -> str:
        return (
            f"[Send ^[{self.message.text}] to "
            f"{' and '.join(each.text for each in self.receivers)}.]"
        )


@dataclass(frozen=True, slots=True)
class WithdrawPlan:
    """Internal action ``[Withdraw plan 4.]``, which drops a running plan (Izzo, Def. 2.2)."""

    number: int
    sentence: Sentence
    rewards: Rewards
    span: Span

    def __str__(self) -> str:
        return f"[Withdraw plan {self.number}.]"


PlanStep = MentalAction | ActionCall | SendMessage | WithdrawPlan


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """Plan: ``If <event> while <context> then <actions>``. Plans are numbered from 1 in file
    order."""

    number: int
    event: Trigger
    context: Condition
    steps: tuple[PlanStep, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ReasoningRule:
    """Rule ``If <condition> then ^[b]``, which adds the mental note b (``adds`` is true), or ``If
    <condition> then ~^[b]``, which removes it."""

    condition: Condition
    adds: bool
    belief: Sentence
    span: Span


@dataclass(frozen=True, slots=True)
class TimingDistribution:
    """Triple ``[p, mu, sigma]`` that says when a percept changes or a feedback of an action comes:
    a probability, an average number of reasoning cycles, and the largest deviation from that
    average (Izzo, Sect. 3.4.1)."""

    probability: Fraction
    mean: int
    deviation: int

    @property
    def every_cycle(self) -> bool:
        """Whether a percept with this distribution can flip (become held or absent) in every
        reasoning cycle, so that it needs no counter."""
        return self.mean == 1 and self.deviation == 0

    def __str__(self) -> str:
        return f"[{float(self.probability):g}, {self.mean}, {self.deviation}]"


TriplePart = Literal["p", "mu", "sigma"]

LARGEST = 10**300
"""Upper limit of numbers in a project. Larger rewards exceed floating point, and other numbers of
this size are not meaningful."""

MAX_CYCLES = 1_000_000
"""Upper limit of mu and sigma in a triple ``[p, mu, sigma]``, the average number of reasoning
cycles and the largest deviation from it. A model has a state for every counted cycle."""


def objection(part: TriplePart, value: Fraction) -> tuple[str, str] | None:
    """Return what is wrong with a number of a ``[p, mu, sigma]`` triple (probability, average,
    largest deviation), and a hint. Return None if the number is valid.

    ``part`` says which of the three numbers ``value`` is. The constraints are 0 <= p <= 1, an
    integer mu >= 1, and an integer sigma >= 0 (Izzo, Eq. 3.7 to 3.9); mu and sigma are at most
    :data:`MAX_CYCLES`.
    """
    if part != "p" and value > MAX_CYCLES:
        return "is too many cycles", f"the limit is {MAX_CYCLES:,} cycles"
    match part:
        case "p" if not 0 <= value <= 1:
            return "is not a probability", "probabilities are between 0 and 1"
        case "mu" if value.denominator != 1 or value < 1:
            return (
                "is not an average number of cycles",
                "the average is a whole number of reasoning cycles, at least 1",
            )
        case "sigma" if value.denominator != 1 or value < 0:
            return (
                "is not a whole number of cycles",
                "the variance is a whole number of reasoning cycles",
            )
        case _:
            pass
    return None


@dataclass(frozen=True, slots=True)
class PerceptEntry:
    """Declaration of a percept: a line of the section PERCEPTION PROCESS.

    ``distributions`` say when the percept becomes held (activation) and absent (deactivation). A
    line without them declares a feedback of an action, or a message of another agent.
    """

    sentence: Sentence
    is_message: bool
    conditions: tuple[Condition, ...]
    distributions: tuple[TimingDistribution, TimingDistribution] | None
    rewards: Rewards
    span: Span


@dataclass(frozen=True, slots=True)
class ClassUse:
    """Declaration of an object, an argument of actions, with its class in the ontology. In
    ``position [Pdes]``, the object ``Pdes`` has the class ``position``."""

    class_name: Sentence
    object_name: Sentence


@dataclass(frozen=True, slots=True)
class ReasoningFile:
    initial_beliefs: tuple[Sentence, ...]
    initial_actions: tuple[PlanStep, ...]
    percepts: tuple[PerceptEntry, ...]
    objects: tuple[ClassUse, ...]
    rules: tuple[ReasoningRule, ...]
    plans: tuple[PlanEntry, ...]


# --- syntax nodes of action files (.sep) ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FeedbackEntry:
    """Declaration of a feedback, a possible result of an action, such as ``Continue[0.6,5,2]``. The
    numbers are its weight, and the average and largest deviation of the time until it comes."""

    sentence: Sentence
    triple: TimingDistribution


@dataclass(frozen=True, slots=True)
class ActionFile:
    """External action as defined in an action file: the sentences that call it, and the feedbacks
    (results) that it can give."""

    procedure: Sentence
    sentences: tuple[Sentence, ...]
    process: str
    repeated: bool
    inputs: tuple[ClassUse, ...]
    outputs: tuple[ClassUse, ...]
    feedbacks: tuple[FeedbackEntry, ...]
    span: Span

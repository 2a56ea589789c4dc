"""Interface between a language and the rest of Volition: :class:`Program`, :class:`Model` and
optional extensions.

A language is a package with a function ``load(path, settings) -> Program``. The registry in
:mod:`volition.languages` selects the language by the file name. The packages above this interface
use only these protocols and do not depend on any language.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol, assert_never, runtime_checkable

from volition.diagnostics import Diagnostic, Diagnostics, Source, Span, plural
from volition.display import HtmlDisplay, data_frame
from volition.kernel.system import Choice, Component, SlotView, System, Weight
from volition.logic.parsing.property_file import UnparsedProperty
from volition.logic.syntax import Atom, AtomicFormula, Formula

__all__ = [
    "AcceptsStrategy",
    "DecisionRule",
    "Executable",
    "HasConstantSlots",
    "HasFormulaLint",
    "HasIntentionStacks",
    "HasPropertyFiles",
    "HasSentenceProperties",
    "HasSlotDescriptions",
    "HasStateDetails",
    "HasVocabulary",
    "Model",
    "ObservedTransition",
    "ParametricProgram",
    "Program",
    "StateView",
    "Table",
    "UnparsedProperty",
    "ViewPredicate",
]  # fmt: skip

StateView = Mapping[str, Mapping[str, str]]
"""Readable description of a state: section ("beliefs", "intentions", ...) -> item -> value. The
value is "" for an item that is only present, such as a belief."""


@dataclass(frozen=True, slots=True, repr=False)
class Table(HtmlDisplay):
    """Titled table of text, for display: for example the parsed plans of a program."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return True  # also for an empty table

    def __iter__(self) -> Iterator[Sequence[str]]:
        return iter(self.rows)

    def __getitem__(self, index: int) -> Sequence[str]:
        return self.rows[index]

    def __repr__(self) -> str:
        return (
            f"<Table {self.title}: {len(self.rows)} {plural(len(self.rows), 'row')} of "
            f"{', '.join(self.columns)}>"
        )

    def to_dataframe(self) -> Any:
        """Return the table as a pandas data frame."""
        return data_frame(self.columns, self.rows)


class Program(Protocol):
    """A program that was read and checked. It has no errors; it may have warnings."""

    @property
    def language(self) -> str:
        """Display name of the language, such as ``CAN``."""

    @property
    def sources(self) -> Sequence[Source]: ...

    @property
    def warnings(self) -> Sequence[Diagnostic]: ...

    @property
    def properties(self) -> Sequence[UnparsedProperty]: ...

    def tables(self) -> Sequence[Table]: ...

    def model(self, observed: Collection[Atom] = ()) -> Model:
        """Return the model of the program: the system to explore and the meaning of atoms.

        ``observed`` are the atoms of the formulas that will be checked. The truth of some atoms
        cannot be read from the state, for example that of ``Does``, which refers to the action
        executed in the last step. For each of these atoms in ``observed``, the language adds a slot
        that records its truth.
        """


@runtime_checkable
class ParametricProgram(Program, Protocol):
    """A program with parameters: named numeric constants that a parameter sweep can vary (optional
    extension of :class:`Program`)."""

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        """Value of each parameter, by its name."""

    def with_parameters(self, values: Mapping[str, Fraction]) -> ParametricProgram:
        """Return the same program with new values for some parameters.

        Raises :class:`InputError` if a value is not valid.
        """

    def model(self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()) -> Model:
        """Return the model of the program, with the parameters named in ``symbolic`` left symbolic
        in its probabilities.

        If the value of a symbolic parameter affects more than a probability, then this call, the
        exploration or the evaluation of an atom raises
        :class:`volition.kernel.weights.ParameterValueNeeded`, which names the parameter.
        """


@runtime_checkable
class HasSentenceProperties(Program, Protocol):
    """A program whose language lets users write properties as English sentences (optional extension
    of :class:`Program`)."""

    def translate_sentence(
        self, stated: UnparsedProperty, diagnostics: Diagnostics
    ) -> UnparsedProperty | None:
        """Return the property ``stated``, which may be an English sentence, as a property with an
        equivalent formula. If the property is not a sentence, return it unchanged.

        If the language does not know the sentence, add an error to ``diagnostics`` and return None.
        """


@runtime_checkable
class HasPropertyFiles(Program, Protocol):
    """A program whose language has its own format for property files (optional extension of
    :class:`Program`)."""

    def read_property_file(
        self, source: Source, name: str | None, diagnostics: Diagnostics
    ) -> Sequence[UnparsedProperty] | None:
        """Return the properties of a file in the language's own format, translated to formulas. If
        ``name`` is given, return only those with that name.

        Returns None if the file is not in the language's own format. Errors in the returned
        properties are added to ``diagnostics``.
        """


@runtime_checkable
class HasInitialStates(Program, Protocol):
    """A program with several initial states, one of which is selected by a setting (optional
    extension of :class:`Program`)."""

    @property
    def initial_state_setting(self) -> str:
        """Name of the setting that selects the initial state."""

    def for_each_initial_state(self) -> Mapping[str, Program]:
        """Return one copy of the program for each initial state. Each copy has that state as its
        only initial state. The keys are the display names of the states."""


@runtime_checkable
class HasGenericProperties(Program, Protocol):
    """A program whose language has generic properties, which can be checked for every program of
    the language (optional extension of :class:`Program`)."""

    def generic_properties(self, *, per_event: bool) -> Mapping[str, str]:
        """Return the text of the formula of each generic property, by the property's display name.

        With ``per_event``, the result also has properties for each single event that the agent has
        to handle.
        """


@dataclass(frozen=True, slots=True)
class ViewPredicate:
    """Predicate on a state view: ``item`` of ``section`` is present (relation ``there``), has the
    value ``value`` (``is``), or is a number of at least ``value`` (``at least``). If ``positive``
    is False, the predicate is negated."""

    section: str
    item: str
    relation: Literal["there", "is", "at least"] = "there"
    value: str = ""
    positive: bool = True

    def holds(self, view: StateView) -> bool:
        """Return whether the predicate holds in a state view."""
        value = view.get(self.section, {}).get(self.item)
        match self.relation:
            case "there":
                return (value is not None) == self.positive
            case "is":
                return (value == self.value) == self.positive
            case "at least":
                return _is_at_least(value, self.value) == self.positive
            case _:
                assert_never(self.relation)


def _is_at_least(value: str | None, bound: str) -> bool:
    try:
        return value is not None and Fraction(value) >= Fraction(bound)
    except (ValueError, ZeroDivisionError):
        return False  # not a number


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """Rule of a strategy: in the states where all ``predicates`` hold, ``component`` of the system
    moves.

    If several rules apply, the first one counts. A rule with an ``action`` selects the action that
    the component takes when it moves. A rule without an action selects which component moves. An
    action is named by its text in runs. If the component has two actions with the same text, the
    names of the semantic rules follow in square brackets.
    """

    predicates: tuple[ViewPredicate, ...]
    component: str
    action: str | None = None


@runtime_checkable
class AcceptsStrategy(Program, Protocol):
    """A program whose language can express a strategy (optional extension of :class:`Program`)."""

    def with_strategy(
        self, rules: Sequence[DecisionRule], stated: Sequence[tuple[str, str]]
    ) -> AcceptsStrategy:
        """Return the program with a strategy written into its text, so that no choice is left open.

        ``rules`` are the strategy. The first source of the new program is the new text. It contains
        the properties in ``stated`` (pairs of a formula and its expected result) instead of the
        original ones. Raises :class:`InputError` if the language cannot express a rule.
        """


@runtime_checkable
class HasFormulaLint(Protocol):
    """A model that can report errors and warnings about a formula as a whole (optional extension of
    :class:`Model`)."""

    def lint(self, formula: Formula) -> Sequence[Diagnostic]:
        """Return errors and warnings that concern a formula as a whole, such as a variable shared
        by two atoms. :meth:`Model.resolve` reports the errors of single atoms.

        Quantifiers over agents are already expanded in ``formula``.
        """


class Model(Protocol):
    """Semantics of a program: the system to explore, the meaning of atoms, and descriptions of
    states."""

    @property
    def system(self) -> System: ...

    @property
    def agents(self) -> Sequence[str]: ...

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        """Return the function that computes the value of an atomic formula in a state. The atomic
        formula is an atom, a proposition, or a name in a comparison.

        The function returns a bool for atoms and propositions, and a number for names in
        comparisons. The kernel traces it: it records which slots the function reads. Raises
        :class:`InputError` with a span in the formula if the program does not define the atom or
        name.
        """

    def describe(self, state: SlotView) -> StateView:
        """Return a readable description of a state. Traces show the differences between the
        descriptions of consecutive states."""


@runtime_checkable
class HasSlotDescriptions(Model, Protocol):
    """A model whose slots have short names that stand for longer sentences (optional extension of
    :class:`Model`)."""

    def slot_descriptions(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the texts that slot names stand for, as three mappings whose keys are slot names:

        - ``beliefs``: the sentence of the belief.
        - ``plans``: the sentences of the plan's steps.
        - ``awaited``: for a slot that counts down after an action, the feedbacks (results) of the
          action
          that may come meanwhile.
        """


@runtime_checkable
class HasConstantSlots(Model, Protocol):
    """A model with slots whose values never change (optional extension of :class:`Model`). Such a
    slot only records that the model was built for a certain atom."""

    @property
    def constant_slots(self) -> Collection[str]:
        """Slots whose values never change. The transitions of a model may depend on the atoms of
        the checked formulas. A constant slot for such an atom shows that the model takes this atom
        into account. So a comparison of slots shows whether a formula with this atom needs another
        model. Constant slots do not add states."""


@runtime_checkable
class HasStateDetails(Model, Protocol):
    """A model whose state views omit part of the state (optional extension of :class:`Model`)."""

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """Return the part of a state that the state view omits because it changes at every step.
        The result maps names of details to their values.

        The state view and the details together distinguish any two states.
        """


@runtime_checkable
class HasVocabulary(Model, Protocol):
    """A model that can list the atoms that formulas may use (optional extension of
    :class:`Model`)."""

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Return the atoms and names that a formula can use, in the notation of formulas, by kind:
        beliefs, goals, actions, labels, numeric variables.

        ``_`` stands for any argument. :meth:`Model.resolve` accepts each of these atoms and names
        if the model was built with it in ``observed``.
        """


@runtime_checkable
class HasIntentionStacks(Model, Protocol):
    """A model whose agents have intentions that are stacks (optional extension of
    :class:`Model`)."""

    def intention_stacks(self, state: SlotView) -> Mapping[str, Sequence[Sequence[str]]]:
        """Return the intentions of each agent in a state, as readable text. Each intention is a
        list from its top (the current step) down to its root (the original event)."""


@dataclass(frozen=True, slots=True)
class ObservedTransition:
    """Transition of a component in a run: one outcome of one of its choices, or a transition that
    the model does not contain.

    ``probability`` is the probability of the outcome, given the choice. It is None for an
    *unmodelled* transition. Then ``choice`` is None too, and ``writes`` is the effect that the
    language assigns to the transition.
    """

    writes: Mapping[str, Hashable]
    choice: Choice | None = None
    probability: Weight | None = None

    @property
    def is_unmodelled(self) -> bool:
        return self.probability is None


@runtime_checkable
class Executable(Model, Protocol):
    """A model whose program can be executed in an external world (optional extension of
    :class:`Model`).

    In an execution, the agent decides among the choices of its components. The outcomes of the
    environment's components are drawn at random, or observed if a world is connected.
    """

    def is_environment(self, component: Component) -> bool:
        """Return whether a component belongs to the environment, so that its outcomes are drawn at
        random or observed instead of decided by the agent."""

    def match_observation(
        self,
        component: Component,
        state: SlotView,
        choices: Sequence[Choice],
        observation: Mapping[str, Hashable],
    ) -> ObservedTransition:
        """Return the transition of a component of the environment that agrees with an observation.

        ``state`` is the state before the transition, and ``choices`` are the component's choices in
        that state. Each language defines what an observation contains. If no outcome in ``choices``
        agrees with the observation, the result is an unmodelled transition.
        """

    def span_of(self, component: Component) -> Span | None:
        """Return the position in the program's text of what a component changes: the span of the
        declaration of a percept, action or fact. Return None if the component has no such
        declaration."""

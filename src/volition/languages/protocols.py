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
from typing import Any, Literal, Protocol, runtime_checkable

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
value is "" if the presence of the item is all there is to say."""


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
        """Return the model of the program: its system and the meaning of its atoms.

        ``observed`` are the atoms of the formulas that will be checked. If the truth of one cannot
        be read from the state (``Does``: the action executed in the step into this state), the
        language adds a slot that records exactly that.
        """


@runtime_checkable
class ParametricProgram(Program, Protocol):
    """A program with parameters, that is, named numeric constants that a sweep can vary (optional
    extension)."""

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        """Value of each parameter."""

    def with_parameters(self, values: Mapping[str, Fraction]) -> ParametricProgram:
        """Return the same program with new values for some parameters.

        Raises :class:`InputError` if a value is not valid.
        """

    def model(self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()) -> Model:
        """Return the model with the parameters in ``symbolic`` left symbolic in its probabilities.

        If the value of a symbolic parameter affects more than a probability, then this call, the
        exploration or the evaluation of an atom raises
        :class:`volition.kernel.weights.ParameterNeeded`, which names the parameter.
        """


@runtime_checkable
class HasSentenceProperties(Program, Protocol):
    """A program whose language has its own sentence form for properties (optional extension)."""

    def translate_sentence(
        self, stated: UnparsedProperty, diagnostics: Diagnostics
    ) -> UnparsedProperty | None:
        """Return the property with its sentence replaced by a formula; any other property is
        returned unchanged.

        Returns None, with an error in ``diagnostics``, for a sentence that the language does not
        know.
        """


@runtime_checkable
class HasPropertyFiles(Program, Protocol):
    """A program whose language has its own format for property files (optional extension)."""

    def read_property_file(
        self, source: Source, name: str | None, diagnostics: Diagnostics
    ) -> Sequence[UnparsedProperty] | None:
        """Return the properties of a file in this format as formulas, or only those called
        ``name``.

        Returns None if the file has another format. Errors in the returned properties are added to
        ``diagnostics``.
        """


@runtime_checkable
class HasInitialStates(Program, Protocol):
    """A program with several initial states, one of which is selected by a setting (optional
    extension)."""

    @property
    def initial_state_setting(self) -> str:
        """Name of the setting that selects the initial state."""

    def for_each_initial_state(self) -> Mapping[str, Program]:
        """Return one program per initial state, by the display name of that state."""


@runtime_checkable
class HasGenericProperties(Program, Protocol):
    """A program whose language has properties that apply to every program (optional extension)."""

    def generic_properties(self, *, per_event: bool) -> Mapping[str, str]:
        """Return the generic properties as formulas, by display name.

        With ``per_event``, there are also properties for each single event that the agent has to
        handle.
        """


@dataclass(frozen=True, slots=True)
class ViewPredicate:
    """Predicate on a state view: an item is present, has a value, or is at least a number. If
    ``positive`` is False, the predicate is negated."""

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


def _is_at_least(value: str | None, bound: str) -> bool:
    try:
        return value is not None and Fraction(value) >= Fraction(bound)
    except (ValueError, ZeroDivisionError):
        return False  # not a number


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """Rule of a strategy: where all predicates hold, ``component`` of the system moves.

    If several rules apply, the first one counts. A rule with an ``action`` selects the action that
    the component takes when it moves. A rule without one selects which component moves. An action
    is named by the text of its origin; if the component has two actions with the same text, the
    rules of the semantics follow in square brackets.
    """

    predicates: tuple[ViewPredicate, ...]
    component: str
    action: str | None = None


@runtime_checkable
class AcceptsStrategy(Program, Protocol):
    """A program whose language can express a strategy (optional extension)."""

    def with_strategy(
        self, rules: Sequence[DecisionRule], stated: Sequence[tuple[str, str]]
    ) -> AcceptsStrategy:
        """Return the same program with a strategy written into it, which leaves no choice open.

        The first source of the new program is its text. It contains the properties in ``stated``
        (pairs of a formula and its expected result) instead of the original ones. Raises
        :class:`InputError` if the language cannot express a rule.
        """


@runtime_checkable
class HasFormulaLint(Protocol):
    """A model that can check a formula as a whole (optional extension)."""

    def lint(self, formula: Formula) -> Sequence[Diagnostic]:
        """Return errors and warnings about a formula that cannot be found in a single atom.

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
        """Return the traced function that evaluates an atom, a proposition, or a name in a
        comparison.

        The function returns a bool for atoms and propositions, and a number for names in
        comparisons. Raises :class:`InputError` with a span in the formula if the program does not
        define the atom or name.
        """

    def describe(self, state: SlotView) -> StateView:
        """Return a readable description of the whole state. Traces show the differences between
        these descriptions."""


@runtime_checkable
class HasSlotDescriptions(Model, Protocol):
    """A model whose slots have short names that stand for longer sentences (optional extension)."""

    def slot_descriptions(self) -> Mapping[str, Mapping[str, Any]]:
        """Return sentences by slot name, in three groups: ``beliefs``, the steps of ``plans``, and
        what is ``awaited`` while a slot counts down."""


@runtime_checkable
class HasConstantSlots(Model, Protocol):
    """A model that adds slots for the atoms of the checked formulas, some of them constant
    (optional extension)."""

    @property
    def constant_slots(self) -> Collection[str]:
        """Slots whose value never changes. The presence of such a slot makes an atom available to
        formulas; it does not add any states."""


@runtime_checkable
class HasStateDetails(Model, Protocol):
    """A model whose state views omit part of the state (optional extension)."""

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """Return the part of the state that the state view omits because it changes at every step:
        item -> value.

        The state view and the details together distinguish any two states.
        """


@runtime_checkable
class HasVocabulary(Model, Protocol):
    """A model that can list the atoms that formulas may use (optional extension)."""

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Return the atoms and names that a formula can use, by kind: beliefs, goals, actions,
        labels, numeric variables. They are written as in a formula.

        ``_`` stands for any argument. Each entry can be resolved by a model that observes it.
        """


@runtime_checkable
class HasIntentionStacks(Model, Protocol):
    """A model whose agents have intentions that are stacks (optional extension)."""

    def intention_stacks(self, state: SlotView) -> Mapping[str, Sequence[Sequence[str]]]:
        """Return the intentions of each agent as readable text. Each intention is listed from its
        top (the current step) down to its root (the original event)."""


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
    """A model whose program can run in an external world (optional extension).

    In a run, the agent decides among the choices of some components; the outcomes of the other
    components are random. If a world is connected, these outcomes are observed instead of drawn at
    random.
    """

    def is_environment(self, component: Component) -> bool:
        """Return whether a component belongs to the environment. Its outcomes are drawn or observed
        and never decided by the agent."""

    def match_observation(
        self,
        component: Component,
        state: SlotView,
        choices: Sequence[Choice],
        observation: Mapping[str, Hashable],
    ) -> ObservedTransition:
        """Return the outcome of a component of the environment that an observation made in
        ``state`` indicates.

        Each language defines the content of its observations. If no outcome in ``choices`` matches,
        the result is an unmodelled transition.
        """

    def span_of(self, component: Component) -> Span | None:
        """Return the span in the program that declares what the component changes, or None."""

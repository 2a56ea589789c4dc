"""What every language offers to the rest of Volition: a :class:`Program` that was read and a
:class:`Model` of it.

A language is a package with a function ``load(path, settings) -> Program``; the registry in
:mod:`volition.languages` finds it by the name of the file.  Above this seam nobody knows which
    language it was.
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
"""A state told to a person: section ("beliefs", "intentions", ...) ▶ item ▶ its value ("" if being
there is all)."""


@dataclass(frozen=True, slots=True, repr=False)
class Table(HtmlDisplay):
    """Rows and columns for people: what was parsed, what was found."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return True  # an empty table is one

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
        """The same for pandas."""
        return data_frame(self.columns, self.rows)


class Program(Protocol):
    """A program that was read and checked: no errors are left in it, perhaps warnings."""

    @property
    def language(self) -> str:
        """The name of the language for people, such as ``CAN``."""

    @property
    def sources(self) -> Sequence[Source]: ...

    @property
    def warnings(self) -> Sequence[Diagnostic]: ...

    @property
    def properties(self) -> Sequence[UnparsedProperty]: ...

    def tables(self) -> Sequence[Table]: ...

    def model(self, observed: Collection[Atom] = ()) -> Model:
        """The program's meaning.

        ``observed`` are the atoms of the formulas that will be asked.  Where the answer to one is
        not in the state (``Does``: the action executed in the step into this state), the language
        adds a slot that remembers just that.
        """


@runtime_checkable
class ParametricProgram(Program, Protocol):
    """A program with numbers that have names, its parameters, so that it can be swept: what a
    language may offer on top."""

    @property
    def parameters(self) -> Mapping[str, Fraction]:
        """The value of each parameter."""

    def with_parameters(self, values: Mapping[str, Fraction]) -> ParametricProgram:
        """The same program with other values for some parameters; raises :class:`InputError` where
        they make no sense."""

    def model(self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()) -> Model:
        """The program's meaning with the parameters in ``symbolic`` left open in its probabilities.

        Where the value of an open parameter decides more than how likely something is, this, the
        exploration or the evaluation of a leaf raises
        :class:`volition.kernel.weights.ParameterNeeded`, which names it.
        """


@runtime_checkable
class HasSentenceProperties(Program, Protocol):
    """A program whose language has sentences for properties: what a language may offer on top."""

    def translate_sentence(
        self, stated: UnparsedProperty, diagnostics: Diagnostics
    ) -> UnparsedProperty | None:
        """The property with a formula in the place of a sentence, and any other as it is.

        None, with an error in ``diagnostics``, for a sentence that the language does not know.
        """


@runtime_checkable
class HasPropertyFiles(Program, Protocol):
    """A program whose language has property files of its own: what a language may offer on top."""

    def read_property_file(
        self, source: Source, name: str | None, diagnostics: Diagnostics
    ) -> Sequence[UnparsedProperty] | None:
        """The properties in such a file, or those of one name, as formulas; None for a file of any
        other kind.

        What is wrong with those that are asked for goes to ``diagnostics``.
        """


@runtime_checkable
class HasInitialStates(Program, Protocol):
    """A program that may begin in several ways, of which a setting chooses one: what a language may
    offer on top."""

    @property
    def initial_state_setting(self) -> str:
        """The name of that setting."""

    def for_each_initial_state(self) -> Mapping[str, Program]:
        """The same program from each of its beginnings, by what people call them."""


@runtime_checkable
class HasGenericProperties(Program, Protocol):
    """A program whose language has questions that make sense for every program: what a language may
    offer on top."""

    def generic_properties(self, *, per_event: bool) -> Mapping[str, str]:
        """Each question by its name for people, as a formula; ``per_event`` asks also about each
        thing that the agent has to deal with."""


@dataclass(frozen=True, slots=True)
class ViewPredicate:
    """Something found, or not found, in a portrait: an item that is there, has a value, or is at
    least a number."""

    section: str
    item: str
    relation: Literal["there", "is", "at least"] = "there"
    value: str = ""
    positive: bool = True

    def holds(self, view: StateView) -> bool:
        """Whether a portrait is as the finding says."""
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
    """Where all findings hold, ``mover`` (a component of the system) goes on: by ``step``, where
    that one of several is meant.

    Of several rulings the first that fits counts.

    A ruling with a step is about how ``mover`` goes on when it does, one without about who goes on.
    A step is called by the text of its origin, followed by its rules in square brackets where
    ``mover`` has two of the same text.
    """

    predicates: tuple[ViewPredicate, ...]
    component: str
    action: str | None = None


@runtime_checkable
class AcceptsStrategy(Program, Protocol):
    """A program whose language can say what to choose: what a language may offer on top."""

    def with_strategy(
        self, rulings: Sequence[DecisionRule], stated: Sequence[tuple[str, str]]
    ) -> AcceptsStrategy:
        """The same program with these decisions written into it, after which nothing is open in it
        any more.

        Its first source is the text of the new program, which carries the properties ``stated`` (a
        formula and its expected result) instead of its own.  Raises :class:`InputError` where the
        language has no words for what a ruling says.
        """


@runtime_checkable
class HasFormulaLint(Protocol):
    """A model that has something to say about a formula as a whole: what a language may offer on
    top."""

    def lint(self, formula: Formula) -> Sequence[Diagnostic]:
        """What is wrong with a formula that none of its leaves shows, and what looks wrong;
        quantifiers over agents are expanded."""


class Model(Protocol):
    """A program's meaning: the system to explore, and how its states answer questions and are told
    to people."""

    @property
    def system(self) -> System: ...

    @property
    def agents(self) -> Sequence[str]: ...

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        """The traced function behind a leaf of a formula: an atom, a proposition, or a name in a
        comparison.

        Atoms and propositions give a bool, names in comparisons a number.  Raises
        :class:`InputError` with a span in the formula where the program knows no such thing.
        """

    def describe(self, state: SlotView) -> StateView:
        """The whole state, for people.  Traces show the differences between portraits."""


@runtime_checkable
class HasSlotDescriptions(Model, Protocol):
    """A model whose slots have short names for longer sentences: what a language may offer on
    top."""

    def slot_descriptions(self) -> Mapping[str, Mapping[str, Any]]:
        """Sentences by the names of slots: ``beliefs``, the steps of ``plans``, and what is
        ``awaited`` while a slot counts down."""


@runtime_checkable
class HasConstantSlots(Model, Protocol):
    """A model whose steps depend on what is asked: what a language may offer on top."""

    @property
    def constant_slots(self) -> Collection[str]:
        """Slots that hold always the same: by being there each says something that states can be
        asked about, and more cost no state."""


@runtime_checkable
class HasStateDetails(Model, Protocol):
    """A model whose portraits leave something out: what a language may offer on top."""

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """What a portrait leaves out because it changes with every step, in words: item ▶ value.

        Portrait and details together tell any two states apart.
        """


@runtime_checkable
class HasVocabulary(Model, Protocol):
    """A model that can say what formulas may speak of: what a language may offer on top."""

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """What a formula can ask, as it is written there, by its kind: beliefs, goals, actions,
        labels, numbers to compare.

        ``_`` stands for an argument that may be anything.  Each can be resolved, once a model was
        made that observes it.
        """


@runtime_checkable
class HasIntentionStacks(Model, Protocol):
    """A model whose agents have intentions that are stacks: what a language may offer on top."""

    def intention_stacks(self, state: SlotView) -> Mapping[str, Sequence[Sequence[str]]]:
        """The intentions of each agent in words, each from its top, what is done now, down to what
        all of it is for."""


@dataclass(frozen=True, slots=True)
class ObservedTransition:
    """What a component did in one step of a run: one outcome of one of its choices, or something
    that the model does not know.

    ``chance`` is the probability of the outcome once the choice is made.  It is None for a
    *surprise*: the model gives no such outcome, ``choice`` is None as well, and ``effect`` is what
    the language says that follows nevertheless.
    """

    writes: Mapping[str, Hashable]
    choice: Choice | None = None
    probability: Weight | None = None

    @property
    def is_unmodelled(self) -> bool:
        return self.probability is None


@runtime_checkable
class Executable(Model, Protocol):
    """A model whose program can run in a world that is not the model's: what a language may offer
    on top.

    When a program runs, the agent decides among the choices of some components, and others are
    draws of the world.  Where a world is connected, draws are not made but observed.
    """

    def is_environment(self, component: Component) -> bool:
        """Whether a component of the system belongs to the world: what it does is drawn or
        observed, and never decided by the agent."""

    def match_observation(
        self,
        component: Component,
        state: SlotView,
        choices: Sequence[Choice],
        observation: Mapping[str, Hashable],
    ) -> ObservedTransition:
        """What a component of the world did, seen from outside: the outcome of its choices in a
        state that an observation tells of.

        What an observation consists of is said by the language.  Where no outcome fits, the
        occurrence is a surprise.
        """

    def span_of(self, component: Component) -> Span | None:
        """Where the program speaks of what a component moves, if it does."""

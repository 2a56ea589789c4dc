"""Translation of plan bodies to Promela inlines.

A plan instance (an intended means) is a plan that an intention has started, with the values of its
variables and the index of its next body formula. A call of the inline of a plan runs the next
formula of one plan instance (Bordini et al., Sect. 4.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import assert_never

from volition.exporters.promela.bounds import ChannelBounds
from volition.exporters.promela.common import bound_assertion, inline
from volition.exporters.promela.matching import Bound, Channel, Lines, Matcher, option, printf, when
from volition.exporters.promela.names import UNBOUND, PromelaNames, unsupported
from volition.exporters.promela.selection import put_back
from volition.languages.agentspeak.settings import Settings
from volition.languages.agentspeak.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefCondition,
    Broadcast,
    Compare,
    Compute,
    Formula,
    Plan,
    Print,
    RandomItem,
    RandomNumber,
    RemoveBelief,
    Send,
    Test,
    Unify,
    terms_of,
)
from volition.languages.world.terms import (
    Structure,
    Term,
    Text,
    Variable,
    is_ground,
    list_items,
    show,
    variables,
)

__all__ = ["BodyWriter", "comparison", "computation", "given", "stored_variables", "unification"]

_RELATIONS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def stored_variables(plan: Plan) -> Sequence[str]:
    """Return the names of the variables whose values are stored for each started instance of a
    plan, in the Promela array ``i_data``. These are the variables of the plan, and internal ones
    that hold its triggering event."""
    return [
        name
        for name in dict.fromkeys([*variables(plan.trigger.pattern), *plan.variables])
        if name != "_"
    ]


def comparison(node: Compare, names: PromelaNames) -> str:
    """Return a comparison as a Promela expression. An order relation such as ``<`` is false unless
    both sides are numbers."""
    sides = [(each, names.value(each, node.span)) for each in (node.left, node.right)]
    numbers = (
        [f"_is_number({text})" for each, text in sides if not isinstance(each, int)]
        if node.relation not in ("=", "!=")
        else []
    )
    (_, left), (_, right) = sides
    return f"({' && '.join([*numbers, f'{left} {_RELATIONS[node.relation]} {right}'])})"


def unification(node: Unify, names: PromelaNames, bound: Bound, then: Lines, fail: Lines) -> Lines:
    """Return Promela code that assigns one side to an unbound variable on the other, or compares
    the two sides. It continues with ``then``, or with ``fail`` if the sides differ."""
    left, right = (names.value(each, node.span) for each in (node.left, node.right))
    for target, mine, yours in ((node.left, left, right), (node.right, right, left)):
        if isinstance(target, Variable) and target.name not in bound:
            return (
                then if "_" in (str(node.left), str(node.right)) else [f"{mine} = {yours};", *then]
            )
    return when(f"({left} == {right})", then, fail)


def computation(
    node: Compute, names: PromelaNames, bound: Bound, then: Lines, fail: Lines
) -> Lines:
    """Return Promela code that assigns the result of an arithmetic formula to its result variable
    or, if the variable is bound, compares the two. It continues with ``then`` or ``fail``."""
    left, right, result = (
        names.value(each, node.span) for each in (node.left, node.right, node.result)
    )
    numbers = [
        f"_is_number({text})"
        for each, text in ((node.left, left), (node.right, right))
        if not isinstance(each, int)
    ]
    computed = f"{left} {node.function} {right}"
    if isinstance(node.result, Variable) and node.result.name not in bound:
        done = [
            f"{result} = {computed};",
            bound_assertion(names.is_number(result), "the largest number"),
            *then,
        ]
        return when(f"({' && '.join(numbers)})", done, fail) if numbers else done
    return when(f"({' && '.join([*numbers, f'{result} == {computed}'])})", then, fail)


@dataclass(frozen=True)
class BodyWriter:
    """Writer of Promela code for the plan bodies of one agent."""

    agent: str
    me: int
    program: AgentProgram
    settings: Settings
    names: PromelaNames
    sizes: ChannelBounds
    matcher: Matcher

    def inline_name(self, plan: Plan) -> str:
        """Return the name of the Promela inline for the body of a plan."""
        return f"Plan_{self.agent}_{plan.name}"

    @cached_property
    def _entry(self) -> str:
        return f"_d[{self.me}].i_data[_idx]"

    def plan(self, plan: Plan) -> Lines:
        """Return the Promela inline that runs the next formula in the body of a plan."""
        loads = [
            f"{self.names.variable(name)} = {self._entry}.v[{position}];"
            for position, name in enumerate(stored_variables(plan))
        ]
        lines = [f"/* {' '.join(plan.span.text.split())} */"]
        options: Lines = []
        for counter, formula in enumerate(plan.body):
            code = self._formula(plan, counter, formula, _known_before(plan, counter))
            options += [f"/* {formula} */", *option(f"({self._entry}.counter == {counter})", code)]
        options += option(f"({self._entry}.counter == {len(plan.body)})", self._finish())
        return lines + inline(self.inline_name(plan), "", [*loads, "if", *options, "fi"])

    # --- plan instances ---------------------------------------------------------------------------

    def _advance(self, plan: Plan, counter: int, formula: Formula) -> Lines:
        """Return Promela code that runs after a successful body formula. It stores the values of
        newly bound variables and increments the formula counter of the plan instance (the started
        plan in ``i_data``). After the last formula, the instance is freed, and the instance whose
        subgoal it achieved continues."""
        if counter + 1 == len(plan.body):
            return self._finish()
        new = [name for name in _bound_by(formula) if name != "_"]
        position = {name: number for number, name in enumerate(stored_variables(plan))}
        stores = [
            f"{self._entry}.v[{position[name]}] = {self.names.variable(name)};"
            for name in sorted(new)
        ]
        return [
            *stores,
            f"{self._entry}.counter++;",
            *put_back(self.me, self.settings.select_intention, "_idx"),
        ]

    def _finish(self) -> Lines:
        waiting = f"_d[{self.me}].i_data[_x - 1]"
        resume = [
            f"{waiting}.counter++;",
            *put_back(self.me, self.settings.select_intention, "_x - 1"),
        ]
        return [
            f"_x = {self._entry}.parent;",
            f"_Free({self.me}, _idx);",
            *when("(_x > 0)", resume),
        ]

    def _fail(self) -> Lines:
        """Return Promela code for a body formula that failed. By default the intention waits
        forever, as in Bordini et al. With ``on_failure = event`` the goal that the plan pursues
        fails."""
        return [
            "_x = _idx + 1;",
            f"_Lose({self.me});"
            if self.settings.on_failure == "drop"
            else f"_Fail_{self.agent}();",
        ]

    def failure(self) -> Lines:
        """Return the Promela inline for plan failure. Starting at the top, it frees the plan
        instances of the intention up to and including the first one that pursues a goal. It then
        posts the failure of that goal as an event for the plan instance below."""
        if self.settings.on_failure == "drop":
            return []
        top = f"_d[{self.me}].i_data[_x - 1]"
        options: Lines = []
        for number, plan in enumerate(self.program.plans, 1):
            trigger = plan.trigger
            if trigger.is_goal:
                position = {name: index for index, name in enumerate(stored_variables(plan))}
                arguments = [
                    f"{top}.v[{position[each.name]}]"
                    if isinstance(each, Variable)
                    else self.names.constant(each, trigger.span)
                    for each in trigger.pattern.arguments
                ]
                values = [self.names.macro(trigger.atom.functor), *arguments]
                fill = [
                    f"_t{index} = {value};"
                    for index, value in enumerate(
                        values + ["_nil"] * (self.names.terms + 1 - len(values))
                    )
                ]
                post = [*fill, f"_y = {top}.parent;", f"_Free({self.me}, _x - 1);"]
                post += [
                    f"_Post({self.me}, _y, _DEL, _GOAL, {self.names.fields('_t')});",
                    "_x = 0;",
                ]
                options += option(f"({top}.plan == {number})", post)
        drop = [f"_y = {top}.parent;", f"_Free({self.me}, _x - 1);", "_x = _y;"]
        lines = [
            "do",
            *option("(_x > 0)", ["if", *options, *option("else", drop), "fi"]),
            ":: else -> break",
            "od",
        ]
        return inline(f"_Fail_{self.agent}", "", lines)

    # --- formulas ---------------------------------------------------------------------------------

    def _formula(self, plan: Plan, counter: int, formula: Formula, bound: Bound) -> Lines:
        then, fail, me = self._advance(plan, counter, formula), self._fail(), self.me
        beliefs = Channel(f"_b[{me}]", sourced=True)
        match formula:
            case Act(atom):
                request = (
                    f"_a!{self.names.macro(self.agent)},{self.names.message(atom, formula.span)};"
                )
                own = self.sizes.own.get("M_Act", {}).get(self.agent)
                asserted = (
                    []
                    if own is None
                    else [bound_assertion(f"len(_a) < {own}", f"{self.agent}.M_Act")]
                )
                return [
                    *asserted,
                    bound_assertion("len(_a) < M_Act", "M_Act"),
                    request,
                    "_Recount();",
                    *then,
                ]
            case Achieve(atom):
                self._must_be_known(atom, bound, formula)
                return [
                    f"_Post({me}, _idx + 1, _ADD, _GOAL, {self.names.message(atom, formula.span)});"
                ]
            case Test(atom):
                return self.matcher.first(beliefs, atom, bound, formula.span, then, fail)
            case AddBelief(atom):
                return [
                    f"_AddBelief({me}, _OTHER, {self.names.message(atom, formula.span)});",
                    *then,
                ]
            case RemoveBelief(atom):
                return [*self._removal(beliefs, atom, bound, formula), *then]
            case Send(receiver, force, content):
                to = self.names.value(receiver, formula.span)
                send = [
                    f"_Send({me}, _agent({to}), _{force.upper()}, "
                    f"{self.names.message(content, formula.span)});",
                    *then,
                ]
                if is_ground(receiver):
                    return send
                return when(
                    f"({to} >= {self.names.cells.first_symbol} && _agent({to}) < _AGENTS)",
                    send,
                    fail,
                )
            case Broadcast(force, content):
                message = self.names.message(content, formula.span)
                others = [index for index in range(len(self.names.program.agents)) if index != me]
                return [
                    *(f"_Send({me}, {index}, _{force.upper()}, {message});" for index in others),
                    *then,
                ]
            case Print(items):
                return [*self._print(items), *then]
            case Compare():
                return when(comparison(formula, self.names), then, fail)
            case Unify():
                return unification(formula, self.names, bound, then, fail)
            case Compute():
                return computation(formula, self.names, bound, then, fail)
            case RandomItem() | RandomNumber():
                return self._draw(formula, bound, then, fail)
            case _:
                assert_never(formula)

    def _must_be_known(self, atom: Structure, bound: Bound, formula: Formula) -> None:
        if not set(variables(atom)) <= bound:
            hint = "restriction (i) of the paper: store the value as a belief and use a test goal"
            raise unsupported(f"the goal !{atom}, which binds a variable,", formula.span, hint)

    def _removal(self, beliefs: Channel, atom: Structure, bound: Bound, formula: Formula) -> Lines:
        """Return Promela code that removes the first belief that matches an atom. Unbound variables
        match any value and stay unbound."""
        free = [
            name for name in dict.fromkeys(variables(atom)) if name not in bound and name != "_"
        ]
        remove = [f"_RemoveBelief({self.me}, {self.names.message(_named(atom), formula.span)});"]
        forget = [f"{self.names.variable(name)} = {UNBOUND};" for name in free]
        if _named(atom) != atom:
            raise unsupported(f"'{formula}'", formula.span, "give the variables names")
        return [*self.matcher.first(beliefs, atom, bound, formula.span, remove, []), *forget]

    def _print(self, items: Sequence[Term]) -> Lines:
        text = "".join(each.value if isinstance(each, Text) else "%d" for each in items)
        return [
            printf(
                f"{self.agent}: {text}",
                *(self.names.value(each, None) for each in items if not isinstance(each, Text)),
            )
        ]

    # --- nondeterministic choices -----------------------------------------------------------------

    def _draw(
        self, formula: RandomItem | RandomNumber, bound: Bound, then: Lines, fail: Lines
    ) -> Lines:
        """Return Promela code for ``.random``. The variable ``_choice`` has the number of the value
        to draw, which was chosen earlier in the same step. The code assigns this value to the
        result variable. If the result variable is already bound, the code only checks that it holds
        a possible value."""
        drawn, result = _is_drawn(formula, bound), self.names.value(formula.result, formula.span)
        if isinstance(formula, RandomNumber):
            first, last = (
                self.names.value(formula.first, formula.span),
                self.names.value(formula.last, formula.span),
            )
            if drawn:
                return when(f"({first} <= {last})", [f"{result} = {first} + _choice;", *then], fail)
            return when(f"({first} <= {result} && {result} <= {last})", then, fail)
        items = self._items(formula)
        if not items:
            return fail
        if not drawn:
            return when(f"({' || '.join(f'{result} == {item}' for item in items)})", then, fail)
        options = [
            line
            for number, item in enumerate(items)
            for line in option(f"(_choice == {number})", [f"{result} = {item}"])
        ]
        return ["if", *options, "fi;", *then]

    def _items(self, formula: RandomItem) -> Sequence[str]:
        items = list_items(formula.items)
        if items is None:
            raise unsupported(f"'{formula}', whose list is not written out,", formula.span)
        return [self.names.value(each, formula.span) for each in items]

    @cached_property
    def _random_formulas(self) -> Sequence[tuple[int, int, Plan, RandomItem | RandomNumber]]:
        return [
            (number, counter, plan, formula)
            for number, plan in enumerate(self.program.plans, 1)
            for counter, formula in enumerate(plan.body)
            if isinstance(formula, RandomItem | RandomNumber)
            and _is_drawn(formula, _known_before(plan, counter))
        ]

    @property
    def choice(self) -> str:
        """Promela expression for the number of the choice that the agent makes when it runs an
        intention: the selected intention, and the value of ``.random`` if it draws one."""
        if self.settings.select_intention.policy == "nondeterministic":
            return "_before + _choice" if self._random_formulas else "_pos"
        return "_choice" if self._random_formulas else "0"

    def choices(self) -> Lines:
        """Return Promela code for the nondeterministic choices of the intention stage: the
        intention to run, and the value of ``.random``."""
        lines: Lines = []
        if self.settings.select_intention.policy == "nondeterministic":
            lines += [f"_Select(_pos, len(_i[{self.me}]));"]
        elif self._random_formulas and self.settings.select_intention.policy not in (
            "fifo",
            "round-robin",
        ):
            raise unsupported(
                f".random with SelectIntention = {self.settings.select_intention}",
                self._random_formulas[0][3].span,
            )
        if self._random_formulas:
            lines += [
                "d_step {",
                *("    " + line for line in self._count_options()),
                "}",
                "_Select(_choice, _options);",
            ]
        return lines

    def _count_options(self) -> Lines:
        """Return Promela code that counts the possible values of ``.random`` in the next formulas
        of intentions. ``_options`` is the number for the selected intention (at position ``_pos``
        of channel i), and ``_before`` the sum for the intentions before it. An intention that draws
        nothing counts as 1."""
        channel = f"_i[{self.me}]"
        cases: Lines = []
        for number, counter, plan, formula in self._random_formulas:
            entry = f"_d[{self.me}].i_data[_r0]"
            cases += option(
                f"({entry}.plan == {number} && {entry}.counter == {counter})",
                [f"_n = {self._count(plan, formula, entry)}"],
            )
        look = [
            f"{channel}?_r0; {channel}!_r0;",
            "if",
            *cases,
            ":: else -> _n = 1",
            "fi;",
            *when("(_n < 1)", ["_n = 1"]),
            *when(
                "(_k1 < _pos)", ["_before = _before + _n"], when("(_k1 == _pos)", ["_options = _n"])
            ),
            "_k1++",
        ]
        return [
            "_before = 0; _options = 1; _k1 = 0;",
            "do",
            *option(f"(_k1 < len({channel}))", look),
            ":: else -> break",
            "od",
        ]

    def _count(self, plan: Plan, formula: RandomItem | RandomNumber, entry: str) -> str:
        if isinstance(formula, RandomItem):
            return str(len(self._items(formula)))
        position = {name: number for number, name in enumerate(stored_variables(plan))}
        first, last = (
            f"{entry}.v[{position[each.name]}]"
            if isinstance(each, Variable)
            else self.names.constant(each, formula.span)
            for each in (formula.first, formula.last)
        )
        return f"{last} - {first} + 1"


def given(plan: Plan) -> frozenset[str]:
    """Return the variables that are bound when the body of a plan starts: those of its trigger and
    of its context."""
    context = [
        terms_of(condition)
        for condition in plan.context
        if isinstance(condition, BeliefCondition | Unify | Compute)
    ]
    return frozenset(
        name for term in chain([plan.trigger.pattern], *context) for name in variables(term)
    )


def _known_before(plan: Plan, counter: int) -> Bound:
    """Return the variables that are bound before the formula at index ``counter`` of a plan's
    body."""
    at_first = given(plan).intersection(stored_variables(plan))
    return at_first.union(*(_bound_by(formula) for formula in plan.body[:counter]))


def _is_drawn(formula: RandomItem | RandomNumber, bound: Bound) -> bool:
    """Return whether ``.random`` binds its result variable. If the variable is already bound, its
    value is only tested."""
    return isinstance(formula.result, Variable) and formula.result.name not in bound


def _bound_by(formula: Formula) -> frozenset[str]:
    """Return the variables that a formula of a plan body binds if they are unbound."""
    match formula:
        case Test(atom):
            return frozenset(variables(atom)) - {"_"}
        case Unify(left, right):
            return frozenset([*variables(left), *variables(right)]) - {"_"}
        case Compute(_, _, _, result) | RandomItem(_, result) | RandomNumber(_, _, result):
            return frozenset(variables(result)) - {"_"}
        case (
            Act()
            | Achieve()
            | AddBelief()
            | RemoveBelief()
            | Send()
            | Broadcast()
            | Print()
            | Compare()
        ):
            pass
        case _:
            assert_never(formula)
    return frozenset()


def _named(atom: Structure) -> Structure:
    """Return the atom with each anonymous variable ``_`` replaced by the variable ``X``."""
    return Structure(
        atom.functor, tuple(Variable("X") if show(each) == "_" else each for each in atom.arguments)
    )

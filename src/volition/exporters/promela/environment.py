"""Translation of a declared world to the Promela process ``Environment``, which reads channel a
(actions) and writes channel p (percepts) (Bordini et al., Sect. 4.1).

If the condition of a rule is a Promela expression, it is the guard of the rule's step. Otherwise
the model computes the instances of the rule: the values of its variables that satisfy the
condition. They are counted whenever the world or the first pending action changes, and the step of
the rule chooses one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from volition.exporters.promela.bounds import ChannelBounds
from volition.exporters.promela.common import inline
from volition.exporters.promela.conditions import ConditionWriter, Known
from volition.exporters.promela.effects import EffectWriter, has_choices
from volition.exporters.promela.matching import Lines, Matcher, indented, printf, when
from volition.exporters.promela.names import NIL, PromelaNames, unsupported, variables_in
from volition.languages.common.slots import world_slot
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.syntax import ActionRule, StepRule, WorldRule
from volition.languages.world.terms import Structure, Variable

__all__ = ["EnvironmentWriter"]


@dataclass(frozen=True)
class EnvironmentWriter:
    """Writer of the Promela declarations, inlines and processes of one declared world."""

    names: PromelaNames
    world: DeclaredWorld
    sizes: ChannelBounds
    matcher: Matcher
    kept: list[int] = field(default_factory=list)

    @cached_property
    def _conditions(self) -> ConditionWriter:
        return ConditionWriter(self.names, self.world, self.matcher)

    @cached_property
    def _rules(self) -> Sequence[WorldRule]:
        return [*self.world.tree.steps, *self.world.tree.actions]

    # --- declarations -----------------------------------------------------------------------------

    def declarations(self) -> Lines:
        """Return the Promela declarations of the world: its variables, facts and freely changing
        percepts. Call this after :meth:`processes`, which determines how many auxiliary variables
        are needed."""
        lines = ["/* The state of the world. */"]
        for each in self.world.tree.variables:
            initial = self.world.slots[world_slot(each.name)]
            lines.append(
                f"short {self.names.world_variable(each.name)} = "
                f"{self.names.constant(initial, each.span)};"  # type: ignore[arg-type]
            )
        for functor in dict.fromkeys(
            each.signature.functor for each in self.world.tree.predicates if not each.perceived
        ):
            lines.append(
                f"chan {self.names.world_variable(functor)} = [{self.sizes.facts}] of {{ "
                f"{self.names.types} }};"
            )
        if self.world.free_percepts:
            lines.append(f"bool _free[{len(self.world.free_percepts)}];")
        if self._counted_rules:
            lines.append(
                f"byte _count[{len(self._counted_rules)}];   /* how many instances of a rule are "
                "possible now */"
            )
        if max(self.kept, default=0):
            lines.append(
                f"short _keep[{max(self.kept)}];   /* values within a step with choices; 0 "
                "between steps */"
            )
        return [*lines, "byte _outcome;", ""]

    def initial(self) -> Lines:
        """Return Promela code that adds the facts and percepts of the initial state to their
        channels."""
        lines: Lines = []
        for each in self.world.tree.predicates:
            channel = (
                "_p_!"
                if each.perceived
                else f"{self.names.world_variable(each.signature.functor)}!!"
            )
            for fact in each.initially:
                values = [
                    self._conditions.value(argument, (), each.span)[1]
                    for argument in fact.arguments
                ]
                lines.append(f"{channel}{self._fields(fact.functor, values)};")
        return lines

    def _fields(self, functor: str, values: Sequence[str]) -> str:
        return ",".join(
            [self.names.macro(functor), *values, *[NIL] * (self.names.terms - len(values))]
        )

    # --- guards of rules --------------------------------------------------------------------------

    @cached_property
    def _counted_rules(self) -> Sequence[WorldRule]:
        """Rules of the world whose condition cannot be written as a Promela expression. The Promela
        model counts their instances (values of the rule's variables that satisfy the condition),
        and the guard is that there is at least one. A rule ``otherwise`` is never among them: its
        guard is that no other rule for the same action applies."""
        return [
            rule
            for rule in self._rules
            if not getattr(rule, "otherwise", False) and self._plain_guard(rule) is None
        ]

    def _plain_guard(self, rule: WorldRule) -> str | None:
        """Return the guard of a rule of the world as a Promela expression, or None if it cannot be
        written as one. The model then counts the solutions of the rule's condition."""
        if isinstance(rule, StepRule):
            return self._conditions.expression(rule.condition)
        if rule.otherwise:
            others = [
                other
                for other in self.world.tree.actions
                if other.action.functor == rule.action.functor and not other.otherwise
            ]
            return " && ".join(
                [self._head(rule), *(f"!({self._guard(other)})" for other in others)]
            )
        condition = self._conditions.expression(rule.condition)
        known = [each.name for each in rule.action.arguments if isinstance(each, Variable)]
        simple = all(
            isinstance(each, Variable) or self._conditions.is_constant(each)
            for each in rule.action.arguments
        )
        # A guard can test that an action is pending, but it cannot bind variables to the arguments
        # of the action or to its agent. If the condition needs these variables, its solutions must
        # be counted.
        asks = set(variables_in(rule.condition)) & {*known, *([rule.agent] if rule.agent else [])}
        if condition is None or not simple or asks or len(known) != len(set(known)):
            return None
        return f"{self._head(rule)} && {condition}"

    def _guard(self, rule: WorldRule) -> str:
        plain = self._plain_guard(rule)
        return plain if plain is not None else f"_count[{self._counted_rules.index(rule)}] > 0"

    def _head(self, rule: ActionRule) -> str:
        """Return a Promela expression that is true if the first pending action matches the action
        in the head of a rule."""
        arguments = [
            "_" if isinstance(each, Variable) else self._conditions.value(each, (), rule.span)[1]
            for each in rule.action.arguments
        ]
        return f"_a?[_,{self._fields(rule.action.functor, arguments)}]"

    def _known(self, rule: WorldRule) -> Known:
        """Return the variables that the head of a rule binds: those in the arguments of its action,
        and the variable for the acting agent."""
        if isinstance(rule, StepRule):
            return ()
        names = [
            each.name
            for each in rule.action.arguments
            if isinstance(each, Variable) and each.name != "_"
        ]
        return tuple(dict.fromkeys([*names, *([rule.agent] if rule.agent else [])]))

    # --- counting the instances of rules ----------------------------------------------------------

    def inlines(self) -> Lines:
        """Return the Promela inlines of the world. An instance of a rule is an assignment of its
        variables that satisfies its condition.

        - ``_Find_n`` counts the instances of the n-th counted rule and sets the variables to one of
          them.
        - ``_Recount`` counts the instances of all counted rules.
        - ``_Settle`` runs after each change of the world. It updates ``_changed`` for agents with
          ``idle = block`` and calls ``_Recount``.
        """
        lines: Lines = []
        for number, rule in enumerate(self._counted_rules):
            lines += [
                f"/* {_source_text(rule)} */",
                *inline(f"_Find_{number}", "", self._find(rule)),
            ]
        recount = [
            line
            for number in range(len(self._counted_rules))
            for line in ("_want = 255;", f"_Find_{number}();", f"_count[{number}] = _n;")
        ]
        lines += inline("_Recount", "", recount or ["skip"])
        blocking = [
            names
            for names, settings in self.names.program.settings.items()
            if settings.idle == "block"
        ]
        look = [f"_LookAround({self.names.index(agent)});" for agent in blocking]
        return lines + inline("_Settle", "", [*look, "_Recount()"])

    def _find(self, rule: WorldRule) -> Lines:
        count = [*when("(_n == _want)", ["_found = 1"]), "_n++;"]
        known = self._known(rule)
        search = self._conditions.solve(rule.condition, known, lambda _: count, unless="_found")
        if isinstance(rule, ActionRule):
            bind, conditions = self._bind_action(rule)
            fields = self.names.fields("_e_")
            inner = [*bind, *search]
            search = when(
                "(len(_a) > 0)",
                [f"_a?<_r0,{fields}>;", *when(f"({' && '.join(conditions)})", inner)],
            )
        return ["_n = 0; _found = 0;", *search]

    def _bind_action(self, rule: ActionRule) -> tuple[Lines, Lines]:
        """Return Promela code for matching the first pending action with a rule, in two parts:
        assignments of the action's fields to variables of the rule, and conditions on the fields.
        """
        conditions = [f"_e_0 == {self.names.macro(rule.action.functor)}"]
        bindings = [f"{self.names.variable(rule.agent)} = _r0;"] if rule.agent else []
        seen: dict[str, str] = {}
        for position, each in enumerate(rule.action.arguments, 1):
            field = f"_e_{position}"
            if not isinstance(each, Variable):
                conditions.append(f"{field} == {self._conditions.value(each, (), rule.span)[1]}")
            elif each.name in seen:
                conditions.append(f"{field} == {seen[each.name]}")
            elif each.name != "_":
                seen[each.name] = field
                bindings.append(f"{self.names.variable(each.name)} = {field};")
        conditions += [
            f"_e_{position} == {NIL}"
            for position in range(len(rule.action.arguments) + 1, self.names.terms + 1)
        ]
        return bindings, conditions

    # --- Promela processes ------------------------------------------------------------------------

    def processes(self) -> Lines:
        """Return the Promela process ``Environment`` and, if the world has percepts that change
        freely, the process ``Nature``."""
        steps = [line for rule in self._rules for line in self._step(rule)]
        lines = [
            "proctype Environment() {",
            "    do",
            *indented(steps or [":: (0) -> skip"]),
            "    od",
            "}",
            "",
        ]
        if self.world.free_percepts:
            flips = [
                line
                for number, each in enumerate(self.world.free_percepts)
                for line in self._flip(number, each)
            ]
            lines += ["proctype Nature() {", "    do", *indented(flips), "    od", "}", ""]
        return lines

    def _flip(self, number: int, percept: Structure) -> Lines:
        change = [f"_free[{number}] = !_free[{number}];", "_Settle();"]
        report = when(
            f"_free[{number}]",
            [printf(f"@ nature|{percept} comes")],
            [printf(f"@ nature|{percept} goes")],
        )
        return [":: d_step {", *indented(["true ->", *change, *report, printf("@= 0")], 2), "   }"]

    def _step(self, rule: WorldRule) -> Lines:
        """Return a rule of the world as an option of the process ``Environment``. A rule whose
        effects contain no choices is one deterministic step."""
        known = self._known_in_effects(rule)
        start, choose = self._take(rule), []
        if rule in self._counted_rules:
            number = self._counted_rules.index(rule)
            choose = [f"_Select(_choice, _count[{number}]);"]
            start = ["_want = _choice;", f"_Find_{number}();", *start]
        start.append(self._announce(rule, known))
        writer = EffectWriter(self._conditions, self.sizes)
        end = ["_Settle();", printf("@= %d", "_outcome"), "_outcome = 0; _choice = 0;"]
        if has_choices(rule.effects):
            keep, effects = writer.with_choices(rule.effects, known)
            self.kept.append(writer.kept)
            inner = [
                "d_step {",
                *indented([*start, *keep]),
                "};",
                *effects,
                "d_step {",
                *indented([*writer.forget(), *end]),
                "}",
            ]
            block = ["atomic {", *indented([f"{self._guard(rule)} ->", *choose, *inner]), "}"]
        elif choose:
            inner = [
                "d_step {",
                *indented([*start, *writer.deterministic(rule.effects, known), *end]),
                "}",
            ]
            block = ["atomic {", *indented([f"{self._guard(rule)} ->", *choose, *inner]), "}"]
        else:
            steps = [*start, *writer.deterministic(rule.effects, known), *end]
            block = ["d_step {", *indented([f"{self._guard(rule)} ->", *steps]), "}"]
        return [f"/* {_source_text(rule)} */", f":: {block[0]}", *indented(block[1:])]

    def _take(self, rule: WorldRule) -> Lines:
        """Return Promela code that removes the action that a rule executes from channel a, the
        queue of pending actions. It also assigns the arguments of the action to variables of the
        rule, unless the inline ``_Find_n`` does this for the rule. A rule without an action has no
        such code."""
        if isinstance(rule, StepRule):
            return []
        receive = f"_a?_r0,{self.names.fields('_e_')};"
        return [receive] if rule in self._counted_rules else [receive, *self._bind_action(rule)[0]]

    def _known_in_effects(self, rule: WorldRule) -> Known:
        """Return the variables that have a value when the effects of a rule of the world are
        executed. These are the variables of the rule's head, followed by those that its condition
        binds. Raise :class:`InputError` if the sides of an ``or`` in the condition bind different
        variables."""
        found: list[Known] = []

        def note(known: Known) -> Lines:
            found.append(known)
            return []

        self._conditions.solve(rule.condition, self._known(rule), note)
        if len(set(found)) > 1:
            raise unsupported("an 'or' whose sides bind different variables", rule.span)
        return found[0] if found else self._known(rule)

    def _announce(self, rule: WorldRule, known: Known) -> str:
        """Return the Promela statement that prints which rule of the world is executed, with which
        values, to Spin's trail. In the printed text, ``#`` marks numbers that may stand for
        identifiers."""
        if isinstance(rule, StepRule):
            text, values = f"environment|{rule.name}", []
        else:
            values = [f"_e_{position}" for position in range(1, len(rule.action.arguments) + 1)]
            arguments = ",".join("#%d" for _ in values)
            text = f"environment|does {rule.action.functor}" + (f"({arguments})" if values else "")
        new = [name for name in known if name not in self._known(rule) and not name.startswith("_")]
        if new:
            text += f" ({', '.join(f'{name} = #%d' for name in new)})"
        return printf(f"@ {text}", *values, *(self.names.variable(name) for name in new))


def _source_text(rule: WorldRule) -> str:
    return " ".join(rule.span.text.split()).replace("*/", "* /")

"""Promela code that all translated AgentSpeak(F) systems share: identifiers, bounds, channels, and
the stages of the reasoning cycle that do not depend on the program.

The names of channels and inlines are those of Bordini et al., Sect. 4.1 and Fig. 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from volition.exporters.promela.bounds import ChannelBounds
from volition.exporters.promela.matching import Lines, indented, option, when
from volition.exporters.promela.names import PromelaNames
from volition.languages.agentspeak.syntax import FORCES
from volition.languages.world.syntax import ALL_AGENTS

__all__ = ["bound_assertion", "channels", "identifiers", "inline", "inlines", "own_room"]


def bound_assertion(condition: str, bound: str) -> str:
    """Return a Promela assertion that a bound is respected (Bordini et al., Sect. 4.1). If it
    fails, it prints the name of the bound to Spin's trail."""
    return (
        f'if :: ({condition}) -> skip :: else -> printf("@ exceeded {bound}\\n"); assert(false) fi;'
    )


def own_room(names: PromelaNames, sizes: ChannelBounds, bound: str, within: str) -> Lines:
    """Return Promela assertions for the agents that have their own limit on ``bound``. This is the
    name of a bound, such as ``M_Bel`` (the maximum number of beliefs of an agent).

    There is one assertion for each of these agents. It compares a number, such as the number of
    beliefs, with the limit of the agent. ``within`` is the left side of the comparison, such as
    ``len(_b[me]) <``. The comparison is made only if the Promela variable ``me`` is the index of
    the agent.
    """
    return [
        bound_assertion(f"me != {names.index(agent)} || {within} {limit}", f"{agent}.{bound}")
        for agent, limit in sizes.own.get(bound, {}).items()
    ]


def inline(name: str, parameters: str, body: Sequence[str]) -> Lines:
    """Return the Promela lines ``inline name(parameters) { body }`` and an empty line."""
    return [f"inline {name}({parameters}) {{", *indented(body), "}", ""]


def identifiers(names: PromelaNames, sizes: ChannelBounds, plan_variables: int) -> Lines:
    """Return Promela macros for bounds and identifiers; each identifier is a unique number."""
    first = names.cells.first_symbol
    lines = ["/* Identifiers: numbers below the first of these stand for themselves. */"]
    lines += [
        f"#define {macro} {number}{names.remark(macro)}" for macro, number in names.symbols.items()
    ]
    lines += [
        "",
        f"#define _nil {names.cells.nil}       /* the value of argument fields that an "
        "atom does not use */",
    ]
    lines += [f"#define _unbound {names.cells.unbound}   /* the value of an unbound variable */"]
    lines += [f"#define _is_number(x) ((x) < {first})", f"#define _agent(x) ((x) - {first})", ""]
    lines += ["/* Bounds (Sect. 3). */"]
    lines += [
        f"#define {name} {limit}{_unstated(name, sizes)}"
        for name, limit in sizes.bounds.items()
        if name != "M_Inst"
    ]
    lines += [
        f"#define M_Term {names.terms}",
        f"#define M_Var {max(1, plan_variables)}",
        f"#define _AGENTS {len(names.program.agents)}",
        "",
    ]
    lines += [
        "#define _INITIAL 0       /* where a belief comes from */",
        "#define _PERCEPT 1",
        "#define _OTHER 2",
    ]
    lines += [
        "#define _ADD 1           /* what an event is about */",
        "#define _DEL 0",
        "#define _BELIEF 0",
        "#define _GOAL 1",
    ]
    lines += [f"#define _{force.upper()} {number}" for number, force in enumerate(FORCES)]
    return [*lines, ""]


def _unstated(bound: str, sizes: ChannelBounds) -> str:
    """Return a Promela comment on a bound that the project does not state, or an empty text if it
    does."""
    return (
        ""
        if bound in sizes.stated
        else "   /* not stated in the project: increase it if its assertion fails */"
    )


def channels(names: PromelaNames, sizes: ChannelBounds) -> Lines:
    """Return the Promela declarations of the data structures of Bordini et al., Sect. 4.1. Each
    agent has its own; only the channels p (percepts) and a (actions) are shared."""
    atom = names.types
    return [
        "/* Data structures: channels are used as lists. */",
        f"typedef _Means {{ byte plan; byte counter; byte parent; bool lost; {names.cells.type} "
        "v[M_Var] };",
        "typedef _Mind { _Means i_data[M_Int] };",
        f"chan _b[_AGENTS] = [M_Bel] of {{ {atom},byte }};            /* beliefs: an atom and its "
        "source */",
        f"chan _m[_AGENTS] = [M_Msg] of {{ byte,byte,{atom} }};       /* mail: sender, "
        "illocutionary force, content */",
        f"chan _e[_AGENTS] = [M_Ev] of {{ byte,bit,bit,{atom} }};     /* events: intention, "
        "addition or deletion, belief or goal, atom */",
        "chan _i[_AGENTS] = [M_Int] of { byte };                  /* intentions that can run: "
        "indices into i_data */",
        "_Mind _d[_AGENTS];",
        f"chan _a = [M_Act] of {{ {names.cells.type},{atom} }};                    /* actions that "
        "wait for the environment */",
        f"chan _p_ = [{sizes.percepts}] of {{ {atom} }};                        /* percepts */",
        "bool _changed[_AGENTS];   /* whether an agent's percepts differ from its perceived "
        "beliefs */",
        "bool _started;            /* the initial state is complete */",
        "byte _choice, _pos, _options, _before;   /* nondeterministic choices within a step; 0 "
        "between steps */",
        "",
    ]


# --- stages of the reasoning cycle ----------------------------------------------------------------


def inlines(names: PromelaNames, sizes: ChannelBounds) -> Lines:
    """Return the Promela inlines for the stages of the reasoning cycle that all programs share, and
    the helpers that they call."""
    fields, evaluated = names.fields("_t"), names.evaluated("_t")
    parameters = ",".join(f"_f{number}" for number in range(names.terms + 1))
    query = ",".join(f"eval(_f{number})" for number in range(names.terms + 1))
    lines: Lines = []
    choose = [
        "variable = 0;",
        "do",
        ":: (variable + 1 < limit) -> variable++",
        ":: break",
        "od;",
        "skip",
    ]
    lines += inline("_Select", "variable, limit", choose)
    lines += inline(
        "_Post",
        f"me, intention, sign, kind, {parameters}",
        [
            *own_room(names, sizes, "M_Ev", "len(_e[me]) <"),
            bound_assertion("len(_e[me]) < M_Ev", "M_Ev"),
            f"_e[me]!intention,sign,kind,{parameters};",
        ],
    )
    lines += inline(
        "_AddBelief",
        f"me, source, {parameters}",
        when(
            f"_b[me]??[{query},_]",
            when(
                f"(source == _OTHER && _b[me]??[{query},_PERCEPT])",
                _no_longer_only_perceived(names),
            ),
            [
                *own_room(names, sizes, "M_Bel", "len(_b[me]) <"),
                bound_assertion("len(_b[me]) < M_Bel", "M_Bel"),
                f"_b[me]!{parameters},source;",
                *_instances(names, sizes),
                f"_Post(me, 0, _ADD, _BELIEF, {parameters})",
            ],
        ),
    )
    lines += inline(
        "_RemoveBelief",
        f"me, {parameters}",
        when(
            f"_b[me]??[{query},_]",
            [f"_b[me]??{query},_;", f"_Post(me, 0, _DEL, _BELIEF, {parameters})"],
        ),
    )
    mailed = [
        *own_room(names, sizes, "M_Msg", "len(_m[to]) <"),
        bound_assertion("len(_m[to]) < M_Msg", "M_Msg"),
        f"_m[to]!me,force,{parameters};",
    ]
    lines += inline("_Send", f"me, to, force, {parameters}", mailed)
    lines += inline("FindFreeSpace", "me", _find_free_space(names, sizes))
    lines += inline("_Free", "me, index", _free())
    lines += inline(
        "_Lose",
        "me",
        [
            "/* An intention that waits forever: it and those below it are no longer "
            "intentions (Sect. 4.2). */",
            "do",
            *option(
                "(_x > 0)",
                ["_d[me].i_data[_x - 1].lost = 1;", "_x = _d[me].i_data[_x - 1].parent;"],
            ),
            ":: else -> break",
            "od",
        ],
    )
    lines += [
        "/* Trust functions: full trust, unless the project says otherwise. */",
        *_trust(names),
        "",
    ]
    lines += inline("CheckMail", "me", _check_mail(fields))
    lines += _sees(names)
    lines += inline("BRF", "me", _belief_revision(names, fields, evaluated))
    lines += inline("_LookAround", "me", _belief_revision_pending(names, fields, evaluated))
    return lines


def _no_longer_only_perceived(names: PromelaNames) -> Lines:
    """Return Promela code for a perceived belief that the agent now also adds itself or receives
    from another agent. The code changes the source of the belief, so that the belief is kept when
    the percept disappears. The order of the beliefs does not change."""
    spare, source = names.fields("_r"), f"_r{names.terms + 1}"
    same = " && ".join(f"_r{number} == _f{number}" for number in range(names.terms + 1))
    change = when(f"({same})", [f"{source} = _OTHER"])
    look = ["_k0--;", f"_b[me]?{spare},{source};", *change, f"_b[me]!{spare},{source}"]
    return ["_k0 = len(_b[me]);", "do", *option("(_k0 > 0)", look), ":: else -> break", "od;"]


def _instances(names: PromelaNames, sizes: ChannelBounds) -> Lines:
    """Return Promela code that checks the bound M_Inst: it counts the beliefs with the same symbol
    and arity as the belief that was just added."""
    if not sizes.own.get("M_Inst"):
        return []
    spare = f"{names.fields('_r')},_r{names.terms + 1}"
    arity = [
        f"((_r{number} == _nil) == (_f{number} == _nil))" for number in range(1, names.terms + 1)
    ]
    count = when(f"({' && '.join(['_r0 == _f0', *arity])})", ["_n++"])
    look = ["_k0--;", f"_b[me]?{spare}; _b[me]!{spare};", *count]
    loop = [
        "_n = 0; _k0 = len(_b[me]);",
        "do",
        *option("(_k0 > 0)", look),
        ":: else -> break",
        "od;",
    ]
    return [*loop, *own_room(names, sizes, "M_Inst", "_n <=")]


def _find_free_space(names: PromelaNames, sizes: ChannelBounds) -> Lines:
    return [
        "_idx = 0;",
        "do",
        ":: (_idx < M_Int && _d[me].i_data[_idx].plan != 0) -> _idx++",
        ":: else -> break",
        "od;",
        *own_room(names, sizes, "M_Int", "_idx <"),
        bound_assertion("_idx < M_Int", "M_Int"),
    ]


def _free() -> Lines:
    return [
        *(f"_d[me].i_data[index].{field} = 0;" for field in ("plan", "counter", "parent", "lost")),
        "_k0 = 0;",
        "do",
        ":: (_k0 < M_Var) -> _d[me].i_data[index].v[_k0] = 0; _k0++",
        ":: else -> break",
        "od",
    ]


def _trust(names: PromelaNames) -> Lines:
    """Return the Promela macros ``TrustTell`` and ``TrustUntell`` for beliefs and ``TrustAchieve``
    for goals: expressions over the indices of receiver (``me``) and sender."""
    agents = list(names.program.agents)
    lines = []
    for force, function in (
        ("tell", "TrustTell"),
        ("untell", "TrustUntell"),
        ("achieve", "TrustAchieve"),
    ):
        distrusted = [
            f"(me == {names.index(receiver)} && sender == {names.index(sender)})"
            for receiver in agents
            for sender in agents
            if not names.program.settings[receiver].trust.trusts(receiver, sender, force)  # type: ignore[arg-type]
        ]
        lines.append(
            f"#define {function}(me, sender) "
            f"{'!(' + ' || '.join(distrusted) + ')' if distrusted else '1'}"
        )
    return lines


def _check_mail(fields: str) -> Lines:
    return when(
        "(len(_m[me]) > 0)",
        [
            f"_m[me]?_sender,_force,{fields};",
            "if",
            *option(
                "(_force == _TELL && TrustTell(me, _sender))", [f"_AddBelief(me, _OTHER, {fields})"]
            ),
            *option(
                "(_force == _UNTELL && TrustUntell(me, _sender))", [f"_RemoveBelief(me, {fields})"]
            ),
            *option(
                "(_force == _ACHIEVE && TrustAchieve(me, _sender))",
                [f"_Post(me, 0, _ADD, _GOAL, {fields})"],
            ),
            ":: else -> skip",
            "fi",
        ],
    )


# --- perception and belief revision ---------------------------------------------------------------


def _sees(names: PromelaNames) -> Lines:
    """Return the Promela macro that is true if agent ``me`` perceives the percept in the variables
    ``_t0``, ``_t1``, ..."""
    hidden_from = []
    for each in names.world.tree.predicates if names.world else ():
        if not each.perceived or each.visible_to == ALL_AGENTS:
            continue
        is_it = " && ".join(
            [f"_t0 == {names.macro(each.signature.functor)}"]
            + [
                f"_t{number} {'==' if number > len(each.signature.arguments) else '!='} _nil"
                for number in range(1, names.terms + 1)
            ]
        )
        if isinstance(each.visible_to, int):
            seen = f"_t{each.visible_to + 1} == me + {names.cells.first_symbol}"
        else:
            seen = " || ".join(f"me == {names.index(agent)}" for agent in each.visible_to)
        hidden_from.append(f"({is_it} && !({seen}))")
    expression = f"!({' || '.join(hidden_from)})" if hidden_from else "1"
    return [
        "/* Visibility: every agent perceives everything unless the world declares otherwise. */",
        f"#define _sees(me) {expression}",
        "",
    ]


def _free_percepts(names: PromelaNames, then: Sequence[str]) -> Lines:
    """Return Promela code that runs ``then`` for each present percept among those that the
    environment may add and remove at any time, in the order of declaration."""
    lines: Lines = []
    for number, percept in enumerate(names.world.free_percepts if names.world else ()):
        values = names.message(percept, None).split(",")
        fill = [f"_t{position} = {value};" for position, value in enumerate(values)]
        lines += when(f"_free[{number}]", [*fill, *then])
    return lines


def _perceived(names: PromelaNames, evaluated: str) -> str:
    """Return a Promela expression that is true if the atom in the variables ``_t0``, ``_t1``, ...
    is a percept."""
    free = [
        f"(_free[{number}] && "
        + " && ".join(
            f"_t{i} == {value}" for i, value in enumerate(names.message(percept, None).split(","))
        )
        + ")"
        for number, percept in enumerate(names.world.free_percepts if names.world else ())
    ]
    return "(" + " || ".join([f"_p_??[{evaluated}]", *free]) + ")"


def _belief_revision(names: PromelaNames, fields: str, evaluated: str) -> Lines:
    add = when("_sees(me)", [f"_AddBelief(me, _PERCEPT, {fields})"])
    remove = when(
        f"(_s == _PERCEPT && !{_perceived(names, evaluated)})",
        [f"_Post(me, 0, _DEL, _BELIEF, {fields})"],
        [f"_b[me]!{fields},_s"],
    )
    return [
        "/* Percepts that are not believed are added ... */",
        "_k1 = len(_p_);",
        "do",
        *option("(_k1 > 0)", ["_k1--;", f"_p_?{fields}; _p_!{fields};", *add]),
        ":: else -> break",
        "od;",
        *_free_percepts(names, add),
        "/* ... and what was perceived and no longer is, is removed. */",
        "_k1 = len(_b[me]);",
        "do",
        *option("(_k1 > 0)", ["_k1--;", f"_b[me]?{fields},_s;", *remove]),
        ":: else -> break",
        "od;",
        "_changed[me] = 0",
    ]


def _belief_revision_pending(names: PromelaNames, fields: str, evaluated: str) -> Lines:
    notice = when(f"(_sees(me) && !(_b[me]??[{evaluated},_]))", ["_changed[me] = 1"])
    miss = when(f"(_s == _PERCEPT && !{_perceived(names, evaluated)})", ["_changed[me] = 1"])
    return [
        "/* Whether belief revision would change anything: idle agents start no cycle. */",
        "_changed[me] = 0;",
        "_k1 = len(_p_);",
        "do",
        *option("(_k1 > 0)", ["_k1--;", f"_p_?{fields}; _p_!{fields};", *notice]),
        ":: else -> break",
        "od;",
        *_free_percepts(names, notice),
        "_k1 = len(_b[me]);",
        "do",
        *option("(_k1 > 0)", ["_k1--;", f"_b[me]?{fields},_s; _b[me]!{fields},_s;", *miss]),
        ":: else -> break",
        "od",
    ]

"""Random systems of two agents with a small world, or a random one, for differential tests.

All programs are well formed: variables have values where they need them.  Goals post only goals
that stand behind them, so most systems are finite; those that exceed the bounds are for the test to
leave out.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

__all__ = [
    "BOUNDS",
    "FORMULAS",
    "MENTIONS",
    "SELECTIONS",
    "SYSTEMS",
    "WORLD",
    "WORLDS",
    "RandomSystem",
]

WORLD = """
percept light
percept level(N) initially level(0)
variable dimmed = false
action press when not light do add light
action press otherwise do either { remove light } or { nothing }
action put(X) by A when not level(X) do remove level(_); add level(X)
action put(X) otherwise do either { nothing } or { remove level(_); add level(0) }
step dim when light and not dimmed do dimmed := true; remove light
"""

BOUNDS = (
    "M_Ev = 4\nM_Int = 4\nM_Msg = 2\nM_Act = 2\nM_Bel = 6\nM_Term = 1\nM_Conj = 2\nM_Var = "
    "8\nM_Inst = 4"
)


@dataclass(frozen=True)
class RandomSystem:
    """Programs of agents a and b, and options of their project."""

    a: str
    b: str
    options: str

    @property
    def agents(self) -> dict[str, str]:
        return {"a": self.a, "b": self.b}


CONSTANTS = st.sampled_from(["1", "2"])
GROUND = st.one_of(st.just("q"), CONSTANTS.map(lambda c: f"p({c})"))
TRIGGERS = st.sampled_from(
    [
        "+p(X)",
        "+p(1)",
        "+p(_)",
        "-p(X)",
        "+q",
        "-q",
        "+light",
        "-light",
        "+level(X)",
        "+!g(X)",
        "+!g(_)",
        "+!g(_)",
        "+!g(2)",
        "+!h",
        "+!h",
        "-!g(X)",
        "-!g(_)",
        "-!h",
    ]
)
CONDITIONS = st.sampled_from(
    [
        "p(Y)",
        "p(1)",
        "p(_)",
        "not p(2)",
        "not p(Z)",
        "not p(_)",
        "q",
        "not q",
        "light",
        "not light",
        "level(Y)",
    ]
)
CONDITIONS_WITH_X = st.sampled_from(
    [
        "p(X)",
        "not p(X)",
        "X > 1",
        "X != 2",
        ".lt(X,2)",
        ".minus(3,X,Y)",
        ".plus(X,1,2)",
        "Y = X",
        "X = 2",
    ]
)


def _formulas(other: str, *, value: str, goals: list[str]) -> st.SearchStrategy[str]:
    """Formulas where ``value`` is a term that has a value."""
    simple = [
        f"+p({value})",
        "+q",
        "-q",
        "-p(Y)",
        "?p(Y)",
        "?p(_)",
        f"?p({value})",
        "press",
        f"put({value})",
        f".send({other},tell,p({value}))",
        f".send({other},tell,q)",
        f".send({other},tell,light)",
        f".send({other},untell,light)",
        "+light",
        "+level(1)",
        "-level(Y)",
        f".send({other},untell,q)",
        f".send({other},achieve,h)",
        f"{value} < 2",
        f".plus({value},0,Z)",
        f"Z = {value}",
        f"{value} = W",
        f"{value} == 1",
        '.print("here")',
        ".random([1,2],R)",
        f".broadcast(tell,p({value}))",
    ]
    return st.sampled_from(simple + [f"!{goal}" for goal in goals] * 2)


@st.composite
def _plans(draw: st.DrawFn, other: str) -> str:
    trigger = draw(TRIGGERS)
    has_x = "(X)" in trigger
    conditions = draw(
        st.lists(st.one_of(CONDITIONS, CONDITIONS_WITH_X) if has_x else CONDITIONS, max_size=2)
    )
    value = "X" if has_x else draw(CONSTANTS)
    goals = [] if "!h" in trigger else ["h"] if "!g" in trigger else ["h", f"g({value})"]
    body = draw(st.lists(_formulas(other, value=value, goals=goals), min_size=1, max_size=3))
    return f"{trigger} : {' & '.join(conditions) or 'true'} <- {'; '.join(body)}."


MENTIONS = "+!never <- +q; +p(1); !h; !g(1); press; put(1)."
"""A plan that never runs, so that formulas may speak of everything in every program."""


@st.composite
def _agents(draw: st.DrawFn, other: str) -> str:
    beliefs = draw(st.lists(GROUND, max_size=2, unique=True))
    goals = draw(st.lists(st.sampled_from(["h", "g(1)", "g(2)"]), max_size=2))
    plans = draw(st.lists(_plans(other), min_size=1, max_size=4))
    return "\n".join(
        [*(f"{each}." for each in beliefs), *(f"!{each}." for each in goals), *plans, MENTIONS]
    )


SYSTEMS: st.SearchStrategy[RandomSystem] = st.builds(
    RandomSystem,
    _agents("b"),
    _agents("a"),
    st.builds(
        "{}\n{}".format,
        st.sampled_from(["idle = block", "idle = block", "idle = cycle"]),
        st.sampled_from(["", "on_failure = event"]),
    ),
)

SELECTIONS = st.builds(
    "SelectEvent = {}\nSelectIntention = {}".format,
    st.sampled_from(["fifo", "lifo", "priority(h, p)", "priority(nosuch, q)", "nondeterministic"]),
    st.sampled_from(
        ["round-robin", "fifo", "lifo", "priority(h, g)", "priority(nosuch, q)", "nondeterministic"]
    ),
)
"""Selection functions; with some of them ``.random`` has no translation to Promela."""

_CHANGES = st.sampled_from(
    [
        "nothing",
        "add light",
        "remove light",
        "remove level(_)",
        "remove level(1)",
        "add level(2)",
        "remove kept(1)",
        "add kept(2)",
        "remove kept(_)",
        "dimmed := true",
    ]
)
_ASKED = st.sampled_from(
    ["light", "not light", "level(0)", "dimmed = true", "kept(1)", "some N in {1, 2}: kept(N)"]
)


def _branches(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{}; {}".format, inner, inner),
        st.builds("if {} {{ {} }}".format, _ASKED, inner),
        st.builds("if {} {{ {} }} else {{ {} }}".format, _ASKED, inner, inner),
    )


_SETTLED = st.recursive(_CHANGES, _branches, max_leaves=3)
_EFFECTS = st.one_of(
    _SETTLED,
    st.recursive(
        st.one_of(_CHANGES, st.builds("either {{ {} }} or {{ {} }}".format, _SETTLED, _SETTLED)),
        lambda inner: st.one_of(
            _branches(inner), st.builds("either {{ {} }} or {{ {} }}".format, inner, inner)
        ),
        max_leaves=3,
    ),
    st.builds("chance 1/2 {{ {} }} or 1/2 {{ {} }}".format, _SETTLED, _SETTLED),
    st.builds("{}; chance 1/4 {{ {} }} or 3/4 {{ {} }}".format, _SETTLED, _SETTLED, _SETTLED),
)
"""Effects with branches in each other, that end with anything; of chance there is at most one, as
no more has a translation to Promela."""

WORLDS: st.SearchStrategy[str] = st.builds(
    "percept light\npercept level(N) initially level(0)\nfact kept(N) initially kept(1)\nvariable dimmed = false\n"  # noqa: E501
    "action press when not light do {}\naction press otherwise do {}\n"
    "action put(X) do {}; {}\nstep dim when not dimmed = true and level(N) and N > 0 do dimmed := "
    "true; {}\n".format,
    _EFFECTS,
    _EFFECTS,
    st.sampled_from(["nothing", "remove level(_); add level(X)", "add kept(X)"]),
    _EFFECTS,
    _EFFECTS,
)
"""Worlds with what :data:`WORLD` has, whose actions do something else."""

_ATOMS = st.sampled_from(
    [
        "Bel(a, q)",
        "Bel(b, q)",
        "Bel(a, p(1))",
        "Bel(b, p(2))",
        "Bel(b, light)",
        "Des(a, h)",
        "Des(b, g(1))",
        "Int(a, h)",
        "Int(b, h)",
        "Int(a, g(1))",
        "Int(a, g(2))",
        "Int(b, g(_))",
        "Des(a, g(2))",
        "Does(a, press)",
        "Does(b, put(1))",
        "light",
        "level(1)",
        "level(0)",
        "dimmed",
    ]
)
FORMULAS: st.SearchStrategy[str] = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        inner.map(lambda f: f"!({f})"),
        inner.map(lambda f: f"[] ({f})"),
        inner.map(lambda f: f"<> ({f})"),
        st.builds(
            "(({}) {} ({}))".format, inner, st.sampled_from(["&", "|", "->", "U", "R", "W"]), inner
        ),
    ),
    max_leaves=4,
)
"""Formulas of Sect. 4.2: LTL without the next operator."""

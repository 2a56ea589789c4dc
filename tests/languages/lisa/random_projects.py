"""Random small LISA projects: everything that the model knows, in programs that no person would write.

Some sentences differ by marks alone, which must not make them one belief.
"""

from __future__ import annotations

from hypothesis import strategies as st

from tests.languages.lisa.projects import action, reasoning

__all__ = ["projects"]

NOTES = ("Note one", "Note > one", "Note-one")
PERCEPTS = ("Percept one", "Percept two")
FEEDBACKS = (("Done",), ("Good", "Bad"))
BELIEFS = (*NOTES, *PERCEPTS, *(each for feedbacks in FEEDBACKS for each in feedbacks))
CALLS = ("Act", "Try")

belief = st.sampled_from(BELIEFS).map(lambda text: f"^[{text}]")
chance = st.sampled_from(("0", "0.25", "0.5", "1"))
triple = st.builds(lambda p, mean, deviation: f"[{p},{mean},{deviation}]", chance, st.integers(1, 3), st.integers(0, 2))
rewards = st.sampled_from(("", "", " {cost=1}", " {cost=2.5,time=1}"))

condition = st.recursive(
    st.one_of(belief, belief.map(lambda text: f"~{text}"), st.just("true")),
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner), st.builds("({} or {})".format, inner, inner), st.builds("not ({})".format, inner)
    ),
    max_leaves=4,
)

event = st.builds("{}{}".format, st.sampled_from(("", "", "~", "+", "-")), belief)
internal = st.builds("{}^[{}]{}".format, st.sampled_from("+-"), st.sampled_from(NOTES), rewards)
external = st.builds("[{}.]{}".format, st.sampled_from(CALLS), rewards)
steps = st.lists(st.one_of(internal, external), min_size=1, max_size=3).map("\n".join)
# Few triggers and contexts, so that plans often share them.
trigger = st.one_of(st.just("If ^[Note one] while ^[Percept one] then"), st.builds("If {} while {} then".format, event, condition))
plan = st.builds("{}\n{}".format, trigger, steps)
rule = st.builds("If {} then {}^[{}]".format, condition, st.sampled_from(("", "~")), st.sampled_from(NOTES))


@st.composite
def projects(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    """A reasoning file and its action files.  The last plan never runs; it defines the notes that nothing else changes."""
    percepts = []
    for name in PERCEPTS:
        given_by = ", ".join(draw(st.lists(st.sampled_from((*NOTES, *PERCEPTS)), max_size=1)))
        percepts.append(f"{name}. {{[{given_by}],{draw(triple)},{draw(triple)}}}{draw(rewards)}")
    actions = {}
    for name, feedbacks in zip(CALLS, FEEDBACKS, strict=True):
        mean, deviation = draw(st.integers(1, 3)), draw(st.integers(0, 2))
        weights = ("1",) if len(feedbacks) == 1 else draw(st.sampled_from((("0.25", "0.75"), ("0.5", "0.5"), ("0", "1"))))
        reports = ", ".join(f"{text}[{weight},{mean},{deviation}]" for text, weight in zip(feedbacks, weights, strict=True))
        actions[name.lower()] = action(name.lower(), reports)
    defining = "If ^[Never] while true then\n+^[Never]\n" + "\n".join(f"+^[{note}]" for note in NOTES)
    main = reasoning(
        beliefs="\n".join(f"{text}." for text in draw(st.sets(st.sampled_from((*NOTES, *PERCEPTS))).map(sorted))),
        actions="\n".join(f"{text}." for text in draw(st.sets(st.sampled_from(CALLS)).map(sorted))),
        percepts="\n".join(percepts),
        rules="\n".join(draw(st.lists(rule, max_size=3))),
        plans="\n".join([*draw(st.lists(plan, min_size=1, max_size=3)), defining]),
    )
    return main, actions

"""Random small LISA projects: everything that the model knows, in programs that no person would
write.

Some sentences differ by marks alone, which must not make them one belief.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.languages.lisa.projects import action, reasoning

__all__ = ["projects", "teams"]

chance = st.sampled_from(("0", "0.25", "0.5", "1"))
triple = st.builds(
    lambda p, mean, deviation: f"[{p},{mean},{deviation}]",
    chance,
    st.integers(1, 3),
    st.integers(0, 2),
)
rewards = st.sampled_from(("", "", " {cost=1}", " {cost=2.5,time=1}"))


@dataclass(frozen=True)
class Vocabulary:
    """What a random agent speaks of; ``calls`` are its actions with their feedbacks, ``sends`` what
    it says to others."""

    notes: Sequence[str] = ("Note one", "Note > one", "Note-one")
    percepts: Sequence[str] = ("Percept one", "Percept two")
    calls: Sequence[tuple[str, Sequence[str]]] = (("Act", ("Done",)), ("Try", ("Good", "Bad")))
    messages: Sequence[str] = ()
    sends: Sequence[str] = ()
    max_plans: int = 3

    @property
    def beliefs(self) -> list[str]:
        return [
            *self.notes,
            *self.percepts,
            *(each for _, feedbacks in self.calls for each in feedbacks),
            *self.messages,
        ]


@dataclass(frozen=True)
class Phrases:
    """The parts of programs in some vocabulary."""

    words: Vocabulary

    @property
    def belief(self) -> st.SearchStrategy[str]:
        return st.sampled_from(self.words.beliefs).map(lambda text: f"^[{text}]")

    @property
    def condition(self) -> st.SearchStrategy[str]:
        return st.recursive(
            st.one_of(self.belief, self.belief.map(lambda text: f"~{text}"), st.just("true")),
            lambda inner: st.one_of(
                st.builds("({} and {})".format, inner, inner),
                st.builds("({} or {})".format, inner, inner),
                st.builds("not ({})".format, inner),
            ),
            max_leaves=4,
        )

    @property
    def trigger(self) -> st.SearchStrategy[str]:
        """Few triggers and contexts, so that plans often share them; and some that often hold, so
        that plans run beside each other."""
        event = st.builds("{}{}".format, st.sampled_from(("", "", "~", "+", "-")), self.belief)
        common = f"If ^[{self.words.notes[0]}] while ^[{self.words.percepts[0]}] then"
        often = st.sampled_from(
            (common, f"If ~^[{self.words.percepts[0]}] then", f"If ~^[{self.words.notes[0]}] then")
        )
        return st.one_of(often, st.builds("If {} while {} then".format, event, self.condition))

    @property
    def rule(self) -> st.SearchStrategy[str]:
        return st.builds(
            "If {} then {}^[{}]".format,
            self.condition,
            st.sampled_from(("", "~")),
            st.sampled_from(self.words.notes),
        )

    def plan(self, others: Sequence[int]) -> st.SearchStrategy[str]:
        """A plan, which may withdraw the others."""
        internal = st.builds(
            "{}^[{}]".format, st.sampled_from("+-"), st.sampled_from(self.words.notes)
        )
        bracketed = [name for name, _ in self.words.calls] + [
            f"Withdraw plan {number}" for number in others
        ] * 2
        bracketed += list(self.words.sends) * 2
        external = st.sampled_from(bracketed).map(lambda text: f"[{text}.]")
        step = st.builds("{}{}".format, st.one_of(internal, external), rewards)
        return st.builds(
            "{}\n{}".format, self.trigger, st.lists(step, min_size=1, max_size=3).map("\n".join)
        )


@st.composite
def agents(draw: st.DrawFn, words: Vocabulary) -> tuple[str, dict[str, str]]:
    """A reasoning file and its action files.  The last plan never runs; it defines the notes that
    nothing else changes."""
    phrases = Phrases(words)
    percepts = []
    for name in words.percepts:
        given_by = ", ".join(
            draw(st.lists(st.sampled_from((*words.notes, *words.percepts)), max_size=1))
        )
        percepts.append(f"{name}. {{[{given_by}],{draw(triple)},{draw(triple)}}}{draw(rewards)}")
    if words.messages:
        percepts += [
            "Monitor the following messages:",
            *(f"{each}.{draw(rewards)}" for each in words.messages),
        ]
    actions = {}
    for name, feedbacks in words.calls:
        mean, deviation = draw(st.integers(1, 3)), draw(st.integers(0, 2))
        weights = (
            ("1",)
            if len(feedbacks) == 1
            else draw(st.sampled_from((("0.25", "0.75"), ("0.5", "0.5"), ("0", "1"))))
        )
        reports = ", ".join(
            f"{text}[{weight},{mean},{deviation}]"
            for text, weight in zip(feedbacks, weights, strict=True)
        )
        actions[name.lower()] = action(name.lower(), reports)
    defining = "If ^[Never] while true then\n+^[Never]\n" + "\n".join(
        f"+^[{note}]" for note in words.notes
    )
    total = draw(st.integers(1, words.max_plans)) + 1
    plans = [
        draw(phrases.plan([other for other in range(1, total + 1) if other != number]))
        for number in range(1, total)
    ]
    initial = [name for name, _ in words.calls] + [f"[{each}.]" for each in words.sends]
    main = reasoning(
        beliefs="\n".join(
            f"{text}."
            for text in draw(st.sets(st.sampled_from((*words.notes, *words.percepts))).map(sorted))
        ),
        actions="\n".join(
            text if text[0] == "[" else f"{text}."
            for text in draw(st.sets(st.sampled_from(initial)).map(sorted))
        ),
        percepts="\n".join(percepts),
        rules="\n".join(draw(st.lists(phrases.rule, max_size=3))),
        plans="\n".join([*plans, defining]),
    )
    return main, actions


def projects() -> st.SearchStrategy[tuple[str, dict[str, str]]]:
    """One agent: its reasoning file and its action files by their names."""
    return agents(Vocabulary())


_ASKING = Vocabulary(
    notes=("Note one", "Note two"),
    percepts=("Percept one",),
    calls=(("Act", ("Done",)),),
    messages=("Answer",),
    sends=("Send ^[Question] to b", "Send ^[Nonsense] to b", "Send ^[Other nonsense] to all"),
    max_plans=2,
)
_ANSWERING = Vocabulary(
    notes=("Note one",),
    percepts=("Percept two",),
    calls=(("Try", ("Good", "Bad")),),
    messages=("Question", "Unknown message received"),
    sends=("Send ^[Answer] to A", "Send ^[Answer] to a and a"),
    max_plans=2,
)


@st.composite
def teams(draw: st.DrawFn) -> dict[str, str]:
    """The files of two agents that talk to each other."""
    files: dict[str, str] = {}
    for name, words in (("a", _ASKING), ("b", _ANSWERING)):
        main, actions = draw(agents(words))
        files |= {f"{name}.sej": main} | {
            f"{name}/{action}.sep": text for action, text in actions.items()
        }
    return files

"""What public programs for Jason use, feature by feature: read and given its meaning, or refused by
name.

The counts are of 137 files: examples, demos and tutorials that come with Jason 3.3.
``docs/reference/jason.md`` shows the shares; ``python -m tests.languages.jason.test_census`` prints
its table.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from volition.diagnostics import InputError
from volition.languages import jason

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "jason.md"


class Feature(NamedTuple):
    """How often it occurs, a program that has it, and what stands beside the program."""

    group: str
    name: str
    occurrences: int
    program: str
    beside: str = ""
    is_read: bool = True


CENSUS = (
    Feature("statements", "plans", 591, "+!g : true <- .print(a)."),
    Feature("statements", "initial beliefs", 85, "p(1)."),
    Feature("statements", "initial beliefs with a variable", 13, "p(X, X). +!g : p(1, 1)."),
    Feature("statements", "initial goals", 108, "!g. +!g."),
    Feature("statements", "rules", 86, "p(1). r(X) :- p(X) & X > 0. +!g : r(_)."),
    Feature("statements", "labels of plans", 46, "@l +!g."),
    Feature("statements", "[atomic]", 36, "@l[atomic] +!g."),
    Feature("statements", "[breakpoint]", 1, "@l[breakpoint] +!g."),
    Feature("statements", "plans without body", 63, "+!g."),
    Feature("statements", "{include(..)}", 17, '{ include("other.asl") }'),
    Feature(
        "statements",
        "{register_function(..)} with a predicate",
        7,
        '{ register_function("my.f", 1, "p") } p(1, 2). +!g <- X = my.f(1); +q(X).',
    ),
    Feature(
        "statements",
        "sub-plans and goal conditions",
        4,
        "+!g <: done <- .print(a). { +!h. }",
        is_read=False,
    ),
    Feature("statements", "namespaces", 30, "n::p(1). +!g : n::p(X) <- +n::q(X)."),
    Feature("triggers", "+b", 175, "+p."),
    Feature("triggers", "-b", 4, "-p."),
    Feature("triggers", "+!g", 388, "+!g."),
    Feature("triggers", "-!g", 19, "!g. +!g <- .fail. -!g."),
    Feature("triggers", "+?g", 5, "!g. +!g <- ?t(X); +p(X). +?t(X) <- X = 1."),
    Feature("triggers", "meta events", 3, "!g. +!g. ^!g[state(finished)]."),
    Feature("triggers", "lists in triggers", 37, "+!g([H | T]) <- .print(H, T)."),
    Feature("triggers", "variables as triggers", 3, "!g. +!G <- .print(G)."),
    Feature("annotations", "in triggers", 56, "+p[source(a)]."),
    Feature("annotations", "in contexts", 3, "p[k]. +!g : p[k]."),
    Feature("annotations", "in beliefs of bodies", 5, "+!g <- +p[k]; -p[k]."),
    Feature("annotations", "in arguments", 15, "p. +!g <- .count(p[source(_)], N); +q(N)."),
    Feature("queries", "&", 331, "p. q. +!g : p & q."),
    Feature("queries", "|", 11, "p. q. +!g : p | q."),
    Feature("queries", "not", 82, "p. +!g : not p."),
    Feature("queries", "~", 23, "~p. +!g : ~p."),
    Feature("queries", "=", 57, "+!g : X = 1 <- +p(X)."),
    Feature("queries", "== and \\==", 25, "+!g(X) : X == 1 | X \\== 2."),
    Feature("queries", "< <= > >=", 75, "+!g(X) : X < 1 | X <= 2 | X > 3 | X >= 4."),
    Feature("queries", "internal actions", 187, "+!g(L) : .member(1, L)."),
    Feature("queries", "=..", 3, "+!g(X) : X =.. L <- +p(L)."),
    Feature("bodies", "actions", 131, "+!g <- act(1)."),
    Feature("bodies", "!g", 251, "+!g <- !h. +!h."),
    Feature("bodies", "!!g", 54, "+!g <- !!h. +!h."),
    Feature("bodies", "?g", 48, "p(1). +!g <- ?p(X); +q(X)."),
    Feature("bodies", "+b", 54, "+!g <- +p."),
    Feature("bodies", "-b", 25, "p. +!g <- -p."),
    Feature("bodies", "-+b", 42, "p(1). +!g <- -+p(2)."),
    Feature("bodies", "constraints", 15, "+!g(X) <- X > 1; Y = X + 1; +p(Y)."),
    Feature("bodies", "if", 2, "+!g(X) <- if (X > 1) { +p } else { +q }."),
    Feature("bodies", "for", 8, "p(1). +!g <- for (p(X)) { +q(X) }."),
    Feature("bodies", "|&| and |||", 2, "+!g <- !h |&| (!i ||| !j). +!h. +!i. +!j."),
    Feature(
        "bodies",
        "internal actions of Java classes",
        67,
        "+!g <- my.plot(1).",
        "internal my.plot = nothing\n",
    ),
    Feature("terms", "strings", 484, '+!g <- +p("a").'),
    Feature("terms", "lists", 194, "+!g <- +p([1, 2])."),
    Feature("terms", "[H | T]", 69, "+!g([H | T]) <- +p(H, T)."),
    Feature("terms", "_ and _name", 369, "+!g(_, _name)."),
    Feature("terms", "arithmetic", 156, "+!g(X) <- +p(X + 1 - 2 * X div 3 mod 2)."),
    Feature("terms", "math.*", 17, "+!g(X) <- +p(math.abs(X))."),
    Feature("terms", "triggers as terms", 6, "+!g <- .wait({+p})."),
    Feature(
        "terms",
        "plans and rules as terms",
        3,
        "+!g <- .add_plan({+!h <- .print(a)}).",
        is_read=False,
    ),
    Feature("messages", "tell and untell", 70, "+!g <- .send(it, tell, p); .send(it, untell, p)."),
    Feature(
        "messages",
        "achieve and unachieve",
        15,
        "+!h. +!g <- .send(it, achieve, h); .send(it, unachieve, h).",
    ),
    Feature(
        "messages",
        "asks",
        8,
        "p(1). +!g <- .send(it, askOne, p(_), A); .send(it, askAll, p(_), L); +q(A, L).",
    ),
    Feature(
        "messages", "tellHow and askHow", 3, '+!g <- .send(it, tellHow, "+!h.").', is_read=False
    ),
    Feature("messages", "signal", 1, "+!g <- .send(it, signal, p)."),
    Feature("messages", ".broadcast", 25, "+!g <- .broadcast(tell, p)."),
    Feature("time", ".wait(ms)", 41, "+!g <- .wait(10)."),
    Feature("time", ".wait(formula)", 6, "p. +!g <- .wait(p, 10, _)."),
    Feature("time", ".wait({+e})", 3, "+!g <- .wait({+p})."),
    Feature("internal actions", ".print and .println", 302, "+!g <- .print(a); .println."),
    Feature(
        "internal actions",
        ".findall .count .length .member",
        69,
        "p(1). +!g <- .findall(X, p(X), L); .length(L, N); .count(p(_), M); +q(N, M).",
    ),
    Feature(
        "internal actions",
        "other lists and strings (.nth .min .reverse .sort ..)",
        25,
        "+!g <- .reverse([1], L); .nth(0, L, X); .sort(L, S); .concat(L, S, C); .min(C, A); .max(C, B); "  # noqa: E501
        '.substring("a", "ab"); .suffix([], C); +p(X, A, B).',
    ),
    Feature(
        "internal actions",
        ".df_*",
        20,
        '+!g <- .df_register("a"); .df_search("a", L); .df_subscribe("a"); +p(L).',
    ),
    Feature(
        "internal actions",
        ".my_name .all_names",
        22,
        "+!g <- .my_name(N); .all_names(L); +p(N, L).",
    ),
    Feature("internal actions", ".desire .intend", 22, "+!h. +!g : .desire(h) | .intend(h)."),
    Feature(
        "internal actions",
        ".drop_*",
        22,
        "+!h. +!g <- .drop_desire(h); .drop_intention(h); .drop_all_desires; .drop_all_intentions.",
    ),
    Feature("internal actions", ".abolish", 25, "p. +!g <- .abolish(p)."),
    Feature("internal actions", ".stopMAS", 7, "+!g <- .stopMAS."),
    Feature(
        "internal actions",
        ".suspend .resume .suspended",
        10,
        "+!h. +!g <- .suspend(h); .resume(h). +!i : .suspended(h, R) <- +p(R).",
    ),
    Feature("internal actions", ".list_plans", 4, "+!g <- .list_plans."),
    Feature("internal actions", ".fail .fail_goal", 4, "+!h. +!g <- .fail_goal(h); .fail."),
    Feature("internal actions", ".random", 3, "+!g <- .random(X); +p(X).", "random = [0, 0.5]\n"),
    Feature(
        "internal actions",
        ".date .time",
        3,
        "+!g <- .date(Y, M, D); .time(H, N, S); +p(D, S).",
        "clock = 2026-03-01 12:00:00\n",
    ),
    Feature("internal actions", ".include", 3, '+!g <- .include("other.asl").', is_read=False),
    Feature(
        "internal actions", ".queue.* .set.*", 14, "+!g <- .queue.create(Q); +p(Q).", is_read=False
    ),
    Feature(
        "internal actions",
        ".current_intention, printed",
        2,
        "+!g <- .current_intention(I); .print(I).",
    ),
    Feature("internal actions", ".done", 5, "+!g <- .done.", is_read=False),
    Feature("internal actions", ".intention", 3, "+!g <- .intention(_, S); +p(S).", is_read=False),
    Feature(
        "internal actions",
        ".relevant_plans .relevant_rules",
        3,
        "+!g <- .relevant_rules(p, L); .relevant_plans({+!g}, M); +q(L, M).",
        is_read=False,
    ),
    Feature(
        "internal actions",
        ".plan_label .term2string",
        2,
        "+!g <- .plan_label(P, l); .term2string(a, S); +q(P, S).",
        is_read=False,
    ),
    Feature(
        "internal actions",
        ".create_agent .kill_agent .clone",
        3,
        '+!g <- .create_agent(b, "b.asl"); .kill_agent(b); .clone(c).',
        is_read=False,
    ),
)


def mistakes(feature: Feature, folder: Path) -> list[str]:
    """The codes of what is wrong with a program that has a feature."""
    (folder / "it.asl").write_text(feature.program)
    (folder / "other.asl").write_text("p(1).")
    (folder / "it.volition").write_text(feature.beside)
    try:
        jason.load(folder / "it.asl", {})
    except InputError as error:
        return [each.code for each in error.diagnostics if each.severity == "error"]
    return []


@pytest.mark.parametrize("feature", CENSUS, ids=lambda each: each.name)
def test_a_feature_is_read_or_refused_by_name(feature: Feature, tmp_path: Path) -> None:
    found = mistakes(feature, tmp_path)
    assert found == [] if feature.is_read else set(found) == {"JSN003"}


def table() -> str:
    """The share of each group that is read, by occurrences, and what is not."""
    rows = ["| of | features read | occurrences read | refused |", "|---|---|---|---|"]
    for group in [*dict.fromkeys(each.group for each in CENSUS), ""]:
        these = [each for each in CENSUS if group in ("", each.group)]
        read = [each for each in these if each.is_read]
        refused = (
            "; ".join(f"{each.name} ({each.occurrences})" for each in these if not each.is_read)
            if group
            else ""
        )
        count, total = (
            sum(each.occurrences for each in read),
            sum(each.occurrences for each in these),
        )
        rows.append(
            f"| {group or '**all**'} | {len(read)} of {len(these)} | {count:,} of {total:,} "
            f"({count / total:.1%}) | {refused} |"
        )
    return "\n".join(rows)


def test_the_page_shows_the_shares() -> None:
    assert table() in PAGE.read_text()


if __name__ == "__main__":
    print(table())

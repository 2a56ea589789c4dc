"""What random Jason programs are made of: texts with gaps, feature by feature.

``<belief>`` is filled with something of that kind, ``<p|q>`` with one of the alternatives, and
``<x=new>`` with something that ``<x>`` stands for later on.  The kinds are the methods of the
writer in :mod:`tests.languages.jason.random_programs`.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "CHANGES",
    "CONDITIONS",
    "CONTROL",
    "CONTROLS",
    "FACTS",
    "KINDS",
    "MORE_CHANGES",
    "OPTIONS",
    "SETTINGS",
    "STEPS",
    "TERMS",
    "THEMES",
    "TRIGGERS",
    "WORLD",
]

THEMES: tuple[tuple[str, ...], ...] = (
    ("suspension", "waits", "actions", "goals"),
    ("drops", "waits", "actions"),
    ("goals", "waits", "actions", "failures"),
    ("asks", "tests", "failures"),
    ("asks", "drops", "waits"),
    ("asks", "suspension"),
    ("atomic", "actions", "waits"),
    ("atomic", "messages", "goals"),
    ("loops", "lists", "arithmetic", "rules"),
    ("annotations", "negation", "messages"),
    ("results", "failures", "goals", "tests"),
    ("actions", "annotations", "waits"),
    ("variables", "terms", "lists"),
    ("own mail", "messages", "asks"),
)
"""Features that have something to do with each other."""

KINDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "plain": ((), *THEMES),
    "forks": (
        ("forks",),
        ("forks", "failures"),
        ("forks", "waits"),
        ("forks", "actions"),
        ("forks", "goals", "failures"),
        ("forks", "drops"),
        ("forks", "results"),
        ("forks", "asks"),
        ("forks", "tests"),
    ),
    "meta": (
        ("meta",),
        ("meta", "failures"),
        ("meta", "goals"),
        ("meta", "drops"),
        ("meta", "results"),
        ("meta", "tests"),
        ("meta", "actions"),
    ),
    "options": (
        ("seen results", "actions"),
        ("seen results", "actions", "waits"),
        ("seen results", "actions", "drops"),
        ("any order",),
        ("any order", "actions"),
        ("any order", "waits"),
        ("requeue",),
        ("requeue", "messages"),
        ("requeue", "actions"),
        ("new focus",),
        ("new focus", "failures"),
        ("new focus", "any order"),
        ("seen results", "goals"),
        ("seen results", "atomic", "actions"),
    ),
    "messages": (
        ("letters",),
        ("letters", "own mail"),
        ("letters", "asks"),
        ("letters", "broadcast"),
        ("letters", "waits"),
        ("letters", "goals"),
        ("letters", "atomic"),
        ("letters", "failures"),
        ("letters", "signals"),
    ),
    "namespaces": (
        ("namespaces",),
        ("namespaces", "failures"),
        ("namespaces", "drops"),
        ("namespaces", "goals"),
        ("namespaces", "negation"),
        ("namespaces", "messages"),
        ("namespaces", "loops"),
        ("namespaces", "lists"),
        ("namespaces", "annotations"),
    ),
    "loops": (
        ("visits",),
        ("visits",),
        ("visits", "goals"),
        ("visits", "failures"),
        ("visits", "messages"),
        ("visits", "waits"),
        ("visits", "annotations"),
        ("visits", "atomic"),
        ("visits", "forks"),
        ("visits", "world", "actions"),
        ("visits", "namespaces"),
    ),
    "stopping": (
        ("stops",),
        ("stops", "messages"),
        ("stops", "waits"),
        ("stops", "actions"),
        ("stops", "failures"),
        ("stops", "goals"),
    ),
    "mixed": (
        ("forks", "timers"),
        ("forks", "awaited"),
        ("forks", "letters"),
        ("meta", "timers"),
        ("meta", "forks"),
        ("internal", "actions", "forks"),
        ("services", "asks", "forks"),
        ("patterns", "timers"),
        ("patterns", "forks"),
        ("timers", "letters"),
        ("seen results", "forks", "actions"),
        ("requeue", "awaited"),
        ("new focus", "forks"),
        ("namespaces", "forks"),
        ("changes", "timers", "actions"),
        ("meta", "suspension"),
        ("internal", "awaited"),
        ("forks", "suspension"),
        ("meta", "asks"),
        ("namespaces", "timers"),
        ("forks", "loops"),
        ("timers", "tests"),
    ),
    "patterns": (
        ("patterns",),
        ("patterns", "failures"),
        ("patterns", "actions"),
        ("patterns", "goals"),
        ("patterns", "drops"),
        ("patterns", "waits"),
    ),
    "worlds": (
        ("changes", "actions"),
        ("changes", "actions", "waits"),
        ("changes", "negation"),
        ("changes", "actions", "failures"),
        ("changes", "seen results", "actions"),
        ("changes", "any order"),
        ("changes", "annotations", "actions"),
    ),
    "internal": (
        ("internal",),
        ("internal", "rules"),
        ("internal", "failures"),
        ("internal", "loops"),
        ("internal", "tests"),
    ),
    "services": (
        ("services",),
        ("services", "messages"),
        ("services", "waits"),
        ("services", "failures"),
    ),
    "timers": (
        ("timers",),
        ("timers", "failures"),
        ("timers", "goals"),
        ("timers", "awaited"),
        ("awaited", "drops"),
        ("awaited", "messages"),
        ("awaited", "actions"),
        ("timers", "suspension"),
        ("timers", "atomic"),
        ("awaited", "atomic"),
    ),
}
"""The features of each kind of systems, of which one group is taken."""

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "any order": ("percept_order = any",),
    "internal": (
        "internal my.dice(X) = choice X in 1 .. 2",
        "internal my.draw(X) = repeated choice X in 1 .. 2",
        "internal my.note = nothing",
        "internal my.price(a, 1)",
        "internal my.price(b, 2)",
        "internal my.next(X, Y) :- Y = X mod 2 + 1",
    ),
    "seen results": ("results = after perception",),
}

SETTINGS: Mapping[str, tuple[str, ...]] = {
    "new focus": ("intBels=newFocus",),
    "requeue": ("events=requeue",),
}

WORLD = """
percept on(X){initially}
percept ~on(X)
percept full
action turn(X) when not on(X) do add on(X); remove ~on(X)
action turn(X) when on(X) do remove on(X); add ~on(X)
action fill when not full do add full
action fill otherwise do fail
action drain do remove full
action try do either {{ add on(2) }} or {{ fail }}
action spoil do add full; fail
action await when full do nothing
"""

CHANGES = """percept ~full
percept mine(A) seen by A
percept secret(X) seen by a initially secret(1)
variable count = 0
action bump when count < 2 do count := count + 1; if count = 1 { add full } else { remove full; add ~full; fail }
action grab by A when not mine(A) do add mine(A)
action grab by A when mine(A) do remove mine(A); either { nothing } or { fail }
action shift do either { remove secret(_); add secret(2) } or { remove on(_) } or { add on(1); add on(2); remove full }
"""  # noqa: E501

MORE_CHANGES = (
    "step dusk when full do remove full",
    "step tick when count = 1 do count := 2; either { add on(2) } or { remove on(_) }",
    "step thief when mine(A) do remove mine(A)",
    "free percept gust(X) for X in 1..1",
    "step leak when secret(1) do remove secret(1); add ~on(1)",
)

STEPS: Mapping[str, Mapping[str, int]] = {
    "always": {
        "+<belief><own>": 6,
        "-<belief><own>": 4,
        "-+n(<number>)": 2,
        "!<goal>": 4,
        "!!<goal>": 2,
        "?<literal>": 3,
        "-+<r|p(1)>": 1,
        "-+p(<number>)": 1,
        "-<p|q>(<new>)": 1,
    },
    "actions": {"<action>": 8},
    "annotations": {
        "-<belief>[source(<percept|_>)]": 2,
        "-<belief>[source(<peer>)]": 2,
        "+<belief><[k]|[source(x)]|[k,source(self)]>": 2,
        ".abolish(<p(_)|q(1)|r|p(1)[source(self)]|~p(_)>)": 2,
        "<adding><belief>": 1,
    },
    "arithmetic": {
        "?n(<opened>)": 3,
        "<opened> = <number> + 1": 2,
        "<number> <relation> <number>": 2,
        "-+n(<number>)": 2,
    },
    "asks": {
        ".send(<peer>,askOne,<p|p|q|t>(<new>),<x=new>); +got(<x>)": 3,
        ".send(<peer>,askOne,<f=p|q|t>(_),<f>(<opened>))": 2,
        ".send(<peer>,askAll,<p|p|q|t>(<new>),<x=new>); +got(<x>)": 2,
        ".send(<peer>,<askAll|askOne>,<p|t>(_))": 2,
        ".send(<peer>,askOne,<p|t>(<new>),<new>,20)": 1,
        ".send(<peer>,askOne,<belief>,<x=new>); if (<x> == false) { <inner> }": 1,
    },
    "broadcast": {".broadcast(<tell|untell>,<content>)": 2, ".broadcast(achieve,<goal>)": 1},
    "drops": {
        ".drop_desire(<goal>)": 2,
        ".drop_intention(<goal>)": 2,
        ".drop_desire(g(_))": 1,
        ".drop_event(<goal>)": 1,
        ".drop_intention": 1,
        "<.drop_all_intentions|.drop_all_desires|.drop_all_events>": 1,
    },
    "failures": {
        ".fail": 2,
        ".fail(error(oops))": 2,
        "?<belief>": 2,
        "!nothing": 2,
        ".nth(5,[1],<new>)": 1,
        ".max([],_)": 1,
        "<action>": 1,
        "<number> <relation> <number>": 1,
    },
    "awaited": {
        ".wait({<+|+|-><p|q>(<opened>)})": 3,
        ".wait({<+|->r})": 2,
        ".wait({+!g(<opened>)})": 2,
        ".wait({+!h},<10|20>)": 1,
        "++<belief>": 2,
        ".wait({<+|-><p|q>(<new>)},<10|20>,_)": 1,
        ".wait({+<p|q>(<new>)},<10|20>,<x=new>); +got(<x>)": 1,
        ".wait({-!h})": 1,
        ".wait({+<belief><annotation>},20)": 1,
        "!!<goal>": 1,
        ".wait({+?t(_)},10)": 1,
    },
    "forks": {
        "<forked> |&| <forked>": 4,
        "<forked> ||| <forked>": 4,
        "!<goal> |&| !<goal>": 2,
        "!<goal> ||| !<goal>": 2,
        "<forked> |&| <forked> ||| <forked>": 1,
        "<forked> |&| (<forked> ||| <forked>)": 1,
        "<forked> |&| <forked> |&| <forked>": 1,
    },
    "timers": {
        '.at("now +<10|20|1 s>",{<+!g(1)|+!h|+p(1)|-q(2)>})': 3,
        "!<goal>[hard_deadline(<10|20>)]": 4,
        "!!<goal>[hard_deadline(<10|20>)]": 2,
        ".wait(<10|20|30>)": 3,
        ".suspend": 1,
        ".wait({+!<goal>},30)": 1,
    },
    "goals": {
        ".succeed_goal(<goal>)": 2,
        ".fail_goal(<goal>)": 2,
        ".succeed_goal(g(_))": 1,
        "!!<goal>": 2,
    },
    "internal": {
        "my.dice(<opened>)": 4,
        "my.dice(<number>)": 1,
        "my.draw(<opened>)": 2,
        "my.draw(2)": 1,
        "my.note(<number>,a)": 1,
        "my.price(<a|b|_>,<opened>)": 2,
        "my.price(c,<new>)": 1,
        "my.next(<number>,<opened>)": 2,
        ".random([1,2],<opened>)": 2,
        "?drawn(<opened>)": 2,
        ".random([1,2],1)": 1,
    },
    "services": {
        ".df_register(<one|two>)": 4,
        '.df_register("one")': 2,
        ".df_search(<one|two>,<x=new>); +got(<x>)": 3,
        ".df_subscribe(<one|two>)": 4,
        ".df_deregister(<one|two>)": 2,
        '.df_subscribe("one")': 1,
        "?provider(_,_)": 1,
    },
    "lists": {
        ".findall(<x=new>,p(<x>),<y=new>); +got(<y>)": 2,
        ".count(q(_),<opened>)": 1,
        ".member(<opened>,[2,<number>])": 1,
        "[<opened>|_] = [<number>,2]": 1,
    },
    "loops": {
        "if (<branch>) { <inner> }": 1,
        "if (<branch>) { <inner> } else { <inner> }": 1,
        "if (<branch>) { } elif (<branch>) { <inner> }": 1,
        "for (<f=p|q>(<x=round>)) { <rounds> }": 2,
        "for (p(<x=round>) & <x> > 1) { <rounds> }": 1,
        "for (.member(<x=round>,[2,1])) { <rounds> }": 1,
        "for (.range(<x=round>,1,2)) { <rounds> }": 1,
        "while (p(<x=round>)) { -p(<x>); <rounds> }": 1,
        "while (n(<x=round>) & <x> < 2) { -+n(<x>+1); <rounds> }": 1,
    },
    "stops": {".stopMAS": 3, "+r": 1, "!!<goal>": 1},
    "visits": {
        "for (p(<x=new>)) { +was(<x>); <strike> }": 6,
        "for (p(<x=new>)) { <strike>; <strike>; +was(<x>) }": 6,
        "for (p(<x=new>)) { if (<x> == <1|2|3>) { <strike>; <strike>; <strike> }; +was(<x>) }": 6,
        "for (p(<x=new>) & not q(<x>)) { <strike>; <strike> }": 2,
        "for (p(<x=new>)[source(_)]) { <strike>; <strike> }": 2,
        "for (p(<x=new>)[source(self)]) { +was(<x>); <strike> }": 1,
        "<strike>": 2,
        "for (p(<x=new>)) { +was(<x>); <strike>; for (p(<y=new>)) { <strike>; +was(<y>) } }": 2,
    },
    "namespaces": {
        "-+n::p(<number>)": 2,
        "!n::g(<number>)": 2,
        "?n::p(<opened>)": 2,
        ".abolish(n::p(_))": 1,
        ".findall(<x=new>,n::p(<x>),<y=new>); +got(<y>)": 1,
        "-n::p(<new>)": 1,
        "!m::h": 1,
        ".count(n::<p|q>(_),<opened>)": 1,
        ".drop_desire(n::g(_))": 1,
        "n::p(<opened>) = n::p(<number>)": 1,
    },
    "patterns": {"+d": 4, "-d": 1, "!d": 1, "?d": 1, "-+n(<number>)": 1},
    "meta": {"!<goal>": 4, "!!<goal>": 2},
    "letters": {
        ".send([a,<peer>],<askOne|askAll>,<p|q|t>(_),<x=new>); +got(<x>)": 2,
        ".send(<peer>,<hello|bye>,<content>)": 3,
        ".send(<peer>,askOne,<p|t>(<new>),<x=new>,<10|20>); +got(<x>)": 2,
        ".send(<peer>,askAll,<p|t>(_),<x=new>,10); +got(<x>)": 1,
        ".send(<peer>,untell,<p|q>(_))": 1,
        ".send(<peer>,tell,<content>)": 3,
        ".send(<peer>,achieve,<k(_)|h[k]|g(1)[source(x)]>)": 2,
        ".send(<me>,<achieve,h|tell,p(1)|askOne,p(_)|untell,r>)": 2,
        ".send(<peer>,unachieve,<g(_)|h>)": 1,
        ".send([<peer>],tell,<content>)": 1,
        ".broadcast(<askOne|askAll>,<p|q>(_))": 1,
        ".broadcast(hello,<belief>)": 1,
        ".send(self,tell,<content>)": 1,
        ".send(<peer>,achieve,[<goal>,k(_)])": 1,
        ".send(<peer>,tell,got([<number>,a(b)[k]]))": 1,
        ".send(<peer>,<tell|askOne>,7)": 1,
    },
    "messages": {
        ".send(<peer>,<tell|tell|untell>,<content>)": 6,
        ".send(<peer>,achieve,<goal>)": 3,
        ".send(<peer>,unachieve,<goal>)": 1,
        ".send(<peer>,tell,[<content>,<content>])": 1,
        ".send(<peer>,achieve,[<goal>,h])": 1,
        ".send(<me>,tell,<content>)": 1,
        ".send([<me>,<peer>],tell,<content>)": 1,
        ".send(nobody,tell,r)": 1,
        '.send("<peer>",tell,<content>)': 1,
    },
    "own mail": {
        ".send(<peer>,signal,beep(<number>))": 2,
        ".send(<peer>,<tell|untell>,<content>)": 2,
        ".send(<peer>,achieve,<goal>)": 2,
    },
    "results": {"!k(<opened>)": 3, "!k(<number>)": 2},
    "signals": {".send(<peer>,signal,beep(<number>))": 2, ".broadcast(signal,beep(<number>))": 1},
    "suspension": {
        ".suspend(<goal>)": 2,
        ".suspend": 1,
        ".suspend(g(_))": 1,
        ".resume(<goal>)": 3,
        ".resume(g(_))": 1,
    },
    "terms": {
        "+got(<term>)": 2,
        "<term> <relation> <term>": 2,
        "?<p|q>(<opened>)[source(self)|<x=new>]; +got(<x>)": 1,
        ".my_name(<x=new>); +got(<x>)": 1,
        ".nth(<opened>,[<number>,2],2)": 1,
        ".sort([<term>,<term>],<x=new>); +got(<x>)": 1,
        '.print("one")': 1,
        '+got("one")': 1,
        "g(<opened>,[<number>|_]) = g(<number>,[1,2])": 1,
        ".length([<number>],<opened>)": 1,
        "<opened> = .length([a,b])": 1,
    },
    "tests": {"?t(<opened>)": 6, "?t(<number>)": 2, "?(<branch>)": 1},
    "variables": {
        "<x=new> = <goal>; <!|!!><x>": 2,
        "<x=new> = <belief>; <+|-|?><x>": 1,
        "<x=new> = <belief>; ?<x>[source(<self|_>)]": 1,
        "<x=new> = <belief>; .send(<peer>,tell,<x>)": 1,
        "<x=new> = <action>; <x>": 1,
    },
    "waits": {
        ".wait(<10|20|20|30>)": 3,
        ".wait(<looked>)": 2,
        ".wait(<looked>,<10|20>)": 2,
        ".wait(<literal>)": 1,
    },
}
"""How often each step is taken, among those of the features of a program."""

CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "always": ("r", "not <belief>", "true"),
    "drops": (".desire(<goal>)", "not .desire(<goal>)", ".intend(<goal>)", "not .intend(g(_))"),
    "goals": (".desire(<goal>)", "not .desire(<goal>)", ".intend(<goal>)", "not .intend(g(_))"),
    "internal": (
        "my.dice(<opened>)",
        "my.dice(<x=opened>) & <x> > 1",
        "my.draw(<x=opened>) & <x> > 1",
        "my.draw(<opened>)",
        "my.price(_,<opened>)",
        "my.dice(<x=opened>) & p(<x>)",
        "my.next(<number>,<opened>)",
        "drawn(<opened>)",
        ".random([1,2],<opened>)",
        "my.dice(1) & my.dice(2)",
    ),
    "lists": (
        ".count(<p|q>(_),<opened>)",
        ".findall(<x=new>,<p|q>(<x>),<y=new>) & .length(<y>,<opened>)",
        ".member(<opened>,[<number>,2])",
        ".findall(<x=new>,p(<x>),<y=new>) & .max(<y>,<opened>)",
        ".concat([1],[<number>],<x=new>) & .nth(1,<x>,<opened>)",
        ".range(<x=opened>,1,2) & not p(<x>)",
        ".findall(<x=new>,q(<x>),<y=new>) & .sort(<y>,<z=new>) & .reverse(<z>,[<opened>|_])",
        ".count(p(_)[source(_)],<opened>)",
        ".nth(3,[1],<opened>)",
        ".findall(<x=new>,p(<x>),<y=new>) & .min(<y>,<opened>)",
    ),
    "terms": (
        "<term> <relation> <term>",
        "p(<opened>)[source(self)|_]",
        "g(<opened>) = g(<number>)",
        ".my_name(<a|b>)",
    ),
    "variables": (
        "<x=new> = <belief> & <x>",
        "<x=new> = <belief> & not <x>",
        "<x=new> = <belief> & <x>[source(self)]",
    ),
}
"""Conditions beside those with one literal."""

TRIGGERS: Mapping[str, tuple[str, ...]] = {
    "always": (
        "+!g(<opened>)",
        "+!g(<1|2>)",
        "+!h",
        "+!g(<opened>)",
        "+<p|p|q>(<opened>)<from>",
        "<+|-><r|p(1)|q(2)|n(1)>",
        "-<p|q>(<opened>)<from>",
    ),
    "asks": ("+?t(<1|2>)", "-?t(<2|_>)"),
    "failures": ("-!g(<opened>)<|[error(E)]|[error(oops)]>", "-!h<|[error(_)]>", "-!g(2)"),
    "goals": ("-!g(<opened>)<|[error(E)]|[error(oops)]>", "-!h<|[error(_)]>", "-!g(2)"),
    "changes": ("<+|->mine(_)", "<+|->secret(<opened>)", "<+|->~full", "+gust(1)"),
    "letters": (
        "+!kqml_received(<S|a|b>,<hello|hello|bye>,<new>,_)",
        "+!kqml_received(_,hello,p(<opened>),_)",
        "+!k(<new>)",
        "+got(_)[source(_)]",
        "+<p|q>(<opened>)[source(<a|b>[source(x)])]",
        "+<p|q>(<opened>)[source(S)]",
    ),
    "namespaces": (
        "+!n::g(<opened>)",
        "+!n::h",
        "+n::p(<opened>)",
        "<+|->n::r",
        "-n::<p|q>(<opened>)<from>",
        "-!n::g(_)",
        "-!n::h",
        "+!n::g(1)",
    ),
    "meta": (
        "^!g(<opened>)[state(<pending|executing|achieved|failed|finished|dropped>)]",
        "^!<h|g(1)>[state(<achieved|failed|dropped|S>)]",
        "^!h[state(<pending|executing|finished>)]",
        "^?t(_)[state(<achieved|finished|failed>)]",
    ),
    "negation": ("<+|->~p(<opened>)",),
    "own mail": (
        "+!kqml_received(<S|a|b>,<tell|achieve|askOne|untell>,<new>,_)",
        "+!kqml_received(_,tell,p(<opened>),_)",
    ),
    "results": ("+!k(<new>)", "+!k(<1|2>)", "-!k(<2|_>)"),
    "signals": ("+beep(<opened>)<|[signal]|[source(_)]>", "+beep(<opened>)"),
    "services": ("+provider(<new>,<new>)", "+provider(<a|b>,_)[source(<df|_>)]"),
    "tests": ("+?t(<1|2>)", "+?t(<1|2>)", "-?t(<2|_>)"),
    "variables": ("+!<new>", "+<new>"),
    "world": (
        "-on(<opened>)",
        "<+|+|-><on|on|~on>(<opened>)",
        "<+|->full",
        "+on(<opened>)[source(percept)]",
    ),
}

FACTS: Mapping[str, tuple[str, ...]] = {
    "annotations": ("p(<1|2>)<[k]|[source(self),source(x)]>.",),
    "arithmetic": ("n(<0|1|2>).",),
    "internal": ("drawn(X) :- my.dice(X).", "drawn(X) :- my.draw(X) & X > 1."),
    "loops": ("n(<0|1|2>).", "p(<1|2>)."),
    "namespaces": (
        "{begin namespace(n)} p(<1|2>). +!g(X) : p(X) <- -p(X); +q(X); +default::p(X). +!h <- "
        "!g(2); ::p(_) = ::p(1). {end}",
        "{begin namespace(m)} q(1). +!h : q(X) <- +n::p(X). {end}",
        "n::p(1). n::~p(2).",
    ),
    "rules": (
        "s(X) :- <p(X)|p(X) & not q(X)|p(Y) & X = Y+1>.",
        "s(X) :- q(X) | p(X).",
        "s(3) :- r.",
        "s(4)[k] :- p(1)[source(self)].",
        "s(X) :- p(X) & X > 1.",
    ),
    "terms": ("got(<a|b>).",),
    "visits": ("p(1). p(2).", "p(3)<|[k]>.", "p(4)<|[source(self),source(x)]>."),
}

_CONTROL = (
    "!g(1). !h. +!h <- <.wait(10)|.wait(q(2))|turn(1)|!g(2)|+r|.suspend>; +p(2). +!g(1) <- <+q(2); "
    "|><control>; <inner>.",
    "!g(1). !h. +!h <- .send(<peer>,askOne,p(_),_); +p(2). +!g(1) <- <+q(2); |><control>; <inner>.",
    "!h. !g(1). !h. !g(1). +!h <- !k(<new>); +p(2). +!k(2) <- +r. +!g(1) <- +q(2); "
    "<.succeed_goal|.fail_goal|.drop_desire>(k(_)); <inner>.",
    "!g(1). !h. +!h <- !k(<new>); +p(2). +!k(2) <- <.wait(10)|drain|.wait(r)>. +!g(1) <- "
    "<control>; <inner>.",
)

CONTROL: Mapping[str, tuple[str, ...]] = {
    "awaited": (
        "!h. !g(1). +!h <- .wait({<+|->p(X)}<|,10|,10,_>); +got(X). +!g(1) <- "
        "<+p(1)|++p(2)|.wait(10); +p(2)|+p(1); -p(1)>; <control>.",
        "!h. !g(1). +!h <- .wait({+!<k(X)|g(X)>}<|,10>); +got(X). <handlers>+!g(1) <- "
        "<!k(2)|!!k(1)|!k(_)>; <control>. +!k(2).",
    ),
    "drops": _CONTROL,
    "forks": (
        "!h. !g(1). +!h <- !k(X) <join> <.wait(10)|turn(1)|!g(2)>; +got(X). +!k(2) <- <+r|.wait(r)|.fail|drain>. <handlers>"  # noqa: E501
        "+!g(1) <- <+q(2); "
        "|><.succeed_goal|.fail_goal|.drop_intention|.drop_desire|.suspend>(<k(_)|h>); <inner>.",
        "!h. +!h <- (!k(X); +got(X)) <join> (.wait(10); +p(1)); <.fail|!nothing|?p(1)|!k(Y); +got(Y)>; +p(2). "  # noqa: E501
        "+!k(<1|2>) <- <+r|.fail|.wait(q(1))>. <handlers>",
        "!h. +!h <- !k(X); +got(X). +!k(Y) <- Y = 1 <join> <+r|.fail|!g(2)>; <.fail|+q(1)|!g(1)>. "
        "<handlers>",
        "!h. +!h <- (!k(X) <join> +r; +p(1)) <join> <.wait(10)|.fail|!k(_)>; +got(1). +!k(2) <- "
        "<+q(1)|.fail|.wait(10)>. <handlers>",
    ),
    "goals": _CONTROL,
    "meta": (
        "!h. !g(1). +!h <- !k(X); +p(2). +!k(2) <- <.wait(10)|drain|.wait(r)|!g(2)|.fail|.suspend>. ^!<k(_)|h>[state(S)] <- +got(S). "  # noqa: E501
        "<handlers>+!g(1) <- <+q(2); "
        "|><.succeed_goal|.fail_goal|.drop_intention|.drop_desire>(<k(_)|h>); <inner>.",
    ),
    "suspension": _CONTROL,
    "timers": (
        "!h. !g(1). +!h <- <!|!!>k(X)[hard_deadline(<10|20>)]; +p(2). +!k(2) <- <.wait(10)|.wait(20)|.wait(r)|!g(2); .wait(10)>; +q(1). "  # noqa: E501
        "<handlers>+!g(1) <- <control>; <inner>.",
        "!h. !h. +!h <- !k(1)[hard_deadline(10)]; .wait(<5|10>); !k(1)[hard_deadline(<10|20>)]; +q(1). "  # noqa: E501
        "+!k(1) <- .wait(<5|10|20>). <handlers>",
    ),
}
"""Two intentions, of which one does something to the other, which may wait."""

CONTROLS = (
    ".suspend(h); .resume(h)",
    ".suspend(h); +q(2); .resume(h)",
    ".suspend(h)",
    ".drop_desire(h)",
    ".drop_intention(h)",
    ".succeed_goal(h)",
    ".fail_goal(h)",
    ".drop_all_intentions",
    ".drop_all_desires",
    ".drop_all_events",
    ".drop_event(h)",
    ".succeed_goal(g(2))",
    ".fail_goal(g(2))",
    ".drop_desire(g(2))",
    ".suspend(g(2)); .resume(g(2))",
    ".drop_event(g(2))",
    ".suspend(h); .wait(5); .resume(h)",
)

TERMS = (
    "a(-<number>)",
    "<number>*2",
    "<number>/2",
    "7 div (<number>+1)",
    "2**<number>",
    "a",
    "b",
    "a(<number>)",
    "~a(1)",
    "a(1)[k]",
    '"a"',
    '"b"',
    "b(<number>,1)",
)

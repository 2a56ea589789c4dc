"""Lark grammar of CAN statements, and its parser.

Conditions and arithmetic share one rule, ``condition``, because the grammar cannot decide at an
opening bracket which of the two follows. The reader (:mod:`volition.languages.can.reader`)
distinguishes them and reports type errors.
"""

from __future__ import annotations

from functools import cache

from volition.languages.can.sections import NAME
from volition.parsing import Parser

__all__ = ["parser"]

_GRAMMAR = rf"""
// --- the public tool's sections: belief bases, external events, plans, actions
belief_base: (initial_belief ("," initial_belief)*)? "."?
initial_belief: NAME ("=" sum)?
event_list: NAME ("," NAME)* "."?
plan: NAME ":" condition _ARROW body? "."
action: NAME ":" condition _ARROW outcome ("+" outcome)* "."?
outcome: (sum ":")? "<" deleted "," added ">"
deleted: "{{" (NAME ("," NAME)*)? "}}"
added: "{{" (addition ("," addition)*)? "}}"
?addition: NAME -> believe
    | NAME (":=" | "=") sum -> assign

// --- what Volition adds
parameter_list: parameter ("," parameter)* "."?
parameter: NAME "=" sum
background: (condition _ARROW)? change ("," change)* "."
?change: "+" NAME -> believe
    | "-" NAME -> forget
    | NAME ":=" sum -> assign
label: NAME ":" condition "."
reward: NAME ":" earning ("," earning)* "."
earning: target "=" sum
target: NAME ("(" condition ")")?
    | STRING
policy: NAME ":" manner "."
manner: NAME (item ("," item)*)?
item: (NAME | NUMBER) ("=" sum)?
decision: "turn" ":" subject ["when" condition] "." -> turn
    | "step" ":" [subject "by"] STRING ["when" condition] "." -> step
subject: NAME | NUMBER

// --- plan bodies: ';' binds tighter than '||', '||' tighter than '|>'
?body: concurrency
    | concurrency _TRY body -> recovery
?concurrency: chain
    | concurrency _PARALLEL chain -> parallel
?chain: step
    | step ";" chain -> sequence
?step: NAME -> call
    | change
    | "?" condition -> test
    | "nil" -> nil
    | "goal" "(" condition "," body "," condition ")" -> goal
    | "(" body ")"

// --- conditions and numbers
?condition_alone: condition
?body_alone: body
?manner_alone: manner
?condition: conjunction
    | condition _OR conjunction -> disjunction
?conjunction: negation
    | conjunction _AND negation -> conjunction
?negation: comparison
    | _NOT negation -> negation
?comparison: sum
    | sum (EQ | RELATION | LESS | MORE) sum -> comparison
?sum: product
    | sum ("+" product) -> plus
    | sum ("-" product) -> minus
?product: signed
    | product "*" signed -> times
    | product "/" signed -> divided
?signed: primary
    | "-" signed -> opposite
?primary: NUMBER -> number
    | NAME -> name
    | "true" -> true
    | "false" -> false
    | NAME "(" argument ("," argument)* ")" -> function
    | "(" condition ")"
?argument: sum
    | STRING -> text

_ARROW: "<-" | "←"
_TRY: "|>" | "▷"
_PARALLEL: "||" | "∥"
_OR: "|" | "∨"
_AND: "&" | "∧"
_NOT: "!" | "~" | "¬"
EQ: "="
LESS: "<"
MORE: ">"
RELATION: "<=" | ">=" | "!=" | "==" | "≤" | "≥" | "≠"
NAME: /{NAME}/
NUMBER.1: /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![A-Za-z0-9_])/
STRING: /"[^"\n]*"/
%ignore /\s+/
%ignore /\/\/[^\n]*/
"""

_RULES = [
    "belief_base",
    "event_list",
    "plan",
    "action",
    "parameter_list",
    "background",
    "label",
    "reward",
    "policy",
    "decision",
    "body_alone",
    "condition_alone",
    "manner_alone",
]

_NAMES = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    "_ARROW": "'<-'",
    "_TRY": "'|>'",
    "_PARALLEL": "'||'",
    "_OR": "'|'",
    "_AND": "'&'",
    "_NOT": "'!'",
    "RELATION": "a comparison",
}


@cache
def parser() -> Parser:
    """Return the parser for CAN statements, which is created at the first call."""
    return Parser(_GRAMMAR, code="CAN001", start=_RULES, names=_NAMES)

"""Tables that ``volition show`` prints for a LISA program, such as its plans and percepts. Together
they contain every line of the project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import get_args

from volition.languages.lisa.ontology import Ontology
from volition.languages.lisa.project import AgentFiles
from volition.languages.lisa.resolved import (
    RESOURCE_CYCLES,
    Action,
    MentalNote,
    PlanPosition,
    ResolvedAgent,
    RewardItem,
    kind_of,
)
from volition.languages.lisa.syntax import ActionFile, ClassUse, ReasoningRule, TriplePart
from volition.languages.protocols import Table

__all__ = ["tables"]

Rows = list[list[str]]


def tables(
    agents: Sequence[ResolvedAgent],
    projects: Sequence[AgentFiles],
    parameters: Mapping[str, Fraction],
) -> Sequence[Table]:
    """Return the tables that ``volition show`` prints for a program. They show the kind of model
    (DTMC or MDP), the messages between agents, the plans, actions, beliefs and rules of each agent,
    the rewards, and the parameters."""
    several = len(agents) > 1
    own = [
        (agent.name, each)
        for agent, project in zip(agents, projects, strict=True)
        for each in _tables(agent, project)
    ]
    return [
        Table("Model", ["kind", "because"], [[kind_of(agents).upper(), _reason(agents)]]),
        *(
            [Table("Messages", ["message", "from", "to", "sent in"], _messages(agents))]
            if several
            else []
        ),
        *(replace(each, title=f"{name}: {each.title}") if several else each for name, each in own),
        Table("Rewards", ["reward", "where", "value"], _rewards(agents)),
        Table(
            "Parameters",
            ["parameter", *(f".{part}" for part in get_args(TriplePart))],
            _parameter_rows(parameters),
        ),
    ]


def _tables(agent: ResolvedAgent, project: AgentFiles) -> Sequence[Table]:
    file = project.reasoning
    rules = sorted(
        (rule for note in agent.notes for rule in (*note.added_by, *note.removed_by)),
        key=lambda rule: rule.span.start,
    )
    return [
        Table("Initial actions", ["action"], [[str(each)] for each in file.initial_actions]),
        Table("Plans", ["plan", "event", "context", "actions", "module"], _plans(agent)),
        Table(
            "Actions",
            ["action", "mode", "feedbacks (weight, average, variance)"],
            [_action_row(each) for each in agent.actions],
        ),
        Table(
            "Action files",
            ["procedure", "process", "sentences", "inputs", "outputs"],
            [_file_row(each) for each in project.actions],
        ),
        Table(
            "Percepts",
            ["name", "kind", "initially", "only if", "activation", "deactivation"],
            _percepts(agent, project),
        ),
        Table(
            "Objects",
            ["object", "class"],
            [[each.object_name.text, each.class_name.text] for each in file.objects],
        ),
        Table("Classes", ["class", "is a", "attributes"], _classes(project.ontology)),
        Table(
            "Mental notes",
            ["name", "initially", "added by", "removed by"],
            [_note_row(note) for note in agent.notes],
        ),
        Table(
            "Rules",
            ["if", "then", "place"],
            [[str(rule.condition), _conclusion(rule), str(rule.span)] for rule in rules],
        ),
    ]


def _reason(agents: Sequence[ResolvedAgent]) -> str:
    """Return the reason why the model is a DTMC or an MDP (Izzo, Theorems 4.1 and 4.2)."""
    choosing = [
        (f"{agent.name} " if agent.prefix else "")
        + " or ".join(str(plan.number) for plan in group.plans)
        for agent in agents
        for group in agent.groups
        if group.overlaps
    ]
    if not choosing:
        return (
            "no two plans can be triggered by the same event together: there are no choices "
            "(Izzo, Theorem 4.1)"
        )
    return (
        "plans with the same triggering event can be triggered together, so one is chosen: "
        f"{'; '.join(choosing)} (Izzo, Theorem 4.2)"
    )


def _messages(agents: Sequence[ResolvedAgent]) -> Rows:
    """Return the rows of the table of messages: one for each message and each agent that sends
    it."""
    return [
        [
            message.text,
            sent.sender,
            agent.name,
            "initial actions"
            if sent.position is None
            else f"{sent.position.plan} = {sent.position.index}",
        ]
        for agent in agents
        for message in agent.messages
        for sent in message.sent
    ]


def _plans(agent: ResolvedAgent) -> Rows:
    return [
        [
            plan.name,
            str(plan.event),
            str(plan.context),
            "; ".join(step.text for step in plan.steps),
            group.name,
        ]
        for group in agent.groups
        for plan in group.plans
    ]


def _action_row(action: Action) -> list[str]:
    feedbacks = ", ".join(
        f"{each.name} ({float(each.weight):g}, {action.mean}, {action.deviation})"
        for each in action.feedbacks
    )
    return [action.name, "runRepeated" if action.repeated else "runOnce", feedbacks]


def _file_row(file: ActionFile) -> list[str]:
    sentences = " ".join(f"{each.text}." for each in file.sentences)
    return [
        file.procedure.text,
        file.process,
        sentences,
        _objects(file.inputs),
        _objects(file.outputs),
    ]


def _objects(uses: Sequence[ClassUse]) -> str:
    return ", ".join(f"{each.class_name.text} [{each.object_name.text}]" for each in uses)


def _percepts(agent: ResolvedAgent, project: AgentFiles) -> Rows:
    """Return the rows of the table of percepts: percepts and messages, and those action feedbacks
    that are listed in the section PERCEPTION PROCESS or held initially."""
    rows = [
        [
            each.name,
            kind,
            _held(each.initially),
            str(each.condition),
            str(each.activation),
            str(each.deactivation),
        ]
        for each in agent.percepts
        for kind in ["message" if each.is_message else "percept"]
    ]
    rows += [
        [each.name, "message of an agent", _held(each.initially), "", "", ""]
        for each in agent.messages
    ]
    announced = {each.sentence.name for each in project.reasoning.percepts}
    feedbacks = [
        each
        for action in agent.actions
        for each in action.feedbacks
        if each.initially or each.name in announced
    ]
    return rows + [
        [each.name, "action feedback", _held(each.initially), "", "", ""] for each in feedbacks
    ]


def _held(initially: bool) -> str:
    return "held" if initially else ""


def _classes(ontology: Ontology | None) -> Rows:
    if ontology is None:
        return []
    return [
        [
            each.sentence.text,
            ontology.classes[each.parent].sentence.text if each.parent else "",
            ", ".join(f"{name}: {kind.text}" for name, kind in each.attributes.items()),
        ]
        for each in ontology.classes.values()
    ]


def _note_row(note: MentalNote) -> list[str]:
    added, removed = (
        ", ".join(
            [
                *(f"{position.plan} = {position.index}" for position in positions),
                *(f"rule in line {rule.span.line}" for rule in rules),
            ]
        )
        for positions, rules in ((note.added_at, note.added_by), (note.removed_at, note.removed_by))
    )
    return [note.name, _held(note.initially), added, removed]


def _conclusion(rule: ReasoningRule) -> str:
    return f"{'+' if rule.adds else '-'}^[{rule.belief.text}]"


def _rewards(agents: Sequence[ResolvedAgent]) -> Rows:
    rows = [
        [agent.prefix + name, _where(agent, item), f"{float(item.value):g}"]
        for agent in agents
        for name, items in agent.rewards.items()
        for item in items
    ]
    shared = dict.fromkeys(name for agent in agents if agent.prefix for name in agent.rewards)
    sums = [
        [
            name,
            " and ".join(agent.prefix + name for agent in agents if name in agent.rewards),
            "sum",
        ]
        for name in shared
    ]
    return [[RESOURCE_CYCLES, "each reasoning cycle", "1"], *rows, *sums]


def _where(agent: ResolvedAgent, item: RewardItem) -> str:
    own = (
        f"{item.where.plan} = {item.where.index}"
        if isinstance(item.where, PlanPosition)
        else item.where.belief
    )
    return agent.prefix + own


def _parameter_rows(parameters: Mapping[str, Fraction]) -> Rows:
    """Return the rows of the table of parameters. A row belongs to a percept, feedback or action,
    and a column to a number of its ``[p, mu, sigma]`` triple. The full name of a parameter consists
    of the names of its row and its column, as in ``take_picture.mu``."""
    owners = dict.fromkeys(name.rpartition(".")[0] for name in parameters)
    numbers = {name: f"{float(value):g}" for name, value in parameters.items()}
    return [
        [owner, *(numbers.get(f"{owner}.{part}", "") for part in get_args(TriplePart))]
        for owner in owners
    ]

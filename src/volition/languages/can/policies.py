"""Check of the policies of a CAN program, and their conversion to :class:`ResolvedPolicy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from volition.diagnostics import Diagnostics, did_you_mean
from volition.languages.can.checks import constant
from volition.languages.can.conditions import Parameters
from volition.languages.can.plan_library import ResolvedPolicy
from volition.languages.can.syntax import AgentProgram, Policy, PolicyItem, PolicyTarget

__all__ = ["resolve_policy"]


def resolve_policy(
    selection: PolicyTarget,
    policy: Policy | None,
    agent: AgentProgram,
    parameters: Parameters,
    diagnostics: Diagnostics,
) -> ResolvedPolicy:
    """Return the policy for ``selection`` (events, plans or intentions) in resolved form, and
    report errors in it to ``diagnostics``. If ``policy`` is None, the selection is
    nondeterministic."""
    if policy is None:
        return ResolvedPolicy()
    names = _names(selection, agent)
    numbers = [(item, _numbers(item, selection, names, diagnostics)) for item in policy.items]
    listed = [number for _, found in numbers for number in found]
    for item, found in numbers:
        if any(listed.count(number) > 1 for number in found):
            diagnostics.error(
                "CAN039", f"duplicate '{item.name}' in the policy for {selection}", item.span
            )
        if policy.kind != "probabilities" and item.weight is not None:
            hint = f"write '{selection} : probabilities ...'"
            diagnostics.error(
                "CAN032",
                f"a {policy.kind} policy cannot have probabilities",
                item.span,
                hint=hint,
            )
    if policy.kind == "nondeterministic" and policy.items:
        diagnostics.error(
            "CAN032",
            "a nondeterministic policy cannot have an order",
            policy.items[0].span,
            hint="write 'fixed' for an order",
        )
    order = (*listed, *(number for number in names if number not in listed))
    weights = (
        _weights(selection, policy, numbers, agent, parameters, diagnostics)
        if policy.kind == "probabilities"
        else {}
    )
    is_once = selection == "events" and policy.kind == "round-robin"
    return ResolvedPolicy("fixed" if is_once else policy.kind, order, weights)


def _names(selection: PolicyTarget, agent: AgentProgram) -> dict[int, str]:
    """Return the plans or external events that a policy selects from: the number of each, mapped to
    the name of its event."""
    numbered: Sequence[tuple[int, str]]
    if selection == "plans":
        numbered = [(plan.number, plan.event) for plan in agent.plans]
    else:
        numbered = [(event.number, event.name) for event in agent.events]
    return dict(numbered)


def _numbers(
    item: PolicyItem, selection: PolicyTarget, names: Mapping[int, str], diagnostics: Diagnostics
) -> list[int]:
    """Return the numbers that an item of a policy refers to. A number refers to itself, a name to
    all external events with that name. Report an error if there are none."""
    if own := [number for number in names if str(number) == item.name]:
        return own
    found = [number for number, name in names.items() if name == item.name and selection != "plans"]
    if not found:
        what = "plan" if selection == "plans" else "external event"
        hint = None if selection == "plans" else did_you_mean(item.name, names.values())
        diagnostics.error("CAN037", f"unknown {what} '{item.name}'", item.span, hint=hint)
    return found


def _weights(
    selection: PolicyTarget,
    policy: Policy,
    numbers: Sequence[tuple[PolicyItem, list[int]]],
    agent: AgentProgram,
    parameters: Parameters,
    diagnostics: Diagnostics,
) -> dict[int, Fraction]:
    """Return the probabilities in a probabilistic policy, by the number of the plan, event or
    intention. They are not normalised.

    The policy must give a probability to all plans for an event or to none of them. Without
    probabilities, these plans are equally likely. The same holds for events, and for intentions.
    """
    given: dict[int, Fraction] = {}
    for item, found in numbers:
        weight = (
            None
            if item.weight is None
            else constant(item.weight, parameters, "a probability", diagnostics)
        )
        if item.weight is None or (weight is not None and weight <= 0):
            diagnostics.error(
                "CAN038",
                f"'{item.name}' needs a positive probability",
                item.span,
                hint=f"write '{item.name} = 0.5'",
            )
        given |= {number: weight or Fraction(1) for number in found}
    names = _names(selection, agent)
    groups = {
        event: [number for number, name in names.items() if name == event]
        for event in names.values()
    }
    for group in groups.values() if selection == "plans" else [list(names)]:
        missing = [number for number in group if number not in given]
        if missing and len(missing) < len(group):
            what = "plan" if selection == "plans" else "event"
            diagnostics.error(
                "CAN038",
                f"{what} {missing[0]} has no probability, but other {what}s have one",
                policy.span,
            )
    return {number: given.get(number, Fraction(1)) for number in names}

// Bellman equations of the states of an MDP whose value graph analysis does not decide. States that
// are known to have the same value share one equation: the states of an end component, and the
// states of a chain of deterministic steps without choice.
//
// Literature: Haddad, Monmege, "Interval iteration algorithm for MDPs and IMDPs" (2018).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "poll_timer.hpp"
#include "reachability.hpp"

namespace volition {

// Equation system with one unknown x per block: x = minimum or maximum over the rows of the block
// of (gain + sum of weight * x).
//
// A block is a set of states that have the same value. It is a single state or a collapsed end
// component, together with all states whose only choice leads into the block with certainty and
// without gain. A row stands for a choice. The gain of a row is what the choice itself adds to the
// value, for example its reward. The weights of a row are transition probabilities into blocks.
struct EquationSystem {
  std::vector<std::int64_t> block_of_state;      // per state; -1 if the state is decided
  std::vector<std::int64_t> forwarding_choices;  // choices that are such certain steps
  std::vector<std::int64_t> first_row;           // per block
  std::vector<std::int64_t> first_entry;         // per row
  std::vector<Node> columns;                     // ascending within each row
  std::vector<double> weights;
  std::vector<double> gains;                // per row
  std::vector<std::int64_t> choice_of_row;  // -1 for staying in a component forever
  Flags exits;                              // whether a row may lead to a decided state
};

// Builds the Bellman equations of an MDP. Only states in `undecided` get an equation, and only
// choices in `choices` are used. `gains` has for each choice what the choice itself adds to the
// value, for example its reward. `component` is the end component of each state, -1 for none.
// `staying` marks the choices that stay inside an end component. They have no gain, so a run can
// stay there forever without gain. `staying_allowed` says whether a run may do so.
EquationSystem build_bellman_equations(
    const ChoiceGraph& graph, std::span<const double> probabilities, std::span<const double> gains,
    std::span<const bool> undecided, std::span<const bool> choices, std::span<const bool> staying,
    std::span<const std::int64_t> component, bool staying_allowed, PollTimer& timer);

}  // namespace volition

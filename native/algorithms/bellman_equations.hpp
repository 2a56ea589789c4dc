// Bellman equation system of the states whose value is not decided by graph analysis. End
// components are collapsed, and chains of certain steps are merged into blocks.
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

// Equation system with one unknown x per block: x = optimum over the rows of the block of (gain +
// sum of weight * x).
//
// A block is a set of states that have the same value. It is a single state or a collapsed end
// component, together with all states whose only choice leads into the block with certainty and
// without gain.
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

// Builds the equations of an MDP. `undecided` selects the states and `choices` the admissible
// choices. `component` is the end component of each state, -1 for none. `staying` marks the choices
// that stay inside an end component, in which a run can cycle forever without gain.
// `staying_allowed` says whether a run may do so.
EquationSystem build_bellman_equations(
    const ChoiceGraph& graph, std::span<const double> probabilities, std::span<const double> gains,
    std::span<const bool> undecided, std::span<const bool> choices, std::span<const bool> staying,
    std::span<const std::int64_t> component, bool staying_allowed, PollTimer& timer);

}  // namespace volition

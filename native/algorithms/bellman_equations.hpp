// The equations of a Markov decision process: what its states are worth, if the graph has decided the rest.
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

// x = the best over the rows of each part of (gain + sum of weight * x).
//
// A part is a state, the states of a component, or states that have nothing but a certain step into the same part, without a gain.
struct EquationSystem {
  std::vector<std::int64_t> block_of_state;           // of each state; -1 for those that are decided
  std::vector<std::int64_t> forwarding_choices;      // the choices that are such a step
  std::vector<std::int64_t> first_row;      // of each part
  std::vector<std::int64_t> first_entry;    // of each row
  std::vector<Node> columns;                // ascending in each row
  std::vector<double> weights;
  std::vector<double> gains;                // of each row
  std::vector<std::int64_t> choice_of_row;  // -1 where one stays in a component for ever
  Flags exits;                            // whether a row may lead to a state that is decided
};

// Of a process with these probabilities and gains of its choices, where some states are undecided and some of their choices sensible.
// `staying` are those of the choices that stay in components of states (-1: none), among which one can go around for ever without a gain.
// With `may_stay` one may do so.
EquationSystem build_bellman_equations(const ChoiceGraph& graph, std::span<const double> probabilities, std::span<const double> gains,
                       std::span<const bool> undecided, std::span<const bool> choices, std::span<const bool> staying,
                       std::span<const std::int64_t> component, bool staying_allowed, PollTimer& timer);

}  // namespace volition

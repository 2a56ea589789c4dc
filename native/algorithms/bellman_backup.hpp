// Bellman backup: one step of value iteration.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "poll_timer.hpp"

namespace volition {

// Returns for each state the expected value of the successor, for the choice with the minimum
// (`minimise`) or maximum expectation. `values` are the values of the successors. The result has
// one number per state of `first_choice`; `values` may cover more states.
//
// Values are not negative. A positive result below the smallest normal number is raised to it, so
// that no positive value becomes 0. No sum of n products is then too small by more than the factor
// 1 - (n + 1)u, where u is the rounding error of one operation.
std::vector<double> bellman_backup(std::span<const std::int64_t> first_choice,
                                   std::span<const std::int64_t> first_transition,
                                   std::span<const Node> targets,
                                   std::span<const double> probabilities,
                                   std::span<const double> values, bool minimise, PollTimer& timer);

}  // namespace volition

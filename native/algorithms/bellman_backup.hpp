// One step of value iteration.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "poll_timer.hpp"

namespace volition {

// What each state is worth one step before its successors are worth `values`: the least, or else the greatest, over its choices of the
// expected value.  `first_choice` may end early, and then only the states up to there are looked at.
//
// Values are not negative.  What would be smaller than the least normal number is raised to it, so that nothing possible becomes 0
// and no sum of n products is too small by more than the factor 1 - (n + 1)u, where u is the rounding of one operation.
std::vector<double> bellman_backup(std::span<const std::int64_t> first_choice, std::span<const std::int64_t> first_transition,
                                std::span<const Node> targets, std::span<const double> probabilities, std::span<const double> values,
                                bool minimise, PollTimer& timer);

}  // namespace volition

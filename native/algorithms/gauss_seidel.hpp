// Values of states by sweeps of Gauss and Seidel: each state at once counts with the new values of those before it.
//
// Strongly connected components are swept one after the other, each until it is settled, after those that it leads to (Dai, Goldsmith,
// "Topological value iteration algorithm for Markov decision processes", 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "poll_timer.hpp"

namespace volition {

struct GaussSeidelResult {
  std::vector<double> values;
  bool converged;  // the last sweep of each component changed no value by more than the tolerance, as a part of it
};

// About the solution of x = the least, or else the greatest, over the rows of each part of (gain + sum of weight * x), from given values on.
// The rows of part i are first_row[i] up to first_row[i + 1]; a part that leads back to itself is solved for itself.
// Each component is swept so many times at most.
GaussSeidelResult solve_gauss_seidel(std::span<const std::int64_t> first_row, std::span<const std::int64_t> first_entry, std::span<const Node> columns,
            std::span<const double> weights, std::span<const double> gains, std::span<const double> values, bool minimise, double tolerance,
            std::size_t max_sweeps, PollTimer& timer);

}  // namespace volition

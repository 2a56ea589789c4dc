// Gauss-Seidel value iteration: values are updated in place, so that later updates of a sweep use
// the new values of earlier ones.
//
// Strongly connected components are solved in reverse topological order, each until it converges
// (Dai, Goldsmith, "Topological value iteration algorithm for Markov decision processes", 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph.hpp"
#include "poll_timer.hpp"

namespace volition {

struct GaussSeidelResult {
  std::vector<double> values;
  bool
      converged;  // the last sweep of each SCC changed no value by more than the relative tolerance
};

// Approximates the solution of the equations x = minimum (`minimise`) or maximum over the rows of a
// block of (gain + sum of weight * x). There is one unknown x per block (a set of states with the
// same value), and one row per choice. The iteration starts from `values`. The rows of block i are
// first_row[i] to first_row[i + 1], exclusive. Self-loops are solved in closed form. Each strongly
// connected component is swept at most `max_sweeps` times.
GaussSeidelResult solve_gauss_seidel(std::span<const std::int64_t> first_row,
                                     std::span<const std::int64_t> first_entry,
                                     std::span<const Node> columns, std::span<const double> weights,
                                     std::span<const double> gains, std::span<const double> values,
                                     bool minimise, double tolerance, std::size_t max_sweeps,
                                     PollTimer& timer);

}  // namespace volition

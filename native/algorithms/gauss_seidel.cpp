#include "gauss_seidel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "scc.hpp"

namespace volition {

namespace {

constexpr Node kOutside = UINT32_MAX;

// Returns the solution of x = gain + back * x, where `back` is the probability of returning to the
// same states. If `back` is 1, the solution is infinite, or 0 without gain.
double solve_self_loop(double gain, double back) {
  if (back < 1) return gain / (1 - back);
  return gain > 0 ? INFINITY : 0;
}

// Equation system with one unknown x per block (a set of states with the same value): x = optimum
// over the rows of the block of (gain + sum of weight * x). A row stands for a choice. Its gain is
// what the choice itself adds to the value, for example its reward.
struct Equations {
  std::span<const std::int64_t> first_row, first_entry;
  std::span<const Node> columns;
  std::span<const double> weights, gains;
  bool minimise;

  [[nodiscard]] std::size_t begin(std::size_t block) const {
    return static_cast<std::size_t>(first_row[block]);
  }
  [[nodiscard]] std::size_t end(std::size_t block) const {
    return static_cast<std::size_t>(first_row[block + 1]);
  }
  [[nodiscard]] std::size_t begin_entries(std::size_t row) const {
    return static_cast<std::size_t>(first_entry[row]);
  }
  [[nodiscard]] std::size_t end_entries(std::size_t row) const {
    return static_cast<std::size_t>(first_entry[row + 1]);
  }

  [[nodiscard]] double better(double one, double other) const {
    return (minimise ? other < one : other > one) ? other : one;
  }
  [[nodiscard]] double best_of(std::size_t block, const std::vector<double>& x) const {
    double best = minimise ? INFINITY : -INFINITY;
    for (std::size_t row = begin(block); row < end(block); ++row) {
      double sum = gains[row];
      double back = 0;
      for (std::size_t i = begin_entries(row); i < end_entries(row); ++i) {
        if (columns[i] == block) {
          back += weights[i];
        } else {
          sum += weights[i] * x[columns[i]];
        }
      }
      best = better(best, solve_self_loop(sum, back));
    }
    return best;
  }
};

// Solver for the equations of one SCC. The equations are copied in the order in which a sweep
// visits them. Values of blocks outside the SCC are known, so they are added to the gains of the
// rows.
//
// A block that has a single row and occurs in only one other row is substituted into that row. This
// reduces the number of equations, and no row becomes longer than both were together. The value of
// a substituted block is computed at the end.
class SccSolver {
 public:
  SccSolver(const Equations& all, std::vector<Node>& local_index, PollTimer& timer)
      : all_(all), local_index_(local_index), timer_(timer) {}

  // Solves the equations of the given blocks by Gauss-Seidel sweeps and writes their values to `x`.
  // Returns whether the values converged within `max_sweeps`.
  bool solve(std::vector<Node> blocks, std::vector<double>& x, double tolerance,
             std::size_t max_sweeps) {
    std::ranges::sort(blocks, std::greater());  // successors mostly have larger numbers
    choose_kept_blocks(blocks);
    first_row_.assign(1, 0);
    first_entry_.assign(1, 0);
    columns_.clear();
    weights_.clear();
    gains_.clear();
    values_.clear();
    replaced_blocks_.clear();
    for (const Node block : kept_blocks_) {
      for (std::size_t row = all_.begin(block); row < all_.end(block); ++row) {
        add_row(block, row, x);
      }
      first_row_.push_back(gains_.size());
      values_.push_back(x[block]);
    }
    bool converged = false;
    for (std::size_t sweeps = 0; sweeps < max_sweeps && !converged; ++sweeps) {
      converged = sweep(tolerance);
    }
    for (std::size_t i = 0; i < kept_blocks_.size(); ++i) x[kept_blocks_[i]] = values_[i];
    while (!replaced_blocks_.empty()) {  // the block substituted last depends on no other one
      x[replaced_blocks_.back()] = all_.best_of(replaced_blocks_.back(), x);
      replaced_blocks_.pop_back();
    }
    for (const Node block : blocks) local_index_[block] = kOutside;
    return converged;
  }

 private:
  static constexpr Node kReplaced = kOutside - 1;

  // Chooses the blocks that keep their own equation; all others are substituted into another row.
  // The first block is always kept. Otherwise the blocks of a cycle could all be substituted into
  // each other.
  void choose_kept_blocks(const std::vector<Node>& blocks) {
    for (const Node block : blocks) local_index_[block] = 0;
    for (const Node block : blocks) {
      for (std::size_t i = all_.begin_entries(all_.begin(block));
           i < all_.begin_entries(all_.end(block)); ++i) {
        const Node column = all_.columns[i];
        if (local_index_[column] != kOutside) local_index_[column] += column == block ? 2 : 1;
      }
    }
    kept_blocks_.clear();
    for (const Node block : blocks) {
      const bool replaced = local_index_[block] == 1 && all_.end(block) - all_.begin(block) == 1 &&
                            block != blocks.front();
      local_index_[block] = replaced ? kReplaced : static_cast<Node>(kept_blocks_.size());
      if (!replaced) kept_blocks_.push_back(block);
    }
  }

  void add_row(Node block, std::size_t row, const std::vector<double>& x) {
    double gain = 0;
    double back = 0;
    pending_rows_.assign(1, {row, 1.0});
    while (!pending_rows_.empty()) {
      const auto [at, factor] = pending_rows_.back();
      pending_rows_.pop_back();
      timer_.tick();
      gain += factor * all_.gains[at];
      for (std::size_t i = all_.begin_entries(at); i < all_.end_entries(at); ++i) {
        const Node column = all_.columns[i];
        const double weight = factor * all_.weights[i];
        if (local_index_[column] == kOutside) {
          gain += weight * x[column];
        } else if (column == block) {
          back += weight;
        } else if (local_index_[column] == kReplaced) {
          pending_rows_.emplace_back(all_.begin(column), weight);
          replaced_blocks_.push_back(column);
        } else {
          columns_.push_back(local_index_[column]);
          weights_.push_back(weight);
        }
      }
    }
    for (std::size_t i = first_entry_.back(); i < weights_.size(); ++i) {
      weights_[i] = solve_self_loop(weights_[i], back);
    }
    gains_.push_back(solve_self_loop(gain, back));
    first_entry_.push_back(weights_.size());
  }

  bool sweep(double tolerance) {
    bool converged = true;
    std::size_t row = 0;
    std::size_t entry = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      timer_.tick();
      double best = all_.minimise ? INFINITY : -INFINITY;
      for (; row < first_row_[i + 1]; ++row) {
        double sum = gains_[row];
        for (; entry < first_entry_[row + 1]; ++entry) {
          sum += weights_[entry] * values_[columns_[entry]];
        }
        best = all_.better(best, sum);
      }
      converged = converged && std::abs(best - values_[i]) <= tolerance * std::abs(best);
      values_[i] = best;
    }
    return converged;
  }

  const Equations& all_;
  // Per block: its index in `kept_blocks_`; kReplaced if it is substituted into another row;
  // kOutside if it is in another SCC.
  std::vector<Node>& local_index_;
  PollTimer& timer_;
  std::vector<Node> kept_blocks_, replaced_blocks_;
  // Rows that remain to be substituted into the current row, each with the factor by which it is
  // multiplied.
  std::vector<std::pair<std::size_t, double>> pending_rows_;
  std::vector<std::size_t> first_row_, first_entry_;
  std::vector<Node> columns_;
  std::vector<double> weights_, gains_, values_;
};

}  // namespace

GaussSeidelResult solve_gauss_seidel(std::span<const std::int64_t> first_row,
                                     std::span<const std::int64_t> first_entry,
                                     std::span<const Node> columns, std::span<const double> weights,
                                     std::span<const double> gains, std::span<const double> values,
                                     bool minimise, double tolerance, std::size_t max_sweeps,
                                     PollTimer& timer) {
  GaussSeidelResult result{{values.begin(), values.end()}, true};
  std::vector<double>& x = result.values;
  const Equations equations{first_row, first_entry, columns, weights, gains, minimise};
  std::vector<Node> local_index(x.size(), kOutside);
  SccSolver solver(equations, local_index, timer);
  std::vector<std::int64_t> first_edge(first_row.size());
  for (std::size_t block = 0; block < first_row.size(); ++block) {
    first_edge[block] = first_entry[static_cast<std::size_t>(first_row[block])];
  }
  std::vector<Node> blocks(x.size());
  std::iota(blocks.begin(), blocks.end(), Node{0});
  const Graph graph{first_edge, columns};
  const EdgeMarks unmarked;
  SccFinder(graph, unmarked, timer).find(blocks, 0, [&](const std::vector<Node>& scc, bool, Marks) {
    if (scc.size() == 1) {
      x[scc[0]] = equations.best_of(scc[0], x);
    } else if (!solver.solve(scc, x, tolerance, max_sweeps)) {
      result.converged = false;
    }
  });
  return result;
}

}  // namespace volition

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

// x = gain + back * x: who never leaves earns for ever, or nothing.
double around(double gain, double back) {
  if (back < 1) return gain / (1 - back);
  return gain > 0 ? INFINITY : 0;
}

// x = the best over the rows of each part of (gain + sum of weight * x).
struct Equations {
  std::span<const std::int64_t> first_row, first_entry;
  std::span<const Node> columns;
  std::span<const double> weights, gains;
  bool least;

  [[nodiscard]] std::size_t begin(std::size_t part) const { return static_cast<std::size_t>(first_row[part]); }
  [[nodiscard]] std::size_t end(std::size_t part) const { return static_cast<std::size_t>(first_row[part + 1]); }
  [[nodiscard]] std::size_t begin_entries(std::size_t row) const { return static_cast<std::size_t>(first_entry[row]); }
  [[nodiscard]] std::size_t end_entries(std::size_t row) const { return static_cast<std::size_t>(first_entry[row + 1]); }

  [[nodiscard]] double better(double one, double other) const { return (least ? other < one : other > one) ? other : one; }
  [[nodiscard]] double best_of(std::size_t part, const std::vector<double>& x) const {
    double best = least ? INFINITY : -INFINITY;
    for (std::size_t row = begin(part); row < end(part); ++row) {
      double sum = gains[row];
      double back = 0;
      for (std::size_t i = begin_entries(row); i < end_entries(row); ++i) {
        if (columns[i] == part) {
          back += weights[i];
        } else {
          sum += weights[i] * x[columns[i]];
        }
      }
      best = better(best, around(sum, back));
    }
    return best;
  }
};

// The equations of one strongly connected component, in the order in which they are swept, with everything outside of it in their gains.
//
// A part that has one row and stands in one other row only is put into that row: equations become fewer, and no row gets longer than both were
// together.  Its value is found in the end.
class Block {
 public:
  Block(const Equations& all, std::vector<Node>& place, Patience& patience) : all_(all), place_(place), patience_(patience) {}

  // Finds the values of the parts; whether they settled.
  bool settle(std::vector<Node> parts, std::vector<double>& x, double tolerance, std::size_t most_sweeps) {
    std::ranges::sort(parts, std::greater());  // states have mostly larger numbers than those that lead to them
    choose_kept(parts);
    first_row_.assign(1, 0);
    first_entry_.assign(1, 0);
    columns_.clear();
    weights_.clear();
    gains_.clear();
    values_.clear();
    replaced_.clear();
    for (const Node part : kept_) {
      for (std::size_t row = all_.begin(part); row < all_.end(part); ++row) add_row(part, row, x);
      first_row_.push_back(gains_.size());
      values_.push_back(x[part]);
    }
    bool settled = false;
    for (std::size_t sweeps = 0; sweeps < most_sweeps && !settled; ++sweeps) settled = sweep(tolerance);
    for (std::size_t i = 0; i < kept_.size(); ++i) x[kept_[i]] = values_[i];
    while (!replaced_.empty()) {  // what was put into another row last follows nobody
      x[replaced_.back()] = all_.best_of(replaced_.back(), x);
      replaced_.pop_back();
    }
    for (const Node part : parts) place_[part] = kOutside;
    return settled;
  }

 private:
  static constexpr Node kReplaced = kOutside - 1;

  // In a circle of parts that stand in one row each the first is kept.
  void choose_kept(const std::vector<Node>& parts) {
    for (const Node part : parts) place_[part] = 0;
    for (const Node part : parts) {
      for (std::size_t i = all_.begin_entries(all_.begin(part)); i < all_.begin_entries(all_.end(part)); ++i) {
        const Node column = all_.columns[i];
        if (place_[column] != kOutside) place_[column] += column == part ? 2 : 1;
      }
    }
    kept_.clear();
    for (const Node part : parts) {
      const bool replaced = place_[part] == 1 && all_.end(part) - all_.begin(part) == 1 && part != parts.front();
      place_[part] = replaced ? kReplaced : static_cast<Node>(kept_.size());
      if (!replaced) kept_.push_back(part);
    }
  }

  void add_row(Node part, std::size_t row, const std::vector<double>& x) {
    double gain = 0;
    double back = 0;
    open_.assign(1, {row, 1.0});
    while (!open_.empty()) {
      const auto [at, factor] = open_.back();
      open_.pop_back();
      patience_.spend();
      gain += factor * all_.gains[at];
      for (std::size_t i = all_.begin_entries(at); i < all_.end_entries(at); ++i) {
        const Node column = all_.columns[i];
        const double weight = factor * all_.weights[i];
        if (place_[column] == kOutside) {
          gain += weight * x[column];
        } else if (column == part) {
          back += weight;
        } else if (place_[column] == kReplaced) {
          open_.emplace_back(all_.begin(column), weight);
          replaced_.push_back(column);
        } else {
          columns_.push_back(place_[column]);
          weights_.push_back(weight);
        }
      }
    }
    for (std::size_t i = first_entry_.back(); i < weights_.size(); ++i) weights_[i] = around(weights_[i], back);
    gains_.push_back(around(gain, back));
    first_entry_.push_back(weights_.size());
  }

  bool sweep(double tolerance) {
    bool settled = true;
    std::size_t row = 0;
    std::size_t entry = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      patience_.spend();
      double best = all_.least ? INFINITY : -INFINITY;
      for (; row < first_row_[i + 1]; ++row) {
        double sum = gains_[row];
        for (; entry < first_entry_[row + 1]; ++entry) sum += weights_[entry] * values_[columns_[entry]];
        best = all_.better(best, sum);
      }
      settled = settled && std::abs(best - values_[i]) <= tolerance * std::abs(best);
      values_[i] = best;
    }
    return settled;
  }

  const Equations& all_;
  std::vector<Node>& place_;  // of each part: among those that are kept, or kReplaced; kOutside for parts of other components
  Patience& patience_;
  std::vector<Node> kept_, replaced_;
  std::vector<std::pair<std::size_t, double>> open_;  // rows that go into the one at hand, and how often
  std::vector<std::size_t> first_row_, first_entry_;
  std::vector<Node> columns_;
  std::vector<double> weights_, gains_, values_;
};

}  // namespace

Swept sweep(std::span<const std::int64_t> first_row, std::span<const std::int64_t> first_entry, std::span<const Node> columns,
            std::span<const double> weights, std::span<const double> gains, std::span<const double> values, bool least, double tolerance,
            std::size_t most_sweeps, Patience& patience) {
  Swept result{{values.begin(), values.end()}, true};
  std::vector<double>& x = result.values;
  const Equations equations{first_row, first_entry, columns, weights, gains, least};
  std::vector<Node> place(x.size(), kOutside);
  Block block(equations, place, patience);
  std::vector<std::int64_t> first_edge(first_row.size());
  for (std::size_t part = 0; part < first_row.size(); ++part) first_edge[part] = first_entry[static_cast<std::size_t>(first_row[part])];
  std::vector<Node> parts(x.size());
  std::iota(parts.begin(), parts.end(), Node{0});
  const Graph graph{first_edge, columns};
  const EdgeMarks unmarked;
  Components(graph, unmarked, patience).run(parts, 0, [&](const std::vector<Node>& component, bool, Marks) {
    if (component.size() == 1) {
      x[component[0]] = equations.best_of(component[0], x);
    } else if (!block.settle(component, x, tolerance, most_sweeps)) {
      result.settled = false;
    }
  });
  return result;
}

}  // namespace volition

#include "sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "components.hpp"

namespace volition {

Swept sweep(std::span<const std::int64_t> first_row, std::span<const std::int64_t> first_entry, std::span<const Node> columns,
            std::span<const double> weights, std::span<const double> gains, std::span<const double> values, bool least, double tolerance,
            std::size_t most_sweeps, Patience& patience) {
  Swept result{{values.begin(), values.end()}, true};
  std::vector<double>& x = result.values;
  const auto value_of = [&](std::size_t row, std::size_t part) {
    patience.spend();
    double sum = gains[row];
    double back = 0;
    for (auto i = static_cast<std::size_t>(first_entry[row]); i < static_cast<std::size_t>(first_entry[row + 1]); ++i) {
      if (columns[i] == part) {
        back += weights[i];
      } else {
        sum += weights[i] * x[columns[i]];
      }
    }
    return back > 0 && back < 1 ? sum / (1 - back) : sum;
  };
  const auto best_of = [&](std::size_t part) {
    auto row = static_cast<std::size_t>(first_row[part]);
    const auto end = static_cast<std::size_t>(first_row[part + 1]);
    double best = value_of(row, part);
    while (++row < end) {
      const double other = value_of(row, part);
      best = (least ? other < best : other > best) ? other : best;
    }
    return best;
  };
  const auto settle = [&](std::vector<Node> parts) {
    std::ranges::sort(parts, std::greater());  // states have mostly larger numbers than those that lead to them
    for (std::size_t sweeps = 0; sweeps < most_sweeps; ++sweeps) {
      bool settled = true;
      for (const Node part : parts) {
        const double best = best_of(part);
        if (!(std::abs(best - x[part]) <= tolerance * std::abs(best))) settled = false;
        x[part] = best;
      }
      if (settled) return true;
    }
    return false;
  };

  std::vector<std::int64_t> first_edge(first_row.size());
  for (std::size_t part = 0; part < first_row.size(); ++part) first_edge[part] = first_entry[static_cast<std::size_t>(first_row[part])];
  std::vector<Node> parts(x.size());
  std::iota(parts.begin(), parts.end(), Node{0});
  const Graph graph{first_edge, columns};
  const EdgeMarks unmarked;
  Components(graph, unmarked, patience).run(parts, 0, [&](const std::vector<Node>& component, bool, Marks) {
    if (component.size() == 1) {
      x[component[0]] = best_of(component[0]);
    } else if (!settle(component)) {
      result.settled = false;
    }
  });
  return result;
}

}  // namespace volition

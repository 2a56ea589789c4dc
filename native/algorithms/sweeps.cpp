#include "sweeps.hpp"

#include <cmath>

namespace volition {

Swept sweep(std::span<const std::int64_t> first_row, std::span<const std::int64_t> first_entry, std::span<const Node> columns,
            std::span<const double> weights, std::span<const double> gains, std::span<const double> values, bool least, double tolerance,
            std::size_t most_sweeps, Patience& patience) {
  Swept result{{values.begin(), values.end()}, false};
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
  for (std::size_t sweeps = 0; sweeps < most_sweeps && !result.settled; ++sweeps) {
    result.settled = true;
    for (std::size_t part = x.size(); part-- > 0;) {
      auto row = static_cast<std::size_t>(first_row[part]);
      const auto end = static_cast<std::size_t>(first_row[part + 1]);
      double best = value_of(row, part);
      while (++row < end) {
        const double other = value_of(row, part);
        best = (least ? other < best : other > best) ? other : best;
      }
      if (!(std::abs(best - x[part]) <= tolerance * std::abs(best))) result.settled = false;
      x[part] = best;
    }
  }
  return result;
}

}  // namespace volition

#include "bellman_backup.hpp"

#include <algorithm>
#include <limits>

namespace volition {

std::vector<double> bellman_backup(std::span<const std::int64_t> first_choice,
                                   std::span<const std::int64_t> first_transition,
                                   std::span<const Node> targets,
                                   std::span<const double> probabilities,
                                   std::span<const double> values, bool minimise,
                                   PollTimer& timer) {
  constexpr double smallest = std::numeric_limits<double>::min();
  const auto value_of = [&](std::size_t choice) {
    timer.tick();
    const auto begin = static_cast<std::size_t>(first_transition[choice]);
    const auto end = static_cast<std::size_t>(first_transition[choice + 1]);
    double sum = 0;
    for (std::size_t t = begin; t < end; ++t) sum += probabilities[t] * values[targets[t]];
    if (sum >= smallest) return sum;
    for (std::size_t t = begin; t < end; ++t) {
      if (probabilities[t] > 0 && values[targets[t]] > 0) return smallest;
    }
    return 0.0;
  };
  std::vector<double> result(first_choice.size() - 1);
  for (std::size_t state = 0; state < result.size(); ++state) {
    auto choice = static_cast<std::size_t>(first_choice[state]);
    const auto end = static_cast<std::size_t>(first_choice[state + 1]);
    double best = value_of(choice);
    while (++choice < end) {
      best = minimise ? std::min(best, value_of(choice)) : std::max(best, value_of(choice));
    }
    result[state] = best;
  }
  return result;
}

}  // namespace volition

#include "bellman_backup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "testing.hpp"

namespace volition {
namespace {

using testing::Dice;

TEST(bellman_backup_is_the_optimal_expected_value) {
  Dice dice(11);
  for (int round = 0; round < 500; ++round) {
    const std::uint32_t states = 1 + dice.below(6);
    const bool minimise = dice.coin();
    std::vector<double> values;
    for (std::uint32_t i = 0; i < states; ++i) values.push_back(dice.below(1000) / 1000.0);
    std::vector<std::int64_t> first_choice{0}, first_transition{0};
    std::vector<Node> targets;
    std::vector<double> probabilities, expected;
    for (std::uint32_t state = 0; state < states; ++state) {
      std::vector<double> offers;
      for (std::uint32_t choices = 1 + dice.below(3); choices > 0; --choices) {
        const std::uint32_t outcomes = 1 + dice.below(3);
        double sum = 0;
        for (std::uint32_t k = 0; k < outcomes; ++k) {
          targets.push_back(dice.below(states));
          probabilities.push_back(1.0 / outcomes);
          sum += values[targets.back()] / outcomes;
        }
        first_transition.push_back(static_cast<std::int64_t>(targets.size()));
        offers.push_back(sum);
      }
      first_choice.push_back(static_cast<std::int64_t>(first_transition.size() - 1));
      expected.push_back(minimise ? *std::ranges::min_element(offers)
                                  : *std::ranges::max_element(offers));
    }
    if (dice.coin() && states > 1) {  // only the first states are queried
      first_choice.pop_back();
      expected.pop_back();
    }
    PollTimer timer = testing::never_polling();
    const std::vector<double> found = bellman_backup(first_choice, first_transition, targets,
                                                     probabilities, values, minimise, timer);
    CHECK(found.size() == expected.size());
    for (std::size_t state = 0; state < found.size(); ++state) {
      CHECK(std::abs(found[state] - expected[state]) < 1e-12);
    }
  }
}

TEST(positive_values_do_not_underflow_to_zero) {
  constexpr double smallest = std::numeric_limits<double>::min();
  const std::vector<std::int64_t> first_choice{0, 1, 2}, first_transition{0, 2, 4};
  const std::vector<Node> targets{0, 1, 0, 1};
  const std::vector<double> probabilities{1e-200, 1.0, 0.0, 1.0};
  PollTimer timer = testing::never_polling();
  const std::vector<double> found =
      bellman_backup(first_choice, first_transition, targets, probabilities,
                     std::vector<double>{1e-200, 0.0}, false, timer);
  CHECK(found[0] == smallest);  // 1e-400 is smaller than any positive double
  CHECK(found[1] == 0.0);
}

}  // namespace
}  // namespace volition

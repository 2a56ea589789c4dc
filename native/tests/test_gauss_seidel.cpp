#include "gauss_seidel.hpp"

#include <cmath>

#include "testing.hpp"

namespace volition {
namespace {

using testing::Dice;

// Random equation system. The weights of each row sum to less than 1, so that the solution is
// unique.
struct Equations {
  std::vector<std::int64_t> first_row{0}, first_entry{0};
  std::vector<Node> columns;
  std::vector<double> weights, gains;
};

Equations random_equations(Dice& dice, std::uint32_t blocks) {
  Equations equations;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    for (std::uint32_t rows = 1 + dice.below(3); rows > 0; --rows) {
      const std::uint32_t entries = dice.below(4);
      for (std::uint32_t k = 0; k < entries; ++k) {
        equations.columns.push_back(dice.below(blocks));
        equations.weights.push_back(0.9 / entries);
      }
      equations.gains.push_back(dice.below(100) / 100.0);
      equations.first_entry.push_back(static_cast<std::int64_t>(equations.columns.size()));
    }
    equations.first_row.push_back(static_cast<std::int64_t>(equations.gains.size()));
  }
  return equations;
}

// Returns the largest difference between a value and the right-hand side of its equation.
double error(const Equations& equations, const std::vector<double>& values, bool minimise) {
  double largest = 0;
  for (std::size_t block = 0; block < values.size(); ++block) {
    double best = minimise ? INFINITY : -INFINITY;
    for (auto row = static_cast<std::size_t>(equations.first_row[block]);
         row < static_cast<std::size_t>(equations.first_row[block + 1]); ++row) {
      double sum = equations.gains[row];
      for (auto i = static_cast<std::size_t>(equations.first_entry[row]);
           i < static_cast<std::size_t>(equations.first_entry[row + 1]); ++i) {
        sum += equations.weights[i] * values[equations.columns[i]];
      }
      best = minimise ? std::min(best, sum) : std::max(best, sum);
    }
    largest = std::max(largest, std::abs(best - values[block]));
  }
  return largest;
}

TEST(gauss_seidel_converges_to_the_solution) {
  Dice dice(12);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t blocks = 1 + dice.below(8);
    const bool minimise = dice.coin();
    const Equations equations = random_equations(dice, blocks);
    PollTimer timer([] {});
    const std::vector<double> start(blocks, 0.0);
    const GaussSeidelResult result = solve_gauss_seidel(
        equations.first_row, equations.first_entry, equations.columns, equations.weights,
        equations.gains, start, minimise, 1e-15, 10'000, timer);
    CHECK(result.converged);
    CHECK(error(equations, result.values, minimise) < 1e-12);
  }
}

TEST(self_loop_is_solved_in_closed_form) {
  const std::vector<std::int64_t> first{0, 1};
  const std::vector<Node> columns{0};
  const std::vector<double> weights{0.999}, gains{1.0}, start{0.0};
  PollTimer timer([] {});
  const GaussSeidelResult result =
      solve_gauss_seidel(first, first, columns, weights, gains, start, false, 1e-12, 2, timer);
  CHECK(result.converged);
  CHECK(std::abs(result.values[0] - 1000.0) < 1e-9);
}

TEST(staying_with_a_gain_has_infinite_value) {
  // A single block with two rows: leave with a gain of 2, or stay with a gain of 1.
  const std::vector<std::int64_t> first_row{0, 2}, first_entry{0, 0, 1};
  const std::vector<Node> columns{0};
  const std::vector<double> weights{1.0}, gains{2.0, 1.0}, start{0.0};
  PollTimer timer([] {});
  CHECK(solve_gauss_seidel(first_row, first_entry, columns, weights, gains, start, true, 1e-12, 2,
                           timer)
            .values[0] == 2.0);
  CHECK(solve_gauss_seidel(first_row, first_entry, columns, weights, gains, start, false, 1e-12, 2,
                           timer)
            .values[0] == INFINITY);
}

TEST(too_few_sweeps_do_not_converge) {
  const std::vector<std::int64_t> first_row{0, 1, 2, 3}, first_entry{0, 2, 4, 6};
  const std::vector<Node> columns{1, 2, 0, 2, 0, 1};
  const std::vector<double> weights(6, 0.4995), gains(3, 1.0), start(3, 0.0);
  PollTimer timer([] {});
  CHECK(!solve_gauss_seidel(first_row, first_entry, columns, weights, gains, start, false, 1e-12, 3,
                            timer)
             .converged);
}

TEST(blocks_used_in_one_row_are_substituted) {
  const std::uint32_t blocks = 100'000;  // in a cycle: 1 + 0.999 times the next
  std::vector<std::int64_t> first(blocks + 1);
  std::vector<Node> columns(blocks);
  for (std::uint32_t block = 0; block <= blocks; ++block) first[block] = block;
  for (std::uint32_t block = 0; block < blocks; ++block) columns[block] = (block + 1) % blocks;
  const std::vector<double> weights(blocks, 0.999), gains(blocks, 1.0), start(blocks, 0.0);
  PollTimer timer([] {});
  const GaussSeidelResult result =
      solve_gauss_seidel(first, first, columns, weights, gains, start, false, 1e-12, 2, timer);
  CHECK(result.converged);
  for (const double value : result.values) CHECK(std::abs(value - 1000.0) < 1e-6);
}

}  // namespace
}  // namespace volition

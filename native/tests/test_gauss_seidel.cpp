#include "gauss_seidel.hpp"

#include <cmath>

#include "testing.hpp"

namespace volition {
namespace {

using testing::Dice;

// Parts with some rows each, which lose a part of what they lead to, so that there is one solution.
struct Equations {
  std::vector<std::int64_t> first_row{0}, first_entry{0};
  std::vector<Node> columns;
  std::vector<double> weights, gains;
};

Equations random_equations(Dice& dice, std::uint32_t parts) {
  Equations made;
  for (std::uint32_t part = 0; part < parts; ++part) {
    for (std::uint32_t rows = 1 + dice.below(3); rows > 0; --rows) {
      const std::uint32_t entries = dice.below(4);
      for (std::uint32_t k = 0; k < entries; ++k) {
        made.columns.push_back(dice.below(parts));
        made.weights.push_back(0.9 / entries);
      }
      made.gains.push_back(dice.below(100) / 100.0);
      made.first_entry.push_back(static_cast<std::int64_t>(made.columns.size()));
    }
    made.first_row.push_back(static_cast<std::int64_t>(made.gains.size()));
  }
  return made;
}

// How far the values are from what one step makes of them.
double error(const Equations& of, const std::vector<double>& values, bool least) {
  double most = 0;
  for (std::size_t part = 0; part < values.size(); ++part) {
    double best = least ? INFINITY : -INFINITY;
    for (auto row = static_cast<std::size_t>(of.first_row[part]); row < static_cast<std::size_t>(of.first_row[part + 1]); ++row) {
      double sum = of.gains[row];
      for (auto i = static_cast<std::size_t>(of.first_entry[row]); i < static_cast<std::size_t>(of.first_entry[row + 1]); ++i) {
        sum += of.weights[i] * values[of.columns[i]];
      }
      best = least ? std::min(best, sum) : std::max(best, sum);
    }
    most = std::max(most, std::abs(best - values[part]));
  }
  return most;
}

TEST(sweeps_come_to_the_solution) {
  Dice dice(12);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t parts = 1 + dice.below(8);
    const bool least = dice.coin();
    const Equations of = random_equations(dice, parts);
    Patience patience([] {});
    const std::vector<double> start(parts, 0.0);
    const Swept swept = sweep(of.first_row, of.first_entry, of.columns, of.weights, of.gains, start, least, 1e-15, 10'000, patience);
    CHECK(swept.settled);
    CHECK(error(of, swept.values, least) < 1e-12);
  }
}

TEST(a_part_that_leads_to_itself_is_solved_at_once) {
  const std::vector<std::int64_t> first{0, 1};
  const std::vector<Node> columns{0};
  const std::vector<double> weights{0.999}, gains{1.0}, start{0.0};
  Patience patience([] {});
  const Swept swept = sweep(first, first, columns, weights, gains, start, false, 1e-12, 2, patience);
  CHECK(swept.settled);
  CHECK(std::abs(swept.values[0] - 1000.0) < 1e-9);
}

TEST(who_never_leaves_a_part_earns_for_ever) {
  const std::vector<std::int64_t> first_row{0, 2}, first_entry{0, 0, 1};  // leave with a gain of 2, or stay with a gain of 1
  const std::vector<Node> columns{0};
  const std::vector<double> weights{1.0}, gains{2.0, 1.0}, start{0.0};
  Patience patience([] {});
  CHECK(sweep(first_row, first_entry, columns, weights, gains, start, true, 1e-12, 2, patience).values[0] == 2.0);
  CHECK(sweep(first_row, first_entry, columns, weights, gains, start, false, 1e-12, 2, patience).values[0] == INFINITY);
}

TEST(too_few_sweeps_do_not_settle) {
  const std::vector<std::int64_t> first_row{0, 1, 2, 3}, first_entry{0, 2, 4, 6};
  const std::vector<Node> columns{1, 2, 0, 2, 0, 1};
  const std::vector<double> weights(6, 0.4995), gains(3, 1.0), start(3, 0.0);
  Patience patience([] {});
  CHECK(!sweep(first_row, first_entry, columns, weights, gains, start, false, 1e-12, 3, patience).settled);
}

TEST(parts_that_stand_in_one_row_are_solved_with_it) {
  const std::uint32_t parts = 100'000;  // in a circle: 1 + 0.999 times the next
  std::vector<std::int64_t> first(parts + 1);
  std::vector<Node> columns(parts);
  for (std::uint32_t part = 0; part <= parts; ++part) first[part] = part;
  for (std::uint32_t part = 0; part < parts; ++part) columns[part] = (part + 1) % parts;
  const std::vector<double> weights(parts, 0.999), gains(parts, 1.0), start(parts, 0.0);
  Patience patience([] {});
  const Swept swept = sweep(first, first, columns, weights, gains, start, false, 1e-12, 2, patience);
  CHECK(swept.settled);
  for (const double value : swept.values) CHECK(std::abs(value - 1000.0) < 1e-6);
}

}  // namespace
}  // namespace volition

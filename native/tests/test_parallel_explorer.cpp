// Several threads find what one finds, in the same order and under the same numbers.

#include "parallel_explorer.hpp"

#include <atomic>
#include <limits>
#include <stdexcept>

#include "random_systems.hpp"

namespace volition {
namespace {

using namespace testing;

constexpr auto kEndless = std::numeric_limits<std::size_t>::max();

// Some of them small, some with thousands of states.
RandomSystem random_large_system(Dice& dice) {
  RandomSystem system = random_system(dice);
  system.slots = 4 + dice.below(3);
  system.values = 3 + dice.below(3);
  system.components += dice.below(2);
  return system;
}

TEST(a_crew_does_everything_once_and_hands_on_what_is_thrown) {
  Crew crew(3);
  std::atomic<int> calls = 0;
  for (int round = 0; round < 200; ++round) crew.run([&](std::size_t worker) { calls += 1 << (8 * worker % 24); });
  CHECK(calls == 200 * (1 + (1 << 8) + (1 << 16)));
  bool thrown = false;
  try {
    crew.run([](std::size_t worker) {
      if (worker == 2) throw std::runtime_error("stop");
    });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  CHECK(thrown);
  crew.run([&](std::size_t) { ++calls; });
}

TEST(several_threads_find_the_same_as_one) {
  Dice dice(30);
  std::size_t largest = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomSystem system = random_large_system(dice);
    Exploration alone(system);
    Exploration together(system);
    const std::size_t states = dice.coin() ? kEndless : dice.below(3000);
    const Ended ended = alone.up_to(states);
    CHECK(together.up_to(states, false, 2 + dice.below(3), dice.coin() ? 0 : dice.below(500)) == ended);
    CHECK(Snapshot(alone) == Snapshot(together));
    CHECK(alone.outside.labels == together.outside.labels && alone.outside.weights == together.outside.weights);
    CHECK(alone.outside.calls == together.outside.calls);
    CHECK(alone.explorer.total_bytes() > 0);
    largest = std::max(largest, alone.explorer.num_states());
  }
  CHECK(largest > 2000);
}

TEST(several_threads_stop_where_one_stops_and_go_on) {
  Dice dice(31);
  int hits = 0;
  for (int round = 0; round < 100; ++round) {
    const RandomSystem system = random_large_system(dice);
    Exploration whole(system);
    whole.to_the_end();
    Exploration alone(system);
    Exploration together(system);
    std::size_t states = dice.below(50);
    for (int stops = 0; stops < 5; ++stops) {
      const bool stop_at_hit = dice.below(3) == 0;
      const Ended ended = alone.up_to(states, stop_at_hit);
      CHECK(together.up_to(states, stop_at_hit, 1 + dice.below(4)) == ended);
      CHECK(alone.explorer.hit() == together.explorer.hit());
      CHECK(Snapshot(alone) == Snapshot(together));
      hits += ended == Ended::kHit ? 1 : 0;
      states += dice.below(1000);
    }
    // Ctrl-C leaves whole states, wherever it comes.
    Exploration interrupted(system);
    interrupted.outside.interrupted_at = 1 + dice.below(40);
    interrupted.up_to(kEndless, dice.coin(), 3);
    interrupted.outside.interrupted_at = kEndless;
    CHECK(interrupted.up_to(kEndless, false, 2) == Ended::kComplete);
    CHECK(Snapshot(interrupted) == Snapshot(whole));
    CHECK(together.up_to(kEndless, false, 2) == Ended::kComplete);
    CHECK(Snapshot(together) == Snapshot(whole));
  }
  CHECK(hits > 20);
}

TEST(two_writers_are_told_by_several_threads_as_by_one) {
  // Two counters, of which the second also writes the first's slot when both are at their ends.
  constexpr ValueId kEnd = 40;
  Explorer explorer(2, 2, 0, true);
  const auto trace = [&](TreeId tree, Place place) {
    const ValueId own = explorer.read(place, tree);
    Reads reads{{tree, own}};
    std::vector<Write> writes{{tree, (own + 1) % (kEnd + tree)}};
    if (tree == 1 && own == kEnd) writes = {{0, 0}, {1, 0}};
    return std::pair{reads, explorer.add_choices({Choice{0, 0, false, {Outcome{0, writes}}}, Choice{0, 0, false, {Outcome{0, {{tree, 0}}}}}})};
  };
  const Oracle oracle{.trace = trace, .combine = [](Combination, Id, Id) { return Id{0}; }, .pause = [] {}};
  Limits limits{kEndless, kEndless, std::numeric_limits<double>::infinity()};
  limits.jobs = 2;
  limits.states_before_jobs = 0;
  CHECK_THROWS(WriteConflict, explorer.explore(oracle, limits));
}

}  // namespace
}  // namespace volition

// Tests that parallel exploration yields the same state space and numbering as a single thread.

#include "parallel_explorer.hpp"

#include <atomic>
#include <limits>
#include <stdexcept>

#include "random_systems.hpp"

namespace volition {
namespace {

using namespace testing;

constexpr auto kNoLimit = std::numeric_limits<std::size_t>::max();

// Some systems are small, some have thousands of states.
RandomSystem random_large_system(Dice& dice) {
  RandomSystem system = random_system(dice);
  system.slots = 4 + dice.below(3);
  system.values = 3 + dice.below(3);
  system.components += dice.below(2);
  return system;
}

TEST(thread_pool_runs_each_worker_once_and_rethrows) {
  ThreadPool pool(3);
  std::atomic<int> calls = 0;
  for (int round = 0; round < 200; ++round) {
    pool.run([&](std::size_t worker) { calls += 1 << (8 * worker % 24); });
  }
  CHECK(calls == 200 * (1 + (1 << 8) + (1 << 16)));
  bool thrown = false;
  try {
    pool.run([](std::size_t worker) {
      if (worker == 2) throw std::runtime_error("stop");
    });
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  CHECK(thrown);
  pool.run([&](std::size_t) { ++calls; });
}

TEST(parallel_exploration_matches_sequential) {
  Dice dice(30);
  std::size_t largest = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomSystem system = random_large_system(dice);
    Exploration one_thread(system);
    Exploration many_threads(system);
    const std::size_t states = dice.coin() ? kNoLimit : dice.below(3000);
    const ExplorationStatus status = one_thread.up_to(states);
    CHECK(many_threads.up_to(states, false, 2 + dice.below(3), dice.coin() ? 0 : dice.below(500)) ==
          status);
    CHECK(Snapshot(one_thread) == Snapshot(many_threads));
    CHECK(one_thread.python.labels == many_threads.python.labels &&
          one_thread.python.weights == many_threads.python.weights);
    CHECK(one_thread.python.calls == many_threads.python.calls);
    CHECK(one_thread.explorer.total_bytes() > 0);
    largest = std::max(largest, one_thread.explorer.num_states());
  }
  CHECK(largest > 2000);
}

TEST(parallel_exploration_stops_and_resumes_like_sequential) {
  Dice dice(31);
  int matches = 0;
  for (int round = 0; round < 100; ++round) {
    const RandomSystem system = random_large_system(dice);
    Exploration whole(system);
    whole.complete();
    Exploration one_thread(system);
    Exploration many_threads(system);
    std::size_t states = dice.below(50);
    for (int stops = 0; stops < 5; ++stops) {
      const bool stop_at_match = dice.below(3) == 0;
      const ExplorationStatus status = one_thread.up_to(states, stop_at_match);
      CHECK(many_threads.up_to(states, stop_at_match, 1 + dice.below(4)) == status);
      CHECK(one_thread.explorer.stop_state() == many_threads.explorer.stop_state());
      CHECK(Snapshot(one_thread) == Snapshot(many_threads));
      matches += status == ExplorationStatus::kStopConditionMet ? 1 : 0;
      states += dice.below(1000);
    }
    // Ctrl-C leaves only completely expanded states, whenever it occurs.
    Exploration interrupted(system);
    interrupted.python.interrupted_at = 1 + dice.below(40);
    interrupted.up_to(kNoLimit, dice.coin(), 3);
    interrupted.python.interrupted_at = kNoLimit;
    CHECK(interrupted.up_to(kNoLimit, false, 2) == ExplorationStatus::kComplete);
    CHECK(Snapshot(interrupted) == Snapshot(whole));
    CHECK(many_threads.up_to(kNoLimit, false, 2) == ExplorationStatus::kComplete);
    CHECK(Snapshot(many_threads) == Snapshot(whole));
  }
  CHECK(matches > 20);
}

TEST(parallel_exploration_reports_write_conflicts) {
  // Two components that each count in a slot of their own. At kEnd, the second component also
  // writes the slot of the first, which is a write conflict.
  constexpr ValueId kEnd = 40;
  Explorer explorer(2, 2, 0, true);
  const auto trace = [&](TreeId tree, StateRef state_ref) {
    const ValueId own = explorer.read(state_ref, tree);
    Reads reads{{tree, own}};
    std::vector<Write> writes{{tree, (own + 1) % (kEnd + tree)}};
    if (tree == 1 && own == kEnd) writes = {{0, 0}, {1, 0}};
    return std::pair{reads, explorer.add_choices({Choice{0, 0, false, {Outcome{0, writes}}},
                                                  Choice{0, 0, false, {Outcome{0, {{tree, 0}}}}}})};
  };
  const ExplorerCallbacks callbacks{
      .trace = trace,
      .combine = [](Combination, ObjectId, ObjectId) { return ObjectId{0}; },
      .poll = [] {}};
  Limits limits{kNoLimit, kNoLimit, std::numeric_limits<double>::infinity()};
  limits.threads = 2;
  limits.parallel_threshold = 0;
  CHECK_THROWS(WriteConflict, explorer.explore(callbacks, limits));
}

}  // namespace
}  // namespace volition

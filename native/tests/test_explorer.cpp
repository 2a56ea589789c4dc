// Comparison of the explorer with a naive one on random systems.

#include "explorer.hpp"

#include <algorithm>
#include <limits>

#include "random_systems.hpp"

namespace volition {
namespace {

using namespace testing;

TEST(state_space_matches_naive_explorer) {
  Dice dice(12);
  std::size_t largest = 0;
  for (int round = 0; round < 150; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration exploration(system);
    CHECK(exploration.complete() == ExplorationStatus::kComplete);
    CHECK(exploration.explorer.num_expanded() == exploration.explorer.num_states());
    CHECK(exploration.space() == explored_naively(system));
    largest = std::max(largest, exploration.explorer.num_states());
  }
  CHECK(largest > 40);
}

TEST(resumed_exploration_matches_uninterrupted_one) {
  Dice dice(13);
  for (int round = 0; round < 150; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration whole(system);
    whole.complete();
    Exploration stopping(system);
    std::vector<Snapshot> before;
    std::size_t states = dice.below(5);
    for (int stops = 0; stops < 8; ++stops) {
      if (dice.coin()) stopping.python.interrupted_at = stopping.python.calls + 1 + dice.below(8);
      const ExplorationStatus status = stopping.up_to(states, dice.coin());
      stopping.python.interrupted_at = std::numeric_limits<std::size_t>::max();
      if (status == ExplorationStatus::kStateLimit) {
        Exploration once(system);
        CHECK(once.up_to(states) == ExplorationStatus::kStateLimit);
        CHECK(Snapshot(once) == Snapshot(stopping));
      }
      before.emplace_back(stopping);
      if (dice.coin()) {
        stopping.explorer.evaluate(stopping.python.callbacks(), stopping.predicate,
                                   stopping.explorer.num_states());
      }
      states += dice.below(10);
    }
    CHECK(stopping.complete() == ExplorationStatus::kComplete);
    CHECK(Snapshot(whole) == Snapshot(stopping));
    for (const Snapshot& each : before) CHECK(each.unchanged(stopping));
  }
}

TEST(stop_state_is_first_matching_state) {
  Dice dice(14);
  int matches = 0;
  for (int round = 0; round < 150; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration whole(system);
    whole.complete();
    const std::vector<LeafId> holds = whole.explorer.evaluate(
        whole.python.callbacks(), whole.predicate, whole.explorer.num_states());
    const auto first = std::ranges::find(holds, LeafId{1});
    Exploration searching(system);
    searching.up_to(dice.below(30));
    const ExplorationStatus status = searching.up_to(std::numeric_limits<std::size_t>::max(), true);
    CHECK((status == ExplorationStatus::kStopConditionMet) == (first != holds.end()));
    CHECK(searching.explorer.stop_state().has_value() == (first != holds.end()));
    if (first == holds.end()) continue;
    ++matches;
    CHECK(searching.explorer.stop_state() == static_cast<StateId>(first - holds.begin()));
    CHECK(searching.complete() == ExplorationStatus::kComplete);
    CHECK(!searching.explorer.stop_state());
    CHECK(Snapshot(searching) == Snapshot(whole));
  }
  CHECK(matches > 20);
}

TEST(memory_and_time_limits_leave_a_resumable_exploration) {
  const RandomSystem system{1, 3, false, true};
  Exploration whole(system);
  whole.complete();
  CHECK(whole.explorer.num_states() > 10);
  Exploration stopping(system);
  const auto no_time_limit = std::numeric_limits<double>::infinity();
  CHECK(stopping.explorer.explore(stopping.python.callbacks(), {1000, 1, no_time_limit}) ==
        ExplorationStatus::kMemoryLimit);
  CHECK(stopping.explorer.explore(stopping.python.callbacks(), {1000, 1'000'000'000, -1.0}) ==
        ExplorationStatus::kTimeLimit);
  CHECK(stopping.explorer.num_expanded() == 0);
  // Set the memory limit one byte above the current use, so that each call stops after few states,
  // and resume until the exploration is complete.
  while (stopping.explorer.explore(stopping.python.callbacks(),
                                   {1000, stopping.explorer.total_bytes() + 1, no_time_limit}) ==
         ExplorationStatus::kMemoryLimit) {
  }
  CHECK(Snapshot(stopping) == Snapshot(whole));
  CHECK(stopping.explorer.explore(stopping.python.callbacks(), {0, 0, -1.0}) ==
        ExplorationStatus::kComplete);
}

TEST(write_conflict_names_both_components) {
  Explorer explorer(1, 2, 0, true);
  const ExplorerCallbacks callbacks{
      .trace =
          [&](TreeId, StateRef) {
            return std::pair{Reads{},
                             explorer.add_choices({Choice{0, 0, false, {Outcome{0, {{0, 1}}}}}})};
          },
      .combine = [](Combination, ObjectId, ObjectId) { return ObjectId{0}; },
      .poll = [] {}};
  try {
    explorer.explore(callbacks, {10, 1'000'000, 1.0});
    CHECK(false);
  } catch (const WriteConflict& conflict) {
    CHECK(conflict.first == 0 && conflict.second == 1 && conflict.slot == 0);
  }
}

}  // namespace
}  // namespace volition

// The explorer against a naive one, on random systems.

#include "explorer.hpp"

#include <algorithm>
#include <limits>

#include "random_systems.hpp"

namespace volition {
namespace {

using namespace testing;

TEST(the_same_state_space_as_the_naive_explorer) {
  Dice dice(12);
  std::size_t largest = 0;
  for (int round = 0; round < 150; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration exploration(system);
    CHECK(exploration.to_the_end() == Ended::kComplete);
    CHECK(exploration.explorer.num_expanded() == exploration.explorer.num_states());
    CHECK(exploration.space() == explored_naively(system));
    largest = std::max(largest, exploration.explorer.num_states());
  }
  CHECK(largest > 40);
}

TEST(stopping_and_going_on_is_the_same_as_not_stopping) {
  Dice dice(13);
  for (int round = 0; round < 150; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration whole(system);
    whole.to_the_end();
    Exploration stopping(system);
    std::vector<Snapshot> before;
    std::size_t states = dice.below(5);
    for (int stops = 0; stops < 8; ++stops) {
      if (dice.coin()) stopping.outside.interrupted_at = stopping.outside.calls + 1 + dice.below(8);
      const Ended ended = stopping.up_to(states, dice.coin());
      stopping.outside.interrupted_at = std::numeric_limits<std::size_t>::max();
      if (ended == Ended::kStates) {
        Exploration once(system);
        CHECK(once.up_to(states) == Ended::kStates);
        CHECK(Snapshot(once) == Snapshot(stopping));
      }
      before.emplace_back(stopping);
      if (dice.coin()) stopping.explorer.evaluate(stopping.outside.oracle(), stopping.predicate, stopping.explorer.num_states());
      states += dice.below(10);
    }
    CHECK(stopping.to_the_end() == Ended::kComplete);
    CHECK(Snapshot(whole) == Snapshot(stopping));
    for (const Snapshot& each : before) CHECK(each.unchanged(stopping));
  }
}

TEST(a_hit_is_the_first_state_that_has_it_before_and_after_going_on) {
  Dice dice(14);
  int hits = 0;
  for (int round = 0; round < 150; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration whole(system);
    whole.to_the_end();
    const std::vector<LeafId> holds = whole.explorer.evaluate(whole.outside.oracle(), whole.predicate, whole.explorer.num_states());
    const auto first = std::ranges::find(holds, LeafId{1});
    Exploration searching(system);
    searching.up_to(dice.below(30));
    const Ended ended = searching.up_to(std::numeric_limits<std::size_t>::max(), true);
    CHECK((ended == Ended::kHit) == (first != holds.end()));
    CHECK(searching.explorer.hit().has_value() == (first != holds.end()));
    if (first == holds.end()) continue;
    ++hits;
    CHECK(searching.explorer.hit() == static_cast<StateId>(first - holds.begin()));
    CHECK(searching.to_the_end() == Ended::kComplete);
    CHECK(!searching.explorer.hit());
    CHECK(Snapshot(searching) == Snapshot(whole));
  }
  CHECK(hits > 20);
}

TEST(memory_and_time_end_an_exploration_that_can_go_on) {
  const RandomSystem system{1, 3, false, true};
  Exploration whole(system);
  whole.to_the_end();
  CHECK(whole.explorer.num_states() > 10);
  Exploration stopping(system);
  const auto endless = std::numeric_limits<double>::infinity();
  CHECK(stopping.explorer.explore(stopping.outside.oracle(), {1000, 1, endless}) == Ended::kMemory);
  CHECK(stopping.explorer.explore(stopping.outside.oracle(), {1000, 1'000'000'000, -1.0}) == Ended::kSeconds);
  CHECK(stopping.explorer.num_expanded() == 0);
  // What is in use and one byte more is full after the next states.
  while (stopping.explorer.explore(stopping.outside.oracle(), {1000, stopping.explorer.total_bytes() + 1, endless}) == Ended::kMemory) {
  }
  CHECK(Snapshot(stopping) == Snapshot(whole));
  CHECK(stopping.explorer.explore(stopping.outside.oracle(), {0, 0, -1.0}) == Ended::kComplete);
}

TEST(two_writers_of_one_slot_are_named) {
  Explorer explorer(1, 2, 0, true);
  const Oracle oracle{.trace = [&](TreeId, Place) { return std::pair{Reads{}, explorer.add_choices({Choice{0, 0, false, {Outcome{0, {{0, 1}}}}}})}; },
                      .combine = [](Combination, Id, Id) { return Id{0}; },
                      .pause = [] {}};
  try {
    explorer.explore(oracle, {10, 1'000'000, 1.0});
    CHECK(false);
  } catch (const WriteConflict& conflict) {
    CHECK(conflict.first == 0 && conflict.second == 1 && conflict.slot == 0);
  }
}

}  // namespace
}  // namespace volition

#include "sampling.hpp"

#include <cmath>
#include <string>

#include "testing.hpp"

using namespace volition;

namespace {

// System that tosses a coin three times: slot 0 counts the tosses, and slot 1 holds the last
// result. A toss is heads with probability 1/4. With `two_coins` there is a second choice for each
// toss, a coin that always shows tails.
struct Tosses {
  explicit Tosses(bool two_coins) : sampler(2, 1, 0, false) {
    for (ValueId value = 0; value < 4; ++value) sampler.set_value_hash(0, value, splitmix64(value));
    for (ValueId value = 0; value < 2; ++value) {
      sampler.set_value_hash(1, value, splitmix64(100 + value));
    }
    heads = sampler.add_tree();
    for (ValueId count = 0; count < 3; ++count) {
      const SampledChoice fair{
          1, 7, 1.0, false, {{0.25, {{0, count + 1}, {1, 1}}}, {1.0, {{0, count + 1}, {1, 0}}}}};
      const SampledChoice tails{2, 8, 0.0, false, {{1.0, {{0, count + 1}, {1, 0}}}}};
      leaves[count] = two_coins ? sampler.add_choices({fair, tails}) : sampler.add_choices({fair});
    }
    leaves[3] = sampler.add_choices({});
    sampler.set_property(RunProperty{{{{heads}, false}}});
  }

  // Returns the callbacks of the sampler: the functions of the system, and a monitor for the
  // property F heads.
  SamplerCallbacks callbacks() {
    return {.trace = [this](TreeId tree) -> std::pair<Reads, LeafId> {
              ++calls;
              const Slot slot = tree == heads ? 1 : 0;
              const ValueId value = sampler.read(slot);
              return {{{slot, value}}, tree == heads ? value : leaves[value]};
            },
            .monitor_step = [](MonitorState, Letter letter) -> MonitorState {
              return letter ? kMonitorAccepted : kMonitorInitial;
            },
            .accepts_loop = [](MonitorState,
                               const std::vector<Letter>& letters) { return letters[0] == 1; },
            .state_reward_value = [](LeafId) { return 0.0; },
            .poll = [] {}};
  }

  Sampler sampler;
  TreeId heads = 0;
  LeafId leaves[4]{};
  int calls = 0;
};

double proportion(const SampledRuns& runs, RunOutcome outcome) {
  double count = 0;
  for (const std::uint8_t each : runs.outcomes) count += each == static_cast<std::uint8_t>(outcome);
  return count / static_cast<double>(runs.outcomes.size());
}

}  // namespace

TEST(runs_have_the_probabilities_of_the_system) {
  Tosses tosses(false);
  const SampledRuns runs = tosses.sampler.sample(
      tosses.callbacks(), RunBatch{1, 0, 0, 40000, 100, SchedulerKind::kStopAtChoice});
  // 1 - (3/4)^3 = 37/64; the standard deviation over 40000 runs is 0.0025.
  CHECK(std::abs(proportion(runs, RunOutcome::kAccepted) - 37.0 / 64) < 0.01);
  CHECK(proportion(runs, RunOutcome::kAccepted) + proportion(runs, RunOutcome::kRejected) == 1.0);
  CHECK(tosses.calls <= 6);
}

TEST(run_depends_only_on_seed_and_number) {
  Tosses one(false);
  Tosses other(false);
  const SampledRuns whole = one.sampler.sample(
      one.callbacks(), RunBatch{5, 3, 0, 100, 100, SchedulerKind::kStopAtChoice});
  const SampledRuns end = other.sampler.sample(
      other.callbacks(), RunBatch{5, 3, 60, 40, 100, SchedulerKind::kStopAtChoice});
  CHECK(std::vector<std::uint8_t>(whole.outcomes.begin() + 60, whole.outcomes.end()) ==
        end.outcomes);
  const SampledRuns others = other.sampler.sample(
      other.callbacks(), RunBatch{6, 3, 0, 100, 100, SchedulerKind::kStopAtChoice});
  CHECK(whole.outcomes != others.outcomes);
}

TEST(run_stops_at_unresolved_choice) {
  Tosses tosses(true);
  CHECK(proportion(tosses.sampler.sample(tosses.callbacks(),
                                         RunBatch{1, 0, 0, 100, 100, SchedulerKind::kStopAtChoice}),
                   RunOutcome::kUnresolvedChoice) == 1.0);
  const SampledRuns uniform = tosses.sampler.sample(
      tosses.callbacks(), RunBatch{1, 0, 0, 40000, 100, SchedulerKind::kUniform});
  // With two coins chosen uniformly, a toss is heads with probability 1/8: 1 - (7/8)^3 = 169/512.
  CHECK(std::abs(proportion(uniform, RunOutcome::kAccepted) - 169.0 / 512) < 0.01);
}

TEST(hashed_scheduler_is_memoryless) {
  Tosses tosses(true);
  double highest = 0;
  double lowest = 1;
  for (std::uint64_t scheduler = 1; scheduler <= 64; ++scheduler) {
    const SampledRuns runs = tosses.sampler.sample(
        tosses.callbacks(),
        RunBatch{1, scheduler, 0, 4000, 100, SchedulerKind::kHashed, scheduler});
    const double accepted = proportion(runs, RunOutcome::kAccepted);
    // A scheduler that chooses the coin that can show heads k times accepts with probability 1 -
    // (3/4)^k. It observes no heads before the run ends, so k is 0, 1, 2 or 3 for all its runs.
    double nearest = 1;
    for (int k = 0; k <= 3; ++k) {
      nearest = std::min(nearest, std::abs(accepted - (1 - std::pow(0.75, k))));
    }
    CHECK(nearest < 0.035);
    highest = std::max(highest, accepted);
    lowest = std::min(lowest, accepted);
  }
  CHECK(highest > 0.54);
  CHECK(lowest == 0.0);
}

TEST(reward_until_accepted) {
  Tosses tosses(false);
  tosses.sampler.set_property(
      RunProperty{{{{tosses.heads}, false}}, {}, true, RewardMode::kUntilAccepted});
  const SampledRuns runs = tosses.sampler.sample(
      tosses.callbacks(), RunBatch{1, 0, 0, 200, 100, SchedulerKind::kStopAtChoice});
  for (std::size_t i = 0; i < runs.outcomes.size(); ++i) {
    const bool accepted = runs.outcomes[i] == static_cast<std::uint8_t>(RunOutcome::kAccepted);
    CHECK(accepted ? runs.rewards[i] == static_cast<double>(runs.steps[i])
                   : std::isinf(runs.rewards[i]));
  }
}

TEST(deterministic_loop_decides_a_run) {
  // One slot that deterministically goes 0, 1, 2, 1, 2, ..., and no proposition.
  Sampler sampler(1, 1, 0, false);
  for (ValueId value = 0; value < 3; ++value) sampler.set_value_hash(0, value, value);
  LeafId leaves[3];
  for (ValueId value = 0; value < 3; ++value) {
    leaves[value] = sampler.add_choices(
        {SampledChoice{0, 0, 1.0, false, {{1.0, {{0, value == 1 ? 2u : 1u}}}}}});
  }
  sampler.set_property(RunProperty{});
  std::vector<Letter> loop;
  const SamplerCallbacks callbacks{
      .trace = [&](TreeId) -> std::pair<Reads, LeafId> {
        return {{{0, sampler.read(0)}}, leaves[sampler.read(0)]};
      },
      .monitor_step = [](MonitorState, Letter) { return kMonitorInitial; },
      .accepts_loop =
          [&](MonitorState, const std::vector<Letter>& letters) {
            loop = letters;
            return false;
          },
      .state_reward_value = [](LeafId) { return 0.0; },
      .poll = [] {}};
  SampledRuns runs =
      sampler.sample(callbacks, RunBatch{1, 0, 0, 1, 1000, SchedulerKind::kStopAtChoice});
  CHECK(runs.outcomes[0] == static_cast<std::uint8_t>(RunOutcome::kRejected));
  CHECK(runs.steps[0] < 10);
  CHECK(loop.size() == 2);
  sampler.set_property(RunProperty{{}, {}, false, RewardMode::kTotal});
  runs = sampler.sample(callbacks, RunBatch{1, 0, 0, 1, 1000, SchedulerKind::kStopAtChoice});
  CHECK(std::isinf(runs.rewards[0]));
  sampler.set_property(RunProperty{{}, {}, false, RewardMode::kCumulative});
  runs = sampler.sample(callbacks, RunBatch{1, 0, 0, 1, 17, SchedulerKind::kStopAtChoice});
  CHECK(runs.rewards[0] == 17.0);
}

TEST(interrupted_batch_keeps_finished_runs) {
  Tosses tosses(false);
  SamplerCallbacks callbacks = tosses.callbacks();
  callbacks.poll = [] { throw Interrupted{}; };
  const SampledRuns runs = tosses.sampler.sample(
      callbacks, RunBatch{1, 0, 0, 100000000, 100, SchedulerKind::kStopAtChoice});
  CHECK(!runs.outcomes.empty());
  CHECK(runs.outcomes.size() < 100000000);
  CHECK(runs.steps.size() == runs.outcomes.size());
}

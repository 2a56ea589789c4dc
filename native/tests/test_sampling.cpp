#include "sampling.hpp"

#include <cmath>
#include <string>

#include "testing.hpp"

using namespace volition;

namespace {

// Slot 0 counts tosses up to 3, slot 1 remembers the last one: each toss is heads with probability 1/4.  With `two_coins` a second choice
// tosses tails only.
struct Tosses {
  explicit Tosses(bool two_coins) : sampler(2, 1, 0, false) {
    for (ValueId value = 0; value < 4; ++value) sampler.set_key(0, value, mixed(value));
    for (ValueId value = 0; value < 2; ++value) sampler.set_key(1, value, mixed(100 + value));
    heads = sampler.add_tree();
    for (ValueId count = 0; count < 3; ++count) {
      const ChanceChoice fair{1, 7, 1.0, false, {{0.25, {{0, count + 1}, {1, 1}}}, {1.0, {{0, count + 1}, {1, 0}}}}};
      const ChanceChoice tails{2, 8, 0.0, false, {{1.0, {{0, count + 1}, {1, 0}}}}};
      leaves[count] = two_coins ? sampler.add_choices({fair, tails}) : sampler.add_choices({fair});
    }
    leaves[3] = sampler.add_choices({});
    sampler.ask(RunQuestion{{{{heads}, false}}});
  }

  // F heads.
  SamplingOracle oracle() {
    return {.trace = [this](TreeId tree) -> std::pair<Reads, LeafId> {
              ++calls;
              const Slot slot = tree == heads ? 1 : 0;
              const ValueId value = sampler.read(slot);
              return {{{slot, value}}, tree == heads ? value : leaves[value]};
            },
            .follow = [](Mode, Letter letter) -> Mode { return letter ? kMetMode : kStartMode; },
            .settle = [](Mode, const std::vector<Letter>& letters) { return letters[0] == 1; },
            .amount = [](LeafId) { return 0.0; },
            .pause = [] {}};
  }

  Sampler sampler;
  TreeId heads = 0;
  LeafId leaves[4]{};
  int calls = 0;
};

double share(const SampledRuns& runs, RunEnd end) {
  double found = 0;
  for (const std::uint8_t each : runs.ends) found += each == static_cast<std::uint8_t>(end);
  return found / static_cast<double>(runs.ends.size());
}

}  // namespace

TEST(runs_are_as_likely_as_the_system_says) {
  Tosses tosses(false);
  const SampledRuns runs = tosses.sampler.sample(tosses.oracle(), Series{1, 0, 0, 40000, 100, Choosing::kNobody});
  // 1 - (3/4)^3 = 37/64; 40000 runs are off by 0.0025 on average.
  CHECK(std::abs(share(runs, RunEnd::kMet) - 37.0 / 64) < 0.01);
  CHECK(share(runs, RunEnd::kMet) + share(runs, RunEnd::kFailed) == 1.0);
  CHECK(tosses.calls <= 6);
}

TEST(a_run_depends_on_its_number_and_not_on_who_makes_it) {
  Tosses one(false);
  Tosses other(false);
  const SampledRuns whole = one.sampler.sample(one.oracle(), Series{5, 3, 0, 100, 100, Choosing::kNobody});
  const SampledRuns end = other.sampler.sample(other.oracle(), Series{5, 3, 60, 40, 100, Choosing::kNobody});
  CHECK(std::vector<std::uint8_t>(whole.ends.begin() + 60, whole.ends.end()) == end.ends);
  const SampledRuns others = other.sampler.sample(other.oracle(), Series{6, 3, 0, 100, 100, Choosing::kNobody});
  CHECK(whole.ends != others.ends);
}

TEST(nobody_chooses_unless_asked_to) {
  Tosses tosses(true);
  CHECK(share(tosses.sampler.sample(tosses.oracle(), Series{1, 0, 0, 100, 100, Choosing::kNobody}), RunEnd::kChoice) == 1.0);
  const SampledRuns uniform = tosses.sampler.sample(tosses.oracle(), Series{1, 0, 0, 40000, 100, Choosing::kUniform});
  // 1 - (7/8)^3
  CHECK(std::abs(share(uniform, RunEnd::kMet) - 169.0 / 512) < 0.01);
}

TEST(a_scheduler_makes_the_same_choice_in_the_same_state) {
  Tosses tosses(true);
  double most = 0;
  double least = 1;
  for (std::uint64_t scheduler = 1; scheduler <= 64; ++scheduler) {
    const SampledRuns runs = tosses.sampler.sample(tosses.oracle(), Series{1, scheduler, 0, 4000, 100, Choosing::kByKeys, scheduler});
    const double met = share(runs, RunEnd::kMet);
    // After k tosses of the fair coin 1 - (3/4)^k; on the way to heads a scheduler sees no heads, so there are four values.
    double nearest = 1;
    for (int k = 0; k <= 3; ++k) nearest = std::min(nearest, std::abs(met - (1 - std::pow(0.75, k))));
    CHECK(nearest < 0.035);
    most = std::max(most, met);
    least = std::min(least, met);
  }
  CHECK(most > 0.54);
  CHECK(least == 0.0);
}

TEST(what_was_earned_until_the_run_is_decided) {
  Tosses tosses(false);
  tosses.sampler.ask(RunQuestion{{{{tosses.heads}, false}}, {}, true, Earning::kUntilMet});
  const SampledRuns runs = tosses.sampler.sample(tosses.oracle(), Series{1, 0, 0, 200, 100, Choosing::kNobody});
  for (std::size_t i = 0; i < runs.ends.size(); ++i) {
    const bool met = runs.ends[i] == static_cast<std::uint8_t>(RunEnd::kMet);
    CHECK(met ? runs.earned[i] == static_cast<double>(runs.steps[i]) : std::isinf(runs.earned[i]));
  }
}

TEST(a_run_that_repeats_itself_is_decided) {
  // One slot that goes 0, 1, 2, 1, 2, ... without chance, and a proposition that holds in 5.
  Sampler sampler(1, 1, 0, false);
  for (ValueId value = 0; value < 3; ++value) sampler.set_key(0, value, value);
  LeafId leaves[3];
  for (ValueId value = 0; value < 3; ++value) {
    leaves[value] = sampler.add_choices({ChanceChoice{0, 0, 1.0, false, {{1.0, {{0, value == 1 ? 2u : 1u}}}}}});
  }
  sampler.ask(RunQuestion{});
  std::vector<Letter> loop;
  const SamplingOracle oracle{.trace = [&](TreeId) -> std::pair<Reads, LeafId> { return {{{0, sampler.read(0)}}, leaves[sampler.read(0)]}; },
                              .follow = [](Mode, Letter) { return kStartMode; },
                              .settle =
                                  [&](Mode, const std::vector<Letter>& letters) {
                                    loop = letters;
                                    return false;
                                  },
                              .amount = [](LeafId) { return 0.0; },
                              .pause = [] {}};
  SampledRuns runs = sampler.sample(oracle, Series{1, 0, 0, 1, 1000, Choosing::kNobody});
  CHECK(runs.ends[0] == static_cast<std::uint8_t>(RunEnd::kFailed));
  CHECK(runs.steps[0] < 10);
  CHECK(loop.size() == 2);
  sampler.ask(RunQuestion{{}, {}, false, Earning::kTotal});
  runs = sampler.sample(oracle, Series{1, 0, 0, 1, 1000, Choosing::kNobody});
  CHECK(std::isinf(runs.earned[0]));
  sampler.ask(RunQuestion{{}, {}, false, Earning::kSteps});
  runs = sampler.sample(oracle, Series{1, 0, 0, 1, 17, Choosing::kNobody});
  CHECK(runs.earned[0] == 17.0);
}

TEST(what_was_made_when_somebody_stops_counts) {
  Tosses tosses(false);
  SamplingOracle oracle = tosses.oracle();
  oracle.pause = [] { throw Interrupted{}; };
  const SampledRuns runs = tosses.sampler.sample(oracle, Series{1, 0, 0, 100000000, 100, Choosing::kNobody});
  CHECK(!runs.ends.empty());
  CHECK(runs.ends.size() < 100000000);
  CHECK(runs.steps.size() == runs.ends.size());
}

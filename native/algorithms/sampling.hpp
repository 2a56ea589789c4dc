// Runs of a system, one after the other, on the same decision trees as its exploration; no state is stored.
//
// A run is decided as soon as a monitor of the question says so.  A run that repeats itself is decided as well: where nothing was left to
// chance since a state was seen before, what happened in between happens for ever (a state in which nothing moves is the shortest
// such loop).  The loop is found as Brent does it ("An improved Monte Carlo factorization algorithm", 1980).
//
// Each run has random numbers of its own, made from the seed and its number, so that it does not matter who makes which run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decision_tree.hpp"
#include "explorer.hpp"
#include "layout.hpp"
#include "poll_timer.hpp"

namespace volition {

using MonitorState = std::uint32_t;    // what a monitor remembers of a run
using Letter = std::uint64_t;  // which propositions hold in a state, as bits

inline constexpr MonitorState kMonitorRejected = 0;  // the run fails, whatever comes
inline constexpr MonitorState kMonitorAccepted = 1;    // the run is as asked, whatever comes
inline constexpr MonitorState kMonitorInitial = 2;  // before the first state

// SplitMix64 (Steele, Lea and Flood, 2014): spreads the bits of a number.
[[nodiscard]] inline std::uint64_t splitmix64(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// The random numbers of one run: xoshiro256++ (Blackman and Vigna, 2021).
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t stream, std::uint64_t run) {
    std::uint64_t z = splitmix64(splitmix64(splitmix64(seed) ^ stream) ^ run);
    for (std::uint64_t& word : words_) word = z = splitmix64(z);
  }
  std::uint64_t bits() {
    const auto rotate_left = [](std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); };
    const std::uint64_t result = rotate_left(words_[0] + words_[3], 23) + words_[0];
    const std::uint64_t shifted = words_[1] << 17;
    words_[2] ^= words_[0];
    words_[3] ^= words_[1];
    words_[1] ^= words_[2];
    words_[0] ^= words_[3];
    words_[2] ^= shifted;
    words_[3] = rotate_left(words_[3], 45);
    return result;
  }
  // At least 0 and less than 1.
  double uniform01() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(uniform01() * static_cast<double>(bound)); }

 private:
  std::array<std::uint64_t, 4> words_{};
};

struct SampledOutcome {
  double cumulative_probability;  // the sum of the probabilities of this outcome and those before it
  std::vector<Write> writes;
};
struct SampledChoice {
  std::uint64_t stable_hash;  // the same for the same choice of the same component, in every process
  ObjectId label;
  double reward;
  bool triggers_reactions;
  std::vector<SampledOutcome> outcomes;
};

// Holds where one of the trees answers 1; if `negated`, where none does.
struct WatchedProposition {
  std::vector<TreeId> any_of;
  bool negated;
};

// How long a run earns rewards.
enum class RewardMode {
  kNone,
  kUntilAccepted,     // up to the state in which the monitor is content
  kCumulative,        // as many steps as a run may have
  kInstantaneous,  // what the state after so many steps earns
  kTotal,        // the whole run
};

// What is asked about each run.
struct RunProperty {
  std::vector<WatchedProposition> propositions;
  std::optional<unsigned> terminal_bit{};  // the bit of a letter that says that nothing moves
  bool monitored = true;        // whether the monitor is asked at all
  RewardMode reward_mode = RewardMode::kNone;
  std::optional<TreeId> state_reward{};
};

// Who chooses where a state has several choices.
enum class SchedulerKind {
  kStopAtChoice,   // the run ends there
  kUniform,  // chance, each choice with the same probability
  kHashed,   // a memoryless scheduler: a hash of its number, of what it sees of the state, and of the choice
};

struct RunBatch {
  std::uint64_t seed;
  std::uint64_t stream;  // series with different ones are independent
  std::uint64_t first_run;
  std::size_t runs;
  std::uint64_t max_steps;
  SchedulerKind scheduler_kind;
  std::uint64_t scheduler = 0;
};

enum class RunOutcome : std::uint8_t { kRejected, kAccepted, kStepLimit, kUnresolvedChoice };

struct SampledRuns {
  std::vector<std::uint8_t> outcomes;
  std::vector<double> rewards;
  std::vector<std::uint64_t> steps;
};

// What the sampler asks of Python.
struct SamplerCallbacks {
  std::function<std::pair<Reads, LeafId>(TreeId)> trace;  // runs a function on the state at hand
  std::function<MonitorState(MonitorState, Letter)> monitor_step;               // the monitor's mode after a state
  std::function<bool(MonitorState, const std::vector<Letter>&)> accepts_loop;  // whether a run is as asked whose states repeat these letters for ever
  std::function<double(LeafId)> state_reward_value;                   // a state reward
  std::function<void()> poll;                            // now and then; throws Interrupted when it is time to stop
};

class Sampler {
 public:
  Sampler(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous);

  // --- what Python registers ---
  TreeId add_tree();
  LeafId add_choices(std::vector<SampledChoice> choices);
  LeafId add_writes(std::vector<Write> writes);
  // What schedulers see of a value.
  void set_value_hash(Slot slot, ValueId value, std::uint64_t stable_hash);
  [[nodiscard]] ValueId read(Slot slot) const { return layout_.get(state_.data(), slot); }
  void set_property(RunProperty property);

  // The runs of a series, as far as they were made when the oracle stopped it.
  SampledRuns sample(const SamplerCallbacks& callbacks, const RunBatch& batch);
  // The labels of the steps of the last run, one for each component that moved.
  [[nodiscard]] const std::vector<ObjectId>& labels() const { return labels_; }

 private:
  struct RunResult {
    RunOutcome outcome;
    double reward;
    std::uint64_t steps;
  };
  struct Context {
    const SamplerCallbacks& callbacks;
    const RunBatch& batch;
    PollTimer timer;
  };

  // What is known of a tree's answer in the state at hand: it stays known until a slot changes that the function has ever read.
  struct CachedLeaf {
    LeafId leaf = 0;
    bool valid = false;
  };

  LeafId leaf_of(Context& context, TreeId tree) { return cached_leaves_[tree].valid ? cached_leaves_[tree].leaf : find_leaf(context, tree); }
  LeafId find_leaf(Context& context, TreeId tree);
  void note_value(Slot slot, ValueId value);
  RunResult run(Context& context, RandomStream& random);
  Letter letter(Context& context, bool has_moves);
  MonitorState monitor_step(Context& context, MonitorState monitor_state, Letter letter);
  double state_reward(Context& context);
  void find_choices(Context& context);
  [[nodiscard]] const std::vector<SampledChoice>& choices_of(std::size_t component) const { return choice_leaves_[cached_leaves_[component].leaf]; }
  [[nodiscard]] bool has_alternatives() const { return synchronous_ ? max_choices_ > 1 : num_choices_ > 1; }
  void choose(const Context& context, RandomStream& random);
  const SampledChoice& chosen(const Context& context, RandomStream& random, std::size_t first, std::size_t last, std::size_t choices) const;
  bool step(Context& context, RandomStream& random, double& reward);
  void apply(const std::vector<Write>& writes);
  bool accepts_loop(Context& context, MonitorState monitor_state);
  RunResult finish_loop(Context& context, MonitorState monitor_state, double reward, double in_loop, std::uint64_t steps);
  void select_visible_slots(const RunBatch& batch);

  bool synchronous_;
  std::size_t num_components_;
  std::size_t num_reactions_;
  RunProperty property_;

  Layout layout_;
  std::vector<DecisionTree> trees_;
  std::vector<CachedLeaf> cached_leaves_;
  std::vector<std::vector<TreeId>> readers_;  // of each slot
  std::vector<std::vector<SampledChoice>> choice_leaves_;
  std::vector<std::vector<Write>> write_leaves_;
  std::vector<std::vector<std::uint64_t>> value_hashes_;  // of each slot and value
  std::vector<std::unordered_map<Letter, MonitorState>> monitor_steps_;
  std::vector<std::unordered_map<Letter, bool>> loop_verdicts_;  // loops of one letter, by mode
  std::vector<double> reward_values_;
  std::vector<bool> reward_value_known_;

  // The run at hand.
  std::vector<Word> state_;
  std::vector<Word> cycle_mark_;  // an earlier state of it, since when chance decided nothing
  std::vector<Letter> letters_;
  std::vector<ObjectId> labels_;
  std::size_t num_choices_ = 0;   // of all components
  std::size_t max_choices_ = 0;  // of one component
  std::vector<std::pair<TreeId, const SampledChoice*>> taken_;
  std::vector<std::uint64_t> written_;  // for each slot the last joint step in which it was written, and by whom
  std::vector<TreeId> writer_;
  std::uint64_t joint_step_ = 0;
  std::vector<bool> visible_;
  std::uint64_t observation_hash_ = 0;  // the keys of what the scheduler sees, taken together
  bool has_hashed_scheduler_ = false;
};

}  // namespace volition

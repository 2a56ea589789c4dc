// Sampling of runs on the same decision trees as the exploration. No states are stored.
//
// A run ends as soon as the monitor of the property decides it. A run that repeats itself is
// decided as well: if a state is visited a second time and no random draw occurred in between, the
// run loops forever. A terminal state is the shortest such loop. Loops are detected by Brent's
// method ("An improved Monte Carlo factorization algorithm", 1980).
//
// Each run has its own random numbers, derived from the seed and the number of the run. It does not
// matter which process samples which run.
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

using MonitorState = std::uint32_t;  // state of the runtime monitor
using Letter = std::uint64_t;        // propositions that hold in a state, as bits

inline constexpr MonitorState kMonitorRejected = 0;  // every continuation violates the property
inline constexpr MonitorState kMonitorAccepted = 1;  // every continuation satisfies the property
inline constexpr MonitorState kMonitorInitial = 2;   // before the first state

// SplitMix64 (Steele, Lea and Flood, 2014): mixes the bits of an integer.
[[nodiscard]] inline std::uint64_t splitmix64(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Random numbers of one run: xoshiro256++ (Blackman and Vigna, 2021).
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
  // Returns a random number, uniform in [0, 1).
  double uniform01() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(uniform01() * static_cast<double>(bound));
  }

 private:
  std::array<std::uint64_t, 4> words_{};
};

struct SampledOutcome {
  double cumulative_probability;  // cumulative probability up to and including this outcome
  std::vector<Write> writes;
};
struct SampledChoice {
  std::uint64_t stable_hash;  // identifies the choice of its component across processes
  ObjectId label;
  double reward;
  bool triggers_reactions;
  std::vector<SampledOutcome> outcomes;
};

// Proposition that the property refers to. It holds in a state if at least one of the decision
// trees `any_of` has leaf 1 there. If `negated`, it holds if none has.
struct WatchedProposition {
  std::vector<TreeId> any_of;
  bool negated;
};

// Which rewards of a run are accumulated.
enum class RewardMode {
  kNone,
  kUntilAccepted,  // up to the state in which the monitor accepts
  kCumulative,     // over the maximum number of steps
  kInstantaneous,  // reward of the state after the maximum number of steps
  kTotal,          // over the whole run
};

// Property that the sampler evaluates on each run.
struct RunProperty {
  std::vector<WatchedProposition> propositions;
  std::optional<unsigned> terminal_bit{};  // bit of a letter that marks terminal states
  bool monitored = true;                   // whether a monitor is used
  RewardMode reward_mode = RewardMode::kNone;
  std::optional<TreeId> state_reward{};
};

// How nondeterministic choices are resolved.
enum class SchedulerKind {
  kStopAtChoice,  // the run ends
  kUniform,       // uniformly at random
  kHashed,        // memoryless scheduler: hash of its number, its observation and the choice
};

struct RunBatch {
  std::uint64_t seed;
  std::uint64_t stream;  // batches with different streams are independent
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

// Functions provided by Python that the sampler calls.
struct SamplerCallbacks {
  std::function<std::pair<Reads, LeafId>(TreeId)> trace;  // runs a function on the current state
  // Returns the state of the monitor after it has read a letter (the bit set of the propositions
  // that hold).
  std::function<MonitorState(MonitorState, Letter)> monitor_step;
  // Returns whether the monitor, from the given state, accepts a run that repeats these letters
  // forever.
  std::function<bool(MonitorState, const std::vector<Letter>&)> accepts_loop;
  std::function<double(LeafId)> state_reward_value;  // value of a state reward
  std::function<void()> poll;                        // called regularly; throws Interrupted to stop
};

class Sampler {
 public:
  Sampler(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous);

  // --- registration by Python ---
  TreeId add_tree();
  LeafId add_choices(std::vector<SampledChoice> choices);
  LeafId add_writes(std::vector<Write> writes);
  // Sets the hash of a slot value. A hashed scheduler (a strategy given by a hash function)
  // observes values through these hashes.
  void set_value_hash(Slot slot, ValueId value, std::uint64_t stable_hash);
  [[nodiscard]] ValueId read(Slot slot) const { return layout_.get(state_.data(), slot); }
  void set_property(RunProperty property);

  // Samples a batch of runs. Returns only the finished runs if a callback interrupts the batch.
  SampledRuns sample(const SamplerCallbacks& callbacks, const RunBatch& batch);
  // Labels of the steps of the last run, one per component that moved.
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

  // Cached leaf of a decision tree in the current state. It becomes invalid when a slot changes
  // that the traced function was ever seen to read.
  struct CachedLeaf {
    LeafId leaf = 0;
    bool valid = false;
  };

  LeafId leaf_of(Context& context, TreeId tree) {
    return cached_leaves_[tree].valid ? cached_leaves_[tree].leaf : find_leaf(context, tree);
  }
  LeafId find_leaf(Context& context, TreeId tree);
  void note_value(Slot slot, ValueId value);
  RunResult run(Context& context, RandomStream& random);
  Letter letter(Context& context, bool has_moves);
  MonitorState monitor_step(Context& context, MonitorState monitor_state, Letter letter);
  double state_reward(Context& context);
  void count_choices(Context& context);
  [[nodiscard]] const std::vector<SampledChoice>& choices_of(std::size_t component) const {
    return choice_leaves_[cached_leaves_[component].leaf];
  }
  [[nodiscard]] bool has_alternatives() const {
    return synchronous_ ? max_choices_ > 1 : num_choices_ > 1;
  }
  void choose(const Context& context, RandomStream& random);
  const SampledChoice& select_choice(const Context& context, RandomStream& random,
                                     std::size_t first, std::size_t last,
                                     std::size_t choices) const;
  bool step(Context& context, RandomStream& random, double& reward);
  void apply(const std::vector<Write>& writes);
  bool accepts_loop(Context& context, MonitorState monitor_state);
  RunResult finish_loop(Context& context, MonitorState monitor_state, double reward, double in_loop,
                        std::uint64_t steps);
  void select_visible_slots(const RunBatch& batch);

  bool synchronous_;
  std::size_t num_components_;
  std::size_t num_reactions_;
  RunProperty property_;

  Layout layout_;
  std::vector<DecisionTree> trees_;
  std::vector<CachedLeaf> cached_leaves_;
  std::vector<std::vector<TreeId>> readers_;  // per slot
  std::vector<std::vector<SampledChoice>> choice_leaves_;
  std::vector<std::vector<Write>> write_leaves_;
  std::vector<std::vector<std::uint64_t>> value_hashes_;  // per slot and value
  std::vector<std::unordered_map<Letter, MonitorState>> monitor_steps_;
  // Per monitor state and letter: whether the monitor accepts a run that repeats this letter
  // forever.
  std::vector<std::unordered_map<Letter, bool>> loop_verdicts_;
  std::vector<double> reward_values_;
  std::vector<bool> reward_value_known_;

  // Current state of the run that is being sampled.
  std::vector<Word> state_;
  std::vector<Word> cycle_mark_;  // an earlier state with no random draw since
  std::vector<Letter> letters_;
  std::vector<ObjectId> labels_;
  std::size_t num_choices_ = 0;  // of all components together
  std::size_t max_choices_ = 0;  // maximum of one component
  std::vector<std::pair<TreeId, const SampledChoice*>> selected_;
  std::vector<std::uint64_t> written_;  // per slot: last joint step that wrote it, and the writer
  std::vector<TreeId> writer_;
  std::uint64_t joint_step_ = 0;
  std::vector<bool> visible_;
  std::uint64_t observation_hash_ = 0;  // combined hash of what the scheduler observes
  bool has_hashed_scheduler_ = false;
};

}  // namespace volition

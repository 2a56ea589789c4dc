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

using Mode = std::uint32_t;    // what a monitor remembers of a run
using Letter = std::uint64_t;  // which propositions hold in a state, as bits

inline constexpr Mode kFailedMode = 0;  // the run fails, whatever comes
inline constexpr Mode kMetMode = 1;    // the run is as asked, whatever comes
inline constexpr Mode kStartMode = 2;  // before the first state

// SplitMix64 (Steele, Lea and Flood, 2014): spreads the bits of a number.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// The random numbers of one run: xoshiro256++ (Blackman and Vigna, 2021).
class Chance {
 public:
  Chance(std::uint64_t seed, std::uint64_t stream, std::uint64_t run) {
    std::uint64_t z = mixed(mixed(mixed(seed) ^ stream) ^ run);
    for (std::uint64_t& word : words_) word = z = mixed(z);
  }
  std::uint64_t bits() {
    const auto turned = [](std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); };
    const std::uint64_t result = turned(words_[0] + words_[3], 23) + words_[0];
    const std::uint64_t shifted = words_[1] << 17;
    words_[2] ^= words_[0];
    words_[3] ^= words_[1];
    words_[1] ^= words_[2];
    words_[0] ^= words_[3];
    words_[2] ^= shifted;
    words_[3] = turned(words_[3], 45);
    return result;
  }
  // At least 0 and less than 1.
  double share() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(share() * static_cast<double>(bound)); }

 private:
  std::array<std::uint64_t, 4> words_{};
};

struct ChanceOutcome {
  double up_to;  // the sum of the probabilities of this outcome and those before it
  std::vector<Write> writes;
};
struct ChanceChoice {
  std::uint64_t key;  // the same for the same choice of the same component, in every process
  Id label;
  double reward;
  bool reacts;
  std::vector<ChanceOutcome> outcomes;
};

// Holds where one of the trees answers 1; if `negated`, where none does.
struct WatchedProposition {
  std::vector<TreeId> any_of;
  bool negated;
};

// How long a run earns rewards.
enum class Earning {
  kNothing,
  kUntilMet,     // up to the state in which the monitor is content
  kSteps,        // as many steps as a run may have
  kAtLastState,  // what the state after so many steps earns
  kTotal,        // the whole run
};

// What is asked about each run.
struct RunQuestion {
  std::vector<WatchedProposition> propositions;
  std::optional<unsigned> terminal_bit{};  // the bit of a letter that says that nothing moves
  bool monitored = true;        // whether the monitor is asked at all
  Earning earning = Earning::kNothing;
  std::optional<TreeId> state_reward{};
};

// Who chooses where a state has several choices.
enum class Choosing {
  kNobody,   // the run ends there
  kUniform,  // chance, each choice with the same probability
  kByKeys,   // a memoryless scheduler: a hash of its number, of what it sees of the state, and of the choice
};

struct Series {
  std::uint64_t seed;
  std::uint64_t stream;  // series with different ones are independent
  std::uint64_t first_run;
  std::size_t runs;
  std::uint64_t most_steps;
  Choosing choosing;
  std::uint64_t scheduler = 0;
};

enum class RunEnd : std::uint8_t { kFailed, kMet, kTooLong, kChoice };

struct SampledRuns {
  std::vector<std::uint8_t> ends;
  std::vector<double> earned;
  std::vector<std::uint64_t> steps;
};

// What the sampler asks of Python.
struct SamplingOracle {
  std::function<std::pair<Reads, LeafId>(TreeId)> trace;  // runs a function on the state at hand
  std::function<Mode(Mode, Letter)> follow;               // the monitor's mode after a state
  std::function<bool(Mode, const std::vector<Letter>&)> settle;  // whether a run is as asked whose states repeat these letters for ever
  std::function<double(LeafId)> amount;                   // a state reward
  std::function<void()> pause;                            // now and then; throws Interrupted when it is time to stop
};

class Sampler {
 public:
  Sampler(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous);

  // --- what Python registers ---
  TreeId add_tree();
  LeafId add_choices(std::vector<ChanceChoice> choices);
  LeafId add_writes(std::vector<Write> writes);
  // What schedulers see of a value.
  void set_key(Slot slot, ValueId value, std::uint64_t key);
  [[nodiscard]] ValueId read(Slot slot) const { return layout_.get(state_.data(), slot); }
  void ask(RunQuestion question);

  // The runs of a series, as far as they were made when the oracle stopped it.
  SampledRuns sample(const SamplingOracle& oracle, const Series& series);
  // The labels of the steps of the last run, one for each component that moved.
  [[nodiscard]] const std::vector<Id>& labels() const { return labels_; }

 private:
  struct Ended {
    RunEnd how;
    double earned;
    std::uint64_t steps;
  };
  struct Work {
    const SamplingOracle& oracle;
    const Series& series;
    Patience patience;
  };

  // What is known of a tree's answer in the state at hand: it stays known until a slot changes that the function has ever read.
  struct Known {
    LeafId leaf = 0;
    bool fresh = false;
  };

  LeafId leaf_of(Work& work, TreeId tree) { return known_[tree].fresh ? known_[tree].leaf : find_leaf(work, tree); }
  LeafId find_leaf(Work& work, TreeId tree);
  void make_room(Slot slot, ValueId value);
  Ended run(Work& work, Chance& chance);
  Letter letter(Work& work, bool moves);
  Mode follow(Work& work, Mode mode, Letter letter);
  double state_reward(Work& work);
  void find_choices(Work& work);
  [[nodiscard]] const std::vector<ChanceChoice>& choices_of(std::size_t component) const { return choice_leaves_[known_[component].leaf]; }
  [[nodiscard]] bool has_alternatives() const { return synchronous_ ? most_choices_ > 1 : num_choices_ > 1; }
  void choose(const Work& work, Chance& chance);
  const ChanceChoice& chosen(const Work& work, Chance& chance, std::size_t first, std::size_t last, std::size_t choices) const;
  bool step(Work& work, Chance& chance, double& earned);
  void apply(const std::vector<Write>& writes);
  bool settle(Work& work, Mode mode);
  Ended repeated(Work& work, Mode mode, double earned, double in_loop, std::uint64_t steps);
  void look_through_eyes_of(const Series& series);

  bool synchronous_;
  std::size_t num_components_;
  std::size_t num_reactions_;
  RunQuestion question_;

  Layout layout_;
  std::vector<DecisionTree> trees_;
  std::vector<Known> known_;
  std::vector<std::vector<TreeId>> readers_;  // of each slot
  std::vector<std::vector<ChanceChoice>> choice_leaves_;
  std::vector<std::vector<Write>> write_leaves_;
  std::vector<std::vector<std::uint64_t>> keys_;  // of each slot and value
  std::vector<std::unordered_map<Letter, Mode>> following_;
  std::vector<std::unordered_map<Letter, bool>> settled_;  // loops of one letter, by mode
  std::vector<double> amounts_;
  std::vector<bool> amount_known_;

  // The run at hand.
  std::vector<Word> state_;
  std::vector<Word> seen_;  // an earlier state of it, since when chance decided nothing
  std::vector<Letter> letters_;
  std::vector<Id> labels_;
  std::size_t num_choices_ = 0;   // of all components
  std::size_t most_choices_ = 0;  // of one component
  std::vector<std::pair<TreeId, const ChanceChoice*>> taken_;
  std::vector<std::uint64_t> written_;  // for each slot the last joint step in which it was written, and by whom
  std::vector<TreeId> writer_;
  std::uint64_t joint_step_ = 0;
  std::vector<bool> visible_;
  std::uint64_t view_ = 0;  // the keys of what the scheduler sees, taken together
  bool keyed_ = false;
};

}  // namespace volition

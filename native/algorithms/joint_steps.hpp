// What a synchronous system does in a state depends on nothing but what each component does: the same answers of all components make the
// same joint choices.  They are put together once, as masks of packed states, and done again wherever the answers are the same.
//
// Where the components look at a part of the state only, states that agree in it are not even asked for answers: their bits say what they do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "decision_tree.hpp"
#include "kinds.hpp"
#include "layout.hpp"

namespace volition {

// The joint choices of some answers.  An outcome keeps some bits of the state and puts others in their places.
struct JointStep {
  struct Choice {
    Id label;
    Id reward;
    bool reacts;
    std::size_t first_outcome;
  };

  void clear() {
    choices.clear();
    weights.clear();
    keep.clear();
    put.clear();
  }
  [[nodiscard]] std::size_t num_outcomes() const { return weights.size(); }
  [[nodiscard]] std::size_t end_of(std::size_t choice) const {
    return choice + 1 < choices.size() ? choices[choice + 1].first_outcome : num_outcomes();
  }
  // An outcome that changes nothing.
  void add_outcome(std::size_t words, Id weight) {
    weights.push_back(weight);
    keep.insert(keep.end(), words, ~Word{0});
    put.insert(put.end(), words, 0);
  }
  // Another outcome that does the same.
  void copy_outcome(std::size_t words, std::size_t outcome, Id weight) {
    weights.push_back(weight);
    for (std::size_t i = 0; i < words; ++i) {
      keep.push_back(keep[outcome * words + i]);
      put.push_back(put[outcome * words + i]);
    }
  }
  void write(const Layout& layout, std::size_t outcome, Slot slot, ValueId value) {
    layout.clear(&keep[outcome * layout.words()], slot);
    layout.set(&put[outcome * layout.words()], slot, value);
  }
  [[nodiscard]] std::size_t bytes() const {
    return sizeof(JointStep) + choices.capacity() * sizeof(Choice) + weights.capacity() * sizeof(Id) +
           (keep.capacity() + put.capacity()) * sizeof(Word);
  }

  std::vector<Choice> choices;
  std::vector<Id> weights;
  std::vector<Word> keep, put;  // of each outcome, word by word
};

template <typename Numbers>
std::uint64_t hash_of(const Numbers& numbers) {
  std::uint64_t h = 0;
  for (const std::uint64_t number : numbers) h = (h ^ number) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 32);
}

// Joint choices by the answers of all components.
class JointSteps {
 public:
  // The number of the joint choices, if they are known.
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const LeafId> answers) const {
    const std::uint32_t entry = table_[place_of(answers)];
    return entry == kFree ? std::nullopt : std::optional(entry);
  }
  [[nodiscard]] const JointStep& operator[](std::uint32_t step) const { return steps_[step]; }

  // Worth it as long as the same answers come again and again.
  [[nodiscard]] bool worthwhile(std::size_t states) const { return steps_.size() < kAlways + states / kStatesPerStep; }

  std::uint32_t learn(std::span<const LeafId> answers, const JointStep& step) {
    const auto number = static_cast<std::uint32_t>(steps_.size());
    width_ = answers.size();
    table_[place_of(answers)] = number;
    answers_.insert(answers_.end(), answers.begin(), answers.end());
    bytes_ += steps_.emplace_back(step).bytes() + answers.size() * sizeof(LeafId);
    if (2 * steps_.size() > table_.size()) grow();
    return number;
  }

  // States are packed otherwise from now on.
  void clear() {
    answers_.clear();
    steps_.clear();
    std::ranges::fill(table_, kFree);
    bytes_ = 0;
  }

  [[nodiscard]] std::size_t bytes() const { return bytes_ + table_.capacity() * sizeof(std::uint32_t); }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  static constexpr std::size_t kAlways = 4096;
  static constexpr std::size_t kStatesPerStep = 4;

  [[nodiscard]] std::span<const LeafId> answers_of(std::uint32_t step) const { return std::span(answers_).subspan(step * width_, width_); }
  [[nodiscard]] std::size_t place_of(std::span<const LeafId> answers) const {
    std::size_t i = hash_of(answers) & (table_.size() - 1);
    while (table_[i] != kFree && !std::ranges::equal(answers_of(table_[i]), answers)) i = (i + 1) & (table_.size() - 1);
    return i;
  }
  void grow() {
    table_.assign(2 * table_.size(), kFree);
    for (std::uint32_t step = 0; step < steps_.size(); ++step) table_[place_of(answers_of(step))] = step;
  }

  std::size_t width_ = 0;         // how many components there are
  std::vector<LeafId> answers_;   // of each step
  std::vector<JointStep> steps_;
  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(64, kFree);  // open addressing
  std::size_t bytes_ = 0;
};

// Joint choices by the bits of a state that any component looks at: for each value of one slot, such as the phase of a round, other bits.
//
// What was learnt stays right when somebody is seen to look at more: it was learnt of a state in which all looked at no more than they did then.
class Glances {
 public:
  // The number of the joint choices of a state, where it is known.
  [[nodiscard]] std::optional<std::uint32_t> find(ValueId phase, const Word* state) const {
    if (phase >= seen_.size() || seen_[phase].bits.empty() || seen_[phase].in_vain) return std::nullopt;
    const std::uint32_t entry = table_[place_of(state, seen_[phase].bits)];
    return entry == kFree ? std::nullopt : std::optional(steps_[entry]);
  }

  // Whether states of a phase come again and again that agree in what is looked at.
  [[nodiscard]] bool worthwhile(ValueId phase) {
    if (phase >= kMostPhases) return false;
    if (phase >= seen_.size()) seen_.resize(phase + 1);
    Seen& seen = seen_[phase];
    seen.in_vain = seen.in_vain || (seen.learnt > kTries && 8 * seen.learnt > 7 * seen.asked);
    return !seen.in_vain;
  }
  // One more state of the phase was asked for.
  void count(ValueId phase) {
    if (phase < seen_.size()) ++seen_[phase].asked;
  }

  // A state of a phase makes these joint choices by what is in some of its bits.
  void learn(ValueId phase, const Word* state, std::span<const Word> bits, std::uint32_t step) {
    Seen& seen = seen_[phase];
    seen.bits.resize(bits.size());
    for (std::size_t i = 0; i < bits.size(); ++i) seen.bits[i] |= bits[i];
    ++seen.learnt;
    words_ = bits.size();
    if (2 * (steps_.size() + 1) > table_.size()) grow();
    std::uint32_t& entry = table_[place_of(state, seen.bits)];
    if (entry != kFree) return;
    entry = static_cast<std::uint32_t>(steps_.size());
    steps_.push_back(step);
    for (std::size_t i = 0; i < words_; ++i) keys_.push_back(state[i] & seen.bits[i]);
  }

  // States are packed otherwise from now on.
  void clear() { *this = Glances(); }

  [[nodiscard]] std::size_t bytes() const {
    return keys_.capacity() * sizeof(Word) + (steps_.capacity() + table_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  static constexpr ValueId kMostPhases = 1024;
  static constexpr std::size_t kTries = 1024;

  struct Seen {
    std::vector<Word> bits;  // that were looked at
    std::size_t asked = 0;
    std::size_t learnt = 0;
    bool in_vain = false;
  };

  [[nodiscard]] std::span<const Word> key_of(std::uint32_t entry) const { return std::span(keys_).subspan(entry * words_, words_); }
  [[nodiscard]] std::size_t place_of(const Word* state, const std::vector<Word>& bits) const {
    const auto masked = std::views::iota(std::size_t{0}, words_) | std::views::transform([&](std::size_t i) { return state[i] & bits[i]; });
    std::size_t i = hash_of(masked) & (table_.size() - 1);
    while (table_[i] != kFree && !std::ranges::equal(key_of(table_[i]), masked)) i = (i + 1) & (table_.size() - 1);
    return i;
  }
  void grow() {
    table_.assign(std::max<std::size_t>(64, 2 * table_.size()), kFree);
    for (std::uint32_t entry = 0; entry < steps_.size(); ++entry) {
      std::size_t i = hash_of(key_of(entry)) & (table_.size() - 1);
      while (table_[i] != kFree) i = (i + 1) & (table_.size() - 1);
      table_[i] = entry;
    }
  }

  std::size_t words_ = 0;             // of a state
  std::vector<Seen> seen_;            // by phase
  std::vector<Word> keys_;            // of each entry
  std::vector<std::uint32_t> steps_;  // of each entry
  std::vector<std::uint32_t> table_;  // open addressing
};

}  // namespace volition

// What a synchronous system does in a state depends on nothing but what each component does: the same answers of all components make the
// same joint choices.  They are put together once, as masks of packed states, and done again wherever the answers are the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

// Joint choices by the answers of all components.
class JointSteps {
 public:
  [[nodiscard]] const JointStep* find(std::span<const LeafId> answers) const {
    const std::uint32_t entry = table_[place_of(answers)];
    return entry == kFree ? nullptr : &steps_[entry];
  }

  // Worth it as long as the same answers come again and again.
  [[nodiscard]] bool worthwhile(std::size_t states) const { return steps_.size() < kAlways + states / kStatesPerStep; }

  void learn(std::span<const LeafId> answers, const JointStep& step) {
    width_ = answers.size();
    table_[place_of(answers)] = static_cast<std::uint32_t>(steps_.size());
    answers_.insert(answers_.end(), answers.begin(), answers.end());
    bytes_ += steps_.emplace_back(step).bytes() + answers.size() * sizeof(LeafId);
    if (2 * steps_.size() > table_.size()) grow();
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

  static std::uint64_t hash(std::span<const LeafId> answers) {
    std::uint64_t h = 0;
    for (const LeafId leaf : answers) h = (h ^ leaf) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 32);
  }
  [[nodiscard]] std::span<const LeafId> answers_of(std::uint32_t step) const { return std::span(answers_).subspan(step * width_, width_); }
  [[nodiscard]] std::size_t place_of(std::span<const LeafId> answers) const {
    std::size_t i = hash(answers) & (table_.size() - 1);
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

}  // namespace volition

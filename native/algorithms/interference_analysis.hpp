// What components can do from a state on while others stand still, without visiting the states: their decision trees are walked over the
// sets of values that slots can come to hold.
//
// More is found than can happen, because values are put together that never are at the same time; never less, of what the trees know.
//
// What is found depends on the slots of the state that are read on the way, and on nothing else of it.  So it is remembered as what functions
// say is, in a decision tree: states that agree on these slots share an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "decision_tree.hpp"
#include "layout.hpp"
#include "slot_set.hpp"

namespace volition {

class Futures {
 public:
  explicit Futures(std::size_t slots) : values_(slots), is_read_(slots), written_(slots) {}

  enum class Found : std::uint8_t { kPeace, kConflict, kTooMuch };

  // Whether somebody outside `members` can come to write a slot of `kept`, or to test one of `fresh`: a test is a conflict whatever its
  // result.  `writes_of(leaf, on_write)` tells what the choices of a leaf write.
  template <typename WritesOf>
  Found look(const Layout& layout, const Word* state, std::span<const DecisionTree> trees, const SlotSet& members, const SlotSet& kept, const SlotSet& fresh,
             WritesOf&& writes_of) {
    if (bytes_ > kMostBytes) forget();
    DecisionTree& known = known_for(members, kept, fresh);
    const std::int64_t found = known.walk(layout, state);
    if (found == DecisionTree::kUnknown) {
      const Found answer = walk_all(layout, state, trees, members, kept, fresh, writes_of);
      bytes_ -= known.bytes();
      known.insert(reads_, static_cast<LeafId>(answers_.size()));
      answers_.push_back({answer, rival_, written_});
      bytes_ += known.bytes() + sizeof(Answer) + written_.words().size() * sizeof(std::uint64_t);
      return answer;
    }
    const Answer& answer = answers_[static_cast<std::size_t>(found)];
    rival_ = answer.rival;
    written_ = answer.written;
    return answer.found;
  }

  // Of the last look: with whom there is a conflict, and what may be written.
  [[nodiscard]] std::size_t rival() const { return rival_; }
  [[nodiscard]] const SlotSet& written() const { return written_; }

  // A tree has grown: what was found may be too little now.
  void forget() {
    known_.clear();
    answers_.clear();
    bytes_ = 0;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kMostVisits = 2000;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 28;  // of what is remembered

  struct Answer {
    Found found;
    std::size_t rival;
    SlotSet written;
  };

  DecisionTree& known_for(const SlotSet& members, const SlotSet& kept, const SlotSet& fresh) {
    key_.clear();
    for (const SlotSet* set : {&members, &kept, &fresh}) key_.insert(key_.end(), set->words().begin(), set->words().end());
    const auto [at, is_new] = known_.try_emplace(key_);
    if (is_new) bytes_ += sizeof(*at) + key_.size() * sizeof(std::uint64_t) + at->second.bytes();
    return at->second;
  }

  template <typename WritesOf>
  Found walk_all(const Layout& layout, const Word* state, std::span<const DecisionTree> trees, const SlotSet& members, const SlotSet& kept,
                 const SlotSet& fresh, WritesOf& writes_of) {
    for (std::vector<ValueId>& values : values_) values.clear();
    is_read_.clear();
    reads_.clear();
    written_.clear();
    std::size_t visits = 0;
    bool growing = true;
    while (growing) {
      growing = false;
      for (std::size_t component = 0; component < trees.size(); ++component) {
        if (members.contains(component)) continue;
        Found found = Found::kPeace;
        const auto go_on = [&] { return found == Found::kPeace; };
        trees[component].roam(
            [&](Slot slot) -> const std::vector<ValueId>& {
              if (++visits > kMostVisits) found = Found::kTooMuch;
              if (fresh.contains(slot)) found = Found::kConflict;
              return values_at(layout, state, slot);
            },
            [&](LeafId leaf) {
              writes_of(leaf, [&](Slot slot, ValueId value) {
                if (kept.contains(slot)) found = Found::kConflict;
                written_.add(slot);
                growing = add(slot, value) || growing;
              });
            },
            go_on);
        if (found == Found::kConflict) rival_ = component;
        if (found != Found::kPeace) return found;
      }
    }
    return Found::kPeace;
  }

  // What a slot can hold: what it holds in the state, and what was written.
  const std::vector<ValueId>& values_at(const Layout& layout, const Word* state, Slot slot) {
    if (!is_read_.contains(slot)) {
      is_read_.add(slot);
      const ValueId value = layout.get(state, slot);
      reads_.emplace_back(slot, value);
      add(slot, value);
    }
    return values_[slot];
  }

  bool add(Slot slot, ValueId value) {
    std::vector<ValueId>& known = values_[slot];
    for (const ValueId each : known) {
      if (each == value) return false;
    }
    known.push_back(value);
    return true;
  }

  std::vector<std::vector<ValueId>> values_;
  SlotSet is_read_;
  Reads reads_;  // of the state, in their order
  SlotSet written_;
  std::size_t rival_ = 0;
  std::unordered_map<SlotSetsKey, DecisionTree, HashOfSlotSets> known_;  // by who stands still, and what for: the number of an answer
  std::vector<Answer> answers_;
  SlotSetsKey key_;
  std::size_t bytes_ = 0;
};

}  // namespace volition

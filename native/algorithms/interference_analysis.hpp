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

class InterferenceAnalysis {
 public:
  explicit InterferenceAnalysis(std::size_t slots) : values_(slots), is_read_(slots), possible_writes_(slots) {}

  enum class Result : std::uint8_t { kIndependent, kConflict, kBudgetExceeded };

  // Whether somebody outside `members` can come to write a slot of `kept`, or to test one of `fresh`: a test is a conflict whatever its
  // result.  `writes_of(leaf, on_write)` tells what the choices of a leaf write.
  template <typename WritesOf>
  Result analyse(const Layout& layout, const Word* state, std::span<const DecisionTree> trees, const SlotSet& members, const SlotSet& protected_slots, const SlotSet& written_slots,
             WritesOf&& writes_of) {
    if (bytes_ > kMaxBytes) clear_cache();
    DecisionTree& cache = cache_for(members, protected_slots, written_slots);
    const std::int64_t leaf = cache.walk(layout, state);
    if (leaf == DecisionTree::kUnknown) {
      const Result answer = analyse_uncached(layout, state, trees, members, protected_slots, written_slots, writes_of);
      bytes_ -= cache.bytes();
      cache.insert(reads_, static_cast<LeafId>(results_.size()));
      results_.push_back({answer, conflicting_component_, possible_writes_});
      bytes_ += cache.bytes() + sizeof(CachedResult) + possible_writes_.words().size() * sizeof(std::uint64_t);
      return answer;
    }
    const CachedResult& answer = results_[static_cast<std::size_t>(leaf)];
    conflicting_component_ = answer.conflicting_component;
    possible_writes_ = answer.possible_writes;
    return answer.result;
  }

  // Of the last look: with whom there is a conflict, and what may be written.
  [[nodiscard]] std::size_t conflicting_component() const { return conflicting_component_; }
  [[nodiscard]] const SlotSet& possible_writes() const { return possible_writes_; }

  // A tree has grown: what was found may be too little now.
  void clear_cache() {
    caches_.clear();
    results_.clear();
    bytes_ = 0;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kMaxVisits = 2000;
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 28;  // of what is remembered

  struct CachedResult {
    Result result;
    std::size_t conflicting_component;
    SlotSet possible_writes;
  };

  DecisionTree& cache_for(const SlotSet& members, const SlotSet& protected_slots, const SlotSet& written_slots) {
    key_.clear();
    for (const SlotSet* set : {&members, &protected_slots, &written_slots}) key_.insert(key_.end(), set->words().begin(), set->words().end());
    const auto [at, is_new] = caches_.try_emplace(key_);
    if (is_new) bytes_ += sizeof(*at) + key_.size() * sizeof(std::uint64_t) + at->second.bytes();
    return at->second;
  }

  template <typename WritesOf>
  Result analyse_uncached(const Layout& layout, const Word* state, std::span<const DecisionTree> trees, const SlotSet& members, const SlotSet& protected_slots,
                 const SlotSet& written_slots, WritesOf& writes_of) {
    for (std::vector<ValueId>& values : values_) values.clear();
    is_read_.clear();
    reads_.clear();
    possible_writes_.clear();
    std::size_t visits = 0;
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t component = 0; component < trees.size(); ++component) {
        if (members.contains(component)) continue;
        Result result = Result::kIndependent;
        const auto keep_going = [&] { return result == Result::kIndependent; };
        trees[component].for_each_reachable_leaf(
            [&](Slot slot) -> const std::vector<ValueId>& {
              if (++visits > kMaxVisits) result = Result::kBudgetExceeded;
              if (written_slots.contains(slot)) result = Result::kConflict;
              return values_at(layout, state, slot);
            },
            [&](LeafId leaf) {
              writes_of(leaf, [&](Slot slot, ValueId value) {
                if (protected_slots.contains(slot)) result = Result::kConflict;
                possible_writes_.add(slot);
                changed = add(slot, value) || changed;
              });
            },
            keep_going);
        if (result == Result::kConflict) conflicting_component_ = component;
        if (result != Result::kIndependent) return result;
      }
    }
    return Result::kIndependent;
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
    std::vector<ValueId>& cache = values_[slot];
    for (const ValueId each : cache) {
      if (each == value) return false;
    }
    cache.push_back(value);
    return true;
  }

  std::vector<std::vector<ValueId>> values_;
  SlotSet is_read_;
  Reads reads_;  // of the state, in their order
  SlotSet possible_writes_;
  std::size_t conflicting_component_ = 0;
  std::unordered_map<SlotSetsKey, DecisionTree, HashOfSlotSets> caches_;  // by who stands still, and what for: the number of an answer
  std::vector<CachedResult> results_;
  SlotSetsKey key_;
  std::size_t bytes_ = 0;
};

}  // namespace volition

// Analysis of what the components outside an ample set can do from a state on. Sets of possible
// slot values are propagated through the decision trees of these components; no states are visited.
// The result is an over-approximation. It is sound with respect to the tree paths known so far.
//
// The result depends only on those slots of the state that the analysis reads. It is therefore
// memoised in a decision tree, and states that agree on these slots share it.
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
  explicit InterferenceAnalysis(std::size_t slots)
      : values_(slots), is_read_(slots), possible_writes_(slots) {}

  enum class Result : std::uint8_t { kIndependent, kConflict, kBudgetExceeded };

  // Returns kConflict if, from this state on, a component outside `members` may write a slot of
  // `protected_slots` or read one of `written_slots`. A read is a conflict whatever value it
  // yields. Returns kIndependent if no component can do so, and kBudgetExceeded if the analysis was
  // given up after kMaxVisits visits of tree nodes. `writes_of(leaf, on_write)` enumerates the
  // writes of a leaf.
  template <typename WritesOf>
  Result analyse(const Layout& layout, const Word* state, std::span<const DecisionTree> trees,
                 const SlotSet& members, const SlotSet& protected_slots,
                 const SlotSet& written_slots, WritesOf&& writes_of) {
    if (bytes_ > kMaxBytes) clear_cache();
    DecisionTree& cache = cache_for(members, protected_slots, written_slots);
    const std::int64_t leaf = cache.walk(layout, state);
    if (leaf == DecisionTree::kUnknown) {
      const Result result = analyse_uncached(layout, state, trees, members, protected_slots,
                                             written_slots, writes_of);
      bytes_ -= cache.bytes();
      cache.insert(reads_, static_cast<LeafId>(results_.size()));
      results_.push_back({result, conflicting_component_, possible_writes_});
      bytes_ += cache.bytes() + sizeof(CachedResult) +
                possible_writes_.words().size() * sizeof(std::uint64_t);
      return result;
    }
    const CachedResult& cached = results_[static_cast<std::size_t>(leaf)];
    conflicting_component_ = cached.conflicting_component;
    possible_writes_ = cached.possible_writes;
    return cached.result;
  }

  // Returns the component that caused the conflict. Valid only if the last analysis returned
  // kConflict.
  [[nodiscard]] std::size_t conflicting_component() const { return conflicting_component_; }
  // Returns the slots that components outside the ample set may write, as found by the last
  // analysis. Complete only if it returned kIndependent.
  [[nodiscard]] const SlotSet& possible_writes() const { return possible_writes_; }

  // Clears all cached results. Call it when a decision tree got a new path: a cached result does
  // not take the reads and writes on this path into account.
  void clear_cache() {
    caches_.clear();
    results_.clear();
    bytes_ = 0;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kMaxVisits = 2000;
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 28;  // maximum size of the cache

  struct CachedResult {
    Result result;
    std::size_t conflicting_component;
    SlotSet possible_writes;
  };

  DecisionTree& cache_for(const SlotSet& members, const SlotSet& protected_slots,
                          const SlotSet& written_slots) {
    key_.clear();
    for (const SlotSet* set : {&members, &protected_slots, &written_slots}) {
      key_.insert(key_.end(), set->words().begin(), set->words().end());
    }
    const auto [at, is_new] = caches_.try_emplace(key_);
    if (is_new) bytes_ += sizeof(*at) + key_.size() * sizeof(std::uint64_t) + at->second.bytes();
    return at->second;
  }

  template <typename WritesOf>
  Result analyse_uncached(const Layout& layout, const Word* state,
                          std::span<const DecisionTree> trees, const SlotSet& members,
                          const SlotSet& protected_slots, const SlotSet& written_slots,
                          WritesOf& writes_of) {
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

  // Returns the possible values of a slot: its value in the state, and every value that the
  // components outside the ample set may write to it.
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
    std::vector<ValueId>& values = values_[slot];
    for (const ValueId each : values) {
      if (each == value) return false;
    }
    values.push_back(value);
    return true;
  }

  std::vector<std::vector<ValueId>> values_;
  SlotSet is_read_;
  Reads reads_;  // reads of the state, in order
  SlotSet possible_writes_;
  std::size_t conflicting_component_ = 0;
  // Cached results. There is one decision tree for each triple of members, protected slots and
  // written slots. The tree maps the values of the slots that the analysis read to an index into
  // results_.
  std::unordered_map<SlotSetsKey, DecisionTree, HashOfSlotSets> caches_;
  std::vector<CachedResult> results_;
  SlotSetsKey key_;
  std::size_t bytes_ = 0;
};

}  // namespace volition

// What is common to the functions of a state: many of them look first at the same slot, such as the phase of a round or whose turn it is, and
// have nothing more to ask for most of its values.
//
// For each value of that slot it is remembered which functions are settled by it, and where the others go on: they are walked from there, or
// looked up (case_tables.hpp), and the settled ones not at all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lookup_tables.hpp"
#include "decision_tree.hpp"
#include "layout.hpp"

namespace volition {

class FirstSlotIndex {
 public:
  // The functions for one value of the slot.
  struct Entry {
    std::vector<LeafId> leaves;  // of every function; those of the open ones mean nothing
    LookupTables tables;                 // of the open ones
  };

  // What is known of the functions in a state; nothing where nobody has learnt this value.
  [[nodiscard]] const Entry* find(const Layout& layout, const Word* state) const {
    const std::size_t value = value_in(layout, state);
    return value < entries_.size() && entries_[value] ? &*entries_[value] : nullptr;
  }
  [[nodiscard]] Entry* find(const Layout& layout, const Word* state) { return const_cast<Entry*>(std::as_const(*this).find(layout, state)); }

  // All functions were walked in this state.
  void insert(const Layout& layout, const Word* state, std::span<const DecisionTree> trees) {
    if (!slot_chosen_) {
      slot_ = most_common_first_slot(trees);
      slot_chosen_ = true;
    }
    const std::size_t value = value_in(layout, state);
    if (value >= kMaxValues) return;
    if (value >= entries_.size()) entries_.resize(value + 1);
    if (entries_[value]) return;
    std::vector<LeafId> leaves(trees.size());
    std::vector<UndecidedTree> undecided;
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      const DecisionTree::Link link = slot_ ? trees[tree].link_after_first_read(*slot_, static_cast<ValueId>(value)) : trees[tree].root();
      if (DecisionTree::is_leaf(link)) {
        leaves[tree] = DecisionTree::leaf_at(link);
      } else {
        undecided.push_back({tree, link});
      }
    }
    const Entry& entry = entries_[value].emplace(std::move(leaves), LookupTables(std::move(undecided)));
    bytes_ += trees.size() * sizeof(LeafId) + sizeof(Entry) + entry.tables.bytes();
  }

  // States are packed otherwise, or slots have more values.
  void clear_tables() {
    for (std::optional<Entry>& each : entries_) {
      if (each) update(each->tables, [](LookupTables& tables) { tables.clear_tables(); });
    }
  }

  // Changes cases that are among these.
  template <typename Update>
  void update(LookupTables& tables, Update&& update) {
    bytes_ -= tables.bytes();
    update(tables);
    bytes_ += tables.bytes();
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr ValueId kMaxValues = 1024;  // a slot with more is no phase

  // Where functions have no slot in common, all states begin alike.
  [[nodiscard]] std::size_t value_in(const Layout& layout, const Word* state) const { return slot_ ? layout.get(state, *slot_) : 0; }

  // The slot that most functions look at first, if it is that of several.
  static std::optional<Slot> most_common_first_slot(std::span<const DecisionTree> trees) {
    std::vector<Slot> first;
    for (const DecisionTree& tree : trees) {
      if (const std::optional<Slot> slot = tree.first_slot()) first.push_back(*slot);
    }
    std::ranges::sort(first);
    std::optional<Slot> slot_found;
    std::ptrdiff_t highest = 1;
    for (const Slot slot : first) {
      const std::ptrdiff_t count = std::ranges::count(first, slot);
      if (count > highest) {
        highest = count;
        slot_found = slot;
      }
    }
    return slot_found;
  }

  bool slot_chosen_ = false;
  std::optional<Slot> slot_;
  std::vector<std::optional<Entry>> entries_;  // by the value of the slot
  std::size_t bytes_ = 0;
};

}  // namespace volition

// Index of the components' decision trees by the slot that most of them read first, typically a
// phase or turn counter.
//
// The index has an entry for each value of that slot. An entry stores the leaf of each tree that
// the value decides, because the tree reads nothing else. For each other tree (an *undecided* tree)
// it stores the link at which the evaluation continues. From there the leaf is found in a lookup
// table (lookup_tables.hpp) or by walking the tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "decision_tree.hpp"
#include "layout.hpp"
#include "lookup_tables.hpp"

namespace volition {

class FirstSlotIndex {
 public:
  // Index entry for one value of the first slot. A tree is decided if it reads no other slot once
  // this value is known. The entry has the leaves of the decided trees, and lookup tables for the
  // other (undecided) trees.
  struct Entry {
    std::vector<LeafId> leaves;  // by tree; meaningless for undecided trees
    LookupTables tables;         // for the undecided trees
  };

  // Returns the entry for a state: the one for the value that the first slot has in it. Returns
  // nullptr if this value has no entry yet.
  [[nodiscard]] const Entry* find(const Layout& layout, const Word* state) const {
    const std::size_t value = entry_index(layout, state);
    return value < entries_.size() && entries_[value] ? &*entries_[value] : nullptr;
  }
  [[nodiscard]] Entry* find(const Layout& layout, const Word* state) {
    return const_cast<Entry*>(std::as_const(*this).find(layout, state));
  }

  // Adds an entry for the value of the first slot in this state. Call it after all trees were
  // evaluated in the state, so that each tree knows this value.
  void insert(const Layout& layout, const Word* state, std::span<const DecisionTree> trees) {
    if (!slot_chosen_) {
      slot_ = most_common_first_slot(trees);
      slot_chosen_ = true;
    }
    const std::size_t value = entry_index(layout, state);
    if (value >= kMaxValues) return;
    if (value >= entries_.size()) entries_.resize(value + 1);
    if (entries_[value]) return;
    std::vector<LeafId> leaves(trees.size());
    std::vector<UndecidedTree> undecided;
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      const DecisionTree::Link link =
          slot_ ? trees[tree].link_after_first_read(*slot_, static_cast<ValueId>(value))
                : trees[tree].root();
      if (DecisionTree::is_leaf(link)) {
        leaves[tree] = DecisionTree::leaf_at(link);
      } else {
        undecided.push_back({tree, link});
      }
    }
    const Entry& entry =
        entries_[value].emplace(std::move(leaves), LookupTables(std::move(undecided)));
    bytes_ += trees.size() * sizeof(LeafId) + sizeof(Entry) + entry.tables.bytes();
  }

  // Clears the lookup tables of all entries. Call it after the layout changed or a slot got more
  // values, because the tables are then outdated.
  void clear_tables() {
    for (std::optional<Entry>& each : entries_) {
      if (each) update(each->tables, [](LookupTables& tables) { tables.clear_tables(); });
    }
  }

  // Calls `update` on the lookup tables of an entry, and corrects `bytes()` by the change of their
  // size.
  template <typename Update>
  void update(LookupTables& tables, Update&& update) {
    bytes_ -= tables.bytes();
    update(tables);
    bytes_ += tables.bytes();
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr ValueId kMaxValues = 1024;  // a slot with more values is not a phase

  // Returns the position in entries_ of the entry for a state. It is the value that the indexed
  // slot has in the state. The indexed slot is the one that most trees read first. If no two trees
  // read the same slot first, returns 0, so that all states share one entry.
  [[nodiscard]] std::size_t entry_index(const Layout& layout, const Word* state) const {
    return slot_ ? layout.get(state, *slot_) : 0;
  }

  // Returns the slot that most trees read first, if at least two trees share it.
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
  std::vector<std::optional<Entry>> entries_;  // indexed by the value of the slot
  std::size_t bytes_ = 0;
};

}  // namespace volition

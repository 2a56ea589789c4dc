// What is common to the functions of a state: many of them look first at the same slot, such as the phase of a round or whose turn it is, and
// have nothing more to ask for most of its values.
//
// For each value of that slot it is remembered which functions are settled by it, and where the others go on: they are walked from there, and
// the settled ones not at all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decision_tree.hpp"
#include "layout.hpp"

namespace volition {

class Beginnings {
 public:
  // The functions for one value of the slot.
  struct Beginning {
    struct Open {
      std::size_t tree;
      DecisionTree::Link link;
    };
    std::vector<LeafId> leaves;  // of every function; those of the open ones mean nothing
    std::vector<Open> open;
  };

  // What is known of the functions in a state; nothing where they have nothing in common, or nobody has learnt this value.
  [[nodiscard]] const Beginning* find(const Layout& layout, const Word* state) const {
    if (!slot_) return nullptr;
    const ValueId value = layout.get(state, *slot_);
    return value < known_.size() && known_[value] ? &*known_[value] : nullptr;
  }

  // All functions were walked in this state.
  void learn(const Layout& layout, const Word* state, std::span<const DecisionTree> trees) {
    if (!looked_) {
      slot_ = most_common(trees);
      looked_ = true;
    }
    if (!slot_) return;
    const ValueId value = layout.get(state, *slot_);
    if (value >= kMostValues) return;
    if (value >= known_.size()) known_.resize(value + 1);
    if (known_[value]) return;
    Beginning& made = known_[value].emplace();
    made.leaves.resize(trees.size());
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      const DecisionTree::Link link = trees[tree].after_first(*slot_, value);
      if (DecisionTree::is_leaf(link)) {
        made.leaves[tree] = DecisionTree::leaf_at(link);
      } else {
        made.open.push_back({tree, link});
      }
    }
    bytes_ += trees.size() * sizeof(LeafId) + made.open.capacity() * sizeof(Beginning::Open) + sizeof(Beginning);
  }

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr ValueId kMostValues = 1024;  // a slot with more is no phase

  // The slot that most functions look at first, if it is that of several.
  static std::optional<Slot> most_common(std::span<const DecisionTree> trees) {
    std::vector<Slot> first;
    for (const DecisionTree& tree : trees) {
      if (const std::optional<Slot> slot = tree.first_slot()) first.push_back(*slot);
    }
    std::ranges::sort(first);
    std::optional<Slot> found;
    std::ptrdiff_t most = 1;
    for (const Slot slot : first) {
      const std::ptrdiff_t count = std::ranges::count(first, slot);
      if (count > most) {
        most = count;
        found = slot;
      }
    }
    return found;
  }

  bool looked_ = false;
  std::optional<Slot> slot_;
  std::vector<std::optional<Beginning>> known_;  // by the value of the slot
  std::size_t bytes_ = 0;
};

}  // namespace volition

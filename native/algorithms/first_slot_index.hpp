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

class Beginnings {
 public:
  // The functions for one value of the slot.
  struct Beginning {
    std::vector<LeafId> leaves;  // of every function; those of the open ones mean nothing
    Cases cases;                 // of the open ones
  };

  // What is known of the functions in a state; nothing where nobody has learnt this value.
  [[nodiscard]] const Beginning* find(const Layout& layout, const Word* state) const {
    const std::size_t value = value_in(layout, state);
    return value < known_.size() && known_[value] ? &*known_[value] : nullptr;
  }
  [[nodiscard]] Beginning* find(const Layout& layout, const Word* state) { return const_cast<Beginning*>(std::as_const(*this).find(layout, state)); }

  // All functions were walked in this state.
  void learn(const Layout& layout, const Word* state, std::span<const DecisionTree> trees) {
    if (!looked_) {
      slot_ = most_common(trees);
      looked_ = true;
    }
    const std::size_t value = value_in(layout, state);
    if (value >= kMostValues) return;
    if (value >= known_.size()) known_.resize(value + 1);
    if (known_[value]) return;
    std::vector<LeafId> leaves(trees.size());
    std::vector<OpenFunction> open;
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      const DecisionTree::Link link = slot_ ? trees[tree].after_first(*slot_, static_cast<ValueId>(value)) : trees[tree].root();
      if (DecisionTree::is_leaf(link)) {
        leaves[tree] = DecisionTree::leaf_at(link);
      } else {
        open.push_back({tree, link});
      }
    }
    const Beginning& made = known_[value].emplace(std::move(leaves), Cases(std::move(open)));
    bytes_ += trees.size() * sizeof(LeafId) + sizeof(Beginning) + made.cases.bytes();
  }

  // States are packed otherwise, or slots have more values.
  void forget_tables() {
    for (std::optional<Beginning>& each : known_) {
      if (each) change(each->cases, [](Cases& cases) { cases.forget_tables(); });
    }
  }

  // Changes cases that are among these.
  template <typename Change>
  void change(Cases& cases, Change&& change) {
    bytes_ -= cases.bytes();
    change(cases);
    bytes_ += cases.bytes();
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  static constexpr ValueId kMostValues = 1024;  // a slot with more is no phase

  // Where functions have no slot in common, all states begin alike.
  [[nodiscard]] std::size_t value_in(const Layout& layout, const Word* state) const { return slot_ ? layout.get(state, *slot_) : 0; }

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

// What components can do from a state on while others stand still, without visiting the states: their decision trees are walked over the
// sets of values that slots can come to hold.
//
// More is found than can happen, because values are put together that never are at the same time; never less, of what the trees know.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "decision_tree.hpp"
#include "layout.hpp"
#include "slot_set.hpp"

namespace volition {

class Futures {
 public:
  explicit Futures(std::size_t slots) : values_(slots), written_(slots) {}

  enum class Found { kPeace, kConflict, kTooMuch };

  // Whether somebody outside `members` can come to write a slot of `kept`, or to test one of `fresh`: a test is a conflict whatever its
  // result.  `writes_of(leaf, on_write)` tells what the choices of a leaf write.
  template <typename WritesOf>
  Found look(const Layout& layout, const Word* state, std::span<const DecisionTree> trees, const SlotSet& members, const SlotSet& kept, const SlotSet& fresh,
             WritesOf&& writes_of) {
    for (Slot slot = 0; slot < values_.size(); ++slot) values_[slot].assign(1, layout.get(state, slot));
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
              return values_[slot];
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

  // Of the last look: with whom there is a conflict, and what may be written.
  [[nodiscard]] std::size_t rival() const { return rival_; }
  [[nodiscard]] const SlotSet& written() const { return written_; }

 private:
  static constexpr std::size_t kMostVisits = 2000;

  bool add(Slot slot, ValueId value) {
    std::vector<ValueId>& known = values_[slot];
    for (const ValueId each : known) {
      if (each == value) return false;
    }
    known.push_back(value);
    return true;
  }

  std::vector<std::vector<ValueId>> values_;
  SlotSet written_;
  std::size_t rival_ = 0;
};

}  // namespace volition

// Ample-set selection for partial-order reduction over read and write sets of slots.
//
// Components whose steps do not access each other's slots can move in one fixed order instead of in
// every order. The reads of a component are the path walked in its decision tree and its writes
// are in its choices, so no annotations are needed. docs/explanation/reduction.md states and proves
// the soundness conditions; comments in this file use the numbering of that page.
//
// This file handles sets of slots only. reduced_explorer.cpp visits the states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "decision_tree.hpp"
#include "expansion.hpp"
#include "slot_set.hpp"

namespace volition {

// Options of the reduction: the properties that it preserves, and the effort it makes.
struct ReductionOptions {
  std::vector<TreeId> atoms;  // trees of the atoms of the properties
  // Whether to use only ample sets with a single successor. This preserves branching time and
  // probabilities (conditions 5 and 6 of docs/explanation/reduction.md).
  bool singleton_only;
  bool deadlock_visible;  // whether a property can observe deadlocks
  // Whether to search for more ample sets by analysing what the components outside the set can do
  // from the current state on. Without this option, all accesses observed in any state count.
  bool lookahead;
  std::size_t warmup_walks;  // random walks before the exploration, to learn reads and writes early
};

// Value of an atom of the property in one state, and the slots that were read to evaluate it.
struct AtomEvaluation {
  LeafId leaf = 0;
  SlotSet reads;
};

// Read set, write set and number of successors of a component in one state.
struct ComponentFootprint {
  SlotSet reads;
  const SlotSet* writes = nullptr;
  std::size_t successors = 0;  // outcomes of all its choices; 0 if it is disabled
};

// Ample set of components, and the conditions under which it is sound.
struct AmpleSet {
  SlotSet components;
  // Slots that components outside the ample set must not write. These are the slots that its
  // components read or write, and those read by the atoms that its components may change.
  SlotSet protected_slots;
  SlotSet written_slots;     // slots that others must not read: writes of the components
  SlotSet unaffected_atoms;  // atoms that must never read a slot of `written_slots`
  SlotSet outside_writes;    // slots that others may write before the components move
  std::size_t successors = 0;
  bool by_lookahead = false;
};

class Reduction {
 public:
  Reduction(ReductionOptions options, std::size_t slots, std::size_t components);

  [[nodiscard]] const ReductionOptions& options() const { return options_; }
  [[nodiscard]] std::size_t slots() const { return slots_; }
  [[nodiscard]] std::size_t components() const { return reads_.size(); }

  // --- accesses observed in all states so far (condition 2 of docs/explanation/reduction.md) ---
  void record_component_access(std::size_t component, const SlotSet& reads, const SlotSet& writes);
  void record_atom_reads(std::size_t atom, const SlotSet& reads);

  // Initialises a candidate ample set with the single component `seed`.
  void start(std::size_t seed, const std::vector<ComponentFootprint>& footprints,
             AmpleSet& ample) const;
  void add_component(std::size_t component, const std::vector<ComponentFootprint>& footprints,
                     AmpleSet& ample) const;
  // Adds every component that depends on a member of the ample set (condition 1 of
  // docs/explanation/reduction.md), judged by all observed reads and writes. Returns false if the
  // result saves no transitions.
  bool close_under_dependency(const std::vector<ComponentFootprint>& footprints,
                              AmpleSet& ample) const;
  // Returns whether expanding only the ample set saves transitions in this state. This is so if a
  // component outside the set is enabled. With the option `singleton_only`, the ample set must also
  // have a single successor.
  [[nodiscard]] bool saves_transitions(const std::vector<ComponentFootprint>& footprints,
                                       const AmpleSet& ample) const;
  [[nodiscard]] bool may_change(const AmpleSet& ample, std::size_t atom) const {
    return atom_reads_[atom].intersects(ample.written_slots);
  }
  // Adds to `ample.outside_writes` every slot that a component outside the ample set was observed
  // to write.
  void add_outside_writes(AmpleSet& ample) const;

  // Records that a state was expanded by this ample set only. `decisions_valid` returns whether all
  // recorded ample sets are sound for the accesses observed by now. For an ample set found by
  // lookahead it checks the atoms only; the caller must ensure that no tree has changed since it
  // was recorded.
  void record_decision(const AmpleSet& ample);
  [[nodiscard]] bool decisions_valid();
  void clear_decisions();

 private:
  struct Decision {
    SlotSet components, protected_slots, written_slots, unaffected_atoms;
    bool by_lookahead;
  };
  [[nodiscard]] bool is_valid(const Decision& decision) const;
  void grow(SlotSet& set, const SlotSet& more);

  ReductionOptions options_;
  std::size_t slots_;
  std::vector<SlotSet> reads_, writes_, atom_reads_;
  bool sets_grown_ = false;
  std::unordered_set<SlotSetsKey, HashOfSlotSets> seen_keys_;
  std::vector<Decision> decisions_;
  SlotSetsKey key_;
  SlotSetsKey last_key_;
};

}  // namespace volition

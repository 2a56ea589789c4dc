// Partial-order reduction: which components may stand still in a state without anything being lost.
//
// Components whose steps do not touch each other's slots can be moved one after the other instead of in every order.  What a component
// reads is on the path that it walked in its decision tree, what it writes stands in its choices: nobody has to annotate anything.
// docs/reduction.md says which conditions make a reduction sound, numbers them as the comments here do, and proves them.
//
// This file knows sets of slots only.  How states are visited stands in reduced_explorer.cpp.
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

// What must be preserved, and how far to go for it.
struct ReductionOptions {
  std::vector<TreeId> atoms;  // functions of states that the questions look at
  bool singleton_only;                // only one choice with one outcome goes alone: for branching time and for probabilities (5, 6)
  bool deadlock_visible;              // whether a question sees a step into a terminal state next to other things
  bool lookahead;               // look at what the others can do from here instead of what they ever did
  std::size_t warmup_walks;         // random runs before the exploration, to learn early what functions read and write
};

// What a function saw and said in one state.
struct AtomEvaluation {
  LeafId leaf = 0;
  SlotSet reads;
};

// What a component can do in one state.
struct ComponentFootprint {
  SlotSet reads;
  const SlotSet* writes = nullptr;
  std::size_t successors = 0;  // outcomes of all its choices; none where it is disabled
};

// Components that go alone, and why that is allowed.
struct AmpleSet {
  SlotSet components;
  SlotSet protected_slots;   // slots that nobody outside may write: what the components read and write, and what the atoms that they touch read
  SlotSet written_slots;  // slots that nobody outside may read: what the components write
  SlotSet unaffected_atoms;   // atoms that may never read a fresh slot
  SlotSet outside_writes;  // slots that somebody outside may write before the components move
  std::size_t successors = 0;
  bool by_lookahead = false;
};

class Reduction {
 public:
  Reduction(ReductionOptions options, std::size_t slots, std::size_t components);

  [[nodiscard]] const ReductionOptions& options() const { return options_; }
  [[nodiscard]] std::size_t slots() const { return slots_; }
  [[nodiscard]] std::size_t components() const { return reads_.size(); }

  // --- what was ever seen (condition 2) ---
  void record_component_access(std::size_t component, const SlotSet& reads, const SlotSet& writes);
  void record_atom_reads(std::size_t atom, const SlotSet& reads);

  // One component alone.
  void start(std::size_t seed, const std::vector<ComponentFootprint>& footprints, AmpleSet& ample) const;
  void add_component(std::size_t component, const std::vector<ComponentFootprint>& footprints, AmpleSet& ample) const;
  // The least set of components around the given ones that condition 1 allows by what was ever seen; false if it is of no use.
  bool close_under_dependency(const std::vector<ComponentFootprint>& footprints, AmpleSet& ample) const;
  // Whether somebody outside can move here, and the rules allow to leave that out.
  [[nodiscard]] bool saves_transitions(const std::vector<ComponentFootprint>& footprints, const AmpleSet& ample) const;
  [[nodiscard]] bool may_change(const AmpleSet& ample, std::size_t atom) const { return atom_reads_[atom].intersects(ample.written_slots); }
  // What somebody outside may ever write.
  void add_outside_writes(AmpleSet& ample) const;

  // Decisions that were taken; `all_valid` whether what was seen since allows them all.  Where a decision rests on futures, only what it
  // says about atoms is looked at: the trees must not have grown since.
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

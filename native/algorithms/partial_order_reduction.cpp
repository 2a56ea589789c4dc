#include "partial_order_reduction.hpp"

#include <algorithm>
#include <utility>

namespace volition {

Reduction::Reduction(ReductionOptions options, std::size_t slots, std::size_t components)
    : options_(std::move(options)),
      slots_(slots),
      reads_(components, SlotSet(slots)),
      writes_(components, SlotSet(slots)),
      atom_reads_(options_.atoms.size(), SlotSet(slots)) {}

void Reduction::grow(SlotSet& set, const SlotSet& more) {
  if (set.includes(more)) return;
  set.add(more);
  sets_grown_ = true;
}

void Reduction::record_component_access(std::size_t component, const SlotSet& reads,
                                        const SlotSet& writes) {
  grow(reads_[component], reads);
  grow(writes_[component], writes);
}

void Reduction::record_atom_reads(std::size_t atom, const SlotSet& reads) {
  grow(atom_reads_[atom], reads);
}

void Reduction::start(std::size_t seed, const std::vector<ComponentFootprint>& footprints,
                      AmpleSet& ample) const {
  for (SlotSet* set : {&ample.components, &ample.protected_slots, &ample.written_slots,
                       &ample.unaffected_atoms, &ample.outside_writes}) {
    set->clear();
  }
  ample.successors = 0;
  ample.by_lookahead = false;
  add_component(seed, footprints, ample);
}

void Reduction::add_component(std::size_t component,
                              const std::vector<ComponentFootprint>& footprints,
                              AmpleSet& ample) const {
  const ComponentFootprint& footprint = footprints[component];
  ample.components.add(component);
  ample.protected_slots.add(footprint.reads);
  ample.protected_slots.add(*footprint.writes);
  ample.written_slots.add(*footprint.writes);
  ample.successors += footprint.successors;
}

// Applies condition 1 of docs/explanation/reduction.md: a component becomes a member if it may
// write a slot that a member reads or writes, or read a slot that a member writes. A member may be
// disabled. It then stays disabled as long as no other component writes a slot that it read.
bool Reduction::close_under_dependency(const std::vector<ComponentFootprint>& footprints,
                                       AmpleSet& ample) const {
  bool growing = true;
  while (growing) {
    growing = false;
    for (std::size_t other = 0; other < footprints.size(); ++other) {
      if (ample.components.contains(other)) continue;
      if (!writes_[other].intersects(ample.protected_slots) &&
          !reads_[other].intersects(ample.written_slots)) {
        continue;
      }
      add_component(other, footprints, ample);
      if (options_.singleton_only && ample.successors > 1) return false;
      growing = true;
    }
  }
  add_outside_writes(ample);
  return saves_transitions(footprints, ample);
}

bool Reduction::saves_transitions(const std::vector<ComponentFootprint>& footprints,
                                  const AmpleSet& ample) const {
  if (options_.singleton_only && ample.successors > 1) return false;
  for (std::size_t other = 0; other < footprints.size(); ++other) {
    if (!ample.components.contains(other) && footprints[other].successors > 0) return true;
  }
  return false;
}

void Reduction::add_outside_writes(AmpleSet& ample) const {
  for (std::size_t other = 0; other < writes_.size(); ++other) {
    if (!ample.components.contains(other)) ample.outside_writes.add(writes_[other]);
  }
}

void Reduction::record_decision(const AmpleSet& ample) {
  key_.clear();
  for (const SlotSet* set :
       {&ample.components, &ample.protected_slots, &ample.written_slots, &ample.unaffected_atoms}) {
    key_.insert(key_.end(), set->words().begin(), set->words().end());
  }
  key_.push_back(ample.by_lookahead ? 1 : 0);
  if (key_ == last_key_) return;
  last_key_ = key_;
  if (seen_keys_.insert(key_).second) {
    decisions_.push_back(Decision{ample.components, ample.protected_slots, ample.written_slots,
                                  ample.unaffected_atoms, ample.by_lookahead});
  }
}

bool Reduction::is_valid(const Decision& decision) const {
  for (std::size_t other = 0; other < reads_.size(); ++other) {
    if (decision.by_lookahead || decision.components.contains(other)) continue;
    if (writes_[other].intersects(decision.protected_slots) ||
        reads_[other].intersects(decision.written_slots)) {
      return false;
    }
  }
  for (std::size_t atom = 0; atom < atom_reads_.size(); ++atom) {
    if (decision.unaffected_atoms.contains(atom) &&
        atom_reads_[atom].intersects(decision.written_slots)) {
      return false;
    }
  }
  return true;
}

bool Reduction::decisions_valid() {
  if (!sets_grown_) return true;
  sets_grown_ = false;
  return std::ranges::all_of(decisions_, [this](const Decision& each) { return is_valid(each); });
}

void Reduction::clear_decisions() {
  seen_keys_.clear();
  decisions_.clear();
  last_key_.clear();
}

}  // namespace volition

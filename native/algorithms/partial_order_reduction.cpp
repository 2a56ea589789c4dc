#include "partial_order_reduction.hpp"

#include <algorithm>
#include <utility>

namespace volition {

Reduction::Reduction(ReductionRules rules, std::size_t slots, std::size_t components)
    : rules_(std::move(rules)),
      slots_(slots),
      reads_(components, SlotSet(slots)),
      writes_(components, SlotSet(slots)),
      atom_reads_(rules_.atoms.size(), SlotSet(slots)) {}

void Reduction::grow(SlotSet& set, const SlotSet& more) {
  if (set.includes(more)) return;
  set.add(more);
  grown_ = true;
}

void Reduction::saw_component(std::size_t component, const SlotSet& reads, const SlotSet& writes) {
  grow(reads_[component], reads);
  grow(writes_[component], writes);
}

void Reduction::saw_atom(std::size_t atom, const SlotSet& reads) { grow(atom_reads_[atom], reads); }

void Reduction::begin(std::size_t seed, const std::vector<Offer>& offers, Ample& ample) const {
  for (SlotSet* set : {&ample.components, &ample.kept, &ample.fresh, &ample.calm, &ample.outer}) set->clear();
  ample.successors = 0;
  ample.by_futures = false;
  join(seed, offers, ample);
}

void Reduction::join(std::size_t component, const std::vector<Offer>& offers, Ample& ample) const {
  const Offer& offer = offers[component];
  ample.components.add(component);
  ample.kept.add(offer.reads);
  ample.kept.add(*offer.writes);
  ample.fresh.add(*offer.writes);
  ample.successors += offer.successors;
}

// Condition 1: whoever may write what a member reads or writes, or read what it writes, becomes a member.  A member that is disabled stays
// so as long as nobody outside writes what it read.
bool Reduction::close(const std::vector<Offer>& offers, Ample& ample) const {
  bool growing = true;
  while (growing) {
    growing = false;
    for (std::size_t other = 0; other < offers.size(); ++other) {
      if (ample.components.contains(other)) continue;
      if (!writes_[other].intersects(ample.kept) && !reads_[other].intersects(ample.fresh)) continue;
      join(other, offers, ample);
      if (rules_.single && ample.successors > 1) return false;
      growing = true;
    }
  }
  ever_written_outside(ample);
  return is_useful(offers, ample);
}

bool Reduction::is_useful(const std::vector<Offer>& offers, const Ample& ample) const {
  if (rules_.single && ample.successors > 1) return false;
  for (std::size_t other = 0; other < offers.size(); ++other) {
    if (!ample.components.contains(other) && offers[other].successors > 0) return true;
  }
  return false;
}

void Reduction::ever_written_outside(Ample& ample) const {
  for (std::size_t other = 0; other < writes_.size(); ++other) {
    if (!ample.components.contains(other)) ample.outer.add(writes_[other]);
  }
}

void Reduction::record(const Ample& ample) {
  key_.clear();
  for (const SlotSet* set : {&ample.components, &ample.kept, &ample.fresh, &ample.calm}) {
    key_.insert(key_.end(), set->words().begin(), set->words().end());
  }
  key_.push_back(ample.by_futures ? 1 : 0);
  if (key_ == last_) return;
  last_ = key_;
  if (known_.insert(key_).second) decisions_.push_back(Decision{ample.components, ample.kept, ample.fresh, ample.calm, ample.by_futures});
}

bool Reduction::valid(const Decision& decision) const {
  for (std::size_t other = 0; other < reads_.size(); ++other) {
    if (decision.by_futures || decision.components.contains(other)) continue;
    if (writes_[other].intersects(decision.kept) || reads_[other].intersects(decision.fresh)) return false;
  }
  for (std::size_t atom = 0; atom < atom_reads_.size(); ++atom) {
    if (decision.calm.contains(atom) && atom_reads_[atom].intersects(decision.fresh)) return false;
  }
  return true;
}

bool Reduction::all_valid() {
  if (!grown_) return true;
  grown_ = false;
  return std::ranges::all_of(decisions_, [this](const Decision& each) { return valid(each); });
}

void Reduction::forget_decisions() {
  known_.clear();
  decisions_.clear();
  last_.clear();
}

}  // namespace volition

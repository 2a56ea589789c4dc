// Exploration with partial-order reduction: the parts of the explorer that choose who goes alone, and leap over states.
//
// A state is expanded by the choices of some components only (an ample set, reduction.hpp), if all that follows lies ahead of it
// (condition 4), or else by all.  A successor in which one component alone goes on by one certain step that no question sees is not stored: the
// explorer leaps to what follows it.  Such states are visited all the same: every component and every atom is evaluated in them (condition 2).

#include <algorithm>
#include <span>

#include "explorer.hpp"

namespace volition {

namespace {
// Work states stand before the successors of the state that is being expanded, so that a widened slot repacks them too.
constexpr std::size_t kNext = 0;   // what follows a state that is looked at
constexpr std::size_t kMark = 1;   // a state of the leap at hand, to see that it goes in a circle
constexpr std::size_t kWorkStates = 2;
constexpr std::size_t kLongestLeap = 1000;
constexpr std::size_t kStepsOfAScout = 2000;
constexpr std::size_t kPathsOfScouts = 3000;  // that were not known before: each costs a call of Python
}  // namespace

void Explorer::reduce(ReductionRules rules) {
  const std::size_t atoms = rules.atoms.size();
  reduction_.emplace(std::move(rules), layout_.slots(), num_components_);
  for (Look* look : {&here_, &there_}) {
    look->offers.assign(num_components_, Offer{SlotSet(layout_.slots()), nullptr, 0});
    look->leaves.assign(num_components_, 0);
    look->atoms.assign(atoms, Sight{0, SlotSet(layout_.slots())});
  }
  for (Ample* ample : {&here_ample_, &there_ample_, &candidate_}) {
    const SlotSet no_slots(layout_.slots());
    *ample = Ample{SlotSet(num_components_), no_slots, no_slots, SlotSet(atoms), no_slots, 0, false};
  }
  after_ = SlotSet(layout_.slots());
  futures_ = Futures(layout_.slots());
}

// --- seeing --------------------------------------------------------------------------------------------------------------

// Whatever a function was ever seen to read and to write (condition 2).  Called for each new path of a tree: all others are known.
void Explorer::note_path(TreeId tree, const Reads& reads, LeafId leaf) {
  SlotSet slots(layout_.slots());
  for (const auto& [slot, value] : reads) slots.add(slot);
  if (tree < num_components_) {
    trees_grew_ = true;
    futures_.forget();
    reduction_->saw_component(tree, slots, effect_of(leaf).writes);
    return;
  }
  const auto& atoms = reduction_->rules().atoms;
  const auto at = std::ranges::find(atoms, tree);
  if (at != atoms.end()) reduction_->saw_atom(static_cast<std::size_t>(at - atoms.begin()), slots);
}

const Explorer::Effect& Explorer::effect_of(LeafId leaf) {
  while (effects_.size() <= leaf) {
    Effect effect{SlotSet(layout_.slots()), 0};
    for (const Choice& choice : choice_leaves_[effects_.size()]) {
      effect.successors += choice.outcomes.size();
      for (const Outcome& outcome : choice.outcomes) {
        for (const Write& write : outcome.writes) effect.writes.add(write.slot);
      }
    }
    effects_.push_back(std::move(effect));
  }
  return effects_[leaf];
}

LeafId Explorer::see(Run& run, TreeId tree, Place place, SlotSet& reads) {
  const auto note = [&](Slot slot) { reads.add(slot); };
  reads.clear();
  const std::int64_t known = trees_[tree].walk(layout_, at(place), note);
  if (known != DecisionTree::kUnknown && !check_purity_) return static_cast<LeafId>(known);
  const LeafId leaf = leaf_of(run, tree, place);
  reads.clear();
  trees_[tree].walk(layout_, at(place), note);
  return leaf;
}

void Explorer::look_around(Run& run, Place place, Look& look) {
  ++visited_;
  run.patience.spend();
  look.successors = 0;
  for (TreeId component = 0; component < num_components_; ++component) {
    Offer& offer = look.offers[component];
    look.leaves[component] = see(run, component, place, offer.reads);
    const Effect& effect = effect_of(look.leaves[component]);
    offer.writes = &effect.writes;
    offer.successors = effect.successors;
    look.successors += effect.successors;
  }
  const auto& atoms = reduction_->rules().atoms;
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) look.atoms[atom].leaf = see(run, atoms[atom], place, look.atoms[atom].reads);
}

bool Explorer::is_terminal(Run& run, Place place) {
  for (TreeId component = 0; component < num_components_; ++component) {
    if (effect_of(leaf_of(run, component, place)).successors > 0) return false;
  }
  return true;
}

// --- choosing ------------------------------------------------------------------------------------------------------------

bool Explorer::choose_ample(Run& run, Place place, const Look& look, Ample& ample) {
  bool found = false;
  for (const bool by_futures : {false, true}) {
    if (by_futures && !reduction_->rules().futures) break;
    for (std::size_t seed = 0; seed < num_components_; ++seed) {
      if (look.offers[seed].successors == 0) continue;
      reduction_->begin(seed, look.offers, candidate_);
      if (!(by_futures ? close_by_futures(place, look, candidate_) : reduction_->close(look.offers, candidate_))) continue;
      if (found && candidate_.successors >= ample.successors) continue;
      if (!is_invisible(run, place, look, candidate_)) continue;
      std::swap(ample, candidate_);
      found = true;
      if (ample.successors == 1) return true;
    }
  }
  return found;
}

// The same as Reduction::close, by what the others can do from here on.
bool Explorer::close_by_futures(Place place, const Look& look, Ample& ample) {
  const auto writes_of = [this](LeafId leaf, auto&& on_write) {
    for (const Choice& choice : choice_leaves_[leaf]) {
      for (const Outcome& outcome : choice.outcomes) {
        for (const Write& write : outcome.writes) on_write(write.slot, write.value);
      }
    }
  };
  const std::span<const DecisionTree> trees(trees_.data(), num_components_);
  ample.by_futures = true;
  while (reduction_->is_useful(look.offers, ample)) {
    switch (futures_.look(layout_, at(place), trees, ample.components, ample.kept, ample.fresh, writes_of)) {
      case Futures::Found::kPeace:
        ample.outer.add(futures_.written());
        return true;
      case Futures::Found::kConflict:
        reduction_->join(futures_.rival(), look.offers, ample);
        break;
      case Futures::Found::kTooMuch:
        return false;
    }
  }
  return false;
}

// Condition 3: no atom can read what the components write; or nobody else writes what it reads, now and after each step, and the steps
// leave its value as it is.
bool Explorer::is_invisible(Run& run, Place place, const Look& look, Ample& ample) {
  bool touches = false;
  for (std::size_t atom = 0; atom < look.atoms.size(); ++atom) {
    if (!reduction_->may_touch(ample, atom)) {
      ample.calm.add(atom);
      continue;
    }
    touches = true;
    if (ample.outer.intersects(look.atoms[atom].reads)) return false;
    ample.kept.add(look.atoms[atom].reads);
  }
  const bool deadlock = reduction_->rules().deadlock;
  if (!touches && !deadlock) return true;
  const auto unseen = [&] { return leaves_atoms(run, look, ample) && (!deadlock || goes_on(run, ample)); };
  for (std::size_t component = 0; component < num_components_; ++component) {
    if (ample.components.contains(component) && !each_outcome(place, look.leaves[component], unseen)) return false;
  }
  return true;
}

// Whether one of the components can surely move after a step, whatever the others do meanwhile: then no such step leads into a terminal state.
bool Explorer::goes_on(Run& run, Ample& ample) {
  for (TreeId component = 0; component < num_components_; ++component) {
    if (!ample.components.contains(component)) continue;
    const LeafId leaf = see(run, component, Place{true, kNext}, after_);
    if (effect_of(leaf).successors == 0 || ample.outer.intersects(after_)) continue;
    ample.kept.add(after_);
    return true;
  }
  return false;
}

// Whether the atoms that a step may touch are the same after it; the state after it is the work state.
bool Explorer::leaves_atoms(Run& run, const Look& before, Ample& ample) {
  const auto& atoms = reduction_->rules().atoms;
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
    if (ample.calm.contains(atom)) continue;
    if (see(run, atoms[atom], Place{true, kNext}, after_) != before.atoms[atom].leaf) return false;
    if (ample.outer.intersects(after_)) return false;
    ample.kept.add(after_);
  }
  return true;
}

// Makes the state after each outcome of some choices, in a work state, until one does not pass the test.
template <typename Test>
bool Explorer::each_outcome(Place place, LeafId leaf, Test&& passes) {
  // By index: a test that calls Python may register more choices.
  for (std::size_t c = 0; c < choice_leaves_[leaf].size(); ++c) {
    for (std::size_t o = 0; o < choice_leaves_[leaf][c].outcomes.size(); ++o) {
      copy_state(at(place), kNext);
      apply(made_.successor(kNext), choice_leaves_[leaf][c].outcomes[o].writes);
      if (!passes()) return false;
    }
  }
  return true;
}

// --- leaping -------------------------------------------------------------------------------------------------------------

// Whether one component goes on alone from here by one certain step that nobody sees; then the work state is what follows.
bool Explorer::steps_alone(Run& run, Place place, const Look& look) {
  std::size_t mover = num_components_;
  if (look.successors == 1) {
    mover = static_cast<std::size_t>(std::ranges::find_if(look.offers, [](const Offer& each) { return each.successors > 0; }) - look.offers.begin());
  } else if (choose_ample(run, place, look, there_ample_) && there_ample_.successors == 1) {
    for (std::size_t i = 0; i < num_components_; ++i) {
      if (there_ample_.components.contains(i) && look.offers[i].successors > 0) mover = i;
    }
    reduction_->record(there_ample_);
  }
  if (mover == num_components_) return false;
  each_outcome(place, look.leaves[mover], [] { return true; });
  if (look.successors > 1) return true;
  // There is nothing else to do here, so that it is enough that this one step changes nothing that is seen.
  const auto& atoms = reduction_->rules().atoms;
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
    if (leaf_of(run, atoms[atom], Place{true, kNext}) != look.atoms[atom].leaf) return false;
  }
  return !reduction_->rules().deadlock || !is_terminal(run, Place{true, kNext});
}

// From a successor on, over states that need not be stored.  A circle of them ends in one of its states (Brent 1980), which is stored
// and then expanded by all components, because what follows it lies not ahead.
void Explorer::leap(Run& run, std::size_t successor, std::vector<LeapStep>* told) {
  copy_state(made_.successor(successor), kMark);
  std::size_t since = 0;
  std::size_t power = 1;
  for (std::size_t steps = 0; steps < kLongestLeap; ++steps) {
    const Place place{true, successor};
    look_around(run, place, there_);
    if (!steps_alone(run, place, there_)) return;
    if (told != nullptr) told->push_back(leap_step(place));
    copy_state(made_.successor(kNext), successor);
    if (std::equal(made_.successor(successor), made_.successor(successor) + layout_.words(), made_.successor(kMark))) return;
    if (++since == power) {
      copy_state(made_.successor(successor), kMark);
      power *= 2;
      since = 0;
    }
  }
}

// --- expanding -----------------------------------------------------------------------------------------------------------

void Explorer::open_work_states(StateId state) {
  for (std::size_t i = 0; i < kWorkStates; ++i) made_.add_successor(store_[state], kNeutral);
}

void Explorer::expand_reduced(Run& run, StateId state) {
  const Place place{false, state};
  open_work_states(state);
  made_.begin_state();
  look_around(run, place, here_);
  std::ranges::copy(here_.leaves, made_.component_leaf.begin());
  if (choose_ample(run, place, here_, here_ample_)) {
    interleave(made_, state, &here_ample_.components);
    leap_from_all(run);
    if (all_lie_ahead(state)) {
      reduction_->record(here_ample_);
      return;
    }
    made_.forget_state();
    made_.begin_state();
  }
  interleave(made_, state);
  leap_from_all(run);
  if (made_.pending.empty()) stutter(made_, state);
}

void Explorer::leap_from_all(Run& run) {
  for (std::size_t i = kWorkStates; i < made_.num_successors(); ++i) leap(run, i);
}

// Condition 4: states are expanded in the order of their numbers, so no circle of states is expanded by some components only.
bool Explorer::all_lie_ahead(StateId state) const {
  for (std::size_t i = kWorkStates; i < made_.num_successors(); ++i) {
    const std::optional<StateId> known = store_.number_of(made_.successor(i), store_.hash(made_.successor(i)));
    if (known && *known <= state) return false;
  }
  return true;
}

// Whether everything that was decided is right by what is known now (condition 2).  Decisions by futures are, if nothing was learnt since
// the exploration began; whether it was matters only when it is complete.
bool Explorer::decisions_stand() {
  if (!reduction_->all_valid()) return false;
  return !reduction_->rules().futures || !trees_grew_ || expanded_ < store_.size();
}

// What was decided is wrong by what was seen since: everything is forgotten but what is known of the functions.
void Explorer::begin_again() {
  ++rounds_;
  rows_ = Rows();
  store_.truncate(0);
  expanded_ = 0;
  depth_ = 0;
  level_end_ = 1;
  visited_ = 0;
  hit_.reset();
  trees_grew_ = false;
  reduction_->forget_decisions();
  store_initial_state();
}

// Some random runs, to learn early what functions read and write: a decision that was wrong costs everything done so far.
void Explorer::scout(Run& run) {
  std::uint64_t dice = 0x9e3779b97f4a7c15u;
  const auto below = [&](std::size_t bound) {  // a linear congruential generator (Knuth): the same runs every time
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>((dice >> 33) % bound);
  };
  std::size_t new_paths = 0;
  for (std::size_t scouts = 0; scouts < reduction_->rules().scouts && new_paths < kPathsOfScouts; ++scouts) {
    made_.clear();
    open_work_states(0);
    for (std::size_t steps = 0; steps < kStepsOfAScout && new_paths < kPathsOfScouts; ++steps) {
      const std::size_t before = tree_bytes_;
      copy_state(made_.successor(kNext), kMark);
      look_around(run, Place{true, kMark}, there_);
      if (tree_bytes_ != before) ++new_paths;
      if (there_.successors == 0) break;
      std::size_t left = below(there_.successors);
      for (std::size_t i = 0; i < num_components_; ++i) {
        each_outcome(Place{true, kMark}, there_.leaves[i], [&] { return left-- != 0; });
        if (left == static_cast<std::size_t>(-1)) break;
      }
    }
  }
  visited_ = 0;
  trees_grew_ = false;
}

// --- telling -------------------------------------------------------------------------------------------------------------

Explorer::LeapStep Explorer::leap_step(Place place) const {
  LeapStep step;
  for (std::size_t i = 0; i < num_components_; ++i) {
    const bool goes = there_.offers[i].successors > 0 && (there_.successors == 1 || there_ample_.components.contains(i));
    if (goes) step.component = static_cast<Id>(i);
  }
  for (Slot slot = 0; slot < layout_.slots(); ++slot) step.values.push_back(layout_.get(at(place), slot));
  return step;
}

std::vector<Explorer::LeapStep> Explorer::steps_within(const Oracle& oracle, StateId state, TreeId component, std::size_t choice, std::size_t outcome) {
  Run run{&oracle, Patience(oracle.pause)};
  made_.clear();
  open_work_states(state);
  made_.add_successor(store_[state], kNeutral);
  const LeafId leaf = leaf_of(run, component, Place{false, state});
  apply(made_.successor(kWorkStates), choice_leaves_[leaf].at(choice).outcomes.at(outcome).writes);
  std::vector<LeapStep> told;
  leap(run, kWorkStates, &told);
  LeapStep end{kNoComponent, {}};
  for (Slot slot = 0; slot < layout_.slots(); ++slot) end.values.push_back(layout_.get(made_.successor(kWorkStates), slot));
  told.push_back(end);
  return told;
}

}  // namespace volition

// Exploration with partial-order reduction: ample-set selection, and compression of chains of
// invisible deterministic steps.
//
// A state is expanded by an ample set of components (partial_order_reduction.hpp) if the cycle
// proviso holds, and fully otherwise (condition 4 of docs/explanation/reduction.md). A successor
// with a single invisible deterministic step is not stored: the chain is followed to its end. The
// skipped states are still evaluated, with every component and every atom (condition 2).

#include <algorithm>
#include <span>

#include "explorer.hpp"

namespace volition {

namespace {
// Indices of scratch states: auxiliary states that are stored in front of the successors in the
// expansion. They are stored there so that they are repacked too when the layout is widened.
constexpr std::size_t kScratchSuccessor = 0;  // successor of the state being examined
constexpr std::size_t kScratchCycleMark = 1;  // a state of the current chain, to detect a cycle
constexpr std::size_t kScratchStates = 2;
constexpr std::size_t kMaxChainLength = 1000;
constexpr std::size_t kWarmupWalkLength = 2000;
constexpr std::size_t kMaxWarmupPaths = 3000;  // new tree paths; each costs a call of Python
}  // namespace

void Explorer::enable_reduction(ReductionOptions options) {
  const std::size_t atoms = options.atoms.size();
  reduction_.emplace(std::move(options), layout_.slots(), num_components_);
  for (StateEvaluation* evaluation : {&source_eval_, &chain_eval_}) {
    evaluation->footprints.assign(num_components_,
                                  ComponentFootprint{SlotSet(layout_.slots()), nullptr, 0});
    evaluation->leaves.assign(num_components_, 0);
    evaluation->atoms.assign(atoms, AtomEvaluation{0, SlotSet(layout_.slots())});
  }
  for (AmpleSet* ample : {&source_ample_, &chain_ample_, &candidate_}) {
    const SlotSet no_slots(layout_.slots());
    *ample =
        AmpleSet{SlotSet(num_components_), no_slots, no_slots, SlotSet(atoms), no_slots, 0, false};
  }
  reads_after_ = SlotSet(layout_.slots());
  interference_ = InterferenceAnalysis(layout_.slots());
}

// --- evaluation of components and atoms in one state ---

// Records the reads and writes of a decision-tree path that was just added. The accumulated sets
// thus cover every evaluated path, as condition 2 of docs/explanation/reduction.md requires.
void Explorer::record_accesses(TreeId tree, const Reads& reads, LeafId leaf) {
  SlotSet slots(layout_.slots());
  for (const auto& [slot, value] : reads) slots.add(slot);
  if (tree < num_components_) {
    trees_changed_ = true;
    interference_.clear_cache();
    reduction_->record_component_access(tree, slots, effect_of(leaf).writes);
    return;
  }
  const auto& atoms = reduction_->options().atoms;
  const auto at = std::ranges::find(atoms, tree);
  if (at != atoms.end()) {
    reduction_->record_atom_reads(static_cast<std::size_t>(at - atoms.begin()), slots);
  }
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

LeafId Explorer::evaluate_with_reads(Context& context, TreeId tree, StateRef state_ref,
                                     SlotSet& reads) {
  const auto note = [&](Slot slot) { reads.add(slot); };
  reads.clear();
  const std::int64_t known = trees_[tree].walk(layout_, at(state_ref), note);
  if (known != DecisionTree::kUnknown && !check_purity_) return static_cast<LeafId>(known);
  const LeafId leaf = leaf_of(context, tree, state_ref);
  reads.clear();
  trees_[tree].walk(layout_, at(state_ref), note);
  return leaf;
}

void Explorer::evaluate_all(Context& context, StateRef state_ref, StateEvaluation& evaluation) {
  ++states_evaluated_;
  context.timer.tick();
  evaluation.successors = 0;
  for (TreeId component = 0; component < num_components_; ++component) {
    ComponentFootprint& footprint = evaluation.footprints[component];
    evaluation.leaves[component] =
        evaluate_with_reads(context, component, state_ref, footprint.reads);
    const Effect& effect = effect_of(evaluation.leaves[component]);
    footprint.writes = &effect.writes;
    footprint.successors = effect.successors;
    evaluation.successors += effect.successors;
  }
  const auto& atoms = reduction_->options().atoms;
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
    evaluation.atoms[atom].leaf =
        evaluate_with_reads(context, atoms[atom], state_ref, evaluation.atoms[atom].reads);
  }
}

bool Explorer::is_terminal(Context& context, StateRef state_ref) {
  for (TreeId component = 0; component < num_components_; ++component) {
    if (effect_of(leaf_of(context, component, state_ref)).successors > 0) return false;
  }
  return true;
}

// --- selection of ample sets ---

bool Explorer::choose_ample(Context& context, StateRef state_ref, const StateEvaluation& evaluation,
                            AmpleSet& ample) {
  bool found = false;
  for (const bool by_lookahead : {false, true}) {
    if (by_lookahead && !reduction_->options().lookahead) break;
    for (std::size_t seed = 0; seed < num_components_; ++seed) {
      if (evaluation.footprints[seed].successors == 0) continue;
      reduction_->start(seed, evaluation.footprints, candidate_);
      if (!(by_lookahead ? close_by_lookahead(state_ref, evaluation, candidate_)
                         : reduction_->close_under_dependency(evaluation.footprints, candidate_))) {
        continue;
      }
      if (found && candidate_.successors >= ample.successors) continue;
      if (!is_invisible(context, state_ref, evaluation, candidate_)) continue;
      std::swap(ample, candidate_);
      found = true;
      if (ample.successors == 1) return true;
    }
  }
  return found;
}

// Adds components to the ample set until the other components cannot interfere with it from this
// state on. In each round, InterferenceAnalysis over-approximates what the components outside the
// set can do from this state on. A component that may write a slot that a member reads or writes,
// or read a slot that a member writes, is added. Returns false if the resulting set saves no
// transitions or the analysis exceeds its budget.
bool Explorer::close_by_lookahead(StateRef state_ref, const StateEvaluation& evaluation,
                                  AmpleSet& ample) {
  const auto writes_of = [this](LeafId leaf, auto&& on_write) {
    for (const Choice& choice : choice_leaves_[leaf]) {
      for (const Outcome& outcome : choice.outcomes) {
        for (const Write& write : outcome.writes) on_write(write.slot, write.value);
      }
    }
  };
  const std::span<const DecisionTree> trees(trees_.data(), num_components_);
  ample.by_lookahead = true;
  while (reduction_->saves_transitions(evaluation.footprints, ample)) {
    switch (interference_.analyse(layout_, at(state_ref), trees, ample.components,
                                  ample.protected_slots, ample.written_slots, writes_of)) {
      case InterferenceAnalysis::Result::kIndependent:
        ample.outside_writes.add(interference_.possible_writes());
        return true;
      case InterferenceAnalysis::Result::kConflict:
        reduction_->add_component(interference_.conflicting_component(), evaluation.footprints,
                                  ample);
        break;
      case InterferenceAnalysis::Result::kBudgetExceeded:
        return false;
    }
  }
  return false;
}

// Returns whether the steps of the ample set are invisible (condition 3 of
// docs/explanation/reduction.md). For each atom, one of the following must hold:
// - No component of the ample set writes a slot that the atom was observed to read.
// - Each step of the ample set preserves the atom's value, and no other component writes a slot
//   that the atom reads before or after the step.
// If terminal states are visible, `stays_enabled` must hold after each step too.
bool Explorer::is_invisible(Context& context, StateRef state_ref, const StateEvaluation& evaluation,
                            AmpleSet& ample) {
  bool may_change_atoms = false;
  for (std::size_t atom = 0; atom < evaluation.atoms.size(); ++atom) {
    if (!reduction_->may_change(ample, atom)) {
      ample.unaffected_atoms.add(atom);
      continue;
    }
    may_change_atoms = true;
    if (ample.outside_writes.intersects(evaluation.atoms[atom].reads)) return false;
    ample.protected_slots.add(evaluation.atoms[atom].reads);
  }
  const bool deadlock_visible = reduction_->options().deadlock_visible;
  if (!may_change_atoms && !deadlock_visible) return true;
  const auto is_step_invisible = [&] {
    return preserves_atoms(context, evaluation, ample) &&
           (!deadlock_visible || stays_enabled(context, ample));
  };
  for (std::size_t component = 0; component < num_components_; ++component) {
    if (ample.components.contains(component) &&
        !each_outcome(state_ref, evaluation.leaves[component], is_step_invisible)) {
      return false;
    }
  }
  return true;
}

// Returns whether, after a step of the ample set, some component of the set is enabled and stays
// enabled whatever the other components do. Such a step does not lead into a terminal state.
bool Explorer::stays_enabled(Context& context, AmpleSet& ample) {
  for (TreeId component = 0; component < num_components_; ++component) {
    if (!ample.components.contains(component)) continue;
    const LeafId leaf =
        evaluate_with_reads(context, component, StateRef{true, kScratchSuccessor}, reads_after_);
    if (effect_of(leaf).successors == 0 || ample.outside_writes.intersects(reads_after_)) continue;
    ample.protected_slots.add(reads_after_);
    return true;
  }
  return false;
}

// Returns whether a step of the ample set preserves the value of every atom that the set may
// change. The scratch successor (kScratchSuccessor) holds the state after the step. Also returns
// false if a component outside the set may write a slot that such an atom reads after the step.
bool Explorer::preserves_atoms(Context& context, const StateEvaluation& before, AmpleSet& ample) {
  const auto& atoms = reduction_->options().atoms;
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
    if (ample.unaffected_atoms.contains(atom)) continue;
    if (evaluate_with_reads(context, atoms[atom], StateRef{true, kScratchSuccessor},
                            reads_after_) != before.atoms[atom].leaf) {
      return false;
    }
    if (ample.outside_writes.intersects(reads_after_)) return false;
    ample.protected_slots.add(reads_after_);
  }
  return true;
}

// Calls `passes` for the successor of a state under each outcome of the choices in a leaf. The
// successor is in the auxiliary state kScratchSuccessor. Stops at the first outcome for which
// `passes` returns false. Returns whether `passes` returned true for all outcomes.
template <typename Test>
bool Explorer::each_outcome(StateRef state_ref, LeafId leaf, Test&& passes) {
  // Iterate by index: if `passes` calls Python, more choices may be registered and the vector may
  // be reallocated.
  for (std::size_t c = 0; c < choice_leaves_[leaf].size(); ++c) {
    for (std::size_t o = 0; o < choice_leaves_[leaf][c].outcomes.size(); ++o) {
      copy_state(at(state_ref), kScratchSuccessor);
      apply(expansion_.successor(kScratchSuccessor), choice_leaves_[leaf][c].outcomes[o].writes);
      if (!passes()) return false;
    }
  }
  return true;
}

// --- chain compression ---

// Returns whether one invisible deterministic step suffices as the expansion of a state: no other
// step is possible, or the step alone forms an ample set. If so, the auxiliary state
// kScratchSuccessor holds the successor.
bool Explorer::has_single_invisible_step(Context& context, StateRef state_ref,
                                         const StateEvaluation& evaluation) {
  std::size_t enabled_component = num_components_;
  if (evaluation.successors == 1) {
    enabled_component = static_cast<std::size_t>(
        std::ranges::find_if(evaluation.footprints,
                             [](const ComponentFootprint& each) { return each.successors > 0; }) -
        evaluation.footprints.begin());
  } else if (choose_ample(context, state_ref, evaluation, chain_ample_) &&
             chain_ample_.successors == 1) {
    for (std::size_t i = 0; i < num_components_; ++i) {
      if (chain_ample_.components.contains(i) && evaluation.footprints[i].successors > 0) {
        enabled_component = i;
      }
    }
    reduction_->record_decision(chain_ample_);
  }
  if (enabled_component == num_components_) return false;
  each_outcome(state_ref, evaluation.leaves[enabled_component], [] { return true; });
  if (evaluation.successors > 1) return true;
  // No other component is enabled, so this step is the only one. It remains to check that it is
  // invisible.
  const auto& atoms = reduction_->options().atoms;
  for (std::size_t atom = 0; atom < atoms.size(); ++atom) {
    if (leaf_of(context, atoms[atom], StateRef{true, kScratchSuccessor}) !=
        evaluation.atoms[atom].leaf) {
      return false;
    }
  }
  return !reduction_->options().deadlock_visible ||
         !is_terminal(context, StateRef{true, kScratchSuccessor});
}

// Replaces a successor by the last state of the chain that starts with it: steps that are invisible
// and deterministic are followed to the first state with another step. If the chain runs into a
// cycle, it ends in a state of the cycle (found by Brent's method, 1980). That state is stored and
// later expanded fully, because the cycle proviso fails for it.
void Explorer::compress_chain(Context& context, std::size_t successor,
                              std::vector<ChainStep>* steps) {
  copy_state(expansion_.successor(successor), kScratchCycleMark);
  std::size_t since = 0;
  std::size_t power = 1;
  for (std::size_t length = 0; length < kMaxChainLength; ++length) {
    const StateRef state_ref{true, successor};
    evaluate_all(context, state_ref, chain_eval_);
    if (!has_single_invisible_step(context, state_ref, chain_eval_)) return;
    if (steps != nullptr) steps->push_back(chain_step(state_ref));
    copy_state(expansion_.successor(kScratchSuccessor), successor);
    if (std::equal(expansion_.successor(successor),
                   expansion_.successor(successor) + layout_.words(),
                   expansion_.successor(kScratchCycleMark))) {
      return;
    }
    if (++since == power) {
      copy_state(expansion_.successor(successor), kScratchCycleMark);
      power *= 2;
      since = 0;
    }
  }
}

// --- expansion of states, restarts, and random walks before the exploration ---

void Explorer::add_scratch_states(StateId state) {
  for (std::size_t i = 0; i < kScratchStates; ++i) {
    expansion_.add_successor(store_[state], kNeutral);
  }
}

void Explorer::expand_reduced(Context& context, StateId state) {
  const StateRef state_ref{false, state};
  add_scratch_states(state);
  expansion_.begin_state();
  evaluate_all(context, state_ref, source_eval_);
  std::ranges::copy(source_eval_.leaves, expansion_.component_leaf.begin());
  if (choose_ample(context, state_ref, source_eval_, source_ample_)) {
    expand_interleaved(expansion_, state, &source_ample_.components);
    compress_all_chains(context);
    if (satisfies_cycle_proviso(state)) {
      reduction_->record_decision(source_ample_);
      return;
    }
    expansion_.discard_state();
    expansion_.begin_state();
  }
  expand_interleaved(expansion_, state);
  compress_all_chains(context);
  if (expansion_.pending.empty()) add_stutter_loop(expansion_, state);
}

void Explorer::compress_all_chains(Context& context) {
  for (std::size_t i = kScratchStates; i < expansion_.num_successors(); ++i) {
    compress_chain(context, i);
  }
}

// Returns whether the current expansion of a state satisfies the cycle proviso (condition 4 of
// docs/explanation/reduction.md): every successor is new or has a larger number than the state.
// States are expanded in order of their numbers, so every cycle contains a fully expanded state.
bool Explorer::satisfies_cycle_proviso(StateId state) const {
  for (std::size_t i = kScratchStates; i < expansion_.num_successors(); ++i) {
    const std::optional<StateId> known =
        store_.find_id(expansion_.successor(i), store_.hash(expansion_.successor(i)));
    if (known && *known <= state) return false;
  }
  return true;
}

// Returns false if an ample set that was chosen so far may be unsound (condition 2 of
// docs/explanation/reduction.md). The exploration must then start again.
//
// Reads and writes that were first observed after the choice may show that an ample set is unsound.
// An ample set found by lookahead (an analysis of the decision trees from one state on) may also be
// unsound if a tree has changed since the exploration started or restarted. This is checked only
// when all states are expanded. Until then, a changed tree does not make the result false.
bool Explorer::decisions_still_valid() {
  if (!reduction_->decisions_valid()) return false;
  return !reduction_->options().lookahead || !trees_changed_ || expanded_ < store_.size();
}

// Restarts the exploration after a chosen ample set proved unsound. The decision trees and the
// observed accesses are kept.
void Explorer::restart() {
  ++restarts_;
  matrix_ = TransitionMatrix();
  store_.truncate(0);
  expanded_ = 0;
  depth_ = 0;
  level_end_ = 1;
  states_evaluated_ = 0;
  stop_state_.reset();
  trees_changed_ = false;
  reduction_->clear_decisions();
  store_initial_state();
}

// Runs random walks before the exploration, to observe many reads and writes early. An access that
// is first observed during the exploration may show that a chosen ample set is unsound; all work
// done until then is lost.
void Explorer::run_warmup_walks(Context& context) {
  std::uint64_t random = 0x9e3779b97f4a7c15u;
  // Linear congruential generator (Knuth), for reproducible walks.
  const auto random_below = [&](std::size_t bound) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>((random >> 33) % bound);
  };
  std::size_t new_paths = 0;
  for (std::size_t warmup_walks = 0;
       warmup_walks < reduction_->options().warmup_walks && new_paths < kMaxWarmupPaths;
       ++warmup_walks) {
    expansion_.clear();
    add_scratch_states(0);
    for (std::size_t length = 0; length < kWarmupWalkLength && new_paths < kMaxWarmupPaths;
         ++length) {
      const std::size_t before = tree_bytes_;
      copy_state(expansion_.successor(kScratchSuccessor), kScratchCycleMark);
      evaluate_all(context, StateRef{true, kScratchCycleMark}, chain_eval_);
      if (tree_bytes_ != before) ++new_paths;
      if (chain_eval_.successors == 0) break;
      std::size_t remaining = random_below(chain_eval_.successors);
      for (std::size_t i = 0; i < num_components_; ++i) {
        each_outcome(StateRef{true, kScratchCycleMark}, chain_eval_.leaves[i],
                     [&] { return remaining-- != 0; });
        if (remaining == static_cast<std::size_t>(-1)) break;
      }
    }
  }
  states_evaluated_ = 0;
  trees_changed_ = false;
}

// --- reconstruction of the states that a compressed chain skips ---

Explorer::ChainStep Explorer::chain_step(StateRef state_ref) const {
  ChainStep step;
  for (std::size_t i = 0; i < num_components_; ++i) {
    const bool is_moving = chain_eval_.footprints[i].successors > 0 &&
                           (chain_eval_.successors == 1 || chain_ample_.components.contains(i));
    if (is_moving) step.component = static_cast<ObjectId>(i);
  }
  for (Slot slot = 0; slot < layout_.slots(); ++slot) {
    step.values.push_back(layout_.get(at(state_ref), slot));
  }
  return step;
}

std::vector<Explorer::ChainStep> Explorer::expand_chain(const ExplorerCallbacks& callbacks,
                                                        StateId state, TreeId component,
                                                        std::size_t choice, std::size_t outcome) {
  Context context{&callbacks, PollTimer(callbacks.poll)};
  expansion_.clear();
  add_scratch_states(state);
  expansion_.add_successor(store_[state], kNeutral);
  const LeafId leaf = leaf_of(context, component, StateRef{false, state});
  apply(expansion_.successor(kScratchStates),
        choice_leaves_[leaf].at(choice).outcomes.at(outcome).writes);
  std::vector<ChainStep> steps;
  compress_chain(context, kScratchStates, &steps);
  ChainStep end{kNoComponent, {}};
  for (Slot slot = 0; slot < layout_.slots(); ++slot) {
    end.values.push_back(layout_.get(expansion_.successor(kScratchStates), slot));
  }
  steps.push_back(end);
  return steps;
}

}  // namespace volition

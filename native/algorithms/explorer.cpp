#include "explorer.hpp"

#include <algorithm>
#include <limits>

#include "parallel_explorer.hpp"

namespace volition {

namespace {
constexpr TreeId kNoWriter = UINT32_MAX;
constexpr std::size_t kBytesPerEntry = 48;  // approximate size of an entry of unordered_map
// Number of states that one thread expands before it stores their successors.
constexpr std::size_t kStatesPerBatch = 32;
}  // namespace

Explorer::Explorer(std::size_t slots, std::size_t components, std::size_t reactions,
                   bool synchronous, std::size_t max_states)
    : synchronous_(synchronous),
      num_components_(components),
      num_reactions_(reactions),
      layout_(slots),
      store_(layout_.words(), max_states),
      trees_(components + reactions),
      expansion_(layout_.words(), components, slots) {
  for (const DecisionTree& tree : trees_) tree_bytes_ += tree.bytes();
}

TreeId Explorer::add_tree() {
  tree_bytes_ += trees_.emplace_back().bytes();
  return static_cast<TreeId>(trees_.size() - 1);
}

LeafId Explorer::add_choices(std::vector<Choice> choices) {
  leaf_bytes_ += sizeof(choices) + choices.capacity() * sizeof(Choice);
  bool fits = true;
  for (const Choice& choice : choices) {
    leaf_bytes_ += choice.outcomes.capacity() * sizeof(Outcome);
    for (const Outcome& outcome : choice.outcomes) {
      leaf_bytes_ += outcome.writes.capacity() * sizeof(Write);
      fits = note_values(outcome.writes) && fits;
    }
  }
  if (!fits) widen_layout();
  choice_leaves_.push_back(std::move(choices));
  return static_cast<LeafId>(choice_leaves_.size() - 1);
}

LeafId Explorer::add_writes(std::vector<Write> writes) {
  leaf_bytes_ += sizeof(writes) + writes.capacity() * sizeof(Write);
  if (!note_values(writes)) widen_layout();
  write_leaves_.push_back(std::move(writes));
  return static_cast<LeafId>(write_leaves_.size() - 1);
}

// This function is called after each state, so it must be cheap.
std::size_t Explorer::persistent_bytes() const {
  return store_.bytes() + matrix_.bytes() + leaf_bytes_ + tree_bytes_ + interference_.bytes() +
         combined_bytes_ + external_bytes_;
}

bool Explorer::note_values(const std::vector<Write>& writes) {
  const std::size_t widenings = layout_.num_widenings();
  bool fits = true;
  for (const Write& write : writes) fits = layout_.note_value(write.slot, write.value) && fits;
  // A slot now needs more bits. Lookup tables were built for the bits that slots used before, so
  // all tables are outdated.
  if (layout_.num_widenings() != widenings) first_slot_index_.clear_tables();
  return fits;
}

// Replaces the layout by a wider one and repacks all stored states and pending successors.
void Explorer::widen_layout() {
  const Layout wider = layout_.widened();
  store_.repack(layout_, wider);
  GrowingArray<Word> successors;
  successors.resize(expansion_.num_successors() * wider.words());
  for (std::size_t i = 0; i < expansion_.num_successors(); ++i) {
    wider.repack(layout_, expansion_.successor(i), successors.data() + i * wider.words());
  }
  expansion_.successors.swap(successors);
  expansion_.words = wider.words();
  layout_ = wider;
  first_slot_index_.clear_tables();
}

LeafId Explorer::leaf_of(Context& context, TreeId tree, const Word* state, StateRef state_ref) {
  const std::int64_t known = trees_[tree].walk(layout_, state);
  if (known != DecisionTree::kUnknown && !check_purity_) return static_cast<LeafId>(known);
  if (context.callbacks == nullptr) throw PythonNeeded{};
  ++python_calls_;
  const auto [reads, leaf] = context.callbacks->trace(tree, state_ref);
  const std::size_t before = trees_[tree].bytes();
  trees_[tree].insert(reads, leaf);
  tree_bytes_ += trees_[tree].bytes() - before;
  if (reduction_) record_accesses(tree, reads, leaf);
  context.timer.poll_if_due();
  return leaf;
}

ObjectId Explorer::combine(Context& context, Combination how, ObjectId a, ObjectId b) {
  if (how != Combination::kWeightSum) {
    if (a == kNeutral) return b;
    if (b == kNeutral) return a;
  }
  auto& cache = combined_[static_cast<std::size_t>(how)];
  const std::uint64_t key = (static_cast<std::uint64_t>(a) << 32) | b;
  const auto found = cache.find(key);
  if (found != cache.end()) return found->second;
  if (context.callbacks == nullptr) throw PythonNeeded{};
  ++python_calls_;
  const ObjectId id = context.callbacks->combine(how, a, b);
  cache.emplace(key, id);
  combined_bytes_ += kBytesPerEntry;
  return id;
}

ExplorationStatus Explorer::explore(const ExplorerCallbacks& callbacks, const Limits& limits) {
  if (reduction_invalidated_) return ExplorationStatus::kReductionInvalidated;
  using Clock = PollTimer::Clock;
  const auto start = Clock::now();
  const auto check_limits = [&] {
    // The choices and successors of the states that are being expanded (`expansion_`) are freed
    // soon. They count only if they alone take more than half of the memory limit.
    const bool over_limit = persistent_bytes() + first_slot_index_.bytes() > limits.bytes ||
                            expansion_.bytes() > limits.bytes / 2;
    if (over_limit) throw LimitReached{ExplorationStatus::kMemoryLimit};
    if (std::chrono::duration<double>(Clock::now() - start).count() > limits.seconds) {
      throw LimitReached{ExplorationStatus::kTimeLimit};
    }
  };
  const auto on_poll = [&] {
    callbacks.poll();
    check_limits();
  };
  Context context{&callbacks, PollTimer(on_poll), limits.stop_tree};
  Context without_python{nullptr, PollTimer(on_poll)};
  const auto status = [&]() -> std::optional<ExplorationStatus> {
    if (stop_state_) return ExplorationStatus::kStopConditionMet;
    if (expanded_ == store_.size()) return ExplorationStatus::kComplete;
    if (store_.size() > limits.states) return ExplorationStatus::kStateLimit;
    if (depth_ >= limits.depth) return ExplorationStatus::kDepthLimit;
    return std::nullopt;
  };

  ExplorationStatus result = ExplorationStatus::kComplete;
  const bool resumed = store_.size() > 0;  // the caller may hold results of an earlier call
  try {
    if (!resumed) {
      store_initial_state();
      if (reduction_) run_warmup_walks(context);
    }
    find_stop_state(context);
    std::optional<ExplorationStatus> now = status();
    if (!now) on_poll();
    const bool is_limited = limits.bytes < Limits::kNoLimit;
    // Returns the status after a state was expanded. The poll timer checks the memory limit too,
    // but memory may fill up between two polls.
    const auto status_here = [&]() -> std::optional<ExplorationStatus> {
      const std::optional<ExplorationStatus> here = status();
      return !here && is_limited && persistent_bytes() > limits.bytes
                 ? ExplorationStatus::kMemoryLimit
                 : here;
    };
    ParallelExplorer parallel(*this, limits);
    while (!now) {
      if (!reduction_ && parallel.is_worthwhile()) {
        now = parallel.expand_batch(context, status);
        continue;
      }
      expansion_.clear();
      if (reduction_) {
        expand_reduced(context, static_cast<StateId>(expanded_));
      } else {
        expand_next(context, without_python);
      }
      now = store_successors(context, status_here);
      if (reduction_ && !decisions_still_valid()) {
        reduction_invalidated_ = resumed;
        if (reduction_invalidated_) return ExplorationStatus::kReductionInvalidated;
        restart();
        now = status_here();
      }
    }
    result = *now;
  } catch (const LimitReached& limit) {
    result = limit.status;
  } catch (const StoreIsFull&) {
    result = ExplorationStatus::kStateLimit;
  } catch (const Interrupted&) {
    result = ExplorationStatus::kInterrupted;
  }
  if (result == ExplorationStatus::kComplete) store_.release_table();  // no more lookups
  return result;
}

void Explorer::count_expanded() {
  if (++expanded_ < level_end_) return;
  ++depth_;
  level_end_ = store_.size();
}

void Explorer::restore(Layout layout, GrowingArray<Word> states, TransitionMatrix matrix,
                       std::optional<StateId> stop_state) {
  layout_ = std::move(layout);
  expansion_.words = layout_.words();
  store_.adopt_states(std::move(states), layout_.words());
  matrix_ = std::move(matrix);
  stop_state_ = stop_state;
  // Recompute the depth. States are numbered in order of their depth. The last state of depth d + 1
  // is therefore the largest target of the states of depth d.
  for (std::size_t found = 1; expanded_ < matrix_.num_states();) {
    for (const StateId target : matrix_.targets(expanded_)) {
      found = std::max<std::size_t>(found, target + 1);
    }
    if (++expanded_ < level_end_) continue;
    ++depth_;
    level_end_ = found;
  }
}

void Explorer::store_initial_state() {
  const std::vector<Word> initial(layout_.words(), 0);  // the initial value of every slot has id 0
  store_.insert(initial.data(), store_.hash(initial.data()));
}

std::vector<LeafId> Explorer::evaluate(const ExplorerCallbacks& callbacks, TreeId tree,
                                       std::size_t states) {
  Context context{&callbacks, PollTimer(callbacks.poll)};
  std::vector<LeafId> leaves(states);
  for (std::size_t state = 0; state < states; ++state) {
    context.timer.tick();
    leaves[state] = leaf_of(context, tree, store_[state], StateRef{false, state});
  }
  return leaves;
}

std::vector<ValueId> Explorer::column(Slot slot, std::size_t states) const {
  std::vector<ValueId> values(states);
  for (std::size_t state = 0; state < states; ++state) {
    values[state] = value(static_cast<StateId>(state), slot);
  }
  return values;
}

// Finds the first state in which the stop condition of this call holds, among the states that
// earlier calls found.
void Explorer::find_stop_state(Context& context) {
  stop_state_.reset();
  for (std::size_t state = 0; context.stop_tree && !stop_state_ && state < store_.size(); ++state) {
    context.timer.tick();
    check_stop_condition(context, static_cast<StateId>(state));
  }
}

void Explorer::check_stop_condition(Context& context, StateId state) {
  if (context.stop_tree && !stop_state_ &&
      leaf_of(context, *context.stop_tree, store_[state], StateRef{false, state}) == 1) {
    stop_state_ = state;
  }
}

// Only the first state of a batch may call Python, so that the calls are made in the order of the
// states. A state that needs Python is often followed by more such states. After a call of Python,
// the next kStatesPerBatch states are therefore expanded one at a time.
void Explorer::expand_next(Context& context, Context& without_python) {
  if (python_calls_ != python_calls_before_) {
    python_calls_before_ = python_calls_;
    python_expected_until_ = expanded_ + kStatesPerBatch;
  }
  if (expanded_ < python_expected_until_) {
    expand_into(context, expansion_, static_cast<StateId>(expanded_));
    return;
  }
  const std::size_t end = std::min(store_.size(), expanded_ + kStatesPerBatch);
  for (std::size_t state = expanded_;
       state < end && expansion_.num_successors() < kStatesPerBatch * kStatesPerBatch; ++state) {
    try {
      expand_into(without_python, expansion_, static_cast<StateId>(state));
      continue;
    } catch (const PythonNeeded&) {
    } catch (const WriteConflict&) {  // reported when this state is expanded alone
    }
    expansion_.discard_state();
    break;
  }
  if (expansion_.num_states() == 0) {
    expand_into(context, expansion_, static_cast<StateId>(expanded_));
  }
}

void Explorer::expand_into(Context& context, Expansion& expansion, StateId state) {
  expansion.begin_state();
  if (synchronous_) {
    expand_synchronous(context, expansion, state);
  } else {
    find_leaves(context, expansion, state);
    expand_interleaved(expansion, state);
  }
  if (num_reactions_ > 0) apply_reactions(context, expansion);
  if (expansion.pending.size() == expansion.begin()) add_stutter_loop(expansion, state);
}

void Explorer::find_leaves(Context& context, Expansion& expansion, StateId state) {
  const StateRef state_ref{false, state};
  FirstSlotIndex::Entry* entry =
      check_purity_ ? nullptr : first_slot_index_.find(layout_, store_[state]);
  if (entry == nullptr) {
    for (TreeId i = 0; i < num_components_; ++i) {
      expansion.component_leaf[i] = leaf_of(context, i, store_[state], state_ref);
    }
    if (context.single_threaded) {
      first_slot_index_.insert(layout_, store_[state], {trees_.data(), num_components_});
    }
    return;
  }
  std::ranges::copy(entry->leaves, expansion.component_leaf.begin());
  for (const auto& [tree, link] : entry->tables.undecided()) {
    const std::int64_t leaf = trees_[tree].walk_from(link, layout_, store_[state], [](Slot) {});
    const bool is_known = leaf != DecisionTree::kUnknown;
    expansion.component_leaf[tree] =
        is_known ? static_cast<LeafId>(leaf)
                 : leaf_of(context, static_cast<TreeId>(tree), store_[state], state_ref);
  }
  if (!context.single_threaded) return;
  first_slot_index_.update(entry->tables, [&](LookupTables& tables) {
    tables.insert(layout_, store_[state], {trees_.data(), num_components_},
                  expansion.component_leaf, [&](LeafId leaf) { return silent_writes(leaf); });
  });
}

void Explorer::expand_interleaved(Expansion& expansion, StateId state, const SlotSet* only) const {
  for (TreeId component = 0; component < num_components_; ++component) {
    if (only != nullptr && !only->contains(component)) continue;
    for (const Choice& choice : choice_leaves_[expansion.component_leaf[component]]) {
      expansion.pending.push_back({choice.label, choice.reward, component,
                                   choice.triggers_reactions, expansion.num_successors()});
      for (const Outcome& outcome : choice.outcomes) {
        expansion.add_successor(store_[state], outcome.weight);
        apply(expansion.successor(expansion.num_successors() - 1), outcome.writes);
      }
    }
  }
}

void Explorer::expand_synchronous(Context& context, Expansion& expansion, StateId state) {
  const std::span<const DecisionTree> trees(trees_.data(), num_components_);
  FirstSlotIndex::Entry* entry =
      check_purity_ ? nullptr : first_slot_index_.find(layout_, store_[state]);
  if (entry != nullptr && context.single_threaded && entry->tables.count_state()) {
    first_slot_index_.update(entry->tables,
                             [&](LookupTables& tables) { tables.build_tables(layout_, trees); });
  }
  if (entry != nullptr &&
      entry->tables.look_up(layout_, store_[state], trees, expansion.answer_ids)) {
    if (expand_synchronous_memoised(context, expansion, state, *entry)) return;
    expansion.discard_state();  // a write conflict, which is reported below
    expansion.begin_state();
  }
  find_leaves(context, expansion, state);
  expansion.silent_masks.clear(layout_.words());
  build_joint_choices(context, expansion);
  emit_joint_choices(expansion, state, expansion.joint_choices, 0,
                     expansion.joint_choices.choices.size());
}

bool Explorer::expand_synchronous_memoised(Context& context, Expansion& expansion, StateId state,
                                           FirstSlotIndex::Entry& entry) {
  expansion.silent_masks.clear(layout_.words());
  if (!entry.tables.extract_silent(expansion.answer_ids, expansion.silent_masks)) return false;
  const JointChoiceCache& cache = entry.tables.joint_choices();
  if (const std::optional<JointChoiceCache::ChoiceRange> range = cache.find(expansion.answer_ids)) {
    return emit_joint_choices(expansion, state, cache.all(), range->begin, range->end);
  }
  std::ranges::copy(entry.leaves, expansion.component_leaf.begin());
  entry.tables.copy_nonsilent(expansion.answer_ids, expansion.component_leaf);
  build_joint_choices(context, expansion);
  if (context.single_threaded && cache.is_worthwhile(store_.size())) {
    first_slot_index_.update(entry.tables, [&](LookupTables& tables) {
      tables.joint_choices().insert(expansion.answer_ids, expansion.joint_choices);
    });
  }
  return emit_joint_choices(expansion, state, expansion.joint_choices, 0,
                            expansion.joint_choices.choices.size());
}

bool Explorer::emit_joint_choices(Expansion& expansion, StateId state, const JointChoices& from,
                                  std::size_t begin, std::size_t end) const {
  bool fits = true;
  for (std::size_t c = begin; c < end; ++c) {
    const JointChoices::Choice& choice = from.choices[c];
    expansion.pending.push_back({choice.label, choice.reward, kNoComponent,
                                 choice.triggers_reactions, expansion.num_successors()});
    for (std::size_t outcome = choice.first_outcome; outcome < from.end_of(c); ++outcome) {
      expansion.add_successor(store_[state], from.weights[outcome]);
      fits = from.apply(outcome, expansion.silent_masks,
                        expansion.successor(expansion.num_successors() - 1)) &&
             fits;
    }
  }
  return fits;
}

const std::vector<Write>* Explorer::silent_writes(LeafId leaf) const {
  const std::vector<Choice>& choices = choice_leaves_[leaf];
  if (choices.size() != 1 || choices[0].outcomes.size() != 1) return nullptr;
  const Choice& only = choices[0];
  const bool triggers_reactions = only.triggers_reactions && num_reactions_ > 0;
  const bool is_silent = only.label == kNeutral && only.reward == kNeutral && !triggers_reactions &&
                         only.outcomes[0].weight == kNeutral;
  return is_silent ? &only.outcomes[0].writes : nullptr;
}

// Builds all joint choices of a state. A joint choice is a combination of one choice per enabled
// component. `joint_selection` counts through the combinations like a number with one digit per
// component.
void Explorer::build_joint_choices(Context& context, Expansion& expansion) {
  expansion.joint_choices.clear();
  std::vector<TreeId>& enabled_components = expansion.enabled_components;
  enabled_components.clear();
  bool any = false;
  for (TreeId i = 0; i < num_components_; ++i) {
    const LeafId leaf = expansion.component_leaf[i];
    if (leaf != kSilent && !choice_leaves_[leaf].empty()) enabled_components.push_back(i);
    any = any || leaf == kSilent || !enabled_components.empty();
  }
  if (!any) return;
  std::vector<std::size_t>& joint_selection = expansion.joint_selection;
  joint_selection.assign(enabled_components.size(), 0);
  for (;;) {
    add_joint_choice(context, expansion);
    std::size_t digit = 0;
    while (digit < enabled_components.size() &&
           joint_selection[digit] + 1 ==
               choice_leaves_[expansion.component_leaf[enabled_components[digit]]].size()) {
      joint_selection[digit++] = 0;
    }
    if (digit == enabled_components.size()) return;
    ++joint_selection[digit];
  }
}

// Adds the joint choice that consists of the selected choice of each component (`joint_selection`).
// Its outcomes are all combinations of one outcome of each of these choices, and their weights are
// multiplied.
void Explorer::add_joint_choice(Context& context, Expansion& expansion) {
  JointChoices& joint_choices = expansion.joint_choices;
  const std::size_t words = layout_.words();
  const std::size_t first = joint_choices.num_outcomes();
  JointChoices::Choice choice{kNeutral, kNeutral, false, first};
  std::vector<TreeId>& slot_writer = expansion.slot_writer;
  std::fill(slot_writer.begin(), slot_writer.end(), kNoWriter);
  joint_choices.add_outcome(words, kNeutral);
  for (std::size_t digit = 0; digit < expansion.enabled_components.size(); ++digit) {
    const TreeId component = expansion.enabled_components[digit];
    const Choice& component_choice =
        choice_leaves_[expansion.component_leaf[component]][expansion.joint_selection[digit]];
    choice.label = combine(context, Combination::kLabels, choice.label, component_choice.label);
    choice.reward = combine(context, Combination::kRewards, choice.reward, component_choice.reward);
    choice.triggers_reactions = choice.triggers_reactions || component_choice.triggers_reactions;
    const std::size_t last = joint_choices.num_outcomes();
    for (const Outcome& outcome : component_choice.outcomes) {
      for (const Write& write : outcome.writes) {
        if (slot_writer[write.slot] != kNoWriter && slot_writer[write.slot] != component) {
          throw WriteConflict(slot_writer[write.slot], component, write.slot);
        }
        slot_writer[write.slot] = component;
      }
    }
    // Combine each joint outcome built so far with each outcome of this component. Outcome 0 of the
    // component changes the joint outcomes in place. All other outcomes need unchanged copies, so
    // outcome 0 comes last.
    for (std::size_t k = component_choice.outcomes.size(); k-- > 0;) {
      const Outcome& outcome = component_choice.outcomes[k];
      for (std::size_t i = first; i < last; ++i) {
        context.timer.tick();
        const ObjectId weight =
            combine(context, Combination::kWeightProduct, joint_choices.weights[i], outcome.weight);
        std::size_t changed = i;
        if (k > 0) {
          changed = joint_choices.num_outcomes();
          joint_choices.copy_outcome(words, i, weight);
        }
        joint_choices.weights[changed] = weight;
        for (const Write& write : outcome.writes) {
          joint_choices.write(layout_, changed, write.slot, write.value);
        }
      }
    }
  }
  joint_choices.choices.push_back(choice);
}

void Explorer::add_stutter_loop(Expansion& expansion, StateId state) const {
  expansion.pending.push_back(
      {kStutter, kNeutral, kNoComponent, false, expansion.num_successors()});
  expansion.add_successor(store_[state], kNeutral);
}

void Explorer::apply_reactions(Context& context, Expansion& expansion) {
  for (std::size_t i = expansion.begin(); i < expansion.pending.size(); ++i) {
    if (!expansion.pending[i].triggers_reactions) continue;
    for (std::size_t successor = expansion.pending[i].first_successor;
         successor < expansion.end_of(i); ++successor) {
      context.timer.tick();
      for (std::size_t k = 0; k < num_reactions_; ++k) {
        const auto tree = static_cast<TreeId>(num_components_ + k);
        const LeafId leaf =
            leaf_of(context, tree, expansion.successor(successor), StateRef{true, successor});
        apply(expansion.successor(successor), write_leaves_[leaf]);
      }
    }
  }
}

// All successors are hashed before the first lookup, so that table entries and candidate states can
// be prefetched.
std::optional<ExplorationStatus> Explorer::store_successors(
    Context& context, const std::function<std::optional<ExplorationStatus>()>& status) {
  expansion_.hashes.resize(expansion_.num_successors());
  for (std::size_t i = 0; i < expansion_.num_successors(); ++i) {
    expansion_.hashes[i] = store_.hash(expansion_.successor(i));
    store_.prefetch(expansion_.hashes[i]);
  }
  if (expansion_.num_states() > 1) {
    for (const std::uint64_t hash : expansion_.hashes) store_.prefetch_state(hash);
  }
  return emit_states(context, expansion_, status, [&](std::size_t successor) {
    return store_.insert(expansion_.successor(successor), expansion_.hashes[successor]);
  });
}

void Explorer::discard_states_from(std::size_t states) {
  store_.truncate(states);
  if (stop_state_ && *stop_state_ >= states) stop_state_.reset();
  matrix_.discard_unfinished();
}

}  // namespace volition

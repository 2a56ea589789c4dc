#include "explorer.hpp"

#include <algorithm>
#include <limits>

namespace volition {

namespace {
constexpr TreeId kNobody = UINT32_MAX;
constexpr std::size_t kBytesOfAnEntry = 48;  // of an unordered_map of two numbers, about
}  // namespace

Explorer::Explorer(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous, std::size_t most_states)
    : synchronous_(synchronous),
      num_components_(components),
      num_reactions_(reactions),
      layout_(slots),
      store_(layout_.words(), most_states),
      trees_(components + reactions),
      component_leaf_(components),
      writer_(slots, kNobody) {
  for (const DecisionTree& tree : trees_) tree_bytes_ += tree.bytes();
}

TreeId Explorer::add_tree() {
  tree_bytes_ += trees_.emplace_back().bytes();
  return static_cast<TreeId>(trees_.size() - 1);
}

LeafId Explorer::add_choices(std::vector<Choice> choices) {
  leaf_bytes_ += sizeof(choices) + choices.capacity() * sizeof(Choice);
  for (const Choice& choice : choices) {
    leaf_bytes_ += choice.outcomes.capacity() * sizeof(Outcome);
    for (const Outcome& outcome : choice.outcomes) {
      leaf_bytes_ += outcome.writes.capacity() * sizeof(Write);
      for (const Write& write : outcome.writes) make_room(write.slot, write.value);
    }
  }
  choice_leaves_.push_back(std::move(choices));
  return static_cast<LeafId>(choice_leaves_.size() - 1);
}

LeafId Explorer::add_writes(std::vector<Write> writes) {
  leaf_bytes_ += sizeof(writes) + writes.capacity() * sizeof(Write);
  for (const Write& write : writes) make_room(write.slot, write.value);
  write_leaves_.push_back(std::move(writes));
  return static_cast<LeafId>(write_leaves_.size() - 1);
}

// A sum of a few numbers, so that it can be looked at after each state.
std::size_t Explorer::total_bytes() const {
  return store_.bytes() + first_choice_.bytes() + first_transition_.bytes() + target_.bytes() + weight_.bytes() + choice_label_.bytes() +
         choice_reward_.bytes() + choice_component_.bytes() + successors_.bytes() + successor_weight_.capacity() * sizeof(Id) + leaf_bytes_ +
         tree_bytes_ + combined_bytes_ + outside_bytes_;
}

// A value that needs more bits than its slot has: every packed state gets a new layout.
void Explorer::make_room(Slot slot, ValueId value) {
  if (layout_.admit(slot, value)) return;
  const Layout wider = layout_.widened();
  store_.repack(layout_, wider);
  GrowingArray<Word> successors;
  successors.resize(num_successors() * wider.words());
  for (std::size_t i = 0; i < num_successors(); ++i) wider.repack(layout_, scratch(i), successors.data() + i * wider.words());
  successors_.swap(successors);
  layout_ = wider;
}

LeafId Explorer::leaf_of(Run& run, TreeId tree, Place place) {
  const std::int64_t known = trees_[tree].walk(layout_, at(place));
  if (known != DecisionTree::kUnknown && !check_purity_) return static_cast<LeafId>(known);
  const auto [reads, leaf] = run.oracle.trace(tree, place);
  const std::size_t before = trees_[tree].bytes();
  trees_[tree].insert(reads, leaf);
  tree_bytes_ += trees_[tree].bytes() - before;
  if (reduction_) note_path(tree, reads, leaf);
  run.patience.look_at_clock();
  return leaf;
}

Id Explorer::combine(Run& run, Combination how, Id a, Id b) {
  if (how != Combination::kWeightSum) {
    if (a == kNeutral) return b;
    if (b == kNeutral) return a;
  }
  auto& known = combined_[static_cast<std::size_t>(how)];
  const std::uint64_t key = (static_cast<std::uint64_t>(a) << 32) | b;
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  const Id id = run.oracle.combine(how, a, b);
  known.emplace(key, id);
  combined_bytes_ += kBytesOfAnEntry;
  return id;
}

Ended Explorer::explore(const Oracle& oracle, const Limits& limits) {
  using Clock = Patience::Clock;
  const auto start = Clock::now();
  const auto look_at_limits = [&] {
    if (total_bytes() > limits.bytes) throw Stopped{Ended::kMemory};
    if (std::chrono::duration<double>(Clock::now() - start).count() > limits.seconds) throw Stopped{Ended::kSeconds};
  };
  Run run{oracle, Patience([&] {
            oracle.pause();
            look_at_limits();
          }),
          limits.stop_tree};
  const auto ended = [&]() -> std::optional<Ended> {
    if (hit_) return Ended::kHit;
    if (expanded_ == store_.size()) return Ended::kComplete;
    if (store_.size() > limits.states) return Ended::kStates;
    return std::nullopt;
  };

  Ended how = Ended::kComplete;
  try {
    if (store_.size() == 0) {
      store_initial_state();
      if (reduction_) scout(run);
    }
    find_first_hit(run);
    std::optional<Ended> now = ended();
    if (!now) {
      oracle.pause();
      look_at_limits();
      open_rows();
    }
    while (!now) {
      expand(run, static_cast<StateId>(expanded_));
      ++expanded_;
      if (reduction_ && !decisions_stand()) begin_again();
      now = ended();
      // Memory can fill up between two looks at the clock.
      if (!now && total_bytes() > limits.bytes) now = Ended::kMemory;
    }
    how = *now;
  } catch (const Stopped& stopped) {
    how = stopped.why;
  } catch (const StoreIsFull&) {
    how = Ended::kStates;
  } catch (const Interrupted&) {
    how = Ended::kInterrupted;
  }
  close_rows();
  return how;
}

void Explorer::store_initial_state() {
  const std::vector<Word> initial(layout_.words(), 0);  // every slot's initial value has id 0
  store_.insert(initial.data(), store_.hash(initial.data()));
}

std::vector<LeafId> Explorer::evaluate(const Oracle& oracle, TreeId tree, std::size_t states) {
  Run run{oracle, Patience(oracle.pause)};
  std::vector<LeafId> leaves(states);
  for (std::size_t state = 0; state < states; ++state) {
    run.patience.spend();
    leaves[state] = leaf_of(run, tree, Place{false, state});
  }
  return leaves;
}

std::vector<ValueId> Explorer::column(Slot slot, std::size_t states) const {
  std::vector<ValueId> values(states);
  for (std::size_t state = 0; state < states; ++state) values[state] = value(static_cast<StateId>(state), slot);
  return values;
}

// Among the states that an earlier exploration found, the one that this exploration would have stopped at.
void Explorer::find_first_hit(Run& run) {
  hit_.reset();
  for (std::size_t state = 0; run.stop_tree && !hit_ && state < store_.size(); ++state) {
    run.patience.spend();
    look_at_new_state(run, static_cast<StateId>(state));
  }
}

void Explorer::look_at_new_state(Run& run, StateId state) {
  if (run.stop_tree && !hit_ && leaf_of(run, *run.stop_tree, Place{false, state}) == 1) hit_ = state;
}

void Explorer::expand(Run& run, StateId state) {
  successors_.clear();
  successor_weight_.clear();
  pending_.clear();
  if (reduction_) {
    expand_reduced(run, state);
    if (pending_.empty()) stutter(state);
    store_successors(run);
    return;
  }
  for (TreeId i = 0; i < num_components_; ++i) component_leaf_[i] = leaf_of(run, i, Place{false, state});
  if (synchronous_) {
    synchronise(run, state);
  } else {
    interleave(state);
  }
  if (num_reactions_ > 0) react(run);
  if (pending_.empty()) stutter(state);
  store_successors(run);
}

void Explorer::add_successor(const Word* state, Id weight) {
  successors_.append(state, layout_.words());
  successor_weight_.push_back(weight);
}

void Explorer::interleave(StateId state, const SlotSet* only) {
  for (TreeId component = 0; component < num_components_; ++component) {
    if (only != nullptr && !only->contains(component)) continue;
    for (const Choice& choice : choice_leaves_[component_leaf_[component]]) {
      pending_.push_back(Pending{choice.label, choice.reward, component, choice.reacts, num_successors()});
      for (const Outcome& outcome : choice.outcomes) {
        add_successor(store_[state], outcome.weight);
        apply(num_successors() - 1, outcome.writes);
      }
    }
  }
}

// One joint choice for each combination of the components' choices, counted like the digits of a number.
void Explorer::synchronise(Run& run, StateId state) {
  const auto choices_of = [&](std::size_t component) -> const std::vector<Choice>& { return choice_leaves_[component_leaf_[component]]; };
  bool anything = false;
  for (std::size_t i = 0; i < num_components_; ++i) anything = anything || !choices_of(i).empty();
  if (!anything) return;
  joint_.assign(num_components_, 0);
  for (;;) {
    add_joint_choice(run, state);
    std::size_t digit = 0;
    while (digit < num_components_ && joint_[digit] + 1 >= choices_of(digit).size()) joint_[digit++] = 0;
    if (digit == num_components_) return;
    ++joint_[digit];
  }
}

// The product of the distributions of the components' choices at hand.
void Explorer::add_joint_choice(Run& run, StateId state) {
  const std::size_t first = num_successors();
  Pending choice{kNeutral, kNeutral, kNoComponent, false, first};
  std::fill(writer_.begin(), writer_.end(), kNobody);
  add_successor(store_[state], kNeutral);
  for (TreeId component = 0; component < num_components_; ++component) {
    const std::vector<Choice>& choices = choice_leaves_[component_leaf_[component]];
    if (choices.empty()) continue;
    const Choice& part = choices[joint_[component]];
    choice.label = combine(run, Combination::kLabels, choice.label, part.label);
    choice.reward = combine(run, Combination::kRewards, choice.reward, part.reward);
    choice.reacts = choice.reacts || part.reacts;
    const std::size_t last = num_successors();
    for (std::size_t k = 0; k < part.outcomes.size(); ++k) {
      const Outcome& outcome = part.outcomes[k];
      for (const Write& write : outcome.writes) {
        if (writer_[write.slot] != kNobody && writer_[write.slot] != component) throw WriteConflict(writer_[write.slot], component, write.slot);
        writer_[write.slot] = component;
      }
    }
    // The first outcome is written in place, so it comes last.
    for (std::size_t k = part.outcomes.size(); k-- > 0;) {
      const Outcome& outcome = part.outcomes[k];
      for (std::size_t i = first; i < last; ++i) {
        run.patience.spend();
        const Id weight = combine(run, Combination::kWeightProduct, successor_weight_[i], outcome.weight);
        std::size_t successor = i;
        if (k > 0) {
          successor = num_successors();
          successors_.reserve(successors_.size() + layout_.words());  // so that the copied state does not move
          add_successor(scratch(i), weight);
        }
        successor_weight_[successor] = weight;
        apply(successor, outcome.writes);
      }
    }
  }
  pending_.push_back(choice);
}

void Explorer::stutter(StateId state) {
  pending_.push_back(Pending{kStutter, kNeutral, kNoComponent, false, num_successors()});
  add_successor(store_[state], kNeutral);
}

void Explorer::react(Run& run) {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (!pending_[i].reacts) continue;
    for (std::size_t successor = pending_[i].first_successor; successor < end_of(i); ++successor) {
      run.patience.spend();
      for (std::size_t k = 0; k < num_reactions_; ++k) {
        const auto tree = static_cast<TreeId>(num_components_ + k);
        const LeafId leaf = leaf_of(run, tree, Place{true, successor});
        apply(successor, write_leaves_[leaf]);
      }
    }
  }
}

// All successors are hashed before the first is looked up, so that the table's memory is on its way meanwhile.
void Explorer::store_successors(Run& run) {
  hashes_.resize(num_successors());
  for (std::size_t i = 0; i < num_successors(); ++i) {
    hashes_[i] = store_.hash(scratch(i));
    store_.prefetch(hashes_[i]);
  }
  const std::size_t states = num_states();
  const std::size_t choices = num_choices();
  const std::size_t transitions = num_transitions();
  try {
    for (std::size_t i = 0; i < pending_.size(); ++i) emit(run, pending_[i], pending_[i].first_successor, end_of(i));
  } catch (...) {
    forget_beyond(states, choices, transitions);
    throw;
  }
  first_choice_.push_back(static_cast<std::int64_t>(choices));
}

void Explorer::forget_beyond(std::size_t states, std::size_t choices, std::size_t transitions) {
  store_.truncate(states);
  if (hit_ && *hit_ >= states) hit_.reset();
  first_transition_.truncate(choices);
  choice_label_.truncate(choices);
  choice_reward_.truncate(choices);
  choice_component_.truncate(choices);
  target_.truncate(transitions);
  weight_.truncate(transitions);
}

void Explorer::emit(Run& run, const Pending& choice, std::size_t first, std::size_t last) {
  row_.clear();
  for (std::size_t i = first; i < last; ++i) {
    run.patience.spend();
    const auto [state, is_new] = store_.insert(scratch(i), hashes_[i]);
    row_.emplace_back(state, successor_weight_[i]);
    if (is_new) look_at_new_state(run, state);
  }
  std::sort(row_.begin(), row_.end());
  first_transition_.push_back(static_cast<std::int64_t>(num_transitions()));
  choice_label_.push_back(choice.label);
  choice_reward_.push_back(choice.reward);
  choice_component_.push_back(choice.component);
  for (std::size_t i = 0; i < row_.size(); ++i) {
    if (i > 0 && row_[i].first == row_[i - 1].first) {
      weight_.back() = combine(run, Combination::kWeightSum, weight_.back(), row_[i].second);
    } else {
      target_.push_back(row_[i].first);
      weight_.push_back(row_[i].second);
    }
  }
}

// Ends the arrays of offsets; states that were not expanded have no choices.
void Explorer::close_rows() {
  while (first_choice_.size() <= store_.size()) first_choice_.push_back(static_cast<std::int64_t>(num_choices()));
  if (first_transition_.size() == num_choices()) first_transition_.push_back(static_cast<std::int64_t>(num_transitions()));
}

// Takes back what close_rows added, so that the next state's choices follow the last one's.
void Explorer::open_rows() {
  first_choice_.truncate(expanded_);
  first_transition_.truncate(num_choices());
}

}  // namespace volition

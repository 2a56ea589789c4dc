#include "explorer.hpp"

#include <algorithm>
#include <limits>

#include "parallel_explorer.hpp"

namespace volition {

namespace {
constexpr TreeId kNobody = UINT32_MAX;
constexpr std::size_t kBytesOfAnEntry = 48;  // of an unordered_map of two numbers, about
constexpr std::size_t kTogether = 32;        // states that one thread expands before it stores what follows them
}  // namespace

Explorer::Explorer(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous, std::size_t most_states)
    : synchronous_(synchronous),
      num_components_(components),
      num_reactions_(reactions),
      layout_(slots),
      store_(layout_.words(), most_states),
      trees_(components + reactions),
      made_(layout_.words(), components, slots) {
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
      fits = admit(outcome.writes) && fits;
    }
  }
  if (!fits) make_room();
  choice_leaves_.push_back(std::move(choices));
  return static_cast<LeafId>(choice_leaves_.size() - 1);
}

LeafId Explorer::add_writes(std::vector<Write> writes) {
  leaf_bytes_ += sizeof(writes) + writes.capacity() * sizeof(Write);
  if (!admit(writes)) make_room();
  write_leaves_.push_back(std::move(writes));
  return static_cast<LeafId>(write_leaves_.size() - 1);
}

// A sum of a few numbers, so that it can be looked at after each state.
std::size_t Explorer::lasting_bytes() const {
  return store_.bytes() + rows_.bytes() + leaf_bytes_ + tree_bytes_ + futures_.bytes() + combined_bytes_ + outside_bytes_;
}

bool Explorer::admit(const std::vector<Write>& writes) {
  const std::size_t growth = layout_.growth();
  bool fits = true;
  for (const Write& write : writes) fits = layout_.admit(write.slot, write.value) && fits;
  if (layout_.growth() != growth) beginnings_.forget_tables();  // they know where slots are, and how many values they have
  return fits;
}

// Values need more bits than their slots have: every packed state gets a new layout.
void Explorer::make_room() {
  const Layout wider = layout_.widened();
  store_.repack(layout_, wider);
  GrowingArray<Word> successors;
  successors.resize(made_.num_successors() * wider.words());
  for (std::size_t i = 0; i < made_.num_successors(); ++i) wider.repack(layout_, made_.successor(i), successors.data() + i * wider.words());
  made_.successors.swap(successors);
  made_.words = wider.words();
  layout_ = wider;
  beginnings_.forget_tables();
}

LeafId Explorer::leaf_of(Run& run, TreeId tree, const Word* state, Place place) {
  const std::int64_t known = trees_[tree].walk(layout_, state);
  if (known != DecisionTree::kUnknown && !check_purity_) return static_cast<LeafId>(known);
  if (run.oracle == nullptr) throw Unknown{};
  ++questions_;
  const auto [reads, leaf] = run.oracle->trace(tree, place);
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
  if (run.oracle == nullptr) throw Unknown{};
  ++questions_;
  const Id id = run.oracle->combine(how, a, b);
  known.emplace(key, id);
  combined_bytes_ += kBytesOfAnEntry;
  return id;
}

Ended Explorer::explore(const Oracle& oracle, const Limits& limits) {
  if (outdated_) return Ended::kOutdated;
  using Clock = Patience::Clock;
  const auto start = Clock::now();
  const auto look_at_limits = [&] {
    // What a few states need while they are expanded depends on the moment, and counts only where it is much.
    const bool too_much = lasting_bytes() + beginnings_.bytes() > limits.bytes || made_.bytes() > limits.bytes / 2;
    if (too_much) throw Stopped{Ended::kMemory};
    if (std::chrono::duration<double>(Clock::now() - start).count() > limits.seconds) throw Stopped{Ended::kSeconds};
  };
  const auto look_up = [&] {
    oracle.pause();
    look_at_limits();
  };
  Run run{&oracle, Patience(look_up), limits.stop_tree};
  Run unasked{nullptr, Patience(look_up)};
  const auto ended = [&]() -> std::optional<Ended> {
    if (hit_) return Ended::kHit;
    if (expanded_ == store_.size()) return Ended::kComplete;
    if (store_.size() > limits.states) return Ended::kStates;
    if (depth_ >= limits.depth) return Ended::kDepth;
    return std::nullopt;
  };

  Ended how = Ended::kComplete;
  const bool handed_out = store_.size() > 0;  // somebody may look at what an earlier call has found
  try {
    if (!handed_out) {
      store_initial_state();
      if (reduction_) scout(run);
    }
    find_first_hit(run);
    std::optional<Ended> now = ended();
    if (!now) look_up();
    const bool is_limited = limits.bytes < Limits::kNoLimit;
    // Memory can fill up between two looks at the clock.
    const auto ended_here = [&]() -> std::optional<Ended> {
      const std::optional<Ended> here = ended();
      return !here && is_limited && lasting_bytes() > limits.bytes ? Ended::kMemory : here;
    };
    Teamwork teamwork(*this, limits);
    while (!now) {
      if (!reduction_ && teamwork.pays()) {
        now = teamwork.go_on(run, ended);
        continue;
      }
      made_.clear();
      if (reduction_) {
        expand_reduced(run, static_cast<StateId>(expanded_));
      } else {
        expand_some(run, unasked);
      }
      now = store_successors(run, ended_here);
      if (reduction_ && !decisions_stand()) {
        outdated_ = handed_out;
        if (outdated_) return Ended::kOutdated;
        begin_again();
        now = ended_here();
      }
    }
    how = *now;
  } catch (const Stopped& stopped) {
    how = stopped.why;
  } catch (const StoreIsFull&) {
    how = Ended::kStates;
  } catch (const Interrupted&) {
    how = Ended::kInterrupted;
  }
  if (how == Ended::kComplete) store_.forget_table();  // nothing is looked for any more
  return how;
}

void Explorer::count_expanded() {
  if (++expanded_ < level_end_) return;
  ++depth_;
  level_end_ = store_.size();
}

void Explorer::take_over(Layout layout, GrowingArray<Word> states, Rows rows, std::optional<StateId> hit) {
  layout_ = std::move(layout);
  made_.words = layout_.words();
  store_.take_over(std::move(states), layout_.words());
  rows_ = std::move(rows);
  hit_ = hit;
  // States were found in the order of their distance.
  for (std::size_t found = 1; expanded_ < rows_.num_states();) {
    for (const StateId target : rows_.targets(expanded_)) found = std::max<std::size_t>(found, target + 1);
    if (++expanded_ < level_end_) continue;
    ++depth_;
    level_end_ = found;
  }
}

void Explorer::store_initial_state() {
  const std::vector<Word> initial(layout_.words(), 0);  // every slot's initial value has id 0
  store_.insert(initial.data(), store_.hash(initial.data()));
}

std::vector<LeafId> Explorer::evaluate(const Oracle& oracle, TreeId tree, std::size_t states) {
  Run run{&oracle, Patience(oracle.pause)};
  std::vector<LeafId> leaves(states);
  for (std::size_t state = 0; state < states; ++state) {
    run.patience.spend();
    leaves[state] = leaf_of(run, tree, store_[state], Place{false, state});
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
  if (run.stop_tree && !hit_ && leaf_of(run, *run.stop_tree, store_[state], Place{false, state}) == 1) hit_ = state;
}

// Python is asked for the first of the states only, so that questions come up in the order of the states.  One question seldom comes alone.
void Explorer::expand_some(Run& run, Run& unasked) {
  if (questions_ != questions_before_) {
    questions_before_ = questions_;
    asked_until_ = expanded_ + kTogether;
  }
  if (expanded_ < asked_until_) {
    expand_into(run, made_, static_cast<StateId>(expanded_));
    return;
  }
  const std::size_t end = std::min(store_.size(), expanded_ + kTogether);
  for (std::size_t state = expanded_; state < end && made_.num_successors() < kTogether * kTogether; ++state) {
    try {
      expand_into(unasked, made_, static_cast<StateId>(state));
      continue;
    } catch (const Unknown&) {
    } catch (const WriteConflict&) {  // to be told when it is this state's turn
    }
    made_.forget_state();
    break;
  }
  if (made_.num_states() == 0) expand_into(run, made_, static_cast<StateId>(expanded_));
}

void Explorer::expand_into(Run& run, Expansion& made, StateId state) {
  made.begin_state();
  if (synchronous_) {
    synchronise(run, made, state);
  } else {
    find_leaves(run, made, state);
    interleave(made, state);
  }
  if (num_reactions_ > 0) react(run, made);
  if (made.pending.size() == made.begin()) stutter(made, state);
}

void Explorer::find_leaves(Run& run, Expansion& made, StateId state) {
  const Place place{false, state};
  Beginnings::Beginning* begun = check_purity_ ? nullptr : beginnings_.find(layout_, store_[state]);
  if (begun == nullptr) {
    for (TreeId i = 0; i < num_components_; ++i) made.component_leaf[i] = leaf_of(run, i, store_[state], place);
    if (run.alone) beginnings_.learn(layout_, store_[state], {trees_.data(), num_components_});
    return;
  }
  std::ranges::copy(begun->leaves, made.component_leaf.begin());
  for (const auto& [tree, link] : begun->cases.open()) {
    const std::int64_t leaf = trees_[tree].walk_from(link, layout_, store_[state], [](Slot) {});
    const bool is_known = leaf != DecisionTree::kUnknown;
    made.component_leaf[tree] = is_known ? static_cast<LeafId>(leaf) : leaf_of(run, static_cast<TreeId>(tree), store_[state], place);
  }
  if (!run.alone) return;
  beginnings_.change(begun->cases, [&](Cases& cases) {
    cases.learn(layout_, store_[state], {trees_.data(), num_components_}, made.component_leaf, [&](LeafId leaf) { return quiet_writes(leaf); });
  });
}

void Explorer::interleave(Expansion& made, StateId state, const SlotSet* only) const {
  for (TreeId component = 0; component < num_components_; ++component) {
    if (only != nullptr && !only->contains(component)) continue;
    for (const Choice& choice : choice_leaves_[made.component_leaf[component]]) {
      made.pending.push_back({choice.label, choice.reward, component, choice.reacts, made.num_successors()});
      for (const Outcome& outcome : choice.outcomes) {
        made.add_successor(store_[state], outcome.weight);
        apply(made.successor(made.num_successors() - 1), outcome.writes);
      }
    }
  }
}

void Explorer::synchronise(Run& run, Expansion& made, StateId state) {
  const std::span<const DecisionTree> trees(trees_.data(), num_components_);
  Beginnings::Beginning* known = check_purity_ ? nullptr : beginnings_.find(layout_, store_[state]);
  if (known != nullptr && run.alone && known->cases.count()) {
    beginnings_.change(known->cases, [&](Cases& cases) { cases.make_tables(layout_, trees); });
  }
  if (known != nullptr && known->cases.look_up(layout_, store_[state], trees, made.answers)) {
    if (synchronise_by_answers(run, made, state, *known)) return;
    made.forget_state();  // two write the same slot, which comes out below
    made.begin_state();
  }
  find_leaves(run, made, state);
  made.quiet.clear(layout_.words());
  put_together(run, made);
  make_joint_choices(made, state, made.step, 0, made.step.choices.size());
}

bool Explorer::synchronise_by_answers(Run& run, Expansion& made, StateId state, Beginnings::Beginning& known) {
  made.quiet.clear(layout_.words());
  if (!known.cases.take_quiet(made.answers, made.quiet)) return false;
  const JointSteps& steps = known.cases.steps();
  if (const std::optional<JointSteps::Step> step = steps.find(made.answers)) {
    return make_joint_choices(made, state, steps.all(), step->begin, step->end);
  }
  std::ranges::copy(known.leaves, made.component_leaf.begin());
  known.cases.copy_loud(made.answers, made.component_leaf);
  put_together(run, made);
  if (run.alone && steps.worthwhile(store_.size())) {
    beginnings_.change(known.cases, [&](Cases& cases) { cases.steps().learn(made.answers, made.step); });
  }
  return make_joint_choices(made, state, made.step, 0, made.step.choices.size());
}

bool Explorer::make_joint_choices(Expansion& made, StateId state, const JointChoices& from, std::size_t begin, std::size_t end) const {
  bool fits = true;
  for (std::size_t c = begin; c < end; ++c) {
    const JointChoices::Choice& choice = from.choices[c];
    made.pending.push_back({choice.label, choice.reward, kNoComponent, choice.reacts, made.num_successors()});
    for (std::size_t outcome = choice.first_outcome; outcome < from.end_of(c); ++outcome) {
      made.add_successor(store_[state], from.weights[outcome]);
      fits = from.apply(outcome, made.quiet, made.successor(made.num_successors() - 1)) && fits;
    }
  }
  return fits;
}

const std::vector<Write>* Explorer::quiet_writes(LeafId leaf) const {
  const std::vector<Choice>& choices = choice_leaves_[leaf];
  if (choices.size() != 1 || choices[0].outcomes.size() != 1) return nullptr;
  const Choice& only = choices[0];
  const bool reacts = only.reacts && num_reactions_ > 0;
  const bool quiet = only.label == kNeutral && only.reward == kNeutral && !reacts && only.outcomes[0].weight == kNeutral;
  return quiet ? &only.outcomes[0].writes : nullptr;
}

// One joint choice for each combination of the components' choices, counted like the digits of a number.
void Explorer::put_together(Run& run, Expansion& made) {
  made.step.clear();
  std::vector<TreeId>& movers = made.movers;
  movers.clear();
  bool any = false;
  for (TreeId i = 0; i < num_components_; ++i) {
    const LeafId leaf = made.component_leaf[i];
    if (leaf != kQuiet && !choice_leaves_[leaf].empty()) movers.push_back(i);
    any = any || leaf == kQuiet || !movers.empty();
  }
  if (!any) return;
  std::vector<std::size_t>& joint = made.joint;
  joint.assign(movers.size(), 0);
  for (;;) {
    add_joint_choice(run, made);
    std::size_t digit = 0;
    while (digit < movers.size() && joint[digit] + 1 == choice_leaves_[made.component_leaf[movers[digit]]].size()) joint[digit++] = 0;
    if (digit == movers.size()) return;
    ++joint[digit];
  }
}

// The product of the distributions of the components' choices at hand.
void Explorer::add_joint_choice(Run& run, Expansion& made) {
  JointChoices& step = made.step;
  const std::size_t words = layout_.words();
  const std::size_t first = step.num_outcomes();
  JointChoices::Choice choice{kNeutral, kNeutral, false, first};
  std::vector<TreeId>& writer = made.writer;
  std::fill(writer.begin(), writer.end(), kNobody);
  step.add_outcome(words, kNeutral);
  for (std::size_t digit = 0; digit < made.movers.size(); ++digit) {
    const TreeId component = made.movers[digit];
    const Choice& part = choice_leaves_[made.component_leaf[component]][made.joint[digit]];
    choice.label = combine(run, Combination::kLabels, choice.label, part.label);
    choice.reward = combine(run, Combination::kRewards, choice.reward, part.reward);
    choice.reacts = choice.reacts || part.reacts;
    const std::size_t last = step.num_outcomes();
    for (const Outcome& outcome : part.outcomes) {
      for (const Write& write : outcome.writes) {
        if (writer[write.slot] != kNobody && writer[write.slot] != component) throw WriteConflict(writer[write.slot], component, write.slot);
        writer[write.slot] = component;
      }
    }
    // The first outcome is written in place, so it comes last.
    for (std::size_t k = part.outcomes.size(); k-- > 0;) {
      const Outcome& outcome = part.outcomes[k];
      for (std::size_t i = first; i < last; ++i) {
        run.patience.spend();
        const Id weight = combine(run, Combination::kWeightProduct, step.weights[i], outcome.weight);
        std::size_t changed = i;
        if (k > 0) {
          changed = step.num_outcomes();
          step.copy_outcome(words, i, weight);
        }
        step.weights[changed] = weight;
        for (const Write& write : outcome.writes) step.write(layout_, changed, write.slot, write.value);
      }
    }
  }
  step.choices.push_back(choice);
}

void Explorer::stutter(Expansion& made, StateId state) const {
  made.pending.push_back({kStutter, kNeutral, kNoComponent, false, made.num_successors()});
  made.add_successor(store_[state], kNeutral);
}

void Explorer::react(Run& run, Expansion& made) {
  for (std::size_t i = made.begin(); i < made.pending.size(); ++i) {
    if (!made.pending[i].reacts) continue;
    for (std::size_t successor = made.pending[i].first_successor; successor < made.end_of(i); ++successor) {
      run.patience.spend();
      for (std::size_t k = 0; k < num_reactions_; ++k) {
        const auto tree = static_cast<TreeId>(num_components_ + k);
        const LeafId leaf = leaf_of(run, tree, made.successor(successor), Place{true, successor});
        apply(made.successor(successor), write_leaves_[leaf]);
      }
    }
  }
}

// All successors are hashed before the first is looked up, so that the table's memory is on its way meanwhile, and that of the states behind it.
std::optional<Ended> Explorer::store_successors(Run& run, const std::function<std::optional<Ended>()>& ended) {
  made_.hashes.resize(made_.num_successors());
  for (std::size_t i = 0; i < made_.num_successors(); ++i) {
    made_.hashes[i] = store_.hash(made_.successor(i));
    store_.prefetch(made_.hashes[i]);
  }
  if (made_.num_states() > 1) {
    for (const std::uint64_t hash : made_.hashes) store_.prefetch_state(hash);
  }
  return emit_states(run, made_, ended, [&](std::size_t successor) { return store_.insert(made_.successor(successor), made_.hashes[successor]); });
}

void Explorer::forget_beyond(std::size_t states) {
  store_.truncate(states);
  if (hit_ && *hit_ >= states) hit_.reset();
  rows_.forget_unfinished();
}

}  // namespace volition

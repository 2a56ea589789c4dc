#include "sampling.hpp"

#include <algorithm>
#include <limits>

namespace volition {

namespace {
constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Visibility levels of a hashed scheduler (a strategy given by a hash function), in quarters of the
// slots: it observes all slots, half of them, a quarter, or none. A scheduler that observes none
// orders the choices once and for all.
constexpr std::array<std::uint64_t, 4> kVisibleQuarters{4, 2, 1, 0};
}  // namespace

Sampler::Sampler(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous)
    : synchronous_(synchronous),
      num_components_(components),
      num_reactions_(reactions),
      layout_(slots),
      trees_(components + reactions),
      cached_leaves_(components + reactions),
      readers_(slots),
      value_hashes_(slots),
      state_(layout_.words(), 0),
      cycle_mark_(layout_.words(), 0),
      written_(slots, 0),
      writer_(slots, 0),
      visible_(slots, false) {}

TreeId Sampler::add_tree() {
  trees_.emplace_back();
  cached_leaves_.emplace_back();
  return static_cast<TreeId>(trees_.size() - 1);
}

LeafId Sampler::add_choices(std::vector<SampledChoice> choices) {
  for (const SampledChoice& choice : choices) {
    for (const SampledOutcome& outcome : choice.outcomes) {
      for (const Write& write : outcome.writes) note_value(write.slot, write.value);
    }
  }
  choice_leaves_.push_back(std::move(choices));
  return static_cast<LeafId>(choice_leaves_.size() - 1);
}

LeafId Sampler::add_writes(std::vector<Write> writes) {
  for (const Write& write : writes) note_value(write.slot, write.value);
  write_leaves_.push_back(std::move(writes));
  return static_cast<LeafId>(write_leaves_.size() - 1);
}

void Sampler::set_value_hash(Slot slot, ValueId value, std::uint64_t stable_hash) {
  std::vector<std::uint64_t>& value_hashes = value_hashes_[slot];
  if (value_hashes.size() <= value) value_hashes.resize(value + 1, 0);
  value_hashes[value] = splitmix64(stable_hash ^ splitmix64(slot));
}

void Sampler::set_property(RunProperty property) {
  property_ = std::move(property);
  monitor_steps_.clear();
  loop_verdicts_.clear();
  reward_values_.clear();
  reward_value_known_.clear();
}

// Records that a value of a slot occurs. If it does not fit into the layout, repacks the states of
// the current run.
void Sampler::note_value(Slot slot, ValueId value) {
  if (layout_.note_value(slot, value)) return;
  const Layout wider = layout_.widened();
  for (std::vector<Word>* each : {&state_, &cycle_mark_}) {
    std::vector<Word> packed(wider.words());
    wider.repack(layout_, each->data(), packed.data());
    each->swap(packed);
  }
  layout_ = wider;
}

LeafId Sampler::find_leaf(Context& context, TreeId tree) {
  const std::int64_t walked = trees_[tree].walk(layout_, state_.data());
  if (walked != DecisionTree::kUnknown) {
    cached_leaves_[tree] = {static_cast<LeafId>(walked), true};
    return static_cast<LeafId>(walked);
  }
  const auto [reads, leaf] = context.callbacks.trace(tree);
  trees_[tree].insert(reads, leaf);
  for (const auto& [slot, value] : reads) {
    std::vector<TreeId>& readers = readers_[slot];
    if (std::find(readers.begin(), readers.end(), tree) == readers.end()) readers.push_back(tree);
  }
  cached_leaves_[tree] = {leaf, true};
  context.timer.poll_if_due();
  return leaf;
}

SampledRuns Sampler::sample(const SamplerCallbacks& callbacks, const RunBatch& batch) {
  SampledRuns runs;
  Context context{callbacks, batch, PollTimer(callbacks.poll)};
  select_visible_slots(batch);
  try {
    for (std::size_t i = 0; i < batch.runs; ++i) {
      RandomStream random(batch.seed, batch.stream, batch.first_run + i);
      const RunResult result = run(context, random);
      runs.outcomes.push_back(static_cast<std::uint8_t>(result.outcome));
      runs.rewards.push_back(result.reward);
      runs.steps.push_back(result.steps);
    }
  } catch (const Interrupted&) {
    // The run that was interrupted is not part of the result.
  }
  return runs;
}

void Sampler::select_visible_slots(const RunBatch& batch) {
  has_hashed_scheduler_ = batch.scheduler_kind == SchedulerKind::kHashed;
  const std::uint64_t visibility_hash = splitmix64(batch.scheduler);
  const std::uint64_t visible_quarters = kVisibleQuarters[visibility_hash % 4];
  for (std::size_t slot = 0; slot < visible_.size(); ++slot) {
    visible_[slot] = has_hashed_scheduler_ &&
                     splitmix64(visibility_hash ^ splitmix64(slot)) % 4 < visible_quarters;
  }
}

Sampler::RunResult Sampler::run(Context& context, RandomStream& random) {
  const RunBatch& batch = context.batch;
  const bool fixed_length = property_.reward_mode == RewardMode::kCumulative ||
                            property_.reward_mode == RewardMode::kInstantaneous;
  std::fill(state_.begin(), state_.end(), 0);  // the initial value of every slot has id 0
  for (CachedLeaf& each : cached_leaves_) each.valid = false;
  labels_.clear();
  observation_hash_ = 0;
  if (has_hashed_scheduler_) {
    for (std::size_t slot = 0; slot < value_hashes_.size(); ++slot) {
      if (visible_[slot]) observation_hash_ ^= value_hashes_[slot][0];
    }
  }
  MonitorState monitor_state = kMonitorInitial;
  double reward = 0;
  double reward_before = 0;               // up to the cycle mark
  std::uint64_t deterministic_steps = 0;  // steps since the last random draw
  for (std::uint64_t steps = 0;; ++steps) {
    context.timer.tick();
    count_choices(context);
    const bool has_moves = num_choices_ > 0;
    Letter here = 0;
    if (property_.monitored) {
      here = letter(context, has_moves);
      monitor_state = monitor_step(context, monitor_state, here);
      if (monitor_state == kMonitorAccepted) return {RunOutcome::kAccepted, reward, steps};
      if (monitor_state == kMonitorRejected) {
        return {RunOutcome::kRejected, property_.reward_mode == RewardMode::kNone ? 0 : kInfinite,
                steps};
      }
    }
    if (fixed_length && steps == batch.max_steps) {
      return {RunOutcome::kAccepted,
              property_.reward_mode == RewardMode::kInstantaneous ? state_reward(context) : reward,
              steps};
    }
    if (!fixed_length) {
      if (!has_moves) {
        letters_.assign(1, here);
        return finish_loop(context, monitor_state, reward, state_reward(context), steps);
      }
      if (deterministic_steps > 0 && cycle_mark_ == state_) {
        return finish_loop(context, monitor_state, reward, reward - reward_before, steps);
      }
      if ((deterministic_steps & (deterministic_steps - 1)) == 0) {
        cycle_mark_ = state_;
        reward_before = reward;
        letters_.clear();
      }
      letters_.push_back(here);
      if (steps == batch.max_steps) return {RunOutcome::kStepLimit, reward, steps};
    }
    if (batch.scheduler_kind == SchedulerKind::kStopAtChoice && has_alternatives()) {
      return {RunOutcome::kUnresolvedChoice, reward, steps};
    }
    reward += state_reward(context);
    if (!has_moves) continue;
    choose(context, random);
    const bool chose_randomly =
        batch.scheduler_kind == SchedulerKind::kUniform && has_alternatives();
    const bool has_drawn = step(context, random, reward);
    deterministic_steps = chose_randomly || has_drawn ? 0 : deterministic_steps + 1;
  }
}

// Returns the result of a run that, from the current state on, repeats a loop of states forever.
// `letters_` are the letters of the loop. The monitor has already read the first of them. `in_loop`
// is the reward of one round.
Sampler::RunResult Sampler::finish_loop(Context& context, MonitorState monitor_state, double reward,
                                        double in_loop, std::uint64_t steps) {
  if (property_.reward_mode == RewardMode::kTotal) {
    if (in_loop != 0) reward = in_loop > 0 ? kInfinite : -kInfinite;
    return {RunOutcome::kAccepted, reward, steps};
  }
  if (accepts_loop(context, monitor_state)) return {RunOutcome::kAccepted, reward, steps};
  return {RunOutcome::kRejected, property_.reward_mode == RewardMode::kNone ? 0 : kInfinite, steps};
}

bool Sampler::accepts_loop(Context& context, MonitorState monitor_state) {
  if (letters_.size() > 1) {
    std::rotate(letters_.begin(), letters_.begin() + 1, letters_.end());
    return context.callbacks.accepts_loop(monitor_state, letters_);
  }
  if (loop_verdicts_.size() <= monitor_state) loop_verdicts_.resize(monitor_state + 1);
  const auto found = loop_verdicts_[monitor_state].find(letters_[0]);
  if (found != loop_verdicts_[monitor_state].end()) return found->second;
  const bool accepted = context.callbacks.accepts_loop(monitor_state, letters_);
  loop_verdicts_[monitor_state].emplace(letters_[0], accepted);
  return accepted;
}

Letter Sampler::letter(Context& context, bool has_moves) {
  Letter letter = 0;
  unsigned bit = 0;
  for (const WatchedProposition& proposition : property_.propositions) {
    const auto is_true = [&](TreeId tree) { return leaf_of(context, tree) == 1; };
    const bool holds = std::any_of(proposition.any_of.begin(), proposition.any_of.end(), is_true);
    letter |= static_cast<Letter>(holds != proposition.negated) << bit++;
  }
  if (property_.terminal_bit) letter |= static_cast<Letter>(!has_moves) << *property_.terminal_bit;
  return letter;
}

MonitorState Sampler::monitor_step(Context& context, MonitorState monitor_state, Letter letter) {
  if (monitor_state < monitor_steps_.size()) {
    const auto found = monitor_steps_[monitor_state].find(letter);
    if (found != monitor_steps_[monitor_state].end()) return found->second;
  }
  const MonitorState next = context.callbacks.monitor_step(monitor_state, letter);
  if (monitor_steps_.size() <= monitor_state) monitor_steps_.resize(monitor_state + 1);
  monitor_steps_[monitor_state].emplace(letter, next);
  return next;
}

double Sampler::state_reward(Context& context) {
  if (!property_.state_reward) return 0;
  const LeafId leaf = leaf_of(context, *property_.state_reward);
  if (reward_values_.size() <= leaf) {
    reward_values_.resize(leaf + 1, 0);
    reward_value_known_.resize(leaf + 1, false);
  }
  if (!reward_value_known_[leaf]) {
    reward_values_[leaf] = context.callbacks.state_reward_value(leaf);
    reward_value_known_[leaf] = true;
  }
  return reward_values_[leaf];
}

// --- one step of a run ---

// Counts the choices in the current state: `num_choices_` of all components together, and
// `max_choices_` of the component with the most.
void Sampler::count_choices(Context& context) {
  num_choices_ = max_choices_ = 0;
  for (TreeId i = 0; i < num_components_; ++i) {
    const std::size_t choices = choice_leaves_[leaf_of(context, i)].size();
    num_choices_ += choices;
    max_choices_ = std::max(max_choices_, choices);
  }
}

// Selects one choice, or in a synchronous system one choice of each enabled component.
void Sampler::choose(const Context& context, RandomStream& random) {
  selected_.clear();
  if (!synchronous_) {
    selected_.emplace_back(0, &select_choice(context, random, 0, num_components_, num_choices_));
    return;
  }
  for (TreeId i = 0; i < num_components_; ++i) {
    const std::size_t choices = choices_of(i).size();
    if (choices > 0) selected_.emplace_back(i, &select_choice(context, random, i, i + 1, choices));
  }
}

// Selects one of the choices of the components `first` to `last`, exclusive, as the scheduler of
// the batch decides. These components have `choices` choices in total.
const SampledChoice& Sampler::select_choice(const Context& context, RandomStream& random,
                                            std::size_t first, std::size_t last,
                                            std::size_t choices) const {
  if (choices == 1 || context.batch.scheduler_kind == SchedulerKind::kUniform) {
    std::size_t index = choices == 1 ? 0 : random.below(choices);
    for (;; ++first) {
      const std::vector<SampledChoice>& here = choices_of(first);
      if (index < here.size()) return here[index];
      index -= here.size();
    }
  }
  const SampledChoice* best = nullptr;
  std::uint64_t highest = 0;
  const std::uint64_t observation = splitmix64(context.batch.scheduler ^ observation_hash_);
  for (; first < last; ++first) {
    for (const SampledChoice& choice : choices_of(first)) {
      const std::uint64_t rank = splitmix64(observation ^ choice.stable_hash);
      if (best == nullptr || rank > highest) {
        best = &choice;
        highest = rank;
      }
    }
  }
  return *best;
}

// Applies the selected choices to the current state. Returns whether an outcome was drawn at
// random.
bool Sampler::step(Context& context, RandomStream& random, double& reward) {
  bool has_drawn = false;
  bool triggers_reactions = false;
  ++joint_step_;
  for (const auto& [component, selected] : selected_) {
    const SampledChoice& choice = *selected;
    labels_.push_back(choice.label);
    reward += choice.reward;
    triggers_reactions = triggers_reactions || choice.triggers_reactions;
    std::size_t outcome = 0;
    if (choice.outcomes.size() > 1) {
      has_drawn = true;
      const double draw = random.uniform01();
      while (outcome + 1 < choice.outcomes.size() &&
             draw >= choice.outcomes[outcome].cumulative_probability) {
        ++outcome;
      }
    }
    if (synchronous_) {
      for (const Write& write : choice.outcomes[outcome].writes) {
        if (written_[write.slot] == joint_step_) {
          throw WriteConflict(writer_[write.slot], component, write.slot);
        }
        written_[write.slot] = joint_step_;
        writer_[write.slot] = component;
      }
    }
    apply(choice.outcomes[outcome].writes);
  }
  if (triggers_reactions) {
    for (std::size_t k = 0; k < num_reactions_; ++k) {
      apply(write_leaves_[leaf_of(context, static_cast<TreeId>(num_components_ + k))]);
    }
  }
  return has_drawn;
}

void Sampler::apply(const std::vector<Write>& writes) {
  for (const Write& write : writes) {
    const ValueId before = layout_.get(state_.data(), write.slot);
    if (before == write.value) continue;
    for (const TreeId reader : readers_[write.slot]) cached_leaves_[reader].valid = false;
    if (has_hashed_scheduler_ && visible_[write.slot]) {
      observation_hash_ ^=
          value_hashes_[write.slot][before] ^ value_hashes_[write.slot][write.value];
    }
    layout_.set(state_.data(), write.slot, write.value);
  }
}

}  // namespace volition

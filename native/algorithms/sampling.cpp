#include "sampling.hpp"

#include <algorithm>
#include <limits>

namespace volition {

namespace {
constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Schedulers see all of a state, half of its slots, a quarter of them, or nothing: then they order the choices once and for all.
constexpr std::array<std::uint64_t, 4> kSeenOfFour{4, 2, 1, 0};
}  // namespace

Sampler::Sampler(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous)
    : synchronous_(synchronous),
      num_components_(components),
      num_reactions_(reactions),
      layout_(slots),
      trees_(components + reactions),
      known_(components + reactions),
      readers_(slots),
      keys_(slots),
      state_(layout_.words(), 0),
      seen_(layout_.words(), 0),
      written_(slots, 0),
      writer_(slots, 0),
      visible_(slots, false) {}

TreeId Sampler::add_tree() {
  trees_.emplace_back();
  known_.emplace_back();
  return static_cast<TreeId>(trees_.size() - 1);
}

LeafId Sampler::add_choices(std::vector<ChanceChoice> choices) {
  for (const ChanceChoice& choice : choices) {
    for (const ChanceOutcome& outcome : choice.outcomes) {
      for (const Write& write : outcome.writes) make_room(write.slot, write.value);
    }
  }
  choice_leaves_.push_back(std::move(choices));
  return static_cast<LeafId>(choice_leaves_.size() - 1);
}

LeafId Sampler::add_writes(std::vector<Write> writes) {
  for (const Write& write : writes) make_room(write.slot, write.value);
  write_leaves_.push_back(std::move(writes));
  return static_cast<LeafId>(write_leaves_.size() - 1);
}

void Sampler::set_key(Slot slot, ValueId value, std::uint64_t key) {
  std::vector<std::uint64_t>& keys = keys_[slot];
  if (keys.size() <= value) keys.resize(value + 1, 0);
  keys[value] = mixed(key ^ mixed(slot));
}

void Sampler::ask(RunQuestion question) {
  question_ = std::move(question);
  following_.clear();
  settled_.clear();
  amounts_.clear();
  amount_known_.clear();
}

// A value that needs more bits than its slot has: the states of the run at hand get a new layout.
void Sampler::make_room(Slot slot, ValueId value) {
  if (layout_.admit(slot, value)) return;
  const Layout wider = layout_.widened();
  for (std::vector<Word>* each : {&state_, &seen_}) {
    std::vector<Word> packed(wider.words());
    wider.repack(layout_, each->data(), packed.data());
    each->swap(packed);
  }
  layout_ = wider;
}

LeafId Sampler::find_leaf(Work& work, TreeId tree) {
  const std::int64_t walked = trees_[tree].walk(layout_, state_.data());
  if (walked != DecisionTree::kUnknown) {
    known_[tree] = {static_cast<LeafId>(walked), true};
    return static_cast<LeafId>(walked);
  }
  const auto [reads, leaf] = work.oracle.trace(tree);
  trees_[tree].insert(reads, leaf);
  for (const auto& [slot, value] : reads) {
    std::vector<TreeId>& readers = readers_[slot];
    if (std::find(readers.begin(), readers.end(), tree) == readers.end()) readers.push_back(tree);
  }
  known_[tree] = {leaf, true};
  work.patience.look_at_clock();
  return leaf;
}

SampledRuns Sampler::sample(const SamplingOracle& oracle, const Series& series) {
  SampledRuns runs;
  Work work{oracle, series, Patience(oracle.pause)};
  look_through_eyes_of(series);
  try {
    for (std::size_t i = 0; i < series.runs; ++i) {
      Chance chance(series.seed, series.stream, series.first_run + i);
      const Ended ended = run(work, chance);
      runs.ends.push_back(static_cast<std::uint8_t>(ended.how));
      runs.earned.push_back(ended.earned);
      runs.steps.push_back(ended.steps);
    }
  } catch (const Interrupted&) {
    // The run at hand does not count.
  }
  return runs;
}

void Sampler::look_through_eyes_of(const Series& series) {
  keyed_ = series.choosing == Choosing::kByKeys;
  const std::uint64_t eyes = mixed(series.scheduler);
  const std::uint64_t seen = kSeenOfFour[eyes % 4];
  for (std::size_t slot = 0; slot < visible_.size(); ++slot) visible_[slot] = keyed_ && mixed(eyes ^ mixed(slot)) % 4 < seen;
}

Sampler::Ended Sampler::run(Work& work, Chance& chance) {
  const Series& series = work.series;
  const bool fixed_length = question_.earning == Earning::kSteps || question_.earning == Earning::kAtLastState;
  std::fill(state_.begin(), state_.end(), 0);  // every slot's initial value has id 0
  for (Known& each : known_) each.fresh = false;
  labels_.clear();
  view_ = 0;
  if (keyed_) {
    for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
      if (visible_[slot]) view_ ^= keys_[slot][0];
    }
  }
  Mode mode = kStartMode;
  double earned = 0;
  double earned_before = 0;  // up to the state that was seen
  std::uint64_t certain = 0;  // steps since chance decided something
  for (std::uint64_t steps = 0;; ++steps) {
    work.patience.spend();
    find_choices(work);
    const bool moves = num_choices_ > 0;
    Letter here = 0;
    if (question_.monitored) {
      here = letter(work, moves);
      mode = follow(work, mode, here);
      if (mode == kMetMode) return {RunEnd::kMet, earned, steps};
      if (mode == kFailedMode) return {RunEnd::kFailed, question_.earning == Earning::kNothing ? 0 : kInfinite, steps};
    }
    if (fixed_length && steps == series.most_steps) {
      return {RunEnd::kMet, question_.earning == Earning::kAtLastState ? state_reward(work) : earned, steps};
    }
    if (!fixed_length) {
      if (!moves) {
        letters_.assign(1, here);
        return repeated(work, mode, earned, state_reward(work), steps);
      }
      if (certain > 0 && seen_ == state_) return repeated(work, mode, earned, earned - earned_before, steps);
      if ((certain & (certain - 1)) == 0) {
        seen_ = state_;
        earned_before = earned;
        letters_.clear();
      }
      letters_.push_back(here);
      if (steps == series.most_steps) return {RunEnd::kTooLong, earned, steps};
    }
    if (series.choosing == Choosing::kNobody && has_alternatives()) return {RunEnd::kChoice, earned, steps};
    earned += state_reward(work);
    if (!moves) continue;
    choose(work, chance);
    const bool chose_by_chance = series.choosing == Choosing::kUniform && has_alternatives();
    const bool drew = step(work, chance, earned);
    certain = chose_by_chance || drew ? 0 : certain + 1;
  }
}

// From the state at hand on, the letters repeat for ever; the first of them is that of this state, which the monitor has read.
Sampler::Ended Sampler::repeated(Work& work, Mode mode, double earned, double in_loop, std::uint64_t steps) {
  if (question_.earning == Earning::kTotal) {
    if (in_loop != 0) earned = in_loop > 0 ? kInfinite : -kInfinite;
    return {RunEnd::kMet, earned, steps};
  }
  if (settle(work, mode)) return {RunEnd::kMet, earned, steps};
  return {RunEnd::kFailed, question_.earning == Earning::kNothing ? 0 : kInfinite, steps};
}

bool Sampler::settle(Work& work, Mode mode) {
  if (letters_.size() > 1) {
    std::rotate(letters_.begin(), letters_.begin() + 1, letters_.end());
    return work.oracle.settle(mode, letters_);
  }
  if (settled_.size() <= mode) settled_.resize(mode + 1);
  const auto found = settled_[mode].find(letters_[0]);
  if (found != settled_[mode].end()) return found->second;
  const bool met = work.oracle.settle(mode, letters_);
  settled_[mode].emplace(letters_[0], met);
  return met;
}

Letter Sampler::letter(Work& work, bool moves) {
  Letter letter = 0;
  unsigned bit = 0;
  for (const WatchedProposition& proposition : question_.propositions) {
    const auto is_true = [&](TreeId tree) { return leaf_of(work, tree) == 1; };
    const bool found = std::any_of(proposition.any_of.begin(), proposition.any_of.end(), is_true);
    letter |= static_cast<Letter>(found != proposition.negated) << bit++;
  }
  if (question_.terminal_bit) letter |= static_cast<Letter>(!moves) << *question_.terminal_bit;
  return letter;
}

Mode Sampler::follow(Work& work, Mode mode, Letter letter) {
  if (mode < following_.size()) {
    const auto found = following_[mode].find(letter);
    if (found != following_[mode].end()) return found->second;
  }
  const Mode next = work.oracle.follow(mode, letter);
  if (following_.size() <= mode) following_.resize(mode + 1);
  following_[mode].emplace(letter, next);
  return next;
}

double Sampler::state_reward(Work& work) {
  if (!question_.state_reward) return 0;
  const LeafId leaf = leaf_of(work, *question_.state_reward);
  if (amounts_.size() <= leaf) {
    amounts_.resize(leaf + 1, 0);
    amount_known_.resize(leaf + 1, false);
  }
  if (!amount_known_[leaf]) {
    amounts_[leaf] = work.oracle.amount(leaf);
    amount_known_[leaf] = true;
  }
  return amounts_[leaf];
}

// --- one step ---------------------------------------------------------------------------------------------------------------

// How many choices the state at hand has.
void Sampler::find_choices(Work& work) {
  num_choices_ = most_choices_ = 0;
  for (TreeId i = 0; i < num_components_; ++i) {
    const std::size_t choices = choice_leaves_[leaf_of(work, i)].size();
    num_choices_ += choices;
    most_choices_ = std::max(most_choices_, choices);
  }
}

// Takes one choice, or in a synchronous system one of each component that has some.
void Sampler::choose(const Work& work, Chance& chance) {
  taken_.clear();
  if (!synchronous_) {
    taken_.emplace_back(0, &chosen(work, chance, 0, num_components_, num_choices_));
    return;
  }
  for (TreeId i = 0; i < num_components_; ++i) {
    const std::size_t choices = choices_of(i).size();
    if (choices > 0) taken_.emplace_back(i, &chosen(work, chance, i, i + 1, choices));
  }
}

// One of the choices, so many in all, of the components from the first up to the last.
const ChanceChoice& Sampler::chosen(const Work& work, Chance& chance, std::size_t first, std::size_t last, std::size_t choices) const {
  if (choices == 1 || work.series.choosing == Choosing::kUniform) {
    std::size_t place = choices == 1 ? 0 : chance.below(choices);
    for (;; ++first) {
      const std::vector<ChanceChoice>& here = choices_of(first);
      if (place < here.size()) return here[place];
      place -= here.size();
    }
  }
  const ChanceChoice* best = nullptr;
  std::uint64_t highest = 0;
  const std::uint64_t view = mixed(work.series.scheduler ^ view_);
  for (; first < last; ++first) {
    for (const ChanceChoice& choice : choices_of(first)) {
      const std::uint64_t rank = mixed(view ^ choice.key);
      if (best == nullptr || rank > highest) {
        best = &choice;
        highest = rank;
      }
    }
  }
  return *best;
}

// Makes the step that was chosen; true if it had several outcomes.
bool Sampler::step(Work& work, Chance& chance, double& earned) {
  bool drew = false;
  bool reacts = false;
  ++joint_step_;
  for (const auto& [component, taken] : taken_) {
    const ChanceChoice& choice = *taken;
    labels_.push_back(choice.label);
    earned += choice.reward;
    reacts = reacts || choice.reacts;
    std::size_t outcome = 0;
    if (choice.outcomes.size() > 1) {
      drew = true;
      const double share = chance.share();
      while (outcome + 1 < choice.outcomes.size() && share >= choice.outcomes[outcome].up_to) ++outcome;
    }
    if (synchronous_) {
      for (const Write& write : choice.outcomes[outcome].writes) {
        if (written_[write.slot] == joint_step_) throw WriteConflict(writer_[write.slot], component, write.slot);
        written_[write.slot] = joint_step_;
        writer_[write.slot] = component;
      }
    }
    apply(choice.outcomes[outcome].writes);
  }
  if (reacts) {
    for (std::size_t k = 0; k < num_reactions_; ++k) apply(write_leaves_[leaf_of(work, static_cast<TreeId>(num_components_ + k))]);
  }
  return drew;
}

void Sampler::apply(const std::vector<Write>& writes) {
  for (const Write& write : writes) {
    const ValueId before = layout_.get(state_.data(), write.slot);
    if (before == write.value) continue;
    for (const TreeId reader : readers_[write.slot]) known_[reader].fresh = false;
    if (keyed_ && visible_[write.slot]) view_ ^= keys_[write.slot][before] ^ keys_[write.slot][write.value];
    layout_.set(state_.data(), write.slot, write.value);
  }
}

}  // namespace volition

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
      keys_(slots),
      state_(layout_.words(), 0),
      seen_(layout_.words(), 0),
      component_leaf_(components),
      open_(synchronous ? components : 1),
      written_(slots, 0),
      writer_(slots, 0),
      visible_(slots, false) {}

TreeId Sampler::add_tree() {
  trees_.emplace_back();
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

LeafId Sampler::leaf_of(Work& work, TreeId tree) {
  const std::int64_t known = trees_[tree].walk(layout_, state_.data());
  if (known != DecisionTree::kUnknown) return static_cast<LeafId>(known);
  const auto [reads, leaf] = work.oracle.trace(tree);
  trees_[tree].insert(reads, leaf);
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
    const bool moves = find_moves(work);
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
    const bool chose_by_chance = choose(work, chance);
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
  std::rotate(letters_.begin(), letters_.begin() + 1, letters_.end());
  if (work.oracle.settle(mode, letters_)) return {RunEnd::kMet, earned, steps};
  return {RunEnd::kFailed, question_.earning == Earning::kNothing ? 0 : kInfinite, steps};
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

// The choices of the state at hand; false if there are none.
bool Sampler::find_moves(Work& work) {
  // All leaves before the first choice is looked at: an unknown one may move the others.
  for (TreeId i = 0; i < num_components_; ++i) component_leaf_[i] = leaf_of(work, i);
  for (auto& each : open_) each.clear();
  bool moves = false;
  for (std::size_t i = 0; i < num_components_; ++i) {
    std::vector<const ChanceChoice*>& open = open_[synchronous_ ? i : 0];
    for (const ChanceChoice& choice : choice_leaves_[component_leaf_[i]]) open.push_back(&choice);
    moves = moves || !choice_leaves_[component_leaf_[i]].empty();
  }
  return moves;
}

bool Sampler::has_alternatives() const {
  return std::any_of(open_.begin(), open_.end(), [](const auto& among) { return among.size() > 1; });
}

// Takes one of the open choices, in a synchronous system one of each component; true if chance had a say.
bool Sampler::choose(Work& work, Chance& chance) {
  taken_.clear();
  for (const auto& among : open_) taken_.push_back(among.empty() ? nullptr : among[among.size() == 1 ? 0 : chosen(work, chance, among)]);
  return work.series.choosing == Choosing::kUniform && has_alternatives();
}

std::size_t Sampler::chosen(const Work& work, Chance& chance, const std::vector<const ChanceChoice*>& among) const {
  if (work.series.choosing == Choosing::kUniform) return chance.below(among.size());
  std::size_t best = 0;
  std::uint64_t highest = 0;
  for (std::size_t i = 0; i < among.size(); ++i) {
    const std::uint64_t rank = mixed(mixed(work.series.scheduler ^ view_) ^ among[i]->key);
    if (i == 0 || rank > highest) {
      best = i;
      highest = rank;
    }
  }
  return best;
}

// Makes the step that was chosen; true if it had several outcomes.
bool Sampler::step(Work& work, Chance& chance, double& earned) {
  bool drew = false;
  bool reacts = false;
  ++joint_step_;
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i] == nullptr) continue;
    const ChanceChoice& choice = *taken_[i];
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
        if (written_[write.slot] == joint_step_) throw WriteConflict(writer_[write.slot], static_cast<TreeId>(i), write.slot);
        written_[write.slot] = joint_step_;
        writer_[write.slot] = static_cast<TreeId>(i);
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
    if (keyed_ && visible_[write.slot]) {
      const std::vector<std::uint64_t>& keys = keys_[write.slot];
      view_ ^= keys[layout_.get(state_.data(), write.slot)] ^ keys[write.value];
    }
    layout_.set(state_.data(), write.slot, write.value);
  }
}

}  // namespace volition

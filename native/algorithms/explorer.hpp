// Breadth-first exploration of a system whose functions live in Python and are asked only once per distinct reading.
//
// The explorer sees integers only.  Functions of the system are decision trees; where a tree does not know a state, the
// explorer asks Python (`Oracle::trace`), which runs the function, registers its answer as a leaf and returns what was read.
//
// An exploration that stopped can go on: `explore` again, with other limits.  States are expanded in the order in which they were
// found, each as a whole or not at all, so stopping and going on leads to the same rows as not stopping.  Rows of finished states stay as
// they are, and so do the arrays that were handed out before (GrowingArray).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "first_slot_index.hpp"
#include "decision_tree.hpp"
#include "expansion.hpp"
#include "interference_analysis.hpp"
#include "growing_array.hpp"
#include "joint_choices.hpp"
#include "choice_signatures.hpp"
#include "layout.hpp"
#include "poll_timer.hpp"
#include "partial_order_reduction.hpp"
#include "transition_matrix.hpp"
#include "slot_set.hpp"
#include "state_store.hpp"

namespace volition {


inline constexpr Id kNeutral = 0;  // the neutral label (none), weight (one) and reward (nothing)
inline constexpr Id kStutter = 1;  // the label of the self-loop of a terminal state
inline constexpr Id kNoComponent = UINT32_MAX;

struct Outcome {
  Id weight;
  std::vector<Write> writes;
};
struct Choice {
  Id label;
  Id reward;
  bool reacts;
  std::vector<Outcome> outcomes;
};

// Two components of a synchronous system wrote the same slot.
struct WriteConflict : std::runtime_error {
  WriteConflict(TreeId first_, TreeId second_, Slot slot_) : std::runtime_error("write conflict"), first(first_), second(second_), slot(slot_) {}
  TreeId first, second;
  Slot slot;
};

enum class Combination { kLabels, kWeightProduct, kWeightSum, kRewards };

// Where a state is while a function looks at it: among the stored ones, or among the successors that are being made.
struct Place {
  bool in_scratch;
  std::size_t index;
};

// What the explorer asks of Python.
struct Oracle {
  // Runs the function behind a tree on a state; gives the reads and the leaf.  It may evaluate other trees meanwhile.
  std::function<std::pair<Reads, LeafId>(TreeId, Place)> trace;
  // The id of two labels, weights or rewards taken together.
  std::function<Id(Combination, Id, Id)> combine;
  // Called now and then, to show progress; throws Interrupted when the user wants to stop.
  std::function<void()> pause;
};

// The user pressed Ctrl-C, in the explorer or in a function that it traced.
struct Interrupted {};

enum class Ended {
  kComplete,
  kStates,
  kMemory,
  kSeconds,
  kDepth,
  kHit,
  kInterrupted,
  kOutdated,  // what an earlier call has left was reduced wrongly by what is known now: it stays as it is, and another explorer has to begin
};

// Where an exploration stops.  A state that was begun is finished, unless a limit of memory or time is reached inside of it.
struct Limits {
  std::size_t states;
  std::size_t bytes;
  double seconds;                     // from the call on
  std::size_t depth = kNoDepth;       // states so many steps away from the initial one are not expanded
  std::optional<TreeId> stop_tree{};  // the first state in which this tree's leaf is 1 ends the exploration
  std::size_t jobs = 1;               // threads that work at the same time, once there are many states; the result is the same
  std::size_t states_before_jobs = kManyStates;

  static constexpr std::size_t kManyStates = std::size_t{1} << 15;
  static constexpr std::size_t kNoDepth = SIZE_MAX;
  static constexpr std::size_t kNoLimit = PTRDIFF_MAX;  // of bytes: nobody has so many
};

class Teamwork;

class Explorer {
 public:
  Explorer(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous, std::size_t most_states = StateStore::kMostStates);

  // --- what Python registers ---
  TreeId add_tree();
  LeafId add_choices(std::vector<Choice> choices);
  LeafId add_writes(std::vector<Write> writes);
  void check_purity(bool on) { check_purity_ = on; }
  [[nodiscard]] ValueId read(Place place, Slot slot) const { return layout_.get(at(place), slot); }
  // Memory that Python keeps for this state space, such as the values behind the ids.
  void add_outside_bytes(std::size_t bytes) { outside_bytes_ += bytes; }

  // --- the work ---
  // Begins, or goes on where it ended.  States found so far are the first to be looked at for the limits' `stop_tree`.
  Ended explore(const Oracle& oracle, const Limits& limits);
  // Leaves out what no question of these rules can see (reduction.hpp): before the exploration begins, and for interleaved systems without
  // reactions.
  void reduce(ReductionRules rules);
  // Begins with what was explored elsewhere, by an explorer of the same system; see soundness.hpp.
  void take_over(Layout layout, GrowingArray<Word> states, Rows rows, std::optional<StateId> hit);
  // The leaf of a tree in each of the first states.
  std::vector<LeafId> evaluate(const Oracle& oracle, TreeId tree, std::size_t states);

  // --- the result ---
  [[nodiscard]] std::size_t num_states() const { return store_.size(); }
  // How many states there are to be read at such places.
  [[nodiscard]] std::size_t num_at(bool in_scratch) const { return in_scratch ? made_.num_successors() : num_states(); }
  [[nodiscard]] std::size_t num_trees() const { return trees_.size(); }
  [[nodiscard]] std::size_t num_expanded() const { return expanded_; }
  [[nodiscard]] std::size_t num_choices() const { return rows_.num_choices(); }
  [[nodiscard]] std::size_t num_transitions() const { return rows_.num_transitions(); }
  // Of an exploration with reduction: how many states were looked at, again and again, and how often it began.
  [[nodiscard]] std::size_t num_visited() const { return visited_; }
  [[nodiscard]] std::size_t num_rounds() const { return rounds_; }
  // A state on the way from a state to a stored one, and the component that goes on from it.
  struct LeapStep {
    Id component = kNoComponent;
    std::vector<ValueId> values;
  };
  // The states on the way that one outcome of a choice begins, each with who goes on from it; the last is the stored one.
  std::vector<LeapStep> steps_within(const Oracle& oracle, StateId state, TreeId component, std::size_t choice, std::size_t outcome);
  [[nodiscard]] std::optional<StateId> hit() const { return hit_; }
  // All runs of so many steps are among the rows.
  [[nodiscard]] std::size_t depth() const { return depth_; }
  [[nodiscard]] ValueId value(StateId state, Slot slot) const { return layout_.get(store_[state], slot); }
  // The value of a slot in each of the first states.
  [[nodiscard]] std::vector<ValueId> column(Slot slot, std::size_t states) const;
  [[nodiscard]] std::size_t slots() const { return layout_.slots(); }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] unsigned state_bits() const { return layout_.bits_needed(); }
  [[nodiscard]] std::size_t state_bytes() const { return store_.bytes(); }
  [[nodiscard]] std::size_t total_bytes() const { return lasting_bytes() + made_.bytes() + beginnings_.bytes(); }

  // Not const: whoever shares an array's memory keeps it as it is now.
  [[nodiscard]] GrowingArray<Word>& states() { return store_.all_states(); }
  [[nodiscard]] Rows& rows() { return rows_; }
  [[nodiscard]] const Rows& rows() const { return rows_; }

 private:
  // One piece of work: whom it asks, and what makes it end early.
  struct Run {
    const Oracle* oracle;  // nobody, where Python cannot be asked
    Patience patience;
    std::optional<TreeId> stop_tree{};
    bool alone = true;  // nobody else reads what is learnt on the way
  };

  // A limit was reached in the middle of a state.
  struct Stopped {
    Ended why;
  };

  // Python would have to be asked.
  struct Unknown {};

  // Without what only makes the work faster, and depends on who did it: a limit stops several threads where it stops one.
  [[nodiscard]] std::size_t lasting_bytes() const;

  [[nodiscard]] const Word* at(Place place) const { return place.in_scratch ? made_.successor(place.index) : store_[place.index]; }

  // The leaf of a state that stands at a place, where Python can look at it too.
  LeafId leaf_of(Run& run, TreeId tree, const Word* state, Place place);
  LeafId leaf_of(Run& run, TreeId tree, Place place) { return leaf_of(run, tree, at(place), place); }
  // Those of all components in a stored state, in `made`, walked from where they begin.
  void find_leaves(Run& run, Expansion& made, StateId state);
  // Takes note of the values; false if one does not fit, and room has to be made.
  bool admit(const std::vector<Write>& writes);
  void make_room();
  Id combine(Run& run, Combination how, Id a, Id b);

  void store_initial_state();
  // The next states, as far as nobody has to be asked, or the next one, whoever has to be.
  void expand_some(Run& run, Run& unasked);
  // What a state does, without storing its successors.
  void expand_into(Run& run, Expansion& made, StateId state);
  void interleave(Expansion& made, StateId state, const SlotSet* only = nullptr) const;
  void synchronise(Run& run, Expansion& made, StateId state);
  // The same by the answers alone, which are known; false where two components write the same slot.
  bool synchronise_by_answers(Run& run, Expansion& made, StateId state, Beginnings::Beginning& known);
  bool make_joint_choices(Expansion& made, StateId state, const JointChoices& from, std::size_t begin, std::size_t end) const;
  // What a leaf writes that has one certain choice, without label, reward and reactions; nothing for other leaves.
  [[nodiscard]] const std::vector<Write>* quiet_writes(LeafId leaf) const;
  void put_together(Run& run, Expansion& made);
  void add_joint_choice(Run& run, Expansion& made);
  void stutter(Expansion& made, StateId state) const;
  void react(Run& run, Expansion& made);
  // Stores what follows the states that were expanded, until the exploration has ended.
  std::optional<Ended> store_successors(Run& run, const std::function<std::optional<Ended>()>& ended);
  // The same; `stored` gives the number of a successor, which may be new.
  template <typename Stored>
  std::optional<Ended> emit_states(Run& run, const Expansion& made, const std::function<std::optional<Ended>()>& ended, Stored&& stored);
  template <typename Stored>
  void emit(Run& run, const Expansion& made, std::size_t choice, Stored&& stored);
  void find_first_hit(Run& run);
  // Takes note that one more state is expanded: perhaps the last that is so far from the initial one.
  void count_expanded();
  void look_at_new_state(Run& run, StateId state);
  void apply(Word* successor, const std::vector<Write>& writes) const {
    for (const Write& write : writes) layout_.set(successor, write.slot, write.value);
  }
  // Leaves out what was stored last, so that a state is expanded as a whole or not at all.
  void forget_beyond(std::size_t states);

  // --- with reduction: reduced_explorer.cpp ---
  // What the choices of a leaf do, whatever the state.
  struct Effect {
    SlotSet writes;
    std::size_t successors;
  };
  // What all components and atoms see in one state.
  struct Look {
    std::vector<Offer> offers;
    std::vector<LeafId> leaves;
    std::vector<Sight> atoms;
    std::size_t successors = 0;
  };
  void note_path(TreeId tree, const Reads& reads, LeafId leaf);
  const Effect& effect_of(LeafId leaf);
  LeafId see(Run& run, TreeId tree, Place place, SlotSet& reads);
  void look_around(Run& run, Place place, Look& look);
  bool is_terminal(Run& run, Place place);
  bool choose_ample(Run& run, Place place, const Look& look, Ample& ample);
  bool close_by_futures(Place place, const Look& look, Ample& ample);
  bool is_invisible(Run& run, Place place, const Look& look, Ample& ample);
  bool leaves_atoms(Run& run, const Look& before, Ample& ample);
  bool goes_on(Run& run, Ample& ample);
  template <typename Test>
  bool each_outcome(Place place, LeafId leaf, Test&& passes);
  bool steps_alone(Run& run, Place place, const Look& look);
  void leap(Run& run, std::size_t successor, std::vector<LeapStep>* told = nullptr);
  void leap_from_all(Run& run);
  void expand_reduced(Run& run, StateId state);
  void open_work_states(StateId state);
  [[nodiscard]] bool all_lie_ahead(StateId state) const;
  bool decisions_stand();
  void begin_again();
  void scout(Run& run);
  [[nodiscard]] LeapStep leap_step(Place place) const;
  void copy_state(const Word* from, std::size_t to) { std::copy_n(from, layout_.words(), made_.successor(to)); }

  friend class Teamwork;

  bool synchronous_;
  std::size_t num_components_;
  std::size_t num_reactions_;
  bool check_purity_ = false;

  Layout layout_;
  StateStore store_;
  std::vector<DecisionTree> trees_;
  Beginnings beginnings_;  // of the components
  std::vector<std::vector<Choice>> choice_leaves_;
  std::vector<std::vector<Write>> write_leaves_;
  std::unordered_map<std::uint64_t, Id> combined_[4];

  Expansion made_;  // of the state being expanded; kept here so that a widened slot repacks its successors too
  std::vector<std::pair<StateId, Id>> row_;

  std::optional<Reduction> reduction_;
  std::deque<Effect> effects_;  // of each leaf of choices; offers point to them
  Look here_, there_;
  Ample here_ample_, there_ample_, candidate_;
  SlotSet after_;
  Futures futures_{0};
  bool trees_grew_ = false;  // since this round began
  bool outdated_ = false;
  std::size_t visited_ = 0;
  std::size_t rounds_ = 0;

  std::size_t outside_bytes_ = 0;
  std::size_t leaf_bytes_ = 0;
  std::size_t tree_bytes_ = 0;
  std::size_t combined_bytes_ = 0;
  std::size_t questions_ = 0;  // asked of Python so far
  std::size_t questions_before_ = 0;
  std::size_t asked_until_ = 0;  // up to this state more questions are expected
  std::size_t expanded_ = 0;
  std::size_t depth_ = 0;      // states nearer to the initial one are expanded
  std::size_t level_end_ = 1;  // the states before this one are at most so far away
  std::optional<StateId> hit_;
  Rows rows_;
};

template <typename Stored>
std::optional<Ended> Explorer::emit_states(Run& run, const Expansion& made, const std::function<std::optional<Ended>()>& ended, Stored&& stored) {
  for (std::size_t state = 0; state < made.num_states(); ++state) {
    const std::size_t states = num_states();
    try {
      for (std::size_t choice = made.first_pending[state]; choice < made.end_of_state(state); ++choice) emit(run, made, choice, stored);
    } catch (...) {
      forget_beyond(states);
      throw;
    }
    rows_.finish_state();
    count_expanded();
    if (const std::optional<Ended> now = ended()) return now;
  }
  return std::nullopt;
}

template <typename Stored>
void Explorer::emit(Run& run, const Expansion& made, std::size_t choice, Stored&& stored) {
  const Expansion::Pending& pending = made.pending[choice];
  row_.clear();
  for (std::size_t i = pending.first_successor; i < made.end_of(choice); ++i) {
    run.patience.spend();
    const auto [state, is_new] = stored(i);
    row_.emplace_back(state, made.weights[i]);
    if (is_new) look_at_new_state(run, state);
  }
  if (row_.size() > 1) std::sort(row_.begin(), row_.end());
  std::size_t distinct = 1;
  for (std::size_t i = 1; i < row_.size(); ++i) {
    if (row_[i].first == row_[distinct - 1].first) {
      row_[distinct - 1].second = combine(run, Combination::kWeightSum, row_[distinct - 1].second, row_[i].second);
    } else {
      row_[distinct++] = row_[i];
    }
  }
  row_.resize(distinct);
  rows_.add_choice(pending.label, pending.reward, pending.component, row_);
}

}  // namespace volition

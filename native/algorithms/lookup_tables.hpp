// Functions that look at few bits of a state are looked up instead of walked: the bits that several of them look at are the number of an entry
// in a table, which knows the answers of all of them.
//
//     functions      f reads door and lamp,  g reads lamp and room        (a bit each)
//     state          ... room=1 ... lamp=0 door=1 ...
//     entry          101  ->  answers 3  ->  f: A, g: C
//
// What is not known yet is walked, and taken down.  An entry stays right however the trees grow: it is taken down only where the functions read
// nothing but the table's slots.
//
// In a synchronous system many components do one thing, for certain, that earns nothing and that nobody is told of.  Such *quiet* answers change the
// state and nothing else, so they are masks of the packed state that come with the answers of a table.  What joint choices there are depends on
// the other, *loud* answers only, of which there are far fewer combinations.
#pragma once

#include <algorithm>
#include <bit>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "decision_tree.hpp"
#include "joint_choices.hpp"
#include "layout.hpp"

namespace volition {

inline constexpr LeafId kQuiet = UINT32_MAX;  // in the place of a leaf

// A function, and where it goes on.
struct OpenFunction {
  std::size_t tree;
  DecisionTree::Link link;
};

// Some functions, by the bits of the slots that they read.
class CaseTable {
 public:
  static constexpr std::uint32_t kUnknown = UINT16_MAX;
  static constexpr unsigned kMostBits = 12;

  CaseTable(const Layout& layout, std::vector<OpenFunction> functions, std::vector<Slot> slots)
      : functions_(std::move(functions)), slots_(std::move(slots)) {
    unsigned place = 0;
    for (const Slot slot : slots_) {
      if (layout.needed(slot) == 0) continue;
      fields_.push_back({layout.first_bit(slot) / kWordBits, layout.first_bit(slot) % kWordBits, (Word{1} << layout.needed(slot)) - 1, place});
      place += layout.needed(slot);
    }
    entries_.assign(std::size_t{1} << place, kUnknown);
  }

  // The number of what the functions answer in a state.
  [[nodiscard]] std::uint32_t find(const Word* state) const { return entries_[entry_of(state)]; }


  void copy_loud(std::uint32_t loud, std::span<LeafId> leaves) const {
    const LeafId* answer = loud_answers_.data() + loud * functions_.size();
    for (const OpenFunction& function : functions_) leaves[function.tree] = *answer++;
  }
  // The number of the loud answers among these.
  [[nodiscard]] std::uint32_t loud(std::uint32_t number) const { return loud_[number]; }
  // What the quiet ones change; false where somebody else changes a slot of theirs.
  bool change(std::uint32_t number, Masks& masks) const { return masks.add(changes_.data() + 2 * number * masks.words()); }

  // Takes down the answers in a state; false where a function reads more than the table knows.  `quiet` gives the writes of a quiet leaf, or nothing.
  template <typename Quiet>
  bool learn(const Layout& layout, const Word* state, std::span<const DecisionTree> trees, std::span<const LeafId> leaves, Quiet&& quiet) {
    std::uint16_t& entry = entries_[entry_of(state)];
    if (entry != kUnknown) return true;
    std::vector<LeafId> answers;
    for (const auto& [tree, link] : functions_) {
      bool inside = true;
      trees[tree].walk_from(link, layout, state, [&](Slot slot) { inside = inside && std::ranges::find(slots_, slot) != slots_.end(); });
      if (!inside) return false;
      answers.push_back(leaves[tree]);
    }
    const auto [known, is_new] = numbers_.try_emplace(answers, static_cast<std::uint16_t>(numbers_.size()));
    entry = known->second;
    if (!is_new) return true;
    Masks masks(layout.words());
    for (LeafId& answer : answers) {
      const std::vector<Write>* writes = quiet(answer);
      if (writes != nullptr && masks.add(layout, *writes)) answer = kQuiet;
    }
    const auto [loud, is_new_loud] = louds_.try_emplace(answers, static_cast<std::uint32_t>(louds_.size()));
    if (is_new_loud) loud_answers_.insert(loud_answers_.end(), answers.begin(), answers.end());
    loud_.push_back(loud->second);
    changes_.insert(changes_.end(), masks.data(), masks.data() + 2 * masks.words());
    return true;
  }

  [[nodiscard]] std::size_t bytes() const {
    return entries_.capacity() * sizeof(std::uint16_t) + (loud_answers_.capacity() + loud_.capacity()) * sizeof(LeafId) +
           changes_.capacity() * sizeof(Word) + (numbers_.size() + louds_.size()) * (kBytesOfAnEntry + functions_.size() * sizeof(LeafId));
  }

 private:
  static constexpr std::size_t kBytesOfAnEntry = 80;  // of a map, about
  struct Field {
    std::size_t word;
    unsigned shift;
    Word mask;
    unsigned place;
  };

  [[nodiscard]] std::size_t entry_of(const Word* state) const {
    std::size_t entry = 0;
    for (const Field& field : fields_) entry |= static_cast<std::size_t>((state[field.word] >> field.shift) & field.mask) << field.place;
    return entry;
  }

  std::vector<OpenFunction> functions_;
  std::vector<Slot> slots_;
  std::vector<Field> fields_;
  std::vector<std::uint16_t> entries_;
  std::vector<LeafId> loud_answers_;  // by the number of the loud ones; kQuiet for the others
  std::vector<std::uint32_t> loud_;
  std::vector<Word> changes_;
  std::map<std::vector<LeafId>, std::uint16_t> numbers_;
  std::map<std::vector<LeafId>, std::uint32_t> louds_;
};

// All functions of a system, in as few tables as they fit into, and the joint choices that follow from their answers.
//
// A table has no more entries than four times the states that have been met, so the tables are made again as these become more, until they are as large
// as they may be.
class Cases {
 public:
  explicit Cases(std::vector<OpenFunction> open) : open_(std::move(open)) {}

  // One more state is met; says whether it is time to make tables.
  bool count() {
    if (++met_ < due_) return false;
    due_ *= 4;
    return bits_ < CaseTable::kMostBits || outdated_;
  }
  void make_tables(const Layout& layout, std::span<const DecisionTree> trees) {
    forget_tables();
    bits_ = std::min(CaseTable::kMostBits, static_cast<unsigned>(std::bit_width(met_)) + 1);
    std::vector<Group> groups;
    for (const OpenFunction& function : open_) {
      Group alone;
      if (trees[function.tree].slots_from(function.link, [&](Slot slot) { return add_slot(layout, alone, slot); })) {
        joined(layout, groups, alone).functions.push_back(function);
      } else {
        walked_.push_back(function);
      }
    }
    for (Group& group : groups) tables_.emplace_back(layout, std::move(group.functions), std::move(group.slots));
  }
  // States are packed otherwise, or slots have more values.
  void forget_tables() {
    tables_.clear();
    walked_.clear();
    steps_ = JointSteps();
    bits_ = 0;
    outdated_ = false;
  }

  // What the functions answer in a state, as numbers: of the answers of each table, then of the leaves of the others.  False where that is not known.
  bool look_up(const Layout& layout, const Word* state, std::span<const DecisionTree> trees, std::vector<std::uint32_t>& answers) const {
    if (bits_ == 0) return false;
    answers.clear();
    for (const CaseTable& table : tables_) {
      answers.push_back(table.find(state));
      if (answers.back() == CaseTable::kUnknown) return false;
    }
    for (const auto& [tree, link] : walked_) {
      const std::int64_t leaf = trees[tree].walk_from(link, layout, state, [](Slot) {});
      if (leaf == DecisionTree::kUnknown) return false;
      answers.push_back(static_cast<LeafId>(leaf));
    }
    return true;
  }
  void copy_loud(std::span<const std::uint32_t> louds, std::span<LeafId> leaves) const {
    for (std::size_t i = 0; i < tables_.size(); ++i) tables_[i].copy_loud(louds[i], leaves);
    for (std::size_t i = 0; i < walked_.size(); ++i) leaves[walked_[i].tree] = louds[tables_.size() + i];
  }
  // What is quiet in some answers goes into masks, and the answers become the numbers of the loud ones; false where two change the same slot.
  bool take_quiet(std::vector<std::uint32_t>& answers, Masks& masks) const {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (!tables_[i].change(answers[i], masks)) return false;
      answers[i] = tables_[i].loud(answers[i]);
    }
    return true;
  }
  // The functions were walked.
  template <typename Quiet>
  void learn(const Layout& layout, const Word* state, std::span<const DecisionTree> trees, std::span<const LeafId> leaves, Quiet&& quiet) {
    for (CaseTable& table : tables_) {
      if (!table.learn(layout, state, trees, leaves, quiet)) outdated_ = true;
    }
  }

  [[nodiscard]] std::span<const OpenFunction> open() const { return open_; }
  [[nodiscard]] const JointSteps& steps() const { return steps_; }
  [[nodiscard]] JointSteps& steps() { return steps_; }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t total = steps_.bytes() + open_.capacity() * sizeof(OpenFunction);
    for (const CaseTable& table : tables_) total += table.bytes();
    return total;
  }

 private:
  static constexpr std::size_t kFirstDue = 256;
  static constexpr std::size_t kCandidates = 16;

  // Functions that share a table, and the slots that they read.
  struct Group {
    std::vector<OpenFunction> functions;
    std::vector<Slot> slots;
    unsigned bits = 0;
  };

  // False where these are too many.
  bool add_slot(const Layout& layout, Group& group, Slot slot) const {
    if (std::ranges::find(group.slots, slot) != group.slots.end()) return true;
    group.slots.push_back(slot);
    group.bits += layout.needed(slot);
    return group.bits <= bits_;
  }

  // The group of the last few that grows least by some slots, or a new one, with these slots in it.
  Group& joined(const Layout& layout, std::vector<Group>& groups, const Group& with) const {
    std::size_t best = groups.size();
    unsigned least = UINT_MAX;
    for (std::size_t i = groups.size() - std::min(groups.size(), kCandidates); i < groups.size(); ++i) {
      unsigned more = 0;
      for (const Slot slot : with.slots) {
        if (std::ranges::find(groups[i].slots, slot) == groups[i].slots.end()) more += layout.needed(slot);
      }
      if (groups[i].bits + more > bits_ || more >= least) continue;
      best = i;
      least = more;
    }
    if (best == groups.size()) groups.emplace_back();
    for (const Slot slot : with.slots) add_slot(layout, groups[best], slot);
    return groups[best];
  }

  std::vector<OpenFunction> open_;
  std::size_t met_ = 0;
  std::size_t due_ = kFirstDue;
  unsigned bits_ = 0;      // of the number of an entry, at most; none before there are tables
  bool outdated_ = false;  // some functions read more than their tables know
  std::vector<CaseTable> tables_;
  std::vector<OpenFunction> walked_;  // that read too much
  JointSteps steps_;
};

}  // namespace volition

// Direct lookup tables for decision trees that read only a few bits.
//
// The trees are divided into groups, and each group has a table. The bits that the trees of a group
// read form the index of an entry. The entry holds the id of an *answer*: the leaves that all trees
// of the group reach.
//
//     trees          f reads door and lamp,  g reads lamp and room        (one bit each)
//     state          ... room=1 ... lamp=0 door=1 ...
//     entry          101  ->  answer 3  ->  f: A, g: C
//
// Missing entries are filled by walking the trees. An entry stays correct when the trees grow,
// because it is filled only if the trees read nothing but slots of the table.
//
// A leaf is *silent* if it has a single deterministic choice without label, reward or reaction.
// Silent leaves only write slots, so a table stores them as a write mask. Joint choices are built
// from the non-silent leaves alone, of which there are far fewer combinations.
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

inline constexpr LeafId kSilent = UINT32_MAX;  // replaces a silent leaf

// Decision tree whose leaf does not follow from the value of the first slot alone
// (first_slot_index.hpp), and the link at which its evaluation continues.
struct UndecidedTree {
  std::size_t tree;
  DecisionTree::Link link;
};

// Table with the leaves that several decision trees reach. The bits of all slots that these trees
// read form the index of an entry. So a state selects one entry. The entry has the id of an answer:
// the list of the leaves, one per tree. A lookup (`find`) returns this id, or kUnknown if the entry
// is not filled yet.
class LookupTable {
 public:
  static constexpr std::uint32_t kUnknown = UINT16_MAX;
  static constexpr unsigned kMaxBits = 12;

  LookupTable(const Layout& layout, std::vector<UndecidedTree> members, std::vector<Slot> slots)
      : members_(std::move(members)), slots_(std::move(slots)) {
    unsigned index_shift = 0;
    for (const Slot slot : slots_) {
      if (layout.bits_used(slot) == 0) continue;
      fields_.push_back({layout.first_bit(slot) / kWordBits, layout.first_bit(slot) % kWordBits,
                         (Word{1} << layout.bits_used(slot)) - 1, index_shift});
      index_shift += layout.bits_used(slot);
    }
    entries_.assign(std::size_t{1} << index_shift, kUnknown);
  }

  // Returns the id of the table's answer for a state: the leaves that the trees of the table reach
  // in this state. Returns kUnknown if the entry is not filled yet.
  [[nodiscard]] std::uint32_t find(const Word* state) const { return entries_[entry_of(state)]; }

  void copy_nonsilent(std::uint32_t nonsilent, std::span<LeafId> leaves) const {
    const LeafId* answer = nonsilent_answers_.data() + nonsilent * members_.size();
    for (const UndecidedTree& member : members_) leaves[member.tree] = *answer++;
  }
  // Returns an id for those leaves of an answer that are not silent (a silent leaf only writes
  // slots). Answers that differ only in silent leaves have the same id.
  [[nodiscard]] std::uint32_t nonsilent(std::uint32_t answer_id) const {
    return nonsilent_of_answer_[answer_id];
  }
  // Adds the writes of the silent leaves of an answer to `masks`. Returns false if `masks` already
  // writes one of these slots. A leaf is silent if it only writes slots.
  bool merge_silent(std::uint32_t answer_id, WriteMasks& masks) const {
    return masks.add(silent_masks_.data() + 2 * answer_id * masks.words());
  }

  // Fills the table entry for a state with the given leaves of the trees. Returns false, and fills
  // nothing, if a tree reads a slot in this state that is not part of the table's index.
  // `silent_writes(leaf)` returns the writes of a silent leaf (a leaf that only writes slots), or
  // nullptr for any other leaf.
  template <typename SilentWrites>
  bool insert(const Layout& layout, const Word* state, std::span<const DecisionTree> trees,
              std::span<const LeafId> leaves, SilentWrites&& silent_writes) {
    std::uint16_t& entry = entries_[entry_of(state)];
    if (entry != kUnknown) return true;
    std::vector<LeafId> answers;
    for (const auto& [tree, link] : members_) {
      bool inside = true;
      trees[tree].walk_from(link, layout, state, [&](Slot slot) {
        inside = inside && std::ranges::find(slots_, slot) != slots_.end();
      });
      if (!inside) return false;
      answers.push_back(leaves[tree]);
    }
    const auto [id, is_new] =
        answer_ids_.try_emplace(answers, static_cast<std::uint16_t>(answer_ids_.size()));
    entry = id->second;
    if (!is_new) return true;
    WriteMasks masks(layout.words());
    for (LeafId& answer : answers) {
      const std::vector<Write>* writes = silent_writes(answer);
      if (writes != nullptr && masks.add(layout, *writes)) answer = kSilent;
    }
    const auto [nonsilent, is_new_nonsilent] =
        nonsilent_ids_.try_emplace(answers, static_cast<std::uint32_t>(nonsilent_ids_.size()));
    if (is_new_nonsilent) {
      nonsilent_answers_.insert(nonsilent_answers_.end(), answers.begin(), answers.end());
    }
    nonsilent_of_answer_.push_back(nonsilent->second);
    silent_masks_.insert(silent_masks_.end(), masks.data(), masks.data() + 2 * masks.words());
    return true;
  }

  [[nodiscard]] std::size_t bytes() const {
    return entries_.capacity() * sizeof(std::uint16_t) +
           (nonsilent_answers_.capacity() + nonsilent_of_answer_.capacity()) * sizeof(LeafId) +
           silent_masks_.capacity() * sizeof(Word) +
           (answer_ids_.size() + nonsilent_ids_.size()) *
               (kBytesPerEntry + members_.size() * sizeof(LeafId));
  }

 private:
  static constexpr std::size_t kBytesPerEntry = 80;  // approximate size of a map node
  struct Field {
    std::size_t word;
    unsigned shift;
    Word mask;
    unsigned index_shift;
  };

  [[nodiscard]] std::size_t entry_of(const Word* state) const {
    std::size_t entry = 0;
    for (const Field& field : fields_) {
      entry |= static_cast<std::size_t>((state[field.word] >> field.shift) & field.mask)
               << field.index_shift;
    }
    return entry;
  }

  std::vector<UndecidedTree> members_;
  std::vector<Slot> slots_;
  std::vector<Field> fields_;
  std::vector<std::uint16_t> entries_;
  std::vector<LeafId> nonsilent_answers_;  // by non-silent id; kSilent marks silent leaves
  std::vector<std::uint32_t> nonsilent_of_answer_;
  std::vector<Word> silent_masks_;
  std::map<std::vector<LeafId>, std::uint16_t> answer_ids_;
  std::map<std::vector<LeafId>, std::uint32_t> nonsilent_ids_;
};

// Lookup tables for the decision trees that are undecided for one value of the first slot
// (first_slot_index.hpp), and the cached joint choices of their leaves. The trees share as few
// tables as possible.
//
// A table has at most four times as many entries as states were seen. Tables are rebuilt as more
// states are seen, until they reach their maximum size.
class LookupTables {
 public:
  explicit LookupTables(std::vector<UndecidedTree> undecided) : undecided_(std::move(undecided)) {}

  // Counts a visited state. Returns whether the tables should be rebuilt now.
  bool count_state() {
    if (++states_seen_ < next_rebuild_) return false;
    next_rebuild_ *= 4;
    return bits_ < LookupTable::kMaxBits || outdated_;
  }
  void build_tables(const Layout& layout, std::span<const DecisionTree> trees) {
    clear_tables();
    bits_ =
        std::min(LookupTable::kMaxBits, static_cast<unsigned>(std::bit_width(states_seen_)) + 1);
    std::vector<Group> groups;
    for (const UndecidedTree& member : undecided_) {
      Group single;
      if (trees[member.tree].for_each_slot_below(
              member.link, [&](Slot slot) { return add_slot(layout, single, slot); })) {
        group_for(layout, groups, single).members.push_back(member);
      } else {
        too_wide_.push_back(member);
      }
    }
    for (Group& group : groups) {
      tables_.emplace_back(layout, std::move(group.members), std::move(group.slots));
    }
  }
  // Removes all tables and cached joint choices. Call it after the layout changed or a slot got
  // more values.
  void clear_tables() {
    tables_.clear();
    too_wide_.clear();
    joint_choices_ = JointChoiceCache();
    bits_ = 0;
    outdated_ = false;
  }

  // Looks up the leaves of all trees in a state. Writes to `answers` the id of each table's answer
  // (the leaves of its trees), followed by the leaf of each tree that is in no table. Returns false
  // if one of them is unknown or no tables were built yet.
  bool look_up(const Layout& layout, const Word* state, std::span<const DecisionTree> trees,
               std::vector<std::uint32_t>& answers) const {
    if (bits_ == 0) return false;
    answers.clear();
    for (const LookupTable& table : tables_) {
      answers.push_back(table.find(state));
      if (answers.back() == LookupTable::kUnknown) return false;
    }
    for (const auto& [tree, link] : too_wide_) {
      const std::int64_t leaf = trees[tree].walk_from(link, layout, state, [](Slot) {});
      if (leaf == DecisionTree::kUnknown) return false;
      answers.push_back(static_cast<LeafId>(leaf));
    }
    return true;
  }
  void copy_nonsilent(std::span<const std::uint32_t> nonsilent, std::span<LeafId> leaves) const {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      tables_[i].copy_nonsilent(nonsilent[i], leaves);
    }
    for (std::size_t i = 0; i < too_wide_.size(); ++i) {
      leaves[too_wide_[i].tree] = nonsilent[tables_.size() + i];
    }
  }
  // Separates the silent leaves (leaves that only write slots) from the others. Adds their writes
  // to `masks`, and replaces each answer id in `answers` by the id of the answer's other leaves.
  // Returns false if two silent leaves write the same slot.
  bool extract_silent(std::vector<std::uint32_t>& answers, WriteMasks& masks) const {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (!tables_[i].merge_silent(answers[i], masks)) return false;
      answers[i] = tables_[i].nonsilent(answers[i]);
    }
    return true;
  }
  // Fills the entry for a state in each table. `leaves` has the leaves of all trees in the state.
  // `silent_writes(leaf)` returns the writes of a silent leaf (a leaf that only writes slots), or
  // nullptr for any other leaf.
  template <typename SilentWrites>
  void insert(const Layout& layout, const Word* state, std::span<const DecisionTree> trees,
              std::span<const LeafId> leaves, SilentWrites&& silent_writes) {
    for (LookupTable& table : tables_) {
      if (!table.insert(layout, state, trees, leaves, silent_writes)) outdated_ = true;
    }
  }

  [[nodiscard]] std::span<const UndecidedTree> undecided() const { return undecided_; }
  [[nodiscard]] const JointChoiceCache& joint_choices() const { return joint_choices_; }
  [[nodiscard]] JointChoiceCache& joint_choices() { return joint_choices_; }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t total = joint_choices_.bytes() + undecided_.capacity() * sizeof(UndecidedTree);
    for (const LookupTable& table : tables_) total += table.bytes();
    return total;
  }

 private:
  static constexpr std::size_t kFirstRebuild = 256;
  static constexpr std::size_t kCandidates = 16;

  // Decision trees that will share a lookup table, and the slots that these trees read.
  struct Group {
    std::vector<UndecidedTree> members;
    std::vector<Slot> slots;
    unsigned bits = 0;
  };

  // Adds a slot to a group of decision trees that will share a lookup table. The bits of the
  // group's slots will be the index of the table. Returns false if the index then has more than
  // bits_ bits, the maximum at present.
  bool add_slot(const Layout& layout, Group& group, Slot slot) const {
    if (std::ranges::find(group.slots, slot) != group.slots.end()) return true;
    group.slots.push_back(slot);
    group.bits += layout.bits_used(slot);
    return group.bits <= bits_;
  }

  // Returns the group of trees with which a tree should share a table. `added` has the slots that
  // the tree reads; they are added to the index of the group. Of the last kCandidates groups, the
  // function picks the one whose index needs the fewest additional bits. If the index of each would
  // become too wide, it adds a new group.
  Group& group_for(const Layout& layout, std::vector<Group>& groups, const Group& added) const {
    std::size_t best = groups.size();
    unsigned fewest = UINT_MAX;
    for (std::size_t i = groups.size() - std::min(groups.size(), kCandidates); i < groups.size();
         ++i) {
      unsigned extra = 0;
      for (const Slot slot : added.slots) {
        if (std::ranges::find(groups[i].slots, slot) == groups[i].slots.end()) {
          extra += layout.bits_used(slot);
        }
      }
      if (groups[i].bits + extra > bits_ || extra >= fewest) continue;
      best = i;
      fewest = extra;
    }
    if (best == groups.size()) groups.emplace_back();
    for (const Slot slot : added.slots) add_slot(layout, groups[best], slot);
    return groups[best];
  }

  std::vector<UndecidedTree> undecided_;
  std::size_t states_seen_ = 0;
  std::size_t next_rebuild_ = kFirstRebuild;
  unsigned bits_ = 0;      // maximum index width; 0 before the first build
  bool outdated_ = false;  // some trees read slots outside their table
  std::vector<LookupTable> tables_;
  std::vector<UndecidedTree> too_wide_;  // trees that read too many bits for a table
  JointChoiceCache joint_choices_;
};

}  // namespace volition

// Joint choices of a synchronous system, and a cache of them. A joint choice combines one choice of
// each enabled component. The choices of a component are a leaf of its decision tree, so the cache
// has an entry per combination of leaves. The writes of a joint choice are stored as bit masks on
// the packed state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "choice_signatures.hpp"
#include "decision_tree.hpp"
#include "layout.hpp"

namespace volition {

struct Write {
  Slot slot;
  ValueId value;
};

// Set of writes to different slots, as two bit masks on a packed state. The keep mask has 0 at the
// bits of written slots and 1 elsewhere. The set mask has the new values of the written slots and 0
// elsewhere.
class WriteMasks {
 public:
  explicit WriteMasks(std::size_t words) : bits_(2 * words, 0) { clear(words); }

  void clear(std::size_t words) {
    bits_.assign(2 * words, 0);
    std::fill_n(bits_.begin(), words, ~Word{0});
  }
  [[nodiscard]] std::size_t words() const { return bits_.size() / 2; }
  // Returns the writes as an array of `2 * words()` words. The first half is the keep mask, which
  // says which bits of a state stay as they are: 1 for bits to keep, 0 for bits of written slots.
  // The second half is the set mask. It has the new values of the written slots, and 0 elsewhere. A
  // state after the writes is `(state & keep) | set`.
  [[nodiscard]] const Word* data() const { return bits_.data(); }

  // Adds other writes, given as a keep mask followed by a set mask. Returns false if a slot is
  // written by both; the masks are then unspecified.
  bool add(const Word* other) {
    Word conflicts = 0;
    for (std::size_t i = 0; i < words(); ++i) {
      conflicts |= ~(bits_[i] | other[i]);
      bits_[i] &= other[i];
      bits_[words() + i] |= other[words() + i];
    }
    return conflicts == 0;
  }
  // Adds writes. Returns false and changes nothing if a slot is already written or has no bit
  // field.
  bool add(const Layout& layout, const std::vector<Write>& writes) {
    for (const Write& write : writes) {
      if (layout.bits_allocated(write.slot) == 0 || layout.get(bits_.data(), write.slot) == 0) {
        return false;
      }
    }
    for (const Write& write : writes) {
      layout.clear(bits_.data(), write.slot);
      layout.set(bits_.data() + words(), write.slot, write.value);
    }
    return true;
  }

 private:
  std::vector<Word> bits_;
};

// List of joint choices (one choice of each enabled component) with their outcomes. Each outcome is
// a keep mask and a set mask on the packed state, as in WriteMasks.
struct JointChoices {
  struct Choice {
    ObjectId label;
    ObjectId reward;
    bool triggers_reactions;
    std::size_t first_outcome;
  };

  void clear() {
    choices.clear();
    weights.clear();
    masks.clear();
  }
  [[nodiscard]] std::size_t num_outcomes() const { return weights.size(); }
  [[nodiscard]] std::size_t end_of(std::size_t choice) const {
    return choice + 1 < choices.size() ? choices[choice + 1].first_outcome : num_outcomes();
  }
  // Appends an outcome without writes.
  void add_outcome(std::size_t words, ObjectId weight) {
    weights.push_back(weight);
    masks.insert(masks.end(), words, ~Word{0});
    masks.insert(masks.end(), words, 0);
  }
  // Appends a copy of an outcome with another weight.
  void copy_outcome(std::size_t words, std::size_t outcome, ObjectId weight) {
    weights.push_back(weight);
    for (std::size_t i = 0; i < 2 * words; ++i) masks.push_back(masks[outcome * 2 * words + i]);
  }
  void write(const Layout& layout, std::size_t outcome, Slot slot, ValueId value) {
    Word* keep = &masks[outcome * 2 * layout.words()];
    layout.clear(keep, slot);
    layout.set(keep + layout.words(), slot, value);
  }
  // Applies an outcome, and the writes `also` of components that are not part of it, to a state.
  // Returns false if the outcome and `also` write the same slot.
  bool apply(std::size_t outcome, const WriteMasks& also, Word* state) const {
    const std::size_t words = also.words();
    const Word* keep = &masks[outcome * 2 * words];
    Word conflicts = 0;
    for (std::size_t i = 0; i < words; ++i) {
      conflicts |= ~(keep[i] | also.data()[i]);
      state[i] = (state[i] & keep[i] & also.data()[i]) | keep[words + i] | also.data()[words + i];
    }
    return conflicts == 0;
  }
  void append(const JointChoices& more) {
    for (const Choice& choice : more.choices) {
      choices.push_back(choice);
      choices.back().first_outcome += num_outcomes();
    }
    weights.insert(weights.end(), more.weights.begin(), more.weights.end());
    masks.insert(masks.end(), more.masks.begin(), more.masks.end());
  }
  [[nodiscard]] std::size_t bytes() const {
    return choices.capacity() * sizeof(Choice) + weights.capacity() * sizeof(ObjectId) +
           masks.capacity() * sizeof(Word);
  }

  std::vector<Choice> choices;
  std::vector<ObjectId> weights;
  std::vector<Word> masks;  // per outcome: keep mask, then set mask
};

// Cache of joint choices. The key stands for the leaves that the decision trees of all components
// reach. It has one number per lookup table (lookup_tables.hpp): the id of those leaves of its
// trees that are not silent (silent leaves only write slots). Then it has the leaf of each tree
// that is in no table.
class JointChoiceCache {
 public:
  // Joint choices of one cache entry: a range of the list `all()`.
  struct ChoiceRange {
    std::size_t begin;
    std::size_t end;
  };

  [[nodiscard]] std::optional<ChoiceRange> find(std::span<const std::uint32_t> key) const {
    const std::uint32_t entry = table_[find_bucket(key)];
    if (entry == kFree) return std::nullopt;
    return ChoiceRange{first_choice_[entry], entry + 1 < first_choice_.size()
                                                 ? first_choice_[entry + 1]
                                                 : all_.choices.size()};
  }
  [[nodiscard]] const JointChoices& all() const { return all_; }

  // Returns whether to add another entry. The cache pays off as long as it has few entries compared
  // with the number of states, because the same keys then recur often.
  [[nodiscard]] bool is_worthwhile(std::size_t states) const {
    return first_choice_.size() < kMinEntries + states / kStatesPerEntry;
  }

  void insert(std::span<const std::uint32_t> key, const JointChoices& choices) {
    width_ = key.size();
    table_[find_bucket(key)] = static_cast<std::uint32_t>(first_choice_.size());
    keys_.insert(keys_.end(), key.begin(), key.end());
    first_choice_.push_back(all_.choices.size());
    all_.append(choices);
    if (2 * first_choice_.size() > table_.size()) grow();
  }

  [[nodiscard]] std::size_t bytes() const {
    return all_.bytes() + first_choice_.capacity() * sizeof(std::size_t) +
           (keys_.capacity() + table_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  static constexpr std::size_t kMinEntries = 4096;
  static constexpr std::size_t kStatesPerEntry = 4;

  static std::uint64_t hash(std::span<const std::uint32_t> key) {
    std::uint64_t h = 0;
    for (const std::uint32_t part : key) h = (h ^ part) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 32);
  }
  [[nodiscard]] bool matches(std::uint32_t entry, std::span<const std::uint32_t> key) const {
    const std::uint32_t* stored = keys_.data() + entry * width_;
    for (std::size_t i = 0; i < width_; ++i) {
      if (stored[i] != key[i]) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t find_bucket(std::span<const std::uint32_t> key) const {
    std::size_t i = hash(key) & (table_.size() - 1);
    while (table_[i] != kFree && !matches(table_[i], key)) i = (i + 1) & (table_.size() - 1);
    return i;
  }
  void grow() {
    table_.assign(2 * table_.size(), kFree);
    for (std::uint32_t entry = 0; entry < first_choice_.size(); ++entry) {
      table_[find_bucket(std::span(keys_).subspan(entry * width_, width_))] = entry;
    }
  }

  std::size_t width_ = 0;            // length of a key
  std::vector<std::uint32_t> keys_;  // keys of all entries
  std::vector<std::size_t> first_choice_;
  JointChoices all_;
  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(64, kFree);  // open addressing
};

}  // namespace volition

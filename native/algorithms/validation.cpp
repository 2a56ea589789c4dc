#include "validation.hpp"

#include <algorithm>
#include <vector>

#include "explorer.hpp"

namespace volition {

namespace {
bool are_offsets(Offsets& offsets, std::size_t lists, std::size_t end) {
  if (offsets.size() != lists + 1 || offsets.block_first().size() != lists / Offsets::kBlock + 1) {
    return false;
  }
  for (std::size_t i = 0; i <= lists; i += Offsets::kBlock) {
    if (offsets.deltas()[i] != 0) return false;
  }
  if (offsets[0] != 0 || offsets[lists] != end) return false;
  for (std::size_t i = 0; i < lists; ++i) {
    if (offsets[i] >= offsets[i + 1]) return false;
  }
  return true;
}

// Returns the mask of the bits of a packed state that belong to slots.
std::vector<Word> bits_of_slots(const Layout& layout) {
  std::vector<Word> all(layout.words(), ~Word{0});
  std::vector<Word> cleared = all;
  for (Slot slot = 0; slot < layout.slots(); ++slot) layout.clear(cleared.data(), slot);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] ^= cleared[i];
  return all;
}

// Returns whether all states have distinct hashes, which implies that no state occurs twice. Two
// distinct states with equal hashes would be rejected too, but are practically impossible.
bool are_distinct(const GrowingArray<Word>& states, std::size_t words) {
  const StateStore store(words);
  std::vector<std::uint64_t> hashes;
  hashes.reserve(states.size() / words);
  for (std::size_t i = 0; i < states.size(); i += words) {
    hashes.push_back(store.hash(states.data() + i));
  }
  std::ranges::sort(hashes);
  return std::ranges::adjacent_find(hashes) == hashes.end();
}
}  // namespace

bool is_valid(const ChoiceSignatures& signatures, const IdCounts& counts) {
  for (SignatureId id = 0; id < signatures.size(); ++id) {
    const ChoiceSignature& signature = signatures[id];
    if (signature.label >= counts.labels || signature.reward >= counts.rewards ||
        signature.transitions == 0) {
      return false;
    }
    if (signature.component >= counts.components && signature.component != kNoComponent) {
      return false;
    }
    for (const ObjectId weight : signatures.weights(id)) {
      if (weight >= counts.weights) return false;
    }
  }
  return true;
}

bool is_valid(TransitionMatrix& matrix, std::size_t states, std::size_t expanded) {
  if (expanded > states || states == 0) return false;
  if (!are_offsets(matrix.first_choices(), expanded, matrix.num_choices())) return false;
  if (!are_offsets(matrix.first_transitions(), expanded, matrix.num_transitions())) return false;
  const std::size_t signatures = matrix.signatures().size();
  std::size_t found = 1;  // number of states discovered before the current transition
  for (std::size_t state = 0; state < expanded; ++state) {
    if (state >= found) return false;
    std::span<const StateId> left = matrix.targets(state);
    for (std::size_t choice = matrix.first_choice(state); choice < matrix.first_choice(state + 1);
         ++choice) {
      if (matrix.signature_id(choice) >= signatures ||
          matrix.signature_of(choice).transitions > left.size()) {
        return false;
      }
      const std::span<const StateId> targets = left.first(matrix.signature_of(choice).transitions);
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] > found || targets[i] >= states || (i > 0 && targets[i - 1] >= targets[i])) {
          return false;
        }
        if (targets[i] == found) ++found;
      }
      left = left.subspan(targets.size());
    }
    if (!left.empty()) return false;
  }
  return found == states;
}

bool is_valid(const GrowingArray<Word>& states, const Layout& layout, const IdCounts& counts) {
  const std::size_t words = layout.words();
  if (words == 0 || states.empty() || states.size() % words != 0 ||
      counts.values.size() != layout.slots()) {
    return false;
  }
  const std::vector<Word> used = bits_of_slots(layout);
  for (std::size_t i = 0; i < words; ++i) {
    if (states[i] != 0) return false;
  }
  for (std::size_t i = 0; i < states.size(); i += words) {
    for (std::size_t k = 0; k < words; ++k) {
      if ((states[i + k] & ~used[k]) != 0) return false;
    }
    for (Slot slot = 0; slot < layout.slots(); ++slot) {
      if (layout.get(states.data() + i, slot) >= counts.values[slot]) return false;
    }
  }
  return are_distinct(states, words);
}

}  // namespace volition

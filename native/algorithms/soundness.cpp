#include "soundness.hpp"

#include "explorer.hpp"

namespace volition {

namespace {
bool are_offsets(Offsets& offsets, std::size_t lists, std::size_t end) {
  if (offsets.size() != lists + 1 || offsets.block_first().size() != lists / Offsets::kBlock + 1) return false;
  if (offsets[0] != 0 || offsets[lists] != end) return false;
  for (std::size_t i = 0; i < lists; ++i) {
    if (offsets[i] >= offsets[i + 1]) return false;
  }
  return true;
}
}  // namespace

bool is_sound(const Kinds& kinds, const Referred& referred) {
  for (KindId id = 0; id < kinds.size(); ++id) {
    const Kind& kind = kinds[id];
    if (kind.label >= referred.labels || kind.reward >= referred.rewards || kind.transitions == 0) return false;
    if (kind.component >= referred.components && kind.component != kNoComponent) return false;
    for (const Id weight : kinds.weights(id)) {
      if (weight >= referred.weights) return false;
    }
  }
  return true;
}

bool is_sound(Rows& rows, std::size_t states, std::size_t expanded) {
  if (expanded > states || states == 0) return false;
  if (!are_offsets(rows.first_choices(), expanded, rows.num_choices())) return false;
  if (!are_offsets(rows.first_transitions(), expanded, rows.num_transitions())) return false;
  const std::size_t kinds = rows.kinds().size();
  for (std::size_t state = 0; state < expanded; ++state) {
    std::size_t transitions = 0;
    for (std::size_t choice = rows.first_choice(state); choice < rows.first_choice(state + 1); ++choice) {
      if (rows.choice_kind(choice) >= kinds) return false;
      transitions += rows.kind_of(choice).transitions;
    }
    if (transitions != rows.targets(state).size()) return false;
    for (const StateId target : rows.targets(state)) {
      if (target >= states) return false;
    }
  }
  return true;
}

bool is_sound(const GrowingArray<Word>& states, const Layout& layout, const Referred& referred) {
  for (std::size_t i = 0; i < states.size(); i += layout.words()) {
    for (Slot slot = 0; slot < layout.slots(); ++slot) {
      if (layout.get(states.data() + i, slot) >= referred.values[slot]) return false;
    }
  }
  return true;
}

}  // namespace volition

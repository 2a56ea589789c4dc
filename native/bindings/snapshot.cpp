// Snapshots of an explorer: exports its arrays, and restores an explorer from such arrays without
// copying them.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "explorer.hpp"
#include "validation.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace volition {
namespace {

// --- export of an explorer's arrays ---

template <typename Of>
OutputArray<std::uint32_t> column_of(std::size_t count, Of&& of) {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(of(i));
  return to_numpy(std::move(values));
}

nb::dict export_arrays(Explorer& explorer) {
  TransitionMatrix& matrix = explorer.matrix();
  const ChoiceSignatures& signatures = std::as_const(matrix).signatures();
  const Layout& layout = explorer.layout();
  std::vector<ObjectId> weights;
  for (SignatureId signature = 0; signature < signatures.size(); ++signature) {
    weights.insert(weights.end(), signatures.weights(signature).begin(),
                   signatures.weights(signature).end());
  }
  nb::dict arrays;
  arrays["slot_first_bits"] =
      column_of(layout.slots(), [&](Slot slot) { return layout.first_bit(slot); });
  arrays["slot_bits"] =
      column_of(layout.slots(), [&](Slot slot) { return layout.bits_allocated(slot); });
  arrays["states"] = snapshot(explorer.states());
  arrays["first_choice_blocks"] = snapshot(matrix.first_choices().block_first());
  arrays["first_choice"] = snapshot(matrix.first_choices().deltas());
  arrays["first_transition_blocks"] = snapshot(matrix.first_transitions().block_first());
  arrays["first_transition"] = snapshot(matrix.first_transitions().deltas());
  arrays["choice_signatures"] = snapshot(matrix.choice_signatures());
  arrays["targets"] = snapshot(matrix.all_targets());
  arrays["signature_labels"] = column_of(
      signatures.size(), [&](SignatureId signature) { return signatures[signature].label; });
  arrays["signature_rewards"] = column_of(
      signatures.size(), [&](SignatureId signature) { return signatures[signature].reward; });
  arrays["signature_components"] = column_of(
      signatures.size(), [&](SignatureId signature) { return signatures[signature].component; });
  arrays["signature_transitions"] = column_of(
      signatures.size(), [&](SignatureId signature) { return signatures[signature].transitions; });
  arrays["signature_weights"] = to_numpy(std::move(weights));
  return arrays;
}

// --- import of saved arrays into an explorer ---

// Returns a pointer that keeps a Python array alive. Threads without the GIL may release it.
template <typename T>
std::shared_ptr<const T> pin_array(const nb::object& array, const T* data) {
  return std::shared_ptr<const T>(data, [held = new nb::object(array)](const T*) {
    const nb::gil_scoped_acquire python;
    delete held;
  });
}

// Returns the array of this name. It must have exactly this element type, because another type
// would be converted into a temporary copy.
template <typename T>
InputArray<T> array_in(const nb::dict& arrays, const char* name) {
  InputArray<T> array;
  if (!nb::try_cast(nb::object(arrays[name]), array, false)) throw nb::type_error(name);
  return array;
}

template <typename T>
void adopt(GrowingArray<T>& into, const nb::dict& arrays, const char* name) {
  const InputArray<T> array = array_in<T>(arrays, name);
  into.adopt(pin_array(nb::object(arrays[name]), array.data()), array.size());
}

void adopt(NarrowArray& into, const nb::dict& arrays, const char* name) {
  const auto adopt_as = [&]<typename T>(T) {
    InputArray<T> array;
    if (!nb::try_cast(nb::object(arrays[name]), array, false)) return false;
    into.adopt(
        pin_array(nb::object(arrays[name]), reinterpret_cast<const std::uint8_t*>(array.data())),
        array.size(), sizeof(T));
    return true;
  };
  if (!adopt_as(std::uint8_t{}) && !adopt_as(std::uint16_t{}) && !adopt_as(std::uint32_t{})) {
    throw nb::type_error(name);
  }
}

// Fills the table of choice signatures in order. Returns false if two are equal, one has no
// transitions, or the number of weights is wrong.
bool fill(ChoiceSignatures& signatures, const nb::dict& arrays) {
  const auto labels = array_in<ObjectId>(arrays, "signature_labels");
  const auto rewards = array_in<ObjectId>(arrays, "signature_rewards");
  const auto components = array_in<ObjectId>(arrays, "signature_components");
  const auto transitions = array_in<std::uint32_t>(arrays, "signature_transitions");
  const auto weights = array_in<ObjectId>(arrays, "signature_weights");
  const std::size_t count = labels.size();
  if (rewards.size() != count || components.size() != count || transitions.size() != count) {
    return false;
  }
  std::span<const ObjectId> remaining = view<ObjectId>(weights);
  for (std::size_t signature = 0; signature < count; ++signature) {
    const std::size_t outcomes = view<std::uint32_t>(transitions)[signature];
    if (remaining.size() < outcomes) return false;
    if (signatures.intern(view<ObjectId>(labels)[signature], view<ObjectId>(rewards)[signature],
                          view<ObjectId>(components)[signature],
                          remaining.first(outcomes)) != signature) {
      return false;
    }
    remaining = remaining.subspan(outcomes);
  }
  return remaining.empty();
}

// Restores the explorer from the arrays of a saved state space. Returns false if they are not a
// valid state space of this system. Raises TypeError for an array with a wrong element type.
bool import_arrays(Explorer& explorer, const nb::dict& arrays, std::size_t words,
                   std::size_t states, std::size_t expanded, std::size_t labels,
                   std::size_t weights, std::size_t rewards, std::size_t components,
                   const std::vector<std::uint32_t>& values, std::optional<StateId> stop_state) {
  const IdCounts counts{labels, weights, rewards, components, values};
  const auto first_bits = array_in<std::uint32_t>(arrays, "slot_first_bits");
  const auto bits = array_in<std::uint32_t>(arrays, "slot_bits");
  if (values.size() != explorer.slots() || bits.size() != values.size() ||
      first_bits.size() != values.size()) {
    return false;
  }
  std::optional<Layout> layout =
      Layout::from_fields(view<std::uint32_t>(first_bits), view<std::uint32_t>(bits), words);
  if (!layout) return false;
  for (Slot slot = 0; slot < layout->slots(); ++slot) {
    if (values[slot] == 0 || !layout->note_value(slot, values[slot] - 1)) return false;
  }
  GrowingArray<Word> packed;
  adopt(packed, arrays, "states");
  TransitionMatrix matrix;
  adopt(matrix.first_choices().block_first(), arrays, "first_choice_blocks");
  adopt(matrix.first_choices().deltas(), arrays, "first_choice");
  adopt(matrix.first_transitions().block_first(), arrays, "first_transition_blocks");
  adopt(matrix.first_transitions().deltas(), arrays, "first_transition");
  adopt(matrix.choice_signatures(), arrays, "choice_signatures");
  adopt(matrix.all_targets(), arrays, "targets");
  if (!fill(matrix.signatures(), arrays)) return false;
  if (packed.size() % words != 0 || packed.size() / words != states ||
      states > StateStore::kMaxStates || (stop_state && *stop_state >= states)) {
    return false;
  }
  {
    const nb::gil_scoped_release others_may_run;
    if (!is_valid(matrix.signatures(), counts) || !is_valid(matrix, states, expanded) ||
        !is_valid(packed, *layout, counts)) {
      return false;
    }
  }
  explorer.restore(std::move(*layout), std::move(packed), std::move(matrix), stop_state);
  return true;
}

}  // namespace

void bind_snapshot(nb::module_& m) {
  m.def("export_arrays", &export_arrays);
  m.def("import_arrays", &import_arrays, "explorer"_a, "arrays"_a, "words"_a, "states"_a,
        "expanded"_a, "labels"_a, "weights"_a, "rewards"_a, "components"_a, "values"_a,
        "stop_state"_a.none());
}

}  // namespace volition

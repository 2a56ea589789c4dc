// What an explorer holds as arrays, to be kept in a file, and an explorer that begins with such arrays, in place.

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

// --- out -----------------------------------------------------------------------------------------------------------------

template <typename Of>
Out<std::uint32_t> of_each(std::size_t count, Of&& of) {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(of(i));
  return give(std::move(values));
}

nb::dict arrays_of(Explorer& explorer) {
  Rows& rows = explorer.rows();
  const Kinds& kinds = std::as_const(rows).kinds();
  const Layout& layout = explorer.layout();
  std::vector<Id> weights;
  for (KindId kind = 0; kind < kinds.size(); ++kind) weights.insert(weights.end(), kinds.weights(kind).begin(), kinds.weights(kind).end());
  nb::dict arrays;
  arrays["slot_first_bits"] = of_each(layout.slots(), [&](Slot slot) { return layout.first_bit(slot); });
  arrays["slot_bits"] = of_each(layout.slots(), [&](Slot slot) { return layout.bits(slot); });
  arrays["states"] = snapshot(explorer.states());
  arrays["first_choice_blocks"] = snapshot(rows.first_choices().block_first());
  arrays["first_choice"] = snapshot(rows.first_choices().above());
  arrays["first_transition_blocks"] = snapshot(rows.first_transitions().block_first());
  arrays["first_transition"] = snapshot(rows.first_transitions().above());
  arrays["choice_kinds"] = snapshot(rows.choice_kinds());
  arrays["targets"] = snapshot(rows.all_targets());
  arrays["kind_labels"] = of_each(kinds.size(), [&](KindId kind) { return kinds[kind].label; });
  arrays["kind_rewards"] = of_each(kinds.size(), [&](KindId kind) { return kinds[kind].reward; });
  arrays["kind_components"] = of_each(kinds.size(), [&](KindId kind) { return kinds[kind].component; });
  arrays["kind_transitions"] = of_each(kinds.size(), [&](KindId kind) { return kinds[kind].transitions; });
  arrays["kind_weights"] = give(std::move(weights));
  return arrays;
}

// --- in ------------------------------------------------------------------------------------------------------------------

// An array of Python's, whose memory stays as long as the pointer is kept; threads without Python may let go of it.
template <typename T>
std::shared_ptr<const T> kept(const nb::object& array, const T* data) {
  return std::shared_ptr<const T>(data, [held = new nb::object(array)](const T*) {
    const nb::gil_scoped_acquire python;
    delete held;
  });
}

// An array of exactly this type: one of another type would be converted into a copy, which nothing keeps.
template <typename T>
In<T> array_in(const nb::dict& arrays, const char* name) {
  In<T> array;
  if (!nb::try_cast(nb::object(arrays[name]), array, false)) throw nb::type_error(name);
  return array;
}

template <typename T>
void adopt(GrowingArray<T>& into, const nb::dict& arrays, const char* name) {
  const In<T> array = array_in<T>(arrays, name);
  into.adopt(kept(nb::object(arrays[name]), array.data()), array.size());
}

void adopt(NarrowArray& into, const nb::dict& arrays, const char* name) {
  const auto adopt_as = [&]<typename T>(T) {
    In<T> array;
    if (!nb::try_cast(nb::object(arrays[name]), array, false)) return false;
    into.adopt(kept(nb::object(arrays[name]), reinterpret_cast<const std::uint8_t*>(array.data())), array.size(), sizeof(T));
    return true;
  };
  if (!adopt_as(std::uint8_t{}) && !adopt_as(std::uint16_t{}) && !adopt_as(std::uint32_t{})) throw nb::type_error(name);
}

// The kinds in their order; false where two are the same, have no transitions, or have other weights than there are.
bool fill(Kinds& kinds, const nb::dict& arrays) {
  const auto labels = array_in<Id>(arrays, "kind_labels");
  const auto rewards = array_in<Id>(arrays, "kind_rewards");
  const auto components = array_in<Id>(arrays, "kind_components");
  const auto transitions = array_in<std::uint32_t>(arrays, "kind_transitions");
  const auto weights = array_in<Id>(arrays, "kind_weights");
  const std::size_t count = labels.size();
  if (rewards.size() != count || components.size() != count || transitions.size() != count) return false;
  std::span<const Id> left = view<Id>(weights);
  for (std::size_t kind = 0; kind < count; ++kind) {
    const std::size_t outcomes = view<std::uint32_t>(transitions)[kind];
    if (left.size() < outcomes) return false;
    if (kinds.id(view<Id>(labels)[kind], view<Id>(rewards)[kind], view<Id>(components)[kind], left.first(outcomes)) != kind) return false;
    left = left.subspan(outcomes);
  }
  return left.empty();
}

// False where the arrays cannot be states and rows of such a system; an array of another type is an error of the caller.
bool take_over(Explorer& explorer, const nb::dict& arrays, std::size_t words, std::size_t states, std::size_t expanded, std::size_t labels,
               std::size_t weights, std::size_t rewards, std::size_t components, const std::vector<std::uint32_t>& values,
               std::optional<StateId> hit) {
  const Referred referred{labels, weights, rewards, components, values};
  const auto first_bits = array_in<std::uint32_t>(arrays, "slot_first_bits");
  const auto bits = array_in<std::uint32_t>(arrays, "slot_bits");
  if (values.size() != explorer.slots() || bits.size() != values.size() || first_bits.size() != values.size()) return false;
  std::optional<Layout> layout = Layout::described(view<std::uint32_t>(first_bits), view<std::uint32_t>(bits), words);
  if (!layout) return false;
  for (Slot slot = 0; slot < layout->slots(); ++slot) {
    if (values[slot] == 0 || !layout->admit(slot, values[slot] - 1)) return false;
  }
  GrowingArray<Word> packed;
  adopt(packed, arrays, "states");
  Rows rows;
  adopt(rows.first_choices().block_first(), arrays, "first_choice_blocks");
  adopt(rows.first_choices().above(), arrays, "first_choice");
  adopt(rows.first_transitions().block_first(), arrays, "first_transition_blocks");
  adopt(rows.first_transitions().above(), arrays, "first_transition");
  adopt(rows.choice_kinds(), arrays, "choice_kinds");
  adopt(rows.all_targets(), arrays, "targets");
  if (!fill(rows.kinds(), arrays)) return false;
  if (packed.size() % words != 0 || packed.size() / words != states || states > StateStore::kMostStates || (hit && *hit >= states)) return false;
  {
    const nb::gil_scoped_release others_may_run;
    if (!is_sound(rows.kinds(), referred) || !is_sound(rows, states, expanded) || !is_sound(packed, *layout, referred)) return false;
  }
  explorer.take_over(std::move(*layout), std::move(packed), std::move(rows), hit);
  return true;
}

}  // namespace

void bind_saving(nb::module_& m) {
  m.def("arrays_of", &arrays_of);
  m.def("take_over", &take_over, "explorer"_a, "arrays"_a, "words"_a, "states"_a, "expanded"_a, "labels"_a, "weights"_a, "rewards"_a,
        "components"_a, "values"_a, "hit"_a.none());
}

}  // namespace volition

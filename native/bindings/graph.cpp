// The Python face of the graph algorithms.

#include "graph.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "accepting_sccs.hpp"
#include "arrays.hpp"
#include "automaton_product.hpp"
#include "bellman_backup.hpp"
#include "bindings.hpp"
#include "bellman_equations.hpp"
#include "reachability.hpp"
#include "gauss_seidel.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace volition {
namespace {

Graph graph_of(const In<std::int64_t>& offsets, const In<Node>& targets) { return {view(offsets), view(targets)}; }

// Looks for Ctrl-C while a long algorithm runs.
Patience for_ctrl_c() {
  return Patience([] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

Out<bool> give_flags(Flags&& flags) { return give<std::uint8_t, bool>(std::move(flags)); }

}  // namespace

void bind_graph(nb::module_& m) {
  nb::exception<TooManyNodes>(m, "TooManyNodes");

  nb::class_<BackwardGraph>(m, "BackwardGraph");
  nb::class_<EdgeMarks>(m, "EdgeMarks").def(nb::init<>()).def("__len__", &EdgeMarks::size).def("__getitem__", [](const EdgeMarks& self, std::size_t edge) {
    if (edge >= self.size()) throw nb::index_error("there is no such edge");
    return self[edge];
  });

  m.def(
      "reversed_graph",
      [](const In<std::int64_t>& offsets, const In<Node>& targets) {
        Patience patience = for_ctrl_c();
        return reversed(graph_of(offsets, targets), patience);
      },
      "offsets"_a, "targets"_a);
  m.def(
      "reversed_graph",
      [](const StateRows& rows) {
        Patience patience = for_ctrl_c();
        return reversed(rows, patience);
      },
      "rows"_a);

  m.def(
      "some_successor",
      [](const StateRows& rows, const In<bool>& inside) {
        Patience patience = for_ctrl_c();
        return give_flags(some_successor(rows, view(inside), patience));
      },
      "rows"_a, "inside"_a);
  m.def(
      "some_successor",
      [](const In<std::int64_t>& offsets, const In<Node>& targets, const In<bool>& inside) {
        Patience patience = for_ctrl_c();
        return give_flags(some_successor(graph_of(offsets, targets), view(inside), patience));
      },
      "offsets"_a, "targets"_a, "inside"_a);

  m.def(
      "can_reach",
      [](const BackwardGraph& backward, const In<bool>& goal, const In<bool>& through, std::optional<std::int64_t> steps) {
        Patience patience = for_ctrl_c();
        return give_flags(can_reach(backward, view(goal), view(through), steps, patience));
      },
      "backward"_a, "goal"_a, "through"_a, "steps"_a.none());
  m.def(
      "can_reach",
      [](const In<std::int64_t>& offsets, const In<Node>& sources, const In<bool>& goal, const In<bool>& through,
         std::optional<std::int64_t> steps) {
        Patience patience = for_ctrl_c();
        return give_flags(can_reach(graph_of(offsets, sources), view(goal), view(through), steps, patience));
      },
      "backward_offsets"_a, "sources"_a, "goal"_a, "through"_a, "steps"_a.none());

  m.def(
      "can_stay",
      [](const StateRows& rows, const BackwardGraph& backward, const In<bool>& inside) {
        Patience patience = for_ctrl_c();
        return give_flags(can_stay(rows, backward, view(inside), patience));
      },
      "rows"_a, "backward"_a, "inside"_a);

  m.def(
      "unavoidable",
      [](const In<std::int64_t>& first_choice, const In<std::int64_t>& first_transition, const In<Node>& targets, const In<bool>& choices,
         const In<bool>& goal, const In<bool>& through) {
        Patience patience = for_ctrl_c();
        const ChoiceGraph graph{view(first_choice), view(first_transition), view(targets)};
        return give_flags(unavoidable(graph, view(choices), view(goal), view(through), patience));
      },
      "first_choice"_a, "first_transition"_a, "targets"_a, "choices"_a, "goal"_a, "through"_a);

  m.def(
      "accepting_parts",
      [](const In<std::int64_t>& offsets, const In<Node>& targets, const EdgeMarks& marks, const In<bool>& inside, Marks always,
         const std::vector<std::pair<Marks, Marks>>& pairs) {
        Patience patience = for_ctrl_c();
        std::vector<StreettPair> streett;
        for (const auto& [when, then] : pairs) streett.push_back({when, then});
        AcceptingParts result = accepting_parts(graph_of(offsets, targets), marks, view(inside), always, streett, patience);
        return std::tuple{give(std::move(result.part)), give(std::move(result.required)), give(std::move(result.forbidden))};
      },
      "offsets"_a, "targets"_a, "marks"_a, "inside"_a, "always"_a, "pairs"_a);

  m.def(
      "shortest_path",
      [](const In<std::int64_t>& offsets, const In<Node>& targets, const EdgeMarks& marks, Node start, const In<bool>& inside,
         const In<bool>& goal, Marks wanted, Marks forbidden) {
        Patience patience = for_ctrl_c();
        return shortest_path(graph_of(offsets, targets), marks, start, view(inside), view(goal), wanted, forbidden, patience);
      },
      "offsets"_a, "targets"_a, "marks"_a, "start"_a, "inside"_a, "goal"_a, "wanted"_a, "forbidden"_a);

  m.def(
      "product",
      [](const StateRows& rows, const In<Marks>& choice_marks, const In<Node>& letters, std::size_t automaton_states, std::size_t num_letters, const In<std::int64_t>& first_edge,
         const In<Node>& edge_targets, const In<Marks>& edge_marks, const In<Node>& starts, const In<Node>& initial,
         std::size_t most_nodes) {
        Patience patience = for_ctrl_c();
        const Choices space{rows, view(choice_marks)};
        const Automaton automaton{automaton_states, num_letters, view(first_edge), view(edge_targets), view(edge_marks)};
        Product result = product(space, view(letters), automaton, view(starts), view(initial), most_nodes, patience);
        return std::tuple{snapshot(result.states), snapshot(result.automaton_states), snapshot(result.offsets), snapshot(result.targets),
                          std::move(result.marks)};
      },
      "rows"_a, "choice_marks"_a, "letters"_a, "automaton_states"_a, "num_letters"_a, "first_edge"_a,
      "edge_targets"_a, "edge_marks"_a, "starts"_a, "initial"_a, "most_nodes"_a);

  m.def(
      "best_before",
      [](const In<std::int64_t>& first_choice, const In<std::int64_t>& first_transition, const In<Node>& targets,
         const In<double>& probabilities, const In<double>& values, bool least) {
        Patience patience = for_ctrl_c();
        return give(best_before(view(first_choice), view(first_transition), view(targets), view(probabilities), view(values), least, patience));
      },
      "first_choice"_a, "first_transition"_a, "targets"_a, "probabilities"_a, "values"_a, "least"_a);

  m.def(
      "equations_of",
      [](const In<std::int64_t>& first_choice, const In<std::int64_t>& first_transition, const In<Node>& targets,
         const In<double>& probabilities, const In<double>& gains, const In<bool>& undecided, const In<bool>& choices, const In<bool>& staying,
         const In<std::int64_t>& component, bool may_stay) {
        Patience patience = for_ctrl_c();
        const ChoiceGraph graph{view(first_choice), view(first_transition), view(targets)};
        EquationSystem made = equations_of(graph, view(probabilities), view(gains), view(undecided), view(choices), view(staying),
                                           view(component), may_stay, patience);
        return nb::make_tuple(give(std::move(made.part)), give(std::move(made.following)), give(std::move(made.first_row)),
                              give(std::move(made.first_entry)), give(std::move(made.columns)), give(std::move(made.weights)),
                              give(std::move(made.gains)), give(std::move(made.choice_of_row)), give_flags(std::move(made.leaving)));
      },
      "first_choice"_a, "first_transition"_a, "targets"_a, "probabilities"_a, "gains"_a, "undecided"_a, "choices"_a, "staying"_a,
      "component"_a, "may_stay"_a);

  m.def(
      "sweep",
      [](const In<std::int64_t>& first_row, const In<std::int64_t>& first_entry, const In<Node>& columns, const In<double>& weights,
         const In<double>& gains, const In<double>& values, bool least, double tolerance, std::size_t most_sweeps) {
        Patience patience = for_ctrl_c();
        Swept swept = sweep(view(first_row), view(first_entry), view(columns), view(weights), view(gains), view(values), least, tolerance,
                            most_sweeps, patience);
        return nb::make_tuple(give(std::move(swept.values)), swept.settled);
      },
      "first_row"_a, "first_entry"_a, "columns"_a, "weights"_a, "gains"_a, "values"_a, "least"_a, "tolerance"_a, "most_sweeps"_a);
}

}  // namespace volition

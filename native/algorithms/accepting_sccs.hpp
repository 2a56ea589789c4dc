// Where a run can stay for ever and be accepted: strongly connected parts under strong fairness.
//
// Literature: Tarjan (1972) for strongly connected components; Emerson and Lei, "Modalities for model checking" (1987) for their
// refinement under strong fairness.
#pragma once

#include <span>
#include <vector>

#include "edge_marks.hpp"
#include "graph.hpp"
#include "poll_timer.hpp"

namespace volition {

// "Infinitely often some edge marked `when` implies infinitely often some edge marked `then`."
struct StreettPair {
  Marks request;
  Marks response;
};

// The strongly connected parts in which a run can stay for ever and be accepted.
struct AcceptingSccs {
  std::vector<Node> scc_of_node;         // of each node; kNone outside
  std::vector<Marks> required;    // of each part: the marks that an accepted loop collects
  std::vector<Marks> forbidden;   // of each part: edges with one of these marks are not used
};

// A run is accepted if it sees each mark of `always` infinitely often and obeys every pair.  Only parts inside are looked for.
AcceptingSccs accepting_sccs(const Graph& graph, const EdgeMarks& marks, std::span<const bool> inside, Marks inf_marks,
                               const std::vector<StreettPair>& pairs, PollTimer& timer);

}  // namespace volition

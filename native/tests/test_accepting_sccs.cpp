#include "accepting_sccs.hpp"

#include <algorithm>

#include "random_graphs.hpp"

namespace volition {
namespace {

using testing::Dice;
using testing::RandomGraph;
using testing::RandomSet;

// Reference implementation of accepting_sccs: decides which nodes an accepted run can visit
// infinitely often. It tries every set of marks that a run may see only finitely often.
class Naive {
 public:
  Naive(const Graph& graph, const std::vector<Marks>& marks, Marks inf_marks,
        const std::vector<StreettPair>& pairs)
      : graph_(graph), marks_(marks), inf_marks_(inf_marks), pairs_(pairs) {}

  // Returns the nodes that some accepted run visits infinitely often without leaving `inside`.
  [[nodiscard]] Flags accepting(const RandomSet& inside) const {
    const std::size_t n = graph_.size();
    Flags result(n, 0);
    // Let `forbidden` be the marks that an accepted run sees only finitely often. From some time
    // on, the run takes only edges without these marks, all in one strongly connected component.
    // Another run takes all such edges of the component again and again. It sees the same marks
    // infinitely often, so it is accepted too. Therefore it suffices to consider, for each set
    // `forbidden`, the runs that take all such edges.
    for (Marks forbidden = 0; forbidden < 16; ++forbidden) {
      const auto reach = reachable(inside, forbidden);
      for (std::size_t node = 0; node < n; ++node) {
        if (!reach[node][node]) continue;
        Marks seen = 0;
        for (std::size_t from = 0; from < n; ++from) {
          for (std::int64_t edge = graph_.offsets[from]; edge < graph_.offsets[from + 1]; ++edge) {
            const auto e = static_cast<std::size_t>(edge);
            const Node to = graph_.targets[e];
            const bool together =
                reach[node][from] && reach[from][node] && reach[node][to] && reach[to][node];
            if (together && usable(e, inside, forbidden)) seen |= marks_[e];
          }
        }
        const bool satisfied = std::ranges::all_of(pairs_, [&](const StreettPair& pair) {
          return (seen & pair.request) == 0 || (seen & pair.response) != 0;
        });
        if ((seen & inf_marks_) == inf_marks_ && satisfied) result[node] = 1;
      }
    }
    return result;
  }

 private:
  [[nodiscard]] bool usable(std::size_t edge, const RandomSet& inside, Marks forbidden) const {
    return inside[graph_.targets[edge]] && (marks_[edge] & forbidden) == 0;
  }
  // Returns for each pair of nodes whether a path of at least one edge leads from the first to the
  // second. The path stays in `inside` and has no edge with a forbidden mark.
  [[nodiscard]] std::vector<std::vector<bool>> reachable(const RandomSet& inside,
                                                         Marks forbidden) const {
    const std::size_t n = graph_.size();
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
    for (std::size_t node = 0; node < n; ++node) {
      if (!inside[node]) continue;
      for (std::int64_t edge = graph_.offsets[node]; edge < graph_.offsets[node + 1]; ++edge) {
        if (usable(static_cast<std::size_t>(edge), inside, forbidden)) {
          reach[node][graph_.targets[static_cast<std::size_t>(edge)]] = true;
        }
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
        }
      }
    }
    return reach;
  }

  const Graph& graph_;
  const std::vector<Marks>& marks_;
  Marks inf_marks_;
  const std::vector<StreettPair>& pairs_;
};

TEST(accepting_sccs_match_the_definition) {
  Dice dice(9);
  int accepting = 0;
  for (int round = 0; round < 2000; ++round) {
    const RandomGraph random(dice);
    const Graph graph = random.graph();
    const RandomSet inside(dice, random.size(), 3);
    const Marks inf_marks = dice.below(4);
    std::vector<StreettPair> pairs;
    for (std::uint32_t i = dice.below(3); i > 0; --i) {
      pairs.push_back({dice.below(16), dice.below(16)});
    }
    PollTimer timer = testing::never_polling();
    const AcceptingSccs sccs =
        accepting_sccs(graph, EdgeMarks(random.marks), inside.view(), inf_marks, pairs, timer);
    const Flags expected = Naive(graph, random.marks, inf_marks, pairs).accepting(inside);
    for (std::size_t node = 0; node < random.size(); ++node) {
      CHECK((sccs.scc_of_node[node] != kNone) == (expected[node] != 0));
      accepting += expected[node];
    }
    // Check the marks that are reported for each SCC: its edges without a forbidden mark have all
    // of its required marks, and a run that sees these required marks satisfies every Streett pair.
    for (std::size_t scc = 0; scc < sccs.required.size(); ++scc) {
      Marks seen = 0;
      for (std::size_t node = 0; node < random.size(); ++node) {
        for (std::int64_t edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
          const auto e = static_cast<std::size_t>(edge);
          const bool within =
              sccs.scc_of_node[node] == scc && sccs.scc_of_node[graph.targets[e]] == scc;
          if (within && (random.marks[e] & sccs.forbidden[scc]) == 0) seen |= random.marks[e];
        }
      }
      CHECK((sccs.required[scc] & inf_marks) == inf_marks);
      CHECK((seen & sccs.required[scc]) == sccs.required[scc]);
      for (const StreettPair& pair : pairs) {
        CHECK((seen & pair.request) == 0 || (sccs.required[scc] & pair.response) != 0);
      }
    }
  }
  CHECK(accepting > 100);
}

}  // namespace
}  // namespace volition

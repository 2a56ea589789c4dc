// Strongly connected components of a graph.
//
// Literature: Tarjan, "Depth-first search and linear graph algorithms" (1972).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "edge_marks.hpp"
#include "graph.hpp"
#include "poll_timer.hpp"

namespace volition {

// Tarjan's algorithm without recursion, restricted to given nodes and to the edges without a
// forbidden mark. It also collects the marks of the edges inside each SCC, so that each edge is
// visited once.
class SccFinder {
 public:
  SccFinder(const Graph& graph, const EdgeMarks& marks, PollTimer& timer)
      : graph_(graph), marks_(marks), timer_(timer), order_(graph.size(), kDone) {}

  // Calls on_scc(nodes, has_edges, marks) for each SCC of the subgraph, in reverse topological
  // order.
  template <typename OnScc>
  void find(const std::vector<Node>& nodes, Marks forbidden, OnScc&& on_scc) {
    // Between calls all nodes are marked kDone, so the search does not enter nodes outside `nodes`.
    for (const Node node : nodes) order_[node] = kUnseen;
    for (const Node root : nodes) {
      if (order_[root] == kUnseen) search(root, forbidden, on_scc);
    }
  }

 private:
  // Node on the current path of the depth-first search. `low` is the number of the earliest node on
  // Tarjan's stack known to be reachable from this node. `edge` is the next edge to visit.
  // `has_edges` and `marks` describe the edges inside its SCC that were found so far.
  struct Frame {
    Node node;
    std::uint32_t low;
    std::int64_t edge;
    Marks marks;
    bool has_edges;
  };
  static constexpr std::uint32_t kUnseen = 0;
  static constexpr std::uint32_t kDone = 0xffffffffu;

  [[nodiscard]] Marks marks_of(std::int64_t edge) const {
    return marks_.empty() ? 0 : marks_[static_cast<std::size_t>(edge)];
  }

  void enter(Node node) {
    order_[node] = ++clock_;
    stack_.push_back(node);
    frames_.push_back({node, clock_, graph_.offsets[node], 0, false});
  }

  template <typename OnScc>
  void search(Node root, Marks forbidden, OnScc&& on_scc) {
    clock_ = 0;
    enter(root);
    while (!frames_.empty()) {
      timer_.tick();
      Frame& frame = frames_.back();
      if (frame.edge < graph_.offsets[frame.node + 1]) {
        const std::int64_t edge = frame.edge++;
        const std::uint32_t order = order_[graph_.targets[static_cast<std::size_t>(edge)]];
        if (order == kDone || (marks_of(edge) & forbidden) != 0) continue;
        if (order == kUnseen) {
          enter(graph_.targets[static_cast<std::size_t>(edge)]);
        } else {
          // The target is on Tarjan's stack, so the edge is inside an SCC.
          frame.low = std::min(frame.low, order);
          frame.marks |= marks_of(edge);
          frame.has_edges = true;
        }
        continue;
      }
      const Frame done = frame;
      frames_.pop_back();
      if (done.low == order_[done.node]) {
        pop_scc(done, on_scc);
      } else {
        Frame& parent = frames_.back();
        parent.low = std::min(parent.low, done.low);
        parent.marks |= done.marks | marks_of(parent.edge - 1);
        parent.has_edges = true;
      }
    }
  }

  template <typename OnScc>
  void pop_scc(const Frame& root, OnScc&& on_scc) {
    scc_.clear();
    Node node;
    do {
      node = stack_.back();
      stack_.pop_back();
      order_[node] = kDone;
      scc_.push_back(node);
    } while (node != root.node);
    on_scc(scc_, root.has_edges, root.marks);
  }

  const Graph& graph_;
  const EdgeMarks& marks_;
  PollTimer& timer_;
  std::vector<std::uint32_t> order_;
  std::uint32_t clock_ = 0;
  std::vector<Node> stack_;
  std::vector<Frame> frames_;
  std::vector<Node> scc_;
};

}  // namespace volition

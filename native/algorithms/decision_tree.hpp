// Decision tree of a traced function: which slot it reads first, which one next given that value,
// and its result.
//
// A function of the system, such as
//
//     def step(state):
//         if state["door"] == "shut":                   # slot 0: "open" has id 0, "shut" has id 1
//             return [open the door]                    # result A
//         return [go through] if state["lamp"] else []  # slot 1: False has id 0, True has id 1;
//                                                       # results B and C
//
// is a black box here: only its reads and its result are observed. Each new sequence of reads is a
// path from the root. The tree after the states (door, lamp, room) = (1, 0, 7), (0, 1, 7) and
// (0, 0, 7):
//
//     state (1, 0, 7)            state (0, 1, 7)               state (0, 0, 7)
//     reads door=1, returns A    reads door=0, lamp=1,         reads door=0, lamp=0,
//                                returns B                     returns C
//
//         [door]                      [door]                        [door]
//            |1                       0/   \1                       0/   \1
//            A                    [lamp]    A                   [lamp]    A
//                                    |1                         0/  \1
//                                    B                          C    B
//
// From then on these paths replace the function: state (1, 1, 9) follows door=1 to A, although it
// was never traced, and state (0, 1, 8) follows door=0, lamp=1 to B. Slots that were not read (the
// room, and the lamp if the door is shut) make no difference, so few runs serve many states.
//
// This is sound because the function is pure. Its behaviour depends only on what it reads, so after
// the same reads it reads the same slot next or returns the same result. A run that contradicts a
// path in the tree proves the function impure, and `insert` throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "layout.hpp"

namespace volition {

using LeafId = std::uint32_t;
using Reads = std::vector<std::pair<Slot, ValueId>>;

struct ImpureFunction : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class DecisionTree {
 public:
  static constexpr std::int64_t kUnknown = -1;

  // Returns the leaf for a state, or kUnknown if no traced run has read these values.
  [[nodiscard]] std::int64_t walk(const Layout& layout, const Word* state) const {
    return walk(layout, state, [](Slot) {});
  }
  // Returns the leaf for a state, or kUnknown if no traced run has read these values. Calls
  // `on_read` for each slot that is read on the path.
  template <typename OnRead>
  std::int64_t walk(const Layout& layout, const Word* state, OnRead&& on_read) const {
    return walk_from(root(), layout, state, on_read);
  }

  // Reference to a part of the tree: to an inner node (>= 0, its index), to a leaf (< 0, the
  // bitwise complement of its id), or kNone. It stays valid when the tree grows.
  using Link = std::int32_t;
  [[nodiscard]] static bool is_leaf(Link link) { return link < 0 && link != kNone; }
  [[nodiscard]] static LeafId leaf_at(Link link) { return static_cast<LeafId>(~link); }
  // Returns the slot that the function reads first, or nullopt if it reads nothing or never ran.
  [[nodiscard]] std::optional<Slot> first_slot() const {
    return root() >= 0 ? std::optional<Slot>(nodes_[static_cast<std::size_t>(root())].slot)
                       : std::nullopt;
  }
  // Returns the link at which the evaluation of a state continues if `slot` is known to hold
  // `value`. If the function reads `slot` first, this is the link that this value leads to, or
  // kNone if no traced run has read this value. If the function reads another slot first, or none,
  // it is the root.
  [[nodiscard]] Link link_after_first_read(Slot slot, ValueId value) const {
    return first_slot() == slot ? find(nodes_[static_cast<std::size_t>(root())], value) : root();
  }
  // Returns the link to the root, at which the evaluation of every state starts.
  [[nodiscard]] Link root() const { return edges_[kRoot].link; }
  // Calls `on_slot` for every slot that is read below a link, once per node that reads it. Stops
  // and returns false as soon as `on_slot` returns false. Returns true otherwise.
  template <typename OnSlot>
  bool for_each_slot_below(Link at, OnSlot&& on_slot) const {
    if (at < 0) return true;
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    if (!on_slot(node.slot)) return false;
    for (std::uint32_t i = 0; i < node.capacity; ++i) {
      if (!for_each_slot_below(edges_[node.edges + i].link, on_slot)) return false;
    }
    return true;
  }
  template <typename OnRead>
  std::int64_t walk_from(Link at, const Layout& layout, const Word* state, OnRead&& on_read) const {
    while (at >= 0) {
      const Node& node = nodes_[static_cast<std::size_t>(at)];
      on_read(node.slot);
      at = find(node, layout.get(state, node.slot));
    }
    return at == kNone ? kUnknown : static_cast<std::int64_t>(~at);
  }

  // Visits the leaves that are reachable if each slot can hold several values. `values_at(slot)`
  // returns the values that a slot can hold; this list may grow during the visit. Calls `on_leaf`
  // at each leaf. Stops when `keep_going()` returns false.
  template <typename ValuesAt, typename OnLeaf, typename KeepGoing>
  void for_each_reachable_leaf(ValuesAt&& values_at, OnLeaf&& on_leaf,
                               KeepGoing&& keep_going) const {
    for_each_reachable_leaf_from(root(), values_at, on_leaf, keep_going);
  }

  // Adds one run of the function. Throws ImpureFunction if it contradicts an earlier run.
  void insert(const Reads& reads, LeafId leaf) {
    std::size_t edge = kRoot;
    for (const auto& [slot, value] : reads) {
      if (edges_[edge].link == kNone) {
        // new_node may reallocate edges_, so it must not be called inside the assignment.
        const std::int32_t node = new_node(slot);
        edges_[edge].link = node;
      }
      if (edges_[edge].link < 0) {
        throw ImpureFunction(
            "it read more slots than the last time, although it saw the same values");
      }
      Node& node = nodes_[static_cast<std::size_t>(edges_[edge].link)];
      if (node.slot != slot) {
        throw ImpureFunction(
            "it read another slot than the last time, although it saw the same values");
      }
      edge = edge_to(node, value);
    }
    const std::int32_t answer = ~static_cast<std::int32_t>(leaf);
    std::int32_t& link = edges_[edge].link;
    if (link == kNone) {
      link = answer;
    } else if (link != answer) {
      throw ImpureFunction(
          link >= 0
              ? "it read fewer slots than the last time, although it saw the same values"
              : "it returned another result than the last time, although it saw the same values");
    }
  }

  [[nodiscard]] std::size_t bytes() const {
    return nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge);
  }

 private:
  static constexpr Link kNone = INT32_MIN;
  static constexpr ValueId kNoValue = UINT32_MAX;

  struct Node {
    Slot slot;
    std::uint32_t edges;     // index of its first edge in edges_
    std::uint32_t capacity;  // a power of two
    std::uint32_t count;
  };
  struct Edge {
    ValueId value;
    std::int32_t link;
  };

  // Returns the link of the edge for a value, or kNone if there is no such edge. The edges of a
  // node form a small open-addressing table. Value ids are dense, so value modulo capacity rarely
  // collides.
  [[nodiscard]] std::int32_t find(const Node& node, ValueId value) const {
    const Edge* edges = edges_.data() + node.edges;
    const std::uint32_t mask = node.capacity - 1;
    for (std::uint32_t i = value & mask;; i = (i + 1) & mask) {
      if (edges[i].value == value) return edges[i].link;
      if (edges[i].value == kNoValue) return kNone;
    }
  }

  template <typename ValuesAt, typename OnLeaf, typename KeepGoing>
  void for_each_reachable_leaf_from(std::int32_t at, ValuesAt& values_at, OnLeaf& on_leaf,
                                    KeepGoing& keep_going) const {
    if (at == kNone) return;
    if (at < 0) {
      on_leaf(static_cast<LeafId>(~at));
      return;
    }
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    const std::vector<ValueId>& values = values_at(node.slot);
    for (std::size_t i = 0; keep_going() && i < values.size(); ++i) {
      for_each_reachable_leaf_from(find(node, values[i]), values_at, on_leaf, keep_going);
    }
  }

  std::int32_t new_node(Slot slot) {
    nodes_.push_back(Node{slot, new_edges(2), 2, 0});
    return static_cast<std::int32_t>(nodes_.size() - 1);
  }

  std::uint32_t new_edges(std::uint32_t capacity) {
    const auto begin = static_cast<std::uint32_t>(edges_.size());
    edges_.resize(edges_.size() + capacity, Edge{kNoValue, kNone});
    return begin;
  }

  std::size_t edge_to(Node& node, ValueId value) {
    if (2 * (node.count + 1) > node.capacity) grow(node);
    const std::size_t edge = edge_index(node, value);
    if (edges_[edge].value == kNoValue) {
      edges_[edge].value = value;
      ++node.count;
    }
    return edge;
  }

  // Returns the index of the edge for a value; if there is none, the index of the free edge where
  // it belongs.
  [[nodiscard]] std::size_t edge_index(const Node& node, ValueId value) const {
    const std::uint32_t mask = node.capacity - 1;
    std::uint32_t i = value & mask;
    while (edges_[node.edges + i].value != value && edges_[node.edges + i].value != kNoValue) {
      i = (i + 1) & mask;
    }
    return node.edges + i;
  }

  void grow(Node& node) {
    const Node old = node;
    node.capacity *= 2;
    node.edges = new_edges(node.capacity);
    for (std::uint32_t i = 0; i < old.capacity; ++i) {
      const Edge edge = edges_[old.edges + i];
      if (edge.value != kNoValue) edges_[edge_index(node, edge.value)] = edge;
    }
  }

  static constexpr std::size_t kRoot = 0;  // edge that leads into the tree

  std::vector<Node> nodes_;
  std::vector<Edge> edges_{Edge{kNoValue, kNone}};
};

}  // namespace volition

// What a traced function did, remembered: which slot it read first, which next given that value, and its answer.
//
// A function of the system, such as
//
//     def step(state):
//         if state["door"] == "shut":                     # slot 0: "open" has id 0, "shut" has id 1
//             return [open the door]                      # answer A
//         return [go through] if state["lamp"] else []    # slot 1: False has id 0, True has id 1; answers B and C
//
// is a black box here: nobody looks at its text.  What it reads is enough.  Each new reading is one path from the root; the tree after
// the states (door, lamp, room) = (1, 0, 7), (0, 1, 7) and (0, 0, 7):
//
//     state (1, 0, 7)            state (0, 1, 7)               state (0, 0, 7)
//     reads door=1, answers A    reads door=0, lamp=1,         reads door=0, lamp=0,
//                                answers B                     answers C
//
//         [door]                      [door]                        [door]
//            |1                       0/   \1                       0/   \1
//            A                    [lamp]    A                   [lamp]    A
//                                    |1                         0/  \1
//                                    B                          C    B
//
// From then on the function need not run: state (1, 1, 9) walks door=1 and gets A, though it was never seen; state (0, 1, 8) walks door=0,
// lamp=1 and gets B.  What was not read (the room, and the lamp where the door is shut) makes no difference, so few runs serve many states.
//
// This is right because the function is pure: it can tell two states apart only by what it reads, so after the same reads it reads the
// same slot next or gives the same answer.  A run that does otherwise meets a node of another slot, an answer where it reads on, or
// another answer than its own: that proves the function impure, and `insert` says so.
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

  // The leaf that the state leads to, or kUnknown if no run of the function has read these values yet.
  [[nodiscard]] std::int64_t walk(const Layout& layout, const Word* state) const {
    return walk(layout, state, [](Slot) {});
  }
  // The same, and tells each slot that is read on the way.
  template <typename OnRead>
  std::int64_t walk(const Layout& layout, const Word* state, OnRead&& on_read) const {
    return walk_from(root(), layout, state, on_read);
  }

  // A place in the tree, which stays what it is however the tree grows: a node (>= 0), the complement of a leaf (< 0), or kNone.
  using Link = std::int32_t;
  [[nodiscard]] static bool is_leaf(Link link) { return link < 0 && link != kNone; }
  [[nodiscard]] static LeafId leaf_at(Link link) { return static_cast<LeafId>(~link); }
  // The slot that the function reads first; none where it reads nothing, or never ran.
  [[nodiscard]] std::optional<Slot> first_slot() const {
    return root() >= 0 ? std::optional<Slot>(nodes_[static_cast<std::size_t>(root())].slot) : std::nullopt;
  }
  // Where the function goes on that reads this value of a slot first: in a state that the tree knows.  Another slot's tree begins at its root.
  [[nodiscard]] Link link_after_first_read(Slot slot, ValueId value) const {
    return first_slot() == slot ? find(nodes_[static_cast<std::size_t>(root())], value) : root();
  }
  // Where every run of the function begins.
  [[nodiscard]] Link root() const { return edges_[kRoot].link; }
  // Tells every slot that is read somewhere behind a place, again and again; false as soon as `on_slot` wants to hear no more.
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

  // Every node and leaf that a state can lead to whose slots hold one of several values each: `values_at(slot)` for a node, which may get more
  // values meanwhile, and `on_leaf`; as long as `go_on` says so.
  template <typename ValuesAt, typename OnLeaf, typename KeepGoing>
  void for_each_reachable_leaf(ValuesAt&& values_at, OnLeaf&& on_leaf, KeepGoing&& keep_going) const {
    for_each_reachable_leaf_from(root(), values_at, on_leaf, keep_going);
  }

  // Remembers one run of the function.  A run that contradicts an earlier one proves the function impure.
  void insert(const Reads& reads, LeafId leaf) {
    std::size_t edge = kRoot;
    for (const auto& [slot, value] : reads) {
      if (edges_[edge].link == kNone) {
        const std::int32_t node = new_node(slot);  // moves edges_: not to be written into the subscript's statement
        edges_[edge].link = node;
      }
      if (edges_[edge].link < 0) throw ImpureFunction("it read more slots than the last time, although it saw the same values");
      Node& node = nodes_[static_cast<std::size_t>(edges_[edge].link)];
      if (node.slot != slot) throw ImpureFunction("it read another slot than the last time, although it saw the same values");
      edge = edge_to(node, value);
    }
    const std::int32_t answer = ~static_cast<std::int32_t>(leaf);
    std::int32_t& link = edges_[edge].link;
    if (link == kNone) {
      link = answer;
    } else if (link != answer) {
      throw ImpureFunction(link >= 0 ? "it read fewer slots than the last time, although it saw the same values"
                                     : "it returned another result than the last time, although it saw the same values");
    }
  }

  [[nodiscard]] std::size_t bytes() const { return nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge); }

 private:
  static constexpr Link kNone = INT32_MIN;
  static constexpr ValueId kNoValue = UINT32_MAX;

  struct Node {
    Slot slot;
    std::uint32_t edges;     // where its edges begin in edges_
    std::uint32_t capacity;  // a power of two
    std::uint32_t count;
  };
  struct Edge {
    ValueId value;
    std::int32_t link;
  };

  // Edges of a node are a small open-addressing table.  Value ids are dense, so value modulo capacity rarely collides.
  [[nodiscard]] std::int32_t find(const Node& node, ValueId value) const {
    const Edge* edges = edges_.data() + node.edges;
    const std::uint32_t mask = node.capacity - 1;
    for (std::uint32_t i = value & mask;; i = (i + 1) & mask) {
      if (edges[i].value == value) return edges[i].link;
      if (edges[i].value == kNoValue) return kNone;
    }
  }

  template <typename ValuesAt, typename OnLeaf, typename KeepGoing>
  void for_each_reachable_leaf_from(std::int32_t at, ValuesAt& values_at, OnLeaf& on_leaf, KeepGoing& keep_going) const {
    if (at == kNone) return;
    if (at < 0) {
      on_leaf(static_cast<LeafId>(~at));
      return;
    }
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    const std::vector<ValueId>& values = values_at(node.slot);
    for (std::size_t i = 0; keep_going() && i < values.size(); ++i) for_each_reachable_leaf_from(find(node, values[i]), values_at, on_leaf, keep_going);
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

  // Where the edge of a value is, or belongs.
  [[nodiscard]] std::size_t edge_index(const Node& node, ValueId value) const {
    const std::uint32_t mask = node.capacity - 1;
    std::uint32_t i = value & mask;
    while (edges_[node.edges + i].value != value && edges_[node.edges + i].value != kNoValue) i = (i + 1) & mask;
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

  static constexpr std::size_t kRoot = 0;  // the edge into the tree

  std::vector<Node> nodes_;
  std::vector<Edge> edges_{Edge{kNoValue, kNone}};
};

}  // namespace volition

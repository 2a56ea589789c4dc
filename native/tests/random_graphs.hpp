// Random graphs and random sets of nodes, for tests.
#pragma once

#include <memory>
#include <vector>

#include "edge_marks.hpp"
#include "graph.hpp"
#include "testing.hpp"
#include "transition_matrix.hpp"

namespace volition::testing {

struct Arrays {
  std::vector<std::int64_t> offsets;
  std::vector<Node> targets;
};

struct RandomGraph {
  Arrays arrays;
  std::vector<Marks> marks;

  explicit RandomGraph(Dice& dice) {
    const std::uint32_t nodes = 1 + dice.below(9);
    arrays.offsets.push_back(0);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      for (std::uint32_t edges = dice.below(4); edges > 0; --edges) {
        arrays.targets.push_back(dice.below(nodes));
        marks.push_back(dice.below(16));
      }
      arrays.offsets.push_back(static_cast<std::int64_t>(arrays.targets.size()));
    }
  }

  [[nodiscard]] Graph graph() const { return {arrays.offsets, arrays.targets}; }
  // Returns a transition matrix in which each node is a state with one choice, whose transitions
  // are the edges of the node.
  [[nodiscard]] TransitionMatrix matrix() const {
    TransitionMatrix result;
    for (std::size_t node = 0; node < size(); ++node) {
      std::vector<std::pair<StateId, ObjectId>> transitions;
      for (const Node target : graph().successors(node)) transitions.emplace_back(target, 0);
      result.add_choice(0, 0, 0, transitions);
      result.finish_state();
    }
    return result;
  }
  [[nodiscard]] std::size_t size() const { return arrays.offsets.size() - 1; }
};

// Random set of nodes. It does not use std::vector<bool>, which cannot be viewed as a span.
class RandomSet {
 public:
  RandomSet(Dice& dice, std::size_t size, std::uint32_t of_four)
      : values_(new bool[size]), size_(size) {
    for (std::size_t i = 0; i < size; ++i) values_[i] = dice.below(4) < of_four;
  }
  [[nodiscard]] std::span<const bool> view() const { return {values_.get(), size_}; }
  bool operator[](std::size_t i) const { return values_[i]; }

 private:
  std::unique_ptr<bool[]> values_;
  std::size_t size_;
};

}  // namespace volition::testing

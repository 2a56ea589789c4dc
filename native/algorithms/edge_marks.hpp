// Acceptance marks of each edge of a graph. Each distinct set of marks is stored once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph.hpp"
#include "narrow_array.hpp"

namespace volition {

class EdgeMarks {
 public:
  EdgeMarks() = default;
  explicit EdgeMarks(std::span<const Marks> marks) {
    for (const Marks each : marks) push_back(each);
  }

  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  Marks operator[](std::size_t edge) const { return sets_[ids_[edge]]; }

  void push_back(Marks marks) {
    if (sets_.empty() || sets_[last_] != marks) {
      const auto [found, is_new] =
          known_.try_emplace(marks, static_cast<std::uint32_t>(sets_.size()));
      if (is_new) sets_.push_back(marks);
      last_ = found->second;
    }
    ids_.push_back(last_);
  }

 private:
  NarrowArray ids_;
  std::vector<Marks> sets_;
  std::unordered_map<Marks, std::uint32_t> known_;
  std::uint32_t last_ = 0;  // neighbouring edges often have the same marks
};

}  // namespace volition

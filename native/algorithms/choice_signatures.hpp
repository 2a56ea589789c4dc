// What choices have in common: few combinations of a label, a reward, a component and the weights of the outcomes serve many choices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace volition {

using Id = std::uint32_t;      // of a label, weight or reward: an object that Python keeps
using KindId = std::uint32_t;

struct Kind {
  Id label;
  Id reward;
  Id component;
  std::uint32_t transitions;
  std::size_t first_weight;  // where the weights of its transitions begin, among those of all kinds
};

// Kinds are numbered in the order in which they are met.
class Kinds {
 public:
  [[nodiscard]] std::size_t size() const { return kinds_.size(); }
  const Kind& operator[](KindId kind) const { return kinds_[kind]; }
  [[nodiscard]] std::span<const Id> weights(KindId kind) const {
    return std::span(weights_).subspan(kinds_[kind].first_weight, kinds_[kind].transitions);
  }
  [[nodiscard]] std::size_t bytes() const {
    return kinds_.capacity() * sizeof(Kind) + weights_.capacity() * sizeof(Id) + table_.capacity() * sizeof(KindId);
  }

  KindId id(Id label, Id reward, Id component, std::span<const Id> weights) {
    std::size_t i = hash(label, reward, component, weights) & (table_.size() - 1);
    for (; table_[i] != kFree; i = (i + 1) & (table_.size() - 1)) {
      const Kind& kind = kinds_[table_[i]];
      if (kind.label == label && kind.reward == reward && kind.component == component && std::ranges::equal(this->weights(table_[i]), weights)) {
        return table_[i];
      }
    }
    const auto added = static_cast<KindId>(kinds_.size());
    table_[i] = added;
    kinds_.push_back(Kind{label, reward, component, static_cast<std::uint32_t>(weights.size()), weights_.size()});
    weights_.insert(weights_.end(), weights.begin(), weights.end());
    if (2 * kinds_.size() > table_.size()) grow();
    return added;
  }

 private:
  static constexpr KindId kFree = UINT32_MAX;

  static std::uint64_t hash(Id label, Id reward, Id component, std::span<const Id> weights) {
    std::uint64_t h = mix((static_cast<std::uint64_t>(label) << 32) | reward) + component;
    for (const Id weight : weights) h = mix(h ^ weight);
    return mix(h);
  }
  static std::uint64_t mix(std::uint64_t x) {
    x *= 0x9e3779b97f4a7c15u;
    return x ^ (x >> 29);
  }

  void grow() {
    table_.assign(2 * table_.size(), kFree);
    for (std::size_t id = 0; id < kinds_.size(); ++id) {
      const Kind& kind = kinds_[id];
      std::size_t i = hash(kind.label, kind.reward, kind.component, weights(static_cast<KindId>(id))) & (table_.size() - 1);
      while (table_[i] != kFree) i = (i + 1) & (table_.size() - 1);
      table_[i] = static_cast<KindId>(id);
    }
  }

  std::vector<Kind> kinds_;
  std::vector<Id> weights_;
  std::vector<KindId> table_ = std::vector<KindId>(64, kFree);  // open addressing
};

}  // namespace volition

// Choice signatures, each stored once. A signature is all that is known about a choice except its
// targets: label, reward, component and weights of the outcomes. Many choices have the same
// signature.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace volition {

using ObjectId = std::uint32_t;  // id of a label, weight or reward object held by Python
using SignatureId = std::uint32_t;

struct ChoiceSignature {
  ObjectId label;
  ObjectId reward;
  ObjectId component;
  std::uint32_t transitions;
  std::size_t first_weight;  // index of its first weight among the weights of all signatures
};

// Table of choice signatures, numbered in order of first use.
class ChoiceSignatures {
 public:
  [[nodiscard]] std::size_t size() const { return signatures_.size(); }
  const ChoiceSignature& operator[](SignatureId signature) const { return signatures_[signature]; }
  [[nodiscard]] std::span<const ObjectId> weights(SignatureId signature) const {
    return std::span(weights_).subspan(signatures_[signature].first_weight,
                                       signatures_[signature].transitions);
  }
  [[nodiscard]] std::size_t bytes() const {
    return signatures_.capacity() * sizeof(ChoiceSignature) +
           weights_.capacity() * sizeof(ObjectId) + table_.capacity() * sizeof(SignatureId);
  }

  SignatureId intern(ObjectId label, ObjectId reward, ObjectId component,
                     std::span<const ObjectId> weights) {
    std::size_t i = hash(label, reward, component, weights) & (table_.size() - 1);
    for (; table_[i] != kFree; i = (i + 1) & (table_.size() - 1)) {
      const ChoiceSignature& signature = signatures_[table_[i]];
      if (signature.label == label && signature.reward == reward &&
          signature.component == component &&
          std::ranges::equal(this->weights(table_[i]), weights)) {
        return table_[i];
      }
    }
    const auto added = static_cast<SignatureId>(signatures_.size());
    table_[i] = added;
    signatures_.push_back(ChoiceSignature{
        label, reward, component, static_cast<std::uint32_t>(weights.size()), weights_.size()});
    weights_.insert(weights_.end(), weights.begin(), weights.end());
    if (2 * signatures_.size() > table_.size()) grow();
    return added;
  }

 private:
  static constexpr SignatureId kFree = UINT32_MAX;

  static std::uint64_t hash(ObjectId label, ObjectId reward, ObjectId component,
                            std::span<const ObjectId> weights) {
    std::uint64_t h = mix((static_cast<std::uint64_t>(label) << 32) | reward) + component;
    for (const ObjectId weight : weights) h = mix(h ^ weight);
    return mix(h);
  }
  static std::uint64_t mix(std::uint64_t x) {
    x *= 0x9e3779b97f4a7c15u;
    return x ^ (x >> 29);
  }

  void grow() {
    table_.assign(2 * table_.size(), kFree);
    for (std::size_t id = 0; id < signatures_.size(); ++id) {
      const ChoiceSignature& signature = signatures_[id];
      std::size_t i = hash(signature.label, signature.reward, signature.component,
                           weights(static_cast<SignatureId>(id))) &
                      (table_.size() - 1);
      while (table_[i] != kFree) i = (i + 1) & (table_.size() - 1);
      table_[i] = static_cast<SignatureId>(id);
    }
  }

  std::vector<ChoiceSignature> signatures_;
  std::vector<ObjectId> weights_;
  std::vector<SignatureId> table_ = std::vector<SignatureId>(64, kFree);  // open addressing
};

}  // namespace volition

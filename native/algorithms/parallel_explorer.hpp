// Exploration by several threads, with the same result as by one, number for number.
//
// A batch of states is expanded in four steps:
//   1. make      all threads: chunks of states are expanded, as far as no question to Python comes up; the batch ends at the first question
//   2. claim     all threads: each looks up, or claims, the successors whose hashes lie in its own regions of the table, in their order
//   3. number    one thread: in the order of the states, what is new gets the next number, and rows are written, as by one thread alone
//   4. settle    all threads: claims in the table become those numbers
//
// While one thread numbers, the others make the next batch already.  A question is answered by the one thread that asks Python, alone, for
// the state that the batch ended at.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "thread_pool.hpp"
#include "expansion.hpp"
#include "explorer.hpp"

namespace volition {

class ParallelExplorer {
 public:
  ParallelExplorer(Explorer& explorer, const Limits& limits);

  // Whether the next states are a batch for several threads.
  [[nodiscard]] bool is_worthwhile();
  // Expands a batch, or less of it; says how the exploration ended, if it has.
  std::optional<ExplorationStatus> expand_batch(Explorer::Context& context, const std::function<std::optional<ExplorationStatus>()>& status);

 private:
  // States that one thread expands at a time.
  struct Chunk {
    Chunk(std::size_t words, std::size_t components, std::size_t slots) : expansion(words, components, slots) {}
    std::size_t first = 0;
    std::size_t assigned = 0;
    bool too_large = false;  // their successors are more than a chunk may have
    Expansion expansion;
    std::vector<std::uint32_t> successor_ids;  // of each successor: a state, or a claim, and in the end the state
  };
  struct Batch {
    std::vector<Chunk> chunks;   // more than there are in this batch, to be used again
    std::size_t num_chunks = 0;
    std::size_t chunk_size = 0;  // successors that a chunk may have
    std::size_t first = 0;       // state
    std::size_t end = 0;         // of the states that were planned
    std::atomic<std::size_t> next_chunk = 0;
    std::atomic<std::size_t> end_chunk = 0;  // this chunk was not finished: what comes after it is in vain
    [[nodiscard]] const Word* successor(std::size_t claim_id) const { return chunks[claim_id / chunk_size].expansion.successor(claim_id % chunk_size); }
  };
  // An entry of the table, and the successor that claimed it.
  struct Claim {
    std::size_t entry;
    std::size_t chunk;
    std::size_t successor;
  };

  [[nodiscard]] std::size_t max_successors() const;
  [[nodiscard]] std::size_t bytes() const;
  void grow_table();
  // Which states, from the given one on, are expanded in which chunk.
  void plan_chunks(Batch& batch, std::size_t first) const;
  void expand_chunks(Batch& batch) const;
  void expand_chunk(Explorer::Context& context, Chunk& chunk, std::size_t max_successors) const;
  // Leaves out what was made in vain; says whether that was anything.
  bool drop_unfinished(Batch& batch);
  bool claim(Batch& batch);
  std::optional<ExplorationStatus> assign_ids(Batch& batch, Explorer::Context& context, const std::function<std::optional<ExplorationStatus>()>& status);
  std::pair<StateId, bool> id_of(Batch& batch, std::size_t chunk, std::size_t successor);
  void publish_ids(const Batch& batch);

  Explorer& explorer_;
  const Limits& limits_;
  std::size_t min_batch_states_;       // fewer are not worth the threads' meetings
  std::unique_ptr<ThreadPool> pool_;     // from the first batch on
  std::unique_ptr<Batch> current_batch_ = std::make_unique<Batch>();
  std::unique_ptr<Batch> next_batch_ = std::make_unique<Batch>();  // made ahead, if it begins where the exploration is
  std::size_t claimed_from_ = 0;
  std::vector<std::vector<Claim>> claims_;  // of each worker
  std::size_t batch_states_;       // how many to try next
  double fill_ = 0.5;              // how full chunks are planned
  std::size_t sequential_until_ = 0;    // states up to this one are expanded by one thread
  std::size_t python_calls_ = 0;
};

}  // namespace volition

// Multi-threaded exploration with the same result and numbering as a single thread.
//
// A batch of states is processed in four steps:
//   1. expand      all threads: expand chunks of states without calling Python; the batch ends at
//                  the first state that needs Python
//   2. claim       all threads: each looks up or claims, in order, the successors whose hashes fall
//                  into its own regions of the table
//   3. assign ids  one thread: in the order of the states, each new successor gets the next id, and
//                  the transition matrix is written as by a single thread
//   4. publish     all threads: claims in the table are replaced by the final ids
//
// While one thread assigns ids, the others already expand the next batch. The state that needs
// Python is then expanded by a single thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "expansion.hpp"
#include "explorer.hpp"
#include "thread_pool.hpp"

namespace volition {

class ParallelExplorer {
 public:
  ParallelExplorer(Explorer& explorer, const Limits& limits);

  // Returns whether the next states should be expanded in parallel.
  [[nodiscard]] bool is_worthwhile();
  // Expands the next batch of states, up to the first state that needs Python. Returns the status
  // if the exploration ended, nullopt otherwise.
  std::optional<ExplorationStatus> expand_batch(
      Explorer::Context& context, const std::function<std::optional<ExplorationStatus>()>& status);

 private:
  // Consecutive states that one thread expands together, and their successors.
  struct Chunk {
    Chunk(std::size_t words, std::size_t components, std::size_t slots)
        : expansion(words, components, slots) {}
    std::size_t first = 0;
    std::size_t assigned = 0;
    bool too_large = false;  // the successors exceed the size of a chunk
    Expansion expansion;
    // Per successor: its state id. A new state has a provisional id until its final id is assigned.
    std::vector<std::uint32_t> successor_ids;
  };
  struct Batch {
    std::vector<Chunk> chunks;  // may hold more chunks than the batch, for reuse
    std::size_t num_chunks = 0;
    std::size_t chunk_size = 0;  // maximum number of successors of a chunk
    std::size_t first = 0;       // first state
    std::size_t end = 0;         // past-the-end state of the plan
    std::atomic<std::size_t> next_chunk = 0;
    // First chunk whose states could not all be expanded, or num_chunks if there is none. Later
    // chunks are discarded; 0 discards the whole batch.
    std::atomic<std::size_t> end_chunk = 0;
    [[nodiscard]] const Word* successor(std::size_t claim_id) const {
      return chunks[claim_id / chunk_size].expansion.successor(claim_id % chunk_size);
    }
  };
  // Claim of a new state on an entry of the hash table: the index of the entry, and the successor
  // by its chunk and its index in the chunk.
  struct Claim {
    std::size_t entry;
    std::size_t chunk;
    std::size_t successor;
  };

  [[nodiscard]] std::size_t max_successors() const;
  [[nodiscard]] std::size_t bytes() const;
  void grow_table();
  // Divides the states from the id `first` on into chunks.
  void plan_chunks(Batch& batch, std::size_t first) const;
  void expand_chunks(Batch& batch) const;
  void expand_chunk(Explorer::Context& context, Chunk& chunk, std::size_t max_successors) const;
  // Drops the chunks after the first chunk that was not expanded completely. Returns whether there
  // was such a chunk.
  bool drop_unfinished(Batch& batch);
  bool claim(Batch& batch);
  std::optional<ExplorationStatus> assign_ids(
      Batch& batch, Explorer::Context& context,
      const std::function<std::optional<ExplorationStatus>()>& status);
  std::pair<StateId, bool> id_of(Batch& batch, std::size_t chunk, std::size_t successor);
  void publish_ids(const Batch& batch);

  Explorer& explorer_;
  const Limits& limits_;
  std::size_t min_batch_states_;      // smaller batches do not pay for the synchronisation
  std::unique_ptr<ThreadPool> pool_;  // created for the first batch
  std::unique_ptr<Batch> current_batch_ = std::make_unique<Batch>();
  // Batch that was expanded while ids of the current batch were assigned. It is used only if its
  // first state is the next state to expand.
  std::unique_ptr<Batch> next_batch_ = std::make_unique<Batch>();
  std::size_t claimed_from_ = 0;
  std::vector<std::vector<Claim>> claims_;  // per worker
  std::size_t batch_states_;                // size of the next batch
  double fill_ = 0.5;                       // planned load of a chunk
  std::size_t sequential_until_ = 0;        // states before this one are expanded by one thread
  std::size_t python_calls_ = 0;
};

}  // namespace volition

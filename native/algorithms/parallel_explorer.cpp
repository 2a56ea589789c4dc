#include "parallel_explorer.hpp"

#include <algorithm>

namespace volition {

namespace {
constexpr std::size_t kMinBatchStates = 512;
constexpr std::size_t kMaxSuccessors = std::size_t{1} << 18;  // per batch
constexpr std::size_t kMaxChunks = 64;
constexpr std::size_t kPrefetchDistance = 16;  // number of lookups between a prefetch and its use
// Approximate number of bytes that a successor takes in its chunk and in the transition matrix
// together.
constexpr std::size_t kBytesPerSuccessor = 32;
}  // namespace

ParallelExplorer::ParallelExplorer(Explorer& explorer, const Limits& limits)
    : explorer_(explorer),
      limits_(limits),
      min_batch_states_(std::min(kMinBatchStates, limits.parallel_threshold)),
      batch_states_(std::max<std::size_t>(16, 4 * min_batch_states_)),
      python_calls_(explorer.python_calls_) {}

// Returns the maximum number of successors of a batch. The hash table has enough free entries for
// them even if all are new states.
std::size_t ParallelExplorer::max_successors() const {
  return std::min(kMaxSuccessors, explorer_.store_.capacity() / 8);
}

std::size_t ParallelExplorer::bytes() const {
  std::size_t total = 0;
  for (const Batch* batch : {current_batch_.get(), next_batch_.get()}) {
    for (const Chunk& chunk : batch->chunks) {
      total += chunk.expansion.bytes() + chunk.successor_ids.capacity() * sizeof(std::uint32_t);
    }
  }
  return total;
}

bool ParallelExplorer::is_worthwhile() {
  const StateStore& store = explorer_.store_;
  if (limits_.threads < 2 || explorer_.check_purity_ || store.size() < limits_.parallel_threshold) {
    return false;
  }
  if (explorer_.expanded_ < sequential_until_ ||
      store.size() - explorer_.expanded_ < min_batch_states_) {
    return false;
  }
  // Near the maximum number of states, a single thread explores, so that the exploration stops at
  // the exact state.
  if (store.size() + max_successors() > store.max_states()) return false;
  const std::size_t growth =
      2 * store.capacity() * sizeof(std::uint32_t) +
      max_successors() * (explorer_.layout_.words() * sizeof(Word) + kBytesPerSuccessor);
  if (explorer_.total_bytes() + bytes() + growth > limits_.bytes) return false;
  if (explorer_.python_calls_ != python_calls_) {  // calls of Python come in clusters
    python_calls_ = explorer_.python_calls_;
    sequential_until_ = explorer_.expanded_ + std::max<std::size_t>(1, min_batch_states_);
    return false;
  }
  return true;
}

std::optional<ExplorationStatus> ParallelExplorer::expand_batch(
    Explorer::Context& context, const std::function<std::optional<ExplorationStatus>()>& status) {
  context.timer.poll_if_due();
  if (!pool_) {
    pool_ = std::make_unique<ThreadPool>(limits_.threads);
    claims_.resize(pool_->size());
  }
  grow_table();
  std::swap(current_batch_, next_batch_);
  if (current_batch_->first != explorer_.expanded_ || current_batch_->num_chunks == 0) {
    plan_chunks(*current_batch_, explorer_.expanded_);
    pool_->run([&](std::size_t) { expand_chunks(*current_batch_); });
  }
  next_batch_->num_chunks = 0;
  const bool was_incomplete = drop_unfinished(*current_batch_);
  const std::size_t min_states = std::max<std::size_t>(16, 4 * min_batch_states_);
  batch_states_ = was_incomplete ? std::max(min_states, batch_states_ / 4)
                                 : std::min(2 * batch_states_, kMaxSuccessors);
  if (current_batch_->num_chunks == 0 || !claim(*current_batch_)) {
    current_batch_->num_chunks = 0;
    return std::nullopt;
  }
  StateStore& store = explorer_.store_;
  // Reserve memory for the new states now. Other threads read stored states to expand the next
  // batch, so the states must not be moved while new ones are appended.
  store.reserve(store.size() + current_batch_->num_chunks * current_batch_->chunk_size);
  // Plan the next batch, which the other threads expand while this thread assigns ids. Not if there
  // is a stop condition: it is evaluated for each new state and may call Python, and no other
  // thread may read the explorer's data during such a call.
  if (!was_incomplete && !context.stop_tree &&
      store.size() - current_batch_->end >= std::max<std::size_t>(1, min_batch_states_)) {
    plan_chunks(*next_batch_, current_batch_->end);
  }
  std::optional<ExplorationStatus> result;
  pool_->run([&](std::size_t worker) {
    if (worker == 0) {
      try {
        result = assign_ids(*current_batch_, context, status);
      } catch (...) {
        next_batch_->end_chunk = 0;
        throw;
      }
      if (result) next_batch_->end_chunk = 0;
    }
    expand_chunks(*next_batch_);
  });
  if (!result) {
    publish_ids(*current_batch_);
  } else if (*result == ExplorationStatus::kComplete) {
    store.end_claims();  // the table is no longer needed
  } else {
    store.truncate(store.size());
  }
  return result;
}

void ParallelExplorer::grow_table() {
  StateStore& store = explorer_.store_;
  std::size_t capacity = store.capacity();
  while (8 * (store.size() + std::min(kMaxSuccessors, capacity / 8)) > 7 * capacity ||
         4 * (store.size() + 1) > 3 * capacity) {
    capacity *= 2;
  }
  while (capacity != store.capacity()) {
    store.resize_table(capacity);
    std::atomic<bool> fits = true;
    pool_->run([&](std::size_t worker) {
      const std::size_t regions = store.num_regions();
      if (!store.fill(worker * regions / pool_->size(), (worker + 1) * regions / pool_->size())) {
        fits = false;
      }
    });
    if (!fits) capacity *= 2;
  }
}

void ParallelExplorer::plan_chunks(Batch& batch, std::size_t first) const {
  const double successors = static_cast<double>(explorer_.num_transitions() + 1) /
                            static_cast<double>(explorer_.expanded_ + 1);
  const std::size_t max_chunks = std::clamp<std::size_t>(max_successors() / 1024, 4, kMaxChunks);
  batch.chunk_size = max_successors() / max_chunks;
  const auto per_chunk = std::max<std::size_t>(
      1, static_cast<std::size_t>(static_cast<double>(batch.chunk_size) * fill_ / successors));
  const std::size_t states =
      std::min({batch_states_, explorer_.store_.size() - first, max_chunks * per_chunk});
  const std::size_t chunk_states =
      std::clamp<std::size_t>((states + max_chunks - 1) / max_chunks, 1, per_chunk);
  batch.num_chunks = (states + chunk_states - 1) / chunk_states;
  batch.first = first;
  batch.end = first + states;
  while (batch.chunks.size() < batch.num_chunks) {
    batch.chunks.emplace_back(explorer_.layout_.words(), explorer_.num_components_,
                              explorer_.layout_.slots());
  }
  for (std::size_t i = 0; i < batch.num_chunks; ++i) {
    batch.chunks[i].first = first + i * chunk_states;
    batch.chunks[i].assigned = std::min(chunk_states, states - i * chunk_states);
  }
  batch.next_chunk = 0;
  batch.end_chunk = batch.num_chunks;
}

void ParallelExplorer::expand_chunks(Batch& batch) const {
  Explorer::Context context{nullptr, PollTimer([] {}), std::nullopt, false};
  for (std::size_t i = batch.next_chunk++; i < batch.end_chunk && i < batch.num_chunks;
       i = batch.next_chunk++) {
    expand_chunk(context, batch.chunks[i], batch.chunk_size);
    if (batch.chunks[i].expansion.num_states() == batch.chunks[i].assigned) continue;
    std::size_t end_chunk = batch.end_chunk;
    while (i < end_chunk && !batch.end_chunk.compare_exchange_weak(end_chunk, i)) {
    }
  }
}

void ParallelExplorer::expand_chunk(Explorer::Context& context, Chunk& chunk,
                                    std::size_t max_successors) const {
  Expansion& expansion = chunk.expansion;
  expansion.clear();
  expansion.words = explorer_.layout_.words();
  chunk.too_large = false;
  for (std::size_t i = 0; i < chunk.assigned; ++i) {
    bool complete = false;
    try {
      explorer_.expand_into(context, expansion, static_cast<StateId>(chunk.first + i));
      complete = expansion.num_successors() <= max_successors;
      chunk.too_large = !complete;
    } catch (const Explorer::PythonNeeded&) {
    } catch (const WriteConflict&) {  // reported when this state is expanded alone
    }
    if (!complete) {
      expansion.discard_state();
      break;
    }
  }
  expansion.hashes.resize(expansion.num_successors());
  for (std::size_t i = 0; i < expansion.num_successors(); ++i) {
    expansion.hashes[i] = explorer_.store_.hash(expansion.successor(i));
  }
  chunk.successor_ids.resize(expansion.num_successors());
}

bool ParallelExplorer::drop_unfinished(Batch& batch) {
  fill_ = std::min(0.5, fill_ * 1.05);
  if (batch.end_chunk == batch.num_chunks) return false;
  const std::size_t end = batch.end_chunk;
  const Chunk& last = batch.chunks[end];
  if (last.too_large) fill_ = std::max(0.05, fill_ * 0.7);
  sequential_until_ = last.first + last.expansion.num_states() +
                      std::max<std::size_t>(1, last.too_large ? 1 : min_batch_states_);
  batch.num_chunks = end + (last.expansion.num_states() > 0 ? 1 : 0);
  return true;
}

// Looks up all successors of a batch in the hash table, and claims (reserves) a table entry for
// each new state. Returns false if the table was too small. The claims are then dropped and the
// table is enlarged.
bool ParallelExplorer::claim(Batch& batch) {
  StateStore& store = explorer_.store_;
  store.begin_claims();
  claimed_from_ = store.size();
  std::atomic<bool> fits = true;
  pool_->run([&](std::size_t worker) {
    const std::size_t first = worker * store.num_regions() / pool_->size();
    const std::size_t last = (worker + 1) * store.num_regions() / pool_->size();
    std::vector<Claim>& claims = claims_[worker];
    claims.clear();
    std::vector<std::uint32_t> own;
    for (std::size_t c = 0; c < batch.num_chunks; ++c) {
      Chunk& chunk = batch.chunks[c];
      const std::vector<std::uint64_t>& hashes = chunk.expansion.hashes;
      own.clear();
      for (std::uint32_t i = 0; i < hashes.size(); ++i) {
        const std::size_t region = store.region_of(hashes[i]);
        if (first <= region && region < last) own.push_back(i);
      }
      for (std::size_t k = 0; k < own.size() + kPrefetchDistance && fits; ++k) {
        if (k < own.size()) store.prefetch(hashes[own[k]]);
        if (k >= kPrefetchDistance / 2 && k - kPrefetchDistance / 2 < own.size()) {
          store.prefetch_state(hashes[own[k - kPrefetchDistance / 2]]);
        }
        if (k < kPrefetchDistance) continue;
        const std::uint32_t i = own[k - kPrefetchDistance];
        const auto claim_id = static_cast<std::uint32_t>(c * batch.chunk_size + i);
        const auto [id, entry] =
            store.claim(chunk.expansion.successor(i), hashes[i], claim_id,
                        [&](std::uint32_t claimed) { return batch.successor(claimed); });
        if (!entry) fits = false;
        chunk.successor_ids[i] = id;
        if (id == claimed_from_ + claim_id) claims.push_back({entry.value_or(0), c, i});
      }
    }
  });
  if (fits) return true;
  store.end_claims();
  store.rebuild(2 * store.capacity());
  return false;
}

std::optional<ExplorationStatus> ParallelExplorer::assign_ids(
    Batch& batch, Explorer::Context& context,
    const std::function<std::optional<ExplorationStatus>()>& status) {
  std::optional<ExplorationStatus> status_now;
  for (std::size_t c = 0; c < batch.num_chunks && !status_now; ++c) {
    status_now =
        explorer_.emit_states(context, batch.chunks[c].expansion, status,
                              [&](std::size_t successor) { return id_of(batch, c, successor); });
  }
  return status_now;
}

std::pair<StateId, bool> ParallelExplorer::id_of(Batch& batch, std::size_t chunk,
                                                 std::size_t successor) {
  std::uint32_t& id = batch.chunks[chunk].successor_ids[successor];
  if (id < claimed_from_) return {id, false};
  const std::size_t claimed = id - claimed_from_;
  const bool is_new = claimed == chunk * batch.chunk_size + successor;
  id = is_new ? explorer_.store_.append(batch.chunks[chunk].expansion.successor(successor))
              : batch.chunks[claimed / batch.chunk_size].successor_ids[claimed % batch.chunk_size];
  return {id, is_new};
}

void ParallelExplorer::publish_ids(const Batch& batch) {
  StateStore& store = explorer_.store_;
  pool_->run([&](std::size_t worker) {
    for (const Claim& claim : claims_[worker]) {
      store.publish_id(claim.entry, batch.chunks[claim.chunk].successor_ids[claim.successor]);
    }
  });
  store.end_claims();
}

}  // namespace volition

#include "parallel_explorer.hpp"

#include <algorithm>

namespace volition {

namespace {
constexpr std::size_t kLeastStates = 512;
constexpr std::size_t kMostSuccessors = std::size_t{1} << 18;  // of a batch
constexpr std::size_t kMostChunks = 64;
constexpr std::size_t kAhead = 16;  // memory is asked for so many look-ups before it is needed
constexpr std::size_t kBytesOfARow = 32;  // of one successor in chunks and rows, about
}  // namespace

Teamwork::Teamwork(Explorer& explorer, const Limits& limits)
    : explorer_(explorer),
      limits_(limits),
      least_states_(std::min(kLeastStates, limits.states_before_jobs)),
      batch_states_(std::max<std::size_t>(16, 4 * least_states_)),
      questions_(explorer.questions_) {}

// A batch's successors fit into the table even if all are new.
std::size_t Teamwork::most_successors() const { return std::min(kMostSuccessors, explorer_.store_.capacity() / 8); }

std::size_t Teamwork::bytes() const {
  std::size_t total = 0;
  for (const Batch* batch : {now_.get(), next_.get()}) {
    for (const Chunk& chunk : batch->chunks) total += chunk.made.bytes() + chunk.found.capacity() * sizeof(std::uint32_t);
  }
  return total;
}

bool Teamwork::pays() {
  const StateStore& store = explorer_.store_;
  if (limits_.jobs < 2 || explorer_.check_purity_ || store.size() < limits_.states_before_jobs) return false;
  if (explorer_.expanded_ < alone_until_ || store.size() - explorer_.expanded_ < least_states_) return false;
  // Near a limit one thread stops at the right state.
  if (store.size() + most_successors() > store.most_states()) return false;
  const std::size_t growth = 2 * store.capacity() * sizeof(std::uint32_t) + most_successors() * (explorer_.layout_.words() * sizeof(Word) + kBytesOfARow);
  if (explorer_.total_bytes() + bytes() + growth > limits_.bytes) return false;
  if (explorer_.questions_ != questions_) {  // one question seldom comes alone
    questions_ = explorer_.questions_;
    alone_until_ = explorer_.expanded_ + std::max<std::size_t>(1, least_states_);
    return false;
  }
  return true;
}

std::optional<Ended> Teamwork::go_on(Explorer::Run& run, const std::function<std::optional<Ended>()>& ended) {
  run.patience.look_at_clock();
  if (!crew_) {
    crew_ = std::make_unique<Crew>(limits_.jobs);
    claims_.resize(crew_->size());
  }
  make_room_in_table();
  std::swap(now_, next_);
  if (now_->first != explorer_.expanded_ || now_->num_chunks == 0) {
    divide(*now_, explorer_.expanded_);
    crew_->run([&](std::size_t) { make_chunks(*now_); });
  }
  next_->num_chunks = 0;
  const bool was_cut = cut(*now_);
  const std::size_t least = std::max<std::size_t>(16, 4 * least_states_);
  batch_states_ = was_cut ? std::max(least, batch_states_ / 4) : std::min(2 * batch_states_, kMostSuccessors);
  if (now_->num_chunks == 0 || !claim(*now_)) {
    now_->num_chunks = 0;
    return std::nullopt;
  }
  StateStore& store = explorer_.store_;
  store.reserve(store.size() + now_->num_chunks * now_->chunk_size);  // so that states do not move while the next batch is made from them
  // Python may do anything while it looks at a new state, so nobody else is at work then.
  if (!was_cut && !run.stop_tree && store.size() - now_->end >= std::max<std::size_t>(1, least_states_)) divide(*next_, now_->end);
  std::optional<Ended> result;
  crew_->run([&](std::size_t worker) {
    if (worker == 0) {
      try {
        result = number(*now_, run, ended);
      } catch (...) {
        next_->end_chunk = 0;
        throw;
      }
      if (result) next_->end_chunk = 0;
    }
    make_chunks(*next_);
  });
  if (!result) {
    settle(*now_);
  } else if (*result == Ended::kComplete) {
    store.end_claims();  // the table is not needed any more
  } else {
    store.truncate(store.size());
  }
  return result;
}

void Teamwork::make_room_in_table() {
  StateStore& store = explorer_.store_;
  std::size_t capacity = store.capacity();
  while (8 * (store.size() + std::min(kMostSuccessors, capacity / 8)) > 7 * capacity || 4 * (store.size() + 1) > 3 * capacity) capacity *= 2;
  while (capacity != store.capacity()) {
    store.resize_table(capacity);
    std::atomic<bool> fits = true;
    crew_->run([&](std::size_t worker) {
      const std::size_t regions = store.num_regions();
      if (!store.fill(worker * regions / crew_->size(), (worker + 1) * regions / crew_->size())) fits = false;
    });
    if (!fits) capacity *= 2;
  }
}

void Teamwork::divide(Batch& batch, std::size_t first) const {
  const double successors = static_cast<double>(explorer_.num_transitions() + 1) / static_cast<double>(explorer_.expanded_ + 1);
  const std::size_t most = std::clamp<std::size_t>(most_successors() / 1024, 4, kMostChunks);
  batch.chunk_size = most_successors() / most;
  const auto per_chunk = std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(batch.chunk_size) * fill_ / successors));
  const std::size_t states = std::min({batch_states_, explorer_.store_.size() - first, most * per_chunk});
  const std::size_t share = std::clamp<std::size_t>((states + most - 1) / most, 1, per_chunk);
  batch.num_chunks = (states + share - 1) / share;
  batch.first = first;
  batch.end = first + states;
  while (batch.chunks.size() < batch.num_chunks) {
    batch.chunks.emplace_back(explorer_.layout_.words(), explorer_.num_components_, explorer_.layout_.slots());
  }
  for (std::size_t i = 0; i < batch.num_chunks; ++i) {
    batch.chunks[i].first = first + i * share;
    batch.chunks[i].assigned = std::min(share, states - i * share);
  }
  batch.next_chunk = 0;
  batch.end_chunk = batch.num_chunks;
}

void Teamwork::make_chunks(Batch& batch) const {
  Explorer::Run run{nullptr, Patience([] {}), std::nullopt, false};
  for (std::size_t i = batch.next_chunk++; i < batch.end_chunk && i < batch.num_chunks; i = batch.next_chunk++) {
    make_chunk(run, batch.chunks[i], batch.chunk_size);
    if (batch.chunks[i].made.num_states() == batch.chunks[i].assigned) continue;
    std::size_t known = batch.end_chunk;
    while (i < known && !batch.end_chunk.compare_exchange_weak(known, i)) {
    }
  }
}

void Teamwork::make_chunk(Explorer::Run& run, Chunk& chunk, std::size_t most_successors) const {
  Expansion& made = chunk.made;
  made.clear();
  made.words = explorer_.layout_.words();
  chunk.too_large = false;
  for (std::size_t i = 0; i < chunk.assigned; ++i) {
    bool whole = false;
    try {
      explorer_.expand_into(run, made, static_cast<StateId>(chunk.first + i));
      whole = made.num_successors() <= most_successors;
      chunk.too_large = !whole;
    } catch (const Explorer::Unknown&) {
    } catch (const WriteConflict&) {  // to be told when it is this state's turn
    }
    if (!whole) {
      made.forget_state();
      break;
    }
  }
  made.hashes.resize(made.num_successors());
  for (std::size_t i = 0; i < made.num_successors(); ++i) made.hashes[i] = explorer_.store_.hash(made.successor(i));
  chunk.found.resize(made.num_successors());
}

bool Teamwork::cut(Batch& batch) {
  fill_ = std::min(0.5, fill_ * 1.05);
  if (batch.end_chunk == batch.num_chunks) return false;
  const std::size_t end = batch.end_chunk;
  const Chunk& last = batch.chunks[end];
  if (last.too_large) fill_ = std::max(0.05, fill_ * 0.7);
  alone_until_ = last.first + last.made.num_states() + std::max<std::size_t>(1, last.too_large ? 1 : least_states_);
  batch.num_chunks = end + (last.made.num_states() > 0 ? 1 : 0);
  return true;
}

// False where the table was too small; nothing has changed then, but there is more room.
bool Teamwork::claim(Batch& batch) {
  StateStore& store = explorer_.store_;
  store.begin_claims();
  claimed_from_ = store.size();
  std::atomic<bool> fits = true;
  crew_->run([&](std::size_t worker) {
    const std::size_t first = worker * store.num_regions() / crew_->size();
    const std::size_t last = (worker + 1) * store.num_regions() / crew_->size();
    std::vector<Claim>& claims = claims_[worker];
    claims.clear();
    std::vector<std::uint32_t> mine;
    for (std::size_t c = 0; c < batch.num_chunks; ++c) {
      Chunk& chunk = batch.chunks[c];
      const std::vector<std::uint64_t>& hashes = chunk.made.hashes;
      mine.clear();
      for (std::uint32_t i = 0; i < hashes.size(); ++i) {
        const std::size_t region = store.region_of(hashes[i]);
        if (first <= region && region < last) mine.push_back(i);
      }
      for (std::size_t k = 0; k < mine.size() + kAhead && fits; ++k) {
        if (k < mine.size()) store.prefetch(hashes[mine[k]]);
        if (k >= kAhead / 2 && k - kAhead / 2 < mine.size()) store.prefetch_state(hashes[mine[k - kAhead / 2]]);
        if (k < kAhead) continue;
        const std::uint32_t i = mine[k - kAhead];
        const auto number = static_cast<std::uint32_t>(c * batch.chunk_size + i);
        const auto [found, entry] =
            store.claim(chunk.made.successor(i), hashes[i], number, [&](std::uint32_t claimed) { return batch.successor(claimed); });
        if (!entry) fits = false;
        chunk.found[i] = found;
        if (found == claimed_from_ + number) claims.push_back({entry.value_or(0), c, i});
      }
    }
  });
  if (fits) return true;
  store.end_claims();
  store.rebuild(2 * store.capacity());
  return false;
}

std::optional<Ended> Teamwork::number(Batch& batch, Explorer::Run& run, const std::function<std::optional<Ended>()>& ended) {
  std::optional<Ended> now;
  for (std::size_t c = 0; c < batch.num_chunks && !now; ++c) {
    now = explorer_.emit_states(run, batch.chunks[c].made, ended, [&](std::size_t successor) { return number_of(batch, c, successor); });
  }
  return now;
}

std::pair<StateId, bool> Teamwork::number_of(Batch& batch, std::size_t chunk, std::size_t successor) {
  std::uint32_t& found = batch.chunks[chunk].found[successor];
  if (found < claimed_from_) return {found, false};
  const std::size_t claimed = found - claimed_from_;
  const bool is_new = claimed == chunk * batch.chunk_size + successor;
  found = is_new ? explorer_.store_.append(batch.chunks[chunk].made.successor(successor))
                 : batch.chunks[claimed / batch.chunk_size].found[claimed % batch.chunk_size];
  return {found, is_new};
}

void Teamwork::settle(const Batch& batch) {
  StateStore& store = explorer_.store_;
  crew_->run([&](std::size_t worker) {
    for (const Claim& claim : claims_[worker]) store.settle(claim.entry, batch.chunks[claim.chunk].found[claim.successor]);
  });
  store.end_claims();
}

}  // namespace volition

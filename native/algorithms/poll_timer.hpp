// Long work looks up now and then: by the clock, not by counting, because one piece of work can cost a thousand times another.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace volition {

class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  // `look_up` may throw, and then the work ends there.
  explicit Patience(std::function<void()> look_up) : look_up_(std::move(look_up)) {}

  // Called for each small piece of work, such as an edge; costs next to nothing.
  void spend() {
    if (--pieces_ == 0) look_at_clock();
  }

  // Called after a piece of work that may have taken long.
  void look_at_clock() {
    pieces_ = kPiecesBetweenLooks;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + kBetween;
    look_up_();
  }

 private:
  static constexpr std::uint32_t kPiecesBetweenLooks = 1024;
  static constexpr std::chrono::milliseconds kBetween{20};

  std::function<void()> look_up_;
  std::uint32_t pieces_ = kPiecesBetweenLooks;
  Clock::time_point next_ = Clock::now() + kBetween;
};

}  // namespace volition

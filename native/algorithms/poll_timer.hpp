// Long work looks up now and then: by the clock, not by counting, because one piece of work can cost a thousand times another.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace volition {

class PollTimer {
 public:
  using Clock = std::chrono::steady_clock;

  // `look_up` may throw, and then the work ends there.
  explicit PollTimer(std::function<void()> on_poll) : on_poll_(std::move(on_poll)) {}

  // Called for each small piece of work, such as an edge; costs next to nothing.
  void tick() {
    if (--ticks_left_ == 0) poll_if_due();
  }

  // Called after a piece of work that may have taken long.
  void poll_if_due() {
    ticks_left_ = kTicksPerClockRead;
    const Clock::time_point now = Clock::now();
    if (now < next_poll_) return;
    next_poll_ = now + kPollInterval;
    on_poll_();
  }

 private:
  static constexpr std::uint32_t kTicksPerClockRead = 1024;
  static constexpr std::chrono::milliseconds kPollInterval{20};

  std::function<void()> on_poll_;
  std::uint32_t ticks_left_ = kTicksPerClockRead;
  Clock::time_point next_poll_ = Clock::now() + kPollInterval;
};

}  // namespace volition

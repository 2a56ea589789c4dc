// Poll timer for long loops. It polls by wall clock rather than by iteration count, because the
// cost of one iteration varies by a factor of a thousand.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace volition {

class PollTimer {
 public:
  using Clock = std::chrono::steady_clock;

  // Creates a timer that calls `on_poll` at each poll. `on_poll` may throw an exception to end the
  // work.
  explicit PollTimer(std::function<void()> on_poll) : on_poll_(std::move(on_poll)) {}

  // Call it once per cheap iteration, such as an edge. It usually costs one decrement.
  void tick() {
    if (--ticks_left_ == 0) poll_if_due();
  }

  // Call it after work that may have taken long. It reads the clock.
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

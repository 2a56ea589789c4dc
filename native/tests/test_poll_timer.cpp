#include "poll_timer.hpp"

#include <thread>

#include "testing.hpp"

namespace volition {
namespace {

TEST(timer_polls_by_wall_clock) {
  int looks = 0;
  PollTimer timer([&] { ++looks; });
  for (int i = 0; i < 100; ++i) timer.poll_if_due();  // no time has passed
  CHECK(looks <= 1);
  const int before = looks;
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  timer.poll_if_due();
  CHECK(looks == before + 1);
}

TEST(exception_from_poll_ends_the_work) {
  struct Enough {};
  PollTimer timer([] { throw Enough{}; });
  const auto work = [&] {
    for (;;) timer.tick();
  };
  CHECK_THROWS(Enough, work());
}

}  // namespace
}  // namespace volition

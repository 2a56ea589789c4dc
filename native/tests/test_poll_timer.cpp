#include "poll_timer.hpp"

#include <thread>

#include "testing.hpp"

namespace volition {
namespace {

TEST(patience_looks_up_by_the_clock) {
  int looks = 0;
  Patience patience([&] { ++looks; });
  for (int i = 0; i < 100; ++i) patience.look_at_clock();  // no time has passed
  CHECK(looks <= 1);
  const int before = looks;
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  patience.look_at_clock();
  CHECK(looks == before + 1);
}

TEST(patience_ends_work_by_throwing) {
  struct Enough {};
  Patience patience([] { throw Enough{}; });
  const auto work = [&] {
    for (;;) patience.spend();
  };
  CHECK_THROWS(Enough, work());
}

}  // namespace
}  // namespace volition

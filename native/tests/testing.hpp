// Minimal test framework: TEST defines a test, CHECK and CHECK_THROWS are assertions. All tests run
// under the sanitizers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "poll_timer.hpp"

namespace volition::testing {

struct Test {
  const char* name;
  void (*run)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

struct Registered {
  Registered(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

struct Failed {
  std::string what;
};

[[noreturn]] inline void fail(const char* file, int line, const std::string& what) {
  throw Failed{std::string(file) + ":" + std::to_string(line) + ": " + what};
}

#define TEST(name)                                                                  \
  static void test_##name();                                                        \
  static const volition::testing::Registered registered_##name(#name, test_##name); \
  static void test_##name()

#define CHECK(condition) \
  if (!(condition)) volition::testing::fail(__FILE__, __LINE__, "not true: " #condition)

#define CHECK_THROWS(type, expression)                                                        \
  do {                                                                                        \
    bool thrown = false;                                                                      \
    try {                                                                                     \
      expression;                                                                             \
    } catch (const type&) {                                                                   \
      thrown = true;                                                                          \
    }                                                                                         \
    if (!thrown) volition::testing::fail(__FILE__, __LINE__, "does not throw: " #expression); \
  } while (false)

// Reproducible random numbers (SplitMix64 of Steele, Lea and Flood, 2014).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  // Uniform in [0, bound).
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) % bound);
  }
  bool coin() { return below(2) == 0; }

 private:
  std::uint64_t state_;
};

inline PollTimer never_polling() {
  return PollTimer([] {});
}

}  // namespace volition::testing

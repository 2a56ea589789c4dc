// Runs all tests and reports failures.

#include <cstdio>

#include "testing.hpp"

int main() {
  using namespace volition::testing;
  std::size_t failed = 0;
  for (const Test& test : tests()) {
    try {
      test.run();
    } catch (const Failed& failure) {
      ++failed;
      std::fprintf(stderr, "%s: %s\n", test.name, failure.what.c_str());
    }
  }
  std::printf("%zu of %zu native tests passed\n", tests().size() - failed, tests().size());
  return failed == 0 ? 0 : 1;
}

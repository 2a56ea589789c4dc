#include "growing_array.hpp"

#include <memory>
#include <vector>

#include "testing.hpp"

namespace volition {
namespace {

using testing::Dice;

TEST(array_behaves_like_a_vector) {
  Dice dice(1);
  GrowingArray<std::uint64_t> array;
  std::vector<std::uint64_t> expected;
  for (int i = 0; i < 5000; ++i) {
    switch (dice.below(4)) {
      case 0:
        array.truncate(array.size() / 2);
        expected.resize(expected.size() / 2);
        break;
      case 1: {
        const std::vector<std::uint64_t> more(dice.below(40), dice.below(100));
        array.append(more.data(), more.size());
        expected.insert(expected.end(), more.begin(), more.end());
        break;
      }
      default:
        array.push_back(static_cast<std::uint64_t>(i));
        expected.push_back(static_cast<std::uint64_t>(i));
    }
    CHECK(std::vector<std::uint64_t>(array.data(), array.data() + array.size()) == expected);
  }
}

TEST(shared_memory_never_changes) {
  Dice dice(2);
  struct Given {
    std::shared_ptr<const std::uint32_t> memory;
    std::vector<std::uint32_t> expected;
  };
  std::vector<Given> given;
  {
    GrowingArray<std::uint32_t> array;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      if (dice.below(50) == 0) array.truncate(array.size() / 2);
      if (dice.below(50) == 0) array.resize(array.size() / 2);
      array.push_back(i);
      if (dice.below(20) == 0) {
        given.push_back({array.share(), {array.data(), array.data() + array.size()}});
      }
    }
  }
  CHECK(!given.empty());
  for (const Given& each : given) {
    CHECK(std::vector<std::uint32_t>(each.memory.get(), each.memory.get() + each.expected.size()) ==
          each.expected);
  }
}

TEST(sharing_an_unchanged_array_does_not_copy) {
  GrowingArray<int> array;
  array.push_back(7);
  const int* before = array.data();
  CHECK(array.share().get() == before);
  CHECK(array.share().get() == before);
  CHECK(array.data() == before);
  array.push_back(8);
  CHECK(array.data() != before);
}

TEST(adopted_elements_are_used_in_place_and_never_written) {
  bool kept = true;
  const std::vector<int> theirs{1, 2, 3};
  {
    GrowingArray<int> array;
    array.push_back(7);
    array.adopt(std::shared_ptr<const int>(theirs.data(), [&](const int*) { kept = false; }),
                theirs.size());
    CHECK(array.data() == theirs.data());
    CHECK(array.bytes() == 0);
    array.push_back(4);
    CHECK(!kept);  // the array copied the elements
    CHECK(array.bytes() == 4 * sizeof(int));
    CHECK(array[0] == 1 && array[3] == 4);
  }
  CHECK(theirs == std::vector<int>({1, 2, 3}));
}

}  // namespace
}  // namespace volition

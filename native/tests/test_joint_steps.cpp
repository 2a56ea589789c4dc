#include "joint_steps.hpp"

#include <array>

#include "testing.hpp"

namespace volition {
namespace {

TEST(a_glance_tells_states_apart_by_the_bits_that_were_looked_at) {
  Glances glances;
  const std::array<Word, 1> low{0x0f};
  const std::array<Word, 1> high{0xf0};
  CHECK(glances.worthwhile(0));
  const Word state = 0x35;
  glances.learn(0, &state, low, 7);
  const Word same_low = 0x95;
  const Word other_low = 0x36;
  CHECK(glances.find(0, &same_low) == 7u);
  CHECK(!glances.find(0, &other_low));
  CHECK(!glances.find(1, &same_low));  // nothing is known of another phase

  // Somebody looks at more: what was learnt before is right wherever it is found, and other states are told apart.
  glances.learn(0, &same_low, high, 8);
  const Word alike = 0x195;
  CHECK(glances.find(0, &alike) == 8u);
  const Word unlike = 0x25;
  CHECK(!glances.find(0, &unlike));
  glances.clear();
  CHECK(!glances.find(0, &alike));
}

TEST(glances_end_where_no_state_is_like_another) {
  Glances glances;
  const std::array<Word, 1> all{~Word{0}};
  Word state = 0;
  while (glances.worthwhile(0) && state < 100'000) {
    glances.count(0);
    glances.learn(0, &state, all, 1);
    ++state;
  }
  CHECK(state < 10'000);
  CHECK(!glances.find(0, &state));
}

TEST(glances_go_on_where_states_are_alike) {
  Glances glances;
  const std::array<Word, 1> few{0x1ff};
  for (Word state = 0; state < 100'000; ++state) {
    glances.count(0);
    if (glances.find(0, &state)) continue;
    CHECK(glances.worthwhile(0));
    glances.learn(0, &state, few, static_cast<std::uint32_t>(state & 0x1ff));
  }
  const Word last = 0xfff1ff;
  CHECK(glances.find(0, &last) == 0x1ffu);
}

}  // namespace
}  // namespace volition

#include "base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace orrery {
namespace {

TEST(RandomPermutation, VisitsEveryIndexOnce) {
  for (const std::uint64_t size : {1U, 2U, 3U, 17U, 64U, 65U, 1000U}) {
    for (const std::uint64_t key : {0U, 1U, 12345U}) {
      const RandomPermutation permutation(size, key);
      std::vector<int> seen(size);
      for (std::uint64_t i = 0; i < size; ++i) ++seen.at(permutation(i));
      EXPECT_EQ(seen, std::vector<int>(size, 1)) << "size " << size << " key " << key;
    }
  }
}

TEST(RandomPermutation, DependsOnTheKeyAndLooksUniform) {
  const std::uint64_t size = 50;
  const int keys = 20000;
  std::vector<int> landed(size);
  for (int key = 0; key < keys; ++key) ++landed[RandomPermutation(size, mix(key))(7)];
  double chi2 = 0;
  const double expected = double(keys) / double(size);
  for (const int count : landed) chi2 += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi2, 85.4);  // 49 degrees of freedom, p = 0.001
}

TEST(Random, NormalHasTheRightMoments) {
  const int count = 100000;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random_normal(99, i);
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(fourth / count, 3, 0.15);
}

}  // namespace
}  // namespace orrery

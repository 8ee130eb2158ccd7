// The loops over plain rows of floats, for every instruction set, against the same in double.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "engine/battery.h"
#include "engine/cpu/kernels.h"

namespace orrery {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

class FlatKernels : public testing::TestWithParam<std::string> {
 protected:
  static const cpu::Kernels& find(const std::string& name) {
    for (const auto* kernels : cpu::available_kernels())
      if (name == kernels->name) return *kernels;
    throw std::logic_error(name);
  }
  const cpu::Kernels& kernels = find(GetParam());

  void expect_softmax(const std::vector<float>& scores, std::size_t target) {
    const double share = 0.01;
    double top = scores[0], sum = 0;
    for (const float s : scores) top = std::max<double>(top, s);
    for (const float s : scores) sum += std::exp(s - top);
    std::vector<float> row = scores;
    std::vector<std::uint16_t> rounded(scores.size());
    const double loss = kernels.softmax_back(row.data(), row.size(), {target},
                                             static_cast<float>(share), false, rounded.data());
    const double wanted_loss = std::log(sum) + top - scores[target];
    ASSERT_NEAR(loss, wanted_loss, 2e-6 * (1 + std::abs(wanted_loss)));
    std::vector<std::uint16_t> again(scores.size());
    kernels.to_bf16(row.data(), again.data(), row.size());
    ASSERT_EQ(rounded, again);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double p = share * std::exp(scores[i] - top) / sum;
      const double wanted = p - (i == target ? share : 0);
      // Relative for every candidate, down to where floats end; s − top is rounded to a float.
      const double relative = 1e-6 + 1e-7 * (top - scores[i]);
      ASSERT_NEAR(row[i], wanted, relative * p + (i == target ? 1e-7 * share : 1e-37))
          << "at " << i << " of " << scores.size();
    }
  }
};

TEST_P(FlatKernels, SoftmaxOfAnySize) {
  std::vector<std::size_t> sizes(40);
  std::iota(sizes.begin(), sizes.end(), 1);
  sizes.insert(sizes.end(), {127, 128, 129, 1000, 7128});
  for (const std::size_t size : sizes)
    for (const std::size_t target : {std::size_t{0}, size / 2, size - 1})
      for (const double scale : {0.0, 1.0, 30.0}) {
        std::vector<float> scores(size);
        for (std::size_t i = 0; i < size; ++i)
          scores[i] = static_cast<float>(scale * random_normal(size, i));
        expect_softmax(scores, target);
      }
}

TEST_P(FlatKernels, SoftmaxOfLargeScores) {
  for (const std::size_t size : {2U, 16U, 17U, 40U})
    for (const float large : {80.0F, 88.0F, 1e4F, 1e30F})
      for (const std::size_t target : {std::size_t{0}, size - 1}) {
        std::vector<float> scores(size, -large);
        scores[1] = large;
        expect_softmax(scores, target);
        for (auto& s : scores) s += large;  // far from zero, but close together
        expect_softmax(scores, target);
      }
}

TEST_P(FlatKernels, ExponentialIsTrueToTheLastBits) {
  // Beside a score of 0, a lone x gets share · e^x / (1 + e^x).
  for (double x = 0; x > -86; x -= 0.0137) {
    const auto score = static_cast<float>(x);
    std::vector<float> row = {0.0F, score};
    kernels.softmax_back(row.data(), 2, {0}, 1.0F, false, nullptr);
    const double e = std::exp(static_cast<double>(score));
    ASSERT_NEAR(row[1], e / (1 + e), 4e-7 * e / (1 + e)) << x;
  }
}

TEST_P(FlatKernels, SoftmaxOfANanIsANan) {
  for (const std::size_t size : {1U, 5U, 16U, 33U})
    for (std::size_t at = 0; at < size; ++at)
      for (const float bad : {nan, infinity}) {
        std::vector<float> scores(size, 0.5F);
        scores[at] = bad;
        EXPECT_FALSE(std::isfinite(
            kernels.softmax_back(scores.data(), size, {size / 2}, 1.0F, false, nullptr)))
            << bad << " at " << at << " of " << size;
      }
}

TEST_P(FlatKernels, SoftmaxOfRootsGivesTheGradientOfWhatTheyAreRootsOf) {
  const std::vector<float> distances = {-0.25F, -3.0F, 0.0F, -1.5F, -0.5F};
  auto plain = distances, rooted = distances;
  const double loss = kernels.softmax_back(plain.data(), 5, {3}, 0.5F, false, nullptr);
  EXPECT_EQ(kernels.softmax_back(rooted.data(), 5, {3}, 0.5F, true, nullptr), loss);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_FLOAT_EQ(rooted[i], distances[i] < 0 ? plain[i] / (2 * distances[i]) : 0.0F) << i;
}

TEST_P(FlatKernels, SoftmaxWithATeacherOfAnySize) {
  std::vector<std::size_t> sizes(40);
  std::iota(sizes.begin(), sizes.end(), 1);
  sizes.insert(sizes.end(), {127, 128, 129, 1000, 7128});
  const double share = 0.01, teacher = 0.375;
  for (const std::size_t size : sizes)
    for (const std::size_t target : {std::size_t{0}, size / 2, size - 1}) {
      std::vector<float> scores(size), taught(size);
      double sum = 0, taught_sum = 0;
      for (std::size_t i = 0; i < size; ++i) {
        scores[i] = static_cast<float>(3 * random_normal(size, i));
        taught[i] = static_cast<float>(2 * random_normal(size + 1, i));
        sum += std::exp(static_cast<double>(scores[i]));
        taught_sum += std::exp(static_cast<double>(taught[i]));
      }
      std::vector<double> wanted(size);
      double wanted_loss = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const double log_p = scores[i] - std::log(sum);
        const double aim = teacher * std::exp(static_cast<double>(taught[i])) / taught_sum +
                           (i == target ? 1 - teacher : 0);
        wanted[i] = share * (std::exp(log_p) - aim);
        wanted_loss -= aim * log_p;
      }
      const cpu::Lesson lesson{target, taught.data(), static_cast<float>(teacher)};
      const double loss = kernels.softmax_back(scores.data(), size, lesson,
                                               static_cast<float>(share), false, nullptr);
      ASSERT_NEAR(loss, wanted_loss, 2e-6 * (1 + std::abs(wanted_loss))) << size;
      for (std::size_t i = 0; i < size; ++i)
        ASSERT_NEAR(scores[i], wanted[i], 1e-6 * share) << "at " << i << " of " << size;
    }
}

TEST_P(FlatKernels, RoundingToBf16IsToNearestEven) {
  const auto rounded = [&](std::uint32_t bits) {
    // Among enough others to reach the vector loop.
    const std::vector<float> from(37, std::bit_cast<float>(bits));
    std::vector<std::uint16_t> to(37);
    kernels.to_bf16(from.data(), to.data(), to.size());
    EXPECT_EQ(to, std::vector<std::uint16_t>(37, to[0]));
    return to[0];
  };
  EXPECT_EQ(rounded(0x3f800000), 0x3f80);  // exact
  EXPECT_EQ(rounded(0x3f808000), 0x3f80);  // half way: to even, down
  EXPECT_EQ(rounded(0x3f818000), 0x3f82);  // half way: to even, up
  EXPECT_EQ(rounded(0x3f807fff), 0x3f80);
  EXPECT_EQ(rounded(0x3f808001), 0x3f81);
  EXPECT_EQ(rounded(0xbf818000), 0xbf82);
  EXPECT_EQ(rounded(0x80000000), 0x8000);  // −0
  EXPECT_EQ(rounded(0x00000001), 0x0000);  // the smallest
  EXPECT_EQ(rounded(0x7f7fffff), 0x7f80);  // the largest rounds to infinity
  EXPECT_EQ(rounded(0x7f800000), 0x7f80);
  EXPECT_EQ(rounded(0xff800000), 0xff80);
  for (const std::uint32_t bits : {0x7fc00000U, 0x7f800001U, 0x7fffffffU, 0xffffffffU, 0xff800001U})
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(rounded(bits)) << 16)))
        << std::hex << bits;
}

TEST_P(FlatKernels, CountsOfScoresAndTheirFiniteness) {
  for (std::size_t size = 1; size <= 70; ++size) {
    std::vector<float> scores(size);
    for (std::size_t i = 0; i < size; ++i)
      scores[i] = static_cast<float>(random_below(size, i, 5)) - 2.0F;
    for (const float score : {-3.0F, -1.0F, 0.0F, 2.0F}) {
      std::int32_t above = -1, equal = -1;
      ASSERT_TRUE(kernels.count_above(scores.data(), size, score, above, equal));
      EXPECT_EQ(above, std::ranges::count_if(scores, [&](float s) { return s > score; }));
      EXPECT_EQ(equal, std::ranges::count(scores, score));
    }
    for (const float bad : {nan, -nan, infinity, -infinity}) {
      auto damaged = scores;
      damaged[size * 2 / 3] = bad;
      std::int32_t above = 0, equal = 0;
      EXPECT_FALSE(kernels.count_above(damaged.data(), size, 0.0F, above, equal)) << bad;
    }
    scores[size / 2] = std::numeric_limits<float>::max();  // large, and a number
    std::int32_t above = 0, equal = 0;
    EXPECT_TRUE(kernels.count_above(scores.data(), size, 0.0F, above, equal));
  }
}

TEST_P(FlatKernels, DotsOfOneQueryWithManyRows) {
  constexpr std::size_t rows = 7;
  for (const std::size_t width : {1, 15, 16, 17, 63, 64, 65, 80, 128, 200, 1000}) {
    const std::size_t stride = width + 3;
    std::vector<float> query(width), table(rows * stride), scores(rows), alone(1);
    for (std::size_t i = 0; i < width; ++i)
      query[i] = static_cast<float>(random_below(1, i, 2001)) / 1000.0F - 1.0F;
    for (std::size_t i = 0; i < table.size(); ++i)
      table[i] = static_cast<float>(random_below(2, i, 2001)) / 1000.0F - 1.0F;
    kernels.dots(query.data(), table.data(), stride, width, rows, scores.data());
    for (std::size_t r = 0; r < rows; ++r) {
      double truth = 0;
      for (std::size_t i = 0; i < width; ++i)
        truth += static_cast<double>(query[i]) * table[r * stride + i];
      EXPECT_NEAR(scores[r], truth, 1e-6 * static_cast<double>(width)) << width;
      kernels.dots(query.data(), table.data() + r * stride, stride, width, 1, alone.data());
      EXPECT_EQ(alone[0], scores[r]) << "whatever stands beside it";
    }
  }
}

TEST_P(FlatKernels, SumsAndAverages) {
  for (std::size_t size = 1; size <= 40; ++size) {
    std::vector<float> sum(size, 1.0F), row(size), average(size, 8.0F);
    for (std::size_t i = 0; i < size; ++i) row[i] = static_cast<float>(i);
    kernels.add(sum.data(), row.data(), size);
    kernels.average(average.data(), row.data(), size, 0.75F);
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_EQ(sum[i], 1.0F + row[i]);
      EXPECT_EQ(average[i], 6.0F + 0.25F * row[i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, FlatKernels, testing::ValuesIn(instruction_sets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace orrery

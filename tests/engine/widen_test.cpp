// bf16 where the matrix library cannot multiply it: widened to fp32, with the same meaning.
#include "engine/cpu/widen.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "engine/battery.h"

namespace orrery {
namespace {

using cpu::Matrix;

constexpr std::uint16_t one = 0x3F80, minus_two = 0xC000, half = 0x3F00, tiny = 0x0001;

TEST(Widen, KeepsEveryNumberAndDropsTheGaps) {
  const std::uint16_t stored[] = {one, minus_two, 9, half, tiny, 9};
  const cpu::Widened plain(Matrix<std::uint16_t>{stored, 3, false}, 2, 2);
  const Matrix<float> wide = plain.matrix();
  EXPECT_EQ(wide.stride, 2U);
  EXPECT_FALSE(wide.transposed);
  EXPECT_EQ(std::vector<float>(wide.data, wide.data + 4),
            (std::vector<float>{1, -2, 0.5F, std::ldexp(1.0F, -133)}));
}

TEST(Widen, ATransposeStaysOne) {
  const std::uint16_t stored[] = {one, minus_two, half, 9};
  const cpu::Widened transposed(Matrix<std::uint16_t>{stored, 4, true}, 3, 1);
  const Matrix<float> wide = transposed.matrix();
  EXPECT_EQ(wide.stride, 3U);
  EXPECT_TRUE(wide.transposed);
  EXPECT_EQ(std::vector<float>(wide.data, wide.data + 3), (std::vector<float>{1, -2, 0.5F}));
}

// The sums of these small whole numbers are exact, whoever multiplies them.
TEST(Widen, GivesTheProductOfTheLibrary) {
  constexpr std::size_t m = 5, n = 7, k = 6, stride = 9;
  const std::uint16_t words[] = {0, one, minus_two, half};
  std::vector<std::uint16_t> a(k * stride), b(n * stride);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = words[random_below(1, i, 4)];
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = words[random_below(2, i, 4)];
  for (const bool transposed : {false, true}) {
    const Matrix<std::uint16_t> left{a.data(), stride, transposed};
    const Matrix<std::uint16_t> right{b.data(), stride, !transposed};
    const cpu::Widened wide_left(left, m, k), wide_right(right, k, n);
    std::vector<float> found(m * n, 3), wanted(m * n, 3);
    cpu::multiply(m, n, k, left, right, found.data(), n, true);
    cpu::multiply(m, n, k, wide_left.matrix(), wide_right.matrix(), wanted.data(), n, true);
    EXPECT_EQ(found, wanted) << (transposed ? "a" : "b") << " transposed";
  }
}

// A step in bf16 on a processor that oneDNN has no bf16 product for; a child process, since the
// library looks at the processor once.
void step_without_bf16() {
  setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
  const ModelPlan plan{&all_variants()[0], {40, 6, 5, 64}, {}};
  std::vector<double> losses;
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    const auto engine = make_engine(plan, {.threads = 2, .precision = precision});
    start_randomly(*engine, 3, 0.3, 2);
    engine->set_examples(random_examples(plan.shape, 100, 6));
    engine->step(1, 0, 100, {});
    losses.push_back(engine->losses().cross_entropy);
    std::fprintf(stderr, "%s\n", engine->description().c_str());
  }
  std::fprintf(stderr, "losses %.9g %.9g\n", losses[0], losses[1]);
  std::exit(std::abs(losses[1] - losses[0]) < 0.01 * losses[0] ? 0 : 1);
}

TEST(WidenDeathTest, AnEngineTrainsInBf16WithoutTheLibrarysHelp) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(step_without_bf16(), testing::ExitedWithCode(0), "bf16 \\(widened\\)");
}

}  // namespace
}  // namespace orrery

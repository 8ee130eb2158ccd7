// More scores than 31 bits can count, in one piece on a GPU: as in pieces that they can count.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/battery.h"
#include "engine/quiz.h"

namespace orrery {
namespace {

constexpr ModelShape large_shape = {600'000, 6, 4, 0};
constexpr std::int64_t large_batch = 4'000;
static_assert(std::int64_t{large_shape.entities} * large_batch > std::int64_t{1} << 31);

class GpuLarge : public OnGpu {
 protected:
  static std::unique_ptr<Engine> engine_with(const ModelVariant& variant, std::uint64_t memory) {
    EngineOptions options = options_of("gpu", Precision::bf16);
    options.memory = memory;
    options.batch = large_batch;
    auto engine = make_engine(plan_of(variant, 4, large_shape), options);
    engine->set_examples(random_examples(large_shape, large_batch, 6));
    return engine;
  }
  static bool works_in_pieces(const Engine& engine) {
    return engine.description().find("rows of scores at a time") != std::string::npos;
  }
  // By stretches of rows, so that a wrong one does not hide among the others; of the sizes of
  // gradients, whose squares the state holds after one step.
  static void expect_close(const std::vector<double>& found, const std::vector<double>& wanted,
                           const std::string& what) {
    ASSERT_EQ(found.size(), wanted.size()) << what;
    const std::size_t stretch = std::max<std::size_t>(8, wanted.size() / 64);
    for (std::size_t begin = 0; begin < wanted.size(); begin += stretch) {
      double error = 0, size = 0;
      for (std::size_t i = begin; i < std::min(wanted.size(), begin + stretch); ++i) {
        const double g = std::sqrt(wanted[i]);
        error += std::pow(std::sqrt(found[i]) - g, 2);
        size += g * g;
      }
      ASSERT_GT(size, 0) << what << " from " << begin;
      ASSERT_LE(std::sqrt(error / size), 2e-3) << what << " from " << begin;
    }
  }
};

TEST_F(GpuLarge, ScoresInOnePieceAreThoseInSeveral) {
  for (const char* name : {"tcomplex", "ttranse"}) {
    const ModelVariant& variant = find_variant(name, {});
    const auto whole = engine_with(variant, 0);
    if (works_in_pieces(*whole)) GTEST_SKIP() << "this GPU's memory is too small";
    const auto pieces = engine_with(variant, std::uint64_t{5} << 30);
    ASSERT_TRUE(works_in_pieces(*pieces)) << pieces->description();
    for (Engine* engine : {whole.get(), pieces.get()}) {
      start_randomly(*engine, 3, 0.3);
      engine->step(1, 0, large_batch, {});
    }
    EXPECT_NEAR(whole->losses().total(), pieces->losses().total(), 1e-4) << name;
    const auto found = read_tables(*whole, State::optimizer);
    const auto wanted = read_tables(*pieces, State::optimizer);
    for (std::size_t r = 0; r < wanted.size(); ++r)
      expect_close(found[r], wanted[r],
                   std::string(name) + ", " + std::string(variant.rows[r].name));

    const auto examples = random_examples(large_shape, 4'096, 8);
    std::vector<RankQuestion> questions;
    for (const Example& example : examples)
      questions.push_back({{example.query, {}, false}, example.object, {}});
    std::vector<RankCounts> counts(questions.size()), counts_in_pieces(questions.size());
    for (Engine* engine : {whole.get(), pieces.get()}) write_whole_numbers(*engine);
    whole->rank(questions, counts);
    pieces->rank(questions, counts_in_pieces);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      ASSERT_EQ(counts[i].higher, counts_in_pieces[i].higher) << name << ", question " << i;
      ASSERT_EQ(counts[i].equal, counts_in_pieces[i].equal) << name << ", question " << i;
    }
  }
}

}  // namespace
}  // namespace orrery

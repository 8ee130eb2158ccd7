// The facts of a comparison are read once, or never.
#include <gtest/gtest.h>

#include <functional>

#include "api/in_memory.h"
#include "compare/compare_watcher.h"

namespace orrery {
namespace {

using testing::contains;
using testing::in_memory;
using testing::read_bytes;
using testing::Watcher;
using testing::world_lines;
using Work = RunAhead::Work;

// Meddles with the facts before the first run is trained.
class Meddler : public Watcher {
 public:
  explicit Meddler(std::function<void()> meddle) : meddle_(std::move(meddle)) {}
  void on_run(const RunAhead& run) override {
    if (runs.empty()) meddle_();
    Watcher::on_run(run);
  }

 private:
  std::function<void()> meddle_;
};

class CompareFacts : public testing::SmallRuns {
 protected:
  CompareOptions models(TrainOptions base, std::int64_t seeds = 2) const {
    base.device = "cpu";
    base.eval_every = 2;
    CompareOptions compared;
    for (const auto* words : {"complex", "tcomplex"})
      compared.models.push_back(compared_model(words, base));
    compared.seeds = seeds;
    return compared;
  }
  TrainOptions single_file(const std::string& split_by) const {
    TrainOptions o = options();
    o.data = scratch_.write("facts.txt", world_lines(0, 270, false)).string();
    o.reading.split = "80/10/10";
    o.reading.split_by = split_by;
    return o;
  }
  void expect_same_comparison(const std::string& one, const std::string& other) const {
    for (const std::string run :
         {"complex-seed1", "complex-seed2", "tcomplex-seed1", "tcomplex-seed2"}) {
      expect_same_run(fmt::format("{}/{}", one, run), fmt::format("{}/{}", other, run));
      EXPECT_EQ(read_bytes(at(one) / run / "test.json"), read_bytes(at(other) / run / "test.json"));
    }
  }
};

TEST_F(CompareFacts, FilesThatChangeLaterAreNotReadAgain) {
  compare(models(options()), at("whole"));
  Meddler meddler([&] { scratch_.write("data/train.txt", world_lines(300, 220, false)); });
  EXPECT_TRUE(compare(models(options()), at("out"), &meddler).complete());
  expect_same_comparison("whole", "out");
}

TEST_F(CompareFacts, FilesMayGoOnceItIsPlanned) {
  compare(models(options()), at("whole"));
  ComparisonRunner runner(models(options()), at("out"));
  std::filesystem::remove_all(at("data"));
  CompareObserver silent;
  EXPECT_TRUE(runner.carry_out_seed(0, silent) && runner.carry_out_seed(1, silent));
  EXPECT_TRUE(runner.so_far().complete());
  expect_same_comparison("whole", "out");
}

TEST_F(CompareFacts, AFileThatSeedsCutIsReadOnceASeed) {
  for (const std::string by : {"random", "time"}) {
    const CompareOptions options = models(single_file(by));
    const Comparison whole = compare(options, at("whole-" + by));
    const std::string first = whole.rows[0].runs[0].training.data_fingerprint;
    EXPECT_EQ(whole.rows[0].runs[1].training.data_fingerprint == first, by == "time");
    Meddler thief([&] { std::filesystem::remove(at("facts.txt")); });
    EXPECT_TRUE(compare(options, at("out-" + by), &thief).complete());
    expect_same_comparison("whole-" + by, "out-" + by);
  }
}

TEST_F(CompareFacts, TheyMayBeInMemory) {
  const Comparison from_files = compare(models(options()), at("files"));
  CompareOptions given = models(options());
  given.data = in_memory(Dataset::open(at("data").string()));
  std::filesystem::remove_all(at("data"));
  Watcher stopping(40);
  EXPECT_FALSE(compare(given, at("out"), &stopping).complete());
  const Comparison comparison = compare(given, at("out"));
  ASSERT_TRUE(comparison.complete());
  EXPECT_EQ(comparison.data, "");
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_EQ(comparison.rows[row].mean, from_files.rows[row].mean);
    EXPECT_EQ(comparison.rows[row].deviation, from_files.rows[row].deviation);
  }
  EXPECT_TRUE(contains(read_bytes(at("out/compare.md")), "Data: in memory;"));

  given.data = in_memory(Dataset::demo());
  const Error other = caught([&] { compare(given, at("out")); });
  EXPECT_EQ(other.option(), "data");
  EXPECT_TRUE(contains(other.message(), "holds a run on other facts")) << other.what();
}

TEST_F(CompareFacts, AModelOfOtherFactsIsNotEvaluated) {
  const CompareOptions options = models(this->options(), 1);
  compare(options, at("out"));
  scratch_.write("data/train.txt", world_lines(300, 220, false));
  testing::train_run(options.models[0].options, at("other"));
  write_world("data", false);
  const auto run = at("out/complex-seed1");
  std::filesystem::copy_file(at("other/model.safetensors"), run / "model.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::remove(run / "test.json");
  const Error error = caught([&] { compare(options, at("out")); });
  EXPECT_EQ(error.option(), "data");
  EXPECT_EQ(error.place(), Place(run.string()));
  EXPECT_TRUE(contains(error.message(), "its model was trained on other facts")) << error.what();
}

TEST_F(CompareFacts, ThoseThatASeedHasCutAreOfOneSeed) {
  const TrainOptions file = single_file("random");
  CompareOptions given = models(file);
  given.data = Dataset::open(file.data, data_options(file));
  const Error error = caught([&] { compare(given, at("out")); });
  EXPECT_EQ(error.option(), "seeds");
  EXPECT_EQ(error.message(), "the facts were split with seed 1, and a run has seed 2");
  EXPECT_FALSE(std::filesystem::exists(at("out")));
  given.seeds = 1;
  EXPECT_TRUE(compare(given, at("out")).complete());
}

}  // namespace
}  // namespace orrery

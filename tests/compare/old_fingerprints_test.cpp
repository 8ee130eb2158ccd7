// Files from before fingerprints knew the classes of times: they are gone on with and evaluated.
#include <gtest/gtest.h>

#include "api/small_runs.h"
#include "base/atomic_file.h"
#include "compare/compare_watcher.h"
#include "learn/doctored.h"
#include "orrery/compare.h"

namespace orrery {
namespace {

using testing::contains;
using testing::evaluate_run;
using testing::read_bytes;
using testing::refused;
using testing::resume_run;
using testing::StopAfter;
using testing::train_run;
using testing::Watcher;

class OldFingerprints : public testing::SmallRuns {
 protected:
  void SetUp() override { write_world("data", true); }

  static std::string as_before(const std::string& fingerprint) {
    EXPECT_EQ(fingerprint.find('.'), 64U) << fingerprint;
    return fingerprint.substr(0, 64);
  }
  void make_old(const std::string& run, const std::string& name) const {
    const auto path = at(run) / name;
    const std::string now = SafetensorsFile(path).require_metadata("data_fingerprint");
    testing::rewrite_metadata(path, "data_fingerprint", as_before(now));
  }
  void make_json_old(const std::string& run, const std::string& name) const {
    const auto path = at(run) / name;
    auto json = nlohmann::ordered_json::parse(read_bytes(path));
    auto& holder = json.contains("training") ? json["training"] : json;
    holder["data_fingerprint"] = as_before(holder["data_fingerprint"]);
    write_file_atomically(path, json.dump());
  }
};

TEST_F(OldFingerprints, ARunIsResumedToTheSameBytes) {
  train_run(options(), at("whole"));
  StopAfter stop(10);
  train_run(options(), at("parts"), &stop);
  make_old("parts", "state.safetensors");
  resume_run(at("parts"));
  expect_same_run("whole", "parts");
}

TEST_F(OldFingerprints, AModelIsEvaluatedOnItsOwnData) {
  train_run(options(), at("run"));
  const double before = evaluate_run(at("run")).pessimistic.mrr;
  make_old("run", "model.safetensors");
  EXPECT_EQ(evaluate_run(at("run")).pessimistic.mrr, before);
  scratch_.write("data/test.txt", testing::world_lines(245, 24, true));
  EXPECT_TRUE(contains(refused([&] { evaluate_run(at("run")); }), "fingerprint"));
}

TEST_F(OldFingerprints, AComparisonKeepsItsRuns) {
  TrainOptions validated = options();
  validated.eval_every = 2;
  CompareOptions compared;
  compared.models = {compared_model("complex", validated)};
  compare(compared, at("out"));
  for (const char* file : {"summary.json", "test.json"}) make_json_old("out/complex-seed1", file);
  Watcher watcher;
  compare(compared, at("out"), &watcher);
  ASSERT_EQ(watcher.runs.size(), 1U);
  EXPECT_EQ(watcher.runs[0].work, RunAhead::Work::done);

  scratch_.write("data/test.txt", testing::world_lines(245, 24, true));
  EXPECT_TRUE(contains(refused([&] { compare(compared, at("out")); }), "other facts"));
}

}  // namespace
}  // namespace orrery

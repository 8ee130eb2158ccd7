// What a sweep left on the disk, damaged by hand.
#include "base/directory_lock.h"
#include "sweep/watcher.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::SweepRuns;
using testing::Watcher;

TEST_F(SweepRuns, ADamagedLineOfATrialIsNamed) {
  sweep(drawn(Search::random, 1), at("out"));
  const auto whole = nlohmann::json::parse(read_bytes(at("out") / "trials.jsonl"));
  const auto refusal = [&](const std::string& line) {
    scratch_.write("out/trials.jsonl", line + "\n");
    return refused([&] { sweep(drawn(Search::random, 1), at("out")); });
  };
  for (const auto* change :
       {R"({"trial": "one"})", R"({"trial": 1e300})", R"({"trial": 0})", R"({"rung": -1})",
        R"({"epochs": null})", R"({"parameters": 1.5})", R"({"seconds": "long"})",
        R"({"status": 7})", R"({"runs": []})", R"({"runs": 3})", R"({"runs": [{"seed": -1}]})",
        R"({"mean": {"mrr": "high"}})", R"({"deviation": null})", R"({"data_fingerprint": 7})",
        R"({"status": "failed"})"}) {
    auto json = whole;
    json.update(nlohmann::json::parse(change));
    const std::string message = refusal(json.dump());
    EXPECT_TRUE(contains(message, "trials.jsonl:1: not a valid trial record (")) << message;
    EXPECT_TRUE(contains(message, "remove the line to run its trial again")) << message;
  }
  for (const std::string& junk :
       {std::string("\0\xff\xfe", 3), std::string(100000, '['), std::string("null"), std::string()})
    EXPECT_TRUE(contains(refusal(junk), "trials.jsonl:1: not a valid trial record"));
  auto other = whole;
  other["trial"] = 7;
  EXPECT_TRUE(contains(refusal(other.dump()),
                       "trial 7, rung 1, does not exist: this sweep has 1 trial and"));
  std::filesystem::remove(at("out") / "trials.jsonl");
  std::filesystem::create_directory(at("out") / "trials.jsonl");
  EXPECT_TRUE(contains(refused([&] { sweep(drawn(Search::random, 1), at("out")); }),
                       "trials.jsonl: is not a regular file"));
}

TEST_F(SweepRuns, ADamagedSweepFileIsNamed) {
  sweep(drawn(Search::random, 1), at("out"));
  for (const auto* text : {"search = 3\n", "\xff\xfe", "dim = [\n"}) {
    scratch_.write("out/sweep.toml", text);
    EXPECT_TRUE(
        contains(refused([&] { sweep(drawn(Search::random, 1), at("out")); }), "out/sweep.toml:"));
  }
}

TEST_F(SweepRuns, AnEditedRunIsNamedAndTheSweepGoesOnWithoutIt) {
  Watcher watcher(3);
  sweep(grid(), at("out"), &watcher);
  const auto config = at("out") / "runs" / "1-1" / "config.toml";
  std::string text = read_bytes(config);
  text.replace(text.find("batch = 67"), 10, "batch = 66");
  std::ofstream(config) << text;
  const std::string message = refused([&] { sweep(grid(), at("out")); });
  EXPECT_TRUE(contains(message, "config.toml says batch = 66, and the run was trained with batch"))
      << message;
  EXPECT_TRUE(contains(message, "remove this run and run the same command again")) << message;
  std::filesystem::remove_all(config.parent_path());
  EXPECT_TRUE(sweep(grid(), at("out")).complete);
}

TEST_F(SweepRuns, OneSweepAtATimeWorksInADirectory) {
  sweep(drawn(Search::random, 1), at("out"));
  const DirectoryLock somebody(at("out"));
  EXPECT_TRUE(
      contains(refused([&] { sweep(drawn(Search::random, 1), at("out")); }), "another process"));
}

}  // namespace
}  // namespace orrery

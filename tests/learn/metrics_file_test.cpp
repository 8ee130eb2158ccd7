#include "learn/metrics_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;

class MetricsFile : public ::testing::Test {
 protected:
  std::filesystem::path file() const { return scratch_.path() / "metrics.jsonl"; }
  static EpochReport report_of(std::int64_t epoch) {
    EpochReport report;
    report.epoch = epoch;
    report.loss = 1.0 / 3;
    report.seconds = 0.5;
    if (epoch % 2 == 0) report.valid = Scores{0.1, 0.2, 0.3, 0.4};
    return report;
  }
  void append(std::int64_t epoch) const {
    append_to_metrics(file(), metrics_line(report_of(epoch)));
  }
  std::vector<std::int64_t> epochs() const {
    std::vector<std::int64_t> numbers;
    for (const EpochReport& report : read_metrics(file())) numbers.push_back(report.epoch);
    return numbers;
  }
  using Numbers = std::vector<std::int64_t>;

  testing::ScratchDirectory scratch_;
};

TEST_F(MetricsFile, ReportsComeBackAsTheyWere) {
  EXPECT_TRUE(read_metrics(file()).empty());
  append(1);
  append(2);
  const auto reports = read_metrics(file());
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].loss, 1.0 / 3);
  EXPECT_EQ(reports[0].seconds, 0.5);
  EXPECT_FALSE(reports[0].valid);
  EXPECT_EQ(reports[1].valid->hits3, 0.3);
}

TEST_F(MetricsFile, ForgetsWhatWillBeDoneAgain) {
  for (std::int64_t epoch = 1; epoch <= 4; ++epoch) append(epoch);
  std::ofstream(file(), std::ios::app) << R"({"epoch": 5, "sec)";  // a crash
  EXPECT_EQ(keep_metrics_before(file(), 3), 0);
  const std::string kept = read_bytes(file());
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 2);
  EXPECT_TRUE(contains(kept, R"("valid":{"mrr":0.1,"hits1":0.2,"hits3":0.3,"hits10":0.4})"));
}

// Two processes, or a hand, may have written it.
TEST_F(MetricsFile, HasEachEpochOnceAndInOrder) {
  for (const std::int64_t epoch : {2, 1, 2, 3, 1}) append(epoch);
  EXPECT_EQ(epochs(), (Numbers{1, 2, 3}));
  EXPECT_EQ(keep_metrics_before(file(), 3), 0);
  EXPECT_EQ(epochs(), (Numbers{1, 2}));
  const std::string kept = read_bytes(file());
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 2);
}

TEST_F(MetricsFile, DamagedLinesArePassedOverAndCounted) {
  const std::vector<std::string> damaged = {
      R"([])",
      R"(null)",
      R"(3)",
      R"({})",
      R"({"epoch": "x", "seconds": 1})",
      R"({"epoch": 2})",
      R"({"epoch": 2, "seconds": "1"})",
      R"({"epoch": 0, "seconds": 1})",
      R"({"epoch": -1, "seconds": 1})",
      R"({"epoch": 1.5, "seconds": 1})",
      R"({"epoch": 1e300, "seconds": 1})",
      R"({"epoch": 99999999999999999999, "seconds": 1})",
      R"({"epoch": 18446744073709551615, "seconds": 1})",
      R"({"epoch": 2, "seconds": 1e999})",
      R"({"epoch": 2, "seconds": 1, "loss": "low"})",
      R"({"epoch": 2, "seconds": 1, "n3": null})",
      R"({"epoch": 2, "seconds": 1, "valid": 7})",
      R"({"epoch": 2, "seconds": 1, "valid": {"mrr": "0.1"}})",
      R"({"epoch": 2, "seconds": 1, "valid": {"hits1": 0.1}})",
      std::string("\0\xff\xfe{", 4),
      std::string(100000, '['),
  };
  append(1);
  std::string text;
  for (const std::string& line : damaged) text += line + '\n';
  append_to_metrics(file(), text);
  append(3);
  EXPECT_EQ(epochs(), (Numbers{1, 3}));
  EXPECT_EQ(keep_metrics_before(file(), 9), std::ssize(damaged));
  EXPECT_EQ(epochs(), (Numbers{1, 3}));
  EXPECT_EQ(keep_metrics_before(file(), 9), 0);
}

TEST_F(MetricsFile, LinesOfEarlierVersionsAreRead) {
  append_to_metrics(file(), "{\"epoch\":1,\"seconds\":2}\n");
  append_to_metrics(file(), "{\"epoch\":2,\"seconds\":2,\"sides\":0.5}\n");
  EXPECT_EQ(read_metrics(file()).at(0).auxiliary, 0);
  EXPECT_EQ(read_metrics(file()).at(1).auxiliary, 0.5);
}

TEST_F(MetricsFile, ARateThatWasNoNumberCostsNoEpoch) {
  scratch_.write("metrics.jsonl", R"({"epoch":1,"seconds":0,"examples_per_second":null})"
                                  "\n");
  ASSERT_EQ(read_metrics(file()).size(), 1U);
  EXPECT_EQ(read_metrics(file())[0].examples_per_second, 0);
}

TEST_F(MetricsFile, ADirectoryInItsPlaceIsNamed) {
  std::filesystem::create_directory(file());
  for (const auto& work : std::vector<std::function<void()>>{
           [&] { append(1); }, [&] { keep_metrics_before(file(), 1); },
           [&] { read_metrics(file()); }}) {
    try {
      work();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_TRUE(contains(error.what(), "metrics.jsonl")) << error.what();
    }
  }
}

// With no room left a line is there whole or not at all.
TEST_F(MetricsFile, WhatDoesNotFitIsNotThere) {
  EXPECT_THROW(append_to_metrics("/dev/full", "text\n"), Error);
}

}  // namespace
}  // namespace orrery

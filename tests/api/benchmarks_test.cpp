#include "orrery/benchmarks.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "orrery/error.h"

namespace orrery {
namespace {

TEST(Benchmarks, SayWhichFilesTheyAreFetchedFrom) {
  for (const BenchmarkInfo& set : benchmarks()) {
    EXPECT_GE(set.files.size(), 3u) << set.name;
    for (const BenchmarkFile& file : set.files) {
      EXPECT_FALSE(file.name.empty()) << set.name;
      EXPECT_GT(file.most_bytes, 1000u) << set.name << "/" << file.name;
    }
  }
}

TEST(Benchmarks, AreKeptWhereTheEnvironmentSays) {
  const char* const before = std::getenv("ORRERY_DATA");
  const std::string kept = before == nullptr ? "" : before;
  setenv("ORRERY_DATA", "/somewhere", 1);
  EXPECT_EQ(benchmark_folder("icews14"), "/somewhere/icews14");
  EXPECT_THROW(benchmark_folder("../icews14"), Error);
  before == nullptr ? unsetenv("ORRERY_DATA") : setenv("ORRERY_DATA", kept.c_str(), 1);
}

}  // namespace
}  // namespace orrery

// A scratch directory with a small data set, and the program to try on it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "api/small_runs.h"
#include "cli/program.h"

namespace orrery::testing {

class CommandLine : public SmallRuns {
 protected:
  using Words = std::vector<std::string>;

  Spoken orrery(const Words& words) const { return Program(scratch_.path(), words).wait(); }

  // Must succeed.
  Spoken done(const Words& words) const {
    Spoken spoken = orrery(words);
    EXPECT_EQ(spoken.code, 0) << spoken.err;
    return spoken;
  }
  // Must succeed and print one JSON value and nothing else.
  nlohmann::json json(Words words) const {
    words.emplace_back("--json");
    const Spoken spoken = done(words);
    EXPECT_TRUE(nlohmann::json::accept(spoken.out)) << spoken.out;
    return nlohmann::json::parse(spoken.out, nullptr, false);
  }
  // Must be refused as a wrong request, with a message and no output.
  std::string refused(const Words& words) const {
    const Spoken spoken = orrery(words);
    EXPECT_EQ(spoken.code, 1) << spoken.err;
    EXPECT_EQ(spoken.out, "");
    EXPECT_TRUE(contains(spoken.err, "orrery: ")) << spoken.err;
    return spoken.err;
  }

  Words train_words(const std::string& run, const Words& more = {}) const {
    Words words = {"train", "--data", at("data").string(), "--out", at(run).string(),
                   "--dim", "16",     "--batch",           "67",    "--threads",
                   "1"};
    words.insert(words.end(), more.begin(), more.end());
    // Else the last epoch is validated, whichever that is.
    if (std::ranges::find(more, "--eval-every") == more.end())
      words.insert(words.end(), {"--eval-every", "0"});
    return words;
  }
};

}  // namespace orrery::testing

// What the program does where a launcher says that it started several; check_ranks has a real one.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;

class Processes : public testing::CommandLine {
 protected:
  void launch(const char* rank, const char* size) const {
    setenv("SLURM_PROCID", rank, 1);
    setenv("SLURM_STEP_NUM_TASKS", size, 1);
  }
  void TearDown() override {
    unsetenv("SLURM_PROCID");
    unsetenv("SLURM_STEP_NUM_TASKS");
  }
};

TEST_F(Processes, OtherVerbsAreRefusedByOneOfThem) {
  launch("0", "3");
  const std::string message = refused({"models"});
  EXPECT_TRUE(contains(message, "works in one process, and 3 were started")) << message;
  launch("2", "3");
  const auto spoken = orrery({"models"});
  EXPECT_EQ(spoken.code, 1);
  EXPECT_EQ(spoken.out + spoken.err, "");
}

TEST_F(Processes, ALauncherThatMpiDoesNotKnowIsRefused) {
  launch("1", "3");
  const auto spoken = orrery(train_words("run", {}));
  EXPECT_EQ(spoken.code, 1);
  EXPECT_TRUE(contains(spoken.err, "rank 1 of 3: ")) << spoken.err;
  EXPECT_TRUE(contains(spoken.err, "processes were started")) << spoken.err;
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}

TEST_F(Processes, OneOfOneIsAlone) {
  launch("0", "1");
  done(train_words("run", {}));
}

}  // namespace
}  // namespace orrery

#include "base/launcher.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>

namespace orrery {
namespace {

using Environment = std::map<std::string, std::string>;

Launched launched(const Environment& environment) {
  return launched_in([&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

void expect_launched(const Environment& environment, int rank, int size) {
  const Launched found = launched(environment);
  EXPECT_EQ(found.rank, rank);
  EXPECT_EQ(found.size, size);
}

TEST(Launcher, NobodyStartedOthers) { expect_launched({}, 0, 1); }

TEST(Launcher, TellsByItsEnvironment) {
  expect_launched({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}}, 2, 4);
  expect_launched({{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}}, 0, 3);
  expect_launched({{"SLURM_PROCID", "7"}, {"SLURM_STEP_NUM_TASKS", "8"}}, 7, 8);
}

// A batch script has a rank and a number of tasks, and is one process.
TEST(Launcher, ABatchScriptIsAlone) {
  expect_launched({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}, 0, 1);
}

TEST(Launcher, NonsenseIsNoLauncher) {
  expect_launched({{"OMPI_COMM_WORLD_RANK", "4"}, {"OMPI_COMM_WORLD_SIZE", "4"}}, 0, 1);
  expect_launched({{"OMPI_COMM_WORLD_RANK", "-1"}, {"OMPI_COMM_WORLD_SIZE", "4"}}, 0, 1);
  expect_launched({{"PMI_RANK", "one"}, {"PMI_SIZE", "2x"}}, 0, 1);
  expect_launched({{"PMI_SIZE", "2"}}, 0, 1);
}

TEST(Launcher, KnowsWhoHasEnded) {
  EXPECT_FALSE(has_ended(getpid()));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  // It has ended, and waits to be asked how.
  siginfo_t how{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &how, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(has_ended(child));
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(has_ended(child));
}

}  // namespace
}  // namespace orrery

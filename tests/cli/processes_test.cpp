// What the program does where a launcher says that it started several; check_ranks has a real one.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/command_line.h"
#include "engine/engine.h"

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

// By a real mpirun: two processes on one GPU, then one on a half and three on the rest.
class ProcessesOnGpus : public testing::CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    if (!is_gpu("auto")) GTEST_SKIP() << "no GPU here: nothing was shared on one";
    if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
    if (!has_mpi()) GTEST_SKIP() << "this build has no MPI";
  }
  static bool has_mpi() {
    const std::filesystem::path build = std::filesystem::path(ORRERY_PROGRAM).parent_path();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(build.parent_path()))
      if (entry.path().filename() == "orrery_mpi.so") return true;
    return false;
  }
  // Must succeed.
  void shared(int processes, const Words& words) const {
    std::string line =
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n " +
        std::to_string(processes) + " " + ORRERY_PROGRAM;
    for (const std::string& word : words) line += " '" + word + "'";
    const std::string said = at("said").string();
    ASSERT_EQ(std::system((line + " >" + said + " 2>&1").c_str()), 0) << line << "\n"
                                                                      << testing::read_bytes(said);
  }
  Words words_of(const std::string& run, const Words& more) const {
    Words words = train_words(run, {"--device", "cuda", "--precision", "fp32", "--eval-every", "2",
                                    "--ema", "0.5", "--dropout", "0.1", "--history", "gap"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(ProcessesOnGpus, ARunIsThatOfOneProcessAndAnyNumberGoesOnWithIt) {
  done(words_of("one", {"--epochs", "4"}));
  shared(2, words_of("two", {"--epochs", "2"}));
  shared(3, {"train", "--resume", at("two").string(), "--epochs", "3"});
  done({"train", "--resume", at("two").string(), "--epochs", "4"});
  const auto wanted = metrics("one"), found = metrics("two");
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t epoch = 0; epoch < wanted.size(); ++epoch) {
    const double loss = wanted[epoch]["loss"];
    EXPECT_NEAR(found[epoch]["loss"].get<double>(), loss, 1e-3 * loss) << "epoch " << epoch + 1;
  }
  done({"evaluate", at("two").string()});
}

}  // namespace
}  // namespace orrery

// orrery completion: what shells are offered.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/command_line.h"
#include "orrery/models.h"

namespace orrery {
namespace {

using testing::contains;

class Completion : public testing::CommandLine {
 protected:
  void write_script(const std::string& shell) const {
    scratch_.write("orrery." + shell, done({"completion", shell}).out);
  }
  bool is_accepted_by(const std::string& shell) const {
    const std::string script = at("orrery." + shell).string();
    return std::system((shell + " -n '" + script + "'").c_str()) == 0;
  }
  // What bash offers after these words, of which the last is begun.
  std::string offered(const std::string& words) const {
    scratch_.write("drive.bash", "source '" + at("orrery.bash").string() + "'\nCOMP_WORDS=(" +
                                     words +
                                     ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                                     "_orrery\necho \"${COMPREPLY[*]}\"\n");
    const std::string out = at("offered").string();
    const std::string command = "bash '" + at("drive.bash").string() + "' > '" + out + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << words;
    return testing::read_bytes(out);
  }
};

bool is_installed(const std::string& shell) {
  return std::system(("command -v " + shell + " > /dev/null").c_str()) == 0;
}

TEST_F(Completion, ShellsAcceptTheirScripts) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    write_script(shell);
    if (is_installed(shell)) {
      EXPECT_TRUE(is_accepted_by(shell)) << shell;
    }
  }
  EXPECT_TRUE(contains(refused({"completion", "tcsh"}), "bash, zsh and fish"));
  EXPECT_TRUE(contains(testing::read_bytes(at("orrery.zsh")), "#compdef orrery\n"));
  EXPECT_TRUE(contains(
      testing::read_bytes(at("orrery.fish")),
      "-l granularity -x -a 'auto second minute hour day week month quarter year decade' -d "));
}

TEST_F(Completion, BashIsOfferedVerbsOptionsAndValues) {
  if (!is_installed("bash")) GTEST_SKIP() << "there is no bash here";
  write_script("bash");
  EXPECT_EQ(offered("orrery tr"), "train\n");
  EXPECT_EQ(offered("orrery data ''"), "check list get demo split convert\n");
  EXPECT_EQ(offered("orrery train --gran"), "--granularity\n");
  EXPECT_EQ(offered("orrery train --granularity ''"),
            "auto second minute hour day week month quarter year decade\n");
  EXPECT_EQ(offered("orrery train --granularity = w"), "week\n");
  EXPECT_EQ(offered("orrery evaluate runs/a --split t"), "train test\n");
  EXPECT_EQ(offered("orrery train --out data --self-distillation-"), "--self-distillation-from\n");
  EXPECT_EQ(offered("orrery data get icews05"), "icews05-15\n");
  EXPECT_EQ(offered("orrery --quiet help comp"), "compare completion\n");
  EXPECT_EQ(offered("orrery train --data ''"), "\n");  // bash goes on with files
  const std::string names = offered("orrery train --model ''");
  for (const ModelInfo& model : models()) EXPECT_TRUE(contains(names, model.name)) << names;
}

}  // namespace
}  // namespace orrery

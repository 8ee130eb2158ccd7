// Files with flipped bits, as a user meets them.
#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::Spoken;

class DamagedFiles : public testing::CommandLine {
 protected:
  const std::filesystem::path golden_ = ORRERY_SOURCE_DIR "/tests/golden/runs";

  void SetUp() override {
    std::filesystem::copy(golden_ / "format2" / "points", at("run"),
                          std::filesystem::copy_options::recursive);
  }
  std::string run() const { return at("run").string(); }
  std::string data() const { return (golden_ / "data" / "points").string(); }

  void damage(const std::string& file, std::size_t at_byte) const {
    std::string bytes = read_bytes(at("run") / file);
    bytes.at(at_byte) = static_cast<char>(bytes.at(at_byte) ^ 4);
    scratch_.write("run/" + file, bytes);
  }
  nlohmann::json checked(const std::string& path, int code) const {
    const Spoken spoken = orrery({"inspect", path, "--verify", "--json"});
    EXPECT_EQ(spoken.code, code) << spoken.err;
    return nlohmann::json::parse(spoken.out, nullptr, false);
  }
};

TEST_F(DamagedFiles, InspectVerifyNamesThePart) {
  const auto whole = checked(run(), 0);
  EXPECT_EQ(whole["damaged"], false);
  ASSERT_EQ(whole["files"].size(), 2U);
  for (const auto& file : whole["files"])
    for (const auto& part : file["parts"]) EXPECT_EQ(part["state"], "ok") << part;
  EXPECT_EQ(checked(run() + "/state.safetensors", 0)["files"].size(), 1U);

  damage("state.safetensors", 2500);
  const auto damaged = checked(run(), 1);
  EXPECT_EQ(damaged["damaged"], true);
  EXPECT_EQ(damaged["files"][0]["damaged"], false);
  int bad = 0;
  for (const auto& part : damaged["files"][1]["parts"]) bad += part["state"] == "damaged" ? 1 : 0;
  EXPECT_EQ(bad, 1);
  const Spoken table = orrery({"inspect", run(), "--verify"});
  EXPECT_EQ(table.code, 1);
  EXPECT_TRUE(contains(table.out, "model.safetensors: whole")) << table.out;
  EXPECT_TRUE(contains(table.out, "state.safetensors: damaged; copy it again")) << table.out;
  // The facts are read first; the run names them by a path that holds in one directory only.
  const Words on = {"train", "--resume", run(), "--epochs", "9", "--data", data()};
  EXPECT_TRUE(contains(refused(on), "is damaged"));
}

TEST_F(DamagedFiles, AHeaderThatCannotBeReadIsShownToo) {
  damage("model.safetensors", 3);
  const auto json = checked(run(), 1);
  EXPECT_EQ(json["files"][0]["parts"].size(), 1U);
  EXPECT_EQ(json["files"][0]["parts"][0]["state"], "damaged");
  EXPECT_TRUE(contains(json["files"][0]["fault"].get<std::string>(), "longer than the file"));
  EXPECT_EQ(json["files"][1]["damaged"], false);
}

TEST_F(DamagedFiles, EveryVerbRefusesThemUnlessToldNotToLook) {
  damage("model.safetensors", 2300);  // in a row
  for (Words words : {Words{"inspect", run()}, Words{"evaluate", run(), "--data", data()},
                      Words{"predict", run(), "--subject", "Ada", "--relation", "visits", "--time",
                            "2014-02-01"}}) {
    const std::string message = refused(words);
    EXPECT_TRUE(contains(message, "is damaged: ") && contains(message, "--verify")) << message;
    words.emplace_back("--no-verify");
    done(words);
  }
  EXPECT_TRUE(contains(refused({"inspect", run(), "--verify", "--no-verify"}), "excludes"));
}

TEST_F(DamagedFiles, FilesOfTheFirstFormatHaveNoChecksums) {
  const auto json = checked((golden_ / "format1" / "points").string(), 0);
  for (const auto& file : json["files"]) {
    EXPECT_EQ(file["checksums"], false);
    for (const auto& part : file["parts"]) EXPECT_EQ(part["state"], "no checksum") << part;
  }
  const auto text = done({"inspect", (golden_ / "format1" / "points").string(), "--verify"}).out;
  EXPECT_TRUE(contains(text, "has no checksums")) << text;
}

}  // namespace
}  // namespace orrery

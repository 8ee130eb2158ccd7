#include "learn/stored_model.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>

#include "facts/scratch.h"
#include "learn/doctored.h"
#include "learn/small_model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::SmallModel;

class CheckpointModel : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return scratch_.path() / "model.safetensors"; }

  // Writes the model once more with other metadata.
  std::string refusal_with(const std::string& key, const std::string& value) const {
    SmallModel().write_to(path());
    testing::rewrite_metadata(path(), key, value);
    const std::string message = refused([&] { StoredModel model(path()); });
    EXPECT_TRUE(contains(message, "model.safetensors")) << message;
    return message;
  }

  testing::ScratchDirectory scratch_;
};

TEST_F(CheckpointModel, SaveLoadSaveGivesTheSameBytes) {
  for (const auto& [name, intervals] :
       {std::tuple{"bsca", false}, {"bsca", true}, {"complex", false}, {"tntcomplex", true}}) {
    const SmallModel model(name, intervals);
    model.write_to(path());
    const std::string saved = read_bytes(path());
    const StoredModel file(scratch_.path());
    EXPECT_EQ(file.header().entities.names(), model.header.entities.names());
    EXPECT_EQ(file.header().times.intervals, intervals);
    EXPECT_EQ(file.header().epoch, 3);
    EXPECT_EQ(file.parameters(), parameter_count(model.engine->tables()));
    const auto engine = file.start_engine({.threads = 1});
    const auto copy = scratch_.path() / "copy";
    const TableRows rows = read_rows(*engine, State::value);
    write_model(copy, file.header(), engine->tables(),
                [&](std::size_t t) { return std::span<const float>(rows[t]); });
    EXPECT_EQ(read_bytes(copy), saved) << name;
  }
}

TEST_F(CheckpointModel, ACalibrationComesBackToTheBit) {
  SmallModel model;
  model.write_to(path());
  EXPECT_FALSE(StoredModel(path()).header().calibration.has_value());
  model.header.calibration = Calibration{.object = {0.1, 1.0 / 3, -2e-9},
                                         .subject = {1, 2, 3},
                                         .fact = {0.3, 0.2, 0.1, 5.4321},
                                         .fact_curve = {0.9, 1.1, -0.7},
                                         .facts = 2500};
  model.write_to(path());
  EXPECT_EQ(StoredModel(path()).header().calibration, model.header.calibration);
  for (const char* damaged : {"", "{}", "[1]", R"({"object": "far"})"})
    EXPECT_TRUE(contains(refusal_with("calibration", damaged), "its metadata 'calibration'"))
        << damaged;
}

TEST_F(CheckpointModel, NamesOfAnyBytesOfUtf8Survive) {
  SmallModel model;
  auto names = model.header.entities.names();
  names[0] = " \"quoted\"\\ \xc2\xa0";
  names[1] = "#\n";
  names.back() = "日本 \xf0\x9f\x8c\x8d";
  model.header.entities = Vocabulary(names);
  model.write_to(path());
  EXPECT_EQ(StoredModel(path()).header().entities.names(), names);
}

TEST_F(CheckpointModel, MetadataThatIsNotOursIsRefused) {
  EXPECT_TRUE(contains(refusal_with("format", "pt"), "'pt' where 'orrery-model 2' is wanted"));
  EXPECT_TRUE(contains(refusal_with("epoch", "x"), "is damaged: its metadata 'epoch'"));
  EXPECT_TRUE(contains(refusal_with("options", "dim = 16\nwidth = 3"), ":2: "));
  EXPECT_TRUE(contains(refusal_with("options", "dim = 0"), "--dim"));
  EXPECT_TRUE(contains(refusal_with("options", "dim = 15"), "--dim"));
  EXPECT_TRUE(contains(refusal_with("options", "model = \"none\""), "no model 'none'"));
}

// Names and times were JSON in the metadata then, and there were no checksums.
TEST_F(CheckpointModel, DamageThatAFileOfTheFirstVersionShowsIsRefused) {
  const SafetensorsFile old(ORRERY_SOURCE_DIR
                            "/tests/golden/runs/format1/points/model.safetensors");
  const auto with = [&](const std::string& key, const std::string& value) {
    Metadata metadata = old.metadata();
    metadata[key] = value;
    write_safetensors(path(), old.tensors(), metadata);
    return refused([&] { StoredModel model(path()); });
  };
  EXPECT_TRUE(contains(with("entities", R"(["b","a"])"), "is damaged: its list of entities"));
  EXPECT_TRUE(contains(with("relations", R"(["r","r"])"), "not sorted"));
  for (const auto* bad : {"", "{", "[1]", R"({"a":1})"})
    EXPECT_TRUE(contains(with("entities", bad), "is damaged: its metadata 'entities'")) << bad;
  const auto with_times = [&](auto change) {
    auto times = nlohmann::json::parse(old.require_metadata("times"));
    change(times);
    return with("times", times.dump());
  };
  EXPECT_TRUE(contains(with_times([](auto& t) { t["granularity"] = "century"; }), "granularity"));
  EXPECT_TRUE(contains(with_times([](auto& t) { t["rows"].clear(); }), "in order"));
  EXPECT_TRUE(contains(with_times([](auto& t) { t["rows"][3][0] = 9; }), "in order"));
  EXPECT_TRUE(contains(with_times([](auto& t) { t["rows"][0][0] = "x"; }), "'times'"));
  EXPECT_TRUE(contains(with_times([](auto& t) { t["rows"][0] = 1; }), "'times'"));
  EXPECT_TRUE(contains(with_times([](auto& t) { t.erase("intervals"); }), "'times'"));
}

// Earlier versions knew fewer options, and two precisions.
TEST_F(CheckpointModel, OptionsThatAFileDoesNotNameAreTheDefaults) {
  const SmallModel model;
  for (const auto* options : {"dim = 16\n", "dim = 16\nprecision = \"fp32\"\n"}) {
    model.write_to(path());
    EXPECT_FALSE(contains(SafetensorsFile(path()).require_metadata("options"), "device"));
    testing::rewrite_metadata(path(), "options", options);
    const StoredModel opened(path());
    EXPECT_EQ(opened.header().options.precision, contains(options, "fp32") ? "fp32" : "auto");
    EXPECT_EQ(opened.header().options.device, "auto");
    EXPECT_EQ(read_rows(*opened.start_engine({.threads = 1}), State::value),
              read_rows(*model.engine, State::value));
  }
}

TEST_F(CheckpointModel, TimesThatMakeNoSenseAreRefused) {
  EXPECT_TRUE(contains(refusal_with("granularity", "century"), "granularity 'century'"));
  EXPECT_TRUE(contains(refusal_with("intervals", "2"), "'intervals'"));
  const auto with = [&](auto change) {
    SmallModel().write_to(path());
    std::vector<std::int64_t> spans;
    testing::rewrite_tensor(path(), "times/spans", [&](const TensorView& tensor) {
      spans.resize(tensor.values());
      copy_values<std::int64_t>(tensor, 0, spans);
      change(spans);
      return tensor_view<std::int64_t>(tensor.name, {spans.size() / 2, 2}, spans);
    });
    return refused([&] { StoredModel model(path()); });
  };
  EXPECT_TRUE(contains(with([](auto& s) { std::swap(s[0], s[2]); }), "in order"));
  EXPECT_TRUE(contains(with([](auto& s) { s[6] = s[7] + 1; }), "in order"));
  EXPECT_TRUE(contains(with([](auto& s) { s.resize(s.size() - 2); }), "times/spans"));
}

TEST_F(CheckpointModel, TensorsThatDoNotFitTheCardAreRefusedBeforeAnythingIsAllocated) {
  const SmallModel model;
  model.write_to(path());
  const SafetensorsFile file(path());
  const auto rewritten = [&](std::vector<TensorView> tensors, const Metadata& metadata) {
    const auto other = scratch_.path() / "other";
    testing::rewrite_checkpoint(other, std::move(tensors), metadata);
    return refused([&] { StoredModel opened(other); });
  };
  auto fewer = file.tensors();
  std::erase_if(fewer, [](const TensorView& tensor) { return tensor.name == "entity"; });
  EXPECT_TRUE(contains(rewritten(fewer, file.metadata()), "entity"));
  auto reshaped = file.tensors();
  for (TensorView& tensor : reshaped)
    if (tensor.name == "entity") std::swap(tensor.shape[0], tensor.shape[1]);
  EXPECT_TRUE(contains(rewritten(reshaped, file.metadata()), "entity"));
  Metadata wide = file.metadata();
  wide["options"] = "dim = 1048576\n";
  EXPECT_TRUE(contains(rewritten(file.tensors(), wide), "entity"));
}

TEST_F(CheckpointModel, PathsThatHoldNoModelAreRefused) {
  EXPECT_TRUE(contains(refused([&] { StoredModel model(scratch_.path()); }), "orrery train"));
  EXPECT_TRUE(contains(refused([&] { StoredModel model(scratch_.path() / "no"); }), "no"));
}

// Any byte of the header changed, and nobody looks at checksums, as with files of the first
// version: the file is refused, or is a model that can be run.
TEST_F(CheckpointModel, RandomDamageLoadsOrIsAnError) {
  SmallModel("complex").write_to(path());
  const std::string whole = read_bytes(path());
  std::uint64_t header = 0;
  std::memcpy(&header, whole.data(), sizeof(header));
  int loaded = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    std::string damaged = whole;
    const auto at = 8 + random_below(3, 2 * i, static_cast<std::uint32_t>(header));
    damaged[at] = static_cast<char>(random_bits(3, 2 * i + 1));
    std::filesystem::remove(path());
    std::ofstream(path(), std::ios::binary) << damaged;
    try {
      StoredModel(path(), false).start_engine({.threads = 1});
      ++loaded;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::request) << error.what();
    }
  }
  EXPECT_GT(loaded, 0);
  EXPECT_LT(loaded, 4000);
}

}  // namespace
}  // namespace orrery

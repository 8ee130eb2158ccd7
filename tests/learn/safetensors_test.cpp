#include "learn/safetensors.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "base/caught.h"
#include "base/random.h"

namespace orrery {
namespace {

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class SafetensorsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("orrery_safetensors_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path put(const std::string& bytes) const {
    // Removed first: some file systems flush a file that is cut and written again, thousands here.
    std::filesystem::remove(folder_ / "raw");
    std::ofstream(folder_ / "raw", std::ios::binary) << bytes;
    return folder_ / "raw";
  }

  // A file with this header, the right length before it and so many bytes of data behind.
  std::filesystem::path put(const std::string& header, std::size_t data_bytes) const {
    const std::uint64_t length = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return put(bytes + header + std::string(data_bytes, 'd'));
  }

  // The reason for which a file is refused; empty when it loads.
  static std::string refusal(const std::filesystem::path& path) {
    try {
      const SafetensorsFile file(path);
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::request);
      EXPECT_EQ(error.place(), Place{path.string()}) << error.what();
      return error.what();
    }
  }

  std::filesystem::path write_sample() const {
    const std::vector<float> floats = {1.5F, -0.0F, std::numeric_limits<float>::infinity(),
                                       4,    5,     6};
    const std::vector<double> doubles = {0.1};
    const std::vector<std::int64_t> signed_words = {-1, 2};
    const std::vector<std::uint64_t> words = {~std::uint64_t{0}};
    const std::vector<std::uint8_t> bytes = {7, 8, 9};
    const std::vector<TensorView> tensors = {
        tensor_view<float>("entity", {2, 3}, floats),
        tensor_view<double>("scalar", {}, doubles),
        tensor_view<float>("nothing", {0, 4}, {}),
        tensor_view<std::int64_t>("i", {2}, signed_words),
        tensor_view<std::uint64_t>("u", {1}, words),
        tensor_view<std::uint8_t>("a \"quoted\" näme", {3, 1}, bytes)};
    const auto path = folder_ / "sample.safetensors";
    write_safetensors(path, tensors, {{"zebra", "line\nline"}, {"ant", "Ω\tx"}, {"", ""}});
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(SafetensorsTest, WhatIsWrittenIsReadBack) {
  const SafetensorsFile file(write_sample());
  ASSERT_EQ(file.tensors().size(), 6U);
  EXPECT_EQ(file.tensors()[0].name, "entity");
  EXPECT_EQ(file.tensors()[2].name, "nothing");
  EXPECT_EQ(file.tensors()[5].name, "a \"quoted\" näme");
  EXPECT_EQ(file.require_metadata("ant"), "Ω\tx");
  EXPECT_EQ(file.metadata().size(), 3U);

  const std::vector<std::uint64_t> shape = {2, 3};
  std::vector<float> row(3);
  copy_values<float>(file.require("entity", Dtype::f32, shape), 3, row);
  EXPECT_EQ(row, (std::vector<float>{4, 5, 6}));
  std::vector<std::int64_t> signed_words(2);
  copy_values<std::int64_t>(file.require("i"), 0, signed_words);
  EXPECT_EQ(signed_words, (std::vector<std::int64_t>{-1, 2}));
  double scalar = 0;
  copy_values<double>(file.require("scalar"), 0, std::span(&scalar, 1));
  EXPECT_EQ(scalar, 0.1);
}

TEST_F(SafetensorsTest, DataBeginsAligned) {
  const std::string bytes = read_all(write_sample());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  const SafetensorsFile file(folder_ / "sample.safetensors");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.tensors()[0].data.data()) % 8, 0U);
}

TEST_F(SafetensorsTest, SaveLoadSaveGivesTheSameBytes) {
  const auto first = write_sample();
  const SafetensorsFile file(first);
  write_safetensors(folder_ / "again", file.tensors(), file.metadata());
  EXPECT_EQ(read_all(folder_ / "again"), read_all(first));
}

TEST_F(SafetensorsTest, AFileMayBeReplacedWhileItIsRead) {
  const SafetensorsFile file(write_sample());
  write_safetensors(file.path(), file.tensors(), {});
  EXPECT_EQ(SafetensorsFile(file.path()).tensors().size(), file.tensors().size());
  EXPECT_EQ(file.require_metadata("ant"), "Ω\tx");
}

TEST_F(SafetensorsTest, NoTensorsAtAllIsAFile) {
  write_safetensors(folder_ / "empty", {}, {});
  const SafetensorsFile file(folder_ / "empty");
  EXPECT_TRUE(file.tensors().empty());
  EXPECT_TRUE(file.metadata().empty());
}

TEST_F(SafetensorsTest, OrderInTheHeaderIsFree) {
  const SafetensorsFile file(
      put(R"({"b":{"data_offsets":[1,2],"shape":[1],"dtype":"U8"},)"
          R"("a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"__metadata__":{}}   )",
          2));
  EXPECT_EQ(file.tensors()[0].name, "a");
  EXPECT_EQ(file.tensors()[1].name, "b");
}

TEST_F(SafetensorsTest, UnalignedValuesAreCopied) {
  const SafetensorsFile file(put(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                 R"("b":{"dtype":"U64","shape":[2],"data_offsets":[1,17]}})",
                                 17));
  std::vector<std::uint64_t> words(2);
  copy_values<std::uint64_t>(file.require("b"), 0, words);
  EXPECT_EQ(words[1], 0x6464646464646464U);
}

TEST_F(SafetensorsTest, DamagedHeadersAreRefusedWithTheReason) {
  const auto one = [](const std::string& dtype, const std::string& shape,
                      const std::string& offsets) {
    return R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
           "}}";
  };
  const std::string ok = R"({"dtype":"U8","shape":[2],"data_offsets":[0,2]})";
  struct Case {
    std::string header, reason;
  };
  const std::vector<Case> cases = {
      {"", "does not begin"},
      {"[]", "does not begin"},
      {" {}", "does not begin"},
      {"{", "bad JSON"},
      {"{}{}", "bad JSON"},
      {R"({"a":)" + ok + "}" + std::string(1, '\0') + "x", "a zero byte"},
      {R"({"a":)" + ok + R"(,"a":)" + ok + "}", "'a' occurs twice"},
      {R"({"__metadata__":{},"a":)" + ok + R"(,"__metadata__":{}})", "occurs twice"},
      {R"({"__metadata__":{"k":"1","k":"2"},"a":)" + ok + "}", "metadata 'k' occurs twice"},
      {R"({"__metadata__":{"k":1}})", "unexpected number"},
      {R"({"__metadata__":{"k":null}})", "unexpected null"},
      {R"({"__metadata__":{"k":{}}})", "unexpected object"},
      {R"({"__metadata__":[]})", "unexpected list"},
      {R"({"__metadata__":"x"})", "unexpected text"},
      {R"({"a":[[[[]]]]})", "unexpected list"},
      {R"({"a":{}})", "lacks"},
      {R"({"a":{"dtype":"U8","shape":[2]}})", "lacks"},
      {R"({"a":{"dtype":"U8","dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "twice"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2],"more":1}})", "unknown field 'more'"},
      {one(R"("F16")", "[1]", "[0,2]"), "unknown type 'F16'"},
      {one("5", "[2]", "[0,2]"), "unexpected number"},
      {one(R"("U8")", "2", "[0,2]"), "unexpected number"},
      {one(R"("U8")", "[-2]", "[0,2]"), "negative"},
      {one(R"("U8")", "[2.0]", "[0,2]"), "not whole"},
      {one(R"("U8")", "[true]", "[0,2]"), "unexpected truth value"},
      {one(R"("U8")", R"(["2"])", "[0,2]"), "unexpected text"},
      {one(R"("U8")", "[2]", "[0]"), "lacks"},
      {one(R"("U8")", "[2]", "[0,1,2]"), "unexpected number"},
      {one(R"("U8")", "[2]", "[2,0]"), "outside"},
      {one(R"("U8")", "[3]", "[0,3]"), "outside"},
      {one(R"("U8")", "[2]", "[0,18446744073709551616]"), "not whole"},
      {one(R"("U8")", "[1]", "[0,2]"), "not what its shape says"},
      {one(R"("F32")", "[2]", "[0,2]"), "not what its shape says"},
      {one(R"("U8")", "[4294967296,4294967296]", "[0,0]"), "not what its shape says"},
      {one(R"("F64")", "[2305843009213693952]", "[0,0]"), "not what its shape says"},
      {one(R"("U8")", "[1]", "[1,2]"), "a hole before tensor 'a'"},
      {one(R"("U8")", "[1]", "[0,1]"), "1 bytes too many"},
      {R"({"a":)" + ok + R"(,"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "overlaps"},
      {R"({"a":)" + ok + R"(,"b":)" + ok + "}", "overlaps"},
      {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
       R"("b":{"dtype":"U8","shape":[],"data_offsets":[2,3]}})",
       "outside"},
      {"{\"\xff\":" + ok + "}", "bad JSON"},
      {"{\"a\":" + std::string(50'000, '['), "unexpected list"},
  };
  for (const Case& damaged : cases) {
    const std::string message = refusal(put(damaged.header, 2));
    EXPECT_NE(message.find("no safetensors file ("), std::string::npos) << damaged.header;
    EXPECT_NE(message.find(damaged.reason), std::string::npos)
        << damaged.header.substr(0, 200) << " -> " << message;
  }
  EXPECT_EQ(refusal(put(R"({"a":)" + ok + "}", 2)), "");
}

TEST_F(SafetensorsTest, LengthsThatLieAreRefused) {
  EXPECT_NE(refusal(put("")).find("first 8 bytes"), std::string::npos);
  EXPECT_NE(refusal(put("1234567")).find("first 8 bytes"), std::string::npos);
  EXPECT_NE(refusal(put(std::string(8, '\0'))).find("does not begin"), std::string::npos);
  EXPECT_NE(refusal(put(std::string(8, '\xff') + "{}")).find("longer than the file"),
            std::string::npos);
  EXPECT_NE(refusal(put(std::string("\x03\0\0\0\0\0\0\0{}", 10))).find("longer than the file"),
            std::string::npos);
  EXPECT_NE(refusal(folder_ / "absent").find("cannot be opened"), std::string::npos);
}

TEST_F(SafetensorsTest, AHeaderOverTheLimitIsRefusedUnread) {
  const auto path = put("{}", 0);
  const std::uint64_t length = 100'000'001;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.write(reinterpret_cast<const char*>(&length), 8);
  file.close();
  std::filesystem::resize_file(path, 8 + length);
  EXPECT_NE(refusal(path).find("longer than 100 MB"), std::string::npos);
}

// Flips, overwrites, cuts and insertions: whatever comes out either loads whole or is an Error.
TEST_F(SafetensorsTest, RandomDamageLoadsOrIsAnError) {
  const std::string good = read_all(write_sample());
  constexpr int rounds = 4000;
  int refused = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::string bytes = good;
    std::uint64_t draw = 0;
    const auto below = [&](std::size_t bound) {
      return random_below(round, draw++, static_cast<std::uint32_t>(bound));
    };
    for (std::uint32_t change = 0, changes = 1 + below(3); change < changes; ++change) {
      const std::size_t at = below(bytes.size());
      switch (below(5)) {
        case 0:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
          break;
        case 1:
          bytes[at] = "0123456789[]{},:\"-\\ "[below(20)];
          break;
        case 2:
          bytes.resize(at + 1);
          break;
        case 3:
          bytes.erase(at, 1 + below(8));
          break;
        default:
          bytes.insert(at, bytes.substr(below(bytes.size()), below(16)));
          break;
      }
      if (bytes.empty()) bytes.push_back('x');
    }
    try {
      const SafetensorsFile file(put(bytes));
      std::uint64_t sum = 0;
      for (const TensorView& tensor : file.tensors()) {
        for (const std::byte value : tensor.data) sum += static_cast<std::uint64_t>(value);
      }
      EXPECT_LE(sum, 255 * bytes.size());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::request);
      ++refused;
    }
  }
  EXPECT_GT(refused, rounds / 2);
  EXPECT_LT(refused, rounds);
}

TEST_F(SafetensorsTest, WhatIsNotThereIsARequestError) {
  const SafetensorsFile file(write_sample());
  EXPECT_EQ(file.find("absent"), nullptr);
  EXPECT_THROW(file.require("absent"), Error);
  EXPECT_THROW(file.require_metadata("absent"), Error);
  const std::vector<std::uint64_t> shape = {3, 2};
  const Error error = caught([&] { file.require("entity", Dtype::f32, shape); });
  EXPECT_EQ(error.message(), "tensor 'entity' is F32 [2, 3] where F32 [3, 2] is wanted");
}

TEST_F(SafetensorsTest, CopiesBeyondTheTensorOrOfAnotherTypeAreRefused) {
  const SafetensorsFile file(write_sample());
  std::vector<float> two(2);
  EXPECT_THROW(copy_values<float>(file.require("entity"), 5, two), Error);
  EXPECT_THROW(copy_values<float>(file.require("entity"), ~std::uint64_t{0}, two), Error);
  EXPECT_THROW(copy_values<float>(file.require("scalar"), 0, two), Error);
}

TEST_F(SafetensorsTest, TheWriterRefusesWhatItCouldNotReadBack) {
  const std::vector<float> values = {1, 2};
  const auto path = folder_ / "refused";
  const auto write = [&](const std::vector<TensorView>& tensors, const Metadata& metadata) {
    write_safetensors(path, tensors, metadata);
  };
  const TensorView good = tensor_view<float>("a", {2}, values);
  EXPECT_THROW(write({good, good}, {}), Error);
  EXPECT_THROW(write({tensor_view<float>("__metadata__", {2}, values)}, {}), Error);
  EXPECT_THROW(write({tensor_view<float>("a", {3}, values)}, {}), Error);
  EXPECT_THROW(write({tensor_view<float>("\xff", {2}, values)}, {}), Error);
  EXPECT_THROW(write({good}, {{"key", "latin \xe9"}}), Error);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace orrery

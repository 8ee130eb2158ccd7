#include "learn/checkpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>

#include "base/crc32c.h"
#include "facts/scratch.h"
#include "learn/doctored.h"
#include "learn/small_model.h"
#include "learn/state_file.h"
#include "learn/stored_model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::SmallModel;

class CheckpointDamage : public ::testing::Test {
 protected:
  std::filesystem::path model() const { return scratch_.path() / "model.safetensors"; }
  std::filesystem::path state() const { return scratch_.path() / "state.safetensors"; }

  void SetUp() override {
    model_.write_to(model());
    write_state(state(), *model_.engine, {}, "print", "");
  }

  // Why the file is refused with these bytes in it; it is whole again afterwards.
  std::string refusal(const std::filesystem::path& path, const std::string& bytes) {
    const std::string whole = read_bytes(path);
    put(path, bytes);
    const Error error = caught([&] { load(path); });
    EXPECT_EQ(error.kind(), Error::Kind::request);
    EXPECT_EQ(error.place(), Place{path.string()}) << error.what();
    EXPECT_FALSE(error.advice().empty()) << error.what();
    put(path, whole);
    return error.what();
  }

  void load(const std::filesystem::path& path) {
    if (path == state())
      read_state(path, *model_.engine, "print");
    else
      StoredModel(path).start_engine({.threads = 1});
  }

  static void put(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::remove(path);  // some file systems flush a file that is cut and written again
    std::ofstream(path, std::ios::binary) << bytes;
  }

  static std::string flipped(std::string bytes, std::size_t bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    return bytes;
  }

  void expect_detected(const std::filesystem::path& path, const std::set<std::size_t>& bits) {
    const std::string whole = read_bytes(path);
    ASSERT_NO_THROW(load(path));
    for (const std::size_t bit : bits) {
      const std::string message = refusal(path, flipped(whole, bit));
      EXPECT_TRUE(contains(message, path.string() + ": is damaged")) << bit << ": " << message;
      EXPECT_TRUE(contains(message, "copy it again, or go back to a backup")) << message;
      EXPECT_FALSE(contains(message, "diverged")) << message;
    }
  }

  testing::ScratchDirectory scratch_;
  SmallModel model_{"complex"};
};

// As a library does that sorts tensors by their names.
TEST_F(CheckpointDamage, AFileWrittenByAnotherProgramIsNotWhole) {
  const std::string whole = read_bytes(model());
  scratch_.write("other.safetensors", whole);
  const SafetensorsFile file(scratch_.path() / "other.safetensors");
  auto tensors = file.tensors();
  std::ranges::sort(tensors, {}, &TensorView::name);
  write_safetensors(model(), tensors, file.metadata());
  EXPECT_TRUE(contains(refused([&] { load(model()); }), "written by another program"));
  const FileCheck check = check_file(model());
  EXPECT_FALSE(check.has_checksums);
  EXPECT_TRUE(check.damaged());
}

TEST_F(CheckpointDamage, OfTheHeaderIsFoundWithoutALookAtTheRows) {
  const std::string whole = read_bytes(model());
  const SafetensorsFile file(model());
  const auto rows = file.require("entity").data.data() - file.header().data();
  const auto open_quickly = [&](std::size_t byte) {
    put(model(), flipped(whole, 8 * byte));
    StoredModel(model(), false);
  };
  const std::size_t option = whole.find("lr = 0.1");
  ASSERT_LT(option, file.header().size());
  EXPECT_TRUE(contains(refused([&] { open_quickly(option + 7); }), "is damaged: header"));
  EXPECT_NO_THROW(open_quickly(static_cast<std::size_t>(rows)));
}

TEST_F(CheckpointDamage, EveryFlippedBitIsDetected) {
  for (const auto& path : {model(), state()}) {
    const SafetensorsFile file(path);
    const std::size_t size = read_bytes(path).size(), last = file.tensors().back().data.size();
    std::set<std::size_t> bits;
    for (std::size_t bit = 0; bit < 8UL * 16; ++bit) bits.insert(bit);  // the length and "{..."
    for (std::size_t bit = 8 * (size - last); bit < 8 * size; ++bit) bits.insert(bit);
    for (std::size_t i = 0; i < 8; ++i)  // the header's padding and what is before it
      bits.insert(8 * (file.header().size() - 1 - i) + i);
    for (std::uint64_t i = 0; i < 300; ++i) {
      bits.insert(random_below(1, i, static_cast<std::uint32_t>(8 * file.header().size())));
      bits.insert(random_below(2, i, static_cast<std::uint32_t>(8 * size)));
    }
    expect_detected(path, bits);
  }
}

TEST_F(CheckpointDamage, AFileCutShortOrLongIsDetected) {
  for (const auto& path : {model(), state()}) {
    const std::string whole = read_bytes(path);
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 97)
      EXPECT_TRUE(contains(refusal(path, whole.substr(0, length)), "is damaged")) << length;
    EXPECT_TRUE(contains(refusal(path, whole.substr(0, whole.size() - 1)), "is damaged"));
    EXPECT_TRUE(contains(refusal(path, whole + "x"), "is damaged"));
  }
}

// As a copy with a hole in it, or blocks of another file.
TEST_F(CheckpointDamage, BytesThatWereExchangedOrClearedAreDetected) {
  const std::string whole = read_bytes(model());
  const std::size_t header = SafetensorsFile(model()).header().size();
  for (std::size_t at = header; at + 64 < whole.size(); at += 512) {
    std::string other = whole;
    other.replace(at, 64, std::string(64, '\0'));
    if (other == whole) continue;
    EXPECT_TRUE(contains(refusal(model(), other), "is damaged")) << at;
  }
  std::string swapped = whole;
  const std::size_t rows = header + 512;
  swapped.replace(rows, 64, whole.substr(rows + 64, 64));
  swapped.replace(rows + 64, 64, whole.substr(rows, 64));
  EXPECT_TRUE(contains(refusal(model(), swapped), "is damaged"));
}

TEST_F(CheckpointDamage, WithoutVerifyingItIsNotLookedFor) {
  const std::string whole = read_bytes(model());
  const std::size_t body = SafetensorsFile(model()).header().size() + 400;
  put(model(), flipped(whole, 8 * body));
  EXPECT_TRUE(contains(refused([&] { StoredModel file(model()); }), "differs from its checksum"));
  EXPECT_NO_THROW(StoredModel(model(), false));
}

TEST_F(CheckpointDamage, EachPartIsNamed) {
  const auto states = [&] {
    std::map<std::string, PartState> found;
    for (const PartCheck& part : check_parts(SafetensorsFile(model())))
      found[part.part] = part.state;
    return found;
  };
  for (const auto& [part, state] : states()) EXPECT_EQ(state, PartState::good) << part;
  EXPECT_TRUE(states().contains("header") && states().contains("names/entities"));
  const std::string whole = read_bytes(model());
  const SafetensorsFile file(model());
  std::size_t at = file.header().size();
  for (const TensorView& tensor : file.tensors()) {
    put(model(), flipped(whole, 8 * at + 1));
    for (const auto& [part, state] : states()) {
      if (part == tensor.name)
        EXPECT_EQ(state, PartState::damaged) << part;
      else if (tensor.name != "checksums")
        EXPECT_EQ(state, PartState::good) << part;
      else  // the first checksum is not to be trusted; the others match what they speak of
        EXPECT_EQ(state, part == file.tensors()[0].name ? PartState::unchecked : PartState::good);
    }
    at += tensor.data.size();
  }
  put(model(), flipped(whole, 8 * whole.find("0.1.0")));
  EXPECT_EQ(states().at("header"), PartState::damaged);
}

TEST_F(CheckpointDamage, ChecksumsAreThoseOfAnyProgram) {
  const SafetensorsFile file(state());
  const TensorView& sums = file.tensors().back();
  EXPECT_EQ(sums.name, "checksums");
  EXPECT_EQ(sums.shape, (std::vector<std::uint64_t>{file.tensors().size() + 1, 4}));
  const auto sum_at = [&](std::size_t i) {
    std::uint32_t sum = 0;
    std::memcpy(&sum, sums.data.data() + 4 * i, sizeof(sum));
    return sum;
  };
  const std::size_t others = file.tensors().size() - 1;
  for (std::size_t i = 0; i < others; ++i)
    EXPECT_EQ(sum_at(i), crc32c_by_table(file.tensors()[i].data));
  EXPECT_EQ(sum_at(others), crc32c_by_table(file.header()));
  EXPECT_EQ(sum_at(others + 1), crc32c_by_table(sums.data.first(sums.data.size() - 4)));
}

TEST_F(CheckpointDamage, ALaterVersionAsksForANewerProgram) {
  testing::rewrite_metadata(model(), "format", "orrery-model 3");
  const std::string message = refused([&] { StoredModel file(model()); });
  EXPECT_TRUE(contains(message, "'orrery-model 3'") && contains(message, "newer orrery"))
      << message;
  for (const auto* odd : {"orrery-model 0", "orrery-model -2", "orrery-model 2x", "orrery-model",
                          "orrery-model 99999999999999999999", "orrery-state 2", ""}) {
    testing::rewrite_metadata(model(), "format", odd);
    EXPECT_TRUE(contains(refused([&] { StoredModel file(model()); }), "is wanted")) << odd;
  }
}

TEST_F(CheckpointDamage, MissingChecksumsAreDamage) {
  const SafetensorsFile file(model());
  auto tensors = file.tensors();
  tensors.pop_back();
  write_safetensors(model(), tensors, file.metadata());
  EXPECT_TRUE(contains(refused([&] { StoredModel opened(model()); }), "checksums are missing"));
  for (const PartCheck& part : check_parts(SafetensorsFile(model())))
    EXPECT_EQ(part.state, PartState::unchecked) << part.part;
}

// Other programs map a file and take tensors where they lie.
TEST_F(CheckpointDamage, EveryTensorIsAligned) {
  for (const auto& path : {model(), state()}) {
    const SafetensorsFile file(path);
    for (const TensorView& tensor : file.tensors()) {
      const auto offset = tensor.data.data() - file.header().data();
      EXPECT_EQ(static_cast<std::size_t>(offset) % size_of(tensor.dtype), 0U) << tensor.name;
    }
  }
}

}  // namespace
}  // namespace orrery

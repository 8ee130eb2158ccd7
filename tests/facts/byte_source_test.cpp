#include "facts/byte_source.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::gzipped;
using testing::refused;
using testing::ScratchDirectory;
using testing::zstandard;

std::string read_all(const std::filesystem::path& path, std::size_t block = 1 << 16) {
  const auto source = open_bytes(path);
  std::string all;
  std::vector<char> buffer(block);
  while (const std::size_t got = source->read(buffer)) all.append(buffer.data(), got);
  EXPECT_EQ(source->read(buffer), 0U);
  return all;
}

// Half words that repeat, half noise: compressible, and larger than the readers' blocks.
std::string long_text(std::size_t size) {
  std::string text;
  for (std::uint64_t i = 0; text.size() < size; ++i) {
    if (i % 2 == 0) text += "a line that comes again and again\n";
    for (int j = 0; j < 4; ++j) text += static_cast<char>(random_below(j + 1, i, 256));
  }
  return text;
}

TEST(ByteSource, EveryCompressionGivesTheSameBytes) {
  const ScratchDirectory scratch;
  const std::string text = long_text(5'000'000);
  EXPECT_EQ(read_all(scratch.write("plain.txt", text)), text);
  EXPECT_EQ(read_all(scratch.write("packed.txt.gz", gzipped(text))), text);
  EXPECT_EQ(read_all(scratch.write("packed.txt.zst", zstandard(text))), text);
  EXPECT_EQ(read_all(scratch.write("empty.txt", "")), "");
  EXPECT_EQ(read_all(scratch.write("empty.gz", gzipped(""))), "");
  EXPECT_EQ(read_all(scratch.write("empty.zst", zstandard(""))), "");
}

TEST(ByteSource, SmallBuffersLoseNothing) {
  const ScratchDirectory scratch;
  const std::string text(20'000, 'x');  // a few bytes of input hold many bytes of output
  for (const std::size_t block : {1, 7, 4096, 20'000}) {
    EXPECT_EQ(read_all(scratch.write("x.gz", gzipped(text)), block), text) << block;
    EXPECT_EQ(read_all(scratch.write("x.zst", zstandard(text)), block), text) << block;
  }
}

TEST(ByteSource, ManyMembersAndFramesAreOneText) {
  const ScratchDirectory scratch;
  const std::string parts[] = {long_text(1'500'000), "", "the end"};
  std::string whole, members, frames;
  for (const std::string& part : parts) {
    whole += part;
    members += gzipped(part);
    frames += zstandard(part);
  }
  EXPECT_EQ(read_all(scratch.write("many.gz", members)), whole);
  EXPECT_EQ(read_all(scratch.write("many.zst", frames)), whole);
}

TEST(ByteSource, TruncatedStreamsAreRefused) {
  const ScratchDirectory scratch;
  const std::string text = long_text(100'000);
  for (const auto& [name, whole] :
       {std::pair{"cut.gz", gzipped(text)}, std::pair{"cut.zst", zstandard(text)}}) {
    for (const std::size_t keep :
         {std::size_t{0}, std::size_t{5}, std::size_t{13}, whole.size() / 2, whole.size() - 1}) {
      const auto path = scratch.write(name, whole.substr(0, keep));
      const Error error = caught([&] { read_all(path); });
      EXPECT_EQ(error.kind(), Error::Kind::request);
      EXPECT_EQ(error.place(), Place{path.string()});
      EXPECT_FALSE(error.advice().empty());
      EXPECT_TRUE(contains(error.message(), "damaged")) << error.what();
    }
  }
}

TEST(ByteSource, FlippedBytesAreRefused) {
  const ScratchDirectory scratch;
  const std::string text = long_text(100'000);
  std::string gzip = gzipped(text);
  for (std::size_t i = 0; i < 8; ++i) {
    std::string damaged = gzip;
    const std::size_t at = 20 + (gzip.size() - 21) * i / 7;  // the checksum at the end included
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    const auto path = scratch.write("flipped.gz", damaged);
    EXPECT_TRUE(contains(refused([&] { read_all(path); }), path.string()));
  }
  for (const char* name : {"noise.gz", "noise.zst"}) {
    const auto path = scratch.write(name, "this was never compressed");
    EXPECT_TRUE(contains(refused([&] { read_all(path); }), path.string()));
  }
}

TEST(ByteSource, RubbishAfterTheStreamIsRefused) {
  const ScratchDirectory scratch;
  const auto gzip = scratch.write("tail.gz", gzipped("a text") + "rubbish");
  EXPECT_TRUE(contains(refused([&] { read_all(gzip); }), "tail.gz"));
  const auto zstd = scratch.write("tail.zst", zstandard("a text") + "rubbish");
  EXPECT_TRUE(contains(refused([&] { read_all(zstd); }), "tail.zst"));
}

TEST(ByteSource, WhatCannotBeOpenedIsNamed) {
  const ScratchDirectory scratch;
  for (const char* name : {"absent.txt", "absent.gz", "absent.zst"}) {
    EXPECT_TRUE(contains(refused([&] { open_bytes(scratch.path() / name); }), name));
  }
  EXPECT_TRUE(contains(refused([&] { read_all(scratch.path()); }), "directory"));
}

}  // namespace
}  // namespace orrery

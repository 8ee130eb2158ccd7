#include "base/sha1.h"

#include <gtest/gtest.h>

#include <string>

namespace orrery {
namespace {

std::string sha1(std::string_view text) {
  Sha1 hash;
  hash.update(text);
  return hash.hex_digest();
}

// The examples of FIPS 180-4.
TEST(Sha1, PublishedExamples) {
  EXPECT_EQ(sha1(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(sha1(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

// What `git hash-object` says of an empty file and of "hello\n".
TEST(Sha1, NamesGitBlobs) {
  using namespace std::string_view_literals;
  EXPECT_EQ(sha1("blob 0\0"sv), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(sha1("blob 6\0hello\n"sv), "ce013625030ba8dba906f756967f9e9ca394464a");
}

}  // namespace
}  // namespace orrery

#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"

namespace orrery {
namespace {

std::vector<std::byte> random_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(random_bits(7, i));
  return bytes;
}

std::uint32_t of_text(std::string_view text) { return crc32c(std::as_bytes(std::span(text))); }

// The check value of the catalogue of CRCs, and the examples of RFC 3720, B.4.
TEST(Crc32c, IsTheOneOfTheStandards) {
  EXPECT_EQ(of_text("123456789"), 0xe3069283U);
  EXPECT_EQ(of_text(""), 0U);
  EXPECT_EQ(of_text(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(of_text(std::string(32, '\xff')), 0x62a8ab43U);
  std::string ascending;
  for (int i = 0; i < 32; ++i) ascending += static_cast<char>(i);
  EXPECT_EQ(of_text(ascending), 0x46dd794eU);
}

TEST(Crc32c, EveryWayOfComputingItGivesTheSame) {
  const auto bytes = random_bytes(5'000'000);
  ThreadPool team(3);
  for (const std::size_t size : {0UL, 1UL, 7UL, 8UL, 9UL, 1000UL, 32'768UL, 98'303UL, 98'304UL,
                                 98'305UL, 200'001UL, 1'572'864UL, 1'572'865UL, 4'999'999UL})
    for (const std::size_t begin : {0UL, 1UL}) {
      const auto part = std::span(bytes).subspan(begin, size);
      const std::uint32_t sum = crc32c_by_table(part);
      EXPECT_EQ(crc32c(part), sum) << size;
      EXPECT_EQ(crc32c(part, team), sum) << size;
      const auto head = part.first(size / 3), tail = part.subspan(size / 3);
      EXPECT_EQ(crc32c(tail, crc32c(head)), sum) << size;
      EXPECT_EQ(crc32c_by_table(tail, crc32c_by_table(head)), sum) << size;
      EXPECT_EQ(crc32c_joined(crc32c(head), crc32c(tail), tail.size()), sum) << size;
    }
}

TEST(Crc32c, EveryFlippedBitChangesIt) {
  auto bytes = random_bytes(300);
  const std::uint32_t sum = crc32c(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto mask = static_cast<std::byte>(1U << (bit % 8));
    bytes[bit / 8] ^= mask;
    EXPECT_NE(crc32c(bytes), sum) << bit;
    bytes[bit / 8] ^= mask;
  }
}

}  // namespace
}  // namespace orrery

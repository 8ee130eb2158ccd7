#include "base/crc32c.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "base/thread_pool.h"

namespace orrery {
namespace {

static_assert(std::endian::native == std::endian::little, "words are taken as they lie");

using Word = std::uint64_t;
// Polynomials over GF(2) in 32 bits, reflected: the highest bit is the coefficient of x⁰.
constexpr std::uint32_t modulus = 0x82f63b78, one = 0x80000000;
// A block is worked off as three streams side by side: the instruction takes three cycles, and one
// can begin in each.
constexpr std::size_t streams = 3, stream_bytes = std::size_t{1} << 15;
constexpr std::size_t turn_bytes = streams * stream_bytes, block_bytes = 16 * turn_bytes;

constexpr std::uint32_t times_x(std::uint32_t a) { return (a >> 1) ^ ((a & 1U) * modulus); }

constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (int i = 31; i >= 0; --i) {
    sum ^= (0 - ((a >> i) & 1U)) & b;
    b = times_x(b);
  }
  return sum;
}

// x to the power of 8 · bytes: a checksum times this has so many zero bytes behind it.
constexpr std::uint32_t shift_by(std::uint64_t bytes) {
  std::uint32_t power = one, square = one >> 8;
  for (; bytes != 0; bytes >>= 1) {
    if ((bytes & 1U) != 0) power = product(power, square);
    square = product(square, square);
  }
  return power;
}

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: the byte b with k zero bytes behind it.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = times_x(sum);
    tables[0][byte] = sum;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = tables[k - 1][byte];
      tables[k][byte] = (shorter >> 8) ^ tables[0][shorter & 0xffU];
    }
  return tables;
}
constexpr Tables tables = make_tables();

Word word_at(const std::byte* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// Checksums without the inversions at their ends.
std::uint32_t raw_by_table(const std::byte* at, std::size_t size, std::uint32_t sum) {
  for (; size >= sizeof(Word); at += sizeof(Word), size -= sizeof(Word)) {
    const Word word = word_at(at) ^ sum;
    const auto part = [word](std::size_t k) { return tables[7 - k][(word >> (8 * k)) & 0xffU]; };
    sum = part(0) ^ part(1) ^ part(2) ^ part(3) ^ part(4) ^ part(5) ^ part(6) ^ part(7);
  }
  for (; size > 0; ++at, --size)
    sum = (sum >> 8) ^ tables[0][(sum ^ std::to_integer<std::uint32_t>(*at)) & 0xffU];
  return sum;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) std::uint32_t raw_by_instruction(const std::byte* at,
                                                                   std::size_t size,
                                                                   std::uint32_t sum) {
  constexpr std::uint32_t shift = shift_by(stream_bytes);
  Word first = sum;
  for (; size >= turn_bytes; at += turn_bytes, size -= turn_bytes) {
    Word second = 0, third = 0;
    for (std::size_t i = 0; i < stream_bytes; i += sizeof(Word)) {
      first = __builtin_ia32_crc32di(first, word_at(at + i));
      second = __builtin_ia32_crc32di(second, word_at(at + stream_bytes + i));
      third = __builtin_ia32_crc32di(third, word_at(at + 2 * stream_bytes + i));
    }
    first = product(shift, static_cast<std::uint32_t>(first)) ^ second;
    first = product(shift, static_cast<std::uint32_t>(first)) ^ third;
  }
  for (; size >= sizeof(Word); at += sizeof(Word), size -= sizeof(Word))
    first = __builtin_ia32_crc32di(first, word_at(at));
  sum = static_cast<std::uint32_t>(first);
  for (; size > 0; ++at, --size)
    sum = __builtin_ia32_crc32qi(sum, std::to_integer<unsigned char>(*at));
  return sum;
}

bool has_instruction() {
  static const bool has = __builtin_cpu_supports("sse4.2") != 0;
  return has;
}

#else

std::uint32_t raw_by_instruction(const std::byte* at, std::size_t size, std::uint32_t sum) {
  return raw_by_table(at, size, sum);
}
bool has_instruction() { return false; }

#endif

}  // namespace

std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t before) {
  return ~raw_by_table(bytes.data(), bytes.size(), ~before);
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
  if (!has_instruction()) return crc32c_by_table(bytes, before);
  return ~raw_by_instruction(bytes.data(), bytes.size(), ~before);
}

std::uint32_t crc32c_joined(std::uint32_t first, std::uint32_t second,
                            std::uint64_t second_length) {
  return product(shift_by(second_length), first) ^ second;
}

std::uint32_t crc32c(std::span<const std::byte> bytes, ThreadPool& team) {
  std::vector<std::uint32_t> sums((bytes.size() + block_bytes - 1) / block_bytes);
  parallel_for(team, bytes.size(), block_bytes, [&](std::size_t begin, std::size_t end) {
    sums[begin / block_bytes] = crc32c(bytes.subspan(begin, end - begin));
  });
  std::uint32_t whole = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t begin = i * block_bytes;
    whole = crc32c_joined(whole, sums[i], std::min(block_bytes, bytes.size() - begin));
  }
  return whole;
}

}  // namespace orrery

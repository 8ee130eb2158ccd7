#include "facts/packed_bytes.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace orrery {
namespace {

std::string gzipped_bytes(std::string text) {
  constexpr int gzip_wrapper = 15 + 16, usual_memory = 8;
  constexpr std::size_t block = std::size_t{1} << 20;
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_wrapper, usual_memory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    fail_broken("zlib could not be started");
  std::string packed;
  std::string out(block, '\0');
  std::size_t at = 0;
  int status = Z_OK;
  // zlib counts in 32 bits: a block at a time.
  while (status == Z_OK) {
    const std::size_t size = std::min(block, text.size() - at);
    stream.next_in = reinterpret_cast<Bytef*>(text.data() + at);
    stream.avail_in = static_cast<uInt>(size);
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    status = deflate(&stream, at + size == text.size() ? Z_FINISH : Z_NO_FLUSH);
    at += size - stream.avail_in;
    packed.append(out, 0, out.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  if (status != Z_STREAM_END) fail_broken("zlib could not compress the facts");
  return packed;
}

std::string zstandard_bytes(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size) != 0)
    fail_broken("Zstandard could not compress the facts ({})", ZSTD_getErrorName(size));
  packed.resize(size);
  return packed;
}

}  // namespace

std::string packed_for(const std::filesystem::path& file, std::string text) {
  if (file.extension() == ".gz") return gzipped_bytes(std::move(text));
  if (file.extension() == ".zst") return zstandard_bytes(text);
  return text;
}

std::filesystem::path unpacked_name(const std::filesystem::path& file) {
  const bool packed = file.extension() == ".gz" || file.extension() == ".zst";
  return packed ? file.parent_path() / file.stem() : file;
}

}  // namespace orrery

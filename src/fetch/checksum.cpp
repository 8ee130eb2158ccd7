#include "fetch/checksum.h"

#include <cstdio>
#include <memory>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/sha1.h"
#include "base/sha256.h"

namespace orrery {

FileDigest digest_file(const std::filesystem::path& path) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    fail_request(About{.place = {path.string()}, .advice = "move it away"},
                 "is not a regular file");
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  FileDigest digest;
  digest.bytes = std::filesystem::file_size(path, error);
  if (!file || error)
    fail_request(About{.place = {path.string()}, .advice = "check its permissions"},
                 "cannot be read");
  Sha256 sha256;
  Sha1 blob;
  blob.update(fmt::format("blob {}", digest.bytes));
  blob.update(std::string_view("\0", 1));
  std::vector<std::byte> chunk(1 << 18);
  while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    sha256.update(std::span(chunk).first(size));
    blob.update(std::span(chunk).first(size));
  }
  if (std::ferror(file.get()) != 0) fail_broken(About{.place = {path.string()}}, "reading failed");
  digest.sha256 = sha256.hex_digest();
  digest.git_blob = blob.hex_digest();
  return digest;
}

bool Checksum::matches(const FileDigest& digest) const {
  return sha256.empty() ? git_blob == digest.git_blob : sha256 == digest.sha256;
}

std::string Checksum::describe() const {
  return sha256.empty() ? "git blob " + git_blob : "sha256 " + sha256;
}

std::string Checksum::describe(const FileDigest& digest) const {
  return sha256.empty() ? "git blob " + digest.git_blob : "sha256 " + digest.sha256;
}

}  // namespace orrery

#include "learn/checkpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/thread_pool.h"

namespace orrery {
namespace {

using Checksum = std::uint32_t;
constexpr std::string_view checksums_name = "checksums";
constexpr std::array<std::string_view, 3> state_names = {"ok", "damaged", "no checksum"};

// Few threads read memory as fast as many, and a small file is read before they have started.
constexpr std::uint64_t worth_threads = 16U << 20U;
constexpr int most_threads = 8;
void start_team(std::optional<ThreadPool>& team, std::uint64_t bytes) {
  try {
    team.emplace(bytes < worth_threads ? 1 : std::min(available_cores(), most_threads));
  } catch (const Error&) {  // no thread to be had: this one will do
    team.emplace(1);
  }
}

TensorSpec checksums_spec(std::size_t tensors) {
  return {std::string(checksums_name), Dtype::u8, {tensors + 2, sizeof(Checksum)}};
}

// Those of the tensors, the header's, and that of all these. Nothing: the file has none, or none
// that can be ours.
std::optional<std::vector<Checksum>> checksums_of(const SafetensorsFile& file) {
  if (file.tensors().empty()) return {};
  const TensorView& last = file.tensors().back();
  const TensorSpec expected = checksums_spec(file.tensors().size() - 1);
  if (last.name != expected.name || last.dtype != expected.dtype || last.shape != expected.shape)
    return {};
  std::vector<Checksum> sums(file.tensors().size() + 1);
  std::memcpy(sums.data(), last.data.data(), last.data.size());
  return sums;
}

std::string damage(const std::vector<PartCheck>& parts) {
  std::string names;
  std::size_t damaged = 0;
  for (const PartCheck& part : parts) {
    if (part.state != PartState::damaged) continue;
    if (++damaged <= 3) names += (names.empty() ? "" : ", ") + part.part;
  }
  if (damaged > 3) names += fmt::format(" and {} more", damaged - 3);
  return names;
}

}  // namespace

std::string_view name_of(PartState state) { return state_names[static_cast<std::size_t>(state)]; }

void write_checkpoint(const std::filesystem::path& path, std::vector<TensorSpec> tensors,
                      const Metadata& metadata, const TensorBytes& bytes) {
  const std::size_t count = tensors.size();
  tensors.push_back(checksums_spec(count));
  std::vector<Checksum> sums(count);
  const auto all_bytes = [&](std::size_t i) {
    if (i < count) return bytes(i);
    const std::string header = safetensors_header(path, tensors, metadata);
    sums.push_back(crc32c(std::as_bytes(std::span(header))));
    sums.push_back(crc32c(std::as_bytes(std::span(sums))));
    return std::as_bytes(std::span<const Checksum>(sums));
  };
  write_safetensors(path, tensors, metadata, all_bytes,
                    [&](std::size_t i, std::span<const std::byte> piece) {
                      if (i < count) sums[i] = crc32c(piece, sums[i]);
                    });
}

bool has_checksums(const SafetensorsFile& file) { return checksums_of(file).has_value(); }

std::vector<PartCheck> check_parts(const SafetensorsFile& file, Verify verify) {
  std::vector<PartCheck> parts = {{"header", file.header().size()}};
  for (const TensorView& tensor : file.tensors())
    parts.push_back({tensor.name, tensor.data.size()});
  const auto sums = checksums_of(file);
  if (!sums) return parts;
  const std::span<const Checksum> all = *sums, own = all.first(all.size() - 1);
  const bool sums_good = crc32c(std::as_bytes(own)) == all.back();
  parts.back().state = sums_good ? PartState::good : PartState::damaged;
  // Where the checksums are damaged themselves, one that differs says nothing.
  const auto compare = [&](PartCheck& part, Checksum found, Checksum kept) {
    if (found == kept)
      part.state = PartState::good;
    else if (sums_good)
      part.state = PartState::damaged;
  };
  compare(parts[0], crc32c(file.header()), own.back());
  if (verify == Verify::header) return parts;
  std::uint64_t total = 0;
  for (const TensorView& tensor : file.tensors()) total += tensor.data.size();
  std::optional<ThreadPool> team;
  start_team(team, total);
  for (std::size_t i = 0; i + 1 < file.tensors().size(); ++i)
    compare(parts[i + 1], crc32c(file.tensors()[i].data, *team), own[i]);
  return parts;
}

bool FileCheck::damaged() const {
  return std::ranges::any_of(parts,
                             [](const PartCheck& p) { return p.state == PartState::damaged; });
}

FileCheck check_file(const std::filesystem::path& path) {
  const MappedFile readable(path);
  FileCheck check;
  try {
    const SafetensorsFile file(path);
    check.parts = check_parts(file);
    check.has_checksums = has_checksums(file);
    if (const auto format = file.metadata().find("format"); format != file.metadata().end())
      check.format = format->second;
  } catch (const Error& error) {
    check.parts = {{"header", readable.bytes().size(), PartState::damaged}};
    check.fault = error;
    return check;
  }
  const bool ours = check.format.starts_with("orrery-");
  if (ours && !check.format.ends_with(" 1") && !check.has_checksums)
    check.parts.push_back({std::string(checksums_name), 0, PartState::damaged});
  return check;
}

[[noreturn]] void fail_damaged(const SafetensorsFile& file, std::string_view what) {
  const std::string path = file.path().string();
  fail_request(About{.place = {path},
                     .advice = worded("copy it again, or go back to a backup (`orrery inspect {} "
                                      "--verify` shows which parts)",
                                      path)},
               "is damaged: {}", what);
}

std::string CheckpointFormat::name() const { return fmt::format("{} {}", kind, latest); }

int require_checkpoint(const SafetensorsFile& file, const CheckpointFormat& format, Verify verify) {
  const bool checked = has_checksums(file);
  if (checked) {
    const std::string damaged = damage(check_parts(file, verify));
    if (!damaged.empty()) fail_damaged(file, damaged + " differs from its checksum");
  }
  const std::string& found = file.require_metadata("format");
  const std::string prefix = fmt::format("{} ", format.kind);
  int version = 0;
  if (found.starts_with(prefix))
    std::from_chars(found.data() + prefix.size(), found.data() + found.size(), version);
  if (version < 1 || found != prefix + std::to_string(version))
    fail_request(
        About{.place = {file.path().string()}, .advice = "is it the right file, and is it whole?"},
        "is of the format '{}' where '{}' is wanted", found, format.name());
  if (version > format.latest)
    fail_request(About{.place = {file.path().string()},
                       .advice = "take a newer orrery, or, if the file is older, it is damaged: "
                                 "copy it again"},
                 "is of the format '{}', later than this program, which reads up to '{}'", found,
                 format.name());
  if (version > 1 && !checked)
    fail_damaged(file,
                 "its checksums are missing or out of place (was it written by another program?)");
  return version;
}

}  // namespace orrery

#include "base/memory_budget.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"

namespace orrery {
namespace {

constexpr auto no_limit = std::numeric_limits<std::uint64_t>::max();

// The unit in bytes, or nothing when it is not one.
std::optional<double> unit_bytes(std::string_view unit) {
  std::string lower;
  for (const char c : unit) lower += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower == "b") return 1.0;
  constexpr std::string_view prefixes = "kmgt";
  const auto power = lower.empty() ? std::string_view::npos : prefixes.find(lower[0]);
  if (power == std::string_view::npos) return std::nullopt;
  const std::string_view rest = std::string_view(lower).substr(1);
  if (!rest.empty() && rest != "ib" && rest != "b") return std::nullopt;
  double bytes = 1.0;
  for (std::size_t i = 0; i <= power; ++i) bytes *= rest == "b" ? 1000.0 : 1024.0;
  return bytes;
}

std::optional<std::uint64_t> leading_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;  // also "max": no limit
  return number;
}

// A figure of a file of the kernel's, "MemAvailable:    4000000 kB", in bytes.
std::optional<std::uint64_t> kernel_figure(const std::filesystem::path& path,
                                           std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const auto digits = std::min(line.find_first_of("0123456789"), line.size());
    if (const auto kib = leading_number(std::string_view(line).substr(digits))) return *kib * 1024;
  }
  return std::nullopt;
}

// A group is bound by its own limit and by those of all groups around it. A group that is not
// visible from inside a container is passed over: its top folder there is the container's own.
std::uint64_t least_limit(const std::filesystem::path& top, std::filesystem::path group,
                          std::string_view limit_file) {
  std::uint64_t least = no_limit;
  group = group.relative_path();
  while (true) {
    std::ifstream file(top / group / limit_file);
    std::string line;
    if (std::getline(file, line)) least = std::min(least, leading_number(line).value_or(no_limit));
    if (group.empty()) return least;
    group = group.parent_path();
  }
}

std::uint64_t control_group_limit(const std::filesystem::path& root) {
  std::uint64_t least = no_limit;
  std::ifstream file(root / "proc/self/cgroup");
  // A line is "id:controllers:/path"; version 2 has id 0 and names no controllers.
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    const std::filesystem::path group = line.substr(second + 1);
    const auto mounts = root / "sys/fs/cgroup";
    if (controllers == ",,") {
      least = std::min(least, least_limit(mounts, group, "memory.max"));
    } else if (controllers.find(",memory,") != std::string::npos) {
      least = std::min(least, least_limit(mounts / "memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace

std::uint64_t parse_memory(std::string_view text) {
  const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string_view number = text.substr(0, digits);
  std::string_view unit = text.substr(digits);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value,
                                            std::chars_format::fixed);
  if (error != std::errc{} || end != number.data() + number.size()) {
    fail_request(
        About{.option = "memory", .advice = "write a number and a unit, such as 4G or 512MB"},
        "'{}' is not an amount of memory", text);
  }
  if (unit.empty()) {
    fail_request(
        About{.option = "memory", .advice = worded("write such as {0}G, {0}M or {0}B", text)},
        "the amount of memory '{}' has no unit", text);
  }
  const auto scale = unit_bytes(unit);
  if (!scale) {
    fail_request(
        About{.option = "memory", .advice = "use K, M, G, T (1024), KB, MB, GB, TB (1000) or B"},
        "'{}' in '{}' is not a unit of memory", unit, text);
  }
  const double bytes = value * *scale;
  if (bytes < 1.0)
    fail_request(About{.option = "memory", .advice = "give more"},
                 "the amount of memory '{}' is less than one byte", text);
  if (bytes >= 0x1p63)
    fail_request(About{.option = "memory"}, "the amount of memory '{}' is beyond any machine's",
                 text);
  return static_cast<std::uint64_t>(bytes);
}

std::string format_memory(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // 1023.95 would print as 1024.0 of the smaller unit.
  for (; value >= 1023.95 && unit + 1 < units.size(); ++unit) value /= 1024;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

std::uint64_t available_memory(const std::filesystem::path& root) {
  const auto physical = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::min(kernel_figure(root / "proc/meminfo", "MemAvailable:").value_or(physical),
                  control_group_limit(root));
}

std::uint64_t default_memory_budget(const std::filesystem::path& root) {
  const std::uint64_t available = available_memory(root);
  return available - available / 4;
}

PeakMemory::PeakMemory(std::filesystem::path root) : root_(std::move(root)) {
#ifdef __GLIBC__
  ::malloc_trim(0);  // what others have freed is not ours
#endif
  // For writing alone, which is all that the kernel allows its owner; a kernel without the file
  // must not be given one.
  const int file = ::open((root_ / "proc/self/clear_refs").c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  counts_ = ::write(file, "5", 1) == 1;
  ::close(file);
}

std::optional<std::uint64_t> PeakMemory::bytes() const {
  return counts_ ? kernel_figure(root_ / "proc/self/status", "VmHWM:") : std::nullopt;
}

}  // namespace orrery

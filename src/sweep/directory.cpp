#include "sweep/directory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/paths.h"
#include "base/toml_line.h"
#include "orrery/run.h"
#include "sweep/file.h"

namespace orrery {
namespace {

std::map<std::string, std::string> values_of(const SweepOptions& options) {
  std::map<std::string, std::string> values;
  for (const TomlLine& line : toml_lines(sweep_to_toml(options), ""))
    values[line.name] = line.value;
  return values;
}

About another(const std::filesystem::path& out) {
  return {.option = "out", .place = {out.string()}, .advice = worded("name another $out")};
}

void compare(const SweepOptions& before, const SweepOptions& now,
             const std::filesystem::path& out) {
  const bool grown = before.search == Search::random && now.search == Search::random &&
                     now.trials >= before.trials;
  std::set<std::string> may_change = {"keep-runs"};
  for (const OptionInfo& option : option_table())
    if (option.decides == Decides::place) may_change.insert(option.name);
  if (grown) may_change.insert("trials");
  for (const SearchedOption& option : now.searched) may_change.erase(option.name);
  auto first = values_of(before), second = values_of(now);
  std::vector<std::string> differences;
  for (const auto& [name, value] : second) first.try_emplace(name, "nothing");
  for (const auto& [name, value] : first) {
    const std::string wanted = second.contains(name) ? second[name] : "nothing";
    if (value != wanted && !may_change.contains(name))
      differences.push_back(fmt::format("{} was {} and is now {}", name, value, wanted));
  }
  if (!differences.empty())
    fail_request(another(out), "holds another sweep ({})", fmt::join(differences, "; "));
}

void check_empty(const std::filesystem::path& out) {
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.'))
      fail_request(another(out), "holds '{}' and no sweep (there is no sweep.toml)", name);
  }
}

}  // namespace

void check_directory(const SweepOptions& options, const std::filesystem::path& out) {
  const auto file = out / "sweep.toml";
  if (path_exists(file)) {
    compare(read_sweep(file), options, out);
    return;
  }
  require_free_directory(out);
  check_empty(out);
}

void write_sweep_toml(const SweepOptions& options, const std::filesystem::path& out) {
  write_file_atomically(out / "sweep.toml", sweep_to_toml(options));
}

}  // namespace orrery

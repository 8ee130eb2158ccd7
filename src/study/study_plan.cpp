#include "study/study_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "learn/options.h"
#include "learn/toml_line.h"
#include "study/tsv_table.h"

namespace orrery {
namespace {

using Changes = std::map<std::string, std::string>;

// Where, how fast or from which seed a run goes is no part of its setting.
constexpr std::array<std::string_view, 4> beside_the_setting = {"device", "threads", "memory",
                                                                "seed"};

// One option in the words of a command line; `line` of `file` is named where they are wrong.
void set_option(TrainOptions& options, const std::string& name, const std::string& words,
                const std::string& file, std::size_t line) {
  std::string value = words;
  visit_options(options, [&](const OptionInfo& info, const auto& current) {
    using Value = std::decay_t<decltype(current)>;
    if (info.name != name) return;
    if constexpr (std::is_same_v<Value, std::string>) value = toml_value(words);
    if constexpr (std::is_same_v<Value, std::vector<std::string>>)
      value = toml_value(split_words(words, ','));
  });
  const std::string above(line - 1, '\n');
  options = options_from_toml(fmt::format("{}{} = {}\n", above, name, value), file, options);
}

// A file of the set itself is the paper's setting; others are called by their own or folder's name.
std::string config_name(const std::filesystem::path& config) {
  if (config.stem() != "{set}") return config.stem().string();
  return config.has_parent_path() ? config.parent_path().filename().string() : "paper";
}

// "paper:without=time_add+relation_add": such a name finds its runs in any study.
std::string contender_name(const std::string& config, const StudyRow& row) {
  std::string name = config;
  for (const OptionDifference& changed : differences(row.config, row.options)) {
    std::string value;
    for (const char c : changed.second) {
      if (c == ',') value += '+';
      if (std::string_view("\"[], ").find(c) == std::string_view::npos) value += c;
    }
    name += fmt::format("{}{}={}", name == config ? ':' : '+', changed.name, value);
  }
  return name;
}

class Planner {
 public:
  Planner(const std::string& study, const PaperFiles& files, const Changes& changes)
      : files_(files), changes_(changes) {
    plan_.study = study;
  }

  StudyPlan plan(const std::filesystem::path& data) {
    std::vector<StudySet> sets = known_sets(data);
    const std::string file = plan_.study + ".tsv";
    for (const TsvRow& line :
         read_tsv(files_.text(file), files_.label(file), {"name", "sets", "config", "options"}))
      for (const std::string& name : split_words(line["sets"], ',')) {
        const auto set = std::ranges::find(sets, name, &StudySet::name);
        if (set == sets.end())
          fail_request("{}: there is no set '{}' in {}", line.place, name,
                       files_.label("sets.tsv"));
        add_row(*set, line);
      }
    for (StudySet& set : sets)
      if (!set.rows.empty())
        (set.data.empty() ? plan_.missing : plan_.sets).push_back(std::move(set));
    if (plan_.sets.empty()) complain_of_missing(data);
    return std::move(plan_);
  }

 private:
  std::vector<StudySet> known_sets(const std::filesystem::path& data) const {
    const auto folder = std::filesystem::absolute(data / ".").lexically_normal().parent_path();
    std::vector<StudySet> sets;
    for (const TsvRow& line : read_tsv(files_.text("sets.tsv"), files_.label("sets.tsv"),
                                       {"set", "title", "fingerprint"})) {
      StudySet& set = sets.emplace_back();
      set.name = line["set"];
      set.title = line["title"];
      set.published = line["fingerprint"];
      if (std::filesystem::is_directory(folder / set.name))
        set.data = folder / set.name;
      else if (folder.filename() == set.name && std::filesystem::is_directory(folder))
        set.data = folder;
    }
    return sets;
  }

  void add_row(StudySet& set, const TsvRow& line) {
    std::string config = line["config"];
    if (const auto place = config.find("{set}"); place != std::string::npos)
      config.replace(place, 5, set.name);
    StudyRow row;
    row.name = line["name"];
    row.config = options_from_toml(files_.text(config), files_.label(config));
    row.config.data = set.data.string();
    row.options = row.config;
    const std::string file = line.place.substr(0, line.place.rfind(':'));
    for (const std::string& word : split_words(line["options"], ' ')) {
      const auto equals = word.find('=');
      if (equals == std::string::npos)
        fail_request("{}: '{}' is not of the form option=value", line.place, word);
      const std::string option = word.substr(0, equals);
      set_option(row.options, option, word.substr(equals + 1), file, line.line);
      if (option == row.name && changes_.contains(option))
        fail_request(
            "the study {0} varies {1} itself ({2}): leave --{1} out, or write other values into a "
            "copy of configs/paper and name it with --configs",
            plan_.study, option, line.place);
    }
    const TrainOptions asked = row.options;
    row.published = row.config;
    row.config = with_changes(row.config, changes_);
    row.options = with_changes(row.options, changes_);
    for (const OptionDifference& changed : differences(asked, row.options))
      if (std::ranges::find(beside_the_setting, changed.name) == beside_the_setting.end())
        plan_.changed_settings[changed.name] = changed.second;
    row.contender = contender_name(config_name(line["config"]), row);
    // Two names of the same options are one contender.
    const auto same = std::ranges::find_if(set.contenders, [&](const Contender& known) {
      return differences(known.options, row.options).empty();
    });
    if (same != set.contenders.end())
      row.contender = same->name;
    else
      set.contenders.push_back({row.contender, row.options});
    set.rows.push_back(std::move(row));
  }

  [[noreturn]] void complain_of_missing(const std::filesystem::path& data) const {
    std::vector<std::string> names;
    for (const StudySet& set : plan_.missing) names.push_back(set.name);
    fail_request(
        "{}: holds no folder of a set that the study needs ({}); name with --data a folder that "
        "does, or one that is called so itself; `orrery data get` fetches them",
        data.string(), fmt::join(names, ", "));
  }

  const PaperFiles& files_;
  const Changes& changes_;
  StudyPlan plan_;
};

}  // namespace

const StudyRow& StudySet::row(const std::string& row_name) const {
  const auto found = std::ranges::find(rows, row_name, &StudyRow::name);
  if (found == rows.end())
    fail_request("the study's file has no line called '{}' for {}", row_name, name);
  return *found;
}

StudyPlan plan_study(const std::string& study, const PaperFiles& files,
                     const std::filesystem::path& data, const Changes& changes) {
  if (data.empty()) fail_request("name the folder of the sets with --data DIR");
  return Planner(study, files, changes).plan(data);
}

TrainOptions with_changes(TrainOptions options, const Changes& changes) {
  for (const auto& [name, words] : changes) set_option(options, name, words, "the changes", 1);
  return options;
}

std::string differences_in_words(const TrainOptions& first, const TrainOptions& second) {
  std::vector<std::string> words;
  for (const OptionDifference& changed : differences(first, second))
    words.push_back(fmt::format("{} = {}", changed.name, changed.second));
  return fmt::format("{}", fmt::join(words, ", "));
}

double option_value(const TrainOptions& options, const std::string& name) {
  std::optional<double> found;
  visit_options(options, [&](const OptionInfo& info, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>)
      if (info.name == name) found = static_cast<double>(value);
  });
  if (!found) fail_request("'{}' is no option of numbers that a study could vary", name);
  return *found;
}

}  // namespace orrery

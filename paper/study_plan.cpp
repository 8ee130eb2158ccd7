#include "paper/study_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "base/paths.h"
#include "base/tsv_table.h"

namespace orrery {
namespace {

using Changes = std::map<std::string, std::string>;
using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Where, how fast or from which seed a run goes is no part of its setting.
bool is_of_the_setting(const OptionDifference& changed) {
  return changed.decides != Decides::place && changed.name != "seed";
}

// Carries out `work`; what it refuses stands at `place`.
template <class Work>
void at_place(const Place& place, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    throw error.at(place);
  }
}

// A file of the set itself is the paper's setting; others are called by their own or folder's name.
std::string config_name(const std::filesystem::path& config) {
  if (config.stem() != "{set}") return config.stem().string();
  return config.has_parent_path() ? config.parent_path().filename().string() : "paper";
}

// "paper:without=time_add+relation_add": such a name finds its runs in any study.
std::string model_name(const std::string& config, const StudyRow& row) {
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
  Planner(const std::string& study, const PaperFiles& files, const Changes& changes,
          const Names& asked)
      : files_(files), changes_(changes), asked_(asked) {
    plan_.study = study;
  }

  StudyPlan plan(const std::filesystem::path& data) {
    const std::string file = plan_.study + ".tsv";
    const auto lines =
        read_tsv(files_.text(file), files_.label(file), {"name", "sets", "config", "options"});
    plan_.edited_configs = files_.edited();
    choose_sets(sets_of(lines, data), data);
    for (StudySet& set : plan_.sets)
      for (const TsvRow& line : lines)
        if (holds(split_words(line["sets"], ','), set.name)) add_row(set, line);
    return std::move(plan_);
  }

 private:
  // Those that a line of the study names, in the order of sets.tsv.
  std::vector<StudySet> sets_of(const std::vector<TsvRow>& lines,
                                const std::filesystem::path& data) const {
    std::vector<StudySet> sets = known_sets(data);
    Names named;
    for (const TsvRow& line : lines)
      for (const std::string& name : split_words(line["sets"], ',')) {
        if (std::ranges::find(sets, name, &StudySet::name) == sets.end())
          fail_request(About{.place = line.place}, "there is no set '{}' in {}", name,
                       files_.label("sets.tsv"));
        named.push_back(name);
      }
    std::erase_if(sets, [&](const StudySet& set) { return !holds(named, set.name); });
    return sets;
  }

  std::vector<StudySet> known_sets(const std::filesystem::path& data) const {
    const auto folder = std::filesystem::absolute(data / ".").lexically_normal().parent_path();
    std::vector<StudySet> sets;
    for (const TsvRow& line : read_tsv(files_.text("sets.tsv"), files_.label("sets.tsv"),
                                       {"set", "title", "fingerprint"})) {
      StudySet& set = sets.emplace_back();
      set.name = line["set"];
      set.title = line["title"];
      set.published = line["fingerprint"];
      if (is_directory_at(folder / set.name))
        set.data = folder / set.name;
      else if (folder.filename() == set.name && is_directory_at(folder))
        set.data = folder;
    }
    return sets;
  }

  void choose_sets(std::vector<StudySet> sets, const std::filesystem::path& data) {
    Names of_study, at_hand;
    for (const StudySet& set : sets) {
      of_study.push_back(set.name);
      if (!set.data.empty()) at_hand.push_back(set.name);
    }
    for (const std::string& name : asked_)
      if (!holds(of_study, name))
        fail_request(About{.option = "sets",
                           .advice = fmt::format("there are {}", fmt::join(of_study, ", "))},
                     "the study {} has no set '{}'", plan_.study, name);
    for (StudySet& set : sets)
      if (!asked_.empty() && !holds(asked_, set.name))
        plan_.not_asked.push_back(set.name);
      else if (set.data.empty())
        plan_.missing.push_back(set.name);
      else
        plan_.sets.push_back(std::move(set));
    if (at_hand.empty())
      fail_request(
          About{.option = "data",
                .place = {data.string()},
                .advice = worded("name with $data a folder that does, or one that is called so "
                                 "itself; `orrery data get` fetches them")},
          "holds no folder of a set that the study needs ({})", fmt::join(plan_.missing, ", "));
    if (!asked_.empty() && !plan_.missing.empty())
      fail_request(About{.option = "sets",
                         .place = {data.string()},
                         .advice = "`orrery data get` fetches others"},
                   "holds no folder of {}; of the study's sets it has {}",
                   fmt::join(plan_.missing, ", "), fmt::join(at_hand, ", "));
  }

  void add_row(StudySet& set, const TsvRow& line) {
    std::string config = line["config"];
    if (const auto place = config.find("{set}"); place != std::string::npos)
      config.replace(place, 5, set.name);
    StudyRow row;
    row.name = line["name"];
    TrainOptions defaults;
    defaults.reading.intervals = "ends";  // the protocol of all published scores
    row.config = read_config_text(files_.text(config), files_.label(config), defaults);
    at_place(files_.label(config), [&] { check_options(row.config); });
    row.config.data = set.data.string();
    row.options = row.config;
    for (const std::string& word : split_words(line["options"], ' ')) {
      const auto equals = word.find('=');
      if (equals == std::string::npos)
        fail_request(About{.place = line.place}, "'{}' is not of the form option=value", word);
      const std::string option = word.substr(0, equals);
      at_place(line.place, [&] { set_option(row.options, option, word.substr(equals + 1)); });
      if (option == row.name && is_changed(option))
        fail_request(
            About{.option = option,
                  .place = line.place,
                  .advice = fmt::format(
                      "leave {} out, or write other values into a copy of configs/paper and name "
                      "it with {}",
                      option_mark(option), option_mark("configs"))},
            "the study {} varies {} itself", plan_.study, option);
    }
    const TrainOptions asked = row.options;
    row.published = row.config;
    row.config = with_changes(row.config, changes_);
    row.options = with_changes(row.options, changes_);
    for (const OptionDifference& changed : differences(asked, row.options))
      if (is_of_the_setting(changed)) plan_.changed_settings[changed.name] = changed.second;
    row.model = model_name(config_name(line["config"]), row);
    // Two names of the same options are one model.
    const auto same = std::ranges::find_if(set.models, [&](const ComparedModel& known) {
      return differences(known.options, row.options).empty();
    });
    if (same != set.models.end())
      row.model = same->name;
    else
      set.models.push_back({row.model, row.options});
    set.rows.push_back(std::move(row));
  }

  bool is_changed(const std::string& option) const {
    return std::ranges::any_of(changes_, [&](const auto& change) {
      return option_named(change.first).name == option_named(option).name;
    });
  }

  const PaperFiles& files_;
  const Changes& changes_;
  const Names& asked_;
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
                     const std::filesystem::path& data, const Changes& changes,
                     const Names& asked) {
  if (data.empty())
    fail_request(About{.option = "data", .advice = worded("name their folder with $data DIR")},
                 "a study needs facts");
  return Planner(study, files, changes, asked).plan(data);
}

TrainOptions with_changes(TrainOptions options, const Changes& changes) {
  for (const auto& [name, words] : changes) set_option(options, name, words);
  return options;
}

std::string differences_in_words(const TrainOptions& first, const TrainOptions& second) {
  std::vector<std::string> words;
  for (const OptionDifference& changed : differences(first, second))
    words.push_back(fmt::format("{} = {}", changed.name, changed.second));
  return fmt::format("{}", fmt::join(words, ", "));
}

double number_of_option(const TrainOptions& options, const std::string& name) {
  return std::visit(
      [&](const auto& value) -> double {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>)
          return static_cast<double>(value);
        else
          fail_request(About{.option = name},
                       "{} is not an option of numbers that a study could vary", option_mark(name));
      },
      option_value(options, name));
}

}  // namespace orrery

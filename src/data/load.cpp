#include "data/load.h"

#include <array>
#include <utility>

#include "base/error.h"
#include "data/fact_collector.h"
#include "data/split_files.h"
#include "data/understood.h"
#include "facts/fact_reader.h"
#include "facts/file_kind.h"
#include "facts/memory_table.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bad_lines_kept = 20;

class Loader {
 public:
  Loader(const LoadOptions& options, LoadReport& report)
      : options_(options), report_(report), collector_(options) {}

  std::vector<Fact> read(const fs::path& file) {
    FactReader reader(file, columns_, options_.reading);
    return read(reader, file.string());
  }

  std::vector<Fact> read(const FactTable& table) {
    FactReader reader(open_table(table), columns_, options_.reading);
    return read(reader, table.name);
  }

  // All facts are one list, and no split says otherwise.
  void will_cut() { is_one_list_ = true; }

  // Cut, where train is all there is, when the dates are known.
  TemporalGraph finish(Splits facts, const std::string& path) {
    if (options_.as_of) require_a_memory(path);
    collector_.read_dates(facts, intervals(), report_);
    if (facts[0].empty() && report_.dates.not_known_then > 0)
      fail_request(About{.option = "as-of", .place = {path}, .advice = "name a later date"},
                   "none of its {} facts was known then", report_.dates.not_known_then);
    if (facts[0].empty()) {
      fail_request(About{.option = "data", .place = {path}},
                   "the train split is empty ({} bad lines were left out)", report_.bad_lines);
    }
    if (options_.cut)
      cut(facts, *options_.cut);
    else if (is_one_list_)
      cut_as_usual(facts);
    report_.understood = understood_of(report_);
    return collector_.finish(std::move(facts));
  }

 private:
  std::vector<Fact> read(FactReader& reader, const std::string& name) {
    std::vector<Fact> facts;
    collector_.begin_file(name);
    Fact fact;
    std::string problem;
    while (true) {
      const FactReader::Outcome outcome = reader.next();
      if (outcome == FactReader::Outcome::end) {
        report_.files.push_back({name, reader.understood()});
        return facts;
      }
      if (outcome == FactReader::Outcome::bad) {
        refuse(name, reader.line(), reader.problem());
      } else if (collector_.number(reader.fact(), intervals(), reader.line(), fact, problem)) {
        facts.push_back(fact);
      } else {
        refuse(name, reader.line(), problem);
      }
    }
  }

  bool intervals() const { return columns_.has_end; }

  // All else would be known at any date.
  void require_a_memory(const std::string& path) const {
    if (columns_.map.has(Role::recorded) || columns_.map.has(Role::expired)) return;
    fail_request(About{.option = "as-of",
                       .place = {path},
                       .advice = worded("say which column it is: $columns recorded=…, or leave "
                                        "$as-of out")},
                 "has no column that says when a fact was recorded or expired");
  }

  void cut(Splits& facts, const CutRule& rule) const {
    facts = cut_facts(std::move(facts[0]), rule,
                      [this](const Fact& fact) { return collector_.date_of(fact); });
  }

  void cut_as_usual(Splits& facts) {
    CutRule rule = options_.usual_cut;
    report_.split = usual_shares(facts[0].size());
    rule.shares = cut_rule(report_.split, "random", 1).shares;
    cut(facts, rule);
  }

  void refuse(const std::string& name, std::uint64_t line, const std::string& problem) {
    report_.note(name, line, problem, options_.skip_bad);
  }

  const LoadOptions& options_;
  LoadReport& report_;
  SetColumns columns_;
  bool is_one_list_ = false;
  FactCollector collector_;
};

Splits read_directory(const fs::path& path, const LoadOptions& options, Loader& loader) {
  Splits facts;
  const auto files = find_split_files(path);
  if (options.cut && (files[1] || files[2]))
    fail_request(
        About{.option = "split", .place = {path.string()}, .advice = worded("leave $split out")},
        "is a directory with splits of its own");
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i]) facts[i] = loader.read(*files[i]);
  }
  if (!files[1] && !files[2]) loader.will_cut();
  return facts;
}

Splits read_single_file(const fs::path& path, Loader& loader) {
  if (!source_exists(path)) {
    fail_request(About{.option = "data", .place = {path.string()}},
                 "there is no such file or directory");
  }
  loader.will_cut();
  return {loader.read(path)};
}

std::optional<Date> date_option(const std::string& text, const std::string& name) {
  if (text.empty()) return {};
  const ParsedDate parsed = parse_date(text);
  if (!parsed.known())
    fail_request(About{.option = name, .advice = "write one like 2024-06-30 or 2024"},
                 "{} '{}' is not a date", option_mark(name), text);
  return parsed.date;
}

template <class Value>
Value word_option(const std::optional<Value>& named, const std::string& name,
                  const std::string& word) {
  if (!named) fail_request(About{.option = name}, "{} '{}' is unknown", option_mark(name), word);
  return *named;
}

}  // namespace

void LoadReport::note(const std::string& file, std::uint64_t line, const std::string& problem,
                      bool skip_bad, const std::string& way_out, std::uint64_t lines) {
  if (!skip_bad) {
    const std::string skip = worded("leave out bad lines with $skip-bad");
    fail_request(About{.place = {file, line},
                       .advice = (way_out.empty() ? "correct the line" : way_out) + ", or " + skip},
                 "{}", problem);
  }
  bad_lines += lines;
  if (first_bad.size() < most_bad_lines_kept) first_bad.push_back({file, line, problem});
}

LoadOptions load_options_of(const DataOptions& options) {
  LoadOptions load;
  if (options.granularity != "auto")
    load.granularity =
        word_option(granularity_named(options.granularity), "granularity", options.granularity);
  load.dates = word_option(date_form_named(options.dates), "dates", options.dates);
  load.spread_coarse_dates = options.coarse_dates == "spread";
  load.undated_always = options.undated == "always";
  load.as_of = date_option(options.as_of, "as-of");
  load.reading = {options.format, column_request(options.columns), load.undated_always};
  load.min_facts = options.min_facts;
  load.within = options.intervals == "within";
  load.horizon = date_option(options.horizon, "horizon");
  load.skip_bad = options.skip_bad;
  load.usual_cut = cut_rule("80/10/10", options.split_by, 1);
  if (!options.split.empty()) load.cut = cut_rule(options.split, options.split_by, options.seed);
  return load;
}

bool holds_one_list(const fs::path& path) {
  std::error_code no_directory;
  if (!fs::is_directory(path, no_directory)) return source_exists(path);
  const auto files = find_split_files(path);
  return !files[1] && !files[2];
}

TemporalGraph load_facts(const fs::path& path, const LoadOptions& options, LoadReport* report) {
  LoadReport own;
  LoadReport& bad = report != nullptr ? *report : own;
  bad = {};
  Loader loader(options, bad);
  std::error_code no_directory;
  Splits facts = fs::is_directory(path, no_directory) ? read_directory(path, options, loader)
                                                      : read_single_file(path, loader);
  return loader.finish(std::move(facts), path.string());
}

TemporalGraph load_tables(const std::array<const FactTable*, 3>& splits, const LoadOptions& options,
                          LoadReport& report) {
  const bool one_list = splits[1] == nullptr && splits[2] == nullptr;
  if (options.cut && !one_list)
    fail_request(About{.option = "split", .advice = "leave it out, or give train alone"},
                 "$split is for facts that are not split yet, and there is valid or test");
  Loader loader(options, report);
  if (one_list) loader.will_cut();
  Splits facts;
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (splits[i] != nullptr) facts[i] = loader.read(*splits[i]);
  return loader.finish(std::move(facts), splits[0]->name);
}

}  // namespace orrery

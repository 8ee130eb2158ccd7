#include "orrery/data_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "orrery/report.h"
#include "page/report.h"
#include "page/report_plain.h"
#include "page/text_table.h"

namespace orrery {
namespace {

constexpr std::size_t most_relations = 20;

std::string counted(std::int32_t count) { return grouped(static_cast<std::uint64_t>(count)); }

const SplitCheck& counts_of(const DataCheck& check, Split split) {
  return check.splits[static_cast<std::size_t>(split)];
}

class CheckPage {
 public:
  CheckPage(const Dataset& data, const DataCheck& check) : data_(data), check_(check) {
    report_.title = data.source().empty() ? "Data check" : "Data check: " + data.source();
  }

  Report made(std::vector<TimeCount> per_time) {
    add_understood();
    add_counts();
    add_list("Examples", check_.examples);
    add_plot(std::move(per_time));
    add_relations();
    add_suspicions();
    if (!check_.one_list) add_leaks();
    if (!check_.one_list) add_names();
    if (!check_.warnings.empty()) heading("Warnings");
    for (const std::string& warning : check_.warnings) say("warning: {}", warning);
    return std::move(report_);
  }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    report_.blocks.emplace_back(Paragraph{fmt::format(format, std::forward<Args>(args)...)});
  }
  void heading(std::string text) { report_.blocks.emplace_back(Heading{std::move(text)}); }
  void add_list(std::string title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    heading(std::move(title));
    for (const std::string& line : lines) say("- {}", line);
  }

  void add_understood() {
    heading("What was understood");
    for (const Understood& one : data_.understood()) say("{}: {}", one.about, one.sentence);
    say("facts: {}", check_.intervals ? "each is valid from a start to an end, either may be open"
                                      : "each is at a point in time");
    say("times: {} from {} to {}, by {}", counted(check_.times), check_.first_time,
        check_.last_time, check_.granularity);
  }

  void add_counts() {
    heading("Counts");
    if (check_.one_list) {
      const SplitCheck& all = counts_of(check_, Split::train);
      say("{} facts, {} of them duplicates; not split yet", grouped(all.facts),
          grouped(all.duplicates));
    } else {
      Table table{"",
                  {"split", "facts", "duplicates", "unseen entity", "unseen relation",
                   "unseen time", "reversed in train"},
                  {}};
      for (const Split split : all_splits) {
        const SplitCheck& s = counts_of(check_, split);
        table.rows.push_back({std::string(name_of(split)), grouped(s.facts), grouped(s.duplicates),
                              grouped(s.unseen_entity), grouped(s.unseen_relation),
                              grouped(s.unseen_time), grouped(s.reversed_in_train)});
      }
      report_.blocks.emplace_back(std::move(table));
    }
    const std::string in_train =
        check_.one_list ? "" : fmt::format(" ({} in train)", counted(check_.entities_in_train));
    say("{} entities{}, {} relations, {} times from {} to {} ({}{})", counted(check_.entities),
        in_train, counted(check_.relations), counted(check_.times), check_.first_time,
        check_.last_time, check_.granularity, check_.intervals ? ", interval facts" : "");
    say("fingerprint {}", check_.fingerprint);
  }

  void add_plot(std::vector<TimeCount> per_time) {
    if (per_time.empty()) return;
    heading("Facts per time");
    Plot plot{.caption = check_.intervals ? "facts valid at each time" : "facts at each time",
              .kind = Plot::Kind::bars,
              .x = {.label = "time"},
              .y = {.label = "facts"},
              .series = {{}}};
    if (per_time.front().first != per_time.front().last)
      plot.caption += fmt::format(" (the first bar is {} to {})", per_time.front().first,
                                  per_time.front().last);
    for (std::size_t i = 0; i < per_time.size(); ++i) {
      plot.series[0].x.push_back(static_cast<double>(i));
      plot.series[0].y.push_back(static_cast<double>(per_time[i].facts));
      const bool last = i > 0 && i + 1 == per_time.size();
      plot.x.marks.push_back({static_cast<double>(i), last ? per_time[i].last : per_time[i].first});
    }
    report_.blocks.emplace_back(std::move(plot));
  }

  const std::string& relation(std::int32_t id) const {
    return data_.relation_names()[static_cast<std::size_t>(id)];
  }

  void add_relations() {
    heading("Relations");
    std::map<std::int32_t, std::vector<std::string>> kinds;
    for (const InverseRelation& pair : check_.inverses)
      kinds[pair.relation].push_back(
          pair.relation == pair.inverse ? "symmetric" : "inverse of " + relation(pair.inverse));
    Table table{
        "",
        {"relation", "facts", "subjects", "objects", "at one time", "over all time", "also"},
        {}};
    for (const RelationProfile& profile : check_.profiles) {
      if (table.rows.size() == most_relations) break;
      table.rows.push_back({relation(profile.relation), grouped(profile.facts),
                            counted(profile.subjects), counted(profile.objects),
                            profile.at_one_time.name(), profile.over_all_time.name(),
                            fmt::format("{}", fmt::join(kinds[profile.relation], ", "))});
    }
    const std::size_t more = check_.profiles.size() - table.rows.size();
    report_.blocks.emplace_back(std::move(table));
    if (more > 0) say("and {} more relations", grouped(more));
  }

  void add_suspicions() {
    if (check_.suspicions.empty() && data_.bad_lines() == 0) return;
    heading("Suspicious");
    const auto bad_lines = data_.first_bad_lines();
    for (const BadLine& bad : bad_lines)
      say("bad line left out: {}:{}: {}", bad.file, bad.line, bad.reason);
    if (data_.bad_lines() > bad_lines.size())
      say("and {} more bad lines", grouped(data_.bad_lines() - bad_lines.size()));
    for (const Suspicion& one : check_.suspicions) {
      say("{}: {}", one.sentence, grouped(one.count));
      for (std::size_t i = 0; i < one.examples.size(); ++i) {
        const bool placed = i < one.places.size() && !one.places[i].empty();
        say("- {}{}", one.examples[i], placed ? fmt::format(" ({})", one.places[i]) : "");
      }
      if (one.count > one.examples.size()) say("- …");
    }
  }

  void add_leaks() {
    heading("What train gives away");
    Table table{
        "facts that train states already, at a shared or another time, reversed or as an inverse",
        {"split", "facts", "shared time", "another time", "reversed", "inverse"},
        {}};
    for (const Split split : {Split::valid, Split::test}) {
      const SplitCheck& s = counts_of(check_, split);
      table.rows.push_back({std::string(name_of(split)), grouped(s.facts),
                            grouped(s.at_shared_time), grouped(s.at_another_time),
                            grouped(s.reversed_in_train), grouped(s.inverse_in_train)});
    }
    report_.blocks.emplace_back(std::move(table));
  }

  void add_names() {
    heading("Names and splits");
    Table table{"", {"names", "only in train", "never in train", "such as"}, {}};
    const auto add = [&](const char* what, const NameSpread& spread) {
      table.rows.push_back({what, grouped(spread.only_in_train), grouped(spread.never_in_train),
                            fmt::format("{}", fmt::join(spread.examples, ", "))});
    };
    add("entities", check_.entity_spread);
    add("relations", check_.relation_spread);
    add("times", check_.time_spread);
    report_.blocks.emplace_back(std::move(table));
  }

  const Dataset& data_;
  const DataCheck& check_;
  Report report_;
};

}  // namespace

std::string data_check_text(const Dataset& data, const DataCheck& check, const TextPage& page) {
  const TextForm form{.columns = page.columns, .blocks = page.blocks, .wraps = page.wraps};
  const Report report = CheckPage(data, check).made(data.facts_per_time(bars_that_fit(form)));
  std::string text = report_plain(report, form);
  // On one line, however long: it is there to be copied.
  if (!page.next.empty()) text += "\nNext: " + page.next + "\n";
  return text;
}

std::string data_check_html(const Dataset& data, const DataCheck& check, const std::string& next) {
  Report report = CheckPage(data, check).made(check.facts_per_time);
  if (!next.empty()) {
    report.blocks.emplace_back(Heading{"Next"});
    report.blocks.emplace_back(Paragraph{"`" + next + "`"});
  }
  return report_html(report);
}

}  // namespace orrery

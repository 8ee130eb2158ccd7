#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "orrery/report.h"
#include "page/text_table.h"

namespace orrery {
namespace {

nlohmann::ordered_json json_of(const TimeRanks& ranks) {
  return {{"mean_rank", ranks.mean},
          {"median_rank", ranks.median},
          {"mrr", ranks.mrr},
          {"hits10", ranks.hits10}};
}

void add_row(TextTable& table, const std::string& name, const TimeRanks& ranks) {
  table.add({name, fmt::format("{:.1f}", ranks.mean), fmt::format("{:.1f}", ranks.median),
             fmt::format("{:.1f}", 100 * ranks.mrr), fmt::format("{:.1f}", 100 * ranks.hits10)});
}

}  // namespace

std::string when_text(const WhenReport& report) {
  TextTable table({"when", "mean rank", "median", "MRR", "Hits@10"});
  add_row(table, "by the model alone", report.model);
  if (report.fit) add_row(table, "with activity", *report.fit);
  const std::string missing =
      report.fit
          ? ""
          : "the model has no fit of activity: it was trained by an earlier version, or with "
            "too few facts to validate with\n";
  return fmt::format("{}{} facts of {}, among {} times; by chance the mean rank is {:.0f}\n{}",
                     table.text(), grouped(report.facts), name_of(report.split),
                     grouped(static_cast<std::uint64_t>(report.times)), (report.times + 1) / 2.0,
                     missing);
}

std::string when_json(const WhenReport& report) {
  nlohmann::ordered_json json = {{"split", name_of(report.split)},
                                 {"facts", report.facts},
                                 {"times", report.times},
                                 {"model", json_of(report.model)}};
  json["fit"] = report.fit ? json_of(*report.fit) : nlohmann::ordered_json(nullptr);
  return json.dump(2);
}

}  // namespace orrery

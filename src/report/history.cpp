#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "orrery/inspect.h"
#include "orrery/report.h"
#include "page/text_table.h"

namespace orrery {
namespace {

using HistoryJson = nlohmann::ordered_json;

// Of one feature over all rows of the table.
struct FeatureRange {
  float lowest = 0, highest = 0;
  std::string lowest_of, highest_of;  // names of rows
};

FeatureRange range_of(const Embeddings& history, std::size_t feature) {
  std::int64_t lowest = 0, highest = 0;
  const auto worth = [&](std::int64_t row) { return history.row(row)[feature]; };
  for (std::int64_t row = 1; row < history.info.rows; ++row) {
    if (worth(row) < worth(lowest)) lowest = row;
    if (worth(row) > worth(highest)) highest = row;
  }
  return {worth(lowest), worth(highest), history.names[static_cast<std::size_t>(lowest)],
          history.names[static_cast<std::size_t>(highest)]};
}

std::string worth_text(double worth) { return fmt::format("{:+.2f}", worth); }

const char* origin_of_numbers(const Model& model) {
  return model.card().history_fitted ? "fitted on validation" : "as learned in training";
}

// Said in place of a table without rows.
std::string worth_nothing(const Model& model, const std::string& where) {
  return fmt::format("history: worth nothing {} ({} left every number at zero)\n", where,
                     model.card().history_fitted ? "the fit" : "training");
}

HistoryJson numbers_json(const std::vector<HistoryNumbers>& rows) {
  HistoryJson list = HistoryJson::array();
  for (const HistoryNumbers& row : rows) {
    HistoryJson one = {{"relation", row.relation}, {"asked", row.asked}};
    if (!row.event.empty()) one["event"] = row.event;
    one["numbers"] = HistoryJson::object();
    for (const HistoryNumber& number : row.numbers) one["numbers"][number.feature] = number.worth;
    list.push_back(std::move(one));
  }
  return list;
}

std::string dumped(const HistoryJson& json) {
  return json.dump(2, ' ', false, HistoryJson::error_handler_t::replace);
}

// A feature in both directions; directions may have other companions.
struct BothWays {
  std::string feature, object = no_figure, subject = no_figure;
  bool worth_something = false;
};

std::vector<BothWays> both_ways(const std::vector<HistoryNumbers>& rows, const std::string& event) {
  std::vector<BothWays> found;
  for (const HistoryNumbers& row : rows) {
    if (!row.event.empty() && row.event != event) continue;
    for (const HistoryNumber& number : row.numbers) {
      auto line = std::ranges::find(found, number.feature, &BothWays::feature);
      if (line == found.end()) line = found.insert(found.end(), {.feature = number.feature});
      (row.asked == "object" ? line->object : line->subject) = worth_text(number.worth);
      if (number.worth != 0) line->worth_something = true;
    }
  }
  std::erase_if(found, [](const BothWays& line) { return !line.worth_something; });
  return found;
}

}  // namespace

std::string history_text(const Model& model) {
  const Embeddings history = model.embeddings("history");
  if (std::ranges::all_of(history.values, [](float worth) { return worth == 0; }))
    return worth_nothing(model, "here");
  TextTable table({"a candidate is", "lowest", "of", "highest", "of"});
  const auto& features = model.card().history_features;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const FeatureRange range = range_of(history, i);
    if (range.lowest == 0 && range.highest == 0) continue;  // it says nothing here
    table.add({features[i], worth_text(range.lowest), printable(range.lowest_of),
               worth_text(range.highest), printable(range.highest_of)});
  }
  return fmt::format("history, {}: what being known is worth, over the relations that have it\n{}",
                     origin_of_numbers(model), table.text());
}

std::string history_json(const Model& model) {
  const Embeddings history = model.embeddings("history");
  HistoryJson json = {{"fitted", model.card().history_fitted}, {"features", HistoryJson::array()}};
  const auto& features = model.card().history_features;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const FeatureRange range = range_of(history, i);
    json["features"].push_back({{"name", features[i]},
                                {"lowest", range.lowest},
                                {"lowest_of", range.lowest_of},
                                {"highest", range.highest},
                                {"highest_of", range.highest_of}});
  }
  json["relations"] = numbers_json(history_numbers(model));
  return dumped(json);
}

std::string history_text(const Model& model, const std::string& relation,
                         const std::string& event) {
  const auto rows = history_numbers(model, relation);
  if (rows.empty()) return "";
  const auto lines = both_ways(rows, event);
  const std::string& name = rows.front().relation;
  if (lines.empty()) return worth_nothing(model, "for " + printable(name));
  TextTable table({"a candidate is", "asked for the object", "asked for the subject"});
  for (const BothWays& line : lines)
    table.add({printable(line.feature), line.object, line.subject});
  return fmt::format("history of {}{}, {}: what a candidate gains or loses\n{}", printable(name),
                     rows.front().event.empty() ? "" : ", its " + event, origin_of_numbers(model),
                     table.text());
}

std::string history_json(const Model& model, const std::string& relation) {
  return dumped({{"fitted", model.card().history_fitted},
                 {"relations", numbers_json(history_numbers(model, relation))}});
}

}  // namespace orrery

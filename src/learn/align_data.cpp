#include "learn/align_data.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"

namespace orrery {
namespace {

std::vector<std::int32_t> ids_in(const Vocabulary& known, const Vocabulary& names,
                                 std::string_view what) {
  std::vector<std::int32_t> ids;
  std::int32_t unknown = 0;
  const std::string* first = nullptr;
  for (const auto& name : names.names()) {
    const auto id = known.find(name);
    ids.push_back(id.value_or(-1));
    if (id) continue;
    ++unknown;
    if (first == nullptr) first = &name;
  }
  if (unknown > 0)
    fail_request(
        About{.option = "data", .advice = "it can only be evaluated on names it was trained with"},
        "the model does not know {} of the data's {} {}, such as '{}'", unknown, names.size(), what,
        *first);
  return ids;
}

// The text before or after the TAB of an interval's name.
std::int32_t row_of_text(const Timeline& model, std::string_view text, bool end) {
  const ParsedDate parsed = parse_date(text);
  if (!parsed.known()) return Moment::unknown;
  return model.nearest_row_to(end ? last_time_point(parsed.date, model.granularity)
                                  : time_point(parsed.date, model.granularity));
}

// Intervals by their texts: the data's own classes of years may be cut elsewhere than the model's.
Moment moment_in(const Timeline& model, const Timeline& data, std::size_t moment) {
  if (data.within) return model.rows_around(data.spans[moment]);
  if (data.intervals) {
    const std::string_view name = data.moment_names[moment];
    const auto tab = name.find('\t');
    return {row_of_text(model, name.substr(0, tab), false),
            row_of_text(model, name.substr(tab + 1), true)};
  }
  const auto row = static_cast<std::size_t>(data.moments[moment].start);
  const std::int32_t nearest = model.nearest_row_to(data.rows[row].first);
  return {nearest, nearest};
}

}  // namespace

bool has_ids_of(const ModelHeader& header, const TemporalGraph& data) {
  const auto same_row = [](const TimeRow& a, const TimeRow& b) {
    return a.first == b.first && a.last == b.last;
  };
  return header.times.intervals == data.times.intervals &&
         header.times.within == data.times.within &&
         header.times.granularity == data.times.granularity &&
         std::ranges::equal(header.times.rows, data.times.rows, same_row) &&
         std::ranges::equal(header.relations.names(), data.relations.names()) &&
         std::ranges::equal(header.entities.names(), data.entities.names());
}

void require_same_reading(const Timeline& model, const Timeline& data) {
  if (data.intervals != model.intervals)
    fail_request(About{.option = "data"},
                 "the model was trained on {} facts, and the data has {} facts",
                 model.intervals ? "interval" : "point", data.intervals ? "interval" : "point");
  if (data.within != model.within) {
    const auto reading = [](const Timeline& times) { return times.within ? "within" : "ends"; };
    fail_request(About{.option = "intervals",
                       .advice = worded("read the data with $intervals {}", reading(model))},
                 "the model's interval facts were read as '{}', and the data's as '{}'",
                 reading(model), reading(data));
  }
  if (data.granularity != model.granularity)
    fail_request(
        About{.option = "granularity",
              .advice = worded("read it with $granularity {}", name_of(model.granularity))},
        "the model's times are {}s, and the data was read in {}s", name_of(model.granularity),
        name_of(data.granularity));
}

TemporalGraph align_data(const ModelHeader& header, TemporalGraph data) {
  require_same_reading(header.times, data.times);
  const auto entities = ids_in(header.entities, data.entities, "entities");
  const auto relations = ids_in(header.relations, data.relations, "relations");
  for (auto& split : data.facts)
    for (Fact& fact : split) {
      fact.subject = entities[static_cast<std::size_t>(fact.subject)];
      fact.relation = relations[static_cast<std::size_t>(fact.relation)];
      fact.object = entities[static_cast<std::size_t>(fact.object)];
    }
  for (std::size_t m = 0; m < data.times.moments.size(); ++m)
    data.times.moments[m] = moment_in(header.times, data.times, m);
  data.entities = header.entities;
  data.relations = header.relations;
  data.times.rows = header.times.rows;
  data.times.granularity = header.times.granularity;
  return data;
}

}  // namespace orrery

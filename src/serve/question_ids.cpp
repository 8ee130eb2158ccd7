#include "serve/question_ids.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

struct DatedPlace {
  AskedTime time;
  std::string note;
};

bool is_among(const std::vector<std::int32_t>& ids, std::int32_t id) {
  return std::ranges::binary_search(ids, id);
}

// The nearest rows that train has on either side of a row that it never saw; that row where train
// has none.
std::int32_t trained_row(const ModelHeader& header, std::int32_t from, std::int32_t step) {
  for (std::int32_t row = from; row >= 0 && row < header.times.size(); row += step)
    if (!is_among(header.untrained.times, row)) return row;
  return QuestionIds::missing;
}

// A date that training never saw is answered from its neighbours.
DatedPlace between(const ModelHeader& header, const std::string& text, std::int32_t before,
                   std::int32_t after, TimePoint point) {
  const auto& rows = header.times.rows;
  const auto row_at = [&](std::int32_t row) -> const TimeRow& {
    return rows[static_cast<std::size_t>(row)];
  };
  const auto to_before = static_cast<double>(point - row_at(before).last);
  const auto to_after = static_cast<double>(row_at(after).first - point);
  const bool later = to_after < to_before;
  const double far_share = std::min(to_before, to_after) / (to_before + to_after);
  return {{later ? after : before, later ? before : after, static_cast<float>(far_share)},
          fmt::format("no training fact is of {}; it is answered from its neighbours, {} and {}",
                      shown(text), row_at(before).label, row_at(after).label)};
}

DatedPlace nearest(const ModelHeader& header, const std::string& text, std::int32_t row) {
  return {{row},
          fmt::format("no training fact is of {}; the nearest time, {}, is answered for",
                      shown(text), header.times.rows[static_cast<std::size_t>(row)].label)};
}

DatedPlace place_of(const ModelHeader& header, const std::string& text) {
  const Timeline& times = header.times;
  const TimePlace found = times.place_of(text);
  const bool on_row = found.where == TimePlace::Where::on;
  if (on_row && !is_among(header.untrained.times, found.row))
    return {{found.row}, times.note_on(text, found)};
  const bool beyond =
      found.where == TimePlace::Where::before || found.where == TimePlace::Where::after;
  const TimeRow& row = times.rows[static_cast<std::size_t>(found.row)];
  // The nearest row is before the date or after it.
  const bool row_is_later = found.point < row.first;
  const std::int32_t before = trained_row(header, row_is_later ? found.row - 1 : found.row, -1);
  const std::int32_t after = trained_row(header, row_is_later ? found.row : found.row + 1, 1);
  if (before == QuestionIds::missing && after == QuestionIds::missing)
    return {{found.row}, times.note_on(text, found)};
  if (before != QuestionIds::missing && after != QuestionIds::missing)
    return between(header, text, before, after, found.point);
  const std::int32_t only = before == QuestionIds::missing ? after : before;
  if (beyond && only == found.row) return {{found.row}, times.note_on(text, found)};
  return nearest(header, text, only);
}

std::int32_t trained_id(const Vocabulary& names, const std::vector<std::int32_t>& untrained,
                        const std::string& name, std::string_view what, std::string_view part,
                        bool allowed) {
  std::int32_t id = 0;
  try {
    id = names.require(name, what);
  } catch (const Error& error) {
    throw error.of_option(std::string(part));
  }
  if (!allowed && is_among(untrained, id))
    fail_request(
        About{.option = std::string(part), .advice = worded("ask all the same with $untrained")},
        "no training fact has the {} {}, so its embedding is noise", what, shown(names.name(id)));
  return id;
}

AskedPart asked_part(const Question& question, bool timed) {
  std::vector<AskedPart> missing;
  if (question.subject.empty()) missing.push_back(AskedPart::subject);
  if (question.relation.empty()) missing.push_back(AskedPart::relation);
  if (question.object.empty()) missing.push_back(AskedPart::object);
  if (missing.size() > 1) {
    std::vector<std::string_view> names;
    for (const AskedPart part : missing) names.push_back(name_of(part));
    fail_request(About{.option = std::string(names.back()),
                       .advice = "give all but one of subject, relation, object and time"},
                 "a question leaves out one part, and this one has no {}",
                 fmt::join(names, " and no "));
  }
  if (!timed || !question.time.empty()) return missing.empty() ? AskedPart::fact : missing.front();
  if (missing.empty()) return AskedPart::time;
  fail_request(About{.option = "time", .advice = worded("give a date, with $time")},
               "this model's answers depend on time");
}

}  // namespace

std::string_view name_of(AskedPart part) {
  constexpr std::string_view names[] = {"subject", "relation", "object", "time", "fact"};
  return names[static_cast<std::size_t>(part)];
}

bool knows_time(const StoredModel& model) {
  if (model.header().times.timeless()) return false;
  return model.plan().feature_count > 0 ||
         model.plan().variant->candidates == Candidates::each_time ||
         std::ranges::any_of(model.tables(), [](const TableSpec& table) {
           return table.of == RowOf::time || table.of == RowOf::window;
         });
}

QuestionIds ids_of(const StoredModel& model, const Question& question, bool untrained) {
  const ModelHeader& header = model.header();
  const bool timed = knows_time(model);
  QuestionIds ids{.asked = asked_part(question, timed)};
  const auto entity = [&](const std::string& name, std::string_view part) {
    if (name.empty()) return QuestionIds::missing;
    return trained_id(header.entities, header.untrained.entities, name, "entity", part, untrained);
  };
  ids.subject = entity(question.subject, "subject");
  ids.object = entity(question.object, "object");
  if (!question.relation.empty())
    ids.relation = trained_id(header.relations, header.untrained.relations, question.relation,
                              "relation", "relation", untrained);
  if (question.time.empty()) return ids;
  DatedPlace place = place_of(header, question.time);
  ids.time_name = header.times.rows[static_cast<std::size_t>(place.time.row)].label;
  if (timed) {
    ids.time = place.time;
    ids.note = std::move(place.note);
  }
  return ids;
}

}  // namespace orrery

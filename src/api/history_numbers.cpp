#include <string>

#include "api/model_state.h"
#include "orrery/inspect.h"
#include "serve/history_terms.h"
#include "serve/question_ids.h"

namespace orrery {
namespace {

// As questions name it: which entity is asked of, and when, makes no difference.
std::int32_t relation_named(const StoredModel& model, std::string_view relation) {
  const ModelHeader& header = model.header();
  return ids_of(model,
                {.subject = header.entities.name(0),
                 .relation = std::string(relation),
                 .time = knows_time(model) ? header.times.rows.front().label : ""},
                true)
      .relation;
}

HistoryNumbers numbers_of_row(const StoredModel& model, std::int32_t row) {
  const ModelHeader& header = model.header();
  const RelationIds ids = header.relation_ids();
  const bool reciprocal = ids.is_reciprocal(row);
  const std::int32_t relation = ids.relation_of(row);
  HistoryNumbers found{.relation = header.relations.name(relation),
                       .asked = reciprocal ? "subject" : "object"};
  if (ids.ends) found.event = row == ids.id(relation, reciprocal, true) ? "end" : "start";
  const HistoryKind kind = history_kind_named(header.options.history);
  const auto names = feature_names(kind);
  const auto worth = model.rows(model.tables().size() - 1)
                         .subspan(static_cast<std::size_t>(row) * names.size(), names.size());
  const auto companions = model.history()->companions(row);
  for (std::size_t place = 0; place < names.size(); ++place) {
    const std::int32_t nth = companion_at(kind, static_cast<std::int32_t>(place));
    if (nth >= static_cast<std::int32_t>(companions.size())) continue;  // there are fewer
    found.numbers.push_back(
        {nth < 0 ? names[place]
                 : companion_in_words(header, row, companions[static_cast<std::size_t>(nth)]),
         worth[place]});
  }
  return found;
}

}  // namespace

std::vector<HistoryNumbers> history_numbers(const Model& model, std::string_view relation) {
  std::vector<HistoryNumbers> found;
  const StoredModel& stored = *model.state().stored;
  if (model.state().mixture || stored.history() == nullptr) return found;
  const RelationIds ids = stored.header().relation_ids();
  const std::int32_t only = relation.empty() ? -1 : relation_named(stored, relation);
  for (std::int32_t row = 0; row < ids.count(); ++row)
    if (only < 0 || ids.relation_of(row) == only) found.push_back(numbers_of_row(stored, row));
  return found;
}

}  // namespace orrery

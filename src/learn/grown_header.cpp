#include "learn/grown_header.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "learn/align_data.h"
#include "learn/row_map.h"
#include "learn/setup.h"

namespace orrery {
namespace {

Vocabulary united(const Vocabulary& one, const Vocabulary& other) {
  std::vector<std::string> names;
  std::ranges::set_union(one.names(), other.names(), std::back_inserter(names));
  return Vocabulary(std::move(names));
}

std::vector<TimeRow> united_points(const Timeline& one, const Timeline& other) {
  std::vector<TimeRow> rows;
  std::ranges::set_union(one.rows, other.rows, std::back_inserter(rows), {}, &TimeRow::first,
                         &TimeRow::first);
  return rows;
}

// What lies beyond the first and the last row; a row that reaches over them is cut there.
std::vector<TimeRow> with_rows_outside(const Timeline& model, const Timeline& facts) {
  const TimePoint first = model.rows.front().first, last = model.rows.back().last;
  const auto cut = [&](TimePoint begin, TimePoint end) {
    return TimeRow{begin, end, row_label(begin, end, model.granularity)};
  };
  std::vector<TimeRow> before, after;
  for (const TimeRow& row : facts.rows) {
    if (row.first < first) before.push_back(cut(row.first, std::min(row.last, first - 1)));
    if (row.last > last) after.push_back(cut(std::max(row.first, last + 1), row.last));
  }
  before.insert(before.end(), model.rows.begin(), model.rows.end());
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

std::vector<TimeRow> grown_rows(const Timeline& model, const Timeline& facts) {
  if (facts.timeless()) return model.rows;
  if (model.timeless())
    fail_request(About{.option = "facts", .advice = worded("start a new run, with $from")},
                 "none of the facts that the model was trained on has a date, and these have");
  return model.intervals ? with_rows_outside(model, facts) : united_points(model, facts);
}

// Windows are of so many times each: one that is put between moves all later ones into others.
void refuse_moved_windows(const ModelHeader& model, const ModelHeader& grown) {
  const ModelVariant& variant = variant_of(model.options);
  if (std::ranges::count(variant.rows, RowOf::window, &RowSpec::of) == 0) return;
  const auto& now = grown.times.rows;
  for (std::size_t i = 0; i < model.times.rows.size(); ++i)
    if (now[i].first != model.times.rows[i].first)
      fail_request(About{.option = "facts", .advice = worded("start a new run, with $from")},
                   "{} shares embeddings among windows of {} times, so new times can only come "
                   "after the last, {}; {} does not",
                   variant.name, model.options.window, model.times.last_time(), now[i].label);
}

// Ids of a model as ids of one that has grown out of it.
struct MovedIds {
  std::vector<std::int32_t> entities, relations, times;

  explicit MovedIds(const RowMap& map, std::int32_t relations_now)
      : entities(inverse(map.entities)),
        relations(inverse({map.relation_rows.begin(), map.relation_rows.begin() + relations_now})),
        times(inverse(map.times)) {}

  KnownFact of(const KnownFact& fact) const {
    return {at(entities, fact.subject), at(relations, fact.relation), at(entities, fact.object),
            at(times, fact.first),      at(times, fact.last),         fact.dates};
  }

  // What training never saw, and the new facts (`others`: what they do not have) neither.
  Untrained still_untrained(const Untrained& before, const Untrained& others) const {
    const auto both = [](const auto& moved, const auto& ids, const auto& unseen) {
      std::vector<std::int32_t> left;
      for (const std::int32_t id : ids)
        if (std::ranges::binary_search(unseen, at(moved, id))) left.push_back(at(moved, id));
      return left;
    };
    return {both(entities, before.entities, others.entities),
            both(relations, before.relations, others.relations),
            both(times, before.times, others.times)};
  }

 private:
  static std::vector<std::int32_t> inverse(const std::vector<std::int32_t>& earlier) {
    std::vector<std::int32_t> later;
    for (std::size_t i = 0; i < earlier.size(); ++i)
      if (earlier[i] != RowMap::none) later.push_back(static_cast<std::int32_t>(i));
    return later;  // order is kept: the n-th known row is the earlier model's n-th
  }
  static std::int32_t at(const std::vector<std::int32_t>& moved, std::int32_t id) {
    return id == Moment::unknown ? id : moved[static_cast<std::size_t>(id)];
  }
};

}  // namespace

TemporalGraph all_in_train(TemporalGraph facts) {
  auto& train = facts.facts[static_cast<std::size_t>(Split::train)];
  for (const Split split : {Split::valid, Split::test}) {
    auto& others = facts.facts[static_cast<std::size_t>(split)];
    train.insert(train.end(), others.begin(), others.end());
    others.clear();
  }
  return facts;
}

ModelHeader grown_header(const ModelHeader& model, const TemporalGraph& facts) {
  require_same_reading(model.times, facts.times);
  ModelHeader grown = model;
  grown.entities = united(model.entities, facts.entities);
  grown.relations = united(model.relations, facts.relations);
  grown.times.rows = grown_rows(model.times, facts.times);
  refuse_moved_windows(model, grown);
  if (!grown.clock_axis && grown.times.rows.size() > model.times.rows.size())
    grown.clock_axis = TimeSpan{model.times.rows.front().first, model.times.rows.back().first};
  const MovedIds moved(row_map(model, grown), grown.relations.size());
  const TemporalGraph added_facts = align_data(grown, facts);
  grown.untrained = moved.still_untrained(model.untrained, untrained_in(added_facts));
  if (!has_history(model.options)) return grown;
  for (auto* list : {&grown.history, &grown.added_history})
    std::ranges::transform(*list, list->begin(), [&](const KnownFact& f) { return moved.of(f); });
  std::vector<KnownFact> added = known_facts(added_facts);
  added.insert(added.end(), grown.added_history.begin(), grown.added_history.end());
  std::ranges::sort(added);
  added.erase(std::unique(added.begin(), added.end()), added.end());
  grown.added_history.clear();
  std::ranges::set_difference(added, grown.history, std::back_inserter(grown.added_history));
  return grown;
}

}  // namespace orrery

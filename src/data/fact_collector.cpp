#include "data/fact_collector.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "data/interval_axis.h"
#include "data/time_axis.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

std::string problem_of_name(std::string_view name, const char* what) {
  if (name.empty()) return fmt::format("the {} is empty", what);
  if (name.find('\0') != std::string_view::npos) {
    return fmt::format("the {} {} holds a NUL byte", what, shown(name));
  }
  if (!is_utf8(name)) return fmt::format("the {} {} is not valid UTF-8", what, shown(name));
  return {};
}

std::string problem_of_date(std::string_view text) {
  return fmt::format("{} is not a date; 2014-04-25, 2014-04, 2014, -431 and 19## are", shown(text));
}

struct Renumbered {
  Vocabulary names;
  std::vector<std::int32_t> id_of;  // by number of first sight
};

// Names met only on bad lines are not used and get no id.
Renumbered sorted_names(const NameTable& table, const std::vector<char>& used) {
  std::vector<std::int32_t> order;
  for (std::int32_t i = 0; i < table.size(); ++i) {
    if (used[static_cast<std::size_t>(i)] != 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&table](std::int32_t a, std::int32_t b) { return table.name(a) < table.name(b); });
  Renumbered result;
  result.id_of.resize(static_cast<std::size_t>(table.size()));
  std::vector<std::string> names;
  names.reserve(order.size());
  for (const std::int32_t i : order) {
    result.id_of[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(names.size());
    names.emplace_back(table.name(i));
  }
  result.names = Vocabulary(std::move(names));
  return result;
}

TimeAxis axis_of(const std::vector<DatedText>& texts, bool intervals, const LoadOptions& options) {
  if (!intervals) return point_axis(texts, options.granularity);
  if (!options.within) return interval_axis(texts, options.granularity, options.min_facts);
  return within_axis(texts, options.granularity, options.min_facts, options.horizon);
}

std::size_t index(std::int32_t id) { return static_cast<std::size_t>(id); }

}  // namespace

bool FactCollector::number(const FactText& text, bool intervals, Fact& fact, std::string& problem) {
  return number_name(text.subject, "subject", entities_, fact.subject, problem) &&
         number_name(text.relation, "relation", relations_, fact.relation, problem) &&
         number_name(text.object, "object", entities_, fact.object, problem) &&
         number_date(text, intervals, fact.when, problem);
}

bool FactCollector::number_name(std::string_view name, const char* what, NameTable& table,
                                std::int32_t& id, std::string& problem) {
  id = table.find(name);
  if (id != NameTable::absent) return true;
  problem = problem_of_name(name, what);
  if (!problem.empty()) return false;
  id = table.add(name);
  return true;
}

bool FactCollector::number_date(const FactText& text, bool intervals, std::int32_t& id,
                                std::string& problem) {
  std::string_view key = text.start;
  if (intervals) {
    both_dates_.assign(text.start);
    both_dates_ += '\t';
    both_dates_ += text.end;
    key = both_dates_;
  }
  id = date_texts_.find(key);
  if (id != NameTable::absent) return true;

  using Kind = ParsedDate::Kind;
  const Dates dates{parse_date(text.start), intervals ? parse_date(text.end) : ParsedDate()};
  if (dates.start.kind == Kind::bad) {
    problem = problem_of_date(text.start);
  } else if (intervals && dates.end.kind == Kind::bad) {
    problem = problem_of_date(text.end);
  } else if (intervals && dates.start.kind == Kind::unknown && dates.end.kind == Kind::unknown) {
    problem = "neither the start nor the end is known; a fact needs one of them";
  } else if (!intervals && dates.start.kind == Kind::unknown) {
    problem =
        fmt::format("the date {} is unknown; a fact of four columns needs one", shown(text.start));
  } else {
    id = date_texts_.add(key);
    dates_.push_back(dates);
    return true;
  }
  return false;
}

Date FactCollector::date_of(const Fact& fact) const {
  const Dates& dates = dates_[index(fact.when)];
  return (dates.start.kind == ParsedDate::Kind::date ? dates.start : dates.end).date;
}

TemporalGraph FactCollector::finish(std::array<std::vector<Fact>, 3> facts, bool intervals,
                                    const LoadOptions& options) const {
  std::vector<char> entity_used(index(entities_.size())), relation_used(index(relations_.size())),
      date_used(index(date_texts_.size()));
  std::vector<std::uint64_t> train_facts(index(date_texts_.size()));
  for (const Split split : all_splits) {
    for (const Fact& fact : facts[static_cast<std::size_t>(split)]) {
      entity_used[index(fact.subject)] = entity_used[index(fact.object)] = 1;
      relation_used[index(fact.relation)] = date_used[index(fact.when)] = 1;
      if (split == Split::train) ++train_facts[index(fact.when)];
    }
  }

  std::vector<DatedText> texts;
  std::vector<std::size_t> position(index(date_texts_.size()));
  for (std::size_t i = 0; i < date_used.size(); ++i) {
    if (date_used[i] == 0) continue;
    position[i] = texts.size();
    texts.push_back({std::string(date_texts_.name(static_cast<std::int32_t>(i))), dates_[i].start,
                     dates_[i].end, train_facts[i]});
  }
  TimeAxis axis = axis_of(texts, intervals, options);
  Renumbered entities = sorted_names(entities_, entity_used);
  Renumbered relations = sorted_names(relations_, relation_used);

  TemporalGraph data;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    for (Fact& fact : facts[i]) {
      fact = {entities.id_of[index(fact.subject)], relations.id_of[index(fact.relation)],
              entities.id_of[index(fact.object)], axis.moment_of[position[index(fact.when)]]};
    }
    data.facts[i] = std::move(facts[i]);
  }
  data.entities = std::move(entities.names);
  data.relations = std::move(relations.names);
  data.times = std::move(axis.timeline);
  return data;
}

}  // namespace orrery

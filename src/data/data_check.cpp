#include "data/data_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "data/fingerprint.h"
#include "data/inverse_relations.h"
#include "data/load.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

using Facts = std::vector<Fact>;

std::size_t index(std::int32_t id) { return static_cast<std::size_t>(id); }

struct SortedSplits {
  Facts distinct[3];
};

SortedSplits sort_splits(const TemporalGraph& data, DataCheck& check) {
  SortedSplits sorted;
  for (std::size_t i = 0; i < 3; ++i) {
    Facts& facts = sorted.distinct[i] = data.facts[i];
    std::sort(facts.begin(), facts.end());
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    check.splits[i].facts = data.facts[i].size();
    check.splits[i].duplicates = data.facts[i].size() - facts.size();
  }
  return sorted;
}

std::uint64_t count_common(const Facts& a, const Facts& b) {
  std::uint64_t common = 0;
  auto in_a = a.begin();
  for (const Fact& fact : b) {
    in_a = std::lower_bound(in_a, a.end(), fact);
    if (in_a == a.end()) break;
    if (*in_a == fact) ++common;
  }
  return common;
}

struct Seen {
  std::vector<char> entity, relation, time;

  explicit Seen(const TemporalGraph& data)
      : entity(index(data.entities.size())),
        relation(index(data.relations.size())),
        time(index(data.times.size())) {
    for (const Fact& fact : data.split(Split::train)) {
      entity[index(fact.subject)] = entity[index(fact.object)] = 1;
      relation[index(fact.relation)] = 1;
      const Moment& moment = data.times.moments[index(fact.when)];
      if (moment.start != Moment::unknown) time[index(moment.start)] = 1;
      if (moment.end != Moment::unknown) time[index(moment.end)] = 1;
      if (!data.times.within) continue;
      const Moment held = data.times.rows_of(fact);
      for (std::int32_t row = held.start; row <= held.end; ++row) time[index(row)] = 1;
    }
  }

  bool has_time(std::int32_t row) const { return row == Moment::unknown || time[index(row)] != 0; }
};

void compare_with_train(const TemporalGraph& data, const Seen& seen, const Facts& train,
                        Split split, SplitCheck& check) {
  for (const Fact& fact : data.split(split)) {
    const bool entities =
        seen.entity[index(fact.subject)] != 0 && seen.entity[index(fact.object)] != 0;
    const Moment& moment = data.times.moments[index(fact.when)];
    const bool times = seen.has_time(moment.start) && seen.has_time(moment.end);
    const Fact reversed{fact.object, fact.relation, fact.subject, fact.when};
    check.unseen_entity += entities ? 0 : 1;
    check.unseen_relation += seen.relation[index(fact.relation)] != 0 ? 0 : 1;
    check.unseen_time += times ? 0 : 1;
    check.reversed_in_train +=
        fact.subject != fact.object && std::binary_search(train.begin(), train.end(), reversed) ? 1
                                                                                                : 0;
  }
}

// Compared as finely as both dates are given: 2014-05 to 2014 is in order.
bool ends_before_start(std::string_view both_dates) {
  const std::size_t tab = both_dates.find('\t');
  if (tab == std::string_view::npos) return false;
  const ParsedDate start = parse_date(both_dates.substr(0, tab));
  const ParsedDate end = parse_date(both_dates.substr(tab + 1));
  if (start.kind != ParsedDate::Kind::date || end.kind != ParsedDate::Kind::date) return false;
  const Granularity common = std::max(start.date.finest(), end.date.finest());
  return time_point(end.date, common) < time_point(start.date, common);
}

void count_reversed_intervals(const TemporalGraph& data, DataCheck& check) {
  if (!data.times.intervals) return;
  std::vector<char> reversed;
  for (const std::string& name : data.times.moment_names) {
    reversed.push_back(ends_before_start(name) ? 1 : 0);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (const Fact& fact : data.facts[i]) {
      check.splits[i].ends_before_start += reversed[index(fact.when)] != 0 ? 1 : 0;
    }
  }
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

void warn_of_splits(DataCheck& check) {
  for (const Split split : all_splits) {
    const SplitCheck& counts = check.splits[static_cast<std::size_t>(split)];
    const std::string_view name = name_of(split);
    const auto warn = [&](std::uint64_t facts, std::string_view what) {
      if (facts == 0) return;
      check.warnings.push_back(fmt::format("{}: {} of {} facts ({}) {}", name, facts, counts.facts,
                                           percent(facts, counts.facts), what));
    };
    if (counts.facts == 0) {
      check.warnings.push_back(fmt::format("{}: the split is missing or empty", name));
    }
    warn(counts.duplicates, "repeat another fact of the same split; they count twice");
    warn(counts.ends_before_start, "end before they start; both dates are used as they stand");
    warn(counts.unseen_entity,
         "have an entity that train never shows: its embedding stays as it starts");
    warn(counts.unseen_relation, "have a relation that train never shows");
    warn(counts.unseen_time, "have a time that train never shows");
    if (10 * counts.reversed_in_train >= counts.facts) {
      warn(counts.reversed_in_train,
           "stand reversed in train (object, relation, subject): a possible leak");
    }
  }
}

void warn_of_overlaps(DataCheck& check) {
  for (const Overlap& overlap : check.overlaps) {
    if (overlap.facts == 0) continue;
    check.warnings.push_back(fmt::format(
        "LEAK: {} facts stand both in {} and in {}; scores on {} "
        "are too good",
        overlap.facts, name_of(overlap.first), name_of(overlap.second), name_of(overlap.second)));
  }
}

// One sentence: the list of them is a table of its own.
void warn_of_inverses(const TemporalGraph& data, DataCheck& check) {
  constexpr std::uint64_t fewest_facts = 10;  // below, chance is enough
  const auto known = [](const InverseRelation& pair) { return pair.facts >= fewest_facts; };
  const auto count = std::count_if(check.inverses.begin(), check.inverses.end(), known);
  if (count == 0) return;
  const InverseRelation& largest = check.inverses.front();
  check.warnings.push_back(fmt::format(
      "{} relations are symmetric or have an inverse, {} with {} facts before all: where one "
      "direction of such a pair is in train, the other is an easy test fact",
      count, shown(data.relations.name(largest.relation)), largest.facts));
}

}  // namespace

DataCheck check_data(const TemporalGraph& data) {
  DataCheck check;
  check.entities = data.entities.size();
  check.relations = data.relations.size();
  check.times = data.times.size();
  check.intervals = data.times.intervals;
  const Granularity granularity = data.times.granularity;
  check.granularity = name_of(granularity);
  if (!data.times.rows.empty()) {
    check.first_time = label(data.times.rows.front().first, granularity);
    check.last_time = label(data.times.rows.back().last, granularity);
  }

  const SortedSplits sorted = sort_splits(data, check);
  const auto compare = [&](Split a, Split b) {
    check.overlaps.push_back({a, b,
                              count_common(sorted.distinct[static_cast<std::size_t>(a)],
                                           sorted.distinct[static_cast<std::size_t>(b)])});
  };
  compare(Split::train, Split::valid);
  compare(Split::train, Split::test);
  compare(Split::valid, Split::test);

  count_reversed_intervals(data, check);
  const Seen seen(data);
  check.entities_in_train =
      static_cast<std::int32_t>(std::count(seen.entity.begin(), seen.entity.end(), 1));
  for (const Split split : {Split::valid, Split::test}) {
    compare_with_train(data, seen, sorted.distinct[0], split,
                       check.splits[static_cast<std::size_t>(split)]);
  }
  check.inverses = find_inverse_relations(data);
  check.fingerprint = fingerprint(data);
  warn_of_overlaps(check);
  warn_of_splits(check);
  warn_of_inverses(data, check);
  return check;
}

}  // namespace orrery

#include "data/data_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "data/fact_sentence.h"
#include "data/fingerprint.h"
#include "data/inverse_relations.h"
#include "data/leaks.h"
#include "data/relation_profile.h"
#include "data/suspicions.h"
#include "data/time_counts.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

using Facts = std::vector<Fact>;

constexpr std::size_t most_examples = 5, most_stretches = 100;

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

  Seen(const TemporalGraph& data, std::initializer_list<Split> splits)
      : entity(index(data.entities.size())),
        relation(index(data.relations.size())),
        time(index(data.times.size())) {
    for (const Split split : splits) {
      for (const Fact& fact : data.split(split)) {
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
  }

  bool has_time(std::int32_t row) const { return row == Moment::unknown || time[index(row)] != 0; }
};

void count_unseen(const TemporalGraph& data, const Seen& seen, Split split, SplitCheck& check) {
  for (const Fact& fact : data.split(split)) {
    const bool entities =
        seen.entity[index(fact.subject)] != 0 && seen.entity[index(fact.object)] != 0;
    const Moment& moment = data.times.moments[index(fact.when)];
    const bool times = seen.has_time(moment.start) && seen.has_time(moment.end);
    check.unseen_entity += entities ? 0 : 1;
    check.unseen_relation += seen.relation[index(fact.relation)] != 0 ? 0 : 1;
    check.unseen_time += times ? 0 : 1;
  }
}

template <class NameOf>
NameSpread spread_of(const std::vector<char>& in_train, const std::vector<char>& held_out,
                     const NameOf& name_of) {
  NameSpread spread;
  for (std::size_t i = 0; i < in_train.size(); ++i) {
    if (in_train[i] != 0 && held_out[i] == 0) ++spread.only_in_train;
    if (in_train[i] != 0 || held_out[i] == 0) continue;
    ++spread.never_in_train;
    if (spread.examples.size() < most_examples) spread.examples.push_back(name_of(i));
  }
  return spread;
}

void compare_names(const TemporalGraph& data, const Seen& train, DataCheck& check) {
  const Seen others(data, {Split::valid, Split::test});
  check.entity_spread = spread_of(train.entity, others.entity,
                                  [&](std::size_t i) { return data.entities.names()[i]; });
  check.relation_spread = spread_of(train.relation, others.relation,
                                    [&](std::size_t i) { return data.relations.names()[i]; });
  check.time_spread =
      spread_of(train.time, others.time, [&](std::size_t i) { return data.times.rows[i].label; });
}

void count_reversed_intervals(const TemporalGraph& data, DataCheck& check) {
  const std::vector<char> reversed = moments_that_end_before_they_start(data.times);
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
      check.warnings.push_back(fmt::format("{}{} of {} facts ({}) {}",
                                           check.one_list ? "" : fmt::format("{}: ", name), facts,
                                           counts.facts, percent(facts, counts.facts), what));
    };
    if (counts.facts == 0 && !check.one_list) {
      check.warnings.push_back(fmt::format("{}: the split is missing or empty", name));
    }
    warn(counts.duplicates, check.one_list
                                ? "repeat another fact; they count twice"
                                : "repeat another fact of the same split; they count twice");
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

DataCheck check_data(const TemporalGraph& data, const FilesRead& files) {
  DataCheck check;
  check.entities = data.entities.size();
  check.relations = data.relations.size();
  check.times = data.times.size();
  check.intervals = data.times.intervals;
  check.granularity = name_of(data.times.granularity);
  check.first_time = data.times.first_time();
  check.last_time = data.times.last_time();

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
  check.one_list = data.split(Split::valid).empty() && data.split(Split::test).empty();
  check.inverses = find_inverse_relations(data);
  const Seen seen(data, {Split::train});
  check.entities_in_train =
      static_cast<std::int32_t>(std::count(seen.entity.begin(), seen.entity.end(), 1));
  for (const Split split : {Split::valid, Split::test}) {
    SplitCheck& counts = check.splits[static_cast<std::size_t>(split)];
    count_unseen(data, seen, split, counts);
    count_leaks(data, sorted.distinct[0], check.inverses, split, counts);
  }
  compare_names(data, seen, check);
  check.examples = example_sentences(data, most_examples);
  check.facts_per_time = count_per_time(data, most_stretches);
  check.profiles = profile_relations(data);
  check.suspicions = find_suspicions(data, check, files);
  check.fingerprint = fingerprint(data);
  warn_of_overlaps(check);
  warn_of_splits(check);
  warn_of_inverses(data, check);
  return check;
}

}  // namespace orrery

#include "data/pair_history.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace orrery {
namespace {

// Where buckets of gaps begin, in time rows.
constexpr std::array<std::int32_t, 6> gap_begins = {1, 2, 4, 8, 32, 128};

std::int32_t gap_bucket(std::int32_t gap) {
  return static_cast<std::int32_t>(std::ranges::upper_bound(gap_begins, gap) - gap_begins.begin()) -
         1;
}

}  // namespace

std::vector<KnownFact> known_facts(const TemporalGraph& data) {
  std::vector<KnownFact> facts;
  facts.reserve(data.split(Split::train).size());
  for (const Fact& fact : data.split(Split::train)) {
    const Moment rows = data.times.has_ends()
                            ? data.times.moments.at(static_cast<std::size_t>(fact.when))
                            : data.times.rows_of(fact);
    facts.push_back({fact.subject, fact.relation, fact.object, rows.start, rows.end});
  }
  std::ranges::sort(facts);
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  return facts;
}

HistoryKind history_kind_named(std::string_view name) {
  if (name == "relation") return HistoryKind::relation;
  return name == "gap" ? HistoryKind::gap : HistoryKind::none;
}

std::int32_t features_per_relation(HistoryKind kind) {
  switch (kind) {
    case HistoryKind::relation:
      return 1;
    case HistoryKind::gap:
      return static_cast<std::int32_t>(gap_begins.size());
    default:
      return 0;
  }
}

PairHistory::PairHistory(HistoryKind kind, std::span<const KnownFact> facts, RelationIds relations,
                         std::int32_t entities)
    : kind_(kind), entity_begin_(static_cast<std::size_t>(entities) + 1) {
  const auto for_each_entry = [&](const auto& visit) {
    for (const KnownFact& fact : facts)
      for (const bool reciprocal : {false, true}) {
        const std::int32_t asked = reciprocal ? fact.object : fact.subject;
        const std::int32_t answer = reciprocal ? fact.subject : fact.object;
        if (!relations.ends) {
          visit(asked, Entry{relations.id(fact.relation, reciprocal), answer, fact.first, fact.last});
          continue;
        }
        for (const bool end : {false, true}) {
          const std::int32_t row = end ? fact.last : fact.first;
          if (row != Moment::unknown)
            visit(asked, Entry{relations.id(fact.relation, reciprocal, end), answer, row, row});
        }
      }
  };
  for_each_entry([&](std::int32_t asked, const Entry&) {
    ++entity_begin_[static_cast<std::size_t>(asked) + 1];
  });
  for (std::size_t e = 1; e < entity_begin_.size(); ++e) entity_begin_[e] += entity_begin_[e - 1];
  entries_.resize(entity_begin_.back());
  std::vector<std::uint64_t> next(entity_begin_.begin(), entity_begin_.end() - 1);
  for_each_entry([&](std::int32_t asked, const Entry& entry) {
    entries_[next[static_cast<std::size_t>(asked)]++] = entry;
  });
  for (std::size_t e = 0; e + 1 < entity_begin_.size(); ++e)
    std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(entity_begin_[e]),
              entries_.begin() + static_cast<std::ptrdiff_t>(entity_begin_[e + 1]));
}


void PairHistory::append(const Query& query, std::vector<CandidateFeature>& features) const {
  const auto asked = static_cast<std::size_t>(query.subject);
  const std::span own = std::span(entries_).subspan(
      entity_begin_[asked], entity_begin_[asked + 1] - entity_begin_[asked]);
  const auto found = std::ranges::equal_range(own, query.relation, {}, &Entry::relation);
  constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();
  for (auto entry = found.begin(); entry != found.end();) {
    const std::int32_t answer = entry->answer;
    std::int32_t gap = never;
    for (; entry != found.end() && entry->answer == answer; ++entry) {
      // What train says of the very time of the question is what is asked.
      if (entry->first <= query.time && query.time <= entry->last) continue;
      gap = std::min(gap, entry->first > query.time ? entry->first - query.time
                                                    : query.time - entry->last);
    }
    if (gap == never) continue;
    const std::int32_t bucket = kind_ == HistoryKind::gap ? gap_bucket(gap) : 0;
    features.push_back({answer, query.relation * features_per_relation(kind_) + bucket});
  }
}

std::vector<std::string> PairHistory::feature_names() const {
  if (kind_ == HistoryKind::relation) return {"known at another time"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < gap_begins.size(); ++i) {
    const std::string from = std::to_string(gap_begins[i]);
    if (i + 1 == gap_begins.size())
      names.push_back("known " + from + " or more times away");
    else if (gap_begins[i + 1] == gap_begins[i] + 1)
      names.push_back("known " + from + " time away");
    else
      names.push_back("known " + from + " to " + std::to_string(gap_begins[i + 1] - 1) +
                      " times away");
  }
  return names;
}

}  // namespace orrery

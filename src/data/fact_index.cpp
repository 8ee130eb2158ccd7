#include "data/fact_index.h"

#include <algorithm>

namespace orrery {
namespace {

std::int32_t entity_on(const Fact& fact, Side side) {
  return side == Side::subject ? fact.subject : fact.object;
}

std::int32_t entity_across(const Fact& fact, Side side) {
  return side == Side::subject ? fact.object : fact.subject;
}

}  // namespace

FactIndex::FactIndex(const TemporalGraph& data)
    : by_subject_(sorted_by(data, Side::subject)), by_object_(sorted_by(data, Side::object)) {
  for (const Side side : {Side::subject, Side::object}) note_seen(data, side);
  note_moments(data);
}

FactIndex::Facts FactIndex::sorted_by(const TemporalGraph& data, Side side) {
  Facts facts;
  facts.begin.resize(static_cast<std::size_t>(data.entities.size()) + 1);
  for (const Split split : all_splits)
    for (const Fact& fact : data.split(split))
      ++facts.begin[static_cast<std::size_t>(entity_on(fact, side)) + 1];
  for (std::size_t e = 1; e < facts.begin.size(); ++e) facts.begin[e] += facts.begin[e - 1];
  facts.entries.resize(facts.begin.back());
  std::vector<std::uint64_t> next(facts.begin.begin(), facts.begin.end() - 1);
  for (const Split split : all_splits)
    for (const Fact& fact : data.split(split))
      facts.entries[next[static_cast<std::size_t>(entity_on(fact, side))]++] = {
          fact.relation, entity_across(fact, side), split, fact.when};
  for (std::size_t e = 0; e + 1 < facts.begin.size(); ++e)
    std::sort(facts.entries.begin() + static_cast<std::ptrdiff_t>(facts.begin[e]),
              facts.entries.begin() + static_cast<std::ptrdiff_t>(facts.begin[e + 1]));
  return facts;
}

void FactIndex::note_seen(const TemporalGraph& data, Side side) {
  auto& seen = side == Side::subject ? seen_subjects_ : seen_objects_;
  seen.resize(static_cast<std::size_t>(data.relations.size()));
  for (const Fact& fact : data.split(Split::train))
    seen[static_cast<std::size_t>(fact.relation)].push_back(entity_on(fact, side));
  for (auto& entities : seen) {
    std::ranges::sort(entities);
    entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
    entities.shrink_to_fit();
  }
}

void FactIndex::note_moments(const TemporalGraph& data) {
  moments_.resize(static_cast<std::size_t>(data.relations.size()));
  for (const Fact& fact : data.split(Split::train))
    moments_[static_cast<std::size_t>(fact.relation)].push_back(fact.when);
  for (auto& moments : moments_) std::ranges::sort(moments);
}

std::span<const FactIndex::Entry> FactIndex::facts_of(std::int32_t entity, Side side) const {
  const Facts& facts = on(side);
  const auto e = static_cast<std::size_t>(entity);
  return std::span(facts.entries).subspan(facts.begin[e], facts.begin[e + 1] - facts.begin[e]);
}

std::span<const FactIndex::Entry> FactIndex::facts_of(std::int32_t entity, Side side,
                                                      std::int32_t relation) const {
  const auto found =
      std::ranges::equal_range(facts_of(entity, side), relation, {}, &Entry::relation);
  return {found.begin(), found.end()};
}

std::span<const std::int32_t> FactIndex::seen_with(std::int32_t relation, Side side) const {
  const auto& seen = side == Side::subject ? seen_subjects_ : seen_objects_;
  return seen[static_cast<std::size_t>(relation)];
}

std::span<const std::int32_t> FactIndex::moments_of(std::int32_t relation) const {
  return moments_[static_cast<std::size_t>(relation)];
}

bool FactIndex::is_seen_with(std::int32_t relation, Side side, std::int32_t entity) const {
  return std::ranges::binary_search(seen_with(relation, side), entity);
}

}  // namespace orrery

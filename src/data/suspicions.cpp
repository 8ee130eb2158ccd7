#include "data/suspicions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_set>

#include "data/fact_sentence.h"
#include "data/name_check.h"

namespace orrery {
namespace {

constexpr std::size_t most_examples = 5;

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

using IsSuspicious = std::function<bool(const Fact&)>;

Suspicion facts_that(const TemporalGraph& data, std::string what, std::string sentence,
                     const IsSuspicious& is_suspicious) {
  Suspicion found{.what = std::move(what), .sentence = std::move(sentence)};
  for (const Split split : all_splits) {
    for (const Fact& fact : data.split(split)) {
      if (!is_suspicious(fact)) continue;
      ++found.count;
      if (found.examples.size() < most_examples)
        found.examples.push_back(fact_sentence(data, fact));
    }
  }
  return found;
}

struct HashOfFact {
  std::size_t operator()(const Fact& fact) const {
    std::uint64_t hash = 0;
    for (const std::int32_t part : {fact.subject, fact.relation, fact.object, fact.when}) {
      hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 32U;
    }
    return hash;
  }
};

Suspicion duplicates(const TemporalGraph& data, const DataCheck& check) {
  Suspicion found{.what = "duplicate", .sentence = "facts that repeat another of their split"};
  for (const Split split : all_splits) {
    const std::uint64_t count = check.splits[static_cast<std::size_t>(split)].duplicates;
    found.count += count;
    std::unordered_set<Fact, HashOfFact> seen;
    for (const Fact& fact : data.split(split)) {
      if (count == 0 || found.examples.size() == most_examples) break;
      if (!seen.insert(fact).second) found.examples.push_back(fact_sentence(data, fact));
    }
  }
  return found;
}

Suspicion one_off_relations(const TemporalGraph& data, const DataCheck& check) {
  Suspicion found{.what = "one_off_relation", .sentence = "relations with one fact only"};
  for (const RelationProfile& profile : check.profiles) {
    if (profile.facts != 1) continue;
    ++found.count;
    if (found.examples.size() < most_examples)
      found.examples.push_back(data.relations.name(profile.relation));
  }
  return found;
}

Suspicion similar(const Vocabulary& names, std::string what, std::string sentence) {
  const SimilarNames pairs = find_similar_names(names.names(), most_examples);
  Suspicion found{.what = std::move(what), .sentence = std::move(sentence), .count = pairs.pairs};
  for (const auto& [one, other] : pairs.first)
    found.examples.push_back(fmt::format("{} | {}", names.name(one), names.name(other)));
  return found;
}

}  // namespace

std::vector<char> moments_that_end_before_they_start(const Timeline& times) {
  std::vector<char> reversed;
  for (const std::string& name : times.moment_names)
    reversed.push_back(times.intervals && ends_before_start(name) ? 1 : 0);
  return reversed;
}

std::vector<Suspicion> find_suspicions(const TemporalGraph& data, const DataCheck& check) {
  const std::vector<char> reversed = moments_that_end_before_they_start(data.times);
  std::vector<Suspicion> found = {
      facts_that(
          data, "ends_before_start", "facts that end before they start",
          [&](const Fact& fact) { return reversed[static_cast<std::size_t>(fact.when)] != 0; }),
      duplicates(data, check),
      facts_that(data, "self_loop", "facts with one entity as subject and object",
                 [](const Fact& fact) { return fact.subject == fact.object; }),
      one_off_relations(data, check),
      similar(data.relations, "similar_relations", "pairs of relations with almost the same name"),
      similar(data.entities, "similar_entities", "pairs of entities with almost the same name")};
  std::erase_if(found, [](const Suspicion& one) { return one.count == 0; });
  return found;
}

}  // namespace orrery

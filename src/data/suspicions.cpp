#include "data/suspicions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

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

struct Found {
  Suspicion suspicion;
  std::vector<WantedPlace> wanted = {};  // by example, one or two of each

  void add(std::string example, std::vector<WantedPlace> places) {
    suspicion.examples.push_back(std::move(example));
    wanted.insert(wanted.end(), places.begin(), places.end());
  }
  bool is_full() const { return suspicion.examples.size() == most_examples; }
};

Found facts_that(const TemporalGraph& data, std::string what, std::string sentence,
                 const IsSuspicious& is_suspicious) {
  Found found{{.what = std::move(what), .sentence = std::move(sentence)}};
  for (const Split split : all_splits) {
    for (const Fact& fact : data.split(split)) {
      if (!is_suspicious(fact)) continue;
      ++found.suspicion.count;
      if (!found.is_full()) found.add(fact_sentence(data, fact), {{.fact = fact}});
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

Found duplicates(const TemporalGraph& data, const DataCheck& check) {
  Found found{{.what = "duplicate", .sentence = "facts that repeat another of their split"}};
  for (const Split split : all_splits) {
    const std::uint64_t count = check.splits[static_cast<std::size_t>(split)].duplicates;
    found.suspicion.count += count;
    std::unordered_set<Fact, HashOfFact> seen;
    for (const Fact& fact : data.split(split)) {
      if (count == 0 || found.is_full()) break;
      if (!seen.insert(fact).second)
        found.add(fact_sentence(data, fact), {{.fact = fact, .most = 2}});
    }
  }
  return found;
}

Found one_off_relations(const TemporalGraph& data, const DataCheck& check) {
  Found found{{.what = "one_off_relation", .sentence = "relations with one fact only"}};
  for (const RelationProfile& profile : check.profiles) {
    if (profile.facts != 1) continue;
    ++found.suspicion.count;
    if (!found.is_full())
      found.add(data.relations.name(profile.relation),
                {{.what = WantedPlace::What::relation, .name = profile.relation}});
  }
  return found;
}

Found similar(const Vocabulary& names, WantedPlace::What of, std::string what,
              std::string sentence) {
  const SimilarNames pairs = find_similar_names(names.names(), most_examples);
  Found found{{.what = std::move(what), .sentence = std::move(sentence), .count = pairs.pairs}};
  for (const auto& [one, other] : pairs.first)
    found.add(fmt::format("{} | {}", names.name(one), names.name(other)),
              {{.what = of, .name = one}, {.what = of, .name = other}});
  return found;
}

// One reading for all that was found.
void add_places(const TemporalGraph& data, const FilesRead& files, std::vector<Found>& found) {
  std::vector<WantedPlace> wanted;
  for (const Found& one : found) wanted.insert(wanted.end(), one.wanted.begin(), one.wanted.end());
  find_places(data, files, wanted);
  auto at = wanted.begin();
  for (Found& one : found) {
    const std::size_t examples = one.suspicion.examples.size();
    const std::size_t each = examples == 0 ? 0 : one.wanted.size() / examples;
    for (std::size_t i = 0; i < examples; ++i) {
      std::vector<std::string> places;
      for (std::size_t k = 0; k < each; ++k, ++at)
        places.insert(places.end(), at->found.begin(), at->found.end());
      one.suspicion.places.push_back(fmt::format("{}", fmt::join(places, ", ")));
    }
  }
}

}  // namespace

std::vector<char> moments_that_end_before_they_start(const Timeline& times) {
  std::vector<char> reversed;
  for (const std::string& name : times.moment_names)
    reversed.push_back(times.intervals && ends_before_start(name) ? 1 : 0);
  return reversed;
}

std::vector<Suspicion> find_suspicions(const TemporalGraph& data, const DataCheck& check,
                                       const FilesRead& files) {
  using enum WantedPlace::What;
  const std::vector<char> reversed = moments_that_end_before_they_start(data.times);
  std::vector<Found> found = {
      facts_that(
          data, "ends_before_start", "facts that end before they start",
          [&](const Fact& fact) { return reversed[static_cast<std::size_t>(fact.when)] != 0; }),
      duplicates(data, check),
      facts_that(data, "self_loop", "facts with one entity as subject and object",
                 [](const Fact& fact) { return fact.subject == fact.object; }),
      one_off_relations(data, check),
      similar(data.relations, relation, "similar_relations",
              "pairs of relations with almost the same name"),
      similar(data.entities, entity, "similar_entities",
              "pairs of entities with almost the same name")};
  std::erase_if(found, [](const Found& one) { return one.suspicion.count == 0; });
  if (!files.files.empty() && !found.empty()) add_places(data, files, found);
  std::vector<Suspicion> suspicions;
  for (Found& one : found) suspicions.push_back(std::move(one.suspicion));
  return suspicions;
}

}  // namespace orrery

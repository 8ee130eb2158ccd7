#include <algorithm>
#include <set>

#include "orrery/inspect.h"
#include "paper/patterns.h"
#include "paper/patterns_distance.h"
#include "paper/patterns_in_data.h"

namespace orrery {
namespace {

// Training facts by what is asked of them: at the same moment, or at a time.
class TrainingFacts {
 public:
  explicit TrainingFacts(const Dataset& data) {
    const auto facts = data.facts(Split::train);
    at_moment_.assign(facts.begin(), facts.end());
    for (Fact fact : at_moment_) {
      fact.when = time_of(data, fact);
      at_time_.push_back(fact);
    }
    std::ranges::sort(at_moment_);
    std::ranges::sort(at_time_);
  }

  bool has(const Fact& fact) const { return std::ranges::binary_search(at_moment_, fact); }
  bool has_at_time(const Fact& fact) const { return std::ranges::binary_search(at_time_, fact); }

 private:
  std::vector<Fact> at_moment_, at_time_;
};

class PatternScorer {
 public:
  PatternScorer(const Evaluation& evaluation, const DataPatterns& patterns)
      : evaluation_(evaluation), patterns_(patterns), train_(evaluation.data) {
    for (const auto& pair : patterns.symmetric)
      relations(RelationPattern::symmetric).insert(pair.relation);
    for (const auto& pair : patterns.inverse)
      relations(RelationPattern::inverse).insert({pair.relation, pair.inverse});
    for (const auto& pair : patterns.evolving)
      relations(RelationPattern::evolving).insert(pair.effect);
    for (const Fact& fact : evaluation.data.facts(evaluation.split))
      if (!has_pattern(fact.relation)) relations(RelationPattern::none).insert(fact.relation);
  }

  template <class Belongs>
  FactsScore score_of(const Belongs& belongs) const {
    const auto facts = evaluation_.data.facts(evaluation_.split);
    const Scores scores =
        evaluation_.of_facts([&](std::size_t fact) { return belongs(facts[fact]); });
    return {scores.queries / queries_per_fact, scores.mrr};
  }
  FactsScore score_of_relation(std::int32_t relation) const {
    return score_of([=](const Fact& fact) { return fact.relation == relation; });
  }

  PatternTreatment treatment_of(RelationPattern pattern) const {
    const auto& in = relations_[static_cast<std::size_t>(pattern)];
    PatternTreatment treatment;
    treatment.pattern = pattern;
    treatment.relations = in.size();
    const auto belongs = [&](const Fact& fact) { return in.contains(fact.relation); };
    treatment.all = score_of(belongs);
    if (pattern == RelationPattern::none) return treatment;
    treatment.known =
        score_of([&](const Fact& f) { return belongs(f) && has_counterpart(pattern, f); });
    treatment.unknown =
        score_of([&](const Fact& f) { return belongs(f) && !has_counterpart(pattern, f); });
    return treatment;
  }

 private:
  std::set<std::int32_t>& relations(RelationPattern pattern) {
    return relations_[static_cast<std::size_t>(pattern)];
  }
  bool has_pattern(std::int32_t relation) const {
    return std::ranges::any_of(relations_, [=](const auto& in) { return in.contains(relation); });
  }

  bool has_counterpart(RelationPattern pattern, const Fact& fact) const {
    const auto reverse_of = [&](std::int32_t relation) {
      return train_.has({fact.object, relation, fact.subject, fact.when});
    };
    if (pattern == RelationPattern::symmetric) return reverse_of(fact.relation);
    if (pattern == RelationPattern::inverse)
      return std::ranges::any_of(patterns_.inverse, [&](const InverseRelation& pair) {
        return (pair.relation == fact.relation && reverse_of(pair.inverse)) ||
               (pair.inverse == fact.relation && reverse_of(pair.relation));
      });
    return std::ranges::any_of(patterns_.evolving, [&](const EvolvingPair& pair) {
      const std::int32_t then = time_of(evaluation_.data, fact) - pair.lag;
      return pair.effect == fact.relation &&
             train_.has_at_time(pair.turned ? Fact{fact.object, pair.cause, fact.subject, then}
                                            : Fact{fact.subject, pair.cause, fact.object, then});
    });
  }

  const Evaluation& evaluation_;
  const DataPatterns& patterns_;
  TrainingFacts train_;
  std::set<std::int32_t> relations_[4];  // by RelationPattern
};

std::vector<PatternRelation> list_relations(const Dataset& data, const DataPatterns& patterns,
                                            const PatternScorer& scorer) {
  std::vector<PatternRelation> list;
  const auto name_of_id = [&](std::int32_t id) {
    return data.relation_names()[static_cast<std::size_t>(id)];
  };
  const auto add_reversed = [&](RelationPattern pattern, const InverseRelation& pair) {
    list.push_back({.pattern = pattern,
                    .relation = name_of_id(pair.relation),
                    .other = name_of_id(pair.inverse),
                    .facts = pair.facts,
                    .agreeing = pair.reversed,
                    .score = scorer.score_of_relation(pair.relation)});
  };
  for (const auto& pair : patterns.symmetric) add_reversed(RelationPattern::symmetric, pair);
  for (const auto& pair : patterns.inverse) add_reversed(RelationPattern::inverse, pair);
  for (const auto& pair : patterns.evolving)
    list.push_back({.pattern = RelationPattern::evolving,
                    .relation = name_of_id(pair.cause),
                    .other = name_of_id(pair.effect),
                    .turned = pair.turned,
                    .lag = pair.lag,
                    .facts = pair.facts,
                    .agreeing = pair.followed,
                    .by_chance = pair.preceded,
                    .score = scorer.score_of_relation(pair.effect)});
  return list;
}

// `data`: in the model's ids.
void add_distances(const Model& model, const Dataset& data, const DataPatterns& patterns,
                   Patterns& result) {
  result.no_distances = no_transforms_reason(model);
  if (!result.no_distances.empty()) return;
  std::vector<std::uint64_t> facts;
  for (const ReversedCount& count : count_reversed(data.facts(Split::train), data.relations()))
    facts.push_back(count.facts);
  const RelationTransforms transforms(model);
  const PatternDistances distances(transforms, std::move(facts));
  result.sampled_times = distances.sampled_times();
  result.distances = distances.summary(patterns);
  for (PatternRelation& found : result.relations)
    found.distance =
        distances.between(data.find_relation(found.relation).value(),
                          data.find_relation(found.other).value(), found.lag, !found.turned);
}

}  // namespace

std::string_view name_of(RelationPattern pattern) {
  constexpr std::string_view names[] = {"symmetric", "inverse", "evolving", "none of these"};
  return names[static_cast<std::size_t>(pattern)];
}

Patterns measure_patterns(const Model& model, const Dataset& data, const EvaluateOptions& options) {
  const Evaluation evaluation = evaluate(model, data, options);
  const DataPatterns found = find_patterns(evaluation.data);
  const PatternScorer scorer(evaluation, found);
  Patterns result;
  result.split = name_of(options.split);
  result.times = evaluation.data.times();
  result.all = scorer.score_of([](const Fact&) { return true; });
  for (const RelationPattern pattern : {RelationPattern::symmetric, RelationPattern::inverse,
                                        RelationPattern::evolving, RelationPattern::none})
    result.treatments.push_back(scorer.treatment_of(pattern));
  result.relations = list_relations(evaluation.data, found, scorer);
  add_distances(model, evaluation.data, found, result);
  return result;
}

}  // namespace orrery

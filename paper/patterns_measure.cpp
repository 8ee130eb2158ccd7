#include <algorithm>
#include <set>

#include "api/judged_run.h"
#include "paper/patterns.h"
#include "paper/patterns_distance.h"
#include "paper/patterns_in_data.h"

namespace orrery {
namespace {

// Training facts by what is asked of them: at the same moment, or at a time row.
class TrainingFacts {
 public:
  explicit TrainingFacts(const TemporalGraph& data) : at_moment_(data.split(Split::train)) {
    for (Fact fact : at_moment_) {
      fact.when = time_row_of(data, fact);
      at_row_.push_back(fact);
    }
    std::ranges::sort(at_moment_);
    std::ranges::sort(at_row_);
  }

  bool has(const Fact& fact) const { return std::ranges::binary_search(at_moment_, fact); }
  bool has_at_row(const Fact& fact) const { return std::ranges::binary_search(at_row_, fact); }

 private:
  std::vector<Fact> at_moment_, at_row_;
};

class PatternJudge {
 public:
  PatternJudge(const JudgedRun& run, const DataPatterns& patterns)
      : run_(run), patterns_(patterns), train_(run.data) {
    for (const auto& pair : patterns.symmetric)
      relations(RelationPattern::symmetric).insert(pair.relation);
    for (const auto& pair : patterns.inverse)
      relations(RelationPattern::inverse).insert({pair.relation, pair.inverse});
    for (const auto& pair : patterns.evolving)
      relations(RelationPattern::evolving).insert(pair.effect);
    for (const Fact& fact : run.data.split(run.judgement.split))
      if (!has_pattern(fact.relation)) relations(RelationPattern::none).insert(fact.relation);
  }

  template <class Belongs>
  FactsScore score_of(const Belongs& belongs) const {
    ScoresSum sum;
    const auto& facts = run_.data.split(run_.judgement.split);
    const auto& counts = run_.judgement.ranks;
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (!belongs(facts[i])) continue;
      sum.add(rank_of(counts[2 * i], Ties::pessimistic));
      sum.add(rank_of(counts[2 * i + 1], Ties::pessimistic));
    }
    const Scores metrics = sum.mean();
    return {scores.queries / 2, metrics.mrr};
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
      const std::int32_t then = time_row_of(run_.data, fact) - pair.lag;
      return pair.effect == fact.relation &&
             train_.has_at_row(pair.turned ? Fact{fact.object, pair.cause, fact.subject, then}
                                           : Fact{fact.subject, pair.cause, fact.object, then});
    });
  }

  const JudgedRun& run_;
  const DataPatterns& patterns_;
  TrainingFacts train_;
  std::set<std::int32_t> relations_[4];  // by RelationPattern
};

std::vector<PatternRelation> list_relations(const TemporalGraph& data, const DataPatterns& patterns,
                                            const PatternJudge& judge) {
  std::vector<PatternRelation> list;
  const auto add_reversed = [&](RelationPattern pattern, const InverseRelation& pair) {
    list.push_back({.pattern = pattern,
                    .relation = data.relations.name(pair.relation),
                    .other = data.relations.name(pair.inverse),
                    .facts = pair.facts,
                    .agreeing = pair.reversed,
                    .score = judge.score_of_relation(pair.relation)});
  };
  for (const auto& pair : patterns.symmetric) add_reversed(RelationPattern::symmetric, pair);
  for (const auto& pair : patterns.inverse) add_reversed(RelationPattern::inverse, pair);
  for (const auto& pair : patterns.evolving)
    list.push_back({.pattern = RelationPattern::evolving,
                    .relation = data.relations.name(pair.cause),
                    .other = data.relations.name(pair.effect),
                    .turned = pair.turned,
                    .lag = pair.lag,
                    .facts = pair.facts,
                    .agreeing = pair.followed,
                    .by_chance = pair.preceded,
                    .score = judge.score_of_relation(pair.effect)});
  return list;
}

void add_distances(const ModelFile& file, const TemporalGraph& data, const DataPatterns& patterns,
                   Patterns& result) {
  result.no_distances = RelationTransforms::lacking_in(file.header());
  if (!result.no_distances.empty()) return;
  std::vector<std::uint64_t> facts;
  for (const ReversedCount& count : count_reversed(data.split(Split::train), data.relations.size()))
    facts.push_back(count.facts);
  const RelationTransforms transforms(file);
  const PatternDistances distances(transforms, std::move(facts));
  result.sampled_times = distances.sampled_times();
  result.distances = distances.summary(patterns);
  for (PatternRelation& found : result.relations)
    found.distance = distances.between(data.relations.require(found.relation, "relation"),
                                       data.relations.require(found.other, "relation"), found.lag,
                                       !found.turned);
}

}  // namespace

std::string_view name_of(RelationPattern pattern) {
  constexpr std::string_view names[] = {"symmetric", "inverse", "evolving", "none of these"};
  return names[static_cast<std::size_t>(pattern)];
}

Patterns measure_patterns(const std::filesystem::path& run, const EvaluateOptions& options) {
  const ModelFile file(run);
  const JudgedRun judged = judge_run(run, options, {});
  const DataPatterns found = find_patterns(judged.data);
  const PatternJudge judge(judged, found);
  Patterns result;
  result.split = options.split;
  result.times = judged.data.times.size();
  result.all = judge.score_of([](const Fact&) { return true; });
  for (const RelationPattern pattern : {RelationPattern::symmetric, RelationPattern::inverse,
                                        RelationPattern::evolving, RelationPattern::none})
    result.treatments.push_back(judge.treatment_of(pattern));
  result.relations = list_relations(judged.data, found, judge);
  add_distances(file, judged.data, found, result);
  return result;
}

}  // namespace orrery

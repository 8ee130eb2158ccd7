#include "api/audit_parts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "judge/calibration.h"
#include "judge/likely_span.h"

namespace orrery {
namespace {

constexpr double clear_gain = 1.0986;                         // three times as likely
constexpr double share_of_relation = 0.5, facts_of_all = 20;  // measured: docs/audit.md

std::vector<std::int64_t> facts_by_entity(const TemporalGraph& data,
                                          std::span<const Fact> learned) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(data.entities.size()));
  for (const Fact& fact : learned) {
    ++counts[static_cast<std::size_t>(fact.subject)];
    if (fact.object != fact.subject) ++counts[static_cast<std::size_t>(fact.object)];
  }
  return counts;
}

double plausibility_of(const std::optional<Calibration>& calibration, const JudgedFact& judged) {
  const double object = judged.object.log_probability, subject = judged.subject.log_probability;
  return calibration ? fact_probability(*calibration, object, subject)
                     : std::exp((object + subject) / 2);
}

AuditedFact named(const AuditedPart& part, const Fact& fact, const JudgedFact& judged) {
  const TemporalGraph& data = part.data;
  const bool object = judged.object.doubt() >= judged.subject.doubt();
  const JudgedSide& weaker = object ? judged.object : judged.subject;
  AuditedFact result{.subject = data.entities.name(fact.subject),
                     .relation = data.relations.name(fact.relation),
                     .object = data.entities.name(fact.object),
                     .time = data.times.moment_names[static_cast<std::size_t>(fact.when)],
                     .plausibility = plausibility_of(part.calibration, judged),
                     .object_rank = judged.object.rank,
                     .subject_rank = judged.subject.rank,
                     .weaker = object ? "object" : "subject"};
  for (const LikelyEntity& other : weaker.others) {
    if (other.log_probability <= weaker.log_probability) break;
    const Direction asked = object ? Direction::object : Direction::subject;
    result.likelier.push_back(
        {data.entities.name(other.entity),
         part.calibration ? answer_probability(*part.calibration, asked, other.log_probability)
                          : std::exp(other.log_probability)});
  }
  return result;
}

bool comes_first(const AuditedFact& a, const AuditedFact& b) {
  if (a.judged() != b.judged()) return a.judged();
  return a.doubt > b.doubt;
}

double log_odds_of(const AuditedFact& fact) {
  constexpr double edge = 1e-12;
  const double p = std::clamp(fact.plausibility, edge, 1 - edge);
  return std::log(p / (1 - p));
}

struct MeanOdds {
  double sum = 0, count = 0;

  void add(double odds) {
    sum += odds;
    ++count;
  }
  // As if there were some more facts of another mean.
  double mixed_with(double mean, double facts) const {
    return (sum + facts * mean) / std::max(1.0, count + facts);
  }
};

void take_doubts(std::vector<AuditedFact>& facts) {
  MeanOdds all;
  std::map<std::string, MeanOdds> by_relation;
  for (const AuditedFact& fact : facts) {
    if (!fact.judged()) continue;
    all.add(log_odds_of(fact));
    by_relation[fact.relation].add(log_odds_of(fact));
  }
  const double mean = all.mixed_with(0, 0);
  for (AuditedFact& fact : facts)
    fact.doubt = share_of_relation * by_relation[fact.relation].mixed_with(mean, facts_of_all) -
                 log_odds_of(fact);
}

// The places of the first ones in order.
std::vector<std::size_t> most_doubtful(const std::vector<AuditedFact>& facts, std::size_t most) {
  std::vector<std::size_t> places(facts.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(
      places, [&](std::size_t a, std::size_t b) { return comes_first(facts[a], facts[b]); });
  places.resize(std::min(most, places.size()));
  return places;
}

}  // namespace

std::vector<AuditedFact> audited(Asker& asker, const AuditedPart& part, const AuditOptions& options,
                                 const std::function<void(std::size_t)>& done) {
  const auto judged = judge_facts(asker, part.data, part.known, part.facts, options.others, done);
  const auto counts = facts_by_entity(part.data, part.learned);
  std::vector<AuditedFact> result;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const Fact& fact = part.facts[i];
    result.push_back(named(part, fact, judged[i]));
    result.back().subject_facts = counts[static_cast<std::size_t>(fact.subject)];
    result.back().object_facts = counts[static_cast<std::size_t>(fact.object)];
  }
  if (!part.data.times.intervals) return result;
  take_doubts(result);
  for (const std::size_t place : most_doubtful(result, options.intervals)) {
    if (done) done(judged.size());
    const auto span = likely_span(asker, part.data, part.facts[place],
                                  part.calibration ? &*part.calibration : nullptr);
    if (span && span->gain > clear_gain)
      result[place].likelier_time = span_text(part.data.times, *span);
  }
  return result;
}

void sort_by_doubt(std::vector<AuditedFact>& facts) {
  take_doubts(facts);
  std::ranges::stable_sort(facts, comes_first);
}

}  // namespace orrery
